/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_LISTENER_H
#define ORCHD_SAI_REMOTE_LISTENER_H

/* The thread of a client that receives notifications and calls the callbacks.
 */

#include <stdbool.h>

#include <sai.h>

#include "base/status.h"
#include "sai/remote/notification.h"

struct listener;
struct stream;

/* Starts the thread, which takes over 'stream'.  The handshake of the stream
 * has subscribed to notifications.  Closes the stream and returns NULL if the
 * thread cannot be created. */
struct listener *listener_create(struct stream *stream);

/* Ends the thread and its connection.  No callback runs afterwards.  Must not
 * be called by a callback.  Accepts NULL. */
void listener_destroy(struct listener *listener);

/* Ends only the connection: the thread then reports that the switch has failed,
 * and ends. */
void listener_interrupt(struct listener *listener);

/* Sets the id of the switch that is reported as failed when the connection
 * ends. */
void listener_set_switch(struct listener *listener, sai_object_id_t switch_id);

/* Sets the callback for attribute 'id'.  One for the state of the switch is
 * called at once if the connection has ended already.  Returns false if the
 * protocol does not support that callback. */
bool listener_set(struct listener *listener, sai_attr_id_t id, void *pointer);

/* Sets the function that notifications of testers call; calls it at once if one
 * has come before. */
void listener_set_testers(struct listener *listener,
                          notification_testers_fn *fn);

/* Returns whether the host knows testers: it has sent such a notification. */
bool listener_knows_testers(struct listener *listener);

/* Returns the callback for attribute 'id'. */
void *listener_get(struct listener *listener, sai_attr_id_t id);

#endif /* sai/remote/listener.h */
