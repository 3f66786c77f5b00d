/* SPDX-License-Identifier: Apache-2.0 */

/* The message layer above SRD. */

#include <config.h>

#include "twin/transport/message.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/hash_index.h"
#include "twin/transport/ring.h"

enum { FIRST_ROOM = 4, MAX_AHEAD = 1 << 16 };

#define PS_PER_S INT64_C(1000000000000)

/* Words of a header. */
enum { WORD_TAG, WORD_NUMBER, WORD_OFFSET, WORD_TOTAL };

/* A message of which segments have arrived. */
struct partial {
    uint32_t total;
    uint32_t received;
    uint32_t n_segments; /* That have arrived; 0: none. */
    int64_t ready_ps;    /* When its copies are done. */
};

/* One (peer, tag) in one direction. */
struct stream {
    uint64_t peer;
    uint32_t tag;
    uint32_t next;            /* Number of the next message. */
    struct partial *partials; /* Received: from 'next' on, a ring by number. */
    uint32_t room;            /* A power of two. */
};

/* A message that is being sent. */
struct outgoing {
    struct stream *stream;
    uint64_t id;
    uint32_t number;
    uint32_t length;
    uint32_t offset;    /* Of the next segment. */
    uint32_t n_pending; /* Segments that have not ended. */
    uint32_t next;      /* In the ring of those that take turns, or free. */
    uint8_t status;
    bool is_whole; /* All its segments were taken. */
};

#define NONE UINT32_MAX

/* A message may be delivered when its copies are done. */
struct due {
    struct stream *stream;
    int64_t at_ps;
};

struct message_layer {
    const struct message_config *config; /* Borrowed. */
    struct hash_index sending, receiving;
    struct outgoing *outgoing;
    uint32_t n_outgoing, outgoing_room;
    uint32_t free;                    /* List of unused ones. */
    uint32_t first, last;             /* That take turns. */
    struct message_completion *ended; /* Sent ones; a ring. */
    uint64_t ended_first, ended_end;
    uint32_t ended_room;
    struct due *due; /* A ring, by time. */
    uint64_t due_first, due_end;
    uint32_t due_room;
    struct stream *current; /* Of which message_poll() delivers. */
    int64_t copy_free_ps;
    uint64_t held_bytes, held_peak_bytes;
};

struct key {
    uint64_t peer;
    uint32_t tag;
};

struct message_layer *
message_layer_create(const struct message_config *config)
{
    struct message_layer *layer = check_calloc(1, sizeof *layer);

    layer->config = config;
    layer->free = layer->first = layer->last = NONE;
    return layer;
}

static void
destroy_streams(struct hash_index *index)
{
    size_t place = 0;
    struct stream *stream;

    while ((stream = hash_index_next(index, &place)) != NULL) {
        free(stream->partials);
        free(stream);
    }
    hash_index_fini(index);
}

void
message_layer_destroy(struct message_layer *layer)
{
    if (!layer) {
        return;
    }
    destroy_streams(&layer->sending);
    destroy_streams(&layer->receiving);
    free(layer->outgoing);
    free(layer->ended);
    free(layer->due);
    free(layer);
}

/* Streams ------------------------------------------------------------------ */

static bool
is_key(const void *item, const void *key)
{
    const struct stream *stream = item;
    const struct key *wanted = key;

    return stream->peer == wanted->peer && stream->tag == wanted->tag;
}

static uint32_t
hash_of(const struct key *key)
{
    return hash_index_number(key->peer ^ (uint64_t)key->tag << 40 ^ key->tag);
}

static struct stream *
find(const struct hash_index *index, uint64_t peer, uint32_t tag)
{
    const struct key key = {peer, tag};

    return hash_index_find(index, hash_of(&key), is_key, &key);
}

/* Returns the stream of 'peer' and 'tag', which may be new. */
static struct stream *
obtain(struct hash_index *index, uint64_t peer, uint32_t tag)
{
    const struct key key = {peer, tag};
    struct stream *stream = find(index, peer, tag);

    if (!stream) {
        stream = check_calloc(1, sizeof *stream);
        stream->peer = peer;
        stream->tag = tag;
        hash_index_add(index, hash_of(&key), stream);
    }
    return stream;
}

