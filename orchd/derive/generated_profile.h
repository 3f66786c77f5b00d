/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_GENERATED_PROFILE_H
#define ORCHD_DERIVE_GENERATED_PROFILE_H

/* A profile that the dynamic model has generated, as those see it that count
 * what it takes; generated_profiles.h makes and ends them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uthash.h>

#include "orchd/derive/headroom.h"
#include "orchd/derive/port_state.h"

struct dynamic_state;
struct derived_row;
struct terms;

struct generated_profile {
    char *name; /* Owned. */
    struct profile_label label;
    struct headroom headroom; /* In force. */
    size_t n_users;           /* Places. */
    size_t n_eight;           /* Those on ports of 8 lanes among them. */
    bool held;                /* It should be another, but there is no room. */
    struct derived_row *derived;
    UT_hash_handle hh;
};

#endif /* orchd/derive/generated_profile.h */
