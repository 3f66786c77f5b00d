/* SPDX-License-Identifier: Apache-2.0 */

/* The tables, made from the .def files, and the search in them.
 *
 * Each .def file is included once for every column set that is wanted from it,
 * with the row macro defined accordingly.  So a new attribute is one new row,
 * and a new object type one .def file, one array here and one row in the table
 * of objects. */

#include <config.h>

#include "sai/metadata.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array)      (sizeof(array) / sizeof((array)[0]))
#define NAME_LENGTH(name) (sizeof(#name) - 1)

/* Enumerations: first their indices, then the members of each, then the
 * table. */

enum {
#define SAI_ENUM_BEGIN(e)  ENUM_##e,
#define SAI_FLAGS_BEGIN(e) ENUM_##e,
#define SAI_ENUM_VALUE(name, value)
#define SAI_ENUM_MARK(name, value)
#define SAI_ENUM_END(e)
#include "enum/all.def"
#undef SAI_ENUM_BEGIN
#undef SAI_FLAGS_BEGIN
#undef SAI_ENUM_VALUE
#undef SAI_ENUM_END
    N_ENUMS,
};

#define SAI_ENUM_BEGIN(e)                                                      \
    static const struct metadata_enumerator e##_members[] = {
#define SAI_FLAGS_BEGIN(e)          SAI_ENUM_BEGIN(e)
#define SAI_ENUM_VALUE(name, value) {name, NAME_LENGTH(name), #name},
#define SAI_ENUM_END(e)                                                        \
    }                                                                          \
    ;
#include "enum/all.def"
#undef SAI_ENUM_BEGIN
#undef SAI_FLAGS_BEGIN
#undef SAI_ENUM_VALUE
#undef SAI_ENUM_END

