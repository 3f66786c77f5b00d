/* SPDX-License-Identifier: Apache-2.0 */

/* The head of HTTP requests, addresses, and a server with pages that write. */

#include <config.h>

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "base/timeline.h"
#include "orchd/http/http_address.h"
#include "orchd/http/http_exchange.h"
#include "orchd/http/http_request.h"
#include "orchd/http/http_response.h"
#include "orchd/http/http_server.h"
#include "process/loop.h"
#include "tests/support/unix_client.h"

#define HOST "Host: localhost\r\n"

/* Parses 'text', which must be one whole head. */
static enum http_status
parse(const char *text, char *head, struct http_request *request)
{
    const size_t length = strlen(text);

    strcpy(head, text);
    assert_int_equal(http_head_length(head, length), length);
    return http_request_parse(head, length, request);
}

static void
test_requests(void **state)
{
    static const struct {
        const char *text;
        enum http_status status;
    } cases[] = {
        {"GET / HTTP/1.1\r\n" HOST "\r\n", HTTP_STATUS_OK},
        {"GET / HTTP/1.1\n" HOST "\n", HTTP_STATUS_OK},
        {"GET / HTTP/1.0\r\n\r\n", HTTP_STATUS_OK},
        {"HEAD /a?b HTTP/1.1\r\nA: b\r\n" HOST "\r\n", HTTP_STATUS_OK},
        {"POST / HTTP/1.1\r\n" HOST "Content-Length: 0\r\n\r\n",
         HTTP_STATUS_OK},
        {"GET / HTTP/1.1\r\nhost:\tx \r\n\r\n", HTTP_STATUS_OK},
        {"GET / HTTP/1.1\r\n\r\n", HTTP_STATUS_BAD},
        {"GET / HTTP/1.1\r\n" HOST HOST "\r\n", HTTP_STATUS_BAD},
        {"GET / HTTP/1.1\r\nHost:\r\n\r\n", HTTP_STATUS_BAD},
        {"GET / HTTP/1.1\r\nHost : x\r\n\r\n", HTTP_STATUS_BAD},
        {"GET / HTTP/1.1\r\n" HOST " folded\r\n\r\n", HTTP_STATUS_BAD},
        {"GET / HTTP/1.1\r\n" HOST "no colon\r\n\r\n", HTTP_STATUS_BAD},
        {"GET / HTTP/1.1\r\n" HOST "a: \x01\r\n\r\n", HTTP_STATUS_BAD},
        {"GET / HTTP/1.1\r\n" HOST "a: b\rc: d\r\n\r\n", HTTP_STATUS_BAD},
        {"GET / HTTP/1.1\r\n" HOST "Content-Length: x\r\n\r\n",
         HTTP_STATUS_BAD},
        {"GET / HTTP/1.1\r\n" HOST "Origin: a\r\nOrigin: b\r\n\r\n",
         HTTP_STATUS_BAD},
        {"GET  / HTTP/1.1\r\n" HOST "\r\n", HTTP_STATUS_BAD},
        {"GET x HTTP/1.1\r\n" HOST "\r\n", HTTP_STATUS_BAD},
        {"GET http://x/ HTTP/1.1\r\n" HOST "\r\n", HTTP_STATUS_BAD},
        {"GET /\x80 HTTP/1.1\r\n" HOST "\r\n", HTTP_STATUS_BAD},
        {"GET /\r\n\r\n", HTTP_STATUS_BAD},
        {"\r\n\r\n", HTTP_STATUS_BAD},
        {"get / HTTP/1.1\r\n" HOST "\r\n", HTTP_STATUS_NOT_IMPLEMENTED},
        {"PUT / HTTP/1.1\r\n" HOST "\r\n", HTTP_STATUS_NOT_IMPLEMENTED},
        {"GET / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n",
         HTTP_STATUS_NOT_IMPLEMENTED},
        {"GET / HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\n",
         HTTP_STATUS_BODY},
        {"GET / HTTP/2.0\r\n" HOST "\r\n", HTTP_STATUS_VERSION},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct http_request request;
        char head[200];
        const enum http_status status = parse(cases[i].text, head, &request);

        if (status != cases[i].status) {
            fail_msg("%s: %d", cases[i].text, (int)status);
        }
    }
}

