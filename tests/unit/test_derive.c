/* SPDX-License-Identifier: Apache-2.0 */

/* Lossless rows of the traditional model (BEHAVIOUR 5), and that derive
 * reports only changes. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/derive/derive.h"
#include "orchd/derive/pg_profile_lookup.h"
#include "orchd/derive/shipped_lookups.h"
#include "orchd/intent/content.h"
#include "orchd/intent/key.h"
#include "tests/support/seed.h"

enum { ROWS_MAX = 512 };

/* All derived rows as last reported, each a text. */
struct world {
    struct derive *derive;
    char *rows[ROWS_MAX]; /* Sorted. */
    size_t n;
    size_t n_reported; /* Since it was last looked at. */
};

static const char table[] = "10000 5m 49152 19456 29696 0\n"
                            "100000 5m 1248 2288 165568 0 2288\n"
                            "100000 40m 1248 2288 177632 -1 2288\n";

static void
world_init(struct world *world)
{
    struct pg_profile_lookup lookup = {0};

    *world = (struct world){.derive = derive_create()};
    assert_int_equal(pg_profile_lookup_parse(&lookup, table, "t", NULL), ST_OK);
    derive_set_lookup(world->derive, &lookup);
    assert_int_equal(lookup.n, 0);
}

static void
world_fini(struct world *world)
{
    derive_destroy(world->derive);
    for (size_t i = 0; i < world->n; i++) {
        free(world->rows[i]);
    }
}

/* Hands in a row; 'fields' is "name=value name=value", NULL: it is not
 * there. */
static void
put(struct world *world, enum table which, const char *key, const char *fields)
{
    struct field parsed[64];
    size_t n = 0;
    char *copy = check_strdup(fields ? fields : "");
    struct content *content;
    struct key parts = {0};
    struct row row = {.table = which, .key = key, .present = fields != NULL};

    for (char *at = strtok(copy, " "); at; at = strtok(NULL, " ")) {
        char *equals = strchr(at, '=');

        *equals = '\0';
        parsed[n++] = (struct field){at, equals + 1};
    }
    content = content_create(parsed, n);
    assert_int_equal(key_parse(which, key, &parts, NULL), ST_OK);
    row.ports = parts.ports;
    row.n_ports = parts.n_ports;
    row.effective = row.present;
    row.fields = content->fields;
    row.n_fields = content->n;
    derive_put_row(world->derive, &row);
    key_fini(&parts);
    free(content);
    free(copy);
}

static char *
row_text(const struct row *row)
{
    struct text text = {0};

    text_addf(&text, "%s|%s", table_name(row->table), row->key);
    for (size_t i = 0; i < row->n_fields; i++) {
        text_addf(&text, " %s=%s", row->fields[i].name, row->fields[i].value);
    }
    if (row->err) {
        text_addf(&text, " withheld: %s", row->err->code);
    }
    return text_take(&text);
}

/* Returns whether 'text' is about the row whose text is 'other'. */
static bool
same_row(const char *text, const char *other)
{
    size_t length = strcspn(text, " ");

    return length == strcspn(other, " ") && !memcmp(text, other, length);
}

static int
compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Takes what is news into the picture of the world. */
static void
look(struct world *world)
{
    const struct row *row;

    world->n_reported = 0;
    while ((row = derive_take(world->derive))) {
        char *text = row_text(row);
        size_t i = 0;

        assert_true(row->generated);
        assert_int_equal(row->effective, row->present && !row->err);
        assert_int_equal(row->verdict, row->err ? ROW_WITHHELD : ROW_ACCEPTED);
        world->n_reported++;
        while (i < world->n && !same_row(world->rows[i], text)) {
            i++;
        }
        if (i < world->n) {
            free(world->rows[i]);
            world->rows[i] = world->rows[--world->n];
        } else {
            assert_true(row->present); /* It is new. */
        }
        if (row->present) {
            assert_true(world->n < ROWS_MAX);
            world->rows[world->n++] = text;
        } else {
            free(text);
        }
    }
    qsort(world->rows, world->n, sizeof world->rows[0], compare);
}

static void
expect(struct world *world, const char *const *rows, size_t n)
{
    look(world);
    for (size_t i = 0; i < n && i < world->n; i++) {
        assert_string_equal(world->rows[i], rows[i]);
    }
    assert_int_equal(world->n, n);
}

#define EXPECT(world, ...)                                                     \
    do {                                                                       \
        const char *const rows_[] = {__VA_ARGS__};                             \
        expect(world, rows_, sizeof rows_ / sizeof rows_[0]);                  \
    } while (0)

