/* SPDX-License-Identifier: Apache-2.0 */

/* A hiredis context, and the requests that wait for replies.
 *
 * After a failure hiredis frees its context itself, and calls all pending
 * callbacks with a NULL reply.  So 'ac' is cleared first, and calls of the
 * owner from such a callback find a link without a context. */

#include <config.h>

#include "orchd/db/link.h"

#include <hiredis/async.h>
#include <hiredis/hiredis.h>

#include <hiredis/adapters/libevent.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/db/endpoint.h"
#include "orchd/db/login.h"
#include "orchd/db/redis_types.h"
#include "orchd/db/reply_objects.h"
#include "process/loop.h"

/* How long a server may stay silent before it closes a connection. */
#define END_PATIENCE_MS 1000

struct link {
    struct loop *loop;
    struct link_listener listener;
    redisAsyncContext *ac; /* NULL after the link went down. */
    struct timer timer;    /* Connect timeout, then stall check. */
    bool up;
    bool reported;    /* 'down' was called. */
    int selected;     /* Database, -1 if not known. */
    size_t n_pending; /* Commands without an answer. */
    int64_t progress; /* When the last answer came. */
    bool suspect;     /* Stalled; this is its last chance. */
    char reason[160]; /* Of a failure that was not reported yet. */

    /* While callbacks run, link_close() only marks the link. */
    unsigned int depth;
    bool closed;

    /* How to log in; see struct endpoint. */
    const char *user;
    const char *password_file;
};

/* A command with a callback. */
struct request {
    link_reply_fn *reply;
    void *context;
};

/* Keeps 'link' allocated during callbacks. */
static void
enter(struct link *link)
{
    link->depth++;
}

static void
leave(struct link *link)
{
    link->depth--;
    if (!link->depth && link->closed) {
        free(link);
    }
}

/* Frees the context of 'link', which answers all requests. */
static void
drop_context(struct link *link)
{
    redisAsyncContext *ac = link->ac;

    timeline_cancel(loop_timeline(link->loop), &link->timer);
    link->ac = NULL;
    if (ac) {
        /* Within a callback hiredis frees it later, and answers the requests
         * then, when 'link' may already be freed. */
        ac->data = NULL;
        redisAsyncFree(ac);
    }
}

/* Takes the link down because of 'reason', unless it is down. */
static void
fail(struct link *link, const char *reason)
{
    if (link->reported || link->closed) {
        return;
    }
    enter(link);
    link->reported = true;
    drop_context(link);
    if (!link->closed) {
        link->listener.down(link->listener.context, reason);
    }
    leave(link);
}

/* The timer of a link: first for connecting, then for answers.  Moving it for
 * each answer would cost more than the answers, so when it fires it checks when
 * the last one came. */
static void
on_timer(struct timer *timer, int64_t when)
{
    struct link *link = timer->owner;
    int64_t now = loop_now(link->loop);

    (void)when;
    if (!link->ac) {
        fail(link, link->reason);
    } else if (!link->up) {
        fail(link, "no connection within 2 s");
    } else if (!link->n_pending) {
        return;
    } else if (now - link->progress < REDIS_STALL_NS) {
        timeline_set(loop_timeline(link->loop), &link->timer,
                     link->progress + REDIS_STALL_NS);
    } else if (!link->suspect) {
        /* If orchd itself was blocked (for example in a vendor's library), the
         * commands may not have been sent yet. */
        link->suspect = true;
        timeline_set(loop_timeline(link->loop), &link->timer,
                     now + REDIS_LAST_CHANCE_NS);
    } else {
        fail(link, "no answer to a command within 5 s");
    }
}

/* Counts one more expected answer. */
static void
expect(struct link *link)
{
    if (!link->n_pending) {
        link->progress = loop_now(link->loop);
    }
    link->n_pending++;
    if (!timer_pending(&link->timer)) {
        timeline_set(loop_timeline(link->loop), &link->timer,
                     link->progress + REDIS_STALL_NS);
    }
}

/* Counts an answer. */
static void
progress(struct link *link)
{
    link->n_pending -= link->n_pending > 0;
    link->suspect = false;
    link->progress = loop_now(link->loop);
}

/* The link can be used. */
static void
report_up(struct link *link)
{
    timeline_cancel(loop_timeline(link->loop), &link->timer);
    link->up = true;
    enter(link);
    link->listener.up(link->listener.context);
    leave(link);
}

/* The answer to AUTH. */
static void
on_login(redisAsyncContext *ac, void *reply_, void *unused)
{
    struct link *link = ac->data;
    const redisReply *reply = reply_;
    char reason[256];

    (void)unused;
    if (!link || !reply) {
        return; /* The connection is lost, which is reported elsewhere. */
    }
    if (reply->type == REDIS_REPLY_ERROR) {
        text_format(reason, sizeof reason,
                    "Redis refuses the login of user %.64s: %.120s",
                    link->user ? link->user : "default", reply->str);
        fail(link, reason);
        return;
    }
    report_up(link);
}

