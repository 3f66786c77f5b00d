/* SPDX-License-Identifier: Apache-2.0 */

/* Text, numbers, arenas and timers. */

#include <config.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/digest.h"
#include "base/line_pool.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/status.h"
#include "base/text.h"
#include "base/timeline.h"

static void
test_text_copy_cuts_and_terminates(void **state)
{
    char buffer[4];

    (void)state;
    assert_true(text_copy(buffer, sizeof buffer, "abc"));
    assert_string_equal(buffer, "abc");
    assert_false(text_copy(buffer, sizeof buffer, "abcd"));
    assert_string_equal(buffer, "abc");
}

static void
test_nearest_word_is_found_whatever_its_case(void **state)
{
    static const struct {
        const char *word, *hint;
    } cases[] = {
        {"BUFFER_POL", " (did you mean 'BUFFER_POOL'?)"},
        {"buffer_pool", " (did you mean 'BUFFER_POOL'?)"},
        {"Queues", " (did you mean 'QUEUE'?)"},
        {"NTP_SERVER", ""},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char hint[NEAREST_HINT_SIZE];
        struct nearest nearest;

        nearest_init(&nearest, cases[i].word, strlen(cases[i].word));
        nearest_try(&nearest, "BUFFER_PROFILE");
        nearest_try(&nearest, "BUFFER_POOL");
        nearest_try(&nearest, "QUEUE");
        assert_string_equal(nearest_hint(&nearest, hint), cases[i].hint);
    }
}

static void
test_exchanged_letters_are_one_mistake(void **state)
{
    char hint[NEAREST_HINT_SIZE];
    struct nearest nearest;

    (void)state;
    nearest_init(&nearest, "prots", 5);
    nearest_try(&nearest, "drops");
    nearest_try(&nearest, "ports");
    assert_string_equal(nearest_hint(&nearest, hint),
                        " (did you mean 'ports'?)");
    nearest_init(&nearest, "ab", 2);
    nearest_try(&nearest, "cba");
    nearest_try(&nearest, "ba");
    assert_string_equal(nearest_hint(&nearest, hint), " (did you mean 'ba'?)");
}

static void
test_choices_are_whole_words_the_nearest_first(void **state)
{
    struct choices choices;
    struct err err;

    (void)state;
    err_set(&err, ST_INVALID, "usage", "no pasta 'penn'");
    choices_init(&choices, "penn");
    choices_add_list(&choices, "fusilli, penne");
    choices_add(&choices, "pasta");
    assert_int_equal(choices_explain(&choices, "kind", &err), ST_INVALID);
    assert_string_equal(err.reason, "no pasta 'penn' (did you mean 'penne'?)");
    assert_string_equal(err.field, "kind");
    assert_string_equal(err.value, "penn");
    assert_string_equal(err.allowed, "fusilli, penne, pasta");

    choices_init(&choices, "Ethernet99");
    for (unsigned int i = 0; i < 128; i++) {
        char name[16];

        text_format(name, sizeof name, "Ethernet%u", i * 4);
        choices_add(&choices, name);
    }
    choices_explain(&choices, "port", &err);
    assert_memory_equal(err.allowed, "Ethernet92, Ethernet96, Ethernet0, ", 35);
    assert_true(strlen(err.allowed) < sizeof err.allowed);
    /* The last one is whole. */
    assert_string_equal(err.allowed + strlen(err.allowed) - 4, " ...");
    assert_int_equal(err.allowed[strlen(err.allowed) - 5], ',');

    choices_init(&choices, "x");
    choices_add(&choices, "y");
    assert_int_equal(choices_explain(&choices, "port", NULL), ST_INVALID);
}

/* Digits against those of printf(), and the ends of the ranges. */
static void
test_numbers_become_digits(void **state)
{
    const uint64_t numbers[] = {0,  1,   9,      10,         15,
                                16, 255, 409600, UINT32_MAX, UINT64_MAX};
    struct text text = {0}, expected = {0};

    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        text_add_number(&text, numbers[i]);
        text_add_char(&text, ' ');
        text_add_hex(&text, numbers[i]);
        text_add_char(&text, ' ');
        text_addf(&expected, "%" PRIu64 " %" PRIx64 " ", numbers[i],
                  numbers[i]);
        assert_string_equal(text_string(&text), text_string(&expected));
    }
    text_fini(&text);
    text_fini(&expected);
}

