/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_GENERATED_PROFILES_H
#define ORCHD_DERIVE_GENERATED_PROFILES_H

/* Profiles that the dynamic model generates for ports.
 *
 * Ports of the same speed, cable and MTU share one profile, which exists as
 * long as a port uses it.  It is a row of BUFFER_PROFILE of origin auto, with
 * the headroom that the formula gives.
 *
 * When something that all of them depend on changes (the shared headroom pool,
 * the traffic pattern, the chip), they change in place.  A profile that a port
 * would then have no room for keeps its content and reports the error until
 * there is room.
 *
 * On some platforms the name does not tell whether a port has 8 lanes, which
 * need more headroom: a profile with such a user is sized for 8 lanes. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uthash.h>

#include "orchd/derive/generated_profile.h"
#include "orchd/derive/headroom.h"
#include "orchd/derive/port_state.h"

struct dynamic_state;

/* generated_profiles_ref() returns the profile of 'label', which it creates if
 * needed, and adds a user ('eight': on a port of 8 lanes).
 * generated_profiles_unref() drops a user. */
struct generated_profile *
generated_profiles_ref(struct dynamic_state *model,
                       const struct profile_label *label, bool eight);
void generated_profiles_unref(struct dynamic_state *model,
                              struct generated_profile *generated, bool eight);

/* Returns the profile called 'name', or NULL. */
const struct generated_profile *
generated_profiles_find(const struct dynamic_state *model, const char *name);

/* Computes all profiles again, or only those that are held. */
void generated_profiles_refresh_all(struct dynamic_state *model,
                                    bool only_held);

#endif /* orchd/derive/generated_profiles.h */
