/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_TCP_H
#define ORCHD_TWIN_TRANSPORT_TCP_H

/* One end of an established TCP connection.
 *
 * Like rc.h it is a state machine without clock, timers and wire: the caller
 * (an adapter) posts messages, gives it the segments that arrive, and pulls
 * those that it wants to send.  Every function takes the time; none reads one.
 *
 * Messages.  The stream of bytes consists of messages.  The last segment of a
 * message has PSH, and no segment has bytes of two, as with a write() per
 * message and without Nagle's algorithm.  A message completes at the sender
 * when all of it is acknowledged, and at the receiver when all of it, and of
 * those before it, has arrived.
 *
 * Sender.  Segments of at most one MSS; at most the peer's receive window
 * beyond the acknowledged ones (RFC 9293), and at most the congestion window
 * (tcp_congestion.h) in the network.  The applications read at once, so the
 * window is always 'window_bytes', and no segment says so.
 *
 *   RTO         RFC 6298, with back-off; Karn's rule instead of timestamps. All
 *               that is outstanding and not selectively acknowledged then
 * counts as lost. SACK        RFC 2018 and 6675: a segment is lost if 3
 * discontiguous ranges, or more than 2 segments, above it have arrived; 'pipe'
 * is what is in the network.  Rules 3 and 4 of NextSeg() are left out. no SACK
 * RFC 6582 (NewReno): 3 duplicate ACKs, window inflation, partial ACKs; RFC
 * 3042 (limited transmit). RACK        RFC 8985, with SACK only: a segment is
 * lost if one that was sent sufficiently later has arrived; and the tail loss
 * probe (TLP). ECN         RFC 3168, or with dctcp RFC 8257.  After an echoed
 * mark the window shrinks once per window of data.
 *
 * Handshake.  It is left out, but it has measured a round trip, 'handshake_ps',
 * which is the first sample of RFC 6298.  0 stands for a connection without
 * one: until the first acknowledgement its RTO is 'first_rto_ps', and the tail
 * loss probe 1 s, as RFC 8985 says.
 *
 * The window grows only if it was full.  After an idle RTO it is the initial
 * window at most (RFC 5681, section 4.1).
 *
 * Receiver.  It acknowledges every 'ack_every' segments or 'ack_delay_ps' after
 * the first of them (RFC 5681); at once what is out of order, closes a gap, or
 * is a duplicate; with DCTCP also when the marks of segments begin or end.
 * Larger values stand for segments that the host merges (GRO).  The first
 * 'quick_acks' acknowledgements are not delayed either, nor are as many after a
 * silence of more than the RTO, or after a duplicate: Linux has 16, RFC 5681
 * none.  Without them a sender that has one segment in flight, as after a
 * timeout, waits for each delayed one.  SACK blocks are the most recent first;
 * a duplicate is reported first of all (RFC 2883).
 *
 * Left out: the segments of handshake and FIN, timestamps, urgent data, window
 * scaling as a negotiation, Nagle's algorithm, silly windows, keep-alive,
 * F-RTO, proportional rate reduction, pacing.
 *
 * Positions in the stream are of 64 bits inside; the sequence numbers of
 * segments are their low 32. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "twin/transport/tcp_congestion.h"

enum {
    TCP_MAX_SACKS = 4,
    TCP_HEADER_BYTES = 20,
    TCP_MIN_MSS = 64,
    TCP_MAX_MSS = 9160,
};

/* 1 GiB, the largest window with a scale of 14 (RFC 7323). */
#define TCP_MAX_WINDOW (UINT32_C(1) << 30)

/* 100 s. */
#define TCP_MAX_TIME_PS INT64_C(100000000000000)

enum tcp_loss_detection { TCP_NEWRENO, TCP_SACK, TCP_RACK };

enum tcp_ecn { TCP_ECN_OFF, TCP_ECN_CLASSIC, TCP_ECN_DCTCP };

/* What both ends of connections have in common; borrowed by them, and not
 * changed while they use it. */
struct tcp_config {
    uint32_t mss_bytes;        /* TCP_MIN_MSS..TCP_MAX_MSS */
    uint32_t window_bytes;     /* Receive window: 2 MSS..TCP_MAX_WINDOW. */
    uint32_t initial_segments; /* Initial window: 1..1000. */
    uint32_t abc_segments;     /* See tcp_congestion.h: 0..1000. */
    enum tcp_algorithm algorithm;
    bool fast_convergence; /* Of cubic; RFC 9438, section 4.7. */
    enum tcp_loss_detection detection;
    enum tcp_ecn ecn; /* TCP_ECN_DCTCP if and only if the algorithm is dctcp. */
    int64_t min_rto_ps;   /* 1..TCP_MAX_TIME_PS */
    int64_t max_rto_ps;   /* 'min_rto_ps'..TCP_MAX_TIME_PS * 2 */
    int64_t first_rto_ps; /* Until there is a sample: likewise. */
    int64_t handshake_ps; /* See above: 0..TCP_MAX_TIME_PS; 0: none. */
    int64_t ack_delay_ps; /* 0..1 s; 0: every segment is acknowledged. */
    uint16_t quick_acks;  /* See above: 0: none. */
    uint16_t ack_every;   /* Segments; not 0. */
    uint32_t send_depth;  /* Messages: a power of 2, 1..32768. */
};

