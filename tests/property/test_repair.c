/* SPDX-License-Identifier: Apache-2.0 */

/* Whatever the order of events, the driver of an adapter is never unloaded
 * while a connection has a queue pair or memory there, unless by force, and no
 * message is lost or executed twice.
 *
 * 1,000 fabrics of three adapters, each of which is repaired once, in random
 * order of messages, conversions, failures and repairs; in every other fabric
 * by force.  All connections are back over RDMA at the end. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/storage/failover.h"
#include "lab/storage/repair.h"

enum {
    N_FABRICS = 1000,
    N_ADAPTERS = 3,
    N_CONNECTIONS = 6,
    N_STEPS = 1500,
    N_REGIONS = 2, /* Of a connection, at each end. */
    DEPTH = 8,
};

struct connection {
    struct failover failover;
    struct failover_server server;
    uint32_t ends[2];
    bool has_pair;
    /* Of the transport in use: numbers below are on it, have arrived, are
     * known to have arrived. */
    uint64_t given, arrived, answered;
    uint64_t n_executed; /* Counted here. */
};

struct fabric {
    struct random random;
    bool is_forced;
    struct repair adapters[N_ADAPTERS];
    struct connection connections[N_CONNECTIONS];
    uint32_t n_left; /* Found open at unloads. */
};

/* Counts here what connections have open at adapter 'number'. */
static uint32_t
n_open(const struct fabric *fabric, uint32_t number)
{
    uint32_t n = 0;

    for (int i = 0; i < N_CONNECTIONS; i++) {
        const struct connection *one = &fabric->connections[i];

        for (int k = 0; k < 2; k++) {
            n += one->has_pair && one->ends[k] == number;
        }
    }
    return n;
}

/* Tells the adapters of 'one' that it has a queue pair, or none. */
static void
set_pair(struct fabric *fabric, struct connection *one, bool has_pair)
{
    if (one->has_pair == has_pair) {
        return;
    }
    one->has_pair = has_pair;
    for (int k = 0; k < 2; k++) {
        struct repair *adapter = &fabric->adapters[one->ends[k]];

        if (has_pair) {
            repair_open(adapter);
        } else {
            repair_close(adapter);
        }
    }
    for (uint32_t i = 0; i < N_ADAPTERS; i++) {
        repair_set_regions(&fabric->adapters[i], N_REGIONS * n_open(fabric, i));
    }
}

static void
try_give_back(struct fabric *fabric, struct connection *one)
{
    if (one->failover.n_holds && one->failover.transport == FAILOVER_TCP) {
        set_pair(fabric, one, false);
    }
}

/* Opens what is wanted; what is on the old transport is lost. */
static void
open(struct fabric *fabric, struct connection *one)
{
    if (one->failover.state != FAILOVER_CLOSED) {
        return;
    }
    failover_opened(&one->failover);
    if (one->failover.transport == FAILOVER_RDMA) {
        set_pair(fabric, one, true);
    }
    one->given = one->arrived = one->answered = one->failover.n_done;
    try_give_back(fabric, one);
}

static void
give(struct connection *one)
{
    uint64_t number;

    if (failover_next(&one->failover, &number)) {
        assert_int_equal(number, one->given++);
        assert_true(one->has_pair || one->failover.transport == FAILOVER_TCP);
    }
}

static void
arrive(struct connection *one)
{
    if (one->arrived < one->given &&
        failover_server_execute(&one->server, one->arrived++)) {
        one->n_executed++;
        assert_int_equal(one->n_executed, one->arrived);
    }
}

static void
answer(struct connection *one)
{
    if (one->failover.state != FAILOVER_CLOSED &&
        one->answered < one->arrived) {
        one->answered++;
        failover_done(&one->failover);
        assert_true(one->failover.n_done <= one->n_executed);
    }
}

/* The queue pairs of 'one' fail. */
static void
lose(struct fabric *fabric, struct connection *one)
{
    (void)fabric;
    if (one->failover.transport == FAILOVER_RDMA &&
        one->failover.state != FAILOVER_CLOSED) {
        failover_fail(&one->failover);
    }
}

