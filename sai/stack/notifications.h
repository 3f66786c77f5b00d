/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_NOTIFICATIONS_H
#define ORCHD_SAI_STACK_NOTIFICATIONS_H

/* Notifications from the switch: a port went up or down, a PFC deadlock of a
 * queue was detected or ended, the switch failed.
 *
 * Motivation: SAI's callbacks carry no context, run in any thread, also during
 * a call, and must neither block nor call SAI.  So the callbacks only add a
 * notification to a queue.  A descriptor becomes readable, and the owner takes
 * the notifications, in order, in its own thread.
 *
 * Because callbacks carry no context, there is one such queue per process. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

#include "base/status.h"
#include "sai/core/backend.h"

struct notifications;

enum notification_kind {
    NOTIFICATION_SWITCH, /* SWITCH_STATE_CHANGE_NOTIFY */
    NOTIFICATION_PORT,   /* PORT_STATE_CHANGE_NOTIFY */
    NOTIFICATION_QUEUE,  /* QUEUE_PFC_DEADLOCK_NOTIFY */
    NOTIFICATION_TESTER, /* Not of SAI: see notifications_on_testers(). */
};

struct notification {
    enum notification_kind kind;
    sai_object_id_t oid; /* Of the switch, the port or the queue. */

    /* As 'kind' says: sai_switch_oper_status_t, sai_port_oper_status_t, or
     * sai_queue_pfc_deadlock_event_type_t. */
    int event;
};

/* Creates the queue of the process, empty.  ST_IO if the system has no
 * descriptor left. */
enum st notifications_create(struct notifications **notifications,
                             struct err *err) ST_WARN_UNUSED;

/* Frees the queue; later notifications are dropped.  Close the library, or give
 * it other callbacks, before.  Accepts NULL. */
void notifications_destroy(struct notifications *notifications);

/* Sets the callbacks of the kinds in 'kinds', bits (1 << enum
 * notification_kind), on the switch of 'backend', which may be any backend of
 * it. Returns the bits of those that the library accepts. */
unsigned int notifications_subscribe(struct notifications *notifications,
                                     struct sai_backend *backend,
                                     unsigned int kinds);

/* Adds a NOTIFICATION_TESTER, without an object or event; can be called by any
 * thread (sai/remote/testers_table.h). */
void notifications_on_testers(void);

/* Returns a descriptor that is readable while the queue may have
 * notifications. */
int notifications_fd(const struct notifications *notifications);

/* Moves the oldest notification to '*notification'.  Returns false if there is
 * none; the descriptor is then not readable. */
bool notifications_take(struct notifications *notifications,
                        struct notification *notification);

#endif /* sai/stack/notifications.h */
