/* SPDX-License-Identifier: Apache-2.0 */

/* Event streams over a Unix socket, with verbs that the test answers. */

#include <config.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/text.h"
#include "base/timeline.h"
#include "orchd/control/columns.h"
#include "orchd/control/command.h"
#include "orchd/control/control.h"
#include "orchd/control/request.h"
#include "orchd/http/http_address.h"
#include "orchd/http/http_server.h"
#include "orchd/page/page_events.h"
#include "process/loop.h"
#include "tests/support/unix_client.h"

#define HEAD  " HTTP/1.1\r\nHost: localhost\r\n\r\n"
#define MS    (INT64_C(1000) * 1000)
#define TOPIC "/events?topic=test/count"

/* The verbs: "count" answers with how often it was run, "same" always the same,
 * "columns" with a column, "big" with a long text, "later" when the test says
 * so, "unknown" is none. */
static struct {
    int runs;
    struct request *later;
    bool views_only;
} verbs;

/* Answers with data. */
static void
answer(struct request *request, json_t *data)
{
    request->outcome = REQUEST_ANSWERED;
    request->ops->value(request,
                        json_pack("{s:i, s:o}", "exit", 0, "data", data));
}

/* Answers with one column of two numbers. */
static void
answer_columns(struct request *request)
{
    static const char *const names[] = {"n"};
    struct columns *columns = calloc(1, sizeof *columns);
    struct columns_table *table = columns_add_table(columns, "t", names, 1, 2);

    table->values[0][0] = verbs.runs;
    request->outcome = REQUEST_ANSWERED;
    request->ops->columns(request, columns);
}

/* In place of that of orchd. */
void
control_run(struct control *control, bool views_only, struct request *request,
            const struct command_texts *command)
{
    char *big;

    (void)control;
    verbs.runs++;
    verbs.views_only = views_only;
    if (!strcmp(command->verb, "count")) {
        answer(request, json_pack("{s:i}", "n", verbs.runs));
    } else if (!strcmp(command->verb, "same")) {
        answer(request, json_pack("{s:i}", "n", 7));
    } else if (!strcmp(command->verb, "columns")) {
        answer_columns(request);
    } else if (!strcmp(command->verb, "big")) {
        big = calloc(1, 1000001);
        memset(big, 'a' + verbs.runs % 26, 1000000);
        answer(request, json_pack("{s:s}", "text", big));
        free(big);
    } else if (!strcmp(command->verb, "later")) {
        verbs.later = request;
    } else {
        request->outcome = REQUEST_UNKNOWN;
        request->ops->value(request, json_pack("{s:i, s:{s:s}}", "exit", 2,
                                               "error", "code", "usage"));
    }
}

bool
control_may_write(const struct control *control, const struct peer *peer)
{
    (void)control;
    (void)peer;
    return true;
}

struct fixture {
    struct loop *loop;
    struct page_events *events;
    struct http_server *server;
    struct http_address address;
    char directory[64];
};

static void
identify(void *fixture, struct page_identity *identity)
{
    (void)fixture;
    identity->started = 42;
}

static void
serve_events(void *fixture_, struct http_exchange *exchange,
             const struct http_request *request)
{
    struct fixture *fixture = fixture_;

    page_events_serve(fixture->events, exchange, request);
}

static bool
print_other(void *fixture, struct text *text)
{
    (void)fixture;
    text_add(text, "other");
    return true;
}

static const struct http_page pages[] = {
    {"/events", NULL, false, NULL, serve_events},
    {"/other", "text/plain", false, print_other, NULL},
    {NULL, NULL, false, NULL, NULL},
};

