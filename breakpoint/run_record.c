/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps readings and frames, and computes the values of claims from them. */

#include <config.h>

#include "breakpoint/run_record.h"

#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/nearest.h"

void
run_record_init(struct run_record *record, const struct scenario *scenario,
                struct target *target, struct arena *arena)
{
    *record = (struct run_record){
        .scenario = scenario,
        .target = target,
        .arena = arena,
        .snapshots = arena_alloc(arena, scenario->n_steps + 1,
                                 sizeof *record->snapshots),
        .frame_logs = arena_alloc(arena, scenario->n_rx_ports + 1,
                                  sizeof *record->frame_logs)};
}

void
run_record_fini(struct run_record *record)
{
    for (size_t i = 0; i < record->scenario->n_rx_ports; i++) {
        frame_log_fini(&record->frame_logs[i]);
        for (size_t k = 0; k < record->n_snapshots; k++) {
            frame_log_fini(&record->snapshots[k].frame_logs[i]);
        }
    }
}

enum st
run_record_trace(struct run_record *record, struct err *err)
{
    struct target *target = record->target;
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < record->scenario->n_rx_ports; i++) {
        const struct rx_port *port = &record->scenario->rx_ports[i];

        if (!port->traced) {
            continue;
        }
        record->frame_logs[i].ordered = true;
        st = target->ops->trace
                 ? target->ops->trace(target, port->name, err)
                 : err_set(err, ST_UNSUPPORTED, "unsupported",
                           "this switch does not report the order of frames or "
                           "their headers");
    }
    return st;
}

enum st
run_record_read(struct run_record *record,
                const struct target_reading **readings, struct err *err)
{
    size_t n = record->scenario->n_objects;
    struct target_reading *rows =
        arena_alloc(record->arena, n + 1, sizeof *rows);
    enum st st = record->target->ops->read(
        record->target, record->scenario->objects, n, record->arena, rows, err);

    if (!st) {
        *readings = rows;
    }
    return st;
}

enum st
run_record_receive(struct run_record *record, bool counts, struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < record->scenario->n_rx_ports; i++) {
        const struct target_frames *rows = NULL;
        size_t n = 0;

        st = record->target->ops->received(record->target,
                                           record->scenario->rx_ports[i].name,
                                           record->arena, &rows, &n, err);
        for (size_t k = 0; !st && counts && k < n; k++) {
            frame_log_add(&record->frame_logs[i], &rows[k]);
        }
    }
    return st;
}

void
run_record_keep(struct run_record *record, const char *name,
                const struct target_reading *readings)
{
    struct run_snapshot *snapshot = &record->snapshots[record->n_snapshots++];
    size_t n = record->scenario->n_rx_ports;

    snapshot->name = name;
    snapshot->readings = readings;
    snapshot->frame_logs =
        arena_alloc(record->arena, n + 1, sizeof *snapshot->frame_logs);
    for (size_t i = 0; i < n; i++) {
        frame_log_copy(&snapshot->frame_logs[i], &record->frame_logs[i]);
    }
}

const struct run_snapshot *
run_record_snapshot(const struct run_record *record, const char *name)
{
    size_t i = 0;

    orch_assert(record->n_snapshots > 0);
    while (strcmp(record->snapshots[i].name, name)) {
        i++;
        orch_assert(i < record->n_snapshots); /* The parser has checked this. */
    }
    return &record->snapshots[i];
}

/* Reports that an object has no such counter, and lists those that it has. */
static enum st
fail_no_stat(const struct run_record *record, const struct claim *claim,
             const struct target_reading *reading, struct err *err)
{
    struct choices choices;
    char object[160];

    choices_init(&choices, claim->stat);
    for (size_t i = 0; i < reading->n; i++) {
        choices_add(&choices, reading->stats[i].name);
    }
    target_object_text(&record->scenario->objects[claim->object], object,
                       sizeof object);
    err_set(err, ST_INVALID, "no-stat", "%s has no stat '%s'", object,
            claim->stat);
    return choices_explain(&choices, "stat", err);
}

/* Finds the counter of 'claim' in 'readings'. */
static enum st
find_value(const struct run_record *record, const struct claim *claim,
           const struct target_reading *readings, int64_t *value,
           struct err *err)
{
    const struct target_reading *reading = &readings[claim->object];
    const struct target_stat *stat = target_reading_find(reading, claim->stat);

    if (!stat) {
        return fail_no_stat(record, claim, reading, err);
    }
    *value = stat->value > INT64_MAX ? INT64_MAX : (int64_t)stat->value;
    return ST_OK;
}

enum st
run_record_value(const struct run_record *record, const struct claim *claim,
                 const struct target_reading *readings, int64_t *value,
                 struct err *err)
{
    const struct target_reading *now =
        claim->at ? run_record_snapshot(record, claim->at)->readings : readings;
    int64_t since = 0;
    enum st st = find_value(record, claim, now, value, err);

    if (!st && claim->since) {
        st = find_value(record, claim,
                        run_record_snapshot(record, claim->since)->readings,
                        &since, err);
        *value -= since;
    }
    return st;
}

int64_t
run_record_rx_value(const struct run_record *record,
                    const struct rx_claim *claim)
{
    const struct run_snapshot *since =
        claim->since ? run_record_snapshot(record, claim->since) : NULL;

    return frame_log_value(&record->frame_logs[claim->rx_port],
                           since ? &since->frame_logs[claim->rx_port] : NULL,
                           claim);
}
