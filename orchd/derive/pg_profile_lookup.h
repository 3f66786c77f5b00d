/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_PG_PROFILE_LOOKUP_H
#define ORCHD_DERIVE_PG_PROFILE_LOOKUP_H

/* The lookup table of the traditional buffer model: what a lossless priority
 * group needs for a speed and a cable length.
 *
 * The table has two forms: the columns of pg_profile_lookup.ini, which
 * pg_profile_lookup_parse() reads, and a JSON object "speed|cable" -> fields,
 * whose reader calls pg_profile_lookup_add() for each. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/derive/lookup_pairs.h"

/* What one pair needs.  Bytes. */
struct pg_profile_lookup_entry {
    struct lookup_pair pair;
    uint64_t size;
    uint64_t xon;
    uint64_t xoff;
    int64_t threshold; /* dynamic_th or static_th, by the mode of the pool. */
    bool has_xon_offset;
    uint64_t xon_offset;
};

/* Ordered by speed, then length.  Zero-initialise; end with
 * pg_profile_lookup_fini(). */
struct pg_profile_lookup {
    struct pg_profile_lookup_entry *entries;
    size_t n;
};

/* Frees what 'lookup' holds and zeroes it. */
void pg_profile_lookup_fini(struct pg_profile_lookup *lookup);

/* Makes 'copy', which is empty before, have the entries of 'lookup'. */
void pg_profile_lookup_copy(struct pg_profile_lookup *copy,
                            const struct pg_profile_lookup *lookup);

/* Adds an entry whose values are strings, named after the columns: "speed",
 * "cable", "size", "xon", "xoff", "threshold" and, if not NULL, "xon_offset".
 * Returns ST_INVALID if one is missing (NULL) or not a number in range, or
 * ST_EXISTS if the pair has an entry.  'err' names the column. */
struct pg_profile_lookup_texts {
    const char *speed, *cable, *size, *xon, *xoff, *threshold, *xon_offset;
};
enum st pg_profile_lookup_add(struct pg_profile_lookup *lookup,
                              const struct pg_profile_lookup_texts *texts,
                              struct err *err) ST_WARN_UNUSED;

/* Adds the lines of 'text', from a file that messages call 'origin':
 *
 *     # speed cable size xon xoff threshold [xon_offset]
 *     100000  40m   1248 2288 177632 0      2288
 *
 * Returns ST_INVALID if a line is wrong; 'err' says which, and 'lookup' has
 * those before it.  The caller bounds the length of the text. */
enum st pg_profile_lookup_parse(struct pg_profile_lookup *lookup,
                                const char *text, const char *origin,
                                struct err *err) ST_WARN_UNUSED;

/* Adds one such line of 'length' bytes.  Returns ST_INVALID if it is wrong. */
enum st pg_profile_lookup_parse_line(struct pg_profile_lookup *lookup,
                                     const char *text, size_t length,
                                     struct err *err) ST_WARN_UNUSED;

/* Returns the entry for a pair, or NULL. */
const struct pg_profile_lookup_entry *
pg_profile_lookup_find(const struct pg_profile_lookup *lookup,
                       uint32_t speed_mbps, uint32_t cable_m);

/* Reports that a pair has no entry, as lookup_pairs_explain_missing() does. */
enum st
pg_profile_lookup_explain_missing(const struct pg_profile_lookup *lookup,
                                  uint32_t speed_mbps, uint32_t cable_m,
                                  struct err *err);

#endif /* orchd/derive/pg_profile_lookup.h */
