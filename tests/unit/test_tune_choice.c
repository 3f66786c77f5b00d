/* SPDX-License-Identifier: Apache-2.0 */

/* Which candidates "orchlab tune" tries, and which it recommends. */

#include <config.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "orchlab/tune.h"

enum { PRESENT, FIRST, SECOND, THIRD, N };

/* What a run of a load has come to, beside a present p99 of 1 ms at 100 Gb/s
 * with 2 drops. */
#define OUTCOME(p99_ms, gbps, paused_ms, drops)                                \
    {                                                                          \
        (p99_ms) * 1e-3, (gbps)*1e9, (paused_ms)*1e-3, drops                   \
    }

/* Two loads of stage 2, and one of stage 3. */
enum { LOAD, OTHER, UNSEEN, N_LOADS };

/* One more for those that need it. */
static struct tune_candidate candidates[N + 1];
static struct tune tune;

static int
begin(void **state)
{
    static const struct tune_outcome usual = OUTCOME(1, 100, 5, 2);

    (void)state;
    tune = (struct tune){.arena = arena_create(TUNE_ARENA),
                         .loads = {[UNSEEN] = {.is_unseen = true}},
                         .n_loads = N_LOADS,
                         .candidates = candidates,
                         .n_candidates = N,
                         .n_tried = N};
    for (size_t i = 0; i < N; i++) {
        candidates[i] = (struct tune_candidate){.values = {(double)i}};
        for (size_t k = 0; k < N_LOADS; k++) {
            candidates[i].outcomes[k] = usual;
        }
    }
    return 0;
}

static int
end(void **state)
{
    (void)state;
    arena_destroy(tune.arena);
    return 0;
}

/* Gives both loads of stage 2 this outcome. */
static void
set(size_t candidate, struct tune_outcome outcome)
{
    candidates[candidate].outcomes[LOAD] = outcome;
    candidates[candidate].outcomes[OTHER] = outcome;
}

static void
assert_order(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_true(candidates[i + 1].values[0] == values[i]);
    }
}

static void
forecast(size_t candidate, double done, double queue, double paused)
{
    candidates[candidate].is_forecast = true;
    candidates[candidate].done = done;
    candidates[candidate].queue_bytes = queue;
    candidates[candidate].paused_s = paused;
}

static void
test_forecasts_that_no_other_beats_come_first(void **state)
{
    (void)state;
    forecast(FIRST, 2, 100, 1); /* SECOND beats it. */
    forecast(SECOND, 1.5, 100, 1);
    forecast(THIRD, 3, 50, 1);
    tune_choice_order(&tune);
    assert_order((const double[]){SECOND, THIRD, FIRST}, 3);
}

static void
test_a_long_front_is_tried_from_end_to_end(void **state)
{
    (void)state;
    forecast(FIRST, 4, 10, 0);
    forecast(SECOND, 3, 20, 0);
    forecast(THIRD, 2, 30, 0);
    forecast(N, 1, 40, 0);
    candidates[N].values[0] = N;
    tune.n_candidates = N + 1;
    tune.n_tried = 3;
    tune_choice_order(&tune);
    /* Two of four: the quickest, and not its neighbor. */
    assert_true(candidates[1].values[0] == N);
    assert_true(candidates[2].values[0] == SECOND);
}

static void
test_without_forecasts_the_order_stays(void **state)
{
    (void)state;
    tune_choice_order(&tune);
    assert_order((const double[]){FIRST, SECOND, THIRD}, 3);
}

static void
test_less_goodput_or_more_drops_are_not_equal(void **state)
{
    (void)state;
    set(FIRST, (struct tune_outcome)OUTCOME(0.5, 98.9, 5, 2));
    set(SECOND, (struct tune_outcome)OUTCOME(0.6, 100, 5, 3));
    set(THIRD, (struct tune_outcome)OUTCOME(0.9, 99.1, 5, 2));
    tune_choice_judge(&tune);
    assert_order((const double[]){THIRD, FIRST, SECOND}, 3);
    assert_true(candidates[1].is_equal);
    assert_false(candidates[2].is_equal);
    assert_false(candidates[3].is_equal);
    assert_true(candidates[PRESENT].is_equal);
    assert_true(fabs(candidates[1].p99_ratio - 0.9) < 1e-9);
    assert_true(fabs(candidates[1].paused_sum_s - 10e-3) < 1e-9);
}

