/* SPDX-License-Identifier: Apache-2.0 */

/* When removals may be believed. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "orchd/db/gate.h"

#define S INT64_C(1000000000)

/* One thing that happens, and what the gate says then. */
struct step {
    enum {
        ASK, /* Nothing happens. */
        BEGIN,
        END,             /* ... and finds nothing. */
        END_PORTS,       /* ... and finds PORT rows. */
        END_INITIALIZED, /* ... and finds CONFIG_DB_INITIALIZED. */
        ROW,
        PORT_ROW,
        INITIALIZED,
        LOST,
        FLUSH,
        RESUME,
    } event;
    int64_t now;
    bool open;
};

static void
happen(struct gate *gate, const struct step *step)
{
    switch (step->event) {
    case ASK:
        break;
    case BEGIN:
        gate_reading_begin(gate);
        break;
    case END:
    case END_PORTS:
    case END_INITIALIZED:
        gate_reading_end(gate, step->event == END_INITIALIZED,
                         step->event == END_PORTS, step->now);
        break;
    case ROW:
    case PORT_ROW:
        gate_row(gate, step->event == PORT_ROW, step->now);
        break;
    case INITIALIZED:
        gate_initialized(gate, true);
        break;
    case LOST:
        gate_link_lost(gate);
        break;
    case FLUSH:
        gate_flushed(gate);
        break;
    case RESUME:
        gate_resume(gate);
        break;
    }
}

/* Runs 'n' steps from a new gate; after each, the gate must be as it says, and
 * gate_next() must be consistent with gate_open(). */
static void
run(const struct step *steps, size_t n)
{
    struct gate gate;

    gate_init(&gate, 0);
    assert_false(gate_open(&gate, 100 * S));
    for (size_t i = 0; i < n; i++) {
        struct gate later;

        happen(&gate, &steps[i]);
        assert_int_equal(gate_open(&gate, steps[i].now), steps[i].open);
        assert_true(!gate.open || gate_next(&gate) == INT64_MAX);
        later = gate;
        if (gate_next(&gate) != INT64_MAX) {
            assert_true(gate_next(&gate) > steps[i].now);
            assert_true(gate_open(&later, gate_next(&gate)));
        } else if (!gate.open) {
            assert_false(gate_open(&later, INT64_MAX - 1));
        }
    }
}

#define RUN(...)                                                               \
    do {                                                                       \
        static const struct step steps[] = {__VA_ARGS__};                      \
        run(steps, sizeof steps / sizeof *steps);                              \
    } while (0)

static void
test_initialized_opens_after_the_first_reading(void **state)
{
    (void)state;
    RUN({INITIALIZED, 0, false}, {BEGIN, 0, false}, {ROW, 0, false},
        {END_INITIALIZED, 0, true});
}

static void
test_ports_open_after_half_a_second_of_quiet(void **state)
{
    (void)state;
    RUN({BEGIN, 0, false}, {PORT_ROW, S, false}, {END_PORTS, S, false},
        {ROW, S + S / 4, false}, {ASK, S + S / 2, false},
        {ASK, S + 3 * S / 4 - 1, false}, {ASK, S + 3 * S / 4, true});
}

static void
test_writes_without_end_hold_for_five_seconds(void **state)
{
    (void)state;
    RUN({BEGIN, 0, false}, {PORT_ROW, S, false}, {END_PORTS, S, false},
        {ROW, S + S / 4, false}, {ROW, 3 * S, false}, {ROW, 4 * S, false},
        {ROW, 6 * S - S / 4, false}, {ASK, 6 * S - 1, false},
        {ASK, 6 * S, true}, {ROW, 6 * S, true});
}

static void
test_patience_begins_again_after_a_loss_and_with_the_first_port(void **state)
{
    (void)state;
    RUN({BEGIN, 0, false}, {END_PORTS, 0, false}, {ROW, 4 * S, false},
        {LOST, 4 * S, false}, {BEGIN, 5 * S, false}, {ROW, 5 * S, false},
        {END_PORTS, 5 * S, false}, {ROW, 10 * S - S / 4, false},
        {ASK, 10 * S, true});
    RUN({BEGIN, 0, false}, {END, 0, false}, {ROW, 50 * S, false},
        {PORT_ROW, 60 * S, false}, {ROW, 65 * S - 1, false},
        {ASK, 65 * S, true});
}

static void
test_it_says_whether_patience_opened_it(void **state)
{
    struct gate gate;

    (void)state;
    gate_init(&gate, 0);
    gate_reading_begin(&gate);
    gate_reading_end(&gate, false, true, 0);
    gate_row(&gate, false, GATE_PATIENCE_NS - 1);
    assert_false(gate_open(&gate, GATE_PATIENCE_NS - 1));
    assert_false(gate_is_open_by_patience(&gate));
    assert_true(gate_open(&gate, GATE_PATIENCE_NS));
    assert_true(gate_is_open_by_patience(&gate));
    gate_link_lost(&gate);
    assert_false(gate_is_open_by_patience(&gate));
    gate_reading_begin(&gate);
    gate_reading_end(&gate, true, true, 9 * S);
    assert_true(gate_open(&gate, 9 * S));
    assert_false(gate_is_open_by_patience(&gate));
    /* Nor did it if the clients were quiet. */
    gate_init(&gate, 0);
    gate_reading_begin(&gate);
    gate_reading_end(&gate, false, true, 0);
    assert_true(gate_open(&gate, GATE_QUIET_NS));
    assert_false(gate_is_open_by_patience(&gate));
    /* An audit that finds nothing ends that, too. */
    gate_init(&gate, 0);
    gate_reading_begin(&gate);
    gate_reading_end(&gate, false, true, 0);
    gate_row(&gate, false, GATE_PATIENCE_NS - 1);
    assert_true(gate_open(&gate, GATE_PATIENCE_NS));
    assert_true(gate_is_open_by_patience(&gate));
    gate_reading_begin(&gate);
    gate_reading_end(&gate, false, false, 9 * S);
    assert_false(gate_open(&gate, 9 * S));
    assert_false(gate_is_open_by_patience(&gate));
}

