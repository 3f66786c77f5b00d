/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_GENERATED_PROFILES_H
#define ORCHD_DERIVE_GENERATED_PROFILES_H

/* Profiles that are generated for ports of the dynamic model.
 *
 * Ports of the same speed, cable and mtu share one, which is there as long as
 * a port uses it.  It is a row of BUFFER_PROFILE of origin auto, with the
 * headroom that the formula gives.
 *
 * When what all of them depend on changes (the shared headroom pool, the
 * traffic pattern, the chip), they change in place; but one that a port would
 * then have no room for keeps what it has and says so, until there is room.
 *
 * The name does not tell on every platform whether a port has 8 lanes, which
 * need more: where a profile is used by such a port, it is made for it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uthash.h>

#include "orchd/derive/generated_profile.h"
#include "orchd/derive/headroom.h"
#include "orchd/derive/port_state.h"

struct dynamic_state;
struct derived_row;
struct terms;

/* Returns the profile of 'label', made if there was none; with one more user,
 * 'eight': on a port of 8 lanes.  generated_profiles_unref() takes one away. */
struct generated_profile *
generated_profiles_ref(struct dynamic_state *model,
                       const struct profile_label *label, bool eight);
void generated_profiles_unref(struct dynamic_state *model,
                              struct generated_profile *generated, bool eight);

/* Returns the profile called 'name', or NULL. */
const struct generated_profile *
generated_profiles_find(const struct dynamic_state *model, const char *name);

/* Works out all profiles anew, or only those that are held. */
void generated_profiles_refresh_all(struct dynamic_state *model,
                                    bool only_held);

#endif /* orchd/derive/generated_profiles.h */