static void
test_json_strings_are_escaped(void **state)
{
    static const char *const cases[][2] = {
        {"", "\"\""},
        {"plain", "\"plain\""},
        {"\"", "\"\\\"\""},
        {"a\\b\"c", "\"a\\\\b\\\"c\""},
        {"\n", "\"\\u000a\""},
        {"a\x01\x1f", "\"a\\u0001\\u001f\""},
        {"\xc2\xb5s", "\"\xc2\xb5s\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text text = {0};

        text_add_json(&text, cases[i][0]);
        assert_string_equal(text_string(&text), cases[i][1]);
        assert_int_equal(text.length, strlen(cases[i][1]));
        text_fini(&text);
    }
}

static void
test_plain_text_is_utf8_without_control_characters(void **state)
{
    static const char *const good[] = {"",
                                       "a\r\n~",
                                       "\xc2\x80\xdf\xbf",
                                       "\xe0\xa0\x80\xed\x9f\xbf",
                                       "\xee\x80\x80\xef\xbf\xbf",
                                       "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"};
    static const char *const bad[] = {"\x80",
                                      "\xc1\xbf",
                                      "\xc2",
                                      "\xc2x",
                                      "\xe0\x9f\xbf",
                                      "\xe1\x80",
                                      "\xe1\x80x",
                                      "\xed\xa0\x80",
                                      "\xf0\x8f\xbf\xbf",
                                      "a\xff",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\t",
                                      "\x1f",
                                      "\x7f",
                                      "\xf1\x80\x80"};

    unsigned int line, column;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(text_plain_length(good[i], strlen(good[i])),
                         strlen(good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(text_plain_length(bad[i], strlen(bad[i])) < strlen(bad[i]));
    }
    assert_int_equal(text_plain_length("a\0b", 3), 1);
    assert_int_equal(text_plain_length("\xc2\x80", 1), 0);
    assert_int_equal(text_plain_length("ab\nc\td", 6), 4);
    text_position("ab\nc\td", 4, &line, &column);
    assert_int_equal(line, 2);
    assert_int_equal(column, 2);
    text_position("", 0, &line, &column);
    assert_int_equal(line, 1);
    assert_int_equal(column, 1);
}

static void
test_text_grows_and_escapes_json(void **state)
{
    struct text text = {0};
    char *taken;

    (void)state;
    assert_string_equal(text_string(&text), "");
    for (int i = 0; i < 100; i++) {
        text_addf(&text, "%02d,", i);
    }
    assert_int_equal(text.length, 300);
    text_clear(&text);
    text_add_item(&text, ", ", "a");
    text_add_item(&text, ", ", "b");
    assert_string_equal(text_string(&text), "a, b");
    text_clear(&text);
    text_add_json(&text, "x\"\\\n\x01");
    taken = text_take(&text);
    assert_string_equal(taken, "\"x\\\"\\\\\\u000a\\u0001\"");
    assert_string_equal(text_string(&text), "");
    free(taken);
    text_fini(&text);
}

static void
test_err_set_explains_and_returns_the_status(void **state)
{
    struct err err;

    (void)state;
    assert_int_equal(err_set(&err, ST_INVALID, "range", "%s is %d", "x", 9),
                     ST_INVALID);
    err_set_field(&err, "x", "9", "0..7");
    err_set_remedy(&err, "write %d", 7);
    assert_string_equal(err.code, "range");
    assert_string_equal(err.reason, "x is 9");
    assert_string_equal(err.allowed, "0..7");
    assert_string_equal(err.remedy, "write 7");
    assert_int_equal(err_set(NULL, ST_BUSY, "busy", "x"), ST_BUSY);
}

static void
test_parse_numbers_strictly(void **state)
{
    static const struct {
        const char *text;
        enum st status;
        int64_t value;
    } cases[] = {
        {"0", ST_OK, 0},        {"-8", ST_OK, -8},      {"7", ST_OK, 7},
        {"-9", ST_INVALID, 0},  {"8", ST_INVALID, 0},   {"", ST_INVALID, 0},
        {"-", ST_INVALID, 0},   {"+1", ST_INVALID, 0},  {" 1", ST_INVALID, 0},
        {"1 ", ST_INVALID, 0},  {"1x", ST_INVALID, 0},  {"0x1", ST_INVALID, 0},
        {"--1", ST_INVALID, 0}, {"1.0", ST_INVALID, 0}, {"007", ST_OK, 7},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = 0;

        assert_int_equal(parse_s64(cases[i].text, -8, 7, &value),
                         cases[i].status);
        assert_int_equal(value, cases[i].value);
    }
}

static void
test_parse_u64_does_not_wrap(void **state)
{
    uint64_t value = 1;

    (void)state;
    assert_int_equal(parse_u64("18446744073709551615", 0, UINT64_MAX, &value),
                     ST_OK);
    assert_true(value == UINT64_MAX);
    value = 1;
    assert_int_equal(parse_u64("18446744073709551616", 0, UINT64_MAX, &value),
                     ST_INVALID);
    assert_int_equal(parse_u64("-1", 0, UINT64_MAX, &value), ST_INVALID);
    assert_true(value == 1);
}

static void
test_parse_range_bounds(void **state)
{
    static const struct {
        const char *text;
        enum st status;
        unsigned int first, last;
    } cases[] = {
        {"3", ST_OK, 3, 3},          {"3-4", ST_OK, 3, 4},
        {"3-3", ST_OK, 3, 3},        {"0-7", ST_OK, 0, 7},
        {"7-3", ST_INVALID, 9, 9},   {"3-8", ST_INVALID, 9, 9},
        {"8", ST_INVALID, 9, 9},     {"3-", ST_INVALID, 9, 9},
        {"-3", ST_INVALID, 9, 9},    {"", ST_INVALID, 9, 9},
        {"1-2-3", ST_INVALID, 9, 9},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned int first = 9, last = 9;

        assert_int_equal(parse_range(cases[i].text, 7, &first, &last),
                         cases[i].status);
        assert_int_equal(first, cases[i].first);
        assert_int_equal(last, cases[i].last);
    }
}

static void
test_parse_place_has_one_meaning(void **state)
{
    static const char *const good[] = {"Ethernet0|3", "Ethernet0:3",
                                       "Ethernet0.3", "Ethernet0|07"};
    static const char *const bad[] = {"",   "Ethernet0", "|3",          "3",
                                      "a|", "a|x",       "Ethernet0|8", "a|-1",
                                      "|",  "a|1-2",     "Ethernet0/3"};
    unsigned int index = 9;
    size_t length = 99;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(parse_place(bad[i], 7, &length, &index), ST_INVALID);
        assert_int_equal(length, 99);
        assert_int_equal(index, 9);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(parse_place(good[i], 7, &length, &index), ST_OK);
        assert_int_equal(length, strlen("Ethernet0"));
        assert_int_equal(index, i == 3 ? 7 : 3);
    }
    /* The last separator counts: ports may have dots in their names. */
    assert_int_equal(parse_place("Ethernet0.10:2", 7, &length, &index), ST_OK);
    assert_int_equal(length, strlen("Ethernet0.10"));
}

static void
test_parse_list_and_trim(void **state)
{
    const char *cursor = "a,,bc", *item;
    size_t length, n = 0;

    (void)state;
    while (parse_list_next(&cursor, &item, &length)) {
        static const char *const items[] = {"a", "", "bc"};

        assert_true(n < 3);
        assert_int_equal(length, strlen(items[n]));
        assert_memory_equal(item, items[n], length);
        n++;
    }
    assert_int_equal(n, 3);
    item = parse_trim(" \tx y\n", &length);
    assert_int_equal(length, 3);
    assert_memory_equal(item, "x y", 3);
    parse_trim("  ", &length);
    assert_int_equal(length, 0);
}

static void
test_priorities_are_bits(void **state)
{
    static const char *const bad[] = {"", "8", "3,", ",3", "3 ", "-1", "None"};
    uint8_t mask = 0;

    (void)state;
    assert_int_equal(parse_priorities("3", &mask), ST_OK);
    assert_int_equal(mask, 1 << 3);
    assert_int_equal(parse_priorities("0,7,3,3", &mask), ST_OK);
    assert_int_equal(mask, 1 << 0 | 1 << 3 | 1 << 7);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(parse_priorities(bad[i], &mask), ST_INVALID);
        assert_int_equal(mask, 1 << 0 | 1 << 3 | 1 << 7);
    }
    assert_int_equal(parse_priorities("none", &mask), ST_OK);
    assert_int_equal(mask, 0);
}

