/* SPDX-License-Identifier: Apache-2.0 */

/* What is published in a turn, sorted by database. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/db/link.h"
#include "orchd/db/outbox.h"

/* Adds a command of two words. */
static void
add(struct outbox *outbox, enum database database, const char *verb,
    const char *key)
{
    const char *strings[] = {verb, key};
    const struct link_args args = {strings, 2, 2};

    outbox_add(outbox, database, &args);
}

/* Notes the database and the command, without the ends of lines. */
static void
note(void *sent, enum database database, const char *command, size_t length)
{
    text_addf(sent, "%d:", (int)database);
    for (size_t i = 0; i < length; i++) {
        if (command[i] != '\r') {
            text_add_char(sent, command[i] == '\n' ? ' ' : command[i]);
        }
    }
    text_add_char(sent, ';');
}

/* Flushes, and checks what is sent. */
static void
assert_sent(struct outbox *outbox, const char *expected)
{
    struct text sent = {0};

    outbox_flush(outbox, note, &sent);
    assert_string_equal(text_string(&sent), expected);
    text_fini(&sent);
}

static void
test_command_is_written_as_redis_reads_it(void **state)
{
    struct outbox *outbox = outbox_create();
    const char *strings[] = {"HSET", "", "a b\r\n", "123456789012"};
    const struct link_args args = {strings, 4, 4};
    struct text expected = {0};

    (void)state;
    outbox_add(outbox, APPL_DB, &args);
    text_addf(&expected, "%d:*4 $4 HSET $0  $5 a b  $12 123456789012 ;",
              APPL_DB);
    assert_sent(outbox, text_string(&expected));
    text_fini(&expected);
    outbox_destroy(outbox);
}

/* What others may rely on comes before the word that it is so, and messages
 * come last; within a database nothing overtakes. */
static void
test_databases_leave_one_after_the_other(void **state)
{
    struct outbox *outbox = outbox_create();
    struct text expected = {0};

    (void)state;
    add(outbox, (enum database)OUTBOX_MESSAGES, "PUBLISH", "m");
    add(outbox, STATE_DB, "DEL", "s1");
    add(outbox, APPL_DB, "DEL", "a1");
    add(outbox, ASIC_DB, "DEL", "o1");
    add(outbox, STATE_DB, "DEL", "s2");
    add(outbox, APPL_DB, "DEL", "a2");
    text_addf(&expected,
              "%d:*2 $3 DEL $2 o1 ;%d:*2 $3 DEL $2 a1 ;%d:*2 $3 DEL $2 a2 ;"
              "%d:*2 $3 DEL $2 s1 ;%d:*2 $3 DEL $2 s2 ;"
              "%d:*2 $7 PUBLISH $1 m ;",
              ASIC_DB, APPL_DB, APPL_DB, STATE_DB, STATE_DB, OUTBOX_MESSAGES);
    assert_sent(outbox, text_string(&expected));
    text_fini(&expected);
    outbox_destroy(outbox);
}

static void
test_nothing_is_sent_twice_and_nothing_that_was_cleared(void **state)
{
    struct outbox *outbox = outbox_create();
    struct text sent = {0};

    (void)state;
    assert_true(outbox_empty(outbox));
    add(outbox, ASIC_DB, "DEL", "o");
    assert_false(outbox_empty(outbox));
    outbox_flush(outbox, note, &sent);
    assert_true(sent.length > 0);
    assert_true(outbox_empty(outbox));
    assert_sent(outbox, "");
    add(outbox, ASIC_DB, "DEL", "o");
    outbox_clear(outbox);
    assert_true(outbox_empty(outbox));
    assert_sent(outbox, "");
    text_fini(&sent);
    outbox_destroy(outbox);
    outbox_destroy(NULL);
}

/* The limit is that of all databases together. */
static void
test_outbox_is_full_before_it_is_large(void **state)
{
    struct outbox *outbox = outbox_create();
    size_t n = 0;

    (void)state;
    while (!outbox_full(outbox)) {
        add(outbox, n % 2 ? ASIC_DB : STATE_DB, "DEL", "0123456789");
        n++;
        assert_true(n < 10000);
    }
    assert_true(n > 100);
    outbox_clear(outbox);
    assert_false(outbox_full(outbox));
    outbox_destroy(outbox);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command_is_written_as_redis_reads_it),
        cmocka_unit_test(test_databases_leave_one_after_the_other),
        cmocka_unit_test(
            test_nothing_is_sent_twice_and_nothing_that_was_cleared),
        cmocka_unit_test(test_outbox_is_full_before_it_is_large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
