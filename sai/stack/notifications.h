/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_NOTIFICATIONS_H
#define ORCHD_SAI_STACK_NOTIFICATIONS_H

/* What the switch tells unasked: ports that went up or down, queues that were
 * found dead, and the switch itself failing.
 *
 * Motivation: SAI's callbacks carry no context, come from any thread, also in
 * the middle of a call, and must neither block nor call back.  So they only
 * note here what they were told, in the order in which it came; the owner sees
 * a descriptor become readable and takes the notes in its own thread when it is
 * its turn.
 *
 * As callbacks carry no context, there is one of these per process. */

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
};

struct notification {
    enum notification_kind kind;
    sai_object_id_t oid; /* Of the switch, the port or the queue. */

    /* As 'kind' says: sai_switch_oper_status_t, sai_port_oper_status_t, or
     * sai_queue_pfc_deadlock_event_type_t. */
    int event;
};

/* Makes the one place where notifications are noted, empty.  ST_IO if the
 * system has no descriptor left. */
enum st notifications_create(struct notifications **notifications,
                             struct err *err) ST_WARN_UNUSED;

/* Ends it; what comes later is dropped.  The library that calls back must be
 * closed, or told of other callbacks, before.  Accepts NULL. */
void notifications_destroy(struct notifications *notifications);

/* Sets the callbacks of the switch of 'backend', which may be any way to it;
 * those of 'kinds', bits (1 << enum notification_kind).  Returns the bits of
 * those that the library takes. */
unsigned int notifications_subscribe(struct notifications *notifications,
                                     struct sai_backend *backend,
                                     unsigned int kinds);

/* Returns a descriptor that is readable while something may be noted. */
int notifications_fd(const struct notifications *notifications);

/* Takes the oldest note into '*notification'.  Returns false if there is none;
 * the descriptor is not readable then. */
bool notifications_take(struct notifications *notifications,
                        struct notification *notification);

#endif /* sai/stack/notifications.h */
