/* SPDX-License-Identifier: Apache-2.0 */

/* What Redis answers, to the client of it: a server in this process that
 * answers each command as Redis does, or, as the input says, with an error,
 * with something of another type and depth, with what is no answer, or not at
 * all; and that sends messages.  (hiredis 0.14 aborts where it gets an answer
 * too many, or a subscriber something else than messages: the input cannot ask
 * for that.)
 *
 * Rows, keys and messages that are passed on are strings with names; each
 * barrier is answered once; and a connection that the client gives up leaves
 * nothing behind. */

#include <config.h>

#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/text.h"
#include "base/timeline.h"
#include "orchd/db/redis.h"
#include "process/loop.h"
#include "tests/fuzz/fuzz.h"

enum { MAX_CLIENTS = 16, MAX_STEPS = 60, MAX_WORDS = 24, MAX_DEPTH = 4 };

/* A connection at the server's end. */
struct client {
    int fd; /* -1: closed. */
    struct text heard;
    bool subscriber;
};

struct world {
    struct bytes bytes;
    struct loop *loop;
    struct redis *redis;
    int listener;
    struct client clients[MAX_CLIENTS];
    size_t n_clients;
    size_t n_barriers, n_passed;
    bool disowned;
};

static char socket_path[64];

/* The listener --------------------------------------------------------- */

static void
on_row(void *context, enum table table, const char *key,
       const struct field *fields, size_t n)
{
    (void)context;
    FUZZ_CHECK(table < N_TABLES && key);
    for (size_t i = 0; i < n; i++) {
        FUZZ_CHECK(fields[i].name && fields[i].value);
    }
}

static void
on_bad_row(void *context, enum table table, const char *key,
           const struct err *err)
{
    (void)context;
    FUZZ_CHECK(table < N_TABLES && key && err->status && *err->reason);
}

static void
nothing(void *context)
{
    (void)context;
}

static void
on_reading(void *context, const struct redis_reading *reading)
{
    (void)context;
    FUZZ_CHECK(reading->n_ports <= reading->n_rows);
}

static void
on_flag(void *context, bool flag)
{
    (void)context;
    (void)flag;
}

static void
on_text(void *context, const char *text)
{
    (void)context;
    FUZZ_CHECK(text);
}

static void
on_message(void *context, const char *channel, const char *payload)
{
    (void)context;
    FUZZ_CHECK(channel && payload);
}

static void
on_disowned(void *w_, const struct err *err)
{
    struct world *w = w_;

    FUZZ_CHECK(err->status && *err->reason);
    w->disowned = true;
}

static void
on_resync(void *w_)
{
    struct world *w = w_;
    const struct field field = {"state", "applied"};

    redis_replace(w->redis, STATE_DB, "ORCHD_STATUS|PORT|Ethernet0", &field, 1);
}

static void
on_passed(void *w_, enum st status, const struct err *err)
{
    struct world *w = w_;

    FUZZ_CHECK(!status || *err->reason);
    w->n_passed++;
}

/* The server ----------------------------------------------------------- */

static void
say(struct client *client, const char *bytes, size_t n)
{
    if (client->fd >= 0 && send(client->fd, bytes, n, MSG_NOSIGNAL) < 0) {
        close(client->fd);
        client->fd = -1;
    }
}

/* Returns a string of the input that is one line. */
static const char *
take_line(struct bytes *bytes, char *buffer, size_t size)
{
    (void)bytes_string(bytes, buffer, size);
    for (char *p = buffer; *p; p++) {
        *p = *p == '\r' || *p == '\n' ? '?' : *p;
    }
    return buffer;
}

/* Appends something of RESP that the input chooses. */
static void
add_any(struct bytes *bytes, struct text *text, unsigned int depth)
{
    char buffer[32];
    const char *string;
    uint32_t n;

    switch (bytes_below(bytes, depth < MAX_DEPTH ? 6 : 5)) {
    case 0:
        text_add(text, "$-1\r\n");
        break;
    case 1:
        text_addf(text, ":%lld\r\n", (long long)bytes_number(bytes));
        break;
    case 2:
        text_addf(text, "-%s\r\n", take_line(bytes, buffer, sizeof buffer));
        break;
    case 3:
        text_addf(text, "+%s\r\n", take_line(bytes, buffer, sizeof buffer));
        break;
    case 4:
        string = bytes_string(bytes, buffer, sizeof buffer);
        text_addf(text, "$%zu\r\n%s\r\n", strlen(string), string);
        break;
    default:
        n = bytes_below(bytes, 5);
        text_addf(text, "*%u\r\n", n);
        for (uint32_t i = 0; i < n; i++) {
            add_any(bytes, text, depth + 1);
        }
        break;
    }
}

