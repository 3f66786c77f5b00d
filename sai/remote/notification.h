/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_NOTIFICATION_H
#define ORCHD_SAI_REMOTE_NOTIFICATION_H

/* Notifications, the callbacks among the attributes of a switch, in the form of
 * messages.
 *
 * The arguments of a callback are not attributes, so the metadata do not
 * describe them.  Each supported callback has code here; a client cannot
 * register others through a host. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

#include "sai/remote/wire.h"

/* X(member, attribute, type of the callback). */
#define NOTIFICATION_LIST(X)                                                   \
    X(state, SWITCH_STATE_CHANGE, sai_switch_state_change_notification_fn)     \
    X(shutdown, SWITCH_SHUTDOWN_REQUEST,                                       \
      sai_switch_shutdown_request_notification_fn)                             \
    X(fdb, FDB_EVENT, sai_fdb_event_notification_fn)                           \
    X(ports, PORT_STATE_CHANGE, sai_port_state_change_notification_fn)         \
    X(queues, QUEUE_PFC_DEADLOCK, sai_queue_pfc_deadlock_notification_fn)

/* Identifies the notification TESTERS (message.h), which is none of SAI, in the
 * place of the attribute. */
#define NOTIFICATION_TESTERS UINT32_C(0x54455354)

typedef void notification_testers_fn(void);

/* The callbacks of a client, or those that a host registers in their place. */
struct notification_callbacks {
#define X(member, attribute, type) type member;
    NOTIFICATION_LIST(X)
#undef X
    notification_testers_fn *testers; /* Of a client only. */
};

/* Returns the callback for attribute 'id' of the switch; NULL if there is
 * none. */
void *notification_callback(const struct notification_callbacks *callbacks,
                            sai_attr_id_t id);

/* Sets that callback to 'pointer'.  Returns false if it is not supported. */
bool notification_set_callback(struct notification_callbacks *callbacks,
                               sai_attr_id_t id, void *pointer);

/* Write the arguments of the callback of that name. */
void notification_put_state(struct wire_out *out, sai_object_id_t switch_id,
                            sai_switch_oper_status_t status);
void notification_put_shutdown(struct wire_out *out, sai_object_id_t switch_id);
void notification_put_fdb(struct wire_out *out, uint32_t n,
                          const sai_fdb_event_notification_data_t *data);
void notification_put_ports(struct wire_out *out, uint32_t n,
                            const sai_port_oper_status_notification_t *data);
void notification_put_testers(struct wire_out *out);
void
notification_put_queues(struct wire_out *out, uint32_t n,
                        const sai_queue_deadlock_notification_data_t *data);

/* Calls the callback of a notification, if it is set.  Returns false if the
 * notification is malformed. */
bool notification_deliver(struct wire_in *in,
                          const struct notification_callbacks *callbacks);

#endif /* sai/remote/notification.h */
