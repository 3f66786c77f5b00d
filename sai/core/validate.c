/* SPDX-License-Identifier: Apache-2.0 */

/* Checks calls by the metadata.
 *
 * First each attribute is checked by itself, in the order of the list, because
 * a per-attribute code must refer to the first wrong attribute.  Then the list
 * is checked as a whole: which attributes exist depends on the values of others
 * (a buffer profile has one of two thresholds, depending on its mode), and
 * these values must be valid first.
 *
 * Cost: lists are short, so attributes are found by linear search; a create
 * call costs the number of attributes of its type times the length of the list.
 */

#include <config.h>

#include "sai/core/validate.h"

#include <string.h>

#include "sai/core/kind.h"
#include "sai/core/metadata.h"
#include "sai/core/qos_map_entry.h"

/* One call that is being checked. */
struct call {
    sai_object_type_t type;
    uint32_t n;
    const sai_attribute_t *list;
    const struct validate_env *env;
};

/* Returns the code of attribute 'index' in the family that begins at 'base'.
 * The index is bounded by the width of a family. */
static sai_status_t
at_index(sai_status_t base, uint32_t index)
{
    return base - (sai_status_t)(index < 0xffff ? index : 0xffff);
}

/* Returns whether an object of 'type' may be the value of 'attribute'. */
static bool
type_allowed(const struct metadata_attribute *attribute, sai_object_type_t type)
{
    const sai_object_type_t *allowed = attribute->objects;

    for (; *allowed != SAI_OBJECT_TYPE_NULL; allowed++) {
        if (*allowed == type) {
            return true;
        }
    }
    return false;
}

/* Returns whether 'oid' may be the value, or an element of it. */
static bool
reference_ok(const struct metadata_attribute *attribute, sai_object_id_t oid,
             const struct validate_env *env)
{
    if (oid == SAI_NULL_OBJECT_ID) {
        return attribute->null_allowed;
    }
    return !env || !env->type_of ||
           type_allowed(attribute, env->type_of(env->context, oid));
}

/* Returns whether 'number' is in the range that 'attribute' has, if any. */
static bool
range_ok(const struct metadata_attribute *attribute, int64_t number)
{
    return !attribute->has_range ||
           (number >= attribute->min && number <= attribute->max);
}

/* Returns element 'index' of a list of numbers as a number. */
static int64_t
element_number(enum kind kind, const sai_attribute_value_t *value,
               uint32_t index)
{
    switch ((int)kind) {
    case KIND_U8LIST:
        return value->u8list.list[index];
    case KIND_S8LIST:
        return value->s8list.list[index];
    case KIND_U32LIST:
        return value->u32list.list[index];
    case KIND_S32LIST:
        return value->s32list.list[index];
    case KIND_MAPLIST:
        return value->maplist.list[index].value;
    default:
        return 0;
    }
}

/* Returns whether the inner lists have memory and bounded lengths, as outer
 * lists must have. */
static bool
taps_ok(const sai_attribute_value_t *value)
{
    for (uint32_t i = 0; i < value->portserdestaps.count; i++) {
        const sai_s32_list_t *inner = &value->portserdestaps.list[i];

        if (inner->count > KIND_LIST_MAX || (inner->count && !inner->list)) {
            return false;
        }
    }
    return true;
}

