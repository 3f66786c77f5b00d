/* SPDX-License-Identifier: Apache-2.0 */

/* TCP against traces that follow from the RFCs by hand.
 *
 * Segment n is the n-th full one of the stream, from 1; "ack n" acknowledges
 * all up to and including segment n. */

#include <config.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twin/transport/tcp.h"

#define MS INT64_C(1000000000)

/* The stream crosses 2^32. */
enum { MSS = 1000, FIRST = -5000, PEER_FIRST = 77 };

struct trace {
    struct tcp *tcp;
    struct tcp_config config;
    int64_t now_ps;
    struct tcp_actions actions;
};

static struct tcp_config
config_of(enum tcp_algorithm algorithm, enum tcp_loss_detection detection,
          uint32_t initial_segments)
{
    struct tcp_config config = tcp_config_default;

    config.mss_bytes = MSS;
    config.initial_segments = initial_segments;
    config.abc_segments = 1;
    config.algorithm = algorithm;
    config.detection = detection;
    config.ecn = algorithm == TCP_DCTCP ? TCP_ECN_DCTCP : TCP_ECN_OFF;
    return config;
}

/* A connection with a message of 'n' segments. */
static void
begin(struct trace *trace, const struct tcp_config *config, uint32_t n)
{
    struct err err = {0};

    *trace = (struct trace){.config = *config};
    if (tcp_config_check(config, &err)) {
        fail_msg("%s", err.reason);
    }
    trace->tcp = tcp_create(NULL, &trace->config, (uint32_t)FIRST, PEER_FIRST);
    if (n) {
        assert_int_equal(tcp_post(trace->tcp, 1, n * MSS), ST_OK);
    }
}

static void
end(struct trace *trace)
{
    assert_null(tcp_check(trace->tcp));
    tcp_destroy(trace->tcp);
}

static uint32_t
sequence_of(uint32_t number)
{
    return (uint32_t)FIRST + (number - 1) * MSS;
}

/* The next segments are 'from' to 'to', and then there is none. */
static void
sends(struct trace *trace, uint32_t from, uint32_t to)
{
    struct tcp_segment segment;

    for (uint32_t n = from; n <= to; n++) {
        assert_true(tcp_next(trace->tcp, trace->now_ps, &segment));
        assert_int_equal(segment.sequence, sequence_of(n));
        assert_int_equal(segment.payload_bytes, MSS);
    }
    assert_null(tcp_check(trace->tcp));
}

static void
sends_nothing(struct trace *trace)
{
    struct tcp_segment segment;

    assert_false(tcp_peek(trace->tcp));
    assert_false(tcp_next(trace->tcp, trace->now_ps, &segment));
}

static void
give(struct trace *trace, const struct tcp_segment *segment)
{
    tcp_receive(trace->tcp, segment, trace->now_ps, &trace->actions);
    assert_null(tcp_check(trace->tcp));
}

/* "ack n". */
static void
ack(struct trace *trace, uint32_t number)
{
    const struct tcp_segment segment = {.acknowledgement =
                                            sequence_of(number + 1)};

    give(trace, &segment);
}

/* "ack n" with the block of segments 'from' to 'to', and maybe another. */
static void
sack2(struct trace *trace, uint32_t number, uint32_t from, uint32_t to,
      uint32_t from2, uint32_t to2)
{
    const struct tcp_segment segment = {
        .acknowledgement = sequence_of(number + 1),
        .n_sacks = from2 ? 2 : 1,
        .sacks = {{sequence_of(from), sequence_of(to + 1)},
                  {sequence_of(from2), sequence_of(to2 + 1)}}};

    give(trace, &segment);
}

static void
sack(struct trace *trace, uint32_t number, uint32_t from, uint32_t to)
{
    sack2(trace, number, from, to, 0, 0);
}

static void
assert_window(const struct trace *trace, uint32_t segments)
{
    assert_int_equal(tcp_congestion_of(trace->tcp)->cwnd_bytes, segments * MSS);
}

static void
assert_threshold(const struct trace *trace, uint32_t segments)
{
    assert_int_equal(tcp_congestion_of(trace->tcp)->ssthresh_bytes,
                     segments * MSS);
}

/* Lets the next timer of 'trace' expire, which is due at 'when_ps'. */
static void
expires(struct trace *trace, int64_t when_ps)
{
    assert_int_equal(tcp_deadline_ps(trace->tcp), when_ps);
    trace->now_ps = when_ps;
    tcp_timeout(trace->tcp, trace->now_ps, &trace->actions);
    assert_null(tcp_check(trace->tcp));
}

