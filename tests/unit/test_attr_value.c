/* SPDX-License-Identifier: Apache-2.0 */

/* Deep copies of values of every kind: equal, independent, padding ignored. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "sai/core/attr_value.h"
#include "sai/core/metadata.h"

#define SEED        20261120u
#define ELEMENTS    5
#define MAX_ELEMENT 64

/* xorshift32: enough to fill memory with something different each time. */
static uint32_t
next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void
scramble(void *memory, size_t size, uint32_t *random)
{
    unsigned char *bytes = memory;

    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)next_random(random);
    }
}

static void
fill_runs(const struct kind_run *runs, unsigned char *to, uint32_t *random)
{
    for (size_t i = 0; i < KIND_MAX_RUNS; i++) {
        scramble(to + runs[i].offset, runs[i].size, random);
    }
}

/* Fills a value of 'kind' whose meaning depends on 'seed' and whose padding on
 * 'noise'; its list is in 'memory'. */
static void
make(enum kind kind, uint32_t seed, uint32_t noise, unsigned char *memory,
     sai_attribute_value_t *value)
{
    const struct kind_layout *layout = kind_layout(kind);

    scramble(value, sizeof *value, &noise);
    scramble(memory, ELEMENTS * MAX_ELEMENT, &noise);
    fill_runs(layout->value_runs, (unsigned char *)value, &seed);
    if (kind == KIND_CHARDATA) {
        memset(value->chardata, 0, sizeof value->chardata);
        memcpy(value->chardata, &(char){(char)('a' + seed % 26)}, 1);
        scramble(value->chardata + 2, sizeof value->chardata - 2, &noise);
    }
    if (kind_acl_part(kind) != KIND_N) {
        value->u8 = 1; /* It is enabled. */
    }
    if (kind == KIND_ACLACTION_IPADDR) {
        value->aclaction.parameter.ipaddr.addr_family = SAI_IP_ADDR_FAMILY_IPV6;
    }
    if (kind == KIND_IPADDR) {
        value->ipaddr.addr_family = SAI_IP_ADDR_FAMILY_IPV6;
    }
    if (kind_has_list(kind)) {
        for (size_t i = 0; i < ELEMENTS; i++) {
            fill_runs(layout->element_runs, memory + i * layout->element_size,
                      &seed);
        }
        kind_list_set(kind, value, ELEMENTS, memory);
    }
}

static void
test_copy_equals_and_is_independent(void **state)
{
    struct arena *arena = arena_create(0);

    (void)state;
    for (int k = 0; k < KIND_N; k++) {
        enum kind kind = (enum kind)k;
        unsigned char memory[ELEMENTS * MAX_ELEMENT];
        unsigned char other_memory[ELEMENTS * MAX_ELEMENT];
        sai_attribute_value_t value;
        sai_attribute_value_t other;
        sai_attribute_value_t copy;
        sai_attribute_value_t piece;

        if (kind == KIND_PORTSERDESTAPS) {
            continue;
        }
        make(kind, SEED, 1, memory, &value);
        make(kind, SEED, 2, other_memory, &other);
        attr_value_copy(kind, &value, &copy);
        attr_value_copy_to_arena(arena, kind, &value, &piece);
        assert_true(attr_value_equal(kind, &value, &copy));
        assert_true(attr_value_equal(kind, &copy, &piece));
        /* The same meaning, other padding. */
        assert_true(attr_value_equal(kind, &value, &other));
        if (kind_has_list(kind)) {
            assert_ptr_not_equal(kind_list_elements(kind, &copy), memory);
            memset(memory, 0, sizeof memory);
            assert_false(attr_value_equal(kind, &value, &copy));
        }
        attr_value_fini(kind, &copy);
    }
    arena_destroy(arena);
}

/* Flips each meaningful byte in turn: every one must make a difference. */
static void
test_every_meaningful_byte_counts(void **state)
{
    (void)state;
    for (int k = 0; k < KIND_N; k++) {
        enum kind kind = (enum kind)k;
        const struct kind_layout *layout = kind_layout(kind);
        unsigned char memory[ELEMENTS * MAX_ELEMENT];
        sai_attribute_value_t value;
        sai_attribute_value_t copy;

        /* Not of these: see below. */
        if (kind == KIND_CHARDATA || kind == KIND_PORTSERDESTAPS ||
            kind == KIND_BOOL) {
            continue;
        }
        make(kind, SEED, 3, memory, &value);
        attr_value_copy(kind, &value, &copy);
        for (size_t r = 0; r < KIND_MAX_RUNS; r++) {
            const struct kind_run *run = &layout->value_runs[r];

            for (size_t i = run->offset; i < (size_t)run->offset + run->size;
                 i++) {
                ((unsigned char *)&value)[i] ^= 1;
                assert_false(attr_value_equal(kind, &value, &copy));
                ((unsigned char *)&value)[i] ^= 1;
            }
            run = &layout->element_runs[r];
            for (size_t i = 0; i < run->size; i++) {
                size_t at = 3u * layout->element_size + run->offset + i;

                memory[at] ^= 1;
                assert_false(attr_value_equal(kind, &value, &copy));
                memory[at] ^= 1;
            }
        }
        assert_true(attr_value_equal(kind, &value, &copy));
        attr_value_fini(kind, &copy);
    }
}

