/* SPDX-License-Identifier: Apache-2.0 */

/* The dynamic buffer model in the flow: generated profiles, sizes of pools, the
 * shared headroom pool, limits of ports, and the change of models. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/explanation.h"
#include "orchd/derive/platform.h"
#include "tests/support/agent_harness.h"
#include "tests/support/asic_table.h"

#define DEVICE   "DEVICE_METADATA", "localhost"
#define DEFAULTS "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE"
#define POOL     "BUFFER_POOL", "ingress_lossless_pool"
#define P5       "pg_lossless_100000_5m_profile"
#define P40      "pg_lossless_100000_40m_profile"
#define VS       "platform=x86_64-kvm_x86_64-r0"

/* The memory of the vectors is 60,817,392 bytes; SAI counts kilobytes. */
enum { VECTOR_KB = 59391, VECTOR_LESS = 60817392 - VECTOR_KB * 1024 };

static void
set_chip(struct harness *harness, const char *key)
{
    struct dynamic_state_chip chip = {.known = true};

    assert_true(asic_table_find(key, &chip.asic));
    agent_set_chip(harness->agent, &chip);
}

/* A small switch of the vs kind: pools without sizes, two ports of 100G with 5
 * m, and lossless groups on the first. */
static void
init_limited(struct harness *harness, uint32_t max_headroom_bytes)
{
    harness_init_memory(harness, 2, 59391, max_headroom_bytes);
    set_chip(harness, "VS-ASIC");
    harness_put(harness, DEVICE, "buffer_model=dynamic;" VS);
    harness_put(harness, DEFAULTS, "default_dynamic_th=0");
    harness_put(harness, POOL, "type=ingress;mode=dynamic");
    harness_put(harness, "BUFFER_POOL", "egress_lossy_pool",
                "type=egress;mode=dynamic");
    harness_put(harness, "PORT", "Ethernet0",
                "lanes=1,2,3,4;speed=100000;admin_status=up");
    harness_put(harness, "PORT", "Ethernet4",
                "lanes=5,6,7,8;speed=100000;admin_status=up");
    harness_put(harness, "CABLE_LENGTH", "AZURE", "Ethernet0=5m;Ethernet4=5m");
    harness_apply(harness, "BUFFER_PG", "Ethernet0|3-4", "profile=NULL");
}

static void
init(struct harness *harness)
{
    init_limited(harness, 0);
}

/* Returns the profile that a priority group has on the ASIC, "" if none. */
static const char *
profile_of(const struct harness *harness, const char *port, int index)
{
    const struct object *pg =
        agent_object(harness->agent, TABLE_BUFFER_PG, port, index);
    const struct object *profile =
        pg ? object_target(pg, SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE)
           : NULL;

    return profile ? profile->name.name : "";
}

/* Returns what SAI accepted for an attribute; -1: nothing. */
static int64_t
value_of(const struct harness *harness, enum table table, const char *name,
         sai_attr_id_t id)
{
    const struct object *object = agent_object(harness->agent, table, name, -1);
    const sai_attribute_value_t *value =
        object ? object_value(object, id) : NULL;

    return value ? (int64_t)value->u64 : -1;
}

static void
expect_profile(const struct harness *harness, const char *name, int64_t xon,
               int64_t xoff, int64_t size)
{
    assert_int_equal(value_of(harness, TABLE_BUFFER_PROFILE, name,
                              SAI_BUFFER_PROFILE_ATTR_XON_TH),
                     xon);
    assert_int_equal(value_of(harness, TABLE_BUFFER_PROFILE, name,
                              SAI_BUFFER_PROFILE_ATTR_XOFF_TH),
                     xoff);
    assert_int_equal(value_of(harness, TABLE_BUFFER_PROFILE, name,
                              SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE),
                     size);
}

static void
expect_pool(const struct harness *harness, const char *name, int64_t size,
            int64_t xoff)
{
    assert_int_equal(
        value_of(harness, TABLE_BUFFER_POOL, name, SAI_BUFFER_POOL_ATTR_SIZE),
        size);
    assert_int_equal(value_of(harness, TABLE_BUFFER_POOL, name,
                              SAI_BUFFER_POOL_ATTR_XOFF_SIZE),
                     xoff);
}

static int64_t
shared_of(const struct harness *harness)
{
    return value_of(harness, TABLE_BUFFER_POOL, "ingress_lossless_pool",
                    SAI_BUFFER_POOL_ATTR_XOFF_SIZE);
}

/* BEHAVIOUR 13, trace 7. */
static void
test_profile_follows_from_speed_cable_and_ratio(void **state)
{
    const struct object *profile;
    struct harness harness;

    (void)state;
    init(&harness);
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "applied");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0|3-4")->origin, "user");
    assert_string_equal(harness_status(&harness, "BUFFER_PROFILE", P5)->origin,
                        "auto");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), P5);
    assert_string_equal(profile_of(&harness, "Ethernet0", 4), P5);
    assert_string_equal(profile_of(&harness, "Ethernet4", 3), "");
    expect_profile(&harness, P5, 18432, 72704, 91136);
    profile = agent_object(harness.agent, TABLE_BUFFER_PROFILE, P5, -1);
    assert_string_equal(
        object_target(profile, SAI_BUFFER_PROFILE_ATTR_POOL_ID)->name.name,
        "ingress_lossless_pool");
    assert_int_equal(
        object_value(profile, SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH)->s8,
        0);
    assert_int_equal(shared_of(&harness), 0);
    harness_put(&harness, DEFAULTS,
                "default_dynamic_th=0;over_subscribe_ratio=2");
    harness_settle(&harness);
    expect_profile(&harness, P5, 18432, 72704, 18432);
    assert_int_equal(shared_of(&harness), 67584);
    harness_put(&harness, DEFAULTS,
                "default_dynamic_th=0;over_subscribe_ratio=0");
    harness_settle(&harness);
    expect_profile(&harness, P5, 18432, 72704, 91136);
    assert_int_equal(shared_of(&harness), 0);
    harness_fini(&harness);
}

