/* SPDX-License-Identifier: Apache-2.0 */

/* Synchronous commands to Redis, many at a time. */

#include <config.h>

#include "lab/publish/snapshot_db.h"

#include <hiredis/hiredis.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/db/dbconfig.h"
#include "orchd/db/endpoint.h"

enum { TIMEOUT_S = 5 };

/* Polls of a snapshot: more often than once a minute says nothing new. */
#define POLL_MS "60000"

static const char *const counter_groups[] = {
    "PORT",
    "PORT_RATES",
    "PORT_BUFFER_DROP",
    "QUEUE",
    "QUEUE_WATERMARK",
    "PG_WATERMARK",
    "PG_DROP",
    "BUFFER_POOL_WATERMARK",
    "WRED_ECN_QUEUE",
    "WRED_ECN_PORT",
};

/* A counter of each group, and the map of the objects that have it: when all
 * have been read, so have the others of the group. */
static const struct {
    const char *map, *counter;
} last_counters[] = {
    {"COUNTERS_PORT_NAME_MAP", "SAI_PORT_STAT_IF_IN_OCTETS"},
    {"COUNTERS_PORT_NAME_MAP", "SAI_PORT_STAT_IN_DROPPED_PKTS"},
    {"COUNTERS_QUEUE_NAME_MAP", "SAI_QUEUE_STAT_PACKETS"},
    {"COUNTERS_QUEUE_NAME_MAP", "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES"},
    {"COUNTERS_QUEUE_NAME_MAP", "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS"},
    {"COUNTERS_PG_NAME_MAP",
     "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES"},
    {"COUNTERS_PG_NAME_MAP", "SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS"},
    {"COUNTERS_BUFFER_POOL_NAME_MAP", "SAI_BUFFER_POOL_STAT_WATERMARK_BYTES"},
};

#define N(array) (sizeof(array) / sizeof(array)[0])

struct snapshot_db {
    redisContext *redis;
    char name[ENDPOINT_TEXT_SIZE];
    struct dbconfig numbers;
    size_t n_pending; /* Commands without a reply. */
    size_t n_ports;   /* In CONFIG_DB. */
};

/* Commands ---------------------------------------------------------------- */

static enum st
fail(const struct snapshot_db *db, const char *reason, struct err *err)
{
    return err_set(err, ST_IO, "redis", "Redis at %s: %s", db->name, reason);
}

/* Adds a command to those that are sent next. */
static void
add(struct snapshot_db *db, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    orch_assert(redisvAppendCommand(db->redis, format, arguments) == REDIS_OK);
    va_end(arguments);
    db->n_pending++;
}

/* Takes the reply to the oldest command in '*reply'; the caller frees it. */
static enum st
take(struct snapshot_db *db, redisReply **reply, struct err *err)
{
    void *got = NULL;
    enum st st = ST_OK;

    *reply = NULL;
    db->n_pending--;
    if (redisGetReply(db->redis, &got) != REDIS_OK) {
        return fail(db, db->redis->errstr, err);
    }
    *reply = got;
    if ((*reply)->type == REDIS_REPLY_ERROR) {
        st = fail(db, (*reply)->str, err);
        freeReplyObject(*reply);
    }
    return st;
}

/* Takes the replies to all commands, and drops them. */
static enum st
flush(struct snapshot_db *db, struct err *err)
{
    enum st st = ST_OK;

    while (!st && db->n_pending) {
        redisReply *reply;

        st = take(db, &reply, err);
        if (!st) {
            freeReplyObject(reply);
        }
    }
    return st;
}

/* Sends one command and stores its reply, a number. */
static enum st
ask_number(struct snapshot_db *db, long long *number, struct err *err,
           const char *command, const char *key)
{
    redisReply *reply;
    enum st st;

    add(db, command, key);
    st = take(db, &reply, err);
    if (!st) {
        *number = reply->integer;
        freeReplyObject(reply);
    }
    return st;
}

static enum st
choose(struct snapshot_db *db, enum database database, struct err *err)
{
    add(db, "SELECT %d", db->numbers.databases[database].number);
    return flush(db, err);
}

/* Opening ------------------------------------------------------------------ */

enum st
snapshot_db_open(const struct endpoint *endpoint, struct snapshot_db **db,
                 struct err *err)
{
    const struct timeval timeout = {.tv_sec = TIMEOUT_S};
    struct snapshot_db *made = check_calloc(1, sizeof *made);
    enum st st = ST_OK;

    endpoint_format(endpoint, made->name);
    dbconfig_init(&made->numbers);
    made->redis =
        endpoint->kind == ENDPOINT_TCP
            ? redisConnectWithTimeout(endpoint->host, endpoint->port, timeout)
            : redisConnectUnixWithTimeout(endpoint->path, timeout);
    orch_assert(made->redis);
    if (made->redis->err) {
        st = fail(made, made->redis->errstr, err);
        err_set_remedy(err, "check the address, or use --redis spawn");
    } else {
        (void)redisSetTimeout(made->redis, timeout);
        add(made, "PING");
        st = flush(made, err);
    }
    if (st) {
        snapshot_db_close(made);
        return st;
    }
    *db = made;
    return ST_OK;
}

void
snapshot_db_close(struct snapshot_db *db)
{
    if (db) {
        redisFree(db->redis);
        free(db);
    }
}

/* Clearing ----------------------------------------------------------------- */

