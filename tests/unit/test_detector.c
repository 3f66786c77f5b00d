/* SPDX-License-Identifier: Apache-2.0 */

/* When a queue is in a storm, and when no longer.  Names that begin with e and
 * a number are those under which mistakes of watchdogs are known. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/watchdog/detection/detector.h"
#include "tests/support/storm_model.h"

enum { ALL_MEASURES = (1 << N_STORM_MEASURES) - 1 };

/* A queue, its detector, polled every 100 ms. */
struct bed {
    struct storm_model model;
    struct detector detector;
    struct random random;
    struct storm_poller poller;
};

static const struct detector_times usual = {.detection_ns = 200 * MS_NS,
                                            .restoration_ns = 300 * MS_NS,
                                            .poll_ns = 100 * MS_NS};

static void
bed_init(struct bed *bed, const char *rule)
{
    memset(bed, 0, sizeof *bed);
    assert_non_null(storm_rule_find(rule));
    bed->model.measures = ALL_MEASURES;
    detector_init(&bed->detector, storm_rule_find(rule), &usual);
    random_init(&bed->random, 1);
    bed->poller = (struct storm_poller){.model = &bed->model,
                                        .detector = &bed->detector,
                                        .random = &bed->random,
                                        .poll_ns = usual.poll_ns,
                                        .acts = bed->detector.rule->drop ==
                                                STORM_DROP_ZERO_BUFFER};
}

/* Polls until 'ms'; asserts the verdict, and that it came not before 'from_ms'
 * and not after 'to_ms'. */
static void
expect(struct bed *bed, int64_t end_ms, enum detector_verdict verdict,
       int64_t from_ms, int64_t to_ms)
{
    assert_int_equal(storm_poller_run(&bed->poller, end_ms * MS_NS), verdict);
    if (bed->model.now_ns < from_ms * MS_NS ||
        bed->model.now_ns > to_ms * MS_NS) {
        fail_msg("%s: %d at %d ms, not in %d..%d", bed->detector.rule->name,
                 (int)verdict, (int)(bed->model.now_ns / MS_NS), (int)from_ms,
                 (int)to_ms);
    }
}

static void
expect_nothing(struct bed *bed, int64_t end_ms)
{
    expect(bed, end_ms, DETECTOR_NOTHING, 0, end_ms);
}

/* --- Detection ---------------------------------------------------------- */

static void
test_storm_is_detected_and_restored(void **state)
{
    static const char *const rules[] = {
        "exact",    "duration",         "stalled",  "status",    "vs",
        "mellanox", "marvell-teralynx", "broadcom", "cisco-8000"};

    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct bed bed;

        bed_init(&bed, rules[i]);
        storm_model_add(&bed.model, 250 * MS_NS, 1000 * MS_NS, false);
        /* Seen at 300 at the latest, and a storm 200 after that. */
        expect(&bed, 5000, DETECTOR_STORM, 450, 504);
        assert_true(bed.detector.stormed);
        expect(&bed, 5000, DETECTOR_RESTORED, 1300, 1404);
        expect_nothing(&bed, 5000);
    }
}

static void
test_begin_of_a_pause_is_known_to_the_microsecond(void **state)
{
    struct bed bed;

    (void)state;
    bed_init(&bed, "exact");
    storm_model_add(&bed.model, 250 * MS_NS + 777, 1000 * MS_NS, false);
    expect(&bed, 1000, DETECTOR_STORM, 450, 456);
}

/* A pause that begins right after a poll, before which another one ended, is
 * only known from the next poll on.  The storm is detected at D + a poll and no
 * later, also where a poll comes just before the evidence is complete. */
