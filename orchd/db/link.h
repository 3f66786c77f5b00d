/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_LINK_H
#define ORCHD_DB_LINK_H

/* One connection to Redis: hiredis over libevent, with timeouts of our own.
 *
 * Internal to db/.  A link is opened once and reports either that it is up, or
 * that it is down and why; after that it is dead and its owner closes it.
 * There are two timeouts: for connecting, and for progress: if commands are
 * outstanding and nothing was answered for REDIS_STALL_NS, the link is down.
 *
 * Every request is answered exactly once: with a reply, or with NULL when the
 * link went down or was closed; in a callback of the link the latter may follow
 * when that has returned.  Replies are borrowed for the call. */

#include <stdbool.h>
#include <stddef.h>

struct endpoint;
struct link;
struct loop;
struct redisReply;

typedef void link_reply_fn(void *context, struct redisReply *reply);

/* What its owner is told. */
struct link_events {
    /* Connected. */
    void (*up)(void *context);

    /* Could not be connected, or was lost.  Not called for link_close(). */
    void (*down)(void *context, const char *reason);

    /* Redis answered a command that has no callback of its own with an
     * error.  May be NULL. */
    void (*refused)(void *context, const char *error);

    /* A message for a subscription: what kind ("subscribe", "message",
     * "pmessage" ...), the channel, and the payload, NULL where Redis sent
     * none.  May be NULL. */
    void (*message)(void *context, const char *kind, const char *channel,
                    const char *payload);

    void *context;
};

/* Starts to connect to 'endpoint', which is not ENDPOINT_SPAWN.  'up' or
 * 'down' follow from the loop, never from within.  'events' is copied. */
struct link *link_open(struct loop *loop, const struct endpoint *endpoint,
                       const struct link_events *events);

/* Closes 'link', from a callback of it as well.  With 'flush' tries once to
 * hand unsent commands to the kernel.  Accepts NULL. */
void link_close(struct link *link, bool flush);

/* A command under construction: borrowed strings, owned array. */
struct link_args {
    const char **strings;
    size_t n;
    size_t size;
};
void link_args_fini(struct link_args *args);
void link_args_clear(struct link_args *args);
void link_arg(struct link_args *args, const char *string);

/* Appends a command to the pipeline, after selecting database 'number' if
 * another one is selected (negative: any will do).  'reply' may be NULL. */
void link_send_args(struct link *link, int number, const struct link_args *args,
                    link_reply_fn *reply, void *context);

/* The same for one command in the form in which Redis reads it, whose answer
 * nobody waits for. */
void link_send_formatted(struct link *link, int number, const char *command,
                         size_t length);

/* The same for a command given as strings, ended by NULL. */
void link_command(struct link *link, int number, link_reply_fn *reply,
                  void *context, ...) __attribute__((sentinel));

/* Returns whether every command was answered, or the link is down. */
bool link_idle(const struct link *link);

/* Subscribes to a channel ("SUBSCRIBE") or pattern ("PSUBSCRIBE").  The events
 * 'message' follow, the first one of kind "subscribe" or "psubscribe". */
void link_subscribe(struct link *link, const char *verb, const char *channel);

#endif /* orchd/db/link.h */
