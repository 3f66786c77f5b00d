/* SPDX-License-Identifier: Apache-2.0 */

/* A table of fields per structure, with one writer and one parser for all.
 *
 * An element has groups of fields: those of the structure itself, and those of
 * nested structures, which become JSON objects of their own.  The writer walks
 * the tables, which are sorted, so its output is sorted.  The parser walks the
 * JSON and looks up each member, so it accepts any order and detects unknown
 * members.
 *
 * The text may come from a database that any client can write: the parser
 * bounds counts, checks each number against its field, and stores nothing
 * before all of the text is valid. */

#include <config.h>

#include "sai/core/struct_json.h"

#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/text.h"
#include "sai/core/metadata.h"

/* The type of a field, which determines its range and width. */
enum field_type { F_BOOL, F_U8, F_U16, F_S16, F_U32, F_S32, F_U64, F_ENUM };

struct field {
    const char *name;
    size_t offset;
    enum field_type type;
    const char *enumeration; /* Of F_ENUM. */
};

/* Fields that form one JSON object.  'name' is NULL for the element itself,
 * else the name of the nested object. */
struct group {
    const char *name;
    size_t base; /* Of the offsets of the fields. */
    const struct field *fields;
    size_t n_fields;
};

#define FIELD(type, member, kind)                                              \
    {                                                                          \
#member, offsetof(type, member), F_##kind, NULL                        \
    }
#define FIELD_ENUM(type, member, enumeration)                                  \
    {                                                                          \
#member, offsetof(type, member), F_ENUM, #enumeration                  \
    }

/* All sorted by name. */
static const struct field qos_params[] = {
    FIELD_ENUM(sai_qos_map_params_t, color, sai_packet_color_t),
    FIELD(sai_qos_map_params_t, dot1p, U8),
    FIELD(sai_qos_map_params_t, dscp, U8),
    FIELD(sai_qos_map_params_t, fc, U8),
    FIELD(sai_qos_map_params_t, mpls_exp, U8),
    FIELD(sai_qos_map_params_t, pg, U8),
    FIELD(sai_qos_map_params_t, prio, U8),
    {"qidx", offsetof(sai_qos_map_params_t, queue_index), F_U8, NULL},
    FIELD(sai_qos_map_params_t, tc, U8),
};
static const struct field map[] = {
    FIELD(sai_map_t, key, U32),
    FIELD(sai_map_t, value, S32),
};
static const struct field acl_resource[] = {
    FIELD(sai_acl_resource_t, avail_num, U32),
    FIELD_ENUM(sai_acl_resource_t, bind_point, sai_acl_bind_point_type_t),
    FIELD_ENUM(sai_acl_resource_t, stage, sai_acl_stage_t),
};
static const struct field acl_chain[] = {
    FIELD_ENUM(sai_acl_chain_t, chain_group_stage,
               sai_acl_table_chain_group_stage_t),
    FIELD_ENUM(sai_acl_chain_t, supported_match_type,
               sai_acl_table_supported_match_type_t),
};
static const struct field system_port[] = {
    FIELD(sai_system_port_config_t, attached_core_index, U32),
    FIELD(sai_system_port_config_t, attached_core_port_index, U32),
    FIELD(sai_system_port_config_t, attached_switch_id, U32),
    FIELD(sai_system_port_config_t, num_voq, U32),
    FIELD(sai_system_port_config_t, port_id, U32),
    FIELD(sai_system_port_config_t, speed, U32),
};
static const struct field eye_values[] = {
    FIELD(sai_port_lane_eye_values_t, down, S32),
    FIELD(sai_port_lane_eye_values_t, lane, U32),
    FIELD(sai_port_lane_eye_values_t, left, S32),
    FIELD(sai_port_lane_eye_values_t, right, S32),
    FIELD(sai_port_lane_eye_values_t, up, S32),
};
static const struct field pam4_eye_values[] = {
    FIELD(sai_port_pam4_lane_eye_values_t, lane, U32),
    FIELD(sai_port_pam4_lane_eye_values_t, lower_ht, S32),
    FIELD(sai_port_pam4_lane_eye_values_t, lower_wd, S32),
    FIELD(sai_port_pam4_lane_eye_values_t, middle_ht, S32),
    FIELD(sai_port_pam4_lane_eye_values_t, middle_wd, S32),
    FIELD(sai_port_pam4_lane_eye_values_t, upper_ht, S32),
    FIELD(sai_port_pam4_lane_eye_values_t, upper_wd, S32),
};
static const struct field latch_status[] = {
    FIELD(sai_latch_status_t, changed, BOOL),
    FIELD(sai_latch_status_t, current_status, BOOL),
};
static const struct field lane[] = {{"lane", 0, F_U32, NULL}};
static const struct field frequency_offset[] = {
    FIELD(sai_port_frequency_offset_ppm_values_t, lane, U32),
    FIELD(sai_port_frequency_offset_ppm_values_t, ppm, S16),
};
static const struct field snr[] = {
    FIELD(sai_port_snr_values_t, lane, U32),
    FIELD(sai_port_snr_values_t, snr, U16),
};
static const struct field rx_state[] = {
    FIELD(sai_prbs_rx_state_t, error_count, U32),
    FIELD_ENUM(sai_prbs_rx_state_t, rx_status, sai_port_prbs_rx_status_t),
};
static const struct field lane_rx_status[] = {
    FIELD(sai_prbs_per_lane_rx_status_t, lane, U32),
    FIELD_ENUM(sai_prbs_per_lane_rx_status_t, rx_status,
               sai_port_prbs_rx_status_t),
};
static const struct field bit_error_rate[] = {
    FIELD(sai_prbs_bit_error_rate_t, exponent, U8),
    FIELD(sai_prbs_bit_error_rate_t, mantissa, U64),
};
static const struct field timespec[] = {
    FIELD(sai_timespec_t, tv_nsec, U32),
    FIELD(sai_timespec_t, tv_sec, U64),
};
static const struct field reachability[] = {
    FIELD(sai_fabric_port_reachability_t, reachable, BOOL),
    FIELD(sai_fabric_port_reachability_t, switch_id, U32),
};

