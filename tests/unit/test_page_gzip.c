/* SPDX-License-Identifier: Apache-2.0 */

/* What is packed is the same again when zlib unpacks it. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "orchd/page/gzip.h"

#define SIZE 100000

/* Fills 'bytes' with text that repeats, or with noise. */
static void
fill(char *bytes, size_t n, bool noise)
{
    uint32_t value = 1;

    for (size_t i = 0; i < n; i++) {
        value = value * UINT32_C(1664525) + UINT32_C(1013904223);
        bytes[i] = (char)(noise ? value >> 24 : 'a' + i % 23);
    }
}

/* Unpacks into 'room', and returns how much that was. */
static size_t
unpack(char *packed, size_t n, char *room, size_t size)
{
    z_stream stream = {.next_in = (Bytef *)packed, .avail_in = (uInt)n};

    stream.next_out = (Bytef *)room;
    stream.avail_out = (uInt)size;
    /* 16: only the format of gzip. */
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.avail_in, 0);
    assert_int_equal(inflateEnd(&stream), Z_OK);
    return stream.total_out;
}

static void
test_what_is_packed_comes_out_again(void **state)
{
    static const size_t lengths[] = {100, 4096, SIZE};
    static char bytes[SIZE], room[SIZE + 1];

    (void)state;
    fill(bytes, SIZE, false);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char *packed, *again;
        size_t n, n_again;

        assert_true(gzip_pack(bytes, lengths[i], &packed, &n));
        assert_true(n < lengths[i]);
        assert_int_equal(unpack(packed, n, room, sizeof room), lengths[i]);
        assert_memory_equal(room, bytes, lengths[i]);
        /* No time, no name. */
        assert_true(gzip_pack(bytes, lengths[i], &again, &n_again));
        assert_int_equal(n, n_again);
        assert_memory_equal(packed, again, n);
        free(packed);
        free(again);
    }
}

static void
test_what_does_not_shrink_stays(void **state)
{
    static const size_t lengths[] = {0, 1, 19, SIZE};
    static char bytes[SIZE];
    char *packed = bytes;
    size_t n = 7;

    (void)state;
    fill(bytes, SIZE, true);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        assert_false(gzip_pack(bytes, lengths[i], &packed, &n));
        assert_ptr_equal(packed, bytes);
        assert_int_equal(n, 7);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_packed_comes_out_again),
        cmocka_unit_test(test_what_does_not_shrink_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
