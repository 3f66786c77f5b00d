/* SPDX-License-Identifier: Apache-2.0 */

/* Running scenarios against a switch that is a dozen lines long: one lossless
 * PG that may share LIMIT packets, pauses when it reaches that, and has room
 * for HEADROOM more. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "breakpoint/parser.h"
#include "breakpoint/runner.h"

#define LIMIT    10
#define HEADROOM 4

struct fake {
    struct target target;
    uint64_t held, dropped, out, asked;
    bool blocked;
    uint64_t ran_ns;
    enum st dead; /* What every call answers, if not ST_OK. */
    size_t n_calls, n_cleared;
    bool drains;        /* One packet less each time that time passes. */
    const char *answer; /* What becomes of rows. */
    char written[64];   /* The last row and its first field. */
    size_t n_restored;
    bool keeps; /* Cannot be put back as it was. */
};

static enum st
fake_call(struct target *target, struct err *err)
{
    struct fake *fake = (struct fake *)target;

    fake->n_calls++;
    return fake->dead ? err_set(err, fake->dead, "dead", "no answer") : ST_OK;
}

static enum st
fake_block(struct target *target, const struct target_block *block,
           struct err *err)
{
    struct fake *fake = (struct fake *)target;
    enum st st = fake_call(target, err);

    if (!st && strcmp(block->port, "B")) {
        st = err_set(err, ST_NOT_FOUND, "port", "there is no port %s",
                     block->port);
    }
    if (!st) {
        fake->blocked = block->blocked;
    }
    return st;
}

static enum st
fake_send(struct target *target, const struct target_send *send,
          struct target_sent *sent, struct err *err)
{
    struct fake *fake = (struct fake *)target;
    enum st st = fake_call(target, err);

    if (st) {
        return st;
    }
    memset(sent, 0, sizeof *sent);
    sent->reached = send->until == TARGET_UNTIL_COUNT;
    while (sent->sent < send->count &&
           (!sent->reached || send->until == TARGET_UNTIL_COUNT)) {
        sent->sent++;
        if (fake->held == LIMIT + HEADROOM) {
            fake->dropped++;
            sent->dropped_ingress++;
        } else {
            fake->held++;
        }
        sent->xoff = fake->held >= LIMIT;
        sent->reached =
            sent->reached || (send->until == TARGET_UNTIL_XOFF && sent->xoff) ||
            (send->until == TARGET_UNTIL_DROP && sent->dropped_ingress);
    }
    return ST_OK;
}

static enum st
fake_settle(struct target *target, struct err *err)
{
    struct fake *fake = (struct fake *)target;

    if (!fake->blocked) {
        fake->out += fake->held;
        fake->held = 0;
    }
    return fake_call(target, err);
}

static enum st
fake_run(struct target *target, uint64_t ns, struct err *err)
{
    ((struct fake *)target)->ran_ns += ns;
    if (((struct fake *)target)->drains) {
        ((struct fake *)target)->held--;
    }
    return fake_call(target, err);
}

static enum st
fake_read(struct target *target, const struct target_object *objects, size_t n,
          struct arena *arena, struct target_reading *readings, struct err *err)
{
    struct fake *fake = (struct fake *)target;

    (void)objects;
    for (size_t i = 0; i < n; i++) {
        struct target_stat *stats = arena_alloc(arena, 4, sizeof *stats);

        stats[0] = (struct target_stat){"held", fake->held};
        stats[1] = (struct target_stat){"dropped", fake->dropped};
        stats[2] = (struct target_stat){"pfc_3_xoff", fake->held >= LIMIT};
        stats[3] = (struct target_stat){"limit", UINT64_MAX};
        readings[i] = (struct target_reading){4, stats};
    }
    return fake_call(target, err);
}

static enum st
fake_clear(struct target *target, const struct target_object *objects, size_t n,
           struct err *err)
{
    struct fake *fake = (struct fake *)target;

    (void)objects;
    fake->n_cleared += n;
    return fake_call(target, err);
}

