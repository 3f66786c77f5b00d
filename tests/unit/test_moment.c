/* SPDX-License-Identifier: Apache-2.0 */

/* Calls that read one moment in several turns, and calls that move it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "orchd/control/moment.h"

/* A client: it reads for three turns, or moves for one, again and again. */
struct client {
    void (*go_on)(struct client *client);
    unsigned int n_left; /* Turns that it still reads. */
    unsigned int n_done;
};

typedef void client_fn(struct client *client);

static struct moment moment;
static struct client clients[3];
static size_t n_clients;

/* Goes on with a client that 'may' begin. */
static void
take_turn(struct client *client, bool (*may)(struct moment *moment))
{
    if (!client->n_left) {
        client->n_left = may(&moment) ? 3 : 0;
    } else if (!--client->n_left) {
        moment_end(&moment);
        client->n_done++;
    }
}

static void
read_some(struct client *client)
{
    take_turn(client, moment_hold);
}

static void
change_some(struct client *client)
{
    take_turn(client, moment_hold_alone);
}

/* No other client may be between its first and its last turn. */
static void
move_some(struct client *client)
{
    if (moment_move(&moment)) {
        for (size_t i = 0; i < n_clients; i++) {
            assert_int_equal(clients[i].n_left, 0);
        }
        client->n_done++;
    }
}

static void
turn(void)
{
    moment_turn(&moment);
    for (size_t i = 0; i < n_clients; i++) {
        clients[i].go_on(&clients[i]);
    }
}

/* Runs clients that begin in this order. */
static void
run(client_fn *const *go_on, size_t n, unsigned int turns)
{
    moment = (struct moment){0};
    n_clients = n;
    for (size_t i = 0; i < n; i++) {
        clients[i] = (struct client){.go_on = go_on[i]};
    }
    while (turns--) {
        turn();
    }
}

static void
test_readers_share_a_moment(void **state)
{
    client_fn *const begin[] = {read_some, read_some};

    (void)state;
    run(begin, 2, 4);
    assert_int_equal(clients[0].n_done, 1);
    assert_int_equal(clients[1].n_done, 1);
}

/* In every order: readers alone would never leave a moment for the mover. */
static void
test_no_side_keeps_the_other_out(void **state)
{
    client_fn *const orders[][3] = {
        {move_some, read_some, read_some},
        {read_some, move_some, read_some},
        {read_some, read_some, move_some},
    };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        run(orders[i], 3, 100);
        for (size_t k = 0; k < 3; k++) {
            assert_in_range(clients[k].n_done, 10, 100);
        }
    }
}

static void
test_a_change_in_slices_is_alone(void **state)
{
    client_fn *const begin[] = {change_some, read_some, move_some};

    (void)state;
    run(begin, 3, 0);
    for (unsigned int i = 0; i < 100; i++) {
        turn();
        assert_false(clients[0].n_left && clients[1].n_left);
    }
    for (size_t k = 0; k < 3; k++) {
        assert_in_range(clients[k].n_done, 10, 100);
    }
}

/* A mover that has waited and then ended does not keep readers out. */
static void
test_a_mover_may_vanish(void **state)
{
    client_fn *const begin[] = {read_some, move_some};

    (void)state;
    run(begin, 2, 2);
    assert_int_equal(clients[1].n_done, 0);
    n_clients = 0;
    moment_end(&moment);
    turn();
    turn();
    assert_true(moment_hold(&moment));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readers_share_a_moment),
        cmocka_unit_test(test_no_side_keeps_the_other_out),
        cmocka_unit_test(test_a_change_in_slices_is_alone),
        cmocka_unit_test(test_a_mover_may_vanish),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
