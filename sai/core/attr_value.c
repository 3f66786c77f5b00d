/* SPDX-License-Identifier: Apache-2.0 */

/* Copies and comparisons of values, driven by the layout of their kind.
 *
 * Two rules hold everywhere.  The functions read only the runs of a layout from
 * a caller's memory, so that padding neither makes equal values differ nor gets
 * into stored values.  They zero a value before they write it, because later
 * releases of SAI may give a meaning to today's padding. */

#include <config.h>

#include "sai/core/attr_value.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"

/* Copies the meaningful bytes of the value itself; the rest becomes zero. */
static void
copy_runs(const struct kind_run *runs, const void *from, void *to)
{
    for (size_t i = 0; i < KIND_MAX_RUNS; i++) {
        memcpy((char *)to + runs[i].offset, (const char *)from + runs[i].offset,
               runs[i].size);
    }
}

/* Returns whether the meaningful bytes are equal.  A comparison of bytes is
 * right for integers, enumerations and booleans, which are the only types. */
static bool
equal_runs(const struct kind_run *runs, const void *a, const void *b)
{
    for (size_t i = 0; i < KIND_MAX_RUNS; i++) {
        if (memcmp((const char *)a + runs[i].offset,
                   (const char *)b + runs[i].offset, runs[i].size) != 0) {
            return false;
        }
    }
    return true;
}

/* Copies 'n' elements and zeroes their padding. */
static void
copy_elements(const struct kind_layout *layout, uint32_t n, const void *from,
              void *to)
{
    memset(to, 0, (size_t)n * layout->element_size);
    for (size_t i = 0; i < n; i++) {
        size_t offset = i * layout->element_size;

        copy_runs(layout->element_runs, (const char *)from + offset,
                  (char *)to + offset);
    }
}

/* Returns 'n' zeroed bytes of 'arena', or of the heap if it is NULL. */
static void *
allocate(struct arena *arena, size_t n, size_t size)
{
    return arena ? arena_alloc(arena, n, size) : check_calloc(n, size);
}

/* Gives equal values the same bytes: zeroes the unused bytes of an IPv4 address
 * and makes any nonzero byte of a bool 1. */
static void
normalise(enum kind kind, sai_attribute_value_t *value)
{
    if (kind == KIND_IPADDR &&
        value->ipaddr.addr_family == SAI_IP_ADDR_FAMILY_IPV4) {
        sai_ip4_t ip4 = value->ipaddr.addr.ip4;

        memset(&value->ipaddr.addr, 0, sizeof value->ipaddr.addr);
        value->ipaddr.addr.ip4 = ip4;
    } else if (kind == KIND_BOOL) {
        value->u8 = value->u8 != 0;
    } else if (kind_acl_part(kind) != KIND_N) {
        value->u8 = value->u8 != 0; /* Whether it is enabled. */
        if (!value->u8) {
            memset(value, 0, kind_layout(kind)->size);
        }
        if (kind == KIND_ACLACTION_IPADDR) {
            sai_attribute_value_t data = {
                .ipaddr = value->aclaction.parameter.ipaddr};

            normalise(KIND_IPADDR, &data);
            value->aclaction.parameter.ipaddr = data.ipaddr;
        }
    }
}

/* Copies a list of lists.  The inner lists follow the outer one in the same
 * allocation, so that one free() frees all. */
static void
copy_taps(struct arena *arena, const sai_taps_list_t *from, sai_taps_list_t *to)
{
    size_t total = 0;
    int32_t *inner;

    for (uint32_t i = 0; i < from->count; i++) {
        total += from->list[i].count;
    }
    if (from->count == 0) {
        return;
    }
    to->list = allocate(arena, 1,
                        from->count * sizeof *to->list + total * sizeof *inner);
    to->count = from->count;
    inner = (int32_t *)(to->list + to->count);
    for (uint32_t i = 0; i < from->count; i++) {
        uint32_t n = from->list[i].count;

        to->list[i].count = n;
        to->list[i].list = n ? inner : NULL;
        for (uint32_t k = 0; k < n; k++) {
            *inner++ = from->list[i].list[k];
        }
    }
}

static bool
equal_taps(const sai_taps_list_t *a, const sai_taps_list_t *b)
{
    if (a->count != b->count) {
        return false;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t n = a->list[i].count;

        if (n != b->list[i].count ||
            (n && memcmp(a->list[i].list, b->list[i].list,
                         n * sizeof *a->list[i].list) != 0)) {
            return false;
        }
    }
    return true;
}

/* Copies into 'arena', or to the heap if 'arena' is NULL. */
static void
copy(struct arena *arena, enum kind kind, const sai_attribute_value_t *from,
     sai_attribute_value_t *to)
{
    const struct kind_layout *layout = kind_layout(kind);
    uint32_t n;
    void *elements;

    memset(to, 0, sizeof *to);
    copy_runs(layout->value_runs, from, to);
    normalise(kind, to);
    if (kind == KIND_PORTSERDESTAPS) {
        copy_taps(arena, &from->portserdestaps, &to->portserdestaps);
        return;
    }
    if (!kind_has_list(kind)) {
        return;
    }
    n = kind_list_count(kind, from);
    if (n == 0) {
        return;
    }
    orch_assert(kind_list_elements(kind, from));
    elements = allocate(arena, n, layout->element_size);
    copy_elements(layout, n, kind_list_elements(kind, from), elements);
    kind_list_set(kind, to, n, elements);
}

