/* SPDX-License-Identifier: Apache-2.0 */

/* Large frames become those that a wire would have carried; checksums are
 * computed here another way, pair of bytes by pair of bytes. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "netdev/segment.h"

enum {
    PAYLOAD = 3001, /* Three pieces of 1,000 bytes, and one. */
    PIECE = 1000,
    FRAME_MAX = 4096,
    ID = 0xfffe,
    CWR_PSH_FIN_ACK = 0x99,
};

static const uint32_t sequence = 0xfffffc00U; /* It wraps. */

/* What is in front of TCP or UDP. */
struct form {
    const char *name;
    uint32_t n_tags;
    uint32_t n_options; /* Bytes: of IPv4; of one header of IPv6. */
    bool is_v6, is_udp;
};

static const struct form forms[] = {
    {"TCP over IPv4", 0, 0, false, false},
    {"TCP over IPv4 with options and a tag", 1, 8, false, false},
    {"TCP over IPv6", 0, 0, true, false},
    {"TCP over IPv6 with options and two tags", 2, 16, true, false},
    {"UDP over IPv4 with a tag", 1, 0, false, true},
    {"UDP over IPv6", 0, 0, true, true},
    {"UDP over IPv6 with options", 0, 8, true, true},
};

#define N_FORMS (sizeof forms / sizeof *forms)

static void
put(uint8_t **at, uint64_t value, int n)
{
    while (n--) {
        *(*at)++ = (uint8_t)(value >> 8 * n);
    }
}

static uint32_t
get(const uint8_t *at, int n)
{
    uint32_t value = 0;

    while (n--) {
        value = value << 8 | *at++;
    }
    return value;
}

/* Where things are in frames of a form. */
static uint32_t
network_of(const struct form *form)
{
    return 14 + 4 * form->n_tags;
}

static uint32_t
transport_of(const struct form *form)
{
    return network_of(form) + (form->is_v6 ? 40 : 20) + form->n_options;
}

static uint32_t
payload_of(const struct form *form)
{
    return transport_of(form) + (form->is_udp ? 8 : 32);
}

/* Makes a frame; returns its length. */
static uint32_t
make(const struct form *form, uint8_t *frame)
{
    const uint32_t n = payload_of(form) + PAYLOAD;
    const uint8_t protocol = form->is_udp ? 17 : 6;
    uint8_t *at = frame;

    put(&at, 0x020000000001, 6);
    put(&at, 0x020000000002, 6);
    for (uint32_t i = 0; i < form->n_tags; i++) {
        put(&at, i + 1 < form->n_tags ? 0x88a80005 : 0x81006007, 4);
    }
    if (form->is_v6) {
        put(&at, 0x86dd60000000, 6);
        put(&at, n - network_of(form) - 40, 2);
        put(&at, form->n_options ? 60 : protocol, 1);
        put(&at, 64, 1);
        for (uint8_t i = 0; i < 32; i++) {
            put(&at, i, 1);
        }
        if (form->n_options) {
            put(&at, protocol, 1);
            put(&at, form->n_options / 8 - 1, 1);
            memset(at, 0, form->n_options - 2);
            at += form->n_options - 2;
        }
    } else {
        put(&at, 0x0800, 2);
        put(&at, 0x45 + form->n_options / 4, 1);
        put(&at, 0, 1);
        put(&at, n - network_of(form), 2);
        put(&at, ID, 2);
        put(&at, 0x400040, 3);
        put(&at, protocol, 1);
        put(&at, 0, 2);
        put(&at, 0x0a0000010a000002, 8);
        memset(at, 1, form->n_options);
        at += form->n_options;
    }
    put(&at, 0x30390050, 4);
    if (form->is_udp) {
        put(&at, n - transport_of(form), 2);
        put(&at, 0, 2);
    } else {
        put(&at, sequence, 4);
        put(&at, 1, 4);
        put(&at, 0x8000 | CWR_PSH_FIN_ACK, 2);
        put(&at, 0x1000dead0000, 6);
        memset(at, 1, 12);
        at += 12;
    }
    assert_int_equal(at - frame, payload_of(form));
    for (uint32_t i = 0; i < PAYLOAD; i++) {
        put(&at, i * 7, 1);
    }
    return n;
}