static void
test_the_worst_load_decides_on_goodput(void **state)
{
    (void)state;
    candidates[FIRST].outcomes[OTHER] =
        (struct tune_outcome)OUTCOME(0.25, 98, 5, 2);
    tune_choice_judge(&tune);
    assert_true(candidates[3].values[0] == FIRST);
    assert_false(candidates[3].is_equal);
    /* 1 and 1/4: half in the geometric mean. */
    assert_true(fabs(candidates[3].p99_ratio - 0.5) < 1e-9);
}

static void
test_the_front_has_what_nothing_beats(void **state)
{
    (void)state;
    set(FIRST, (struct tune_outcome)OUTCOME(0.5, 100, 9, 2));
    set(SECOND, (struct tune_outcome)OUTCOME(0.7, 100, 2, 2));
    set(THIRD, (struct tune_outcome)OUTCOME(0.8, 100, 3, 2));
    tune_choice_judge(&tune);
    assert_order((const double[]){FIRST, SECOND, THIRD}, 3);
    assert_true(candidates[1].is_on_front);
    assert_true(candidates[2].is_on_front);
    assert_false(candidates[3].is_on_front);
    assert_false(candidates[PRESENT].is_on_front);
}

/* Stages 2 and 3 of candidates whose p99 in stage 2 are 0.5, 0.6 and 0.7. */
static void
confirm(struct tune_outcome first, struct tune_outcome second, size_t n)
{
    set(FIRST, (struct tune_outcome)OUTCOME(0.5, 100, 5, 2));
    set(SECOND, (struct tune_outcome)OUTCOME(0.6, 100, 5, 2));
    set(THIRD, (struct tune_outcome)OUTCOME(0.7, 100, 5, 2));
    candidates[FIRST].outcomes[UNSEEN] = first;
    candidates[SECOND].outcomes[UNSEEN] = second;
    candidates[THIRD].outcomes[UNSEEN] =
        (struct tune_outcome)OUTCOME(0.4, 100, 5, 2);
    tune_choice_judge(&tune);
    tune_choice_confirm(&tune, n);
}

static void
test_the_first_that_holds_on_unseen_loads_is_chosen(void **state)
{
    const struct tune_outcome good = OUTCOME(0.9, 100, 5, 2);
    static const struct tune_outcome bad[] = {
        OUTCOME(1.1, 100, 5, 2), OUTCOME(1, 100, 5, 2), OUTCOME(0.5, 98, 5, 2),
        OUTCOME(0.5, 100, 5, 3)};

    (void)state;
    confirm(good, good, 3);
    assert_int_equal(tune.chosen, 1);
    assert_true(fabs(candidates[1].unseen_p99_ratio - 0.9) < 1e-9);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        confirm(bad[i], good, 3);
        assert_int_equal(tune.chosen, 2);
        confirm(bad[i], bad[i], 3);
        assert_int_equal(tune.chosen, 3);
        /* Only those of stage 3 count. */
        confirm(bad[i], bad[i], 2);
        assert_int_equal(tune.chosen, 0);
    }
}

static void
test_what_is_not_better_in_stage_2_is_not_chosen(void **state)
{
    (void)state;
    set(FIRST, (struct tune_outcome)OUTCOME(1, 100, 1, 2));
    set(SECOND, (struct tune_outcome)OUTCOME(0.5, 90, 1, 2));
    set(THIRD, (struct tune_outcome)OUTCOME(2, 100, 1, 2));
    for (size_t i = FIRST; i < N; i++) {
        candidates[i].outcomes[UNSEEN] =
            (struct tune_outcome)OUTCOME(0.5, 100, 5, 2);
    }
    tune_choice_judge(&tune);
    tune_choice_confirm(&tune, 3);
    assert_int_equal(tune.chosen, 0);
}

int
main(void)
{
#define CHOICE(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        CHOICE(test_forecasts_that_no_other_beats_come_first),
        CHOICE(test_a_long_front_is_tried_from_end_to_end),
        CHOICE(test_without_forecasts_the_order_stays),
        CHOICE(test_less_goodput_or_more_drops_are_not_equal),
        CHOICE(test_the_worst_load_decides_on_goodput),
        CHOICE(test_the_front_has_what_nothing_beats),
        CHOICE(test_the_first_that_holds_on_unseen_loads_is_chosen),
        CHOICE(test_what_is_not_better_in_stage_2_is_not_chosen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
