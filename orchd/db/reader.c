/* SPDX-License-Identifier: Apache-2.0 */

/* SCAN and HGETALL in one pipeline, and the set of dirty keys. */

#include <config.h>

#include "orchd/db/reader.h"

#include <hiredis/hiredis.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "orchd/db/link.h"
#include "orchd/db/pending.h"
#include "orchd/db/redis_types.h"
#include "orchd/db/rows.h"
#include "orchd/db/scan.h"
#include "process/log.h"

/* A dirty key. */
struct dirty {
    UT_hash_handle hh;
    bool pushed; /* The key is of APPL_DB. */
    char key[];
};

struct reader {
    struct log *log;
    struct link *link; /* NULL while there is none. */
    const struct redis_listener *rows;
    void *rows_context;
    struct reader_listener listener;
    int number; /* The number of CONFIG_DB. */
    char separator;
    bool pushed;       /* The buffer tables are read from APPL_DB, */
    int pushed_number; /* ... which has this number. */

    struct dirty *dirty;
    size_t n_in_flight; /* Rows that were requested and not answered. */

    /* The complete reading. */
    bool reading;
    bool again;
    uint64_t started; /* Number of the last complete reading that was
                       * requested, */
    uint64_t current; /* ... started, */
    uint64_t ended;   /* ... and ended. */
    struct redis_reading found;

    uint64_t n_readings;
    uint64_t n_rows;

    struct field *fields; /* Scratch for one row. */
    size_t fields_size;
};

/* A row that was requested. */
struct row_request {
    struct reader *reader;
    enum table table;
    size_t name; /* Offset in 'key' of the name in its table. */
    char key[];
};

static void begin(struct reader *reader);

struct reader *
reader_create(struct log *log, const struct redis_options *options,
              const struct redis_listener *rows, void *rows_context,
              const struct reader_listener *listener)
{
    struct reader *reader = check_calloc(1, sizeof *reader);

    reader->log = log;
    reader->rows = rows;
    reader->rows_context = rows_context;
    reader->listener = *listener;
    reader->number = options->dbconfig.databases[CONFIG_DB].number;
    reader->separator = options->dbconfig.databases[CONFIG_DB].separator;
    reader->pushed = options->buffers_pushed;
    reader->pushed_number = options->dbconfig.databases[APPL_DB].number;
    return reader;
}

/* Empties the set of dirty keys. */
static void
forget_dirty(struct reader *reader)
{
    struct dirty *dirty, *next;

    HASH_ITER(hh, reader->dirty, dirty, next)
    {
        HASH_DEL(reader->dirty, dirty);
        free(dirty);
    }
}

void
reader_destroy(struct reader *reader)
{
    if (reader) {
        forget_dirty(reader);
        free(reader->fields);
        free(reader);
    }
}

void
reader_attach(struct reader *reader, struct link *link)
{
    reader->link = link;
    reader->reading = false;
    reader->again = false;
    forget_dirty(reader);
}

/* A NUL would truncate a value, and the rest may look valid. */
static const char *
whole_string(redisReply *reply)
{
    for (size_t i = 0; i < reply->len; i++) {
        if (!reply->str[i]) {
            reply->str[i] = '?';
        }
    }
    return reply->str;
}

/* Passes on the row of 'request' with the fields in 'reply'. */
static void
hand_row(struct reader *reader, const struct row_request *request,
         redisReply *reply)
{
    size_t n = reply->elements / 2;

    if (n > reader->fields_size) {
        reader->fields_size = 2 * n;
        reader->fields = check_realloc(
            reader->fields, reader->fields_size * sizeof *reader->fields);
    }
    for (size_t i = 0; i < n; i++) {
        reader->fields[i].name = whole_string(reply->element[2 * i]);
        reader->fields[i].value = whole_string(reply->element[2 * i + 1]);
    }
    reader->n_rows++;
    if (n && reader->reading) {
        reader->found.n_rows++;
        reader->found.n_ports +=
            request->table == TABLE_PORT && request->key[request->name];
    }
    reader->rows->row(reader->rows_context, request->table,
                      request->key + request->name, reader->fields, n);
}

/* Returns whether the key exists but has another type. */
static bool
is_wrong_type(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_ERROR &&
           !strncmp(reply->str, "WRONGTYPE", 9);
}

/* Passes on that the row of 'request' is not a hash. */
static void
hand_wrong_type(struct reader *reader, const struct row_request *request)
{
    struct err err;

    log_write(reader->log, LOG_WARN, "row-not-a-hash", request->key,
              "this key of CONFIG_DB is not a hash and is ignored; "
              "delete it and write it with HSET");
    err_set(&err, ST_INVALID, "not-a-hash",
            "the key is not a hash, so it has no fields; redis-cli TYPE says "
            "what it is");
    err_set_field(&err, "key", request->key, "a hash");
    err_set_remedy(&err, "delete the key, and write it with HSET");
    reader->rows->bad_row(reader->rows_context, request->table,
                          request->key + request->name, &err);
}

