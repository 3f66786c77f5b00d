/* SPDX-License-Identifier: Apache-2.0 */

/* Replay of recorded calls, and fault rules as JSON. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "sai/replay/recording.h"
#include "sai/replay/replay.h"
#include "sai/stack/fault_rules.h"
#include "sai/stack/faults.h"
#include "sai/stack/guard.h"
#include "sai/stack/record_snapshot.h"
#include "sai/stack/recorder.h"
#include "sai/trace/trace_parse.h"
#include "tests/support/tempfile.h"
#include "vendors/store/store.h"

#define N(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

#define POOL  SAI_OBJECT_TYPE_BUFFER_POOL
#define PORT  SAI_OBJECT_TYPE_PORT
#define QUEUE SAI_OBJECT_TYPE_QUEUE
#define WRED  SAI_OBJECT_TYPE_WRED

/* A store behind rules and a guard. */
struct device {
    struct store *store;
    struct faults *faults;
    struct guard *guard;
};

struct fixture {
    char directory[64];
    char path[96];
    struct device device;
    struct recorder *recorder;
    struct sai_backend *backend;
};

static int64_t
clock_ns(void *context)
{
    int64_t *now = context;

    return ++*now;
}

static void
stamp(void *context, char *buffer)
{
    (void)context;
    (void)text_copy(buffer, TRACE_STAMP_SIZE, "S");
}

static void
pass_time(void *context, int64_t ns)
{
    (void)context;
    (void)ns;
}

/* Ports with one lane each, in this order. */
static void
device_init(struct device *device, const uint32_t *lanes, uint32_t n_queues)
{
    struct store_port ports[3];
    const struct store_config config = {.ports = ports,
                                        .n_ports = N(ports),
                                        .n_queues = n_queues,
                                        .with_switch = true};

    for (uint32_t i = 0; i < N(ports); i++) {
        ports[i] = (struct store_port){1, {lanes[i]}};
    }
    device->store = store_create(&config);
    device->faults =
        faults_create(store_backend(device->store), pass_time, NULL);
    device->guard = guard_create(faults_backend(device->faults));
}

static void
device_fini(struct device *device)
{
    guard_destroy(device->guard);
    faults_destroy(device->faults);
    store_destroy(device->store);
}

static const uint32_t straight[] = {1, 2, 3};
static const uint32_t reversed[] = {3, 2, 1};

static int
setup(void **state)
{
    static int64_t now;
    struct fixture *f = calloc(1, sizeof *f);
    const struct recorder_clock clock = {&now, clock_ns, stamp};
    const struct recorder_options options = {
        .path = f->path, .max_bytes = 500, .n_kept = 999};
    struct err err;

    strcpy(f->directory, "/tmp/orchd-replay-XXXXXX");
    assert_non_null(mkdtemp(f->directory));
    (void)text_format(f->path, sizeof f->path, "%s/record", f->directory);
    device_init(&f->device, straight, 2);
    f->recorder = recorder_create(guard_backend(f->device.guard), &clock);
    f->backend = recorder_backend(f->recorder);
    assert_int_equal(recorder_start(f->recorder, &options, &err), ST_OK);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;
    char name[128];

    recorder_destroy(f->recorder);
    device_fini(&f->device);
    unlink(f->path);
    for (int i = 1; i < 1000; i++) {
        (void)text_format(name, sizeof name, "%s.%d", f->path, i);
        unlink(name);
    }
    assert_int_equal(rmdir(f->directory), 0);
    free(f);
    return 0;
}

/* Returns element 'i' of a list of ids. */
static sai_object_id_t
element(struct fixture *f, sai_object_type_t type, sai_object_id_t oid,
        sai_attr_id_t id, uint32_t i)
{
    sai_object_id_t list[64];
    sai_attribute_t attribute = {id, {.u64 = 0}};

    assert_int_equal(f->backend->ops->get(f->backend, type, oid, 1, &attribute),
                     SAI_STATUS_BUFFER_OVERFLOW);
    attribute.value.objlist.count = N(list);
    attribute.value.objlist.list = list;
    assert_int_equal(f->backend->ops->get(f->backend, type, oid, 1, &attribute),
                     SAI_STATUS_SUCCESS);
    return list[i];
}

/* Several objects at once: one of three is wrong, what is made is read and
 * removed, and one is removed again. */
