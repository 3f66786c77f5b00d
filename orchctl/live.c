/* SPDX-License-Identifier: Apache-2.0 */

/* A target over the control socket. */

#include <config.h>

#include "orchctl/live.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "orchctl/client.h"

struct live {
    struct bench bench; /* First: what callers hold. */
    struct target target;
    struct text fact; /* The last one that was asked for. */
    struct client *client;
};

/* Asks orchd.  On ST_OK '*data' is what came back, NULL if nothing;
 * the caller owns it. */
static enum st
ask(struct target *target, const char *noun, const char *verb,
    json_t *arguments, json_t **data, struct err *err)
{
    struct live *live =
        (struct live *)(void *)((char *)target - offsetof(struct live, target));
    struct reply reply = {0};
    enum st st = client_call(live->client, noun, verb, arguments, &reply, err);

    st = st ? st : reply_error(&reply, err);
    if (!st && data) {
        *data = json_incref(reply.data);
    }
    reply_fini(&reply);
    return st;
}

/* One request per port: a failure then is about that port. */
static enum st
live_block(struct target *target, const struct target_block *block,
           bool blocked, struct err *err)
{
    if (block->way != TARGET_BLOCK_TX_ENABLE) {
        return err_set(err, ST_UNSUPPORTED, "unsupported",
                       "a live switch is only blocked by tx_enable");
    }
    return ask(target, "asic", blocked ? "block" : "unblock",
               json_pack("{s:[s]}", "ports", block->port), NULL, err);
}

/* Says what of a send cannot be asked for over the control socket. */
static enum st
check_send(const struct target_send *send, struct err *err)
{
    const struct target_header *header = &send->header;

    if (send->flows > 1 || header->has_tag || header->is_not_ip ||
        header->ip_id || send->until == TARGET_UNTIL_XON) {
        return err_set(err, ST_UNSUPPORTED, "unsupported",
                       "a live switch is sent plain IP packets of one flow, "
                       "until count, xoff or drop");
    }
    return ST_OK;
}

/* Returns a member as a number, 0 if it is not there. */
static json_int_t
number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

/* Sends in one request, however many: orchd divides the work itself and serves
 * others in between. */
static enum st
live_send(struct target *target, const struct target_send *send,
          struct target_sent *sent, struct err *err)
{
    json_t *arguments;
    json_t *data = NULL;
    enum st st = check_send(send, err);

    if (st) {
        return st;
    }
    arguments = json_pack(
        "{s:s, s:s, s:s, s:I, s:i, s:i, s:i}", "from", send->from, "to",
        send->to, "until", target_until_word(send->until), "count",
        (json_int_t)send->count, "size", (int)send->size_bytes, "dscp",
        (int)send->dscp, "ecn", (int)send->ecn);
    st = ask(target, "asic", "send", arguments, &data, err);
    if (!st) {
        sent->sent = (uint64_t)number(data, "sent");
        sent->dropped_ingress = (uint64_t)number(data, "dropped_ingress");
        sent->dropped_egress = (uint64_t)number(data, "dropped_egress");
        sent->reached = json_is_true(json_object_get(data, "reached"));
        sent->xoff = json_is_true(json_object_get(data, "xoff"));
        sent->pg = (unsigned int)number(data, "pg");
        sent->queue = (unsigned int)number(data, "queue");
    }
    json_decref(data);
    return st;
}

static enum st
live_settle(struct target *target, struct err *err)
{
    return ask(target, "asic", "settle", NULL, NULL, err);
}

static enum st
live_run(struct target *target, uint64_t ns, struct err *err)
{
    return ask(target, "asic", "run", json_pack("{s:I}", "ns", (json_int_t)ns),
               NULL, err);
}

json_t *
live_object(const struct target_object *object)
{
    return json_pack("{s:s, s:s, s:i}", "kind", target_kind_word(object->kind),
                     "name", object->name, "index", (int)object->index);
}