/* Handles a key with a NUL, which is known only by its escaped form: during a
 * complete reading it exists; later, another reading has to find that out. */
static void
hand_nul(struct reader *reader, const struct row_request *request)
{
    struct err err;

    if (!reader->reading) {
        (void)reader_start(reader);
        return;
    }
    err_set(&err, ST_INVALID, "key",
            "the key contains a NUL, written here as " SCAN_NUL);
    err_set_field(&err, "key", request->key, "a key without NUL");
    err_set_remedy(&err, "delete the key, and write the row with the name "
                         "that was meant");
    reader->rows->bad_row(reader->rows_context, request->table,
                          request->key + request->name, &err);
}

/* The answer to HGETALL: the row, empty if it does not exist. */
static void
on_row(void *request_, redisReply *reply)
{
    struct row_request *request = request_;
    struct reader *reader = request->reader;

    reader->n_in_flight--;
    if (reply && reply->type == REDIS_REPLY_ERROR && !is_wrong_type(reply)) {
        reader->listener.refused(reader->listener.context, reply->str);
    } else if (reply && is_wrong_type(reply)) {
        hand_wrong_type(reader, request);
    } else if (reply && reply->type == REDIS_REPLY_ARRAY &&
               reply->elements == 0 && strstr(request->key, SCAN_NUL)) {
        hand_nul(reader, request);
    } else if (reply && link_is_hash(reply)) {
        hand_row(reader, request, reply);
    } else if (reply) {
        reader->listener.refused(reader->listener.context,
                                 "unexpected answer to HGETALL");
    }
    free(request);
}

/* Stores in '*initialized' whether 'reply', an answer to GET
 * CONFIG_DB_INITIALIZED, says that it is 1.  Returns false if it says
 * nothing. */
static bool
take_initialized(struct reader *reader, const redisReply *reply,
                 bool *initialized)
{
    if (!reply) {
        return false;
    }
    if (reply->type == REDIS_REPLY_ERROR && !is_wrong_type(reply)) {
        reader->listener.refused(reader->listener.context, reply->str);
        return false;
    }
    *initialized =
        reply->type == REDIS_REPLY_STRING && !strcmp(reply->str, "1");
    return true;
}

/* The key was dirty.  All rows that became dirty before it have been read, so
 * what it says holds for a complete reading in progress, too. */
static void
on_initialized(void *reader_, redisReply *reply)
{
    struct reader *reader = reader_;
    bool initialized;

    if (take_initialized(reader, reply, &initialized)) {
        reader->found.initialized = initialized;
        reader->rows->initialized(reader->rows_context, initialized);
    }
}

/* The first answer of a complete reading. */
static void
on_reading_begin(void *reader_, redisReply *reply)
{
    struct reader *reader = reader_;

    (void)take_initialized(reader, reply, &reader->found.initialized);
}

static void
get_initialized(struct reader *reader, link_reply_fn *reply)
{
    link_command(reader->link, reader->number, reply, reader, "GET",
                 ROWS_INITIALIZED_KEY, NULL);
}

/* Finds the table of 'key', and where the name in that table starts: at the end
 * if 'key' is only the name of a table. Returns false if it is not a row that
 * orchd reads. */
static bool
split_key(const struct reader *reader, const char *key, enum table *table,
          size_t *name)
{
    const char *separator = strchr(key, reader->separator);
    const size_t n = separator ? (size_t)(separator - key) : strlen(key);

    if (!table_find(key, n, table) || (reader->pushed && pending_has(*table))) {
        return false;
    }
    *name = separator ? n + 1 : n;
    return true;
}

/* Requests 'key' if it is a row that orchd reads. */
static void
read_key(struct reader *reader, const char *key)
{
    struct row_request *request;
    enum table table;
    size_t name;

    if (!strcmp(key, ROWS_INITIALIZED_KEY)) {
        get_initialized(reader, on_initialized);
        return;
    }
    if (!split_key(reader, key, &table, &name)) {
        return;
    }
    request = check_malloc(sizeof *request + strlen(key) + 1);
    request->reader = reader;
    request->table = table;
    request->name = name;
    strcpy(request->key, key);
    reader->n_in_flight++;
    link_command(reader->link, reader->number, on_row, request, "HGETALL", key,
                 NULL);
}

/* Requests 'key' of APPL_DB if it is a row of a buffer table. */
static void
read_pushed_key(struct reader *reader, const char *key)
{
    struct row_request *request;
    enum table table;
    char *row = pending_row(key, &table);

    if (row) {
        request = check_malloc(sizeof *request + strlen(row) + 1);
        request->reader = reader;
        request->table = table;
        request->name = 0;
        strcpy(request->key, row);
        reader->n_in_flight++;
        link_command(reader->link, reader->pushed_number, on_row, request,
                     "HGETALL", key, NULL);
        free(row);
    }
}