/* The configuration of BEHAVIOUR 6.5: two ports of 4 lanes and one of 8 that
 * are up, one that is down.  'lossless4' and 'lossless8' are the profiles of
 * their lossless groups. */
static void
init_vector(struct harness *harness, const char *lossless4,
            const char *lossless8)
{
    static const struct harness_row rows[] = {
        {DEVICE, "buffer_model=dynamic;platform=x86_64-mlnx_msn4700-r0"},
        {DEFAULTS, "default_dynamic_th=0"},
        {POOL, "type=ingress;mode=dynamic"},
        {"BUFFER_POOL", "egress_lossy_pool", "type=egress;mode=dynamic"},
        {"BUFFER_POOL", "egress_lossless_pool",
         "type=egress;mode=dynamic;size=60000000"},
        {"BUFFER_PROFILE", "in_lossy",
         "pool=ingress_lossless_pool;size=0;dynamic_th=3"},
        {"BUFFER_PROFILE", "out_lossy",
         "pool=egress_lossy_pool;size=9216;dynamic_th=7"},
        {"BUFFER_PROFILE", "out_lossless",
         "pool=egress_lossless_pool;size=0;dynamic_th=7"},
        {"BUFFER_PROFILE", "own4",
         "pool=ingress_lossless_pool;xon=19456;xoff=108544;size=19456;"
         "dynamic_th=0"},
        {"BUFFER_PROFILE", "own8",
         "pool=ingress_lossless_pool;xon=38912;xoff=265216;size=38912;"
         "dynamic_th=0"},
        {"PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000;admin_status=up"},
        {"PORT", "Ethernet4", "lanes=5,6,7,8;speed=100000;admin_status=up"},
        {"PORT", "Ethernet8",
         "lanes=21,22,23,24,25,26,27,28;speed=400000;admin_status=up"},
        {"PORT", "Ethernet16",
         "lanes=9,10,11,12;speed=100000;admin_status=down"},
        {"CABLE_LENGTH", "AZURE",
         "Ethernet0=5m;Ethernet4=5m;Ethernet8=40m;Ethernet16=5m"},
    };
    static const char *const ports[] = {"Ethernet0", "Ethernet4", "Ethernet8"};
    const struct bound {
        const char *table, *range, *profile;
    } bound[] = {
        {"BUFFER_PG", "|0", "profile=in_lossy"},
        {"BUFFER_PG", "|3-4", NULL},
        {"BUFFER_QUEUE", "|0-2", "profile=out_lossy"},
        {"BUFFER_QUEUE", "|3-4", "profile=out_lossless"},
        {"BUFFER_QUEUE", "|5-6", "profile=out_lossy"},
        {"BUFFER_PORT_INGRESS_PROFILE_LIST", "", "profile_list=in_lossy"},
        {"BUFFER_PORT_EGRESS_PROFILE_LIST", "",
         "profile_list=out_lossless,out_lossy"},
    };

    harness_init_memory(harness, 3, VECTOR_KB, 0);
    set_chip(harness, "MELLANOX-SPECTRUM-3");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        harness_put(harness, rows[i].table, rows[i].key, rows[i].fields);
    }
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < sizeof bound / sizeof bound[0]; j++) {
            char key[64];

            text_format(key, sizeof key, "%s%s", ports[i], bound[j].range);
            harness_put(harness, bound[j].table, key,
                        bound[j].profile ? bound[j].profile
                        : i == 2         ? lossless8
                                         : lossless4);
        }
    }
    harness_settle(harness);
}

/* BEHAVIOUR 6.5, with a memory of whole kilobytes: VECTOR_LESS bytes less. */
static void
test_pools_get_what_reservations_leave(void **state)
{
    static const struct {
        const char *defaults, *pool, *lossy, *own; /* NULL: as it is. */
        int64_t size, xoff, egress;
    } cases[] = {
        {NULL, NULL, NULL, NULL, 59066352, 0, 59066352},
        {"default_dynamic_th=0;over_subscribe_ratio=2", NULL, NULL, NULL,
         59551728, 466944, 59551728},
        {NULL, "type=ingress;mode=dynamic;xoff=204800", NULL, NULL, 59813872,
         204800, 59813872},
        {NULL, NULL, NULL, "own", 59363312, 655360, 59363312},
        {NULL, NULL, "percentage=30", NULL,
         29533176 - VECTOR_LESS / 2 + VECTOR_LESS, 0, 17719604 + VECTOR_LESS},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct harness harness;

        init_vector(&harness, cases[i].own ? "profile=own4" : "profile=NULL",
                    cases[i].own ? "profile=own8" : "profile=NULL");
        if (cases[i].defaults) {
            harness_put(&harness, DEFAULTS, cases[i].defaults);
        }
        if (cases[i].pool) {
            harness_put(&harness, POOL, cases[i].pool);
        }
        if (cases[i].lossy) {
            harness_put(&harness, "BUFFER_POOL", "ingress_lossy_pool",
                        "type=ingress;mode=dynamic");
            harness_put(&harness, "BUFFER_POOL", "egress_lossy_pool",
                        "type=egress;mode=dynamic;percentage=30");
        }
        harness_settle(&harness);
        expect_pool(&harness, "ingress_lossless_pool",
                    cases[i].size - VECTOR_LESS, cases[i].xoff);
        expect_pool(&harness, "egress_lossy_pool",
                    cases[i].egress - VECTOR_LESS, -1);
        if (cases[i].lossy) {
            expect_pool(&harness, "ingress_lossy_pool",
                        cases[i].size - VECTOR_LESS, -1);
        }
        assert_string_equal(
            harness_state(&harness, "BUFFER_POOL", "ingress_lossless_pool"),
            "applied");
        harness_fini(&harness);
    }
}