static void
test_what_a_request_has(void **state)
{
    struct http_request request;
    char head[200];

    (void)state;
    assert_int_equal(parse("GET /a/b?c=d?e HTTP/1.1\r\nORIGIN:  http://x\r\n"
                           "Host: 10.0.0.1:80\r\n\r\n",
                           head, &request),
                     HTTP_STATUS_OK);
    assert_int_equal(request.method, HTTP_GET);
    assert_string_equal(request.path, "/a/b");
    assert_string_equal(request.query, "c=d?e");
    assert_string_equal(request.host, "10.0.0.1:80");
    assert_string_equal(request.origin, "http://x");
}

static void
test_a_head_that_is_not_complete(void **state)
{
    static const char head[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    char zero[] = "GET / HTTP/1.1\r\nHost: \0\r\n\r\n";
    struct http_request request;

    (void)state;
    for (size_t i = 0; i + 1 < sizeof head; i++) {
        assert_int_equal(http_head_length(head, i), 0);
    }
    assert_int_equal(http_head_length("a\n\nmore", 7), 3);
    assert_int_equal(http_request_parse(zero, sizeof zero - 1, &request),
                     HTTP_STATUS_BAD);
}

static void
test_hosts_and_origins(void **state)
{
    static const struct {
        const char *host, *origin;
        bool local, foreign;
    } cases[] = {
        {"localhost", NULL, true, false},
        {"LOCALHOST:9478", NULL, true, false},
        {"127.0.0.1:9478", NULL, true, false},
        {"192.0.2.7", NULL, true, false},
        {"[::1]:9478", NULL, true, false},
        {"", NULL, true, false},
        {"evil.example", NULL, false, false},
        {"evil.example:9478", NULL, false, false},
        {"localhost.evil.example", NULL, false, false},
        {"127.0.0.1.evil.example", NULL, false, false},
        {"[evil.example]:1", NULL, false, false},
        {"[::1", NULL, false, false},
        {"[::1]x", NULL, false, false},
        {"127.0.0.1:80@evil", NULL, false, false},
        {"::1", NULL, false, false},
        {"127.0.0.1:9478", "http://127.0.0.1:9478", true, false},
        {"127.0.0.1:9478", "https://127.0.0.1:9478", true, false},
        {"127.0.0.1:9478", "http://127.0.0.1", true, true},
        {"127.0.0.1:9478", "http://evil.example", true, true},
        {"127.0.0.1:9478", "null", true, true},
        {"127.0.0.1:9478", "", true, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct http_request request = {.host = cases[i].host,
                                             .origin = cases[i].origin};

        if (http_request_is_local(&request) != cases[i].local ||
            http_request_is_foreign(&request) != cases[i].foreign) {
            fail_msg("%s", cases[i].host);
        }
    }
}

static void
test_who_takes_gzip(void **state)
{
    static const struct {
        const char *accept; /* NULL: no such header. */
        bool takes;
    } cases[] = {
        {NULL, false},
        {"", false},
        {"gzip", true},
        {"GZIP", true},
        {"gzip, deflate, br, zstd", true},
        {"br,\tgzip ;q=0.5", true},
        {"deflate;q=1, gzip; q=0.001", true},
        {"gzip;q=1", true},
        {"gzip;Q=1.000", true},
        {"gzip;q=0", false},
        {"gzip;q=0.0, br", false},
        {"gzip;q=0.000,br;q=0.5", false},
        {"gzip;q=", false},
        {"gzip;q=,1", false},
        {"gzip;level=9", false},
        {"gzip;", false},
        {"identity", false},
        {"x-gzip", false},
        {"gzipped", false},
        {"*", false},
        {",,;,gzip", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200], head[200];
        struct http_request request;

        snprintf(text, sizeof text, "GET / HTTP/1.1\r\n" HOST "%s%s%s\r\n",
                 cases[i].accept ? "Accept-Encoding: " : "",
                 cases[i].accept ? cases[i].accept : "",
                 cases[i].accept ? "\r\n" : "");
        assert_int_equal(parse(text, head, &request), HTTP_STATUS_OK);
        if (http_request_takes_gzip(&request) != cases[i].takes) {
            fail_msg("%s", cases[i].accept);
        }
    }
}

static void
test_addresses(void **state)
{
    static const struct {
        const char *text, *url; /* NULL: invalid. */
    } cases[] = {
        {"9478", "http://127.0.0.1:9478"},
        {"localhost:80", "http://localhost:80"},
        {"0.0.0.0:1", "http://0.0.0.0:1"},
        {"[::1]:65535", "http://[::1]:65535"},
        {"unix:/run/x", "unix:/run/x"},
        {"", NULL},
        {"0", NULL},
        {"65536", NULL},
        {":80", NULL},
        {"127.0.0.1:", NULL},
        {"::1:80", NULL},
        {"[::1]80", NULL},
        {"[::12:80", NULL},
        {"[127.0.0.1]:80", NULL},
        {"switch.example:80", NULL},
        {"unix:", NULL},
    };
    struct http_address address;
    struct err err;
    char path[200];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const enum st st = http_address_parse(cases[i].text, &address, &err);

        if (st != (cases[i].url ? ST_OK : ST_INVALID)) {
            fail_msg("%s: %d", cases[i].text, (int)st);
        }
        assert_string_equal(st ? err.field : address.text,
                            st ? "http" : cases[i].url);
    }
    memset(path, 'x', sizeof path);
    memcpy(path, "unix:", 5);
    path[sizeof path - 1] = '\0';
    assert_int_equal(http_address_parse(path, &address, &err), ST_INVALID);
}

/* The server ---------------------------------------------------------- */

static bool
print_page(void *n, struct text *text)
{
    text_addf(text, "page %d", ++*(int *)n);
    return true;
}

/* Larger than what a socket holds; the client waits for the rest. */
enum { LONG_PAGE_BYTES = 1 << 22 };

static bool
print_long_page(void *n, struct text *text)
{
    for (int i = 0; i < LONG_PAGE_BYTES / 8; i++) {
        text_add(text, "8 bytes\n");
    }
    return ++*(int *)n > 0;
}

static bool
print_trouble(void *n, struct text *text)
{
    (void)n;
    text_add(text, "not now");
    return false;
}

/* The exchange that "/later" has left to the test; NULL: it has ended. */
static struct http_exchange *later;

static void
on_gone(void *waiter)
{
    (void)waiter;
    later = NULL;
}

static void
serve_later(void *n, struct http_exchange *exchange,
            const struct http_request *request)
{
    static const struct http_waiter waiter = {.gone = on_gone};

    (void)n;
    assert_string_equal(request->path, "/later/x");
    later = exchange;
    http_exchange_wait(exchange, &waiter, NULL);
}

static const struct http_page pages[] = {
    {"/later/", NULL, false, NULL, serve_later},
    {"/long", "text/plain", false, print_long_page, NULL},
    {"/trouble", "text/plain", false, print_trouble, NULL},
    {"/read", "text/plain", false, print_page, NULL},
    {"/write", "text/plain", true, print_page, NULL},
    {NULL, NULL, false, NULL, NULL},
};

struct fixture {
    struct loop *loop;
    struct http_server *server;
    struct http_address address;
    char directory[64];
    int n;
};

/* Starts a server at 'where'. */
static void
start(struct fixture *fixture, const char *where)
{
    struct err err;

    signal(SIGPIPE, SIG_IGN);
    fixture->loop = loop_create();
    assert_int_equal(http_address_parse(where, &fixture->address, &err), ST_OK);
    assert_int_equal(http_server_create(fixture->loop, NULL, &fixture->address,
                                        NULL, pages, &fixture->n,
                                        &fixture->server, &err),
                     ST_OK);
}

static void
turn(struct fixture *fixture)
{
    unix_client_turn(fixture->loop);
}

static int
dial(struct fixture *fixture)
{
    return unix_client_dial(fixture->address.path);
}

/* Sends 'request' and returns the status of the answer; -1: there is none. */
static int
ask(struct fixture *fixture, int fd, const char *request)
{
    char answer[4096];
    ssize_t n;

    assert_true(send(fd, request, strlen(request), MSG_NOSIGNAL) > 0);
    turn(fixture);
    n = recv(fd, answer, sizeof answer - 1, 0);
    if (n <= 0) {
        return -1;
    }
    answer[n] = '\0';
    assert_non_null(strstr(answer, "X-Content-Type-Options: nosniff\r\n"));
    assert_non_null(strstr(answer, "Connection: close\r\n"));
    assert_null(strstr(answer, "Access-Control"));
    return atoi(answer + strlen("HTTP/1.1 "));
}

static int
setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    char where[100];

    strcpy(fixture->directory, "/tmp/orchd-test-XXXXXX");
    assert_non_null(mkdtemp(fixture->directory));
    snprintf(where, sizeof where, "unix:%s/http", fixture->directory);
    start(fixture, where);
    *state = fixture;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *fixture = *state;

    http_server_destroy(fixture->server);
    loop_destroy(fixture->loop);
    assert_int_equal(rmdir(fixture->directory), 0);
    free(fixture);
    return 0;
}

