/* SPDX-License-Identifier: Apache-2.0 */

/* Streams of random numbers from Philox4x32-10. */

#include <config.h>

#include "twin/event/random_stream.h"

#include <Random123/philox.h>

#include "base/random.h"

enum { WORDS = 4 };

void
random_stream_init(struct random_stream *stream, uint64_t seed, uint32_t entity,
                   enum random_purpose purpose)
{
    *stream = (struct random_stream){
        .seed = seed, .entity = entity, .purpose = purpose};
}

void
random_stream_block(uint64_t seed, uint32_t entity, enum random_purpose purpose,
                    uint64_t block, uint32_t words[4])
{
    const philox4x32_ctr_t counter = {
        {(uint32_t)block, (uint32_t)(block >> 32), entity, purpose}};
    const philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    const philox4x32_ctr_t result = philox4x32(counter, key);

    for (int i = 0; i < WORDS; i++) {
        words[i] = result.v[i];
    }
}

void
random_stream_refill__(struct random_stream *stream)
{
    random_stream_block(stream->seed, stream->entity,
                        (enum random_purpose)stream->purpose, stream->n / WORDS,
                        stream->words);
}

/* A random_source_fn. */
static uint64_t
draw(void *stream)
{
    return random_stream_u64(stream);
}

uint64_t
random_stream_below(struct random_stream *stream, uint64_t n)
{
    return random_below_from(draw, stream, n);
}

uint64_t
random_stream_exponential(struct random_stream *stream, uint64_t mean)
{
    return random_exponential_from(draw, stream, mean);
}