static void
put_cables(struct harness *harness, const char *first, const char *second)
{
    char fields[64];

    text_format(fields, sizeof fields, "Ethernet0=%s;Ethernet4=%s", first,
                second);
    harness_apply(harness, "CABLE_LENGTH", "AZURE", fields);
}

/* Each input of BEHAVIOUR 6.2, alone, and what it makes of the profile. */
static void
test_each_input_makes_another_profile(void **state)
{
    static const struct {
        const char *table, *key, *fields, *name;
        int64_t size; /* Of the profile; -1: there is none. */
    } cases[] = {
        {"PORT", "Ethernet0", "lanes=1,2,3,4;speed=40000;admin_status=up",
         "pg_lossless_40000_5m_profile", 55296},
        {"PORT", "Ethernet0",
         "lanes=1,2,3,4;speed=40000;autoneg=on;"
         "adv_speeds=40000,100000;admin_status=up",
         P5, 91136},
        {"PORT", "Ethernet0",
         "lanes=1,2,3,4;speed=100000;mtu=1500;admin_status=up",
         "pg_lossless_100000_5m_mtu1500_profile", 76800},
        {"CABLE_LENGTH", "AZURE", "Ethernet0=300m;Ethernet4=5m",
         "pg_lossless_100000_300m_profile", 165888},
        {"CABLE_LENGTH", "AZURE", "Ethernet0=0m;Ethernet4=5m", "", -1},
        {"PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000;admin_status=down",
         "", -1},
        {"LOSSLESS_TRAFFIC_PATTERN", "AZURE",
         "mtu=1024;small_packet_percentage=50", P5, -2},
        {DEFAULTS, "default_dynamic_th=1", P5, 91136},
        {DEFAULTS, "default_dynamic_th=0;over_subscribe_ratio=2", P5, 18432},
        {POOL, "type=ingress;mode=dynamic;xoff=1000000", P5, 18432},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct harness harness;
        int64_t size;

        init(&harness);
        harness_apply(&harness, cases[i].table, cases[i].key, cases[i].fields);
        assert_string_equal(profile_of(&harness, "Ethernet0", 3),
                            cases[i].name);
        assert_string_equal(
            harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"), "applied");
        size = value_of(&harness, TABLE_BUFFER_PROFILE, cases[i].name,
                        SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE);
        if (cases[i].size == -2) {
            assert_in_range(size, 18432, 91135); /* Less than all small. */
        } else {
            assert_int_equal(size, cases[i].size);
        }
        if (strcmp(cases[i].name, P5) != 0) {
            assert_null(
                agent_object(harness.agent, TABLE_BUFFER_PROFILE, P5, -1));
            assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", P5),
                                "gone");
        }
        harness_fini(&harness);
    }
}

static void
test_ports_share_a_profile_while_one_needs_it(void **state)
{
    struct harness harness;

    (void)state;
    init(&harness);
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|3-4", "profile=NULL");
    assert_string_equal(profile_of(&harness, "Ethernet4", 3), P5);
    put_cables(&harness, "40m", "5m");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), P40);
    assert_string_equal(profile_of(&harness, "Ethernet4", 3), P5);
    put_cables(&harness, "40m", "40m");
    assert_string_equal(profile_of(&harness, "Ethernet4", 4), P40);
    assert_null(agent_object(harness.agent, TABLE_BUFFER_PROFILE, P5, -1));
    harness_put(&harness, "BUFFER_PG", "Ethernet0|3-4", NULL);
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|3-4", NULL);
    assert_string_equal(profile_of(&harness, "Ethernet4", 4), "");
    assert_null(agent_object(harness.agent, TABLE_BUFFER_PROFILE, P40, -1));
    harness_fini(&harness);
}

/* A row for two ports with cables of their own, and one that lacks something:
 * each port has what it should. */
static void
test_row_of_several_ports(void **state)
{
    struct harness harness;

    (void)state;
    init(&harness);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|3-4", NULL);
    harness_put(&harness, "BUFFER_PG", "Ethernet0,Ethernet4|3", "profile=NULL");
    put_cables(&harness, "5m", "40m");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), P5);
    assert_string_equal(profile_of(&harness, "Ethernet4", 3), P40);
    assert_string_equal(profile_of(&harness, "Ethernet0", 4), "");
    assert_string_equal(
        harness_state(&harness, "BUFFER_PG", "Ethernet0,Ethernet4|3"),
        "applied");
    put_cables(&harness, "0m", "40m");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "");
    assert_string_equal(profile_of(&harness, "Ethernet4", 3), P40);
    harness_put(&harness, "PORT", "Ethernet0",
                "lanes=1,2,3,4;speed=100000;autoneg=on;admin_status=up");
    harness_settle(&harness);
    put_cables(&harness, "5m", "5m");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "");
    assert_string_equal(profile_of(&harness, "Ethernet4", 3), P5);
    assert_string_equal(
        harness_state(&harness, "BUFFER_PG", "Ethernet0,Ethernet4|3"),
        "waiting");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0,Ethernet4|3")
            ->err.code,
        "no-speed");
    harness_fini(&harness);
}

/* A profile with headroom_type dynamic lends its alpha, and is never on the
 * ASIC itself. */
static const struct sai_backend_ops *store_ops;

/* The store, whose ports report which speeds they support. */
static sai_status_t
get_speeds(struct sai_backend *backend, sai_object_type_t type,
           sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    static const uint32_t speeds[] = {25000, 100000, 40000};

    if (type != SAI_OBJECT_TYPE_PORT ||
        attributes->id != SAI_PORT_ATTR_SUPPORTED_SPEED) {
        return store_ops->get(backend, type, oid, n, attributes);
    }
    assert_true(attributes->value.u32list.count >= 3);
    memcpy(attributes->value.u32list.list, speeds, sizeof speeds);
    attributes->value.u32list.count = 3;
    return SAI_STATUS_SUCCESS;
}

/* A port that advertises no speed in particular counts with the highest one
 * that it supports. */
