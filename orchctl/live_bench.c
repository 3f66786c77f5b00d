/* SPDX-License-Identifier: Apache-2.0 */

/* Implements a target over the control socket.
 *
 * Each operation is a request "breakpoint ..." to orchd.  Long sends and runs
 * are split into several requests, so that orchd can serve other clients in
 * between.  The operations that return only a status follow from the lists in
 * breakpoint/target.h. */

#include <config.h>

#include "orchctl/live_bench.h"

#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "orchctl/client.h"

/* The amounts per request: some milliseconds of work each. */
#define FRAMES_PER_REQUEST UINT64_C(20000)
#define NS_PER_REQUEST     (UINT64_C(10) * 1000 * 1000)

struct live {
    struct bench bench; /* First: what callers hold. */
    struct target target;
    struct text fact; /* The latest one returned. */
    struct client *client;
    bool has_softasic; /* Otherwise its time is real time. */
    bool is_fresh;     /* Not configured since it was opened. */
};

static struct live *
live_of(struct target *target)
{
    return (struct live *)(void *)((char *)target -
                                   offsetof(struct live, target));
}

/* Sends a request to orchd.  On ST_OK '*data' is the data of the reply, which
 * the caller owns, or NULL. */
static enum st
ask(struct target *target, const char *noun, const char *verb,
    json_t *arguments, json_t **data, struct err *err)
{
    struct reply reply = {0};
    enum st st = client_call(live_of(target)->client, noun, verb, arguments,
                             &reply, err);

    st = st ? st : reply_error(&reply, err);
    if (!st && data) {
        *data = json_incref(reply.data);
    }
    reply_fini(&reply);
    return st;
}

/* Sends a request "breakpoint 'verb'". */
static enum st
order(struct target *target, const char *verb, json_t *arguments,
      struct err *err)
{
    return ask(target, "breakpoint", verb, arguments, NULL, err);
}

/* Returns a member as a number, or 0 if there is none. */
static json_int_t
number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

json_t *
live_bench_object(const struct target_object *object)
{
    return json_pack("{s:s, s:s, s:i}", "kind", target_kind_word(object->kind),
                     "name", object->name, "index", (int)object->index);
}

/* Returns {"objects": [...]}. */
static json_t *
objects_json(const struct target_object *objects, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++) {
        json_array_append_new(list, live_bench_object(&objects[i]));
    }
    return json_pack("{s:o}", "objects", list);
}

/* --- Operations that return only a status -------------------------------- */

/* Adds an argument to 'json', as the members of target.h say. */
#define ADD_TEXT(key, member)                                                  \
    json_object_set_new(json, key, json_string(arguments->member));
#define ADD_WORD(key, member, type, word)                                      \
    json_object_set_new(json, key,                                             \
                        json_string(target_##word##_word(arguments->member)));
#define ADD_NUMBER(key, member, type, min, max, otherwise)                     \
    json_object_set_new(json, key, json_integer((json_int_t)arguments->member));
#define ADD_FLAG(key, member)                                                  \
    json_object_set_new(json, key, json_boolean(arguments->member));
#define ADD_OBJECT(key, member)                                                \
    json_object_set_new(json, key, live_bench_object(&arguments->member));

/* OPERATION_arguments() returns the arguments of a request. */
#define DEFINE_ARGUMENTS(operation, verb, type, MEMBERS)                       \
    static json_t *operation##_arguments(const type *arguments)                \
    {                                                                          \
        json_t *json = json_object();                                          \
                                                                               \
        MEMBERS(ADD)                                                           \
        return json;                                                           \
    }
DEFINE_ARGUMENTS(send, "send", struct target_send, TARGET_SEND_MEMBERS)
TARGET_STRUCT_OPERATION_LIST(DEFINE_ARGUMENTS)

#define X(operation, verb, type, MEMBERS)                                      \
    static enum st live_##operation(struct target *target,                     \
                                    const type *arguments, struct err *err)    \
    {                                                                          \
        return order(target, verb, operation##_arguments(arguments), err);     \
    }
TARGET_STRUCT_OPERATION_LIST(X)
#undef X

#define X(operation, verb, key)                                                \
    static enum st live_##operation(struct target *target, const char *text,   \
                                    struct err *err)                           \
    {                                                                          \
        return order(target, verb, json_pack("{s:s}", key, text), err);        \
    }
TARGET_TEXT_OPERATION_LIST(X)
#undef X

#define X(operation, verb)                                                     \
    static enum st live_##operation(struct target *target,                     \
                                    const struct target_object *objects,       \
                                    size_t n, struct err *err)                 \
    {                                                                          \
        return order(target, verb, objects_json(objects, n), err);             \
    }
