/* SPDX-License-Identifier: Apache-2.0 */

/* The line server with well-behaved, slow and malformed clients. */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/status.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/control/request.h"
#include "orchd/control/server.h"
#include "process/loop.h"
#include "process/peer.h"
#include "process/socket.h"
#include "tests/support/unix_client.h"

#define LIMIT 1000

static const struct server_texts texts = {"LONG", "MANY"};

struct fixture {
    struct loop *loop;
    struct server *server;
    char directory[64], path[96];
    struct request *held[SERVER_CLIENTS_MAX]; /* Lines "hold". */
    size_t n_held, n_lines;
};

/* Answers "hold" on request, and everything else at once with its length. */
static void
on_line(void *context, struct request *request, const char *line, size_t length)
{
    struct fixture *fixture = context;
    char answer[32];

    fixture->n_lines++;
    assert_true(length <= LIMIT);
    if (!strcmp(line, "hold")) {
        fixture->held[fixture->n_held++] = request;
    } else if (!strncmp(line, "big", 3)) {
        char *big = malloc(1000001);

        memset(big, 'x', 1000000);
        big[1000000] = '\0';
        request_reply(request, big);
        free(big);
    } else {
        snprintf(answer, sizeof answer, "%zu", length);
        request_reply(request, answer);
    }
}

/* Creates a server at 'path'. */
static enum st
serve(struct fixture *fixture, const char *path, struct server **server,
      struct err *err)
{
    const struct server_options options = {.name = "test",
                                           .option = "--test",
                                           .path = path,
                                           .limit = LIMIT,
                                           .texts = &texts,
                                           .line = on_line,
                                           .context = fixture};

    return server_create(fixture->loop, NULL, &options, server, err);
}

static int
setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct err err;

    strcpy(fixture->directory, "/tmp/orchd-test-XXXXXX");
    assert_non_null(mkdtemp(fixture->directory));
    snprintf(fixture->path, sizeof fixture->path, "%s/sub/s",
             fixture->directory);
    fixture->loop = loop_create();
    assert_int_equal(serve(fixture, fixture->path, &fixture->server, &err),
                     ST_OK);
    *state = fixture;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *fixture = *state;
    char sub[96];

    server_destroy(fixture->server);
    assert_int_equal(access(fixture->path, F_OK), -1);
    loop_destroy(fixture->loop);
    snprintf(sub, sizeof sub, "%s/sub", fixture->directory);
    rmdir(sub);
    assert_int_equal(rmdir(fixture->directory), 0);
    free(fixture);
    return 0;
}

static void
turn(struct fixture *fixture)
{
    unix_client_turn(fixture->loop);
}

static int
dial(struct fixture *fixture)
{
    return unix_client_dial(fixture->path);
}

/* Sends all of 'text', giving the server turns in between. */
static void
say(struct fixture *fixture, int fd, const char *text)
{
    size_t left = strlen(text);

    for (int i = 0; left && i < 100000; i++) {
        ssize_t n = send(fd, text, left, MSG_NOSIGNAL);

        if (n > 0) {
            text += n;
            left -= (size_t)n;
        } else if (n < 0 && errno != EAGAIN) {
            break;
        }
        turn(fixture);
    }
    turn(fixture);
}

/* Expects to read just 'text' now; and with 'end' that the server hung up. */
static void
hear(struct fixture *fixture, int fd, const char *text, bool end)
{
    char buffer[4096];
    ssize_t n;

    turn(fixture);
    n = recv(fd, buffer, sizeof buffer - 1, 0);
    if (!*text) {
        assert_true(end ? n == 0 : n < 0 && errno == EAGAIN);
        return;
    }
    assert_true(n > 0);
    buffer[n] = '\0';
    assert_string_equal(buffer, text);
    if (end) {
        turn(fixture);
        assert_int_equal(recv(fd, buffer, sizeof buffer, 0), 0);
    }
}

static void
test_socket_is_for_owner_and_group(void **state)
{
    struct fixture *fixture = *state;
    struct stat file;

    assert_int_equal(stat(fixture->path, &file), 0);
    assert_int_equal(file.st_mode & 07777, 0660);
}

static void
test_answers_in_order_however_lines_arrive(void **state)
{
    struct fixture *fixture = *state;
    int fd = dial(fixture);

    say(fixture, fd, "a\nbb\n\nccc");
    hear(fixture, fd, "1\n2\n0\n", false);
    say(fixture, fd, "c\n");
    hear(fixture, fd, "4\n", false);
    close(fd);
}

