/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_ZERO_PROFILES_H
#define ORCHD_DERIVE_ZERO_PROFILES_H

/* The zero profiles of a vendor: pools and profiles that reserve nothing, and
 * where they apply.
 *
 * They come as a file (orchd/files/zero_file.h) and do not change while the
 * daemon runs. reclaim.h says how they are used. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/intent/field.h"
#include "orchd/intent/table.h"

struct content;

/* Ingress: what is bound to priority groups; egress: to queues. */
enum zero_side { ZERO_INGRESS, ZERO_EGRESS, N_ZERO_SIDES };

/* BUFFER_POOL or BUFFER_PROFILE. */
struct zero_row {
    enum table table;
    char *key;
    struct content *content;
};

/* Zero-initialise: no zero profiles.  All owned. */
struct zero_profiles {
    struct zero_row *rows; /* Pools before profiles, in the order added. */
    size_t n;

    /* For each side: the indices that the vendor lists, and the profile that
     * these get or, without a list, the indices that no row configures; NULL:
     * the first profile. */
    bool has_ids[N_ZERO_SIDES];
    uint64_t ids[N_ZERO_SIDES];
    char *named[N_ZERO_SIDES];

    bool keeps_rows; /* The switch requires a binding everywhere. */
};

/* Frees what 'zeros' owns and zeroes it. */
void zero_profiles_fini(struct zero_profiles *zeros);

/* Adds a pool or a profile with a copy of the 'n' fields. Returns ST_INVALID,
 * and the reason in 'err', if it reserves something, lacks a required field,
 * has a field that such a row must not have, or exists already. */
enum st zero_profiles_add(struct zero_profiles *zeros, enum table table,
                          const char *key, const struct field *fields, size_t n,
                          struct err *err) ST_WARN_UNUSED;

/* Sets the indices of a side from a list like "0,3-4". Returns ST_INVALID if
 * 'text' is not such a list of indices below 64. */
enum st zero_profiles_set_ids(struct zero_profiles *zeros, enum zero_side side,
                              const char *text, struct err *err) ST_WARN_UNUSED;

/* Sets the profile of a side. Returns ST_INVALID if no profile 'name' was
 * added. */
enum st zero_profiles_set_named(struct zero_profiles *zeros,
                                enum zero_side side, const char *name,
                                struct err *err) ST_WARN_UNUSED;

/* Returns a row, or NULL. */
const struct zero_row *zero_profiles_find(const struct zero_profiles *zeros,
                                          enum table table, const char *key);

/* Returns a field of 'row', or NULL. */
const char *zero_field(const struct zero_row *row, const char *name);

#endif /* orchd/derive/zero_profiles.h */