static void
test_highest_supported_speed_counts(void **state)
{
    struct sai_backend *backend;
    struct sai_backend_ops ops;
    struct harness harness;

    (void)state;
    init(&harness);
    harness_apply(&harness, "PORT", "Ethernet4", NULL);
    backend = store_backend(harness.store);
    store_ops = backend->ops;
    ops = *store_ops;
    ops.get = get_speeds;
    ops.many = NULL;
    backend->ops = &ops;
    harness_put(&harness, "PORT", "Ethernet4",
                "lanes=5,6,7,8;speed=40000;autoneg=on;admin_status=up");
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|3", "profile=NULL");
    assert_string_equal(profile_of(&harness, "Ethernet4", 3), P5);
    backend->ops = store_ops;
    harness_fini(&harness);
}

static void
test_own_alpha(void **state)
{
    static const char name[] = "pg_lossless_100000_5m_th2_profile";
    const struct object *profile;
    struct harness harness;

    (void)state;
    init(&harness);
    harness_put(&harness, "BUFFER_PROFILE", "mine",
                "pool=ingress_lossless_pool;size=0;dynamic_th=2;"
                "headroom_type=dynamic");
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|3-4", "profile=mine");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), name);
    expect_profile(&harness, name, 18432, 72704, 91136);
    profile = agent_object(harness.agent, TABLE_BUFFER_PROFILE, name, -1);
    assert_int_equal(
        object_value(profile, SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH)->s8,
        2);
    assert_null(agent_object(harness.agent, TABLE_BUFFER_PROFILE, "mine", -1));
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", "mine"),
                        "applied");
    /* The same row as a profile of its own, and back. */
    harness_put(&harness, "BUFFER_PROFILE", "mine",
                "pool=ingress_lossless_pool;size=5000;xon=2000;xoff=3000;"
                "dynamic_th=2;headroom_type=static");
    harness_settle(&harness);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "mine");
    expect_profile(&harness, "mine", 2000, 3000, 5000);
    harness_put(&harness, "BUFFER_PROFILE", "mine",
                "pool=ingress_lossless_pool;size=0;dynamic_th=2;"
                "headroom_type=dynamic");
    harness_settle(&harness);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), name);
    assert_null(agent_object(harness.agent, TABLE_BUFFER_PROFILE, "mine", -1));
    harness_fini(&harness);
}

/* What is not known yet is named, and what is bound stays. */
static void
test_missing_inputs_are_reported(void **state)
{
    static const struct {
        const char *table, *key, *fields, *code;
    } cases[] = {
        {DEFAULTS, NULL, "no-default-alpha"},
        {"CABLE_LENGTH", "AZURE", "Ethernet4=5m", "no-cable"},
        {"CABLE_LENGTH", "OTHER", "Ethernet0=6m", "contradiction"},
        {"PORT", "Ethernet0",
         "lanes=1,2,3,4;speed=100000;autoneg=on;admin_status=up", "no-speed"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct harness harness;

        init(&harness);
        harness_apply(&harness, cases[i].table, cases[i].key, cases[i].fields);
        assert_string_equal(
            harness_status(&harness, "BUFFER_PG", "Ethernet0|3-4")->err.code,
            cases[i].code);
        assert_string_equal(
            harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"), "waiting");
        assert_string_equal(profile_of(&harness, "Ethernet0", 3), P5);
        harness_fini(&harness);
    }
}

/* PEER_BUGS D4. */
static void
test_peer_d4_changed_traffic_pattern_is_acted_upon(void **state)
{
    struct harness harness;
    int64_t before, pool;

    (void)state;
    init(&harness);
    pool = value_of(&harness, TABLE_BUFFER_POOL, "egress_lossy_pool",
                    SAI_BUFFER_POOL_ATTR_SIZE);
    before = value_of(&harness, TABLE_BUFFER_PROFILE, P5,
                      SAI_BUFFER_PROFILE_ATTR_XOFF_TH);
    harness_put(&harness, "LOSSLESS_TRAFFIC_PATTERN", "AZURE",
                "mtu=9100;small_packet_percentage=100");
    harness_settle(&harness);
    assert_int_equal(value_of(&harness, TABLE_BUFFER_PROFILE, P5,
                              SAI_BUFFER_PROFILE_ATTR_XOFF_TH),
                     before + 8192);
    assert_int_equal(value_of(&harness, TABLE_BUFFER_POOL, "egress_lossy_pool",
                              SAI_BUFFER_POOL_ATTR_SIZE),
                     pool - 2 * 8192);
    harness_apply(&harness, "LOSSLESS_TRAFFIC_PATTERN", "AZURE", NULL);
    expect_profile(&harness, P5, 18432, 72704, 91136);
    harness_fini(&harness);
}

/* PEER_BUGS D6: whatever is missing, no pool has a size of zero; the sizes that
 * pools have stay while a reference is missing. */
static void
test_peer_d6_no_pool_is_ever_of_size_zero(void **state)
{
    struct harness harness;
    int64_t before;

    (void)state;
    harness_init_memory(&harness, 2, 59391, 0);
    harness_put(&harness, DEVICE, "buffer_model=dynamic;" VS);
    harness_put(&harness, POOL, "type=ingress;mode=dynamic");
    harness_settle(&harness);
    assert_null(agent_object(harness.agent, TABLE_BUFFER_POOL,
                             "ingress_lossless_pool", -1));
    assert_string_equal(harness_state(&harness, POOL), "waiting");
    assert_string_equal(harness_status(&harness, POOL)->err.code,
                        "no-asic-table");
    set_chip(&harness, "VS-ASIC");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, POOL), "applied");
    before = value_of(&harness, TABLE_BUFFER_POOL, "ingress_lossless_pool",
                      SAI_BUFFER_POOL_ATTR_SIZE);
    assert_true(before > 0);
    harness_put(&harness, "PORT", "Ethernet0",
                "lanes=1,2,3,4;speed=100000;admin_status=up");
    harness_apply(&harness, "BUFFER_QUEUE", "Ethernet0|0-2", "profile=missing");
    assert_int_equal(value_of(&harness, TABLE_BUFFER_POOL,
                              "ingress_lossless_pool",
                              SAI_BUFFER_POOL_ATTR_SIZE),
                     before);
    assert_string_equal(harness_status(&harness, POOL)->err.code,
                        "incomplete-references");
    harness_apply(&harness, "BUFFER_QUEUE", "Ethernet0|0-2", NULL);
    assert_string_equal(harness_state(&harness, POOL), "applied");
    assert_true(value_of(&harness, TABLE_BUFFER_POOL, "ingress_lossless_pool",
                         SAI_BUFFER_POOL_ATTR_SIZE) < before);
    harness_fini(&harness);
}

