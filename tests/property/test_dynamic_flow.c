/* SPDX-License-Identifier: Apache-2.0 */

/* The dynamic buffer model under random edits:
 *   - whatever was there before, the ASIC ends as one that saw only the last
 *     rows, so what is worked out port by port equals what is computed from
 * nothing;
 *   - at no call on the way, refused ones included, is a lossless profile
 *     without its headroom.
 *
 * A failure prints the seed; DYNAMIC_SEED=n runs that one alone. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/platform.h"
#include "orchd/derive/zero_profiles.h"
#include "tests/support/agent_harness.h"
#include "tests/support/asic_table.h"
#include "tests/support/seed.h"
#include "tests/support/seeds.h"

enum { N_SEEDS = 60, N_PORTS = 3, N_CHOICES = 5, MEMORY_KB = 60000 };

/* A row and what may be in it.  The first 'n_final' choices are also possible
 * in the end; others lack something, or (NULL) are no row. */
struct chosen_row {
    const char *table, *key;
    size_t n_final;
    const char *choices[N_CHOICES];
};

#define UP(lanes, rest) "lanes=" lanes ";admin_status=up;" rest

static const struct chosen_row rows[] = {
    {"DEFAULT_LOSSLESS_BUFFER_PARAMETER",
     "AZURE",
     4,
     {"default_dynamic_th=0", "default_dynamic_th=0;over_subscribe_ratio=2",
      "default_dynamic_th=1;over_subscribe_ratio=3",
      "default_dynamic_th=0;over_subscribe_ratio=0", NULL}},
    {"LOSSLESS_TRAFFIC_PATTERN",
     "AZURE",
     4,
     {NULL, "mtu=1024;small_packet_percentage=50",
      "mtu=9100;small_packet_percentage=100",
      "mtu=1024;small_packet_percentage=0", NULL}},
    {"BUFFER_POOL",
     "ingress_lossless_pool",
     3,
     {"type=ingress;mode=dynamic", "type=ingress;mode=dynamic;xoff=500000",
      "type=ingress;mode=dynamic;size=20000000", NULL, NULL}},
    {"BUFFER_POOL",
     "egress_lossy_pool",
     3,
     {"type=egress;mode=dynamic", "type=egress;mode=dynamic;percentage=40",
      "type=egress;mode=dynamic;size=9000000", NULL, NULL}},
    {"BUFFER_POOL",
     "ingress_lossy_pool",
     2,
     {NULL, "type=ingress;mode=dynamic", NULL, NULL, NULL}},
    {"BUFFER_PROFILE",
     "in_lossy",
     2,
     {"pool=ingress_lossless_pool;size=0;dynamic_th=3",
      "pool=ingress_lossless_pool;size=1000;dynamic_th=3", NULL, NULL, NULL}},
    {"BUFFER_PROFILE",
     "out_lossy",
     2,
     {"pool=egress_lossy_pool;size=9216;dynamic_th=7",
      "pool=egress_lossy_pool;size=1518;dynamic_th=7", NULL, NULL, NULL}},
    {"BUFFER_PROFILE",
     "mine",
     3,
     {"pool=ingress_lossless_pool;size=0;dynamic_th=2;headroom_type=dynamic",
      "pool=ingress_lossless_pool;size=0;dynamic_th=0;headroom_type=dynamic",
      "pool=ingress_lossless_pool;size=60000;xon=20000;xoff=40000;"
      "dynamic_th=2",
      NULL, NULL}},
    {"CABLE_LENGTH",
     "AZURE",
     4,
     {"Ethernet0=5m;Ethernet4=40m;Ethernet8=5m",
      "Ethernet0=300m;Ethernet4=300m;Ethernet8=5m",
      "Ethernet0=5m;Ethernet4=0m;Ethernet8=5m",
      "Ethernet0=5m;Ethernet4=5m;Ethernet8=0m", "Ethernet0=5m"}},
    {"PORT",
     "Ethernet0",
     4,
     {UP("1,2,3,4", "speed=100000"), UP("1,2,3,4", "speed=40000"),
      UP("1,2,3,4", "speed=100000;mtu=1500"),
      UP("1,2,3,4", "speed=100000;autoneg=on;adv_speeds=40000"), NULL}},
    {"PORT",
     "Ethernet4",
     2,
     {UP("5,6,7,8", "speed=100000"),
      "lanes=5,6,7,8;speed=100000;admin_status=down", NULL, NULL, NULL}},
    {"PORT",
     "Ethernet8",
     3,
     {UP("21,22,23,24,25,26,27,28", "speed=100000"),
      UP("21,22,23,24,25,26,27,28", "speed=400000"),
      "lanes=21,22,23,24,25,26,27,28;speed=400000", NULL, NULL}},
    {"BUFFER_PG",
     "Ethernet0|3-4",
     4,
     {"profile=NULL", "profile=mine", NULL, "profile=in_lossy",
      "profile=missing"}},
    {"BUFFER_PG",
     "Ethernet0,Ethernet4|3-4",
     3,
     {"profile=NULL", "profile=mine", NULL, NULL, "profile=missing"}},
    {"BUFFER_PG", "Ethernet8|6", 2, {"profile=NULL", NULL, NULL, NULL, NULL}},
    {"BUFFER_PG",
     "Ethernet0,Ethernet4,Ethernet8|0",
     2,
     {"profile=in_lossy", NULL, NULL, NULL, NULL}},
    {"BUFFER_QUEUE",
     "Ethernet0,Ethernet4|0-2",
     2,
     {"profile=out_lossy", NULL, NULL, "profile=missing", NULL}},
    {"BUFFER_PORT_EGRESS_PROFILE_LIST",
     "Ethernet0",
     2,
     {"profile_list=out_lossy", NULL, NULL, NULL, NULL}},
};