/* Fails if there is data, but no snapshot. */
static enum st
check_foreign(struct snapshot_db *db, struct err *err)
{
    long long is_ours = 0;
    enum st st = choose(db, STATE_DB, err);

    st = st ? st : ask_number(db, &is_ours, err, "EXISTS %s", SNAPSHOT_KEY);
    for (int i = 0; !st && !is_ours && i < N_DATABASES; i++) {
        long long n = 0;

        st = choose(db, (enum database)i, err);
        st = st ? st : ask_number(db, &n, err, "DBSIZE", NULL);
        if (!st && n) {
            st = err_set(err, ST_EXISTS, "redis-in-use",
                         "the Redis at %s has %lld key%s in %s that no run of "
                         "orchlab has written; it may be that of a switch",
                         db->name, n, text_plural((uint64_t)n),
                         database_name((enum database)i));
            err_set_remedy(err, "use an empty Redis, or --redis spawn");
        }
    }
    return st;
}

enum st
snapshot_db_clear(struct snapshot_db *db, struct err *err)
{
    enum st st = check_foreign(db, err);

    for (int i = 0; !st && i < N_DATABASES; i++) {
        st = choose(db, (enum database)i, err);
        if (!st) {
            add(db, "FLUSHDB");
            st = flush(db, err);
        }
    }
    return st;
}

/* Writing ------------------------------------------------------------------ */

/* Adds "HSET row field value"; a list is "field@" and joined by commas, as
 * SONiC stores it. */
static void
add_field(struct snapshot_db *db, const char *row, const char *field,
          const json_t *value)
{
    struct text joined = {0};
    const json_t *item;
    size_t i;

    if (!json_is_array(value)) {
        add(db, "HSET %s %s %s", row, field, json_string_value(value));
        return;
    }
    json_array_foreach(value, i, item)
    {
        text_add_item(&joined, ",", json_string_value(item));
    }
    add(db, "HSET %s %s@ %s", row, field, text_string(&joined));
    text_fini(&joined);
}

static void
add_row(struct snapshot_db *db, const char *table, const char *key,
        json_t *fields)
{
    struct text row = {0};
    const char *field;
    json_t *value;

    text_addf(&row, "%s|%s", table, key);
    if (json_object_size(fields) == 0) {
        add(db, "HSET %s NULL NULL", text_string(&row));
    }
    json_object_foreach(fields, field, value)
    {
        add_field(db, text_string(&row), field, value);
    }
    text_fini(&row);
}

static void
add_table(struct snapshot_db *db, const char *table, json_t *rows)
{
    const char *key;
    json_t *fields;

    json_object_foreach(rows, key, fields)
    {
        add_row(db, table, key, fields);
    }
}

/* Adds the commands that fill CONFIG_DB at once.  The row with the hwsku, by
 * which orchd knows the switch, is announced first. */
static void
add_config(struct snapshot_db *db, json_t *tables)
{
    static const char first[] = "DEVICE_METADATA";
    const char *table;
    json_t *rows;

    add(db, "MULTI");
    add_table(db, first, json_object_get(tables, first));
    json_object_foreach(tables, table, rows)
    {
        if (strcmp(table, first) != 0) {
            add_table(db, table, rows);
        }
    }
    for (size_t i = 0; i < N(counter_groups); i++) {
        add(db,
            "HSET FLEX_COUNTER_TABLE|%s FLEX_COUNTER_STATUS enable "
            "POLL_INTERVAL " POLL_MS,
            counter_groups[i]);
    }
    add(db, "SET CONFIG_DB_INITIALIZED 1");
    add(db, "EXEC");
}

enum st
snapshot_db_write(struct snapshot_db *db, const struct snapshot_about *about,
                  struct err *err)
{
    json_t *tables = json_loads(about->config, 0, NULL);
    enum st st;

    if (!json_is_object(tables)) {
        json_decref(tables);
        return err_set(err, ST_INVALID, "config",
                       "the configuration of %s is no JSON object",
                       about->name);
    }
    st = choose(db, STATE_DB, err);
    if (!st) {
        add(db, "HSET %s switch %s scenario %s virtual_ps %lld", SNAPSHOT_KEY,
            about->name, about->scenario, (long long)about->t_ps);
        st = flush(db, err);
    }
    st = st ? st : choose(db, CONFIG_DB, err);
    if (!st) {
        add_config(db, tables);
        st = flush(db, err);
    }
    db->n_ports = json_object_size(json_object_get(tables, "PORT"));
    json_decref(tables);
    return st;
}

/* Looking ------------------------------------------------------------------ */

/* Stores whether each object of 'map', a hash name -> id, has 'counter'. */
static enum st
look_at_map(struct snapshot_db *db, const char *map, const char *counter,
            bool *complete, struct err *err)
{
    redisReply *ids, *reply;
    enum st st;

    add(db, "HVALS %s", map);
    st = take(db, &ids, err);
    if (st) {
        return st;
    }
    *complete = ids->elements > 0;
    for (size_t i = 0; i < ids->elements; i++) {
        add(db, "HEXISTS COUNTERS:%s %s", ids->element[i]->str, counter);
    }
    while (!st && db->n_pending) {
        st = take(db, &reply, err);
        if (!st) {
            *complete = *complete && reply->integer == 1;
            freeReplyObject(reply);
        }
    }
    freeReplyObject(ids);
    return st;
}

enum st
snapshot_db_look(struct snapshot_db *db, bool *complete, struct err *err)
{
    long long n_ports = 0;
    bool all = false;
    enum st st = choose(db, COUNTERS_DB, err);

    st =
        st ? st
           : ask_number(db, &n_ports, err, "HLEN %s", "COUNTERS_PORT_NAME_MAP");
    all = n_ports >= (long long)db->n_ports;
    for (size_t i = 0; !st && all && i < N(last_counters); i++) {
        st = look_at_map(db, last_counters[i].map, last_counters[i].counter,
                         &all, err);
    }
    if (!st) {
        *complete = all;
    }
    return st;
}