/* Nothing is published in place of what is not known yet: a cold start with
 * shared headroom and a reference that is missing computes with what is there.
 * Peers begin with 2,048 bytes and 1,024 of shared headroom, so that others can
 * be made; here they are made in the same plan. */
static void
test_cold_start_with_shared_headroom(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_memory(&harness, 2, 59391, 0);
    set_chip(&harness, "VS-ASIC");
    harness_put(&harness, DEVICE, "buffer_model=dynamic;" VS);
    harness_put(&harness, DEFAULTS,
                "default_dynamic_th=0;over_subscribe_ratio=2");
    harness_put(&harness, POOL, "type=ingress;mode=dynamic");
    harness_put(&harness, "PORT", "Ethernet0",
                "lanes=1,2,3,4;speed=100000;admin_status=up");
    harness_put(&harness, "CABLE_LENGTH", "AZURE", "Ethernet0=5m");
    harness_put(&harness, "BUFFER_PG", "Ethernet0|3-4", "profile=NULL");
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|0", "profile=missing");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3-4", "applied");
    expect_profile(&harness, P5, 18432, 72704, 18432);
    assert_int_equal(shared_of(&harness), (2 * 72704 - 10240) / 2);
    assert_true(value_of(&harness, TABLE_BUFFER_POOL, "ingress_lossless_pool",
                         SAI_BUFFER_POOL_ATTR_SIZE) > 50000000);
    harness_fini(&harness);
}

/* While the pool of generated profiles is missing, others stay as they are. */
static void
test_pool_of_generated_profiles_is_missing(void **state)
{
    struct harness harness;

    (void)state;
    init(&harness);
    harness_apply(&harness, POOL, NULL);
    harness_assert_state(&harness, POOL, "pending-delete");
    assert_string_equal(
        harness_status(&harness, "BUFFER_POOL", "egress_lossy_pool")->err.code,
        "incomplete-references");
    harness_put(&harness, POOL, "type=ingress;mode=dynamic");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_POOL", "egress_lossy_pool",
                         "applied");
    harness_fini(&harness);
}

/* What is bound twice is counted once: the row with fewer indices has the
 * place, then the one with fewer ports. */
static void
test_overlapping_rows_are_counted_once(void **state)
{
    static const struct {
        const char *wide, *narrow;
        int64_t large; /* Queues with the profile that reserves. */
    } cases[] = {
        {"Ethernet0|0-2", "Ethernet0|1", 2},
        {"Ethernet0,Ethernet4|0", "Ethernet0|0", 1},
    };
    struct harness harness;
    int64_t before;

    (void)state;
    init(&harness);
    harness_put(&harness, "BUFFER_PROFILE", "large",
                "pool=egress_lossy_pool;size=100000;dynamic_th=1");
    harness_put(&harness, "BUFFER_PROFILE", "none",
                "pool=egress_lossy_pool;size=0;dynamic_th=1");
    harness_settle(&harness);
    before = value_of(&harness, TABLE_BUFFER_POOL, "egress_lossy_pool",
                      SAI_BUFFER_POOL_ATTR_SIZE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t size;

        harness_put(&harness, "BUFFER_QUEUE", cases[i].wide, "profile=large");
        harness_apply(&harness, "BUFFER_QUEUE", cases[i].narrow,
                      "profile=none");
        size = value_of(&harness, TABLE_BUFFER_POOL, "egress_lossy_pool",
                        SAI_BUFFER_POOL_ATTR_SIZE);
        assert_int_equal((before - size) / 90000, cases[i].large);
        harness_put(&harness, "BUFFER_QUEUE", cases[i].wide, NULL);
        harness_apply(&harness, "BUFFER_QUEUE", cases[i].narrow, NULL);
    }
    harness_fini(&harness);
}

/* PEER_BUGS D7: a pool with profiles in it waits, and comes back. */
static void
test_peer_d7_pool_that_is_used_is_not_deleted(void **state)
{
    struct harness harness;

    (void)state;
    init(&harness);
    harness_apply(&harness, POOL, NULL);
    assert_string_equal(harness_state(&harness, POOL), "pending-delete");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), P5);
    assert_true(text_lists(
        &(struct text){
            .bytes = (char *)(uintptr_t)harness_status(&harness, POOL)
                         ->referenced_by,
            .length = strlen(harness_status(&harness, POOL)->referenced_by)},
        "BUFFER_PROFILE|" P5));
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|3-4", NULL);
    assert_string_equal(harness_state(&harness, POOL), "gone");
    harness_fini(&harness);
}

/* PEER_BUGS D1, BEHAVIOUR 6.4: what a port has no room for keeps waiting with
 * the numbers, what it had stays, and it is taken as soon as there is room. */