static int
setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    char where[100];
    struct err err;

    memset(&verbs, 0, sizeof verbs);
    signal(SIGPIPE, SIG_IGN);
    strcpy(fixture->directory, "/tmp/orchd-test-XXXXXX");
    assert_non_null(mkdtemp(fixture->directory));
    snprintf(where, sizeof where, "unix:%s/http", fixture->directory);
    fixture->loop = loop_create();
    fixture->events =
        page_events_create(fixture->loop, NULL, 0xabc, identify, fixture);
    assert_int_equal(http_address_parse(where, &fixture->address, &err), ST_OK);
    assert_int_equal(http_server_create(fixture->loop, NULL, &fixture->address,
                                        NULL, pages, fixture, &fixture->server,
                                        &err),
                     ST_OK);
    *state = fixture;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *fixture = *state;

    http_server_destroy(fixture->server);
    page_events_destroy(fixture->events);
    loop_destroy(fixture->loop);
    assert_int_equal(rmdir(fixture->directory), 0);
    free(fixture);
    return 0;
}

/* Sends a request. */
static int
ask(struct fixture *fixture, const char *target)
{
    const int fd = unix_client_dial(fixture->address.path);
    struct text request = {0};

    text_addf(&request, "GET %s" HEAD, target);
    assert_true(send(fd, request.bytes, request.length, MSG_NOSIGNAL) > 0);
    text_fini(&request);
    unix_client_turn(fixture->loop);
    return fd;
}

/* Returns what has arrived; the caller frees it. */
static char *
read_all(struct fixture *fixture, int fd)
{
    struct text text = {0};
    char bytes[65536];
    ssize_t n;

    do {
        unix_client_turn(fixture->loop);
        n = recv(fd, bytes, sizeof bytes, 0);
        text_add_bytes(&text, bytes, n > 0 ? (size_t)n : 0);
    } while (n > 0);
    text_add(&text, "");
    return text_take(&text);
}

/* Returns how often 'part' occurs in 'text', which it frees. */
static int
count(char *text, const char *part)
{
    int n = 0;

    for (const char *c = text; (c = strstr(c, part)); c++) {
        n++;
    }
    free(text);
    return n;
}

/* Checks that what has arrived ends with 'expected', and frees it. */
static void
check_end(char *text, const char *expected)
{
    const size_t n = strlen(text), length = strlen(expected);

    if (n < length || strcmp(text + n - length, expected)) {
        fail_msg("%s", text);
    }
    free(text);
}

static void
hang_up(struct fixture *fixture, int fd)
{
    close(fd);
    unix_client_turn(fixture->loop);
}

static void
test_full_states_and_changes(void **state)
{
    struct fixture *fixture = *state;
    const int fd = ask(fixture, "/events?topic=test/same&topic=test/"
                                "columns&topic=20000:test/count&topic=test/"
                                "unknown&interval=10000");

    char *text = read_all(fixture, fd);

    /* Who may write gets the ranges of what can be tried. */
    assert_non_null(
        strstr(text, "\r\n\r\nretry: 1000\nid: 42\nevent: hello\n"
                     "data: {\"version\":\"" PACKAGE_VERSION
                     "\",\"page\":\"0000000000000abc\",\"started\":42,"
                     "\"interval\":10000,\"writing\":true,\"simulated\":null,"
                     "\"asic\":{\"run\": {\"ns\": [0, 3600000000000]}, "));
    check_end(text,
              "}}}\n\n"
              "event: full\ndata: {\"topic\":0,\"exit\":0,\"data\":{\"n\":7}}"
              "\n\n"
              "event: full\ndata: {\"topic\":1,\"exit\":0,\"data\":{\"t\":{"
              "\"n\":[2,null]}}}\n\n"
              "event: full\ndata: {\"topic\":2,\"exit\":0,\"data\":{\"n\":3}}"
              "\n\n"
              "event: full\ndata: {\"topic\":3,\"exit\":2,\"error\":{"
              "\"code\":\"usage\"}}\n\n");
    assert_int_equal(verbs.runs, 4);
    assert_true(verbs.views_only);
    unix_client_pass(fixture->loop, 10000 * MS);
    assert_int_equal(verbs.runs, 6);
    check_end(read_all(fixture, fd), "event: delta\ndata: {\"topic\":1,"
                                     "\"changes\":{\"t\":{\"n\":{\"0\":6}}}}"
                                     "\n\n");
    unix_client_pass(fixture->loop, 10000 * MS);
    assert_int_equal(verbs.runs, 9);
    assert_int_equal(count(read_all(fixture, fd), "{\"topic\":2,\"changes\":{"
                                                  "\"n\":"),
                     1);
    hang_up(fixture, fd);
}

