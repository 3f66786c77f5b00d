/* SPDX-License-Identifier: Apache-2.0 */

/* SCAN, from cursor to cursor. */

#include <config.h>

#include "orchd/db/scan.h"

#include <hiredis/hiredis.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/db/link.h"

/* Keys per SCAN: this takes Redis about a millisecond. */
#define SCAN_COUNT "1000"

struct scan {
    struct link *link; /* Borrowed; valid until the last answer. */
    int number;
    char *pattern; /* May be NULL. */
    scan_key_fn *key;
    scan_done_fn *done;
    void *context;
};

static void scan_next(struct scan *scan, const char *cursor);

/* Reports the result of the scan, and frees it. */
static void
scan_end(struct scan *scan, enum st status, const char *error)
{
    scan->done(scan->context, status, error);
    free(scan->pattern);
    free(scan);
}

/* Returns whether 'reply' has the form of an answer to SCAN. */
static bool
is_scan_reply(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_ARRAY && reply->elements == 2 &&
           reply->element[0]->type == REDIS_REPLY_STRING &&
           reply->element[1]->type == REDIS_REPLY_ARRAY;
}

static void
hand_key(const struct scan *scan, const redisReply *key)
{
    struct text escaped = {0};

    if (strlen(key->str) == key->len) {
        scan->key(scan->context, key->str);
        return;
    }
    text_add_escaped(&escaped, key->str, key->len);
    scan->key(scan->context, text_string(&escaped));
    text_fini(&escaped);
}

/* The answer to one SCAN: some keys, and the next cursor. */
static void
on_scan(void *scan_, redisReply *reply)
{
    struct scan *scan = scan_;
    const redisReply *keys;

    if (!reply) {
        scan_end(scan, ST_IO, "the connection was lost");
        return;
    }
    if (!is_scan_reply(reply)) {
        bool error = reply->type == REDIS_REPLY_ERROR;

        scan_end(scan, ST_INVALID,
                 error ? reply->str : "unexpected answer to SCAN");
        return;
    }
    keys = reply->element[1];
    for (size_t i = 0; i < keys->elements; i++) {
        if (keys->element[i]->type == REDIS_REPLY_STRING) {
            hand_key(scan, keys->element[i]);
        }
    }
    if (strcmp(reply->element[0]->str, "0") != 0) {
        scan_next(scan, reply->element[0]->str);
    } else {
        scan_end(scan, ST_OK, "");
    }
}

static void
scan_next(struct scan *scan, const char *cursor)
{
    if (scan->pattern) {
        link_command(scan->link, scan->number, on_scan, scan, "SCAN", cursor,
                     "MATCH", scan->pattern, "COUNT", SCAN_COUNT, NULL);
    } else {
        link_command(scan->link, scan->number, on_scan, scan, "SCAN", cursor,
                     "COUNT", SCAN_COUNT, NULL);
    }
}

void
scan_keys(struct link *link, int number, const char *pattern, scan_key_fn *key,
          scan_done_fn *done, void *context)
{
    struct scan *scan = check_calloc(1, sizeof *scan);

    scan->link = link;
    scan->number = number;
    scan->pattern = check_strdup(pattern);
    scan->key = key;
    scan->done = done;
    scan->context = context;
    scan_next(scan, "0");
}
