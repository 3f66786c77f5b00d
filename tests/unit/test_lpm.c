/* SPDX-License-Identifier: Apache-2.0 */

/* Longest prefix match, against a search through all prefixes. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "twin/forwarding/lpm.h"

enum { N_PREFIXES = 400, N_STEPS = 20000 };

struct prefix {
    struct address address;
    unsigned int length;
    bool exists;
};

static struct address
v4(uint32_t number)
{
    const uint8_t bytes[] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16),
                             (uint8_t)(number >> 8), (uint8_t)number};

    return address_make(ADDRESS_V4, bytes);
}

static uint32_t
next(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(*seed >> 33);
}

static void
test_longest_prefix_wins(void **state)
{
    static int a;
    static int b;
    static int c;
    struct lpm *lpm = lpm_create();
    const struct address ten = v4(0x0a000000);
    const struct address ten_one = v4(0x0a010000);
    const struct address host = v4(0x0a010203);
    const struct address beside = v4(0x0a010204);
    const struct address far = v4(0xc0000001);

    (void)state;
    assert_null(lpm_lookup(lpm, &host));
    assert_true(lpm_insert(lpm, &ten, 8, &a));
    assert_true(lpm_insert(lpm, &host, 32, &c));
    assert_true(lpm_insert(lpm, &ten_one, 16, &b));
    assert_false(lpm_insert(lpm, &ten_one, 16, &a));
    assert_ptr_equal(lpm_lookup(lpm, &ten), &a);
    assert_ptr_equal(lpm_lookup(lpm, &beside), &b);
    assert_ptr_equal(lpm_lookup(lpm, &host), &c);
    assert_null(lpm_lookup(lpm, &far));
    assert_int_equal(lpm_count(lpm), 3);

    assert_ptr_equal(lpm_remove(lpm, &ten_one, 16), &b);
    assert_null(lpm_remove(lpm, &ten_one, 16));
    assert_ptr_equal(lpm_lookup(lpm, &beside), &a);
    assert_ptr_equal(lpm_lookup(lpm, &host), &c);
    assert_null(lpm_find(lpm, &ten_one, 16));
    assert_ptr_equal(lpm_find(lpm, &ten, 8), &a);
    lpm_destroy(lpm);
}

static void
test_default_route_and_bits_beyond_the_prefix(void **state)
{
    static int all;
    static int half;
    struct lpm *lpm = lpm_create();
    const struct address zero = v4(0);
    const struct address top = v4(0xffffffff);
    const struct address low = v4(0x7fffffff);

    (void)state;
    /* Bits behind the length do not count. */
    assert_true(lpm_insert(lpm, &low, 0, &all));
    assert_true(lpm_insert(lpm, &top, 1, &half));
    assert_ptr_equal(lpm_find(lpm, &zero, 0), &all);
    assert_ptr_equal(lpm_lookup(lpm, &low), &all);
    assert_ptr_equal(lpm_lookup(lpm, &top), &half);
    assert_ptr_equal(lpm_remove(lpm, &zero, 0), &all);
    assert_null(lpm_lookup(lpm, &low));
    lpm_destroy(lpm);
}

/* What the table should say: the longest of all prefixes that match. */
static void *
expect(struct prefix *prefixes, const struct address *address)
{
    struct prefix *best = NULL;

    for (int i = 0; i < N_PREFIXES; i++) {
        struct prefix *p = &prefixes[i];
        const struct address masked = address_mask(address, p->length);

        if (p->exists && address_equal(&masked, &p->address) &&
            (!best || p->length > best->length)) {
            best = p;
        }
    }
    return best;
}

/* Returns an address of few different values, so that prefixes nest. */
static struct address
dense(uint64_t *seed, enum address_family family)
{
    static const uint8_t values[] = {0x00, 0x01, 0x80, 0xff};
    uint8_t bytes[ADDRESS_BYTES];

    for (int i = 0; i < ADDRESS_BYTES; i++) {
        bytes[i] = values[next(seed) % 4];
    }
    return address_make(family, bytes);
}

static void
walk_randomly(enum address_family family, uint64_t seed)
{
    struct prefix *prefixes = calloc(N_PREFIXES, sizeof *prefixes);
    struct lpm *lpm = lpm_create();
    size_t n = 0;

    for (int step = 0; step < N_STEPS; step++) {
        struct prefix *p = &prefixes[next(&seed) % N_PREFIXES];
        const struct address probe = dense(&seed, family);

        if (p->exists) {
            assert_ptr_equal(lpm_remove(lpm, &p->address, p->length), p);
            p->exists = false;
            n--;
        } else {
            const struct address any = dense(&seed, family);

            p->length = next(&seed) % (address_bits(family) + 1);
            p->address = address_mask(&any, p->length);
            p->exists = lpm_insert(lpm, &any, p->length, p);
            n += p->exists;
        }
        assert_int_equal(lpm_count(lpm), n);
        assert_ptr_equal(lpm_lookup(lpm, &probe), expect(prefixes, &probe));
    }
    for (int i = 0; i < N_PREFIXES; i++) {
        struct prefix *p = &prefixes[i];

        if (p->exists) {
            assert_ptr_equal(lpm_remove(lpm, &p->address, p->length), p);
        }
    }
    assert_int_equal(lpm_count(lpm), 0);
    lpm_destroy(lpm);
    free(prefixes);
}

