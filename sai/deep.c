/* SPDX-License-Identifier: Apache-2.0 */

/* Copies and comparisons of values, driven by the layout of their kind.
 *
 * Two rules run through all of it.  Only the runs of a layout are ever read
 * from a caller's memory, so that padding neither makes equal values differ
 * nor leaks into what is kept; and what is written is zeroed first, because
 * later releases of SAI give meaning to what is padding today. */

#include <config.h>

#include "sai/deep.h"

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

/* Returns whether the meaningful bytes are the same.  Comparing them as bytes
 * is right for integers, enumerations and booleans, which is all there is. */
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

/* Copies 'n' elements, padding zeroed. */
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

/* Copies into 'arena', or onto the heap if it is NULL. */
static void
copy(struct arena *arena, enum kind kind, const sai_attribute_value_t *from,
     sai_attribute_value_t *to)
{
    const struct kind_layout *layout = kind_layout(kind);
    uint32_t n;
    void *elements;

    memset(to, 0, sizeof *to);
    copy_runs(layout->value_runs, from, to);
    if (!kind_has_list(kind)) {
        return;
    }
    n = kind_list_count(kind, from);
    if (n == 0) {
        return;
    }
    orch_assert(kind_list_elements(kind, from));
    elements = arena ? arena_alloc(arena, n, layout->element_size)
                     : check_calloc(n, layout->element_size);
    copy_elements(layout, n, kind_list_elements(kind, from), elements);
    kind_list_set(kind, to, n, elements);
}

void
deep_copy(enum kind kind, const sai_attribute_value_t *from,
          sai_attribute_value_t *to)
{
    copy(NULL, kind, from, to);
}

void
deep_copy_to_arena(struct arena *arena, enum kind kind,
                   const sai_attribute_value_t *from, sai_attribute_value_t *to)
{
    copy(arena, kind, from, to);
}

void
deep_fini(enum kind kind, sai_attribute_value_t *value)
{
    if (kind_has_list(kind)) {
        free(kind_list_elements(kind, value));
    }
    memset(value, 0, sizeof *value);
}

bool
deep_equal(enum kind kind, const sai_attribute_value_t *a,
           const sai_attribute_value_t *b)
{
    const struct kind_layout *layout = kind_layout(kind);
    const char *a_elements;
    const char *b_elements;
    uint32_t n;

    if (kind == KIND_CHARDATA) {
        return !strncmp(a->chardata, b->chardata, sizeof a->chardata);
    }
    if (!equal_runs(layout->value_runs, a, b)) {
        return false;
    }
    if (!kind_has_list(kind)) {
        return true;
    }
    n = kind_list_count(kind, a);
    if (n != kind_list_count(kind, b)) {
        return false;
    }
    a_elements = kind_list_elements(kind, a);
    b_elements = kind_list_elements(kind, b);
    for (size_t i = 0; i < n; i++) {
        size_t offset = i * layout->element_size;

        if (!equal_runs(layout->element_runs, a_elements + offset,
                        b_elements + offset)) {
            return false;
        }
    }
    return true;
}

sai_status_t
deep_get(enum kind kind, const sai_attribute_value_t *stored,
         sai_attribute_value_t *value)
{
    const struct kind_layout *layout = kind_layout(kind);
    uint32_t capacity;
    void *memory;
    uint32_t n;

    if (!kind_has_list(kind)) {
        deep_copy(kind, stored, value);
        return SAI_STATUS_SUCCESS;
    }
    capacity = kind_list_count(kind, value);
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