static void
test_digest_keeps_texts_apart(void **state)
{
    uint64_t a = digest_text(digest_text(DIGEST_START, "ab"), "c");
    uint64_t b = digest_text(digest_text(DIGEST_START, "a"), "bc");

    (void)state;
    assert_true(a != b);
    assert_true(a == digest_text(digest_text(DIGEST_START, "ab"), "c"));
    assert_true(digest_text(DIGEST_START, "") != DIGEST_START);
}

static void
test_arena_zeroes_and_aligns(void **state)
{
    struct arena *arena = arena_create(64);

    (void)state;
    for (size_t i = 1; i < 200; i++) {
        unsigned char *p = arena_alloc(arena, i, 1);

        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t j = 0; j < i; j++) {
            assert_int_equal(p[j], 0);
        }
        memset(p, 0xff, i);
    }
    assert_true(arena_bytes(arena) >= 199 * 200 / 2);
    arena_reset(arena);
    assert_string_equal(arena_strndup(arena, "abcd", 2), "ab");
    arena_destroy(arena);
    arena_destroy(NULL);
}

/* Returns whether 'n' bytes at 'p' are zero. */
static bool
is_zero(const unsigned char *p, size_t n)
{
    size_t i = 0;

    while (i < n && p[i] == 0) {
        i++;
    }
    return i == n;
}

