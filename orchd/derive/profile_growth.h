/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_PROFILE_GROWTH_H
#define ORCHD_DERIVE_PROFILE_GROWTH_H

/* User-owned profiles that grow while they are bound.
 *
 * A group that requests more than its port has room for is refused (dynamic.h).
 * But a profile may also grow while groups use it. Then its row gets the error:
 * its previous content stays in force, also on ports that would have room,
 * until all ports have.  It is tried again after every change.
 *
 * A profile that is created while groups wait for it grows from nothing: it is
 * not created until there is room. */

#include <stdbool.h>

struct buffer_row;
struct dynamic_state;
struct row;

/* Hands in 'row', a present row of BUFFER_PROFILE, as buffer_rows_put()
 * does. */
struct buffer_row *profile_growth_put(struct dynamic_state *model,
                                      const struct row *row);

/* Tries all held profiles again.  Returns whether that changed ports. */
bool profile_growth_settle(struct dynamic_state *model);

/* Puts all rows in force as written; the model is switched off. */
void profile_growth_end(struct dynamic_state *model);

#endif /* orchd/derive/profile_growth.h */