/* Calls 'act' for each connection that ends at adapter 'number'. */
static void
for_each(struct fabric *fabric, uint32_t number,
         void (*act)(struct fabric *, struct connection *))
{
    for (int i = 0; i < N_CONNECTIONS; i++) {
        struct connection *one = &fabric->connections[i];

        if (one->ends[0] == number || one->ends[1] == number) {
            act(fabric, one);
        }
    }
}

static void
hold(struct fabric *fabric, struct connection *one)
{
    failover_hold(&one->failover);
    try_give_back(fabric, one);
}

static void
let_go(struct fabric *fabric, struct connection *one)
{
    (void)fabric;
    failover_release(&one->failover);
}

static void
ask(struct fabric *fabric, struct connection *one)
{
    if (random_below(&fabric->random, 2)) {
        failover_convert(&one->failover, FAILOVER_TCP);
    }
}

/* What comes next for adapter 'number' happens. */
static void
go_on(struct fabric *fabric, uint32_t number)
{
    struct repair *adapter = &fabric->adapters[number];

    switch (adapter->state) {
    case REPAIR_READY:
        if (fabric->is_forced) {
            const uint32_t n = n_open(fabric, number);

            repair_unload(adapter);
            assert_int_equal(adapter->qps_left, n);
            assert_int_equal(adapter->regions_left, N_REGIONS * n);
            fabric->n_left += n;
            for_each(fabric, number, lose);
        } else {
            repair_begin(adapter);
        }
        for_each(fabric, number, hold);
        break;
    case REPAIR_CLOSING:
        for_each(fabric, number, ask);
        if (repair_is_closed(adapter)) {
            assert_int_equal(n_open(fabric, number), 0);
            repair_unload(adapter);
            assert_int_equal(adapter->qps_left + adapter->regions_left, 0);
        }
        break;
    case REPAIR_UNLOADED:
        assert_int_equal(adapter->n_unloads, 1);
        repair_load(adapter);
        for_each(fabric, number, let_go);
        break;
    case REPAIR_RETURNING:
        break;
    }
}

static void
step(struct fabric *fabric)
{
    struct connection *one =
        &fabric->connections[random_below(&fabric->random, N_CONNECTIONS)];
    const uint64_t event = random_below(&fabric->random, 64);

    if (event < 12) {
        open(fabric, one);
    } else if (event < 24) {
        give(one);
    } else if (event < 36) {
        arrive(one);
    } else if (event < 48) {
        answer(one);
    } else if (event < 52) {
        failover_convert(&one->failover,
                         event % 2 ? FAILOVER_RDMA : FAILOVER_TCP);
    } else if (event == 52) {
        lose(fabric, one);
    } else if (event == 53) {
        go_on(fabric, (uint32_t)random_below(&fabric->random, N_ADAPTERS));
    } else if (one->failover.n_posted - one->failover.n_done < DEPTH) {
        failover_post(&one->failover);
    }
}

static void
create(struct fabric *fabric, uint64_t seed)
{
    *fabric = (struct fabric){.is_forced = seed % 2 == 0};
    random_init(&fabric->random, seed);
    for (int i = 0; i < N_ADAPTERS; i++) {
        repair_init(&fabric->adapters[i]);
    }
    for (int i = 0; i < N_CONNECTIONS; i++) {
        struct connection *one = &fabric->connections[i];

        failover_init(&one->failover, FAILOVER_RDMA);
        for (int k = 0; k < 2; k++) { /* It may be a loop. */
            one->ends[k] = (uint32_t)random_below(&fabric->random, N_ADAPTERS);
        }
        set_pair(fabric, one, true);
    }
}

/* Lets everything end. */
static void
finish(struct fabric *fabric)
{
    for (int round = 0; round < 8 * DEPTH; round++) {
        for (uint32_t i = 0; i < N_ADAPTERS; i++) {
            go_on(fabric, i);
        }
        for (int i = 0; i < N_CONNECTIONS; i++) {
            struct connection *one = &fabric->connections[i];

            failover_convert(&one->failover, FAILOVER_RDMA);
            open(fabric, one);
            give(one);
            arrive(one);
            answer(one);
        }
    }
}

