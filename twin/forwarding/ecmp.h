/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_ECMP_H
#define ORCHD_TWIN_FORWARDING_ECMP_H

/* Equal-cost multipath: the choice of a member by the hash of a flow
 * (flow_hash.h).
 *
 * A group with the sum W of weights chooses by the remainder of the hash modulo
 * W: the members, in the order of their keys, have as many consecutive
 * remainders as their weights.  With weights of 1 this is hash mod n.  So the
 * choice depends on the members, not on the order in which they were added.
 * When a member is added or removed the flows of others move, too: these groups
 * are not resilient.  If W exceeds 32 bits, the range of the hash is divided in
 * proportion to the weights instead. */

#include <stdbool.h>
#include <stdint.h>

/* No target. */
#define ECMP_NONE UINT32_MAX

struct ecmp_member {
    uint64_t key; /* Identifies the member for the owner. */
    uint32_t target;
    uint32_t weight;
    uint64_t end; /* Sum of the weights up to this one. */
};

/* A group; zero-initialised it is empty.  End with ecmp_fini(). */
struct ecmp {
    struct ecmp_member *members; /* Sorted by key. */
    uint32_t n;
    uint32_t size;
    uint64_t inverse; /* For the remainder. */
    bool is_even;     /* All weights are 1. */
};

/* Frees what 'ecmp' owns. */
void ecmp_fini(struct ecmp *ecmp);

/* Adds or changes member 'key'.  A member of weight 0 is never chosen. */
void ecmp_set(struct ecmp *ecmp, uint64_t key, uint32_t target,
              uint32_t weight);

/* Removes member 'key'.  Returns false if there is none. */
bool ecmp_remove(struct ecmp *ecmp, uint64_t key);

/* Returns the target for 'hash', ECMP_NONE if no member has a weight. */
uint32_t ecmp_choose(const struct ecmp *ecmp, uint32_t hash);

#endif /* twin/forwarding/ecmp.h */
