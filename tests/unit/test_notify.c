/* SPDX-License-Identifier: Apache-2.0 */

/* What a service manager receives, with a socket of the test as the manager and
 * a timeline as the clock. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "base/timeline.h"
#include "process/log.h"
#include "process/notify.h"

#define S  INT64_C(1000000000)
#define T0 (1000 * S)

struct manager {
    int fd;
    char directory[32];
    char path[64]; /* Of the socket; starts with '@' if it is abstract. */
    struct timeline *timeline;
    struct log *log;
    FILE *stream;
    char *logged;
    size_t logged_size;
    const char *state; /* What the daemon describes. */
    unsigned int n_described;
};

static void
describe(void *manager_, char *buffer, size_t size)
{
    struct manager *manager = manager_;

    manager->n_described++;
    text_copy(buffer, size, manager->state);
}

static void
manager_init(struct manager *manager, bool abstract)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t length;

    memset(manager, 0, sizeof *manager);
    manager->state = "first";
    text_copy(manager->directory, sizeof manager->directory,
              "/tmp/notify.XXXXXX");
    assert_non_null(mkdtemp(manager->directory));
    text_format(manager->path, sizeof manager->path, "%s%s/socket",
                abstract ? "@" : "", manager->directory);
    memcpy(address.sun_path, manager->path, strlen(manager->path));
    length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
                         strlen(manager->path));
    if (abstract) {
        address.sun_path[0] = '\0';
    }
    manager->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    assert_int_equal(bind(manager->fd, (struct sockaddr *)&address, length), 0);
    manager->timeline = timeline_create();
    manager->stream = open_memstream(&manager->logged, &manager->logged_size);
    manager->log = log_create(manager->stream, LOG_INFO, true);
    setenv("NOTIFY_SOCKET", manager->path, 1);
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
}

static void
manager_fini(struct manager *manager)
{
    timeline_destroy(manager->timeline);
    log_destroy(manager->log);
    fclose(manager->stream);
    free(manager->logged);
    close(manager->fd);
    unlink(manager->path);
    rmdir(manager->directory);
}

/* Asserts that the next message is 'expected'; NULL: there is none. */
static void
assert_message(struct manager *manager, const char *expected)
{
    char bytes[512];
    const ssize_t n = recv(manager->fd, bytes, sizeof bytes - 1, 0);

    if (!expected) {
        assert_int_equal(n, -1);
        return;
    }
    assert_true(n >= 0);
    bytes[n] = '\0';
    assert_string_equal(bytes, expected);
}

static void
test_without_a_manager_nothing_is_sent(void **state)
{
    /* Another family, no address, and a path that is too long. */
    static const char *const paths[] = {
        "",
        "/",
        "@",
        "socket",
        "vsock:2:1234",
        "/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "x"};
    struct timeline *timeline = timeline_create();
    char path[sizeof(struct sockaddr_un)];

    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        setenv("NOTIFY_SOCKET", paths[i], 1);
        assert_null(notify_create(timeline, NULL, T0));
        assert_null(getenv("NOTIFY_SOCKET"));
    }
    /* The shortest that has no room for its terminator. */
    memset(path, 'x', sizeof path);
    path[0] = '/';
    path[sizeof((struct sockaddr_un *)NULL)->sun_path] = '\0';
    setenv("NOTIFY_SOCKET", path, 1);
    assert_null(notify_create(timeline, NULL, T0));
    assert_null(notify_create(timeline, NULL, T0));
    notify_describe(NULL, describe, NULL);
    notify_changed(NULL, T0);
    notify_ready(NULL, T0);
    notify_reloading(NULL, T0);
    notify_reloaded(NULL, T0);
    notify_stopping(NULL, T0);
    notify_destroy(NULL);
    assert_true(timeline_next(timeline) == TIMELINE_NEVER);
    timeline_destroy(timeline);
}

static void
check_service(bool abstract)
{
    struct manager manager;
    struct notify *notify;

    manager_init(&manager, abstract);
    notify = notify_create(manager.timeline, manager.log, T0);
    assert_non_null(notify);
    assert_null(getenv("NOTIFY_SOCKET"));
    notify_reloading(notify, T0); /* It is not ready yet. */
    notify_reloaded(notify, T0);
    assert_message(&manager, NULL);
    notify_ready(notify, T0);
    notify_ready(notify, T0);
    assert_message(&manager, "READY=1");
    assert_message(&manager, NULL);
    notify_reloading(notify, T0 + 5000);
    notify_reloaded(notify, T0 + 6000);
    assert_message(&manager, "RELOADING=1\nMONOTONIC_USEC=1000000005");
    assert_message(&manager, "READY=1");
    notify_stopping(notify, T0);
    assert_message(&manager, "STOPPING=1");
    assert_message(&manager, NULL);
    notify_destroy(notify);
    fflush(manager.stream);
    assert_string_equal(manager.logged, "");
    manager_fini(&manager);
}

static void
test_a_service_becomes_ready_reloads_and_stops(void **state)
{
    (void)state;
    check_service(false);
    check_service(true);
}

