/* SPDX-License-Identifier: Apache-2.0 */

/* What orchd does beside orchagent for a changed profile, without any work:
 * what Redis, the kernel and the hops between processes take of its time.
 *
 * Waits for the notification, reads the row, and publishes it for orchagent
 * unchanged, with the same commands in as many round trips as orchd.
 *
 * Usage: bare_publisher SOCKET PROFILE, until Redis ends; says "ready". */

#include <config.h>

#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/text.h"

enum { MAX_WORDS = 40 };

static redisContext *
reach(const char *path)
{
    redisContext *context = redisConnectUnix(path);

    if (!context || context->err) {
        fprintf(stderr, "bare_publisher: %s: %s\n", path,
                context ? context->errstr : "no memory");
        exit(1);
    }
    return context;
}

/* Returns the next reply, or ends when Redis has. */
static redisReply *
reply_of(redisContext *context)
{
    void *reply = NULL;

    if (redisGetReply(context, &reply) != REDIS_OK) {
        exit(0);
    }
    return reply;
}

/* Publishes 'row', the reply to HGETALL, for orchagent. */
static void
publish(redisContext *context, const char *profile, const redisReply *row)
{
    const char *words[MAX_WORDS] = {"HSET"};
    char key[160];
    int n = 2;

    orch_assert(row->elements + 2 <= MAX_WORDS);
    orch_assert(
        text_format(key, sizeof key, "_BUFFER_PROFILE_TABLE:%s", profile));
    words[1] = key;
    for (size_t i = 0; i < row->elements; i++) {
        words[n++] = row->element[i]->str;
    }
    redisAppendCommand(context, "SELECT 0");
    redisAppendCommand(context, "MULTI");
    redisAppendCommand(context, "SADD BUFFER_PROFILE_TABLE_KEY_SET %s",
                       profile);
    redisAppendCommandArgv(context, n, words, NULL);
    redisAppendCommand(context, "PUBLISH BUFFER_PROFILE_TABLE_CHANNEL@0 G");
    redisAppendCommand(context, "EXEC");
    for (int i = 0; i < 6; i++) {
        freeReplyObject(reply_of(context));
    }
}

int
main(int argc, char **argv)
{
    redisContext *news, *data;

    if (argc != 3) {
        fprintf(stderr, "usage: bare_publisher SOCKET PROFILE\n");
        return 2;
    }
    news = reach(argv[1]);
    data = reach(argv[1]);
    redisAppendCommand(news, "PSUBSCRIBE __keyspace@4__:BUFFER_PROFILE|%s",
                       argv[2]);
    freeReplyObject(reply_of(news));
    puts("ready");
    fflush(stdout);
    for (;;) {
        redisReply *row;

        freeReplyObject(reply_of(news));
        redisAppendCommand(data, "SELECT 4");
        redisAppendCommand(data, "HGETALL BUFFER_PROFILE|%s", argv[2]);
        freeReplyObject(reply_of(data));
        row = reply_of(data);
        publish(data, argv[2], row);
        freeReplyObject(row);
    }
}
