/* SPDX-License-Identifier: Apache-2.0 */

/* accept4() in batches, and a timer while the process lacks descriptors. */

#include <config.h>

#include "process/acceptor.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "base/timeline.h"
#include "process/log.h"
#include "process/loop.h"
#include "process/peer.h"

struct acceptor {
    struct loop *loop;
    struct log *log;
    int fd;      /* Borrowed. */
    int reserve; /* -1: none could be opened. */
    struct acceptor_user user;
    struct event *readable;
    struct timer resume;
    int64_t pause_ns; /* The next pause; 0: the listener is not short. */
    size_t n;
    uint64_t n_refused;
};

/* Opens the descriptor in reserve, if there is none. */
static void
reserve_descriptor(struct acceptor *acceptor)
{
    if (acceptor->reserve < 0) {
        acceptor->reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
}

static void
refuse(struct acceptor *acceptor, int fd)
{
    acceptor->n_refused++;
    if (acceptor->user.refuse) {
        acceptor->user.refuse(acceptor->user.context, fd);
    }
    close(fd);
}

/* Returns whether the client on 'fd' may have a connection. */
static bool
is_free_for(const struct acceptor *acceptor, int fd)
{
    const size_t limit = acceptor->user.limit;

    return acceptor->n + 1 < limit ||
           (acceptor->n < limit && peer_is_owner(fd));
}

/* Gives the client on 'fd' a connection, or refuses it. */
static void
admit(struct acceptor *acceptor, int fd)
{
    const struct acceptor_user *user = &acceptor->user;

    if (!is_free_for(acceptor, fd) && user->evict) {
        (void)user->evict(user->context);
    }
    if (is_free_for(acceptor, fd)) {
        acceptor->n++;
        user->accept(user->context, fd);
    } else {
        refuse(acceptor, fd);
    }
}

/* Accepts one client; -1 and 'errno' if there is none or it fails. */
static int
take_client(const struct acceptor *acceptor)
{
    return accept4(acceptor->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* Refuses the first client that waits, with the descriptor in reserve. */
static void
refuse_first(struct acceptor *acceptor)
{
    int fd;

    if (acceptor->reserve < 0) {
        return;
    }
    close(acceptor->reserve);
    acceptor->reserve = -1;
    fd = take_client(acceptor);
    if (fd >= 0) {
        refuse(acceptor, fd);
    }
    reserve_descriptor(acceptor);
}

/* Stops accepting for a while because of 'cause', an errno. */
static void
pause_accepting(struct acceptor *acceptor, int cause)
{
    if (!acceptor->pause_ns) {
        acceptor->pause_ns = ACCEPTOR_PAUSE_NS;
        log_write(acceptor->log, LOG_WARN, "listener-paused",
                  acceptor->user.name,
                  "no connection can be accepted: %s; this listener refuses "
                  "clients until that is over",
                  strerror(cause));
    }
    event_del(acceptor->readable);
    timeline_set(loop_timeline(acceptor->loop), &acceptor->resume,
                 loop_now(acceptor->loop) + acceptor->pause_ns);
    acceptor->pause_ns *= 2;
    if (acceptor->pause_ns > ACCEPTOR_PAUSE_MAX_NS) {
        acceptor->pause_ns = ACCEPTOR_PAUSE_MAX_NS;
    }
}

/* Returns whether 'error' of accept4() means that the process or the system is
 * short of something, rather than that this client has disconnected. */
static bool
is_shortage(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOBUFS ||
           error == ENOMEM;
}

static void
on_readable(evutil_socket_t listening, short what, void *acceptor_)
{
    struct acceptor *acceptor = acceptor_;

    (void)listening;
    (void)what;
    for (int i = 0; i < ACCEPTOR_BATCH; i++) {
        const int fd = take_client(acceptor);

        if (fd < 0) {
            const int cause = errno;

            if (is_shortage(cause)) {
                refuse_first(acceptor);
                pause_accepting(acceptor, cause);
            }
            return;
        }
        if (acceptor->pause_ns) {
            acceptor->pause_ns = 0;
            log_write(acceptor->log, LOG_INFO, "listener-resumed",
                      acceptor->user.name, "connections are accepted again");
        }
        admit(acceptor, fd);
    }
}

/* Implements timer_fn. */
static void
on_resume(struct timer *timer, int64_t when)
{
    struct acceptor *acceptor = timer->owner;

    (void)when;
    reserve_descriptor(acceptor);
    event_add(acceptor->readable, NULL);
}

struct acceptor *
acceptor_create(struct loop *loop, struct log *log, int fd,
                const struct acceptor_user *user)
{
    struct acceptor *acceptor = check_calloc(1, sizeof *acceptor);

    orch_assert(user->limit >= 2);
    acceptor->loop = loop;
    acceptor->log = log;
    acceptor->fd = fd;
    acceptor->reserve = -1;
    acceptor->user = *user;
    acceptor->resume.fire = on_resume;
    acceptor->resume.owner = acceptor;
    reserve_descriptor(acceptor);
    acceptor->readable = event_new(loop_base(loop), fd, EV_READ | EV_PERSIST,
                                   on_readable, acceptor);
    orch_assert(acceptor->readable && !event_add(acceptor->readable, NULL));
    return acceptor;
}

void
acceptor_destroy(struct acceptor *acceptor)
{
    if (acceptor) {
        timeline_cancel(loop_timeline(acceptor->loop), &acceptor->resume);
        event_free(acceptor->readable);
        if (acceptor->reserve >= 0) {
            close(acceptor->reserve);
        }
        free(acceptor);
    }
}

void
acceptor_release(struct acceptor *acceptor)
{
    orch_assert(acceptor->n);
    acceptor->n--;
}

size_t
acceptor_count(const struct acceptor *acceptor)
{
    return acceptor->n;
}

uint64_t
acceptor_refused(const struct acceptor *acceptor)
{
    return acceptor->n_refused;
}