/* Checks the length and the memory of a list before its elements are read. */
static bool
list_ok(const struct metadata_attribute *attribute,
        const sai_attribute_value_t *value, const struct validate_env *env)
{
    uint32_t n = kind_list_count(attribute->kind, value);
    uint32_t n_oids;
    const sai_object_id_t *oids;

    if (n > KIND_LIST_MAX ||
        (n > 0 && !kind_list_elements(attribute->kind, value))) {
        return false;
    }
    oids = kind_object_ids(attribute->kind, value, &n_oids);
    for (uint32_t i = 0; i < n_oids; i++) {
        if (!reference_ok(attribute, oids[i], env)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        if (attribute->enumeration &&
            !metadata_enum_has(attribute->enumeration,
                               value->s32list.list[i])) {
            return false;
        }
        if (attribute->has_range &&
            !range_ok(attribute, element_number(attribute->kind, value, i))) {
            return false;
        }
    }
    return attribute->kind != KIND_PORTSERDESTAPS || taps_ok(value);
}

/* Returns whether 'attribute', a field or an action of an access list, can have
 * '*value'. */
static bool
acl_value_ok(const struct metadata_attribute *attribute,
             const sai_attribute_value_t *value, const struct validate_env *env)
{
    uint32_t n;
    const sai_object_id_t *oids = kind_object_ids(attribute->kind, value, &n);
    const bool is_field = kind_is_acl_field(attribute->kind);

    if (value->u8 == 0) {
        return true; /* Not enabled: the rest means nothing. */
    }
    if (attribute->enumeration) {
        return metadata_enum_has(attribute->enumeration,
                                 is_field ? value->aclfield.data.s32
                                          : value->aclaction.parameter.s32);
    }
    return !oids || reference_ok(attribute, *oids, env);
}

/* Returns whether 'attribute' can have '*value'. */
static bool
value_ok(const struct metadata_attribute *attribute,
         const sai_attribute_value_t *value, const struct validate_env *env)
{
    if (kind_has_list(attribute->kind)) {
        return list_ok(attribute, value, env);
    }
    switch ((int)attribute->kind) {
    case KIND_OID:
        return reference_ok(attribute, value->oid, env);
    case KIND_S32:
        return !attribute->enumeration ||
               metadata_enum_has(attribute->enumeration, value->s32);
    case KIND_CHARDATA:
        return memchr(value->chardata, '\0', sizeof value->chardata) != NULL;
    case KIND_IPADDR:
        return value->ipaddr.addr_family == SAI_IP_ADDR_FAMILY_IPV4 ||
               value->ipaddr.addr_family == SAI_IP_ADDR_FAMILY_IPV6;
    default:
        if (kind_acl_part(attribute->kind) != KIND_N) {
            return acl_value_ok(attribute, value, env);
        }
        return range_ok(attribute, metadata_number(attribute->kind, value));
    }
}

/* Returns attribute 'id' among the first 'n' of the call, or NULL. */
static const sai_attribute_t *
find(const struct call *call, sai_attr_id_t id, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (call->list[i].id == id) {
            return &call->list[i];
        }
    }
    return NULL;
}

/* Stores the value that attribute 'id' of the object will have in '*number':
 * the given value, else the current value, else the default.  Returns false if
 * none of these is known. */
static bool
effective_number(const struct call *call, sai_attr_id_t id, int64_t *number)
{
    const struct metadata_attribute *attribute =
        metadata_attribute(call->type, id);
    const sai_attribute_t *given = find(call, id, call->n);
    const struct validate_env *env = call->env;

    if (given) {
        *number = metadata_number(attribute->kind, &given->value);
        return true;
    }
    if (env && env->current && env->current(env->context, id, number)) {
        return true;
    }
    if (attribute->default_kind == METADATA_DEFAULT_CONST) {
        *number = attribute->default_value;
        return true;
    }
    return false;
}

/* Returns whether '*value' is not a QoS map, or its entries are valid in a map
 * of the type that the object has or will have. */
static bool
map_fits(const struct call *call, const struct metadata_attribute *attribute,
         const sai_attribute_value_t *value)
{
    int64_t type;

    return attribute->kind != KIND_QOSMAP ||
           !effective_number(call, SAI_QOS_MAP_ATTR_TYPE, &type) ||
           qos_map_entry_ok((sai_qos_map_type_t)type, &value->qosmap);
}

/* Checks attribute 'index' of the list by itself; 'forbidden' are the flags
 * that it must not have. */