static void
test_a_topic_is_run_once_for_all(void **state)
{
    struct fixture *fixture = *state;
    int fds[10];

    for (int i = 0; i < 10; i++) {
        fds[i] = ask(fixture, TOPIC "&interval=60000");
    }
    assert_int_equal(verbs.runs, 1);
    unix_client_pass(fixture->loop, 60000 * MS);
    assert_int_equal(verbs.runs, 2);
    /* The shortest interval counts for the runs, but only who asked for it gets
     * more events. */
    hang_up(fixture, fds[9]);
    fds[9] = ask(fixture, TOPIC "&interval=10000");
    free(read_all(fixture, fds[0]));
    free(read_all(fixture, fds[9]));
    for (int i = 0; i < 5; i++) {
        unix_client_pass(fixture->loop, 10000 * MS);
    }
    assert_int_equal(verbs.runs, 7);
    assert_int_equal(count(read_all(fixture, fds[9]), "event: delta"), 5);
    assert_int_equal(count(read_all(fixture, fds[0]), "event: "), 0);
    for (int i = 0; i < 10; i++) {
        hang_up(fixture, fds[i]);
    }
    unix_client_pass(fixture->loop, 10000 * MS);
    assert_int_equal(verbs.runs, 7);
    assert_int_equal(timeline_next(loop_timeline(fixture->loop)),
                     TIMELINE_NEVER);
}

static void
test_a_slow_reader_has_one_update_pending(void **state)
{
    struct fixture *fixture = *state;
    const int slow = ask(fixture, "/events?topic=5000:test/big");
    char *got;
    int runs;

    for (int i = 0; i < 4; i++) {
        unix_client_pass(fixture->loop, 5000 * MS);
    }
    runs = verbs.runs;
    assert_int_equal(runs, 5);
    got = read_all(fixture, slow);
    /* The first state, which waited, and then the newest. */
    assert_true(strlen(got) < 2100000);
    assert_int_equal(got[strlen(got) - 10], 'a' + runs % 26);
    assert_int_equal(count(got, "event: delta"), 1);
    hang_up(fixture, slow);
}

static void
test_a_client_that_does_not_read_is_disconnected(void **state)
{
    struct fixture *fixture = *state;
    const int fd = ask(fixture, "/events?topic=test/big");

    unix_client_pass(fixture->loop, HTTP_SEND_NS + 2 * HTTP_NS_PER_S);
    unix_client_pass(fixture->loop, HTTP_NS_PER_S);
    assert_true(count(read_all(fixture, fd), "event: ") <= 2);
    assert_int_equal(recv(fd, &(char){0}, 1, 0), 0);
    close(fd);
}

static void
test_a_quiet_stream_has_comments(void **state)
{
    struct fixture *fixture = *state;
    const int fd = ask(fixture, "/events?topic=test/same");

    free(read_all(fixture, fd));
    /* Longer than an answer may take to be read. */
    for (int i = 0; i < 60; i++) {
        unix_client_pass(fixture->loop, HTTP_NS_PER_S);
    }
    assert_int_equal(count(read_all(fixture, fd), ":\n\n"), 4);
    hang_up(fixture, fd);
}

