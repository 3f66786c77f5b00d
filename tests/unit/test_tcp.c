/* SPDX-License-Identifier: Apache-2.0 */

/* TCP against traces that follow from the RFCs by hand; those of RACK are in
 * test_tcp_rack.c. */

#include <config.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/tcp_trace.h"
#include "twin/transport/tcp.h"

/* RFC 5681 ----------------------------------------------------------------- */

/* Equation 2: each ACK adds a segment. */
static void
test_slow_start(void **state)
{
    struct trace trace;

    (void)state;
    start(&trace, TCP_RENO, TCP_SACK, 2);
    sends_nothing(&trace);
    trace.now_ps = 10 * MS;
    ack(&trace, 1);
    assert_window(&trace, 3);
    sends(&trace, 3, 4);
    ack(&trace, 2);
    assert_window(&trace, 4);
    sends_only(&trace, 5, 6);
    trace.now_ps = 20 * MS;
    ack(&trace, 4); /* A delayed ACK: at most one segment (L = 1). */
    assert_window(&trace, 5);
    sends_only(&trace, 7, 9);
    end(&trace);
}

/* RFC 3465: with L = 2 a delayed ACK adds two, without a limit all of them. */
static void
test_byte_counting(void **state)
{
    struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 4);
    struct trace trace;

    (void)state;
    config.abc_segments = 2;
    begin(&trace, &config, 100);
    sends(&trace, 1, 4);
    ack(&trace, 3);
    assert_window(&trace, 6);
    end(&trace);
    config.abc_segments = 0;
    begin(&trace, &config, 100);
    sends(&trace, 1, 4);
    ack(&trace, 3);
    assert_window(&trace, 7);
    end(&trace);
}

/* The window does not grow while the application, not the window, limits. */
static void
test_window_not_full(void **state)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 10);
    struct trace trace;

    (void)state;
    begin(&trace, &config, 2);
    sends(&trace, 1, 2);
    ack(&trace, 2);
    assert_true(trace.actions.completion);
    assert_window(&trace, 10);
    end(&trace);
}

/* The peer's window limits, and idleness brings back the initial window. */
static void
test_receive_window_and_idle(void **state)
{
    struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 4);
    struct trace trace;

    (void)state;
    config.window_bytes = 6 * MSS;
    begin(&trace, &config, 14);
    sends(&trace, 1, 4);
    ack(&trace, 1);
    sends(&trace, 5, 6);
    ack(&trace, 2);
    sends(&trace, 7, 8);
    assert_window(&trace, 6);
    ack(&trace, 3);
    assert_window(&trace, 7);
    sends_only(&trace, 9, 9); /* Six, although the window is seven. */
    ack(&trace, 9);
    sends(&trace, 10, 14);
    ack(&trace, 14);
    trace.now_ps = tcp_rto_ps(trace.tcp) + 1;
    assert_int_equal(tcp_post(trace.tcp, 2, 20 * MSS), ST_OK);
    sends_only(&trace, 15, 18);
    end(&trace);
}

/* Slow start ends at the threshold, and half a window of congestion avoidance
 * is forgotten with the window. */
static void
test_window_at_the_threshold(void **state)
{
    struct tcp_congestion congestion;

    (void)state;
    tcp_congestion_init(&congestion, TCP_RENO, MSS, 10, 0);
    congestion.ssthresh_bytes = 10 * MSS + 300;
    tcp_congestion_acked(&congestion, MSS, 0, 0);
    assert_int_equal(congestion.cwnd_bytes, 10 * MSS + 300);
    tcp_congestion_acked(&congestion, 10 * MSS, 0, 0);
    assert_int_equal(congestion.cwnd_bytes, 10 * MSS + 300);
    tcp_congestion_reduce(&congestion, 10 * MSS, false);
    tcp_congestion_acked(&congestion, 4 * MSS, 0, 0);
    assert_int_equal(congestion.cwnd_bytes, 5 * MSS);
    tcp_congestion_acked(&congestion, MSS, 0, 0);
    assert_int_equal(congestion.cwnd_bytes, 6 * MSS);
}

/* RFC 6582 ----------------------------------------------------------------- */

/* Eight segments, the first is lost. */
static void
test_newreno_one_loss(void **state)
{
    struct trace trace;

    (void)state;
    start(&trace, TCP_RENO, TCP_NEWRENO, 8);
    ack(&trace, 0);
    sends(&trace, 9, 9); /* RFC 3042 */
    ack(&trace, 0);
    sends_only(&trace, 10, 10);
    ack(&trace, 0); /* The third. */
    assert_state(&trace, TCP_RECOVERY);
    assert_threshold(&trace, 4);
    assert_window(&trace, 4 + 3);
    sends_only(&trace, 1, 1);
    for (int i = 0; i < 3; i++) {
        ack(&trace, 0); /* Of 5, 6, 7. */
        sends_nothing(&trace);
    }
    ack(&trace, 0); /* Of 8: the window is 11 now, and 10 are outstanding. */
    sends_only(&trace, 11, 11);
    ack(&trace, 10); /* All up to 'recover'. */
    assert_state(&trace, TCP_OPEN);
    assert_window(&trace, 4);
    sends_only(&trace, 12, 14);
    /* Congestion avoidance: a segment per window. */
    for (uint32_t n = 11; n <= 14; n++) {
        assert_window(&trace, 4);
        ack(&trace, n);
        sends(&trace, n + 4, n + 4);
    }
    assert_window(&trace, 5);
    assert_int_equal(tcp_counters(trace.tcp)->recoveries, 1);
    assert_int_equal(tcp_counters(trace.tcp)->retransmitted_segments, 1);
    end(&trace);
}