static void
test_a_late_answer_holds_up_only_its_client(void **state)
{
    struct fixture *fixture = *state;
    int slow = dial(fixture), quick = dial(fixture);

    say(fixture, slow, "hold\nafter\n");
    say(fixture, quick, "now\n");
    hear(fixture, quick, "3\n", false);
    hear(fixture, slow, "", false);
    request_reply(fixture->held[0], "late");
    hear(fixture, slow, "late\n5\n", false);
    close(slow);
    close(quick);
}

/* After that, orchd only ends what it has begun. */
static void
test_a_server_that_finishes_takes_no_more_requests(void **state)
{
    struct fixture *fixture = *state;
    int fd = dial(fixture);

    say(fixture, fd, "hold\nafter\n");
    server_finish(fixture->server);
    request_reply(fixture->held[0], "late");
    hear(fixture, fd, "late\n", true);
    close(fd);
}

static void
test_half_closed_clients_get_their_answers(void **state)
{
    struct fixture *fixture = *state;
    int fd = dial(fixture);

    say(fixture, fd, "one\nhold\ntwo!\nno line");
    shutdown(fd, SHUT_WR);
    hear(fixture, fd, "3\n", false);
    request_reply(fixture->held[0], "held");
    hear(fixture, fd, "held\n4\n", true);
    close(fd);
}

static void
test_clients_that_vanish(void **state)
{
    struct fixture *fixture = *state;

    for (int i = 0; i < 3; i++) {
        int fd = dial(fixture);

        say(fixture, fd, i == 1 ? "hold\nmore\n" : "partial");
        close(fd);
        turn(fixture);
    }
    request_reply(fixture->held[0], "too late");
    turn(fixture);
    close(dial(fixture));
    turn(fixture);
}

static void
test_too_long_a_line_ends_the_connection(void **state)
{
    struct fixture *fixture = *state;
    char line[LIMIT + 3];
    int fd = dial(fixture);

    memset(line, 'y', sizeof line);
    line[LIMIT] = '\n';
    line[LIMIT + 1] = '\0';
    say(fixture, fd, line);
    hear(fixture, fd, "1000\n", false);
    line[LIMIT] = 'y';
    line[LIMIT + 1] = '\n';
    line[LIMIT + 2] = '\0';
    say(fixture, fd, line);
    hear(fixture, fd, "LONG\n", true);
    close(fd);

    /* A line without an end, of which the server never sees more than it has
     * to. */
    fd = dial(fixture);
    line[LIMIT + 1] = 'y';
    for (int i = 0; i < 3; i++) {
        say(fixture, fd, line);
    }
    hear(fixture, fd, "LONG\n", true);
    close(fd);
    assert_int_equal(fixture->n_lines, 1);
}

static void
test_a_client_that_does_not_read_is_not_served_on(void **state)
{
    struct fixture *fixture = *state;
    int deaf = dial(fixture), other = dial(fixture);
    size_t n;

    for (int i = 0; i < 50; i++) {
        say(fixture, deaf, "big\n");
    }
    n = fixture->n_lines;
    assert_true(n < 5);
    say(fixture, other, "hello\n");
    hear(fixture, other, "5\n", false);
    close(deaf);
    close(other);
    turn(fixture);
}

static void
test_too_many_clients_are_refused_and_room_comes_back(void **state)
{
    struct fixture *fixture = *state;
    int fds[SERVER_CLIENTS_MAX], extra;

    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        fds[i] = dial(fixture);
        say(fixture, fds[i], "x\n");
        hear(fixture, fds[i], "1\n", false);
    }
    extra = dial(fixture);
    hear(fixture, extra, "MANY\n", true);
    close(extra);
    close(fds[0]);
    turn(fixture);
    fds[0] = dial(fixture);
    say(fixture, fds[0], "xy\n");
    hear(fixture, fds[0], "2\n", false);
    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        close(fds[i]);
    }
    turn(fixture);
}

static void
test_the_last_place_is_for_the_owner(void **state)
{
    struct fixture *fixture = *state;
    int fds[SERVER_CLIENTS_MAX], other;
    char sub[96];

    snprintf(sub, sizeof sub, "%s/sub", fixture->directory);
    assert_int_equal(chmod(fixture->directory, 0711), 0);
    assert_int_equal(chmod(sub, 0711), 0);
    assert_int_equal(chmod(fixture->path, 0666), 0);
    other = unix_client_dial_as_other(fixture->path);
    say(fixture, other, "x\n");
    hear(fixture, other, "1\n", false);
    for (size_t i = 0; i < SERVER_CLIENTS_MAX - 2; i++) {
        fds[i] = dial(fixture);
        say(fixture, fds[i], "hold\n");
    }
    close(other);
    turn(fixture);
    fds[SERVER_CLIENTS_MAX - 2] = dial(fixture);
    say(fixture, fds[SERVER_CLIENTS_MAX - 2], "x\n");
    other = unix_client_dial_as_other(fixture->path);
    hear(fixture, other, "MANY\n", true);
    close(other);
    fds[SERVER_CLIENTS_MAX - 1] = dial(fixture);
    say(fixture, fds[SERVER_CLIENTS_MAX - 1], "x\n");
    hear(fixture, fds[SERVER_CLIENTS_MAX - 1], "1\n", false);
    for (size_t i = 0; i < fixture->n_held; i++) {
        request_reply(fixture->held[i], "");
    }
    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        close(fds[i]);
    }
    turn(fixture);
}