/* Verb and answer. */
static const char *const answers[][2] = {
    {"EVAL", "*0\r\n"},
    {"CONFIG", "*2\r\n$22\r\nnotify-keyspace-events\r\n$3\r\nAKE\r\n"},
    {"CLIENT", ":7\r\n"},
    {"SCAN", "*2\r\n$1\r\n0\r\n*3\r\n$14\r\nPORT|Ethernet0\r\n"
             "$13\r\nBUFFER_POOL|x\r\n$3\r\na|b\r\n"},
    {"HGETALL", "*2\r\n$4\r\nsize\r\n$4\r\n4096\r\n"},
    {"GET", "$1\r\n1\r\n"},
    {"INFO", "$40\r\ncmdstat_swapdb:calls=1,cmdstat_config|set\r\n"},
    {"PING", "+PONG\r\n"},
    {"PUBLISH", ":1\r\n"},
};

/* What else may be there: keys and values with a NUL, rows that a producer has
 * pushed, and CONFIG_DB_INITIALIZED.  With lengths, for the NULs. */
#define BYTES(literal) literal, sizeof literal - 1
static const struct {
    const char *verb, *bytes;
    size_t n;
} other_answers[] = {
    {"SCAN", BYTES("*2\r\n$1\r\n0\r\n*4\r\n$6\r\nPORT|\0\r\n"
                   "$20\r\nBUFFER_POOL_TABLE:in\r\n"
                   "$20\r\nBUFFER_POOL|in\\x00up\r\n"
                   "$21\r\nCONFIG_DB_INITIALIZED\r\n")},
    {"HGETALL", BYTES("*2\r\n$4\r\nsi\0e\r\n$4\r\n4\0\0"
                      "6\r\n")},
    {"GET", BYTES("$1\r\n0\r\n")},
};

static const char *const errors[] = {
    "-LOADING Redis is loading the dataset in memory\r\n",
    "-OOM command not allowed when used memory > 'maxmemory'.\r\n",
    "-NOPERM this user has no permissions\r\n",
    "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n",
    "-ERR unknown command\r\n",
};

/* What is sent to all subscribers when a client publishes. */
static void
publish(struct world *w, const char *channel, const char *payload)
{
    struct text text = {0};

    text_addf(&text, "*3\r\n$7\r\nmessage\r\n$%zu\r\n%s\r\n$%zu\r\n%s\r\n",
              strlen(channel), channel, strlen(payload), payload);
    for (size_t i = 0; i < w->n_clients; i++) {
        if (w->clients[i].subscriber) {
            say(&w->clients[i], text.bytes, text.length);
        }
    }
    text_fini(&text);
}

/* Sends a notification about a key to all subscribers. */
static void
notify(struct world *w, const char *pattern, const char *channel)
{
    struct text text = {0};

    text_addf(&text,
              "*4\r\n$8\r\npmessage\r\n$%zu\r\n%s\r\n$%zu\r\n%s\r\n"
              "$4\r\nhset\r\n",
              strlen(pattern), pattern, strlen(channel), channel);
    for (size_t i = 0; i < w->n_clients; i++) {
        if (w->clients[i].subscriber) {
            say(&w->clients[i], text.bytes, text.length);
        }
    }
    text_fini(&text);
}

/* Appends another answer to the command; nothing if there is none.  A key with
 * a NUL is asked for in another form, which does not exist. */
static void
add_other(char **words, size_t n, struct text *text)
{
    if (n > 1 && !strcmp(words[0], "HGETALL") && strstr(words[1], "\\x00")) {
        text_add(text, "*0\r\n");
        return;
    }
    for (size_t i = 0; i < sizeof other_answers / sizeof *other_answers; i++) {
        if (!strcmp(words[0], other_answers[i].verb)) {
            text_add_bytes(text, other_answers[i].bytes, other_answers[i].n);
        }
    }
}

