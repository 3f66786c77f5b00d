/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_LOOKUP_H
#define ORCHD_DERIVE_LOOKUP_H

/* The table of the traditional buffer model: for a speed and a length of cable,
 * what a lossless priority group needs.
 *
 * Vendors measured it; nothing is interpolated, since a value between two
 * measured ones is nobody's promise.  A pair that is not there is reported with
 * the lengths that are.
 *
 * Two forms of the same: the columns of pg_profile_lookup.ini, which
 * lookup_parse() reads, and a JSON object "speed|cable" -> fields, whose reader
 * calls lookup_add() for each. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct text;

/* What one pair needs.  Bytes. */
struct lookup_entry {
    uint32_t speed_mbps;
    uint32_t cable_m;
    uint64_t size;
    uint64_t xon;
    uint64_t xoff;
    int64_t threshold; /* dynamic_th or static_th, as the pool's mode says. */
    bool has_xon_offset;
    uint64_t xon_offset;
};

/* Ordered by speed, then length.  Zero-initialise; end with lookup_fini(). */
struct lookup {
    struct lookup_entry *entries;
    size_t n;
};

/* Frees what 'lookup' holds and zeroes it. */
void lookup_fini(struct lookup *lookup);

/* Adds an entry whose values are given as texts by the names of the columns:
 * "speed", "cable", "size", "xon", "xoff", "threshold" and, if not NULL,
 * "xon_offset".  ST_INVALID: one is missing (NULL) or no number in range;
 * ST_EXISTS: there is an entry for that pair.  'err' names the column. */
struct lookup_texts {
    const char *speed, *cable, *size, *xon, *xoff, *threshold, *xon_offset;
};
enum st lookup_add(struct lookup *lookup, const struct lookup_texts *texts,
                   struct err *err) ST_WARN_UNUSED;

/* Adds the lines of 'text', of a file that messages call 'origin':
 *
 *     # speed cable size xon xoff threshold [xon_offset]
 *     100000  40m   1248 2288 177632 0      2288
 *
 * ST_INVALID: a line is wrong; 'err' says which, and 'lookup' has those before
 * it.  The length of the text is bounded by its caller. */
enum st lookup_parse(struct lookup *lookup, const char *text,
                     const char *origin, struct err *err) ST_WARN_UNUSED;

/* Returns the entry for a pair, or NULL. */
const struct lookup_entry *lookup_find(const struct lookup *lookup,
                                       uint32_t speed_mbps, uint32_t cable_m);

/* Explains in 'err', with status ST_NOT_FOUND and code "no-lookup", that there
 * is no entry for a pair: names it, the next shorter and longer cable of that
 * speed, or the speeds that there are.  Returns ST_NOT_FOUND. */
enum st lookup_explain_missing(const struct lookup *lookup, uint32_t speed_mbps,
                               uint32_t cable_m, struct err *err);

/* Reads a length of cable, "40m", of at most HEADROOM_CABLE_MAX_M. */
enum st cable_parse(const char *text, uint32_t *cable_m) ST_WARN_UNUSED;

#endif /* orchd/derive/lookup.h */