static void
test_storm_is_never_detected_later_than_a_poll_after_it_could_be(void **state)
{
    static const struct {
        const char *rule;
        int64_t late_ns;
    } cases[] = {{"exact", 0},    {"duration", 2000}, {"stalled", 0},
                 {"mellanox", 0}, {"broadcom", 0},    {"vs", 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int64_t more_ms = 0; more_ms < 5; more_ms++) {
            const int64_t begin_ns = 200 * MS_NS + 1000;
            int64_t storm_ns;
            struct bed bed;

            bed_init(&bed, cases[i].rule);
            bed.detector.times.detection_ns += more_ms * MS_NS;
            storm_model_add(&bed.model, 180 * MS_NS, 199 * MS_NS, false);
            storm_model_add(&bed.model, begin_ns, 3000 * MS_NS, false);
            bed.model.ends++;
            assert_int_equal(storm_poller_run(&bed.poller, 3000 * MS_NS),
                             DETECTOR_STORM);
            storm_ns = begin_ns + bed.detector.times.detection_ns;
            if (bed.model.now_ns < storm_ns ||
                bed.model.now_ns >
                    storm_ns + usual.poll_ns + cases[i].late_ns) {
                fail_msg("%s, %d ms more: %d ns", cases[i].rule, (int)more_ms,
                         (int)(bed.model.now_ns - storm_ns));
            }
        }
    }
}

/* A counter that lags misses the detection time by a little at the sample that
 * is due; the next one is four lags later, however little it missed. */
static void
test_counter_that_lags_is_not_read_again_at_once(void **state)
{
    struct storm_sample sample = {
        .measures = ALL_MEASURES, .occupancy_bytes = 1000, .link_up = true};
    struct detector detector;

    (void)state;
    detector_init(&detector, storm_rule_find("duration"), &usual);
    for (int64_t ms = 0; ms <= 199; ms += 199) {
        sample.at_ns = ms * MS_NS;
        sample.pause_us = (uint64_t)ms * 1000;
        (void)detector_take(&detector, &sample);
    }
    sample.at_ns = detector_due(&detector);
    assert_true(sample.at_ns > 200 * MS_NS && sample.at_ns < 201 * MS_NS);
    sample.pause_us += 500;
    assert_int_equal(detector_take(&detector, &sample), DETECTOR_NOTHING);
    assert_int_equal(detector_due(&detector), sample.at_ns + 4 * MS_NS);
}

/* A sample right after another one says little, and the next may be a whole
 * poll away: it is taken when it says more. */
static void
test_sample_that_is_too_close_is_put_off(void **state)
{
    struct storm_sample sample = {
        .measures = ALL_MEASURES, .occupancy_bytes = 1000, .link_up = true};
    struct detector detector;

    (void)state;
    detector_init(&detector, storm_rule_find("exact"), &usual);
    (void)detector_take(&detector, &sample);
    assert_int_equal(detector_due(&detector), DETECTOR_NO_DUE);
    sample.at_ns = 1 * MS_NS;
    (void)detector_take(&detector, &sample);
    assert_int_equal(detector.last.at_ns, 0);
    assert_int_equal(detector_due(&detector), 4 * MS_NS);
    sample.at_ns = 4 * MS_NS;
    (void)detector_take(&detector, &sample);
    assert_int_equal(detector.last.at_ns, 4 * MS_NS);
    assert_int_equal(detector_due(&detector), DETECTOR_NO_DUE);
}

static void
test_pause_shorter_than_detection_is_no_storm(void **state)
{
    struct bed bed;

    (void)state;
    for (int64_t begin = 200; begin < 300; begin += 7) {
        bed_init(&bed, "exact");
        storm_model_add(&bed.model, begin * MS_NS, (begin + 199) * MS_NS,
                        false);
        expect_nothing(&bed, 2000);
    }
}

static void
test_bursts_of_half_a_poll_are_no_storm(void **state)
{
    static const char *const rules[] = {"exact", "duration", "stalled", "vs",
                                        "broadcom"};

    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct bed bed;

        bed_init(&bed, rules[i]);
        for (int64_t k = 0; k < 15; k++) {
            storm_model_add(&bed.model, (110 + 100 * k) * MS_NS,
                            (160 + 100 * k) * MS_NS, false);
        }
        expect_nothing(&bed, 3000);
    }
}

