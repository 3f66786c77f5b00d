/* SPDX-License-Identifier: Apache-2.0 */

/* Implements the target operations by SAI and by the test interface of
 * softasic. */

#include <config.h>

#include "orchd/testbench/testbench.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "orchd/switch/switch_query.h"
#include "orchd/testbench/sending.h"
#include "sai/core/backend.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"
#include "vendors/softasic/softasic.h"

/* The maximum number of frames recorded per port. */
#define TRACE_FRAMES_MAX (UINT32_C(1) << 20)
#define TRACE_FRAMES_MIN (UINT32_C(1) << 10)

#define ATTRIBUTE_SIZE 128

_Static_assert(TARGET_FRAME_BYTES_MIN == SOFTASIC_FRAME_BYTES_MIN &&
                   TARGET_FRAME_BYTES_MAX == SOFTASIC_FRAME_BYTES_MAX,
               "the target accepts the frames of softasic");

static struct testbench *
testbench_of(struct target *target)
{
    return (struct testbench *)(void *)target;
}

/* Finds an object of the scenario on the switch; not for flows and peers. */
static enum st
find_object(struct testbench *testbench, const struct target_object *object,
            struct switch_query_object *found, struct err *err)
{
    return switch_query_find(testbench->query, target_kind_word(object->kind),
                             object->name, object->index, found, err);
}

/* --- Attributes ---------------------------------------------------------- */

static enum st
target_set(struct target *target, const struct target_set *wanted,
           struct err *err)
{
    struct testbench *testbench = testbench_of(target);
    const struct metadata_attribute *attribute;
    struct arena *arena;
    struct switch_query_object found;
    char full[ATTRIBUTE_SIZE];
    sai_object_type_t type;
    sai_attribute_t set;
    enum st st = find_object(testbench, &wanted->object, &found, err);

    if (st) {
        return st;
    }
    text_format(full, sizeof full, "SAI_%s_ATTR_%s",
                metadata_type_name(switch_query_type(found.kind)) +
                    strlen("SAI_OBJECT_TYPE_"),
                wanted->attribute);
    attribute = metadata_attribute_by_name(full, &type);
    if (!attribute) {
        return err_set(err, ST_INVALID, "no-attribute",
                       "SAI has no attribute %s", full);
    }
    arena = arena_create(0);
    set.id = attribute->id;
    st =
        serialize_parse_value(arena, attribute, wanted->value, &set.value, err);
    if (!st) {
        text_format(full, sizeof full, "set %s", wanted->attribute);
        st = saved_attributes_set(&testbench->saved, testbench->backend,
                                  switch_query_type(found.kind), found.oid,
                                  &set, full, err);
    }
    arena_destroy(arena);
    return st;
}

static enum st
target_acl(struct target *target, const struct target_acl *acl, struct err *err)
{
    struct testbench *testbench = testbench_of(target);
    sai_object_id_t port;
    enum st st = switch_query_port(testbench->query, acl->port, &port, err);

    return st ? st
              : port_rules_set(&testbench->port_rules, testbench->backend,
                                 port, acl, err);
}

static enum st
target_block(struct target *target, const struct target_block *block,
             struct err *err)
{
    struct testbench *testbench = testbench_of(target);
    const struct blocks_switch sw = {testbench->backend, testbench->query,
                                     &testbench->saved};

    return blocks_set(&testbench->blocks, &sw, block, err);
}

/* --- Traffic and time ---------------------------------------------------- */

static enum st
target_send(struct target *target, const struct target_send *wanted,
            struct target_sent *sent, struct err *err)
{
    const struct testbench *testbench = testbench_of(target);
    struct sending sending;
    bool is_done = false;
    enum st st = sending_begin(&sending, testbench->softasic, testbench->query,
                               wanted, err);

    while (!st && !is_done) {
        st = sending_continue(&sending, UINT64_MAX, &is_done, err);
    }
    *sent = sending.sent;
    return st;
}

static enum st
target_settle(struct target *target, struct err *err)
{
    const struct testbench *testbench = testbench_of(target);
    enum st st = switch_query_check_soft(testbench->query, err);
    sai_status_t status;

    if (st) {
        return st;
    }
    status = testbench->softasic->settle(NULL);
    if (status == SAI_STATUS_OBJECT_IN_USE) {
        return err_set(err, ST_INVALID, "usage",
                       "an endless flow is running: stop it first, or let time "
                       "pass with run");
    }
    return switch_query_status(status, "settle", err);
}

