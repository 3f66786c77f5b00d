/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_RESERVATION_H
#define ORCHD_RECONCILE_RESERVATION_H

/* By how much a change raises or lowers what is reserved of a buffer pool.  A
 * plan makes reductions before increases. */

#include <stdint.h>

struct object;
struct slot;

/* Returns by how many bytes the change of 'slot', a number of bytes, raises its
 * value; less than 0 if it lowers it. */
int64_t reservation_bytes_change(const struct slot *slot);

/* Returns by how many bytes the change of 'slot' of 'object' changes the
 * reservation; for a profile or pool only the sign matters. */
int64_t reservation_slot_change(const struct object *object,
                                const struct slot *slot);

#endif /* orchd/reconcile/reservation.h */