static void
test_empty_queue_is_stormed_only_where_the_rule_says_so(void **state)
{
    static const struct {
        const char *rule;
        bool storms;
    } cases[] = {{"mellanox", false},
                 {"exact", false},
                 {"stalled", false},
                 {"vs", true},
                 {"broadcom", true}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bed bed;

        bed_init(&bed, cases[i].rule);
        bed.model.empty = true;
        storm_model_add(&bed.model, 250 * MS_NS, 3000 * MS_NS, false);
        assert_int_equal(storm_poller_run(&bed.poller, 2900 * MS_NS),
                         cases[i].storms ? DETECTOR_STORM : DETECTOR_NOTHING);
    }
}

static void
test_frames_that_end_pauses_are_no_storm(void **state)
{
    static const char *const rules[] = {"exact", "duration", "stalled",
                                        "vs",    "broadcom", "status"};

    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct bed bed;

        bed_init(&bed, rules[i]);
        storm_model_add(&bed.model, 250 * MS_NS, 3000 * MS_NS, true);
        expect_nothing(&bed, 4000);
    }
}

static void
test_storm_that_is_forced_by_a_test(void **state)
{
    struct bed bed;

    (void)state;
    bed_init(&bed, "exact");
    expect_nothing(&bed, 500);
    bed.model.forced = true;
    expect(&bed, 2000, DETECTOR_STORM, 600, 800);
    expect_nothing(&bed, 3000);
    bed.model.forced = false;
    expect(&bed, 5000, DETECTOR_RESTORED, 3300, 3504);
}

static void
test_counters_that_were_cleared_delay_and_do_not_deceive(void **state)
{
    struct bed bed;

    (void)state;
    bed_init(&bed, "exact");
    storm_model_add(&bed.model, 0, 350 * MS_NS, false);
    storm_model_add(&bed.model, 550 * MS_NS, 2000 * MS_NS, false);
    bed.detector.times.detection_ns = 1000 * MS_NS;
    expect_nothing(&bed, 860);
    bed.model.paused_ns = bed.model.sending_ns = 0;
    bed.model.frames = bed.model.ends = 0;
    /* Seen again at 900, so a storm at 1900. */
    expect(&bed, 2000, DETECTOR_STORM, 1900, 1906);
}

static void
test_measure_that_cannot_be_read_any_more_is_no_evidence(void **state)
{
    struct bed bed;

    (void)state;
    bed_init(&bed, "exact");
    storm_model_add(&bed.model, 250 * MS_NS, 3000 * MS_NS, false);
    bed.model.measures = ALL_MEASURES & ~STORM_DURATION;
    expect_nothing(&bed, 1000);
    bed.model.measures = ALL_MEASURES;
    expect(&bed, 2000, DETECTOR_STORM, 1200, 1404);
}

/* --- Single samples ----------------------------------------------------- */

/* Feeds 'n' samples that are 'gap_ms' apart.  Each has everything that 'first'
 * has, and more by as much as 'step' says.  Returns the last verdict. */
static enum detector_verdict
feed(struct detector *detector, const struct storm_sample *first,
     const struct storm_sample *step, int n, int64_t gap_ms)
{
    struct storm_sample sample = *first;
    enum detector_verdict verdict = DETECTOR_NOTHING;

    sample.measures = ALL_MEASURES;
    sample.link_up = true;
    for (int i = 0; i < n && verdict == DETECTOR_NOTHING; i++) {
        verdict = detector_take(detector, &sample);
        sample.at_ns += gap_ms * MS_NS;
        sample.packets += step->packets;
        sample.frames += step->frames;
        sample.ends += step->ends;
        sample.pause_us += step->pause_us;
    }
    return verdict;
}

/* A queue that sends anything is not stalled, and a pause that ends even once
 * is not unbroken. */
