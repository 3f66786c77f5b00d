/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_ACL_FILTER_H
#define ORCHD_TWIN_FORWARDING_ACL_FILTER_H

/* Which groups of rules a packet can match, before any of them is searched.
 *
 * The masks of a table (acl.h), which are arrays of words, are made of few
 * different parts: a *term* is a mask on one word of the key, such as the first
 * 24 bits of the source address. For each term there is a hash table from
 * values to the groups that have a rule with that value, a bit each.  A packet
 * can only match a group that has the values of the packet under all of its
 * terms.  So one look-up per term, which do not depend on each other, leaves
 * few groups to be searched: with 4 and 4 lengths of prefixes 8 look-ups
 * instead of 16 searches.
 *
 * The answer may name a group that has no such rule, but never leaves one out:
 * values collide, and those of removed rules stay until the next
 * acl_filter_clear().
 *
 * A filter knows up to ACL_FILTER_SLOTS groups, in sets of 64, of which only
 * those in use cost time; what does not fit is left to its user.  Terms beyond
 * ACL_FILTER_TERMS do not narrow the answer.
 *
 * References: Lakshman and Stiliadis, "High-speed policy-based packet
 * forwarding using efficient multi-dimensional range matching", 1998 (a bit
 * vector per field); Srinivasan, Suri and Varghese, "Packet classification
 * using tuple space search", 1999 (pruning of tuples). */

#include <stdbool.h>
#include <stdint.h>

/* 2^64 divided by the golden ratio: multiples are spread evenly. */
#define ACL_FILTER_FACTOR UINT64_C(0x9e3779b97f4a7c15)

enum {
    ACL_FILTER_SETS = 16, /* Of 64 slots. */
    ACL_FILTER_SLOTS = 64 * ACL_FILTER_SETS,
    ACL_FILTER_TERMS = 64,
};

struct acl_filter_term {
    uint64_t mask; /* Not 0. */
    uint32_t word; /* Of the key. */
    /* A bit per slot of a group with this term. */
    uint64_t users[ACL_FILTER_SETS];
    /* 2^bits of them, 'n_sets' words each: the slots with such a value. */
    uint64_t *places;
};

/* Empty if all is 0. */
struct acl_filter {
    uint32_t n_terms;
    uint32_t bits;
    uint32_t n_sets; /* That have slots in use, or had; at most all. */
    uint64_t used[ACL_FILTER_SETS]; /* A bit per slot that is taken. */
    uint64_t n_noted;
    uint64_t limit; /* Of 'n_noted'; see acl_filter_is_full(). */
    struct acl_filter_term terms[ACL_FILTER_TERMS];
};

void acl_filter_fini(struct acl_filter *filter);

/* Returns a free slot for the group with 'mask', of 'n' words,
 * ACL_FILTER_SLOTS if there is none.  It may fill the filter (see
 * acl_filter_is_full()). */
uint32_t acl_filter_take(struct acl_filter *filter, uint32_t n,
                         const uint64_t *mask);

/* Frees 'slot'. */
void acl_filter_give(struct acl_filter *filter, uint32_t slot);

/* Notes that the group in 'slot' has a rule with 'value'. */
void acl_filter_note(struct acl_filter *filter, uint32_t slot,
                     const uint64_t *value);

/* Returns whether so much has been noted that the filter has to be cleared, and
 * the rules noted again. */
bool acl_filter_is_full(const struct acl_filter *filter);

/* Forgets all values, and makes room for those of 'n_rules'. */
void acl_filter_clear(struct acl_filter *filter, uint32_t n_rules);

/* Returns which slots of set 'set' belong to groups that a packet with 'key'
 * can match, a bit each.  'n_sets' is that of the filter; a constant makes it
 * faster. */
static inline uint64_t
acl_filter_search(const struct acl_filter *filter, const uint64_t *key,
                  uint32_t set, uint32_t n_sets)
{
    const uint32_t shift = 64 - filter->bits;
    uint64_t found = filter->used[set];

    for (uint32_t i = 0; i < filter->n_terms && found; i++) {
        const struct acl_filter_term *term = &filter->terms[i];
        const uint64_t value = key[term->word] & term->mask;
        const uint64_t at = value * ACL_FILTER_FACTOR >> shift;

        found &= term->places[at * n_sets + set] | ~term->users[set];
    }
    return found;
}

#endif /* twin/forwarding/acl_filter.h */