#define MAX_GROUPS 2

#define GROUP(name, base, fields)                                              \
    {                                                                          \
        name, base, fields, sizeof(fields) / sizeof((fields)[0])               \
    }
#define WHOLE(fields)                                                          \
    {                                                                          \
        GROUP(NULL, 0, fields)                                                 \
    }

/* The groups of a value or of an element of its list, sorted by name; a group
 * without a name is first.  Kinds without a row are not structures. */
static const struct group records[KIND_N][MAX_GROUPS] = {
    [KIND_QOSMAP] = {GROUP("key", offsetof(sai_qos_map_t, key), qos_params),
                     GROUP("value", offsetof(sai_qos_map_t, value),
                           qos_params)},
    [KIND_MAPLIST] = WHOLE(map),
    [KIND_ACLRESOURCE] = WHOLE(acl_resource),
    [KIND_ACLCHAINLIST] = WHOLE(acl_chain),
    [KIND_SYSPORTCONFIG] = WHOLE(system_port),
    [KIND_SYSPORTCONFIGLIST] = WHOLE(system_port),
    [KIND_PORTEYEVALUES] = WHOLE(eye_values),
    [KIND_PORTPAM4EYEVALUES] = WHOLE(pam4_eye_values),
    [KIND_PORTLANELATCHSTATUSLIST] =
        {GROUP(NULL, 0, lane),
         GROUP("value", offsetof(sai_port_lane_latch_status_t, value),
               latch_status)},
    [KIND_PORTFREQUENCYOFFSETPPMLIST] = WHOLE(frequency_offset),
    [KIND_PORTSNRLIST] = WHOLE(snr),
    [KIND_PRBS_RX_STATUS_LIST] = WHOLE(lane_rx_status),
    [KIND_PRBS_RX_STATE_LIST] = {GROUP(NULL, 0, lane),
                                 GROUP("rx_state",
                                       offsetof(sai_prbs_per_lane_rx_state_t,
                                                rx_state),
                                       rx_state)},
    [KIND_PRBS_BER_LIST] = {GROUP(NULL, 0, lane),
                            GROUP("rate",
                                  offsetof(sai_prbs_per_lane_bit_error_rate_t,
                                           ber),
                                  bit_error_rate)},
    [KIND_TIMESPEC] = WHOLE(timespec),
    [KIND_RX_STATE] = WHOLE(rx_state),
    [KIND_REACHABILITY] = WHOLE(reachability),
    [KIND_LATCHSTATUS] = WHOLE(latch_status),
};

