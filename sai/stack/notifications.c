/* SPDX-License-Identifier: Apache-2.0 */

/* An array of notifications that grows.  Its lock is held only for a copy. */

#include <config.h>

#include "sai/stack/notifications.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/check.h"

struct notifications {
    int fd;
    struct notification *notes; /* Those from 'first' on are not taken yet. */
    size_t first, n, capacity;
};

/* The queue of the process, for the callbacks. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct notifications *the_one; /* NULL: no receiver. */

/* Adds a notification; the lock is held. */
static void
add(struct notifications *to, enum notification_kind kind, sai_object_id_t oid,
    int event)
{
    if (to->n == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 16;
        to->notes = check_realloc(to->notes, to->capacity * sizeof *to->notes);
    }
    to->notes[to->n++] = (struct notification){kind, oid, event};
}

/* Locks and returns the queue; NULL if there is none.  leave() unlocks. */
static struct notifications *
enter(void)
{
    pthread_mutex_lock(&lock);
    return the_one;
}

/* Unlocks the queue and wakes the owner. */
static void
leave(const struct notifications *to)
{
    const uint64_t one = 1;

    if (to && to->n > to->first) {
        /* Fails only if the counter would overflow; the descriptor is then
         * readable. */
        (void)!write(to->fd, &one, sizeof one);
    }
    pthread_mutex_unlock(&lock);
}

static void
on_switch(sai_object_id_t oid, sai_switch_oper_status_t status)
{
    struct notifications *to = enter();

    if (to) {
        add(to, NOTIFICATION_SWITCH, oid, (int)status);
    }
    leave(to);
}

/* Does not read the last member of an element, which is padding before release
 * 1.15. */
static void
on_ports(uint32_t n, const sai_port_oper_status_notification_t *data)
{
    struct notifications *to = enter();

    for (uint32_t i = 0; to && data && i < n; i++) {
        add(to, NOTIFICATION_PORT, data[i].port_id, (int)data[i].port_state);
    }
    leave(to);
}

static void
on_queues(uint32_t n, const sai_queue_deadlock_notification_data_t *data)
{
    struct notifications *to = enter();

    for (uint32_t i = 0; to && data && i < n; i++) {
        add(to, NOTIFICATION_QUEUE, data[i].queue_id, (int)data[i].event);
    }
    leave(to);
}

void
notifications_on_testers(void)
{
    struct notifications *to = enter();

    if (to) {
        add(to, NOTIFICATION_TESTER, SAI_NULL_OBJECT_ID, 0);
    }
    leave(to);
}

enum st
notifications_create(struct notifications **notifications, struct err *err)
{
    const int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct notifications *made;

    if (fd < 0) {
        return err_set(err, ST_IO, "notifications",
                       "orchd cannot receive notifications from the switch: %s",
                       strerror(errno));
    }
    made = check_calloc(1, sizeof *made);
    made->fd = fd;
    pthread_mutex_lock(&lock);
    orch_assert(!the_one);
    the_one = made;
    pthread_mutex_unlock(&lock);
    *notifications = made;
    return ST_OK;
}

void
notifications_destroy(struct notifications *notifications)
{
    if (notifications) {
        pthread_mutex_lock(&lock);
        the_one = NULL;
        pthread_mutex_unlock(&lock);
        close(notifications->fd);
        free(notifications->notes);
        free(notifications);
    }
}

/* Returns the callback for 'kind', and in '*id' the attribute for it. */
static void *
callback(enum notification_kind kind, sai_attr_id_t *id)
{
    union {
        sai_switch_state_change_notification_fn on_switch;
        sai_port_state_change_notification_fn on_ports;
        sai_queue_pfc_deadlock_notification_fn on_queues;
        void *pointer;
    } any = {NULL};

    switch (kind) {
    case NOTIFICATION_SWITCH:
        *id = SAI_SWITCH_ATTR_SWITCH_STATE_CHANGE_NOTIFY;
        any.on_switch = on_switch;
        break;
    case NOTIFICATION_PORT:
        *id = SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY;
        any.on_ports = on_ports;
        break;
    case NOTIFICATION_QUEUE:
        *id = SAI_SWITCH_ATTR_QUEUE_PFC_DEADLOCK_NOTIFY;
        any.on_queues = on_queues;
        break;
    case NOTIFICATION_TESTER:
        break;
    }
    return any.pointer;
}

unsigned int
notifications_subscribe(struct notifications *notifications,
                        struct sai_backend *backend, unsigned int kinds)
{
    unsigned int taken = 0;

    (void)notifications;
    for (unsigned int kind = 0; kind <= NOTIFICATION_QUEUE; kind++) {
        sai_attribute_t attribute;

        memset(&attribute, 0, sizeof attribute);
        attribute.value.ptr =
            callback((enum notification_kind)kind, &attribute.id);
        if (kinds >> kind & 1 &&
            backend->ops->set(backend, SAI_OBJECT_TYPE_SWITCH,
                              backend->switch_id,
                              &attribute) == SAI_STATUS_SUCCESS) {
            taken |= 1u << kind;
        }
    }
    return taken;
}

int
notifications_fd(const struct notifications *notifications)
{
    return notifications->fd;
}

bool
notifications_take(struct notifications *notifications,
                   struct notification *notification)
{
    uint64_t count;
    bool found;

    pthread_mutex_lock(&lock);
    found = notifications->first < notifications->n;
    if (found) {
        *notification = notifications->notes[notifications->first++];
    } else {
        notifications->first = notifications->n = 0;
        /* It does not matter if there is nothing to read. */
        (void)!read(notifications->fd, &count, sizeof count);
    }
    pthread_mutex_unlock(&lock);
    return found;
}
