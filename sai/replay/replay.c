/* SPDX-License-Identifier: Apache-2.0 */

/* Two passes over a record: the first learns the lanes of ports, because a
 * record reads them after it refers to the ports; the second makes the calls.
 *
 * Ids are translated in place, in the arena of the line, and the call uses the
 * parsed arrays.  A translation stays valid after the object was removed: if
 * the record has a call with the id of a removed object, the replay must repeat
 * it. */

#include <config.h>

#include "sai/replay/replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "sai/core/attr_value.h"
#include "sai/core/entry.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"
#include "sai/core/status.h"
#include "sai/replay/replay_map.h"
#include "sai/replay/replay_snapshot.h"
#include "sai/trace/trace_parse.h"

/* More lanes than a port has. */
#define LANES_MAX 64

/* Characters of a long value that are reported before the difference. */
#define KEPT_BEFORE 40

struct lanes {
    sai_object_id_t oid;
    uint32_t n;
    uint32_t list[LANES_MAX];
    UT_hash_handle hh;
};

struct replay {
    struct sai_backend *backend;
    const struct replay_options *options;
    struct replay_report *report;
    struct err *err;
    struct arena *arena; /* Of the line at hand. */
    struct replay_map *map;
    struct lanes *lanes; /* Hash: of recorded ports. */
};

/* Translates the keys of a bulk call, except for the ids of objects that the
 * call creates. */
static bool
translate_keys(const struct replay *replay, const struct trace_call *call)
{
    sai_object_id_t *oids[ENTRY_MAX_OIDS];
    bool known = true;

    if (!op_is_many(call->op) ||
        (call->op == OP_CREATE_MANY && !entry_is_key(call->type))) {
        return true;
    }
    for (uint32_t i = 0; i < call->n; i++) {
        const uint32_t n = entry_oids(call->type, &call->keys[i], oids);

        for (uint32_t k = 0; k < n; k++) {
            known &= replay_map_id(replay->map, oids[k]);
        }
    }
    return known;
}

/* Translates the ids in the arguments of a call.  An unknown id is kept if the
 * recorded call failed: the id was invalid. */
static enum st
translate_call(struct replay *replay, struct trace_call *call)
{
    /* The arrays are in our arena and may be modified. */
    sai_attribute_t *attributes =
        (sai_attribute_t *)(uintptr_t)call->attributes;
    const bool asks =
        op_single(call->op) == OP_GET || op_single(call->op) == OP_GET_STATS;
    const uint32_t n = asks ? 0 : trace_total(call);
    bool known =
        call->op == OP_SNAPSHOT || replay_map_id(replay->map, &call->oid);

    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_attribute *meta =
            metadata_attribute(call->type, attributes[i].id);

        if (meta) {
            known &=
                replay_map_value(replay->map, meta->kind, &attributes[i].value);
        }
    }
    known &= translate_keys(replay, call);
    if (known || call->status != SAI_STATUS_SUCCESS) {
        return ST_OK;
    }
    return err_set(replay->err, ST_NOT_FOUND, "record-begins-late",
                   "the call speaks of an object that appeared before the "
                   "record began");
}

/* Lanes --------------------------------------------------------------- */

/* Stores the lanes of a port if the call reads them. */
static void
learn(struct replay *replay, const struct trace_call *call)
{
    if (call->op != OP_GET || call->type != SAI_OBJECT_TYPE_PORT ||
        call->status != SAI_STATUS_SUCCESS) {
        return;
    }
    for (uint32_t i = 0; i < call->n; i++) {
        const sai_attribute_t *answer = &call->answers[i];
        struct lanes *lanes;

        if (answer->id != SAI_PORT_ATTR_HW_LANE_LIST ||
            answer->value.u32list.count > LANES_MAX) {
            continue;
        }
        HASH_FIND(hh, replay->lanes, &call->oid, sizeof call->oid, lanes);
        if (!lanes) {
            lanes = check_calloc(1, sizeof *lanes);
            lanes->oid = call->oid;
            HASH_ADD(hh, replay->lanes, oid, sizeof lanes->oid, lanes);
            lanes->n = answer->value.u32list.count;
            if (lanes->n) {
                memcpy(lanes->list, answer->value.u32list.list,
                       lanes->n * sizeof *lanes->list);
            }
        }
    }
}