/* Lets 'ns' pass. */
static void
pass(struct fixture *fixture, int64_t ns)
{
    timeline_run(loop_timeline(fixture->loop), loop_now(fixture->loop) + ns);
    turn(fixture);
}

static void
test_clients_that_do_nothing_are_disconnected(void **state)
{
    struct fixture *fixture = *state;
    int idle = dial(fixture), half = dial(fixture), busy = dial(fixture),
        kept = dial(fixture), deaf = dial(fixture);

    say(fixture, half, "no line");
    say(fixture, busy, "hold\n");
    say(fixture, kept, "hold\n");
    request_keep(fixture->held[1], true);
    request_reply(fixture->held[1], "kept");
    hear(fixture, kept, "kept\n", false);
    for (int i = 0; i < 2; i++) {
        say(fixture, deaf, "big\n");
    }
    pass(fixture, SERVER_LINE_NS - SERVER_NS_PER_S);
    hear(fixture, half, "", false);
    pass(fixture, SERVER_LINE_NS + SERVER_NS_PER_S);
    hear(fixture, half, "", true);
    hear(fixture, idle, "", false);
    pass(fixture, SERVER_IDLE_NS + SERVER_NS_PER_S);
    hear(fixture, idle, "", true);
    hear(fixture, busy, "", false);
    request_reply(fixture->held[0], "late");
    hear(fixture, busy, "late\n", false);
    say(fixture, kept, "abc\n");
    hear(fixture, kept, "3\n", false);
    for (char bytes[65536]; recv(deaf, bytes, sizeof bytes, 0) > 0;) {
    }
    assert_int_equal(recv(deaf, &(char){0}, 1, 0), 0);
    close(idle);
    close(half);
    close(busy);
    close(kept);
    close(deaf);
    turn(fixture);
}

static void
test_a_line_that_comes_byte_by_byte_is_too_slow(void **state)
{
    struct fixture *fixture = *state;
    const int fd = dial(fixture);

    for (int i = 0; i < SERVER_LINE_NS / SERVER_NS_PER_S; i++) {
        hear(fixture, fd, "", false);
        say(fixture, fd, "x");
        unix_client_pass(fixture->loop, SERVER_NS_PER_S);
    }
    unix_client_pass(fixture->loop, SERVER_NS_PER_S);
    hear(fixture, fd, "", true);
    close(fd);
}

static void
test_who_is_idle_for_longest_makes_room(void **state)
{
    struct fixture *fixture = *state;
    int fds[SERVER_CLIENTS_MAX], extra;

    for (int i = 0; i < SERVER_CLIENTS_MAX; i++) {
        fds[i] = dial(fixture);
        unix_client_pass(fixture->loop, SERVER_NS_PER_S);
    }
    say(fixture, fds[0], "x\n");
    hear(fixture, fds[0], "1\n", false);
    extra = dial(fixture);
    say(fixture, extra, "xy\n");
    hear(fixture, extra, "2\n", false);
    for (int i = 0; i < SERVER_CLIENTS_MAX; i++) {
        hear(fixture, fds[i], "", i == 1);
        close(fds[i]);
    }
    close(extra);
    turn(fixture);
}

static void
test_the_peer_of_a_request_is_known(void **state)
{
    struct fixture *fixture = *state;
    int fd = dial(fixture);
    const struct peer *peer;
    char text[PEER_TEXT_SIZE], pid[32];

    say(fixture, fd, "hold\n");
    peer = request_peer(fixture->held[0]);
    assert_true(peer->known && peer_owns(peer));
    assert_int_equal(peer->pid, getpid());
    assert_true(peer_has_group(peer, getegid()));
    assert_false(peer_has_group(peer, (gid_t)-2));
    peer_describe(peer, text);
    snprintf(pid, sizeof pid, "pid %ld (", (long)getpid());
    assert_non_null(strstr(text, pid));
    request_reply(fixture->held[0], "");
    close(fd);
    turn(fixture);
}

