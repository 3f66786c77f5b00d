/* SPDX-License-Identifier: Apache-2.0 */

/* A ring under a lock, and an eventfd. */

#include <config.h>

#include "sai/remote/mailbox.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/check.h"

struct mailbox {
    int fd;
    pthread_mutex_t lock; /* Of all that follows. */
    struct wire_out ring[MAILBOX_MAX];
    uint32_t first, n;
    uint64_t n_dropped;
};

struct mailbox *
mailbox_create(void)
{
    struct mailbox *mailbox = check_calloc(1, sizeof *mailbox);

    mailbox->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (mailbox->fd < 0) {
        free(mailbox);
        return NULL;
    }
    pthread_mutex_init(&mailbox->lock, NULL);
    return mailbox;
}

void
mailbox_destroy(struct mailbox *mailbox)
{
    struct wire_out out;

    if (mailbox) {
        while (mailbox_take(mailbox, &out)) {
            wire_out_fini(&out);
        }
        close(mailbox->fd);
        pthread_mutex_destroy(&mailbox->lock);
        free(mailbox);
    }
}

int
mailbox_fd(const struct mailbox *mailbox)
{
    return mailbox->fd;
}

void
mailbox_put(struct mailbox *mailbox, struct wire_out *out)
{
    const uint64_t one = 1;
    struct wire_out dropped = {0};

    pthread_mutex_lock(&mailbox->lock);
    if (mailbox->n < MAILBOX_MAX) {
        mailbox->ring[(mailbox->first + mailbox->n) % MAILBOX_MAX] = *out;
        mailbox->n++;
    } else {
        dropped = *out;
        mailbox->n_dropped++;
    }
    pthread_mutex_unlock(&mailbox->lock);
    *out = (struct wire_out){0};
    wire_out_fini(&dropped);
    /* It fails only when its counter is full: then it is readable already. */
    (void)!write(mailbox->fd, &one, sizeof one);
}

bool
mailbox_take(struct mailbox *mailbox, struct wire_out *out)
{
    uint64_t count;
    bool any;

    pthread_mutex_lock(&mailbox->lock);
    any = mailbox->n > 0;
    if (any) {
        *out = mailbox->ring[mailbox->first];
        mailbox->first = (mailbox->first + 1) % MAILBOX_MAX;
        mailbox->n--;
    }
    if (mailbox->n == 0) {
        (void)!read(mailbox->fd, &count, sizeof count);
    }
    pthread_mutex_unlock(&mailbox->lock);
    return any;
}

uint64_t
mailbox_dropped(struct mailbox *mailbox)
{
    uint64_t n;

    pthread_mutex_lock(&mailbox->lock);
    n = mailbox->n_dropped;
    pthread_mutex_unlock(&mailbox->lock);
    return n;
}