static void
test_line_pool_zeroes_and_aligns(void **state)
{
    static const size_t sizes[] = {1,    64,   65,      200,     257,
                                   4096, 5000, 1 << 20, 3 << 20, 64};
    struct line_pool *pool = line_pool_create(NULL);

    (void)state;
    for (int round = 0; round < 100; round++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            const size_t size = sizes[i];
            unsigned char *piece = line_pool_take(pool, size);
            const size_t alignment = size <= 64 ? 64 : size <= 128 ? 128 : 256;

            assert_int_equal((uintptr_t)piece % alignment, 0);
            assert_true(is_zero(piece, size));
            memset(piece, 0xff, size);
            if (round % 2) {
                line_pool_give(pool, piece, size);
            }
        }
    }
    line_pool_give(pool, NULL, 1);
    line_pool_destroy(pool);
    line_pool_destroy(NULL);
}

/* Creating and destroying the same things for a long time takes no more
 * memory. */
static void
test_line_pool_uses_pieces_again(void **state)
{
    struct line_pool *pool = line_pool_create(NULL);
    void *first = line_pool_take(pool, 320);
    void *second = line_pool_take(pool, 320);

    (void)state;
    assert_ptr_not_equal(first, second);
    line_pool_give(pool, first, 320);
    assert_ptr_not_equal(line_pool_take(pool, 64), first);
    assert_ptr_equal(line_pool_take(pool, 500), first);
    line_pool_give(pool, second, 320);
    assert_ptr_equal(line_pool_take(pool, 257), second);
    line_pool_destroy(pool);
}

static void
test_line_pool_extends(void **state)
{
    struct line_pool *pool = line_pool_create(NULL);
    unsigned char *piece = line_pool_extend(pool, NULL, 0, 100);

    (void)state;
    assert_true(is_zero(piece, 100));
    memset(piece, 7, 100);
    for (size_t n = 100; n < 5 << 20; n += n / 3) {
        piece = line_pool_extend(pool, piece, n, n + n / 3);
        for (size_t i = 0; i < 100; i++) {
            assert_int_equal(piece[i], 7);
        }
        assert_true(is_zero(piece + 100, n + n / 3 - 100));
    }
    line_pool_destroy(pool);
}

/* Texts lie close together; what follows them is aligned, and neither runs into
 * the other, wherever a block ends. */
static void
test_arena_packs_texts(void **state)
{
    struct arena *arena = arena_create(64);
    const char *texts[100];
    uint64_t *numbers[100];

    (void)state;
    texts[0] = arena_strdup(arena, "ab");
    texts[1] = arena_strdup(arena, "c");
    assert_ptr_equal(texts[1], texts[0] + 3);
    for (size_t i = 0; i < 100; i++) {
        texts[i] = arena_strndup(arena, "0123456789012345678", i % 20);
        numbers[i] = arena_alloc(arena, 1, sizeof **numbers);
        assert_int_equal((uintptr_t)numbers[i] % _Alignof(max_align_t), 0);
        assert_int_equal(*numbers[i], 0);
        *numbers[i] = ~UINT64_C(0);
    }
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(strlen(texts[i]), i % 20);
        assert_true(*numbers[i] == ~UINT64_C(0));
    }
    arena_destroy(arena);
}

struct fired {
    struct timer timer;
    int id;
};

static int order[4096];
static size_t n_fired;

static void
record(struct timer *timer, int64_t when)
{
    (void)when;
    order[n_fired++] = ((struct fired *)timer->owner)->id;
}