/* Ten segments; 1, 3 and 5 are lost: a partial ACK repeats each. */
static void
test_newreno_three_losses(void **state)
{
    struct trace trace;

    (void)state;
    start(&trace, TCP_RENO, TCP_NEWRENO, 10);
    ack(&trace, 0); /* Of 2. */
    ack(&trace, 0); /* Of 4. */
    sends(&trace, 11, 12);
    ack(&trace, 0); /* Of 6. */
    assert_threshold(&trace, 5);
    assert_window(&trace, 5 + 3);
    sends(&trace, 1, 1);
    for (int i = 0; i < 4; i++) {
        ack(&trace, 0); /* Of 7 to 10. */
    }
    assert_window(&trace, 12);
    sends_nothing(&trace); /* 12 are outstanding. */
    ack(&trace, 0);
    ack(&trace, 0); /* Of 11 and 12. */
    sends(&trace, 13, 14);
    ack(&trace, 2); /* Partial: 14 - 2 + 1 = 13 segments. */
    assert_window(&trace, 13);
    sends(&trace, 3, 3);
    sends_only(&trace, 15, 15);
    ack(&trace, 4);
    assert_window(&trace, 12);
    sends(&trace, 5, 5);
    sends_only(&trace, 16, 16);
    ack(&trace, 12);
    assert_state(&trace, TCP_OPEN);
    assert_window(&trace, 5);
    assert_int_equal(tcp_counters(trace.tcp)->retransmitted_segments, 3);
    assert_int_equal(tcp_counters(trace.tcp)->recoveries, 1);
    end(&trace);
}

/* Duplicates of the ACK that ended a recovery begin no other one (section 3.2,
 * step 1), and let two new segments go (RFC 3042), not more. */
static void
test_newreno_duplicates_after_recovery(void **state)
{
    struct trace trace;

    (void)state;
    start(&trace, TCP_RENO, TCP_NEWRENO, 8);
    for (int i = 0; i < 3; i++) {
        ack(&trace, 0);
    }
    assert_state(&trace, TCP_RECOVERY);
    sends(&trace, 1, 1);
    ack(&trace, 8);
    assert_state(&trace, TCP_OPEN);
    sends_only(&trace, 9, 12);
    for (uint32_t i = 0; i < 4; i++) {
        ack(&trace, 8);
        assert_state(&trace, TCP_OPEN);
        if (i < 2) {
            sends(&trace, 13 + i, 13 + i);
        }
        sends_nothing(&trace);
    }
    assert_int_equal(tcp_counters(trace.tcp)->recoveries, 1);
    end(&trace);
}

/* A partial ACK within a segment: the rest of it is sent again, and the window
 * does not grow by a segment. */
static void
test_newreno_part_of_a_segment(void **state)
{
    struct tcp_segment segment = {.acknowledgement = sequence_of(1) + 400};
    struct trace trace;

    (void)state;
    start(&trace, TCP_RENO, TCP_NEWRENO, 8);
    for (int i = 0; i < 3; i++) {
        ack(&trace, 0);
    }
    sends(&trace, 1, 1);
    assert_window(&trace, 4 + 3);
    give(&trace, &segment);
    assert_int_equal(tcp_congestion_of(trace.tcp)->cwnd_bytes, 7 * MSS - 400);
    assert_true(tcp_next(trace.tcp, 0, &segment));
    assert_int_equal(segment.sequence, sequence_of(1) + 400);
    assert_int_equal(segment.payload_bytes, MSS - 400);
    end(&trace);
}

/* RFC 6675 ----------------------------------------------------------------- */

/* Ten segments, the first is lost. */
static void
test_sack_one_loss(void **state)
{
    struct trace trace;

    (void)state;
    start(&trace, TCP_RENO, TCP_SACK, 10);
    sack(&trace, 0, 2, 2);
    sends(&trace, 11, 11); /* The pipe is 9. */
    sack(&trace, 0, 2, 3);
    sends(&trace, 12, 12);
    sack(&trace, 0, 2, 4); /* More than 2 segments above 1. */
    assert_state(&trace, TCP_RECOVERY);
    assert_threshold(&trace, 5);
    assert_window(&trace, 5);
    /* 12 outstanding, 3 there, 1 lost. */
    assert_int_equal(tcp_pipe_bytes(trace.tcp), 8 * MSS);
    sends_only(&trace, 1, 1);
    for (uint32_t n = 5; n <= 8; n++) {
        sack(&trace, 0, 2, n);
        sends_nothing(&trace);
    }
    assert_int_equal(tcp_pipe_bytes(trace.tcp), 5 * MSS);
    sack(&trace, 0, 2, 9);
    sends(&trace, 13, 13);
    sack(&trace, 0, 2, 10);
    sends_only(&trace, 14, 14);
    ack(&trace, 12);
    assert_state(&trace, TCP_OPEN);
    assert_window(&trace, 5);
    sends_only(&trace, 15, 17);
    end(&trace);
}

