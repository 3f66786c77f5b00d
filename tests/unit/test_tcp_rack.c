/* SPDX-License-Identifier: Apache-2.0 */

/* RACK and the tail loss probe (RFC 8985) against traces that follow from it by
 * hand. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/tcp_trace.h"
#include "twin/transport/tcp.h"

/* A connection that has sent segments 2 to 11 at 40 ms, 40 ms ago. */
static void
begin_rack(struct trace *trace)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_RACK, 10);

    begin(trace, &config, 100);
    sends(trace, 1, 1);
    trace->now_ps = 40 * MS;
    ack(trace, 1); /* SRTT and minimum 40 ms: a reordering window of 10 ms. */
    sends(trace, 2, 11);
    trace->now_ps = 80 * MS;
}

/* A segment that is overtaken is not lost before the window has passed. */
static void
test_rack_reordering(void **state)
{
    struct trace trace;

    (void)state;
    begin_rack(&trace);
    sack(&trace, 1, 3, 4); /* 2 is late. */
    assert_state(&trace, TCP_OPEN);
    /* Sent at 40; 40 ms of round trip and 10 of window. */
    assert_int_equal(tcp_deadline_ps(trace.tcp), 90 * MS);
    trace.now_ps = 85 * MS;
    ack(&trace, 4); /* It has arrived. */
    assert_int_equal(tcp_counters(trace.tcp)->recoveries, 0);
    sends(&trace, 12, 15);
    /* Now reordering is known: more than 2 segments do not matter. */
    trace.now_ps = 90 * MS;
    sack(&trace, 4, 6, 11);
    assert_state(&trace, TCP_OPEN);
    /* The round trip is 50 ms now, and a quarter of the least one is 10. */
    expires(&trace, 100 * MS);
    assert_state(&trace, TCP_RECOVERY);
    sends(&trace, 5, 5);
    end(&trace);
}

/* What one ACK reports is in no order: a delayed ACK and a block above a gap,
 * or two blocks, are no reordering. */
static void
test_rack_no_reordering(void **state)
{
    struct trace trace;

    (void)state;
    begin_rack(&trace);
    sack2(&trace, 2, 6, 6, 4, 4);
    sends(&trace, 12, 14);
    sack2(&trace, 2, 6, 7, 4, 4);
    assert_state(&trace, TCP_RECOVERY);
    sends(&trace, 3, 3);
    end(&trace);
}

/* Without reordering, three segments decide at once, and a lost repetition is
 * noticed by what was sent after it. */
static void
test_rack_lost_repetition(void **state)
{
    struct trace trace;

    (void)state;
    begin_rack(&trace);
    sack(&trace, 1, 3, 5);
    assert_state(&trace, TCP_RECOVERY);
    sends(&trace, 2, 2);
    trace.now_ps = 81 * MS;
    sack(&trace, 1, 3, 11);
    sends(&trace, 12, 15);
    trace.now_ps = 121 * MS;
    sack(&trace, 1, 3, 12); /* 12 was sent after 2. */
    sends(&trace, 2, 2);
    assert_int_equal(tcp_counters(trace.tcp)->timeouts, 0);
    assert_int_equal(tcp_counters(trace.tcp)->retransmitted_segments, 2);
    end(&trace);
}

/* A repetition that arrives is no reordering: three segments above the next
 * hole decide at once. */
static void
test_rack_repetition_is_no_reordering(void **state)
{
    struct trace trace;

    (void)state;
    begin_rack(&trace);
    sack(&trace, 1, 3, 5);
    assert_state(&trace, TCP_RECOVERY);
    sends(&trace, 2, 2);
    trace.now_ps = 120 * MS;
    ack(&trace, 11); /* 2 comes from below. */
    assert_state(&trace, TCP_OPEN);
    sends(&trace, 12, 16);
    trace.now_ps = 160 * MS;
    sack(&trace, 11, 13, 15);
    assert_state(&trace, TCP_RECOVERY);
    end(&trace);
}

/* An ACK that comes too early for the repetition is for the original, and says
 * nothing about the time of what was sent with it. */
static void
test_rack_original_arrives_after_all(void **state)
{
    struct trace trace;

    (void)state;
    begin_rack(&trace);
    sack(&trace, 1, 3, 5);
    sends(&trace, 2, 2);
    trace.now_ps = 81 * MS;
    ack(&trace, 5); /* Not a millisecond later. */
    assert_int_equal(tcp_pipe_bytes(trace.tcp), 6 * MSS); /* 6 to 11. */
    sends_nothing(&trace);
    end(&trace);
}

/* New segments that were sent with a repetition, and arrive first, do not show
 * that it is lost. */
static void
test_rack_repetition_among_new_segments(void **state)
{
    struct trace trace;

    (void)state;
    begin_rack(&trace);
    sack(&trace, 1, 3, 11);
    sends(&trace, 2, 2);
    sends_only(&trace, 12, 15);
    trace.now_ps = 120 * MS;
    sack(&trace, 1, 3, 12);
    sends_only(&trace, 16, 16);
    end(&trace);
}

