/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "lab/storage/su_rdma.h"

#include <stdlib.h>

#include "base/check.h"

enum { SU_MAX_SMALL_BYTES = 1 << 20 };

/* A message that this end sends. */
struct message {
    uint32_t bytes;
    uint32_t asked; /* Bytes of which work requests were taken. */
    uint32_t done;
    uint32_t chunk_left;
    enum su_mode mode; /* Of the chunk. */
    bool has_buffer;
    struct slab_buffer buffer;
};

/* A work request that has not completed. */
struct work {
    enum su_operation operation;
    enum su_kind kind; /* Of a SEND. */
    uint64_t message;
    uint32_t bytes;
};

/* Data of the peer that are not delivered. */
struct arrival {
    enum su_kind kind;
    uint32_t bytes;
    bool ends;
    bool is_here;
    struct slab_buffer buffer;
};

enum wait { WAIT_NOT, WAIT_CREDIT, WAIT_SLOT };

struct su {
    struct su_config config;
    struct slab_pool *pool;
    struct slab_buffer receives, lent; /* Receive buffers, and slots. */
    uint32_t n_registrations;          /* For the next work request. */
    struct su_stats stats;

    /* What the peer lets us use, and what we shall let it use again. */
    uint32_t credits, slots;
    uint32_t owed_credits, owed_slots;
    uint32_t freed; /* Receive buffers that the caller has to post. */

    /* Messages: those below 'n_sent' are over, from 'n_asked' on work requests
     * are left to take. */
    struct message *messages;
    uint64_t n_sent, n_asked, n_posted;
    bool is_written; /* The SEND behind a WRITE comes next. */
    struct su_control written;
    uint64_t written_message;
    enum wait wait;

    struct work *works;
    uint64_t first_work, end_work;

    /* Descriptions without a "done", by number modulo 'depth': the message and
     * its bytes. */
    struct work *described;
    uint64_t first_described, end_described;

    /* What has arrived: up to 'next_read' READs were taken, and up to
     * 'next_fetched' they have completed. */
    struct arrival *arrivals;
    uint64_t first_arrival, next_fetched, next_read, end_arrival;
    uint32_t n_arrivals;
    uint32_t n_reads; /* Outstanding. */
    uint32_t n_dones; /* To be sent. */
    uint64_t n_delivered;
};

enum st
su_config_check(const struct su_config *config, struct err *err)
{
    const char *wrong =
        config->mode >= SU_N_MODES ? "there is no such mode"
        : !config->small_bytes || config->small_bytes > SU_MAX_SMALL_BYTES
            ? "a receive buffer has 1 B to 1 MiB"
        : config->medium_bytes < config->small_bytes
            ? "a slot is not smaller than a receive buffer"
        : config->medium_bytes > SU_MAX_MESSAGE_BYTES ||
                config->chunk_bytes > SU_MAX_MESSAGE_BYTES
            ? "slots and chunks have at most 2^31-1 bytes"
        : config->credits < SU_MIN_CREDITS || config->credits > SU_MAX_CREDITS
            ? "an end has 3 to 4096 credits"
        : !config->slots || config->slots > SU_MAX_SLOTS
            ? "an end lends 1 to 1024 slots"
        : !config->depth || config->depth > SU_MAX_DEPTH
            ? "1 to 4096 messages are outstanding"
            : NULL;

    if (wrong) {
        err_set(err, ST_INVALID, "su_rdma", "%s", wrong);
        return ST_INVALID;
    }
    return ST_OK;
}

uint64_t
su_lent_bytes(const struct su_config *config)
{
    return (uint64_t)config->credits * (config->small_bytes + SU_HEADER_BYTES) +
           (uint64_t)config->slots * config->medium_bytes;
}

uint32_t
su_most_work(const struct su_config *config)
{
    return config->credits + config->slots + SU_MAX_READS;
}

/* Takes a buffer of 'bytes'. */
static void
take(struct su *su, uint64_t bytes, struct slab_buffer *buffer)
{
    *buffer = (struct slab_buffer){.slab = SLAB_POOL_NONE};
    if (su->pool) {
        su->n_registrations += slab_pool_take(su->pool, bytes, buffer);
    }
}

static void
give(struct su *su, struct slab_buffer *buffer)
{
    if (su->pool) {
        slab_pool_give(su->pool, buffer);
    }
}

static void *
allocate(size_t n, size_t size)
{
    void *items = calloc(n, size);

    orch_assert(items);
    return items;
}

enum st
su_create(const struct su_config *config, struct slab_pool *pool,
          struct su **result)
{
    struct su *su;

