/* SPDX-License-Identifier: Apache-2.0 */

/* Groups of counters, the poller, watermarks and rates: when what is asked of
 * the switch, and what becomes of the answers. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "base/timeline.h"
#include "orchd/intent/key.h"
#include "orchd/telemetry/polling/counter_group.h"
#include "orchd/telemetry/polling/live_counters.h"
#include "orchd/telemetry/polling/pause.h"
#include "orchd/telemetry/polling/poller.h"
#include "orchd/telemetry/polling/rates.h"
#include "orchd/telemetry/polling/watermarks.h"
#include "sai/core/backend.h"
#include "sai/core/metadata.h"

#define MS         INT64_C(1000000)
#define N(array)   (sizeof(array) / sizeof(array)[0])
#define MAX_NUMBER 1024

/* A switch that has only counters, and the listener of its poller. */
struct testbench {
    struct sai_backend backend; /* First: it is handed out as that. */
    struct poller *poller;

    /* What it refuses, and what it fails. */
    sai_stat_id_t refused[8];
    size_t n_refused;
    bool refuses_clear;
    sai_object_id_t broken;
    sai_status_t broken_status;

    uint64_t value; /* Of all counters. */
    unsigned int n_calls;
    unsigned int n_many; /* Calls for several objects, each one above, too. */
    unsigned int n_reads[MAX_NUMBER]; /* By object. */
    struct text reported;             /* All but values. */
    uint64_t last, last_old; /* The first value reported, and of 'old'. */
    bool had_old;
    struct polled_time at, old_at;
    unsigned int n_reported;
};

static sai_status_t
bench_get_stats(struct sai_backend *backend, sai_object_type_t type,
                sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                sai_stats_mode_t mode, uint64_t *values)
{
    struct testbench *bench = (struct testbench *)backend;

    (void)type;
    bench->n_calls++;
    if (oid == bench->broken) {
        return bench->broken_status;
    }
    if (bench->refuses_clear && mode != SAI_STATS_MODE_READ) {
        return SAI_STATUS_NOT_SUPPORTED;
    }
    for (uint32_t i = 0; i < n; i++) {
        for (size_t k = 0; k < bench->n_refused; k++) {
            if (ids[i] == bench->refused[k]) {
                return SAI_STATUS_NOT_IMPLEMENTED;
            }
        }
        values[i] = bench->value + i;
    }
    bench->n_reads[oid]++;
    return SAI_STATUS_SUCCESS;
}

static const struct sai_backend_ops bench_ops = {.get_stats = bench_get_stats};

/* The same by one call. */
static sai_status_t
bench_get_stats_many(struct sai_backend *backend,
                     const struct backend_stats *call)
{
    ((struct testbench *)backend)->n_many++;
    return backend_get_stats_singly(backend, call);
}

static const struct sai_backend_ops bench_many_ops = {
    .get_stats = bench_get_stats, .get_stats_many = bench_get_stats_many};

static void
on_values(void *rig_, const struct polled_object *object,
          const struct counter_list *list, const uint64_t *values,
          const uint64_t *old, const struct polled_time *at,
          const struct polled_time *old_at)
{
    struct testbench *bench = rig_;

    (void)object;
    (void)list;
    bench->n_reported++;
    bench->last = values[0];
    bench->had_old = old != NULL;
    bench->last_old = old ? old[0] : 0;
    bench->at = *at;
    bench->old_at = *old_at;
}

static void
on_described(void *rig_, const struct polled_object *object,
             const struct counter_list *list, sai_stats_mode_t mode)
{
    struct testbench *bench = rig_;

    text_addf(&bench->reported, "%u is read for %u%s; ",
              (unsigned int)object->id.oid, list->n,
              mode == SAI_STATS_MODE_READ ? "" : " and cleared");
}

static void
on_gone(void *rig_, const struct polled_object *object,
        enum counter_group group)
{
    struct testbench *bench = rig_;

    text_addf(&bench->reported, "%u is gone from %s; ",
              (unsigned int)object->id.oid, counter_group_info(group)->name);
}

static void
on_refused(void *rig_, const struct polled_object *object,
           enum counter_group group, const char *names)
{
    struct testbench *bench = rig_;

    text_addf(&bench->reported, "%u refuses of %s: %s; ",
              (unsigned int)object->id.oid, counter_group_info(group)->name,
              names);
}

static void
on_failed(void *rig_, const struct polled_object *object,
          enum counter_group group, sai_status_t status)
{
    struct testbench *bench = rig_;

    text_addf(&bench->reported, "%u fails in %s: %d; ",
              (unsigned int)object->id.oid, counter_group_info(group)->name,
              (int)status);
}

static void
bench_init(struct testbench *bench)
{
    const struct poller_listener listener = {.values = on_values,
                                             .described = on_described,
                                             .gone = on_gone,
                                             .refused = on_refused,
                                             .failed = on_failed,
                                             .context = bench};

    memset(bench, 0, sizeof *bench);
    bench->backend.ops = &bench_ops;
    bench->poller = poller_create(&listener);
    poller_attach(bench->poller, &bench->backend);
}

static void
testbench_fini(struct testbench *bench)
{
    poller_destroy(bench->poller);
    text_fini(&bench->reported);
}

static void
bench_add(struct testbench *bench, sai_object_type_t type, sai_object_id_t oid,
          int32_t kind)
{
    const struct polled_object_id place = {
        .type = type, .oid = oid, .kind = kind, .name = "e"};

    assert_non_null(poller_add(bench->poller, &place));
}

/* Takes turns at 'now' until nothing is due; returns how many. */
static unsigned int
bench_turns(struct testbench *bench, int64_t now)
{
    unsigned int n = 0;
    bool more;

    while (poller_next(bench->poller) <= now) {
        const unsigned int before = bench->n_calls;

        n++;
        more = poller_turn(bench->poller, now);
        assert_int_equal(more, poller_next(bench->poller) <= now);
        assert_in_range(bench->n_calls - before, 0, POLLER_SLICE);
    }
    assert_false(poller_turn(bench->poller, now));
    return n;
}

