/* SPDX-License-Identifier: Apache-2.0 */

/* The layout of each kind of attribute value.
 *
 * Every list of SAI is a count and a pointer, whatever its element type.  The
 * assertions below check this for each kind, because get_list() and
 * kind_list_set() copy these bytes without access to the members of the
 * union. */

#include <config.h>

#include "sai/core/kind.h"

#include <string.h>

#include "base/check.h"

/* The form of every list of SAI. */
struct any_list {
    uint32_t count;
    void *list;
};

#define SCALAR(KIND, member, type, ...)                                        \
    [KIND_##KIND] = {                                                          \
        .name = #member, .size = sizeof(type), .value_runs = {__VA_ARGS__}},
#define LIST(KIND, member, type, element, ...)                                 \
    [KIND_##KIND] = {.name = #member,                                          \
                     .size = sizeof(type),                                     \
                     .element_size = sizeof(element),                          \
                     .element_runs = {__VA_ARGS__}},

static const struct kind_layout layouts[KIND_N] = {
    KIND_SCALARS(SCALAR) KIND_ACL_SCALARS(SCALAR) KIND_LISTS(LIST)
        /* The special kinds. */
        [KIND_ACLCAPABILITY] = {.name = "aclcapability",
                                .size = sizeof(sai_acl_capability_t),
                                .list_offset =
                                    offsetof(sai_acl_capability_t, action_list),
                                .element_size = sizeof(int32_t),
                                .value_runs = {{0, 1}, {24, 5}},
                                .element_runs = {{0, 4}}},
    [KIND_JSON] = {.name = "json",
                   .size = sizeof(sai_json_t),
                   .element_size = 1,
                   .element_runs = {{0, 1}}},
    [KIND_PORTSERDESTAPS] = {.name = "portserdestaps",
                             .size = sizeof(sai_taps_list_t),
                             .element_size = sizeof(sai_s32_list_t),
                             .element_runs = {{0, 4}}},
    [KIND_ACLFIELD_OBJLIST] = {.name = "aclfield",
                               .size = sizeof(sai_acl_field_data_t),
                               .list_offset = KIND_ACL_FIELD_OFFSET,
                               .element_size = sizeof(sai_object_id_t),
                               .value_runs = {{0, 1}},
                               .element_runs = {{0, 8}}},
    [KIND_ACLFIELD_U8LIST] = {.name = "aclfield",
                              .size = sizeof(sai_acl_field_data_t),
                              .list_offset = KIND_ACL_FIELD_OFFSET,
                              .element_size = 1,
                              .value_runs = {{0, 1}},
                              .element_runs = {{0, 1}}},
    [KIND_ACLACTION_OBJLIST] = {.name = "aclaction",
                                .size = sizeof(sai_acl_action_data_t),
                                .list_offset = KIND_ACL_ACTION_OFFSET,
                                .element_size = sizeof(sai_object_id_t),
                                .value_runs = {{0, 1}},
                                .element_runs = {{0, 8}}},
};

_Static_assert(offsetof(sai_acl_field_data_t, mask) == KIND_ACL_MASK_OFFSET &&
                   offsetof(sai_acl_field_data_t, data) ==
                       KIND_ACL_FIELD_OFFSET &&
                   offsetof(sai_acl_action_data_t, parameter) ==
                       KIND_ACL_ACTION_OFFSET,
               "fields and actions of access lists have one form each");

#define CHECK_LIST(KIND, member, type, ...)                                    \
    _Static_assert(sizeof(type) == sizeof(struct any_list) &&                  \
                       offsetof(type, list) ==                                 \
                           offsetof(struct any_list, list),                    \
                   "lists have one form");
KIND_LISTS(CHECK_LIST)

const struct kind_layout *
kind_layout(enum kind kind)
{
    orch_assert((unsigned int)kind < KIND_N);
    return &layouts[kind];
}

bool
kind_has_list(enum kind kind)
{
    return kind_layout(kind)->element_size > 0;
}

/* Copies the list header from '*value'.  It must not be read in place as a
 * 'struct any_list', because the element type of the pointer varies. */
static struct any_list
get_list(enum kind kind, const sai_attribute_value_t *value)
{
    const struct kind_layout *layout = kind_layout(kind);
    struct any_list list;

    orch_assert(layout->element_size > 0);
    memcpy(&list, (const char *)value + layout->list_offset, sizeof list);
    return list;
}

uint32_t
kind_list_capacity(enum kind kind, const sai_attribute_value_t *value)
{
    return get_list(kind, value).count;
}

uint32_t
kind_list_count(enum kind kind, const sai_attribute_value_t *value)
{
    const bool has_none = kind_acl_part(kind) != KIND_N && value->u8 == 0;

    return has_none ? 0 : kind_list_capacity(kind, value);
}

void *
kind_list_elements(enum kind kind, const sai_attribute_value_t *value)
{
    return get_list(kind, value).list;
}

void
kind_list_set(enum kind kind, sai_attribute_value_t *value, uint32_t count,
              void *elements)
{
    const struct kind_layout *layout = kind_layout(kind);
    struct any_list list;

    orch_assert(layout->element_size > 0);
    memset(&list, 0, sizeof list);
    list.count = count;
    list.list = elements;
    memcpy((char *)value + layout->list_offset, &list, sizeof list);
}

enum kind
kind_acl_part(enum kind kind)
{
    /* Plus 1, so that 0 is none. */
    static const unsigned char parts[KIND_N] = {
        [KIND_ACLFIELD_BOOL] = 1 + KIND_BOOL,
        [KIND_ACLFIELD_U8] = 1 + KIND_U8,
        [KIND_ACLFIELD_U16] = 1 + KIND_U16,
        [KIND_ACLFIELD_U32] = 1 + KIND_U32,
        [KIND_ACLFIELD_S32] = 1 + KIND_S32,
        [KIND_ACLFIELD_U64] = 1 + KIND_U64,
        [KIND_ACLFIELD_MAC] = 1 + KIND_MAC,
        [KIND_ACLFIELD_IP4] = 1 + KIND_IP4,
        [KIND_ACLFIELD_IP6] = 1 + KIND_IP6,
        [KIND_ACLFIELD_OID] = 1 + KIND_OID,
        [KIND_ACLFIELD_OBJLIST] = 1 + KIND_OBJLIST,
        [KIND_ACLFIELD_U8LIST] = 1 + KIND_U8LIST,
        [KIND_ACLACTION_BOOL] = 1 + KIND_BOOL,
        [KIND_ACLACTION_U8] = 1 + KIND_U8,
        [KIND_ACLACTION_U16] = 1 + KIND_U16,
        [KIND_ACLACTION_U32] = 1 + KIND_U32,
        [KIND_ACLACTION_S32] = 1 + KIND_S32,
        [KIND_ACLACTION_MAC] = 1 + KIND_MAC,
        [KIND_ACLACTION_IP4] = 1 + KIND_IP4,
        [KIND_ACLACTION_IP6] = 1 + KIND_IP6,
        [KIND_ACLACTION_OID] = 1 + KIND_OID,
        [KIND_ACLACTION_IPADDR] = 1 + KIND_IPADDR,
        [KIND_ACLACTION_OBJLIST] = 1 + KIND_OBJLIST,
    };

    return parts[kind] ? (enum kind)(parts[kind] - 1) : KIND_N;
}

bool
kind_is_acl_field(enum kind kind)
{
    return kind_acl_part(kind) != KIND_N &&
           kind_layout(kind)->size == sizeof(sai_acl_field_data_t);
}

const sai_object_id_t *
kind_object_ids(enum kind kind, const sai_attribute_value_t *value, uint32_t *n)
{
    const bool is_enabled = value->u8 != 0;

    switch ((int)kind) {
    case KIND_OID:
        *n = 1;
        return &value->oid;
    case KIND_ACLFIELD_OID:
        *n = is_enabled;
        return &value->aclfield.data.oid;
    case KIND_ACLACTION_OID:
        *n = is_enabled;
        return &value->aclaction.parameter.oid;
    case KIND_OBJLIST:
    case KIND_ACLFIELD_OBJLIST:
    case KIND_ACLACTION_OBJLIST:
        *n = kind_list_count(kind, value);
        return *n ? kind_list_elements(kind, value) : NULL;
    default:
        *n = 0;
        return NULL;
    }
}