/* In recovery nothing has to arrive late, however little has arrived. */
static void
test_rack_recovery_does_not_wait(void **state)
{
    struct trace trace;

    (void)state;
    begin_rack(&trace);
    sack(&trace, 1, 3, 3);
    expires(&trace, 90 * MS);
    assert_state(&trace, TCP_RECOVERY);
    sends(&trace, 2, 2);
    trace.now_ps = 130 * MS;
    ack(&trace, 3); /* 4 to 11 were sent long before the repetition. */
    sends(&trace, 4, 4);
    trace.now_ps = 131 * MS;
    sends(&trace, 5, 5);
    trace.now_ps = 171 * MS;
    sack(&trace, 3, 5, 5);
    sends(&trace, 4, 4);
    end(&trace);
}

/* Acknowledges up to 'number', and that 'duplicate' was there already. */
static void
ack_duplicate(struct trace *trace, uint32_t number, uint32_t duplicate)
{
    sack(trace, number, duplicate, duplicate);
}

/* Lets segment '*n' arrive after the one behind it, 40 ms after both were sent.
 * Returns how much later than that it might have come. */
static int64_t
reorder(struct trace *trace, uint32_t *n)
{
    int64_t window_ps;

    sends(trace, *n, *n + 1);
    trace->now_ps += 40 * MS;
    sack(trace, *n - 1, *n + 1, *n + 1);
    window_ps = tcp_deadline_ps(trace->tcp) - trace->now_ps;
    ack(trace, *n + 1);
    assert_state(trace, TCP_OPEN);
    *n += 2;
    return window_ps;
}

/* Sends 'n' segments from '*next' on, and lets 40 ms pass. */
static void
pass(struct trace *trace, uint32_t *next, uint32_t n)
{
    sends(trace, *next, *next + n - 1);
    *next += n;
    trace->now_ps += 40 * MS;
}

static void
begin_duplicates(struct trace *trace)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_RACK, 10);

    begin(trace, &config, 200);
    sends(trace, 1, 1);
    trace->now_ps = 40 * MS;
    ack(trace, 1);
}

/* Section 6.2, step 4: each round trip with a D-SACK adds a quarter of the
 * round-trip time to the window, up to a whole one. */
static void
test_rack_window_grows_by_duplicates(void **state)
{
    struct trace trace;
    uint32_t n = 2;

    (void)state;
    begin_duplicates(&trace);
    assert_int_equal(reorder(&trace, &n), 10 * MS);
    /* Two in a round trip count once. */
    pass(&trace, &n, 3);
    ack_duplicate(&trace, n - 3, n - 3);
    ack_duplicate(&trace, n - 2, n - 3);
    ack(&trace, n - 1);
    assert_int_equal(reorder(&trace, &n), 20 * MS);
    /* The second counts if all is acknowledged that was sent at the first. */
    pass(&trace, &n, 2);
    ack_duplicate(&trace, n - 2, n - 2);
    ack_duplicate(&trace, n - 1, n - 2);
    assert_int_equal(reorder(&trace, &n), 40 * MS);
    pass(&trace, &n, 1);
    ack_duplicate(&trace, n - 1, n - 1);
    assert_int_equal(tcp_srtt_ps(trace.tcp), 40 * MS);
    pass(&trace, &n, 2);
    sack(&trace, n - 3, n - 1, n - 1);
    expires(&trace, trace.now_ps + 40 * MS);
    assert_state(&trace, TCP_RECOVERY);
    end(&trace);
}

/* It is that again after 16 recoveries without one. */
static void
test_rack_window_persists(void **state)
{
    struct trace trace;
    uint32_t n = 2;

    (void)state;
    begin_duplicates(&trace);
    (void)reorder(&trace, &n);
    pass(&trace, &n, 1);
    ack_duplicate(&trace, n - 1, n - 1);
    for (int i = 0; i <= 16; i++) {
        const int64_t window_ps = i < 16 ? 20 * MS : 10 * MS;

        pass(&trace, &n, 2);
        sack(&trace, n - 3, n - 1, n - 1);
        expires(&trace, trace.now_ps + window_ps);
        assert_state(&trace, TCP_RECOVERY);
        sends(&trace, n - 2, n - 2);
        trace.now_ps += 40 * MS;
        ack(&trace, n - 1);
        assert_state(&trace, TCP_OPEN);
    }
    end(&trace);
}

/* The last segments are lost: a probe after two round trips, not the RTO. */
static void
test_tail_loss_probe(void **state)
{
    struct tcp_config config = config_of(TCP_RENO, TCP_RACK, 10);
    struct trace trace;

    (void)state;
    begin(&trace, &config, 5);
    sends(&trace, 1, 5);
    trace.now_ps = 40 * MS;
    ack(&trace, 2); /* 3 to 5 are lost. */
    expires(&trace, 120 * MS);
    sends_only(&trace, 5, 5);
    assert_int_equal(tcp_counters(trace.tcp)->probes, 1);
    trace.now_ps = 160 * MS;
    sack(&trace, 2, 5, 5); /* RACK: 3 and 4 were sent long before the probe. */
    sends(&trace, 3, 4);
    trace.now_ps = 200 * MS;
    ack(&trace, 5);
    assert_true(trace.actions.completion);
    assert_int_equal(tcp_counters(trace.tcp)->timeouts, 0);
    assert_int_equal(tcp_deadline_ps(trace.tcp), INT64_MAX);
    end(&trace);
}

