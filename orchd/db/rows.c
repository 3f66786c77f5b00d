/* SPDX-License-Identifier: Apache-2.0 */

/* One transaction of DEL and HSET. */

#include <config.h>

#include "orchd/db/rows.h"

#include <hiredis/hiredis.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/arena.h"
#include "base/check.h"
#include "orchd/db/link.h"
#include "orchd/db/scan.h"

/* A key that is written, or an existing one that is deleted. */
struct known_key {
    const char *key;
    UT_hash_handle hh;
};

/* One request.  All strings are in 'arena'. */
struct rows {
    struct link *link; /* Borrowed; valid until the last answer. */
    int number;
    char separator;
    enum redis_write mode;
    bool fills;
    struct field_row *rows;
    size_t n;
    struct known_key *written;
    struct known_key *doomed;
    redis_done_fn *done;
    void *context;
    struct arena *arena;
};

/* The placeholder field of a row without fields in CONFIG_DB. */
static const struct field placeholder = {"NULL", "NULL"};

/* Copies a row into the memory of the request. */
static void
copy_row(struct rows *request, struct field_row *to,
         const struct field_row *from)
{
    bool empty = from->fields && from->n_fields == 0;
    const struct field *fields = empty ? &placeholder : from->fields;
    size_t n = empty ? 1 : from->n_fields; /* None if the row is deleted. */
    struct field *copy = arena_alloc(request->arena, n + 1, sizeof *copy);

    for (size_t i = 0; i < n; i++) {
        copy[i].name = arena_strdup(request->arena, fields[i].name);
        copy[i].value = arena_strdup(request->arena, fields[i].value);
    }
    to->key = arena_strdup(request->arena, from->key);
    to->fields = from->fields ? copy : NULL;
    to->n_fields = n;
}

/* Adds a key to one of the two sets, if it is not in it yet. */
static void
add_key(struct rows *request, struct known_key **set, const char *key)
{
    struct known_key *entry;

    HASH_FIND_STR(*set, key, entry);
    if (!entry) {
        entry = arena_alloc(request->arena, 1, sizeof *entry);
        entry->key = key;
        HASH_ADD_KEYPTR(hh, *set, entry->key, strlen(entry->key), entry);
    }
}

/* Reports the result of the request, and frees it. */
static void
finish(struct rows *request, enum st status, const char *what)
{
    struct err err = {0};

    if (status == ST_IO) {
        err_set(&err, status, "redis-lost",
                "the connection to Redis was lost, so it is not known whether "
                "the rows were written");
    } else if (status) {
        err_set(&err, status, "redis-refused",
                "Redis refused to write the rows: %s", what);
    }
    request->done(request->context, status, &err);
    HASH_CLEAR(hh, request->written);
    HASH_CLEAR(hh, request->doomed);
    arena_destroy(request->arena);
    free(request);
}

/* The answer to EXEC: one answer per command, or an error. */
static void
on_exec(void *request_, redisReply *reply)
{
    struct rows *request = request_;
    const char *what = NULL;

    if (!reply) {
        finish(request, ST_IO, "");
        return;
    }
    if (reply->type == REDIS_REPLY_ERROR) {
        what = reply->str;
    }
    for (size_t i = 0; !what && i < reply->elements; i++) {
        if (reply->element[i]->type == REDIS_REPLY_ERROR) {
            what = reply->element[i]->str;
        }
    }
    finish(request, what ? ST_INVALID : ST_OK, what);
}

/* Sends the commands for one row. */
static void
write_row(const struct rows *request, const struct field_row *row,
          struct link_args *args)
{
    if (request->mode != REDIS_WRITE_MERGE) {
        link_command(request->link, request->number, NULL, NULL, "DEL",
                     row->key, NULL);
    }
    if (!row->fields) {
        return;
    }
    link_args_clear(args);
    link_arg(args, "HSET");
    link_arg(args, row->key);
    for (size_t i = 0; i < row->n_fields; i++) {
        link_arg(args, row->fields[i].name);
        link_arg(args, row->fields[i].value);
    }
    link_send_args(request->link, request->number, args, NULL, NULL);
}

/* Sends the transaction: first deletions, then writes. */
static void
write_all(struct rows *request)
{
    struct link_args args = {0};
    struct known_key *entry, *next;

    link_command(request->link, request->number, NULL, NULL, "MULTI", NULL);
    HASH_ITER(hh, request->doomed, entry, next)
    {
        link_command(request->link, request->number, NULL, NULL, "DEL",
                     entry->key, NULL);
    }
    for (size_t i = 0; i < request->n; i++) {
        write_row(request, &request->rows[i], &args);
    }
    link_args_fini(&args);
    if (request->fills) {
        link_command(request->link, request->number, NULL, NULL, "SET",
                     ROWS_INITIALIZED_KEY, "1", NULL);
    }
    link_command(request->link, request->number, on_exec, request, "EXEC",
                 NULL);
}

/* A key of the database that is being replaced: deleted if it is a row that is
 * not going to be written. */
static void
on_key(void *request_, const char *key)
{
    struct rows *request = request_;
    struct known_key *entry;

    HASH_FIND_STR(request->written, key, entry);
    if (!entry && strchr(key, request->separator)) {
        add_key(request, &request->doomed, arena_strdup(request->arena, key));
    }
}

static void
on_keys_end(void *request, enum st status, const char *error)
{
    if (status) {
        finish(request, status, error);
    } else {
        write_all(request);
    }
}

void
rows_write(struct link *link, int number, char separator,
           const struct field_row *rows, size_t n, enum redis_write mode,
           bool fills, redis_done_fn *done, void *context)
{
    struct rows *request = check_calloc(1, sizeof *request);

    request->arena = arena_create(0);
    request->link = link;
    request->number = number;
    request->separator = separator;
    request->mode = mode;
    request->fills = fills;
    request->done = done;
    request->context = context;
    request->n = n;
    request->rows = arena_alloc(request->arena, n ? n : 1, sizeof *rows);
    for (size_t i = 0; i < n; i++) {
        copy_row(request, &request->rows[i], &rows[i]);
        add_key(request, &request->written, request->rows[i].key);
    }
    if (mode == REDIS_WRITE_ALL) {
        scan_keys(link, number, NULL, on_key, on_keys_end, request);
    } else {
        write_all(request);
    }
}
