/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_GENERATED_PROFILE_H
#define ORCHD_DERIVE_GENERATED_PROFILE_H

/* A profile that the dynamic model has generated, as the modules that add up
 * its reservations see it; generated_profiles.h creates and frees them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uthash.h>

#include "orchd/derive/headroom.h"
#include "orchd/derive/port_state.h"

struct derived_row;

struct generated_profile {
    char *name; /* Owned. */
    struct profile_label label;
    struct headroom headroom; /* In force. */
    size_t n_users;           /* Bindings. */
    size_t n_eight;           /* Of these, those on ports of 8 lanes. */
    bool held;                /* It should change, but there is no room. */
    struct derived_row *derived;
    UT_hash_handle hh;
};

#endif /* orchd/derive/generated_profile.h */