/* RFC 5681 ----------------------------------------------------------------- */

/* Equation 2: each ACK adds a segment. */
static void
test_slow_start(void **state)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 2);
    struct trace trace;

    (void)state;
    begin(&trace, &config, 100);
    sends(&trace, 1, 2);
    sends_nothing(&trace);
    trace.now_ps = 10 * MS;
    ack(&trace, 1);
    assert_window(&trace, 3);
    sends(&trace, 3, 4);
    ack(&trace, 2);
    assert_window(&trace, 4);
    sends(&trace, 5, 6);
    sends_nothing(&trace);
    trace.now_ps = 20 * MS;
    ack(&trace, 4); /* A delayed ACK: at most one segment (L = 1). */
    assert_window(&trace, 5);
    sends(&trace, 7, 9);
    sends_nothing(&trace);
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
    sends(&trace, 9, 9); /* Six, although the window is seven. */
    sends_nothing(&trace);
    ack(&trace, 9);
    sends(&trace, 10, 14);
    ack(&trace, 14);
    trace.now_ps = tcp_rto_ps(trace.tcp) + 1;
    assert_int_equal(tcp_post(trace.tcp, 2, 20 * MSS), ST_OK);
    sends(&trace, 15, 18);
    sends_nothing(&trace);
    end(&trace);
}

/* RFC 6582 ----------------------------------------------------------------- */

/* Eight segments, the first is lost. */
static void
test_newreno_one_loss(void **state)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_NEWRENO, 8);
    struct trace trace;

    (void)state;
    begin(&trace, &config, 100);
    sends(&trace, 1, 8);
    ack(&trace, 0);
    sends(&trace, 9, 9); /* RFC 3042 */
    ack(&trace, 0);
    sends(&trace, 10, 10);
    sends_nothing(&trace);
    ack(&trace, 0); /* The third. */
    assert_int_equal(tcp_state(trace.tcp), TCP_RECOVERY);
    assert_threshold(&trace, 4);
    assert_window(&trace, 4 + 3);
    sends(&trace, 1, 1);
    sends_nothing(&trace);
    for (int i = 0; i < 3; i++) {
        ack(&trace, 0); /* Of 5, 6, 7. */
        sends_nothing(&trace);
    }
    ack(&trace, 0); /* Of 8: the window is 11 now, and 10 are outstanding. */
    sends(&trace, 11, 11);
    sends_nothing(&trace);
    ack(&trace, 10); /* All up to 'recover'. */
    assert_int_equal(tcp_state(trace.tcp), TCP_OPEN);
    assert_window(&trace, 4);
    sends(&trace, 12, 14);
    sends_nothing(&trace);
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
    const struct tcp_config config = config_of(TCP_RENO, TCP_NEWRENO, 10);
    struct trace trace;

    (void)state;
    begin(&trace, &config, 100);
    sends(&trace, 1, 10);
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
    sends(&trace, 15, 15);
    sends_nothing(&trace);
    ack(&trace, 4);
    assert_window(&trace, 12);
    sends(&trace, 5, 5);
    sends(&trace, 16, 16);
    sends_nothing(&trace);
    ack(&trace, 12);
    assert_int_equal(tcp_state(trace.tcp), TCP_OPEN);
    assert_window(&trace, 5);
    assert_int_equal(tcp_counters(trace.tcp)->retransmitted_segments, 3);
    assert_int_equal(tcp_counters(trace.tcp)->recoveries, 1);
    end(&trace);
}

/* RFC 6675 ----------------------------------------------------------------- */

/* Ten segments, the first is lost. */
static void
test_sack_one_loss(void **state)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 10);
    struct trace trace;

    (void)state;
    begin(&trace, &config, 100);
    sends(&trace, 1, 10);
    sack(&trace, 0, 2, 2);
    sends(&trace, 11, 11); /* The pipe is 9. */
    sack(&trace, 0, 2, 3);
    sends(&trace, 12, 12);
    sack(&trace, 0, 2, 4); /* More than 2 segments above 1. */
    assert_int_equal(tcp_state(trace.tcp), TCP_RECOVERY);
    assert_threshold(&trace, 5);
    assert_window(&trace, 5);
    /* 12 outstanding, 3 there, 1 lost. */
    assert_int_equal(tcp_pipe_bytes(trace.tcp), 8 * MSS);
    sends(&trace, 1, 1);
    sends_nothing(&trace);
    for (uint32_t n = 5; n <= 8; n++) {
        sack(&trace, 0, 2, n);
        sends_nothing(&trace);
    }
    assert_int_equal(tcp_pipe_bytes(trace.tcp), 5 * MSS);
    sack(&trace, 0, 2, 9);
    sends(&trace, 13, 13);
    sack(&trace, 0, 2, 10);
    sends(&trace, 14, 14);
    sends_nothing(&trace);
    ack(&trace, 12);
    assert_int_equal(tcp_state(trace.tcp), TCP_OPEN);
    assert_window(&trace, 5);
    sends(&trace, 15, 17);
    sends_nothing(&trace);
    end(&trace);
}

