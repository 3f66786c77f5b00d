/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_ECMP_H
#define ORCHD_TWIN_FORWARDING_ECMP_H

/* One of several equal ways for a flow: a hash, and a choice by it.
 *
 * The hash is over what makes a flow: addresses, protocol and ports of an IP
 * packet (fragments but the first have no ports, so all of them are hashed
 * without: a flow of fragments still keeps together if none has the ports; RFC
 * 2992 discusses the choice), MAC addresses and type of anything else.  It
 * depends on a seed, so that a switch and the one behind it do not make the
 * same choice (hash polarisation).
 *
 * A group maps the range of the hash to its members in proportion to their
 * weights, in the order of their keys.  So the choice depends on who is in the
 * group, not on how it came about.  When a member comes or goes the ranges of
 * others move, and flows with them: groups here are not resilient. */

#include <stdbool.h>
#include <stdint.h>

struct packet;

/* No target. */
#define ECMP_NONE UINT32_MAX

struct ecmp_member {
    uint64_t key; /* By which the owner knows it. */
    uint32_t target;
    uint32_t weight;
    uint64_t end; /* Sum of the weights up to this one. */
};

/* A group; one of zeros is empty.  End with ecmp_fini(). */
struct ecmp {
    struct ecmp_member *members; /* Sorted by key. */
    uint32_t n;
    uint32_t size;
};

/* Returns the hash of the flow of 'packet'. */
uint32_t ecmp_hash(const struct packet *packet, uint32_t seed);

/* Frees what 'ecmp' holds. */
void ecmp_fini(struct ecmp *ecmp);

/* Adds member 'key', or changes it.  One of weight 0 is never chosen. */
void ecmp_set(struct ecmp *ecmp, uint64_t key, uint32_t target,
              uint32_t weight);

/* Removes a member.  Returns false if there is none. */
bool ecmp_remove(struct ecmp *ecmp, uint64_t key);

/* Returns the target for 'hash', ECMP_NONE if no member has a weight. */
uint32_t ecmp_choose(const struct ecmp *ecmp, uint32_t hash);

#endif /* twin/forwarding/ecmp.h */
