/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl sai ...": records SAI calls, injects faults, and replays records.
 * Replays need no orchd.
 *
 * A replay uses the same guard in front of the library as orchd: the record
 * contains calls that the guard refused, and it has to refuse them again.  A
 * replay uses no recorder and no meter, because they do not change results. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "command/grid.h"
#include "orchctl/call_verb.h"
#include "orchctl/member.h"
#include "orchctl/storm_verb.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"
#include "sai/loader/loader.h"
#include "sai/replay/recording.h"
#include "sai/replay/replay.h"
#include "sai/stack/fault_rules.h"
#include "sai/stack/faults.h"
#include "sai/stack/guard.h"

/* "on [FILE]", "off" or nothing. */
static enum st
prepare_trace(struct invocation *invocation, struct err *err)
{
    (void)err;
    if (invocation->n_operands) {
        json_object_set_new(invocation->arguments, "state",
                            json_string(invocation->operands[0]));
    }
    if (invocation->n_operands > 1) {
        json_object_set_new(invocation->arguments, "file",
                            json_string(invocation->operands[1]));
    }
    return ST_OK;
}

static void
print_trace(const struct invocation *invocation, const json_t *data)
{
    (void)invocation;
    if (*member_text(data, "error")) {
        printf("Recording to %s stopped after %lld calls: %s.\n",
               member_text(data, "file"), member_number(data, "calls"),
               member_text(data, "error"));
    } else if (json_is_true(json_object_get(data, "recording"))) {
        printf("Recording to %s, part %lld, %lld calls so far.\n",
               member_text(data, "file"), member_number(data, "part"),
               member_number(data, "calls"));
    } else {
        printf("Not recording.\n");
    }
}

/* "add", "list" or "clear [ID]". */
static enum st
prepare_fault(struct invocation *invocation, struct err *err)
{
    const char *action = invocation->operands[0];
    json_t *arguments = invocation->arguments;
    uint64_t id;

    if (json_object_size(arguments) && strcmp(action, "add")) {
        return err_set(err, ST_INVALID, "usage",
                       "only sai fault add has options");
    }
    if (invocation->n_operands > 1) {
        if (strcmp(action, "clear") ||
            parse_u64(invocation->operands[1], 1, INT32_MAX, &id)) {
            return err_set(err, ST_INVALID, "usage",
                           "only sai fault clear takes an id, a number");
        }
        json_object_set_new(arguments, "id", json_integer((json_int_t)id));
    }
    json_object_set_new(arguments, "action", json_string(action));
    return ST_OK;
}

/* Describes which of its matching calls a rule affects. */
static void
describe_choice(const json_t *rule, char *buffer, size_t size)
{
    static const char *const names[] = {"nth", "every", "percent"};

    (void)text_copy(buffer, size, "each");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (json_object_get(rule, names[i])) {
            (void)text_format(buffer, size, "%s %lld", names[i],
                              member_number(rule, names[i]));
        }
    }
}

static void
print_faults(const struct invocation *invocation, const json_t *data)
{
    static const struct grid_column columns[] = {
        {"ID", true},         {"OPERATION", false}, {"TYPE", false},
        {"ATTRIBUTE", false}, {"CALLS", false},     {"STATUS", false},
        {"DELAY (us)", true}, {"MATCHES", true},    {"INJECTED", true},
    };
    const json_t *list = json_object_get(data, "faults");
    struct grid *grid;
    json_t *rule;
    size_t i;

    (void)invocation;
    if (json_object_get(data, "id")) {
        printf("Added fault rule %lld.\n", member_number(data, "id"));
        return;
    }
    if (!json_array_size(list)) {
        printf("There are no fault rules.\n");
        return;
    }
    grid = grid_create(columns, sizeof columns / sizeof columns[0]);
    json_array_foreach(list, i, rule)
    {
        char choice[48];

        describe_choice(rule, choice, sizeof choice);
        grid_line(grid);
        grid_number(grid, member_number(rule, "id"));
        grid_text(grid, member_text(rule, "op"));
        grid_text(grid, member_text(rule, "type"));
        grid_text(grid, member_text(rule, json_object_get(rule, "counter")
                                              ? "counter"
                                              : "attribute"));
        grid_text(grid, choice);
        grid_text(grid, member_text(rule, "status"));
        grid_number(grid, member_number(rule, "delay_us"));
        grid_number(grid, member_number(rule, "matches"));
        grid_number(grid, member_number(rule, "strikes"));
    }
    grid_print(grid, 0);
}