/* Reads the lanes of each of 'n' ports. */
static struct lanes *
read_lanes(struct replay *replay, const sai_object_id_t *ports, uint32_t n)
{
    struct lanes *all = arena_alloc(replay->arena, n + 1u, sizeof *all);

    for (uint32_t i = 0; i < n; i++) {
        sai_attribute_t attribute = {SAI_PORT_ATTR_HW_LANE_LIST,
                                     {.u32list = {LANES_MAX, all[i].list}}};

        all[i].oid = ports[i];
        if (replay->backend->ops->get(replay->backend, SAI_OBJECT_TYPE_PORT,
                                      ports[i], 1,
                                      &attribute) == SAI_STATUS_SUCCESS) {
            all[i].n = attribute.value.u32list.count;
        }
    }
    return all;
}

/* Finds each recorded port among the existing ports by its lanes. */
static void
bind_ports(struct replay *replay, const sai_attribute_value_t *recorded,
           const sai_attribute_value_t *found)
{
    const uint32_t n = found->objlist.count;
    const struct lanes *all = read_lanes(replay, found->objlist.list, n);

    for (uint32_t i = 0; i < recorded->objlist.count; i++) {
        const struct lanes *wanted;

        HASH_FIND(hh, replay->lanes, &recorded->objlist.list[i],
                  sizeof(sai_object_id_t), wanted);
        for (uint32_t k = 0; wanted && k < n; k++) {
            if (all[k].n == wanted->n &&
                !memcmp(all[k].list, wanted->list,
                        wanted->n * sizeof *wanted->list)) {
                replay_map_bind(replay->map, recorded->objlist.list[i],
                                all[k].oid);
                break;
            }
        }
    }
}

/* Learns the ids that a result contains for the first time.  Does not detect
 * contradictions; the comparison does. */
static void
bind_answer(struct replay *replay, const struct metadata_attribute *meta,
            sai_object_type_t type, sai_attribute_value_t *recorded,
            sai_attribute_value_t *found)
{
    uint32_t n_recorded, n_found;
    const sai_object_id_t *was =
        replay_map_ids(meta->kind, recorded, &n_recorded);
    const sai_object_id_t *is = replay_map_ids(meta->kind, found, &n_found);

    if (type == SAI_OBJECT_TYPE_SWITCH && was && is &&
        meta->id == SAI_SWITCH_ATTR_PORT_LIST) {
        bind_ports(replay, recorded, found);
    }
    for (uint32_t i = 0; i < n_recorded && i < n_found; i++) {
        sai_object_id_t known = was[i];

        if (!replay_map_id(replay->map, &known) &&
            is[i] != SAI_NULL_OBJECT_ID) {
            replay_map_bind(replay->map, was[i], is[i]);
        }
    }
}

/* Comparing ----------------------------------------------------------- */

/* Stores the first difference.  Of texts that are too long for the report only
 * what is from shortly before their first different character on. */
static void
differ(struct replay *replay, const char *what, const char *recorded,
       const char *found)
{
    struct replay_report *report = replay->report;
    const char *dots = "";
    size_t same = 0;

    while (recorded[same] && recorded[same] == found[same]) {
        same++;
    }
    if (same + 1 >= sizeof report->recorded) {
        recorded += same - KEPT_BEFORE;
        found += same - KEPT_BEFORE;
        dots = "...";
    }
    report->differs = true;
    (void)text_copy(report->what, sizeof report->what, what);
    (void)text_format(report->recorded, sizeof report->recorded, "%s%s", dots,
                      recorded);
    (void)text_format(report->found, sizeof report->found, "%s%s", dots, found);
}

/* Reports a value whose texts are those of the record and of now.  Where these
 * are the same, the ids in them name different objects. */
static void
differ_in_value(struct replay *replay, const char *what,
                const struct text *recorded, const struct text *found)
{
    struct text other = {0};

    if (strcmp(text_string(recorded), text_string(found)) != 0) {
        differ(replay, what, text_string(recorded), text_string(found));
        return;
    }
    text_addf(&other, "%s, of other objects", text_string(recorded));
    differ(replay, what, text_string(&other), text_string(found));
    text_fini(&other);
}