/* Appends what Redis answers to the command. */
static void
add_good(struct world *w, struct client *client, char **words, size_t n,
         struct text *text)
{
    if (n > 1 &&
        (!strcmp(words[0], "SUBSCRIBE") || !strcmp(words[0], "PSUBSCRIBE"))) {
        const bool pattern = words[0][0] == 'P';

        client->subscriber = true;
        text_addf(text, "*3\r\n$%d\r\n%s\r\n$%zu\r\n%s\r\n:1\r\n",
                  pattern ? 10 : 9, pattern ? "psubscribe" : "subscribe",
                  strlen(words[1]), words[1]);
        return;
    }
    if (n > 2 && !strcmp(words[0], "PUBLISH")) {
        publish(w, words[1], words[2]);
    }
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        if (!strcmp(words[0], answers[i][0])) {
            text_add(text, answers[i][1]);
            return;
        }
    }
    text_add(text, "+OK\r\n");
}

static void
answer(struct world *w, struct client *client, char **words, size_t n)
{
    const bool subscribes = strstr(words[0], "SUBSCRIBE") != NULL;
    struct text text = {0};
    char buffer[64];

    switch (subscribes || client->subscriber ? 0 : bytes_below(&w->bytes, 12)) {
    case 7:
        add_other(words, n, &text);
        if (!text.length) {
            add_good(w, client, words, n, &text);
        }
        break;
    case 8:
        text_add(&text, errors[bytes_below(&w->bytes, 5)]);
        break;
    case 9:
        add_any(&w->bytes, &text, 0);
        break;
    case 10:
        text_addf(&text, "?%s\r\n",
                  take_line(&w->bytes, buffer, sizeof buffer));
        break;
    case 11:
        break; /* No answer. */
    default:
        add_good(w, client, words, n, &text);
        break;
    }
    say(client, text_string(&text), text.length);
    text_fini(&text);
}

/* Takes one command from what 'client' has sent.  Its words are cut out of
 * that.  Returns false if it is not complete. */
static bool
take_command(struct client *client, char **words, size_t *n)
{
    char *at = client->heard.bytes;
    char *end = at ? at + client->heard.length : NULL;
    long n_words = at && *at == '*' ? strtol(at + 1, &at, 10) : 0;

    *n = 0;
    for (long i = 0; i < n_words; i++) {
        long length;

        at += 2;
        if (at >= end || *at != '$') {
            return false;
        }
        length = strtol(at + 1, &at, 10);
        at += 2;
        if (length < 0 || end - at < length + 2) {
            return false;
        }
        if (*n < MAX_WORDS) {
            words[(*n)++] = at;
        }
        at += length;
    }
    if (!*n) {
        return false;
    }
    client->heard.length = (size_t)(end - at - 2);
    return true;
}

/* Answers all commands that 'client' has sent. */
static void
serve(struct world *w, struct client *client)
{
    char buffer[4096];
    ssize_t n;

    while (client->fd >= 0 &&
           (n = recv(client->fd, buffer, sizeof buffer, MSG_DONTWAIT)) > 0) {
        text_add_bytes(&client->heard, buffer, (size_t)n);
    }
    for (;;) {
        const size_t length = client->heard.length;
        char *copy = check_malloc(length + 1);
        struct client view = {.heard = {.bytes = copy, .length = length}};
        char *words[MAX_WORDS];
        size_t n_words, used;
        struct text rest = {0};

        memcpy(copy, text_string(&client->heard), length);
        copy[length] = '\0';
        if (!take_command(&view, words, &n_words)) {
            free(copy);
            return;
        }
        used = length - view.heard.length;
        for (char *p = copy; p < copy + used; p++) {
            *p = *p == '\r' ? '\0' : *p;
        }
        answer(w, client, words, n_words);
        text_add_bytes(&rest, client->heard.bytes + used, view.heard.length);
        text_fini(&client->heard);
        client->heard = rest;
        free(copy);
    }
}