static void
put_port(struct world *world)
{
    put(world, TABLE_PORT, "Ethernet0", "speed=100000 admin_status=up");
    put(world, TABLE_CABLE_LENGTH, "AZURE", "Ethernet0=5m");
    put(world, TABLE_PORT_QOS_MAP, "Ethernet0", "pfc_enable=3,4");
}

#define PROFILE_5M                                                             \
    "BUFFER_PROFILE|pg_lossless_100000_5m_profile dynamic_th=0 "               \
    "pool=ingress_lossless_pool size=1248 xoff=165568 xon=2288 "               \
    "xon_offset=2288"
#define PROFILE_40M                                                            \
    "BUFFER_PROFILE|pg_lossless_100000_40m_profile dynamic_th=-1 "             \
    "pool=ingress_lossless_pool size=1248 xoff=177632 xon=2288 "               \
    "xon_offset=2288"
#define PG_5M  "BUFFER_PG|Ethernet0|3-4 profile=pg_lossless_100000_5m_profile"
#define PG_40M "BUFFER_PG|Ethernet0|3-4 profile=pg_lossless_100000_40m_profile"

static void
test_rows_follow_from_speed_cable_and_pfc(void **state)
{
    struct world world;

    (void)state;
    world_init(&world);
    put_port(&world);
    EXPECT(&world, PG_5M, PROFILE_5M);
    assert_int_equal(world.n_reported, 2);
    look(&world);
    assert_int_equal(world.n_reported, 0);
    world_fini(&world);
}