/* The connection is established, or has failed. */
static void
on_connect(const redisAsyncContext *ac, int status)
{
    struct link *link = ac->data;

    if (!link || link->ac != ac) {
        return;
    }
    if (status == REDIS_OK) {
        if (!link->password_file) {
            report_up(link); /* Else when AUTH is answered. */
        }
    } else {
        link->ac = NULL; /* hiredis frees it. */
        fail(link, ac->errstr && *ac->errstr ? ac->errstr : "not reachable");
    }
}

/* The connection is lost.  hiredis has already answered all requests with
 * NULL. */
static void
on_disconnect(const redisAsyncContext *ac, int status)
{
    struct link *link = ac->data;

    (void)status;
    if (link && link->ac == ac) {
        link->ac = NULL; /* hiredis frees it. */
        fail(link, ac->errstr && *ac->errstr ? ac->errstr : "closed");
    }
}

/* Creates a context for 'endpoint', or stores in 'reason' why it cannot. */
static redisAsyncContext *
context_create(struct loop *loop, const struct endpoint *endpoint, char *reason,
               size_t size)
{
    redisAsyncContext *ac =
        endpoint->kind == ENDPOINT_UNIX
            ? redisAsyncConnectUnix(endpoint->path)
            : redisAsyncConnect(endpoint->host, endpoint->port);

    orch_assert(ac);
    if (ac->err) {
        text_format(reason, size, "%s", ac->errstr);
        redisAsyncFree(ac);
        return NULL;
    }
    ac->c.reader->fn = &reply_objects;
    redisLibeventAttach(ac, loop_base(loop));
    redisAsyncSetConnectCallback(ac, on_connect);
    redisAsyncSetDisconnectCallback(ac, on_disconnect);
    return ac;
}

/* Creates the context of 'link' and sends AUTH, if that is needed, which
 * hiredis keeps until the connection is established. */
static void
start_context(struct link *link, const struct endpoint *endpoint)
{
    char password[LOGIN_PASSWORD_SIZE];
    const char *words[3] = {"AUTH"};
    struct err err = {0};
    int n = 1;

    if (link->password_file &&
        login_read(link->password_file, password, &err)) {
        text_copy(link->reason, sizeof link->reason, err.reason);
        return;
    }
    link->ac =
        context_create(link->loop, endpoint, link->reason, sizeof link->reason);
    if (link->ac) {
        link->ac->data = link;
    }
    if (link->ac && link->password_file) {
        if (link->user) {
            words[n++] = link->user;
        }
        words[n++] = password;
        (void)redisAsyncCommandArgv(link->ac, on_login, NULL, n, words, NULL);
    }
    explicit_bzero(password, sizeof password);
}

struct link *
link_open(struct loop *loop, const struct endpoint *endpoint,
          const struct link_listener *listener)
{
    struct link *link = check_calloc(1, sizeof *link);

    link->loop = loop;
    link->user = endpoint->user;
    link->password_file = endpoint->password_file;
    link->listener = *listener;
    link->selected = 0;
    link->timer.fire = on_timer;
    link->timer.owner = link;
    start_context(link, endpoint);
    timeline_set(loop_timeline(loop), &link->timer,
                 loop_now(loop) + (link->ac ? REDIS_CONNECT_NS : 0));
    return link;
}

/* Waits until the server has read all that was sent and closed the connection.
 * A server that writes a reply to a closed socket drops the commands that it
 * has not read yet. */
static void
await_end(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    char unwanted[4096];

    if (shutdown(fd, SHUT_WR) == 0) {
        while (poll(&poll_fd, 1, END_PATIENCE_MS) > 0 &&
               recv(fd, unwanted, sizeof unwanted, MSG_DONTWAIT) > 0) {
        }
    }
}

void
link_close(struct link *link, bool flush)
{
    if (!link || link->closed) {
        return;
    }
    enter(link);
    link->closed = true;
    if (flush && link->ac && link->up) {
        redisAsyncHandleWrite(link->ac);
        if (link->ac) { /* The write has not failed. */
            await_end(link->ac->c.fd);
        }
    }
    drop_context(link);
    leave(link);
}

void
link_args_fini(struct link_args *args)
{
    free(args->strings);
    memset(args, 0, sizeof *args);
}

void
link_args_clear(struct link_args *args)
{
    args->n = 0;
}

void
link_arg(struct link_args *args, const char *string)
{
    if (args->n == args->size) {
        args->size = args->size ? 2 * args->size : 32;
        args->strings =
            check_realloc(args->strings, args->size * sizeof *args->strings);
    }
    args->strings[args->n++] = string;
}

/* Calls the callback of a request, if there is one. */
static void
answer(struct request *request, redisReply *reply)
{
    if (request) {
        request->reply(request->context, reply);
        free(request);
    }
}

/* Reports an answer that is an error or, for a transaction, the errors in
 * it. */
static void
tell_refusals(const struct link *link, const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_ERROR) {
        link->listener.refused(link->listener.context, reply->str);
    }
    for (size_t i = 0; i < reply->elements; i++) {
        tell_refusals(link, reply->element[i]);
    }
}

