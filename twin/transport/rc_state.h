/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_RC_STATE_H
#define ORCHD_TWIN_TRANSPORT_RC_STATE_H

/* The state of an RC queue pair, for the files that implement it.
 *
 * What a packet on the common path touches is in 'struct rc_sender' (requests,
 * ACKs) or in 'struct rc_receiver': two cache lines, and half of one.
 *
 * PSNs are modulo 2^32 here (see transport_psn_expand); at most 2^23 - 1 are
 * outstanding.  Indices into rings run freely modulo 2^32, too.
 *
 * The send ring from 'head' to 'tail':
 *
 *     head           una            next           tail
 *      | complete     | outstanding  | not sent     |
 *
 * with una_psn in the request at 'una' and next_psn in that at 'next', or at
 * their end.  Requests behind next_psn may have been sent before, up to
 * high_psn, when the requester has gone back. */

#include "twin/transport/rc.h"

enum { RC_MAX_OUTSTANDING = (1 << 23) - 1, RC_MAX_MESSAGE_PACKETS = 1 << 22 };

/* A work request in the send ring. */
struct rc_wqe {
    uint64_t id;
    uint64_t remote_address;
    uint64_t start_bytes; /* Of all requests before it. */
    uint32_t rkey;
    uint32_t length_bytes;
    uint32_t immediate;
    uint32_t first_psn;
    uint32_t last_psn;
    uint8_t operation;
    uint8_t fence;
    uint8_t status;   /* Valid once complete. */
    bool registers;   /* Its region is to be added when it is sent first. */
    int64_t ready_ps; /* When its memory is registered; 0 without registration,
                       * INT64_MAX: that waits for its fence. */
};

/* The requester.  The responder reads the first cache line, too. */
struct rc_sender {
    const struct rc_config *config; /* Borrowed. */
    struct rc_wqe *ring;            /* Owned by the queue pair. */

    uint32_t peer_qp;
    uint8_t state; /* enum rc_state. */
    uint8_t retries;
    uint8_t rnr_retries;
    uint8_t reads;          /* READs before next_psn that are not complete. */
    uint8_t next_operation; /* Copy, like the ones below. */
    bool una_is_read;
    bool read_lost;  /* The request for una_psn was repeated since a later
                      * response or ACK arrived; cleared by progress. */
    bool hole_reads; /* Requests of READs in the holes are sent again even if
                      * the responder has received them. */

    uint32_t una_psn;  /* The oldest that is not complete. */
    uint32_t next_psn; /* The next to send. */
    uint32_t high_psn; /* One behind the highest ever sent. */
    uint32_t end_psn;  /* One behind the last posted request. */
    uint32_t head;
    uint32_t una;
    uint32_t next;
    uint32_t tail;

    /* The second line.  Copies of the request at 'next', valid unless that is
     * 'tail'. */
    uint32_t next_first_psn;
    uint32_t next_last_psn;
    uint32_t next_last_bytes; /* Payload of its last packet. */
    uint32_t una_last_psn;    /* Of the request at 'una', likewise. */

    int64_t wait_ps;     /* While recovering or waiting: until when. */
    int64_t deadline_ps; /* Of the timeout; INT64_MAX: not running. */
    uint64_t next_bytes; /* Payload of all before next_psn. */
    uint64_t una_bytes;  /* The same of una_psn. */

    /* Selective: packets in [hole_psn, hole_end_psn) that the responder does
     * not hold are sent again. */
    uint32_t hole_psn;
    uint32_t hole_end_psn;
};

/* The message that a responder receives. */
enum rc_message { RC_MESSAGE_NONE, RC_MESSAGE_SEND, RC_MESSAGE_WRITE };

/* A NAK acknowledges what is before it, so it replaces an ACK. */
enum { RC_DUE_ACK = 1 << 0, RC_DUE_NAK = 1 << 1 };

/* The responder. */
struct rc_receiver {
    uint32_t expected_psn;
    uint32_t message_psn;   /* First of the current message. */
    uint32_t message_bytes; /* Received of it. */
    uint32_t write_left;    /* Bytes that the WRITE still announces. */
    uint32_t msn;           /* Complete messages. */
    uint16_t unacked;       /* Packets since the last ACK. */
    uint8_t message;        /* enum rc_message. */
    uint8_t n_reads;        /* In the queue of READs. */
    uint8_t nak;            /* Syndrome of the NAK to send. */
    uint8_t due;            /* RC_DUE_ACK, RC_DUE_NAK: to be sent. */
    bool nak_sent;          /* Until the expected packet arrives. */
    bool notify;            /* For the next ACK. */
    bool has_trimmed;       /* 'trimmed' of rc_cold is not 0. */
};

/* A READ that the responder answers: responses from 'psn' to 'last_psn'. */
struct rc_read {
    uint32_t psn;
    uint32_t last_psn;
    uint32_t bytes_left;
    bool is_started;
};

/* A receive work request. */
struct rc_receive_wqe {
    uint64_t id;
    uint32_t length_bytes;
    uint32_t bytes;
    uint32_t immediate;
    uint8_t operation;
    uint8_t status;
};

/* A packet that a selective responder holds. */
struct rc_held {
    uint64_t remote_address;
    uint32_t rkey;
    uint32_t dma_length;
    uint32_t immediate;
    uint16_t payload_bytes;
    uint8_t opcode;
    bool ack_request;
};