static void
test_random_tables_agree_with_a_scan(void **state)
{
    (void)state;
    walk_randomly(ADDRESS_V4, 1);
    walk_randomly(ADDRESS_V4, 2);
    walk_randomly(ADDRESS_V6, 3);
}

struct order {
    const struct prefix *last;
    size_t n;
};

static void
check_order(void *context, void *value)
{
    struct order *order = context;
    const struct prefix *p = value;

    if (order->last) {
        const int c =
            memcmp(&order->last->address, &p->address, sizeof p->address);

        assert_true(c < 0 || (c == 0 && order->last->length < p->length));
    }
    order->last = p;
    order->n++;
}

static void
test_walk_is_in_order_of_prefixes(void **state)
{
    struct prefix prefixes[64] = {0};
    struct lpm *lpm = lpm_create();
    struct order order = {0};
    uint64_t seed = 7;

    (void)state;
    for (int i = 0; i < 64; i++) {
        const struct address any = dense(&seed, ADDRESS_V4);

        prefixes[i].length = next(&seed) % 33;
        prefixes[i].address = address_mask(&any, prefixes[i].length);
        (void)lpm_insert(lpm, &any, prefixes[i].length, &prefixes[i]);
    }
    lpm_each(lpm, check_order, &order);
    assert_int_equal(order.n, lpm_count(lpm));
    lpm_destroy(lpm);
}

static void
test_classes_of_addresses(void **state)
{
    static const struct {
        const char *name;
        enum address_family family;
        uint8_t bytes[ADDRESS_BYTES];
        bool is_group, is_link_local, bad_source, bad_destination;
    } cases[] = {
        {"10.0.0.1", ADDRESS_V4, {10, 0, 0, 1}, false, false, false, false},
        {"0.0.0.0", ADDRESS_V4, {0}, false, false, true, true},
        {"127.0.0.1", ADDRESS_V4, {127, 0, 0, 1}, false, false, true, true},
        {"126.255.255.255", ADDRESS_V4, {126, 255, 255, 255}, 0, 0, 0, 0},
        {"128.0.0.1", ADDRESS_V4, {128, 0, 0, 1}, false, false, false, false},
        {"169.254.1.1", ADDRESS_V4, {169, 254, 1, 1}, false, true, 0, 0},
        {"224.0.0.5", ADDRESS_V4, {224, 0, 0, 5}, true, false, true, false},
        {"239.255.255.255", ADDRESS_V4, {239, 255, 255, 255}, 1, 0, 1, 0},
        {"240.0.0.1", ADDRESS_V4, {240, 0, 0, 1}, false, false, true, false},
        {"broadcast", ADDRESS_V4, {255, 255, 255, 255}, 0, 0, 1, 1},
        {"::", ADDRESS_V6, {0}, false, false, true, true},
        {"::1", ADDRESS_V6, {[15] = 1}, false, false, true, true},
        {"::2", ADDRESS_V6, {[15] = 2}, false, false, false, false},
        {"1::1", ADDRESS_V6, {0, 1, [15] = 1}, false, false, false, false},
        {"fe80::1", ADDRESS_V6, {0xfe, 0x80, [15] = 1}, 0, 1, 0, 0},
        {"febf::1", ADDRESS_V6, {0xfe, 0xbf, [15] = 1}, 0, 1, 0, 0},
        {"fec0::1", ADDRESS_V6, {0xfe, 0xc0, [15] = 1}, 0, 0, 0, 0},
        {"ff02::1", ADDRESS_V6, {0xff, 2, [15] = 1}, 1, 0, 1, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct address a = address_make(cases[i].family, cases[i].bytes);

        print_message("%s\n", cases[i].name);
        assert_int_equal(address_is_group(&a), cases[i].is_group);
        assert_int_equal(address_is_link_local(&a), cases[i].is_link_local);
        assert_int_equal(address_is_bad_source(&a), cases[i].bad_source);
        assert_int_equal(address_is_bad_destination(&a),
                         cases[i].bad_destination);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_longest_prefix_wins),
        cmocka_unit_test(test_default_route_and_bits_beyond_the_prefix),
        cmocka_unit_test(test_random_tables_agree_with_a_scan),
        cmocka_unit_test(test_walk_is_in_order_of_prefixes),
        cmocka_unit_test(test_classes_of_addresses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
