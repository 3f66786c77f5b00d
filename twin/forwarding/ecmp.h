/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_ECMP_H
#define ORCHD_TWIN_FORWARDING_ECMP_H

/* Equal-cost multipath: a hash of the flow, and a choice of one member by it.
 *
 * The hash is over the fields that make a flow.  For IP packets these are
 * addresses, protocol and ports; fragments are hashed without ports, which only
 * the first one has, so that all fragments of a packet take the same path.  For
 * other frames they are the MAC addresses and the type.  RFC 2992 discusses the
 * choice.  The hash has a seed, so that a switch and the next one do not make
 * the same choice (hash polarisation).
 *
 * A group maps the range of the hash to its members in proportion to their
 * weights, in the order of their keys.  So the choice depends on the members,
 * not on the order in which they were added.  When a member is added or removed
 * the ranges of others move, and their flows with them: these groups are not
 * resilient. */

#include <stdbool.h>
#include <stdint.h>

struct packet;

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
};

/* Returns the hash of the flow of 'packet'. */
uint32_t ecmp_hash(const struct packet *packet, uint32_t seed);

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
