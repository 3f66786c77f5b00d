/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_SRD_H
#define ORCHD_TWIN_TRANSPORT_SRD_H

/* One end of an SRD context: scalable reliable datagrams between two adapters.
 *
 * Motivation: TCP and RC stay on the one path that ECMP chose for their flow,
 * and wait when it is full or broken.  SRD delivers datagrams of at most one
 * packet, reliably and at most once, but in any order.  So it can send each
 * over another path, and nothing waits for one that is lost.  All queue pairs
 * of an adapter (srd_qp.h) share the context to a peer.
 *
 * Sources: [S] Shalev et al., "A Cloud-Optimized Transport Protocol for Elastic
 * and Scalable HPC", IEEE Micro 2020: what SRD does, in words.  [E] SRD.txt of
 * the EFA driver: queue pairs and errors.  Neither has a number; all numbers of
 * 'srd_config_default' are assumptions (docs/explanation/srd.md).
 *
 * Like rc.h it is a state machine without clock, timers and wire: the caller
 * (an adapter) posts requests, gives it the packets that arrive, and pulls
 * those that it wants to send.  Every function takes the time; none reads one.
 *
 * Paths ([S], section 2.1).  A path is an entropy: a value of the encapsulation
 * that switches hash, such as a UDP source port.  Different entropies may share
 * links; the sender cannot know.  Each path has a smoothed round-trip time
 * (7/8, and 3/4 for the variation, as RFC 6298), and a state:
 *
 *   ok     may be chosen.  Of two random ones, the one with the lower time is.
 *   avoid  3 samples in a row were above 'avoid_percent' of the median of all
 *          paths.  One packet in 'probe_packets' is followed by a probe of such
 *          a path; 3 samples below 'return_percent' of the median: ok.
 *   dead   a packet on it was not acknowledged in time.  After 'dead_ps' the
 *          path gets another entropy and a probe, whose acknowledgement makes
 *          it ok.  A late acknowledgement shows that it was only slow: avoid.
 *
 * The median is that of the last round (see below).  Between two probes there
 * is a packet, if one may be sent.
 *
 * Reliability.  Each packet is acknowledged by itself, with the path and the
 * attempt that arrived.  It counts as lost when 3 packets that were sent later
 * on the same path are acknowledged, or after its RTO: the smoothed time of its
 * path and 4 variations, at least 'min_rto_ps', doubled for each timeout since
 * the last acknowledgement.  A path without a sample has those of the context.
 * What is lost is sent again at once, on another path; so is everything else on
 * a path that dies.
 *
 * Rate and flight ([S], section 2.3).  A round lasts the smoothed round-trip
 * time of the context and 8 packets.  Its delivery rate is what was
 * acknowledged per time between acknowledgements; its sending rate is the same
 * packets per time between their transmissions.  There is congestion if
 *   - more than half of the paths that were sampled had a round-trip time of
 *     more than 'queue_ps' above the least of the context, or
 *   - the delivery rate was below 95 % of R, also in the round before (with
 *     spraying a single one is not exact), or, at the start, below 95 % of the
 *     sending rate.
 * Then R = max(min_bps, delivery rate * (1 - 2^-decrease_shift)).  Else R grows
 * by 'increase_packets' MTU per round-trip time.  At most 1.25 * delivery rate
 * * least round-trip time + 2 MTU are in flight.  A context starts at the line
 * rate with 'initial_packets' in flight, doubled each round until there is
 * congestion, or the flight is what the line needs; until then R does not
 * count.  The least time is that of the context, not of each path: with
 * many paths each has few samples.  It is that of packets as long, in eighths
 * of the MTU, as short ones take less time on each link.  For the flight the
 * longest ones count.
 *
 * A round in which there was at times nothing to send, or that begins so, only
 * raises the delivery rate, and does not change R.
 *
 * Receiver ([S], section 2.2).  'order' says what happens to a packet before
 * which others are missing: it is delivered, held until these have arrived, or
 * dropped with an acknowledgement that says so.  The last two exist to be
 * compared with the first.
 *
 * Sequence numbers have 32 bits, and wrap. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum {
    SRD_MIN_MTU = 64,
    SRD_MAX_MTU = 8928,
    SRD_MAX_PATHS = 256,
    SRD_MAX_ENTROPIES = 4096,
    SRD_MAX_WINDOW = 4096,

    /* Ethernet 14, IPv4 20, UDP 8, SRD 32 and FCS 4.  The length of the SRD
     * header is not public. */
    SRD_OVERHEAD_BYTES = 78,
};

