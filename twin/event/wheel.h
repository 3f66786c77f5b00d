/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_EVENT_WHEEL_H
#define ORCHD_TWIN_EVENT_WHEEL_H

/* The pending posted events of an engine, in order.
 *
 * Problem: a fabric has up to two events per packet and hop, and tens of
 * thousands of them pending, nearly all within the next microseconds.
 *
 * Idea: a calendar.  Time is divided into buckets of 4.096 ns.  A post for one
 * of the next 8,191 buckets (33.5 us) is appended to its bucket in no order.
 * When a bucket is *opened*, because all earlier posts have been taken, its
 * posts are copied to one array and sorted; they are taken from there.  A post
 * for the open bucket, or an earlier time, is inserted into the array.  Posts
 * beyond the calendar wait in a heap, and join the others when their bucket is
 * opened.
 *
 * Looking ahead: while an event is handled, what the next ones need can be
 * fetched into the cache, if they are known.  So the following buckets are
 * opened before the array is empty, as long as they are near.
 *
 * Cost: a post that is neither near nor far is written, copied and read once
 * each, and the sort is short.  A bucket is a chain of chunks of 15 posts; a
 * chunk that was emptied is used again next, while it is in the cache.  Memory
 * is allocated only when more posts are pending than ever before.
 *
 * Reference: Brown, "Calendar queues" (1988); the sorted bucket is the bottom
 * of a ladder queue (Tang, Goh and Thng, 2005). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "twin/event/event.h"

enum {
    WHEEL_BUCKET_BITS = 12, /* A bucket has 2^12 ps. */
    WHEEL_BUCKETS = 8192,
    WHEEL_CHUNK_BYTES = 256,
    WHEEL_CHUNK_POSTS = WHEEL_CHUNK_BYTES / sizeof(struct post) - 1,
    WHEEL_AHEAD = 16, /* See wheel_ahead(). */
    WHEEL_NEAR = 16,  /* Buckets from the present that are opened early. */
};

/* Aligned to its size, so that a pointer to the end of the used part tells
 * where the chunk begins, and whether it is full. */
struct wheel_chunk {
    /* Full chunks of the same bucket: the next one, and the one after it, to be
     * prefetched. */
    _Alignas(WHEEL_CHUNK_BYTES) struct wheel_chunk *next;
    struct wheel_chunk *second;
    _Alignas(16) struct post posts[WHEEL_CHUNK_POSTS];
};

struct line_pool;

struct wheel {
    /* The open bucket: sorted, at the end of 'posts', and followed there by
     * WHEEL_AHEAD posts for EVENT_NEVER. */
    struct post *first;
    struct post *end;
    struct post *mark; /* From here on the next bucket should be opened, too; or
                        * 'end'. */
    uint64_t open;     /* Its number: the time divided by that of a bucket. */

    /* Where the next post for a bucket is to be written: in its newest chunk.
     * At the boundary of a chunk, or NULL: a new chunk is needed first. */
    struct post *cursors[WHEEL_BUCKETS];
    uint64_t taken[WHEEL_BUCKETS / 64];      /* A bit per bucket with posts. */
    uint64_t words[WHEEL_BUCKETS / 64 / 64]; /* A bit per word with bits. */

    struct post *posts; /* Has the open bucket. */
    struct post *spare; /* For sorting; as large. */
    size_t capacity;    /* Of both, without the posts for EVENT_NEVER. */

    struct post *far; /* A heap. */
    size_t n_far;
    size_t far_capacity;

    struct wheel_chunk *free_chunks;
    struct line_pool *memory; /* Borrowed. */
};

/* Makes 'wheel' empty, at time 0.  Its memory comes from 'memory', and ends
 * with it.  End with wheel_fini(). */
void wheel_init(struct wheel *wheel, struct line_pool *memory);

/* Frees what 'wheel' owns. */
void wheel_fini(struct wheel *wheel);

/* Returns the number of pending posts.  Counts them. */
size_t wheel_count(const struct wheel *wheel);

/* Calls 'visit' for each pending post, in no order.  It must not change the
 * wheel. */
typedef void wheel_visit_fn(void *context, const struct post *post);
void wheel_visit(const struct wheel *wheel, wheel_visit_fn *visit,
                 void *context);

/* Returns the time of the first post, EVENT_NEVER if there is none. */
int64_t wheel_next_ps(const struct wheel *wheel);

/* Opens the next bucket, if there is one that begins at 'limit_ps' or before.
 * The open bucket must be empty.  Returns false, and changes nothing, if there
 * is none. */
bool wheel_open(struct wheel *wheel, int64_t limit_ps);

/* Does the same for buckets near 'now_ps', the time of the engine, until more
 * than WHEEL_AHEAD posts are in the open bucket.  To be called when 'first' has
 * reached 'mark'. */
void wheel_extend(struct wheel *wheel, int64_t now_ps);

/* Adds 'post' at any place.  The time of the engine is 'now_ps'. */
void wheel_add_slow__(struct wheel *wheel, struct post post, int64_t now_ps);

/* Adds 'post', which is not before 'now_ps', the time of the engine. */
static inline void
wheel_add(struct wheel *wheel, struct post post, int64_t now_ps)
{
    const uint64_t bucket = (uint64_t)post.when_ps >> WHEEL_BUCKET_BITS;
    struct post **cursor = &wheel->cursors[bucket % WHEEL_BUCKETS];

    /* Buckets up to the open one wrap around and fail, too. */
    if (bucket - wheel->open - 1 < WHEEL_BUCKETS - 1 &&
        (uintptr_t)*cursor % WHEEL_CHUNK_BYTES) {
        *(*cursor)++ = post;
    } else {
        wheel_add_slow__(wheel, post, now_ps);
    }
}

/* Returns the post that comes 'n' (below WHEEL_AHEAD) after the first, as far
 * as is known now, or one for EVENT_NEVER: for prefetching. */
static inline const struct post *
wheel_ahead(const struct wheel *wheel, unsigned int n)
{
    return wheel->first + n;
}

#endif /* twin/event/wheel.h */
