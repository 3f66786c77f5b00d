/* SPDX-License-Identifier: Apache-2.0 */

/* The hash index: against an array, with good hashes and with bad ones. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash_index.h"

#define N 500

struct item {
    unsigned int number; /* Key. */
    uint32_t hash;
    bool in;
};

static struct item items[N];

static bool
has_number(const void *item_, const void *number)
{
    const struct item *item = item_;

    return item->number == *(const unsigned int *)number;
}

/* Checks that 'index' has exactly the items that are 'in'. */
static void
check(const struct hash_index *index)
{
    size_t n = 0, walked = 0, place = 0;
    const struct item *item;

    for (unsigned int i = 0; i < N; i++) {
        const void *found =
            hash_index_find(index, items[i].hash, has_number, &i);

        assert_ptr_equal(found, items[i].in ? &items[i] : NULL);
        n += items[i].in;
    }
    while ((item = hash_index_next(index, &place))) {
        assert_true(item->in);
        walked++;
    }
    assert_int_equal(index->n, n);
    assert_int_equal(walked, n);
}

static void
toggle(struct hash_index *index, struct item *item)
{
    if (item->in) {
        hash_index_remove(index, item->hash, item);
    } else {
        hash_index_add(index, item->hash, item);
    }
    item->in = !item->in;
}

/* Adds, removes and adds again, in an order that has no pattern. */
static void
exercise(uint32_t hash_mask)
{
    struct hash_index index = {0};
    uint32_t at = 1;

    for (unsigned int i = 0; i < N; i++) {
        items[i] = (struct item){i, hash_index_number(i) & hash_mask, false};
    }
    check(&index);
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 100; i++) {
            at = at * 1103515245 + 12345;
            toggle(&index, &items[(at >> 8) % N]);
        }
        check(&index);
    }
    for (unsigned int i = 0; i < N; i++) {
        if (items[i].in) {
            toggle(&index, &items[i]);
        }
    }
    check(&index);
    hash_index_fini(&index);
    check(&index);
}

static void
good_hashes(void **state)
{
    (void)state;
    exercise(UINT32_MAX);
}

/* Items collide: with 8 hashes, with one, and with hashes that differ in bits
 * that name no place. */
static void
bad_hashes(void **state)
{
    (void)state;
    exercise(UINT32_MAX << 29);
    exercise(UINT32_MAX >> 22);
    exercise(0);
}

/* Between half and 3/4 of the places are used. */
static void
sizes(void **state)
{
    struct hash_index index = {0};

    (void)state;
    for (unsigned int i = 0; i < N; i++) {
        items[i] = (struct item){i, hash_index_number(i), true};
        hash_index_add(&index, items[i].hash, &items[i]);
        assert_true(index.size == 8 || index.size <= 2 * index.n);
        assert_true(4 * index.n <= 3 * index.size);
    }
    hash_index_fini(&index);
}

/* Each byte counts, also those after the last whole word, and the length. */
static void
hashes_of_texts(void **state)
{
    char text[33];
    uint32_t hash;

    (void)state;
    assert_int_equal(hash_index_text("Ethernet0|3-4"),
                     hash_index_bytes("Ethernet0|3-4", 13));
    assert_int_not_equal(hash_index_bytes("a\0\0", 1),
                         hash_index_bytes("a\0\0", 3));
    for (size_t n = 1; n < sizeof text; n++) {
        memset(text, 'a', n);
        text[n] = '\0';
        hash = hash_index_text(text);
        for (size_t i = 0; i < n; i++) {
            text[i] = 'b';
            assert_int_not_equal(hash_index_text(text), hash);
            text[i] = 'a';
        }
    }
}

/* The names of a switch: the places of their hashes are as even as chance. */
static void
hashes_of_names(void **state)
{
    unsigned int used[1024] = {0}, most = 0;
    char name[64];

    (void)state;
    for (int port = 0; port < 512; port++) {
        for (int queue = 0; queue < 20; queue++) {
            unsigned int *n;

            snprintf(name, sizeof name, "BUFFER_QUEUE|Ethernet%d|%d", port,
                     queue);
            n = &used[hash_index_text(name) >> 22];
            (*n)++;
            most = *n > most ? *n : most;
        }
    }
    /* 10 on average; that one of 1,024 has more than 30 is less likely than
     * one in a million. */
    assert_in_range(most, 10, 30);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_hashes),     cmocka_unit_test(bad_hashes),
        cmocka_unit_test(sizes),           cmocka_unit_test(hashes_of_texts),
        cmocka_unit_test(hashes_of_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
