/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_MEASURE_RESULT_HASH_H
#define ORCHD_LAB_MEASURE_RESULT_HASH_H

/* One number for all that a run has done: equal results have equal hashes.
 *
 * It covers ends of flows, completions of messages, drops and pauses, and what
 * was changed while the run stood still.  Each
 * record becomes bytes in a fixed order (big-endian, 8 per member), is hashed
 * by itself, and the hashes are added: the order of calls does not matter, nor
 * the compiler, its options or the byte order of the machine.  Names and marks
 * are not part of it. */

#include <stdint.h>

struct sink_change;
struct sink_drop;
struct sink_flow;
struct sink_io;
struct sink_message;
struct sink_pause;

/* Zero-initialise it. */
struct result_hash {
    uint64_t sum;
    uint64_t n; /* Records. */
};

/* Add a record; a pause once, when it has ended (or with the end of the run as
 * its end). */
void result_hash_flow(struct result_hash *hash, const struct sink_flow *flow);
void result_hash_message(struct result_hash *hash,
                         const struct sink_message *message);
void result_hash_pause(struct result_hash *hash,
                       const struct sink_pause *pause);
void result_hash_drop(struct result_hash *hash, const struct sink_drop *drop);
void result_hash_change(struct result_hash *hash,
                        const struct sink_change *change);
void result_hash_io(struct result_hash *hash, const struct sink_io *io);

/* Adds the records of 'other', for example those of another rank. */
void result_hash_merge(struct result_hash *hash,
                       const struct result_hash *other);

/* Returns the hash. */
uint64_t result_hash_get(const struct result_hash *hash);

#endif /* lab/measure/result_hash.h */