/* Ten segments; 1, 3 and 5 are lost. */
static void
test_sack_three_losses(void **state)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 10);
    struct trace trace;

    (void)state;
    begin(&trace, &config, 100);
    sends(&trace, 1, 10);
    sack(&trace, 0, 2, 2);
    sack2(&trace, 0, 4, 4, 2, 2);
    sends(&trace, 11, 12);
    sack2(&trace, 0, 6, 6, 4, 4);
    /* Three ranges above 1, two above 3, one above 5. */
    assert_int_equal(tcp_state(trace.tcp), TCP_RECOVERY);
    assert_window(&trace, 5);
    sends(&trace, 1, 1);
    sends_nothing(&trace);
    sack2(&trace, 0, 6, 7, 4, 4); /* 4, 6 and 7 are above 3. */
    assert_int_equal(tcp_pipe_bytes(trace.tcp), (12 - 4 - 2 + 1) * MSS);
    sends_nothing(&trace);
    sack2(&trace, 0, 6, 8, 4, 4); /* 6 to 8 are above 5. */
    assert_int_equal(tcp_pipe_bytes(trace.tcp), (12 - 5 - 3 + 1) * MSS);
    sends_nothing(&trace);
    sack2(&trace, 0, 6, 9, 4, 4);
    sends(&trace, 3, 3);
    sends_nothing(&trace);
    sack2(&trace, 0, 6, 10, 4, 4);
    sends(&trace, 5, 5);
    sends_nothing(&trace);
    sack(&trace, 2, 4, 4); /* 1 has arrived. */
    sends(&trace, 13, 13);
    sends_nothing(&trace);
    ack(&trace, 12);
    assert_int_equal(tcp_state(trace.tcp), TCP_OPEN);
    assert_window(&trace, 5);
    assert_int_equal(tcp_counters(trace.tcp)->retransmitted_segments, 3);
    end(&trace);
}

/* Blocks that make no sense change nothing. */
static void
test_sack_nonsense(void **state)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_SACK, 10);
    struct trace trace;

    (void)state;
    begin(&trace, &config, 100);
    sends(&trace, 1, 10);
    sack(&trace, 0, 5, 30); /* Never sent. */
    sack(&trace, 0, 8, 6);  /* Backwards. */
    ack(&trace, 40);        /* Likewise. */
    assert_int_equal(tcp_pipe_bytes(trace.tcp), 10 * MSS);
    assert_int_equal(tcp_state(trace.tcp), TCP_OPEN);
    end(&trace);
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
    assert_int_equal(tcp_state(trace.tcp), TCP_LOSS);
    assert_threshold(&trace, 4);
    assert_window(&trace, 1);
    sends(&trace, 1, 1);
    sends_nothing(&trace);
    expires(&trace, 3000 * MS);  /* 2 s later. */
    assert_threshold(&trace, 4); /* RFC 5681: not again. */
    sends(&trace, 1, 1);
    sends_nothing(&trace);
    expires(&trace, 6000 * MS); /* Not 4 s, but 3, the most. */
    sends(&trace, 1, 1);
    assert_int_equal(tcp_counters(trace.tcp)->timeouts, 3);
    trace.now_ps += 100 * MS;
    ack(&trace, 1); /* Slow start up to 4. */
    assert_window(&trace, 2);
    /* Karn: no sample, so the back-off stays. */
    assert_int_equal(tcp_srtt_ps(trace.tcp), 0);
    assert_int_equal(tcp_rto_ps(trace.tcp), 3000 * MS);
    sends(&trace, 2, 3);
    sends_nothing(&trace);
    ack(&trace, 2);
    ack(&trace, 3);
    assert_window(&trace, 4);
    sends(&trace, 4, 7);
    sends_nothing(&trace);
    ack(&trace, 7); /* A window of congestion avoidance. */
    assert_window(&trace, 5);
    sends(&trace, 8, 12);
    sends_nothing(&trace);
    ack(&trace, 8);
    assert_int_equal(tcp_state(trace.tcp), TCP_OPEN);
    trace.now_ps += 100 * MS;
    ack(&trace, 9); /* A sample of 100 ms. */
    assert_int_equal(tcp_rto_ps(trace.tcp), 300 * MS);
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