/* MSS 1460, window of 4 MiB, IW 10, CUBIC with SACK, no ECN, RTO 200 ms to 120
 * s and first 1 s, no handshake, ACK each 2 segments or 40 ms, none of them
 * quick, 16 messages. */
extern const struct tcp_config tcp_config_default;

/* Returns ST_OK, or ST_INVALID and the reason in '*err' (may be NULL). */
enum st tcp_config_check(const struct tcp_config *config,
                         struct err *err) ST_WARN_UNUSED;

/* A range of sequence numbers, without 'end'. */
struct tcp_range {
    uint32_t begin;
    uint32_t end;
};

/* What the header of a segment says, and what the network has done to it. */
struct tcp_segment {
    uint32_t sequence;
    uint32_t acknowledgement;
    uint16_t payload_bytes;
    bool push;
    bool ece;
    bool cwr;
    bool ect;        /* To be sent as ECT(0). */
    bool ce;         /* The network has marked it. */
    bool retransmit; /* Sent before; for statistics, not on the wire. */
    uint8_t n_sacks;
    struct tcp_range sacks[TCP_MAX_SACKS];
};

/* A message that is complete. */
struct tcp_completion {
    uint64_t id; /* As posted; of a received one: its number, from 0. */
    uint64_t bytes;
    bool is_receive;
};

/* What a function wants of its caller. */
struct tcp_actions {
    bool send;                /* tcp_next() may have a segment now. */
    bool completion;          /* tcp_poll() has a completion. */
    uint32_t delivered_bytes; /* New, in order. */
};

enum tcp_state {
    TCP_OPEN,
    TCP_RECOVERY, /* Fast recovery. */
    TCP_LOSS,     /* Slow start after a timeout. */
};

struct tcp_counters {
    uint64_t retransmitted_segments;
    uint64_t timeouts;
    uint64_t recoveries; /* Fast ones. */
    uint64_t probes;     /* Of TLP. */
    uint64_t reductions; /* Of the window after an echoed mark. */
    uint64_t duplicates; /* Received; each byte was there already. */
    uint64_t out_of_order;
    uint64_t out_of_window;
};

struct line_pool;
struct tcp;

/* Returns an end of a connection whose first byte has 'send_sequence', and that
 * of its peer 'receive_sequence'.  'config' is valid and outlives it.  End with
 * tcp_destroy(). */
struct tcp *tcp_create(struct line_pool *memory,
                       const struct tcp_config *config, uint32_t send_sequence,
                       uint32_t receive_sequence);
void tcp_destroy(struct tcp *tcp);

/* Posts a message of 'length_bytes' (1..2^31).  ST_NO_RESOURCE: the queue is
 * full.  ST_INVALID: the length.  tcp_next() may have a segment afterwards. */
enum st tcp_post(struct tcp *tcp, uint64_t id,
                 uint32_t length_bytes) ST_WARN_UNUSED;

/* Returns whether tcp_next() has a segment. */
bool tcp_peek(const struct tcp *tcp);

/* Takes the next segment with data at 'now_ps'.  Returns false if there is
 * none.  The segment acknowledges all that has arrived in order. */
bool tcp_next(struct tcp *tcp, int64_t now_ps, struct tcp_segment *segment);

/* Takes the next acknowledgement without data.  Returns false if there is none.
 * An adapter takes all of them after tcp_receive() and tcp_timeout(). */
bool tcp_next_ack(struct tcp *tcp, struct tcp_segment *segment);

/* Handles a segment that arrives at 'now_ps'.  Segments that make no sense are
 * ignored.  '*actions' is overwritten. */
void tcp_receive(struct tcp *tcp, const struct tcp_segment *segment,
                 int64_t now_ps, struct tcp_actions *actions);

/* Returns when tcp_timeout() has to be called, INT64_MAX if not at all.  Any
 * function may move it in both directions. */
int64_t tcp_deadline_ps(const struct tcp *tcp);

/* Handles the timers whose deadline has passed at 'now_ps'. */
void tcp_timeout(struct tcp *tcp, int64_t now_ps, struct tcp_actions *actions);

/* Takes the next completion.  Returns false if there is none. */
bool tcp_poll(struct tcp *tcp, struct tcp_completion *completion);

enum tcp_state tcp_state(const struct tcp *tcp);
const struct tcp_counters *tcp_counters(const struct tcp *tcp);
const struct tcp_congestion *tcp_congestion_of(const struct tcp *tcp);

/* Returns the retransmission timeout without back-off, and the smoothed
 * round-trip time, 0 without a sample. */
int64_t tcp_rto_ps(const struct tcp *tcp);
int64_t tcp_srtt_ps(const struct tcp *tcp);

/* Returns the bytes that are sent and not acknowledged, and those of them that
 * are in the network as far as the sender knows ('pipe' of RFC 6675). */
uint64_t tcp_outstanding_bytes(const struct tcp *tcp);
uint64_t tcp_pipe_bytes(const struct tcp *tcp);

/* Returns NULL if all invariants hold, else a sentence about one that does not.
 * For tests; takes time in proportion to the queues. */
const char *tcp_check(const struct tcp *tcp);

#endif /* twin/transport/tcp.h */