void
attr_value_copy(enum kind kind, const sai_attribute_value_t *from,
                sai_attribute_value_t *to)
{
    copy(NULL, kind, from, to);
}

void
attr_value_copy_to_arena(struct arena *arena, enum kind kind,
                         const sai_attribute_value_t *from,
                         sai_attribute_value_t *to)
{
    copy(arena, kind, from, to);
}

void
attr_value_fini(enum kind kind, sai_attribute_value_t *value)
{
    if (kind_has_list(kind)) {
        free(kind_list_elements(kind, value));
    }
    memset(value, 0, sizeof *value);
}

static bool
equal_lists(enum kind kind, const sai_attribute_value_t *a,
            const sai_attribute_value_t *b)
{
    const struct kind_layout *layout = kind_layout(kind);
    uint32_t n = kind_list_count(kind, a);
    const char *a_elements = kind_list_elements(kind, a);
    const char *b_elements = kind_list_elements(kind, b);

    if (n != kind_list_count(kind, b)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        size_t offset = i * layout->element_size;

        if (!equal_runs(layout->element_runs, a_elements + offset,
                        b_elements + offset)) {
            return false;
        }
    }
    return true;
}

bool
attr_value_equal(enum kind kind, const sai_attribute_value_t *a,
                 const sai_attribute_value_t *b)
{
    const struct kind_layout *layout = kind_layout(kind);
    sai_attribute_value_t one;
    sai_attribute_value_t other;

    if (kind_acl_part(kind) != KIND_N && !kind_has_list(kind)) {
        copy(NULL, kind, a, &one);
        copy(NULL, kind, b, &other);
        return equal_runs(layout->value_runs, &one, &other);
    }
    switch ((int)kind) {
    case KIND_CHARDATA:
        return !strncmp(a->chardata, b->chardata, sizeof a->chardata);
    case KIND_PORTSERDESTAPS:
        return equal_taps(&a->portserdestaps, &b->portserdestaps);
    case KIND_ACLFIELD_OBJLIST:
    case KIND_ACLFIELD_U8LIST:
    case KIND_ACLACTION_OBJLIST:
        return !a->u8 == !b->u8 && equal_lists(kind, a, b);
    case KIND_BOOL:
    case KIND_IPADDR:
        copy(NULL, kind, a, &one);
        copy(NULL, kind, b, &other);
        return equal_runs(layout->value_runs, &one, &other);
    default:
        return equal_runs(layout->value_runs, a, b) &&
               (!kind_has_list(kind) || equal_lists(kind, a, b));
    }
}

/* Implements get of a list of lists.  Checks all capacities before it copies
 * anything. */
static sai_status_t
get_taps(const sai_taps_list_t *stored, sai_taps_list_t *value)
{
    bool fits =
        stored->count <= value->count && (value->list || !stored->count);

    for (uint32_t i = 0; fits && i < stored->count; i++) {
        fits = stored->list[i].count <= value->list[i].count &&
               (value->list[i].list || !stored->list[i].count);
    }
    for (uint32_t i = 0; i < stored->count; i++) {
        uint32_t n = stored->list[i].count;

        if (fits && n) {
            memcpy(value->list[i].list, stored->list[i].list,
                   n * sizeof *stored->list[i].list);
        }
        if (value->list && i < value->count) {
            value->list[i].count = n;
        }
    }
    value->count = stored->count;
    return fits ? SAI_STATUS_SUCCESS : SAI_STATUS_BUFFER_OVERFLOW;
}

sai_status_t
attr_value_get(enum kind kind, const sai_attribute_value_t *stored,
               sai_attribute_value_t *value)
{
    const struct kind_layout *layout = kind_layout(kind);
    uint32_t capacity;
    void *memory;
    uint32_t n;

    if (kind == KIND_PORTSERDESTAPS) {
        return get_taps(&stored->portserdestaps, &value->portserdestaps);
    }
    if (!kind_has_list(kind)) {
        attr_value_copy(kind, stored, value);
        return SAI_STATUS_SUCCESS;
    }
    capacity = kind_list_capacity(kind, value);
    memory = kind_list_elements(kind, value);
    n = kind_list_count(kind, stored);
    if (n > 0 && (n > capacity || !memory)) {
        kind_list_set(kind, value, n, memory);
        return SAI_STATUS_BUFFER_OVERFLOW;
    }
    memset(value, 0, sizeof *value);
    copy_runs(layout->value_runs, stored, value);
    if (n > 0) {
        copy_elements(layout, n, kind_list_elements(kind, stored), memory);
    }
    kind_list_set(kind, value, n, memory);
    return SAI_STATUS_SUCCESS;
}
