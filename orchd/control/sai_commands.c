/* SPDX-License-Identifier: Apache-2.0 */

/* "sai ...": recording, faults and statistics of SAI calls. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/control/command.h"
#include "orchd/report/row_answers.h"
#include "orchd/switch/switch_query.h"
#include "sai/core/metadata.h"
#include "sai/stack/chain.h"
#include "sai/stack/fault_rules.h"
#include "sai/stack/faults.h"
#include "sai/stack/guard.h"
#include "sai/stack/meter.h"
#include "sai/stack/recorder.h"
#include "vendors/softasic/softasic.h"

static const char *const trace_words[] = {"on", "off", "status", NULL};
static const char *const fault_words[] = {"add", "list", "clear", NULL};

/* Returns the chain; if there is no switch yet, ends 'call' and returns NULL.
 */
static struct chain *
chain_of(struct call *call)
{
    struct err err = {0};

    if (switch_query_check(call->context->query, &err)) {
        call_end(call, &err, NULL);
        return NULL;
    }
    return call->context->chain;
}

/* Returns the state of the recorder. */
static json_t *
trace_state(struct chain *chain)
{
    struct recorder_status status;
    json_t *data;

    recorder_status(chain_recorder(chain), &status);
    data = json_pack("{s:b, s:I, s:i}", "recording", status.recording, "calls",
                     (json_int_t)status.n_calls, "part", (int)status.part);
    row_answers_add_text(data, "file", status.path ? status.path : "");
    row_answers_add_text(data, "error", status.error ? status.error : "");
    return data;
}

/* Checks whether the record has all calls so far.  ST_IO: it could not be
 * written. */
static enum st
check_record(struct chain *chain, struct err *err)
{
    struct recorder_status status;

    recorder_status(chain_recorder(chain), &status);
    if (!status.error) {
        return ST_OK;
    }
    err_set(err, ST_IO, "record-incomplete",
            "%s lacks the last calls; it could not be written: %s", status.path,
            status.error);
    err_set_remedy(err, "make room, then record again: orchctl sai trace on "
                        "FILE");
    return ST_IO;
}

/* Appends the path of 'file' in the state directory to 'path'.  Clients may
 * choose the name of a record, but not write to any other place with the rights
 * of orchd. */
static enum st
add_record_path(const struct control_services *services, const char *file,
                struct text *path, struct err *err)
{
    const char *directory = services->state_dir;
    const size_t length = directory ? strlen(directory) : 0;
    const char *name = file;

    if (directory && !strncmp(file, directory, length) && file[length] == '/') {
        name = file + length + 1;
    }
    if (directory && *name && !strchr(name, '/') && *name != '.') {
        text_addf(path, "%s/%s", directory, name);
        return ST_OK;
    }
    if (directory) {
        err_set(err, ST_INVALID, "usage",
                "orchd records only to files in its state directory, %s",
                directory);
        err_set_remedy(err, "give the name of a file without a directory");
    } else {
        err_set(err, ST_INVALID, "usage",
                "orchd records only to files in its state directory, and it "
                "has none");
        err_set_remedy(err, "start orchd with --state-dir DIR, or with "
                            "--record FILE");
    }
    err_set_field(err, "file", file, "a name without '/'");
    return ST_INVALID;
}

/* Starts or stops recording, or answers with the state of the recorder. */
static void
sai_trace(struct call *call)
{
    struct chain *chain = chain_of(call);
    struct err err = {0};
    struct text path = {0};
    const char *state, *file;
    enum st st = ST_OK;

    if (!chain) {
        return;
    }
    state = call_text(call, "state", "status");
    file = call_text(call, "file", NULL);
    if (file) {
        st = add_record_path(&call->context->services, file, &path, &err);
    }
    if (!st && !strcmp(state, "off")) {
        recorder_stop(chain_recorder(chain));
        st = check_record(chain, &err);
    } else if (!st && !strcmp(state, "on")) {
        st = chain_record(chain, file ? text_string(&path) : NULL, true, &err);
        st = st ? st : check_record(chain, &err);
    }
    text_fini(&path);
    call_end(call, &err, st ? NULL : trace_state(chain));
}

/* Adds a rule: the arguments without "action". */
static void
add_fault(struct call *call, struct faults *faults)
{
    json_t *json = json_copy(call->arguments);
    struct faults_rule rule;
    struct err err = {0};
    json_t *data = NULL;

    json_object_del(json, "action");
    if (!fault_rules_parse(json, &rule, &err)) {
        data = json_pack("{s:i}", "id", (int)faults_add(faults, &rule));
    }
    json_decref(json);
    call_end(call, &err, data);
}

static void
list_faults(struct call *call, const struct faults *faults)
{
    uint32_t n;
    const struct faults_entry *entries = faults_entries(faults, &n);
    json_t *list = json_array();

    for (uint32_t i = 0; i < n; i++) {
        json_array_append_new(list, fault_rules_show(&entries[i]));
    }
    call_done(call, json_pack("{s:o}", "faults", list));
}

/* Removes one rule, or all. */
static void
clear_faults(struct call *call, struct faults *faults)
{
    const int64_t id = call_number(call, "id", 0);
    struct err err = {0};

    if (!id) {
        faults_clear(faults);
    } else if (!faults_remove(faults, (unsigned int)id)) {
        err_set(&err, ST_NOT_FOUND, "not-found", "there is no fault rule %lld",
                (long long)id);
        err_set_remedy(&err, "see orchctl sai fault list");
    }
    call_end(call, &err, NULL);
}

