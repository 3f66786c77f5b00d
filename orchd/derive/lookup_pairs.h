/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_LOOKUP_PAIRS_H
#define ORCHD_DERIVE_LOOKUP_PAIRS_H

/* The entries of lookup tables, each for a speed and the length of a cable.
 *
 * Vendors measured the entries. orchd does not interpolate, because no vendor
 * guarantees a value between two measured ones.  A missing pair is reported
 * together with the lengths that exist. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct lookup_pair {
    uint32_t speed_mbps;
    uint32_t cable_m;
};

/* A view of an array of entries, ordered by speed, then length.  Each begins
 * with its 'struct lookup_pair'. */
struct lookup_pairs {
    void *entries;
    size_t n;
    size_t size;         /* Of an entry, in bytes. */
    const char *setting; /* The name of the setting that gives the table. */
};

/* Returns the entry for 'pair', NULL if there is none. */
const void *lookup_pairs_find(const struct lookup_pairs *pairs,
                              struct lookup_pair pair);

/* Inserts a copy of 'entry'; 'pairs->entries', which is from malloc(), may
 * move.  Returns ST_EXISTS, with 'err', if its pair has an entry. */
enum st lookup_pairs_insert(struct lookup_pairs *pairs, const void *entry,
                            struct err *err) ST_WARN_UNUSED;

/* Reports in 'err', with status ST_NOT_FOUND and code "no-lookup", that 'pair'
 * has no entry: names the pair, the next shorter and longer cable of that
 * speed, or the known speeds.  Returns ST_NOT_FOUND. */
enum st lookup_pairs_explain_missing(const struct lookup_pairs *pairs,
                                     struct lookup_pair pair, struct err *err);

#endif /* orchd/derive/lookup_pairs.h */