static enum st
fake_received(struct target *target, const char *port, struct arena *arena,
              const struct target_frames **rows, size_t *n, struct err *err)
{
    struct fake *fake = (struct fake *)target;
    struct target_frames *row = arena_alloc(arena, 1, sizeof *row);

    (void)port;
    *row = (struct target_frames){
        .dscp = 3, .queue = 4, .frames = fake->out - fake->asked};
    fake->asked = fake->out;
    *rows = row;
    *n = 1;
    return fake_call(target, err);
}

static enum st
fake_configure(struct target *target, const struct target_row *rows, size_t n,
               struct arena *arena, struct target_answer *answers,
               struct err *err)
{
    struct fake *fake = (struct fake *)target;

    (void)arena;
    for (size_t i = 0; i < n; i++) {
        text_format(fake->written, sizeof fake->written, "%s %s", rows[i].key,
                    rows[i].removed ? "gone" : rows[i].fields[0].value);
        answers[i] = (struct target_answer){
            fake->answer, strcmp(fake->answer, "applied") ? "range" : "",
            "because"};
    }
    return fake_call(target, err);
}

static enum st
fake_restore(struct target *target, struct err *err)
{
    struct fake *fake = (struct fake *)target;

    fake->n_restored++;
    fake->blocked = false;
    return fake->keeps ? err_set(err, ST_DEVICE, "stuck", "it stays so")
                       : ST_OK;
}

static const struct target_ops fake_ops = {
    .block = fake_block,
    .send = fake_send,
    .settle = fake_settle,
    .run = fake_run,
    .read = fake_read,
    .clear = fake_clear,
    .received = fake_received,
    .configure = fake_configure,
    .restore = fake_restore,
};

/* What was observed of a run. */
struct seen {
    size_t n_begun, n_steps, n_ended;
    enum run_outcome outcome;
    struct run_step last;
    struct run_seen claims[8];
    char left[32];
};

static void
on_begin(void *context, const struct scenario *scenario)
{
    (void)scenario;
    ((struct seen *)context)->n_begun++;
}

static void
on_step(void *context, const struct run_step *step)
{
    struct seen *seen = context;

    seen->n_steps++;
    assert_int_equal(step->number, seen->n_steps);
    assert_true(step->n_seen <= 8);
    seen->last = *step;
    memcpy(seen->claims, step->seen, step->n_seen * sizeof *step->seen);
}

static void
on_end(void *context, const struct scenario *scenario, size_t n_steps,
       enum run_outcome outcome, const struct err *left)
{
    struct seen *seen = context;

    (void)scenario;
    if (left) {
        assert_true(text_copy(seen->left, sizeof seen->left, left->reason));
    }
    assert_int_equal(n_steps, seen->n_steps);
    seen->n_ended++;
    seen->outcome = outcome;
}

static enum run_outcome
run(const char *steps, struct fake *fake, struct seen *seen)
{
    struct run_listener listener = {on_begin, on_step, on_end, seen, false};
    struct parser_input input;
    struct scenario *scenario = NULL;
    struct text text = {0};
    struct err err = {0};
    enum run_outcome outcome;

    memset(seen, 0, sizeof *seen);
    fake->target.ops = &fake_ops;
    text_add(&text, "steps:\n");
    text_add(&text, steps);
    input = (struct parser_input){
        .file = "f", .text = text.bytes, .length = text.length};
    if (parser_load(&input, 0, NULL, &scenario, &err)) {
        fail_msg("%s", err.reason);
    }
    text_fini(&text);
    outcome = runner_run(scenario, &fake->target, &listener);
    assert_int_equal(seen->n_begun, 1);
    assert_int_equal(seen->n_ended, 1);
    assert_int_equal(seen->outcome, outcome);
    if (!*seen->left) {
        assert_int_equal(seen->last.outcome, outcome);
    }
    scenario_destroy(scenario);
    return outcome;
}