/* Ten segments; 1, 3 and 5 are lost. */
static void
test_sack_three_losses(void **state)
{
    struct trace trace;

    (void)state;
    start(&trace, TCP_RENO, TCP_SACK, 10);
    sack(&trace, 0, 2, 2);
    sack2(&trace, 0, 4, 4, 2, 2);
    sends(&trace, 11, 12);
    sack2(&trace, 0, 6, 6, 4, 4);
    /* Three ranges above 1, two above 3, one above 5. */
    assert_state(&trace, TCP_RECOVERY);
    assert_window(&trace, 5);
    sends_only(&trace, 1, 1);
    sack2(&trace, 0, 6, 7, 4, 4); /* 4, 6 and 7 are above 3. */
    assert_int_equal(tcp_pipe_bytes(trace.tcp), (12 - 4 - 2 + 1) * MSS);
    sends_nothing(&trace);
    sack2(&trace, 0, 6, 8, 4, 4); /* 6 to 8 are above 5. */
    assert_int_equal(tcp_pipe_bytes(trace.tcp), (12 - 5 - 3 + 1) * MSS);
    sends_nothing(&trace);
    sack2(&trace, 0, 6, 9, 4, 4);
    sends_only(&trace, 3, 3);
    sack2(&trace, 0, 6, 10, 4, 4);
    sends_only(&trace, 5, 5);
    sack(&trace, 2, 4, 4); /* 1 has arrived. */
    sends_only(&trace, 13, 13);
    ack(&trace, 12);
    assert_state(&trace, TCP_OPEN);
    assert_window(&trace, 5);
    assert_int_equal(tcp_counters(trace.tcp)->retransmitted_segments, 3);
    end(&trace);
}

/* Blocks that make no sense change nothing. */
static void
test_sack_nonsense(void **state)
{
    struct trace trace;

    (void)state;
    start(&trace, TCP_RENO, TCP_SACK, 10);
    sack(&trace, 0, 5, 30); /* Never sent. */
    sack(&trace, 0, 8, 6);  /* Backwards. */
    ack(&trace, 40);        /* Likewise. */
    assert_int_equal(tcp_pipe_bytes(trace.tcp), 10 * MSS);
    assert_state(&trace, TCP_OPEN);
    end(&trace);
}

/* "ack 0" of segments of 100 bytes, with the block of 'from' to 'to'. */
static struct tcp_range
short_block(uint32_t from, uint32_t to)
{
    return (struct tcp_range){(uint32_t)FIRST + (from - 1) * 100,
                              (uint32_t)FIRST + to * 100};
}

/* Three ranges say that a segment is lost, however short they are; one that is
 * as long does not. */
static void
test_sack_three_short_ranges(void **state)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 10);

    (void)state;
    for (int n_ranges = 1; n_ranges <= 3; n_ranges += 2) {
        struct tcp_segment segment = {.acknowledgement = (uint32_t)FIRST,
                                      .n_sacks = (uint8_t)n_ranges};
        struct trace trace;

        begin(&trace, &config, 0);
        for (uint64_t id = 1; id <= 8; id++) {
            struct tcp_segment sent;

            assert_int_equal(tcp_post(trace.tcp, id, 100), ST_OK);
            assert_true(tcp_next(trace.tcp, 0, &sent));
        }
        if (n_ranges == 1) {
            segment.sacks[0] = short_block(2, 8);
        }
        for (uint32_t i = 0; n_ranges == 3 && i < 3; i++) {
            segment.sacks[i] = short_block(2 * i + 2, 2 * i + 2);
        }
        give(&trace, &segment);
        assert_state(&trace, n_ranges == 3 ? TCP_RECOVERY : TCP_OPEN);
        end(&trace);
    }
}

/* RFC 6298 ----------------------------------------------------------------- */