static const struct {
    int64_t min;
    int64_t max;
    size_t size;
} ranges[] = {
    [F_BOOL] = {0, 1, sizeof(bool)},
    [F_U8] = {0, UINT8_MAX, 1},
    [F_U16] = {0, UINT16_MAX, 2},
    [F_S16] = {INT16_MIN, INT16_MAX, 2},
    [F_U32] = {0, UINT32_MAX, 4},
    [F_S32] = {INT32_MIN, INT32_MAX, 4},
    /* jansson's integers end at INT64_MAX. */
    [F_U64] = {0, INT64_MAX, 8},
    [F_ENUM] = {INT32_MIN, INT32_MAX, 4},
};

/* Returns the field at 'at' as a number.  Copies the memory instead of
 * accessing it by type, because elements are in untyped memory. */
static int64_t
load(const struct field *field, const void *at)
{
    union {
        bool boolean;
        uint8_t u8;
        uint16_t u16;
        int16_t s16;
        uint32_t u32;
        int32_t s32;
        uint64_t u64;
    } value;

    memset(&value, 0, sizeof value);
    memcpy(&value, at, ranges[field->type].size);
    switch (field->type) {
    case F_BOOL:
        return value.boolean;
    case F_U8:
        return value.u8;
    case F_U16:
        return value.u16;
    case F_S16:
        return value.s16;
    case F_U32:
        return value.u32;
    case F_S32:
    case F_ENUM:
        return value.s32;
    case F_U64:
        break;
    }
    return (int64_t)value.u64;
}

/* Stores 'number', which is in the range of the field, at 'at'. */
static void
store(const struct field *field, int64_t number, void *at)
{
    union {
        bool boolean;
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
    } value;

    memset(&value, 0, sizeof value);
    switch (ranges[field->type].size) {
    case 1:
        value.u8 = (uint8_t)number;
        break;
    case 2:
        value.u16 = (uint16_t)number;
        break;
    case 4:
        value.u32 = (uint32_t)number;
        break;
    default:
        value.u64 = (uint64_t)number;
        break;
    }
    memcpy(at, &value, ranges[field->type].size);
}

/* Writes a member; an enumerator without a name as a number. */
static void
write_field(const struct field *field, const void *at, struct text *text)
{
    int64_t number = load(field, at);
    const char *name = NULL;

    text_addf(text, "\"%s\":", field->name);
    if (field->enumeration) {
        name = metadata_enum_name(metadata_enum(field->enumeration),
                                  (int32_t)number);
    } else if (field->type == F_BOOL) {
        text_add(text, number ? "true" : "false");
        return;
    }
    if (name) {
        text_add_json(text, name);
    } else if (field->type == F_U64) {
        text_addf(text, "%" PRIu64, (uint64_t)number);
    } else {
        text_addf(text, "%" PRId64, number);
    }
}

static void
write_element(enum kind kind, const char *element, struct text *text)
{
    const char *separator = "";

    text_add_char(text, '{');
    for (size_t g = 0; g < MAX_GROUPS && records[kind][g].n_fields; g++) {
        const struct group *group = &records[kind][g];

        if (group->name) {
            text_addf(text, "%s\"%s\":{", separator, group->name);
            separator = "";
        }
        for (size_t i = 0; i < group->n_fields; i++) {
            const struct field *field = &group->fields[i];

            text_add(text, separator);
            write_field(field, element + group->base + field->offset, text);
            separator = ",";
        }
        if (group->name) {
            text_add_char(text, '}');
        }
    }
    text_add_char(text, '}');
}

void
struct_json_write(enum kind kind, const sai_attribute_value_t *value,
                  struct text *text)
{
    size_t size = kind_layout(kind)->element_size;
    const char *elements;
    uint32_t n;

    if (!kind_has_list(kind)) {
        write_element(kind, (const char *)value, text);
        return;
    }
    n = kind_list_count(kind, value);
    elements = kind_list_elements(kind, value);
    text_addf(text, "{\"count\":%" PRIu32 ",\"list\":", n);
    if (n == 0) {
        text_add(text, "null}");
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        text_add_char(text, i ? ',' : '[');
        write_element(kind, elements + i * size, text);
    }
    text_add(text, "]}");
}

