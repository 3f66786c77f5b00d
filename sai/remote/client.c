/* SPDX-License-Identifier: Apache-2.0 */

/* Sends calls in parts, with several parts outstanding. */

#include <config.h>

#include "sai/remote/client.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "sai/core/kind.h"
#include "sai/core/metadata.h"
#include "sai/remote/call.h"
#include "sai/remote/handshake.h"
#include "sai/remote/listener.h"
#include "sai/remote/stream.h"

/* The objects of a part, and the largest number of outstanding parts: enough to
 * hide the round-trip time, and few enough to bound the memory. */
enum { PART_OBJECTS = 256, WINDOW = 8 };

struct client {
    struct sai_backend backend; /* First: it is cast back. */
    struct stream *stream;
    struct listener *listener; /* NULL: no callback was ever set. */
    struct message_welcome welcome;
    uint32_t sequence; /* Of the last request. */
    char *path;
    int timeout_ms; /* 0: as the header says. */
    char name[MESSAGE_TEXT_BYTES];
};

/* An outstanding part of a call. */
struct part {
    uint32_t first, n;
    sai_attribute_t *attributes; /* Its first. */
    uint32_t sequence;
};

/* Returns the timeout for an answer whose default is 'usual_ms'. */
static int
patience(const struct client *client, int usual_ms)
{
    return client->timeout_ms ? client->timeout_ms : usual_ms;
}

/* Messages -------------------------------------------------------------- */

/* Begins a request; returns its offset for message_end(). */
static size_t
begin(struct client *client, enum message_kind kind)
{
    return message_begin(stream_out(client->stream), kind, ++client->sequence);
}

/* Ends a request.  Does not send one that is too long. */
static bool
end(struct client *client, size_t start)
{
    return message_end(stream_out(client->stream), start);
}

/* Makes the listener report that the switch is unreachable, as if its own
 * connection had been lost. */
static void
tell_lost(const struct client *client)
{
    if (client->listener) {
        listener_interrupt(client->listener);
    }
}

/* Waits for the answer to request 'sequence'. */
static bool
receive(struct client *client, enum message_kind kind, uint32_t sequence,
        int timeout_ms, struct wire_in *in)
{
    struct message_header header;
    const uint8_t *body;

    if (!stream_receive(client->stream, timeout_ms, &header, &body)) {
        tell_lost(client);
        return false;
    }
    *in = (struct wire_in){body, header.n_bytes, false};
    if (header.kind != kind || header.sequence != sequence) {
        client_fail(client);
        return false;
    }
    return true;
}

void
client_fail(struct client *client)
{
    stream_fail(client->stream, "the host has sent a malformed answer");
    tell_lost(client);
}

const char *
client_trouble(const struct client *client)
{
    return stream_trouble(client->stream);
}

/* Callbacks --------------------------------------------------------------- */

/* Returns whether 'attribute' of 'type' is a callback. */
static bool
is_callback(sai_object_type_t type, sai_attr_id_t id)
{
    const struct metadata_attribute *meta = metadata_attribute(type, id);

    return type == SAI_OBJECT_TYPE_SWITCH && meta && meta->kind == KIND_POINTER;
}

/* Starts the listener.  If it cannot connect, there are no notifications. */
static void
start_listener(struct client *client)
{
    struct message_hello hello = {.role = MESSAGE_READER,
                                  .subscribe = MESSAGE_SUBSCRIBE_SAI |
                                               MESSAGE_SUBSCRIBE_TESTERS};
    struct message_welcome welcome;
    struct stream *stream;

    (void)text_copy(hello.name, sizeof hello.name, client->name);
    if (handshake_connect(client->path, &hello,
                          patience(client, CLIENT_WELCOME_MS), &stream,
                          &welcome, NULL) == ST_OK) {
        client->listener = listener_create(stream);
    }
    if (client->listener) {
        listener_set_switch(client->listener, client->backend.switch_id);
    }
}

void
client_watch_testers(struct client *client, notification_testers_fn *fn)
{
    if (!client->listener) {
        start_listener(client);
    }
    if (client->listener) {
        listener_set_testers(client->listener, fn);
    }
}

