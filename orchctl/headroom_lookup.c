/* SPDX-License-Identifier: Apache-2.0 */

/* Draws lines through the shortest and the longest cable of a speed. */

#include <config.h>

#include "orchctl/headroom_lookup.h"

#include "orchd/derive/headroom.h"

#define KM_M INT64_C(1000)

/* Returns the line through two points, whose lengths differ. */
static struct lookup_line
line_through(int64_t short_m, int64_t short_bytes, int64_t long_m,
             int64_t long_bytes)
{
    const int64_t per_km =
        (long_bytes - short_bytes) * KM_M / (long_m - short_m);

    return (struct lookup_line){short_bytes - per_km * short_m / KM_M, per_km};
}

/* Returns the xoff of the formula for another length of cable. */
static int64_t
formula_xoff(const struct plan_question *question, size_t i, uint32_t cable_m)
{
    const struct headroom_rules rules = plan_rules(question);
    struct headroom_port port = question->groups[i].port;
    struct headroom headroom;

    port.cable_m = cable_m;
    headroom_compute(&rules, &port, question->ratio > 0, &headroom, NULL);
    return (int64_t)headroom.xoff;
}

void
headroom_lookup_compare(const struct plan_question *question, size_t i,
                        const struct plan_answer *answer,
                        const struct pg_profile_lookup *lookup,
                        struct lookup_comparison *comparison)
{
    const struct headroom_port *port = &question->groups[i].port;
    const struct pg_profile_lookup_entry *first = NULL, *last = NULL;

    *comparison =
        (struct lookup_comparison){.entry = pg_profile_lookup_find(
                                       lookup, port->speed_mbps, port->cable_m),
                                   .xoff_bytes = answer->groups[i].xoff_bytes};
    for (size_t k = 0; k < lookup->n; k++) {
        const struct pg_profile_lookup_entry *entry = &lookup->entries[k];

        if (entry->pair.speed_mbps == port->speed_mbps) {
            first = first ? first : entry;
            last = entry;
        }
    }
    if (first == last) {
        return;
    }
    comparison->has_lines = true;
    comparison->vendor = line_through(first->pair.cable_m, (int64_t)first->xoff,
                                      last->pair.cable_m, (int64_t)last->xoff);
    comparison->formula = line_through(
        first->pair.cable_m, formula_xoff(question, i, first->pair.cable_m),
        last->pair.cable_m, formula_xoff(question, i, last->pair.cable_m));
    /* Speed in Mb/s times the round trip in ns is 1/1000 bit. */
    comparison->wire_per_km =
        (int64_t)port->speed_mbps * plan_round_trip_ns((uint32_t)KM_M) / 8000;
}

int64_t
headroom_lookup_percent(const struct lookup_comparison *comparison)
{
    const int64_t table = (int64_t)comparison->entry->xoff;
    const int64_t more = (int64_t)comparison->xoff_bytes - table;
    const int64_t half = more < 0 ? -table / 2 : table / 2;

    return table ? (100 * more + half) / table : 0;
}
