/* SPDX-License-Identifier: Apache-2.0 */

/* Driving a run: pieces, progress, breaks and commands, on a run and a clock
 * that the test makes up. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchlab/drive.h"
#include "orchlab/progress.h"

#define US INT64_C(1000000)
#define MS INT64_C(1000000000)
#define S  INT64_C(1000000000) /* Nanoseconds. */

/* A run that needs 'cost' ns of real time for each us of virtual time, breaks
 * at 'break_ps', and is interrupted at 'interrupt_ps'. */
struct fake {
    int64_t clock_ns, now_ps, stop_ps, break_ps, interrupt_ps, cost;
    int64_t most_ps;    /* At a time, as of another rank; 0: no limit. */
    int64_t longest_ns; /* Piece. */
    unsigned int n_pieces, n_saves, n_steps, n_looks;
    const char *reason;
    struct text log;
    bool full; /* The disk. */
    bool lost; /* The results. */
    bool bare; /* There are none. */
};

static void
set_up(struct fake *fake)
{
    *fake = (struct fake){.clock_ns = 77 * S,
                          .stop_ps = 10 * MS,
                          .break_ps = INT64_MAX,
                          .interrupt_ps = INT64_MAX,
                          .cost = 1000000,
                          .reason = ""};
}

static enum run_state
fake_until(void *context, int64_t until_ps)
{
    struct fake *fake = context;
    enum run_state state = RUN_RUNNING;
    int64_t to_ps = until_ps;
    int64_t took_ns;

    fake->reason = "";
    if (fake->most_ps && fake->most_ps < to_ps - fake->now_ps) {
        to_ps = fake->now_ps + fake->most_ps;
    }
    if (fake->stop_ps <= to_ps) {
        to_ps = fake->stop_ps;
        state = RUN_STOPPED;
    }
    if (fake->break_ps <= to_ps) {
        to_ps = fake->break_ps;
        state = RUN_BROKEN;
        fake->break_ps = INT64_MAX;
        fake->reason = "a drop at t0-1";
    }
    if (fake->interrupt_ps <= to_ps) {
        to_ps = fake->interrupt_ps;
        state = RUN_INTERRUPTED;
    }
    took_ns = (to_ps - fake->now_ps) / (US / 1000) * (fake->cost / 1000);
    fake->longest_ns = took_ns > fake->longest_ns ? took_ns : fake->longest_ns;
    fake->clock_ns += took_ns;
    fake->now_ps = to_ps;
    fake->n_pieces++;
    return state;
}

static enum run_state
fake_step(void *context, uint64_t n)
{
    struct fake *fake = context;

    fake->n_steps += (unsigned int)n;
    fake->now_ps += (int64_t)n;
    return RUN_RUNNING;
}

static int64_t
fake_now(void *context)
{
    return ((struct fake *)context)->now_ps;
}

static void
fake_progress(void *context, struct run_progress *progress)
{
    struct fake *fake = context;

    fake->n_looks++;
    *progress = (struct run_progress){
        .now_ps = fake->now_ps,
        .stop_ps = fake->stop_ps,
        .hops = (uint64_t)(fake->now_ps / (US / 1000)) * 5,
        .drops = 1,
        .pauses = 2,
        .flows = 9,
        .flows_done = 4};
}

static const char *
fake_reason(void *context)
{
    return ((struct fake *)context)->reason;
}

static enum st
fake_break(void *context, const char *text, struct err *err)
{
    struct fake *fake = context;

    text_addf(&fake->log, "break %s;", text);
    return run_parse_time(text, &fake->break_ps, err);
}

static enum st
fake_set(void *context, const char *text, struct err *err)
{
    struct fake *fake = context;

    if (!*text) {
        return err_set(err, ST_INVALID, "usage", "set needs what to change");
    }
    text_addf(&fake->log, "set %s;", text);
    return ST_OK;
}

static enum st
fake_release(void *context, const struct run_progress *progress,
             struct err *err)
{
    struct fake *fake = context;

    assert_int_equal(progress->now_ps, fake->now_ps);
    text_add(&fake->log, "release;");
    return fake->full ? err_set(err, ST_IO, "full", "no space") : ST_OK;
}

static enum st
fake_reopen(void *context, struct err *err)
{
    struct fake *fake = context;

    text_add(&fake->log, "reopen;");
    return fake->lost ? err_set(err, ST_NOT_FOUND, "lost", "no file") : ST_OK;
}

