/* SPDX-License-Identifier: Apache-2.0 */

/* A ring under a lock, and an eventfd. */

#include <config.h>

#include "sai/remote/notification_queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/check.h"

struct notification_queue {
    int fd;
    pthread_mutex_t lock; /* Of all that follows. */
    struct wire_out ring[NOTIFICATION_QUEUE_MAX];
    uint32_t first, n;
};

struct notification_queue *
notification_queue_create(void)
{
    struct notification_queue *queue = check_calloc(1, sizeof *queue);

    queue->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (queue->fd < 0) {
        free(queue);
        return NULL;
    }
    pthread_mutex_init(&queue->lock, NULL);
    return queue;
}

void
notification_queue_destroy(struct notification_queue *queue)
{
    struct wire_out out;

    if (queue) {
        while (notification_queue_take(queue, &out)) {
            wire_out_fini(&out);
        }
        close(queue->fd);
        pthread_mutex_destroy(&queue->lock);
        free(queue);
    }
}

int
notification_queue_fd(const struct notification_queue *queue)
{
    return queue->fd;
}

void
notification_queue_put(struct notification_queue *queue, struct wire_out *out)
{
    const uint64_t one = 1;
    struct wire_out dropped = {0};

    pthread_mutex_lock(&queue->lock);
    if (queue->n < NOTIFICATION_QUEUE_MAX) {
        queue->ring[(queue->first + queue->n) % NOTIFICATION_QUEUE_MAX] = *out;
        queue->n++;
    } else {
        dropped = *out;
    }
    pthread_mutex_unlock(&queue->lock);
    *out = (struct wire_out){0};
    wire_out_fini(&dropped);
    /* Fails only if the counter would overflow; the descriptor is then
     * readable. */
    (void)!write(queue->fd, &one, sizeof one);
}

bool
notification_queue_take(struct notification_queue *queue, struct wire_out *out)
{
    uint64_t count;
    bool any;

    pthread_mutex_lock(&queue->lock);
    any = queue->n > 0;
    if (any) {
        *out = queue->ring[queue->first];
        queue->first = (queue->first + 1) % NOTIFICATION_QUEUE_MAX;
        queue->n--;
    }
    if (queue->n == 0) {
        (void)!read(queue->fd, &count, sizeof count);
    }
    pthread_mutex_unlock(&queue->lock);
    return any;
}