static void
bench_assert_reported(struct testbench *bench, const char *expected)
{
    assert_string_equal(text_string(&bench->reported), expected);
    text_clear(&bench->reported);
}

/* Groups --------------------------------------------------------------- */

static void
test_groups_name_counters_that_there_are(void **state)
{
    (void)state;
    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        const struct counter_group_info *info =
            counter_group_info((enum counter_group)i);
        enum counter_group found = N_COUNTER_GROUPS;
        struct key key;

        assert_true(counter_group_find(info->name, &found));
        assert_int_equal(found, i);
        assert_in_range(info->n_ids, 1, COUNTERS_MAX);
        assert_in_range(info->milliseconds, 100, 86400000);
        for (uint32_t k = 0; k < info->n_ids; k++) {
            assert_non_null(metadata_stat(info->type, info->ids[k]));
            for (uint32_t j = 0; j < k; j++) {
                assert_int_not_equal(info->ids[k], info->ids[j]);
            }
        }
        /* What is polled may be configured. */
        assert_int_equal(
            key_parse(TABLE_FLEX_COUNTER_TABLE, info->name, &key, NULL), ST_OK);
        key_fini(&key);
    }
}

static void
test_groups_of_others_are_not_found(void **state)
{
    static const char *const others[] = {"ACL", "PORTS", "PORT_", "", "port"};
    enum counter_group group = COUNTER_GROUP_PORT;
    struct key key;
    struct err err;

    (void)state;
    for (size_t i = 0; i < N(others); i++) {
        assert_false(counter_group_find(others[i], &group));
        assert_int_equal(
            key_parse(TABLE_FLEX_COUNTER_TABLE, others[i], &key, &err),
            i < 3 ? ST_UNSUPPORTED : ST_INVALID);
        assert_string_equal(err.code, i < 3 ? "other-group" : "key");
    }
    assert_int_equal(group, COUNTER_GROUP_PORT);
}

/* Poller --------------------------------------------------------------- */

static void
test_nothing_is_read_unless_enabled(void **state)
{
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    assert_int_equal(poller_next(bench.poller), TIMELINE_NEVER);
    bench_add(&bench, SAI_OBJECT_TYPE_QUEUE, 1, SAI_QUEUE_TYPE_UNICAST);
    assert_int_equal(poller_next(bench.poller), TIMELINE_NEVER);
    poller_set(bench.poller, COUNTER_GROUP_PG_DROP, true, 100 * MS, 5);
    assert_int_equal(poller_next(bench.poller), TIMELINE_NEVER);
    poller_set(bench.poller, COUNTER_GROUP_QUEUE, true, 100 * MS, 5);
    assert_int_equal(poller_next(bench.poller), 5);
    poller_set(bench.poller, COUNTER_GROUP_QUEUE, false, 100 * MS, 5);
    assert_int_equal(poller_next(bench.poller), TIMELINE_NEVER);
    assert_int_equal(bench.n_calls, 0);
    testbench_fini(&bench);
}

static void
test_first_round_hurries_and_the_others_are_spread(void **state)
{
    struct testbench bench;
    unsigned int n_slices = 0;

    (void)state;
    bench_init(&bench);
    for (sai_object_id_t oid = 1; oid <= 300; oid++) {
        bench_add(&bench, SAI_OBJECT_TYPE_QUEUE, oid, 0);
    }
    poller_set(bench.poller, COUNTER_GROUP_QUEUE_WATERMARK, true, 3000 * MS, 0);
    assert_int_equal(bench_turns(&bench, 0), 3); /* 128, 128 and 44. */
    assert_int_equal(bench.n_calls, 300);
    assert_int_equal(poller_next(bench.poller), 3000 * MS);
    for (int64_t now = 0; now < 6000 * MS; now += 10 * MS) {
        const unsigned int n = bench_turns(&bench, now);

        assert_in_range(n, 0, 1); /* Never two at once. */
        n_slices += n;
    }
    assert_int_equal(n_slices, 3);
    assert_int_equal(bench.n_calls, 600);
    for (sai_object_id_t oid = 1; oid <= 300; oid++) {
        assert_int_equal(bench.n_reads[oid], 2);
    }
    testbench_fini(&bench);
}

/* The objects that were read live, and the counters that each has. */
struct live_list {
    unsigned int n, n_counters;
    uint64_t packets; /* Of the last. */
    bool has_packets;
};

static void
visit_live(void *list_, const struct live_reading *reading)
{
    struct live_list *list = list_;

    list->n++;
    list->n_counters += reading->list->n;
    list->has_packets =
        live_counters_value(reading, SAI_QUEUE_STAT_PACKETS, &list->packets);
}

static void
test_counters_are_read_live_without_polling(void **state)
{
    struct testbench bench;
    struct live_list list = {0};
    const uint32_t n_ids = counter_group_info(COUNTER_GROUP_QUEUE)->n_ids;

    (void)state;
    bench_init(&bench);
    bench.backend.ops = &bench_many_ops;
    for (sai_object_id_t oid = 1; oid <= 300; oid++) {
        bench_add(&bench, SAI_OBJECT_TYPE_QUEUE, oid, 0);
    }
    live_counters_read(bench.poller, COUNTER_GROUP_QUEUE, "other", visit_live,
                       &list);
    assert_int_equal(list.n + bench.n_calls, 0);
    live_counters_read(bench.poller, COUNTER_GROUP_QUEUE, NULL, visit_live,
                       &list);
    assert_int_equal(bench.n_many, 3); /* 128, 128 and 44. */
    assert_int_equal(list.n, 300);
    assert_int_equal(list.n_counters, 300 * n_ids);
    assert_true(list.has_packets);
    /* Watermarks are read without clearing them. */
    bench.refuses_clear = true;
    list = (struct live_list){0};
    live_counters_read(bench.poller, COUNTER_GROUP_QUEUE_WATERMARK, "e",
                       visit_live, &list);
    assert_int_equal(list.n_counters, 300);
    assert_int_equal(bench.n_reported, 0);
    bench_assert_reported(&bench, "");
    testbench_fini(&bench);
}