/* Sending ------------------------------------------------------------------ */

/* Returns the number of an unused outgoing message. */
static uint32_t
take_outgoing(struct message_layer *layer)
{
    uint32_t number = layer->free;

    if (number != NONE) {
        layer->free = layer->outgoing[number].next;
        return number;
    }
    if (layer->n_outgoing == layer->outgoing_room) {
        layer->outgoing_room =
            layer->outgoing_room ? 2 * layer->outgoing_room : FIRST_ROOM;
        layer->outgoing = check_realloc(
            layer->outgoing, layer->outgoing_room * sizeof *layer->outgoing);
    }
    return layer->n_outgoing++;
}

/* Puts 'number' at the end of those that take turns. */
static void
queue(struct message_layer *layer, uint32_t number)
{
    layer->outgoing[number].next = NONE;
    if (layer->first == NONE) {
        layer->first = number;
    } else {
        layer->outgoing[layer->last].next = number;
    }
    layer->last = number;
}

void
message_post(struct message_layer *layer, uint64_t peer, uint32_t tag,
             uint64_t id, uint32_t length_bytes)
{
    struct stream *stream = obtain(&layer->sending, peer, tag);
    const uint32_t number = take_outgoing(layer);

    layer->outgoing[number] = (struct outgoing){.stream = stream,
                                                .id = id,
                                                .number = stream->next++,
                                                .length = length_bytes};
    queue(layer, number);
}

bool
message_next(struct message_layer *layer, struct message_segment *segment)
{
    const uint32_t number = layer->first;
    struct outgoing *message;
    uint32_t left;

    if (number == NONE) {
        return false;
    }
    message = &layer->outgoing[number];
    layer->first = message->next;
    left = message->length - message->offset;
    *segment = (struct message_segment){
        .peer = message->stream->peer,
        .handle = number,
        .length_bytes = left < layer->config->segment_bytes
                            ? left
                            : layer->config->segment_bytes,
        .header = {{[WORD_TAG] = message->stream->tag,
                    [WORD_NUMBER] = message->number,
                    [WORD_OFFSET] = message->offset,
                    [WORD_TOTAL] = message->length}}};
    message->offset += segment->length_bytes;
    message->n_pending++;
    message->is_whole = message->offset == message->length;
    if (!message->is_whole) {
        queue(layer, number);
    }
    return true;
}

uint64_t
message_id(const struct message_layer *layer, uint64_t handle)
{
    return layer->outgoing[handle].id;
}

void
message_segment_ended(struct message_layer *layer, uint64_t handle,
                      enum srd_status status)
{
    struct outgoing *message = &layer->outgoing[handle];

    message->status = message->status ? message->status : (uint8_t)status;
    if (--message->n_pending || !message->is_whole) {
        return;
    }
    layer->ended =
        ring_grow(layer->ended, &layer->ended_room, layer->ended_first,
                  layer->ended_end, sizeof *layer->ended);
    layer->ended[layer->ended_end++ & (layer->ended_room - 1)] =
        (struct message_completion){.peer = message->stream->peer,
                                    .id = message->id,
                                    .bytes = message->length,
                                    .tag = message->stream->tag,
                                    .status = message->status};
    message->next = layer->free;
    layer->free = (uint32_t)handle;
}

/* Receiving ---------------------------------------------------------------- */

/* Returns the place of message 'number' of 'stream', which is at most
 * MAX_AHEAD ahead. */
static struct partial *
partial_at(struct stream *stream, uint32_t number)
{
    while (number - stream->next >= stream->room) {
        stream->partials = ring_grow(
            stream->partials, &stream->room, stream->next,
            (uint64_t)stream->next + stream->room, sizeof *stream->partials);
    }
    return &stream->partials[number & (stream->room - 1)];
}

static bool
is_complete(const struct partial *partial)
{
    return partial->n_segments && partial->received == partial->total;
}