static void
test_garbage(void **state)
{
    struct fixture *fixture = *state;
    unsigned int seed = 7;

    for (int i = 0; i < 50; i++) {
        int fd = dial(fixture);
        char bytes[3000];

        for (size_t k = 0; k < sizeof bytes; k++) {
            seed = seed * 1103515245 + 12345;
            bytes[k] = (char)(seed >> 16);
        }
        assert_true(send(fd, bytes, sizeof bytes, MSG_NOSIGNAL) > 0);
        turn(fixture);
        close(fd);
        turn(fixture);
    }
}

static void
test_a_live_socket_is_respected_and_a_dead_one_replaced(void **state)
{
    struct fixture *fixture = *state;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct server *second = NULL;
    char dead[96], file[96];
    struct err err;
    int fd;

    assert_int_equal(serve(fixture, fixture->path, &second, &err), ST_EXISTS);
    assert_non_null(strstr(err.reason, fixture->path));
    assert_true(err.remedy[0]);

    snprintf(dead, sizeof dead, "%s/dead", fixture->directory);
    text_copy(address.sun_path, sizeof address.sun_path, dead);
    fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    close(fd);
    assert_int_equal(serve(fixture, dead, &second, &err), ST_OK);
    server_destroy(second);

    snprintf(file, sizeof file, "%s/file", fixture->directory);
    fd = open(file, O_CREAT | O_WRONLY, 0600);
    close(fd);
    assert_int_equal(serve(fixture, file, &second, &err), ST_INVALID);
    assert_int_equal(access(file, F_OK), 0);
    unlink(file);
}

static void
test_a_server_that_accepts_slowly_is_alive(void **state)
{
    struct fixture *fixture = *state;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int listening = socket(AF_UNIX, SOCK_STREAM, 0);
    int fds[16];

    snprintf(address.sun_path, sizeof address.sun_path, "%s/slow",
             fixture->directory);
    assert_int_equal(
        bind(listening, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listening, 0), 0);
    for (int i = 0; i < 16; i++) { /* More than its queue has room for. */
        fds[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
        (void)connect(fds[i], (struct sockaddr *)&address, sizeof address);
    }
    assert_true(socket_is_served(address.sun_path));
    for (int i = 0; i < 16; i++) {
        close(fds[i]);
    }
    close(listening);
    assert_false(socket_is_served(address.sun_path));
    unlink(address.sun_path);
    assert_false(socket_is_served(address.sun_path));
}

static void
test_the_socket_of_a_successor_stays(void **state)
{
    struct fixture *fixture = *state;
    struct server *servers[2];
    char path[96];
    struct err err;

    snprintf(path, sizeof path, "%s/both", fixture->directory);
    assert_int_equal(serve(fixture, path, &servers[0], &err), ST_OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(serve(fixture, path, &servers[1], &err), ST_OK);
    server_destroy(servers[0]);
    assert_true(socket_is_served(path));
    server_destroy(servers[1]);
    assert_int_equal(access(path, F_OK), -1);
}

static void
test_paths_that_cannot_be(void **state)
{
    struct fixture *fixture = *state;
    struct server *server;
    char path[200];
    struct err err;

    memset(path, 'p', sizeof path);
    path[sizeof path - 1] = '\0';
    assert_int_equal(serve(fixture, path, &server, &err), ST_INVALID);
    assert_int_equal(serve(fixture, "", &server, &err), ST_INVALID);
    assert_int_equal(serve(fixture, "/proc/nowhere/at/all", &server, &err),
                     ST_IO);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    static const struct CMUnitTest tests[] = {
        TEST(test_socket_is_for_owner_and_group),
        TEST(test_answers_in_order_however_lines_arrive),
        TEST(test_a_late_answer_holds_up_only_its_client),
        TEST(test_a_server_that_finishes_takes_no_more_requests),
        TEST(test_half_closed_clients_get_their_answers),
        TEST(test_clients_that_vanish),
        TEST(test_too_long_a_line_ends_the_connection),
        TEST(test_a_client_that_does_not_read_is_not_served_on),
        TEST(test_too_many_clients_are_refused_and_room_comes_back),
        TEST(test_the_last_place_is_for_the_owner),
        TEST(test_clients_that_do_nothing_are_disconnected),
        TEST(test_a_line_that_comes_byte_by_byte_is_too_slow),
        TEST(test_who_is_idle_for_longest_makes_room),
        TEST(test_the_peer_of_a_request_is_known),
        TEST(test_garbage),
        TEST(test_a_live_socket_is_respected_and_a_dead_one_replaced),
        TEST(test_a_server_that_accepts_slowly_is_alive),
        TEST(test_the_socket_of_a_successor_stays),
        TEST(test_paths_that_cannot_be),
    };
#undef TEST

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