static enum st
fake_save(void *context, const struct run_progress *progress, struct err *err)
{
    struct fake *fake = context;

    assert_int_equal(progress->now_ps, fake->now_ps);
    fake->n_saves++;
    return fake->full ? err_set(err, ST_IO, "full", "no space") : ST_OK;
}

static int64_t
fake_clock(void *clock)
{
    return ((struct fake *)clock)->clock_ns;
}

/* Drives 'fake' with the commands in 'input'; returns how it ended.  Stores
 * progress and answers. */
static enum run_state
run(struct fake *fake, const char *input, bool terminal, char progress[4096],
    char output[4096], enum st wanted)
{
    const struct drive_target target = {
        .context = fake,
        .until = fake_until,
        .step = fake_step,
        .now_ps = fake_now,
        .get_progress = fake_progress,
        .break_reason = fake_reason,
        .add_break = fake_break,
        .set = fake_set,
        .release = fake->bare ? NULL : fake_release,
        .reopen = fake_reopen,
        .save = fake_save,
    };
    struct drive_options options = {
        .now_ns = fake_clock,
        .clock = fake,
        .progress = fmemopen(progress, 4096, "w"),
        .terminal = terminal,
        .output = fmemopen(output, 4096, "w"),
        .interactive = input != NULL && *input == '!',
    };
    enum run_state state = RUN_RUNNING;
    struct err err = {0};
    char text[512];

    text_copy(text, sizeof text, input ? input : "\n");
    options.input = fmemopen(text + options.interactive,
                             strlen(text) - (size_t)options.interactive, "r");
    assert_int_equal(drive(&target, &options, &state, &err), wanted);
    fclose(options.progress);
    fclose(options.output);
    fclose(options.input);
    return state;
}

static char progress[4096], output[4096];

static void
test_runs_to_the_end_in_short_pieces(void **state)
{
    struct fake fake;

    (void)state;
    set_up(&fake);
    assert_int_equal(run(&fake, NULL, false, progress, output, ST_OK),
                     RUN_STOPPED);
    assert_int_equal(fake.now_ps, fake.stop_ps);
    /* 10 s of real time: a report each second, and one at the end. */
    assert_in_range(fake.n_saves, 9, 11);
    assert_int_equal(fake.n_looks, fake.n_saves); /* They take time. */
    assert_true(fake.longest_ns <= 4 * DRIVE_PIECE_NS);
    assert_in_range(fake.n_pieces, 50, 1000);
    assert_int_equal(*output, 0);
}

/* A nanosecond that takes a second: pieces get no shorter than that. */
static void
test_a_slow_run_goes_on(void **state)
{
    struct fake fake;

    (void)state;
    set_up(&fake);
    fake.cost = INT64_C(1000000000000);
    fake.stop_ps = 20000;
    assert_int_equal(run(&fake, NULL, false, progress, output, ST_OK),
                     RUN_STOPPED);
    assert_int_equal(fake.n_pieces, 20);
}

static void
test_progress_for_programs(void **state)
{
    struct fake fake;
    const char *line = progress;
    int n = 0;

    (void)state;
    set_up(&fake);
    run(&fake, NULL, false, progress, output, ST_OK);
    while ((line = strstr(line, "{\"wall_ns\":"))) {
        n++;
        line++;
    }
    assert_int_equal(n, fake.n_saves);
    /* 5000 hops for each us, and a ms for each us. */
    assert_non_null(strstr(progress, "\"hops_per_s\":5000000,"));
    assert_non_null(strstr(progress, "\"virtual_ps\":10000000000,"));
    assert_non_null(strstr(progress, "\"flows\":9,\"flows_done\":4}"));
}

static void
test_progress_for_people(void **state)
{
    struct fake fake;
    const struct progress zero = {0};
    const struct progress half = {.wall_ns = 83 * S,
                                  .run = {.now_ps = 5 * MS,
                                          .stop_ps = 10 * MS,
                                          .hops = UINT64_C(415000000),
                                          .drops = 1}};
    const struct progress begun = {.run = {.stop_ps = 10 * MS}};
    char buffer[PROGRESS_SIZE];

    (void)state;
    assert_string_equal(progress_text(&zero, &begun, buffer),
                        "0 s of 10 ms, 0 %, 0 drops, 0 pauses");
    assert_string_equal(
        progress_text(&zero, &half, buffer),
        "5 ms of 10 ms, 50 %, 5.00 Mhops/s, ETA 1:23, 1 drop, 0 pauses");
    assert_string_equal(progress_text(&zero, &zero, buffer),
                        "0 s of 0 s, 0 drops, 0 pauses");
    assert_string_equal(
        progress_json(&zero, &zero, buffer),
        "{\"wall_ns\":0,\"virtual_ps\":0,\"stop_ps\":0,\"hops\":0,"
        "\"hops_per_s\":null,\"eta_s\":null,\"drops\":0,\"pauses\":0,"
        "\"marks\":0,\"flows\":0,\"flows_done\":0}");
    set_up(&fake);
    run(&fake, NULL, true, progress, output, ST_OK);
    assert_int_equal(progress[0], '\r');
    assert_non_null(strstr(progress, "5.00 Mhops/s, ETA 0:00"));
    assert_int_equal(progress[strlen(progress) - 1], '\n');
}