static void
test_the_status_is_sent_once_per_second_if_it_changed(void **state)
{
    struct manager manager;
    struct notify *notify;

    (void)state;
    manager_init(&manager, false);
    notify = notify_create(manager.timeline, manager.log, T0);
    notify_changed(notify, T0); /* Nobody describes it. */
    notify_describe(notify, describe, &manager);
    notify_changed(notify, T0);
    assert_message(&manager, "STATUS=first");
    manager.state = "second\nREADY=1";
    for (int64_t i = 1; i < 100; i++) {
        notify_changed(notify, T0 + i);
    }
    assert_int_equal(manager.n_described, 1);
    timeline_run(manager.timeline, T0 + S - 1);
    assert_message(&manager, NULL);
    timeline_run(manager.timeline, T0 + S);
    assert_message(&manager, "STATUS=second READY=1");
    notify_changed(notify, T0 + S + 1);
    timeline_run(manager.timeline, T0 + 2 * S);
    assert_int_equal(manager.n_described, 3);
    assert_message(&manager, NULL); /* The same text. */
    timeline_run(manager.timeline, T0 + 10 * S);
    assert_int_equal(manager.n_described, 3);
    manager.state = "third";
    notify_changed(notify, T0 + 20 * S);
    assert_message(&manager, "STATUS=third");
    notify_destroy(notify);
    assert_true(timeline_next(manager.timeline) == TIMELINE_NEVER);
    manager_fini(&manager);
}

static void
test_the_watchdog_hears_twice_per_interval(void **state)
{
    struct manager manager;
    struct notify *notify;
    char pid[32];

    (void)state;
    manager_init(&manager, false);
    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    setenv("WATCHDOG_USEC", "30000000", 1);
    setenv("WATCHDOG_PID", pid, 1);
    notify = notify_create(manager.timeline, manager.log, T0);
    assert_null(getenv("WATCHDOG_USEC"));
    assert_null(getenv("WATCHDOG_PID"));
    timeline_run(manager.timeline, T0 + 15 * S - 1);
    assert_message(&manager, NULL);
    timeline_run(manager.timeline, T0 + 15 * S);
    assert_message(&manager, "WATCHDOG=1");
    timeline_run(manager.timeline, T0 + 30 * S);
    assert_message(&manager, "WATCHDOG=1");
    assert_message(&manager, NULL);
    notify_destroy(notify);
    manager_fini(&manager);
}

static void
test_a_watchdog_of_another_process_is_ignored(void **state)
{
    static const struct {
        const char *usec, *pid;
    } cases[] = {{"30000000", "1"}, {"30000000", "x"}, {"0", NULL},
                 {"-1", NULL},      {"soon", NULL},    {NULL, NULL}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct manager manager;
        struct notify *notify;

        manager_init(&manager, false);
        if (cases[i].usec) {
            setenv("WATCHDOG_USEC", cases[i].usec, 1);
        }
        if (cases[i].pid) {
            setenv("WATCHDOG_PID", cases[i].pid, 1);
        }
        notify = notify_create(manager.timeline, manager.log, T0);
        assert_non_null(notify);
        assert_true(timeline_next(manager.timeline) == TIMELINE_NEVER);
        notify_destroy(notify);
        manager_fini(&manager);
    }
}

static void
test_a_full_socket_delays_but_loses_nothing(void **state)
{
    struct manager manager;
    struct notify *notify;
    int64_t now = T0;
    size_t n = 0;
    char bytes[512];

    (void)state;
    manager_init(&manager, false);
    notify = notify_create(manager.timeline, manager.log, T0);
    notify_ready(notify, now);
    assert_message(&manager, "READY=1");
    /* The kernel queues some messages; the first that does not fit waits. */
    while (timeline_next(manager.timeline) == TIMELINE_NEVER) {
        notify_reloaded(notify, now);
        assert_true(++n < 100000);
    }
    notify_stopping(notify, now);
    timeline_run(manager.timeline, now += NOTIFY_RETRY_NS);
    assert_true(timeline_next(manager.timeline) == now + NOTIFY_RETRY_NS);
    while (recv(manager.fd, bytes, sizeof bytes, 0) >= 0) {
        n--;
    }
    assert_int_equal(n, 1);
    timeline_run(manager.timeline, now += NOTIFY_RETRY_NS);
    assert_message(&manager, "READY=1");
    assert_message(&manager, "STOPPING=1");
    assert_true(timeline_next(manager.timeline) == TIMELINE_NEVER);
    notify_destroy(notify);
    manager_fini(&manager);
}

static void
test_a_missing_manager_is_logged_once(void **state)
{
    struct manager manager;
    struct notify *notify;

    (void)state;
    manager_init(&manager, false);
    unlink(manager.path);
    notify = notify_create(manager.timeline, manager.log, T0);
    notify_ready(notify, T0);
    notify_stopping(notify, T0);
    assert_true(timeline_next(manager.timeline) == TIMELINE_NEVER);
    notify_destroy(notify);
    fflush(manager.stream);
    assert_string_equal(manager.logged,
                        "<4>WARN notify-failed: the service manager cannot be "
                        "reached at the socket of NOTIFY_SOCKET: No such file "
                        "or directory\n");
    manager_fini(&manager);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_manager_nothing_is_sent),
        cmocka_unit_test(test_a_service_becomes_ready_reloads_and_stops),
        cmocka_unit_test(test_the_status_is_sent_once_per_second_if_it_changed),
        cmocka_unit_test(test_the_watchdog_hears_twice_per_interval),
        cmocka_unit_test(test_a_watchdog_of_another_process_is_ignored),
        cmocka_unit_test(test_a_full_socket_delays_but_loses_nothing),
        cmocka_unit_test(test_a_missing_manager_is_logged_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