/* Adds up pairs of bytes. */
static uint32_t
sum(uint32_t so_far, const uint8_t *bytes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        so_far += i % 2 ? bytes[i] : (uint32_t)bytes[i] << 8;
    }
    while (so_far >> 16) {
        so_far = (so_far & 0xffff) + (so_far >> 16);
    }
    return so_far;
}

static void
assert_checksums(const struct form *form, const uint8_t *piece, uint32_t n)
{
    const uint8_t *ip = piece + network_of(form);
    const uint32_t from = transport_of(form);
    uint32_t total = (form->is_udp ? 17 : 6) + n - from;

    if (!form->is_v6) {
        assert_int_equal(sum(0, ip, from - network_of(form)), 0xffff);
    }
    total = form->is_v6 ? sum(total, ip + 8, 32) : sum(total, ip + 12, 8);
    assert_int_equal(sum(total, piece + from, n - from), 0xffff);
}

/* Checks the fields of piece 'i', whose payload has 'bytes'. */
static void
assert_fields(const struct form *form, const uint8_t *piece, uint32_t i,
              uint32_t bytes)
{
    const uint8_t *ip = piece + network_of(form);
    const uint8_t *transport = piece + transport_of(form);
    const uint32_t n = payload_of(form) + bytes;
    const bool is_last = i == PAYLOAD / PIECE;

    if (form->is_v6) {
        assert_int_equal(get(ip + 4, 2), n - network_of(form) - 40);
    } else {
        assert_int_equal(get(ip + 2, 2), n - network_of(form));
        assert_int_equal(get(ip + 4, 2), (ID + i) & 0xffff);
    }
    if (form->is_udp) {
        assert_int_equal(get(transport + 4, 2), 8 + bytes);
    } else {
        assert_int_equal(get(transport + 4, 4),
                         (uint32_t)(sequence + i * PIECE));
        /* Acknowledges in each; CWR in the first, the others in the last. */
        assert_int_equal(transport[13],
                         0x10 | (i == 0 ? 0x80 : 0) | (is_last ? 0x09 : 0));
    }
}

static void
test_large_frames_are_cut(void **state)
{
    static uint8_t frame[FRAME_MAX], piece[FRAME_MAX];

    (void)state;
    for (size_t f = 0; f < N_FORMS; f++) {
        const struct form *form = &forms[f];
        const uint32_t n = make(form, frame);
        const uint32_t payload = payload_of(form);
        struct segment_plan plan;

        print_message("%s\n", form->name);
        assert_true(segment_plan(frame, n, form->is_udp, PIECE, &plan));
        assert_int_equal(plan.n_pieces, 4);
        assert_int_equal(segment_longest(&plan), payload + PIECE);
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t bytes = i < 3 ? PIECE : 1;

            assert_int_equal(segment_write(&plan, frame, i, piece),
                             payload + bytes);
            assert_fields(form, piece, i, bytes);
            assert_checksums(form, piece, payload + bytes);
            assert_memory_equal(piece, frame, network_of(form));
            assert_memory_equal(piece + payload, frame + payload + i * PIECE,
                                bytes);
        }
    }
}

static void
test_what_fits_is_one_piece(void **state)
{
    static uint8_t frame[FRAME_MAX], piece[FRAME_MAX];
    const uint32_t n = make(&forms[0], frame);
    struct segment_plan plan;

    (void)state;
    assert_true(segment_plan(frame, n, false, 9000, &plan));
    assert_int_equal(plan.n_pieces, 1);
    assert_int_equal(segment_longest(&plan), n);
    assert_int_equal(segment_write(&plan, frame, 0, piece), n);
    assert_checksums(&forms[0], piece, n);
    assert_int_equal(piece[transport_of(&forms[0]) + 13], CWR_PSH_FIN_ACK);
}

