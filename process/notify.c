/* SPDX-License-Identifier: Apache-2.0 */

/* Each kind of message is a bit until its datagram is sent. */

#include <config.h>

#include "process/notify.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "base/timeline.h"
#include "process/log.h"

/* In the order in which they are sent. */
enum message {
    MESSAGE_RELOADING,
    MESSAGE_READY,
    MESSAGE_STATUS,
    MESSAGE_STOPPING,
    MESSAGE_WATCHDOG,
    N_MESSAGES
};

struct notify {
    struct timeline *timeline;
    struct log *log;
    int fd;
    struct sockaddr_un address;
    socklen_t address_length;
    unsigned int unsent; /* Bits of enum message. */
    int64_t reloading;   /* When it began. */
    bool ready;          /* READY=1 is sent or unsent. */
    bool failed;         /* notify-failed is logged. */
    struct timer retry;
    struct timer watchdog;
    int64_t watchdog_ns; /* Between two messages. */
    notify_describe_fn *describe;
    void *context;
    struct timer status;
    bool changed;                  /* Since the last description. */
    char text[NOTIFY_STATUS_SIZE]; /* The last description. */
};

/* Stores the address that 'path' means.  Returns false if it is none: empty,
 * too long, or of another family ("vsock:..."). */
static bool
parse_address(const char *path, struct sockaddr_un *address, socklen_t *length)
{
    const size_t n = strlen(path);

    if ((*path != '/' && *path != '@') || n < 2 ||
        n >= sizeof address->sun_path) {
        return false;
    }
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, n);
    if (*path == '@') {
        address->sun_path[0] = '\0';
    }
    /* An abstract address has no terminator: one would be part of it. */
    *length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n +
                          (*path == '/'));
    return true;
}

/* Sends one message.  Returns 0 or an errno. */
static int
send_message(const struct notify *notify, enum message which)
{
    char line[NOTIFY_STATUS_SIZE + 32];

    switch (which) {
    case MESSAGE_RELOADING:
        text_format(line, sizeof line, "RELOADING=1\nMONOTONIC_USEC=%lld",
                    (long long)(notify->reloading / 1000));
        break;
    case MESSAGE_STATUS:
        text_format(line, sizeof line, "STATUS=%s", notify->text);
        break;
    case MESSAGE_STOPPING:
        text_copy(line, sizeof line, "STOPPING=1");
        break;
    case MESSAGE_WATCHDOG:
        text_copy(line, sizeof line, "WATCHDOG=1");
        break;
    default:
        text_copy(line, sizeof line, "READY=1");
        break;
    }
    return sendto(notify->fd, line, strlen(line), MSG_DONTWAIT | MSG_NOSIGNAL,
                  (const struct sockaddr *)&notify->address,
                  notify->address_length) < 0
               ? errno
               : 0;
}

static void
report_failure(struct notify *notify, int error)
{
    if (!notify->failed) {
        notify->failed = true;
        log_write(notify->log, LOG_WARN, "notify-failed", "",
                  "the service manager cannot be reached at the socket of "
                  "NOTIFY_SOCKET: %s",
                  strerror(error));
    }
}

/* Sends what is unsent, until the socket is full. */
static void
flush(struct notify *notify, int64_t now)
{
    for (unsigned int i = 0; i < N_MESSAGES; i++) {
        int error;

        if (!(notify->unsent & 1u << i)) {
            continue;
        }
        error = send_message(notify, (enum message)i);
        if (error == EAGAIN || error == ENOBUFS || error == EINTR) {
            timeline_set(notify->timeline, &notify->retry,
                         now + NOTIFY_RETRY_NS);
            return;
        }
        if (error) {
            report_failure(notify, error);
        }
        notify->unsent &= ~(1u << i);
    }
}

static void
post(struct notify *notify, enum message which, int64_t now)
{
    notify->unsent |= 1u << which;
    flush(notify, now);
}

static void
on_retry(struct timer *timer, int64_t when)
{
    flush(timer->owner, when);
}