static void
test_what_is_refused_is_left_out_live(void **state)
{
    struct testbench bench;
    struct live_list list = {0};
    const uint32_t n_ids = counter_group_info(COUNTER_GROUP_QUEUE)->n_ids;

    (void)state;
    bench_init(&bench);
    bench.backend.ops = &bench_many_ops;
    bench.refused[bench.n_refused++] = SAI_QUEUE_STAT_BYTES;
    for (sai_object_id_t oid = 1; oid <= 300; oid++) {
        bench_add(&bench, SAI_OBJECT_TYPE_QUEUE, oid, 0);
    }
    live_counters_read(bench.poller, COUNTER_GROUP_QUEUE, NULL, visit_live,
                       &list);
    /* The first slice is read twice, and the others as it was. */
    assert_int_equal(bench.n_many, 4);
    assert_int_equal(list.n_counters, 300 * (n_ids - 1));
    assert_true(list.has_packets);
    testbench_fini(&bench);
}

static void
test_new_objects_are_read_at_once(void **state)
{
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    for (sai_object_id_t oid = 1; oid <= 4; oid++) {
        bench_add(&bench, SAI_OBJECT_TYPE_QUEUE, oid, 0);
    }
    poller_set(bench.poller, COUNTER_GROUP_QUEUE, true, 10000 * MS, 0);
    assert_int_equal(bench_turns(&bench, 0), 1);
    /* Long before the next round, and although objects before them go. */
    poller_remove(bench.poller, 2);
    for (sai_object_id_t oid = 10; oid <= 300; oid++) {
        bench_add(&bench, SAI_OBJECT_TYPE_QUEUE, oid, 0);
    }
    poller_remove(bench.poller, 3);
    assert_int_equal(bench_turns(&bench, 1000 * MS), 3);
    for (sai_object_id_t oid = 10; oid <= 300; oid++) {
        assert_int_equal(bench.n_reads[oid], 1);
    }
    assert_int_equal(bench.n_reads[1], 1);
    assert_int_equal(poller_next(bench.poller), 10000 * MS);
    testbench_fini(&bench);
}

static void
test_slices_can_be_shorter(void **state)
{
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    for (sai_object_id_t oid = 1; oid <= 10; oid++) {
        bench_add(&bench, SAI_OBJECT_TYPE_PORT, oid, 0);
    }
    poller_set_slice(bench.poller, COUNTER_GROUP_PORT, 3);
    poller_set(bench.poller, COUNTER_GROUP_PORT, true, 100 * MS, 0);
    assert_int_equal(bench_turns(&bench, 0), 4);
    poller_set_slice(bench.poller, COUNTER_GROUP_PORT, 0);
    assert_int_equal(bench_turns(&bench, 100 * MS), 1);
    poller_set_slice(bench.poller, COUNTER_GROUP_PORT, 100000);
    assert_int_equal(bench_turns(&bench, 200 * MS), 1);
    testbench_fini(&bench);
}

/* Objects that are read alike are read together, once it is known how; kinds do
 * not matter while they have the same counters. */
static void
test_what_is_read_alike_is_read_by_one_call(void **state)
{
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    bench.backend.ops = &bench_many_ops;
    for (sai_object_id_t oid = 1; oid <= 256; oid++) {
        bench_add(&bench, SAI_OBJECT_TYPE_QUEUE, oid,
                  oid % 2 ? SAI_QUEUE_TYPE_UNICAST : SAI_QUEUE_TYPE_MULTICAST);
    }
    poller_set(bench.poller, COUNTER_GROUP_QUEUE, true, 3000 * MS, 0);
    assert_true(poller_turn(bench.poller, 0));
    assert_int_equal(bench.n_calls, 128); /* The first of each kind alone. */
    assert_int_equal(bench.n_many, 1);
    assert_false(poller_turn(bench.poller, 0));
    assert_int_equal(bench.n_many, 2);
    for (sai_object_id_t oid = 1; oid <= 256; oid++) {
        assert_int_equal(bench.n_reads[oid], 1);
    }
    assert_int_equal(bench.n_reported, 256);
    testbench_fini(&bench);
}

/* That one of them fails, or has fewer counters, is no matter of the others. */
static void
test_one_of_many_may_fail_or_refuse(void **state)
{
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    bench.backend.ops = &bench_many_ops;
    for (sai_object_id_t oid = 1; oid <= 4; oid++) {
        bench_add(&bench, SAI_OBJECT_TYPE_QUEUE, oid, SAI_QUEUE_TYPE_UNICAST);
    }
    poller_set(bench.poller, COUNTER_GROUP_WRED_ECN_QUEUE, true, 100 * MS, 0);
    bench.broken = 3;
    bench.broken_status = SAI_STATUS_FAILURE;
    (void)bench_turns(&bench, 0);
    bench_assert_reported(&bench,
                          "1 is read for 4; 2 is read for 4; "
                          "3 fails in WRED_ECN_QUEUE: -1; 4 is read for 4; ");
    bench.broken = 0;
    bench.refused[0] = SAI_QUEUE_STAT_WRED_DROPPED_BYTES;
    bench.n_refused = 1;
    (void)bench_turns(&bench, 100 * MS);
    bench_assert_reported(
        &bench, "1 refuses of WRED_ECN_QUEUE: "
                "SAI_QUEUE_STAT_WRED_DROPPED_BYTES; 1 is read for 3; "
                "2 is read for 3; 3 is read for 3; 4 is read for 3; ");
    bench.n_many = 0;
    (void)bench_turns(&bench, 200 * MS);
    assert_int_equal(bench.n_many, 1);
    bench_assert_reported(&bench, "");
    testbench_fini(&bench);
}