enum { N_ROWS = sizeof rows / sizeof rows[0] };

static void
put(struct harness *harness, size_t row, size_t choice)
{
    harness_put(harness, rows[row].table, rows[row].key,
                rows[row].choices[choice]);
}

/* A vendor's zero profiles. */
static void
give_zeros(struct harness *harness)
{
    static const struct field pool[] = {
        {"type", "ingress"}, {"mode", "static"}, {"size", "0"}};
    static const struct field ingress[] = {
        {"pool", "zero_pool"}, {"size", "0"}, {"static_th", "0"}};
    static const struct field egress[] = {
        {"pool", "egress_lossy_pool"}, {"size", "0"}, {"dynamic_th", "-8"}};
    struct zero_profiles zeros = {0};
    struct err err = {0};

    assert_false(zero_profiles_add(&zeros, TABLE_BUFFER_POOL, "zero_pool", pool,
                                   3, &err) ||
                 zero_profiles_add(&zeros, TABLE_BUFFER_PROFILE, "no_pg",
                                   ingress, 3, &err) ||
                 zero_profiles_add(&zeros, TABLE_BUFFER_PROFILE, "no_queue",
                                   egress, 3, &err) ||
                 zero_profiles_set_ids(&zeros, ZERO_INGRESS, "0,6", &err));
    agent_set_zeros(harness->agent, &zeros);
}

static void
start(struct harness *harness, bool with_zeros)
{
    struct dynamic_state_chip chip = {.known = true};

    harness_init_memory(harness, N_PORTS, MEMORY_KB, 0);
    if (with_zeros) {
        give_zeros(harness);
    }
    assert_true(asic_table_find("VS-ASIC", &chip.asic));
    agent_set_chip(harness->agent, &chip);
    harness_put(harness, "DEVICE_METADATA", "localhost",
                "buffer_model=dynamic;platform=x86_64-kvm_x86_64-r0");
}

/* Lets some time pass, or some calls be made, or nothing. */
static void
stir(struct harness *harness, uint64_t *seed)
{
    switch (seed_below(seed, 4)) {
    case 0:
        harness_settle(harness);
        break;
    case 1:
        (void)agent_turn(harness->agent, harness->now, seed_below(seed, 9));
        break;
    default:
        break;
    }
}

/* Writes the final choices, in an order of its own, and lets them settle. */
static char *
finish(struct harness *harness, const size_t final[N_ROWS], uint64_t *seed)
{
    size_t order[N_ROWS];

    for (size_t i = 0; i < N_ROWS; i++) {
        size_t j = seed_below(seed, i + 1);

        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < N_ROWS; i++) {
        put(harness, order[i], final[order[i]]);
        stir(harness, seed);
    }
    harness_settle(harness);
    return harness_dump(harness);
}

