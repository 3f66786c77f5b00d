/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_NIC_NIC_STATE_H
#define ORCHD_TWIN_NIC_NIC_STATE_H

/* The internals of an adapter, for its own files only.
 *
 *   nic_lifecycle.c creation, statistics;
 *   nic_configure.c settings, and their changes while it runs;
 *   nic_send.c      which frame is sent next, and when;
 *   nic_receive.c   a frame has arrived: RX FIFO, or its QP;
 *   nic_pcie.c      an adapter behind PCIe switches;
 *   nic_pause.c     pauses, received and sent, and the watchdog of these;
 *   nic_frame.c     transport packets as frames, and back;
 *   nic_transport.c the transports: RC and raw;
 *   nic_tcp.c       TCP;
 *   nic_srd.c       SRD contexts, and the queue pairs above them;
 *   nic_foresee.c   what is fetched into the cache in advance.
 *
 * Events.  A frame that starts posts EVENT_NIC_ARRIVE or EVENT_ARRIVE at the
 * other end.  The end of the transmission is an event only if something waits
 * for it: otherwise 'busy_until_ps' says that the wire is not free, and what
 * comes meanwhile posts the event.  The total order of events does not depend
 * on when they were posted, so the result is that of an event per frame.
 *
 * A posted event cannot be cancelled.  The adapter knows the last time for
 * which it has posted each kind, and ignores events for other times.
 *
 * The members are ordered by use: what each frame needs is in the first cache
 * lines. */

#include "base/check.h"
#include "twin/event/engine.h"
#include "twin/forwarding/frame_pool.h"
#include "twin/forwarding/wire.h"
#include "twin/nic/lookups.h"
#include "twin/nic/nic.h"
#include "twin/nic/ready.h"
#include "twin/nic/rx_fifo.h"
#include "twin/qos/pause.h"
#include "twin/qos/pause_delay.h"
#include "twin/transport/dcqcn.h"
#include "twin/transport/pacer.h"
#include "twin/transport/rc.h"
#include "twin/transport/srd.h"
#include "twin/transport/srd_qp.h"
#include "twin/transport/tcp.h"

/* Where a QP is. */
enum qp_place {
    QP_IDLE,    /* It has nothing to send, or its window is closed. */
    QP_WAITING, /* In the heap. */
    QP_READY,   /* In the ring of its priority, or in the shared FIFO. */
};

struct raw {
    struct nic_raw_config config;
    uint64_t n_sent;
    bool is_stopped;
};

struct qp {
    /* Used by each packet in both directions. */
    struct rc *rc;               /* NIC_RC. */
    struct sim_payload *headers; /* Borrowed. */
    const struct dcqcn *dcqcn;   /* Borrowed; may be NULL. */
    uint32_t peer_qp;
    uint32_t next; /* In the ring. */
    uint8_t kind;  /* enum nic_kind. */
    uint8_t place; /* enum qp_place. */
    uint8_t priority;
    uint8_t dscp;
    bool waits; /* In the heap for its transport, not for its pacer. */
    struct pacer pacer;
    struct sim_frame frame; /* What all its frames have in common. */

    struct dcqcn_rp rp;
    struct nic_flow sent;

    /* Used by received packets. */
    struct nic_flow received;
    struct dcqcn_np np;

    /* Rare. */
    int64_t timer_ps; /* For which a timer event is pending, or EVENT_NEVER. */
    struct pacer_config pacing;
    uint64_t cnps;                             /* Received. */
    struct raw raw;                            /* NIC_RAW. */
    struct tcp *tcp;                           /* NIC_TCP. */
    struct srd *srd;                           /* NIC_SRD. */
    struct sim_payload **entropies;            /* NIC_SRD: borrowed. */
    uint32_t context, endpoint, peer_endpoint; /* NIC_MESSAGES. */
};

/* An SRD queue pair with its message layer. */
struct endpoint {
    struct srd_qp qp;
    struct message_layer *layer;
};

/* A FIFO of frames: a ring. */
struct frame_ring {
    uint32_t *frames;
    uint32_t first;
    uint32_t n;
    uint32_t room; /* 0, or a power of two. */
};

/* A FIFO of QPs of one priority, linked by 'next'. */
struct qp_ring {
    uint32_t first; /* NIC_NONE: empty. */
    uint32_t last;
};

/* The ECN field of a packet that was marked on its way. */
enum { NIC_ECN_CE = 3 };

/* Answers by rank; ANSWER_TCP are acknowledgements of TCP and SRD. */
enum answer { ANSWER_TCP, ANSWER_ACK, ANSWER_CNP, N_ANSWERS };