static void
test_pages_that_write_need_post_on_a_unix_socket(void **state)
{
    static const struct {
        const char *request;
        int status, n; /* Pages printed so far. */
    } cases[] = {
        {"GET /read HTTP/1.1\r\n" HOST "\r\n", 200, 1},
        {"GET /write HTTP/1.1\r\n" HOST "\r\n", 405, 1},
        {"POST /write HTTP/1.1\r\nHost: any.name\r\n\r\n", 200, 2},
        {"POST /read HTTP/1.1\r\n" HOST "\r\n", 405, 2},
        {"POST /write HTTP/1.1\r\n" HOST "Origin: http://x\r\n\r\n", 403, 2},
        {"GET /other HTTP/1.1\r\n" HOST "\r\n", 404, 2},
        {"nothing\r\n\r\n", 400, 2},
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int fd = dial(fixture);

        assert_int_equal(ask(fixture, fd, cases[i].request), cases[i].status);
        assert_int_equal(fixture->n, cases[i].n);
        /* The connection ends. */
        assert_int_equal(recv(fd, &(char){0}, 1, 0), 0);
        close(fd);
    }
}

static void
test_slow_clients_are_disconnected(void **state)
{
    struct fixture *fixture = *state;
    const int fd = dial(fixture);
    int64_t now = loop_now(fixture->loop);

    assert_int_equal(ask(fixture, fd, "GET /read HTTP/1.1\r\n"), -1);
    timeline_run(loop_timeline(fixture->loop),
                 now + HTTP_HEAD_NS - HTTP_NS_PER_S);
    /* One more byte buys no time. */
    assert_int_equal(ask(fixture, fd, "A"), -1);
    timeline_run(loop_timeline(fixture->loop),
                 now + HTTP_HEAD_NS + HTTP_NS_PER_S);
    turn(fixture);
    assert_int_equal(recv(fd, &(char){0}, 1, 0), 0);
    assert_int_equal(fixture->n, 0);
    close(fd);
}