/* Adds, lists or removes fault rules, which imitate errors of a vendor's SAI.
 */
static void
sai_fault(struct call *call)
{
    struct chain *chain = chain_of(call);
    const char *action;

    if (!chain) {
        return;
    }
    action = call_text(call, "action", "list");
    if (!strcmp(action, "add")) {
        add_fault(call, chain_faults(chain));
    } else if (!strcmp(action, "clear")) {
        clear_faults(call, chain_faults(chain));
    } else {
        list_faults(call, chain_faults(chain));
    }
}

/* Implements the visitor of meter_each(). */
static void
add_line(void *list, const struct meter_line *line)
{
    const char *type = metadata_type_name(line->type);

    json_array_append_new(
        list,
        json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "type",
                  type ? type : "other", "op", op_name(line->op), "calls",
                  (json_int_t)line->n_calls, "failures",
                  (json_int_t)line->n_failures, "p50_ns",
                  (json_int_t)line->p50_ns, "p99_ns", (json_int_t)line->p99_ns,
                  "max_ns", (json_int_t)line->max_ns, "total_ns",
                  (json_int_t)line->total_ns));
}

static void
show_sai_stats(struct call *call)
{
    struct chain *chain = chain_of(call);
    json_t *list;

    if (!chain) {
        return;
    }
    list = json_array();
    meter_each(chain_meter(chain), add_line, list);
    call_done(call, json_pack("{s:o, s:I}", "sai_stats", list, "refused",
                              (json_int_t)guard_refusals(chain_guard(chain))));
}

/* Reads what the switch accepts without effect; the caller frees '*rows'. */
static sai_status_t
read_gaps(const struct softasic_ops *soft, struct softasic_gap **rows,
          uint32_t *n)
{
    sai_status_t status = SAI_STATUS_BUFFER_OVERFLOW;

    *rows = NULL;
    *n = 0;
    while (status == SAI_STATUS_BUFFER_OVERFLOW) {
        *rows = check_realloc(*rows, (*n + 1) * sizeof **rows);
        status = soft->gaps(n, *rows);
    }
    return status;
}

/* Makes the item of the reply about 'gap'. */
static json_t *
show_gap(const struct softasic_gap *gap)
{
    const sai_object_type_t type = (sai_object_type_t)gap->type;
    const char *name = metadata_type_name(type);
    const struct metadata_attribute *attribute =
        gap->attribute == SOFTASIC_GAP_OBJECTS
            ? NULL
            : metadata_attribute(type, gap->attribute);

    return json_pack("{s:s, s:s?, s:I}", "type", name ? name : "other",
                     "attribute", attribute ? attribute->name : NULL, "objects",
                     (json_int_t)gap->n);
}

/* What softasic accepts and does not simulate: with "all" also that of which
 * nothing was created or set. */
static void
show_sai_gaps(struct call *call)
{
    const bool all = call_flag(call, "all");
    struct softasic_gap *rows = NULL;
    struct err err = {0};
    json_t *list = json_array();
    uint32_t n = 0;
    enum st st;

    if (!chain_of(call)) {
        json_decref(list);
        return;
    }
    if (!call->context->softasic) {
        err_set(&err, ST_UNSUPPORTED, "not-known",
                "what this libsai accepts and does not carry out is not known: "
                "only softasic says so");
    } else {
        st = switch_query_status(read_gaps(call->context->softasic, &rows, &n),
                                 "gaps", &err);
        for (uint32_t i = 0; !st && i < n; i++) {
            if (all || rows[i].n) {
                json_array_append_new(list, show_gap(&rows[i]));
            }
        }
    }
    free(rows);
    call_end(call, &err, json_pack("{s:o}", "sai_gaps", list));
}

static const struct argument gaps_arguments[] = {
    {"all", ARGUMENT_FLAG, false, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument trace_arguments[] = {
    {"state", ARGUMENT_TEXT, false, 0, 0, trace_words},
    {"file", ARGUMENT_TEXT, false, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

/* fault_rules_parse() checks the fields of rules. */
static const struct argument fault_arguments[] = {
    {"action", ARGUMENT_TEXT, false, 0, 0, fault_words},
    {"id", ARGUMENT_NUMBER, false, 1, INT32_MAX, NULL},
    {"op", ARGUMENT_TEXT, false, 0, 0, NULL},
    {"type", ARGUMENT_TEXT, false, 0, 0, NULL},
    {"attribute", ARGUMENT_TEXT, false, 0, 0, NULL},
    {"counter", ARGUMENT_TEXT, false, 0, 0, NULL},
    {"nth", ARGUMENT_NUMBER, false, 1, INT32_MAX, NULL},
    {"every", ARGUMENT_NUMBER, false, 1, INT32_MAX, NULL},
    {"percent", ARGUMENT_NUMBER, false, 1, 100, NULL},
    {"seed", ARGUMENT_NUMBER, false, 0, INT32_MAX, NULL},
    {"status", ARGUMENT_TEXT, false, 0, 0, NULL},
    {"unsupported", ARGUMENT_FLAG, false, 0, 0, NULL},
    {"delay_us", ARGUMENT_NUMBER, false, 1, INT32_MAX, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

const struct command sai_commands[] = {
    {"sai", "fault", sai_fault, fault_arguments, COMMAND_CHANGES},
    {"sai", "trace", sai_trace, trace_arguments, COMMAND_CHANGES},
    {"show", "sai-gaps", show_sai_gaps, gaps_arguments, COMMAND_VIEWS},
    {"show", "sai-stats", show_sai_stats, NULL, COMMAND_VIEWS},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
