/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl twin check": what the hardware will do with the configuration of a
 * switch, and how near the live watermarks have come to that. */

#include <config.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "offline/pipeline.h"
#include "offline/twin_report.h"
#include "orchctl/client.h"
#include "orchctl/member.h"
#include "orchctl/offline_config.h"
#include "orchctl/twin_peaks.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"
#include "orchd/report/findings.h"
#include "orchd/switch/switch_identity.h"
#include "sai/stack/journal.h"
#include "twin/chip/yaml/chip_file.h"

enum { SIZE_DEFAULT = 1500, PEAKS_DEFAULT = 10, PROGRESS_SIZE = 120 };

/* What the check cannot know. */
static const char *const unknowns[] = {
    "whether the switch has this chip: it is the one of the hwsku, or of "
    "--model, and its library may round or reserve otherwise than the chip "
    "file says",
    "other traffic: these are the points of a single sender in an empty "
    "buffer, and all that is in a pool lowers its dynamic thresholds",
    "when a watermark was cleared: it is the highest since then",
    "how soon a peer stops after a pause: findings assume what the standard "
    "allows",
};

/* --- The data ------------------------------------------------------------- */

/* What the verb works with. */
struct check {
    const struct invocation *invocation;
    const char *table;     /* Of COUNTERS_DB. */
    struct client *client; /* NULL: a file is checked. */
    struct offline_config config;
    json_t *data; /* The result. */
};

/* Applies the configuration in force of orchd, with the rows that it has
 * derived. */
static enum st
apply_running(struct check *check, struct err *err)
{
    struct reply reply = {0};
    enum st status =
        client_connect(check->invocation->control,
                       check->invocation->timeout_seconds, &check->client, err);

    status = status ? status
                    : client_call(check->client, "config", "save",
                                  json_pack("{s:b}", "all", 1), &reply, err);
    if (!status && !reply.data) {
        status = reply_error(&reply, err);
    }
    status =
        status
            ? status
            : offline_config_apply(&check->config,
                                   json_object_get(reply.data, "tables"), err);
    reply_fini(&reply);
    return status;
}

/* Adds which switch was assumed, and why. */
static void
add_chip(const struct check *check)
{
    const struct switch_identity *identity =
        pipeline_identity(check->config.pipeline);

    json_object_set_new(check->data, "chip", json_string(identity->chip));
    json_object_set_new(check->data, "chosen_by",
                        json_string(identity->chosen));
    json_object_set_new(check->data, "warning",
                        *identity->warning ? json_string(identity->warning)
                                           : json_null());
}

/* Adds what lint finds, most of it about headroom and the order of ECN and
 * PFC. */
static void
add_findings(const struct check *check)
{
    struct pipeline *pipeline = check->config.pipeline;
    struct chip *chip = NULL;
    struct err no_chip;
    json_t *found;

    if (pipeline_chip(pipeline, &chip, &no_chip)) {
        chip = NULL;
    }
    found = findings_find(pipeline_agent(pipeline),
                          journal_backend(pipeline_journal(pipeline)), chip);
    json_object_set(check->data, "findings",
                    json_object_get(found, "findings"));
    json_object_set(check->data, "warnings",
                    json_object_get(found, "warnings"));
    json_object_set(check->data, "headroom",
                    json_object_get(found, "headroom"));
    json_decref(found);
    chip_file_destroy(chip);
}

/* Adds how near the watermarks have come to what was measured. */
static enum st
add_live(const struct check *check, struct err *err)
{
    struct reply reply = {0};
    enum st status = ST_OK;
    json_t *live = json_null();

    if (check->client) {
        status =
            client_call(check->client, "twin", "watermarks",
                        json_pack("{s:s}", "table", check->table), &reply, err);
        if (!status && !reply.data) {
            status = reply_error(&reply, err);
        }
        if (!status) {
            live = twin_peaks_find(json_object_get(check->data, "classes"),
                                   reply.data);
        }
    }
    json_object_set_new(check->data, "live", live);
    reply_fini(&reply);
    return status;
}

