/* SPDX-License-Identifier: Apache-2.0 */

/* What a failure has done: read from a synthetic run, and compared with what
 * happens without it. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lab/measure/sink.h"
#include "orchlab/failure_effect.h"
#include "tests/support/lab_results.h"

#define US INT64_C(1000000)

enum { SERIES = 1, SAMPLES = 300, HOSTS = 7 };

static char path[] = "/tmp/test_failure_effect.XXXXXX";

/* Writes a run that samples hosts.affected, the last first: 0, 1, ... 6 hosts,
 * again and again. */
static int
write_run(void **state)
{
    struct results *results;
    const struct sink *sink;
    const int file = mkstemp(path);

    (void)state;
    if (file < 0) {
        return -1;
    }
    close(file);
    unlink(path);
    results = lab_results_start(path);
    results_add_series(results, SERIES, "hosts.affected", "", "");
    lab_results_record(results);
    sink = results_sink(results);
    for (uint32_t i = SAMPLES; i-- > 0;) {
        sink->sampled(sink->context, &(struct sink_sample){
                                         .t_ps = (int64_t)i * US / 2,
                                         .series = SERIES,
                                         .value = i % HOSTS});
    }
    lab_results_finish(results);
    return 0;
}

static int
remove_run(void **state)
{
    (void)state;
    return unlink(path);
}

/* Of the run of tests/support/lab_results.h: other series do not count. */
static void
test_results_are_read(void **state)
{
    struct failure_effect effect = {0};
    struct err err = {0};

    (void)state;
    assert_int_equal(failure_effect_read(path, &effect, &err), ST_OK);
    assert_int_equal(effect.n_samples, SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        assert_int_equal(effect.affected[i], i % HOSTS);
    }
    /* Flow 10 runs on until the end. */
    assert_int_equal(effect.end_ps, LAB_END_US * US);
    assert_true(effect.failed == 1);
    assert_true(effect.drops == 4);
    assert_true(effect.bytes == LAB_FLOWS * 1e6);
    /* The largest of 10, 20, ... 90 us; flow 9 was not done. */
    assert_true(fabs(effect.p99_s - 90e-6) < 1e-12);
    assert_int_equal(effect.most, 0);
    assert_int_equal(effect.lasts_ps, 0);
    failure_effect_fini(&effect);
}

static void
test_a_missing_file_is_reported(void **state)
{
    struct failure_effect effect = {0};
    struct err err = {0};

    (void)state;
    assert_int_not_equal(
        failure_effect_read("/tmp/no/such.sqlite", &effect, &err), ST_OK);
    assert_non_null(strstr(err.reason, "no/such.sqlite"));
    assert_int_equal(effect.n_samples, 0);
    failure_effect_fini(&effect);
}

/* Hosts that are affected anyway do not count, nor do samples for which it is
 * not known what happens anyway. */
static void
test_only_what_is_more_counts(void **state)
{
    static const struct {
        int64_t with[5], without[5];
        size_t n_with, n_without;
        int64_t most;
        int64_t n_lasting; /* Samples. */
    } rows[] = {
        {{0, 0, 0}, {0, 0, 0}, 3, 3, 0, 0},
        {{0, 3, 2, 0}, {0, 0, 0, 0}, 4, 4, 3, 2},
        /* The most more, which is not the most. */
        {{1, 6, 3, 0}, {1, 5, 0, 0}, 4, 4, 3, 2},
        {{2, 2, 2}, {2, 2, 2}, 3, 3, 0, 0},
        /* Fewer than anyway: that is no gain for the others. */
        {{0, 1, 1}, {3, 3, 0}, 3, 3, 1, 1},
        /* With gaps: the time in which any is. */
        {{1, 0, 1, 0, 7}, {0, 0, 0, 0, 0}, 5, 5, 7, 3},
        /* The run without the failure has fewer samples, or more. */
        {{0, 1, 7, 7}, {0, 0}, 4, 2, 1, 1},
        {{0, 1}, {0, 0, 0, 0}, 2, 4, 1, 1},
        {{0}, {0}, 0, 0, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t with[5], without[5];
        struct failure_effect effect = {.affected = with,
                                        .n_samples = rows[i].n_with};
        const struct failure_effect usual = {.affected = without,
                                             .n_samples = rows[i].n_without};

        memcpy(with, rows[i].with, sizeof with);
        memcpy(without, rows[i].without, sizeof without);
        failure_effect_compare(&effect, &usual, HOSTS, 50 * US);
        assert_int_equal(effect.most, rows[i].most);
        assert_int_equal(effect.lasts_ps, rows[i].n_lasting * 50 * US);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_are_read),
        cmocka_unit_test(test_a_missing_file_is_reported),
        cmocka_unit_test(test_only_what_is_more_counts),
    };

    return cmocka_run_group_tests(tests, write_run, remove_run);
}