static void
test_any_byte_but_zero_is_true(void **state)
{
    (void)state;
    for (unsigned int byte = 0; byte < 256; byte++) {
        sai_attribute_value_t value = {.u8 = (uint8_t)byte};
        const sai_attribute_value_t good = {.booldata = byte != 0};
        const sai_attribute_value_t bad = {.booldata = byte == 0};
        sai_attribute_value_t copy;

        assert_true(attr_value_equal(KIND_BOOL, &value, &good));
        assert_false(attr_value_equal(KIND_BOOL, &value, &bad));
        attr_value_copy(KIND_BOOL, &value, &copy);
        assert_int_equal(copy.u8, byte != 0);
        assert_int_equal(metadata_number(KIND_BOOL, &value), byte != 0);
    }
}

/* Padding that is not taken from the layout under test: between the members
 * of an entry of a QoS map. */
static void
test_padding_of_a_map_entry_is_ignored(void **state)
{
    sai_qos_map_t a;
    sai_qos_map_t b;
    sai_attribute_value_t first = {.qosmap = {1, &a}};
    sai_attribute_value_t second = {.qosmap = {1, &b}};

    (void)state;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    ((unsigned char *)&b)[6] = 1;
    ((unsigned char *)&b)[15] = 1;
    ((unsigned char *)&b)[23] = 1;
    assert_true(attr_value_equal(KIND_QOSMAP, &first, &second));
    b.value.fc = 1;
    assert_false(attr_value_equal(KIND_QOSMAP, &first, &second));
}

static void
test_rest_of_an_ipv4_address_is_ignored(void **state)
{
    sai_attribute_value_t a;
    sai_attribute_value_t b;
    sai_attribute_value_t copy;

    (void)state;
    memset(&a, 0x11, sizeof a);
    memset(&b, 0x22, sizeof b);
    a.ipaddr.addr_family = b.ipaddr.addr_family = SAI_IP_ADDR_FAMILY_IPV4;
    a.ipaddr.addr.ip4 = b.ipaddr.addr.ip4 = 0x0100000a;
    assert_true(attr_value_equal(KIND_IPADDR, &a, &b));
    attr_value_copy(KIND_IPADDR, &a, &copy);
    assert_int_equal(copy.ipaddr.addr.ip6[4], 0);
    b.ipaddr.addr.ip4++;
    assert_false(attr_value_equal(KIND_IPADDR, &a, &b));
    b = a;
    b.ipaddr.addr_family = SAI_IP_ADDR_FAMILY_IPV6;
    assert_false(attr_value_equal(KIND_IPADDR, &a, &b));
}

static void
test_lists_of_lists(void **state)
{
    int32_t taps[] = {1, -2, 3};
    int32_t memory[] = {9, 9, 9};
    sai_s32_list_t outer[] = {{2, taps}, {0, NULL}, {1, taps + 2}};
    sai_s32_list_t inner[] = {{2, memory}, {0, NULL}, {0, memory + 2}};
    struct arena *arena = arena_create(0);
    sai_attribute_value_t value = {.portserdestaps = {3, outer}};
    sai_attribute_value_t caller = {.portserdestaps = {2, inner}};
    sai_attribute_value_t copy;
    sai_attribute_value_t piece;

    (void)state;
    attr_value_copy(KIND_PORTSERDESTAPS, &value, &copy);
    attr_value_copy_to_arena(arena, KIND_PORTSERDESTAPS, &copy, &piece);
    assert_true(attr_value_equal(KIND_PORTSERDESTAPS, &value, &piece));
    taps[2] = 4;
    assert_false(attr_value_equal(KIND_PORTSERDESTAPS, &value, &copy));
    assert_int_equal(copy.portserdestaps.list[2].list[0], 3);
    /* First the outer list is too short, then an inner one, then it fits. */
    assert_int_equal(attr_value_get(KIND_PORTSERDESTAPS, &copy, &caller),
                     SAI_STATUS_BUFFER_OVERFLOW);
    assert_int_equal(caller.portserdestaps.count, 3);
    assert_int_equal(attr_value_get(KIND_PORTSERDESTAPS, &copy, &caller),
                     SAI_STATUS_BUFFER_OVERFLOW);
    assert_int_equal(inner[2].count, 1);
    assert_int_equal(memory[0], 9);
    assert_int_equal(attr_value_get(KIND_PORTSERDESTAPS, &copy, &caller),
                     SAI_STATUS_SUCCESS);
    assert_true(attr_value_equal(KIND_PORTSERDESTAPS, &copy, &caller));
    attr_value_fini(KIND_PORTSERDESTAPS, &copy);
    arena_destroy(arena);
}

