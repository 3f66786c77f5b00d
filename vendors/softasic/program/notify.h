/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_NOTIFY_H
#define ORCHD_SOFTASIC_PROGRAM_NOTIFY_H

/* Tells the host what happened: the callbacks among the switch's attributes.
 *
 * A callback may call any function of SAI, remove_switch() included.  So what
 * happens during a call is only noted, and told when the call is over and
 * nothing is held any more, just before it returns to its caller.
 *
 * Told are changes of a port's OPER_STATUS (PORT_STATE_CHANGE_NOTIFY), which
 * follows ADMIN_STATE, and addresses that are learned, have moved or are
 * flushed (FDB_EVENT_NOTIFY; one event per address), and queues that were said
 * to be dead or to have recovered (QUEUE_PFC_DEADLOCK_NOTIFY).  Other callbacks
 * can be registered and are never called: what they are about does not happen
 * here yet. */

#include <stdbool.h>

#include <sai.h>

#include "vendors/softasic/state.h"

/* Notes that the state of 'port' is now 'state', if anybody wants to know. */
void notify_port(struct daemon_switch *asic, sai_object_id_t port,
                 sai_port_oper_status_t state);

/* Notes an event of the forwarding database, if anybody wants to know. */
void notify_fdb(struct daemon_switch *asic, const struct notify_fdb *note);

/* Notes that 'queue', which exists, was found dead, or has recovered.  Nothing
 * happens if that was known. */
void notify_deadlock(struct daemon_switch *asic, sai_object_id_t queue,
                     bool dead);

/* Forgets 'queue', whose port is removed: nothing is told of it any more. */
void notify_forget_queue(struct daemon_switch *asic, sai_object_id_t queue);

/* Tells all that was noted.  'asic' (NULL: nothing happens) may be gone when
 * this returns. */
void notify_deliver(struct daemon_switch *asic);

/* Frees what was not told. */
void notify_forget(struct daemon_switch *asic);

#endif /* vendors/softasic/program/notify.h */