/* The last answer of a complete reading. */
static void
on_reading_end(void *reader_, redisReply *reply)
{
    struct reader *reader = reader_;
    bool initialized;

    if (!take_initialized(reader, reply, &initialized) || !reader->reading) {
        return;
    }
    reader->found.initialized &= initialized;
    reader->reading = false;
    reader->n_readings++;
    reader->ended = reader->current;
    reader->rows->reading_end(reader->rows_context, &reader->found);
    if (reader->again) {
        begin(reader);
    }
    reader->listener.ended(reader->listener.context);
}

/* A key found by a complete reading, which reads CONFIG_DB_INITIALIZED
 * itself. */
static void
on_key(void *reader_, const char *key)
{
    struct reader *reader = reader_;

    if (strcmp(key, ROWS_INITIALIZED_KEY) != 0) {
        read_key(reader, key);
    }
}

/* Does the same for a key of APPL_DB. */
static void
on_pushed_key(void *reader, const char *key)
{
    read_pushed_key(reader, key);
}

/* All keys are known and their rows are requested: the answer to this last
 * request comes after all rows. */
static void
on_keys_end(void *reader_, enum st status, const char *error)
{
    struct reader *reader = reader_;

    if (status == ST_OK) {
        get_initialized(reader, on_reading_end);
    } else if (status == ST_INVALID) {
        reader->listener.refused(reader->listener.context, error);
    }
}

/* The keys of CONFIG_DB are known.  Next come those of APPL_DB, after consuming
 * the pending rows there. */
static void
on_config_keys_end(void *reader_, enum st status, const char *error)
{
    struct reader *reader = reader_;

    if (status == ST_OK && reader->pushed) {
        pending_take(reader->link, reader->pushed_number, NULL);
        scan_keys(reader->link, reader->pushed_number, PENDING_ROWS,
                  on_pushed_key, on_keys_end, reader);
    } else {
        on_keys_end(reader, status, error);
    }
}

/* Starts the complete reading that was requested last. */
static void
begin(struct reader *reader)
{
    reader->reading = true;
    reader->again = false;
    reader->current = reader->started;
    memset(&reader->found, 0, sizeof reader->found);
    reader->rows->reading_begin(reader->rows_context);
    get_initialized(reader, on_reading_begin);
    scan_keys(reader->link, reader->number, NULL, on_key, on_config_keys_end,
              reader);
}

uint64_t
reader_start(struct reader *reader)
{
    orch_assert(reader->link);
    if (reader->again) {
        return reader->started;
    }
    reader->started++;
    if (reader->reading) {
        reader->again = true;
    } else {
        begin(reader);
    }
    return reader->started;
}

uint64_t
reader_ended(const struct reader *reader)
{
    return reader->ended;
}

/* Adds 'key' to the dirty keys.  No key is valid in both databases. */
static void
add_dirty(struct reader *reader, const char *key, bool pushed)
{
    size_t length = strlen(key);
    struct dirty *dirty;

    HASH_FIND(hh, reader->dirty, key, length, dirty);
    if (!dirty) {
        dirty = check_malloc(sizeof *dirty + length + 1);
        dirty->pushed = pushed;
        strcpy(dirty->key, key);
        HASH_ADD_KEYPTR(hh, reader->dirty, dirty->key, length, dirty);
    }
}

void
reader_dirty(struct reader *reader, const char *key)
{
    enum table table;
    size_t name;

    if (reader->link && (!strcmp(key, ROWS_INITIALIZED_KEY) ||
                         split_key(reader, key, &table, &name))) {
        add_dirty(reader, key, false);
    }
}

void
reader_dirty_pushed(struct reader *reader, const char *key)
{
    enum table table;
    char *row = pending_row(key, &table);

    if (reader->link && row) {
        add_dirty(reader, key, true);
    }
    free(row);
}

/* Requests dirty rows while fewer than 'limit' are in flight. */
static void
flush_up_to(struct reader *reader, size_t limit)
{
    struct dirty *dirty, *next;

    HASH_ITER(hh, reader->dirty, dirty, next)
    {
        if (reader->n_in_flight >= limit) {
            break;
        }
        if (dirty->pushed) {
            read_pushed_key(reader, dirty->key);
        } else {
            read_key(reader, dirty->key);
        }
        HASH_DEL(reader->dirty, dirty);
        free(dirty);
    }
}

void
reader_flush(struct reader *reader)
{
    flush_up_to(reader, READER_IN_FLIGHT);
}

void
reader_flush_all(struct reader *reader)
{
    flush_up_to(reader, SIZE_MAX);
}

uint64_t
reader_n_readings(const struct reader *reader)
{
    return reader->n_readings;
}

uint64_t
reader_n_rows(const struct reader *reader)
{
    return reader->n_rows;
}