/* Reads --watermarks. */
static enum st
read_table(struct check *check, struct err *err)
{
    static const char *const words[][2] = {
        {"user", "USER_WATERMARKS"},
        {"persistent", "PERSISTENT_WATERMARKS"},
        {"periodic", "PERIODIC_WATERMARKS"},
    };
    const char *word = verb_option(check->invocation, "watermarks", "user");

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!strcmp(word, words[i][0])) {
            check->table = words[i][1];
            return ST_OK;
        }
    }
    err_set(err, ST_INVALID, "usage", "there are no '%s' watermarks", word);
    err_set_field(err, "watermarks", word, "user, persistent, periodic");
    return ST_INVALID;
}

/* Refuses options about live watermarks where a file is checked. */
static enum st
refuse_with_file(const struct invocation *invocation, struct err *err)
{
    static const char *const options[] = {"watermarks", "all"};

    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (json_object_get(invocation->arguments, options[i])) {
            err_set(err, ST_INVALID, "usage",
                    "--%s is about live watermarks, which a file does not have",
                    options[i]);
            err_set_remedy(err, "leave out the option, or FILE");
            return ST_INVALID;
        }
    }
    return ST_OK;
}

/* Loads the configuration. */
static enum st
load(struct check *check, struct err *err)
{
    const struct invocation *invocation = check->invocation;
    enum st status = read_table(check, err);

    if (!status && invocation->n_operands) {
        status = refuse_with_file(invocation, err);
    }
    status = status
                 ? status
                 : offline_config_open(invocation, NULL, &check->config, err);
    if (status) {
        return status;
    }
    return invocation->n_operands
               ? offline_config_load(&check->config, invocation->operands[0],
                                     NULL, err)
               : apply_running(check, err);
}

/* Replaces the line of stderr by one about a measurement; 'context' is the
 * length of the old one, of which blanks remove the rest. */
static void
show_progress(void *context, size_t number, const char *port, const char *kind)
{
    int *length = context;
    char line[PROGRESS_SIZE];

    (void)text_format(line, sizeof line, "measurement %zu: %s of %s", number,
                      kind, port);
    fprintf(stderr, "\r%-*s", *length, line);
    fflush(stderr);
    *length = (int)strlen(line);
}

/* Measures, and shows progress if stderr is a terminal. */
static enum st
measure(struct check *check, struct err *err)
{
    int length = 0;
    const struct twin_report_progress progress = {show_progress, &length};
    const enum st status = twin_report_make(
        check->config.pipeline,
        (uint32_t)verb_number(check->invocation, "size", SIZE_DEFAULT),
        isatty(STDERR_FILENO) ? &progress : NULL, &check->data, err);

    if (length) {
        fprintf(stderr, "\r%*s\r", length, "");
    }
    return status;
}

/* Fills the result. */
static enum st
make(struct check *check, struct err *err)
{
    json_t *texts;
    enum st status = load(check, err);

    status = status ? status : measure(check, err);
    if (status) {
        return status;
    }
    add_chip(check);
    add_findings(check);
    texts = json_array();
    for (size_t i = 0; i < sizeof unknowns / sizeof *unknowns; i++) {
        json_array_append_new(texts, json_string(unknowns[i]));
    }
    json_object_set_new(check->data, "unknown", texts);
    return add_live(check, err);
}

/* --- Text ----------------------------------------------------------------- */

/* Prints "3, 4". */
static void
print_numbers(const json_t *list)
{
    size_t i;
    const json_t *number;

    json_array_foreach(list, i, number)
    {
        printf("%s%lld", i ? ", " : "", (long long)json_integer_value(number));
    }
}

/* Prints what was measured, or why nothing was. */
static void
print_measured(const char *label, const json_t *measured)
{
    if (json_object_get(measured, "reason")) {
        printf("    %-10s not measured: %s\n", label,
               member_text(measured, "reason"));
        return;
    }
    printf("    %-10s at %lld bytes", label,
           (long long)member_number(measured, "bytes"));
    if (member_number(measured, "headroom_bytes")) {
        printf(", %lld of them in headroom",
               (long long)member_number(measured, "headroom_bytes"));
    }
    printf(" (packet %lld)\n", (long long)member_number(measured, "packets"));
}

