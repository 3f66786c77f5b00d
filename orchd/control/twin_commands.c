/* SPDX-License-Identifier: Apache-2.0 */

/* "twin watermarks": the watermarks that COUNTERS_DB has, by the names of their
 * objects.
 *
 * They are read from Redis, because orchd polls no counters where syncd does
 * (output=orchagent); where orchd polls them, they are there as well.  The maps
 * of names are read first, then each object; barriers say when to go on, as
 * fetches are not answered if the connection is lost. */

#include <config.h>

#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/control/command.h"
#include "orchd/db/redis.h"
#include "orchd/intent/field.h"

/* Objects that are requested at once: a few milliseconds. */
#define OBJECTS_AT_ONCE 512

static const struct {
    const char *key, *kind;
} maps[] = {
    {"COUNTERS_PG_NAME_MAP", "pg"},
    {"COUNTERS_QUEUE_NAME_MAP", "queue"},
    {"COUNTERS_BUFFER_POOL_NAME_MAP", "pool"},
};

/* Ends of the names of counters, and their names in the answer. */
static const struct {
    const char *end, *name;
} marks[] = {
    {"_XOFF_ROOM_WATERMARK_BYTES", "headroom_bytes"},
    {"_STAT_SHARED_WATERMARK_BYTES", "shared_bytes"},
    {"_POOL_STAT_WATERMARK_BYTES", "shared_bytes"},
};

static const char *const tables[] = {"USER_WATERMARKS", "PERSISTENT_WATERMARKS",
                                     "PERIODIC_WATERMARKS", NULL};

/* A reading in progress. */
struct reading {
    const char *table; /* Of COUNTERS_DB. */
    json_t *objects;   /* Owned: {"oid:0x..": {"kind", "name", ...}}. */
    size_t n_asked;    /* Objects that have been requested. */
};

static void
forget(struct call *call)
{
    const struct reading *reading = call->state;

    json_decref(reading->objects);
}

/* Adds the object 'name', "Ethernet0:3" or that of a pool. */
static void
add_object(json_t *objects, const char *kind, const struct field *field)
{
    const char *colon = strrchr(field->name, ':');
    const size_t length =
        colon ? (size_t)(colon - field->name) : strlen(field->name);
    json_t *object =
        json_pack("{s:s, s:s%}", "kind", kind, "name", field->name, length);
    uint64_t index;

    if (object && colon && !parse_u64(colon + 1, 0, UINT16_MAX, &index)) {
        json_object_set_new(object, "index", json_integer((json_int_t)index));
    }
    if (object) {
        json_object_set_new(objects, field->value, object);
    }
}

/* Implements redis_fetch_fn for a map of names. */
static void
on_map(void *call_, const char *key, const struct field *fields, size_t n)
{
    const struct call *call = call_;
    const struct reading *reading = call->state;

    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        for (size_t k = 0; !strcmp(key, maps[i].key) && k < n; k++) {
            add_object(reading->objects, maps[i].kind, &fields[k]);
        }
    }
}

/* Returns whether 'name' ends with 'end'. */
static bool
ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name), n = strlen(end);

    return length >= n && !strcmp(name + length - n, end);
}

/* Implements redis_fetch_fn for the watermarks of an object. */
static void
on_watermarks(void *call_, const char *key, const struct field *fields,
              size_t n)
{
    const struct call *call = call_;
    const struct reading *reading = call->state;
    json_t *object =
        json_object_get(reading->objects, key + strlen(reading->table) + 1);

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
            uint64_t bytes;

            if (ends_with(fields[i].name, marks[k].end) &&
                !parse_u64(fields[i].value, 0, INT64_MAX, &bytes)) {
                json_object_set_new(object, marks[k].name,
                                    json_integer((json_int_t)bytes));
            }
        }
    }
}

/* Implements redis_done_fn for the barrier behind all requests. */
static void
on_read(void *call_, enum st status, const struct err *err)
{
    struct call *call = call_;
    const struct reading *reading = call->state;
    json_t *list, *object;
    const char *oid;

    if (status) {
        call_end(call, err, NULL);
        return;
    }
    list = json_array();
    json_object_foreach(reading->objects, oid, object)
    {
        if (json_object_get(object, "shared_bytes") ||
            json_object_get(object, "headroom_bytes")) {
            json_array_append(list, object);
        }
    }
    call_done(call,
              json_pack("{s:s, s:I, s:o}", "table", reading->table, "objects",
                        (json_int_t)json_object_size(reading->objects),
                        "watermarks", list));
}

static void on_some(void *call, enum st status, const struct err *err);

/* Requests the watermarks of some more objects. */
static void
request_some(struct call *call)
{
    struct reading *reading = call->state;
    struct redis *redis = call->context->services.redis;
    struct text key = {0};
    size_t n = 0;
    json_t *object;
    const char *oid;

    json_object_foreach(reading->objects, oid, object)
    {
        if (n++ >= reading->n_asked &&
            n <= reading->n_asked + OBJECTS_AT_ONCE) {
            text_clear(&key);
            text_addf(&key, "%s:%s", reading->table, oid);
            redis_fetch(redis, COUNTERS_DB, text_string(&key), on_watermarks,
                        call);
        }
    }
    text_fini(&key);
    reading->n_asked += OBJECTS_AT_ONCE;
    redis_barrier(redis, reading->n_asked < n ? on_some : on_read, call);
}

/* Implements redis_done_fn for the barrier behind the maps, and behind some
 * objects. */
static void
on_some(void *call_, enum st status, const struct err *err)
{
    struct call *call = call_;

    if (status) {
        call_end(call, err, NULL);
    } else {
        request_some(call);
    }
}

static void
start(struct call *call)
{
    struct redis *redis = call->context->services.redis;

    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        redis_fetch(redis, COUNTERS_DB, maps[i].key, on_map, call);
    }
    redis_barrier(redis, on_some, call);
}

static void
twin_watermarks(struct call *call)
{
    struct reading *reading = check_calloc(1, sizeof *reading);

    reading->table = call_text(call, "table", tables[0]);
    reading->objects = json_object();
    call->state = reading;
    call->forget = forget;
    call_when_connected(call, start);
}

static const struct argument watermark_arguments[] = {
    {"table", ARGUMENT_TEXT, false, 0, 0, tables},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

const struct command twin_commands[] = {
    {"twin", "watermarks", twin_watermarks, watermark_arguments, COMMAND_VIEWS},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
