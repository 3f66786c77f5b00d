/* SPDX-License-Identifier: Apache-2.0 */

/* Lines of the log, times of day, and turns of the loop. */

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

#include <event2/event.h>
#include <signal.h>
#include <sys/stat.h>

#include "base/timeline.h"
#include "process/log.h"
#include "process/loop.h"
#include "process/wallclock.h"

#define S INT64_C(1000000000)

static void
test_wallclock_is_rfc3339(void **state)
{
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = {
        {0, "1970-01-01T00:00:00.000Z"},
        {-1, "1969-12-31T23:59:59.999Z"},
        {1767323045 * S + 678999999, "2026-01-02T03:04:05.678Z"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[WALLCLOCK_SIZE];

        wallclock_format(cases[i].ns, text);
        assert_string_equal(text, cases[i].text);
    }
}

/* A log that writes into memory. */
struct captured {
    struct log *log;
    FILE *stream;
    char *bytes;
    size_t size;
};

static void
capture(struct captured *captured, enum log_level level, bool journald)
{
    captured->stream = open_memstream(&captured->bytes, &captured->size);
    captured->log = log_create(captured->stream, level, journald);
    log_tick(captured->log, 100 * S, 0);
}

static void
release(struct captured *captured)
{
    log_destroy(captured->log);
    fclose(captured->stream);
    free(captured->bytes);
}

static size_t
count_lines(const char *text)
{
    size_t n = 0;

    for (; *text; text++) {
        n += *text == '\n';
    }
    return n;
}

static void
test_lines_carry_level_code_object_sentence(void **state)
{
    struct captured captured;

    (void)state;
    capture(&captured, LOG_INFO, false);
    log_write(captured.log, LOG_WARN, "row-x", "PORT|Ethernet0", "is %d", 7);
    log_write(captured.log, LOG_DEBUG, "row-x", "", "not shown");
    assert_string_equal(captured.bytes, "1970-01-01T00:00:00.000Z WARN row-x "
                                        "PORT|Ethernet0: is 7\n");
    assert_int_equal(log_count(captured.log, LOG_WARN), 1);
    assert_int_equal(log_count(captured.log, LOG_DEBUG), 1);
    release(&captured);
    capture(&captured, LOG_DEBUG, true);
    log_write(captured.log, LOG_DEBUG, "c", "", "x");
    assert_string_equal(captured.bytes, "<7>DEBUG c: x\n");
    release(&captured);
    log_write(NULL, LOG_ERROR, "c", "", "swallowed");
}

static void
test_control_characters_cannot_forge_lines(void **state)
{
    struct captured captured;

    (void)state;
    capture(&captured, LOG_INFO, true);
    log_write(captured.log, LOG_INFO, "c", "a\nb", "%s", "\x1b[2J\r\n");
    assert_string_equal(captured.bytes, "<6>INFO c a?b: ?[2J??\n");
    release(&captured);
}

static void
test_a_flood_of_one_code_is_held_back_and_counted(void **state)
{
    struct captured captured;

    (void)state;
    capture(&captured, LOG_INFO, true);
    for (int i = 0; i < 1000; i++) {
        log_write(captured.log, LOG_WARN, "flood", "", "x");
    }
    log_write(captured.log, LOG_WARN, "other", "", "y");
    assert_int_equal(count_lines(captured.bytes), LOG_BURST + 1);
    log_tick(captured.log, 100 * S + LOG_REFILL_NS, 0);
    log_write(captured.log, LOG_WARN, "flood", "", "x");
    log_write(captured.log, LOG_WARN, "flood", "", "x");
    assert_int_equal(count_lines(captured.bytes), LOG_BURST + 2);
    assert_true(strstr(captured.bytes, "x (and 990 more of this kind before)"));
    assert_int_equal(log_count(captured.log, LOG_WARN), 1003);
    release(&captured);
}

static void
test_levels_are_found_by_name(void **state)
{
    enum log_level level = LOG_ERROR;

    (void)state;
    assert_true(log_level_find("debug", &level));
    assert_int_equal(level, LOG_DEBUG);
    assert_false(log_level_find("loud", &level));
    assert_int_equal(level, LOG_DEBUG);
    assert_string_equal(log_level_name(LOG_WARN), "warn");
}

static void
test_each_module_has_a_level_of_its_own(void **state)
{
    struct captured captured;
    struct log *redis;

    (void)state;
    capture(&captured, LOG_INFO, true);
    redis = log_get_module(captured.log, "redis");
    assert_ptr_equal(log_get_module(captured.log, "redis"), redis);
    assert_ptr_equal(log_next_module(captured.log), redis);
    assert_null(log_next_module(redis));
    assert_string_equal(log_module_name(redis), "redis");
    assert_int_equal(log_get_level(redis), LOG_INFO);
    log_set_level(redis, LOG_DEBUG);
    log_write(captured.log, LOG_DEBUG, "c", "", "hidden");
    log_write(redis, LOG_DEBUG, "c", "", "shown");
    log_set_level(redis, LOG_ERROR);
    log_write(redis, LOG_WARN, "c", "", "hidden");
    assert_string_equal(captured.bytes, "<7>DEBUG c: shown\n");
    assert_int_equal(log_count(captured.log, LOG_WARN), 1);
    release(&captured);
    assert_null(log_get_module(NULL, "redis"));
}

static void
test_the_journal_is_recognised(void **state)
{
    FILE *file = tmpfile();
    struct stat status;
    char text[64];

    (void)state;
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &status), 0);
    snprintf(text, sizeof text, "%llu:%llu", (unsigned long long)status.st_dev,
             (unsigned long long)status.st_ino);
    assert_true(log_is_journal(fileno(file), text));
    assert_false(log_is_journal(fileno(file), "1:1"));
    assert_false(log_is_journal(fileno(file), NULL));
    assert_false(log_is_journal(-1, text));
    fclose(file);
}

