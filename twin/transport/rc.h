/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_RC_H
#define ORCHD_TWIN_TRANSPORT_RC_H

/* A queue pair of the reliable connection (RC) service of RoCEv2.
 *
 * The queue pair is a state machine without clock, timers and wire.  The caller
 * (an adapter) posts work requests, gives it the packets that arrive, and pulls
 * the packets that it wants to send with rc_next().  Every function takes the
 * time; none reads one.
 *
 * Requester.  Work requests are sent in order as packets of at most one MTU.
 * A READ is one request that consumes as many PSNs as it has responses.  The
 * oldest outstanding packet has a timeout.  After a NAK and 'recovery_delay_ps'
 * the requester sends again:
 *   go-back-N   from the PSN of the NAK on;
 *   go-back-0   from the first packet of the message on (or from the last
 *               multiple of 'go_back_chunk_bytes' in it); the responder drops
 *               what it had of it;
 *   selective   only packets that the responder does not hold.  Its NAKs carry
 *               a bitmap; at most 'reorder_packets' are outstanding.  A packet
 *               is sent again once per NAK episode, later only by timeout.
 * A timeout sends again from the oldest outstanding packet on; after
 * 'retry_limit' of them without progress the queue pair enters the error state.
 * A READ whose response is lost is requested again from the missing packet on,
 * with go-back-0 from its start; except with selective, everything behind it is
 * sent again, too.
 *
 * Fast registration (FMR).  A work request with 'registers' stands for two: one
 * that registers its memory, and the request itself, which uses the key.  The
 * adapter registers one region after the other, 'registration_ps' each, from
 * the posting on, and the request waits for the end of its own.  An adapter
 * with 'registration_fence' begins only when everything earlier has completed,
 * so that one request is outstanding at a time: a defect of adapters (Bai et
 * al., "Empowering Azure Storage with RDMA", NSDI 2023, section 8.3).  With
 * 'regions' the key is valid from the end of the registration on, for what
 * 'region' says, and only for that.
 *
 * Responder.  It acknowledges each 'ack_every' packets, at the end of a message
 * and on request; a duplicate at once.  On a gap it sends one NAK until the
 * expected packet arrives (selective: one per packet out of order).  Without a
 * receive work request it sends an RNR NAK.  READ responses are sent before any
 * acknowledgement of a later packet.
 *
 * Trimmed packets (rc_receive_trimmed()).  What is left of a packet says which
 * one is lost, and overtakes the packets that still wait in the queue that
 * refused it.  So go-back-N sends its NAK when that packet is the expected one,
 * not before; selective at once, with a bitmap of those that were trimmed,
 * which the requester sends again even if it has done so before.
 *
 * SEND with invalidate.  When its last packet is accepted, the key that it
 * names is removed from the 'regions' of the responder, which refuses each
 * access with it from then on.  A key that is not there is refused as an
 * access, which is our choice: real responders differ.
 *
 * Errors.  An invalid request, a refused access, too many retries and too many
 * RNR NAKs put the queue pair into the error state: the work request completes
 * with the status, all other ones with RC_STATUS_FLUSHED, nothing more is sent
 * except the NAK.
 *
 * Completions are in the order of posting, separately for both queues.  A work
 * request occupies its place in the queue until its completion is polled.
 *
 * Go-back-0 withdraws acknowledgements, so a late copy of an ACK confuses it:
 * use it on networks that keep the order.
 *
 * Left out: atomic operations, end-to-end credits, automatic path migration;
 * data are not copied, only counted.  With reordering networks use selective;
 * the others take each reordering for a loss.
 *
 * Reference: InfiniBand Architecture Specification volume 1, section 9.7;
 * Mittal et al., "Revisiting Network Support for RDMA", SIGCOMM 2018 (selective
 * repeat). */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "twin/transport/opcode.h"
#include "twin/transport/region.h"

enum rc_recovery {
    RC_GO_BACK_N,
    RC_GO_BACK_0,
    RC_SELECTIVE,
};

/* 100 s. */
#define RC_MAX_RECOVERY_DELAY_PS INT64_C(100000000000000)

enum { RC_UNLIMITED_RETRIES = 255, RC_MAX_READS = 16 };

/* What queue pairs have in common; borrowed by them, not changed while they
 * use it (rc_configure()). */