struct nic {
    struct engine *engine;
    struct frame_pool *pool;
    struct wire *out_wire; /* NULL: not connected. */
    struct wire *in_wire;
    struct qp *qps;
    uint32_t n_qps;
    uint32_t entity;

    int64_t busy_until_ps; /* The end of the frame on the wire. */
    int64_t end_event_ps;  /* For which EVENT_NIC_TX_END is posted. */
    int64_t wake_event_ps; /* For which EVENT_NIC_WAKE is posted. */
    uint32_t ps_per_byte;  /* 0: not a whole number. */
    uint8_t ready;         /* A bit per priority whose ring has a QP. */
    uint8_t paused;        /* A bit per priority that may not start. */
    uint8_t last_priority;
    uint8_t pause_due; /* Priorities for which a pause frame is to be sent. */
    uint32_t n_answers;
    bool is_held;     /* nic_hold() */
    bool shared_fifo; /* The first ring has the QPs of all priorities, and bit 0
                       * of 'ready' says whether it has any. */
    int64_t line_bps;
    struct ready_heap heap;
    struct frame_ring answers[N_ANSWERS];
    struct qp_ring rings[PFC_N_PRIORITIES];
    struct nic_stats stats;

    /* Rare, or constant. */
    struct nic_config config;
    const struct transport_framing *framing;
    struct dcqcn_np np; /* DCQCN_NP_PER_PACKET. */
    nic_completion_fn *listener;
    void *listener_context;
    nic_datagram_fn *datagram_listener; /* NULL: none. */
    void *datagram_context;
    nic_counted_fn *counted; /* NULL: nothing follows. */
    void *counted_context;
    nic_traced_fn *traced; /* NULL: nothing follows. */
    void *traced_context;
    struct nic_listener port_listener;
    struct rx_fifo *fifo; /* NULL: no limit.  Of a loop: that of 'port'. */
    struct nic *port;     /* Of a loop: its adapter; NULL: this is no loop. */
    struct nic *loop;     /* NULL: none. */
    struct lookups *lookups; /* NULL: none, or all hit. */
    uint8_t xoff;            /* Priorities that the adapter pauses. */
    uint8_t blocked;         /* Priorities that a card blocks. */
    uint8_t pausing;         /* 'xoff' without 'blocked': paused on the wire. */
    struct pcie_tree *tree;  /* PCIe switches above; NULL: none. */
    uint32_t pcie_link;      /* There. */
    bool is_transferring;    /* The first packet of the FIFO, to the tree. */
    bool is_stalled;         /* The receive pipeline is dead. */
    bool has_tripped;        /* The watchdog keeps all pauses back. */
    int64_t drained_ps;    /* Of the watchdog: when a packet last left the FIFO,
                            * or the pauses began. */
    struct event watchdog; /* It checks again. */
    struct event repeat;   /* The next repetition of the pauses. */
    struct pause_receiver pause;
    struct event resume;      /* A pause ends. */
    struct pause_delay delay; /* Pause frames before their effect. */
    struct event respond;     /* The next of them takes effect. */
    uint32_t n_room;          /* QPs for which 'qps' has room. */

    /* SRD. */
    struct endpoint *endpoints;
    uint32_t n_endpoints, endpoints_room;
    struct event copied; /* A message layer is asked again, ... */
    int64_t copied_ps;   /* ... then; INT64_MAX: not. */
};

/* Returns the ring for QPs of 'priority'. */
static inline uint8_t
nic_ring__(const struct nic *nic, uint8_t priority)
{
    return nic->shared_fifo ? 0 : priority;
}

/* nic_configure.c */

/* Returns whether all members of 'config' are within their ranges. */
bool nic_config_is_valid__(const struct nic_config *config);

/* Fills '*fifo' from 'config', which has PCIe. */
void nic_fill_fifo__(const struct nic *nic, const struct nic_config *config,
                     struct rx_fifo_config *fifo);

/* nic_send.c */

/* Puts all QPs that have something to send where they belong, in the order of
 * their numbers, with or without a shared FIFO. */
void nic_sort_again__(struct nic *nic, bool shared_fifo);

/* Sends what may be sent now, or posts the event at which to look again.  To be
 * called after anything that may have become ready. */
void nic_kick__(struct nic *nic);

/* Does the same in an event of class EVENT_TIMER_PAUSE. */
void nic_kick_after_pause__(struct nic *nic);

/* Puts QP 'number' where it belongs after its transport has changed. */
void nic_ready__(struct nic *nic, uint32_t number);

/* Queues 'frame', an answer, which the adapter owns from now on. */
void nic_answer__(struct nic *nic, enum answer kind, uint32_t frame);