static void
test_the_whole_story_passes(void **state)
{
    struct fake fake = {.out = 5};
    struct seen seen;

    (void)state;
    assert_int_equal(
        run("  - clear_wm: [pg A.3, port B]\n"
            "  - block: B\n"
            "  - send: {from: A, to: B, until: xoff, limit: 100}\n"
            "  - snap: {name: xoff, show: [pg A.3]}\n"
            "  - expect: {obj: pg A.3, stat: held, ==: 10}\n"
            "  - expect_pfc: {port: A, prio: 3, state: xoff}\n"
            "  - send: {from: A, to: B, until: drop, limit: 100}\n"
            "  - expect:\n"
            "      - {obj: pg A.3, stat: held, vs: xoff, ==: 4}\n"
            "      - {obj: pg A.3, stat: dropped, vs: xoff, in: [1, 1]}\n"
            "  - unblock: B\n"
            "  - settle\n"
            "  - run: {us: 3}\n"
            "  - expect_pfc: {port: A, prio: 3, state: xon}\n"
            "  - expect_rx: [{port: B, n: 14}, {port: B, n: 0, where: {ce: "
            "1}}]\n"
            "  - expect_rx: {port: B, n: 14, where: {dscp: 3, queue: 4}}\n",
            &fake, &seen),
        RUN_PASSED);
    assert_int_equal(seen.n_steps, 14);
    assert_int_equal(fake.ran_ns, 3000);
    assert_int_equal(fake.n_cleared, 2);
}

static void
test_stops_at_the_first_claim_that_fails(void **state)
{
    struct fake fake = {0};
    struct seen seen;

    (void)state;
    assert_int_equal(
        run("  - block: B\n"
            "  - send: {from: A, to: B, n: 12}\n"
            "  - expect:\n"
            "      - {obj: pg A.3, stat: held, ==: 12}\n"
            "      - {obj: pg A.3, stat: held, <: 12}\n"
            "      - {obj: pg A.3, stat: held, \">\": 13, margin: 2}\n"
            "  - settle\n",
            &fake, &seen),
        RUN_FAILED);
    assert_int_equal(seen.n_steps, 3);
    assert_int_equal(seen.last.n_seen, 3);
    assert_true(seen.claims[0].passed);
    assert_false(seen.claims[1].passed);
    assert_int_equal(seen.claims[1].value, 12);
    assert_true(seen.claims[2].passed);
    assert_string_equal(seen.last.err.reason, "");
    /* It does not leave the port blocked. */
    assert_false(fake.blocked);
}

static void
test_what_never_comes_is_a_failure(void **state)
{
    struct fake fake = {0};
    struct seen seen;

    (void)state;
    assert_int_equal(run("  - send: {from: A, to: B, until: xoff, limit: 9}\n",
                         &fake, &seen),
                     RUN_FAILED);
    assert_non_null(strstr(seen.last.err.reason, "xoff within 9"));
    assert_int_equal(seen.last.sent.sent, 9);
}

static void
test_an_unknown_stat_names_those_that_exist(void **state)
{
    struct fake fake = {0};
    struct seen seen;

    (void)state;
    assert_int_equal(
        run("  - expect: {obj: pg A.3, stat: hold, ==: 0}\n", &fake, &seen),
        RUN_INVALID);
    assert_int_equal(seen.last.place.line, 2);
    assert_int_equal(seen.last.place.column, 14);
    assert_non_null(strstr(seen.last.err.reason, "'hold'"));
    assert_string_equal(seen.last.err.allowed,
                        "held, dropped, pfc_3_xoff, limit");
}

static void
test_a_limit_that_is_not_there_is_the_largest(void **state)
{
    struct fake fake = {0};
    struct seen seen;

    (void)state;
    assert_int_equal(
        run("  - expect: {obj: pg A.3, stat: limit, \">\": 1000000}\n", &fake,
            &seen),
        RUN_PASSED);
    assert_true(seen.claims[0].value == INT64_MAX);
}

static void
test_the_switchs_answers_become_outcomes(void **state)
{
    static const struct {
        enum st dead;
        enum run_outcome outcome;
    } cases[] = {
        {ST_IO, RUN_UNREACHABLE},
        {ST_INVALID, RUN_INVALID},
        {ST_NOT_FOUND, RUN_FAILED},
        {ST_UNSUPPORTED, RUN_FAILED},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fake fake = {.dead = cases[i].dead};
        struct seen seen;

        assert_int_equal(run("  - settle\n  - block: B\n", &fake, &seen),
                         cases[i].outcome);
        assert_int_equal(seen.n_steps, 1);
        assert_string_equal(seen.last.err.reason, "no answer");
    }
}

