/* SPDX-License-Identifier: Apache-2.0 */

/* Look-ups in the tables.
 *
 * The tables are sorted by number, so a look-up by number takes one step or a
 * binary search.  There is no index of names: the name of an attribute begins
 * with that of its object type, which selects one table, or a few if the name
 * of one type is a prefix of another's.  The search compares lengths before
 * characters.  Names are looked up when text is parsed, which costs more. */

#include <config.h>

#include "sai/core/metadata.h"

#include <stdlib.h>
#include <string.h>

#include "sai/core/metadata_tables.h"

/* Attribute ids have no gaps except before custom ranges, so the search tries
 * the id as index first. */

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
    *n = METADATA_TABLES_N_OBJECTS;
    return metadata_tables_objects;
}

const struct metadata_object *
metadata_object(sai_object_type_t type)
{
    switch ((int)type) {
#define SAI_OBJECT_BEGIN(TYPE, object, API, ...)                               \
    case SAI_OBJECT_TYPE_##TYPE:                                               \
        return &metadata_tables_objects[METADATA_TABLES_##TYPE];
#include "all.def"
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

/* Compares names of known length; most names differ in length. */
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
 * may contain 'name', which is "SAI_", the name of the type, 'infix' and a
 * rest. */
static const struct metadata_object *
next_candidate(const struct metadata_object *previous, const char *name,
               const char *infix)
{
    static const size_t type_prefix = sizeof "SAI_OBJECT_TYPE_" - 1;
    const struct metadata_object *object =
        previous ? previous + 1 : metadata_tables_objects;

    if (strncmp(name, "SAI_", 4) != 0) {
        return NULL;
    }
    for (; object < metadata_tables_objects + METADATA_TABLES_N_OBJECTS;
         object++) {
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
    for (size_t i = 0; i < METADATA_TABLES_N_ENUMS; i++) {
        if (!strcmp(metadata_tables_enums[i].name, name)) {
            return &metadata_tables_enums[i];
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
metadata_unit_name(enum metadata_unit unit)
{
    static const char *const names[] = {
#define X(UNIT, text) [METADATA_UNIT_##UNIT] = text,
        METADATA_UNITS(X)
#undef X
    };

    return names[unit];
}

const char *
metadata_type_name(sai_object_type_t type)
{
    return metadata_enum_name(
        &metadata_tables_enums[METADATA_TABLES_ENUM_object_type],
        (int32_t)type);
}

sai_object_type_t
metadata_type_by_name(const char *name)
{
    int32_t value = SAI_OBJECT_TYPE_NULL;

    (void)metadata_enum_value(
        &metadata_tables_enums[METADATA_TABLES_ENUM_object_type], name, &value);
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
    case METADATA_DEFAULT_SAME_AS:
        break;
    }
    return false;
}

int64_t
metadata_number(enum kind kind, const sai_attribute_value_t *value)
{
    switch ((int)kind) {
    case KIND_BOOL:
        return value->u8 != 0; /* The byte may have any value. */
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
    case KIND_ACLMASK:
        memset(value->aclmask.ip6, (int)number, sizeof value->aclmask.ip6);
        break;
    default:
        break;
    }
}
