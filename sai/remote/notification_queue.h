/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_NOTIFICATION_QUEUE_H
#define ORCHD_SAI_REMOTE_NOTIFICATION_QUEUE_H

/* A queue of notifications from the threads of a library to the thread that
 * serves clients.
 *
 * SAI's callbacks run in any thread and must not block.  So they only add a
 * message to this queue, and a descriptor becomes readable, for an event loop.
 * While the queue has NOTIFICATION_QUEUE_MAX messages, new ones are dropped. */

#include <stdbool.h>
#include <stdint.h>

#include "sai/remote/wire.h"

enum { NOTIFICATION_QUEUE_MAX = 4096 };

struct notification_queue;

/* Returns an empty queue; NULL if the system has no descriptor left. */
struct notification_queue *notification_queue_create(void);

/* Frees the queue with its messages.  Accepts NULL. */
void notification_queue_destroy(struct notification_queue *queue);

/* Returns the descriptor, which is readable while the queue has messages. */
int notification_queue_fd(const struct notification_queue *queue);

/* Moves the bytes of '*out' to the queue.  Can be called by any thread. */
void notification_queue_put(struct notification_queue *queue,
                            struct wire_out *out);

/* Moves the oldest message to '*out'.  Returns false if there is none. */
bool notification_queue_take(struct notification_queue *queue,
                             struct wire_out *out);

#endif /* sai/remote/notification_queue.h */