sai_status_t
client_testers(struct client *client, struct wire_out *report)
{
    const struct query query = {.kind = QUERY_TESTERS, .room = QUERY_ROOM_MAX};
    struct query_answer answer;
    sai_status_t status;

    if (!client->listener || !listener_knows_testers(client->listener)) {
        return SAI_STATUS_NOT_SUPPORTED;
    }
    answer.list = check_calloc(1, QUERY_ROOM_MAX);
    status = client_ask(client, &query, 0, NULL, &answer);
    if (status == SAI_STATUS_SUCCESS) {
        wire_put_bytes(report, answer.list, answer.count);
    }
    free(answer.list);
    return status;
}

/* Stores the callbacks among the attributes before they are sent, because the
 * first notification may arrive before the answer. */
static void
keep_callbacks(struct client *client, sai_object_type_t type, uint32_t n,
               const sai_attribute_t *attributes)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!is_callback(type, attributes[i].id)) {
            continue;
        }
        if (!client->listener && attributes[i].value.ptr) {
            start_listener(client);
        }
        if (client->listener) {
            (void)listener_set(client->listener, attributes[i].id,
                               attributes[i].value.ptr);
        }
    }
}

/* Replaces the callbacks of the host in a result by those of the client. */
static void
restore_callbacks(struct client *client, sai_object_type_t type, uint32_t n,
                  sai_attribute_t *attributes)
{
    for (uint32_t i = 0; i < n; i++) {
        if (is_callback(type, attributes[i].id)) {
            attributes[i].value.ptr =
                client->listener
                    ? listener_get(client->listener, attributes[i].id)
                    : NULL;
        }
    }
}

/* Calls -------------------------------------------------------------------- */

/* Sends the part that begins at '*next' and advances '*next'. */
static bool
send_part(struct client *client, const struct backend_many *many,
          struct part *next, struct part *sent)
{
    const uint32_t left = many->n - next->first;
    size_t start;

    *sent = *next;
    sent->n = left < PART_OBJECTS ? left : PART_OBJECTS;
    start = begin(client, MESSAGE_CALL);
    call_put(stream_out(client->stream), many, sent->first, sent->n,
             sent->attributes);
    sent->sequence = client->sequence;
    if (!end(client, start)) {
        return false;
    }
    for (uint32_t i = sent->first; i < sent->first + sent->n; i++) {
        if (next->attributes) {
            next->attributes += backend_count(many, i);
        }
    }
    next->first += sent->n;
    return true;
}

static bool
receive_part(struct client *client, const struct backend_many *many,
             const struct part *part, sai_status_t *result)
{
    struct wire_in in;
    sai_status_t status;

    const int usual =
        many->type == SAI_OBJECT_TYPE_SWITCH &&
                (many->op == OP_CREATE_MANY || many->op == OP_REMOVE_MANY)
            ? CLIENT_SWITCH_TIMEOUT_MS
            : CLIENT_TIMEOUT_MS;

    if (!receive(client, MESSAGE_CALL, part->sequence, patience(client, usual),
                 &in)) {
        return false;
    }
    if (!call_get_answer(&in, many, part->first, part->n, part->attributes,
                         &status)) {
        client_fail(client);
        return false;
    }
    *result = *result == SAI_STATUS_SUCCESS ? status : *result;
    return true;
}

/* Performs a call of any size.  Objects without an answer keep their status. */
static sai_status_t
exchange(struct client *client, const struct backend_many *many)
{
    struct part parts[WINDOW];
    struct part next = {.attributes = many->attributes};
    uint32_t n_sent = 0, n_answered = 0;
    sai_status_t result = SAI_STATUS_SUCCESS;

    for (uint32_t i = 0; i < many->n; i++) {
        many->statuses[i] = SAI_STATUS_FAILURE;
    }
    while (next.first < many->n || n_answered < n_sent) {
        if (next.first < many->n && n_sent - n_answered < WINDOW) {
            if (!send_part(client, many, &next, &parts[n_sent % WINDOW])) {
                /* The rest cannot be sent; wait for the outstanding parts. */
                next.first = many->n;
                result = SAI_STATUS_FAILURE;
                continue;
            }
            n_sent++;
        } else {
            if (!receive_part(client, many, &parts[n_answered % WINDOW],
                              &result)) {
                return SAI_STATUS_FAILURE;
            }
            n_answered++;
        }
    }
    return result;
}

