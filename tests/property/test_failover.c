/* SPDX-License-Identifier: Apache-2.0 */

/* However often a connection changes its transport, and however often that
 * fails, each message is executed once and in order, and none is lost.
 *
 * 100,000 conversions in random order of events.  A transport that fails loses
 * what is on its way, in either direction; one that is closed delivers nothing
 * more. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/storage/failover.h"

enum { N_CONVERSIONS = 100000, N_SEEDS = 20, DEPTH = 16 };

/* The transport in use: numbers from 'first' on are on it; the other end has
 * those below 'arrived', and said so of those below 'answered'. */
struct transport {
    uint64_t first, given, arrived, answered;
};

struct connection {
    struct random random;
    struct failover failover;
    struct failover_server server;
    struct transport transport;
    uint64_t n_executed; /* Counted here. */
};

static void
give(struct connection *connection)
{
    uint64_t number;

    if (failover_next(&connection->failover, &number)) {
        assert_int_equal(number, connection->transport.given);
        connection->transport.given++;
    }
}

static void
arrive(struct connection *connection)
{
    struct transport *transport = &connection->transport;

    if (transport->arrived < transport->given) {
        const uint64_t number = transport->arrived++;

        if (failover_server_execute(&connection->server, number)) {
            assert_int_equal(number, connection->n_executed);
            connection->n_executed++;
        }
    }
}

static void
answer(struct connection *connection)
{
    if (connection->transport.answered < connection->transport.arrived) {
        connection->transport.answered++;
        failover_done(&connection->failover);
        assert_true(connection->failover.n_done <= connection->n_executed);
    }
}

/* Opens what is wanted; what is on the old transport is lost. */
static void
open(struct connection *connection)
{
    struct failover *failover = &connection->failover;

    failover_opened(failover);
    connection->transport = (struct transport){
        failover->n_done, failover->n_done, failover->n_done, failover->n_done};
}

static void
step(struct connection *connection)
{
    struct failover *failover = &connection->failover;
    const uint64_t event = random_below(&connection->random, 64);

    if (failover->state == FAILOVER_CLOSED) {
        if (event < 8) {
            open(connection);
        } else if (event < 12) {
            failover_convert(failover,
                             event % 2 ? FAILOVER_RDMA : FAILOVER_TCP);
        }
    } else if (event < 16) {
        give(connection);
    } else if (event < 32) {
        arrive(connection);
    } else if (event < 48) {
        answer(connection);
    } else if (event < 52) {
        failover_convert(failover, event % 2 ? FAILOVER_RDMA : FAILOVER_TCP);
    } else if (event == 52) {
        failover_fail(failover);
    }
    if (event >= 56 && failover->n_posted - failover->n_done < DEPTH) {
        failover_post(failover);
    }
    /* Nobody can stand still. */
    assert_true(failover->state != FAILOVER_DRAINING ||
                failover->n_done < failover->n_given);
}

static void
test_each_once(void **state)
{
    uint64_t n_conversions = 0, n_failures = 0, n_duplicates = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
        struct connection connection = {.n_executed = 0};
        struct failover *failover = &connection.failover;

        random_init(&connection.random, seed);
        failover_init(failover, FAILOVER_RDMA);
        while (failover->n_conversions < N_CONVERSIONS / N_SEEDS) {
            step(&connection);
        }
        while (failover->n_done < failover->n_posted) {
            if (failover->state == FAILOVER_CLOSED) {
                open(&connection);
            }
            give(&connection);
            arrive(&connection);
            answer(&connection);
        }
        assert_int_equal(connection.n_executed, failover->n_posted);
        assert_int_equal(connection.server.n_executed, failover->n_posted);
        n_conversions += failover->n_conversions;
        n_failures += failover->n_failures;
        n_duplicates += connection.server.n_duplicates;
        assert_true(failover->n_again >= connection.server.n_duplicates);
    }
    assert_true(n_conversions >= N_CONVERSIONS);
    assert_true(n_failures > N_CONVERSIONS / 20);
    assert_true(n_duplicates > N_CONVERSIONS / 20);
}

static void
test_conversions_drain(void **state)
{
    struct failover failover;
    uint64_t number;

    (void)state;
    failover_init(&failover, FAILOVER_RDMA);
    failover_post(&failover);
    failover_post(&failover);
    assert_true(failover_next(&failover, &number));
    failover_convert(&failover, FAILOVER_RDMA);
    assert_int_equal(failover.state, FAILOVER_OPEN);
    failover_convert(&failover, FAILOVER_TCP);
    assert_int_equal(failover.state, FAILOVER_DRAINING);
    assert_false(failover_next(&failover, &number));
    /* Changed its mind, and again. */
    failover_convert(&failover, FAILOVER_RDMA);
    assert_int_equal(failover.state, FAILOVER_OPEN);
    failover_convert(&failover, FAILOVER_TCP);
    failover_done(&failover);
    assert_int_equal(failover.state, FAILOVER_CLOSED);
    failover_opened(&failover);
    assert_int_equal(failover.transport, FAILOVER_TCP);
    assert_int_equal(failover.n_again, 0);
    assert_true(failover_next(&failover, &number));
    assert_int_equal(number, 1);
    /* A failure gives it again. */
    failover_fail(&failover);
    assert_int_equal(failover.state, FAILOVER_CLOSED);
    failover_opened(&failover);
    assert_int_equal(failover.n_again, 1);
    assert_int_equal(failover.n_conversions, 1);
    assert_true(failover_next(&failover, &number));
    assert_int_equal(number, 1);
}

static void
test_pace(void **state)
{
    const struct failover_pace_config config = {
        .per_period = 10, .most = 35, .heal_ps = 1000, .busy_permille = 900};
    struct failover_pace pace;

    (void)state;
    failover_pace_init(&pace, &config);
    assert_int_equal(failover_pace_period(&pace, 0, 0, 0), 0);
    failover_pace_target(&pace, FAILOVER_TCP);
    assert_int_equal(failover_pace_period(&pace, 1, 0, 900), 10);
    assert_int_equal(failover_pace_period(&pace, 2, 10, 901), 0);
    assert_int_equal(pace.n_held, 1);
    assert_int_equal(failover_pace_period(&pace, 3, 30, 0), 5);
    assert_int_equal(failover_pace_period(&pace, 4, 35, 0), 0);
    /* Failures add to those that were converted. */
    assert_int_equal(failover_pace_period(&pace, 4, 50, 0), 0);
    failover_pace_fail(&pace, 5000);
    failover_pace_target(&pace, FAILOVER_RDMA);
    assert_int_equal(failover_pace_period(&pace, 5999, 50, 0), 0);
    assert_int_equal(failover_pace_period(&pace, 6000, 50, 0), 10);
    assert_int_equal(failover_pace_period(&pace, 6001, 3, 0), 3);
    assert_int_equal(failover_pace_period(&pace, 6002, 3, 1000), 0);
    assert_int_equal(pace.n_held, 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_once),
        cmocka_unit_test(test_conversions_drain),
        cmocka_unit_test(test_pace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
