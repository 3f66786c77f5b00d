/* SPDX-License-Identifier: Apache-2.0 */

/* Several objects and entries behind the whole chain, on a library that has
 * bulk functions and on one that refuses them: what a caller sees is the same.
 * What is recorded of it can be made again on a fresh switch. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "sai/loader/loader.h"
#include "sai/replay/recording.h"
#include "sai/replay/replay.h"
#include "sai/stack/chain.h"
#include "sai/stack/faults.h"
#include "sai/stack/guard.h"
#include "sai/trace/trace.h"

enum { N = 5, BAD = 2 };

static const struct vendor {
    const char *name, *path;
    struct loader_pair profile[2];
} vendors[] = {
    {"softasic",
     LIB_DIR "/libsai-softasic.so",
     {{"SOFTASIC_MODEL_DIR", TOP_SRCDIR "/chips"}, {"SOFTASIC_MODEL", "td2"}}},
    {"store",
     LIB_DIR "/libsai-store.so",
     {{"STORE_PORTS", "1,2,3,4;5,6,7,8"}, {"STORE_BULK", "refuse"}}},
    {"store without slots",
     LIB_DIR "/libsai-store.so",
     {{"STORE_PORTS", "1,2,3,4;5,6,7,8"}, {"STORE_BULK", "absent"}}},
};

struct world {
    struct loader *loader;
    struct chain *chain;
    struct sai_backend *backend;
    char path[64];
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

static void
begin(struct world *w, const struct vendor *vendor)
{
    static int64_t now;
    const struct loader_options options = {
        .path = vendor->path, .profile = vendor->profile, .n_profile = 2};
    const struct chain_system system = {{&now, clock_ns, stamp}, pass_time};
    const struct recorder_options record = {.path = w->path};
    struct err err = {0};

    strcpy(w->path, "/tmp/orchd-bulk-XXXXXX");
    close(mkstemp(w->path));
    unlink(w->path);
    assert_int_equal(loader_open(&options, &w->loader, &err), ST_OK);
    assert_int_equal(loader_create_switch(w->loader, 0, NULL, &err), ST_OK);
    w->chain = chain_create(loader_backend(w->loader), &system, &record);
    w->backend = chain_backend(w->chain);
    assert_int_equal(chain_record(w->chain, NULL, false, &err), ST_OK);
}

static void
end(struct world *w)
{
    chain_destroy(w->chain);
    loader_close(w->loader);
    unlink(w->path);
}

/* Makes what was recorded once more on a new switch of the same vendor. */
static void
check_replay(struct world *w, const struct vendor *vendor)
{
    const struct loader_options options = {
        .path = vendor->path, .profile = vendor->profile, .n_profile = 2};
    struct replay_options how = {0};
    struct replay_report report;
    struct recording *recording;
    struct guard *guard;
    struct err err = {0};

    chain_destroy(w->chain);
    w->chain = NULL;
    loader_close(w->loader);
    assert_int_equal(loader_open(&options, &w->loader, &err), ST_OK);
    assert_int_equal(loader_create_switch(w->loader, 0, NULL, &err), ST_OK);
    guard = guard_create(loader_backend(w->loader));
    assert_int_equal(recording_load(w->path, &recording, &err), ST_OK);
    how.switch_id = recording->switch_id;
    if (replay_run(guard_backend(guard), &how, recording->lines,
                   recording->n_lines, &report, &err)) {
        fail_msg("%s", err.reason);
    }
    if (report.differs) {
        fail_msg("%s: %s: %s, then %s", recording->lines[report.line],
                 report.what, report.recorded, report.found);
    }
    assert_true(report.n_calls > 3);
    assert_int_equal(report.n_skipped, 0);
    recording_destroy(recording);
    guard_destroy(guard);
}

/* Creates N schedulers; if 'bad', that at BAD has a type that does not exist.
 */