/* Performs a call and handles its callbacks. */
static sai_status_t
do_many(struct client *client, const struct backend_many *many)
{
    const uint32_t n = many->attributes ? backend_total(many) : 0;
    const enum op op = op_single(many->op);
    sai_status_t result;

    if (op == OP_CREATE || op == OP_SET) {
        keep_callbacks(client, many->type, n, many->attributes);
    }
    result = exchange(client, many);
    if (op == OP_GET) {
        restore_callbacks(client, many->type, n, many->attributes);
    }
    return result;
}

/* The backend ---------------------------------------------------------------
 */

/* Performs a call on one object. */
static sai_status_t
do_one(struct sai_backend *backend, enum op op, sai_object_type_t type,
       sai_object_id_t *oid, uint32_t n, sai_attribute_t *attributes)
{
    sai_object_key_t key;
    sai_status_t status;
    const struct backend_many many = {
        .op = op,
        .type = type,
        .mode = SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR,
        .n = 1,
        .keys = &key,
        .counts = &n,
        .attributes = attributes,
        .statuses = &status,
    };

    memset(&key, 0, sizeof key);
    key.key.object_id = *oid;
    status = do_many((struct client *)backend, &many);
    if (status == SAI_STATUS_SUCCESS) {
        *oid = key.key.object_id;
    }
    return status;
}

static sai_status_t
client_create(struct sai_backend *backend, sai_object_type_t type, uint32_t n,
              const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    struct client *client = (struct client *)backend;
    sai_object_id_t created = SAI_NULL_OBJECT_ID;
    const sai_status_t status =
        do_one(backend, OP_CREATE, type, &created, n,
               (sai_attribute_t *)(uintptr_t)attributes); /* Only read. */

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    *oid = created;
    if (type == SAI_OBJECT_TYPE_SWITCH) {
        backend->switch_id = created;
        if (client->listener) {
            listener_set_switch(client->listener, created);
        }
    }
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
client_remove(struct sai_backend *backend, sai_object_type_t type,
              sai_object_id_t oid)
{
    const sai_status_t status = do_one(backend, OP_REMOVE, type, &oid, 0, NULL);

    if (status == SAI_STATUS_SUCCESS && type == SAI_OBJECT_TYPE_SWITCH) {
        backend->switch_id = SAI_NULL_OBJECT_ID;
    }
    return status;
}

static sai_status_t
client_set(struct sai_backend *backend, sai_object_type_t type,
           sai_object_id_t oid, const sai_attribute_t *attribute)
{
    return do_one(backend, OP_SET, type, &oid, 1,
                  (sai_attribute_t *)(uintptr_t)attribute); /* Only read. */
}

static sai_status_t
client_get(struct sai_backend *backend, sai_object_type_t type,
           sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    return do_one(backend, OP_GET, type, &oid, n, attributes);
}

static sai_status_t
client_get_stats(struct sai_backend *backend, sai_object_type_t type,
                 sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                 sai_stats_mode_t mode, uint64_t *values)
{
    const sai_object_key_t key = {.key.object_id = oid};
    sai_status_t status;

    (void)client_stats((struct client *)backend, type, 1, &key, n, ids, mode,
                       &status, values);
    return status;
}

static sai_status_t
client_get_stats_many(struct sai_backend *backend,
                      const struct backend_stats *call)
{
    const sai_status_t result = client_stats(
        (struct client *)backend, call->type, call->n, call->keys, call->n_ids,
        call->ids, call->mode, call->statuses, call->values);

    /* The overall status of a single object is the status of the object. */
    return result == SAI_STATUS_SUCCESS ? result : SAI_STATUS_FAILURE;
}

static sai_status_t
client_many(struct sai_backend *backend, const struct backend_many *many)
{
    return do_many((struct client *)backend, many);
}

static const struct sai_backend_ops client_ops = {
    .create = client_create,
    .remove = client_remove,
    .set = client_set,
    .get = client_get,
    .get_stats = client_get_stats,
    .get_stats_many = client_get_stats_many,
    .many = client_many,
};

/* Counters and queries ---------------------------------------------------- */

/* Reads the counters of as many objects as fit into one message. */
static sai_status_t
stats_part(struct client *client, sai_object_type_t type, uint32_t n,
           const sai_object_key_t *keys, uint32_t n_stats,
           const sai_stat_id_t *stats, sai_stats_mode_t mode,
           sai_status_t *statuses, uint64_t *counters)
{
    const size_t start = begin(client, MESSAGE_CALL);
    sai_status_t result;
    struct wire_in in;

    call_put_stats(stream_out(client->stream), type, n, keys, n_stats, stats,
                   mode);
    if (!end(client, start) ||
        !receive(client, MESSAGE_CALL, client->sequence,
                 patience(client, CLIENT_TIMEOUT_MS), &in)) {
        return SAI_STATUS_FAILURE;
    }
    if (!call_get_stats(&in, n, n_stats, statuses, counters, &result)) {
        client_fail(client);
        return SAI_STATUS_FAILURE;
    }
    return result;
}

sai_status_t
client_stats(struct client *client, sai_object_type_t type, uint32_t n,
             const sai_object_key_t *keys, uint32_t n_stats,
             const sai_stat_id_t *stats, sai_stats_mode_t mode,
             sai_status_t *statuses, uint64_t *counters)
{
    sai_status_t result = SAI_STATUS_SUCCESS;

    for (uint32_t i = 0; i < n; i++) {
        statuses[i] = SAI_STATUS_FAILURE;
    }
    if (n_stats > CALL_STATS_MAX) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n; i += PART_OBJECTS) {
        const uint32_t part = n - i < PART_OBJECTS ? n - i : PART_OBJECTS;
        const sai_status_t status =
            stats_part(client, type, part, keys + i, n_stats, stats, mode,
                       statuses + i, counters + (size_t)i * n_stats);

        result = result == SAI_STATUS_SUCCESS ? status : result;
    }
    return result;
}