/* Which path a packet takes. */
enum srd_choice {
    SRD_STEERED, /* See above. */
    SRD_RANDOM,  /* Any that is not dead: plain spraying. */
    SRD_SINGLE,  /* Always the first. */
};

enum srd_order { SRD_DELIVER, SRD_HOLD, SRD_DROP };

/* What contexts have in common; borrowed by them, not changed while they use
 * it. */
struct srd_config {
    uint32_t mtu_bytes;   /* Payload: SRD_MIN_MTU..SRD_MAX_MTU. */
    uint32_t n_paths;     /* 1..SRD_MAX_PATHS */
    uint32_t n_entropies; /* 'n_paths'..SRD_MAX_ENTROPIES; what exceeds the
                           * paths replaces those of dead ones. */
    enum srd_choice choice;
    enum srd_order order;
    uint32_t window_packets;  /* From the oldest packet that is not acknowledged
                               * to the next one: a power of 2,
                               * 16..SRD_MAX_WINDOW. */
    int64_t line_bps;         /* 10^6..2^42; on the wire, as all rates. */
    int64_t min_bps;          /* 1..'line_bps' */
    uint32_t initial_packets; /* 1..1024 */
    uint32_t increase_packets; /* 0..1024 */
    uint32_t decrease_shift;   /* 1..16 */
    int64_t queue_ps;          /* 0..1 s, as all times. */
    uint32_t avoid_percent;    /* 101..10000 */
    uint32_t return_percent;   /* 100..'avoid_percent' */
    uint32_t probe_packets;    /* 1..65536 */
    int64_t dead_ps;           /* 1 ns.. */
    int64_t min_rto_ps;        /* 1 ns.. */
    int64_t first_rto_ps;      /* Without a sample: 'min_rto_ps'.. */
};

/* 64 paths of 128 entropies, steered; MTU 8,928 bytes, window of 1,024 packets;
 * 100 Gb/s, at least 100 Mb/s, 10 packets at first; increase by a packet,
 * decrease by 1/16, queues of 1 us; avoid at 150 %, back at 120 %, a probe each
 * 64 packets; dead for 100 ms; RTO 100 us, 1 ms without a sample. */
extern const struct srd_config srd_config_default;

/* Returns ST_OK, or ST_INVALID and the reason in '*err' (may be NULL). */
enum st srd_config_check(const struct srd_config *config,
                         struct err *err) ST_WARN_UNUSED;

/* How a request has ended. */
enum srd_status {
    SRD_OK,
    SRD_FLUSHED,       /* Its queue pair is in the error state. */
    SRD_LOCAL_LENGTH,  /* It is longer than the MTU. */
    SRD_BAD_DEST_QP,   /* There is no such queue pair, or it is in error. */
    SRD_RNR,           /* The queue pair has no receive request. */
    SRD_REMOTE_LENGTH, /* The receive request is too short. */
    SRD_N_STATUSES,
};

/* For the message layer; SRD carries it. */
struct srd_header {
    uint32_t words[4];
};

/* A datagram to send, or one that has arrived. */
struct srd_request {
    uint64_t id; /* Returned in the completion; not sent. */
    uint32_t source_qp;
    uint32_t dest_qp;
    uint32_t length_bytes;
    struct srd_header header;
};

enum srd_kind { SRD_DATA, SRD_ACK, SRD_PROBE, SRD_PROBE_ACK };

/* What one end sends to the other. */
struct srd_packet {
    uint8_t kind;      /* enum srd_kind */
    uint8_t status;    /* Of an ACK: enum srd_status, or SRD_OUT_OF_ORDER. */
    uint8_t attempt;   /* Of DATA, 1..255, then 255; an ACK returns it. */
    uint16_t path;     /* Of DATA and PROBE; their ACK returns it. */
    uint16_t entropy;  /* Likewise: ACKs go back the same way. */
    uint32_t sequence; /* Of DATA; of its ACK.  Of a PROBE: its number. */
    struct srd_request request; /* Of DATA, without the 'id'.  Of a PROBE: its
                                 * length, which is that of the last DATA, so
                                 * that their times can be compared. */
};

/* In an ACK: an SRD_DROP receiver has dropped the packet. */
enum { SRD_OUT_OF_ORDER = SRD_N_STATUSES };

/* A request that has ended. */
struct srd_completion {
    uint64_t id;
    uint32_t source_qp;
    uint32_t length_bytes;
    uint8_t status;   /* enum srd_status */
    uint8_t attempts; /* Transmissions, at most 255. */
};

