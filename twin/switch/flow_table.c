/* SPDX-License-Identifier: Apache-2.0 */

/* A table of flows. */

#include <config.h>

#include "twin/switch/flow_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/line_pool.h"
#include "twin/forwarding/acl.h"

void
flow_table_fini(struct flow_table *table)
{
    line_pool_give(table->memory, table->entries,
                   sizeof *table->entries << table->bits);
    free(table->touches);
    *table = (struct flow_table){.memory = table->memory, .end = table->end};
}

void
flow_table_report(struct flow_table *table)
{
    const size_t n = table->counts ? (size_t)1 << table->bits : 0;

    for (size_t i = 0; i < n; i++) {
        struct flow_entry *entry = &table->entries[i];

        if (entry->n_frames) {
            table->end(table, entry);
            entry->n_frames = 0;
            entry->octets = 0;
        }
    }
    table->counts = false;
}

void
flow_table_clear(struct flow_table *table, uint32_t changes)
{
    flow_table_report(table);
    table->changes = changes;
    table->displaced = 0;
    if (table->entries) {
        memset(table->entries, 0, sizeof *table->entries << table->bits);
    }
}

/* Allocates 2^bits empty entries. */
static void
allocate(struct flow_table *table, uint32_t bits)
{
    const size_t n = (size_t)1 << bits;

    table->bits = bits;
    table->displaced = 0;
    table->entries = line_pool_take(table->memory, n * sizeof *table->entries);
    table->touches = check_calloc(n, sizeof *table->touches);
    table->has_trails = false;
}

/* Returns the place for a flow: its own, else an empty one, else the first. */
static uint32_t
choose(const struct flow_table *table, uint32_t number, uint32_t in)
{
    const uint32_t place = flow_table_place__(table, number, in);

    for (uint32_t i = 0; i < 2; i++) {
        if (flow_entry_is__(&table->entries[place ^ i], number, in)) {
            return place ^ i;
        }
    }
    return table->entries[place].number && !table->entries[place ^ 1].number
               ? place ^ 1
               : place;
}

struct acl_trail *
flow_table_trail(const struct flow_table *table, const struct flow_entry *entry)
{
    void *trails = table->touches + ((size_t)1 << table->bits);

    return (struct acl_trail *)trails + (entry - table->entries);
}

void
flow_table_set_trail(struct flow_table *table, uint32_t at,
                     const struct acl_trail *trail)
{
    if (!table->has_trails) {
        const size_t n = (size_t)1 << table->bits;

        table->touches = check_realloc(
            table->touches, n * (sizeof *table->touches + sizeof *trail));
        table->has_trails = true;
    }
    *flow_table_trail(table, &table->entries[at]) = *trail;
}

/* Doubles the table.  A pair of places becomes two pairs, one for each place,
 * so that no entry displaces another one, and all keep what they have counted.
 */
static void
grow(struct flow_table *table)
{
    const struct flow_table old = *table;

    allocate(table, old.bits + 1);
    for (uint32_t i = 0; i < UINT32_C(1) << old.bits; i++) {
        const struct flow_entry *entry = &old.entries[i];

        if (entry->number) {
            const uint32_t at = choose(table, entry->number,
                                       (uint32_t)(entry->src_and_in >> 48));

            table->entries[at] = *entry;
            table->touches[at] = old.touches[i];
            if (entry->flags & FLOW_COUNTS) {
                flow_table_set_trail(table, at, flow_table_trail(&old, entry));
            }
        }
    }
    line_pool_give(old.memory, old.entries, sizeof *old.entries << old.bits);
    free(old.touches);
}

struct flow_entry *
flow_table_add(struct flow_table *table, uint32_t number, uint32_t in,
               uint32_t *at)
{
    struct flow_entry *entry;

    if (!table->entries) {
        allocate(table, FLOW_TABLE_MIN_BITS);
    }
    entry = &table->entries[choose(table, number, in)];
    table->displaced += entry->number && !flow_entry_is__(entry, number, in);
    if (table->bits < FLOW_TABLE_MAX_BITS &&
        table->displaced > UINT32_C(1) << table->bits >> 2) {
        grow(table);
    }
    *at = choose(table, number, in);
    entry = &table->entries[*at];
    if (entry->n_frames) {
        table->end(table, entry);
    }
    return entry;
}