static void
test_round_trip_time(void **state)
{
    struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 4);
    struct trace trace;

    (void)state;
    begin(&trace, &config, 100);
    assert_int_equal(tcp_rto_ps(trace.tcp), 1000 * MS);
    sends(&trace, 1, 4);
    trace.now_ps = 100 * MS;
    ack(&trace, 1); /* SRTT 100, RTTVAR 50. */
    assert_int_equal(tcp_srtt_ps(trace.tcp), 100 * MS);
    assert_int_equal(tcp_rto_ps(trace.tcp), 300 * MS);
    trace.now_ps = 200 * MS;
    ack(&trace, 2); /* RTTVAR 62.5, SRTT 112.5. */
    assert_int_equal(tcp_srtt_ps(trace.tcp), 112500 * MS / 1000);
    assert_int_equal(tcp_rto_ps(trace.tcp), 362500 * MS / 1000);
    end(&trace);
    config.min_rto_ps = 500 * MS;
    begin(&trace, &config, 100);
    sends(&trace, 1, 4);
    trace.now_ps = 100 * MS;
    ack(&trace, 1);
    assert_int_equal(tcp_rto_ps(trace.tcp), 500 * MS);
    end(&trace);
}

/* All of eight segments are lost, and the first repetition, too. */
static void
test_timeout(void **state)
{
    struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 8);
    struct trace trace;

    (void)state;
    config.max_rto_ps = 3000 * MS;
    begin(&trace, &config, 100);
    sends(&trace, 1, 8);
    expires(&trace, 1000 * MS);
    assert_state(&trace, TCP_LOSS);
    assert_threshold(&trace, 4);
    assert_window(&trace, 1);
    sends_only(&trace, 1, 1);
    expires(&trace, 3000 * MS);  /* 2 s later. */
    assert_threshold(&trace, 4); /* RFC 5681: not again. */
    sends_only(&trace, 1, 1);
    expires(&trace, 6000 * MS); /* Not 4 s, but 3, the most. */
    sends(&trace, 1, 1);
    assert_int_equal(tcp_counters(trace.tcp)->timeouts, 3);
    trace.now_ps += 100 * MS;
    ack(&trace, 1); /* Slow start up to 4. */
    assert_window(&trace, 2);
    /* Karn: no sample, so the back-off stays. */
    assert_int_equal(tcp_srtt_ps(trace.tcp), 0);
    assert_int_equal(tcp_rto_ps(trace.tcp), 3000 * MS);
    sends_only(&trace, 2, 3);
    ack(&trace, 2);
    ack(&trace, 3);
    assert_window(&trace, 4);
    sends_only(&trace, 4, 7);
    ack(&trace, 7); /* A window of congestion avoidance. */
    assert_window(&trace, 5);
    sends_only(&trace, 8, 12);
    ack(&trace, 8);
    assert_state(&trace, TCP_OPEN);
    trace.now_ps += 100 * MS;
    ack(&trace, 9); /* A sample of 100 ms. */
    assert_int_equal(tcp_rto_ps(trace.tcp), 300 * MS);
    /* The next timeout is a first one again. */
    sends_only(&trace, 13, 14);
    expires(&trace, trace.now_ps + 300 * MS);
    assert_int_equal(tcp_congestion_of(trace.tcp)->ssthresh_bytes, 5 * MSS / 2);
    end(&trace);
}

/* RFC 9438 ----------------------------------------------------------------- */

static double
cubic_seconds(double segments)
{
    return cbrt(segments / 0.4);
}

/* W_cubic(t) and K after a loss at 'w_max' segments, against the formula. */
static void
check_curve(uint32_t w_max)
{
    struct tcp_congestion congestion;
    const double k = cubic_seconds(0.3 * w_max);
    const uint64_t mss = 1460;

    tcp_congestion_init(&congestion, TCP_CUBIC, 1460, w_max, 0);
    tcp_congestion_reduce(&congestion, w_max * mss, false);
    assert_int_equal(congestion.cwnd_bytes, w_max * mss * 7 / 10);
    tcp_congestion_acked(&congestion, 1, 0, 0); /* The epoch begins. */
    assert_true(fabs((double)congestion.cubic.k_us - k * 1e6) <= 1);
    for (int tenths = 0; tenths <= 30; tenths++) {
        const double t = k * tenths / 10;
        const double wanted =
            (0.4 * (t - k) * (t - k) * (t - k) + w_max) * (double)mss;
        const double got =
            (double)tcp_cubic_window(&congestion, (int64_t)(t * 1e6));

        /* A microsecond and a byte. */
        assert_true(fabs(got - wanted) <=
                    1.2 * (t - k) * (t - k) * 2e-6 * (double)mss + 2);
    }
}

static void
test_cubic_curve(void **state)
{
    (void)state;
    check_curve(10);
    check_curve(100);
    check_curve(1000);
    check_curve(100000);
    /* By hand: cbrt(75) = 4.217163 s. */
    assert_int_equal(tcp_cubic_k_us(30 * 1460, 1460), 4217163);
}

/* Grows 'congestion' by one ACK per segment for 'n' round trips of 'rtt_ps', as
 * a full window does. */
static void
grow(struct tcp_congestion *congestion, int64_t *now_ps, int64_t rtt_ps, int n)
{
    for (int i = 0; i < n; i++) {
        const uint64_t segments = congestion->cwnd_bytes / 1460;

        *now_ps += rtt_ps;
        for (uint64_t k = 0; k < segments; k++) {
            tcp_congestion_acked(congestion, 1460, rtt_ps, *now_ps);
        }
    }
}

