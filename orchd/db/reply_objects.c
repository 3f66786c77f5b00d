/* SPDX-License-Identifier: Apache-2.0 */

/* Replies of Redis, each in an arena of its own. */

#include <config.h>

#include "orchd/db/reply_objects.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"

/* A block for an array of n elements has room for n of ELEMENT_BYTES: an
 * object, its place in the list, and a short string.  No block is made larger
 * for that than MOST_ELEMENTS need; larger replies take more than one. */
enum { ELEMENT_BYTES = sizeof(redisReply) + 48, MOST_ELEMENTS = 1024 };

/* More elements are taken for an error of the server: hiredis reports that
 * memory is used up, and the connection is lost. */
#define ELEMENTS_LIMIT ((size_t)1 << 24)

/* A reply. */
struct whole {
    struct arena *arena; /* Of its elements; NULL: it is no array. */
    redisReply reply;
};

static struct whole *
whole_of(void *reply)
{
    return (struct whole *)(void *)((char *)reply -
                                    offsetof(struct whole, reply));
}

/* Returns the arena of the reply of which 'task', which has a parent, is a
 * part. */
static struct arena *
arena_of(const redisReadTask *task)
{
    while (task->parent) {
        task = task->parent;
    }
    return whole_of(task->obj)->arena;
}

/* Returns a new object of 'type', zeroed, with 'room' bytes after it, for the
 * place that 'task' describes. */
static redisReply *
make(const redisReadTask *task, int type, size_t room)
{
    redisReply *reply;

    if (task->parent) {
        reply = arena_alloc(arena_of(task), 1, sizeof *reply + room);
        ((redisReply *)task->parent->obj)->element[task->idx] = reply;
    } else {
        struct whole *whole = check_calloc(1, sizeof *whole + room);

        reply = &whole->reply;
    }
    reply->type = type;
    return reply;
}

/* Implement redisReplyObjectFunctions. */

static void *
create_string(const redisReadTask *task, char *bytes, size_t length)
{
    redisReply *reply = make(task, task->type, length + 1);

    reply->str = (char *)(reply + 1);
    memcpy(reply->str, bytes, length);
    reply->len = length;
    return reply;
}

static void *
create_array(const redisReadTask *task, int n)
{
    const size_t elements = n > 0 ? (size_t)n : 0;
    struct arena *arena = task->parent ? arena_of(task) : NULL;
    redisReply *reply;

    if (elements > ELEMENTS_LIMIT) {
        return NULL;
    }
    reply = make(task, REDIS_REPLY_ARRAY, 0);
    if (!arena) {
        arena = whole_of(reply)->arena = arena_create(
            ELEMENT_BYTES *
            (elements < MOST_ELEMENTS ? elements + 1 : MOST_ELEMENTS));
    }
    reply->elements = elements;
    if (elements) {
        reply->element = arena_alloc(arena, elements, sizeof *reply->element);
    }
    return reply;
}

static void *
create_integer(const redisReadTask *task, long long value)
{
    redisReply *reply = make(task, REDIS_REPLY_INTEGER, 0);

    reply->integer = value;
    return reply;
}

static void *
create_nil(const redisReadTask *task)
{
    return make(task, REDIS_REPLY_NIL, 0);
}

static void
free_object(void *reply)
{
    if (reply) {
        struct whole *whole = whole_of(reply);

        arena_destroy(whole->arena);
        free(whole);
    }
}

redisReplyObjectFunctions reply_objects = {
    .createString = create_string,
    .createArray = create_array,
    .createInteger = create_integer,
    .createNil = create_nil,
    .freeObject = free_object,
};
