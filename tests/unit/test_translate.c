/* SPDX-License-Identifier: Apache-2.0 */

/* The translation tables against the SAI metadata and the schema, and rows
 * through the engine. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "orchd/intent/schema.h"
#include "orchd/translate/rules.h"
#include "orchd/translate/translate.h"
#include "sai/metadata.h"

static const struct table_rule *
rules_of(int i)
{
    return i < N_TABLES ? rules_get((enum table)i) : rules_get_global_qos();
}

static void
check_rule(const struct table_rule *rules, const struct field_rule *rule,
           const struct schema *schema)
{
    const struct metadata_attribute *meta =
        metadata_attribute(rules->type, rule->attribute);
    const char *referred = schema_reference(schema, rules->table, rule->field);

    if (rule->convert == CONVERT_NONE) {
        return;
    }
    assert_non_null(meta);
    assert_false(meta->flags & METADATA_FLAG_READ_ONLY);
    switch (rule->convert) {
    case CONVERT_ROW:
        assert_int_equal(meta->kind, KIND_OID);
        assert_int_equal(meta->objects[0],
                         translate_object_type(rule->argument.table));
        assert_non_null(referred);
        assert_string_equal(referred, table_name(rule->argument.table));
        break;
    case CONVERT_WORD:
        for (const struct word *w = rule->argument.words; w->word; w++) {
            assert_true(!meta->enumeration ||
                        metadata_enum_has(meta->enumeration, w->value));
        }
        assert_null(referred);
        break;
    case CONVERT_LANES:
        assert_int_equal(meta->kind, KIND_U32LIST);
        break;
    default:
        assert_null(referred);
        break;
    }
}

static void
test_tables_agree_with_metadata_and_schema(void **state)
{
    struct schema *schema;
    struct err err;
    size_t n = 0;

    (void)state;
    assert_int_equal(schema_create(SCHEMA_DIR, &schema, &err), ST_OK);
    for (int i = 0; i <= N_TABLES; i++) {
        const struct table_rule *rules = rules_of(i);

        assert_true(i == N_TABLES ||
                    table_live((enum table)i) == (rules != NULL));
        for (size_t j = 0; rules && j < rules->n_fields; j++) {
            check_rule(rules, &rules->fields[j], schema);
            n++;
        }
    }
    assert_true(n > 30);
    schema_destroy(schema);
}

/* Translates a row of up to four fields; the arena is the caller's. */
static struct demand
translated(struct arena *arena, struct row *row, struct text *warnings)
{
    struct demand demand;
    struct err err = {0};

    row->present = row->effective = true;
    assert_int_equal(translate_row(row, arena, &demand, warnings, &err), ST_OK);
    return demand;
}

static void
test_port_fields_become_attributes(void **state)
{
    static const struct field fields[] = {{"admin_status", "up"},
                                          {"lanes", "5,6,7,8"},
                                          {"mtu", "9100"},
                                          {"speed", "100000"}};
    struct arena *arena = arena_create(0);
    struct text warnings = {0};
    struct row row = {.table = TABLE_PORT,
                      .key = "Ethernet4",
                      .fields = fields,
                      .n_fields = 4};
    struct demand demand = translated(arena, &row, &warnings);

    (void)state;
    assert_int_equal(demand.n_objects, 1);
    assert_true(demand.defines);
    assert_string_equal(demand.objects[0].name, "Ethernet4");
    assert_int_equal(demand.n_wants, 4);
    for (size_t i = 0; i < demand.n_wants; i++) {
        const struct want *want = &demand.wants[i];

        switch (want->meta->id) {
        case SAI_PORT_ATTR_HW_LANE_LIST:
            assert_int_equal(want->value.u32list.count, 4);
            assert_int_equal(want->value.u32list.list[3], 8);
            break;
        case SAI_PORT_ATTR_SPEED:
            assert_int_equal(want->value.u32, 100000);
            break;
        case SAI_PORT_ATTR_MTU:
            assert_int_equal(want->value.u32, 9122);
            break;
        case SAI_PORT_ATTR_ADMIN_STATE:
            assert_true(want->value.booldata);
            break;
        default:
            fail();
        }
    }
    assert_string_equal(text_string(&warnings), "");
    arena_destroy(arena);
}

static void
test_range_on_ports_reaches_each_place(void **state)
{
    static const struct field fields[] = {{"profile", "p"}};
    static const char *const ports[] = {"Ethernet0", "Ethernet4"};
    struct arena *arena = arena_create(0);
    struct text warnings = {0};
    struct row row = {.table = TABLE_BUFFER_QUEUE,
                      .key = "Ethernet0,Ethernet4|3-5",
                      .ports = ports,
                      .n_ports = 2,
                      .first = 3,
                      .last = 5,
                      .fields = fields,
                      .n_fields = 1};
    struct demand demand = translated(arena, &row, &warnings);

    (void)state;
    assert_int_equal(demand.n_objects, 6);
    assert_int_equal(demand.width, 3);
    assert_int_equal(demand.n_ports, 2);
    assert_false(demand.defines);
    assert_string_equal(demand.objects[5].name, "Ethernet4");
    assert_int_equal(demand.objects[5].index, 5);
    assert_int_equal(demand.wants[0].n_refs, 1);
    assert_string_equal(demand.wants[0].refs[0].name, "p");
    arena_destroy(arena);
}