/* Reads all that there is; returns how many bytes, and whether the server has
 * ended its side. */
static size_t
read_rest(struct fixture *fixture, int fd, bool *ended)
{
    static char bytes[1 << 16];
    size_t total = 0;
    ssize_t n;

    do {
        turn(fixture);
        n = recv(fd, bytes, sizeof bytes, 0);
        total += n > 0 ? (size_t)n : 0;
    } while (n > 0);
    *ended = n == 0;
    return total;
}

static void
test_an_answer_has_time_to_be_read(void **state)
{
    struct fixture *fixture = *state;
    const int64_t began = loop_now(fixture->loop);
    const int fds[] = {dial(fixture), dial(fixture)};
    bool ended;

    for (int i = 0; i < 2; i++) {
        const char request[] = "GET /long HTTP/1.1\r\n" HOST "\r\n";

        assert_true(send(fds[i], request, sizeof request - 1, 0) > 0);
        turn(fixture);
    }
    assert_int_equal(fixture->n, 2);
    /* Longer than a head may take. */
    timeline_run(loop_timeline(fixture->loop),
                 began + HTTP_SEND_NS - HTTP_NS_PER_S);
    assert_in_range(read_rest(fixture, fds[0], &ended), LONG_PAGE_BYTES,
                    LONG_PAGE_BYTES + 4096);
    assert_true(ended);
    timeline_run(loop_timeline(fixture->loop),
                 began + HTTP_SEND_NS + 2 * HTTP_NS_PER_S);
    assert_true(read_rest(fixture, fds[1], &ended) < LONG_PAGE_BYTES);
    assert_true(ended);
    close(fds[0]);
    close(fds[1]);
    turn(fixture);
}

static void
test_a_client_may_end_its_side_before_the_answer(void **state)
{
    struct fixture *fixture = *state;
    const char request[] = "GET /long HTTP/1.1\r\n" HOST "\r\n";
    const int fd = dial(fixture);
    bool ended;

    assert_true(send(fd, request, sizeof request - 1, 0) > 0);
    assert_int_equal(shutdown(fd, SHUT_WR), 0);
    assert_in_range(read_rest(fixture, fd, &ended), LONG_PAGE_BYTES,
                    LONG_PAGE_BYTES + 4096);
    assert_true(ended);
    close(fd);
}