static void
test_the_switch_is_put_back_however_it_ends(void **state)
{
    struct fake fake = {0};
    struct seen seen;

    (void)state;
    assert_int_equal(run("  - block: [B, B]\n  - unblock: B\n", &fake, &seen),
                     RUN_PASSED);
    assert_int_equal(fake.n_restored, 1);
    assert_string_equal(seen.left, "");
    assert_int_equal(run("  - block: [B, C]\n", &fake, &seen), RUN_FAILED);
    assert_int_equal(fake.n_restored, 2);
    assert_false(fake.blocked);
    /* That it cannot be is a failure of a run that is none otherwise. */
    fake.keeps = true;
    assert_int_equal(run("  - settle\n", &fake, &seen), RUN_FAILED);
    assert_string_equal(seen.left, "it stays so");
}

static void
test_steps_within_a_run_stay(void **state)
{
    static const char text[] = "steps: [block: B]";
    const struct parser_input input = {
        .file = "within.yaml", .text = text, .length = sizeof text - 1};
    const struct run_listener listener = {.context = NULL};
    struct fake fake = {.target.ops = &fake_ops};
    struct scenario *scenario = NULL;
    struct err err;

    (void)state;
    assert_int_equal(parser_load(&input, 0, NULL, &scenario, &err), ST_OK);
    assert_int_equal(runner_run_within(scenario, &fake.target, &listener),
                     RUN_PASSED);
    assert_int_equal(fake.n_restored, 0);
    assert_true(fake.blocked);
    scenario_destroy(scenario);
}

static void
test_rows_have_to_become_what_is_expected(void **state)
{
    struct fake fake = {.answer = "applied"};
    struct seen seen;

    (void)state;
    assert_int_equal(run("  - cfg: {T|k: {f: 7}}\n", &fake, &seen), RUN_PASSED);
    assert_string_equal(fake.written, "T|k 7");
    assert_int_equal(run("  - cfg: {T|k: }\n", &fake, &seen), RUN_PASSED);
    assert_string_equal(fake.written, "T|k gone");
    assert_int_equal(
        run("  - cfg: {rows: {T|k: {f: 7}}, expect: rejected}\n", &fake, &seen),
        RUN_FAILED);
    assert_non_null(strstr(seen.last.err.reason,
                           "T|k: expected rejected, but it is applied"));
    fake.answer = "rejected";
    assert_int_equal(run("  - cfg: [{rows: {T|k: {f: 7}}, expect: rejected},\n"
                         "          {rows: {T|l: {f: 7}}, expect: range}]\n",
                         &fake, &seen),
                     RUN_PASSED);
    assert_int_equal(run("  - cfg:\n      T|k: {f: 7}\n", &fake, &seen),
                     RUN_FAILED);
    assert_non_null(
        strstr(seen.last.err.reason,
               "expected applied, but it is rejected (range): because"));
    assert_int_equal(seen.last.place.line, 3);
}

static void
test_waiting_ends_when_it_comes_true(void **state)
{
    struct fake fake = {.held = 9, .drains = true};
    struct seen seen;

    (void)state;
    assert_int_equal(run("  - wait_until: {obj: pg A.3, stat: held, <=: 5, "
                         "limit_us: 100, step_us: 7}\n",
                         &fake, &seen),
                     RUN_PASSED);
    assert_int_equal(fake.held, 5);
    assert_int_equal(fake.ran_ns, 4 * 7000);
    assert_int_equal(seen.last.waited_ns, 4 * 7000);
    fake.drains = false;
    fake.ran_ns = 0;
    assert_int_equal(run("  - wait_until: {obj: pg A.3, stat: held, ==: 0, "
                         "limit_us: 20, step_us: 7}\n",
                         &fake, &seen),
                     RUN_FAILED);
    assert_int_equal(fake.ran_ns, 3 * 7000);
    assert_int_equal(seen.last.n_seen, 1);
}