static void
test_refused_counters_are_dropped_and_reported_once(void **state)
{
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    bench.refused[0] = SAI_QUEUE_STAT_WRED_DROPPED_BYTES;
    bench.refused[1] = SAI_QUEUE_STAT_WRED_ECN_MARKED_BYTES;
    bench.n_refused = 2;
    bench_add(&bench, SAI_OBJECT_TYPE_QUEUE, 1, SAI_QUEUE_TYPE_UNICAST);
    bench_add(&bench, SAI_OBJECT_TYPE_QUEUE, 2, SAI_QUEUE_TYPE_UNICAST);
    bench_add(&bench, SAI_OBJECT_TYPE_QUEUE, 3, SAI_QUEUE_TYPE_MULTICAST);
    poller_set(bench.poller, COUNTER_GROUP_WRED_ECN_QUEUE, true, 100 * MS, 0);
    bench_turns(&bench, 0);
    bench_assert_reported(
        &bench,
        "1 refuses of WRED_ECN_QUEUE: SAI_QUEUE_STAT_WRED_DROPPED_BYTES,"
        "SAI_QUEUE_STAT_WRED_ECN_MARKED_BYTES; 1 is read for 2; "
        "3 is read for 2; 2 is read for 2; ");
    assert_int_equal(bench.n_reported, 3);
    bench.n_calls = 0;
    bench_turns(&bench, 100 * MS);
    assert_int_equal(bench.n_calls, 3);
    bench_assert_reported(&bench, "");
    testbench_fini(&bench);
}

static void
test_values_are_those_of_the_shorter_list(void **state)
{
    struct testbench bench;
    uint64_t value = 0;

    (void)state;
    bench_init(&bench);
    bench.value = 70;
    bench_add(&bench, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, 1, 0);
    bench_add(&bench, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, 2, 0);
    poller_set(bench.poller, COUNTER_GROUP_PG_WATERMARK, true, 100 * MS, 0);
    bench_turns(&bench, 0);
    bench_assert_reported(&bench, "1 is read for 2 and cleared; "
                                  "2 is read for 2 and cleared; ");
    bench.refused[0] =
        SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES;
    bench.n_refused = 1;
    bench.value = 80;
    bench_turns(&bench, 100 * MS);
    bench_assert_reported(
        &bench, "1 refuses of PG_WATERMARK: "
                "SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES; "
                "1 is read for 1 and cleared; 2 is read for 1 and cleared; ");
    assert_false(bench.had_old);
    assert_true(polled_object_value(
        poller_find(bench.poller, 2), COUNTER_GROUP_PG_WATERMARK,
        SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES, &value));
    assert_int_equal(value, 80);
    assert_false(polled_object_value(
        poller_find(bench.poller, 2), COUNTER_GROUP_PG_WATERMARK,
        SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES, &value));
    testbench_fini(&bench);
}

/* PEER_BUGS F6: a switch that cannot clear is not asked to, over and over. */
static void
test_f6_what_cannot_be_cleared_is_only_read(void **state)
{
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    bench.refuses_clear = true;
    bench_add(&bench, SAI_OBJECT_TYPE_BUFFER_POOL, 7, 0);
    poller_set(bench.poller, COUNTER_GROUP_BUFFER_POOL_WATERMARK, true,
               100 * MS, 0);
    bench_turns(&bench, 0);
    assert_int_equal(bench.n_calls, 2);
    bench_assert_reported(&bench, "7 is read for 4; ");
    bench_turns(&bench, 100 * MS);
    assert_int_equal(bench.n_calls, 3);
    bench_assert_reported(&bench, "");
    testbench_fini(&bench);
}

static void
test_f6_refusals_of_both_kinds_are_distinguished(void **state)
{
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    bench.refuses_clear = true;
    bench.refused[0] = SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES;
    bench.n_refused = 1;
    bench_add(&bench, SAI_OBJECT_TYPE_BUFFER_POOL, 7, 0);
    poller_set(bench.poller, COUNTER_GROUP_BUFFER_POOL_WATERMARK, true,
               100 * MS, 0);
    bench_turns(&bench, 0);
    bench_assert_reported(&bench,
                          "7 refuses of BUFFER_POOL_WATERMARK: "
                          "SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES; "
                          "7 is read for 3; ");
    bench.n_calls = 0;
    bench_turns(&bench, 100 * MS);
    assert_int_equal(bench.n_calls, 1);
    testbench_fini(&bench);
}

static void
test_an_object_without_counters_is_left_alone(void **state)
{
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    bench.broken = 1;
    bench.broken_status = SAI_STATUS_NOT_SUPPORTED;
    bench_add(&bench, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, 1, 0);
    bench_add(&bench, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, 2, 0);
    poller_set(bench.poller, COUNTER_GROUP_PG_DROP, true, 100 * MS, 0);
    bench_turns(&bench, 0);
    bench_assert_reported(&bench,
                          "1 refuses of PG_DROP: "
                          "SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS; "
                          "2 is read for 1; ");
    bench.n_calls = 0;
    bench_turns(&bench, 100 * MS);
    assert_int_equal(bench.n_calls, 1);
    poller_remove(bench.poller, 1);
    bench_assert_reported(&bench, "");
    poller_remove(bench.poller, 2);
    bench_assert_reported(&bench, "2 is gone from PG_DROP; ");
    testbench_fini(&bench);
}

/* However many objects have none of them. */
static void
test_counters_that_nobody_has_are_reported_once(void **state)
{
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    bench.refused[0] = SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS;
    bench.n_refused = 1;
    for (sai_object_id_t oid = 1; oid <= 200; oid++) {
        bench_add(&bench, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, oid, 0);
    }
    poller_set(bench.poller, COUNTER_GROUP_PG_DROP, true, 100 * MS, 0);
    while (poller_turn(bench.poller, 0)) {
    }
    bench_assert_reported(&bench,
                          "1 refuses of PG_DROP: "
                          "SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS; ");
    assert_int_equal(bench.n_reported, 0);
    testbench_fini(&bench);
}

