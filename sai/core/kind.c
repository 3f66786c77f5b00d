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
    KIND_SCALARS(SCALAR) KIND_LISTS(LIST)
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
};

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
kind_list_count(enum kind kind, const sai_attribute_value_t *value)
{
    return get_list(kind, value).count;
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