/* Returns whether the statuses are the same. */
static bool
compare_status(struct replay *replay, const char *what, sai_status_t recorded,
               sai_status_t found)
{
    char was[STATUS_NAME_SIZE], is[STATUS_NAME_SIZE];

    if (recorded != found) {
        differ(replay, what, status_name(recorded, was, sizeof was),
               status_name(found, is, sizeof is));
    }
    return recorded == found;
}

static void
compare_number(struct replay *replay, const char *what, uint64_t recorded,
               uint64_t found)
{
    char was[32], is[32];

    if (recorded != found) {
        (void)text_format(was, sizeof was, "%" PRIu64, recorded);
        (void)text_format(is, sizeof is, "%" PRIu64, found);
        differ(replay, what, was, is);
    }
}

/* Implements the order for qsort(). */
static int
compare_oids(const void *a, const void *b)
{
    const sai_object_id_t x = *(const sai_object_id_t *)a;
    const sai_object_id_t y = *(const sai_object_id_t *)b;

    return (x > y) - (x < y);
}

static void
compare_value(struct replay *replay, const struct metadata_attribute *meta,
              sai_object_type_t type, sai_attribute_value_t *recorded,
              sai_attribute_value_t *found)
{
    struct text was = {0}, is = {0};
    bool known;

    /* As recorded, for people. */
    if (serialize_value(meta, recorded, &was) ||
        serialize_value(meta, found, &is)) {
        goto out;
    }
    bind_answer(replay, meta, type, recorded, found);
    known = replay_map_value(replay->map, meta->kind, recorded);
    if (meta->kind == KIND_POINTER) {
        goto out;
    }
    if (meta->kind == KIND_OBJLIST) {
        uint32_t n;
        sai_object_id_t *list = replay_map_ids(meta->kind, recorded, &n);

        if (n) {
            qsort(list, n, sizeof *list, compare_oids);
        }
        list = replay_map_ids(meta->kind, found, &n);
        if (n) {
            qsort(list, n, sizeof *list, compare_oids);
        }
    }
    if (!known || !attr_value_equal(meta->kind, recorded, found)) {
        differ_in_value(replay, meta->name, &was, &is);
    }
out:
    text_fini(&was);
    text_fini(&is);
}

/* Compares result 'i' of a get; 'found' has the current value.  Of a list that
 * did not fit, then or now, or of which the record has no more, only the
 * length. */
static void
compare_answer(struct replay *replay, const struct trace_call *call, uint32_t i,
               sai_attribute_t *found)
{
    sai_attribute_t *recorded =
        &((sai_attribute_t *)(uintptr_t)call->answers)[i];
    const struct metadata_attribute *meta =
        metadata_attribute(call->type, recorded->id);

    if (!meta) {
        return;
    }
    if (kind_has_list(meta->kind)) {
        const uint32_t was = kind_list_count(meta->kind, &recorded->value);
        const uint32_t is = kind_list_count(meta->kind, &found->value);
        const bool only_length =
            was && !kind_list_elements(meta->kind, &recorded->value);

        if (only_length || was > call->capacities[i] ||
            is > call->capacities[i]) {
            compare_number(replay, meta->name, was, is);
            return;
        }
    }
    compare_value(replay, meta, call->type, &recorded->value, &found->value);
}

/* Making calls -------------------------------------------------------- */

static void
replay_create(struct replay *replay, const struct trace_call *call)
{
    struct sai_backend *backend = replay->backend;
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;
    const sai_status_t status = backend->ops->create(
        backend, call->type, call->n, call->attributes, &oid);

    if (compare_status(replay, "status", call->status, status) &&
        status == SAI_STATUS_SUCCESS) {
        replay_map_bind(replay->map, call->created, oid);
    }
}

/* Allocates lists of the recorded capacities for a get. */
static sai_attribute_t *
make_room(struct replay *replay, const struct trace_call *call)
{
    const uint32_t n = trace_total(call);
    sai_attribute_t *found = arena_alloc(replay->arena, n + 1u, sizeof *found);

    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_attribute *meta =
            metadata_attribute(call->type, call->attributes[i].id);
        const uint32_t capacity = call->capacities[i] < KIND_LIST_MAX
                                      ? call->capacities[i]
                                      : KIND_LIST_MAX;

        found[i].id = call->attributes[i].id;
        if (meta && kind_has_list(meta->kind) && capacity) {
            kind_list_set(meta->kind, &found[i].value, capacity,
                          arena_alloc(replay->arena, capacity,
                                      kind_layout(meta->kind)->element_size));
        }
    }
    return found;
}