static void
test_interruption_ends_the_run(void **state)
{
    struct fake fake;

    (void)state;
    set_up(&fake);
    fake.interrupt_ps = 3 * MS;
    assert_int_equal(run(&fake, NULL, false, progress, output, ST_OK),
                     RUN_INTERRUPTED);
    assert_int_equal(fake.now_ps, 3 * MS);
    assert_true(fake.n_saves > 0);
}

static void
test_a_full_disk_ends_the_run(void **state)
{
    struct fake fake;

    (void)state;
    set_up(&fake);
    fake.full = true;
    run(&fake, NULL, false, progress, output, ST_IO);
    assert_int_equal(fake.n_saves, 1);
    assert_true(fake.now_ps < fake.stop_ps);
}

static void
test_commands_at_a_break(void **state)
{
    struct fake fake;

    (void)state;
    set_up(&fake);
    fake.break_ps = 2 * MS;
    assert_int_equal(run(&fake,
                         "step\nstep 3\nset link a b down\n\nbreak 5ms\n"
                         "continue\nstate\ncontinue 7 ms\ncontinue\n",
                         false, progress, output, ST_OK),
                     RUN_STOPPED);
    assert_int_equal(fake.n_steps, 4);
    assert_string_equal(text_string(&fake.log), "set link a b down;break 5ms;");
    assert_non_null(strstr(output, "a drop at t0-1; 2 ms of 10 ms"));
    assert_non_null(strstr(output, "a drop at t0-1; 5 ms of 10 ms"));
    assert_non_null(strstr(output, "> 7 ms of 10 ms"));
    assert_int_equal(fake.now_ps, fake.stop_ps);
    text_fini(&fake.log);
}

/* The results are open again before anything else happens. */
static void
test_released_results_are_opened_again(void **state)
{
    struct fake fake;

    (void)state;
    set_up(&fake);
    assert_int_equal(run(&fake,
                         "!release\nset a\nset b\nrelease\nrelease\nquit\n",
                         false, progress, output, ST_OK),
                     RUN_INTERRUPTED);
    assert_string_equal(text_string(&fake.log),
                        "release;reopen;set a;set b;release;reopen;release;"
                        "reopen;");
    text_fini(&fake.log);
    /* Also at the end of input. */
    set_up(&fake);
    assert_int_equal(run(&fake, "!release\n", false, progress, output, ST_OK),
                     RUN_INTERRUPTED);
    assert_string_equal(text_string(&fake.log), "release;reopen;");
    text_fini(&fake.log);
}

static void
test_results_that_cannot_be_released_end_the_run(void **state)
{
    struct fake fake;

    (void)state;
    set_up(&fake);
    fake.full = true;
    run(&fake, "!release\ncontinue\n", false, progress, output, ST_IO);
    assert_int_equal(fake.n_pieces, 0);
    assert_string_equal(text_string(&fake.log), "release;");
    text_fini(&fake.log);
    set_up(&fake);
    fake.lost = true;
    run(&fake, "!release\nset a\ncontinue\n", false, progress, output,
        ST_NOT_FOUND);
    assert_int_equal(fake.n_pieces, 0);
    assert_string_equal(text_string(&fake.log), "release;reopen;");
    text_fini(&fake.log);
    set_up(&fake);
    fake.bare = true;
    assert_int_equal(
        run(&fake, "!release\ncontinue\n", false, progress, output, ST_OK),
        RUN_STOPPED);
    assert_string_equal(text_string(&fake.log), "");
    text_fini(&fake.log);
}