static void
test_failures_are_reported_once_and_tried_again(void **state)
{
    struct poller_figures figures;
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    bench.broken = 1;
    bench.broken_status = SAI_STATUS_FAILURE;
    bench_add(&bench, SAI_OBJECT_TYPE_PORT, 1, 0);
    bench_add(&bench, SAI_OBJECT_TYPE_PORT, 2, 0);
    poller_set(bench.poller, COUNTER_GROUP_PORT_BUFFER_DROP, true, 100 * MS, 0);
    bench_turns(&bench, 0);
    bench_assert_reported(&bench,
                          "1 fails in PORT_BUFFER_DROP: -1; 2 is read for 2; ");
    bench_turns(&bench, 100 * MS);
    bench_assert_reported(&bench, "");
    bench.broken = 0;
    bench_turns(&bench, 200 * MS);
    bench_assert_reported(&bench, "1 is read for 2; ");
    bench.broken = 2;
    bench_turns(&bench, 300 * MS);
    bench_assert_reported(&bench, "2 fails in PORT_BUFFER_DROP: -1; ");
    poller_figures(bench.poller, COUNTER_GROUP_PORT_BUFFER_DROP, &figures);
    assert_true(figures.enabled);
    assert_int_equal(figures.n_rounds, 4);
    assert_int_equal(figures.n_reads, 8);
    assert_int_equal(figures.n_failures, 3);
    testbench_fini(&bench);
}

/* PEER_BUGS F4: a new interval does not wait for the end of the old one. */
static void
test_f4_interval_takes_effect_at_once(void **state)
{
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    bench_add(&bench, SAI_OBJECT_TYPE_PORT, 1, 0);
    poller_set(bench.poller, COUNTER_GROUP_PORT, true, 60000 * MS, 0);
    bench_turns(&bench, 0);
    assert_int_equal(poller_next(bench.poller), 60000 * MS);
    poller_set(bench.poller, COUNTER_GROUP_PORT, true, 1000 * MS, 200 * MS);
    assert_int_equal(poller_next(bench.poller), 1000 * MS);
    poller_set(bench.poller, COUNTER_GROUP_PORT, true, 100 * MS, 500 * MS);
    assert_int_equal(poller_next(bench.poller), 500 * MS);
    bench_turns(&bench, 500 * MS);
    poller_set(bench.poller, COUNTER_GROUP_PORT, true, 2000 * MS, 500 * MS);
    assert_int_equal(poller_next(bench.poller), 2500 * MS);
    testbench_fini(&bench);
}

static void
test_a_late_turn_does_not_make_up_for_rounds(void **state)
{
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    bench_add(&bench, SAI_OBJECT_TYPE_PORT, 1, 0);
    poller_set(bench.poller, COUNTER_GROUP_PORT, true, 100 * MS, 0);
    bench_turns(&bench, 0);
    bench.n_calls = 0;
    assert_in_range(bench_turns(&bench, 10000 * MS), 1, 2);
    assert_in_range(poller_next(bench.poller), 10000 * MS + 1, 10100 * MS);
    testbench_fini(&bench);
}

/* Of a struct poller_clock. */
static int64_t
read_int64(void *now_ns)
{
    return *(int64_t *)now_ns;
}

/* A simulated switch may be stepped by any time between two readings. */
static void
test_readings_have_the_time_of_the_switch(void **state)
{
    int64_t switch_ns = 5 * MS;
    const struct poller_clock clock = {read_int64, &switch_ns};
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    poller_set_clock(bench.poller, &clock);
    bench_add(&bench, SAI_OBJECT_TYPE_PORT, 1, 0);
    poller_set(bench.poller, COUNTER_GROUP_PORT, true, 100 * MS, 0);
    bench_turns(&bench, 1 * MS);
    assert_int_equal(bench.at.switch_ns, 5 * MS);
    switch_ns = 60000 * MS;
    bench_turns(&bench, 107 * MS);
    assert_int_equal(bench.at.when, 107 * MS);
    assert_int_equal(bench.at.switch_ns, 60000 * MS);
    assert_int_equal(bench.old_at.switch_ns, 5 * MS);
    /* A switch that takes its place may have none. */
    poller_set_clock(bench.poller, NULL);
    bench_turns(&bench, 207 * MS);
    assert_int_equal(bench.at.switch_ns, 207 * MS);
    testbench_fini(&bench);
}

static void
test_old_values_and_times_are_reported(void **state)
{
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    bench.value = 10;
    bench_add(&bench, SAI_OBJECT_TYPE_PORT, 1, 0);
    poller_set(bench.poller, COUNTER_GROUP_PORT, true, 100 * MS, 0);
    bench_turns(&bench, 1 * MS);
    assert_false(bench.had_old);
    bench.value = 25;
    bench_turns(&bench, 107 * MS);
    assert_true(bench.had_old);
    assert_int_equal(bench.last, 25);
    assert_int_equal(bench.last_old, 10);
    assert_int_equal(bench.at.when, 107 * MS);
    assert_int_equal(bench.old_at.when, 1 * MS);
    assert_int_equal(bench.at.switch_ns, 107 * MS); /* It has no clock. */
    text_clear(&bench.reported);
    poller_republish_begin(bench.poller);
    assert_false(poller_republish(bench.poller));
    assert_false(bench.had_old);
    assert_int_equal(bench.last, 25);
    assert_true(strstr(text_string(&bench.reported), "1 is read for"));
    /* It is the same object: what was read stays. */
    bench_add(&bench, SAI_OBJECT_TYPE_PORT, 1, 0);
    bench_turns(&bench, 200 * MS);
    assert_true(bench.had_old);
    testbench_fini(&bench);
}

