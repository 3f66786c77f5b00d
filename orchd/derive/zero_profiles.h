/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_ZERO_PROFILES_H
#define ORCHD_DERIVE_ZERO_PROFILES_H

/* The zero profiles of a vendor: pools and profiles that reserve nothing, and
 * what they are for.
 *
 * They are delivered as a file (orchd/files/zero_file.h) and are the same
 * for the life of the daemon.  What is made of them is in reclaim.h. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/intent/field.h"
#include "orchd/intent/table.h"

struct content;

/* What is bound to priority groups at ingress, to queues at egress. */
enum zero_side { ZERO_INGRESS, ZERO_EGRESS, N_ZERO_SIDES };

/* BUFFER_POOL or BUFFER_PROFILE. */
struct zero_row {
    enum table table;
    char *key;
    struct content *content;
};

/* Zero-initialise: no zero profiles.  All owned. */
struct zero_profiles {
    struct zero_row *rows; /* Pools before profiles, as they were added. */
    size_t n;

    /* Of each side: the indices that the vendor names, and the profile that
     * these, or else what is not configured, get; NULL: the first. */
    bool has_ids[N_ZERO_SIDES];
    uint64_t ids[N_ZERO_SIDES];
    char *named[N_ZERO_SIDES];

    bool keeps_rows; /* The switch cannot do without any binding. */
};

/* Frees what 'zeros' owns and zeroes it. */
void zero_profiles_fini(struct zero_profiles *zeros);

/* Adds a pool or a profile with the 'n' fields, copied.  ST_INVALID, and the
 * reason in 'err': it reserves something, lacks a field that it needs, has one
 * that such a row does not have, or is there already. */
enum st zero_profiles_add(struct zero_profiles *zeros, enum table table,
                          const char *key, const struct field *fields, size_t n,
                          struct err *err) ST_WARN_UNUSED;

/* Takes "0,3-4" for the indices of a side.  ST_INVALID: it is no such list, of
 * indices below 64. */
enum st zero_profiles_set_ids(struct zero_profiles *zeros, enum zero_side side,
                              const char *text, struct err *err) ST_WARN_UNUSED;

/* Takes 'name' for the profile of a side.  ST_INVALID: no such was added. */
enum st zero_profiles_set_named(struct zero_profiles *zeros,
                                enum zero_side side, const char *name,
                                struct err *err) ST_WARN_UNUSED;

/* Returns a row, NULL if there is none. */
const struct zero_row *zero_profiles_find(const struct zero_profiles *zeros,
                                          enum table table, const char *key);

/* Returns a field of 'row', or NULL. */
const char *zero_field(const struct zero_row *row, const char *name);

#endif /* orchd/derive/zero_profiles.h */