static struct flows_switch
switch_of(const struct testbench *testbench)
{
    return (struct flows_switch){testbench->agent, testbench->query,
                                 testbench->softasic};
}

static enum st
target_peer(struct target *target, const struct target_peer *peer,
            struct err *err)
{
    struct testbench *testbench = testbench_of(target);
    const struct flows_switch sw = switch_of(testbench);

    return flows_peer(&testbench->flows, &sw, peer, err);
}

static enum st
target_flow_start(struct target *target, const struct target_flow *flow,
                  struct err *err)
{
    struct testbench *testbench = testbench_of(target);
    const struct flows_switch sw = switch_of(testbench);

    return flows_start(&testbench->flows, &sw, flow, err);
}

static enum st
target_flow_stop(struct target *target, const char *name, struct err *err)
{
    struct testbench *testbench = testbench_of(target);
    const struct flows_switch sw = switch_of(testbench);

    return flows_stop(&testbench->flows, &sw, name, err);
}

static enum st
target_storm_start(struct target *target, const struct target_storm *storm,
                   struct err *err)
{
    struct testbench *testbench = testbench_of(target);
    const struct flows_switch sw = switch_of(testbench);

    return flows_storm(&testbench->flows, &sw, storm, err);
}

static enum st
target_storm_stop(struct target *target, const char *port, struct err *err)
{
    struct testbench *testbench = testbench_of(target);
    const struct flows_switch sw = switch_of(testbench);

    return flows_storm_stop(&testbench->flows, &sw, port, err);
}

static enum st
target_run(struct target *target, uint64_t ns, struct err *err)
{
    const struct testbench *testbench = testbench_of(target);
    enum st st = switch_query_check_soft(testbench->query, err);

    if (!st && ns > INT64_MAX / 1000) {
        st = err_set(err, ST_INVALID, "usage", "the time is too long");
    }
    return st ? st
              : switch_query_status(
                    testbench->softasic->run((int64_t)ns * 1000), "run", err);
}

/* --- Counters ------------------------------------------------------------ */

/* Converts counters in JSON to '*reading', and returns the array of
 * counters. */
static struct target_stat *
take_stats(json_t *stats, struct arena *arena, struct target_reading *reading)
{
    struct target_stat *list =
        arena_alloc(arena, json_object_size(stats) + 1, sizeof *list);
    const char *name;
    json_t *value;
    size_t n = 0;

    json_object_foreach(stats, name, value)
    {
        list[n].name = arena_strdup(arena, name);
        list[n++].value = (uint64_t)json_integer_value(value);
    }
    reading->stats = list;
    reading->n = n;
    return list;
}

/* Reads the raw counters of an object that is neither flow nor peer. */
static struct target_stat *
read_object(const struct testbench *testbench,
            const struct switch_query_object *object, struct arena *arena,
            struct target_reading *reading)
{
    json_t *stats = switch_query_stats(testbench->query, object);
    struct target_stat *list = take_stats(stats, arena, reading);

    json_decref(stats);
    return list;
}

static enum st
target_read(struct target *target, const struct target_object *objects,
            size_t n, struct arena *arena, struct target_reading *readings,
            struct err *err)
{
    struct testbench *testbench = testbench_of(target);
    const struct flows_switch sw = switch_of(testbench);
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < n; i++) {
        struct switch_query_object found;

        if (objects[i].kind == TARGET_FLOW || objects[i].kind == TARGET_PEER) {
            st = flows_read(&testbench->flows, &sw, &objects[i], arena,
                            &readings[i], err);
            continue;
        }
        st = find_object(testbench, &objects[i], &found, err);
        if (!st) {
            struct target_stat *stats =
                read_object(testbench, &found, arena, &readings[i]);

            baseline_subtract(&testbench->baseline, &objects[i], stats,
                              readings[i].n);
        }
    }
    return st;
}

