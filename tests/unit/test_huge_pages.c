/* SPDX-License-Identifier: Apache-2.0 */

/* Memory for large simulations. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "process/huge_pages.h"

enum { PIECE = 3 << 20, PIECES = 8 };

static void
test_large_pieces_are_zeroed_and_aligned(void **state)
{
    struct line_pool *pool = line_pool_create(&huge_pages);

    (void)state;
    for (int i = 0; i < PIECES; i++) {
        unsigned char *piece = line_pool_take(pool, PIECE);

        assert_int_equal((uintptr_t)piece % LINE_POOL_ALIGNMENT, 0);
        assert_int_equal(piece[0], 0);
        assert_memory_equal(piece, piece + 1, PIECE - 1);
        memset(piece, 0xff, PIECE);
    }
    line_pool_destroy(pool);
}

static void
test_source_refuses_what_cannot_be(void **state)
{
    (void)state;
    assert_null(huge_pages.take(SIZE_MAX / 2));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_pieces_are_zeroed_and_aligned),
        cmocka_unit_test(test_source_refuses_what_cannot_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
