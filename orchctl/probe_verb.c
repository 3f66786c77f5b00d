/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl breakpoint probe": finds a threshold and prints it. */

#include <config.h>

#include "orchctl/probe_verb.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "breakpoint/bench.h"
#include "breakpoint/parser.h"
#include "breakpoint/probe.h"
#include "breakpoint/runner.h"
#include "breakpoint/scenario.h"
#include "orchctl/bench_select.h"
#include "orchctl/probe_prediction.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"

#define LIMIT_DEFAULT   1000000
#define REPEATS_DEFAULT 3
#define SIZE_DEFAULT    64
#define N_DSCPS         64

const struct option probe_verb_options[] = {
    {"from", OPTION_TEXT, "PORT,...", 0, 0, "ports that packets enter"},
    {"to", OPTION_TEXT, "PORT", 0, 0, "port to send to, which is blocked"},
    {"other", OPTION_TEXT, "PORT", 0, 0, "for xon: the second port to send to"},
    {"dscp", OPTION_TEXT, "DSCP,...", 0, 0, "DSCP of the packets (3)"},
    {"size", OPTION_NUMBER, "BYTES", 60, 16379,
     "packet length without FCS (64)"},
    {"ecn", OPTION_NUMBER, "BITS", 0, 3,
     "ECN bits of the packets; 2: ECN-capable, as of RoCE (0)"},
    {"limit", OPTION_NUMBER, "PACKETS", 2, 100000000,
     "maximum packets per attempt (1,000,000)"},
    {"repeat", OPTION_NUMBER, "N", 0, PROBE_REPEATS_MAX,
     "repeated attempts at the threshold (3)"},
    {"variant", OPTION_TEXT, "NAME", 0, 0,
     "variant of the scenario, if it has several"},
    {"config", OPTION_TEXT, "FILE", 0, 0,
     "config_db.json to use instead of FILE"},
    {"chip", OPTION_TEXT, "MODEL", 0, 0,
     "with --config: chip (default: the one of the hwsku)"},
    {"lookup", OPTION_TEXT, "FILE", 0, 0, "same as --set lookup_file="},
    {"set", OPTION_TEXTS, "KEY=VALUE", 0, 0,
     "setting of orchd; may be repeated"},
    {"live", OPTION_FLAG, NULL, 0, 0, "probe the switch behind orchd"},
    {"chips", OPTION_TEXT, "DIR", 0, 0, "directory of chip files"},
    {"sai", OPTION_TEXT, "LIBRARY", 0, 0, "path of the softasic library"},
    {"yang-dir", OPTION_TEXT, "DIR", 0, 0,
     "directory of the YANG modules of CONFIG_DB"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const char probe_verb_details[] =
    "KIND is xoff, drop, xon, egress-drop or headroom-pool. FILE is a "
    "scenario;\n"
    "its chip and configuration are used, its steps are not.  Exits with 1 if\n"
    "there is no such threshold.  Examples are in\n" DOCDIR
    "/reference/breakpoints.md.\n";

/* The options of the probe; their texts are in the arena. */
struct wish {
    struct arena *arena;
    struct probe_options probe;
    uint8_t dscps[PROBE_GROUPS_MAX];
    const char *from[PROBE_GROUPS_MAX];
};

/* --- Options ------------------------------------------------------------- */

/* Splits "a,b" into at most PROBE_GROUPS_MAX items. */
static enum st
split(struct wish *wish, const char *name, const char *list,
      const char *items[PROBE_GROUPS_MAX], size_t *n, struct err *err)
{
    *n = 0;
    while (list && *list) {
        const size_t length = strcspn(list, ",");

        if (*n == PROBE_GROUPS_MAX) {
            return err_set(err, ST_INVALID, "usage",
                           "--%s takes at most %d items", name,
                           PROBE_GROUPS_MAX);
        }
        items[(*n)++] = arena_strndup(wish->arena, list, length);
        list += length + (list[length] == ',');
    }
    return *n ? ST_OK
              : err_set(err, ST_INVALID, "usage", "a probe needs --%s", name);
}

static enum st
read_dscps(const struct invocation *invocation, struct wish *wish,
           struct err *err)
{
    const char *list = verb_option(invocation, "dscp", NULL);
    const char *items[PROBE_GROUPS_MAX];
    size_t n;
    enum st st = split(wish, "dscp", list ? list : "3", items, &n, err);

    for (size_t i = 0; !st && i < n; i++) {
        char *end;
        const unsigned long value = strtoul(items[i], &end, 10);

        if (end == items[i] || *end || value >= N_DSCPS) {
            st = err_set(err, ST_INVALID, "range", "'%s' is not a DSCP",
                         items[i]);
            err_set_field(err, "dscp", items[i], "0..63");
        } else {
            wish->dscps[i] = (uint8_t)value;
        }
    }
    wish->probe.dscps = wish->dscps;
    wish->probe.n_dscps = n;
    return st;
}

static enum st
read_wish(const struct invocation *invocation, struct wish *wish,
          struct err *err)
{
    struct probe_options *probe = &wish->probe;
    const char *kind = invocation->operands[0];
    enum st st = ST_OK;

    if (!probe_kind_find(kind, &probe->kind)) {
        st = err_set(err, ST_INVALID, "usage", "unknown threshold '%s'", kind);
        err_set_field(err, "KIND", kind,
                      "xoff, drop, xon, egress-drop, headroom-pool");
    }
    st = st ? st
            : split(wish, "from", verb_option(invocation, "from", NULL),
                    wish->from, &probe->n_from, err);
    st = st ? st : read_dscps(invocation, wish, err);
    probe->from = wish->from;
    probe->to = verb_option(invocation, "to", NULL);
    probe->other = verb_option(invocation, "other", NULL);
    probe->size_bytes = (uint32_t)verb_number(invocation, "size", SIZE_DEFAULT);
    probe->ecn = (uint8_t)verb_number(invocation, "ecn", 0);
    probe->limit = (uint64_t)verb_number(invocation, "limit", LIMIT_DEFAULT);
    probe->repeats =
        (unsigned int)verb_number(invocation, "repeat", REPEATS_DEFAULT);
    if (!st && !probe->to) {
        st = err_set(err, ST_INVALID, "usage", "a probe needs --to");
    }
    return st;
}

/* --- The switch ---------------------------------------------------------- */

/* Turns a config_db.json into a scenario that only settles: JSON is YAML. */
static enum st
scenario_text(const struct invocation *invocation, struct text *text,
              struct err *err)
{
    const char *file = verb_option(invocation, "config", NULL);
    const char *chip = verb_option(invocation, "chip", NULL);
    json_error_t error;
    json_t *config = json_load_file(file, JSON_REJECT_DUPLICATES, &error);
    char *line;

    if (!config) {
        return err_set(err, ST_INVALID, "json", "%s:%d:%d: %s", file,
                       error.line, error.column, error.text);
    }
    text_add(text, "topology: {");
    if (chip) {
        text_add(text, "chip: ");
        text_add_json(text, chip);
    }
    text_add(text, "}\nsteps: [settle]\nconfig: ");
    line = json_dumps(config, JSON_COMPACT);
    for (const char *at = line; *at; at++) {
        text_add(text, *at == '$' ? "$" : ""); /* "$$" is a dollar. */
        text_add_char(text, *at);
    }
    text_add_char(text, '\n');
    free(line);
    json_decref(config);
    return ST_OK;
}

/* Finds the requested variant, or the only one. */
static enum st
find_variant(const struct invocation *invocation, struct arena *arena,
             const struct parser_input *input, size_t *variant, struct err *err)
{
    const char *wanted = verb_option(invocation, "variant", NULL);
    const char *const *names;
    struct text all = {0};
    size_t n;
    enum st st = parser_variants(input, arena, &names, &n, err);

    for (*variant = 0; !st && *variant < n; ++*variant) {
        if (wanted ? !strcmp(wanted, names[*variant]) : n == 1) {
            return ST_OK;
        }
        text_add_item(&all, ", ", names[*variant]);
    }
    if (!st) {
        st = err_set(err, ST_INVALID, "usage", "%s has several variants",
                     input->file);
        err_set_field(err, "variant", wanted, text_string(&all));
        err_set_remedy(err, "--variant");
    }
    text_fini(&all);
    return st;
}

/* Configures the switch of 'bench' as the file says, and stores its target.
 * The caller frees '*scenario'. */
static enum st
configure(const struct invocation *invocation, struct arena *arena,
          struct bench *bench, struct scenario **scenario,
          struct target **target, struct err *err)
{
    const bool by_config = verb_option(invocation, "config", NULL) != NULL;
    const bool live = bench->keeps_configuration;
    struct parser_input input = {.file = NULL};
    struct text text = {0};
    size_t variant = 0;
    enum st st = ST_OK;

    if ((invocation->n_operands == 2) + by_config + live != 1) {
        return err_set(err, ST_INVALID, "usage",
                       "a probe needs a scenario FILE, --config FILE, or "
                       "--live");
    }
    if (live) {
        return bench->ops->open(bench, NULL, target, err);
    }
    if (by_config) {
        input.file = verb_option(invocation, "config", NULL);
        st = scenario_text(invocation, &text, err);
        input.text = text_string(&text);
        input.length = text.length;
    } else {
        input.file = invocation->operands[1];
        st = find_variant(invocation, arena, &input, &variant, err);
    }
    st = st ? st : parser_load(&input, variant, bench, scenario, err);
    text_fini(&text);
    *target = st ? NULL : (*scenario)->target;
    return st;
}

/* --- Output -------------------------------------------------------------- */

/* Returns the size of the unit in which the chip counts, or 1 if it is
 * unknown. */
static uint64_t
unit_bytes(struct bench *bench)
{
    const char *text;
    struct err ignored;
    uint64_t bytes = 1;

    if (!bench->ops->chip_fact(bench, "cell_bytes", &text, &ignored)) {
        bytes = strtoull(text, NULL, 10);
    }
    return bytes ? bytes : 1;
}

static json_t *
side_json(const struct probe_side *side)
{
    return json_pack("{s:I, s:I, s:I}", "reserved_bytes",
                     (json_int_t)side->reserved_bytes, "shared_bytes",
                     (json_int_t)side->shared_bytes, "headroom_bytes",
                     (json_int_t)side->headroom_bytes);
}

static json_t *
result_json(const struct probe_options *options,
            const struct probe_result *result, uint64_t unit)
{
    json_t *trials = json_array();
    char object[128];

    target_object_text(&result->object, object, sizeof object);
    for (size_t i = 0; i < result->n_trials; i++) {
        json_array_append_new(
            trials, json_pack("{s:I, s:b}", "packets",
                              (json_int_t)result->trials[i].packets, "crossed",
                              (int)result->trials[i].crossed));
    }
    return json_pack("{s:s, s:s, s:I, s:i, s:I, s:I, s:I, s:I, s:o, s:o, s:I, "
                     "s:I, s:o}",
                     "probe", probe_kind_word(options->kind), "object", object,
                     "packets", (json_int_t)result->packets, "size_bytes",
                     (int)options->size_bytes, "unit_bytes", (json_int_t)unit,
                     "pause_at", (json_int_t)result->pause_at, "groups",
                     (json_int_t)result->n_groups, "alone",
                     (json_int_t)result->alone, "below",
                     side_json(&result->below), "at", side_json(&result->at),
                     "attempts", (json_int_t)result->n_attempts, "packets_sent",
                     (json_int_t)result->n_packets, "trials", trials);
}

/* Prints what the number of the packet means. */
static void
print_meaning(const struct probe_options *options,
              const struct probe_result *result)
{
    char object[128];

    target_object_text(&result->object, object, sizeof object);
    switch (options->kind) {
    case PROBE_XOFF:
        printf("packet %" PRIu64 " makes %s ask for a pause\n", result->packets,
               object);
        break;
    case PROBE_XON:
        printf("%s pauses at packet %" PRIu64 " and resumes after %" PRIu64
               " have left: %" PRIu64 " remain\n",
               object, result->pause_at, result->packets,
               result->pause_at - result->packets);
        break;
    case PROBE_HEADROOM_POOL:
        printf("%zu paused groups take %" PRIu64
               " packets of headroom, of %" PRIu64
               " that their ports take one at a time; %s drops the next\n",
               result->n_groups, result->packets - 1, result->alone, object);
        break;
    case PROBE_DROP:
    case PROBE_EGRESS_DROP:
    case N_PROBE_KINDS:
    default:
        printf("packet %" PRIu64 " is the first that %s drops\n",
               result->packets, object);
        break;
    }
}

static void
print_side(const char *name, uint64_t below, uint64_t at, uint64_t unit)
{
    printf("  %-8s %12" PRIu64 " %12" PRIu64, name, below, at);
    if (unit > 1) {
        printf(" %10" PRIu64 " %10" PRIu64, below / unit, at / unit);
    }
    printf("\n");
}

static void
print_result(const struct probe_options *options,
             const struct probe_result *result, uint64_t unit)
{
    const struct probe_side *below = &result->below;
    const struct probe_side *at = &result->at;

    print_meaning(options, result);
    printf("bracketed:");
    for (size_t i = 0; i < result->n_trials; i++) {
        printf(" %" PRIu64 "%s", result->trials[i].packets,
               result->trials[i].crossed ? "+" : "-");
    }
    printf(
        "\n%" PRIu64 " attempt%s, %" PRIu64 " packet%s of %" PRIu32 " bytes\n",
        result->n_attempts, text_plural(result->n_attempts), result->n_packets,
        text_plural(result->n_packets), options->size_bytes);
    printf("  held     %12s %12s", "bytes before", "with it");
    if (unit > 1) {
        printf(" %10s %10s", "cells", "cells");
    }
    printf("\n");
    print_side("reserved", below->reserved_bytes, at->reserved_bytes, unit);
    print_side("shared", below->shared_bytes, at->shared_bytes, unit);
    print_side("headroom", below->headroom_bytes, at->headroom_bytes, unit);
}

/* Prints the packet that the configuration implies. */
static void
print_implied(const struct probe_result *result, const struct text *basis,
              bool predicted, uint64_t packet)
{
    if (basis->length) {
        printf("configured: %s\n", text_string(basis));
    }
    if (!predicted) {
        printf("the packet that it implies is unknown\n");
    } else {
        printf("implied packet %" PRIu64 ": %s\n", packet,
               packet == result->packets ? "as found" : "NOT as found");
    }
}

/* Prints the result. */
static void
tell(const struct invocation *invocation, struct bench *bench,
     struct target *target, const struct probe_options *options,
     const struct probe_result *result)
{
    const uint64_t unit = unit_bytes(bench);
    struct text basis = {0};
    uint64_t packet = 0;
    const bool predicted = probe_prediction_packet(bench, target, options,
                                                   result, &basis, &packet);

    if (invocation->json) {
        json_t *json = result_json(options, result, unit);

        json_object_set_new(json, "configured",
                            json_string(text_string(&basis)));
        json_object_set_new(json, "implied",
                            predicted ? json_integer((json_int_t)packet)
                                      : json_null());
        verb_print_json(json);
        json_decref(json);
    } else {
        print_result(options, result, unit);
        print_implied(result, &basis, predicted, packet);
    }
    text_fini(&basis);
}

int
probe_verb_run(struct invocation *invocation)
{
    struct bench_select select = {invocation, NULL, CONTROL_DONE, NULL};
    struct wish wish = {.arena = arena_create(0)};
    struct probe_result *result = check_calloc(1, sizeof *result);
    struct scenario *scenario = NULL;
    struct target *target = NULL;
    struct bench *bench = NULL;
    struct err err = {0};
    enum st st = read_wish(invocation, &wish, &err);

    bench = st ? NULL : bench_select_open(&select);
    if (bench) {
        st = configure(invocation, wish.arena, bench, &scenario, &target, &err);
        st = st ? st : probe_run(target, &wish.probe, result, &err);
    }
    if (st) {
        verb_complain(&err);
        select.code = (int)runner_outcome(st);
    } else if (bench) {
        tell(invocation, bench, target, &wish.probe, result);
    }
    scenario_destroy(scenario);
    bench_select_close(&select, bench);
    free(result);
    arena_destroy(wish.arena);
    return select.code;
}
