/* SPDX-License-Identifier: Apache-2.0 */

/* Compares the numbers of a pool with the memory, and with each other. */

#include <config.h>

#include "orchd/reconcile/pool_warnings.h"

#include <inttypes.h>

#include "base/text.h"
#include "orchd/reconcile/graph.h"

/* SAI reports the memory in kB, so it may be larger by less than this. */
#define SLACK_BYTES 1024

/* Returns the wanted number of an attribute, 0 if the row has none. */
static uint64_t
number(const struct object *object, sai_attr_id_t id)
{
    const sai_attribute_value_t *value = object_wanted_value(object, id);

    return value ? value->u64 : 0;
}

/* Returns whether a lossless profile refers to 'pool'. */
static bool
is_lossless(const struct object *pool)
{
    for (const struct edge *edge = pool->referrers; edge; edge = edge->next) {
        const struct source *source = edge->source;

        for (size_t i = 0;
             source->table == TABLE_BUFFER_PROFILE && i < source->n_claims;
             i++) {
            const struct object *profile = source->claims[i].object;

            if (profile->referrers &&
                number(profile, SAI_BUFFER_PROFILE_ATTR_XOFF_TH)) {
                return true;
            }
        }
    }
    return false;
}

/* Adds the warnings about a pool of 'size' bytes, of which 'xoff' are shared
 * headroom. */
static void
add_numbers(const struct graph *graph, uint64_t size, uint64_t xoff,
            struct text *warnings)
{
    const uint64_t memory = graph->memory_bytes;
    char warning[128];

    if (memory && size >= memory + SLACK_BYTES) {
        text_format(warning, sizeof warning,
                    "size-exceeds-memory %" PRIu64 " of %" PRIu64, size,
                    memory);
        text_add_item(warnings, ", ", warning);
    } else if (memory && graph->pools_reserve &&
               size + xoff >= memory + SLACK_BYTES) {
        text_format(warning, sizeof warning,
                    "size-and-xoff-exceed-memory %" PRIu64 " of %" PRIu64,
                    size + xoff, memory);
        text_add_item(warnings, ", ", warning);
    }
    if (size && xoff > size) {
        text_format(warning, sizeof warning,
                    "xoff-exceeds-size %" PRIu64 " of %" PRIu64, xoff, size);
        text_add_item(warnings, ", ", warning);
    }
}

void
pool_warnings_add(const struct source *source, struct text *warnings)
{
    for (size_t i = 0; i < source->n_claims; i++) {
        const struct object *pool = source->claims[i].object;
        uint64_t size = number(pool, SAI_BUFFER_POOL_ATTR_SIZE);

        add_numbers(source->graph, size,
                    number(pool, SAI_BUFFER_POOL_ATTR_XOFF_SIZE), warnings);
        if (!size && is_lossless(pool)) {
            text_add_item(warnings, ", ", "size-0-with-lossless-groups");
        }
    }
}