static void
test_no_length_is_believed(void **state)
{
    static uint8_t frame[FRAME_MAX];
    struct segment_plan plan;

    (void)state;
    for (size_t f = 0; f < N_FORMS; f++) {
        const uint32_t n = make(&forms[f], frame);

        for (uint32_t cut = 0; cut < n; cut++) {
            assert_false(
                segment_plan(frame, cut, forms[f].is_udp, PIECE, &plan));
        }
        assert_false(segment_plan(frame, n + 1, forms[f].is_udp, PIECE, &plan));
    }
}

/* A byte of a frame of form 'form' that makes it something else. */
struct harm {
    const char *what;
    size_t form;
    uint32_t at; /* From the IP header on. */
    uint8_t byte;
};

static void
test_what_cannot_be_cut_is_refused(void **state)
{
    static const struct harm harms[] = {
        {"is a fragment", 0, 7, 1},
        {"is the first fragment", 0, 6, 0x20},
        {"is a tunnel", 0, 9, 4},
        {"is UDP", 0, 9, 17},
        {"is of another version", 0, 0, 0x65},
        {"has an IPv4 header of 16 bytes", 0, 0, 0x44},
        {"has an IPv4 header over its end", 4, 2, 0},
        {"has a TCP header of 16 bytes", 0, 32, 0x40},
        {"is IPv4 in a frame of IPv6", 2, 0, 0x45},
        {"is routed by its source", 2, 6, 43},
        {"has options over its end", 3, 41, 255},
        {"is UDP of another length", 5, 45, 0},
    };
    static uint8_t frame[FRAME_MAX];
    struct segment_plan plan;

    (void)state;
    for (size_t i = 0; i < sizeof harms / sizeof *harms; i++) {
        const struct form *form = &forms[harms[i].form];
        const uint32_t n = make(form, frame);

        print_message("%s\n", harms[i].what);
        frame[network_of(form) + harms[i].at] = harms[i].byte;
        assert_false(segment_plan(frame, n, form->is_udp, PIECE, &plan));
    }
}

static void
test_pieces_are_counted_before(void **state)
{
    static uint8_t frame[FRAME_MAX];
    const uint32_t n = make(&forms[0], frame);
    struct segment_plan plan;

    (void)state;
    assert_false(segment_plan(frame, n, false, 0, &plan));
    assert_false(segment_plan(frame, n, false, 1, &plan));
    assert_true(segment_plan(frame, n, false, 2, &plan));
    assert_int_equal(plan.n_pieces, (PAYLOAD + 1) / 2);
}

static void
test_checksums_are_completed(void **state)
{
    /* Begun: the sum of what is in no header of UDP. */
    uint8_t frame[11] = {0xff, 0xff, 0, 1, 0, 2, 0x12, 0x34, 0xf0, 0xf1, 0x80};
    uint8_t same[11];

    (void)state;
    memcpy(same, frame, sizeof same);
    segment_complete(frame, 11, 2, 4);
    assert_int_equal(sum(0x1234, frame + 2, 9), 0xffff);
    assert_memory_equal(frame, same, 6);
    memcpy(frame, same, sizeof same);
    /* Beyond the end, by one byte and by many. */
    segment_complete(frame, 11, 2, 8);
    segment_complete(frame, 11, 2, 0xffff);
    segment_complete(frame, 11, 11, 0);
    segment_complete(frame, 11, 0xffff, 0xffff);
    segment_complete(frame, 0, 0, 0);
    assert_memory_equal(frame, same, sizeof same);
    /* A sum of zero is not written, for it means that there is none. */
    memcpy(frame, (uint8_t[]){0, 0, 0xff, 0xff}, 4);
    segment_complete(frame, 4, 0, 0);
    assert_int_equal(get(frame, 2), 0xffff);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_frames_are_cut),
        cmocka_unit_test(test_what_fits_is_one_piece),
        cmocka_unit_test(test_no_length_is_believed),
        cmocka_unit_test(test_what_cannot_be_cut_is_refused),
        cmocka_unit_test(test_pieces_are_counted_before),
        cmocka_unit_test(test_checksums_are_completed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
