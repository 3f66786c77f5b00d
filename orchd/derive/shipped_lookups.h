/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_SHIPPED_LOOKUPS_H
#define ORCHD_DERIVE_SHIPPED_LOOKUPS_H

/* The lookup tables that are shipped with orchd, each for some hwskus.
 *
 * The text has a table after another.  A table begins with the names of its
 * hwskus in brackets, on one or more lines, and continues with entries in the
 * columns of pg_profile_lookup.h:
 *
 *     [ACS-MSN3420 ACS-MSN3700C]
 *     100000 5m 53248 19456 33792 0
 *
 * Pure: the caller reads the file. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct pg_profile_lookup;
struct shipped_lookup;

/* Zero-initialise; end with shipped_lookups_fini(). */
struct shipped_lookups {
    struct shipped_lookup *tables;
    size_t n;
};

/* Frees what 'shipped' holds and zeroes it. */
void shipped_lookups_fini(struct shipped_lookups *shipped);

/* Makes 'copy', which is empty before, have the tables of 'shipped'. */
void shipped_lookups_copy(struct shipped_lookups *copy,
                          const struct shipped_lookups *shipped);

/* Reads 'text', from a file that messages call 'origin'.  Returns ST_INVALID if
 * a line is wrong, an entry precedes the first name, or a name occurs twice;
 * 'err' says which line, and 'shipped' has the tables before it. */
enum st shipped_lookups_parse(struct shipped_lookups *shipped, const char *text,
                              const char *origin,
                              struct err *err) ST_WARN_UNUSED;

/* Returns the table of 'hwsku', NULL if there is none.  Borrowed. */
const struct pg_profile_lookup *
shipped_lookups_find(const struct shipped_lookups *shipped, const char *hwsku);

/* Returns the table of the first hwsku for which 'matches' returns true, and
 * stores that hwsku in 'hwsku'; NULL and "" if there is none.  Borrowed. */
const struct pg_profile_lookup *
shipped_lookups_search(const struct shipped_lookups *shipped,
                       bool (*matches)(const void *context, const char *hwsku),
                       const void *context, char *hwsku, size_t size);

#endif /* orchd/derive/shipped_lookups.h */