/* Returns whether a get with this status returns values. */
static bool
has_answers(sai_status_t status)
{
    return status == SAI_STATUS_SUCCESS || status == SAI_STATUS_BUFFER_OVERFLOW;
}

static void
replay_get(struct replay *replay, const struct trace_call *call)
{
    struct sai_backend *backend = replay->backend;
    sai_attribute_t *found = make_room(replay, call);
    const sai_status_t status =
        backend->ops->get(backend, call->type, call->oid, call->n, found);

    if (!compare_status(replay, "status", call->status, status) ||
        !has_answers(status)) {
        return;
    }
    for (uint32_t i = 0; i < call->n && !replay->report->differs; i++) {
        compare_answer(replay, call, i, &found[i]);
    }
}

/* Compares the counters of one object. */
static void
compare_counters(struct replay *replay, const struct trace_call *call,
                 uint32_t n, const uint64_t *recorded, const uint64_t *found)
{
    for (uint32_t i = 0;
         i < n && !replay->report->differs && !replay->options->skip_counters;
         i++) {
        const struct metadata_stat *meta =
            metadata_stat(call->type, call->stats[i]);

        compare_number(replay, meta ? meta->name : "counter", recorded[i],
                       found[i]);
    }
}

static void
replay_get_stats(struct replay *replay, const struct trace_call *call)
{
    struct sai_backend *backend = replay->backend;
    uint64_t *values = arena_alloc(replay->arena, call->n + 1u, sizeof *values);
    const sai_status_t status =
        backend->ops->get_stats(backend, call->type, call->oid, call->n,
                                call->stats, call->stats_mode, values);

    if (compare_status(replay, "status", call->status, status) &&
        status == SAI_STATUS_SUCCESS) {
        compare_counters(replay, call, call->n, call->counters, values);
    }
}

static void
replay_get_stats_many(struct replay *replay, const struct trace_call *call)
{
    const size_t n = (size_t)call->n * call->n_stats;
    const struct backend_stats stats = {
        .type = call->type,
        .mode = call->stats_mode,
        .n = call->n,
        .keys = call->keys,
        .n_ids = call->n_stats,
        .ids = call->stats,
        .values = arena_alloc(replay->arena, n + 1u, sizeof *stats.values),
        .statuses =
            arena_alloc(replay->arena, call->n + 1u, sizeof *stats.statuses)};

    (void)backend_get_stats_many(replay->backend, &stats);
    for (uint32_t i = 0; i < call->n && !replay->report->differs; i++) {
        const sai_status_t status =
            call->statuses ? call->statuses[i] : SAI_STATUS_SUCCESS;
        char what[48];

        (void)text_format(what, sizeof what, "status of object %" PRIu32, i);
        if (compare_status(replay, what, status, stats.statuses[i]) &&
            status == SAI_STATUS_SUCCESS) {
            compare_counters(replay, call, call->n_stats,
                             call->counters + (size_t)i * call->n_stats,
                             stats.values + (size_t)i * call->n_stats);
        }
    }
}

/* Compares the results of object 'i' of several, whose attributes begin at
 * 'first'. */
static void
compare_object(struct replay *replay, const struct trace_call *call,
               const struct backend_many *many, uint32_t i, uint32_t first)
{
    const sai_status_t status =
        call->statuses ? call->statuses[i] : SAI_STATUS_SUCCESS;
    char what[48];

    (void)text_format(what, sizeof what, "status of object %" PRIu32, i);
    if (!compare_status(replay, what, status, many->statuses[i]) ||
        !has_answers(status)) {
        return;
    }
    if (call->op == OP_CREATE_MANY && !entry_is_key(call->type)) {
        replay_map_bind(replay->map, call->keys[i].key.object_id,
                        many->keys[i].key.object_id);
    }
    for (uint32_t k = 0; call->op == OP_GET_MANY && k < call->counts[i] &&
                         !replay->report->differs;
         k++) {
        compare_answer(replay, call, first + k, &many->attributes[first + k]);
    }
}