struct rc_config {
    uint32_t mtu_bytes; /* Payload of a full packet: 1..65535. */
    enum rc_recovery recovery;
    uint32_t go_back_chunk_bytes; /* Of go-back-0; 0: the whole message.  Else a
                                   * multiple of the MTU. */
    uint32_t reorder_packets;     /* Of selective: a power of 2, 64..65536. */
    int64_t recovery_delay_ps;    /* 0..RC_MAX_RECOVERY_DELAY_PS. */
    int64_t registration_ps;      /* 0..RC_MAX_RECOVERY_DELAY_PS. */
    bool registration_fence;
    uint8_t timeout_exponent;     /* 4.096 us * 2^n, 1..31; 0: no timeout. */
    uint8_t retry_limit;          /* Or RC_UNLIMITED_RETRIES. */
    uint8_t rnr_retry_limit;      /* Or RC_UNLIMITED_RETRIES, which is what the
                                   * value 7 of the verbs means. */
    uint8_t rnr_timer;            /* Code that our RNR NAKs carry: 0..31. */
    uint16_t ack_every;           /* Packets; not 0. */
    uint8_t max_reads;            /* Outstanding READs, both as requester and as
                                   * responder: 0..RC_MAX_READS. */
    bool echo_ce;           /* Our ACKs report marked packets in 'notify'. */
    bool naks_trimmed;      /* As a responder: what is left of a packet that a
                             * switch has trimmed counts as its loss, at
                             * once. */
    uint64_t window_bytes;  /* Payload in flight (of READs: requested); 0: no
                             * limit.  Not below the MTU.  A READ that is larger
                             * goes alone. */
    uint32_t send_depth;    /* Work requests: a power of 2, 1..32768. */
    uint32_t receive_depth; /* The same, or 0: SENDs need no receive work
                             * request, and cause no receive completion. */
    /* Of this host, which its queue pairs share; NULL: every access is
     * allowed. */
    struct regions *regions;
};

/* A profile with usual values: MTU 1024, go-back-N, no delay, timeout 14 (67
 * ms), 7 retries, ACK per message or 16 packets, 16 READs, queues of 16 and
 * none. */
extern const struct rc_config rc_config_default;

/* Returns ST_OK, or ST_INVALID and the reason in '*err' (may be NULL). */
enum st rc_config_check(const struct rc_config *config,
                        struct err *err) ST_WARN_UNUSED;

enum rc_operation {
    RC_SEND,
    RC_SEND_IMMEDIATE,
    RC_SEND_INVALIDATE,
    RC_WRITE,
    RC_WRITE_IMMEDIATE,
    RC_READ,
    RC_N_OPERATIONS,
};

enum rc_fence {
    RC_FENCE_NONE,
    RC_FENCE_READS, /* Starts when all earlier READs have completed. */
    RC_FENCE_ALL,   /* Starts when everything earlier has completed. */
};

/* A send work request. */
struct rc_request {
    uint64_t id; /* Returned in the completion. */
    uint64_t remote_address;
    uint32_t rkey;         /* Of a SEND: the key that it invalidates. */
    uint32_t length_bytes; /* At most 2^31, and 2^22 packets. */
    uint32_t immediate;
    uint8_t operation; /* enum rc_operation. */
    uint8_t fence;     /* enum rc_fence. */
    bool registers;    /* A fast registration precedes it. */
    int64_t posted_ps; /* Now; only of those that register. */
    /* What they register; without 'regions' it does not matter. */
    struct region region;
};

enum rc_status {
    RC_STATUS_OK,
    RC_STATUS_FLUSHED,        /* The queue pair is in the error state. */
    RC_STATUS_RETRY_EXCEEDED, /* No answer. */
    RC_STATUS_RNR_EXCEEDED,   /* The responder has no receive request. */
    RC_STATUS_REMOTE_INVALID, /* The responder refused the request. */
    RC_STATUS_REMOTE_ACCESS,  /* ... or the access. */
    RC_STATUS_LOCAL_LENGTH,   /* A SEND was longer than the receive request. */
    RC_STATUS_BAD_RESPONSE,   /* The responder broke the protocol. */
};

struct rc_completion {
    uint64_t id;
    uint32_t bytes;     /* Transferred. */
    uint32_t immediate; /* Of a receive; the key that is invalid now. */
    uint8_t status;     /* enum rc_status. */
    uint8_t operation;  /* enum rc_operation, of the sender. */
    bool is_receive;
};

/* What a function wants of its caller. */
struct rc_actions {
    bool send;                /* rc_next() may have a packet now. */
    bool completion;          /* rc_poll() has a completion. */
    bool notify;              /* A congestion notification came with the ACK. */
    bool error;               /* The queue pair has entered the error state. */
    uint32_t delivered_bytes; /* New payload in order, including READ
                               * responses; with go-back-0 all of a message
                               * at its end. */
    uint32_t delivered_messages; /* Of the peer, which are complete now. */
};

enum rc_next {
    RC_PACKET, /* '*packet' must be sent. */
    RC_WAIT,   /* Nothing before '*when_ps'. */
    RC_IDLE,   /* Nothing until a function asks for it by 'actions.send'. */
};

/* Where a queue pair stands; for display and tests. */
enum rc_state { RC_READY, RC_RECOVERING, RC_RNR_WAITING, RC_ERROR };

/* Counters of what is not the rule; an adapter counts packets and bytes. */
struct rc_counters {
    uint64_t retransmitted_packets;
    uint64_t naks_sent; /* Sequence errors, of the responder. */
    uint64_t naks_received;
    uint64_t rnr_naks_sent;
    uint64_t rnr_naks_received;
    uint64_t duplicates;
    uint64_t out_of_order;
    uint64_t timeouts;
    uint64_t trimmed; /* That were noted, of the responder. */
};

