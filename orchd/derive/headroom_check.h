/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_HEADROOM_CHECK_H
#define ORCHD_DERIVE_HEADROOM_CHECK_H

/* Whether a port has room for its bindings, or would have for others.
 *
 * This module collects what is bound to the priority groups of a port; the
 * arithmetic is in headroom_limit.h. */

#include "base/status.h"
#include "orchd/derive/headroom.h"
#include "orchd/derive/port_state.h"

struct generated_profile;
struct dynamic_state;
struct binding;
struct port_input;
struct terms;

/* Assumes that a profile had this headroom: a generated one, that of a binding,
 * or a user-owned one.  Two of the three are NULL. */
struct trial {
    const struct generated_profile *generated;
    const struct binding *binding;
    const char *name;
    struct headroom headroom;
};

/* Returns ST_OK if 'port' is within its limits, else ST_NO_RESOURCE and the
 * reason in 'err'; 'trial' may be NULL. */
enum st headroom_check_port(const struct dynamic_state *model,
                            const struct port_input *port,
                            const struct trial *trial,
                            struct err *err) ST_WARN_UNUSED;

/* Returns what the groups of 'port' reserve, in bytes; 'terms' may be NULL. */
uint64_t headroom_check_used(const struct dynamic_state *model,
                             const struct port_input *port,
                             struct terms *terms);

/* Finds the longest cable with which the generated profile of 'binding' would
 * still fit its port; false if none does. */
bool headroom_check_longest_cable(const struct dynamic_state *model,
                                  const struct binding *binding,
                                  const struct profile_label *label, bool eight,
                                  uint32_t *cable_m);

#endif /* orchd/derive/headroom_check.h */
