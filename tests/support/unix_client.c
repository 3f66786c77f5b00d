/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "tests/support/unix_client.h"

#include <event2/event.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "base/timeline.h"
#include "process/loop.h"

#define NS_PER_S INT64_C(1000000000)

/* Of nobody; the kernel needs no entry in /etc/passwd. */
enum { OTHER_ID = 54321 };

/* How far the clock is ahead; and its time without that while it stands still,
 * 0: it does not. */
static int64_t ahead_ns, standing_ns;

/* Replaces that of libc, for the loop and for libevent. */
int
clock_gettime(clockid_t id, struct timespec *time)
{
    const int result = (int)syscall(SYS_clock_gettime, id, time);

    if (id == CLOCK_MONOTONIC) {
        const int64_t real_ns = time->tv_sec * NS_PER_S + time->tv_nsec;
        const int64_t ns = (standing_ns ? standing_ns : real_ns) + ahead_ns;

        time->tv_sec = ns / NS_PER_S;
        time->tv_nsec = ns % NS_PER_S;
    }
    return result;
}

void
unix_client_stop_clock(bool stops)
{
    struct timespec time;

    standing_ns = 0;
    ahead_ns = 0;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    standing_ns = stops ? time.tv_sec * NS_PER_S + time.tv_nsec : 0;
}

/* Implements timer_fn. */
static void
on_stop(struct timer *timer, int64_t when)
{
    (void)when;
    loop_stop(timer->owner);
}

void
unix_client_pass(struct loop *loop, int64_t ns)
{
    struct timer stop = {.fire = on_stop, .owner = loop};

    ahead_ns += ns;
    for (int i = 0; i < 2; i++) { /* The first turn may have an old time. */
        timeline_set(loop_timeline(loop), &stop, 0);
        loop_run(loop);
    }
    unix_client_turn(loop);
}

void
unix_client_turn(struct loop *loop)
{
    for (int i = 0; i < 20; i++) {
        event_base_loop(loop_base(loop), EVLOOP_ONCE | EVLOOP_NONBLOCK);
    }
}

int
unix_client_dial(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    assert_true(text_copy(address.sun_path, sizeof address.sun_path, path));
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address),
                     0);
    assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
    return fd;
}

int
unix_client_dial_as_other(const char *path)
{
    int fd;

    if (geteuid() != 0) {
        skip();
    }
    assert_int_equal(seteuid(OTHER_ID), 0);
    fd = unix_client_dial(path);
    assert_int_equal(seteuid(0), 0);
    return fd;
}
