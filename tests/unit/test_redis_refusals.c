/* SPDX-License-Identifier: Apache-2.0 */

/* When a Redis that refuses writes is asked again.  The link is the test's own,
 * and the clock is that of unix_client.h. */

#include <config.h>

#include <hiredis/hiredis.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/db/link.h"
#include "orchd/db/refusals.h"
#include "process/loop.h"
#include "tests/support/unix_client.h"

#define MS INT64_C(1000000)

struct link {
    link_reply_fn *reply; /* Of the last write. */
    void *context;
    unsigned int n_writes;
};

struct fixture {
    struct link link;
    struct loop *loop;
    struct refusals *refusals;
    unsigned int n_recovered;
};

/* In place of that of orchd/db/link.c. */
void
link_command(struct link *link, int number, link_reply_fn *reply, void *context,
             ...)
{
    assert_int_equal(number, 6);
    link->reply = reply;
    link->context = context;
    link->n_writes++;
}

static void
on_recovered(void *fixture)
{
    ((struct fixture *)fixture)->n_recovered++;
}

static int
setup(void **state)
{
    static struct fixture fixture;

    memset(&fixture, 0, sizeof fixture);
    unix_client_stop_clock(true);
    fixture.loop = loop_create();
    fixture.refusals = refusals_create(fixture.loop, 6, on_recovered, &fixture);
    refusals_attach(fixture.refusals, &fixture.link);
    *state = &fixture;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *fixture = *state;

    refusals_destroy(fixture->refusals);
    loop_destroy(fixture->loop);
    return 0;
}

/* Answers the last write with 'text', an error unless it is "OK". */
static void
answer(struct fixture *fixture, const char *text)
{
    char bytes[64];
    redisReply reply = {.type = strcmp(text, "OK") ? REDIS_REPLY_ERROR
                                                   : REDIS_REPLY_STATUS,
                        .str = bytes};

    strcpy(bytes, text);
    fixture->link.reply(fixture->link.context, &reply);
}

/* Expects the next write after 'ms' milliseconds, and not much before. */
static void
expect_write(struct fixture *fixture, int64_t ms)
{
    const unsigned int n = fixture->link.n_writes;

    unix_client_pass(fixture->loop, ms * MS / 2);
    assert_int_equal(fixture->link.n_writes, n);
    unix_client_pass(fixture->loop, ms * MS / 2 + 1);
    assert_int_equal(fixture->link.n_writes, n + 1);
}

static void
test_the_intervals_grow_up_to_a_limit(void **state)
{
    struct fixture *fixture = *state;

    assert_true(refusals_note(fixture->refusals, "OOM no memory"));
    assert_true(refusals_note(fixture->refusals, "OOM no memory"));
    for (int64_t ms = 100; ms < 5000; ms *= 2) {
        expect_write(fixture, ms);
        answer(fixture, "MISCONF the disk");
    }
    for (int i = 0; i < 3; i++) {
        expect_write(fixture, 5000);
        answer(fixture, "READONLY");
    }
    expect_write(fixture, 5000);
    assert_int_equal(fixture->n_recovered, 0);
    answer(fixture, "OK");
    assert_int_equal(fixture->n_recovered, 1);
    unix_client_pass(fixture->loop, REFUSALS_RETRY_MAX_NS * 2);
    assert_int_equal(fixture->link.n_writes, 10);
}

static void
test_after_a_relapse_they_go_on_growing(void **state)
{
    struct fixture *fixture = *state;

    assert_true(refusals_note(fixture->refusals, "OOM no memory"));
    expect_write(fixture, 100);
    answer(fixture, "OK");
    unix_client_pass(fixture->loop, REFUSALS_RELAPSE_NS / 2);
    assert_true(refusals_note(fixture->refusals, "OOM no memory"));
    expect_write(fixture, 200);
    answer(fixture, "OK");
    unix_client_pass(fixture->loop, REFUSALS_RELAPSE_NS + 1000 * MS);
    assert_true(refusals_note(fixture->refusals, "OOM no memory"));
    expect_write(fixture, 100);
    answer(fixture, "OK");
    assert_int_equal(fixture->n_recovered, 3);
}

static void
test_what_does_not_pass_is_no_refusal(void **state)
{
    struct fixture *fixture = *state;

    assert_false(refusals_note(fixture->refusals, "WRONGTYPE of a key"));
    assert_false(refusals_note(fixture->refusals, "OOMPH"));
    assert_true(refusals_note(fixture->refusals, "BUSY"));
    expect_write(fixture, 100);
    /* Redis works again, although this user may not write the key. */
    answer(fixture, "NOPERM no permission");
    assert_int_equal(fixture->n_recovered, 1);
}

static void
test_a_lost_connection_ends_it(void **state)
{
    struct fixture *fixture = *state;

    assert_true(refusals_note(fixture->refusals, "LOADING"));
    refusals_attach(fixture->refusals, NULL);
    assert_false(refusals_note(fixture->refusals, "LOADING"));
    unix_client_pass(fixture->loop, REFUSALS_RETRY_MAX_NS);
    assert_int_equal(fixture->link.n_writes, 0);
    /* An answer of the lost one says nothing. */
    refusals_attach(fixture->refusals, &fixture->link);
    assert_true(refusals_note(fixture->refusals, "LOADING"));
    expect_write(fixture, 100);
    refusals_attach(fixture->refusals, NULL);
    answer(fixture, "OK");
    assert_int_equal(fixture->n_recovered, 0);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    static const struct CMUnitTest tests[] = {
        TEST(test_the_intervals_grow_up_to_a_limit),
        TEST(test_after_a_relapse_they_go_on_growing),
        TEST(test_what_does_not_pass_is_no_refusal),
        TEST(test_a_lost_connection_ends_it),
    };
#undef TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