/* Telling again is bounded as well, and misses nothing if objects go. */
static void
test_telling_again_goes_by_slices(void **state)
{
    struct testbench bench;

    (void)state;
    bench_init(&bench);
    for (sai_object_id_t oid = 1; oid <= 300; oid++) {
        bench_add(&bench, SAI_OBJECT_TYPE_QUEUE, oid, 0);
    }
    bench_add(&bench, SAI_OBJECT_TYPE_BUFFER_POOL, 400, 0);
    poller_set(bench.poller, COUNTER_GROUP_QUEUE_WATERMARK, true, 3000 * MS, 0);
    poller_set(bench.poller, COUNTER_GROUP_BUFFER_POOL_WATERMARK, true,
               3000 * MS, 0);
    bench_turns(&bench, 0);
    bench.n_reported = 0;
    poller_republish_begin(bench.poller);
    assert_true(poller_republish(bench.poller));
    assert_int_equal(bench.n_reported, POLLER_SLICE);
    poller_remove(bench.poller, 1);
    poller_remove(bench.poller, 300);
    assert_true(poller_republish(bench.poller));
    assert_false(poller_republish(bench.poller));
    assert_int_equal(bench.n_reported,
                     300); /* All but number 300, and the pool. */
    assert_false(poller_republish(bench.poller));
    assert_int_equal(bench.n_reported, 300);
    testbench_fini(&bench);
}

/* Objects come and go while they are read; none is left out for more than two
 * intervals, and none that went is read. */
static void
test_random_coming_and_going(void **state)
{
    enum { N_OIDS = 500 };
    struct testbench bench;
    unsigned int seed = 12345;
    bool there[N_OIDS + 1] = {false};
    int64_t since[N_OIDS + 1] = {0};

    (void)state;
    bench_init(&bench);
    poller_set_slice(bench.poller, COUNTER_GROUP_PORT_BUFFER_DROP, 7);
    poller_set(bench.poller, COUNTER_GROUP_PORT_BUFFER_DROP, true, 100 * MS, 0);
    for (int64_t now = 0; now < 5000 * MS; now += MS) {
        sai_object_id_t oid;

        seed = seed * 1103515245 + 12345;
        oid = 1 + (seed >> 8) % N_OIDS;
        if (seed >> 28 < 6) {
            if (there[oid]) {
                poller_remove(bench.poller, oid);
            } else {
                bench_add(&bench, SAI_OBJECT_TYPE_PORT, oid, 0);
                since[oid] = now;
            }
            there[oid] = !there[oid];
        }
        memset(bench.n_reads, 0, sizeof bench.n_reads);
        bench_turns(&bench, now);
        for (oid = 1; oid <= N_OIDS; oid++) {
            assert_true(there[oid] || !bench.n_reads[oid]);
            since[oid] = bench.n_reads[oid] ? now : since[oid];
            assert_true(!there[oid] || now - since[oid] <= 210 * MS);
        }
    }
    testbench_fini(&bench);
}

/* Watermarks ----------------------------------------------------------- */

#define SHARED   SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES
#define HEADROOM SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES
#define PG       SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP
#define Q_SHARED SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES

static void
on_watermark(void *reported, enum watermark_table table, sai_object_type_t type,
             sai_object_id_t oid, sai_stat_id_t id, uint64_t value)
{
    text_addf(reported, "%c%u.%d=%u ",
              *watermark_table_name(table) == 'U' ? 'u'
              : table == WATERMARK_PERSISTENT     ? 'p'
                                                  : 't',
              (unsigned int)oid, (int)id, (unsigned int)value);
    assert_non_null(metadata_stat(type, id));
}

static void
assert_marks(struct text *reported, const char *expected)
{
    assert_string_equal(text_string(reported), expected);
    text_clear(reported);
}

/* BEHAVIOUR 13.8, and PEER_BUGS F2. */
static void
test_f2_watermarks_are_maxima_until_they_are_cleared(void **state)
{
    struct text reported = {0};
    struct watermarks *marks = watermarks_create(on_watermark, &reported);

    (void)state;
    watermarks_update(marks, PG, 0, 1, SHARED, 10);
    assert_marks(&reported, "u1.5=10 p1.5=10 t1.5=10 ");
    watermarks_update(marks, PG, 0, 1, SHARED, 7);
    assert_marks(&reported, "");
    watermarks_update(marks, PG, 0, 1, HEADROOM, 0);
    assert_marks(&reported, "u1.7=0 p1.7=0 t1.7=0 ");
    watermarks_clear(marks, WATERMARK_USER, WATERMARK_CLASS_PG_SHARED);
    assert_marks(&reported, "u1.5=0 ");
    assert_int_equal(watermarks_get(marks, WATERMARK_PERSISTENT, 1, SHARED),
                     10);
    watermarks_update(marks, PG, 0, 1, SHARED, 8);
    assert_marks(&reported, "u1.5=8 ");
    /* One that came later is cleared like the others, one that went is not. */
    watermarks_update(marks, PG, 0, 2, SHARED, 3);
    watermarks_gone(marks, 1);
    text_clear(&reported);
    watermarks_clear(marks, WATERMARK_USER, WATERMARK_CLASS_PG_SHARED);
    assert_marks(&reported, "u2.5=0 ");
    assert_int_equal(watermarks_get(marks, WATERMARK_PERSISTENT, 1, SHARED), 0);
    watermarks_republish(marks, 1);
    assert_marks(&reported, "");
    watermarks_republish(marks, 2);
    assert_marks(&reported, "u2.5=0 p2.5=3 t2.5=3 ");
    watermarks_destroy(marks);
    text_fini(&reported);
}