static void
test_one_packet_or_one_end_of_a_pause_is_no_storm(void **state)
{
    static const struct {
        const char *rule;
        uint64_t occupancy_bytes, packets, ends;
        enum detector_verdict verdict;
    } cases[] = {
        {"stalled", 1000, 0, 1, DETECTOR_STORM},
        {"stalled", 1000, 1, 1, DETECTOR_NOTHING},
        {"broadcom", 0, 0, 0, DETECTOR_STORM},
        {"broadcom", 0, 0, 1, DETECTOR_NOTHING},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct storm_sample first = {
            .paused = true, .occupancy_bytes = cases[i].occupancy_bytes};
        const struct storm_sample step = {
            .packets = cases[i].packets, .frames = 1, .ends = cases[i].ends};
        struct detector detector;

        detector_init(&detector, storm_rule_find(cases[i].rule), &usual);
        if (feed(&detector, &first, &step, 10, 100) != cases[i].verdict) {
            fail_msg("case %zu", i);
        }
    }
}

/* 250 ms without a poll would be enough for 200 ms, if one interval were. */
static void
test_two_intervals_have_to_agree(void **state)
{
    const struct storm_sample first = {.occupancy_bytes = 1000};
    const struct storm_sample step = {.frames = 1};
    struct detector detector;

    (void)state;
    detector_init(&detector, storm_rule_find("stalled"), &usual);
    assert_int_equal(feed(&detector, &first, &step, 2, 250), DETECTOR_NOTHING);
    detector_init(&detector, storm_rule_find("stalled"), &usual);
    assert_int_equal(feed(&detector, &first, &step, 3, 250), DETECTOR_STORM);
}

/* Samples of the status alone, 160 ms apart: each proves 150 ms. */
static void
test_late_polls_prove_no_more_than_one_and_a_half(void **state)
{
    const struct storm_sample first = {.paused = true};
    const struct storm_sample step = {.frames = 1};
    struct detector_times times = usual;
    struct detector detector;

    (void)state;
    times.detection_ns = 455 * MS_NS;
    detector_init(&detector, storm_rule_find("cisco-8000"), &times);
    assert_int_equal(feed(&detector, &first, &step, 4, 160), DETECTOR_NOTHING);
    assert_int_equal(detector.evidence_ns, 450 * MS_NS);
}

/* Where a pause ended in the interval in which another one began, it is not
 * known when that was. */
static void
test_begin_of_a_pause_after_another_one_is_not_known(void **state)
{
    struct storm_sample sample = {
        .measures = ALL_MEASURES, .occupancy_bytes = 1000, .link_up = true};
    struct detector detector;

    (void)state;
    for (unsigned int ends = 0; ends < 2; ends++) {
        sample.at_ns = 0;
        sample.pause_us = sample.ends = 0;
        sample.paused = false;
        detector_init(&detector, storm_rule_find("exact"), &usual);
        (void)detector_take(&detector, &sample);
        sample.at_ns = 100 * MS_NS;
        sample.pause_us = 50 * 1000;
        sample.ends = ends;
        sample.paused = true;
        assert_int_equal(detector_take(&detector, &sample), DETECTOR_NOTHING);
        assert_true(detector.suspects);
        assert_int_equal(detector.head_ns > 0, ends == 0);
    }
}

/* --- Restoration -------------------------------------------------------- */

static void
test_no_restoration_without_a_time(void **state)
{
    struct bed bed;

    (void)state;
    bed_init(&bed, "exact");
    bed.detector.times.restoration_ns = 0;
    storm_model_add(&bed.model, 250 * MS_NS, 1000 * MS_NS, false);
    expect(&bed, 1000, DETECTOR_STORM, 450, 460);
    expect_nothing(&bed, 600000);
    assert_int_equal(detector_due(&bed.detector), DETECTOR_NO_DUE);
}

static void
test_times_change_while_it_runs(void **state)
{
    struct detector_times times = usual;
    struct bed bed;

    (void)state;
    bed_init(&bed, "exact");
    storm_model_add(&bed.model, 150 * MS_NS, 3000 * MS_NS, false);
    times.detection_ns = 1000 * MS_NS;
    times.restoration_ns = 0;
    detector_set_times(&bed.detector, &times);
    expect_nothing(&bed, 600);
    times.detection_ns = 700 * MS_NS;
    detector_set_times(&bed.detector, &times);
    expect(&bed, 3000, DETECTOR_STORM, 850, 860);
    expect_nothing(&bed, 10000);
    times.restoration_ns = 500 * MS_NS;
    detector_set_times(&bed.detector, &times);
    expect(&bed, 20000, DETECTOR_RESTORED, 10500, 10700);
}