static void
test_timeline_fires_in_order_of_time_then_insertion(void **state)
{
    enum { N = 1000 };
    struct timeline *timeline = timeline_create();
    struct fired *timers = check_calloc(N, sizeof *timers);
    uint64_t seed = 88172645463325252u;

    (void)state;
    n_fired = 0;
    for (int i = 0; i < N; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        timers[i] = (struct fired){{record, &timers[i], 0, 0, 0}, i};
        timeline_set(timeline, &timers[i].timer, (int64_t)(seed % 50));
    }
    for (int i = 0; i < N; i += 3) {
        timeline_cancel(timeline, &timers[i].timer);
        assert_false(timer_pending(&timers[i].timer));
    }
    assert_int_equal(timeline_run(timeline, 50), N - (N + 2) / 3);
    for (size_t i = 1; i < n_fired; i++) {
        const struct timer *a = &timers[order[i - 1]].timer;
        const struct timer *b = &timers[order[i]].timer;

        assert_true(a->when < b->when ||
                    (a->when == b->when && a->sequence < b->sequence));
    }
    assert_true(timeline_next(timeline) == TIMELINE_NEVER);
    timeline_destroy(timeline);
    free(timers);
}

static void
test_timeline_moves_a_pending_timer(void **state)
{
    struct timeline *timeline = timeline_create();
    struct fired a = {{record, &a, 0, 0, 0}, 1}, b = {{record, &b, 0, 0, 0}, 2};

    (void)state;
    n_fired = 0;
    timeline_set(timeline, &a.timer, 10);
    timeline_set(timeline, &b.timer, 20);
    timeline_set(timeline, &a.timer, 30);
    assert_true(timeline_next(timeline) == 20);
    assert_int_equal(timeline_run(timeline, 19), 0);
    assert_int_equal(timeline_run(timeline, 30), 2);
    assert_int_equal(order[0], 2);
    assert_int_equal(order[1], 1);
    timeline_set(timeline, &a.timer, 40);
    timeline_destroy(timeline);
    assert_false(timer_pending(&a.timer));
    timeline_destroy(NULL);
}

/* Formatting meets the end of the buffer at every distance from it. */
static void
test_formatted_text_is_whole_wherever_the_buffer_ends(void **state)
{
    (void)state;
    for (size_t before = 0; before < 200; before++) {
        struct text text = {0};
        char *taken;

        for (size_t i = 0; i < before; i++) {
            text_add_char(&text, '.');
        }
        text_addf(&text, "%s-%d", "abcdefgh", 1234);
        assert_int_equal(text.length, before + 13);
        assert_string_equal(text_string(&text) + before, "abcdefgh-1234");
        taken = text_take(&text);
        assert_int_equal(strlen(taken), before + 13);
        assert_int_equal(text.length, 0);
        free(taken);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_copy_cuts_and_terminates),
        cmocka_unit_test(test_numbers_become_digits),
        cmocka_unit_test(test_json_strings_are_escaped),
        cmocka_unit_test(test_plain_text_is_utf8_without_control_characters),
        cmocka_unit_test(test_text_grows_and_escapes_json),
        cmocka_unit_test(test_formatted_text_is_whole_wherever_the_buffer_ends),
        cmocka_unit_test(test_err_set_explains_and_returns_the_status),
        cmocka_unit_test(test_parse_numbers_strictly),
        cmocka_unit_test(test_parse_u64_does_not_wrap),
        cmocka_unit_test(test_parse_range_bounds),
        cmocka_unit_test(test_parse_place_has_one_meaning),
        cmocka_unit_test(test_parse_list_and_trim),
        cmocka_unit_test(test_priorities_are_bits),
        cmocka_unit_test(test_digest_keeps_texts_apart),
        cmocka_unit_test(test_nearest_word_is_found_whatever_its_case),
        cmocka_unit_test(test_exchanged_letters_are_one_mistake),
        cmocka_unit_test(test_choices_are_whole_words_the_nearest_first),
        cmocka_unit_test(test_arena_zeroes_and_aligns),
        cmocka_unit_test(test_arena_packs_texts),
        cmocka_unit_test(test_line_pool_zeroes_and_aligns),
        cmocka_unit_test(test_line_pool_uses_pieces_again),
        cmocka_unit_test(test_line_pool_extends),
        cmocka_unit_test(test_timeline_fires_in_order_of_time_then_insertion),
        cmocka_unit_test(test_timeline_moves_a_pending_timer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
