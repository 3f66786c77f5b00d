/* SPDX-License-Identifier: Apache-2.0 */

/* Sorts posts: few by insertion, many by those bits of their times, classes and
 * entities in which they differ, from the lowest digit to the highest.
 *
 * Arguments take no part in that: posts of one time, class and entity are
 * exceptions (event.h), so a last look at the neighbors is cheaper than more
 * digits. */

#include <config.h>

#include "twin/event/post_sort.h"

#include <string.h>

enum {
    /* Up to this many posts are sorted by insertion. */
    FEW_POSTS = 16,
    DIGIT_BITS = 7,
    DIGITS = 1 << DIGIT_BITS,
};

/* Class and entity. */
#define PLACE_MASK (UINT64_MAX << EVENT_ARG_BITS)

/* Sorts posts from 'begin' on, before which all are sorted. */
static void
insert_from(struct post *posts, size_t begin, size_t n)
{
    for (size_t i = begin; i < n; i++) {
        const struct post post = posts[i];
        size_t k = i;

        for (; k && post_is_before(&post, &posts[k - 1]); k--) {
            posts[k] = posts[k - 1];
        }
        posts[k] = post;
    }
}

/* Returns the index of the first post that is before its predecessor, 'n' if
 * all are sorted. */
static size_t
find_disorder(const struct post *posts, size_t n)
{
    size_t i = 1;

    while (i < n && !post_is_before(&posts[i], &posts[i - 1])) {
        i++;
    }
    return i;
}

/* Returns the digit at 'shift' of the time, or of class and entity. */
static inline uint32_t
digit(const struct post *post, bool of_time, unsigned int shift)
{
    const uint64_t key = of_time ? (uint64_t)post->when_ps : post->order;

    return (uint32_t)(key >> shift) % DIGITS;
}

/* Copies 'from' to 'to', ordered by a digit. */
static inline __attribute__((always_inline)) void
order_by(const struct post *from, struct post *to, size_t n, bool of_time,
         unsigned int shift)
{
    uint32_t starts[DIGITS + 1] = {0};

    for (size_t i = 0; i < n; i++) {
        starts[digit(&from[i], of_time, shift) + 1]++;
    }
    for (int i = 1; i < DIGITS; i++) {
        starts[i] += starts[i - 1];
    }
    for (size_t i = 0; i < n; i++) {
        to[starts[digit(&from[i], of_time, shift)]++] = from[i];
    }
}

/* Sorts 'posts' by time, class and entity.  'spare' has room for as many. */
static void
sort_many(struct post *posts, size_t n, struct post *spare)
{
    struct post *from = posts;
    struct post *to = spare;
    uint64_t times = 0; /* Bits in which they differ. */
    uint64_t places = 0;

    for (size_t i = 1; i < n; i++) {
        times |= (uint64_t)(posts[i].when_ps ^ posts[0].when_ps);
        places |= posts[i].order ^ posts[0].order;
    }
    places &= PLACE_MASK;
    while (places || times) {
        uint64_t *left = places ? &places : &times;
        const unsigned int shift = (unsigned int)__builtin_ctzll(*left);
        struct post *other = from;

        if (places) {
            order_by(from, to, n, false, shift);
        } else {
            order_by(from, to, n, true, shift);
        }
        *left &= ~((uint64_t)(DIGITS - 1) << shift);
        from = to;
        to = other;
    }
    if (from != posts) {
        memcpy(posts, from, n * sizeof *posts);
    }
}

void
post_sort(struct post *posts, size_t n, struct post *spare)
{
    size_t disorder;

    if (n <= FEW_POSTS) {
        insert_from(posts, 1, n);
        return;
    }
    /* What happens in lockstep is added in order. */
    if (find_disorder(posts, n) < n) {
        sort_many(posts, n, spare);
        disorder = find_disorder(posts, n);
        insert_from(posts, disorder, n);
    }
}