static void
print_mark(const json_t *item)
{
    const json_t *mark = json_object_get(item, "mark_from_bytes");

    if (json_is_integer(mark)) {
        printf("    %-10s from %lld bytes in the queue\n", "ECN marks",
               (long long)json_integer_value(mark));
    }
}

static void
print_group(const json_t *group)
{
    const json_t *order = json_object_get(group, "pfc_before_ecn");

    printf("  PG ");
    print_numbers(json_object_get(group, "pgs"));
    printf(", %s\n", member_text(group, "profile"));
    print_measured("pauses", json_object_get(group, "xoff"));
    print_measured("drops", json_object_get(group, "drop"));
    print_mark(group);
    if (json_is_boolean(order)) {
        printf("    %-10s %s\n", "first is",
               json_is_true(order)
                   ? "PFC: it pauses a sender before ECN slows it down"
                   : "ECN");
    }
}

static void
print_class(const json_t *class)
{
    const json_t *ports = json_object_get(class, "ports");
    const json_t *cable = json_object_get(class, "cable_m");
    const size_t n = json_array_size(ports);
    size_t i;
    const json_t *item;

    printf("\n%zu port%s of %lld Mbit/s", n, n == 1 ? "" : "s",
           (long long)member_number(class, "speed_mbps"));
    if (json_is_integer(cable)) {
        printf(" with %lld m of cable", (long long)json_integer_value(cable));
    }
    printf(": %s%s%s%s\n", json_string_value(json_array_get(ports, 0)),
           n > 1 ? " ... " : "",
           n > 1 ? json_string_value(json_array_get(ports, n - 1)) : "",
           json_is_true(json_object_get(class, "up")) ? "" : " (shut)");
    json_array_foreach(json_object_get(class, "groups"), i, item)
    {
        print_group(item);
    }
    json_array_foreach(json_object_get(class, "queues"), i, item)
    {
        printf("  Queue ");
        print_numbers(json_object_get(item, "queues"));
        printf(", %s\n", member_text(item, "profile"));
        print_measured(
            !strcmp(member_text(json_object_get(item, "drop"), "by"), "pg")
                ? "PG drops"
                : "drops",
            json_object_get(item, "drop"));
        print_mark(item);
    }
}

/* Prints the highest watermarks. */
static void
print_live(const json_t *live, size_t most)
{
    const json_t *peaks = json_object_get(live, "peaks");
    size_t i;
    const json_t *peak;

    if (!json_is_object(live)) {
        printf("\nNo live watermarks: a file was checked.\n");
        return;
    }
    printf("\n%s, %lld objects, since they were cleared:\n",
           member_text(live, "table"),
           (long long)member_number(live, "objects"));
    if (!json_array_size(peaks)) {
        printf("  %s\n", member_text(live, "reason"));
    }
    json_array_foreach(peaks, i, peak)
    {
        if (i == most) {
            printf("  and %zu more (--all)\n", json_array_size(peaks) - most);
            break;
        }
        printf("  %s peaked at %lld %% of %s (%lld of %lld bytes)\n",
               member_text(peak, "object"),
               (long long)member_number(peak, "percent"),
               member_text(peak, "of"),
               (long long)member_number(peak, "peak_bytes"),
               (long long)member_number(peak, "point_bytes"));
    }
}

/* Prints why headroom was not judged, and what to do. */
static void
print_unknown(const json_t *headroom)
{
    static const char *const causes[][2] = {
        {"no_chip", "the chip is not known (name it with --model)"},
        {"no_speed", "the speed is not known (set it in PORT)"},
        {"no_cable", "the cable length is not known (add the ports to a row of "
                     "CABLE_LENGTH)"},
    };
    const char *separator = "";

    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        if (member_number(headroom, causes[i][0])) {
            printf("%s%s", separator, causes[i][1]);
            separator = ", ";
        }
    }
}

/* Prints whether lossless priority groups have enough headroom, as far as lint
 * could judge them. */
