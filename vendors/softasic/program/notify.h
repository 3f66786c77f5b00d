/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_NOTIFY_H
#define ORCHD_SOFTASIC_PROGRAM_NOTIFY_H

/* Notifications: calls the callbacks among the switch's attributes.
 *
 * A callback may call any function of SAI, including remove_switch().  So an
 * event during a call is only queued, and delivered at the end of the call,
 * just before it returns, when nothing refers to the switch any more.
 *
 * The client is notified of changes of a port's OPER_STATUS
 * (PORT_STATE_CHANGE_NOTIFY), which follows ADMIN_STATE; of addresses that are
 * learned, moved or flushed (FDB_EVENT_NOTIFY; one event per address); and of
 * queues with a PFC deadlock or a recovery (QUEUE_PFC_DEADLOCK_NOTIFY).  Other
 * callbacks can be registered but are never called: their events do not happen
 * here yet. */

#include <stdbool.h>

#include <sai.h>

#include "vendors/softasic/state.h"

/* Queues the new state of 'port', if there is a callback for it. */
void notify_port(struct asic *asic, sai_object_id_t port,
                 sai_port_oper_status_t state);

/* Queues an event of the forwarding database, if there is a callback for it. */
void notify_fdb(struct asic *asic, const struct notify_fdb *note);

/* Queues that a deadlock of 'queue', which exists, was detected ('dead'), or
 * that it has recovered.  Does nothing if that is its state already. */
void notify_deadlock(struct asic *asic, sai_object_id_t queue, bool dead);

/* Drops the notifications about 'queue', whose port is removed. */
void notify_drop_queue(struct asic *asic, sai_object_id_t queue);

/* Delivers all queued notifications.  'asic' (NULL: does nothing) may be freed
 * when this returns. */
void notify_deliver(struct asic *asic);

/* Frees the queued notifications. */
void notify_fini(struct asic *asic);

#endif /* vendors/softasic/program/notify.h */