static void
test_congestion_after_a_storm_does_not_keep_it_up(void **state)
{
    struct bed bed;

    (void)state;
    bed_init(&bed, "duration");
    bed.poller.acts = false; /* Alert: pauses are obeyed and measured. */
    storm_model_add(&bed.model, 250 * MS_NS, 1000 * MS_NS, false);
    for (int64_t k = 0; k < 40; k++) { /* Paused for 30 %. */
        storm_model_add(&bed.model, (1010 + 50 * k) * MS_NS,
                        (1025 + 50 * k) * MS_NS, false);
    }
    expect(&bed, 1000, DETECTOR_STORM, 500, 504);
    expect(&bed, 3000, DETECTOR_RESTORED, 1300, 1404);
    expect_nothing(&bed, 3000);
}

static void
test_queue_without_link_is_quiet(void **state)
{
    struct bed bed;

    (void)state;
    bed_init(&bed, "exact");
    storm_model_add(&bed.model, 250 * MS_NS, 90000 * MS_NS, false);
    expect(&bed, 1000, DETECTOR_STORM, 450, 460);
    expect_nothing(&bed, 1050);
    bed.model.link_down = true;
    expect(&bed, 2000, DETECTOR_RESTORED, 1350, 1504);
}

static void
test_storm_of_an_earlier_run_ends_like_any_other(void **state)
{
    struct bed bed;

    (void)state;
    bed_init(&bed, "exact");
    storm_model_set_off(&bed.model, true);
    detector_assume_storm(&bed.detector, 0);
    expect(&bed, 2000, DETECTOR_RESTORED, 300, 404);
}

/* Hands in a sample at 'at_ms' of a priority that always gets pause frames; PFC
 * is disabled ('off') or obeyed. */
static enum detector_verdict
take_paused(struct detector *detector, int64_t at_ms, bool off)
{
    const struct storm_sample sample = {.at_ns = at_ms * MS_NS,
                                        .measures = ALL_MEASURES,
                                        .frames = (uint64_t)at_ms,
                                        .pause_us = (uint64_t)at_ms * 1000,
                                        .paused = true,
                                        .link_up = true,
                                        .pfc_off = off};

    return detector_take(detector, &sample);
}

/* Looks every 10 ms from '*now_ms' until there is a probe, which finds that the
 * storm continues.  Returns when the probe began. */
static int64_t
probe_in_vain(struct detector *detector, int64_t *now_ms)
{
    int64_t begin_ms;

    do {
        *now_ms += 10;
    } while (take_paused(detector, *now_ms, true) == DETECTOR_NOTHING);
    begin_ms = *now_ms;
    assert_int_equal(take_paused(detector, begin_ms, false), DETECTOR_NOTHING);
    *now_ms += 10;
    assert_int_equal(take_paused(detector, *now_ms, false), DETECTOR_PROBE_OFF);
    assert_int_equal(take_paused(detector, *now_ms, true), DETECTOR_NOTHING);
    return begin_ms;
}

/* Where probes cost something, the wait between them doubles, up to 16 times
 * the restoration time; elsewhere it stays the same. */
static void
test_waits_between_costly_probes_double(void **state)
{
    static const int64_t times_restoration[] = {1, 1, 2, 4, 8, 16, 16};

    (void)state;
    for (int cost = 0; cost < 2; cost++) {
        struct detector_times times = usual;
        struct detector detector;
        int64_t now_ms = 0;

        times.probes_cost = cost;
        detector_init(&detector, storm_rule_find("exact"), &times);
        detector_assume_storm(&detector, 0);
        for (size_t i = 0;
             i < sizeof times_restoration / sizeof *times_restoration; i++) {
            int64_t from_ms = now_ms;

            assert_int_equal(probe_in_vain(&detector, &now_ms) - from_ms,
                             300 * (cost ? times_restoration[i] : 1));
        }
    }
}