/* With new data the probe is new, and a probe that repairs the only loss
 * still costs half of the window: section 7.4. */
static void
test_probe_outcomes(void **state)
{
    struct tcp_config config = config_of(TCP_RENO, TCP_RACK, 4);
    struct trace trace;

    (void)state;
    begin(&trace, &config, 100);
    sends(&trace, 1, 4);
    trace.now_ps = 40 * MS;
    ack(&trace, 1);
    sends_only(&trace, 5, 6);
    expires(&trace, 120 * MS);
    sends(&trace, 7, 7);
    end(&trace);

    begin(&trace, &config, 5);
    sends(&trace, 1, 4);
    trace.now_ps = 40 * MS;
    ack(&trace, 4);
    sends(&trace, 5, 5);
    /* One segment: also what the peer may wait with its ACK. */
    expires(&trace, (40 + 2 * 40 + 40) * MS);
    sends(&trace, 5, 5);
    assert_int_equal(tcp_post(trace.tcp, 2, MSS), ST_OK);
    sends(&trace, 6, 6);
    trace.now_ps = 200 * MS;
    ack(&trace, 6);
    assert_window(&trace, 2); /* Two outstanding; the least is 2. */
    end(&trace);
}

/* A probe is due 80 ms after 'n' segments that were sent at 40 ms. */
static void
begin_probe(struct trace *trace, uint32_t posted, uint32_t n)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_RACK, 4);

    begin(trace, &config, posted);
    sends(trace, 1, 1);
    trace->now_ps = 40 * MS;
    ack(trace, 1);
    sends(trace, 2, n);
    expires(trace, 120 * MS);
}

static void
assert_not_reduced(const struct trace *trace)
{
    assert_true(tcp_congestion_of(trace->tcp)->ssthresh_bytes == UINT64_MAX);
}

/* One probe at a time, and the RTO begins with it. */
static void
test_one_probe_at_a_time(void **state)
{
    struct trace trace;

    (void)state;
    begin_probe(&trace, 3, 3);
    sends_only(&trace, 3, 3);
    assert_int_equal(tcp_deadline_ps(trace.tcp),
                     120 * MS + tcp_rto_ps(trace.tcp));
    assert_int_equal(tcp_post(trace.tcp, 2, MSS), ST_OK);
    trace.now_ps = 130 * MS;
    sends_only(&trace, 4, 4);
    assert_int_equal(tcp_deadline_ps(trace.tcp),
                     120 * MS + tcp_rto_ps(trace.tcp));
    end(&trace);
}

/* New data repairs no loss. */
static void
test_probe_with_new_data(void **state)
{
    struct trace trace;

    (void)state;
    begin_probe(&trace, 100, 4);
    sends(&trace, 5, 5);
    trace.now_ps = 160 * MS;
    ack(&trace, 5);
    sends(&trace, 6, 9);
    trace.now_ps = 200 * MS;
    ack(&trace, 9);
    assert_not_reduced(&trace);
    end(&trace);
}

/* What acknowledges no more than the probe does not say which of the two it is
 * for; a duplicate of it says that both have arrived, as a D-SACK does. */
static void
test_probe_and_original_arrive(void **state)
{
    for (int with_dsack = 0; with_dsack <= 1; with_dsack++) {
        struct trace trace;

        (void)state;
        begin_probe(&trace, 3, 3);
        sends(&trace, 3, 3);
        assert_int_equal(tcp_post(trace.tcp, 2, 2 * MSS), ST_OK);
        sends(&trace, 4, 5);
        trace.now_ps = 160 * MS;
        ack(&trace, 3);
        assert_not_reduced(&trace);
        if (with_dsack) {
            ack_duplicate(&trace, 4, 3);
        } else {
            ack(&trace, 3);
        }
        ack(&trace, 5);
        assert_not_reduced(&trace);
        end(&trace);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rack_reordering),
        cmocka_unit_test(test_rack_no_reordering),
        cmocka_unit_test(test_rack_lost_repetition),
        cmocka_unit_test(test_rack_repetition_is_no_reordering),
        cmocka_unit_test(test_rack_original_arrives_after_all),
        cmocka_unit_test(test_rack_repetition_among_new_segments),
        cmocka_unit_test(test_rack_recovery_does_not_wait),
        cmocka_unit_test(test_rack_window_grows_by_duplicates),
        cmocka_unit_test(test_rack_window_persists),
        cmocka_unit_test(test_tail_loss_probe),
        cmocka_unit_test(test_probe_outcomes),
        cmocka_unit_test(test_one_probe_at_a_time),
        cmocka_unit_test(test_probe_with_new_data),
        cmocka_unit_test(test_probe_and_original_arrive),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
