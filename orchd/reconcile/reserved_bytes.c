/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps a sum of products up to date. */

#include <config.h>

#include "orchd/reconcile/reserved_bytes.h"

#include <stdlib.h>
#include <uthash.h>

#include "base/check.h"

struct reserved_bytes_profile {
    const void *profile; /* Key. */
    uint64_t bytes;
    uint64_t n_users;
    UT_hash_handle hh;
};

/* Changes size and users of a profile.  Decreases are additions modulo 2^64. */
static void
change(struct reserved_bytes *reserved, const void *key, uint64_t bytes,
       uint64_t n_users)
{
    struct reserved_bytes_profile *profile;

    HASH_FIND_PTR(reserved->profiles, &key, profile);
    if (!profile) {
        profile = check_calloc(1, sizeof *profile);
        profile->profile = key;
        HASH_ADD_PTR(reserved->profiles, profile, profile);
    }
    reserved->bytes -= profile->bytes * profile->n_users;
    profile->bytes += bytes;
    profile->n_users += n_users;
    reserved->bytes += profile->bytes * profile->n_users;
    if (!profile->bytes && !profile->n_users) {
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
reserved_bytes_add_user(struct reserved_bytes *reserved, const void *profile)
{
    change(reserved, profile, 0, 1);
}

void
reserved_bytes_take_user(struct reserved_bytes *reserved, const void *profile)
{
    change(reserved, profile, 0, UINT64_MAX);
}