static void
print_headroom(const json_t *headroom)
{
    const json_int_t n_groups = member_number(headroom, "groups");
    const json_int_t n_judged = member_number(headroom, "judged");
    const json_int_t n_small = member_number(headroom, "too_small");

    if (!n_groups) {
        printf("not judged: no priority group has any");
    } else if (!n_judged) {
        printf("not judged: ");
    } else if (n_small) {
        printf("too little for %lld of %lld priority groups, see the findings",
               (long long)n_small, (long long)n_judged);
    } else {
        printf("enough for what may arrive after a pause, in %lld priority "
               "group%s",
               (long long)n_judged, text_plural((uint64_t)n_judged));
    }
    if (n_judged && n_judged < n_groups) {
        printf("; %lld more not judged: ", (long long)(n_groups - n_judged));
    }
    print_unknown(headroom);
    printf("\n");
}

static void
print_findings(const json_t *data)
{
    const json_t *findings = json_object_get(data, "findings");
    size_t i;
    const json_t *finding;

    printf("\nHeadroom: ");
    print_headroom(json_object_get(data, "headroom"));
    printf("Findings:%s\n", json_array_size(findings) ? "" : " none");
    json_array_foreach(findings, i, finding)
    {
        printf("  %s (%s), %s: %s\n", member_text(finding, "code"),
               member_text(finding, "level"), member_text(finding, "row"),
               member_text(finding, "reason"));
    }
}

static void
print(const struct check *check)
{
    const json_t *data = check->data;
    size_t i;
    const json_t *item;

    printf("Assumed chip: %s, by %s. Simulated: one sender of %lld-byte "
           "packets, else an empty buffer.\n",
           member_text(data, "chip"), member_text(data, "chosen_by"),
           (long long)member_number(data, "packet_bytes"));
    json_array_foreach(json_object_get(data, "classes"), i, item)
    {
        print_class(item);
    }
    print_live(json_object_get(data, "live"),
               verb_flag(check->invocation, "all") ? SIZE_MAX : PEAKS_DEFAULT);
    print_findings(data);
    printf("\nWhat this cannot know:\n");
    json_array_foreach(json_object_get(data, "unknown"), i, item)
    {
        printf("  - %s\n", json_string_value(item));
    }
}

/* --- The verb ------------------------------------------------------------- */

static int
twin_check(struct invocation *invocation)
{
    struct check check = {.invocation = invocation};
    struct err err = {0};
    int code = CONTROL_NO;
    const enum st status = make(&check, &err);

    if (status) {
        verb_complain(&err);
        code = status == ST_IO        ? CONTROL_UNREACHABLE
               : status == ST_INVALID ? CONTROL_USAGE
                                      : CONTROL_NO;
    } else {
        if (invocation->json) {
            verb_print_json(check.data);
        } else {
            print(&check);
        }
        code =
            member_number(check.data, "warnings") ? CONTROL_NO : CONTROL_DONE;
    }
    json_decref(check.data);
    client_close(check.client);
    offline_config_close(&check.config);
    return code;
}

static const struct option check_options[] = {
    {"size", OPTION_NUMBER, "BYTES", 60, 16379,
     "packet length without FCS (1500)"},
    {"watermarks", OPTION_TEXT, "TABLE", 0, 0,
     "user, persistent or periodic (user)"},
    {"all", OPTION_FLAG, NULL, 0, 0, "print all watermarks"},
    OFFLINE_CONFIG_OPTIONS,
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const struct verb twin_verbs[] = {
    {"twin", "check", "[FILE]", 0, 1, check_options,
     "Measure the thresholds of a configuration on a simulated switch",
     "Loads the configuration in force, or a config_db.json, into a simulated\n"
     "switch of its chip, and says where its ports pause, drop and mark.\n"
     "Without FILE compares that with the watermarks in COUNTERS_DB.  Exits\n"
     "with 1 if lint has warnings.  Buffers of gigabytes hold a million\n"
     "packets, which takes minutes: --size 16379 needs a tenth of them, and\n"
     "finds thresholds as exactly as such a packet is long.\n",
     NULL, NULL, twin_check},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
