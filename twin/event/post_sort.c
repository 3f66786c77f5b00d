/* SPDX-License-Identifier: Apache-2.0 */

/* Sorts posts: few by insertion, many by digits of their times, then runs of
 * equal times by those bytes of class, entity and argument in which they
 * differ. */

#include <config.h>

#include "twin/event/post_sort.h"

#include <string.h>

enum {
    /* Up to this many posts are sorted by insertion. */
    FEW_POSTS = 24,
    /* The digits of a time within its bucket. */
    DIGIT_BITS = POST_SORT_TIME_BITS / 2,
    DIGITS = 1 << DIGIT_BITS,
    BYTES = 256,
};

static void
sort_few(struct post *posts, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const struct post post = posts[i];
        size_t k = i;

        for (; k && post_is_before(&post, &posts[k - 1]); k--) {
            posts[k] = posts[k - 1];
        }
        posts[k] = post;
    }
}

static bool
is_sorted(const struct post *posts, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (post_is_before(&posts[i], &posts[i - 1])) {
            return false;
        }
    }
    return true;
}

/* Copies 'from' to 'to', ordered by the digit at 'shift' of the time. */
static void
order_by_time(const struct post *from, struct post *to, size_t n,
              unsigned int shift)
{
    size_t starts[DIGITS + 1] = {0};

    for (size_t i = 0; i < n; i++) {
        starts[((uint64_t)from[i].when_ps >> shift) % DIGITS + 1]++;
    }
    for (int i = 1; i < DIGITS; i++) {
        starts[i] += starts[i - 1];
    }
    for (size_t i = 0; i < n; i++) {
        to[starts[((uint64_t)from[i].when_ps >> shift) % DIGITS]++] = from[i];
    }
}

/* Does the same by the byte at 'shift' of class, entity and argument. */
static void
order_by_byte(const struct post *from, struct post *to, size_t n,
              unsigned int shift)
{
    size_t starts[BYTES + 1] = {0};

    for (size_t i = 0; i < n; i++) {
        starts[(from[i].order >> shift) % BYTES + 1]++;
    }
    for (int i = 1; i < BYTES; i++) {
        starts[i] += starts[i - 1];
    }
    for (size_t i = 0; i < n; i++) {
        to[starts[(from[i].order >> shift) % BYTES]++] = from[i];
    }
}

/* Sorts posts of equal times.  'spare' has room for as many. */
static void
sort_equal(struct post *posts, struct post *spare, size_t n)
{
    struct post *from = posts;
    struct post *to = spare;
    uint64_t differs = 0;

    if (n <= FEW_POSTS) {
        sort_few(posts, n);
        return;
    }
    if (is_sorted(posts, n)) {
        return;
    }
    for (size_t i = 1; i < n; i++) {
        differs |= posts[i].order ^ posts[0].order;
    }
    for (unsigned int shift = 0; shift < 64; shift += 8) {
        if (differs >> shift & (BYTES - 1)) {
            struct post *other = from;

            order_by_byte(from, to, n, shift);
            from = to;
            to = other;
        }
    }
    if (from != posts) {
        memcpy(posts, from, n * sizeof *posts);
    }
}

void
post_sort(struct post *posts, size_t n, struct post *spare)
{
    size_t begin = 0;

    if (n <= FEW_POSTS) {
        sort_few(posts, n);
        return;
    }
    /* What happens in lockstep is added in order. */
    if (is_sorted(posts, n)) {
        return;
    }
    order_by_time(posts, spare, n, 0);
    order_by_time(spare, posts, n, DIGIT_BITS);
    for (size_t i = 1; i <= n; i++) {
        if (i == n || posts[i].when_ps != posts[begin].when_ps) {
            sort_equal(posts + begin, spare, i - begin);
            begin = i;
        }
    }
}