struct rc_cold {
    struct rc_counters counters;
    /* Selective; NULL otherwise.  A bit per PSN modulo 'reorder_packets'. */
    uint64_t *sacked; /* What the peer holds, from acked_psn on. */
    uint64_t *held;   /* What we hold. */
    struct rc_held *packets;
    uint32_t acked_psn;    /* All before it have arrived at the peer. */
    uint32_t n_held;       /* Bits in 'held'. */
    uint32_t held_end_psn; /* One behind the highest held one. */

    struct rc_read *reads; /* Ordered by PSN; NULL without READs. */
    uint32_t answered_psn; /* READ responses before it were sent before. */

    uint64_t trimmed; /* A bit per PSN from the expected one on. */

    int64_t registered_ps; /* End of the last registration that has begun. */
    struct region *registered; /* By place in the send ring; NULL: none. */

    uint64_t configured_bytes; /* 'next_bytes' when the window changed: up to it
                                * more may be in flight than the window. */
};

/* Receive work requests: [head, next) are complete. */
struct rc_receives {
    struct rc_receive_wqe *ring; /* NULL: none are needed. */
    uint32_t head;
    uint32_t next;
    uint32_t tail;
};

struct rc {
    struct rc_sender sender;
    _Alignas(64) struct rc_receiver receiver;
    struct rc_receives receives;
    uint32_t block_bytes;     /* Of the block that begins with this. */
    struct line_pool *memory; /* That it is from; NULL: malloc(). */
    _Alignas(64) struct rc_cold cold;
};

_Static_assert(sizeof(struct rc_sender) <= 128, "two cache lines");
_Static_assert(sizeof(struct rc_receiver) <= 32, "half a cache line");
_Static_assert(sizeof(struct rc_cold) <= 192, "three cache lines");

/* Returns a - b as a signed number. */
static inline int32_t
psn_minus(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b);
}

static inline struct rc_wqe *
rc_wqe(const struct rc_sender *sender, uint32_t index)
{
    return &sender->ring[index & (sender->config->send_depth - 1)];
}

static inline bool
rc_is_read(const struct rc_wqe *wqe)
{
    return wqe->operation == RC_READ;
}

/* Begins the registration of the oldest request that is not complete, at
 * 'now_ps', if it waits for its fence. */
void rc_lift_fence__(struct rc *rc, int64_t now_ps);

/* Returns the packets that a message of 'bytes' needs. */
static inline uint32_t
rc_packets(const struct rc_config *config, uint32_t bytes)
{
    return bytes ? (bytes - 1) / config->mtu_bytes + 1 : 1;
}

/* Bits modulo 'reorder_packets'. */
static inline bool
rc_bit(const uint64_t *bits, uint32_t mask, uint32_t psn)
{
    return bits[(psn & mask) / 64] >> (psn % 64) & 1;
}

/* rc_sender.c */

/* Sets 'next' and its copies so that 'psn' is sent next: una_psn..end_psn. */
void rc_seek__(struct rc_sender *sender, uint32_t psn);

/* Updates the copies of the request at 'una'. */
void rc_load_una__(struct rc_sender *sender);

/* Fills in '*packet', the one at 'psn' of 'wqe'.  A READ is requested from
 * there on. */
void rc_fill_request__(const struct rc_sender *sender, const struct rc_wqe *wqe,
                       uint32_t psn, struct transport_packet *packet);

/* Returns the payload before 'psn', which is in 'wqe' or its end. */
uint64_t rc_bytes_before__(const struct rc_sender *sender,
                           const struct rc_wqe *wqe, uint32_t psn);

/* rc_ack.c: handles an ACK, NAK, RNR NAK or READ response. */
void rc_receive_ack__(struct rc *rc, const struct transport_packet *packet,
                      int64_t now_ps, struct rc_actions *actions);
void rc_receive_read__(struct rc *rc, const struct transport_packet *packet,
                       int64_t now_ps, struct rc_actions *actions);

/* rc_selective.c */

/* Returns whether there is a hole to send, and stores its request and PSN.
 * Moves hole_psn to it. */
bool rc_next_hole__(struct rc *rc, const struct rc_wqe **wqe, uint32_t *psn);

/* Notes that the peer has everything before 'psn'.  Returns whether that is
 * new. */
bool rc_acked__(struct rc *rc, uint32_t psn);

/* Notes that the peer holds the packets whose bit is set in 'bits' from 'base'
 * on; what is missing below the highest is a hole.  Returns whether there may
 * be new holes. */
bool rc_sacked__(struct rc *rc, uint32_t base, uint64_t bits);

/* Notes that the packets of 'bits', from 'psn' on, were trimmed.  Returns
 * whether some are to be sent again. */
bool rc_trimmed__(struct rc *rc, uint32_t psn, uint64_t bits);

/* Notes that the peer may not hold the packet at 'psn'. */
void rc_unsacked__(struct rc *rc, uint32_t psn);

/* Notes that the peer has refused the packet at 'psn', which is a hole. */
void rc_refused__(struct rc *rc, uint32_t psn);

/* rc_responder.c: handles a request. */
void rc_receive_request__(struct rc *rc, const struct transport_packet *packet,
                          struct rc_actions *actions);

/* Removes the first READ of the queue (rc_responder.c). */
void rc_drop_oldest_read__(struct rc *rc);

/* rc_lifecycle.c: ends the work request that contains 'psn' (or the oldest one)
 * with 'status', all others flushed. */
void rc_fail__(struct rc *rc, uint32_t psn, enum rc_status status,
               struct rc_actions *actions);

#endif /* twin/transport/rc_state.h */