static sai_status_t
make_schedulers(struct world *w, sai_bulk_op_error_mode_t mode, bool bad,
                sai_object_key_t *keys, sai_status_t *statuses)
{
    sai_attribute_t attributes[2 * N];
    uint32_t counts[N];
    const struct backend_many many = {.op = OP_CREATE_MANY,
                                      .type = SAI_OBJECT_TYPE_SCHEDULER,
                                      .mode = mode,
                                      .n = N,
                                      .keys = keys,
                                      .counts = counts,
                                      .attributes = attributes,
                                      .statuses = statuses};

    memset(keys, 0, N * sizeof *keys);
    for (uint32_t i = 0; i < N; i++) {
        counts[i] = 2;
        attributes[2 * i] = (sai_attribute_t){
            SAI_SCHEDULER_ATTR_SCHEDULING_TYPE,
            {.s32 = bad && i == BAD ? 99 : SAI_SCHEDULING_TYPE_DWRR}};
        attributes[2 * i + 1] = (sai_attribute_t){
            SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT, {.u8 = (uint8_t)(i + 1)}};
    }
    return backend_do_many(w->backend, &many);
}

/* Reads the weights of what was made and removes it. */
static void
read_and_remove(struct world *w, sai_object_key_t *keys)
{
    sai_attribute_t attributes[N];
    uint32_t counts[N];
    sai_status_t statuses[N];
    struct backend_many many = {.op = OP_GET_MANY,
                                .type = SAI_OBJECT_TYPE_SCHEDULER,
                                .mode = SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                                .n = N,
                                .keys = keys,
                                .counts = counts,
                                .attributes = attributes,
                                .statuses = statuses};

    for (uint32_t i = 0; i < N; i++) {
        counts[i] = 1;
        attributes[i].id = SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT;
    }
    assert_int_equal(backend_do_many(w->backend, &many), SAI_STATUS_FAILURE);
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(statuses[i], i == BAD ? SAI_STATUS_INVALID_OBJECT_ID
                                               : SAI_STATUS_SUCCESS);
        if (i != BAD) {
            assert_int_equal(attributes[i].value.u8, i + 1);
        }
    }
    many.op = OP_REMOVE_MANY;
    many.counts = NULL;
    many.attributes = NULL;
    assert_int_equal(backend_do_many(w->backend, &many), SAI_STATUS_FAILURE);
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(statuses[i], i == BAD ? SAI_STATUS_INVALID_OBJECT_ID
                                               : SAI_STATUS_SUCCESS);
    }
}

static void
test_bulk_or_not_the_caller_sees_the_same(void **state)
{
    (void)state;
    for (size_t v = 0; v < sizeof vendors / sizeof vendors[0]; v++) {
        struct world w;
        sai_object_key_t keys[N];
        sai_status_t statuses[N];

        print_message("%s\n", vendors[v].name);
        begin(&w, &vendors[v]);
        assert_int_equal(make_schedulers(&w,
                                         SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                                         true, keys, statuses),
                         SAI_STATUS_FAILURE);
        for (uint32_t i = 0; i < N; i++) {
            assert_int_equal(statuses[i], i == BAD
                                              ? SAI_STATUS_INVALID_ATTR_VALUE_0
                                              : SAI_STATUS_SUCCESS);
        }
        read_and_remove(&w, keys);
        assert_int_equal(make_schedulers(&w,
                                         SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR,
                                         true, keys, statuses),
                         SAI_STATUS_FAILURE);
        for (uint32_t i = 0; i < N; i++) {
            assert_int_equal(statuses[i], i < BAD ? SAI_STATUS_SUCCESS
                                          : i == BAD
                                              ? SAI_STATUS_INVALID_ATTR_VALUE_0
                                              : SAI_STATUS_NOT_EXECUTED);
        }
        check_replay(&w, &vendors[v]);
        end(&w);
    }
}

static void
test_a_fault_strikes_in_the_middle(void **state)
{
    (void)state;
    for (size_t v = 0; v < sizeof vendors / sizeof vendors[0]; v++) {
        struct world w;
        sai_object_key_t keys[N];
        sai_status_t statuses[N];
        const struct faults_rule rule = {.op = OP_CREATE,
                                         .any_attribute = true,
                                         .nth = BAD + 1,
                                         .status =
                                             SAI_STATUS_INSUFFICIENT_RESOURCES};

        begin(&w, &vendors[v]);
        faults_add(chain_faults(w.chain), &rule);
        assert_int_equal(make_schedulers(&w,
                                         SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                                         false, keys, statuses),
                         SAI_STATUS_FAILURE);
        for (uint32_t i = 0; i < N; i++) {
            assert_int_equal(statuses[i],
                             i == BAD ? SAI_STATUS_INSUFFICIENT_RESOURCES
                                      : SAI_STATUS_SUCCESS);
        }
        read_and_remove(&w, keys);
        end(&w);
    }
}

