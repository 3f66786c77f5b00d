/* SPDX-License-Identifier: Apache-2.0 */

/* Collects objects by their ids, and requests some of them at a time. */

#include <config.h>

#include "orchd/control/counters_reading.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/control/command.h"
#include "orchd/db/redis.h"
#include "orchd/intent/field.h"

/* Objects that are requested at once: a few milliseconds. */
#define OBJECTS_AT_ONCE 512

/* Members of each object before anything was added. */
#define N_MEMBERS 3

/* Longer than the name of any table. */
#define MAX_TABLE 64

/* A reading in progress. */
struct progress {
    struct counters_reading reading;
    json_t *objects; /* Owned: {"oid:0x..": {"kind", "name", "index"}}. */
    size_t n_asked;  /* Objects that have been requested. */
};

static void
forget(struct call *call)
{
    const struct progress *progress = call->state;

    json_decref(progress->objects);
}

/* Adds the object 'name', "Ethernet0:3" or that of a pool. */
static void
add_object(json_t *objects, const char *kind, const struct field *field)
{
    const char *colon = strrchr(field->name, ':');
    const size_t length =
        colon ? (size_t)(colon - field->name) : strlen(field->name);
    json_t *object = json_pack("{s:s, s:s%, s:n}", "kind", kind, "name",
                               field->name, length, "index");
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
    const struct progress *progress = call->state;
    const struct counters_reading *reading = &progress->reading;

    for (size_t i = 0; i < reading->n_maps; i++) {
        for (size_t k = 0; !strcmp(key, reading->maps[i].key) && k < n; k++) {
            add_object(progress->objects, reading->maps[i].kind, &fields[k]);
        }
    }
}

/* Implements redis_fetch_fn for an object. */
static void
on_object(void *call_, const char *key, const struct field *fields, size_t n)
{
    const struct call *call = call_;
    const struct progress *progress = call->state;
    const char *colon = strchr(key, ':');
    char table[MAX_TABLE];

    text_format(table, sizeof table, "%.*s", (int)(colon - key), key);
    progress->reading.object(
        call, json_object_get(progress->objects, colon + 1), table, fields, n);
}

/* An object to sort. */
struct entry {
    json_t *object; /* Borrowed. */
    const char *kind, *name;
    json_int_t index;
};

static int
compare_entries(const void *a_, const void *b_)
{
    const struct entry *a = a_, *b = b_;
    int order = strcmp(a->kind, b->kind);

    order = order ? order : strverscmp(a->name, b->name);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* Returns the objects to which something was added, by kind, name and index:
 * Redis lists names in any order. */
static json_t *
sort_objects(json_t *objects)
{
    struct entry *entries =
        check_calloc(json_object_size(objects) + 1, sizeof *entries);
    json_t *list = json_array();
    size_t n = 0;
    json_t *object;
    const char *oid;

    json_object_foreach(objects, oid, object)
    {
        if (json_object_size(object) > N_MEMBERS) {
            entries[n++] = (struct entry){
                object, json_string_value(json_object_get(object, "kind")),
                json_string_value(json_object_get(object, "name")),
                json_integer_value(json_object_get(object, "index"))};
        }
    }
    qsort(entries, n, sizeof *entries, compare_entries);
    for (size_t i = 0; i < n; i++) {
        json_array_append(list, entries[i].object);
    }
    free(entries);
    return list;
}

/* Implements redis_done_fn for the barrier behind all requests. */
static void
on_read(void *call_, enum st status, const struct err *err)
{
    struct call *call = call_;
    const struct progress *progress = call->state;

    if (status) {
        call_end(call, err, NULL);
    } else {
        progress->reading.done(call, sort_objects(progress->objects),
                               json_object_size(progress->objects));
    }
}

static void on_some(void *call, enum st status, const struct err *err);

/* Requests what all tables have of an object. */
static void
request_object(struct call *call, const char *oid)
{
    const struct progress *progress = call->state;
    struct text key = {0};

    for (const char *const *table = progress->reading.tables; *table; table++) {
        text_clear(&key);
        text_addf(&key, "%s:%s", *table, oid);
        redis_fetch(call->context->services.redis, COUNTERS_DB,
                    text_string(&key), on_object, call);
    }
    text_fini(&key);
}

/* Requests some more objects. */
static void
request_some(struct call *call)
{
    struct progress *progress = call->state;
    size_t n = 0;
    json_t *object;
    const char *oid;

    json_object_foreach(progress->objects, oid, object)
    {
        if (n++ >= progress->n_asked &&
            n <= progress->n_asked + OBJECTS_AT_ONCE) {
            request_object(call, oid);
        }
    }
    progress->n_asked += OBJECTS_AT_ONCE;
    redis_barrier(call->context->services.redis,
                  progress->n_asked < n ? on_some : on_read, call);
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
    const struct progress *progress = call->state;
    struct redis *redis = call->context->services.redis;

    for (size_t i = 0; i < progress->reading.n_maps; i++) {
        redis_fetch(redis, COUNTERS_DB, progress->reading.maps[i].key, on_map,
                    call);
    }
    redis_barrier(redis, on_some, call);
}

void
counters_reading_start(struct call *call,
                       const struct counters_reading *reading)
{
    struct progress *progress = check_calloc(1, sizeof *progress);

    progress->reading = *reading;
    progress->objects = json_object();
    call->state = progress;
    call->forget = forget;
    call_when_connected(call, start);
}