static sai_status_t
check_attribute(const struct call *call, uint32_t index, unsigned int forbidden)
{
    const sai_attribute_t *given = &call->list[index];
    const struct metadata_attribute *attribute =
        metadata_attribute(call->type, given->id);

    if (!attribute) {
        return at_index(SAI_STATUS_UNKNOWN_ATTRIBUTE_0, index);
    }
    if ((attribute->flags & forbidden) || find(call, given->id, index)) {
        return at_index(SAI_STATUS_INVALID_ATTRIBUTE_0, index);
    }
    if (!value_ok(attribute, &given->value, call->env) ||
        !map_fits(call, attribute, &given->value)) {
        return at_index(SAI_STATUS_INVALID_ATTR_VALUE_0, index);
    }
    return SAI_STATUS_SUCCESS;
}

/* Whether a condition holds.  UNKNOWN, which is neither an error nor a
 * requirement, means that a value in the condition is unknown. */
enum verdict { FAILS, HOLDS, UNKNOWN };

/* Evaluates the REQUIRED_IF condition of 'attribute'; HOLDS if it has none. */
static enum verdict
required(const struct call *call, const struct metadata_attribute *attribute)
{
    bool any = attribute->condition == METADATA_REQUIRED_IF_ANY;

    if (!any && attribute->condition != METADATA_REQUIRED_IF_ALL) {
        return HOLDS;
    }
    for (size_t i = 0; i < attribute->n_terms; i++) {
        int64_t number;

        if (!effective_number(call, attribute->terms[i].id, &number)) {
            return UNKNOWN;
        }
        if ((number == attribute->terms[i].value) == any) {
            return any ? HOLDS : FAILS;
        }
    }
    return any ? FAILS : HOLDS;
}

/* Checks the list of a create call as a whole. */
static sai_status_t
check_list(const struct call *call, const struct metadata_object *object)
{
    for (size_t i = 0; i < object->n_attributes; i++) {
        const struct metadata_attribute *attribute = &object->attributes[i];
        bool given = find(call, attribute->id, call->n) != NULL;
        enum verdict needed = required(call, attribute);

        if (given && needed == FAILS) {
            return SAI_STATUS_INVALID_PARAMETER;
        }
        if (!given && needed == HOLDS &&
            (attribute->flags & METADATA_FLAG_MANDATORY_ON_CREATE)) {
            return SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING;
        }
    }
    return SAI_STATUS_SUCCESS;
}

sai_status_t
validate_create(sai_object_type_t type, uint32_t n, const sai_attribute_t *list,
                const struct validate_env *env)
{
    const struct metadata_object *object = metadata_object(type);
    const struct call call = {type, n, list, env};

    if (!object) {
        return SAI_STATUS_INVALID_OBJECT_TYPE;
    }
    /* A longer list has at least one attribute twice. */
    if ((n > 0 && !list) || n > object->n_attributes) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n; i++) {
        sai_status_t status =
            check_attribute(&call, i, METADATA_FLAG_READ_ONLY);

        if (status != SAI_STATUS_SUCCESS) {
            return status;
        }
    }
    return check_list(&call, object);
}

sai_status_t
validate_set(sai_object_type_t type, const sai_attribute_t *attribute,
             const struct validate_env *env)
{
    const struct call call = {type, 1, attribute, env};
    sai_status_t status;

    if (!metadata_object(type)) {
        return SAI_STATUS_INVALID_OBJECT_TYPE;
    }
    if (!attribute) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    status = check_attribute(
        &call, 0, METADATA_FLAG_READ_ONLY | METADATA_FLAG_CREATE_ONLY);
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    /* Without current values, a default would be used instead of them. */
    if (env && env->current &&
        required(&call, metadata_attribute(type, attribute->id)) == FAILS) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    return SAI_STATUS_SUCCESS;
}

sai_status_t
validate_get(sai_object_type_t type, uint32_t n, const sai_attribute_t *list)
{
    const struct metadata_object *object = metadata_object(type);

    if (!object) {
        return SAI_STATUS_INVALID_OBJECT_TYPE;
    }
    if (n == 0 || !list || n > object->n_attributes) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!metadata_attribute(type, list[i].id)) {
            return at_index(SAI_STATUS_UNKNOWN_ATTRIBUTE_0, i);
        }
    }
    return SAI_STATUS_SUCCESS;
}