/* A long round trip: the window follows the curve, which is a round trip ahead
 * of the one before. */
static void
test_cubic_growth(void **state)
{
    struct tcp_congestion congestion;
    int64_t now_ps = 0;
    double k;

    (void)state;
    tcp_congestion_init(&congestion, TCP_CUBIC, 1460, 1000, 0);
    tcp_congestion_reduce(&congestion, 1000 * 1460, false);
    k = cubic_seconds(300);
    for (int i = 1; i <= 100; i++) {
        const double t = 0.1 * i;
        const double wanted = 0.4 * (t - k) * (t - k) * (t - k) + 1000;

        grow(&congestion, &now_ps, 100 * MS, 1);
        if (i > 10) {
            assert_true(
                fabs((double)congestion.cwnd_bytes / 1460 / wanted - 1) < 0.01);
        }
    }
}

/* A short round trip: the window is that of Reno with alpha = 9/17. */
static void
test_cubic_reno_friendly(void **state)
{
    struct tcp_congestion congestion;
    int64_t now_ps = 0;
    double wanted = 70;

    (void)state;
    tcp_congestion_init(&congestion, TCP_CUBIC, 1460, 100, 0);
    tcp_congestion_reduce(&congestion, 100 * 1460, false);
    for (int i = 0; i < 50; i++) {
        grow(&congestion, &now_ps, 1 * MS, 1);
        wanted += 9.0 / 17;
        assert_true(fabs((double)congestion.cwnd_bytes / 1460 - wanted) < 1);
    }
    grow(&congestion, &now_ps, 1 * MS, 20); /* Above 100: one per window. */
    wanted = (double)congestion.cwnd_bytes / 1460;
    grow(&congestion, &now_ps, 1 * MS, 10);
    assert_true(fabs((double)congestion.cwnd_bytes / 1460 - wanted - 10) < 1);
}

/* Section 4.7: a flow that loses before its last maximum gives up more. */
static void
test_cubic_fast_convergence(void **state)
{
    struct tcp_congestion congestion;

    (void)state;
    tcp_congestion_init(&congestion, TCP_CUBIC, 1460, 100, 0);
    tcp_congestion_reduce(&congestion, 100 * 1460, false);
    assert_int_equal(congestion.cubic.w_max_bytes, 100 * 1460);
    tcp_congestion_reduce(&congestion, 70 * 1460, false);
    assert_int_equal(congestion.cubic.w_max_bytes, 70 * 1460 * 17 / 20);
    assert_int_equal(congestion.cwnd_bytes, 49 * 1460);
}

/* Section 4.8: after a timeout the curve begins at its maximum. */
static void
test_cubic_after_a_timeout(void **state)
{
    struct tcp_congestion congestion;

    (void)state;
    tcp_congestion_init(&congestion, TCP_CUBIC, 1460, 100, 0);
    tcp_congestion_timeout(&congestion, 100 * 1460, false);
    assert_int_equal(congestion.cwnd_bytes, 1460);
    tcp_congestion_acked(&congestion, 69 * 1460, 0, 0); /* Slow start. */
    assert_int_equal(congestion.cwnd_bytes, 70 * 1460);
    tcp_congestion_acked(&congestion, 1460, 0, 0);
    assert_int_equal(congestion.cubic.k_us, 0);
    assert_int_equal(congestion.cubic.origin_bytes, 70 * 1460);
}

/* Section 4.4: by half of the window in a round trip at most; times without a
 * bound do not overflow. */
static void
test_cubic_bounds(void **state)
{
    const int64_t late_ps = INT64_C(5000000000000); /* Six times as much. */
    struct tcp_congestion congestion;

    (void)state;
    tcp_congestion_init(&congestion, TCP_CUBIC, 1460, 10, 0);
    congestion.ssthresh_bytes = 0;
    tcp_congestion_acked(&congestion, 0, 0, 0); /* The epoch begins. */
    tcp_congestion_acked(&congestion, 10 * 1460, 0, late_ps);
    assert_int_equal(congestion.cwnd_bytes, 15 * 1460);
    assert_true(tcp_cubic_window(&congestion, INT64_MAX / 1000000) ==
                tcp_cubic_window(&congestion, 1 << 30));
}

/* Fractions of bytes are carried, and begin at 0 with an epoch. */
static void
test_cubic_carries_fractions(void **state)
{
    struct tcp_congestion congestion;
    int64_t now_ps = 0;
    uint64_t whole = 0;

    (void)state;
    for (uint64_t part = 1460; part; part = part == 1460 ? 146 : 0) {
        tcp_congestion_init(&congestion, TCP_CUBIC, 1460, 1000, 0);
        tcp_congestion_reduce(&congestion, 1000 * 1460, false);
        congestion.cubic.estimate_rest = UINT64_C(1) << 40;
        congestion.cubic.rest = UINT64_C(1) << 40;
        tcp_congestion_acked(&congestion, 0, 0, 0);
        assert_int_equal(congestion.cubic.estimate_rest, 0);
        assert_int_equal(congestion.cubic.rest, 0);
        now_ps = 100 * MS;
        for (int i = 0; i < 700 * (int)(1460 / part); i++) {
            tcp_congestion_acked(&congestion, part, 100 * MS, now_ps);
        }
        if (part == 1460) {
            whole = congestion.cwnd_bytes;
            assert_true(whole > 710 * 1460);
        }
    }
    assert_in_range(congestion.cwnd_bytes, whole - 1460, whole + 1460);
}