static void
live_together(struct fixture *f)
{
    sai_attribute_t attributes[] = {
        {SAI_WRED_ATTR_GREEN_ENABLE, {.booldata = true}},
        {SAI_WRED_ATTR_GREEN_DROP_PROBABILITY, {.u32 = 101}},
        {SAI_WRED_ATTR_GREEN_DROP_PROBABILITY, {.u32 = 50}},
    };
    const uint32_t counts[] = {1, 1, 1};
    sai_object_key_t keys[3];
    sai_status_t statuses[3];
    struct backend_many many = {.op = OP_CREATE_MANY,
                                .type = WRED,
                                .mode = SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                                .n = 3,
                                .keys = keys,
                                .counts = counts,
                                .attributes = attributes,
                                .statuses = statuses};

    memset(keys, 0, sizeof keys);
    assert_int_equal(backend_do_many(f->backend, &many), SAI_STATUS_FAILURE);
    assert_int_equal(statuses[1], SAI_STATUS_INVALID_ATTR_VALUE_0);
    keys[1] = keys[2];
    many.op = OP_GET_MANY;
    many.n = 2;
    assert_int_equal(backend_do_many(f->backend, &many), SAI_STATUS_SUCCESS);
    assert_true(attributes[0].value.booldata);
    assert_int_equal(attributes[1].value.u32, 50);
    many.op = OP_REMOVE_MANY;
    many.counts = NULL;
    many.n = 3; /* The last is there twice. */
    assert_int_equal(backend_do_many(f->backend, &many), SAI_STATUS_FAILURE);
    assert_int_equal(statuses[1], SAI_STATUS_SUCCESS);
    assert_int_equal(statuses[2], SAI_STATUS_INVALID_OBJECT_ID);
}

