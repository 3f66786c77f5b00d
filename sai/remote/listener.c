/* SPDX-License-Identifier: Apache-2.0 */

/* A thread with a connection, and a lock for the callbacks. */

#include <config.h>

#include "sai/remote/listener.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "base/check.h"
#include "sai/remote/notification.h"
#include "sai/remote/stream.h"

struct listener {
    struct stream *stream; /* Of the thread. */
    pthread_t thread;

    pthread_mutex_t lock; /* Of the following. */
    struct shared {
        sai_object_id_t switch_id;
        struct notification_callbacks callbacks;
        bool ending;
        bool failed;        /* The connection has ended by itself. */
        bool knows_testers; /* The host has notified of testers. */
    } shared;
};

/* Returns a copy of the shared state, which a callback may change while it
 * runs. */
static struct shared
current(struct listener *listener)
{
    struct shared shared;

    pthread_mutex_lock(&listener->lock);
    shared = listener->shared;
    pthread_mutex_unlock(&listener->lock);
    return shared;
}

/* Notes that the host knows testers if 'in' says so. */
static void
note_testers(struct listener *listener, struct wire_in in)
{
    if (wire_get_u32(&in) == NOTIFICATION_TESTERS) {
        pthread_mutex_lock(&listener->lock);
        listener->shared.knows_testers = true;
        pthread_mutex_unlock(&listener->lock);
    }
}

static void *
receive_notifications(void *listener_)
{
    struct listener *listener = listener_;
    struct message_header header;
    struct shared shared;
    const uint8_t *body;

    while (stream_receive(listener->stream, -1, &header, &body)) {
        struct wire_in in = {body, header.n_bytes, false};

        note_testers(listener, in);
        shared = current(listener);
        if (shared.ending || header.kind != MESSAGE_NOTIFICATION ||
            !notification_deliver(&in, &shared.callbacks)) {
            stream_fail(listener->stream,
                        "the host has sent a malformed notification");
        }
    }
    pthread_mutex_lock(&listener->lock);
    listener->shared.failed = true;
    pthread_mutex_unlock(&listener->lock);
    shared = current(listener);
    if (!shared.ending && shared.callbacks.state) {
        shared.callbacks.state(shared.switch_id, SAI_SWITCH_OPER_STATUS_FAILED);
    }
    return NULL;
}

struct listener *
listener_create(struct stream *stream)
{
    struct listener *listener = check_calloc(1, sizeof *listener);
    sigset_t all, before;
    int failed;

    listener->stream = stream;
    pthread_mutex_init(&listener->lock, NULL);
    /* The threads of the application handle signals. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&listener->thread, NULL, receive_notifications,
                            listener);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        pthread_mutex_destroy(&listener->lock);
        stream_close(stream);
        free(listener);
        return NULL;
    }
    return listener;
}

void
listener_destroy(struct listener *listener)
{
    if (listener) {
        pthread_mutex_lock(&listener->lock);
        listener->shared.ending = true;
        pthread_mutex_unlock(&listener->lock);
        stream_interrupt(listener->stream);
        pthread_join(listener->thread, NULL);
        pthread_mutex_destroy(&listener->lock);
        stream_close(listener->stream);
        free(listener);
    }
}

void
listener_interrupt(struct listener *listener)
{
    stream_interrupt(listener->stream);
}

void
listener_set_switch(struct listener *listener, sai_object_id_t switch_id)
{
    pthread_mutex_lock(&listener->lock);
    listener->shared.switch_id = switch_id;
    pthread_mutex_unlock(&listener->lock);
}

bool
listener_set(struct listener *listener, sai_attr_id_t id, void *pointer)
{
    struct shared shared;
    bool carried;

    pthread_mutex_lock(&listener->lock);
    carried =
        notification_set_callback(&listener->shared.callbacks, id, pointer);
    shared = listener->shared;
    pthread_mutex_unlock(&listener->lock);
    /* The thread that would report it has ended. */
    if (shared.failed && id == SAI_SWITCH_ATTR_SWITCH_STATE_CHANGE_NOTIFY &&
        shared.callbacks.state) {
        shared.callbacks.state(shared.switch_id, SAI_SWITCH_OPER_STATUS_FAILED);
    }
    return carried;
}

void
listener_set_testers(struct listener *listener, notification_testers_fn *fn)
{
    bool known;

    pthread_mutex_lock(&listener->lock);
    listener->shared.callbacks.testers = fn;
    known = listener->shared.knows_testers;
    pthread_mutex_unlock(&listener->lock);
    if (known && fn) {
        fn();
    }
}

bool
listener_knows_testers(struct listener *listener)
{
    return current(listener).knows_testers;
}

void *
listener_get(struct listener *listener, sai_attr_id_t id)
{
    void *pointer;

    pthread_mutex_lock(&listener->lock);
    pointer = notification_callback(&listener->shared.callbacks, id);
    pthread_mutex_unlock(&listener->lock);
    return pointer;
}