static void
test_each_precondition_is_needed(void **state)
{
    static const struct {
        enum table table;
        const char *key, *fields;
    } cases[] = {
        {TABLE_PORT, "Ethernet0", NULL},
        {TABLE_PORT, "Ethernet0", "admin_status=up"},
        {TABLE_CABLE_LENGTH, "AZURE", NULL},
        {TABLE_CABLE_LENGTH, "AZURE", "Ethernet4=5m"},
        {TABLE_CABLE_LENGTH, "AZURE", "Ethernet0=None"},
        {TABLE_PORT_QOS_MAP, "Ethernet0", NULL},
        {TABLE_PORT_QOS_MAP, "Ethernet0", "dscp_to_tc_map=AZURE"},
        {TABLE_PORT_QOS_MAP, "Ethernet0", "pfc_enable="},
        {TABLE_DEVICE_METADATA, "localhost", "buffer_model=dynamic"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct world world;

        world_init(&world);
        put_port(&world);
        look(&world);
        assert_int_equal(world.n, 2);
        put(&world, cases[i].table, cases[i].key, cases[i].fields);
        look(&world);
        assert_int_equal(world.n, 0);
        world_fini(&world);
    }
}

/* PEER_BUGS D10: a cable of 0 m means no lossless buffer, also afterwards. */
static void
test_d10_no_rows_for_a_cable_of_0m(void **state)
{
    struct world world;

    (void)state;
    world_init(&world);
    put_port(&world);
    look(&world);
    put(&world, TABLE_CABLE_LENGTH, "AZURE", "Ethernet0=0m");
    look(&world);
    assert_int_equal(world.n, 0);
    assert_int_equal(world.n_reported, 2);
    world_fini(&world);
}

/* PEER_BUGS C2: nothing stale stays when cable, speed or PFC change. */
static void
test_c2_changes_leave_nothing_behind(void **state)
{
    struct world world;

    (void)state;
    world_init(&world);
    put_port(&world);
    look(&world);
    put(&world, TABLE_CABLE_LENGTH, "AZURE", "Ethernet0=40m");
    EXPECT(&world, PG_40M, PROFILE_40M);
    put(&world, TABLE_PORT_QOS_MAP, "Ethernet0", "pfc_enable=3");
    EXPECT(&world,
           "BUFFER_PG|Ethernet0|3 profile=pg_lossless_100000_40m_profile",
           PROFILE_40M);
    put(&world, TABLE_PORT_QOS_MAP, "Ethernet0", "pfc_enable=2,3,6");
    EXPECT(&world,
           "BUFFER_PG|Ethernet0|2-3 profile=pg_lossless_100000_40m_profile",
           "BUFFER_PG|Ethernet0|6 profile=pg_lossless_100000_40m_profile",
           PROFILE_40M);
    put(&world, TABLE_PORT, "Ethernet0", "speed=10000 admin_status=up");
    put(&world, TABLE_CABLE_LENGTH, "AZURE", "Ethernet0=5m");
    EXPECT(&world,
           "BUFFER_PG|Ethernet0|2-3 profile=pg_lossless_10000_5m_profile",
           "BUFFER_PG|Ethernet0|6 profile=pg_lossless_10000_5m_profile",
           "BUFFER_PROFILE|pg_lossless_10000_5m_profile dynamic_th=0 "
           "pool=ingress_lossless_pool size=49152 xoff=29696 xon=19456");
    world_fini(&world);
}

/* PEER_BUGS C3 and C4: a pair that is missing in the table is reported,
 * and affects no other port. */
static void
test_c4_missing_pair_harms_no_other_port(void **state)
{
    struct world world;

    (void)state;
    world_init(&world);
    put(&world, TABLE_PORT, "Ethernet4", "speed=100000 admin_status=up");
    put(&world, TABLE_PORT_QOS_MAP, "Ethernet4", "pfc_enable=3,4");
    put_port(&world);
    put(&world, TABLE_CABLE_LENGTH, "AZURE", "Ethernet0=5m Ethernet4=300m");
    EXPECT(&world, PG_5M, "BUFFER_PG|Ethernet4|3-4 withheld: no-lookup",
           PROFILE_5M);
    put(&world, TABLE_CABLE_LENGTH, "AZURE", "Ethernet0=5m Ethernet4=5m");
    EXPECT(&world, PG_5M,
           "BUFFER_PG|Ethernet4|3-4 profile=pg_lossless_100000_5m_profile",
           PROFILE_5M);
    assert_int_equal(world.n_reported, 1); /* The profile was there. */
    put(&world, TABLE_CABLE_LENGTH, "AZURE", "Ethernet0=1m Ethernet4=5m");
    EXPECT(&world, "BUFFER_PG|Ethernet0|3-4 withheld: no-lookup",
           "BUFFER_PG|Ethernet4|3-4 profile=pg_lossless_100000_5m_profile",
           PROFILE_5M);
    world_fini(&world);
}

static void
test_shut_port_is_as_the_platform_has_it(void **state)
{
    static const struct {
        const char *metadata;
        size_t n;
    } cases[] = {
        {"platform=x86_64-mlnx_msn2700-r0", 0},
        {"platform=x86_64-nvidia_sn5640-r0", 0},
        {"platform=x86_64-arista_7060_cx32s", 2},
        {"hwsku=x", 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct world world;

        world_init(&world);
        put_port(&world);
        put(&world, TABLE_DEVICE_METADATA, "localhost", cases[i].metadata);
        look(&world);
        assert_int_equal(world.n, 2);
        put(&world, TABLE_PORT, "Ethernet0", "speed=100000 admin_status=down");
        look(&world);
        assert_int_equal(world.n, cases[i].n);
        put(&world, TABLE_PORT, "Ethernet0", "speed=100000");
        look(&world);
        assert_int_equal(world.n, cases[i].n);
        derive_set_platform(world.derive, platform_find("barefoot"));
        look(&world);
        assert_int_equal(world.n, 0);
        world_fini(&world);
    }
}

static void
test_rows_of_the_user_win(void **state)
{
    struct world world;

    (void)state;
    world_init(&world);
    put(&world, TABLE_BUFFER_PG, "Ethernet0|3-4", "profile=mine");
    put_port(&world);
    EXPECT(&world, PROFILE_5M);
    put(&world, TABLE_BUFFER_PROFILE, "pg_lossless_100000_5m_profile",
        "pool=p size=1 dynamic_th=0");
    look(&world);
    /* The user's row replaces it: there is nothing to withdraw. */
    assert_int_equal(world.n_reported, 0);
    put(&world, TABLE_BUFFER_PG, "Ethernet0|3-4", NULL);
    look(&world);
    assert_int_equal(world.n_reported, 1);
    put(&world, TABLE_BUFFER_PROFILE, "pg_lossless_100000_5m_profile", NULL);
    EXPECT(&world, PG_5M, PROFILE_5M);
    put(&world, TABLE_BUFFER_PG, "Ethernet9|3-4", "profile=mine");
    put(&world, TABLE_BUFFER_PG, "Ethernet9|3-4", NULL);
    look(&world);
    assert_int_equal(world.n_reported, 0);
    world_fini(&world);
}

static void
test_cables_are_merged_and_have_to_agree(void **state)
{
    struct world world;

    (void)state;
    world_init(&world);
    put_port(&world);
    put(&world, TABLE_CABLE_LENGTH, "B", "Ethernet0=5m");
    EXPECT(&world, PG_5M, PROFILE_5M);
    put(&world, TABLE_CABLE_LENGTH, "B", "Ethernet0=40m");
    EXPECT(&world, "BUFFER_PG|Ethernet0|3-4 withheld: contradiction");
    put(&world, TABLE_CABLE_LENGTH, "AZURE", NULL);
    EXPECT(&world, PG_40M, PROFILE_40M);
    world_fini(&world);
}

static void
test_most_specific_row_says_which_are_lossless(void **state)
{
    struct world world;

    (void)state;
    world_init(&world);
    put_port(&world);
    put(&world, TABLE_PORT_QOS_MAP, "Ethernet0,Ethernet4", "pfc_enable=6");
    EXPECT(&world, PG_5M, PROFILE_5M);
    put(&world, TABLE_PORT_QOS_MAP, "Ethernet0", NULL);
    EXPECT(&world,
           "BUFFER_PG|Ethernet0|6 profile=pg_lossless_100000_5m_profile",
           PROFILE_5M);
    put(&world, TABLE_PORT_QOS_MAP, "Ethernet0,Ethernet8", "pfc_enable=7");
    EXPECT(&world,
           "BUFFER_PG|Ethernet0|6 profile=pg_lossless_100000_5m_profile",
           PROFILE_5M);
    put(&world, TABLE_PORT_QOS_MAP, "global", "dscp_to_tc_map=AZURE");
    look(&world);
    assert_int_equal(world.n_reported, 0);
    world_fini(&world);
}

static void
test_threshold_is_of_the_kind_of_the_pool(void **state)
{
    struct world world;

    (void)state;
    world_init(&world);
    put_port(&world);
    put(&world, TABLE_BUFFER_POOL, "ingress_lossless_pool", "mode=static");
    EXPECT(&world, PG_5M,
           "BUFFER_PROFILE|pg_lossless_100000_5m_profile "
           "pool=ingress_lossless_pool size=1248 static_th=0 xoff=165568 "
           "xon=2288 xon_offset=2288");
    put(&world, TABLE_BUFFER_POOL, "other_pool", "mode=dynamic");
    look(&world);
    assert_int_equal(world.n_reported, 0);
    put(&world, TABLE_BUFFER_POOL, "ingress_lossless_pool", NULL);
    EXPECT(&world, PG_5M, PROFILE_5M);
    world_fini(&world);
}

static void
test_without_a_table_there_are_no_rows(void **state)
{
    struct pg_profile_lookup lookup = {0};
    struct world world;

    (void)state;
    world_init(&world);
    put_port(&world);
    look(&world);
    assert_int_equal(world.n, 2);
    derive_set_lookup(world.derive, &lookup);
    look(&world);
    assert_int_equal(world.n, 0);
    assert_int_equal(
        pg_profile_lookup_parse(&lookup, "100000 5m 1 2 3 4", "t", NULL),
        ST_OK);
    derive_set_lookup(world.derive, &lookup);
    EXPECT(&world, PG_5M,
           "BUFFER_PROFILE|pg_lossless_100000_5m_profile dynamic_th=4 "
           "pool=ingress_lossless_pool size=1 xoff=3 xon=2");
    world_fini(&world);
}

enum { N_KINDS = 6, N_CHOICES = 4 };

/* What each row may be; NULL: not there. */
static const struct {
    enum table table;
    const char *key;
    const char *choices[N_CHOICES];
} kinds[N_KINDS] = {
    {TABLE_PORT,
     "Ethernet0",
     {NULL, "speed=100000 admin_status=up", "speed=10000 admin_status=up",
      "speed=100000 admin_status=down"}},
    {TABLE_PORT,
     "Ethernet4",
     {NULL, "speed=100000 admin_status=up", "speed=100000", "speed=10000"}},
    {TABLE_CABLE_LENGTH,
     "AZURE",
     {NULL, "Ethernet0=5m Ethernet4=40m", "Ethernet0=0m", "Ethernet4=7m"}},
    {TABLE_PORT_QOS_MAP,
     "Ethernet0,Ethernet4",
     {NULL, "pfc_enable=3,4", "pfc_enable=0,2,4,6", "pfc_enable="}},
    {TABLE_BUFFER_PG, "Ethernet0|3-4", {NULL, NULL, "profile=x", "profile=y"}},
    {TABLE_DEVICE_METADATA,
     "localhost",
     {NULL, "buffer_model=dynamic", "platform=mlnx", "buffer_model=x"}},
};

/* Whatever way the rows came to be as they are, what is derived of them is the
 * same. */
static void
test_result_does_not_depend_on_the_way(void **state)
{
    uint64_t seed = UINT64_C(0xa0761d6478bd642f);
    struct world world;
    size_t chosen[N_KINDS] = {0};

    (void)state;
    world_init(&world);
    for (size_t i = 0; i < 3000; i++) {
        size_t kind = seed_below(&seed, N_KINDS);

        chosen[kind] = seed_below(&seed, N_CHOICES);
        put(&world, kinds[kind].table, kinds[kind].key,
            kinds[kind].choices[chosen[kind]]);
        if (seed_below(&seed, 3) == 0) {
            struct world fresh;

            look(&world);
            world_init(&fresh);
            for (size_t j = N_KINDS; j-- > 0;) {
                put(&fresh, kinds[j].table, kinds[j].key,
                    kinds[j].choices[chosen[j]]);
            }
            look(&fresh);
            /* A derived row that a user's replaced is not withdrawn. */
            for (size_t j = 0; chosen[4] > 1 && j < world.n; j++) {
                if (same_row(world.rows[j], "BUFFER_PG|Ethernet0|3-4")) {
                    free(world.rows[j]);
                    world.rows[j] = world.rows[--world.n];
                    qsort(world.rows, world.n, sizeof world.rows[0], compare);
                }
            }
            assert_int_equal(world.n, fresh.n);
            for (size_t j = 0; j < fresh.n; j++) {
                assert_string_equal(world.rows[j], fresh.rows[j]);
            }
            world_fini(&fresh);
        }
    }
    world_fini(&world);
}

static void
test_the_shipped_table_follows_the_hwsku(void **state)
{
    struct world world;
    struct pg_profile_lookup none = {0}, own = {0};
    struct shipped_lookups shipped = {0};
    struct derive_lookup lookup;

    (void)state;
    world_init(&world);
    derive_set_lookup(world.derive, &none);
    assert_int_equal(shipped_lookups_parse(&shipped,
                                           "[A]\n100000 5m 1 2 3 0\n"
                                           "[B]\n100000 5m 4 5 6 0\n",
                                           "s", NULL),
                     ST_OK);
    derive_set_shipped(world.derive, &shipped);
    put_port(&world);
    expect(&world, NULL, 0);
    put(&world, TABLE_DEVICE_METADATA, "localhost", "hwsku=A");
    EXPECT(&world, PG_5M,
           "BUFFER_PROFILE|pg_lossless_100000_5m_profile "
           "dynamic_th=0 pool=ingress_lossless_pool size=1 xoff=3 "
           "xon=2");
    derive_get_lookup(world.derive, &lookup);
    assert_true(lookup.shipped);
    assert_string_equal(lookup.hwsku, "A");
    put(&world, TABLE_DEVICE_METADATA, "localhost", "hwsku=B");
    EXPECT(&world, PG_5M,
           "BUFFER_PROFILE|pg_lossless_100000_5m_profile "
           "dynamic_th=0 pool=ingress_lossless_pool size=4 xoff=6 "
           "xon=5");
    /* The user's table takes precedence. */
    assert_int_equal(pg_profile_lookup_parse(&own, table, "t", NULL), ST_OK);
    derive_set_lookup(world.derive, &own);
    EXPECT(&world, PG_5M, PROFILE_5M);
    world_fini(&world);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_shipped_table_follows_the_hwsku),
        cmocka_unit_test(test_rows_follow_from_speed_cable_and_pfc),
        cmocka_unit_test(test_each_precondition_is_needed),
        cmocka_unit_test(test_d10_no_rows_for_a_cable_of_0m),
        cmocka_unit_test(test_c2_changes_leave_nothing_behind),
        cmocka_unit_test(test_c4_missing_pair_harms_no_other_port),
        cmocka_unit_test(test_shut_port_is_as_the_platform_has_it),
        cmocka_unit_test(test_rows_of_the_user_win),
        cmocka_unit_test(test_cables_are_merged_and_have_to_agree),
        cmocka_unit_test(test_most_specific_row_says_which_are_lossless),
        cmocka_unit_test(test_threshold_is_of_the_kind_of_the_pool),
        cmocka_unit_test(test_without_a_table_there_are_no_rows),
        cmocka_unit_test(test_result_does_not_depend_on_the_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