static void
test_streams_have_a_limit_of_their_own(void **state)
{
    struct fixture *fixture = *state;
    int fds[HTTP_STREAMS_MAX + 1];
    int fd;

    for (int i = 0; i <= HTTP_STREAMS_MAX; i++) {
        fds[i] = ask(fixture, TOPIC);
        assert_int_equal(count(read_all(fixture, fds[i]), "HTTP/1.1 200"),
                         i < HTTP_STREAMS_MAX);
    }
    for (int i = 0; i < HTTP_CLIENTS_MAX; i++) {
        fd = ask(fixture, "/other");
        assert_int_equal(count(read_all(fixture, fd), "HTTP/1.1 200"), 1);
        close(fd);
    }
    hang_up(fixture, fds[0]);
    fds[0] = ask(fixture, TOPIC);
    assert_int_equal(count(read_all(fixture, fds[0]), "HTTP/1.1 200"), 1);
    for (int i = 0; i <= HTTP_STREAMS_MAX; i++) {
        hang_up(fixture, fds[i]);
    }
}

static void
test_a_run_may_outlive_its_viewers(void **state)
{
    struct fixture *fixture = *state;
    int fd = ask(fixture, "/events?topic=10000:test/later");
    struct request *first = verbs.later;

    assert_non_null(first);
    assert_false(request_is_gone(first));
    unix_client_pass(fixture->loop, 20000 * MS);
    assert_int_equal(verbs.runs, 1); /* Not again before it has ended. */
    hang_up(fixture, fd);
    assert_true(request_is_gone(first));
    /* A new viewer needs a new run. */
    fd = ask(fixture, "/events?topic=10000:test/later");
    assert_int_equal(verbs.runs, 2);
    assert_ptr_not_equal(first, verbs.later);
    answer(first, json_object());
    assert_int_equal(count(read_all(fixture, fd), "event: full"), 0);
    answer(verbs.later, json_object());
    assert_int_equal(count(read_all(fixture, fd), "event: full"), 1);
    /* It took no time of the clock, so the next one begins when it is due. */
    unix_client_pass(fixture->loop, 10000 * MS);
    assert_int_equal(verbs.runs, 3);
    first = verbs.later;
    unix_client_pass(fixture->loop, 50000 * MS);
    answer(first, json_object());
    /* Now it took 50 seconds, so it waits for as long. */
    unix_client_pass(fixture->loop, 40000 * MS);
    assert_int_equal(verbs.runs, 3);
    unix_client_pass(fixture->loop, 20000 * MS);
    assert_int_equal(verbs.runs, 4);
    hang_up(fixture, fd);
    answer(verbs.later, json_object());
}

static void
test_what_is_refused(void **state)
{
    static const char *const bad[] = {
        "/events?interval=49",
        "/events?interval=60001",
        "/events?interval=",
        "/events?other=1",
        "/events?topic=test",
        "/events?topic=",
        "/events?topic=test/count&topic=test",
        "/events?topic=10:test/count",
        "/events?topic=:test/count/x",
        "/events?topic=test/count%3F%3D",
        "/events?%",
    };
    struct fixture *fixture = *state;
    struct text many = {0};
    int fd;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fd = ask(fixture, bad[i]);
        if (count(read_all(fixture, fd), "HTTP/1.1 400") != 1) {
            fail_msg("%s", bad[i]);
        }
        close(fd);
    }
    text_add(&many, "/events?interval=100");
    for (int i = 0; i <= PAGE_EVENTS_TOPICS; i++) {
        text_add(&many, "&topic=test/same");
    }
    fd = ask(fixture, text_string(&many));
    assert_int_equal(count(read_all(fixture, fd), "HTTP/1.1 400"), 1);
    close(fd);
    text_fini(&many);
}

int
main(void)
{
#define WITH_SERVER(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    static const struct CMUnitTest tests[] = {
        WITH_SERVER(test_full_states_and_changes),
        WITH_SERVER(test_a_topic_is_run_once_for_all),
        WITH_SERVER(test_a_slow_reader_has_one_update_pending),
        WITH_SERVER(test_a_client_that_does_not_read_is_disconnected),
        WITH_SERVER(test_a_quiet_stream_has_comments),
        WITH_SERVER(test_streams_have_a_limit_of_their_own),
        WITH_SERVER(test_a_run_may_outlive_its_viewers),
        WITH_SERVER(test_what_is_refused),
    };
#undef WITH_SERVER

    return cmocka_run_group_tests(tests, NULL, NULL);
}