#define ENUM_ROW(e, is_flags)                                                  \
    [ENUM_##e] = {"sai_" #e "_t", e##_members, COUNT(e##_members), is_flags},

static const struct metadata_enum enums[] = {
#define SAI_ENUM_BEGIN(e)  ENUM_ROW(e, false)
#define SAI_FLAGS_BEGIN(e) ENUM_ROW(e, true)
#define SAI_ENUM_VALUE(name, value)
#define SAI_ENUM_END(e)
#include "enum/all.def"
};

/* Attributes.  The columns of a row become designated initialisers: ROW_ and
 * the first word of the column name the macro that makes them. */

#define ROW_BOOL                       .kind = KIND_BOOL
#define ROW_CHARDATA                   .kind = KIND_CHARDATA
#define ROW_U8                         .kind = KIND_U8
#define ROW_S8                         .kind = KIND_S8
#define ROW_U16                        .kind = KIND_U16
#define ROW_U32                        .kind = KIND_U32
#define ROW_S32                        .kind = KIND_S32
#define ROW_U64                        .kind = KIND_U64
#define ROW_POINTER                    .kind = KIND_POINTER
#define ROW_MAC                        .kind = KIND_MAC
#define ROW_U16RANGE                   .kind = KIND_U16RANGE
#define ROW_U32RANGE                   .kind = KIND_U32RANGE
#define ROW_TIMESPEC                   .kind = KIND_TIMESPEC
#define ROW_RX_STATE                   .kind = KIND_RX_STATE
#define ROW_REACHABILITY               .kind = KIND_REACHABILITY
#define ROW_LATCHSTATUS                .kind = KIND_LATCHSTATUS
#define ROW_U8LIST                     .kind = KIND_U8LIST
#define ROW_S8LIST                     .kind = KIND_S8LIST
#define ROW_U32LIST                    .kind = KIND_U32LIST
#define ROW_S32LIST                    .kind = KIND_S32LIST
#define ROW_QOSMAP                     .kind = KIND_QOSMAP
#define ROW_MAPLIST                    .kind = KIND_MAPLIST
#define ROW_ACLRESOURCE                .kind = KIND_ACLRESOURCE
#define ROW_ACLCHAINLIST               .kind = KIND_ACLCHAINLIST
#define ROW_ACLCAPABILITY              .kind = KIND_ACLCAPABILITY
#define ROW_SYSPORTCONFIGLIST          .kind = KIND_SYSPORTCONFIGLIST
#define ROW_PORTERROR                  .kind = KIND_PORTERROR
#define ROW_PORTEYEVALUES              .kind = KIND_PORTEYEVALUES
#define ROW_PORTPAM4EYEVALUES          .kind = KIND_PORTPAM4EYEVALUES
#define ROW_PORTLANELATCHSTATUSLIST    .kind = KIND_PORTLANELATCHSTATUSLIST
#define ROW_PORTFREQUENCYOFFSETPPMLIST .kind = KIND_PORTFREQUENCYOFFSETPPMLIST
#define ROW_PORTSNRLIST                .kind = KIND_PORTSNRLIST
#define ROW_PRBS_RX_STATUS_LIST        .kind = KIND_PRBS_RX_STATUS_LIST
#define ROW_PRBS_RX_STATE_LIST         .kind = KIND_PRBS_RX_STATE_LIST
#define ROW_PRBS_BER_LIST              .kind = KIND_PRBS_BER_LIST

#define ROW_ENUM(e)     .kind = KIND_S32, .enumeration = &enums[ENUM_##e]
#define ROW_ENUMLIST(e) .kind = KIND_S32LIST, .enumeration = &enums[ENUM_##e]

/* T() and EQ() end in a comma, so that lists of them need no other. */
#define T(TYPE) SAI_OBJECT_TYPE_##TYPE,
#define TYPES(...)                                                             \
    .objects = (const sai_object_type_t[])                                     \
    {                                                                          \
        __VA_ARGS__ SAI_OBJECT_TYPE_NULL                                       \
    }
#define ROW_OID(...)         .kind = KIND_OID, TYPES(__VA_ARGS__)
#define ROW_OID_OR_NULL(...) ROW_OID(__VA_ARGS__), .null_allowed = true
#define ROW_OBJLIST(...)     .kind = KIND_OBJLIST, TYPES(__VA_ARGS__)

#define MANDATORY_ON_CREATE METADATA_FLAG_MANDATORY_ON_CREATE
#define CREATE_ONLY         METADATA_FLAG_CREATE_ONLY
#define CREATE_AND_SET      METADATA_FLAG_CREATE_AND_SET
#define READ_ONLY           METADATA_FLAG_READ_ONLY
#define KEY                 METADATA_FLAG_KEY

#define ROW_NO_DEFAULT .default_kind = METADATA_DEFAULT_NONE
#define ROW_EMPTY_LIST .default_kind = METADATA_DEFAULT_EMPTY
#define ROW_INTERNAL   .default_kind = METADATA_DEFAULT_INTERNAL
#define ROW_VENDOR     .default_kind = METADATA_DEFAULT_VENDOR
#define ROW_DEFAULT(x)                                                         \
    .default_kind = METADATA_DEFAULT_CONST, .default_value = (int64_t)(x)

#define EQ(name, x) {name, (int64_t)(x)},
#define TERMS(which, ...)                                                      \
    .condition = METADATA_##which,                                             \
    .terms = (const struct metadata_term[]){__VA_ARGS__},                      \
    .n_terms = COUNT(((const struct metadata_term[]){__VA_ARGS__}))
#define ROW_ALWAYS               .condition = METADATA_ALWAYS
#define ROW_REQUIRED_IF_ANY(...) TERMS(REQUIRED_IF_ANY, __VA_ARGS__)
#define ROW_REQUIRED_IF_ALL(...) TERMS(REQUIRED_IF_ALL, __VA_ARGS__)
#define ROW_VALID_IF_ANY(...)    TERMS(VALID_IF_ANY, __VA_ARGS__)
#define ROW_VALID_IF_ALL(...)    TERMS(VALID_IF_ALL, __VA_ARGS__)

#define SAI_ATTR(attribute, number, kind_, flags_, default_, condition_,       \
                 since_)                                                       \
    {.name = #attribute,                                                       \
     .name_length = NAME_LENGTH(attribute),                                    \
     .since = since_,                                                          \
     .id = attribute,                                                          \
     .flags = flags_,                                                          \
     ROW_##kind_,                                                              \
     ROW_##default_,                                                           \
     ROW_##condition_},
#define SAI_ATTR_ALIAS(alias, attribute)

static const struct metadata_attribute switch_attributes[] = {
#include "attr/switch.def"
};
static const struct metadata_attribute port_attributes[] = {
#include "attr/port.def"
};
static const struct metadata_attribute buffer_pool_attributes[] = {
#include "attr/buffer_pool.def"
};
static const struct metadata_attribute buffer_profile_attributes[] = {
#include "attr/buffer_profile.def"
};
static const struct metadata_attribute ingress_priority_group_attributes[] = {
#include "attr/ingress_priority_group.def"
};
static const struct metadata_attribute queue_attributes[] = {
#include "attr/queue.def"
};
static const struct metadata_attribute qos_map_attributes[] = {
#include "attr/qos_map.def"
};
static const struct metadata_attribute scheduler_attributes[] = {
#include "attr/scheduler.def"
};
static const struct metadata_attribute scheduler_group_attributes[] = {
#include "attr/scheduler_group.def"
};
static const struct metadata_attribute wred_attributes[] = {
#include "attr/wred.def"
};

#undef SAI_ATTR
#undef SAI_ATTR_ALIAS
#define SAI_ATTR(...)
#define SAI_ATTR_ALIAS(alias, attribute) {#alias, NAME_LENGTH(alias), alias},

static const struct metadata_alias switch_aliases[] = {
#include "attr/switch.def"
};
static const struct metadata_alias buffer_profile_aliases[] = {
#include "attr/buffer_profile.def"
};

/* Counters. */

#define SAI_STAT(stat, number, since_) {#stat, NAME_LENGTH(stat), since_, stat},
#define SAI_STAT_MARK(stat, number)

static const struct metadata_stat switch_stats[] = {
#include "stat/switch.def"
};
static const struct metadata_stat port_stats[] = {
#include "stat/port.def"
};
static const struct metadata_stat buffer_pool_stats[] = {
#include "stat/buffer_pool.def"
};
static const struct metadata_stat ingress_priority_group_stats[] = {
#include "stat/ingress_priority_group.def"
};
static const struct metadata_stat queue_stats[] = {
#include "stat/queue.def"
};

/* Objects. */

enum {
#define X(TYPE) OBJECT_##TYPE,
    METADATA_OBJECTS(X)
#undef X
        N_OBJECTS,
};

#define OBJECT(TYPE, file)                                                     \
    .type = SAI_OBJECT_TYPE_##TYPE, .name = "SAI_OBJECT_TYPE_" #TYPE,          \
    .attributes = file##_attributes, .n_attributes = COUNT(file##_attributes)
#define STATS(file) .stats = file##_stats, .n_stats = COUNT(file##_stats)
#define ALIASES(file)                                                          \
    .aliases = file##_aliases, .n_aliases = COUNT(file##_aliases)

static const struct metadata_object objects[N_OBJECTS] = {
    [OBJECT_SWITCH] = {OBJECT(SWITCH, switch), ALIASES(switch), STATS(switch)},
    [OBJECT_PORT] = {OBJECT(PORT, port), STATS(port)},
    [OBJECT_BUFFER_POOL] = {OBJECT(BUFFER_POOL, buffer_pool),
                            STATS(buffer_pool)},
    [OBJECT_BUFFER_PROFILE] = {OBJECT(BUFFER_PROFILE, buffer_profile),
                               ALIASES(buffer_profile)},
    [OBJECT_INGRESS_PRIORITY_GROUP] = {OBJECT(INGRESS_PRIORITY_GROUP,
                                              ingress_priority_group),
                                       STATS(ingress_priority_group)},
    [OBJECT_QUEUE] = {OBJECT(QUEUE, queue), STATS(queue)},
    [OBJECT_QOS_MAP] = {OBJECT(QOS_MAP, qos_map)},
    [OBJECT_SCHEDULER] = {OBJECT(SCHEDULER, scheduler)},
    [OBJECT_SCHEDULER_GROUP] = {OBJECT(SCHEDULER_GROUP, scheduler_group)},
    [OBJECT_WRED] = {OBJECT(WRED, wred)},
};

/* Searching.  Attributes have no gaps but for custom ranges, so that the id is
 * tried as the index first. */

static int
compare_attribute(const void *key, const void *row)
{
    sai_attr_id_t id = *(const sai_attr_id_t *)key;
    sai_attr_id_t other = ((const struct metadata_attribute *)row)->id;

    return (id > other) - (id < other);
}

static int
compare_stat(const void *key, const void *row)
{
    sai_stat_id_t id = *(const sai_stat_id_t *)key;
    sai_stat_id_t other = ((const struct metadata_stat *)row)->id;

    return (id > other) - (id < other);
}

const struct metadata_object *
metadata_objects(size_t *n)
{
    *n = N_OBJECTS;
    return objects;
}

const struct metadata_object *
metadata_object(sai_object_type_t type)
{
    switch ((int)type) {
#define X(TYPE)                                                                \
    case SAI_OBJECT_TYPE_##TYPE:                                               \
        return &objects[OBJECT_##TYPE];
        METADATA_OBJECTS(X)
#undef X
    default:
        return NULL;
    }
}

const struct metadata_attribute *
metadata_attribute(sai_object_type_t type, sai_attr_id_t id)
{
    const struct metadata_object *object = metadata_object(type);

    if (!object) {
        return NULL;
    }
    if (id < object->n_attributes && object->attributes[id].id == id) {
        return &object->attributes[id];
    }
    return bsearch(&id, object->attributes, object->n_attributes,
                   sizeof *object->attributes, compare_attribute);
}

const struct metadata_stat *
metadata_stat(sai_object_type_t type, sai_stat_id_t id)
{
    const struct metadata_object *object = metadata_object(type);

    if (!object || !object->n_stats) {
        return NULL;
    }
    return bsearch(&id, object->stats, object->n_stats, sizeof *object->stats,
                   compare_stat);
}

/* Compares names of known length; most differ in it already. */
static bool
same_name(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a_length == b_length && !memcmp(a, b, a_length);
}

/* Returns the attribute of 'object' with that name or alias, or NULL. */
static const struct metadata_attribute *
find_attribute_name(const struct metadata_object *object, const char *name,
                    size_t length)
{
    for (size_t i = 0; i < object->n_attributes; i++) {
        const struct metadata_attribute *row = &object->attributes[i];

        if (same_name(row->name, row->name_length, name, length)) {
            return row;
        }
    }
    for (size_t i = 0; i < object->n_aliases; i++) {
        const struct metadata_alias *alias = &object->aliases[i];

        if (same_name(alias->name, alias->name_length, name, length)) {
            return metadata_attribute(object->type, alias->id);
        }
    }
    return NULL;
}

/* Returns the next object type after 'previous' (NULL: the first) whose rows
 * may contain 'name', a name like "SAI_QUEUE_" and then 'infix' and more. */
static const struct metadata_object *
next_candidate(const struct metadata_object *previous, const char *name,
               const char *infix)
{
    static const size_t type_prefix = sizeof "SAI_OBJECT_TYPE_" - 1;
    const struct metadata_object *object = previous ? previous + 1 : objects;

    if (strncmp(name, "SAI_", 4) != 0) {
        return NULL;
    }
    for (; object < objects + N_OBJECTS; object++) {
        const char *type = object->name + type_prefix;
        size_t length = strlen(type);

        if (!strncmp(name + 4, type, length) &&
            !strncmp(name + 4 + length, infix, strlen(infix))) {
            return object;
        }
    }
    return NULL;
}

const struct metadata_attribute *
metadata_attribute_by_name(const char *name, sai_object_type_t *type)
{
    const struct metadata_object *object = NULL;

    while ((object = next_candidate(object, name, "_ATTR_"))) {
        const struct metadata_attribute *found =
            find_attribute_name(object, name, strlen(name));

        if (found) {
            if (type) {
                *type = object->type;
            }
            return found;
        }
    }
    return NULL;
}

const struct metadata_stat *
metadata_stat_by_name(const char *name, sai_object_type_t *type)
{
    const struct metadata_object *object = NULL;
    size_t length = strlen(name);

    while ((object = next_candidate(object, name, "_STAT_"))) {
        for (size_t i = 0; i < object->n_stats; i++) {
            const struct metadata_stat *row = &object->stats[i];

            if (same_name(row->name, row->name_length, name, length)) {
                if (type) {
                    *type = object->type;
                }
                return row;
            }
        }
    }
    return NULL;
}

const struct metadata_enum *
metadata_enum(const char *name)
{
    for (size_t i = 0; i < N_ENUMS; i++) {
        if (!strcmp(enums[i].name, name)) {
            return &enums[i];
        }
    }
    return NULL;
}

const char *
metadata_enum_name(const struct metadata_enum *enumeration, int32_t value)
{
    const struct metadata_enumerator *members = enumeration->members;
    size_t low = 0;
    size_t high = enumeration->n_members;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (members[middle].value < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < enumeration->n_members && members[low].value == value
               ? members[low].name
               : NULL;
}

bool
metadata_enum_value(const struct metadata_enum *enumeration, const char *name,
                    int32_t *value)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < enumeration->n_members; i++) {
        const struct metadata_enumerator *member = &enumeration->members[i];

        if (same_name(member->name, member->name_length, name, length)) {
            *value = member->value;
            return true;
        }
    }
    return false;
}

bool
metadata_enum_has(const struct metadata_enum *enumeration, int32_t value)
{
    uint32_t all = 0;

    if (metadata_enum_name(enumeration, value)) {
        return true;
    }
    if (!enumeration->flags) {
        return false;
    }
    for (size_t i = 0; i < enumeration->n_members; i++) {
        all |= (uint32_t)enumeration->members[i].value;
    }
    return !((uint32_t)value & ~all);
}

const char *
metadata_type_name(sai_object_type_t type)
{
    return metadata_enum_name(&enums[ENUM_object_type], (int32_t)type);
}

sai_object_type_t
metadata_type_by_name(const char *name)
{
    int32_t value = SAI_OBJECT_TYPE_NULL;

    (void)metadata_enum_value(&enums[ENUM_object_type], name, &value);
    return (sai_object_type_t)value;
}

bool
metadata_default(const struct metadata_attribute *attribute,
                 sai_attribute_value_t *value)
{
    switch (attribute->default_kind) {
    case METADATA_DEFAULT_CONST:
        metadata_set_number(attribute->kind, attribute->default_value, value);
        return true;
    case METADATA_DEFAULT_EMPTY:
        memset(value, 0, sizeof *value);
        return true;
    case METADATA_DEFAULT_NONE:
    case METADATA_DEFAULT_INTERNAL:
    case METADATA_DEFAULT_VENDOR:
        break;
    }
    return false;
}

int64_t
metadata_number(enum kind kind, const sai_attribute_value_t *value)
{
    switch ((int)kind) {
    case KIND_BOOL:
        return value->booldata;
    case KIND_U8:
        return value->u8;
    case KIND_S8:
        return value->s8;
    case KIND_U16:
        return value->u16;
    case KIND_U32:
        return value->u32;
    case KIND_S32:
        return value->s32;
    case KIND_U64:
        return (int64_t)value->u64;
    case KIND_OID:
        return (int64_t)value->oid;
    default:
        return 0;
    }
}

void
metadata_set_number(enum kind kind, int64_t number,
                    sai_attribute_value_t *value)
{
    memset(value, 0, sizeof *value);
    switch ((int)kind) {
    case KIND_BOOL:
        value->booldata = number != 0;
        break;
    case KIND_U8:
        value->u8 = (uint8_t)number;
        break;
    case KIND_S8:
        value->s8 = (int8_t)number;
        break;
    case KIND_U16:
        value->u16 = (uint16_t)number;
        break;
    case KIND_U32:
        value->u32 = (uint32_t)number;
        break;
    case KIND_S32:
        value->s32 = (int32_t)number;
        break;
    case KIND_U64:
        value->u64 = (uint64_t)number;
        break;
    case KIND_OID:
        value->oid = (sai_object_id_t)number;
        break;
    default:
        break;
    }
}