static void
any_edits(uint64_t seed)
{
    uint64_t random = seed;
    size_t final[N_ROWS];
    struct harness edited, fresh;
    char *found, *expected;

    for (size_t i = 0; i < N_ROWS; i++) {
        final[i] = seed_below(&random, rows[i].n_final);
    }
    start(&edited, seed & 1);
    for (size_t i = 0; i < 40; i++) {
        put(&edited, seed_below(&random, N_ROWS),
            seed_below(&random, N_CHOICES));
        stir(&edited, &random);
        if (seed_below(&random, 12) == 0) {
            harness_put(&edited, "DEVICE_METADATA", "localhost",
                        seed_below(&random, 2) ? "buffer_model=traditional"
                                               : "buffer_model=dynamic");
        }
    }
    harness_put(&edited, "DEVICE_METADATA", "localhost",
                "buffer_model=dynamic;platform=x86_64-kvm_x86_64-r0");
    found = finish(&edited, final, &random);
    start(&fresh, seed & 1);
    expected = finish(&fresh, final, &random);
    if (strcmp(found, expected) != 0) {
        fprintf(stderr, "%s\nis not\n%s", found, expected);
        fail_msg("DYNAMIC_SEED=%llu", (unsigned long long)seed);
    }
    free(found);
    free(expected);
    harness_fini(&edited);
    harness_fini(&fresh);
}

/* --- Headroom at each call ---------------------------------------------- */

static uint64_t
read_number(struct harness *harness, const struct object *object,
            sai_attr_id_t id)
{
    struct sai_backend *backend = store_backend(harness->store);
    sai_attribute_t attribute = {.id = id};

    assert_int_equal(
        backend->ops->get(backend, object->type, object->oid, 1, &attribute),
        SAI_STATUS_SUCCESS);
    return attribute.value.u64;
}

static void
check_profile(void *harness, const struct object *object)
{
    const struct object *pool;
    uint64_t size, xon, xoff, shared;

    if (object->type != SAI_OBJECT_TYPE_BUFFER_PROFILE ||
        object->n_users == 0) {
        return; /* What nothing is bound to protects nothing. */
    }
    size = read_number(harness, object,
                       SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE);
    xon = read_number(harness, object, SAI_BUFFER_PROFILE_ATTR_XON_TH);
    xoff = read_number(harness, object, SAI_BUFFER_PROFILE_ATTR_XOFF_TH);
    pool = object_target(object, SAI_BUFFER_PROFILE_ATTR_POOL_ID);
    shared = read_number(harness, pool, SAI_BUFFER_POOL_ATTR_XOFF_SIZE);
    if (size < xon + (shared ? 0 : xoff)) {
        fail_msg("%s has %llu bytes for XON %llu, XOFF %llu and a shared "
                 "headroom of %llu",
                 object->name.name, (unsigned long long)size,
                 (unsigned long long)xon, (unsigned long long)xoff,
                 (unsigned long long)shared);
    }
}

struct mood {
    uint64_t seed;
    bool bad;
};

static sai_status_t
moody(void *context, const struct store_call *call)
{
    struct mood *mood = context;

    return mood->bad && call->op != STORE_GET && seed_below(&mood->seed, 3) == 0
               ? SAI_STATUS_FAILURE
               : SAI_STATUS_SUCCESS;
}

/* All ways between no shared headroom, one by size and one by ratio, of
 * BEHAVIOUR 6.7, with calls refused at random. */
static void
any_shared_headroom(uint64_t seed)
{
    static const size_t defaults = 0, pool = 2;
    uint64_t random = seed;
    struct mood mood = {seed * 7 + 1, false};
    struct harness harness;

    start(&harness, false);
    for (size_t i = 0; i < N_ROWS; i++) {
        put(&harness, i, 0);
    }
    harness_settle(&harness);
    store_set_hook(harness.store, moody, &mood);
    for (size_t i = 0; i < 8; i++) {
        mood.bad = seed_below(&random, 3) > 0;
        put(&harness, seed_below(&random, 2) ? defaults : pool,
            seed_below(&random, 2));
        put(&harness, 8, seed_below(&random, 4)); /* Cables. */
        for (size_t j = 0; j < 5; j++) {
            while (agent_turn(harness.agent, harness.now, 1)) {
                agent_each_object(harness.agent, check_profile, &harness);
            }
            harness.now += (int64_t)seed_below(&random, 3) * 1000 * 1000 * 1000;
            timeline_run(harness.timeline, harness.now);
        }
    }
    mood.bad = false;
    harness_pass(&harness, INT64_C(200) * 1000 * 1000 * 1000);
    agent_each_object(harness.agent, check_profile, &harness);
    assert_string_equal(
        harness_state(&harness, "BUFFER_POOL", "ingress_lossless_pool"),
        "applied");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet8|6"),
                        "applied");
    harness_fini(&harness);
}

static void
test_edited_equals_fresh(void **state)
{
    (void)state;
    for_seeds("DYNAMIC", N_SEEDS, any_edits);
}

static void
test_headroom_at_each_call(void **state)
{
    (void)state;
    for_seeds("DYNAMIC", N_SEEDS, any_shared_headroom);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edited_equals_fresh),
        cmocka_unit_test(test_headroom_at_each_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