/* Another rank asks for shorter pieces: the run is not there yet. */
static void
test_continues_to_a_time_in_pieces_of_others(void **state)
{
    struct fake fake;

    (void)state;
    set_up(&fake);
    fake.most_ps = 3 * US;
    assert_int_equal(run(&fake, "!continue 100us\nquit\n", false, progress,
                         output, ST_OK),
                     RUN_INTERRUPTED);
    assert_int_equal(fake.now_ps, 100 * US);
    assert_true(fake.n_pieces > 30);
}

static void
test_end_of_input_and_quit_end_the_run(void **state)
{
    struct fake fake;

    (void)state;
    set_up(&fake);
    fake.break_ps = 2 * MS;
    assert_int_equal(run(&fake, NULL, false, progress, output, ST_OK),
                     RUN_INTERRUPTED);
    assert_int_equal(fake.now_ps, 2 * MS);
    set_up(&fake);
    assert_int_equal(run(&fake, "!quit\n", false, progress, output, ST_OK),
                     RUN_INTERRUPTED);
    assert_int_equal(fake.n_pieces, 0);
}

static void
test_wrong_commands_are_reported(void **state)
{
    struct fake fake;

    (void)state;
    set_up(&fake);
    /* Reported on standard error; the last one lets it go on. */
    assert_int_equal(
        run(&fake,
            "!contin\nstep 0\nstep x\nset a\nset\ncontinue 5 parsecs\n"
            "publish t0-1\nbreak never\ncontinue\n",
            false, progress, output, ST_OK),
        RUN_STOPPED);
    assert_int_equal(fake.n_steps, 0);
    text_fini(&fake.log);
}

static void
test_times(void **state)
{
    static const struct {
        const char *text;
        int64_t ps;
    } cases[] = {
        {"0s", 0},    {"2ms", 2 * MS},   {"1.5 us", 1500000},
        {"7ps", 7},   {"100ns", 100000}, {"106s", 106 * 1000 * MS},
        {"", -1},     {"5", -1},         {"ms", -1},
        {"-1ms", -1}, {"1e9s", -1},      {"nan s", -1},
        {"1 m", -1},  {"1msx", -1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t ps = -1;
        struct err err = {0};
        const enum st st = run_parse_time(cases[i].text, &ps, &err);

        assert_int_equal(ps, cases[i].ps);
        assert_int_equal(st, cases[i].ps < 0 ? ST_INVALID : ST_OK);
    }
}

static void
test_breaks(void **state)
{
    static const struct {
        const char *text;
        struct run_break wanted;
    } cases[] = {
        {"2ms", {.kind = RUN_BREAK_TIME, .when_ps = 2 * MS}},
        {"drop", {.kind = RUN_BREAK_DROP}},
        {"pause", {.kind = RUN_BREAK_PAUSE}},
        {"mark", {.kind = RUN_BREAK_MARK}},
        {"flow 12", {.kind = RUN_BREAK_FLOW, .flow = 12}},
    };
    struct run_break condition = {.flow = 77};
    struct err err = {0};

    (void)state;
    assert_int_equal(run_break_parse("flow x", &condition, &err), ST_INVALID);
    assert_int_equal(run_break_parse("flow 4294967295", &condition, &err),
                     ST_INVALID);
    assert_int_equal(run_break_parse("drp", &condition, &err), ST_INVALID);
    assert_non_null(strstr(err.reason, "did you mean 'drop'"));
    assert_non_null(strstr(err.allowed, "a time (2ms)"));
    assert_int_equal(condition.flow, 77);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(run_break_parse(cases[i].text, &condition, &err),
                         ST_OK);
        assert_int_equal(condition.kind, cases[i].wanted.kind);
        assert_int_equal(condition.when_ps, cases[i].wanted.when_ps);
        assert_int_equal(condition.flow, cases[i].wanted.flow);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_to_the_end_in_short_pieces),
        cmocka_unit_test(test_a_slow_run_goes_on),
        cmocka_unit_test(test_progress_for_programs),
        cmocka_unit_test(test_progress_for_people),
        cmocka_unit_test(test_interruption_ends_the_run),
        cmocka_unit_test(test_a_full_disk_ends_the_run),
        cmocka_unit_test(test_commands_at_a_break),
        cmocka_unit_test(test_released_results_are_opened_again),
        cmocka_unit_test(test_results_that_cannot_be_released_end_the_run),
        cmocka_unit_test(test_continues_to_a_time_in_pieces_of_others),
        cmocka_unit_test(test_end_of_input_and_quit_end_the_run),
        cmocka_unit_test(test_wrong_commands_are_reported),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_breaks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