static void
test_map_is_ordered_by_number(void **state)
{
    static const struct field fields[] = {{"10", "1"}, {"3", "3"}, {"46", "5"}};
    struct arena *arena = arena_create(0);
    struct text warnings = {0};
    struct row row = {.table = TABLE_DSCP_TO_TC_MAP,
                      .key = "AZURE",
                      .fields = fields,
                      .n_fields = 3};
    struct demand demand = translated(arena, &row, &warnings);
    const sai_qos_map_list_t *list = &demand.wants[1].value.qosmap;

    (void)state;
    assert_int_equal(demand.wants[0].value.s32, SAI_QOS_MAP_TYPE_DSCP_TO_TC);
    assert_int_equal(list->count, 3);
    assert_int_equal(list->list[0].key.dscp, 3);
    assert_int_equal(list->list[1].key.dscp, 10);
    assert_int_equal(list->list[2].key.dscp, 46);
    assert_int_equal(list->list[2].value.tc, 5);
    arena_destroy(arena);
}

static void
test_threshold_field_decides_the_mode(void **state)
{
    static const struct {
        struct field fields[3]; /* By name. */
        int32_t mode;
    } cases[] = {
        {{{"dynamic_th", "-8"}, {"pool", "x"}, {"size", "18446744073"}},
         SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC},
        {{{"pool", "x"}, {"size", "18446744073"}, {"static_th", "0"}},
         SAI_BUFFER_PROFILE_THRESHOLD_MODE_STATIC},
    };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct arena *arena = arena_create(0);
        struct text warnings = {0};
        struct row row = {.table = TABLE_BUFFER_PROFILE,
                          .key = "p",
                          .fields = cases[i].fields,
                          .n_fields = 3};
        struct demand demand = translated(arena, &row, &warnings);

        assert_int_equal(demand.n_wants, 4);
        assert_true(demand.wants[1].value.u64 == UINT64_C(18446744073));
        assert_int_equal(demand.wants[2].meta->id,
                         SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE);
        assert_int_equal(demand.wants[2].value.s32, cases[i].mode);
        assert_int_equal(demand.wants[3].value.s8, i == 0 ? -8 : 0);
        arena_destroy(arena);
    }
}

static void
test_pfc_mask_and_later_fields(void **state)
{
    static const char *const ports[] = {"Ethernet0"};
    static const struct field fields[] = {{"pfc_enable", "3,4"},
                                          {"pfc_to_pg_map", "AZURE"}};
    static const struct field none[] = {{"pfc_enable", ""}};
    struct arena *arena = arena_create(0);
    struct text warnings = {0};
    struct row row = {.table = TABLE_PORT_QOS_MAP,
                      .key = "Ethernet0",
                      .ports = ports,
                      .n_ports = 1,
                      .fields = fields,
                      .n_fields = 2};
    struct demand demand = translated(arena, &row, &warnings);

    (void)state;
    assert_int_equal(demand.n_wants, 1);
    assert_int_equal(demand.wants[0].value.u8, 0x18);
    assert_string_equal(text_string(&warnings),
                        "unsupported-field pfc_to_pg_map");
    row.fields = none;
    row.n_fields = 1;
    demand = translated(arena, &row, &warnings);
    assert_int_equal(demand.wants[0].value.u8, 0);
    text_fini(&warnings);
    arena_destroy(arena);
}

static void
test_names_are_ordered_as_people_count(void **state)
{
    static const char *const names[] = {
        "Ethernet",   "Ethernet0", "Ethernet8", "Ethernet010",
        "Ethernet10", "Loop",      "a1b2",      "a1b10"};

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        for (size_t j = 0; j < 8; j++) {
            struct object_name a = {TABLE_PORT, names[i], -1};
            struct object_name b = {TABLE_PORT, names[j], -1};
            int order = object_name_compare(&a, &b);

            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_agree_with_metadata_and_schema),
        cmocka_unit_test(test_port_fields_become_attributes),
        cmocka_unit_test(test_range_on_ports_reaches_each_place),
        cmocka_unit_test(test_map_is_ordered_by_number),
        cmocka_unit_test(test_threshold_field_decides_the_mode),
        cmocka_unit_test(test_pfc_mask_and_later_fields),
        cmocka_unit_test(test_names_are_ordered_as_people_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