/* All that happens to a switch: discovery, creation, use, mistakes, removal. */
static void
live(struct fixture *f)
{
    struct sai_backend *b = f->backend;
    sai_object_id_t wred = 0, port = 0;
    uint32_t lanes[4];
    const sai_stat_id_t stat = SAI_PORT_STAT_IF_IN_OCTETS;
    uint64_t value;

    for (uint32_t i = 0; i < 3; i++) {
        sai_attribute_t attribute = {SAI_PORT_ATTR_HW_LANE_LIST,
                                     {.u32list = {N(lanes), lanes}}};

        port = element(f, SAI_OBJECT_TYPE_SWITCH, b->switch_id,
                       SAI_SWITCH_ATTR_PORT_LIST, i);
        assert_int_equal(b->ops->get(b, PORT, port, 1, &attribute),
                         SAI_STATUS_SUCCESS);
    }
    assert_int_equal(b->ops->create(b, WRED, 0, NULL, &wred),
                     SAI_STATUS_SUCCESS);
    for (uint32_t i = 0; i < 2; i++) {
        const sai_object_id_t queue =
            element(f, PORT, port, SAI_PORT_ATTR_QOS_QUEUE_LIST, i);
        sai_attribute_t attribute = {SAI_QUEUE_ATTR_WRED_PROFILE_ID,
                                     {.oid = wred}};
        sai_status_t status;

        backend_set_many(b, QUEUE, 1, &queue, &attribute,
                         SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, &status);
        assert_int_equal(status, SAI_STATUS_SUCCESS);
        assert_int_equal(b->ops->get(b, QUEUE, queue, 1, &attribute),
                         SAI_STATUS_SUCCESS);
        attribute.value.oid = SAI_NULL_OBJECT_ID;
        assert_int_equal(b->ops->remove(b, WRED, wred),
                         SAI_STATUS_OBJECT_IN_USE);
        assert_int_equal(b->ops->set(b, QUEUE, queue, &attribute),
                         SAI_STATUS_SUCCESS);
    }
    live_together(f);
    assert_int_equal(
        b->ops->get_stats(b, PORT, port, 1, &stat, SAI_STATS_MODE_READ, &value),
        SAI_STATUS_SUCCESS);
    assert_int_equal(b->ops->remove(b, WRED, wred), SAI_STATUS_SUCCESS);
    assert_int_equal(b->ops->remove(b, WRED, wred),
                     SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(b->ops->remove(b, WRED, 0xdead),
                     SAI_STATUS_INVALID_OBJECT_ID);
}

/* Replays what was recorded on 'device'. */
static enum st
replay(struct fixture *f, struct device *device, struct replay_report *report,
       struct err *err)
{
    struct recording *recording;
    struct replay_options options = {0};
    enum st st = recording_load(f->path, &recording, err);

    if (st) {
        return st;
    }
    options.switch_id = recording->switch_id;
    st = replay_run(guard_backend(device->guard), &options, recording->lines,
                    recording->n_lines, report, err);
    recording_destroy(recording);
    return st;
}

static void
test_the_same_device_does_the_same(void **state)
{
    struct fixture *f = *state;
    struct device other;
    struct recorder_status status;
    struct replay_report report;
    struct err err;

    live(f);
    recorder_status(f->recorder, &status);
    assert_true(status.part > 3);
    device_init(&other, straight, 2);
    assert_int_equal(replay(f, &other, &report, &err), ST_OK);
    if (report.differs) {
        fail_msg("line %zu: %s: %s, then %s", report.line, report.what,
                 report.recorded, report.found);
    }
    assert_int_equal(report.n_calls, status.n_calls);
    assert_int_equal(report.n_skipped, 0);
    device_fini(&other);
}

static void
test_ports_are_found_by_their_lanes(void **state)
{
    struct fixture *f = *state;
    struct device other;
    struct replay_report report;
    struct err err;

    live(f);
    device_init(&other, reversed, 2);
    assert_int_equal(replay(f, &other, &report, &err), ST_OK);
    assert_false(report.differs);
    device_fini(&other);
}

static void
test_another_answer_is_the_first_difference(void **state)
{
    struct fixture *f = *state;
    struct device other;
    struct replay_report report;
    struct err err;

    live(f);
    device_init(&other, straight, 3);
    assert_int_equal(replay(f, &other, &report, &err), ST_OK);
    assert_true(report.differs);
    assert_string_equal(report.what, "SAI_PORT_ATTR_QOS_QUEUE_LIST");
    assert_string_equal(report.recorded, "2");
    assert_string_equal(report.found, "3");
    device_fini(&other);
}

/* Replays lines on a device with two queues for each port. */
static enum st
replay_lines(const char *const *lines, size_t n, struct replay_report *report)
{
    const struct replay_options options = {0x21000000000100, false};
    struct device device;
    struct err err;
    enum st st;

    device_init(&device, straight, 2);
    st = replay_run(guard_backend(device.guard), &options, lines, n, report,
                    &err);
    device_fini(&device);
    return st;
}

/* The record exchanges two ports, and then exchanges them no more. */
static void
test_equal_ids_of_other_objects_are_a_difference(void **state)
{
    static const char *const lines[] = {
        "S get SAI_OBJECT_TYPE_SWITCH oid:0x21000000000100 "
        "SAI_SWITCH_ATTR_PORT_LIST[8] => SAI_STATUS_SUCCESS "
        "SAI_SWITCH_ATTR_PORT_LIST=3:oid:0x1000000000200,"
        "oid:0x1000000000100,oid:0x1000000000300 0.001us",
        "S get SAI_OBJECT_TYPE_PORT oid:0x1000000000200 "
        "SAI_PORT_ATTR_QOS_QUEUE_LIST[8] => SAI_STATUS_SUCCESS "
        "SAI_PORT_ATTR_QOS_QUEUE_LIST=2:oid:0x15000000000101,"
        "oid:0x15000000000102 0.001us",
        "S get SAI_OBJECT_TYPE_QUEUE oid:0x15000000000101 SAI_QUEUE_ATTR_PORT "
        "=> SAI_STATUS_SUCCESS SAI_QUEUE_ATTR_PORT=oid:0x1000000000100 "
        "0.001us"};
    struct replay_report report;

    (void)state;
    assert_int_equal(replay_lines(lines, 3, &report), ST_OK);
    assert_true(report.differs);
    assert_int_equal(report.line, 2);
    assert_string_equal(report.recorded,
                        "oid:0x1000000000100, of other objects");
    assert_string_equal(report.found, "oid:0x1000000000100");
}

/* Fuzzers found that these read a list that did not exist. */
static void
test_damaged_answers(void **state)
{
    static const char *const lines[] = {
        "S get SAI_OBJECT_TYPE_SWITCH oid:0x21000000000100 "
        "SAI_SWITCH_ATTR_PORT_LIST[8] => SAI_STATUS_SUCCESS "
        "SAI_SWITCH_ATTR_PORT_LIST=#7 0.001us",
        "S get SAI_OBJECT_TYPE_SWITCH oid:0x21000000000100 "
        "SAI_SWITCH_ATTR_PORT_NUMBER[9] => SAI_STATUS_SUCCESS "
        "SAI_SWITCH_ATTR_PORT_LIST=1:oid:0x1000000000100 0.001us"};
    struct replay_report report;

    (void)state;
    assert_int_equal(replay_lines(lines, 1, &report), ST_OK);
    assert_string_equal(report.recorded, "7");
    assert_int_equal(replay_lines(lines + 1, 1, &report), ST_INVALID);
}

static void
test_another_status_is_the_first_difference(void **state)
{
    struct fixture *f = *state;
    const struct faults_rule rule = {.op = OP_CREATE,
                                     .any_attribute = true,
                                     .status = SAI_STATUS_TABLE_FULL};
    struct device other;
    struct replay_report report;
    struct err err;

    live(f);
    device_init(&other, straight, 2);
    faults_add(other.faults, &rule);
    assert_int_equal(replay(f, &other, &report, &err), ST_OK);
    assert_true(report.differs);
    assert_string_equal(report.what, "status");
    assert_string_equal(report.recorded, "SAI_STATUS_SUCCESS");
    assert_string_equal(report.found, "SAI_STATUS_TABLE_FULL");
    device_fini(&other);
}

static void
test_a_record_that_begins_late_says_so(void **state)
{
    struct fixture *f = *state;
    const struct recorder_options options = {.path = f->path};
    struct device other;
    struct replay_report report;
    struct err err;
    const sai_object_id_t port =
        element(f, SAI_OBJECT_TYPE_SWITCH, f->backend->switch_id,
                SAI_SWITCH_ATTR_PORT_LIST, 2);
    sai_attribute_t speed = {SAI_PORT_ATTR_ADMIN_STATE, {.booldata = true}};

    assert_int_equal(recorder_start(f->recorder, &options, &err), ST_OK);
    assert_int_equal(f->backend->ops->set(f->backend, PORT, port, &speed),
                     SAI_STATUS_SUCCESS);
    device_init(&other, straight, 2);
    assert_int_equal(replay(f, &other, &report, &err), ST_NOT_FOUND);
    assert_string_equal(err.code, "record-begins-late");

    /* With an snapshot it can be replayed, even on other ids. */
    assert_int_equal(recorder_start(f->recorder, &options, &err), ST_OK);
    record_snapshot(f->recorder, f->device.guard);
    assert_int_equal(f->backend->ops->set(f->backend, PORT, port, &speed),
                     SAI_STATUS_SUCCESS);
    device_fini(&other);
    device_init(&other, reversed, 2);
    assert_int_equal(replay(f, &other, &report, &err), ST_OK);
    assert_false(report.differs);
    device_fini(&other);
}

/* What is there before the record begins: all that is referred to, in an order
 * in which it cannot be made again from the beginning: the pool names a WRED
 * that is younger, and one port has taken the lane of another. */
struct furniture {
    sai_object_id_t pool, profile, map, wred, port, queue;
};

static sai_object_id_t
make(struct fixture *f, sai_object_type_t type, uint32_t n,
     const sai_attribute_t *attributes)
{
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    assert_int_equal(
        f->backend->ops->create(f->backend, type, n, attributes, &oid),
        SAI_STATUS_SUCCESS);
    return oid;
}

static void
put(struct fixture *f, sai_object_type_t type, sai_object_id_t oid,
    sai_attribute_t attribute)
{
    assert_int_equal(f->backend->ops->set(f->backend, type, oid, &attribute),
                     SAI_STATUS_SUCCESS);
}

static void
furnish(struct fixture *f, struct furniture *all)
{
    uint32_t lanes[] = {3, 77};
    sai_qos_map_t entry = {.key = {.dscp = 8}, .value = {.tc = 1}};
    const sai_attribute_t pool[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_EGRESS}},
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 4096}},
    };
    const sai_attribute_t map[] = {
        {SAI_QOS_MAP_ATTR_TYPE, {.s32 = SAI_QOS_MAP_TYPE_DSCP_TO_TC}},
        {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST, {.qosmap = {1, &entry}}},
    };
    const sai_attribute_t port[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {2, lanes}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = 50000}},
    };
    sai_attribute_t profile[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = 0}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 5}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = -2}},
    };
    const sai_object_id_t old =
        element(f, SAI_OBJECT_TYPE_SWITCH, f->backend->switch_id,
                SAI_SWITCH_ATTR_PORT_LIST, 2);

    all->pool = make(f, SAI_OBJECT_TYPE_BUFFER_POOL, N(pool), pool);
    profile[0].value.oid = all->pool;
    all->profile = make(f, SAI_OBJECT_TYPE_BUFFER_PROFILE, N(profile), profile);
    all->map = make(f, SAI_OBJECT_TYPE_QOS_MAP, N(map), map);
    all->wred = make(f, WRED, 0, NULL);
    assert_int_equal(f->backend->ops->remove(f->backend, PORT, old),
                     SAI_STATUS_SUCCESS);
    all->port = make(f, PORT, N(port), port);
    put(f, PORT, all->port,
        (sai_attribute_t){SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP, {.oid = all->map}});
    all->queue = element(f, PORT, all->port, SAI_PORT_ATTR_QOS_QUEUE_LIST, 1);
    put(f, QUEUE, all->queue,
        (sai_attribute_t){SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
                          {.oid = all->profile}});
    put(f, QUEUE, all->queue,
        (sai_attribute_t){SAI_QUEUE_ATTR_WRED_PROFILE_ID, {.oid = all->wred}});
}

