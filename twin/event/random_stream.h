/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_EVENT_RANDOM_STREAM_H
#define ORCHD_TWIN_EVENT_RANDOM_STREAM_H

/* Streams of random numbers that do not depend on each other.
 *
 * Problem: if places share a generator, what one of them draws depends on how
 * many numbers the others have drawn before, so it changes when traffic is
 * added elsewhere or a fabric is divided among processes.
 *
 * Idea: a number is a function of the seed of the fabric, the entity that draws
 * it (event.h), its purpose, and how many numbers were drawn before by this
 * entity for this purpose.  The function is Philox4x32-10, a keyed bijection of
 * 128 bits that passes the usual test suites: the seed is the key, and entity,
 * purpose and count are the counter.  One application gives four numbers of 32
 * bits.  The state is only a count, and the last four numbers.
 *
 * All functions use integer arithmetic only, so the same stream gives the same
 * bits with every compiler.  It is not cryptographic.
 *
 * Reference: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy
 * as 1, 2, 3" (2011); the implementation is their library, Random123. */

#include <stdbool.h>
#include <stdint.h>

/* What numbers are drawn for.  The values are part of the results: append. */
enum random_purpose {
    RANDOM_TEST,       /* For tests, and for what has a seed of its own. */
    RANDOM_WRED,       /* WRED verdicts at a port. */
    RANDOM_PACE,       /* Intervals between frames or messages. */
    RANDOM_JITTER,     /* Response and processing times. */
    RANDOM_SPRAY,      /* The entropy of packets that are sprayed over paths. */
    RANDOM_LOSS,       /* Frames that a cable loses. */
    RANDOM_TRAFFIC,    /* Sources, destinations and sizes. */
    RANDOM_ADDRESS,    /* Where in memory messages go. */
    RANDOM_BACKGROUND, /* What else a processor does. */
    RANDOM_DELAY,      /* Delays of the system of a host. */
    RANDOM_BIT_ERRORS, /* Bits of frames that a cable damages. */
    RANDOM_SET_ERRORS, /* Those of ordered sets. */
    RANDOM_DISK,       /* Latencies of the disk of a host. */
};

/* A stream.  Initialise it with random_stream_init(). */
struct random_stream {
    uint64_t seed;
    uint32_t entity;
    uint32_t purpose;
    uint64_t n; /* How many words were drawn. */
    uint32_t words[4];
};

/* Starts the stream of 'entity' for 'purpose'. */
void random_stream_init(struct random_stream *stream, uint64_t seed,
                        uint32_t entity, enum random_purpose purpose);

/* Stores the words 4 * 'block' to 4 * 'block' + 3 of a stream: random access,
 * without a state. */
void random_stream_block(uint64_t seed, uint32_t entity,
                         enum random_purpose purpose, uint64_t block,
                         uint32_t words[4]);

/* Computes the next four words of 'stream'. */
void random_stream_refill__(struct random_stream *stream);

/* Returns 32 random bits: the next word. */
static inline uint32_t
random_stream_u32(struct random_stream *stream)
{
    if (stream->n % 4 == 0) {
        random_stream_refill__(stream);
    }
    return stream->words[stream->n++ % 4];
}

/* Returns 64 random bits: the next two words, the lower half first. */
static inline uint64_t
random_stream_u64(struct random_stream *stream)
{
    const uint64_t low = random_stream_u32(stream);

    return low | (uint64_t)random_stream_u32(stream) << 32;
}

/* Returns true with probability 'threshold' / 2^32; 'threshold' is at most
 * 2^32.  Draws one word in any case. */
static inline bool
random_stream_chance(struct random_stream *stream, uint64_t threshold)
{
    return random_stream_u32(stream) < threshold;
}

/* Returns true with probability 'threshold' / 2^64.  Draws two words. */
static inline bool
random_stream_rare(struct random_stream *stream, uint64_t threshold)
{
    return random_stream_u64(stream) < threshold;
}

/* Returns a number below 'n' (not 0), each with the same probability. */
uint64_t random_stream_below(struct random_stream *stream, uint64_t n);

/* Returns an exponentially distributed number, like random_exponential()
 * (base/random.h). */
uint64_t random_stream_exponential(struct random_stream *stream, uint64_t mean);

#endif /* twin/event/random_stream.h */