    if (su_config_check(config, NULL)) {
        return ST_INVALID;
    }
    su = allocate(1, sizeof *su);
    *su = (struct su){.config = *config,
                      .pool = pool,
                      .credits = config->credits,
                      .slots = config->slots,
                      .n_arrivals =
                          config->credits + config->slots + config->depth};
    take(su,
         (uint64_t)config->credits * (config->small_bytes + SU_HEADER_BYTES),
         &su->receives);
    take(su, (uint64_t)config->slots * config->medium_bytes, &su->lent);
    su->n_registrations = 0; /* Before anything starts. */
    su->messages = allocate(config->depth, sizeof *su->messages);
    su->described = allocate(config->depth, sizeof *su->described);
    su->works = allocate(su_most_work(config), sizeof *su->works);
    su->arrivals = allocate(su->n_arrivals, sizeof *su->arrivals);
    *result = su;
    return ST_OK;
}

void
su_destroy(struct su *su)
{
    if (!su) {
        return;
    }
    for (uint64_t i = su->n_sent; i < su->n_posted; i++) {
        struct message *message = &su->messages[i % su->config.depth];

        if (message->has_buffer) {
            give(su, &message->buffer);
        }
    }
    for (uint64_t i = su->first_arrival; i < su->next_read; i++) {
        give(su, &su->arrivals[i % su->n_arrivals].buffer);
    }
    give(su, &su->receives);
    give(su, &su->lent);
    free(su->messages);
    free(su->described);
    free(su->works);
    free(su->arrivals);
    free(su);
}

enum st
su_post(struct su *su, uint32_t bytes)
{
    if (su->n_posted - su->n_sent == su->config.depth) {
        return ST_NO_RESOURCE;
    }
    if (!bytes || bytes > SU_MAX_MESSAGE_BYTES) {
        return ST_INVALID;
    }
    su->messages[su->n_posted++ % su->config.depth] =
        (struct message){.bytes = bytes, .buffer = {.slab = SLAB_POOL_NONE}};
    return ST_OK;
}

/* Sending ------------------------------------------------------------------ */

/* Returns whether a SEND may be posted: the last credit is for one that returns
 * some. */
static bool
may_send(const struct su *su)
{
    return su->credits > 1 || (su->credits == 1 && su->owed_credits);
}

/* Counts why the next data have to wait, once. */
static bool
wait_for(struct su *su, enum wait wait)
{
    if (su->wait != wait) {
        su->wait = wait;
        su->stats.waits_for_credit += wait == WAIT_CREDIT;
        su->stats.waits_for_slot += wait == WAIT_SLOT;
    }
    return false;
}

static void
remember(struct su *su, const struct work *work)
{
    orch_assert(su->end_work - su->first_work < su_most_work(&su->config));
    su->works[su->end_work++ % su_most_work(&su->config)] = *work;
}

/* Fills '*work' with a SEND that says 'control', for 'message'. */
static bool
send(struct su *su, struct su_work *work, struct su_control control,
     uint64_t message)
{
    const uint32_t data = control.kind == SU_DATA ? control.bytes : 0;

    su->credits--;
    control.credits = su->owed_credits;
    control.slots = su->owed_slots;
    su->owed_credits = su->owed_slots = 0;
    *work = (struct su_work){.operation = SU_OP_SEND,
                             .bytes = SU_HEADER_BYTES + data,
                             .control = control};
    remember(su, &(struct work){.operation = SU_OP_SEND,
                                .kind = control.kind,
                                .message = message,
                                .bytes = control.bytes});
    return true;
}

static enum su_mode
mode_of(const struct su_config *config, uint32_t bytes)
{
    return config->mode != SU_MODE_AUTO    ? config->mode
           : bytes <= config->small_bytes  ? SU_MODE_SEND
           : bytes <= config->medium_bytes ? SU_MODE_WRITE
                                           : SU_MODE_READ;
}

/* Begins the next chunk of 'message', if it may be in flight now. */
static bool
begin_chunk(struct su *su, struct message *message)
{
    const uint32_t left = message->bytes - message->asked;
    const uint32_t chunk = su->config.chunk_bytes;

    if (message->chunk_left) {
        return true;
    }
    if (chunk && su->stats.in_flight_bytes) {
        return false;
    }
    if (!message->has_buffer) {
        take(su, message->bytes, &message->buffer);
        message->has_buffer = true;
    }
    message->chunk_left = chunk && chunk < left ? chunk : left;
    message->mode = mode_of(&su->config, message->chunk_left);
    su->stats.sent[message->mode]++;
    return true;
}

