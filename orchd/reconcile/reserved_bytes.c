/* SPDX-License-Identifier: Apache-2.0 */

/* A sum of products, kept up to date. */

#include <config.h>

#include "orchd/reconcile/reserved_bytes.h"

#include <stdlib.h>
#include <uthash.h>

#include "base/check.h"

struct reserved_bytes_profile {
    const void *profile; /* Key. */
    uint64_t bytes;
    uint64_t n_places;
    UT_hash_handle hh;
};

/* Changes a profile by so much; what is less is added modulo 2^64. */
static void
change(struct reserved_bytes *reserved, const void *key, uint64_t bytes,
       uint64_t n_places)
{
    struct reserved_bytes_profile *profile;

    HASH_FIND_PTR(reserved->profiles, &key, profile);
    if (!profile) {
        profile = check_calloc(1, sizeof *profile);
        profile->profile = key;
        HASH_ADD_PTR(reserved->profiles, profile, profile);
    }
    reserved->bytes -= profile->bytes * profile->n_places;
    profile->bytes += bytes;
    profile->n_places += n_places;
    reserved->bytes += profile->bytes * profile->n_places;
    if (!profile->bytes && !profile->n_places) {
        HASH_DEL(reserved->profiles, profile);
        free(profile);
    }
}

void
reserved_bytes_add_size(struct reserved_bytes *reserved, const void *profile,
                        uint64_t bytes)
{
    change(reserved, profile, bytes, 0);
}

void
reserved_bytes_take_size(struct reserved_bytes *reserved, const void *profile,
                         uint64_t bytes)
{
    change(reserved, profile, -bytes, 0);
}

void
reserved_bytes_add_place(struct reserved_bytes *reserved, const void *profile)
{
    change(reserved, profile, 0, 1);
}

void
reserved_bytes_take_place(struct reserved_bytes *reserved, const void *profile)
{
    change(reserved, profile, 0, UINT64_MAX);
}
