/* SPDX-License-Identifier: Apache-2.0 */

/* Replies in arenas are those that hiredis makes by itself, and all of their
 * memory is given back, which sanitizers see. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/text.h"
#include "orchd/db/reply_objects.h"

/* Asserts that two replies are equal. */
static void
assert_equal(const redisReply *a, const redisReply *b)
{
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->integer, b->integer);
    assert_int_equal(a->len, b->len);
    if (a->str) {
        assert_memory_equal(a->str, b->str, a->len + 1);
    } else {
        assert_null(b->str);
    }
    assert_int_equal(a->elements, b->elements);
    for (size_t i = 0; i < a->elements; i++) {
        assert_equal(a->element[i], b->element[i]);
    }
}

/* Feeds 'bytes' to 'reader' in pieces, and stores up to 'most' replies.
 * Returns how many there were. */
static size_t
read_all(redisReader *reader, const struct text *bytes, struct random *random,
         redisReply **replies, size_t most)
{
    size_t n = 0;

    for (size_t at = 0; at < bytes->length;) {
        const size_t left = bytes->length - at;
        const size_t piece = 1 + random_below(random, 40);
        const size_t length = piece < left ? piece : left;
        void *reply = NULL;

        redisReaderFeed(reader, bytes->bytes + at, length);
        at += length;
        while (redisReaderGetReply(reader, &reply) == REDIS_OK && reply) {
            assert_true(n < most);
            replies[n++] = reply;
        }
    }
    return n;
}

/* Adds a random reply of at most 'depth' levels of arrays. */
static void
add_reply(struct text *bytes, struct random *random, unsigned int depth)
{
    const uint64_t length = random_below(random, 8)
                                ? random_below(random, 20)
                                : random_below(random, 9000);
    const uint64_t n = random_below(random, 6);

    switch (random_below(random, depth ? 8 : 6)) {
    case 0:
        text_addf(bytes, "+OK\r\n");
        return;
    case 1:
        text_addf(bytes, "-ERR no\r\n");
        return;
    case 2:
        text_addf(bytes, ":%lld\r\n", (long long)random_u64(random) / 2);
        return;
    case 3:
        text_addf(bytes, "$-1\r\n");
        return;
    case 4:
    case 5:
        text_addf(bytes, "$%llu\r\n", (unsigned long long)length);
        for (uint64_t i = 0; i < length; i++) {
            text_add_char(bytes, (char)random_below(random, 256));
        }
        text_add(bytes, "\r\n");
        return;
    default:
        text_addf(bytes, "*%llu\r\n", (unsigned long long)n);
        for (uint64_t i = 0; i < n; i++) {
            add_reply(bytes, random, depth - 1);
        }
    }
}

static void
test_random_replies_are_those_of_hiredis(void **state)
{
    enum { N = 400, DEPTH = 6 };
    redisReply *got[N], *expected[N];
    redisReader *reader = redisReaderCreateWithFunctions(&reply_objects);
    redisReader *other = redisReaderCreate();
    struct text bytes = {0};
    struct random random;

    (void)state;
    random_init(&random, 7);
    for (int i = 0; i < N; i++) {
        add_reply(&bytes, &random, DEPTH);
    }
    assert_int_equal(read_all(reader, &bytes, &random, got, N), N);
    assert_int_equal(read_all(other, &bytes, &random, expected, N), N);
    for (int i = 0; i < N; i++) {
        assert_equal(got[i], expected[i]);
        reply_objects.freeObject(got[i]);
        freeReplyObject(expected[i]);
    }
    redisReaderFree(reader);
    redisReaderFree(other);
    text_fini(&bytes);
}

/* Reads 'bytes'; returns whether the reader found an error. */
static bool
fails(const char *bytes)
{
    redisReader *reader = redisReaderCreateWithFunctions(&reply_objects);
    void *reply = NULL;
    bool failed;

    redisReaderFeed(reader, bytes, strlen(bytes));
    failed = redisReaderGetReply(reader, &reply) != REDIS_OK;
    assert_null(reply);
    redisReaderFree(reader);
    return failed;
}

static void
test_replies_that_end_early_are_freed(void **state)
{
    (void)state;
    reply_objects.freeObject(NULL);
    assert_false(fails("*3\r\n$1\r\na\r\n*2\r\n:1\r\n"));
    assert_true(fails("*3\r\n$1\r\na\r\n?"));
    assert_true(fails("*2\r\n*1\r\n:1\r\n!"));
    /* More elements than a server has. */
    assert_true(fails("*2147483647\r\n"));
    assert_true(fails("*1\r\n*2147483647\r\n"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_replies_are_those_of_hiredis),
        cmocka_unit_test(test_replies_that_end_early_are_freed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