static void
serve_all(struct world *w)
{
    int fd = accept4(w->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (fd >= 0 && w->n_clients < MAX_CLIENTS) {
        w->clients[w->n_clients++] = (struct client){.fd = fd};
    } else if (fd >= 0) {
        close(fd);
    }
    for (size_t i = 0; i < w->n_clients; i++) {
        serve(w, &w->clients[i]);
    }
}

/* One run --------------------------------------------------------------- */

static void
begin(struct world *w)
{
    static const char *const state_keys[] = {"ASIC_TABLE|*", NULL};
    const struct redis_listener listener = {.row = on_row,
                                            .bad_row = on_bad_row,
                                            .reading_begin = nothing,
                                            .reading_end = on_reading,
                                            .initialized = on_flag,
                                            .flushed = nothing,
                                            .resync = on_resync,
                                            .audit = nothing,
                                            .message = on_message,
                                            .state_key = on_text,
                                            .link_down = on_text,
                                            .disowned = on_disowned};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct redis_options options = {.endpoint = {.kind = ENDPOINT_UNIX},
                                    .audit_ns = INT64_MAX / 4,
                                    .state_keys = state_keys};

    text_format(socket_path, sizeof socket_path, "/tmp/orchd-fuzz-redis.%ld",
                (long)getpid());
    text_copy(address.sun_path, sizeof address.sun_path, socket_path);
    unlink(socket_path);
    w->listener =
        socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    orch_assert(w->listener >= 0);
    orch_assert(
        !bind(w->listener, (struct sockaddr *)&address, sizeof address));
    orch_assert(!listen(w->listener, MAX_CLIENTS));
    dbconfig_init(&options.dbconfig);
    options.buffers_pushed = bytes_below(&w->bytes, 4) == 3;
    text_copy(options.endpoint.path, sizeof options.endpoint.path, socket_path);
    w->loop = loop_create();
    w->redis = redis_create(w->loop, NULL, &options, &listener, w);
}

static void
end(struct world *w)
{
    /* First the server: the client would wait for its last answers. */
    for (size_t i = 0; i < w->n_clients; i++) {
        if (w->clients[i].fd >= 0) {
            close(w->clients[i].fd);
        }
        text_fini(&w->clients[i].heard);
    }
    redis_destroy(w->redis);
    FUZZ_CHECK(w->n_passed == w->n_barriers);
    loop_destroy(w->loop);
    close(w->listener);
    unlink(socket_path);
}

/* What happens besides answers. */
static void
act(struct world *w)
{
    static const char *const channels[] = {
        "__keyspace@4__:PORT|Ethernet0", "__keyspace@6__:ASIC_TABLE|x",
        "ORCHD_OWNER", "__redis__:invalidate", "x"};
    /* Patterns and channels. */
    static const char *const notices[][2] = {
        {"__keyspace@4__:*", "__keyspace@4__:PORT|Ethernet0"},
        {"__keyspace@4__:*", "__keyspace@4__:CONFIG_DB_INITIALIZED"},
        {"__keyspace@4__:*", "__keyspace@4__:BUFFER_POOL|in\\x00up"},
        {"__keyspace@0__:BUFFER_*_TABLE:*",
         "__keyspace@0__:BUFFER_POOL_TABLE:in"},
        {"BUFFER_*_TABLE_CHANNEL@0", "BUFFER_POOL_TABLE_CHANNEL@0"}};
    uint32_t notice;
    const struct field field = {"hold", "x"};

    switch (bytes_below(&w->bytes, 5)) {
    case 1:
        w->n_barriers++;
        redis_barrier(w->redis, on_passed, w);
        break;
    case 2:
        publish(w, channels[bytes_below(&w->bytes, 5)], "hset");
        break;
    case 4:
        notice = bytes_below(&w->bytes, 5);
        notify(w, notices[notice][0], notices[notice][1]);
        break;
    case 3:
        redis_hset(w->redis, STATE_DB, "ORCHD_SUMMARY|global", &field, 1);
        break;
    default:
        break;
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct world w = {.bytes = {data, size}};

    begin(&w);
    for (int i = 0; i < MAX_STEPS && !w.disowned; i++) {
        timeline_run(loop_timeline(w.loop), loop_now(w.loop));
        event_base_loop(loop_base(w.loop), EVLOOP_ONCE | EVLOOP_NONBLOCK);
        if (!w.disowned) {
            act(&w);
            redis_turn(w.redis);
            redis_flush(w.redis);
        }
        serve_all(&w);
    }
    end(&w);
    return 0;
}
