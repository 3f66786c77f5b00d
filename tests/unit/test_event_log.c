/* SPDX-License-Identifier: Apache-2.0 */

/* What libevent complains about gets into the log. */

#include <config.h>

#include <event2/event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "process/event_log.h"
#include "process/log.h"

/* Runs the loop in the loop, which libevent warns of. */
static void
run_again(evutil_socket_t fd, short what, void *base)
{
    (void)fd;
    (void)what;
    assert_int_equal(event_base_loop(base, EVLOOP_NONBLOCK), -1);
}

static void
test_a_warning_is_logged_as_one(void **state)
{
    struct event_base *base = event_base_new();
    const struct timeval now = {0};
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);
    struct log *log = log_create(stream, LOG_WARN, true);

    (void)state;
    event_log_follow(log);
    assert_int_equal(
        event_base_once(base, -1, EV_TIMEOUT, run_again, base, &now), 0);
    assert_int_equal(event_base_loop(base, EVLOOP_ONCE), 0);
    fclose(stream);
    assert_non_null(strstr(text, "<4>WARN libevent: "));
    assert_non_null(strstr(text, "reentrant"));
    free(text);
    log_destroy(log);
    event_base_free(base);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_warning_is_logged_as_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