/* The next probe moves with the restoration time. */
static void
test_longer_restoration_time_delays_the_next_probe(void **state)
{
    struct detector_times times = usual;
    struct detector detector;
    int64_t now_ms = 0;

    (void)state;
    detector_init(&detector, storm_rule_find("exact"), &times);
    detector_assume_storm(&detector, 0);
    times.restoration_ns = 500 * MS_NS;
    detector_set_times(&detector, &times);
    assert_int_equal(probe_in_vain(&detector, &now_ms), 500);
}

/* --- Known mistakes ----------------------------------------------------- */

static void
test_e1_counters_that_freeze_do_not_make_it_flap(void **state)
{
    struct bed bed;
    int verdicts = 0;

    (void)state;
    bed_init(&bed, "exact");
    bed.model.freezes = true;
    storm_model_add(&bed.model, 250 * MS_NS, 1200 * 1000 * MS_NS, false);
    while (storm_poller_run(&bed.poller, 1199 * 1000 * MS_NS) !=
           DETECTOR_NOTHING) {
        verdicts++;
    }
    /* That they freeze is not known at first, and learned by one mistake. */
    assert_int_equal(verdicts, 3);
    assert_true(bed.detector.stormed && bed.detector.distrusts);
    expect(&bed, 2000 * 1000, DETECTOR_RESTORED, 1200300, 1201000);
}

static void
test_e2_storm_that_becomes_xon_is_restored(void **state)
{
    static const char *const rules[] = {"exact", "duration", "broadcom",
                                        "cisco-8000"};

    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct bed bed;

        bed_init(&bed, rules[i]);
        storm_model_add(&bed.model, 250 * MS_NS, 1000 * MS_NS, false);
        storm_model_add(&bed.model, 1000 * MS_NS, 90000 * MS_NS, true);
        expect(&bed, 2000, DETECTOR_STORM, 450, 504);
        /* A probe after at most 300, and quiet for 300. */
        expect(&bed, 5000, DETECTOR_RESTORED, 1300, 1900);
        expect_nothing(&bed, 80000);
    }
}

static void
test_e2_costly_probes_become_rare(void **state)
{
    struct detector_times times = usual;
    struct bed bed;
    int64_t stopped_ns;

    (void)state;
    bed_init(&bed, "exact");
    times.probes_cost = true;
    detector_set_times(&bed.detector, &times);
    storm_model_add(&bed.model, 0, 60000 * MS_NS, false);
    expect(&bed, 1000, DETECTOR_STORM, 200, 304);
    stopped_ns = bed.model.paused_ns;
    expect_nothing(&bed, 60000);
    stopped_ns = bed.model.paused_ns - stopped_ns;
    /* 16 looks in 60 seconds, of 10 ms and a little. */
    assert_true(stopped_ns > 100 * MS_NS && stopped_ns < 300 * MS_NS);
}

static void
test_e3_late_polls_count_the_time_that_passed(void **state)
{
    struct bed bed;

    (void)state;
    bed_init(&bed, "exact");
    bed.poller.poll_ns = 350 * MS_NS; /* A processor that is too busy. */
    bed.detector.times.detection_ns = 400 * MS_NS;
    storm_model_add(&bed.model, 400 * MS_NS, 3000 * MS_NS, false);
    /* A detector that counts 100 ms for each of these would need 1,400. */
    expect(&bed, 3000, DETECTOR_STORM, 800, 810);
}

static void
test_e3_poll_as_long_as_the_detection_time_is_not_too_early(void **state)
{
    struct bed bed;

    (void)state;
    for (int64_t begin = 101; begin < 200; begin += 9) {
        static const char *const rules[] = {"exact", "stalled", "broadcom"};

        for (size_t i = 0; i < 3; i++) {
            bed_init(&bed, rules[i]);
            bed.detector.times.detection_ns = 100 * MS_NS;
            storm_model_add(&bed.model, begin * MS_NS, 3000 * MS_NS, false);
            expect(&bed, 3000, DETECTOR_STORM, begin + 100, begin + 204);
        }
    }
}