void
live_reading(const json_t *stats, struct arena *arena,
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

/* Reads all objects in one request, hence at one moment. */
static enum st
live_read(struct target *target, const struct target_object *objects, size_t n,
          struct arena *arena, struct target_reading *readings, struct err *err)
{
    json_t *wanted = json_array();
    json_t *data = NULL;
    const json_t *list;
    enum st st;

    for (size_t i = 0; i < n; i++) {
        json_array_append_new(wanted, live_object(&objects[i]));
    }
    st = ask(target, "asic", "snapshot", json_pack("{s:o}", "objects", wanted),
             &data, err);
    list = json_object_get(data, "objects");
    if (!st && json_array_size(list) != n) {
        st = err_set(err, ST_IO, "protocol",
                     "orchd told of %zu objects, %zu were asked for",
                     json_array_size(list), n);
    }
    for (size_t i = 0; !st && i < n; i++) {
        live_reading(json_object_get(json_array_get(list, i), "stats"), arena,
                     &readings[i]);
    }
    json_decref(data);
    return st;
}

static enum st
live_clear(struct target *target, const struct target_object *objects, size_t n,
           struct err *err)
{
    json_t *wanted = json_array();

    for (size_t i = 0; i < n; i++) {
        json_array_append_new(wanted, live_object(&objects[i]));
    }
    return ask(target, "asic", "clear", json_pack("{s:o}", "objects", wanted),
               NULL, err);
}

/* orchd forgets what it has told, so this is asked only for ports that a
 * scenario counts. */
static enum st
live_received(struct target *target, const char *port, struct arena *arena,
              const struct target_frames **rows, size_t *n, struct err *err)
{
    struct target_frames *list;
    json_t *data = NULL;
    json_t *row;
    size_t i;
    enum st st = ask(target, "asic", "received",
                     json_pack("{s:s}", "port", port), &data, err);

    if (st) {
        return st;
    }
    list = arena_alloc(arena, json_array_size(data) + 1, sizeof *list);
    json_array_foreach(data, i, row)
    {
        list[i].dscp = (uint8_t)number(row, "dscp");
        list[i].queue = (uint8_t)number(row, "queue");
        list[i].ecn =
            json_is_true(json_object_get(row, "ce")) ? TARGET_ECN_CE : 0;
        list[i].frames = (uint64_t)number(row, "frames");
    }
    *rows = list;
    *n = json_array_size(data);
    json_decref(data);
    return ST_OK;
}

static const struct target_ops live_ops = {
    .block = live_block,
    .send = live_send,
    .settle = live_settle,
    .run = live_run,
    .read = live_read,
    .clear = live_clear,
    .received = live_received,
};

/* The switch is as it is: whether it is what the scenario asks for is left to
 * the scenario's claims.  That there is one at all is asked for. */
static enum st
live_open(struct bench *bench, const char *chip, struct target **target,
          struct err *err)
{
    struct live *live = (struct live *)(void *)bench;
    enum st st = ask(&live->target, "asic", "chip", NULL, NULL, err);

    (void)chip;
    if (st == ST_NOT_FOUND && !strcmp(err->code, "no-chip")) {
        st = ST_OK;
    }
    if (!st) {
        *target = &live->target;
    }
    return st;
}

/* Keeps member 'name' of 'data' as the fact that was asked for. */
static enum st
take_fact(struct live *live, const json_t *data, const char *name,
          const char *what, const char **text, struct err *err)
{
    const char *value = json_string_value(json_object_get(data, name));
    struct text names = {0};
    const char *other;
    json_t *ignored;
    enum st st;

    text_clear(&live->fact);
    if (value) {
        text_add(&live->fact, value);
        *text = text_string(&live->fact);
        return ST_OK;
    }
    st = err_set(err, ST_NOT_FOUND, "no-fact", "%s has no '%s'", what, name);
    json_object_foreach((json_t *)(uintptr_t)data, other, ignored)
    {
        text_add_item(&names, ", ", other);
    }
    err_set_field(err, name, NULL, text_string(&names));
    text_fini(&names);
    return st;
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

static const struct bench_ops live_bench_ops = {live_open, live_chip_fact,
                                                live_row_field};

struct bench *
live_create(struct client *client)
{
    struct live *live = check_calloc(1, sizeof *live);

    live->bench.ops = &live_bench_ops;
    live->bench.keeps_configuration = true;
    live->target.ops = &live_ops;
    live->client = client;
    return &live->bench;
}

void
live_destroy(struct bench *bench)
{
    if (bench) {
        text_fini(&((struct live *)(void *)bench)->fact);
        free(bench);
    }
}
