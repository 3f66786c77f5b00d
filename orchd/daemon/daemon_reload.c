/* SPDX-License-Identifier: Apache-2.0 */

/* Compares the settings in force with those just read, and takes over what can
 * change at run time. */

#include <config.h>

#include "orchd/daemon/daemon_reload.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/status.h"
#include "base/text.h"
#include "orchd/daemon/apply_settings.h"
#include "orchd/daemon/chip_rows.h"
#include "orchd/daemon/clocks.h"
#include "orchd/daemon/daemon_state.h"
#include "orchd/daemon/options.h"
#include "orchd/daemon/settings.h"
#include "orchd/daemon/settings_text.h"
#include "orchd/daemon/tester_watch.h"
#include "orchd/db/redis.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/publish/publish.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/drift.h"
#include "process/log.h"

static const char *const origins[] = {
    [SETTINGS_FROM_DEFAULT] = "default",
    [SETTINGS_FROM_FILE] = "file",
    [SETTINGS_FROM_ENVIRONMENT] = "environment",
    [SETTINGS_FROM_OPTION] = "option",
};

/* Taking over ------------------------------------------------------------- */

/* The functions of struct drift_options. */
static void
on_drifted(void *daemon_, const struct compare_difference *difference,
           enum drift_remedy remedy)
{
    const struct daemon *daemon = daemon_;

    publisher_drifted(daemon->publisher, difference, remedy);
}

static void
on_checked(void *daemon_, const struct object *object, size_t n, bool settled)
{
    const struct daemon *daemon = daemon_;

    publisher_object_checked(daemon->publisher, object, n, settled);
}

static void
on_rounded(void *daemon_)
{
    const struct daemon *daemon = daemon_;

    publisher_round_checked(daemon->publisher);
    tester_watch_end_round(daemon->testers);
}

void
daemon_reload_drift(struct daemon *daemon)
{
    const struct settings *settings = daemon->settings;
    const struct drift_options options = {
        .interval_ns = settings->repair == SETTINGS_REPAIR_OFF
                           ? 0
                           : settings->drift_seconds * NS_PER_S,
        .repair = settings->repair == SETTINGS_REPAIR_ON,
        .excuses = tester_watch_excuses,
        .excuses_context = daemon->testers,
        .differs = on_drifted,
        .checked = on_checked,
        .rounded = on_rounded,
        .context = daemon,
    };

    agent_set_drift(daemon->agent, &options);
}

/* Sets the level of all modules. */
static void
apply_log_level(struct daemon *daemon)
{
    for (struct log *log = daemon->log; log; log = log_next_module(log)) {
        log_set_level(log, (enum log_level)daemon->settings->log_level);
    }
}

static void
apply_audit(struct daemon *daemon)
{
    redis_set_audit(daemon->redis, daemon->settings->audit_seconds * NS_PER_S);
}

static void
apply_disruptive(struct daemon *daemon)
{
    agent_allow_disruptive(daemon->agent, daemon->settings->allow_disruptive);
}

/* What takes a new value over; NULL: the files are read again anyway. */
static void (*const appliers[N_SETTINGS])(struct daemon *daemon) = {
    [SETTINGS_INDEX_log_level] = apply_log_level,
    [SETTINGS_INDEX_audit_seconds] = apply_audit,
    [SETTINGS_INDEX_allow_disruptive] = apply_disruptive,
    [SETTINGS_INDEX_drift_seconds] = daemon_reload_drift,
    [SETTINGS_INDEX_repair] = daemon_reload_drift,
};

/* Reads the files that 'settings' name again. */
static enum st
read_files(struct daemon *daemon, const struct settings *settings,
           struct err *err)
{
    struct dynamic_state_chip parameters = {0};
    enum st status =
        settings_read_files(settings, daemon->agent, &parameters, err);

    if (!status && parameters.known) {
        chip_rows_set_base(daemon->chip_rows, &parameters,
                           settings->asic_table);
    }
    return status;
}

/* Reporting --------------------------------------------------------------- */

/* The values of one setting as JSON: a text, an array of pairs, or null. */
struct values {
    enum settings_index index;
    json_t *value;
    char source[512];
};

static void
add_value(void *values_, const struct settings_row *row)
{
    struct values *values = values_;

    if (row->index != values->index || !row->value) {
        return;
    }
    settings_text_source(&row->source, values->source, sizeof values->source);
    if (!row->repeated) {
        values->value = json_string(row->value);
        return;
    }
    values->value = values->value ? values->value : json_array();
    json_array_append_new(values->value, json_string(row->value));
}

/* Collects the values of the setting 'index'.  The caller owns the value. */
static void
get_values(const struct settings *settings, enum settings_index index,
           struct values *values)
{
    *values = (struct values){.index = index};
    settings_each(settings, add_value, values);
    if (!values->value) {
        values->value = json_null();
    }
}

/* Adds the change of one setting to 'list', and logs it. */
static void
report_change(struct daemon *daemon, const struct settings *next,
              enum settings_index index, json_t *list, bool restart)
{
    struct values from, to;
    char *texts[2];

