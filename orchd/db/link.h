/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_LINK_H
#define ORCHD_DB_LINK_H

/* One connection to Redis: hiredis over libevent, with our own timeouts.
 *
 * Internal to db/.  A link is opened once, and logs in if its endpoint says so.
 * It reports that it is up, and once that it is down and why; then its owner
 * closes it. There are two timeouts: one for connecting, and one for progress:
 * if commands are pending and none was answered for REDIS_STALL_NS, the link is
 * down.
 *
 * Every request is answered exactly once: with a reply, or with NULL when the
 * link went down or was closed.  If it was closed in one of its callbacks, NULL
 * may follow after that callback has returned.  Replies are borrowed for the
 * call. */

#include <stdbool.h>
#include <stddef.h>

struct endpoint;
struct link;
struct loop;
struct redisReply;

typedef void link_reply_fn(void *context, struct redisReply *reply);

/* The listener of a link. */
struct link_listener {
    /* Connected. */
    void (*up)(void *context);

    /* The connection failed or was lost.  Not called for link_close(). */
    void (*down)(void *context, const char *reason);

    /* Redis answered a command without a callback with an error.  May be
     * NULL. */
    void (*refused)(void *context, const char *error);

    /* A message of a subscription: its kind ("subscribe", "message", "pmessage"
     * ...), the channel (one with a NUL is escaped by text_add_escaped()), and
     * the payload, NULL if there is none.  May be NULL. */
    void (*message)(void *context, const char *kind, const char *channel,
                    const char *payload);

    void *context;
};

/* Starts to connect to 'endpoint', which is not ENDPOINT_SPAWN.  'up' or 'down'
 * is called later from the loop, never within this call.  'listener' is
 * copied. */
struct link *link_open(struct loop *loop, const struct endpoint *endpoint,
                       const struct link_listener *listener);

/* Closes 'link'; may be called from its callbacks.  With 'flush', tries once to
 * hand unsent commands to the kernel, and waits until the server has executed
 * them, at most a second after its last reply.  Accepts NULL. */
void link_close(struct link *link, bool flush);

/* A command being built: borrowed strings, owned array. */
struct link_args {
    const char **strings;
    size_t n;
    size_t size;
};
void link_args_fini(struct link_args *args);
void link_args_clear(struct link_args *args);
void link_arg(struct link_args *args, const char *string);

/* Appends a command to the pipeline, after selecting database 'number' if
 * another one is selected (negative: any database).  'reply' may be NULL. */
void link_send_args(struct link *link, int number, const struct link_args *args,
                    link_reply_fn *reply, void *context);

/* Does the same for one command in RESP format whose answer is ignored. */
void link_send_formatted(struct link *link, int number, const char *command,
                         size_t length);

/* Does the same for a command given as strings, ended by NULL. */
void link_command(struct link *link, int number, link_reply_fn *reply,
                  void *context, ...) __attribute__((sentinel));

/* Returns whether 'reply' is a hash: names and values as strings. */
bool link_is_hash(const struct redisReply *reply);

/* Returns whether every command was answered, or the link is down. */
bool link_idle(const struct link *link);

/* Hands what was sent so far to the kernel, as far as that takes it, instead of
 * in the next turn of the loop.  A failure shows in the next turn. */
void link_write(struct link *link);

/* Reads what has arrived on 'link' beyond what this turn of the loop has read
 * already, at most LINK_DRAIN_READS * 16 KiB, and calls the callbacks.  The
 * loop reads 16 KiB per turn, which is too slow for a long backlog if a turn
 * does much else.  Not for use in callbacks of links. */
#define LINK_DRAIN_READS 32
void link_drain(struct link *link);

/* Subscribes to a channel ("SUBSCRIBE") or pattern ("PSUBSCRIBE").  'message'
 * is called from then on, first with the kind "subscribe" or "psubscribe". */
void link_subscribe(struct link *link, const char *verb, const char *channel);

#endif /* orchd/db/link.h */