/* Parses a member into the field at 'at'.  Enumerators may be numbers, because
 * a writer of a later release may know more of them. */
static enum st
parse_field(const struct field *field, const json_t *json, void *at)
{
    int64_t number;

    if (field->type == F_BOOL && json_is_boolean(json)) {
        number = json_is_true(json);
    } else if (field->enumeration && json_is_string(json)) {
        int32_t value;

        if (!metadata_enum_value(metadata_enum(field->enumeration),
                                 json_string_value(json), &value)) {
            return ST_INVALID;
        }
        number = value;
    } else if (json_is_integer(json)) {
        number = json_integer_value(json);
    } else {
        return ST_INVALID;
    }
    if (number < ranges[field->type].min || number > ranges[field->type].max) {
        return ST_INVALID;
    }
    store(field, number, at);
    return ST_OK;
}

static const struct field *
find_field(const struct group *group, const char *name)
{
    for (size_t i = 0; i < group->n_fields; i++) {
        if (!strcmp(group->fields[i].name, name)) {
            return &group->fields[i];
        }
    }
    return NULL;
}

/* Parses the members of 'json' that are fields of 'group' and counts them in
 * '*n_used'. */
static enum st
parse_group(const struct group *group, json_t *json, char *element,
            size_t *n_used)
{
    const char *name;
    json_t *member;

    json_object_foreach(json, name, member)
    {
        const struct field *field = find_field(group, name);

        if (!field) {
            continue;
        }
        if (parse_field(field, member, element + group->base + field->offset)) {
            return ST_INVALID;
        }
        ++*n_used;
    }
    return ST_OK;
}

/* Parses one element, or a whole value without a list.  Counts the members that
 * it used: a member that is in no group is an error. */
static enum st
parse_element(enum kind kind, json_t *json, char *element)
{
    size_t n_used = 0;

    if (!json_is_object(json)) {
        return ST_INVALID;
    }
    for (size_t g = 0; g < MAX_GROUPS && records[kind][g].n_fields; g++) {
        const struct group *group = &records[kind][g];
        json_t *inner = json;
        size_t n_inner = 0;

        if (group->name) {
            inner = json_object_get(json, group->name);
            if (!inner) {
                continue;
            }
            n_used++;
        }
        if (!json_is_object(inner) ||
            parse_group(group, inner, element, &n_inner)) {
            return ST_INVALID;
        }
        if (!group->name) {
            n_used += n_inner;
        } else if (n_inner != json_object_size(inner)) {
            return ST_INVALID;
        }
    }
    return n_used == json_object_size(json) ? ST_OK : ST_INVALID;
}

/* Parses {"count":N,"list":[...]}, where N must be the length of the list. */
static enum st
parse_list(struct arena *arena, enum kind kind, const json_t *json,
           sai_attribute_value_t *value)
{
    const json_t *count = json_object_get(json, "count");
    const json_t *list = json_object_get(json, "list");
    size_t size = kind_layout(kind)->element_size;
    size_t n = json_array_size(list);
    char *elements = NULL;

    if (json_object_size(json) != 2 || !json_is_integer(count) ||
        (!json_is_array(list) && !json_is_null(list)) || n > KIND_LIST_MAX ||
        json_integer_value(count) != (json_int_t)n) {
        return ST_INVALID;
    }
    if (n > 0) {
        elements = arena_alloc(arena, n, size);
    }
    for (size_t i = 0; i < n; i++) {
        if (parse_element(kind, json_array_get(list, i), elements + i * size)) {
            return ST_INVALID;
        }
    }
    memset(value, 0, sizeof *value);
    kind_list_set(kind, value, (uint32_t)n, elements);
    return ST_OK;
}

enum st
struct_json_parse(struct arena *arena, enum kind kind, const char *json,
                  sai_attribute_value_t *value)
{
    json_t *root = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    sai_attribute_value_t parsed;
    enum st status;

    if (!root) {
        return ST_INVALID;
    }
    memset(&parsed, 0, sizeof parsed);
    status = kind_has_list(kind) ? parse_list(arena, kind, root, &parsed)
                                 : parse_element(kind, root, (char *)&parsed);
    json_decref(root);
    if (status == ST_OK) {
        *value = parsed;
    }
    return status;
}
