/* SPDX-License-Identifier: Apache-2.0 */

/* A calendar of posts. */

#include <config.h>

#include "twin/event/wheel.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/line_pool.h"
#include "twin/event/post_sort.h"

enum {
    WAYS = 4, /* Of the heap. */
    FIRST_CAPACITY = 64,
    SLAB_CHUNKS = 32, /* Chunks that are allocated together. */
    MOST_EARLY = 8,   /* Buckets that are opened early together. */
};

static const struct post never = {EVENT_NEVER, UINT64_MAX};

static uint64_t
bucket_of(int64_t when_ps)
{
    return (uint64_t)when_ps >> WHEEL_BUCKET_BITS;
}

/* Chunks --------------------------------------------------------------- */

static void
give(struct wheel *wheel, struct wheel_chunk *chunk)
{
    chunk->next = wheel->free_chunks;
    wheel->free_chunks = chunk;
}

static struct wheel_chunk *
take(struct wheel *wheel)
{
    struct wheel_chunk *chunk;

    if (!wheel->free_chunks) {
        struct wheel_chunk *chunks =
            line_pool_take(wheel->memory, SLAB_CHUNKS * sizeof *chunks);

        for (int i = SLAB_CHUNKS - 1; i >= 0; i--) {
            give(wheel, &chunks[i]);
        }
    }
    chunk = wheel->free_chunks;
    wheel->free_chunks = chunk->next;
    return chunk;
}

/* Returns the chunk with the used posts before 'cursor'. */
static struct wheel_chunk *
chunk_of(struct post *cursor)
{
    const uintptr_t last = (uintptr_t)cursor - 1;

    return (struct wheel_chunk *)(void *)((char *)cursor - 1 -
                                          last % WHEEL_CHUNK_BYTES);
}

/* Buckets -------------------------------------------------------------- */

/* Returns the first word of 'taken' with bits after word 'from', in a circle
 * that ends with 'from' itself; -1 if there is none. */
static int
next_word(const struct wheel *wheel, uint32_t from)
{
    enum { SUMMARIES = WHEEL_BUCKETS / 64 / 64 };
    const uint64_t up_to = UINT64_MAX >> (63 - from % 64);
    uint32_t i = from / 64;
    uint64_t words = wheel->words[i] & ~up_to;

    for (uint32_t n = 1; !words && n <= SUMMARIES; n++) {
        i = (from / 64 + n) % SUMMARIES;
        words = wheel->words[i] & (n == SUMMARIES ? up_to : UINT64_MAX);
    }
    return words ? (int)(i * 64) + __builtin_ctzll(words) : -1;
}

/* Returns the number of the next bucket with posts, UINT64_MAX if there is
 * none. */
static uint64_t
next_bucket(const struct wheel *wheel)
{
    const uint32_t from = (uint32_t)((wheel->open + 1) % WHEEL_BUCKETS);
    uint32_t word = from / 64;
    uint64_t bits = wheel->taken[word] & ~UINT64_C(0) << from % 64;

    if (!bits) {
        const int next = next_word(wheel, word);

        if (next < 0) {
            return UINT64_MAX;
        }
        word = (uint32_t)next;
        bits = wheel->taken[word]; /* Of the first word: those before 'from'. */
    }
    return wheel->open + 1 +
           (word * 64 + (uint32_t)__builtin_ctzll(bits) - from) % WHEEL_BUCKETS;
}

/* Gives the bucket with number 'bucket' a chunk with room, and returns where to
 * write. */
static struct post *
lengthen(struct wheel *wheel, uint64_t bucket)
{
    const uint32_t i = (uint32_t)(bucket % WHEEL_BUCKETS);
    struct wheel_chunk *chunk = take(wheel);

    wheel->mark = wheel->end - WHEEL_AHEAD;
    chunk->next = wheel->cursors[i] ? chunk_of(wheel->cursors[i]) : NULL;
    chunk->second = chunk->next ? chunk->next->next : NULL;
    wheel->taken[i / 64] |= UINT64_C(1) << i % 64;
    wheel->words[i / 64 / 64] |= UINT64_C(1) << i / 64 % 64;
    return chunk->posts;
}

