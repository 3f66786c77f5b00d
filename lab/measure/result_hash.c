/* SPDX-License-Identifier: Apache-2.0 */

/* Hashes records: FNV-1a of their bytes, then a finalizer that spreads all
 * bits, because sums of similar FNV values would be similar. */

#include <config.h>

#include "lab/measure/result_hash.h"

#include <stddef.h>

#include "base/digest.h"
#include "lab/measure/sink.h"

/* Keeps records of different kinds apart. */
enum kind {
    KIND_FLOW = 1,
    KIND_MESSAGE,
    KIND_PAUSE,
    KIND_DROP,
    KIND_CHANGE,
    KIND_IO,
};

/* The finalizer of MurmurHash3 (A. Appleby, public domain). */
static uint64_t
mix(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    x ^= x >> 33;
    return x;
}

/* Adds a record of 'n' members. */
static void
add(struct result_hash *hash, const uint64_t *members, size_t n)
{
    uint64_t digest = DIGEST_START;

    for (size_t i = 0; i < n; i++) {
        uint8_t bytes[8];

        for (unsigned int k = 0; k < 8; k++) {
            bytes[k] = (uint8_t)(members[i] >> (56 - 8 * k));
        }
        digest = digest_bytes(digest, bytes, sizeof bytes);
    }
    hash->sum += mix(digest);
    hash->n++;
}

#define ADD(hash, ...)                                                         \
    add(hash, (const uint64_t[]){__VA_ARGS__},                                 \
        sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

void
result_hash_flow(struct result_hash *hash, const struct sink_flow *flow)
{
    ADD(hash, KIND_FLOW, flow->flow, flow->group, flow->source,
        flow->destination, flow->priority, flow->state, flow->error,
        (uint64_t)flow->start_ps, (uint64_t)flow->end_ps, flow->bytes,
        flow->packets, flow->retransmitted, flow->marked, flow->cnps,
        flow->timeouts);
}

void
result_hash_message(struct result_hash *hash,
                    const struct sink_message *message)
{
    ADD(hash, KIND_MESSAGE, message->flow, message->number,
        (uint64_t)message->start_ps, (uint64_t)message->end_ps, message->bytes,
        message->lost);
}

void
result_hash_pause(struct result_hash *hash, const struct sink_pause *pause)
{
    ADD(hash, KIND_PAUSE, pause->node, pause->port, pause->priority,
        (uint64_t)pause->start_ps, (uint64_t)pause->end_ps);
}

void
result_hash_drop(struct result_hash *hash, const struct sink_drop *drop)
{
    ADD(hash, KIND_DROP, (uint64_t)drop->t_ps, drop->node, drop->port,
        drop->priority, drop->reason, drop->flow, drop->psn, drop->bytes);
}

void
result_hash_change(struct result_hash *hash, const struct sink_change *change)
{
    ADD(hash, KIND_CHANGE, change->number, (uint64_t)change->t_ps,
        digest_text(DIGEST_START, change->text));
}

void
result_hash_io(struct result_hash *hash, const struct sink_io *io)
{
    ADD(hash, KIND_IO, io->number, digest_text(DIGEST_START, io->verb),
        io->client, io->server, io->node, io->copies, io->bytes,
        (uint64_t)io->start_ps, (uint64_t)io->end_ps, (uint64_t)io->stored_ps,
        io->front_bytes, io->back_bytes);
}

void
result_hash_merge(struct result_hash *hash, const struct result_hash *other)
{
    hash->sum += other->sum;
    hash->n += other->n;
}

uint64_t
result_hash_get(const struct result_hash *hash)
{
    return mix(hash->sum ^ mix(hash->n));
}