/* The answer to a command. */
static void
on_reply(redisAsyncContext *ac, void *reply_, void *request)
{
    struct link *link = ac->data;
    redisReply *reply = reply_;

    if (!link) {
        answer(request, NULL);
        return;
    }
    progress(link);
    enter(link);
    answer(request, reply);
    if (!request && reply && link->listener.refused) {
        tell_refusals(link, reply);
    }
    leave(link);
}

/* Appends the command to the pipeline of hiredis. */
static void
append(struct link *link, const struct link_args *args, struct request *request)
{
    if (!link->ac ||
        redisAsyncCommandArgv(link->ac, on_reply, request, (int)args->n,
                              args->strings, NULL) != REDIS_OK) {
        answer(request, NULL);
        return;
    }
    expect(link);
}

/* Selects a database if another one is selected.  The answer to SELECT can be
 * ignored: its argument comes from the database config, whose range was
 * checked, and Redis would refuse the commands that follow, too. */
static void
select_database(struct link *link, int number)
{
    char text[16];
    const char *strings[] = {"SELECT", text};
    const struct link_args args = {strings, 2, 2};

    if (number >= 0 && number != link->selected) {
        text_format(text, sizeof text, "%d", number);
        link->selected = number;
        append(link, &args, NULL);
    }
}

void
link_send_args(struct link *link, int number, const struct link_args *args,
               link_reply_fn *reply, void *context)
{
    struct request *request = NULL;

    if (reply) {
        request = check_malloc(sizeof *request);
        request->reply = reply;
        request->context = context;
    }
    select_database(link, number);
    append(link, args, request);
}

void
link_send_formatted(struct link *link, int number, const char *command,
                    size_t length)
{
    select_database(link, number);
    if (link->ac && redisAsyncFormattedCommand(link->ac, on_reply, NULL,
                                               command, length) == REDIS_OK) {
        expect(link);
    }
}

void
link_command(struct link *link, int number, link_reply_fn *reply, void *context,
             ...)
{
    struct link_args args = {0};
    const char *string;
    va_list list;

    va_start(list, context);
    while ((string = va_arg(list, const char *)) != NULL) {
        link_arg(&args, string);
    }
    va_end(list);
    link_send_args(link, number, &args, reply, context);
    link_args_fini(&args);
}

bool
link_is_hash(const redisReply *reply)
{
    bool good = reply->type == REDIS_REPLY_ARRAY && reply->elements % 2 == 0;

    for (size_t i = 0; good && i < reply->elements; i++) {
        good = reply->element[i]->type == REDIS_REPLY_STRING;
    }
    return good;
}

bool
link_idle(const struct link *link)
{
    return !link->ac || !link->n_pending;
}

void
link_write(struct link *link)
{
    int done;

    if (link->up && link->ac) {
        /* An error stays in the context, for the handler of the event. */
        (void)redisBufferWrite(&link->ac->c, &done);
    }
}

void
link_drain(struct link *link)
{
    orch_assert(!link->depth);
    enter(link);
    for (int i = 0; i < LINK_DRAIN_READS && link->up && link->ac; i++) {
        struct pollfd poll_fd = {.fd = link->ac->c.fd, .events = POLLIN};

        if (poll(&poll_fd, 1, 0) <= 0) {
            break;
        }
        redisAsyncHandleRead(link->ac);
    }
    leave(link);
}

/* Returns the text of element 'i' of 'reply', or NULL. */
static const char *
element(const redisReply *reply, size_t i)
{
    return i < reply->elements && reply->element[i]->type == REDIS_REPLY_STRING
               ? reply->element[i]->str
               : NULL;
}

/* A message of a subscription: [kind, channel, payload] or, for a pattern,
 * [kind, pattern, channel, payload]; payloads that are counts are not text. */
static void
on_message(redisAsyncContext *ac, void *reply_, void *unused)
{
    struct link *link = ac->data;
    const redisReply *reply = reply_;
    struct text escaped = {0};
    const char *kind, *channel;
    size_t last;

    (void)unused;
    if (!link || !reply || reply->type != REDIS_REPLY_ARRAY ||
        reply->elements < 3) {
        return;
    }
    last = reply->elements - 1;
    kind = element(reply, 0);
    channel = element(reply, last - 1);
    if (!kind || !channel) {
        return;
    }
    if (!strcmp(kind, "subscribe") || !strcmp(kind, "psubscribe")) {
        progress(link);
    }
    if (strlen(channel) != reply->element[last - 1]->len) {
        text_add_escaped(&escaped, channel, reply->element[last - 1]->len);
        channel = text_string(&escaped);
    }
    enter(link);
    if (link->listener.message) {
        link->listener.message(link->listener.context, kind, channel,
                               element(reply, last));
    }
    leave(link);
    text_fini(&escaped);
}

void
link_subscribe(struct link *link, const char *verb, const char *channel)
{
    const char *strings[] = {verb, channel};

    if (link->ac && redisAsyncCommandArgv(link->ac, on_message, NULL, 2,
                                          strings, NULL) == REDIS_OK) {
        expect(link);
    }
}