static void
test_text_ends_at_its_end(void **state)
{
    sai_attribute_value_t a;
    sai_attribute_value_t b;

    (void)state;
    memset(&a, 'x', sizeof a);
    memset(&b, 'y', sizeof b);
    memcpy(a.chardata, "gold", 5);
    memcpy(b.chardata, "gold", 5);
    assert_true(attr_value_equal(KIND_CHARDATA, &a, &b));
    b.chardata[3] = 't';
    assert_false(attr_value_equal(KIND_CHARDATA, &a, &b));
}

static void
test_lists_differ_in_length(void **state)
{
    uint32_t numbers[] = {1, 2, 3};
    sai_attribute_value_t a = {.u32list = {2, numbers}};
    sai_attribute_value_t b = {.u32list = {3, numbers}};
    sai_attribute_value_t empty = {.u32list = {0, numbers}};
    sai_attribute_value_t copy;

    (void)state;
    assert_false(attr_value_equal(KIND_U32LIST, &a, &b));
    attr_value_copy(KIND_U32LIST, &empty, &copy);
    assert_null(copy.u32list.list);
    assert_true(attr_value_equal(KIND_U32LIST, &empty, &copy));
    attr_value_fini(KIND_U32LIST, &copy);
}

static void
test_get_follows_the_rule_for_lists(void **state)
{
    uint32_t numbers[] = {7, 8, 9};
    uint32_t room[4] = {42, 42, 42, 42};
    const sai_attribute_value_t stored = {.u32list = {3, numbers}};
    const sai_attribute_value_t none = {.u32list = {0, NULL}};
    sai_attribute_value_t value = {.u32list = {2, room}};

    (void)state;
    assert_int_equal(attr_value_get(KIND_U32LIST, &stored, &value),
                     SAI_STATUS_BUFFER_OVERFLOW);
    assert_int_equal(value.u32list.count, 3);
    assert_int_equal(room[0], 42);

    value.u32list.count = 4;
    assert_int_equal(attr_value_get(KIND_U32LIST, &stored, &value),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(value.u32list.count, 3);
    assert_ptr_equal(value.u32list.list, room);
    assert_memory_equal(room, numbers, sizeof numbers);
    assert_int_equal(room[3], 42);

    value.u32list.count = 4;
    value.u32list.list = NULL;
    assert_int_equal(attr_value_get(KIND_U32LIST, &stored, &value),
                     SAI_STATUS_BUFFER_OVERFLOW);
    assert_int_equal(value.u32list.count, 3);

    value.u32list.count = 0;
    assert_int_equal(attr_value_get(KIND_U32LIST, &none, &value),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(value.u32list.count, 0);
}

static void
test_get_zeroes_what_it_does_not_fill(void **state)
{
    const sai_attribute_value_t stored = {.booldata = true};
    sai_attribute_value_t value;

    (void)state;
    memset(&value, 0xff, sizeof value);
    assert_int_equal(attr_value_get(KIND_BOOL, &stored, &value),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(value.u64, 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy_equals_and_is_independent),
        cmocka_unit_test(test_every_meaningful_byte_counts),
        cmocka_unit_test(test_any_byte_but_zero_is_true),
        cmocka_unit_test(test_padding_of_a_map_entry_is_ignored),
        cmocka_unit_test(test_rest_of_an_ipv4_address_is_ignored),
        cmocka_unit_test(test_lists_of_lists),
        cmocka_unit_test(test_text_ends_at_its_end),
        cmocka_unit_test(test_lists_differ_in_length),
        cmocka_unit_test(test_get_follows_the_rule_for_lists),
        cmocka_unit_test(test_get_zeroes_what_it_does_not_fill),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
