/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_LISTENER_H
#define ORCHD_SAI_REMOTE_LISTENER_H

/* The thread of a client that hears notices, and calls the callbacks. */

#include <stdbool.h>

#include <sai.h>

#include "base/status.h"

struct listener;
struct stream;

/* Starts a thread that takes over 'stream', which has been welcomed as a
 * subscriber.  NULL, and the stream is closed, if there can be no thread. */
struct listener *listener_create(struct stream *stream);

/* Ends the thread and its connection; no callback runs any more.  Not from a
 * callback.  Accepts NULL. */
void listener_destroy(struct listener *listener);

/* Ends the connection only: the thread finds that the switch has failed, says
 * so, and ends. */
void listener_interrupt(struct listener *listener);

/* Says which switch it is that fails when the connection does. */
void listener_set_switch(struct listener *listener, sai_object_id_t switch_id);

/* Makes 'pointer' the callback for attribute 'id'; false if that one is not
 * carried. */
bool listener_set(struct listener *listener, sai_attr_id_t id, void *pointer);

/* Returns it. */
void *listener_get(struct listener *listener, sai_attr_id_t id);

#endif /* sai/remote/listener.h */