static void
test_claims_about_the_past(void **state)
{
    struct fake fake = {.held = 2};
    struct seen seen;

    (void)state;
    assert_int_equal(
        run("  - snap: one\n"
            "  - send: {from: A, to: B, n: 3}\n"
            "  - snap: two\n"
            "  - send: {from: A, to: B, n: 4}\n"
            "  - expect:\n"
            "      - {obj: pg A.3, stat: held, at: one, ==: 2}\n"
            "      - {obj: pg A.3, stat: held, at: two, vs: one, ==: 3}\n"
            "      - {obj: pg A.3, stat: held, vs: two, trend: increasing}\n"
            "      - {obj: pg A.3, stat: dropped, vs: two, trend: stable}\n"
            "      - {obj: pg A.3, stat: held, at: one, vs: two, "
            "trend: decreasing}\n",
            &fake, &seen),
        RUN_PASSED);
    assert_int_equal(seen.last.n_seen, 5);
    assert_int_equal(
        run("  - snap: one\n"
            "  - expect: {obj: pg A.3, stat: held, vs: one, trend: "
            "increasing}\n",
            &fake, &seen),
        RUN_FAILED);
}

static void
test_frames_since_a_snapshot(void **state)
{
    struct fake fake = {0};
    struct seen seen;

    (void)state;
    assert_int_equal(run("  - send: {from: A, to: B, n: 3}\n"
                         "  - settle\n"
                         "  - snap: one\n"
                         "  - send: {from: A, to: B, n: 2}\n"
                         "  - settle\n"
                         "  - expect_rx:\n"
                         "      - {port: B, n: 2, vs: one}\n"
                         "      - {port: B, n: 5}\n"
                         "      - {port: B, permille: 1000, where: {dscp: 3}}\n"
                         "      - {port: B, in: 1..9, vs: one}\n",
                         &fake, &seen),
                     RUN_PASSED);
    assert_int_equal(
        run("  - expect_rx: {port: B, first: 3, n: 3}\n", &fake, &seen),
        RUN_FAILED);
    assert_non_null(strstr(seen.last.err.reason, "does not report the order"));
}

static void
test_what_a_switch_cannot_do_is_named(void **state)
{
    static const char *const steps[] = {
        "  - sai: {obj: port A, attr: X, value: 1}\n",
        "  - peer: {port: A}\n",
        "  - flow: {name: f, from: A, to: B}\n",
        "  - storm: {port: A, prios: 3}\n",
        "  - stop: f\n",
        "  - stop: {storms: A}\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct fake fake = {0};
        struct seen seen;
        char quoted[16];

        text_format(quoted, sizeof quoted, "'%.*s'",
                    (int)strcspn(steps[i] + 4, ":"), steps[i] + 4);
        assert_int_equal(run(steps[i], &fake, &seen), RUN_FAILED);
        assert_int_equal(seen.last.err.status, ST_UNSUPPORTED);
        assert_non_null(strstr(seen.last.err.reason, quoted));
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_whole_story_passes),
        cmocka_unit_test(test_stops_at_the_first_claim_that_fails),
        cmocka_unit_test(test_what_never_comes_is_a_failure),
        cmocka_unit_test(test_an_unknown_stat_names_those_that_exist),
        cmocka_unit_test(test_a_limit_that_is_not_there_is_the_largest),
        cmocka_unit_test(test_the_switchs_answers_become_outcomes),
        cmocka_unit_test(test_the_switch_is_put_back_however_it_ends),
        cmocka_unit_test(test_steps_within_a_run_stay),
        cmocka_unit_test(test_rows_have_to_become_what_is_expected),
        cmocka_unit_test(test_waiting_ends_when_it_comes_true),
        cmocka_unit_test(test_claims_about_the_past),
        cmocka_unit_test(test_frames_since_a_snapshot),
        cmocka_unit_test(test_what_a_switch_cannot_do_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
