/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_SHUT_PORTS_H
#define ORCHD_DERIVE_SHUT_PORTS_H

/* Ports that are shut, in the dynamic model: which of their rows bind what.
 *
 * The choice of zero profiles is reclaim.h's; here it meets the rows.  Zero
 * profiles are rows of origin auto themselves, and are there while a port is
 * shut and there is a pool of the user's at all: who deletes all pools, to
 * write them anew, sees all of them gone.
 *
 * Without zero profiles whatever is configured on a shut port is unbound. */

#include <stdbool.h>
#include <stddef.h>

#include "orchd/intent/table.h"

struct err;
struct dynamic_state;
struct binding;
struct port_input;
struct run;
struct zero_profiles;

/* Takes over the content of 'zeros'. */
void shut_ports_set_zeros(struct dynamic_state *model,
                          struct zero_profiles *zeros);

/* Frees what 'model' has of this; lets go of the zero profiles. */
void shut_ports_fini(struct dynamic_state *model);

/* Pools have changed: all ports are marked if that makes a difference. */
void shut_ports_review(struct dynamic_state *model);

/* Brings in the zero profiles, or lets go of them. */
void shut_ports_settle(struct dynamic_state *model);

/* Returns whether 'port' is to have its buffers taken away. */
bool shut_ports_applies(const struct dynamic_state *model,
                        const struct port_input *port);

/* Returns what 'binding' binds on a port that is shut: a profile, or a list of
 * them; NULL: nothing.  The caller frees it. */
char *shut_ports_binding(const struct dynamic_state *model,
                         const struct binding *binding);

/* Says in 'err' which profile that 'binding' names is not there, or is one of
 * the other direction, although nothing of it is bound while the port is shut:
 * who mistypes a name is not to find out when the port comes up.  Returns false
 * if all is well. */
bool shut_ports_doubts(const struct dynamic_state *model,
                       const struct binding *binding, struct err *err);

/* Finds what no row of 'table' speaks of, but is to have '*profile'.  Fills
 * 'runs', which has room for 32, and returns their number. */
size_t shut_ports_rest(const struct dynamic_state *model,
                       const struct port_input *port, enum table table,
                       struct run *runs, const char **profile);

#endif /* orchd/derive/shut_ports.h */