    get_values(daemon->settings, index, &from);
    get_values(next, index, &to);
    texts[0] = json_dumps(from.value, JSON_ENCODE_ANY);
    texts[1] = json_dumps(to.value, JSON_ENCODE_ANY);
    log_write(daemon->log, restart ? LOG_WARN : LOG_INFO,
              restart ? "setting-restart" : "setting-changed",
              settings_key(index),
              restart ? "is %s, and becomes %s after a restart of orchd"
                      : "was %s, and is now %s",
              texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
    json_array_append_new(list,
                          json_pack("{s:s, s:o, s:o, s:s}", "key",
                                    settings_key(index), "from", from.value,
                                    "to", to.value, "source", to.source));
}

/* Adds one problem to 'list', and logs it with 'code'. */
static void
report_problem(struct daemon *daemon, const char *code, const struct err *err,
               json_t *list)
{
    const bool warning = err->status == ST_UNSUPPORTED;

    log_write(daemon->log, warning ? LOG_WARN : LOG_ERROR, code, "", "%s%s",
              err->reason,
              warning ? "" : "; the previous configuration stays in force");
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:b}", "reason",
                                          err->reason, "allowed", err->allowed,
                                          "remedy", err->remedy, "warning",
                                          (int)warning));
}

/* Returns whether 'index' can take its value in 'next' over now.  A file that
 * is no longer named would leave its content in force. */
static bool
can_apply(const struct settings *next, enum settings_index index)
{
    struct values values;
    bool named;

    get_values(next, index, &values);
    named = !json_is_null(values.value);
    json_decref(values.value);
    return settings_is_reloaded(index) && named;
}

/* Takes over what differs in 'next', and fills the lists of 'report'. */
static void
take_over(struct daemon *daemon, const struct settings *next, json_t *report)
{
    json_t *applied = json_object_get(report, "applied");
    json_t *restart = json_object_get(report, "restart");

    for (size_t i = 0; i < N_SETTINGS; i++) {
        const enum settings_index index = (enum settings_index)i;

        if (!settings_differ(daemon->settings, next, index)) {
            continue;
        }
        if (!can_apply(next, index)) {
            report_change(daemon, next, index, restart, true);
            continue;
        }
        report_change(daemon, next, index, applied, false);
        settings_copy(daemon->settings, next, index);
        if (appliers[i]) {
            appliers[i](daemon);
        }
    }
}

json_t *
daemon_reload(struct daemon *daemon)
{
    struct settings *next = check_calloc(1, sizeof *next);
    json_t *report = json_pack("{s:n, s:[], s:[], s:[]}", "file", "applied",
                               "restart", "problems");
    json_t *problems = json_object_get(report, "problems");
    size_t n_applied, n_restart;
    struct err err = {0};
    enum st status = options_settings(daemon->options, next, &err);

    if (next->file) {
        json_object_set_new(report, "file", json_string(next->file));
    }
    for (size_t i = 0; i < next->n_problems; i++) {
        report_problem(daemon, "settings-invalid", &next->problems[i],
                       problems);
    }
    if (!status) {
        status = read_files(daemon, next, &err);
        if (status) {
            report_problem(daemon, err.code, &err, problems);
        }
    }
    if (status) {
        settings_fini(next);
        free(next);
        return report;
    }
    take_over(daemon, next, report);
    daemon_reload_end(daemon);
    daemon->read_settings = next;
    n_applied = json_array_size(json_object_get(report, "applied"));
    n_restart = json_array_size(json_object_get(report, "restart"));
    log_write(daemon->log, LOG_INFO, "files-read", "",
              "read the configuration again: %zu setting%s changed, %zu "
              "wait%s for a restart",
              n_applied, text_plural(n_applied), n_restart,
              n_restart == 1 ? "s" : "");
    return report;
}

/* Showing ----------------------------------------------------------------- */

struct showing {
    const struct daemon *daemon;
    json_t *list;
};

static void
show_row(void *showing_, const struct settings_row *row)
{
    const struct showing *showing = showing_;
    const struct settings *next = showing->daemon->read_settings;
    char source[512];
    json_t *shown;

    settings_text_source(&row->source, source, sizeof source);
    shown = json_pack("{s:s, s:s?, s:s, s:s, s:s?, s:s, s:s}", "key", row->key,
                      "value", row->value, "source", source, "origin",
                      origins[row->source.origin], "default", row->initial,
                      "allowed", row->allowed, "change",
                      row->reloaded ? "reload" : "restart");
    if (next && settings_differ(showing->daemon->settings, next, row->index)) {
        struct values values;

        get_values(next, row->index, &values);
        json_object_set_new(shown, "next", values.value);
    }
    json_array_append_new(showing->list, shown);
}

json_t *
daemon_reload_show(const struct daemon *daemon)
{
    struct showing showing = {daemon, json_array()};

    settings_each(daemon->settings, show_row, &showing);
    return json_pack("{s:s?, s:o}", "file", daemon->settings->file, "settings",
                     showing.list);
}

void
daemon_reload_end(struct daemon *daemon)
{
    if (daemon->read_settings) {
        settings_fini(daemon->read_settings);
        free(daemon->read_settings);
        daemon->read_settings = NULL;
    }
}