TARGET_OBJECTS_OPERATION_LIST(X)
#undef X

/* --- Traffic and time ---------------------------------------------------- */

/* Sends 'count' of the packets and adds the result to '*sent'. */
static enum st
send_part(struct target *target, const struct target_send *send, uint64_t count,
          struct target_sent *sent, struct err *err)
{
    json_t *data = NULL;
    struct target_send part = *send;
    enum st st;

    part.count = count;
    st = ask(target, "breakpoint", "send", send_arguments(&part), &data, err);
    if (!st) {
        sent->sent += (uint64_t)number(data, "sent");
        sent->dropped_ingress += (uint64_t)number(data, "dropped_ingress");
        sent->dropped_egress += (uint64_t)number(data, "dropped_egress");
        sent->reached = json_is_true(json_object_get(data, "reached"));
        sent->xoff = json_is_true(json_object_get(data, "xoff"));
        sent->tc = (unsigned int)number(data, "tc");
        sent->pg = (unsigned int)number(data, "pg");
        sent->queue = (unsigned int)number(data, "queue");
    }
    json_decref(data);
    return st;
}

/* Several flows are sent in one request, because the number of packets decides
 * which packet belongs to which flow. */
static enum st
live_send(struct target *target, const struct target_send *send,
          struct target_sent *sent, struct err *err)
{
    const uint64_t most = send->flows > 1 ? send->count : FRAMES_PER_REQUEST;
    uint64_t left = send->count;
    enum st st;

    memset(sent, 0, sizeof *sent);
    do {
        uint64_t count = left < most ? left : most;

        st = send_part(target, send, count, sent, err);
        left -= count;
    } while (!st && left &&
             (send->until == TARGET_UNTIL_COUNT || !sent->reached));
    return st;
}

static enum st
live_settle(struct target *target, struct err *err)
{
    return order(target, "settle", NULL, err);
}

/* Sleeps, because the time of a switch other than softasic is real time. */
static void
wait_ns(uint64_t ns)
{
    while (ns) {
        uint64_t part = ns < UINT64_C(1000000000) ? ns : UINT64_C(1000000000);

        (void)poll(NULL, 0, (int)((part + 999999) / 1000000));
        ns -= part;
    }
}

static enum st
live_run(struct target *target, uint64_t ns, struct err *err)
{
    enum st st = ST_OK;

    if (!live_of(target)->has_softasic) {
        wait_ns(ns);
        return ST_OK;
    }
    do {
        uint64_t part = ns < NS_PER_REQUEST ? ns : NS_PER_REQUEST;

        st = order(target, "run", json_pack("{s:I}", "ns", (json_int_t)part),
                   err);
        ns -= part;
    } while (!st && ns);
    return st;
}

/* --- Configuration ------------------------------------------------------- */

/* Returns rows as {"TABLE|key": {"field": "value"}}, with null for a row or
 * field to remove. */
static json_t *
rows_json(const struct target_row *rows, size_t n)
{
    json_t *list = json_object();

    for (size_t i = 0; i < n; i++) {
        json_t *fields = rows[i].removed ? json_null() : json_object();

        for (size_t k = 0; !rows[i].removed && k < rows[i].n_fields; k++) {
            const char *value = rows[i].fields[k].value;

            json_object_set_new(fields, rows[i].fields[k].name,
                                value ? json_string(value) : json_null());
        }
        json_object_set_new(list, rows[i].key, fields);
    }
    return list;
}

/* Returns a member as text in 'arena', or "" if there is none. */
static const char *
text_of(const json_t *object, const char *name, struct arena *arena)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? arena_strdup(arena, text) : "";
}