/* Reads one attribute of the switch that is an object. */
static sai_object_id_t
object_of_switch(struct world *w, sai_attr_id_t id)
{
    sai_attribute_t attribute = {.id = id};

    assert_int_equal(w->backend->ops->get(w->backend, SAI_OBJECT_TYPE_SWITCH,
                                          w->backend->switch_id, 1, &attribute),
                     SAI_STATUS_SUCCESS);
    return attribute.value.oid;
}

static void
test_entries_are_made_read_changed_and_removed(void **state)
{
    struct world w;
    sai_object_key_t keys[N];
    sai_attribute_t attributes[2 * N];
    uint32_t counts[N];
    sai_status_t statuses[N];
    struct backend_many many = {.op = OP_CREATE_MANY,
                                .type = SAI_OBJECT_TYPE_FDB_ENTRY,
                                .mode = SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                                .n = N,
                                .keys = keys,
                                .counts = counts,
                                .attributes = attributes,
                                .statuses = statuses};
    sai_object_id_t vlan;

    (void)state;
    begin(&w, &vendors[0]);
    vlan = object_of_switch(&w, SAI_SWITCH_ATTR_DEFAULT_VLAN_ID);
    memset(keys, 0, sizeof keys);
    memset(attributes, 0, sizeof attributes);
    for (uint32_t i = 0; i < N; i++) {
        keys[i].key.fdb_entry = (sai_fdb_entry_t){
            w.backend->switch_id, {2, 0, 0, 0, 0, (uint8_t)i}, vlan};
        counts[i] = 2;
        attributes[2 * i].id = SAI_FDB_ENTRY_ATTR_TYPE;
        attributes[2 * i].value.s32 = SAI_FDB_ENTRY_TYPE_STATIC;
        attributes[2 * i + 1].id = SAI_FDB_ENTRY_ATTR_PACKET_ACTION;
        attributes[2 * i + 1].value.s32 = SAI_PACKET_ACTION_DROP;
    }
    keys[BAD] = keys[0]; /* There can be one of each. */
    assert_int_equal(backend_do_many(w.backend, &many), SAI_STATUS_FAILURE);
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(statuses[i], i == BAD ? SAI_STATUS_ITEM_ALREADY_EXISTS
                                               : SAI_STATUS_SUCCESS);
    }
    for (uint32_t i = 0; i < N; i++) {
        attributes[2 * i].value.s32 = attributes[2 * i + 1].value.s32 = 0;
    }
    many.op = OP_GET_MANY;
    assert_int_equal(backend_do_many(w.backend, &many), SAI_STATUS_SUCCESS);
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(attributes[2 * i].value.s32,
                         SAI_FDB_ENTRY_TYPE_STATIC);
        assert_int_equal(attributes[2 * i + 1].value.s32,
                         SAI_PACKET_ACTION_DROP);
    }
    many.op = OP_SET_MANY;
    many.counts = NULL;
    many.n = 1;
    attributes[0].value.s32 = SAI_FDB_ENTRY_TYPE_DYNAMIC;
    assert_int_equal(backend_do_many(w.backend, &many), SAI_STATUS_SUCCESS);
    many.op = OP_REMOVE_MANY;
    many.n = N;
    assert_int_equal(backend_do_many(w.backend, &many), SAI_STATUS_FAILURE);
    assert_int_equal(statuses[BAD], SAI_STATUS_ITEM_NOT_FOUND);
    assert_int_equal(statuses[N - 1], SAI_STATUS_SUCCESS);
    check_replay(&w, &vendors[0]);
    end(&w);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bulk_or_not_the_caller_sees_the_same),
        cmocka_unit_test(test_a_fault_strikes_in_the_middle),
        cmocka_unit_test(test_entries_are_made_read_changed_and_removed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