static void
test_peer_d1_headroom_over_the_limit(void **state)
{
    const struct row_status *status;
    struct harness harness;

    (void)state;
    /* 4096 + 18432 + 20480 + 2 * 91136 = 225280 with 5 m. */
    init_limited(&harness, 300000);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), P5);
    put_cables(&harness, "300m", "5m");
    status = harness_status(&harness, "BUFFER_PG", "Ethernet0|3-4");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "waiting");
    assert_string_equal(status->err.code, "headroom-exceeded");
    assert_string_equal(status->err.reason,
                        "headroom 374784 >= limit 300000 on Ethernet0");
    assert_string_equal(status->err.remedy,
                        "use a cable of at most 151 m, or give the port fewer "
                        "lossless priorities");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), P5);
    assert_string_equal(profile_of(&harness, "Ethernet0", 4), P5);
    put_cables(&harness, "152m", "5m");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "waiting");
    put_cables(&harness, "151m", "5m");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "applied");
    put_cables(&harness, "300m", "5m");
    /* Half as many groups fit. */
    harness_put(&harness, "BUFFER_PG", "Ethernet0|3-4", NULL);
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|3", "profile=NULL");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3"),
                        "applied");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3),
                        "pg_lossless_100000_300m_profile");
    assert_string_equal(profile_of(&harness, "Ethernet0", 4), "");
    /* The second does not, until the first is smaller. */
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|4", "profile=NULL");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|4"),
                        "waiting");
    assert_string_equal(profile_of(&harness, "Ethernet0", 4), "");
    harness_put(&harness, "BUFFER_PROFILE", "small",
                "pool=ingress_lossless_pool;size=3000;xon=1000;xoff=2000;"
                "dynamic_th=0");
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|3", "profile=small");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|4"),
                        "applied");
    assert_string_equal(profile_of(&harness, "Ethernet0", 4),
                        "pg_lossless_100000_300m_profile");
    harness_fini(&harness);
}

/* A port may exceed its limit without a row that asks for more, here because it
 * is made of more lanes; what then takes less is granted, although it is still
 * too much. */
static void
test_port_over_its_limit_may_take_less(void **state)
{
    struct harness harness;

    (void)state;
    init_limited(&harness, 226000);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|3-4", NULL);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|3", "profile=NULL");
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|4", "profile=NULL");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|4", "applied");
    harness_put(&harness, "PORT", "Ethernet0",
                "lanes=21,22,23,24,25,26,27,28;speed=100000;admin_status=up");
    harness_put(&harness, "BUFFER_PROFILE", "less",
                "pool=ingress_lossless_pool;size=60000;xon=20000;xoff=40000;"
                "dynamic_th=0");
    harness_settle(&harness);
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|3", "profile=less");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3", "applied");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "less");
    /* 4096 + 35840 + 40960 + 60000 + 91136, and 60000 more. */
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|0", "profile=less");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0|0")->err.reason,
        "headroom 292032 >= limit 226000 on Ethernet0");
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|0", NULL);
    /* A profile that keeps its size may change its threshold. */
    harness_apply(&harness, "BUFFER_PROFILE", "less",
                  "pool=ingress_lossless_pool;size=60000;xon=20000;xoff=40000;"
                  "dynamic_th=1");
    harness_assert_state(&harness, "BUFFER_PROFILE", "less", "applied");
    harness_fini(&harness);
}

#define SMALL "pool=ingress_lossless_pool;size=3000;xon=1000;xoff=2000;"
#define LARGE "pool=ingress_lossless_pool;size=200000;xon=1000;xoff=199000;"
#define OWN   "BUFFER_PROFILE", "own"

/* A profile of the user's that grows under two groups of a port: what it had
 * stays, its row says why, and it is tried again when there is room. */
static void
test_profile_that_outgrows_a_port(void **state)
{
    const struct row_status *status;
    struct harness harness;

    (void)state;
    init_limited(&harness, 300000);
    harness_put(&harness, OWN, SMALL "dynamic_th=0");
    harness_put(&harness, "BUFFER_PG", "Ethernet0|3-4", "profile=own");
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|3", "profile=own");
    harness_apply(&harness, OWN, LARGE "dynamic_th=1");
    harness_assert_state(&harness, OWN, "waiting");
    status = harness_status(&harness, OWN);
    assert_string_equal(status->err.code, "headroom-exceeded");
    assert_string_equal(status->err.reason,
                        "headroom 443008 >= limit 300000 on Ethernet0");
    assert_string_equal(status->err.field, "size");
    assert_string_equal(status->err.value, "200000");
    expect_profile(&harness, "own", 1000, 2000, 3000);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3-4", "applied");
    /* Nothing is reserved for what is not in force. */
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|4", "profile=NULL");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet4|4", "applied");
    harness_put(&harness, "BUFFER_PG", "Ethernet4|4", NULL);
    /* One group less, and there is room. */
    harness_put(&harness, "BUFFER_PG", "Ethernet0|3-4", NULL);
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|3", "profile=own");
    harness_assert_state(&harness, OWN, "applied");
    expect_profile(&harness, "own", 1000, 199000, 200000);
    /* What gets smaller always fits; what a group asks for is its own fault. */
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|4", "profile=own");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|4", "waiting");
    harness_assert_state(&harness, OWN, "applied");
    harness_apply(&harness, OWN, SMALL "dynamic_th=1");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|4", "applied");
    expect_profile(&harness, "own", 1000, 2000, 3000);
    harness_fini(&harness);
}

/* A profile that a group waits for, and that is too large when it comes. */
static void
test_profile_that_comes_too_large(void **state)
{
    struct harness harness;

    (void)state;
    init_limited(&harness, 300000);
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|3-4", "profile=own");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet4|3-4", "waiting");
    harness_apply(&harness, OWN, LARGE "dynamic_th=0");
    harness_assert_state(&harness, OWN, "waiting");
    assert_string_equal(harness_status(&harness, OWN)->err.code,
                        "headroom-exceeded");
    assert_null(agent_object(harness.agent, TABLE_BUFFER_PROFILE, "own", -1));
    harness_apply(&harness, OWN, SMALL "dynamic_th=0");
    harness_assert_state(&harness, OWN, "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet4|3-4", "applied");
    /* In the traditional model there are no such limits. */
    harness_apply(&harness, OWN, LARGE "dynamic_th=0");
    harness_assert_state(&harness, OWN, "waiting");
    harness_apply(&harness, DEVICE, VS);
    harness_assert_state(&harness, OWN, "applied");
    expect_profile(&harness, "own", 1000, 199000, 200000);
    harness_fini(&harness);
}

