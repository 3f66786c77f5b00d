/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_LPM_H
#define ORCHD_TWIN_FORWARDING_LPM_H

/* Longest prefix match: finds the value of the longest prefix of an address.
 *
 * The prefixes of one family are the nodes of a binary trie in which chains of
 * single children are left out (a Patricia trie, Morrison 1968): a node tests
 * its whole prefix at once and then selects a child by the bit that follows.  A
 * node without a value is a fork and has two children.  So there are fewer than
 * twice as many nodes as prefixes, regardless of their length.
 *
 * Cost: finding, inserting and removing visit at most one node per bit of the
 * address, in practice about the logarithm of the number of prefixes; a lookup
 * allocates nothing.
 *
 * Values belong to the caller and must not be NULL. */

#include <stdbool.h>
#include <stddef.h>

#include "twin/forwarding/address.h"

struct lpm;

/* Returns a new, empty table for one family.  End with lpm_destroy(). */
struct lpm *lpm_create(void);

/* Frees 'lpm', not the values.  Accepts NULL. */
void lpm_destroy(struct lpm *lpm);

/* Adds the first 'length' bits of 'address' as a prefix.  Returns false, and
 * changes nothing, if the prefix exists. */
bool lpm_insert(struct lpm *lpm, const struct address *address,
                unsigned int length, void *value);

/* Removes a prefix.  Returns its value, NULL if it did not exist. */
void *lpm_remove(struct lpm *lpm, const struct address *address,
                 unsigned int length);

/* Returns the value of exactly that prefix, or NULL. */
void *lpm_find(const struct lpm *lpm, const struct address *address,
               unsigned int length);

/* Returns the value of the longest prefix of 'address', or NULL. */
void *lpm_lookup(const struct lpm *lpm, const struct address *address);

size_t lpm_count(const struct lpm *lpm);

/* Calls 'each' for all values, in the order of addresses, shorter prefixes
 * first.  It must not change the table. */
typedef void lpm_each_fn(void *context, void *value);
void lpm_each(const struct lpm *lpm, lpm_each_fn *each, void *context);

#endif /* twin/forwarding/lpm.h */