static enum st
target_start(struct target *target, const struct target_object *objects,
             size_t n, struct err *err)
{
    struct testbench *testbench = testbench_of(target);
    struct arena *arena = arena_create(0);
    enum st st = switch_query_check(testbench->query, err);

    baseline_fini(&testbench->baseline);
    for (size_t i = 0; !st && i < n; i++) {
        struct target_reading reading;
        struct switch_query_object found;
        struct err absent;

        if (objects[i].kind == TARGET_FLOW || objects[i].kind == TARGET_PEER ||
            find_object(testbench, &objects[i], &found, &absent)) {
            continue;
        }
        st = switch_query_clear(testbench->query, &found, err);
        (void)read_object(testbench, &found, arena, &reading);
        baseline_note(&testbench->baseline, &objects[i], &reading);
    }
    arena_destroy(arena);
    return st;
}

static enum st
target_clear(struct target *target, const struct target_object *objects,
             size_t n, struct err *err)
{
    struct testbench *testbench = testbench_of(target);
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < n; i++) {
        struct switch_query_object found;

        st = find_object(testbench, &objects[i], &found, err);
        st = st ? st : switch_query_clear(testbench->query, &found, err);
    }
    return st;
}

/* Starts recording frames, as many as the switch has room for; a switch in
 * another process has less. */
static sai_status_t
begin_trace(struct testbench *testbench, sai_object_id_t port)
{
    sai_status_t status = testbench->softasic->trace(port, TRACE_FRAMES_MAX);

    testbench->trace_room = TRACE_FRAMES_MAX;
    while (status == SAI_STATUS_INVALID_PARAMETER &&
           testbench->trace_room > TRACE_FRAMES_MIN) {
        testbench->trace_room /= 2;
        status = testbench->softasic->trace(port, testbench->trace_room);
    }
    return status;
}

static enum st
target_trace(struct target *target, const char *port, struct err *err)
{
    struct testbench *testbench = testbench_of(target);
    sai_object_id_t oid;
    enum st st = switch_query_check_soft(testbench->query, err);

    st = st ? st : switch_query_port(testbench->query, port, &oid, err);
    st = st ? st
            : switch_query_status(begin_trace(testbench, oid), "trace", err);
    if (!st) {
        testbench->traced =
            check_realloc(testbench->traced, (testbench->n_traced + 1) *
                                                 sizeof *testbench->traced);
        testbench->traced[testbench->n_traced++] = oid;
    }
    return st;
}

/* Returns whether both rows have the same kind of frame. */
static bool
look_alike(const struct target_frames *a, const struct target_frames *b)
{
    return a->dscp == b->dscp && a->queue == b->queue && a->ecn == b->ecn &&
           a->pcp == b->pcp && a->vlan == b->vlan && a->ip_id == b->ip_id &&
           a->size_bytes == b->size_bytes;
}

/* Returns recorded frames in order; consecutive equal frames are one row. */
static enum st
traced_rows(struct testbench *testbench, sai_object_id_t port,
            struct arena *arena, const struct target_frames **rows, size_t *n,
            struct err *err)
{
    struct softasic_departure *departures;
    struct target_frames *list;
    uint32_t n_frames = 0;
    size_t n_rows = 0;
    enum st st = ST_OK;

    (void)testbench->softasic->traced(port, &n_frames, NULL);
    if (n_frames == testbench->trace_room) {
        return err_set(err, ST_NO_RESOURCE, "trace",
                       "more than %u frames have left since the last read: "
                       "take a snap in between",
                       testbench->trace_room - 1);
    }
    departures = check_calloc((size_t)n_frames + 1, sizeof *departures);
    list = arena_alloc(arena, (size_t)n_frames + 1, sizeof *list);
    st = switch_query_status(
        testbench->softasic->traced(port, &n_frames, departures),
        "tell what left the port", err);
    for (uint32_t i = 0; !st && i < n_frames; i++) {
        const struct softasic_departure *departure = &departures[i];

        list[n_rows] = (struct target_frames){
            .dscp = departure->dscp < 0 ? 0 : (uint8_t)departure->dscp,
            .queue = departure->queue_index,
            .ecn = departure->ecn,
            .pcp = departure->pcp,
            .vlan = departure->vlan,
            .ip_id = departure->ip_id,
            .size_bytes = departure->frame_bytes,
            .frames = 1,
        };
        if (n_rows && look_alike(&list[n_rows], &list[n_rows - 1])) {
            list[n_rows - 1].frames++;
        } else {
            n_rows++;
        }
    }
    free(departures);
    *rows = list;
    *n = n_rows;
    return st;
}