/* Takes 'bytes' of 'message' out of what is left to ask for. */
static void
advance(struct su *su, struct message *message, uint32_t bytes)
{
    message->asked += bytes;
    message->chunk_left -= bytes;
    su->stats.in_flight_bytes += bytes;
    if (su->stats.in_flight_bytes > su->stats.in_flight_peak_bytes) {
        su->stats.in_flight_peak_bytes = su->stats.in_flight_bytes;
    }
    su->n_asked += message->asked == message->bytes;
    su->wait = WAIT_NOT;
}

/* Takes the WRITE of 'bytes' for message 'number'; the SEND with 'control'
 * follows it. */
static bool
write_slot(struct su *su, struct su_work *work,
           const struct su_control *control, uint64_t number)
{
    if (!su->slots) {
        return wait_for(su, WAIT_SLOT);
    }
    su->slots--;
    su->is_written = true;
    su->written = *control;
    su->written_message = number;
    advance(su, &su->messages[number % su->config.depth], control->bytes);
    *work = (struct su_work){.operation = SU_OP_WRITE, .bytes = control->bytes};
    remember(su, &(struct work){.operation = SU_OP_WRITE, .message = number});
    return true;
}

static uint32_t
least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Takes a work request for the next message. */
static bool
next_data(struct su *su, struct su_work *work)
{
    const uint64_t number = su->n_asked;
    struct message *message = &su->messages[number % su->config.depth];
    struct su_control control = {.kind = SU_DATA};

    if (number == su->n_posted || !begin_chunk(su, message)) {
        return false;
    }
    if (!may_send(su)) {
        return wait_for(su, WAIT_CREDIT);
    }
    control.bytes = message->mode == SU_MODE_SEND
                        ? least(su->config.small_bytes, message->chunk_left)
                    : message->mode == SU_MODE_WRITE
                        ? least(su->config.medium_bytes, message->chunk_left)
                        : message->chunk_left;
    control.ends = message->asked + control.bytes == message->bytes;
    if (message->mode == SU_MODE_WRITE) {
        control.kind = SU_WRITTEN;
        return write_slot(su, work, &control, number);
    }
    if (message->mode == SU_MODE_READ) {
        control.kind = SU_DESCRIPTION;
        orch_assert(su->end_described - su->first_described < su->config.depth);
        su->described[su->end_described++ % su->config.depth] =
            (struct work){.message = number, .bytes = control.bytes};
    }
    advance(su, message, control.bytes);
    return send(su, work, control, number);
}

/* Takes the READ of the next description. */
static bool
next_read(struct su *su, struct su_work *work)
{
    struct arrival *arrival;

    while (
        su->next_read < su->end_arrival &&
        (su->next_read < su->first_arrival ||
         su->arrivals[su->next_read % su->n_arrivals].kind != SU_DESCRIPTION)) {
        su->next_read++;
    }
    if (su->next_read == su->end_arrival || su->n_reads == SU_MAX_READS) {
        return false;
    }
    arrival = &su->arrivals[su->next_read % su->n_arrivals];
    take(su, arrival->bytes, &arrival->buffer);
    su->next_read++;
    su->n_reads++;
    *work = (struct su_work){.operation = SU_OP_READ, .bytes = arrival->bytes};
    remember(su, &(struct work){.operation = SU_OP_READ});
    return true;
}

/* Returns whether so much waits to be returned that it is worth a SEND. */
static bool
owes_much(const struct su *su)
{
    return su->owed_credits >= (su->config.credits + 1) / 2 ||
           su->owed_slots >= (su->config.slots + 1) / 2;
}

/* The same as su_next(), without what has to be registered. */
static bool
next(struct su *su, struct su_work *work)
{
    if (su->end_work - su->first_work == su_most_work(&su->config)) {
        return false;
    }
    if (su->is_written) {
        su->is_written = false;
        return send(su, work, su->written, su->written_message);
    }
    if (su->n_dones && may_send(su)) {
        su->n_dones--;
        return send(su, work, (struct su_control){.kind = SU_DONE}, 0);
    }
    if (next_read(su, work) || next_data(su, work)) {
        return true;
    }
    if (owes_much(su) && may_send(su)) {
        su->stats.updates++;
        return send(su, work, (struct su_control){.kind = SU_UPDATE}, 0);
    }
    return false;
}

bool
su_next(struct su *su, struct su_work *work)
{
    if (!next(su, work)) {
        return false;
    }
    work->registrations = su->n_registrations;
    su->n_registrations = 0;
    return true;
}