/* The same at the start, before the limit of the port is known. */
static void
test_limit_holds_from_the_start(void **state)
{
    struct harness harness;

    (void)state;
    init_limited(&harness, 200000);
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "waiting");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "");
    assert_null(agent_object(harness.agent, TABLE_BUFFER_PROFILE, P5, -1));
    harness_put(&harness, DEFAULTS,
                "default_dynamic_th=0;over_subscribe_ratio=2");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "applied");
    /* Back is not possible: there would be no room for full sizes. */
    harness_apply(&harness, DEFAULTS, "default_dynamic_th=0");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", P5)->err.code,
        "headroom-exceeded");
    expect_profile(&harness, P5, 18432, 72704, 18432);
    assert_int_equal(shared_of(&harness), 655360);
    put_cables(&harness, "0m", "5m");
    assert_int_equal(shared_of(&harness), 0);
    harness_fini(&harness);
}

/* BEHAVIOUR 6.9. */
static void
test_peer_c5_models_change_at_run_time(void **state)
{
    struct harness harness;
    char *before, *after;

    (void)state;
    init(&harness);
    before = harness_dump(&harness);
    harness_put(&harness, DEVICE, "buffer_model=traditional;" VS);
    harness_settle(&harness);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), P5);
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "waiting");
    assert_string_equal(harness_state(&harness, POOL), "rejected");
    expect_profile(&harness, P5, 18432, 72704, 91136);
    after = harness_dump(&harness);
    assert_string_equal(before, after);
    free(after);
    harness_put(&harness, DEVICE, "buffer_model=dynamic;" VS);
    harness_settle(&harness);
    after = harness_dump(&harness);
    assert_string_equal(before, after);
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "applied");
    assert_string_equal(harness_state(&harness, POOL), "applied");
    free(before);
    free(after);
    harness_fini(&harness);
}

/* The calls that matter for the shared headroom, in their order. */
struct order {
    char text[128]; /* "pool=67584 profile=18432 " */
};

static sai_status_t
note_order(void *context, const struct store_call *call)
{
    struct order *order = context;
    size_t length = strlen(order->text);
    bool pool = call->type == SAI_OBJECT_TYPE_BUFFER_POOL;

    if (call->op == STORE_SET &&
        ((pool && call->attributes->id == SAI_BUFFER_POOL_ATTR_XOFF_SIZE) ||
         (call->type == SAI_OBJECT_TYPE_BUFFER_PROFILE &&
          call->attributes->id ==
              SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE))) {
        text_format(order->text + length, sizeof order->text - length,
                    "%s=%llu ", pool ? "pool" : "profile",
                    (unsigned long long)call->attributes->value.u64);
    }
    return SAI_STATUS_SUCCESS;
}

/* PEER_BUGS D2, BEHAVIOUR 6.7: each way between no shared headroom pool, one by
 * ratio and one by size. */
static void
test_peer_d2_order_of_shared_headroom(void **state)
{
    static const char none[] = "default_dynamic_th=0";
    static const char ratio[] = "default_dynamic_th=0;over_subscribe_ratio=2";
    static const char bare[] = "type=ingress;mode=dynamic";
    static const char size[] = "type=ingress;mode=dynamic;xoff=500000";
    static const struct {
        const char *defaults, *pool, *new_defaults, *new_pool, *order;
    } cases[] = {
        {none, bare, ratio, bare, "pool=67584 profile=18432 "},
        {none, bare, none, size, "pool=500000 profile=18432 "},
        {none, bare, ratio, size, "pool=500000 profile=18432 "},
        {ratio, bare, ratio, size, "pool=500000 "},
        {none, size, ratio, size, ""},
        {ratio, size, none, size, ""},
        {none, size, none, bare, "profile=91136 pool=0 "},
        {ratio, size, ratio, bare, "pool=67584 "},
        {ratio, bare, none, bare, "profile=91136 pool=0 "},
        {ratio, size, none, bare, "profile=91136 pool=0 "},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct order order = {""};
        struct harness harness;

        init(&harness);
        harness_put(&harness, DEFAULTS, cases[i].defaults);
        harness_apply(&harness, POOL, cases[i].pool);
        store_set_hook(harness.store, note_order, &order);
        harness_put(&harness, DEFAULTS, cases[i].new_defaults);
        harness_apply(&harness, POOL, cases[i].new_pool);
        assert_string_equal(order.text, cases[i].order);
        store_set_hook(harness.store, NULL, NULL);
        harness_fini(&harness);
    }
}

/* A profile of 8 lanes and one of 4 with the same name: the larger holds, as
 * long as a port needs it. */
static void
test_name_that_does_not_tell_lanes(void **state)
{
    struct harness harness;

    (void)state;
    init(&harness);
    harness_put(&harness, "PORT", "Ethernet4",
                "lanes=21,22,23,24,25,26,27,28;speed=100000;admin_status=up");
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|3", "profile=NULL");
    assert_string_equal(profile_of(&harness, "Ethernet4", 3), P5);
    expect_profile(&harness, P5, 36864, 72704, 118784);
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|3", NULL);
    expect_profile(&harness, P5, 18432, 72704, 91136);
    harness_fini(&harness);
}

/* A port of 8 lanes is checked against the headroom of 8 lanes, although ports
 * of 4 lanes have the profile already. */
