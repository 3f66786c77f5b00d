/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_QUEUE_PROFILES_H
#define ORCHD_SOFTASIC_PROGRAM_QUEUE_PROFILES_H

/* The buffer profiles of queues and VOQs.
 *
 * Which of the two applies to the frames of a queue says
 * system_port_lookup_profile().  The other one reserves nothing. */

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Programs the queue that the buffer profile of 'item', a queue or a VOQ but no
 * queue of the CPU, is about; the VOQ of another ASIC's port is about none.
 * ST_INVALID if the profile is not of an egress pool, else as
 * mmu_queue_attach(). */
enum st queue_profiles_attach(struct asic *asic,
                              const struct objects_item *item,
                              struct err *err) ST_WARN_UNUSED;

/* Programs the profiles of all queues after a port or system port has come or
 * gone: a VOQ may be about another queue then.  Where the buffer refuses a
 * profile (as mmu_queue_attach()), the queue has none until it is set again. */
void queue_profiles_attach_all(struct asic *asic);

#endif /* vendors/softasic/program/queue_profiles.h */