/* Notes that 'stream' may have a message to deliver at 'at_ps'. */
static void
schedule(struct message_layer *layer, struct stream *stream, int64_t at_ps)
{
    layer->due = ring_grow(layer->due, &layer->due_room, layer->due_first,
                           layer->due_end, sizeof *layer->due);
    layer->due[layer->due_end++ & (layer->due_room - 1)] =
        (struct due){stream, at_ps};
}

/* Returns when a segment of 'bytes' is copied that has arrived at 'now_ps'. */
static int64_t
copy(struct message_layer *layer, uint32_t bytes, int64_t now_ps)
{
    const int64_t bps = layer->config->copy_bps;

    if (!bps) {
        return now_ps;
    }
    if (layer->copy_free_ps < now_ps) {
        layer->copy_free_ps = now_ps;
    }
    layer->copy_free_ps += (int64_t)bytes * 8 * PS_PER_S / bps;
    return layer->copy_free_ps;
}

bool
message_arrived(struct message_layer *layer, uint64_t source,
                uint32_t length_bytes, const struct srd_header *header,
                int64_t now_ps)
{
    const uint32_t *words = header->words;
    struct stream *stream = obtain(&layer->receiving, source, words[WORD_TAG]);
    struct partial *partial;

    if (words[WORD_NUMBER] - stream->next >= MAX_AHEAD ||
        (uint64_t)words[WORD_OFFSET] + length_bytes > words[WORD_TOTAL]) {
        return false;
    }
    partial = partial_at(stream, words[WORD_NUMBER]);
    if (partial->n_segments &&
        (partial->total != words[WORD_TOTAL] || is_complete(partial) ||
         length_bytes > partial->total - partial->received)) {
        return false;
    }
    partial->total = words[WORD_TOTAL];
    partial->received += length_bytes;
    partial->n_segments++;
    partial->ready_ps = copy(layer, length_bytes, now_ps);
    layer->held_bytes += length_bytes;
    if (layer->held_bytes > layer->held_peak_bytes) {
        layer->held_peak_bytes = layer->held_bytes;
    }
    if (is_complete(partial)) {
        schedule(layer, stream, partial->ready_ps);
    }
    return true;
}

/* Takes the next message of 'stream' if it is complete and copied. */
static bool
take(struct message_layer *layer, struct stream *stream, int64_t now_ps,
     struct message_completion *completion)
{
    struct partial *partial;

    if (!stream || !stream->room) {
        return false;
    }
    partial = &stream->partials[stream->next & (stream->room - 1)];
    if (!is_complete(partial) || partial->ready_ps > now_ps) {
        return false;
    }
    *completion = (struct message_completion){.peer = stream->peer,
                                              .id = stream->next++,
                                              .bytes = partial->total,
                                              .tag = stream->tag,
                                              .is_receive = true};
    layer->held_bytes -= partial->total;
    *partial = (struct partial){0};
    return true;
}

bool
message_poll(struct message_layer *layer, int64_t now_ps,
             struct message_completion *completion)
{
    if (layer->ended_first < layer->ended_end) {
        *completion =
            layer->ended[layer->ended_first++ & (layer->ended_room - 1)];
        return true;
    }
    while (!take(layer, layer->current, now_ps, completion)) {
        const struct due *due =
            layer->due_first < layer->due_end
                ? &layer->due[layer->due_first & (layer->due_room - 1)]
                : NULL;

        layer->current = NULL;
        if (!due || due->at_ps > now_ps) {
            return false;
        }
        layer->current = due->stream;
        layer->due_first++;
    }
    return true;
}

int64_t
message_deadline_ps(const struct message_layer *layer)
{
    return layer->due_first < layer->due_end
               ? layer->due[layer->due_first & (layer->due_room - 1)].at_ps
               : INT64_MAX;
}

/* Reports ------------------------------------------------------------------ */

uint64_t
message_held_bytes(const struct message_layer *layer)
{
    return layer->held_bytes;
}

uint64_t
message_held_peak_bytes(const struct message_layer *layer)
{
    return layer->held_peak_bytes;
}