static void
on_watchdog(struct timer *timer, int64_t when)
{
    struct notify *notify = timer->owner;

    timeline_set(notify->timeline, timer, when + notify->watchdog_ns);
    post(notify, MESSAGE_WATCHDOG, when);
}

/* Describes the state, and forbids that for a second. */
static void
describe(struct notify *notify, int64_t now)
{
    char text[NOTIFY_STATUS_SIZE];

    notify->changed = false;
    timeline_set(notify->timeline, &notify->status, now + NOTIFY_STATUS_NS);
    notify->describe(notify->context, text, sizeof text);
    for (char *c = text; *c; c++) {
        if ((unsigned char)*c < ' ') {
            *c = ' '; /* A line feed would end the status. */
        }
    }
    if (strcmp(text, notify->text) != 0) {
        text_copy(notify->text, sizeof notify->text, text);
        post(notify, MESSAGE_STATUS, now);
    }
}

static void
on_status(struct timer *timer, int64_t when)
{
    struct notify *notify = timer->owner;

    if (notify->changed && notify->describe) {
        describe(notify, when);
    }
}

/* Reads how often the manager wants to hear of this process; 0: it does not. */
static int64_t
watchdog_interval(void)
{
    const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    uint64_t number;

    if (pid && (parse_u64(pid, 1, INT32_MAX, &number) ||
                number != (uint64_t)getpid())) {
        return 0;
    }
    if (!usec || parse_u64(usec, 1, INT64_MAX / 1000, &number)) {
        return 0;
    }
    return (int64_t)number * 1000 / 2;
}

struct notify *
notify_create(struct timeline *timeline, struct log *log, int64_t now)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct notify *notify = NULL;
    struct sockaddr_un address;
    socklen_t length;
    int fd = -1;

    if (path && parse_address(path, &address, &length)) {
        fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    }
    if (fd >= 0) {
        notify = check_calloc(1, sizeof *notify);
        *notify = (struct notify){
            .timeline = timeline,
            .log = log,
            .fd = fd,
            .address = address,
            .address_length = length,
            .retry = {.fire = on_retry, .owner = notify},
            .watchdog = {.fire = on_watchdog, .owner = notify},
            .watchdog_ns = watchdog_interval(),
            .status = {.fire = on_status, .owner = notify},
        };
        if (notify->watchdog_ns) {
            timeline_set(timeline, &notify->watchdog,
                         now + notify->watchdog_ns);
        }
    }
    (void)unsetenv("NOTIFY_SOCKET");
    (void)unsetenv("WATCHDOG_USEC");
    (void)unsetenv("WATCHDOG_PID");
    return notify;
}

void
notify_destroy(struct notify *notify)
{
    if (notify) {
        timeline_cancel(notify->timeline, &notify->retry);
        timeline_cancel(notify->timeline, &notify->watchdog);
        timeline_cancel(notify->timeline, &notify->status);
        close(notify->fd);
        free(notify);
    }
}

void
notify_describe(struct notify *notify, notify_describe_fn *describe_,
                void *context)
{
    if (notify) {
        notify->describe = describe_;
        notify->context = context;
    }
}

void
notify_changed(struct notify *notify, int64_t now)
{
    if (notify && notify->describe) {
        notify->changed = true;
        if (!timer_pending(&notify->status)) {
            describe(notify, now);
        }
    }
}

void
notify_ready(struct notify *notify, int64_t now)
{
    if (notify && !notify->ready) {
        notify->ready = true;
        post(notify, MESSAGE_READY, now);
    }
}

void
notify_reloading(struct notify *notify, int64_t now)
{
    if (notify && notify->ready) {
        notify->reloading = now;
        post(notify, MESSAGE_RELOADING, now);
    }
}

void
notify_reloaded(struct notify *notify, int64_t now)
{
    if (notify && notify->ready) {
        post(notify, MESSAGE_READY, now);
    }
}

void
notify_stopping(struct notify *notify, int64_t now)
{
    if (notify) {
        post(notify, MESSAGE_STOPPING, now);
    }
}