/* Completions -------------------------------------------------------------- */

/* Counts 'bytes' of message 'number' as sent. */
static void
note_sent(struct su *su, uint64_t number, uint32_t bytes)
{
    su->messages[number % su->config.depth].done += bytes;
    su->stats.in_flight_bytes -= bytes;
    while (su->n_sent < su->n_asked) {
        struct message *message = &su->messages[su->n_sent % su->config.depth];

        if (message->done < message->bytes) {
            break;
        }
        give(su, &message->buffer);
        message->has_buffer = false;
        su->n_sent++;
    }
}

/* Frees a receive buffer. */
static void
free_receive(struct su *su)
{
    su->freed++;
    su->owed_credits++;
}

/* Delivers what is here, in order. */
static void
deliver(struct su *su)
{
    while (su->first_arrival < su->end_arrival) {
        struct arrival *arrival =
            &su->arrivals[su->first_arrival % su->n_arrivals];

        if (!arrival->is_here) {
            return;
        }
        if (arrival->kind == SU_DATA) {
            free_receive(su);
            su->stats.copied_bytes += arrival->bytes;
        } else if (arrival->kind == SU_WRITTEN) {
            su->owed_slots++;
        } else {
            give(su, &arrival->buffer);
        }
        su->stats.delivered_bytes += arrival->bytes;
        su->n_delivered += arrival->ends;
        su->first_arrival++;
    }
}

/* Notes that the oldest READ has completed. */
static void
note_read(struct su *su)
{
    while (su->next_fetched < su->first_arrival ||
           su->arrivals[su->next_fetched % su->n_arrivals].is_here) {
        su->next_fetched++;
    }
    su->arrivals[su->next_fetched % su->n_arrivals].is_here = true;
    su->n_reads--;
    su->n_dones++;
    deliver(su);
}

void
su_completed(struct su *su)
{
    struct work work;

    orch_assert(su->first_work < su->end_work);
    work = su->works[su->first_work++ % su_most_work(&su->config)];
    if (work.operation == SU_OP_READ) {
        note_read(su);
    } else if (work.operation == SU_OP_SEND &&
               (work.kind == SU_DATA || work.kind == SU_WRITTEN)) {
        note_sent(su, work.message, work.bytes);
    }
}

void
su_received(struct su *su, const struct su_control *control)
{
    su->credits += control->credits;
    su->slots += control->slots;
    if (control->kind != SU_DATA) {
        free_receive(su);
    }
    if (control->kind == SU_DONE) {
        const struct work *described;

        orch_assert(su->first_described < su->end_described);
        described = &su->described[su->first_described++ % su->config.depth];
        note_sent(su, described->message, described->bytes);
    } else if (control->kind != SU_UPDATE) {
        orch_assert(su->end_arrival - su->first_arrival < su->n_arrivals);
        su->arrivals[su->end_arrival++ % su->n_arrivals] =
            (struct arrival){.kind = control->kind,
                             .bytes = control->bytes,
                             .ends = control->ends,
                             .is_here = control->kind != SU_DESCRIPTION,
                             .buffer = {.slab = SLAB_POOL_NONE}};
        deliver(su);
    }
}

uint32_t
su_take_receives(struct su *su)
{
    const uint32_t freed = su->freed;

    su->freed = 0;
    return freed;
}

uint64_t
su_n_sent(const struct su *su)
{
    return su->n_sent;
}

uint64_t
su_n_delivered(const struct su *su)
{
    return su->n_delivered;
}

void
su_get_stats(const struct su *su, struct su_stats *stats)
{
    *stats = su->stats;
}

const char *
su_check(const struct su *su)
{
    uint64_t in_flight = 0;

    for (uint64_t i = su->n_sent; i < su->n_posted; i++) {
        const struct message *message = &su->messages[i % su->config.depth];

        in_flight += message->asked - message->done;
        if (message->done > message->asked || message->asked > message->bytes) {
            return "a message has more done than asked for";
        }
    }
    return in_flight != su->stats.in_flight_bytes ? "bytes in flight differ"
           : su->credits > su->config.credits
               ? "there are more credits than receive buffers"
           : su->slots > su->config.slots ? "there are too many slots"
           : su->owed_credits > su->config.credits
               ? "more credits are owed than there are"
           : su->config.chunk_bytes &&
                   su->stats.in_flight_peak_bytes > su->config.chunk_bytes
               ? "more than a chunk was in flight"
           : su->n_reads > SU_MAX_READS ? "there are too many READs"
                                        : NULL;
}