/* Makes room for 'n' more posts before those of the open bucket. */
static void
reserve(struct wheel *wheel, size_t n)
{
    const size_t used = (size_t)(wheel->end - wheel->first);
    size_t capacity = wheel->capacity;
    struct post *posts;

    if (used + n <= capacity) {
        return;
    }
    while (capacity < used + n) {
        capacity = capacity ? 2 * capacity : (size_t)FIRST_CAPACITY;
    }
    posts = check_malloc((capacity + WHEEL_AHEAD) * sizeof *posts);
    if (used) {
        memcpy(posts + capacity - used, wheel->first, used * sizeof *posts);
    }
    for (int i = 0; i < WHEEL_AHEAD; i++) {
        posts[capacity + (size_t)i] = never;
    }
    free(wheel->posts);
    free(wheel->spare);
    wheel->posts = posts;
    wheel->spare = check_malloc(capacity * sizeof *posts);
    wheel->capacity = capacity;
    wheel->end = posts + capacity;
    wheel->first = wheel->end - used;
    wheel->mark = wheel->end;
}

/* Inserts 'post' into the open bucket. */
static void
insert(struct wheel *wheel, struct post post)
{
    struct post *low;
    struct post *high;

    reserve(wheel, 1);
    low = wheel->first;
    high = wheel->end;
    while (low < high) {
        struct post *middle = low + (high - low) / 2;

        if (post_is_before(&post, middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    memmove(wheel->first - 1, wheel->first,
            (size_t)(low - wheel->first) * sizeof post);
    wheel->first--;
    low[-1] = post;
}

/* The heap ------------------------------------------------------------- */

static void
far_add(struct wheel *wheel, struct post post)
{
    size_t i = wheel->n_far++;

    if (i == wheel->far_capacity) {
        wheel->far_capacity = i ? 2 * i : (size_t)FIRST_CAPACITY;
        wheel->far =
            check_realloc(wheel->far, wheel->far_capacity * sizeof post);
    }
    while (i && post_is_before(&post, &wheel->far[(i - 1) / WAYS])) {
        wheel->far[i] = wheel->far[(i - 1) / WAYS];
        i = (i - 1) / WAYS;
    }
    wheel->far[i] = post;
}

static struct post
far_take(struct wheel *wheel)
{
    const struct post taken = wheel->far[0];
    const struct post post = wheel->far[--wheel->n_far];
    size_t i = 0;

    for (;;) {
        const size_t child = WAYS * i + 1;
        size_t first = child;

        for (size_t k = child + 1; k < child + WAYS && k < wheel->n_far; k++) {
            if (post_is_before(&wheel->far[k], &wheel->far[first])) {
                first = k;
            }
        }
        if (child >= wheel->n_far ||
            !post_is_before(&wheel->far[first], &post)) {
            break;
        }
        wheel->far[i] = wheel->far[first];
        i = first;
    }
    wheel->far[i] = post;
    return taken;
}

/* Returns the number of the bucket of the first far post, UINT64_MAX if there
 * is none. */
static uint64_t
far_bucket(const struct wheel *wheel)
{
    return wheel->n_far ? bucket_of(wheel->far[0].when_ps) : UINT64_MAX;
}

/* The wheel ------------------------------------------------------------ */

void
wheel_init(struct wheel *wheel, struct line_pool *memory)
{
    *wheel = (struct wheel){.memory = memory};
    reserve(wheel, 1);
}

void
wheel_fini(struct wheel *wheel)
{
    free(wheel->posts);
    free(wheel->spare);
    free(wheel->far);
}

/* Copies the posts of a bucket, whose cursor is 'cursor', to 'to', unless that
 * is NULL.  Returns their number. */
static size_t
read_bucket(struct post *cursor, struct post *to)
{
    struct wheel_chunk *chunk = cursor ? chunk_of(cursor) : NULL;
    size_t n = cursor ? (size_t)(cursor - chunk->posts) : 0;
    size_t sum = 0;

    for (; chunk; chunk = chunk->next, n = WHEEL_CHUNK_POSTS) {
        if (to) {
            memcpy(to + sum, chunk->posts, n * sizeof *to);
        }
        sum += n;
    }
    return sum;
}

size_t
wheel_count(const struct wheel *wheel)
{
    size_t n = (size_t)(wheel->end - wheel->first) + wheel->n_far;

    for (int i = 0; i < WHEEL_BUCKETS; i++) {
        n += read_bucket(wheel->cursors[i], NULL);
    }
    return n;
}

void
wheel_visit(const struct wheel *wheel, wheel_visit_fn *visit, void *context)
{
    for (const struct post *post = wheel->first; post < wheel->end; post++) {
        visit(context, post);
    }
    for (size_t i = 0; i < wheel->n_far; i++) {
        visit(context, &wheel->far[i]);
    }
    for (int i = 0; i < WHEEL_BUCKETS; i++) {
        struct post *end = wheel->cursors[i];
        struct wheel_chunk *chunk = end ? chunk_of(end) : NULL;

        for (; chunk; chunk = chunk->next,
                      end = chunk ? &chunk->posts[WHEEL_CHUNK_POSTS] : NULL) {
            for (const struct post *post = chunk->posts; post < end; post++) {
                visit(context, post);
            }
        }
    }
}

int64_t
wheel_next_ps(const struct wheel *wheel)
{
    const uint64_t bucket = next_bucket(wheel);
    int64_t next_ps = wheel->n_far ? wheel->far[0].when_ps : EVENT_NEVER;
    struct post *cursor;
    struct wheel_chunk *chunk;

    if (wheel->first < wheel->end) {
        return wheel->first->when_ps;
    }
    if (bucket == UINT64_MAX || bucket > bucket_of(next_ps)) {
        return next_ps;
    }
    cursor = wheel->cursors[bucket % WHEEL_BUCKETS];
    for (chunk = chunk_of(cursor); chunk; chunk = chunk->next,
        cursor = chunk ? &chunk->posts[WHEEL_CHUNK_POSTS] : NULL) {
        for (const struct post *post = chunk->posts; post < cursor; post++) {
            next_ps = post->when_ps < next_ps ? post->when_ps : next_ps;
        }
    }
    return next_ps;
}

/* Moves the posts of the bucket with number 'bucket' to the front of the open
 * bucket, in the order in which they were added: the newest chunk comes first,
 * and is put last. */
static void
move_bucket(struct wheel *wheel, uint64_t bucket)
{
    const uint32_t i = (uint32_t)(bucket % WHEEL_BUCKETS);
    struct wheel_chunk *chunk = chunk_of(wheel->cursors[i]);
    size_t n = (size_t)(wheel->cursors[i] - chunk->posts);

    wheel->cursors[i] = NULL;
    wheel->taken[i / 64] &= ~(UINT64_C(1) << i % 64);
    if (!wheel->taken[i / 64]) {
        wheel->words[i / 64 / 64] &= ~(UINT64_C(1) << i / 64 % 64);
    }
    while (chunk) {
        struct wheel_chunk *next = chunk->next;

        for (size_t k = 0; chunk->second && k < WHEEL_CHUNK_BYTES; k += 64) {
            __builtin_prefetch((const char *)chunk->second + k);
        }
        reserve(wheel, n);
        wheel->first -= n;
        memcpy(wheel->first, chunk->posts, n * sizeof *wheel->first);
        n = WHEEL_CHUNK_POSTS;
        give(wheel, chunk);
        chunk = next;
    }
}

/* Opens the next bucket unless its number exceeds 'last'.  The open bucket must
 * be empty. */
static bool
open_next(struct wheel *wheel, uint64_t last)
{
    const uint64_t near = next_bucket(wheel);
    const uint64_t far = far_bucket(wheel);
    const uint64_t bucket = near < far ? near : far;

    if (bucket > last || bucket == UINT64_MAX) {
        return false;
    }
    wheel->open = bucket;
    if (near == bucket) {
        move_bucket(wheel, bucket);
    }
    while (far_bucket(wheel) == bucket) {
        reserve(wheel, 1);
        *--wheel->first = far_take(wheel);
    }
    post_sort(wheel->first, (size_t)(wheel->end - wheel->first), wheel->spare);
    return true;
}

/* Stores the numbers of the next buckets that can be opened together, up to
 * 'last', in 'buckets'.  Returns how many: until there are enough posts to look
 * ahead, or a bucket is large, or a far post comes first. */
static uint32_t
find_early(struct wheel *wheel, uint64_t last, uint64_t buckets[MOST_EARLY])
{
    const uint64_t open = wheel->open;
    const uint64_t far = far_bucket(wheel);
    size_t n_posts = 0;
    uint32_t n = 0;

    while (n < MOST_EARLY && n_posts <= 2 * WHEEL_AHEAD) {
        const uint64_t bucket = next_bucket(wheel);
        struct post *cursor = wheel->cursors[bucket % WHEEL_BUCKETS];
        const struct wheel_chunk *chunk;

        if (bucket > last || bucket >= far) {
            break;
        }
        chunk = chunk_of(cursor);
        n_posts += (size_t)(cursor - chunk->posts);
        n_posts += chunk->next ? 2 * WHEEL_AHEAD : 0;
        buckets[n++] = bucket;
        wheel->open = bucket;
    }
    wheel->open = open;
    return n;
}

/* Opens the next buckets unless their numbers exceed 'last'.  The open bucket
 * must be empty. */
static bool
open_early(struct wheel *wheel, uint64_t last)
{
    uint64_t buckets[MOST_EARLY];
    uint32_t n = find_early(wheel, last, buckets);

    if (n == 0) {
        return open_next(wheel, last);
    }
    wheel->open = buckets[n - 1];
    while (n-- > 0) {
        const ptrdiff_t before = wheel->end - wheel->first;

        move_bucket(wheel, buckets[n]);
        post_sort(wheel->first, (size_t)(wheel->end - wheel->first - before),
                  wheel->spare);
    }
    return true;
}

bool
wheel_open(struct wheel *wheel, int64_t limit_ps)
{
    const bool has_opened = open_next(wheel, bucket_of(limit_ps));

    wheel->mark = wheel->end - WHEEL_AHEAD;
    return has_opened;
}

void
wheel_extend(struct wheel *wheel, int64_t now_ps)
{
    const uint64_t last = bucket_of(now_ps) + WHEEL_NEAR;

    while (wheel->end - wheel->first <= WHEEL_AHEAD) {
        const size_t n = (size_t)(wheel->end - wheel->first);
        struct post posts[WHEEL_AHEAD];
        bool has_opened;

        /* All of them are earlier than those of the next bucket. */
        memcpy(posts, wheel->first, n * sizeof *posts);
        wheel->first = wheel->end;
        has_opened = open_early(wheel, last);
        reserve(wheel, n);
        wheel->first -= n;
        memcpy(wheel->first, posts, n * sizeof *posts);
        if (!has_opened) {
            wheel->mark = wheel->end; /* Until a bucket gets its first post. */
            return;
        }
    }
    wheel->mark = wheel->end - WHEEL_AHEAD;
}

/* If nothing is left in the open bucket, advances the calendar to 'now_ps', as
 * far as no bucket with posts is passed. */
static void
advance(struct wheel *wheel, int64_t now_ps)
{
    uint64_t to = bucket_of(now_ps);
    const uint64_t near = next_bucket(wheel);
    const uint64_t far = far_bucket(wheel);

    if (wheel->first < wheel->end) {
        return;
    }
    to = near <= to ? near - 1 : to;
    to = far <= to ? far - 1 : to;
    wheel->open = to > wheel->open ? to : wheel->open;
}

void
wheel_add_slow__(struct wheel *wheel, struct post post, int64_t now_ps)
{
    const uint64_t bucket = bucket_of(post.when_ps);

    if (bucket > wheel->open + WHEEL_BUCKETS - 1) {
        advance(wheel, now_ps);
    }
    if (bucket <= wheel->open) {
        insert(wheel, post);
    } else if (bucket - wheel->open < WHEEL_BUCKETS) {
        struct post **cursor = &wheel->cursors[bucket % WHEEL_BUCKETS];

        if ((uintptr_t)*cursor % WHEEL_CHUNK_BYTES == 0) {
            *cursor = lengthen(wheel, bucket);
        }
        *(*cursor)++ = post;
    } else {
        far_add(wheel, post);
    }
}