static void
test_eight_lanes_count_in_the_limit_at_once(void **state)
{
    struct harness harness;

    (void)state;
    init_limited(&harness, 190000);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|3-4", NULL);
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|3", "profile=NULL");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3", "applied");
    harness_put(&harness, "PORT", "Ethernet4",
                "lanes=21,22,23,24,25,26,27,28;speed=100000;admin_status=up");
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|3", "profile=NULL");
    /* 4096 + 35840 + 40960 + 118784. */
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet4|3")->err.reason,
        "headroom 199680 >= limit 190000 on Ethernet4");
    expect_profile(&harness, P5, 18432, 72704, 91136);
    harness_fini(&harness);
}

/* Two pools, and then one: the rest is shared again, and a size of the
 * user's own is not touched. */
static void
test_size_of_the_users_own(void **state)
{
    struct harness harness;

    (void)state;
    init(&harness);
    harness_put(&harness, "BUFFER_POOL", "egress_lossy_pool",
                "type=egress;mode=dynamic;size=7000000");
    harness_settle(&harness);
    expect_pool(&harness, "egress_lossy_pool", 7000000, -1);
    harness_put(&harness, POOL, "type=ingress;mode=dynamic;size=8000000");
    harness_settle(&harness);
    expect_pool(&harness, "ingress_lossless_pool", 8000000, 0);
    harness_put(&harness, DEFAULTS,
                "default_dynamic_th=0;over_subscribe_ratio=2");
    harness_settle(&harness);
    expect_pool(&harness, "ingress_lossless_pool", 8000000, 67584);
    harness_put(&harness, POOL,
                "type=ingress;mode=dynamic;size=8000000;xoff=99999999");
    harness_settle(&harness);
    assert_string_equal(harness_status(&harness, POOL)->err.code, "");
    harness_put(&harness, "BUFFER_POOL", "egress_lossy_pool",
                "type=egress;mode=dynamic");
    harness_settle(&harness);
    assert_string_equal(
        harness_status(&harness, "BUFFER_POOL", "egress_lossy_pool")->err.code,
        "range");
    expect_pool(&harness, "egress_lossy_pool", 7000000, -1);
    harness_fini(&harness);
}

static int64_t
term_value(const struct explanation *explanation, const char *name)
{
    const struct term *term = terms_find(&explanation->terms, name);

    if (!term) {
        fail_msg("no term %s", name);
        return -1;
    }
    assert_int_equal(term->value_milli % 1000, 0);
    return term->value_milli / 1000;
}

/* What is explained is what is on the switch, and adds up. */
static void
test_numbers_are_explained(void **state)
{
    struct explanation part;
    struct harness harness;

    (void)state;
    init_limited(&harness, 300000);
    assert_true(agent_explain(harness.agent, TABLE_BUFFER_PG, "Ethernet0|3-4",
                              0, &part));
    assert_string_equal(part.port, "Ethernet0");
    assert_string_equal(part.profile, P5);
    assert_int_equal(term_value(&part, "xoff"), 72704);
    assert_int_equal(term_value(&part, "size"), 91136);
    assert_int_equal(term_value(&part, "headroom_used"), 225280);
    assert_int_equal(part.headroom_limit, 300000);
    assert_true(part.has_longest);
    assert_int_equal(part.longest_cable_m, 151);
    assert_false(agent_explain(harness.agent, TABLE_BUFFER_PG, "Ethernet0|3-4",
                               1, &part));
    assert_true(
        agent_explain(harness.agent, TABLE_BUFFER_PROFILE, P5, 0, &part));
    assert_null(part.port);
    assert_int_equal(term_value(&part, "xoff"), 72704);
    assert_true(agent_explain(harness.agent, TABLE_BUFFER_POOL,
                              "ingress_lossless_pool", 0, &part));
    assert_int_equal(term_value(&part, "profiles"), 2 * 91136);
    assert_int_equal(term_value(&part, "memory"),
                     term_value(&part, "occupied") + term_value(&part, "size"));
    expect_pool(&harness, "ingress_lossless_pool", term_value(&part, "size"),
                0);
    assert_false(
        agent_explain(harness.agent, TABLE_BUFFER_POOL, "nothing", 0, &part));
    harness_put(&harness, DEVICE, "buffer_model=traditional;" VS);
    harness_settle(&harness);
    assert_false(agent_explain(harness.agent, TABLE_BUFFER_PG, "Ethernet0|3-4",
                               0, &part));
    harness_fini(&harness);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile_follows_from_speed_cable_and_ratio),
        cmocka_unit_test(test_pools_get_what_reservations_leave),
        cmocka_unit_test(test_each_input_makes_another_profile),
        cmocka_unit_test(test_ports_share_a_profile_while_one_needs_it),
        cmocka_unit_test(test_row_of_several_ports),
        cmocka_unit_test(test_highest_supported_speed_counts),
        cmocka_unit_test(test_own_alpha),
        cmocka_unit_test(test_missing_inputs_are_reported),
        cmocka_unit_test(test_peer_d4_changed_traffic_pattern_is_acted_upon),
        cmocka_unit_test(test_peer_d6_no_pool_is_ever_of_size_zero),
        cmocka_unit_test(test_cold_start_with_shared_headroom),
        cmocka_unit_test(test_pool_of_generated_profiles_is_missing),
        cmocka_unit_test(test_overlapping_rows_are_counted_once),
        cmocka_unit_test(test_peer_d7_pool_that_is_used_is_not_deleted),
        cmocka_unit_test(test_port_over_its_limit_may_take_less),
        cmocka_unit_test(test_peer_d1_headroom_over_the_limit),
        cmocka_unit_test(test_profile_that_outgrows_a_port),
        cmocka_unit_test(test_profile_that_comes_too_large),
        cmocka_unit_test(test_limit_holds_from_the_start),
        cmocka_unit_test(test_peer_c5_models_change_at_run_time),
        cmocka_unit_test(test_peer_d2_order_of_shared_headroom),
        cmocka_unit_test(test_name_that_does_not_tell_lanes),
        cmocka_unit_test(test_eight_lanes_count_in_the_limit_at_once),
        cmocka_unit_test(test_size_of_the_users_own),
        cmocka_unit_test(test_numbers_are_explained),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
