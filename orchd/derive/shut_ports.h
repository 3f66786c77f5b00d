/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_SHUT_PORTS_H
#define ORCHD_DERIVE_SHUT_PORTS_H

/* Shut ports in the dynamic model: which of their rows bind what.
 *
 * reclaim.h chooses the zero profiles; this module applies them to the rows.
 * Zero profiles are rows of origin auto themselves.  They exist while a port is
 * shut and the user has configured a pool, so that a user who deletes all
 * pools, to write them again, sees all of them removed.
 *
 * Without zero profiles, everything configured on a shut port is unbound. */

#include <stdbool.h>
#include <stddef.h>

#include "orchd/intent/table.h"

struct err;
struct dynamic_state;
struct binding;
struct port_input;
struct run;
struct zero_profiles;

/* Takes ownership of the content of 'zeros'. */
void shut_ports_set_zeros(struct dynamic_state *model,
                          struct zero_profiles *zeros);

/* Frees what 'model' has of this; drops the zero profiles. */
void shut_ports_fini(struct dynamic_state *model);

/* Call when pools have changed: marks all ports if that makes a difference. */
void shut_ports_review(struct dynamic_state *model);

/* Adds or drops the rows of the zero profiles. */
void shut_ports_settle(struct dynamic_state *model);

/* Returns whether the buffers of 'port' are to be reclaimed. */
bool shut_ports_applies(const struct dynamic_state *model,
                        const struct port_input *port);

/* Returns what 'binding' binds on a shut port: a profile, or a list of them;
 * NULL: nothing.  The caller frees it. */
char *shut_ports_binding(const struct dynamic_state *model,
                         const struct binding *binding);

/* Reports in 'err' a profile that 'binding' names and that does not exist or
 * has the other direction. Nothing of it is bound while the port is shut, but a
 * user should not have to wait for the port to come up to notice a typo.
 * Returns false if there is none. */
bool shut_ports_check_binding(const struct dynamic_state *model,
                              const struct binding *binding, struct err *err);

/* Finds the indices that no row of 'table' covers and that get '*profile'.
 * Fills 'runs', which has room for 32, and returns their number. */
size_t shut_ports_rest(const struct dynamic_state *model,
                       const struct port_input *port, enum table table,
                       struct run *runs, const char **profile);

#endif /* orchd/derive/shut_ports.h */