static void
test_classes_are_cleared_apart(void **state)
{
    static const struct {
        const char *name;
        const char *expected;
    } rows[] = {
        {"PG_HEADROOM", "p1.7=0 "},    {"PG_SHARED", "p1.5=0 "},
        {"Q_SHARED_UNI", "p2.27=0 "},  {"Q_SHARED_MULTI", "p3.27=0 "},
        {"Q_SHARED_ALL", "p4.27=0 "},  {"BUFFER_POOL", "p5.1=0 "},
        {"HEADROOM_POOL", "p5.20=0 "},
    };
    struct text reported = {0};
    struct watermarks *marks = watermarks_create(on_watermark, &reported);

    (void)state;
    watermarks_update(marks, PG, 0, 1, SHARED, 1);
    watermarks_update(marks, PG, 0, 1, HEADROOM, 2);
    watermarks_update(marks, SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_TYPE_UNICAST, 2,
                      Q_SHARED, 3);
    watermarks_update(marks, SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_TYPE_MULTICAST, 3,
                      Q_SHARED, 4);
    watermarks_update(marks, SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_TYPE_ALL, 4,
                      Q_SHARED, 5);
    watermarks_update(marks, SAI_OBJECT_TYPE_BUFFER_POOL, 0, 5,
                      SAI_BUFFER_POOL_STAT_WATERMARK_BYTES, 6);
    watermarks_update(marks, SAI_OBJECT_TYPE_BUFFER_POOL, 0, 5,
                      SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES, 7);
    watermarks_update(marks, SAI_OBJECT_TYPE_BUFFER_POOL, 0, 5,
                      SAI_BUFFER_POOL_STAT_DROPPED_PACKETS, 8);
    text_clear(&reported);
    assert_int_equal(N(rows), N_WATERMARK_CLASSES);
    for (size_t i = 0; i < N(rows); i++) {
        enum watermark_class class;

        assert_true(watermark_class_find(rows[i].name, &class));
        watermarks_clear(marks, WATERMARK_PERSISTENT, class);
        assert_marks(&reported, rows[i].expected);
        watermarks_clear(marks, WATERMARK_PERSISTENT, class);
        assert_marks(&reported, "");
    }
    watermarks_destroy(marks);
    text_fini(&reported);
}

/* A virtual output queue is of no class, but its periodic watermark restarts
 * like any other. */
static void
test_a_timer_restarts_what_no_class_has(void **state)
{
    struct text reported = {0};
    struct watermarks *marks = watermarks_create(on_watermark, &reported);

    (void)state;
    watermarks_update(marks, SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_TYPE_UNICAST_VOQ,
                      9, Q_SHARED, 3);
    watermarks_update(marks, PG, 0, 1, SHARED, 1);
    text_clear(&reported);
    for (int i = 0; i < N_WATERMARK_CLASSES; i++) {
        watermarks_clear(marks, WATERMARK_USER, (enum watermark_class)i);
    }
    assert_marks(&reported, "u1.5=0 ");
    watermarks_restart(marks, WATERMARK_PERIODIC);
    assert_marks(&reported, "t9.27=0 t1.5=0 ");
    watermarks_restart(marks, WATERMARK_PERIODIC);
    assert_marks(&reported, "");
    watermarks_destroy(marks);
    text_fini(&reported);
}

/* Rates ---------------------------------------------------------------- */

static void
assert_near(double a, double b)
{
    assert_true(a - b < 1e-6 && b - a < 1e-6);
}

static void
test_rates_are_smoothed_by_measured_time(void **state)
{
    const uint64_t zero[N_RATE_INPUTS] = {0};
    const uint64_t first[N_RATE_INPUTS] = {100, 50, 15000, 10, 0, 640};
    const uint64_t second[N_RATE_INPUTS] = {100, 50, 15000, 20, 0, 1280};
    struct rates rates = {0};

    (void)state;
    assert_true(rates_update(&rates, first, zero, 500 * MS));
    assert_near(rates.rx_packets, 300);
    assert_near(rates.rx_bytes, 30000);
    assert_near(rates.tx_packets, 20);
    assert_near(rates.tx_bytes, 1280);
    assert_true(rates_update(&rates, second, first, 1000 * MS));
    assert_near(rates.rx_packets, 246);  /* 0.82 * 300. */
    assert_near(rates.tx_packets, 18.2); /* ... + 0.18 * 10. */
    assert_near(rates.tx_bytes, 0.18 * 640 + 0.82 * 1280);
}

static void
test_rates_ignore_counters_that_went_back(void **state)
{
    const uint64_t high[N_RATE_INPUTS] = {9, 9, 9, 9, 9, 9};
    const uint64_t low[N_RATE_INPUTS] = {9, 9, 9, 9, 9, 8};
    struct rates rates = {0};

    (void)state;
    assert_false(rates_update(&rates, low, high, MS));
    assert_false(rates_update(&rates, high, low, 0));
    assert_false(rates.known);
    assert_true(rates_update(&rates, high, low, 1000 * MS));
    assert_near(rates.tx_bytes, 1);
}

/* Pauses --------------------------------------------------------------- */

/* A reading of a switch that counts everything. */
static struct pause_reading
counted_pause(uint64_t frames, uint64_t ends, uint64_t us)
{
    return (struct pause_reading){frames, true, ends, true, us};
}

static void
test_pauses_that_end_are_as_long_as_their_mean(void **state)
{
    const struct pause_reading none = counted_pause(0, 0, 0);
    const struct pause_reading four = counted_pause(8, 4, 600);
    struct pause_history history = {0};

    (void)state;
    assert_true(pause_update(&history, &four, &none, 7, 1000 * MS, 100000));
    assert_int_equal(history.n, 4);
    assert_int_equal(history.us, 600);
    assert_int_equal(history.longest_us, 150);
    assert_int_equal(history.buckets[2], 4); /* 100 to 1000 us. */
    assert_int_equal(history.open_us, 0);
    assert_int_equal(history.share_ppm, 600);
    assert_int_equal(history.recent_us, 150);
    assert_int_equal(history.recent_ns, 7);
    assert_false(history.us_estimated || history.ends_estimated);
    assert_false(pause_update(&history, &four, &four, 8, 1000 * MS, 100000));
    assert_int_equal(history.share_ppm, 0);
    assert_int_equal(history.recent_ns, 7);
}