/* Frees the queues. */
void nic_send_fini__(struct nic *nic);

/* nic_frame.c */

/* Fills '*frame' with what all frames of 'qp' have in common. */
void nic_frame_template__(const struct qp *qp, struct sim_frame *frame);

/* Fills '*frame', which has no payload of its own, with 'packet' of 'qp'. */
void nic_frame_fill__(const struct nic *nic, const struct qp *qp,
                      const struct transport_packet *packet,
                      struct sim_frame *frame);

/* Reads the packet in 'frame'. */
void nic_frame_read__(const struct sim_frame *frame,
                      struct transport_packet *packet);

/* Drops the payload of 'frame', which is about to be filled again. */
void nic_frame_release__(struct sim_frame *frame);

/* nic_transport.c */

/* Returns whether 'qp' has a packet to send, as rc_peek_request(). */
enum rc_next nic_peek__(const struct nic *nic, const struct qp *qp,
                        int64_t *when_ps);

/* Returns the next frame of QP 'number', or FRAME_NONE. */
uint32_t nic_next__(struct nic *nic, uint32_t number);

/* Ends a burst of 'qp', which has nothing more to send. */
void nic_end_burst__(const struct nic *nic, struct qp *qp);

/* Hands frame 'index' to its QP. */
void nic_deliver__(struct nic *nic, uint32_t index);

/* Counts a data frame that 'qp' sends now, and advances its pacer. */
void nic_note_sent__(struct nic *nic, struct qp *qp, uint32_t length_bytes,
                     uint32_t payload_bytes);

/* Counts a packet with data that has arrived for QP 'number', 'bytes' of it
 * new. */
void nic_note_received__(struct nic *nic, uint32_t number, uint32_t bytes,
                         bool is_marked, bool is_new, int64_t now_ps);

/* Reports the completions of QP 'number'. */
void nic_complete__(struct nic *nic, uint32_t number);

/* Posts the timer of QP 'number' if it is due earlier than the pending one. */
void nic_watch__(struct nic *nic, uint32_t number);

/* nic_tcp.c */

/* Do for NIC_TCP what the functions without '_tcp' do. */
bool nic_peek_tcp__(const struct qp *qp);
uint32_t nic_next_tcp__(struct nic *nic, uint32_t number);
void nic_deliver_tcp__(struct nic *nic, uint32_t number, uint32_t index);
enum st nic_post_tcp__(struct nic *nic, uint32_t number,
                       const struct rc_request *request);

/* Handles the timers of QP 'number'. */
void nic_expire_tcp__(struct nic *nic, uint32_t number);

/* Takes the next completion of 'tcp' as one of RC. */
bool nic_poll_tcp__(struct tcp *tcp, struct rc_completion *completion);

/* nic_srd.c */

/* Do for NIC_SRD what the functions without '_srd' do. */
bool nic_peek_srd__(const struct nic *nic, const struct qp *qp);
uint32_t nic_next_srd__(struct nic *nic, uint32_t number);
void nic_deliver_srd__(struct nic *nic, uint32_t number, uint32_t index);
void nic_expire_srd__(struct nic *nic, uint32_t number);
enum st nic_post_srd__(struct nic *nic, uint32_t number,
                       const struct rc_request *request);

/* Frees the endpoints. */
void nic_srd_fini__(struct nic *nic);

/* nic_receive.c */

/* Posts the event for the first packet of the FIFO, which was not the first
 * before. */
void nic_watch_fifo__(struct nic *nic);

/* Hands frame 'index', which is in memory, to its QP, or to that of the loop.
 */
void nic_pass_on__(struct nic *nic, uint32_t index);

/* nic_pcie.c */

/* Sends the first packet of the FIFO to the PCIe switch above, if it is ready
 * and there are credits. */
void nic_offer__(struct nic *nic);

/* Adds to '*stats' what is in the PCIe switches. */
void nic_count_pcie__(const struct nic *nic, struct nic_stats *stats);

/* nic_pause.c */

void nic_pause_init__(struct nic *nic);
void nic_pause_fini__(struct nic *nic);

/* Handles the pause frame 'frame', which has just arrived. */
void nic_pause_receive__(struct nic *nic, const struct sim_frame *frame);

/* Follows the marks of the RX FIFO, the watchdog and blocked priorities. */
void nic_pause_follow__(struct nic *nic);

/* A packet leaves the RX FIFO. */
void nic_pause_note_drain__(struct nic *nic);

/* Follows a change of 'pfc_rx'. */
void nic_pause_configure__(struct nic *nic);

/* Returns the pause frame that is due. */
uint32_t nic_pause_take__(struct nic *nic);

#endif /* twin/nic/nic_state.h */