/* Returns counts of frames by DSCP, queue and ECN mark. */
static enum st
counted_rows(struct testbench *testbench, sai_object_id_t port,
             struct arena *arena, const struct target_frames **rows, size_t *n,
             struct err *err)
{
    struct softasic_received *received;
    struct target_frames *list;
    uint32_t n_rows = 0;
    enum st st;

    (void)testbench->softasic->received(port, &n_rows, NULL);
    received = check_calloc((size_t)n_rows + 1, sizeof *received);
    list = arena_alloc(arena, (size_t)n_rows + 1, sizeof *list);
    st = switch_query_status(
        testbench->softasic->received(port, &n_rows, received),
        "tell what left the port", err);
    for (uint32_t i = 0; !st && i < n_rows; i++) {
        list[i] = (struct target_frames){
            .dscp = received[i].dscp,
            .queue = received[i].queue_index,
            .ecn = received[i].ce ? TARGET_ECN_CE : 0,
            .frames = received[i].n_frames,
        };
    }
    free(received);
    *rows = list;
    *n = n_rows;
    return st;
}

static enum st
target_received(struct target *target, const char *port, struct arena *arena,
                const struct target_frames **rows, size_t *n, struct err *err)
{
    struct testbench *testbench = testbench_of(target);
    sai_object_id_t oid;
    enum st st = switch_query_check_soft(testbench->query, err);

    st = st ? st : switch_query_port(testbench->query, port, &oid, err);
    for (size_t i = 0; !st && i < testbench->n_traced; i++) {
        if (testbench->traced[i] == oid) {
            return traced_rows(testbench, oid, arena, rows, n, err);
        }
    }
    return st ? st : counted_rows(testbench, oid, arena, rows, n, err);
}

/* --- The end ------------------------------------------------------------- */

/* Stops recordings, flows and storms. */
static enum st
stop_traffic(struct testbench *testbench, struct err *err)
{
    enum st st = ST_OK;

    if (!testbench->softasic) {
        return st;
    }
    for (size_t i = 0; i < testbench->n_traced; i++) {
        (void)testbench->softasic->trace(testbench->traced[i], 0);
    }
    testbench->n_traced = 0;
    return flows_end(&testbench->flows, testbench->query, testbench->softasic,
                     err);
}

static enum st
target_restore(struct target *target, struct err *err)
{
    struct testbench *testbench = testbench_of(target);
    struct err another = {0};
    enum st st = stop_traffic(testbench, err), now;

    baseline_fini(&testbench->baseline);
    now = saved_attributes_undo_all(&testbench->saved, testbench->backend,
                                    &another);
    now = now ? now
              : port_rules_remove_all(&testbench->port_rules,
                                        testbench->backend, &another);
    now = now ? now
              : blocks_remove(&testbench->blocks, testbench->backend, &another);
    if (!now && testbench->softasic) {
        now = switch_query_status(testbench->softasic->settle(NULL), "settle",
                                  &another);
    }
    if (now && !st) {
        *err = another;
        st = now;
    }
    return st;
}

const struct target_ops testbench_target_ops = {
    .block = target_block,
    .send = target_send,
    .settle = target_settle,
    .run = target_run,
    .read = target_read,
    .clear = target_clear,
    .trace = target_trace,
    .received = target_received,
    .set = target_set,
    .acl = target_acl,
    .peer = target_peer,
    .flow_start = target_flow_start,
    .flow_stop = target_flow_stop,
    .storm_start = target_storm_start,
    .storm_stop = target_storm_stop,
    .start = target_start,
    .restore = target_restore,
};

void
testbench_fini(struct testbench *testbench)
{
    saved_attributes_fini(&testbench->saved);
    port_rules_fini(&testbench->port_rules);
    flows_fini(&testbench->flows);
    baseline_fini(&testbench->baseline);
    free(testbench->traced);
    memset(testbench, 0, sizeof *testbench);
}