/* What a function wants of its caller. */
struct srd_actions {
    bool send;       /* srd_next() may have a packet now. */
    bool completion; /* srd_poll() has a completion. */
    bool delivery;   /* srd_take() has a datagram. */
    bool has_reply;  /* 'reply' has to be sent. */
    struct srd_packet reply;
};

struct srd_counters {
    uint64_t sent; /* DATA, repeated ones included. */
    uint64_t retransmitted;
    uint64_t timeouts;
    uint64_t reordered; /* Losses noticed by later packets of the path. */
    uint64_t refused;   /* By an SRD_DROP receiver. */
    uint64_t probes;
    uint64_t avoided; /* Paths that changed to avoid; to dead; back to ok. */
    uint64_t died;
    uint64_t revived;
    uint64_t congested; /* Rounds with a signal: of all kinds, and by RTT. */
    uint64_t congested_by_rtt;
    uint64_t rounds;
    uint64_t duplicates; /* Received. */
    uint64_t out_of_order;
    uint64_t held_peak_bytes; /* By an SRD_HOLD receiver. */
};

enum srd_path_state { SRD_PATH_OK, SRD_PATH_AVOID, SRD_PATH_DEAD };

/* What is known of a path. */
struct srd_path_info {
    enum srd_path_state state;
    uint32_t entropy;
    int64_t srtt_ps; /* 0: no sample. */
    uint64_t sent;   /* DATA packets. */
};

struct line_pool;
struct srd;

/* Returns an end of a context whose random choices follow from 'seed'; both
 * ends begin with sequence number 'first'.  'config' is valid and outlives it.
 * End with srd_destroy(). */
struct srd *srd_create(struct line_pool *memory,
                       const struct srd_config *config, uint64_t seed,
                       uint32_t first);
void srd_destroy(struct srd *srd);

/* Appends a datagram of at most one MTU to those that wait, in a queue without
 * limit: queue pairs limit how many they have outstanding. */
void srd_post(struct srd *srd, const struct srd_request *request);

/* Ends all requests of 'source_qp' with SRD_FLUSHED.  Those that were sent may
 * still be delivered. */
void srd_flush(struct srd *srd, uint32_t source_qp);

/* Returns whether srd_next() has a packet. */
bool srd_peek(const struct srd *srd, int64_t now_ps);

/* Takes the next DATA or PROBE packet at 'now_ps'.  Returns false if there is
 * none. */
bool srd_next(struct srd *srd, int64_t now_ps, struct srd_packet *packet);

/* Returns whether 'packet', which has just arrived, is DATA that the receiver
 * will accept: its queue pair has to be asked for the status. */
bool srd_is_new(const struct srd *srd, const struct srd_packet *packet);

/* Handles a packet that arrives at 'now_ps'.  If srd_is_new(), 'status' is what
 * its queue pair says (srd_qp_admit()); only with SRD_OK is it delivered.
 * Packets that make no sense are ignored.  '*actions' is overwritten. */
void srd_receive(struct srd *srd, const struct srd_packet *packet,
                 enum srd_status status, int64_t now_ps,
                 struct srd_actions *actions);

/* Returns when srd_timeout() has to be called, INT64_MAX if not at all.  Any
 * function may move it in both directions. */
int64_t srd_deadline_ps(const struct srd *srd);

/* Handles the timers whose deadline has passed at 'now_ps'. */
void srd_timeout(struct srd *srd, int64_t now_ps, struct srd_actions *actions);

/* Take the next completion; the next datagram for the queue pair 'dest_qp' in
 * it.  Return false if there is none. */
bool srd_poll(struct srd *srd, struct srd_completion *completion);
bool srd_take(struct srd *srd, struct srd_request *datagram);

/* Returns the rate R, the delivery rate of the last round (0 before there is
 * one), and the limit of what is in flight. */
int64_t srd_rate_bps(const struct srd *srd);
int64_t srd_delivery_bps(const struct srd *srd);
uint64_t srd_flight_limit_bytes(const struct srd *srd);

/* Returns what is in flight, and what was posted and has not ended. */
uint64_t srd_flight_bytes(const struct srd *srd);
uint64_t srd_outstanding(const struct srd *srd);

/* Returns the smoothed round-trip time, and the least; 0 without a sample. */
int64_t srd_srtt_ps(const struct srd *srd);
int64_t srd_min_rtt_ps(const struct srd *srd);

const struct srd_counters *srd_counters(const struct srd *srd);
struct srd_path_info srd_path(const struct srd *srd, uint32_t path);

/* Returns NULL if all invariants hold, else a sentence about one that does not.
 * For tests; takes time in proportion to the window. */
const char *srd_check(const struct srd *srd);

#endif /* twin/transport/srd.h */