static void
test_any_order(void **state)
{
    uint64_t n_messages = 0, n_again = 0;
    uint32_t n_left = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= N_FABRICS; seed++) {
        struct fabric fabric;

        create(&fabric, seed);
        for (int i = 0; i < N_STEPS; i++) {
            step(&fabric);
        }
        finish(&fabric);
        for (int i = 0; i < N_CONNECTIONS; i++) {
            const struct connection *one = &fabric.connections[i];

            assert_int_equal(one->failover.transport, FAILOVER_RDMA);
            assert_int_equal(one->failover.state, FAILOVER_OPEN);
            assert_int_equal(one->failover.n_holds, 0);
            assert_int_equal(one->failover.n_done, one->failover.n_posted);
            assert_int_equal(one->n_executed, one->failover.n_posted);
            n_messages += one->n_executed;
            n_again += one->failover.n_again;
        }
        for (int i = 0; i < N_ADAPTERS; i++) {
            assert_int_equal(fabric.adapters[i].n_unloads, 1);
            assert_int_equal(fabric.adapters[i].n_qps,
                             n_open(&fabric, (uint32_t)i));
            assert_true(repair_is_over(&fabric.adapters[i]));
            assert_int_equal(fabric.adapters[i].qps_left > 0,
                             fabric.adapters[i].regions_left > 0);
        }
        n_left += fabric.n_left;
    }
    assert_true(n_messages > UINT64_C(100) * N_FABRICS);
    assert_true(n_again > N_FABRICS);
    assert_true(n_left > N_FABRICS);
}

/* An adapter that is asked in the middle of things. */
static void
test_states(void **state)
{
    struct repair repair;

    (void)state;
    repair_init(&repair);
    assert_true(repair_allows(&repair));
    repair_open(&repair);
    repair_set_regions(&repair, 3);
    assert_false(repair_is_closed(&repair));
    repair_begin(&repair);
    assert_false(repair_allows(&repair));
    repair_set_regions(&repair, 0);
    assert_false(repair_is_closed(&repair)); /* Its queue pair is there. */
    repair_set_regions(&repair, 3);
    repair_close(&repair);
    assert_false(repair_is_closed(&repair)); /* Its memory is there. */
    repair_set_regions(&repair, 0);
    assert_true(repair_is_closed(&repair));
    repair_unload(&repair);
    assert_false(repair_is_closed(&repair));
    assert_false(repair_allows(&repair));
    assert_false(repair_is_over(&repair));
    repair_load(&repair);
    assert_true(repair_allows(&repair));
    assert_false(repair_is_over(&repair));
    repair_open(&repair);
    assert_true(repair_is_over(&repair));
}

static void
test_holds_count(void **state)
{
    struct failover failover;
    uint64_t number;

    (void)state;
    failover_init(&failover, FAILOVER_RDMA);
    failover_post(&failover);
    failover_hold(&failover);
    failover_hold(&failover);
    /* What is open stays so until it is asked. */
    assert_int_equal(failover.state, FAILOVER_OPEN);
    assert_true(failover_next(&failover, &number));
    failover_convert(&failover, FAILOVER_TCP);
    assert_int_equal(failover.state, FAILOVER_DRAINING);
    failover_convert(&failover, FAILOVER_RDMA);
    assert_int_equal(failover.wanted, FAILOVER_TCP);
    failover_done(&failover);
    failover_opened(&failover);
    failover_release(&failover);
    failover_convert(&failover, FAILOVER_RDMA);
    assert_int_equal(failover.state, FAILOVER_OPEN);
    failover_release(&failover);
    failover_convert(&failover, FAILOVER_RDMA);
    assert_int_equal(failover.state, FAILOVER_CLOSED);
    /* RDMA that is being opened is not. */
    failover_hold(&failover);
    assert_int_equal(failover.wanted, FAILOVER_TCP);
    failover_opened(&failover);
    assert_int_equal(failover.transport, FAILOVER_TCP);
    assert_int_equal(failover.n_conversions, 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_holds_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