static void
test_an_empty_database_never_opens(void **state)
{
    (void)state;
    RUN({BEGIN, 0, false}, {END, 0, false}, {ROW, S, false},
        {ASK, 100 * S, false});
}

static void
test_signs_that_come_later_open(void **state)
{
    (void)state;
    RUN({BEGIN, 0, false}, {END, 0, false}, {INITIALIZED, S, true});
    RUN({BEGIN, 0, false}, {END, 0, false}, {PORT_ROW, S, false},
        {ASK, S + S / 2, true});
}

static void
test_the_operator_opens_but_not_before_a_reading(void **state)
{
    (void)state;
    RUN({RESUME, 0, false}, {BEGIN, 0, false}, {END, 0, true});
    RUN({BEGIN, 0, false}, {END, 0, false}, {RESUME, 0, true}, {BEGIN, 1, true},
        {END, 1, true}, {FLUSH, 2, false}, {BEGIN, 2, false}, {END, 2, false});
}

static void
test_a_lost_connection_closes_until_read_again(void **state)
{
    (void)state;
    RUN({BEGIN, 0, false}, {END_INITIALIZED, 0, true}, {LOST, 1, false},
        {ASK, 100 * S, false}, {BEGIN, 100 * S, false},
        {END_INITIALIZED, 101 * S, true});
    RUN({BEGIN, 0, false}, {END_INITIALIZED, 0, true}, {LOST, 1, false},
        {BEGIN, 1, false}, {END, 1, false});
}

static void
test_a_reading_from_before_a_flush_does_not_count(void **state)
{
    (void)state;
    RUN({BEGIN, 0, false}, {END_INITIALIZED, 0, true}, {BEGIN, 1, true},
        {FLUSH, 1, false}, {END_INITIALIZED, 1, false}, {BEGIN, 2, false},
        {END, 2, false}, {INITIALIZED, 3, true});
}

static void
test_an_audit_that_finds_nothing_closes(void **state)
{
    (void)state;
    RUN({BEGIN, 0, false}, {END_INITIALIZED, 0, true}, {BEGIN, S, true},
        {END, S, false}, {PORT_ROW, 2 * S, false}, {ASK, 2 * S + S / 2, true});
    /* Patience begins again with the next PORT row. */
    RUN({BEGIN, 0, false}, {END_PORTS, 0, false}, {ASK, S / 2, true},
        {BEGIN, S, true}, {END, S, false}, {ROW, 60 * S, false},
        {PORT_ROW, 61 * S, false}, {ROW, 66 * S - 1, false},
        {ASK, 66 * S, true});
}

static void
test_an_audit_that_finds_all_well_changes_nothing(void **state)
{
    (void)state;
    RUN({BEGIN, 0, false}, {END_INITIALIZED, 0, true}, {BEGIN, S, true},
        {END_INITIALIZED, S, true}, {BEGIN, S, true}, {END_PORTS, S, true});
}

/* It reports what is missing now, not what was when the gate closed. */
static void
test_the_reason_follows_what_is_known(void **state)
{
    struct gate gate;

    (void)state;
    gate_init(&gate, 0);
    assert_int_equal(gate_why(&gate), GATE_START);
    gate_reading_begin(&gate);
    assert_int_equal(gate_why(&gate), GATE_START);
    gate_reading_end(&gate, false, false, 0);
    assert_int_equal(gate_why(&gate), GATE_EMPTY);
    gate_row(&gate, true, S);
    assert_int_equal(gate_why(&gate), GATE_SETTLING);
    gate_link_lost(&gate);
    assert_int_equal(gate_why(&gate), GATE_LINK);
    gate_flushed(&gate);
    gate_reading_begin(&gate);
    assert_int_equal(gate_why(&gate), GATE_FLUSHED);
    gate_reading_end(&gate, false, true, S);
    assert_int_equal(gate_why(&gate), GATE_SETTLING);
    for (int i = 0; i < N_GATE_REASONS; i++) {
        assert_true(*gate_reason_sentence((enum gate_reason)i));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_initialized_opens_after_the_first_reading),
        cmocka_unit_test(test_ports_open_after_half_a_second_of_quiet),
        cmocka_unit_test(test_writes_without_end_hold_for_five_seconds),
        cmocka_unit_test(
            test_patience_begins_again_after_a_loss_and_with_the_first_port),
        cmocka_unit_test(test_it_says_whether_patience_opened_it),
        cmocka_unit_test(test_an_empty_database_never_opens),
        cmocka_unit_test(test_signs_that_come_later_open),
        cmocka_unit_test(test_the_operator_opens_but_not_before_a_reading),
        cmocka_unit_test(test_a_lost_connection_closes_until_read_again),
        cmocka_unit_test(test_a_reading_from_before_a_flush_does_not_count),
        cmocka_unit_test(test_an_audit_that_finds_nothing_closes),
        cmocka_unit_test(test_an_audit_that_finds_all_well_changes_nothing),
        cmocka_unit_test(test_the_reason_follows_what_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