/* Replay -------------------------------------------------------------- */

/* Implements faults_sleep_fn. */
static void
pass_time(void *context, int64_t ns)
{
    const struct timespec time = {.tv_sec = (time_t)(ns / 1000000000),
                                  .tv_nsec = (long)(ns % 1000000000)};

    (void)context;
    (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

/* Opens the library that the user names, else the recorded one, with the
 * recorded profile and then the user's entry. */
static enum st
open_library(const struct invocation *invocation,
             const struct recording *recording, struct loader **loader,
             struct err *err)
{
    const char *named = member_text(invocation->arguments, "sai");
    char *entry = check_strdup(member_text(invocation->arguments, "profile"));
    char *equals = strchr(entry, '=');
    struct loader_pair *profile =
        check_calloc(recording->n_profile + 1, sizeof *profile);
    struct loader_options options = {.path =
                                         *named ? named : recording->library,
                                     .profile = profile,
                                     .n_profile = recording->n_profile};
    enum st st = ST_OK;

    if (recording->n_profile) {
        memcpy(profile, recording->profile,
               recording->n_profile * sizeof *profile);
    }
    if (equals) {
        *equals = '\0';
        profile[options.n_profile++] = (struct loader_pair){entry, equals + 1};
    }
    if (!options.path || (*entry && !equals)) {
        st = err_set(err, ST_INVALID, "usage",
                     options.path ? "--profile needs KEY=VALUE"
                                  : "the record names no library: use --sai");
    }
    st = st ? st : loader_open(&options, loader, err);
    if (!st) {
        st = loader_create_switch(*loader, 0, NULL, err);
        if (st) {
            loader_close(*loader);
        }
    }
    free(profile);
    free(entry);
    return st;
}

/* Prints the result of a replay and returns the exit code. */
static int
print_replay(const struct invocation *invocation,
             const struct recording *recording,
             const struct replay_report *report)
{
    const char *place = report->differs ? recording->places[report->line] : "";

    if (invocation->json) {
        json_t *json = json_pack("{s:I, s:I, s:b, s:b}", "calls",
                                 (json_int_t)report->n_calls, "skipped",
                                 (json_int_t)report->n_skipped, "torn",
                                 recording->torn, "differs", report->differs);

        if (report->differs) {
            json_object_set_new(json, "place", json_string(place));
            json_object_set_new(json, "call",
                                json_string(recording->lines[report->line]));
            json_object_set_new(json, "what", json_string(report->what));
            json_object_set_new(json, "recorded",
                                json_string(report->recorded));
            json_object_set_new(json, "found", json_string(report->found));
        }
        verb_print_json(json);
        json_decref(json);
        return report->differs ? CONTROL_NO : CONTROL_DONE;
    }
    if (report->differs) {
        printf("%s: %s differs.\n  recorded: %s\n  now:      %s\n  call:     "
               "%s\n",
               place, report->what, report->recorded, report->found,
               recording->lines[report->line]);
        return CONTROL_NO;
    }
    printf("%llu call%s gave the same result%s.\n",
           (unsigned long long)report->n_calls, text_plural(report->n_calls),
           recording->torn || report->n_skipped
               ? "; calls without a recorded result were skipped"
               : "");
    return CONTROL_DONE;
}

/* Replays a record on a library that is open. */
static int
replay_on(const struct invocation *invocation,
          const struct recording *recording, struct loader *loader,
          struct err *err)
{
    const char *rules = member_text(invocation->arguments, "sai-faults");
    const struct replay_options options = {
        .switch_id = recording->switch_id,
        .skip_counters = json_is_true(
            json_object_get(invocation->arguments, "skip-counters")),
    };
    struct faults *faults =
        faults_create(loader_backend(loader), pass_time, NULL);
    struct guard *guard = guard_create(faults_backend(faults));
    struct replay_report report;
    int code = CONTROL_NO;
    enum st st = *rules ? fault_rules_load(faults, rules, err) : ST_OK;

    if (!st) {
        st = replay_run(guard_backend(guard), &options, recording->lines,
                        recording->n_lines, &report, err);
        if (!st) {
            code = print_replay(invocation, recording, &report);
        } else {
            fprintf(stderr, "orchctl: at %s:\n",
                    recording->places[report.line]);
        }
    }
    if (st) {
        verb_complain(err);
    }
    guard_destroy(guard);
    faults_destroy(faults);
    return code;
}

static int
run_replay(struct invocation *invocation)
{
    struct recording *recording = NULL;
    struct loader *loader = NULL;
    struct err err = {0};
    int code;
    enum st st = recording_load(invocation->operands[0], &recording, &err);

    st = st ? st : open_library(invocation, recording, &loader, &err);
    if (st) {
        verb_complain(&err);
        code = st == ST_INVALID ? CONTROL_USAGE : CONTROL_NO;
    } else {
        code = replay_on(invocation, recording, loader, &err);
        loader_close(loader);
    }
    recording_destroy(recording);
    return code;
}

static const struct option fault_options[] = {
    {"op", OPTION_TEXT, "OP", 0, 0,
     "operation: create, remove, set, get or get_stats"},
    {"type", OPTION_TEXT, "TYPE", 0, 0, "object type, for example buffer_pool"},
    {"attribute", OPTION_TEXT, "NAME", 0, 0,
     "attribute, for example size; needs --type"},
    {"counter", OPTION_TEXT, "NAME", 0, 0,
     "counter, for example dropped_packets; needs --type"},
    {"nth", OPTION_NUMBER, "N", 1, INT32_MAX,
     "affect only the N-th matching call"},
    {"every", OPTION_NUMBER, "N", 1, INT32_MAX,
     "affect every N-th matching call"},
    {"percent", OPTION_NUMBER, "N", 1, 100,
     "affect this share of matching calls at random"},
    {"seed", OPTION_NUMBER, "N", 0, INT32_MAX,
     "seed of the random numbers (0)"},
    {"status", OPTION_TEXT, "STATUS", 0, 0,
     "status to return, for example table_full"},
    {"unsupported", OPTION_FLAG, NULL, 0, 0,
     "behave as if the attribute or counter did not exist"},
    {"delay_us", OPTION_NUMBER, "N", 1, 60000000,
     "delay before the call in us"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option replay_options[] = {
    {"sai", OPTION_TEXT, "LIBRARY", 0, 0,
     "library to use instead of the recorded one"},
    {"profile", OPTION_TEXT, "KEY=VALUE", 0, 0, "additional SAI profile entry"},
    {"sai-faults", OPTION_TEXT, "FILE", 0, 0, "file with faults to inject"},
    {"skip-counters", OPTION_FLAG, NULL, 0, 0, "do not compare counters"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const struct verb sai_verbs[] = {
    {"sai", "call", "OPERATION TYPE [OID] ITEM...", 2, 256, call_options,
     "Make one SAI call on the switch of a SAI host",
     "Needs no orchd.  The operands have the format of a record (sai trace).\n"
     "Exits with 1 if SAI refuses the call.\n"
     "Example: orchctl sai call --host SOCKET get SAI_OBJECT_TYPE_PORT oid:0x1 "
     "\\\n"
     "             SAI_PORT_ATTR_SPEED\n",
     NULL, NULL, call_verb_run},
    {"sai", "fault", "add|list|clear [ID]", 1, 2, fault_options,
     "Make SAI calls fail or take longer, for tests",
     "A rule affects all calls that match its options.\nExample: orchctl sai "
     "fault add --op create --type buffer_pool --status table_full\n",
     prepare_fault, print_faults, NULL},
    {"sai", "replay", "RECORD", 1, 1, replay_options,
     "Replay recorded SAI calls and report the first difference",
     "Needs no orchd.  Exits with 1 if a result differs.\n", NULL, NULL,
     run_replay},
    {"sai", "storm", "LANE", 1, 1, storm_verb_options,
     "Start or stop a storm of pause frames at a port of softasicd",
     "Needs no orchd, and works beside any control plane.  LANE is the first "
     "lane of the\nport.  The frames arrive there as if the other end of its "
     "link "
     "had sent them, until\n--priorities none.\n"
     "Example: orchctl sai storm --host SOCKET 9 --priorities 3\n",
     NULL, NULL, storm_verb_run},
    {"sai", "trace", "[on [FILE]|off]", 0, 2, NULL,
     "Record SAI calls to a file",
     "Without operands it shows the state of the recording.  FILE is the name "
     "of a file in\nthe state directory of orchd; without it the file of the "
     "last record, or of --record.\nExample: orchctl sai trace on sai.record\n",
     prepare_trace, print_trace, NULL},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