/* RFC 8257 ----------------------------------------------------------------- */

/* Alpha by hand: 1, 15/16, (15/16)^2, then half of the bytes marked, then all.
 * A window of data begins with its second segment here. */
static void
test_dctcp_alpha(void **state)
{
    struct tcp_congestion congestion;
    double alpha = 15.0 / 16;
    uint64_t position = 0;

    (void)state;
    tcp_congestion_init(&congestion, TCP_DCTCP, MSS, 10, 0);
    for (int i = 0; i < 200; i++) {
        const double share = i < 100 ? 0 : i < 150 ? 0.5 : 1;

        for (int k = 0; k < 10; k++) {
            position += MSS;
            congestion.ops->observe(&congestion, MSS, k >= 10 - 10 * share,
                                    position, position + 9 * MSS);
            if (k == 0 && i > 0) {
                assert_true(fabs(congestion.dctcp.alpha / 1048576.0 - alpha) <
                            0.01);
            }
        }
        alpha = alpha * 15 / 16 + share / 16;
    }
    /* Half of the window at alpha = 1. */
    congestion.dctcp.alpha = 1 << 20;
    tcp_congestion_reduce(&congestion, 10 * MSS, true);
    assert_int_equal(congestion.cwnd_bytes, 5 * MSS);
    congestion.dctcp.alpha = 1 << 18;
    tcp_congestion_set(&congestion, 100 * MSS);
    tcp_congestion_reduce(&congestion, 100 * MSS, true);
    assert_int_equal(congestion.cwnd_bytes, 100 * MSS * 7 / 8);
}

/* Section 3.2: the state machine of the receiver. */
static void
test_dctcp_receiver(void **state)
{
    const struct tcp_config config = config_of(TCP_DCTCP, TCP_SACK, 10);
    struct trace trace;

    (void)state;
    begin(&trace, &config, 0);
    receive(&trace, 1, false, false);
    acks_nothing(&trace);
    receive(&trace, 2, false, false);
    acks(&trace, 2, false);
    receive(&trace, 3, false, false);
    receive(&trace, 4, true, false);
    acks(&trace, 3, false); /* What was delayed, as it was. */
    acks(&trace, 4, true);
    receive(&trace, 5, true, false);
    acks_nothing(&trace);
    receive(&trace, 6, true, false);
    acks(&trace, 6, true);
    receive(&trace, 7, false, false);
    acks(&trace, 7, false);
    acks_nothing(&trace);
    end(&trace);
}

/* RFC 3168: the echo lasts until CWR. */
static void
test_ecn_receiver(void **state)
{
    struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 10);
    struct trace trace;

    (void)state;
    config.ecn = TCP_ECN_CLASSIC;
    config.ack_every = 1;
    begin(&trace, &config, 0);
    receive(&trace, 1, true, false);
    acks(&trace, 1, true);
    receive(&trace, 2, false, false);
    acks(&trace, 2, true);
    receive(&trace, 3, false, true);
    acks(&trace, 3, false);
    end(&trace);
}

/* RFC 3168, section 6.1.2: once per window, and CWR on the next new data. */
static void
test_ecn_sender(void **state)
{
    struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 8);
    struct tcp_segment segment = {.ece = true};
    struct trace trace;

    (void)state;
    config.ecn = TCP_ECN_CLASSIC;
    begin(&trace, &config, 100);
    sends(&trace, 1, 8);
    segment.acknowledgement = sequence_of(2);
    give(&trace, &segment);
    assert_window(&trace, 4);
    segment.acknowledgement = sequence_of(5);
    give(&trace, &segment);
    assert_window(&trace, 4); /* The same window of data. */
    segment.acknowledgement = sequence_of(6);
    give(&trace, &segment);
    assert_true(tcp_next(trace.tcp, 0, &segment));
    assert_true(segment.cwr);
    assert_true(segment.ect);
    assert_int_equal(segment.sequence, sequence_of(9));
    ack(&trace, 6);
    assert_true(tcp_next(trace.tcp, 0, &segment));
    assert_false(segment.cwr);
    assert_int_equal(tcp_counters(trace.tcp)->reductions, 1);
    end(&trace);
}

