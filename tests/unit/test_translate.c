/* SPDX-License-Identifier: Apache-2.0 */

/* The translation tables against the SAI metadata and the schema, and rows
 * through the engine. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "orchd/intent/schema.h"
#include "orchd/translate/rules.h"
#include "orchd/translate/translate.h"
#include "sai/core/metadata.h"

static const struct table_rule *
rules_of(int i)
{
    return i < N_TABLES ? rules_get((enum table)i) : rules_get_global_qos();
}

static void
check_reference(const struct field_rule *rule,
                const struct metadata_attribute *meta,
                const struct schema_field *field)
{
    bool list = rule->convert == CONVERT_ROWS;

    assert_int_equal(meta->kind, list ? KIND_OBJLIST : KIND_OID);
    assert_true(list || meta->null_allowed ||
                (meta->flags & METADATA_FLAG_MANDATORY_ON_CREATE));
    assert_int_equal(meta->objects[0],
                     translate_object_type(rule->argument.table));
    assert_non_null(field->refers_to);
    assert_string_equal(field->refers_to, table_name(rule->argument.table));
}

/* Each word of the schema has a value, each value is one that SAI has, and
 * what is assumed without the field is the same on both sides. */
static void
check_words(const struct field_rule *rule,
            const struct metadata_attribute *meta,
            const struct schema_field *field)
{
    struct text words = {0};
    sai_attribute_value_t value;

    for (const struct word *w = rule->argument.words; w->word; w++) {
        assert_true(!meta->enumeration ||
                    metadata_enum_has(meta->enumeration, w->value));
        text_add_item(&words, ", ", w->word);
        if (field->default_value && !strcmp(w->word, field->default_value)) {
            assert_true(metadata_default(meta, &value));
            assert_int_equal(metadata_number(meta->kind, &value), w->value);
        }
    }
    assert_string_equal(text_string(&words), field->allowed);
    text_fini(&words);
}

/* What the schema lets through fits into what SAI has for it. */
static void
check_number(const struct field_rule *rule,
             const struct metadata_attribute *meta,
             const struct schema_field *field)
{
    static const struct {
        enum kind kind;
        long long min;
        unsigned long long max;
    } kinds[] = {{KIND_U8, 0, UINT8_MAX},
                 {KIND_S8, INT8_MIN, INT8_MAX},
                 {KIND_U16, 0, UINT16_MAX},
                 {KIND_U32, 0, UINT32_MAX},
                 {KIND_U64, 0, UINT64_MAX}};
    const long long offset = rule->argument.offset;
    sai_attribute_value_t value;
    unsigned long long max;
    long long min;
    size_t i = 0;

    assert_int_equal(sscanf(field->allowed, "%lld..%llu", &min, &max), 2);
    while (kinds[i].kind != meta->kind) {
        i++;
        assert_true(i < sizeof kinds / sizeof *kinds);
    }
    assert_true(min + offset >= kinds[i].min &&
                max <= kinds[i].max - (unsigned long long)offset);
    assert_true(!meta->has_range ||
                (min >= meta->min && max <= (unsigned long long)meta->max));
    if (field->default_value) {
        assert_true(metadata_default(meta, &value));
        assert_true(metadata_number(meta->kind, &value) ==
                    strtoll(field->default_value, NULL, 10));
    }
}

/* The schema allows a word and numbers, all of which SAI has. */
static void
check_word_or_number(const struct field_rule *rule,
                     const struct metadata_attribute *meta,
                     const struct schema_field *field)
{
    const bool words = rule->convert == CONVERT_ELSE;
    const char *word =
        words ? rule->argument.words[0].word : rule->argument.unless;
    const struct word *last = rule->argument.words;
    unsigned long long max;

    assert_int_equal(strncmp(field->allowed, word, strlen(word)), 0);
    if (!words) {
        assert_int_equal(
            sscanf(field->allowed + strlen(word), ", or 0..%llu", &max), 1);
        assert_int_equal(meta->kind, KIND_U8);
        assert_true(max <= UINT8_MAX &&
                    (!meta->has_range || max <= (unsigned long long)meta->max));
        return;
    }
    for (; last->word; last++) {
        assert_true(metadata_enum_has(meta->enumeration, last->value));
    }
    assert_true(metadata_enum_has(meta->enumeration, last->value));
}

