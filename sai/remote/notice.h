/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_NOTICE_H
#define ORCHD_SAI_REMOTE_NOTICE_H

/* What a library tells by the callbacks among the attributes of its switch, as
 * bytes.
 *
 * The arguments of a callback are no attributes, so metadata do not say what
 * they are; each that is carried has its lines here.  Others cannot be
 * registered through a host. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

#include "sai/remote/wire.h"

/* X(member, attribute, type of the callback). */
#define NOTICE_LIST(X)                                                         \
    X(state, SWITCH_STATE_CHANGE, sai_switch_state_change_notification_fn)     \
    X(shutdown, SWITCH_SHUTDOWN_REQUEST,                                       \
      sai_switch_shutdown_request_notification_fn)                             \
    X(fdb, FDB_EVENT, sai_fdb_event_notification_fn)                           \
    X(ports, PORT_STATE_CHANGE, sai_port_state_change_notification_fn)         \
    X(queues, QUEUE_PFC_DEADLOCK, sai_queue_pfc_deadlock_notification_fn)

/* The callbacks of a client, or those of a host that stand for them. */
struct notice_callbacks {
#define X(member, attribute, type) type member;
    NOTICE_LIST(X)
#undef X
};

/* Returns the callback for attribute 'id' of the switch, as that attribute has
 * it; NULL if there is none. */
void *notice_callback(const struct notice_callbacks *callbacks,
                      sai_attr_id_t id);

/* Makes it 'pointer'.  Returns false if no such callback is carried. */
bool notice_set_callback(struct notice_callbacks *callbacks, sai_attr_id_t id,
                         void *pointer);

/* Write what the callback of that name was called with. */
void notice_put_state(struct wire_out *out, sai_object_id_t switch_id,
                      sai_switch_oper_status_t status);
void notice_put_shutdown(struct wire_out *out, sai_object_id_t switch_id);
void notice_put_fdb(struct wire_out *out, uint32_t n,
                    const sai_fdb_event_notification_data_t *data);
void notice_put_ports(struct wire_out *out, uint32_t n,
                      const sai_port_oper_status_notification_t *data);
void notice_put_queues(struct wire_out *out, uint32_t n,
                       const sai_queue_deadlock_notification_data_t *data);

/* Calls the callback that a notice is for, if it is there.  False if the notice
 * is none. */
bool notice_deliver(struct wire_in *in,
                    const struct notice_callbacks *callbacks);

#endif /* sai/remote/notice.h */