/* Section 6.1.5: a segment that is sent again is not ECT, and says no CWR. */
static void
test_ecn_repetitions(void **state)
{
    struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 8);
    struct tcp_segment segment = {.acknowledgement = sequence_of(3),
                                  .ece = true};
    struct trace trace;

    (void)state;
    config.ecn = TCP_ECN_CLASSIC;
    begin(&trace, &config, 100);
    sends(&trace, 1, 8);
    give(&trace, &segment);
    assert_int_equal(tcp_counters(trace.tcp)->reductions, 1);
    sends_nothing(&trace);
    sack(&trace, 2, 4, 6);
    assert_true(tcp_next(trace.tcp, 0, &segment));
    assert_int_equal(segment.sequence, sequence_of(3));
    assert_true(segment.retransmit);
    assert_false(segment.cwr);
    assert_false(segment.ect);
    ack(&trace, 8);
    assert_true(tcp_next(trace.tcp, 0, &segment));
    assert_int_equal(segment.sequence, sequence_of(9));
    assert_true(segment.cwr);
    assert_true(segment.ect);
    end(&trace);
}

/* Receiver ----------------------------------------------------------------- */

static void
test_delayed_ack(void **state)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 10);
    struct tcp_segment segment;
    struct trace trace;

    (void)state;
    begin(&trace, &config, 0);
    receive(&trace, 1, false, false);
    acks_nothing(&trace);
    expires(&trace, 40 * MS);
    acks(&trace, 1, false);
    assert_int_equal(tcp_deadline_ps(trace.tcp), INT64_MAX);
    receive(&trace, 2, false, false);
    receive(&trace, 3, false, false);
    acks(&trace, 3, false);
    receive(&trace, 5, false, false); /* A gap, at once. */
    assert_true(tcp_next_ack(trace.tcp, &segment));
    assert_int_equal(segment.acknowledgement, PEER_FIRST + 3 * MSS);
    assert_int_equal(segment.n_sacks, 1);
    receive(&trace, 7, false, false);
    assert_true(tcp_next_ack(trace.tcp, &segment));
    assert_int_equal(segment.n_sacks, 2); /* The most recent first. */
    assert_int_equal(segment.sacks[0].begin, PEER_FIRST + 6 * MSS);
    assert_int_equal(segment.sacks[1].begin, PEER_FIRST + 4 * MSS);
    receive(&trace, 5, false, false); /* A duplicate: RFC 2883. */
    assert_true(tcp_next_ack(trace.tcp, &segment));
    assert_int_equal(segment.n_sacks, 3);
    assert_int_equal(segment.sacks[0].begin, PEER_FIRST + 4 * MSS);
    assert_int_equal(segment.sacks[0].end, PEER_FIRST + 5 * MSS);
    receive(&trace, 4, false, false); /* Closes a gap. */
    assert_int_equal(trace.actions.delivered_bytes, 2 * MSS);
    acks(&trace, 5, false);
    receive(&trace, 6, false, false);
    acks(&trace, 7, false);
    assert_int_equal(tcp_counters(trace.tcp)->duplicates, 1);
    assert_int_equal(tcp_counters(trace.tcp)->out_of_order, 2);
    end(&trace);
}

/* RFC 2883: behind the duplicate comes the range that has it, whatever came
 * later. */
static void
test_duplicate_in_an_older_range(void **state)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 10);
    struct tcp_segment segment;
    struct trace trace;

    (void)state;
    begin(&trace, &config, 0);
    receive(&trace, 3, false, false);
    receive(&trace, 5, false, false);
    receive(&trace, 3, false, false);
    assert_true(tcp_next_ack(trace.tcp, &segment));
    assert_int_equal(segment.n_sacks, 3);
    assert_int_equal(segment.sacks[0].begin, PEER_FIRST + 2 * MSS);
    assert_int_equal(segment.sacks[1].begin, PEER_FIRST + 2 * MSS);
    assert_int_equal(segment.sacks[2].begin, PEER_FIRST + 4 * MSS);
    end(&trace);
}

/* What does not fit the receive window is not taken. */
static void
test_out_of_window(void **state)
{
    struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 2);
    struct tcp_segment segment;
    struct trace trace;

    (void)state;
    config.window_bytes = 4 * MSS;
    begin(&trace, &config, 0);
    receive(&trace, 4, false, false);
    receive(&trace, 5, false, false);
    assert_int_equal(tcp_counters(trace.tcp)->out_of_window, 1);
    assert_int_equal(tcp_counters(trace.tcp)->out_of_order, 1);
    assert_true(tcp_next_ack(trace.tcp, &segment));
    assert_int_equal(segment.acknowledgement, PEER_FIRST);
    assert_int_equal(segment.n_sacks, 1);
    assert_int_equal(segment.sacks[0].end, PEER_FIRST + 4 * MSS);
    end(&trace);
}