/* The first rows of a scenario are the whole configuration. */
static enum st
live_configure(struct target *target, const struct target_row *rows, size_t n,
               struct arena *arena, struct target_answer *answers,
               struct err *err)
{
    struct live *live = live_of(target);
    const char *mode = live->bench.keeps_configuration ? "add"
                       : live->is_fresh                ? "all"
                                                       : "exact";
    json_t *data = NULL;
    enum st st =
        ask(target, "breakpoint", "configure",
            json_pack("{s:o, s:s}", "rows", rows_json(rows, n), "mode", mode),
            &data, err);

    live->is_fresh = false;
    for (size_t i = 0; !st && i < n; i++) {
        const json_t *answer = json_object_get(data, rows[i].key);

        answers[i] = (struct target_answer){text_of(answer, "state", arena),
                                            text_of(answer, "code", arena),
                                            text_of(answer, "reason", arena)};
    }
    json_decref(data);
    return st;
}

static enum st
live_restore(struct target *target, struct err *err)
{
    return order(target, "restore", NULL, err);
}

/* --- Counters ------------------------------------------------------------ */

void
live_bench_reading(const json_t *stats, struct arena *arena,
                   struct target_reading *reading)
{
    struct target_stat *list =
        arena_alloc(arena, json_object_size(stats) + 1, sizeof *list);
    const char *name;
    json_t *value;
    size_t n = 0;

    json_object_foreach((json_t *)(uintptr_t)stats, name, value)
    {
        list[n].name = arena_strdup(arena, name);
        list[n].value = (uint64_t)json_integer_value(value);
        n++;
    }
    reading->stats = list;
    reading->n = n;
}

/* Reads all objects in one request, so at one moment. */
static enum st
live_read(struct target *target, const struct target_object *objects, size_t n,
          struct arena *arena, struct target_reading *readings, struct err *err)
{
    json_t *data = NULL;
    enum st st =
        ask(target, "breakpoint", "read", objects_json(objects, n), &data, err);

    if (!st && json_array_size(data) != n) {
        st = err_set(err, ST_IO, "protocol",
                     "orchd returned %zu objects, expected %zu",
                     json_array_size(data), n);
    }
    for (size_t i = 0; !st && i < n; i++) {
        live_bench_reading(json_array_get(data, i), arena, &readings[i]);
    }
    json_decref(data);
    return st;
}

/* Returns number 'i' of an array. */
static json_int_t
item(const json_t *row, size_t i)
{
    return json_integer_value(json_array_get(row, i));
}

/* orchd forgets frames that it has reported, so this is called only for ports
 * whose frames a scenario counts. */
static enum st
live_received(struct target *target, const char *port, struct arena *arena,
              const struct target_frames **rows, size_t *n, struct err *err)
{
    struct target_frames *list;
    json_t *data = NULL;
    json_t *row;
    size_t i;
    enum st st = ask(target, "breakpoint", "received",
                     json_pack("{s:s}", "port", port), &data, err);

    if (st) {
        return st;
    }
    list = arena_alloc(arena, json_array_size(data) + 1, sizeof *list);
    json_array_foreach(data, i, row)
    {
        list[i] = (struct target_frames){
            .dscp = (uint8_t)item(row, 0),
            .queue = (uint8_t)item(row, 1),
            .ecn = (uint8_t)item(row, 2),
            .pcp = (uint8_t)item(row, 3),
            .vlan = (uint16_t)item(row, 4),
            .ip_id = (uint16_t)item(row, 5),
            .size_bytes = (uint32_t)item(row, 6),
            .frames = (uint64_t)item(row, 7),
        };
    }
    *rows = list;
    *n = json_array_size(data);
    json_decref(data);
    return ST_OK;
}

static const struct target_ops live_ops = {
    .send = live_send,
    .settle = live_settle,
    .run = live_run,
    .read = live_read,
    .received = live_received,
    .configure = live_configure,
    .restore = live_restore,
#define X(operation, ...) .operation = live_##operation,
    TARGET_STRUCT_OPERATION_LIST(X) TARGET_TEXT_OPERATION_LIST(X)
        TARGET_OBJECTS_OPERATION_LIST(X)
#undef X
};

/* --- The bench ----------------------------------------------------------- */

