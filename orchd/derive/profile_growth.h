/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_PROFILE_GROWTH_H
#define ORCHD_DERIVE_PROFILE_GROWTH_H

/* Profiles of the user's that grow while they are bound.
 *
 * A group that asks for more than its port has room for is refused where it
 * asks (dynamic.h).  But a profile may also grow under groups that have it
 * already.  Then its row is at fault: what it had before stays in force, also
 * on ports that would have room, until all ports have.  It is tried again
 * whenever anything has changed.
 *
 * A profile that comes when groups wait for it grows from nothing: it is not
 * made until there is room. */

#include <stdbool.h>

struct buffer_row;
struct dynamic_state;
struct row;

/* Takes in 'row', a present one of BUFFER_PROFILE, as buffer_rows_put() does.
 */
struct buffer_row *profile_growth_put(struct dynamic_state *model,
                                      const struct row *row);

/* Tries all that is held.  Returns whether ports changed by it. */
bool profile_growth_settle(struct dynamic_state *model);

/* Lets all rows be what they say; the model is switched off. */
void profile_growth_end(struct dynamic_state *model);

#endif /* orchd/derive/profile_growth.h */
