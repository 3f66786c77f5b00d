/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_LLR_LOOKUP_H
#define ORCHD_DERIVE_LLR_LOOKUP_H

/* The lookup table of link-level retry: the profile that a link needs for its
 * speed and the length of its cable, as in llr_profile_lookup.ini.
 *
 *     speed   cable  outstanding_frames  outstanding_bytes  replay_timer
 *     400000  5m     115                 58768              5000
 *     400000  40m    133                 67760              -
 *
 * The first line that is neither empty nor a comment has the names of the
 * columns: speed and cable, then fields of LLR_PROFILE in any order, which may
 * be abbreviated as here.  outstanding_frames and outstanding_bytes are
 * mandatory.  A field without a column, or with "-", is not in the profile. */

#include <stddef.h>

#include "base/status.h"
#include "orchd/derive/lookup_pairs.h"
#include "orchd/intent/field.h"

enum {
    LLR_LOOKUP_FIELDS = 9,      /* Of a profile. */
    LLR_LOOKUP_VALUE_SIZE = 12, /* "best_effort", 4294967295. */
};

struct llr_lookup_entry {
    struct lookup_pair pair;
    char values[LLR_LOOKUP_FIELDS][LLR_LOOKUP_VALUE_SIZE]; /* "": not set. */
};

/* Ordered by speed, then length.  Zero-initialise; end with
 * llr_lookup_fini(). */
struct llr_lookup {
    struct llr_lookup_entry *entries;
    size_t n;
};

/* Frees what 'lookup' holds and zeroes it. */
void llr_lookup_fini(struct llr_lookup *lookup);

/* Adds the entries of 'text', from a file that messages call 'origin'.  Returns
 * ST_INVALID if a line is wrong; 'err' says which, and 'lookup' has those
 * before it. */
enum st llr_lookup_parse(struct llr_lookup *lookup, const char *text,
                         const char *origin, struct err *err) ST_WARN_UNUSED;

/* Returns the entry for a pair, NULL if there is none. */
const struct llr_lookup_entry *llr_lookup_find(const struct llr_lookup *lookup,
                                               struct lookup_pair pair);

/* Reports that a pair has no entry, as lookup_pairs_explain_missing() does. */
enum st llr_lookup_explain_missing(const struct llr_lookup *lookup,
                                   struct lookup_pair pair, struct err *err);

/* Stores the fields of LLR_PROFILE that 'entry' sets, borrowed from it. Returns
 * their number. */
size_t llr_lookup_fields(const struct llr_lookup_entry *entry,
                         struct field fields[LLR_LOOKUP_FIELDS]);

#endif /* orchd/derive/llr_lookup.h */
