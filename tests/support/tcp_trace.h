/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_TCP_TRACE_H
#define ORCHD_TESTS_SUPPORT_TCP_TRACE_H

/* Traces of one end of a TCP connection: what arrives, and what it has to send.
 *
 * Segment n is the n-th full one of the stream, from 1; "ack n" acknowledges
 * all up to and including segment n. */

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

static inline struct tcp_config
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
static inline void
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

static inline void
end(struct trace *trace)
{
    assert_null(tcp_check(trace->tcp));
    tcp_destroy(trace->tcp);
}

static inline uint32_t
sequence_of(uint32_t number)
{
    return (uint32_t)FIRST + (number - 1) * MSS;
}

/* The next segments are 'from' to 'to'. */
static inline void
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

static inline void
sends_nothing(struct trace *trace)
{
    struct tcp_segment segment;

    assert_false(tcp_peek(trace->tcp));
    assert_false(tcp_next(trace->tcp, trace->now_ps, &segment));
}

/* The next segments are 'from' to 'to', and then there is none. */
static inline void
sends_only(struct trace *trace, uint32_t from, uint32_t to)
{
    sends(trace, from, to);
    sends_nothing(trace);
}

/* A connection whose first window, of 'n' segments, is sent. */
static inline void
start(struct trace *trace, enum tcp_algorithm algorithm,
      enum tcp_loss_detection detection, uint32_t n)
{
    const struct tcp_config config = config_of(algorithm, detection, n);

    begin(trace, &config, 100);
    sends(trace, 1, n);
}

static inline void
give(struct trace *trace, const struct tcp_segment *segment)
{
    tcp_receive(trace->tcp, segment, trace->now_ps, &trace->actions);
    assert_null(tcp_check(trace->tcp));
}

/* "ack n". */
static inline void
ack(struct trace *trace, uint32_t number)
{
    const struct tcp_segment segment = {.acknowledgement =
                                            sequence_of(number + 1)};

    give(trace, &segment);
}

/* "ack n" with the block of segments 'from' to 'to', and maybe another. */
static inline void
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

static inline void
sack(struct trace *trace, uint32_t number, uint32_t from, uint32_t to)
{
    sack2(trace, number, from, to, 0, 0);
}

static inline void
assert_window(const struct trace *trace, uint32_t segments)
{
    assert_int_equal(tcp_congestion_of(trace->tcp)->cwnd_bytes, segments * MSS);
}

static inline void
assert_threshold(const struct trace *trace, uint32_t segments)
{
    assert_int_equal(tcp_congestion_of(trace->tcp)->ssthresh_bytes,
                     segments * MSS);
}

static inline void
assert_state(const struct trace *trace, enum tcp_state state)
{
    assert_int_equal(tcp_state(trace->tcp), state);
}

/* Lets the next timer of 'trace' expire, which is due at 'when_ps'. */
static inline void
expires(struct trace *trace, int64_t when_ps)
{
    assert_int_equal(tcp_deadline_ps(trace->tcp), when_ps);
    trace->now_ps = when_ps;
    tcp_timeout(trace->tcp, trace->now_ps, &trace->actions);
    assert_null(tcp_check(trace->tcp));
}

static inline void
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
static inline void
acks(struct trace *trace, uint32_t number, bool ece)
{
    struct tcp_segment segment;

    assert_true(tcp_next_ack(trace->tcp, &segment));
    assert_int_equal(segment.acknowledgement, PEER_FIRST + number * MSS);
    assert_int_equal(segment.ece, ece);
}

static inline void
acks_nothing(struct trace *trace)
{
    struct tcp_segment segment;

    assert_false(tcp_next_ack(trace->tcp, &segment));
}

#endif /* tests/support/tcp_trace.h */