/* Reads attribute 'id' of an object, for the record. */
static sai_attribute_value_t
look(struct fixture *f, sai_object_type_t type, sai_object_id_t oid,
     sai_attr_id_t id)
{
    sai_attribute_t attribute = {.id = id};

    assert_int_equal(f->backend->ops->get(f->backend, type, oid, 1, &attribute),
                     SAI_STATUS_SUCCESS);
    return attribute.value;
}

static void
test_a_record_that_begins_late_makes_what_was_there(void **state)
{
    struct fixture *f = *state;
    const struct recorder_options options = {.path = f->path};
    struct furniture all;
    struct device other;
    struct replay_report report;
    struct err err;
    sai_qos_map_t memory[4];
    sai_attribute_t list = {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST,
                            {.qosmap = {N(memory), memory}}};

    furnish(f, &all);
    assert_int_equal(recorder_start(f->recorder, &options, &err), ST_OK);
    record_snapshot(f->recorder, f->device.guard);
    assert_int_equal(
        look(f, QUEUE, all.queue, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID).oid,
        all.profile);
    assert_int_equal(
        look(f, QUEUE, all.queue, SAI_QUEUE_ATTR_WRED_PROFILE_ID).oid,
        all.wred);
    assert_int_equal(look(f, SAI_OBJECT_TYPE_BUFFER_PROFILE, all.profile,
                          SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH)
                         .s8,
                     -2);
    assert_int_equal(look(f, PORT, all.port, SAI_PORT_ATTR_SPEED).u32, 50000);
    assert_int_equal(f->backend->ops->get(f->backend, SAI_OBJECT_TYPE_QOS_MAP,
                                          all.map, 1, &list),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(list.value.qosmap.count, 1);
    assert_int_equal(
        f->backend->ops->remove(f->backend, SAI_OBJECT_TYPE_QOS_MAP, all.map),
        SAI_STATUS_OBJECT_IN_USE);
    device_init(&other, reversed, 2);
    if (replay(f, &other, &report, &err)) {
        fail_msg("%s", err.reason);
    }
    if (report.differs) {
        fail_msg("line %zu: %s: %s, then %s", report.line, report.what,
                 report.recorded, report.found);
    }
    assert_int_equal(store_count(other.store, PORT), 3);
    assert_int_equal(store_count(other.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     1);
    device_fini(&other);
}

static void
append(struct fixture *f, const char *text)
{
    FILE *file = fopen(f->path, "a");

    fputs(text, file);
    fclose(file);
}

static void
test_a_torn_end_is_left_out(void **state)
{
    struct fixture *f = *state;
    struct device other;
    struct replay_report report;
    struct err err;

    live(f);
    recorder_stop(f->recorder);
    append(f, "S create SAI_OBJECT_TYPE_WRED => SAI_STA");
    device_init(&other, straight, 2);
    assert_int_equal(replay(f, &other, &report, &err), ST_OK);
    assert_false(report.differs);
    /* A line that has an end but no answer is a call that never returned. */
    append(f, "\nS create SAI_OBJECT_TYPE_WRED\n");
    device_fini(&other);
    device_init(&other, straight, 2);
    assert_int_equal(replay(f, &other, &report, &err), ST_OK);
    assert_false(report.differs);
    assert_int_equal(report.n_skipped, 2);
    append(f, "nonsense => SAI_STATUS_SUCCESS 1us\n");
    assert_int_equal(replay(f, &other, &report, &err), ST_INVALID);
    device_fini(&other);
}

static void
test_a_part_that_is_gone_is_missed(void **state)
{
    struct fixture *f = *state;
    struct recording *recording;
    char name[128];
    struct err err;

    live(f);
    (void)text_format(name, sizeof name, "%s.2", f->path);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(recording_load(f->path, &recording, &err), ST_NOT_FOUND);
    assert_non_null(strstr(err.reason, "record.2"));
    assert_int_equal(recording_load("/dev/null", &recording, &err), ST_INVALID);
}

/* Rules as JSON ------------------------------------------------------- */

static enum st
parse_rule(const char *text, struct faults_rule *rule, struct err *err)
{
    json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
    enum st st;

    assert_non_null(json);
    memset(err, 0, sizeof *err);
    st = fault_rules_parse(json, rule, err);
    json_decref(json);
    return st;
}

static void
test_rules_are_read_from_json(void **state)
{
    struct faults_rule rule;
    struct err err;

    (void)state;
    assert_int_equal(
        parse_rule("{\"op\":\"create\",\"type\":\"buffer_pool\","
                   "\"attribute\":\"size\",\"nth\":3,"
                   "\"status\":\"insufficient_resources\",\"delay_us\":5}",
                   &rule, &err),
        ST_OK);
    assert_false(rule.any_op);
    assert_int_equal(rule.op, OP_CREATE);
    assert_int_equal(rule.type, POOL);
    assert_false(rule.any_attribute);
    assert_int_equal(rule.attribute, SAI_BUFFER_POOL_ATTR_SIZE);
    assert_int_equal(rule.nth, 3);
    assert_int_equal(rule.status, SAI_STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(rule.delay_ns, 5000);
    assert_int_equal(
        parse_rule("{\"attribute\":\"SAI_QUEUE_ATTR_WRED_PROFILE_ID\","
                   "\"unsupported\":true}",
                   &rule, &err),
        ST_OK);
    assert_int_equal(rule.type, QUEUE);
    assert_true(rule.any_op);
    assert_int_equal(rule.status, SAI_STATUS_ATTR_NOT_SUPPORTED_0);
    assert_false(rule.by_counter);
    assert_int_equal(
        parse_rule("{\"type\":\"port\",\"counter\":\"pause_rx_pkts\","
                   "\"unsupported\":true}",
                   &rule, &err),
        ST_OK);
    assert_true(rule.by_counter);
    assert_int_equal(rule.counter, SAI_PORT_STAT_PAUSE_RX_PKTS);
    assert_int_equal(rule.status, SAI_STATUS_NOT_SUPPORTED);
}

static void
test_bad_rules_name_what_is_wrong(void **state)
{
    static const struct {
        const char *text;
        const char *reason;
    } cases[] = {
        {"[]", "object"},
        {"{}", "needs status"},
        {"{\"verb\":\"create\"}", "'verb'"},
        {"{\"op\":\"set_many\"}", "'op'"},
        {"{\"op\":1}", "'op'"},
        {"{\"type\":\"pond\"}", "'type'"},
        {"{\"type\":\"queue\",\"attribute\":\"size\"}", "'attribute'"},
        {"{\"attribute\":\"size\"}", "'attribute'"},
        {"{\"counter\":\"pause_rx_pkts\"}", "'counter'"},
        {"{\"type\":\"queue\",\"counter\":\"pause_rx_pkts\"}", "'counter'"},
        {"{\"op\":\"set\",\"counter\":\"SAI_PORT_STAT_PAUSE_RX_PKTS\"}",
         "'counter'"},
        {"{\"attribute\":\"SAI_PORT_ATTR_SPEED\","
         "\"counter\":\"SAI_PORT_STAT_PAUSE_RX_PKTS\"}",
         "'counter'"},
        {"{\"status\":\"bad luck\"}", "'status'"},
        {"{\"status\":\"success\"}", "'status'"},
        {"{\"status\":\"failure\",\"nth\":0}", "'nth'"},
        {"{\"status\":\"failure\",\"percent\":101}", "'percent'"},
        {"{\"status\":\"failure\",\"nth\":1,\"every\":1}", "at most one"},
        {"{\"unsupported\":true}", "needs an attribute"},
        {"{\"unsupported\":1}", "'unsupported'"},
        {"{\"delay_us\":-1}", "'delay_us'"},
    };
    struct faults_rule rule;
    struct err err;

    (void)state;
    for (size_t i = 0; i < N(cases); i++) {
        assert_int_equal(parse_rule(cases[i].text, &rule, &err), ST_INVALID);
        if (!strstr(err.reason, cases[i].reason)) {
            fail_msg("%s: %s", cases[i].text, err.reason);
        }
    }
}

static void
test_a_file_of_rules_is_taken_whole_or_not_at_all(void **state)
{
    char nowhere[TEMPFILE_SIZE];
    struct fixture *f = *state;
    struct err err;
    uint32_t n;

    recorder_stop(f->recorder);
    unlink(f->path);
    append(f, "[{\"status\":\"failure\"},\n {\"status\":\"nix\"}]");
    assert_int_equal(fault_rules_load(f->device.faults, f->path, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "rule 2: 'status'"));
    unlink(f->path);
    append(f, "[{\"status\":\"failure\"},\n {\"status\" \"nix\"}]");
    assert_int_equal(fault_rules_load(f->device.faults, f->path, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, ":2:"));
    faults_entries(f->device.faults, &n);
    assert_int_equal(n, 0);
    unlink(f->path);
    append(f, "[{\"status\":\"failure\"}, {\"delay_us\":1,\"every\":2}]");
    assert_int_equal(fault_rules_load(f->device.faults, f->path, &err), ST_OK);
    faults_entries(f->device.faults, &n);
    assert_int_equal(n, 2);
    tempfile_missing(nowhere, "rules");
    assert_int_equal(fault_rules_load(f->device.faults, nowhere, &err), ST_IO);
}

static void
test_a_rule_is_shown_as_it_was_given(void **state)
{
    struct fixture *f = *state;
    struct faults_rule rule;
    struct err err;
    uint32_t n;
    json_t *shown;
    char *text;

    assert_int_equal(parse_rule("{\"op\":\"get\",\"attribute\":"
                                "\"SAI_QUEUE_ATTR_TYPE\",\"percent\":7,"
                                "\"status\":\"failure\",\"delay_us\":2}",
                                &rule, &err),
                     ST_OK);
    faults_add(f->device.faults, &rule);
    shown = fault_rules_show(faults_entries(f->device.faults, &n));
    text = json_dumps(shown, JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(text,
                        "{\"attribute\":\"SAI_QUEUE_ATTR_TYPE\","
                        "\"delay_us\":2,\"id\":1,\"matches\":0,\"op\":\"get\","
                        "\"percent\":7,\"status\":\"SAI_STATUS_FAILURE\","
                        "\"strikes\":0,\"type\":\"SAI_OBJECT_TYPE_QUEUE\"}");
    free(text);
    json_decref(shown);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_the_same_device_does_the_same),
        T(test_ports_are_found_by_their_lanes),
        T(test_another_answer_is_the_first_difference),
        T(test_equal_ids_of_other_objects_are_a_difference),
        T(test_damaged_answers),
        T(test_another_status_is_the_first_difference),
        T(test_a_record_that_begins_late_says_so),
        T(test_a_record_that_begins_late_makes_what_was_there),
        T(test_a_torn_end_is_left_out),
        T(test_a_part_that_is_gone_is_missed),
        T(test_rules_are_read_from_json),
        T(test_bad_rules_name_what_is_wrong),
        T(test_a_file_of_rules_is_taken_whole_or_not_at_all),
        T(test_a_rule_is_shown_as_it_was_given),
    };
#undef T

    return cmocka_run_group_tests(tests, NULL, NULL);
}
