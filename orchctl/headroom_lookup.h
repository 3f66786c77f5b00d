/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_HEADROOM_LOOKUP_H
#define ORCHD_ORCHCTL_HEADROOM_LOOKUP_H

/* The xoff of a plan beside that of the vendor's table, and why they differ.
 *
 * Both grow with the cable, nearly along a line.  Its slope is what a metre of
 * cable holds, times the buffer that each of these bytes takes; its value at
 * 0 m is what the peer, MAC, PHY and pipeline hold.  So slope and value at 0 m
 * say which of the two the vendor measured differently from the formula.
 *
 * Pure: no I/O. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchctl/headroom_plan.h"
#include "orchd/derive/pg_profile_lookup.h"

/* xoff as a line: bytes. */
struct lookup_line {
    int64_t base;   /* At 0 m. */
    int64_t per_km; /* For each km of cable. */
};

struct lookup_comparison {
    const struct pg_profile_lookup_entry *entry; /* Of the pair; NULL: none. */
    uint64_t xoff_bytes;                         /* By the formula. */

    /* Valid if the table has two lengths at that speed. */
    bool has_lines;
    struct lookup_line vendor, formula;
    int64_t wire_per_km; /* What a km holds in both directions. */
};

/* Compares group 'i' of 'question', whose answer is 'answer', with 'lookup'. */
void headroom_lookup_compare(const struct plan_question *question, size_t i,
                             const struct plan_answer *answer,
                             const struct pg_profile_lookup *lookup,
                             struct lookup_comparison *comparison);

/* Returns by how many percent the formula exceeds the table, which has an
 * entry; rounded to the nearest. */
int64_t headroom_lookup_percent(const struct lookup_comparison *comparison);

#endif /* orchctl/headroom_lookup.h */