static void
receive(struct trace *trace, uint32_t number, bool ce, bool cwr)
{
    const struct tcp_segment segment = {.sequence =
                                            PEER_FIRST + (number - 1) * MSS,
                                        .acknowledgement = (uint32_t)FIRST,
                                        .payload_bytes = MSS,
                                        .ce = ce,
                                        .cwr = cwr};

    give(trace, &segment);
}

/* The next ACK is "ack n", with or without ECE. */
static void
acks(struct trace *trace, uint32_t number, bool ece)
{
    struct tcp_segment segment;

    assert_true(tcp_next_ack(trace->tcp, &segment));
    assert_int_equal(segment.acknowledgement, PEER_FIRST + number * MSS);
    assert_int_equal(segment.ece, ece);
}

static void
acks_nothing(struct trace *trace)
{
    struct tcp_segment segment;

    assert_false(tcp_next_ack(trace->tcp, &segment));
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

/* RFC 8985 ----------------------------------------------------------------- */

static void
begin_rack(struct trace *trace)
{
    const struct tcp_config config = config_of(TCP_RENO, TCP_RACK, 10);

    begin(trace, &config, 100);
    sends(trace, 1, 1);
    trace->now_ps = 40 * MS;
    ack(trace, 1); /* SRTT and minimum 40 ms: a reordering window of 10 ms. */
}

/* A segment that is overtaken is not lost before the window has passed. */
static void
test_rack_reordering(void **state)
{
    struct trace trace;

    (void)state;
    begin_rack(&trace);
    sends(&trace, 2, 11);
    trace.now_ps = 80 * MS;
    sack(&trace, 1, 3, 4); /* 2 is late. */
    assert_int_equal(tcp_state(trace.tcp), TCP_OPEN);
    /* Sent at 40; 40 ms of round trip and 10 of window. */
    assert_int_equal(tcp_deadline_ps(trace.tcp), 90 * MS);
    trace.now_ps = 85 * MS;
    ack(&trace, 4); /* It has arrived. */
    assert_int_equal(tcp_counters(trace.tcp)->recoveries, 0);
    sends(&trace, 12, 15);
    /* Now reordering is known: more than 2 segments do not matter. */
    trace.now_ps = 90 * MS;
    sack(&trace, 4, 6, 11);
    assert_int_equal(tcp_state(trace.tcp), TCP_OPEN);
    /* The round trip is 50 ms now, and a quarter of the least one is 10. */
    expires(&trace, 100 * MS);
    assert_int_equal(tcp_state(trace.tcp), TCP_RECOVERY);
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
    sends(&trace, 2, 11);
    trace.now_ps = 80 * MS;
    sack2(&trace, 2, 6, 6, 4, 4);
    sends(&trace, 12, 14);
    sack2(&trace, 2, 6, 7, 4, 4);
    assert_int_equal(tcp_state(trace.tcp), TCP_RECOVERY);
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
    sends(&trace, 2, 11);
    trace.now_ps = 80 * MS;
    sack(&trace, 1, 3, 5);
    assert_int_equal(tcp_state(trace.tcp), TCP_RECOVERY);
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
    sends(&trace, 5, 5);
    sends_nothing(&trace);
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
    sends(&trace, 5, 6);
    sends_nothing(&trace);
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
        cmocka_unit_test(test_newreno_one_loss),
        cmocka_unit_test(test_newreno_three_losses),
        cmocka_unit_test(test_sack_one_loss),
        cmocka_unit_test(test_sack_three_losses),
        cmocka_unit_test(test_sack_nonsense),
        cmocka_unit_test(test_round_trip_time),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_cubic_curve),
        cmocka_unit_test(test_cubic_growth),
        cmocka_unit_test(test_cubic_reno_friendly),
        cmocka_unit_test(test_cubic_fast_convergence),
        cmocka_unit_test(test_dctcp_alpha),
        cmocka_unit_test(test_dctcp_receiver),
        cmocka_unit_test(test_ecn_receiver),
        cmocka_unit_test(test_ecn_sender),
        cmocka_unit_test(test_rack_reordering),
        cmocka_unit_test(test_rack_no_reordering),
        cmocka_unit_test(test_rack_lost_repetition),
        cmocka_unit_test(test_tail_loss_probe),
        cmocka_unit_test(test_probe_outcomes),
        cmocka_unit_test(test_delayed_ack),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_settings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