static void
check_rule(const struct table_rule *rules, const struct field_rule *rule,
           const struct schema *schema)
{
    const struct metadata_attribute *meta = metadata_attribute(
        rule->type ? rule->type : rules->type, rule->attribute);
    struct schema_field field = {0}, unless;

    assert_true(!rule->field ||
                schema_find_field(schema, rules->table, rule->field, &field));
    if (rule->convert == CONVERT_NONE) {
        return;
    }
    assert_non_null(meta);
    assert_false(meta->flags & METADATA_FLAG_READ_ONLY);
    assert_true(!rule->conditional || meta->condition == METADATA_VALID_IF_ANY);
    assert_true((field.refers_to != NULL) == (rule->convert == CONVERT_ROW ||
                                              rule->convert == CONVERT_ROWS));
    switch (rule->convert) {
    case CONVERT_ROW:
    case CONVERT_ROWS:
        check_reference(rule, meta, &field);
        break;
    case CONVERT_WORD:
        check_words(rule, meta, &field);
        break;
    case CONVERT_NUMBER:
        check_number(rule, meta, &field);
        break;
    case CONVERT_ELSE:
    case CONVERT_UNLESS:
        check_word_or_number(rule, meta, &field);
        break;
    case CONVERT_LANES:
        assert_int_equal(meta->kind, KIND_U32LIST);
        break;
    case CONVERT_BITS:
        assert_int_equal(meta->kind, KIND_U8);
        break;
    case CONVERT_FILL:
        assert_string_equal(field.allowed, "true, false");
        assert_true(schema_find_field(schema, rules->table,
                                      rule->argument.unless, &unless));
        break;
    default:
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

        for (size_t j = 0; j < rules->n_fields; j++) {
            check_rule(rules, &rules->fields[j], schema);
            n++;
        }
    }
    assert_true(n > 60);
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
test_rows_of_voqs_reach_no_scheduler_group(void **state)
{
    static const char *const ports[] = {"lc2|asic0|Ethernet0",
                                        "lc2|asic0|Ethernet4"};
    static const struct field fields[] = {{"scheduler", "s"},
                                          {"wred_profile", "w"}};
    struct arena *arena = arena_create(0);
    struct text warnings = {0};
    struct row row = {
        .table = TABLE_QUEUE,
        .key = "lc2|asic0|Ethernet0,Ethernet4|3-4",
        .ports = ports,
        .n_ports = 2,
        .first = 3,
        .last = 4,
        .fields = fields,
        .n_fields = 2,
    };
    struct demand demand = translated(arena, &row, &warnings);

    (void)state;
    assert_int_equal(demand.n_objects, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(demand.objects[i].table, TABLE_BUFFER_QUEUE);
        assert_string_equal(demand.objects[i].name, ports[i / 2]);
        assert_int_equal(demand.objects[i].index, 3 + i % 2);
    }
    assert_int_equal(demand.n_wants, 1);
    assert_int_equal(demand.wants[0].meta->id, SAI_QUEUE_ATTR_WRED_PROFILE_ID);
    assert_true(demand.wants[0].only_voqs);
    assert_string_equal(text_string(&warnings), "ignored-field scheduler");
    row = (struct row){.table = TABLE_SYSTEM_PORT, .key = ports[0]};
    demand = translated(arena, &row, &warnings);
    assert_int_equal(demand.n_objects, 1);
    assert_int_equal(demand.objects[0].table, TABLE_SYSTEM_PORT);
    assert_int_equal(demand.n_wants, 0);
    assert_false(demand.defines);
    text_fini(&warnings);
    arena_destroy(arena);
}

/* The scheduler of an own port is for its queues, in scheduler groups or not.
 */
static void
test_rows_of_own_voqs_reach_the_queues_of_the_port(void **state)
{
    static const char *const ports[] = {"lc1|asic0|Ethernet0",
                                        "lc1|asic0|Ethernet4"};
    static const enum table tables[] = {TABLE_BUFFER_QUEUE, TABLE_QUEUE,
                                        TABLE_BUFFER_QUEUE};
    static const struct field fields[] = {{"scheduler", "s"},
                                          {"wred_profile", "w"}};
    struct arena *arena = arena_create(0);
    struct text warnings = {0};
    struct row row = {
        .table = TABLE_QUEUE,
        .key = "lc1|asic0|Ethernet0,Ethernet4|3",
        .ports = ports,
        .n_ports = 2,
        .first = 3,
        .last = 3,
        .is_own = true,
        .fields = fields,
        .n_fields = 2,
    };
    struct demand demand = translated(arena, &row, &warnings);

    (void)state;
    assert_int_equal(demand.n_objects, 6);
    for (size_t i = 0; i < 6; i++) {
        const char *port = ports[i / 3];

        assert_int_equal(demand.objects[i].table, tables[i % 3]);
        assert_string_equal(demand.objects[i].name,
                            i % 3 ? strrchr(port, '|') + 1 : port);
        assert_int_equal(demand.objects[i].index, 3);
    }
    assert_int_equal(demand.n_wants, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(demand.wants[i].only_voqs,
                         demand.wants[i].meta->id ==
                                 SAI_QUEUE_ATTR_WRED_PROFILE_ID &&
                             demand.wants[i].type == SAI_OBJECT_TYPE_QUEUE);
    }
    assert_string_equal(text_string(&warnings), "");
    text_fini(&warnings);
    arena_destroy(arena);
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

/* The wred profile is wanted of the queue, the scheduler of its group, or of
 * the queue too, where there are no groups. */
static void
test_queue_row_speaks_of_queues_and_groups(void **state)
{
    static const struct field fields[] = {{"scheduler", "s"},
                                          {"wred_profile", "w"}};
    static const char *const ports[] = {"Ethernet0"};
    struct arena *arena = arena_create(0);
    struct text warnings = {0};
    struct row row = {.table = TABLE_QUEUE,
                      .key = "Ethernet0|3-4",
                      .ports = ports,
                      .n_ports = 1,
                      .first = 3,
                      .last = 4,
                      .fields = fields,
                      .n_fields = 2};
    struct demand demand = translated(arena, &row, &warnings);

    (void)state;
    assert_int_equal(demand.n_objects, 4);
    assert_int_equal(demand.width, 2);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(demand.objects[i].table,
                         i % 2 ? TABLE_BUFFER_QUEUE : TABLE_QUEUE);
        assert_int_equal(demand.objects[i].index, 3 + i / 2);
        assert_string_equal(demand.objects[i].name, "Ethernet0");
    }
    assert_int_equal(demand.n_wants, 3);
    assert_int_equal(demand.wants[0].type, SAI_OBJECT_TYPE_QUEUE);
    assert_int_equal(demand.wants[0].meta->id, SAI_QUEUE_ATTR_WRED_PROFILE_ID);
    assert_int_equal(demand.wants[1].type, SAI_OBJECT_TYPE_QUEUE);
    assert_int_equal(demand.wants[1].meta->id,
                     SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID);
    assert_int_equal(demand.wants[2].type, SAI_OBJECT_TYPE_SCHEDULER_GROUP);
    assert_int_equal(demand.wants[2].meta->id,
                     SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID);
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

/* Returns what 'demand' wants of attribute 'id', or NULL. */
static const struct want *
want_of(const struct demand *demand, sai_attr_id_t id)
{
    for (size_t i = 0; i < demand->n_wants; i++) {
        if (demand->wants[i].meta->id == id) {
            return &demand->wants[i];
        }
    }
    return NULL;
}

static void
test_pfc_mask_is_wanted_for_either_mode(void **state)
{
    static const char *const ports[] = {"Ethernet0"};
    static const struct {
        const char *list;
        uint8_t mask;
    } cases[] = {{"3,4", 0x18}, {"", 0}, {"7,0", 0x81}};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const struct field fields[] = {{"pfc_enable", cases[i].list},
                                       {"pfcwd_sw_enable", "3"}};
        struct arena *arena = arena_create(0);
        struct text warnings = {0};
        struct row row = {.table = TABLE_PORT_QOS_MAP,
                          .key = "Ethernet0",
                          .ports = ports,
                          .n_ports = 1,
                          .fields = fields,
                          .n_fields = 2};
        struct demand demand = translated(arena, &row, &warnings);
        const struct want *both =
            want_of(&demand, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL);
        const struct want *sent =
            want_of(&demand, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_TX);

        assert_int_equal(demand.n_wants, 2);
        assert_int_equal(both->value.u8, cases[i].mask);
        assert_int_equal(sent->value.u8, cases[i].mask);
        assert_true(both->conditional && sent->conditional);
        assert_string_equal(text_string(&warnings), "");
        arena_destroy(arena);
    }
}

static void
test_scheduler_priority_is_ignored_with_a_warning(void **state)
{
    static const struct field fields[] = {{"pbs", "8192"},
                                          {"pir", "12500000000"},
                                          {"priority", "3"},
                                          {"type", "STRICT"}};
    struct arena *arena = arena_create(0);
    struct text warnings = {0};
    struct row row = {
        .table = TABLE_SCHEDULER, .key = "s", .fields = fields, .n_fields = 4};
    struct demand demand = translated(arena, &row, &warnings);

    (void)state;
    assert_int_equal(demand.n_wants, 3);
    assert_int_equal(
        want_of(&demand, SAI_SCHEDULER_ATTR_SCHEDULING_TYPE)->value.s32,
        SAI_SCHEDULING_TYPE_STRICT);
    assert_true(
        want_of(&demand, SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_RATE)->value.u64 ==
        UINT64_C(12500000000));
    assert_string_equal(text_string(&warnings), "unsupported-field priority");
    text_fini(&warnings);
    arena_destroy(arena);
}

/* The probability is said for colours that drop, even where the row leaves it
 * to the default, and for others only if the row says it. */
static void
test_wred_says_the_probability_of_enabled_colours(void **state)
{
    static const struct field fields[] = {{"ecn", "ecn_green_red"},
                                          {"red_drop_probability", "7"},
                                          {"wred_green_enable", "true"},
                                          {"wred_red_enable", "true"},
                                          {"wred_yellow_enable", "false"}};
    struct arena *arena = arena_create(0);
    struct text warnings = {0};
    struct row row = {.table = TABLE_WRED_PROFILE,
                      .key = "w",
                      .fields = fields,
                      .n_fields = 5};
    struct demand demand = translated(arena, &row, &warnings);

    (void)state;
    assert_int_equal(demand.n_wants, 7);
    assert_int_equal(want_of(&demand, SAI_WRED_ATTR_WEIGHT)->value.u8, 0);
    assert_int_equal(want_of(&demand, SAI_WRED_ATTR_ECN_MARK_MODE)->value.s32,
                     SAI_ECN_MARK_MODE_GREEN_RED);
    assert_int_equal(
        want_of(&demand, SAI_WRED_ATTR_GREEN_DROP_PROBABILITY)->value.u32, 100);
    assert_int_equal(
        want_of(&demand, SAI_WRED_ATTR_RED_DROP_PROBABILITY)->value.u32, 7);
    assert_null(want_of(&demand, SAI_WRED_ATTR_YELLOW_DROP_PROBABILITY));
    arena_destroy(arena);
}

/* Both sides of each kind of map, by the members that SAI looks at. */
static void
test_maps_use_the_members_of_their_type(void **state)
{
    static const struct {
        enum table table;
        sai_qos_map_type_t type;
        sai_qos_map_params_t key, value;
    } cases[] = {
        {TABLE_DSCP_TO_TC_MAP,
         SAI_QOS_MAP_TYPE_DSCP_TO_TC,
         {.dscp = 5},
         {.tc = 3}},
        {TABLE_DOT1P_TO_TC_MAP,
         SAI_QOS_MAP_TYPE_DOT1P_TO_TC,
         {.dot1p = 5},
         {.tc = 3}},
        {TABLE_MPLS_TC_TO_TC_MAP,
         SAI_QOS_MAP_TYPE_MPLS_EXP_TO_TC,
         {.mpls_exp = 5},
         {.tc = 3}},
        {TABLE_TC_TO_QUEUE_MAP,
         SAI_QOS_MAP_TYPE_TC_TO_QUEUE,
         {.tc = 5},
         {.queue_index = 3}},
        {TABLE_TC_TO_PRIORITY_GROUP_MAP,
         SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP,
         {.tc = 5},
         {.pg = 3}},
        {TABLE_TC_TO_DSCP_MAP,
         SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_DSCP,
         {.tc = 5},
         {.dscp = 3}},
        {TABLE_TC_TO_DOT1P_MAP,
         SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_DOT1P,
         {.tc = 5},
         {.dot1p = 3}},
        {TABLE_PFC_PRIORITY_TO_PRIORITY_GROUP_MAP,
         SAI_QOS_MAP_TYPE_PFC_PRIORITY_TO_PRIORITY_GROUP,
         {.prio = 5},
         {.pg = 3}},
        {TABLE_MAP_PFC_PRIORITY_TO_QUEUE,
         SAI_QOS_MAP_TYPE_PFC_PRIORITY_TO_QUEUE,
         {.prio = 5},
         {.queue_index = 3}},
        {TABLE_DSCP_TO_FC_MAP,
         SAI_QOS_MAP_TYPE_DSCP_TO_FORWARDING_CLASS,
         {.dscp = 5},
         {.fc = 3}},
        {TABLE_EXP_TO_FC_MAP,
         SAI_QOS_MAP_TYPE_MPLS_EXP_TO_FORWARDING_CLASS,
         {.mpls_exp = 5},
         {.fc = 3}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const struct field fields[] = {{"5", "3"}};
        struct arena *arena = arena_create(0);
        struct text warnings = {0};
        struct row row = {.table = cases[i].table,
                          .key = "m",
                          .fields = fields,
                          .n_fields = 1};
        struct demand demand = translated(arena, &row, &warnings);
        const sai_qos_map_list_t *list = &demand.wants[1].value.qosmap;

        assert_int_equal(demand.wants[0].value.s32, cases[i].type);
        assert_int_equal(list->count, 1);
        assert_memory_equal(&list->list[0].key, &cases[i].key,
                            sizeof cases[i].key);
        assert_memory_equal(&list->list[0].value, &cases[i].value,
                            sizeof cases[i].value);
        arena_destroy(arena);
    }
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
            struct object_name a = {names[i], TABLE_PORT, -1};
            struct object_name b = {names[j], TABLE_PORT, -1};
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
        cmocka_unit_test(test_rows_of_voqs_reach_no_scheduler_group),
        cmocka_unit_test(test_rows_of_own_voqs_reach_the_queues_of_the_port),
        cmocka_unit_test(test_range_on_ports_reaches_each_place),
        cmocka_unit_test(test_queue_row_speaks_of_queues_and_groups),
        cmocka_unit_test(test_map_is_ordered_by_number),
        cmocka_unit_test(test_threshold_field_decides_the_mode),
        cmocka_unit_test(test_pfc_mask_is_wanted_for_either_mode),
        cmocka_unit_test(test_scheduler_priority_is_ignored_with_a_warning),
        cmocka_unit_test(test_wred_says_the_probability_of_enabled_colours),
        cmocka_unit_test(test_maps_use_the_members_of_their_type),
        cmocka_unit_test(test_names_are_ordered_as_people_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