struct line_pool;
struct rc;

/* Returns a queue pair that is connected to number 'peer_qp' of another host.
 * 'config' is valid (rc_config_check) and outlives it; packets start at PSN
 * 'send_psn', those of the peer at 'receive_psn'.  The caller destroys it.
 * This is the only allocation, from 'memory' unless that is NULL. */
struct rc *rc_create(struct line_pool *memory, const struct rc_config *config,
                     uint32_t peer_qp, uint32_t send_psn, uint32_t receive_psn);
void rc_destroy(struct rc *rc);

/* Replaces the configuration of 'rc' at 'now_ps'.  Only 'recovery_delay_ps',
 * 'window_bytes', 'ack_every', 'rnr_timer' and the timeouts and limits of
 * retries may differ from the present one; else ST_INVALID, and nothing has
 * changed.  The timeout, if packets are outstanding, starts again.  The caller
 * asks for packets and for the deadline afterwards. */
enum st rc_configure(struct rc *rc, const struct rc_config *config,
                     int64_t now_ps) ST_WARN_UNUSED;

/* Appends a send work request.  ST_NO_RESOURCE if the queue is full, ST_INVALID
 * if a member is out of range.  In the error state it completes flushed.
 * rc_next() may have a packet afterwards. */
enum st rc_post_send(struct rc *rc,
                     const struct rc_request *request) ST_WARN_UNUSED;

/* Appends a receive work request for at most 'length_bytes'. ST_NO_RESOURCE if
 * the queue is full. */
enum st rc_post_receive(struct rc *rc, uint64_t id,
                        uint32_t length_bytes) ST_WARN_UNUSED;

/* Takes the next packet to send at 'now_ps'.  The caller fills in nothing;
 * '*packet' is complete except for 'ce'.  Responses and acknowledgements come
 * before requests.  'when_ps' is only set with RC_WAIT. */
enum rc_next rc_next(struct rc *rc, int64_t now_ps,
                     struct transport_packet *packet, int64_t *when_ps);

/* The same for one role only, for adapters that pace requests and give
 * responses and acknowledgements a queue of their own.  An ACK that has not
 * been taken when the next one is due is merged with it: an adapter that takes
 * responses after each rc_receive() sends as many as 'ack_every' says. */
enum rc_next rc_next_request(struct rc *rc, int64_t now_ps,
                             struct transport_packet *packet, int64_t *when_ps);
enum rc_next rc_next_response(struct rc *rc, struct transport_packet *packet);

/* Returns what rc_next_request() would return at 'now_ps', without a packet. */
enum rc_next rc_peek_request(struct rc *rc, int64_t now_ps, int64_t *when_ps);

enum rc_response { RC_NO_RESPONSE, RC_RESPONSE_ACK, RC_RESPONSE_READ };

/* Returns what rc_next_response() would return: nothing, an ACK or NAK, or a
 * packet of READ data. */
enum rc_response rc_peek_response(const struct rc *rc);

/* Handles a packet that arrives at 'now_ps', any kind but a CNP.  Packets that
 * make no sense are ignored or answered with a NAK.  '*actions' is overwritten.
 */
void rc_receive(struct rc *rc, const struct transport_packet *packet,
                int64_t now_ps, struct rc_actions *actions);

/* Handles what is left of a packet that a switch has trimmed, if the
 * configuration says so and it was a request: at most 64 PSNs ahead, and not
 * the expected packet of an earlier time.  '*actions' is overwritten. */
void rc_receive_trimmed(struct rc *rc, const struct transport_packet *packet,
                        struct rc_actions *actions);

/* Returns when rc_timeout() has to be called, INT64_MAX if not at all.  Only
 * rc_next() and rc_next_request() start a timeout.  Any function may move it to
 * a later time: an adapter may keep an earlier timer and ask again when it
 * fires. */
int64_t rc_deadline_ps(const struct rc *rc);

/* Handles the timeout, if the deadline has passed at 'now_ps'. */
void rc_timeout(struct rc *rc, int64_t now_ps, struct rc_actions *actions);

/* Takes the next completion.  Returns false if there is none. */
bool rc_poll(struct rc *rc, struct rc_completion *completion);

/* Puts the queue pair into the error state: everything posted completes
 * flushed. */
void rc_fail(struct rc *rc, struct rc_actions *actions);

enum rc_state rc_state(const struct rc *rc);
const struct rc_counters *rc_counters(const struct rc *rc);

/* Returns the payload bytes in flight: sent (of READs: requested) and not
 * acknowledged. */
uint64_t rc_in_flight_bytes(const struct rc *rc);

/* Returns NULL if all invariants hold, else a sentence about one that does not.
 * For tests; takes time in proportion to the queues. */
const char *rc_check(const struct rc *rc);

/* Returns a name such as "retry-exceeded". */
const char *rc_status_name(enum rc_status status);

#endif /* twin/transport/rc.h */