static void
test_a_long_pause_is_one_pause(void **state)
{
    struct pause_history history = {0};
    struct pause_reading old = counted_pause(0, 0, 0);

    (void)state;
    for (uint64_t i = 1; i <= 3; i++) {
        const struct pause_reading now = counted_pause(i, 0, i * 100000);

        assert_true(
            pause_update(&history, &now, &old, (int64_t)i, 100 * MS, 0));
        assert_int_equal(history.share_ppm, 1000000);
        assert_int_equal(history.open_us, i * 100000);
        assert_int_equal(history.longest_us, i * 100000);
        assert_int_equal(history.n, 0);
        old = now;
    }
    {
        const struct pause_reading now = counted_pause(4, 1, 350000);

        assert_true(pause_update(&history, &now, &old, 4, 100 * MS, 0));
    }
    assert_int_equal(history.recent_ns, 1); /* When it began. */
    assert_int_equal(history.recent_us, 350000);
    assert_int_equal(history.n, 1);
    assert_int_equal(history.longest_us, 350000);
    assert_int_equal(history.buckets[5], 1); /* 100 ms to 1 s. */
    assert_int_equal(history.share_ppm, 500000);
}

static void
test_buckets_have_their_bounds(void **state)
{
    static const struct {
        uint64_t us;
        unsigned int bucket;
    } rows[] = {{0, 0},      {10, 0},     {11, 1},      {100, 1},
                {101, 2},    {1000, 2},   {10000, 3},   {10001, 4},
                {100000, 4}, {100001, 5}, {1000000, 5}, {1000001, 6}};
    const struct pause_reading none = counted_pause(0, 0, 0);

    (void)state;
    for (size_t i = 0; i < N(rows); i++) {
        const struct pause_reading now = counted_pause(1, 1, rows[i].us);
        struct pause_history history = {0};

        assert_true(pause_update(&history, &now, &none, 0, 5000 * MS, 0));
        assert_int_equal(history.buckets[rows[i].bucket], 1);
        assert_int_equal(history.sum_us, rows[i].us);
    }
}

/* 65535 quanta at 100 Gb/s are 335 us, at 10 Gb/s 3355 us. */
static void
test_durations_are_estimated_from_frames(void **state)
{
    const struct pause_reading none = {0};
    const struct pause_reading three = {.frames = 3};
    struct pause_history history = {0};

    (void)state;
    assert_true(pause_update(&history, &three, &none, 0, 1000 * MS, 100000));
    assert_true(history.us_estimated && history.ends_estimated);
    assert_int_equal(history.us, 3 * 335);
    assert_int_equal(history.n, 0); /* It may go on. */
    assert_true(pause_update(&history, &three, &three, 0, 1000 * MS, 100000));
    assert_int_equal(history.n, 1);
    assert_int_equal(history.longest_us, 3 * 335);
    /* The pause is not longer than the time that passed. */
    history = (struct pause_history){0};
    assert_true(pause_update(&history, &three, &none, 0, 5 * MS, 10000));
    assert_int_equal(history.us, 5000);
    assert_int_equal(history.share_ppm, 1000000);
    /* Of a port without a speed nothing can be said. */
    history = (struct pause_history){0};
    assert_false(pause_update(&history, &three, &none, 0, 5 * MS, 0));
    assert_int_equal(history.us, 0);
}

static void
test_cleared_counters_of_pauses_start_at_nothing(void **state)
{
    const struct pause_reading high = counted_pause(90, 9, 9000);
    const struct pause_reading low = counted_pause(2, 1, 40);
    struct pause_history history = {0};

    (void)state;
    assert_true(pause_update(&history, &low, &high, 0, 100 * MS, 0));
    assert_int_equal(history.us, 40);
    assert_int_equal(history.n, 1);
    /* The end of a storm counts although no poll saw it. */
    history.open_us = 77;
    assert_true(pause_update(&history, &low, &low, 0, 100 * MS, 0));
    assert_int_equal(history.n, 2);
    assert_int_equal(history.sum_us, 117);
    assert_true(pause_update(&history, &high, &low, 0, 0, 0));
    assert_int_equal(history.share_ppm, 1000000);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_name_counters_that_there_are),
        cmocka_unit_test(test_groups_of_others_are_not_found),
        cmocka_unit_test(test_nothing_is_read_unless_enabled),
        cmocka_unit_test(test_first_round_hurries_and_the_others_are_spread),
        cmocka_unit_test(test_counters_are_read_live_without_polling),
        cmocka_unit_test(test_what_is_refused_is_left_out_live),
        cmocka_unit_test(test_new_objects_are_read_at_once),
        cmocka_unit_test(test_slices_can_be_shorter),
        cmocka_unit_test(test_what_is_read_alike_is_read_by_one_call),
        cmocka_unit_test(test_one_of_many_may_fail_or_refuse),
        cmocka_unit_test(test_refused_counters_are_dropped_and_reported_once),
        cmocka_unit_test(test_values_are_those_of_the_shorter_list),
        cmocka_unit_test(test_f6_what_cannot_be_cleared_is_only_read),
        cmocka_unit_test(test_f6_refusals_of_both_kinds_are_distinguished),
        cmocka_unit_test(test_an_object_without_counters_is_left_alone),
        cmocka_unit_test(test_counters_that_nobody_has_are_reported_once),
        cmocka_unit_test(test_failures_are_reported_once_and_tried_again),
        cmocka_unit_test(test_f4_interval_takes_effect_at_once),
        cmocka_unit_test(test_a_late_turn_does_not_make_up_for_rounds),
        cmocka_unit_test(test_old_values_and_times_are_reported),
        cmocka_unit_test(test_readings_have_the_time_of_the_switch),
        cmocka_unit_test(test_telling_again_goes_by_slices),
        cmocka_unit_test(test_random_coming_and_going),
        cmocka_unit_test(test_f2_watermarks_are_maxima_until_they_are_cleared),
        cmocka_unit_test(test_classes_are_cleared_apart),
        cmocka_unit_test(test_a_timer_restarts_what_no_class_has),
        cmocka_unit_test(test_rates_are_smoothed_by_measured_time),
        cmocka_unit_test(test_rates_ignore_counters_that_went_back),
        cmocka_unit_test(test_pauses_that_end_are_as_long_as_their_mean),
        cmocka_unit_test(test_a_long_pause_is_one_pause),
        cmocka_unit_test(test_buckets_have_their_bounds),
        cmocka_unit_test(test_durations_are_estimated_from_frames),
        cmocka_unit_test(test_cleared_counters_of_pauses_start_at_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