static void
test_e4_link_flap_is_no_storm(void **state)
{
    struct bed bed;

    (void)state;
    bed_init(&bed, "exact");
    expect_nothing(&bed, 500);
    bed.model.link_down = true;
    expect_nothing(&bed, 800);
    /* The chip has counted the time without a link as paused. */
    bed.model.paused_ns += 900 * MS_NS;
    bed.model.link_down = false;
    expect_nothing(&bed, 3000);
}

static void
test_e4_choppy_storm_is_seen_where_nothing_gets_out(void **state)
{
    struct bed bed;

    (void)state;
    bed_init(&bed, "broadcom");
    storm_model_add(&bed.model, 250 * MS_NS, 2000 * MS_NS, false);
    /* Each pause ends and begins again before a packet could start. */
    for (int64_t at = 260; at < 900; at += 10) {
        if (storm_poller_run(&bed.poller, at * MS_NS) == DETECTOR_STORM) {
            assert_true(at >= 450 && at <= 510);
            return;
        }
        bed.model.ends++;
    }
    fail_msg("not seen");
}

static void
test_e4_pauses_for_most_of_the_time_are_no_storm(void **state)
{
    struct bed bed;

    (void)state;
    bed_init(&bed, "vs"); /* Whose scripts are content with 80 %. */
    bed.model.empty = true;
    for (int64_t k = 0; k < 40; k++) {
        storm_model_add(&bed.model, (100 + 50 * k) * MS_NS,
                        (145 + 50 * k) * MS_NS, false);
    }
    expect_nothing(&bed, 3000);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_packet_or_one_end_of_a_pause_is_no_storm),
        cmocka_unit_test(test_two_intervals_have_to_agree),
        cmocka_unit_test(test_late_polls_prove_no_more_than_one_and_a_half),
        cmocka_unit_test(test_begin_of_a_pause_after_another_one_is_not_known),
        cmocka_unit_test(test_storm_is_detected_and_restored),
        cmocka_unit_test(test_begin_of_a_pause_is_known_to_the_microsecond),
        cmocka_unit_test(
            test_storm_is_never_detected_later_than_a_poll_after_it_could_be),
        cmocka_unit_test(test_counter_that_lags_is_not_read_again_at_once),
        cmocka_unit_test(test_sample_that_is_too_close_is_put_off),
        cmocka_unit_test(test_pause_shorter_than_detection_is_no_storm),
        cmocka_unit_test(test_bursts_of_half_a_poll_are_no_storm),
        cmocka_unit_test(
            test_empty_queue_is_stormed_only_where_the_rule_says_so),
        cmocka_unit_test(test_frames_that_end_pauses_are_no_storm),
        cmocka_unit_test(test_storm_that_is_forced_by_a_test),
        cmocka_unit_test(
            test_counters_that_were_cleared_delay_and_do_not_deceive),
        cmocka_unit_test(
            test_measure_that_cannot_be_read_any_more_is_no_evidence),
        cmocka_unit_test(test_no_restoration_without_a_time),
        cmocka_unit_test(test_times_change_while_it_runs),
        cmocka_unit_test(test_congestion_after_a_storm_does_not_keep_it_up),
        cmocka_unit_test(test_queue_without_link_is_quiet),
        cmocka_unit_test(test_storm_of_an_earlier_run_ends_like_any_other),
        cmocka_unit_test(test_waits_between_costly_probes_double),
        cmocka_unit_test(test_longer_restoration_time_delays_the_next_probe),
        cmocka_unit_test(test_e1_counters_that_freeze_do_not_make_it_flap),
        cmocka_unit_test(test_e2_storm_that_becomes_xon_is_restored),
        cmocka_unit_test(test_e2_costly_probes_become_rare),
        cmocka_unit_test(test_e3_late_polls_count_the_time_that_passed),
        cmocka_unit_test(
            test_e3_poll_as_long_as_the_detection_time_is_not_too_early),
        cmocka_unit_test(test_e4_link_flap_is_no_storm),
        cmocka_unit_test(test_e4_choppy_storm_is_seen_where_nothing_gets_out),
        cmocka_unit_test(test_e4_pauses_for_most_of_the_time_are_no_storm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