/* What happens in a loop, in order. */
struct scene {
    struct loop *loop;
    struct timer timers[3];
    char order[32];
    int n_turns;
    int busy; /* Turns that say that there is more. */
    int64_t seen;
};

static void
note(struct scene *scene, char what)
{
    size_t n = strlen(scene->order);

    assert_true(n + 1 < sizeof scene->order);
    scene->order[n] = what;
}

static void
on_timer(struct timer *timer, int64_t when)
{
    struct scene *scene = timer->owner;

    assert_true(loop_now(scene->loop) >= when);
    note(scene, (char)('a' + (timer - scene->timers)));
    if (timer == &scene->timers[2]) {
        loop_stop(scene->loop);
    }
}

static bool
on_turn(void *scene_, int64_t now)
{
    struct scene *scene = scene_;

    assert_true(now == loop_now(scene->loop));
    assert_true(now >= scene->seen);
    scene->seen = now;
    scene->n_turns++;
    return scene->busy-- > 0;
}

static void
scene_init(struct scene *scene)
{
    memset(scene, 0, sizeof *scene);
    scene->loop = loop_create();
    assert_non_null(scene->loop);
    loop_on_turn(scene->loop, on_turn, scene);
    for (size_t i = 0; i < 3; i++) {
        scene->timers[i].fire = on_timer;
        scene->timers[i].owner = scene;
    }
}

static void
test_timers_fire_in_order_and_stop_ends(void **state)
{
    struct scene scene;
    struct timeline *timeline;
    int64_t now;

    (void)state;
    scene_init(&scene);
    timeline = loop_timeline(scene.loop);
    now = loop_now(scene.loop);
    timeline_set(timeline, &scene.timers[2], now + 3000000);
    timeline_set(timeline, &scene.timers[0], now - 5);
    timeline_set(timeline, &scene.timers[1], now + 1000000);
    loop_run(scene.loop);
    assert_string_equal(scene.order, "abc");
    loop_destroy(scene.loop);
}

static void
test_turns_go_on_while_there_is_work(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene.busy = 50;
    timeline_set(loop_timeline(scene.loop), &scene.timers[2],
                 loop_now(scene.loop) + S / 10);
    loop_run(scene.loop);
    assert_true(scene.n_turns > 50);
    assert_true(scene.n_turns < 60); /* It waits when there is none. */
    loop_destroy(scene.loop);
}

static void
on_alarm_raise(struct timer *timer, int64_t when)
{
    (void)timer;
    (void)when;
    raise(SIGTERM);
}

static void
test_sigterm_ends_the_loop(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene.timers[0].fire = on_alarm_raise;
    timeline_set(loop_timeline(scene.loop), &scene.timers[0], 0);
    loop_run(scene.loop);
    assert_int_equal(scene.order[0], '\0');
    loop_destroy(scene.loop);
    loop_destroy(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wallclock_is_rfc3339),
        cmocka_unit_test(test_lines_carry_level_code_object_sentence),
        cmocka_unit_test(test_control_characters_cannot_forge_lines),
        cmocka_unit_test(test_a_flood_of_one_code_is_held_back_and_counted),
        cmocka_unit_test(test_levels_are_found_by_name),
        cmocka_unit_test(test_each_module_has_a_level_of_its_own),
        cmocka_unit_test(test_the_journal_is_recognised),
        cmocka_unit_test(test_timers_fire_in_order_and_stop_ends),
        cmocka_unit_test(test_turns_go_on_while_there_is_work),
        cmocka_unit_test(test_sigterm_ends_the_loop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