static void
test_an_answer_may_come_later(void **state)
{
    struct fixture *fixture = *state;
    const char request[] = "GET /later/x HTTP/1.1\r\n" HOST "\r\n";
    struct http_response response = {.status = HTTP_STATUS_OK,
                                     .type = "text/plain"};
    struct text body = {0};
    int fd = dial(fixture);
    bool ended;

    /* Its client may end its side before. */
    assert_true(send(fd, request, sizeof request - 1, 0) > 0);
    assert_int_equal(shutdown(fd, SHUT_WR), 0);
    turn(fixture);
    assert_non_null(later);
    assert_false(http_exchange_is_gone(later));
    assert_int_equal(recv(fd, &(char){0}, 1, 0), -1);
    text_add(&body, "now");
    http_exchange_answer(later, &response, &body);
    assert_true(read_rest(fixture, fd, &ended) > 100);
    assert_true(ended);
    close(fd);
    turn(fixture);

    /* Or leave. */
    fd = dial(fixture);
    assert_true(send(fd, request, sizeof request - 1, 0) > 0);
    turn(fixture);
    assert_non_null(later);
    close(fd);
    assert_true(http_exchange_is_gone(later));

    /* What takes too long is ended, and who waits for it is notified. */
    unix_client_pass(fixture->loop, HTTP_WORK_NS + HTTP_NS_PER_S);
    assert_null(later);
}

static void
test_trouble_says_when_to_try_again(void **state)
{
    struct fixture *fixture = *state;
    const char request[] = "GET /trouble HTTP/1.1\r\n" HOST "\r\n";
    const int fd = dial(fixture);
    char answer[2048];
    ssize_t n;

    assert_true(send(fd, request, sizeof request - 1, 0) > 0);
    turn(fixture);
    n = recv(fd, answer, sizeof answer - 1, 0);
    assert_true(n > 0);
    answer[n] = '\0';
    assert_non_null(strstr(answer, "HTTP/1.1 503 Service Unavailable\r\n"));
    assert_non_null(strstr(answer, "\r\nRetry-After: 1\r\n"));
    assert_non_null(strstr(answer, "\r\n\r\nnot now"));
    close(fd);
    turn(fixture);
}

static void
test_half_open_clients_make_room(void **state)
{
    struct fixture *fixture = *state;
    int fds[2 * HTTP_CLIENTS_MAX];
    const int n = sizeof fds / sizeof *fds;
    int fd, open = 0;

    for (int i = 0; i < n; i++) {
        fds[i] = dial(fixture);
        assert_int_equal(ask(fixture, fds[i], "GET /read HT"), -1);
    }
    fd = dial(fixture);
    assert_int_equal(ask(fixture, fd, "GET /read HTTP/1.0\r\n\r\n"), 200);
    for (int i = 0; i < n; i++) {
        open += recv(fds[i], &(char){0}, 1, 0) < 0;
        close(fds[i]);
    }
    assert_in_range(open, 1, HTTP_CLIENTS_MAX);
    close(fd);
    turn(fixture);
}

static void
test_clients_that_do_not_leave_make_room(void **state)
{
    struct fixture *fixture = *state;
    int fds[2 * HTTP_CLIENTS_MAX];
    const int n = sizeof fds / sizeof *fds;

    for (int i = 0; i < n; i++) {
        fds[i] = dial(fixture);
        assert_int_equal(ask(fixture, fds[i], "GET /read HTTP/1.0\r\n\r\n"),
                         200);
    }
    for (int i = 0; i < n; i++) {
        close(fds[i]);
    }
    turn(fixture);
}

static void
test_a_head_without_end(void **state)
{
    struct fixture *fixture = *state;
    char long_head[HTTP_HEAD_MAX + 1000];
    const int fd = dial(fixture);

    memset(long_head, 'x', sizeof long_head);
    long_head[sizeof long_head - 1] = '\0';
    assert_int_equal(ask(fixture, fd, long_head), 431);
    close(fd);
    turn(fixture);
}

int
main(void)
{
#define WITH_SERVER(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_what_a_request_has),
        cmocka_unit_test(test_a_head_that_is_not_complete),
        cmocka_unit_test(test_hosts_and_origins),
        cmocka_unit_test(test_who_takes_gzip),
        cmocka_unit_test(test_addresses),
        WITH_SERVER(test_pages_that_write_need_post_on_a_unix_socket),
        WITH_SERVER(test_slow_clients_are_disconnected),
        WITH_SERVER(test_an_answer_has_time_to_be_read),
        WITH_SERVER(test_a_client_may_end_its_side_before_the_answer),
        WITH_SERVER(test_an_answer_may_come_later),
        WITH_SERVER(test_trouble_says_when_to_try_again),
        WITH_SERVER(test_half_open_clients_make_room),
        WITH_SERVER(test_clients_that_do_not_leave_make_room),
        WITH_SERVER(test_a_head_without_end),
    };
#undef WITH_SERVER

    return cmocka_run_group_tests(tests, NULL, NULL);
}