/* Reserves the switch for this connection and reads which chip it has. */
static enum st
live_open(struct bench *bench, const char *chip, struct target **target,
          struct err *err)
{
    struct live *live = (struct live *)(void *)bench;
    json_t *data = NULL;
    const char *own, *left;
    enum st st;

    if (bench->chip_keys) {
        return err_set(err, ST_INVALID, "chip",
                       "the chip of a live switch cannot be changed");
    }
    if (bench->fcs && !bench->keeps_configuration) {
        return err_set(err, ST_INVALID, "fcs",
                       "fcs of topology is set at the start of a live switch: "
                       "softasicd --fcs");
    }
    st = ask(&live->target, "breakpoint", "begin", NULL, &data, err);

    if (st) {
        return st;
    }
    own = json_string_value(json_object_get(data, "chip"));
    left = json_string_value(json_object_get(data, "left"));
    live->has_softasic = json_is_true(json_object_get(data, "softasic"));
    live->is_fresh = true;
    if (left) {
        fprintf(stderr,
                "orchctl: an earlier run was aborted and could not be undone "
                "completely: %s\n",
                left);
    }
    if (chip && own && strcmp(chip, own)) {
        st = err_set(err, ST_UNSUPPORTED, BENCH_OTHER_CHIP,
                     "it needs chip %s, but this switch has %s", chip, own);
    } else {
        *target = &live->target;
    }
    json_decref(data);
    return st;
}

/* Stores member 'name' of 'data' as the fact to return. */
static enum st
take_fact(struct live *live, const json_t *data, const char *name,
          const char *what, const char **text, struct err *err)
{
    const char *value = json_string_value(json_object_get(data, name));
    struct choices choices;
    const char *other;
    json_t *ignored;

    text_clear(&live->fact);
    if (value) {
        text_add(&live->fact, value);
        *text = text_string(&live->fact);
        return ST_OK;
    }
    choices_init(&choices, name);
    json_object_foreach((json_t *)(uintptr_t)data, other, ignored)
    {
        choices_add(&choices, other);
    }
    err_set(err, ST_NOT_FOUND, "no-fact", "%s has no '%s'", what, name);
    (void)choices_explain(&choices, name, err);
    return ST_NOT_FOUND;
}

static enum st
live_chip_fact(struct bench *bench, const char *name, const char **text,
               struct err *err)
{
    struct live *live = (struct live *)(void *)bench;
    json_t *data = NULL;
    enum st st = ask(&live->target, "asic", "chip", NULL, &data, err);

    st = st ? st : take_fact(live, data, name, "a chip description", text, err);
    json_decref(data);
    return st;
}

static enum st
live_row_field(struct bench *bench, const char *key, const char *field,
               const char **text, struct err *err)
{
    struct live *live = (struct live *)(void *)bench;
    json_t *data = NULL;
    enum st st = ask(&live->target, "config", "row",
                     json_pack("{s:s}", "row", key), &data, err);

    st = st ? st
            : take_fact(live, json_object_get(data, "fields"), field, key, text,
                        err);
    json_decref(data);
    return st;
}

static enum st
live_check_field(struct bench *bench, const char *key, const char *field,
                 struct err *err)
{
    struct live *live = (struct live *)(void *)bench;
    struct err answer = {0};

    if (ask(&live->target, "config", "field",
            json_pack("{s:s, s:s}", "row", key, "field", field), NULL,
            &answer) &&
        !strcmp(answer.code, "unknown-field")) {
        *err = answer;
        return err->status = ST_INVALID;
    }
    return ST_OK;
}

static const struct bench_ops live_bench_ops = {
    live_open, live_chip_fact, live_row_field, live_check_field, NULL, NULL};

struct bench *
live_bench_create(struct client *client, bool configures)
{
    struct live *live = check_calloc(1, sizeof *live);

    live->bench.ops = &live_bench_ops;
    live->bench.keeps_configuration = !configures;
    live->target.ops = &live_ops;
    live->client = client;
    return &live->bench;
}

void
live_bench_destroy(struct bench *bench)
{
    if (bench) {
        text_fini(&((struct live *)(void *)bench)->fact);
        free(bench);
    }
}