static void
replay_many(struct replay *replay, const struct trace_call *call)
{
    struct backend_many many = {
        .op = call->op,
        .type = call->type,
        .mode = call->bulk_mode,
        .n = call->n,
        .keys = arena_alloc(replay->arena, call->n + 1u, sizeof *many.keys),
        .counts = call->counts,
        .attributes = call->op == OP_GET_MANY
                          ? make_room(replay, call)
                          : (sai_attribute_t *)(uintptr_t)call->attributes,
        .statuses =
            arena_alloc(replay->arena, call->n + 1u, sizeof *many.statuses)};
    uint32_t first = 0;
    sai_status_t status;

    if (call->n && (call->op != OP_CREATE_MANY || entry_is_key(call->type))) {
        memcpy(many.keys, call->keys, call->n * sizeof *many.keys);
    }
    status = backend_do_many(replay->backend, &many);
    /* The status of an object says more than the overall status. */
    for (uint32_t i = 0; i < call->n && !replay->report->differs; i++) {
        compare_object(replay, call, &many, i, first);
        first += call->counts[i];
    }
    if (!replay->report->differs) {
        (void)compare_status(replay, "status", call->status, status);
    }
}

/* Makes one call. */
static void
make(struct replay *replay, const struct trace_call *call)
{
    struct sai_backend *backend = replay->backend;

    switch (call->op) {
    case OP_CREATE:
        replay_create(replay, call);
        break;
    case OP_REMOVE:
        (void)compare_status(
            replay, "status", call->status,
            backend->ops->remove(backend, call->type, call->oid));
        break;
    case OP_SET:
        (void)compare_status(
            replay, "status", call->status,
            backend->ops->set(backend, call->type, call->oid,
                              call->n ? call->attributes : NULL));
        break;
    case OP_GET:
        replay_get(replay, call);
        break;
    case OP_GET_STATS:
        replay_get_stats(replay, call);
        break;
    case OP_GET_STATS_MANY:
        replay_get_stats_many(replay, call);
        break;
    case OP_SNAPSHOT:
        (void)compare_status(replay, "snapshot", call->status,
                             replay_snapshot(backend, replay->map, call));
        break;
    case OP_CREATE_MANY:
    case OP_REMOVE_MANY:
    case OP_SET_MANY:
    case OP_GET_MANY:
        replay_many(replay, call);
        break;
    case N_OPS:
    default:
        break;
    }
}

/* One pass; 'making' selects the second. */
static enum st
walk(struct replay *replay, const char *const *lines, size_t n, bool making)
{
    struct replay_report *report = replay->report;
    enum st st = ST_OK;

    for (size_t i = 0; !st && !report->differs && i < n; i++) {
        struct trace_call call;

        arena_reset(replay->arena);
        report->line = i;
        st = trace_parse(replay->arena, lines[i], &call, replay->err);
        if (st || !call.finished) {
            report->n_skipped += making && !st;
            continue;
        }
        if (!making) {
            learn(replay, &call);
        } else if (call.opaque) {
            report->n_skipped++;
        } else {
            st = translate_call(replay, &call);
            if (!st) {
                report->n_calls++;
                make(replay, &call);
            }
        }
    }
    return st;
}

/* Frees all that was learned. */
static void
forget(struct replay *replay)
{
    struct lanes *lanes, *next_lanes;

    replay_map_destroy(replay->map);
    HASH_ITER(hh, replay->lanes, lanes, next_lanes)
    {
        HASH_DELETE(hh, replay->lanes, lanes);
        free(lanes);
    }
    arena_destroy(replay->arena);
}

enum st
replay_run(struct sai_backend *backend, const struct replay_options *options,
           const char *const *lines, size_t n, struct replay_report *report,
           struct err *err)
{
    struct replay replay = {
        .backend = backend, .options = options, .report = report, .err = err};
    enum st st;

    memset(report, 0, sizeof *report);
    replay.arena = arena_create(0);
    replay.map = replay_map_create();
    if (options->switch_id != SAI_NULL_OBJECT_ID) {
        replay_map_bind(replay.map, options->switch_id, backend->switch_id);
    }
    st = walk(&replay, lines, n, false);
    if (!st) {
        st = walk(&replay, lines, n, true);
    }
    forget(&replay);
    return st;
}