sai_status_t
client_ask(struct client *client, const struct query *query, uint32_t n,
           const sai_attribute_t *attributes, struct query_answer *answer)
{
    const size_t start = begin(client, MESSAGE_QUERY);
    struct wire_in in;

    query_put(stream_out(client->stream), query, n, attributes);
    if (!end(client, start) ||
        !receive(client, MESSAGE_QUERY, client->sequence,
                 patience(client, CLIENT_TIMEOUT_MS), &in)) {
        return SAI_STATUS_FAILURE;
    }
    if (!query_get_answer(&in, query, answer)) {
        client_fail(client);
        return SAI_STATUS_FAILURE;
    }
    return answer->status;
}

sai_status_t
client_extra(struct client *client, uint32_t number,
             const struct wire_out *bytes, struct wire_in *rest)
{
    const size_t start = begin(client, MESSAGE_EXTRA);

    wire_put_u32(stream_out(client->stream), number);
    wire_put_bytes(stream_out(client->stream), bytes->bytes, bytes->length);
    *rest = (struct wire_in){0};
    if (!end(client, start) ||
        !receive(client, MESSAGE_EXTRA, client->sequence, -1, rest)) {
        return SAI_STATUS_FAILURE;
    }
    return (sai_status_t)wire_get_u32(rest);
}

/* Opening and closing --------------------------------------------------------
 */

enum st
client_open(const struct client_options *options, struct client **client,
            struct err *err)
{
    struct message_hello hello = {.role = options->role};
    struct client *opened = check_calloc(1, sizeof *opened);
    enum st status;

    opened->backend.ops = &client_ops;
    opened->backend.switch_id = SAI_NULL_OBJECT_ID;
    opened->timeout_ms = options->timeout_ms;
    opened->path = check_strdup(options->path);
    (void)text_copy(opened->name, sizeof opened->name, options->name);
    (void)text_copy(hello.name, sizeof hello.name, options->name);
    status = handshake_connect(options->path, &hello,
                               patience(opened, CLIENT_WELCOME_MS),
                               &opened->stream, &opened->welcome, err);
    if (status) {
        client_close(opened);
        return status;
    }
    *client = opened;
    return ST_OK;
}

void
client_close(struct client *client)
{
    if (client) {
        listener_destroy(client->listener);
        stream_close(client->stream);
        free(client->path);
        free(client);
    }
}

struct sai_backend *
client_backend(struct client *client)
{
    return &client->backend;
}

uint64_t
client_release(const struct client *client)
{
    return client->welcome.release;
}

const char *
client_extras(const struct client *client)
{
    return client->welcome.extras;
}