/* The end of a message that arrives twice is one end. */
static void
test_message_arrives_twice(void **state)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 10);
    const struct tcp_segment second = {.sequence = PEER_FIRST + MSS,
                                       .acknowledgement = (uint32_t)FIRST,
                                       .payload_bytes = MSS,
                                       .push = true};
    struct tcp_completion completion;
    struct trace trace;

    (void)state;
    begin(&trace, &config, 0);
    give(&trace, &second);
    give(&trace, &second);
    receive(&trace, 1, false, false);
    assert_true(tcp_poll(trace.tcp, &completion));
    assert_int_equal(completion.bytes, 2 * MSS);
    assert_false(tcp_poll(trace.tcp, &completion));
    end(&trace);
}

/* Messages complete in order at both ends, whatever the order of arrival. */
static void
test_messages(void **state)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 10);
    struct tcp_segment segments[3];
    struct tcp_completion completion;
    struct trace trace;
    struct tcp *peer;

    (void)state;
    begin(&trace, &config, 0);
    peer = tcp_create(NULL, &config, PEER_FIRST, (uint32_t)FIRST);
    assert_int_equal(tcp_post(trace.tcp, 11, 1500), ST_OK);
    assert_int_equal(tcp_post(trace.tcp, 12, 300), ST_OK);
    assert_int_equal(tcp_post(trace.tcp, 13, 0), ST_INVALID);
    for (int i = 0; i < 3; i++) {
        assert_true(tcp_next(trace.tcp, 0, &segments[i]));
        assert_int_equal(segments[i].push, i > 0);
    }
    sends_nothing(&trace);
    assert_int_equal(segments[2].payload_bytes, 300);
    for (int i = 2; i >= 0; i--) {
        tcp_receive(peer, &segments[i], 0, &trace.actions);
        assert_int_equal(trace.actions.completion, i == 0);
    }
    assert_true(tcp_poll(peer, &completion));
    assert_true(completion.is_receive);
    assert_int_equal(completion.bytes, 1500);
    assert_true(tcp_poll(peer, &completion));
    assert_int_equal(completion.id, 1);
    assert_int_equal(completion.bytes, 300);
    assert_false(tcp_poll(peer, &completion));
    while (tcp_next_ack(peer, &segments[0])) {
        give(&trace, &segments[0]);
    }
    assert_true(tcp_poll(trace.tcp, &completion));
    assert_int_equal(completion.id, 11);
    assert_true(tcp_poll(trace.tcp, &completion));
    assert_int_equal(completion.id, 12);
    assert_int_equal(completion.bytes, 300);
    assert_false(tcp_poll(trace.tcp, &completion));
    tcp_destroy(peer);
    end(&trace);
}

static void
test_settings(void **state)
{
    struct tcp_config config = tcp_config_default;
    struct err err = {0};

    (void)state;
    assert_int_equal(tcp_config_check(&config, &err), ST_OK);
    config.window_bytes = config.mss_bytes;
    assert_int_equal(tcp_config_check(&config, &err), ST_INVALID);
    assert_string_equal(
        err.reason,
        "window_bytes must be between 2920 and 1073741824, not 1460");
    config = tcp_config_default;
    config.algorithm = TCP_DCTCP;
    assert_int_equal(tcp_config_check(&config, &err), ST_INVALID);
    config.ecn = TCP_ECN_DCTCP;
    assert_int_equal(tcp_config_check(&config, &err), ST_OK);
    config.send_depth = 3;
    assert_int_equal(tcp_config_check(&config, &err), ST_INVALID);
    assert_string_equal(tcp_algorithm_name(TCP_CUBIC), "cubic");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_start),
        cmocka_unit_test(test_byte_counting),
        cmocka_unit_test(test_window_not_full),
        cmocka_unit_test(test_receive_window_and_idle),
        cmocka_unit_test(test_window_at_the_threshold),
        cmocka_unit_test(test_newreno_one_loss),
        cmocka_unit_test(test_newreno_three_losses),
        cmocka_unit_test(test_newreno_duplicates_after_recovery),
        cmocka_unit_test(test_newreno_part_of_a_segment),
        cmocka_unit_test(test_sack_one_loss),
        cmocka_unit_test(test_sack_three_losses),
        cmocka_unit_test(test_sack_nonsense),
        cmocka_unit_test(test_sack_three_short_ranges),
        cmocka_unit_test(test_round_trip_time),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_cubic_curve),
        cmocka_unit_test(test_cubic_growth),
        cmocka_unit_test(test_cubic_reno_friendly),
        cmocka_unit_test(test_cubic_fast_convergence),
        cmocka_unit_test(test_cubic_after_a_timeout),
        cmocka_unit_test(test_cubic_bounds),
        cmocka_unit_test(test_cubic_carries_fractions),
        cmocka_unit_test(test_dctcp_alpha),
        cmocka_unit_test(test_dctcp_receiver),
        cmocka_unit_test(test_ecn_receiver),
        cmocka_unit_test(test_ecn_sender),
        cmocka_unit_test(test_ecn_repetitions),
        cmocka_unit_test(test_delayed_ack),
        cmocka_unit_test(test_duplicate_in_an_older_range),
        cmocka_unit_test(test_out_of_window),
        cmocka_unit_test(test_message_arrives_twice),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_settings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
