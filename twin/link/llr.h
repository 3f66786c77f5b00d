/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_LINK_LLR_H
#define ORCHD_TWIN_LINK_LLR_H

/* Link-level retry (LLR) between the two ends of a link.
 *
 * Problem: a frame that a bit error damages is resent by the host, after a
 * timeout or a NACK of the transport, and a lossless class is not lossless any
 * more.
 *
 * Idea: the ends of the link resend it themselves.  The sender numbers frames
 * and keeps a copy of each until the receiver acknowledges it.  Recovery is
 * go-back-N, so frames stay in order, and takes about a round trip of the link.
 * The reference is the Ultra Ethernet specification as SAI 1.18 shows it in the
 * attributes of PORT_LLR_PROFILE and the statistics of PORT.
 *
 * Numbers have 20 bits and travel in the preamble; at most half of them are
 * outstanding.  Ordered sets (ACK, NACK, INIT, INIT_ECHO) have 8 bytes and are
 * inserted even inside frames: a set leaves at once, and what the end sends
 * next takes 8 bytes longer if a frame was being sent.
 *
 * Sender (TX):
 *   INIT     sends INIT with its first number every LLR_INIT_PERIOD_PS, until
 *            the matching INIT_ECHO comes;
 *   ADVANCE  numbers frames, sends them, keeps copies;
 *   REPLAY   resends what is outstanding: after a NACK, or when the replay
 *            timer has seen no progress;
 *   FLUSH    has given up: more replays without progress than allowed, the link
 *            down for too long, or a copy too old.  It reports that, and goes
 *            to INIT or waits for management.
 * In INIT and FLUSH frames without a number pass, or wait, or are dropped
 * (enum llr_action).
 *
 * Receiver (RX): delivers the frame that it expects.  If that frame is damaged
 * or missing, it discards it, sends one NACK with the last good number, and
 * discards silently until the expected frame arrives.  Frames that it has
 * delivered before are duplicates.  A frame that was damaged upstream is
 * poisoned: it is delivered, and not asked for again.
 *
 * ACKs have a distance of 'spacing_bytes' on the wire.  The first frame after a
 * longer pause is acknowledged at once.
 *
 * Not numbered are MAC control frames: PFC is not delayed by what is resent,
 * and not obeyed by it.  A frame is accepted only while there is room for one
 * of the MTU, because its length is not known before; so frames up to the MTU
 * never exceed the bytes of the profile.  A timer of 0 is off.  A damaged frame
 * whose number is the expected one, while RX waits for the replay, is noticed
 * by the replay timer only.  A number that the receiver sees is never damaged
 * itself.
 *
 * The two machines run in simulated time, and know neither wires nor ports:
 * struct llr_ops.  What happens with each frame costs no event of its own: ACKs
 * are put in a queue with the time of their arrival, and read when the sender
 * needs them. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/event/engine.h"
#include "twin/forwarding/frame.h"

enum {
    LLR_NUMBERS = 1 << 20,
    LLR_MAX_FRAMES = LLR_NUMBERS / 2, /* Outstanding. */
    LLR_SET_BYTES = 8,
    LLR_FCS_BYTES = 4,
    LLR_MIN_SPACING_BYTES = 400,
    LLR_MAX_SPACING_BYTES = 16384,
    LLR_REPLAY_ENDLESS = 255,
};

/* The time between two INIT of a sender that waits. */
#define LLR_INIT_PERIOD_PS INT64_C(10000000)

/* What happens to frames in INIT or FLUSH; the values are those of
 * sai_llr_frame_action_t. */
enum llr_action {
    LLR_DISCARD,
    LLR_BLOCK,
    LLR_BEST_EFFORT,
};

/* What an end does; the members are those of PORT_LLR_PROFILE. */
struct llr_profile {
    uint32_t max_frames;     /* Outstanding, 0 to LLR_MAX_FRAMES. */
    uint32_t max_bytes;      /* Outstanding, with FCS. */
    int64_t replay_timer_ps; /* Without progress; 0: off. */
    uint32_t max_replays;    /* Without progress, 1 to 255 (endless). */
    int64_t pcs_timeout_ps;  /* Of a link that is down; 0: off. */
    int64_t age_timeout_ps;  /* Of a copy; 0: off. */
    enum llr_action in_init;
    enum llr_action in_flush;
    bool reinit;            /* FLUSH leads to INIT. */
    uint32_t spacing_bytes; /* Of ordered sets. */
};

/* One end of a link. */
struct llr_port {
    bool sends;    /* LLR_MODE_REMOTE: numbers what it sends. */
    bool receives; /* LLR_MODE_LOCAL: accepts what the peer numbers. */
    struct llr_profile profile;
    uint32_t first_number; /* Of its first frame. */
    uint32_t speed_mbps;
    uint32_t mtu_bytes; /* The longest frame, without FCS. */
};

/* The values are those of sai_port_llr_tx_status_t. */
enum llr_tx_state {
    LLR_TX_OFF,
    LLR_TX_INIT,
    LLR_TX_ADVANCE,
    LLR_TX_REPLAY,
    LLR_TX_FLUSH,
};

/* The values are those of sai_port_llr_rx_status_t. */
enum llr_rx_state {
    LLR_RX_OFF,
    LLR_RX_SEND_ACKS,
    LLR_RX_SEND_NACK, /* While a NACK is due; it never lasts here. */
    LLR_RX_NACK_SENT,
};

/* X(member).  The counters of an end, in the order of SAI_PORT_STAT_LLR_*.
 * Those of frames count numbered ones, each time that they are sent. */
#define LLR_COUNTERS(X)                                                        \
    X(tx_init)                                                                 \
    X(tx_init_echo)                                                            \
    X(tx_ack)                                                                  \
    X(tx_nack)                                                                 \
    X(tx_discard)  /* Dropped in INIT or FLUSH. */                             \
    X(tx_ok)       /* Frames, of which none is poisoned. */                    \
    X(tx_poisoned) /* Frames with a wrong FCS from upstream. */                \
    X(tx_replay)   /* Replays that have ended. */                              \
    X(rx_init)                                                                 \
    X(rx_init_echo)                                                            \
    X(rx_ack)                                                                  \
    X(rx_nack)                                                                 \
    X(rx_ack_nack_seq_error) /* With a number that is not outstanding. */      \
    X(rx_ok)                                                                   \
    X(rx_poisoned)                                                             \
    X(rx_bad)               /* Damaged on this link. */                        \
    X(rx_expected_seq_good) /* Delivered. */                                   \
    X(rx_expected_seq_poisoned)                                                \
    X(rx_expected_seq_bad) /* Asked for again. */                              \
    X(rx_missing_seq)      /* Gaps: a NACK was sent for each. */               \
    X(rx_duplicate_seq)                                                        \
    X(rx_replay) /* Numbers that do not go up: a replay begins. */

struct llr_stats {
#define X(member) uint64_t member;
    LLR_COUNTERS(X)
#undef X
};

enum {
#define X(member) +1
    LLR_N_COUNTERS = 0 LLR_COUNTERS(X)
#undef X
};

/* What happens to a frame on its way. */
enum llr_damage {
    LLR_INTACT,
    LLR_BAD,      /* It arrives with a wrong FCS. */
    LLR_POISONED, /* It had a wrong FCS before. */
    LLR_MISSED,   /* It does not arrive at all. */
};

/* What both ends of a link need from it.  'end' is the sender's. */
struct llr_ops {
    /* Keeps the MAC of 'end' from starting frames other than MAC control, or
     * lets it. */
    void (*hold)(void *context, unsigned int end, bool is_held);

    /* Puts a copy of 'frame', whose content may be missing but for its length,
     * on the wire again; its last bit leaves at 'end_ps'.  Returns what will
     * have happened to it: not LLR_POISONED. */
    enum llr_damage (*resend)(void *context, unsigned int end,
                              const struct sim_frame *frame, int64_t end_ps);

    /* 'frame' was accepted and is given up: it was not delivered and will not
     * be. */
    void (*give_up)(void *context, unsigned int end,
                    const struct sim_frame *frame);

    /* Returns whether the next ordered set of 'end' is lost. */
    bool (*loses_set)(void *context, unsigned int end);

    /* 'end' is in FLUSH, perhaps on its way to INIT. */
    void (*flushed)(void *context, unsigned int end);
};

struct llr;

/* Returns LLR between two ends, of which none sends or receives yet, on a cable
 * with 'delay_ps'.  'entities' are those of the ends (twin/event/event.h), and
 * 'in_flight' is how many frames of each end are on their way.  'ops' and its
 * context outlive it.  End with llr_destroy(). */
struct llr *llr_create(struct engine *engine, const struct llr_ops *ops,
                       void *context, int64_t delay_ps,
                       const uint32_t entities[2], const uint32_t in_flight[2]);

/* Frees 'llr'; what is outstanding is not reported.  Accepts NULL. */
void llr_destroy(struct llr *llr);

/* Sets what end 'end' does from now on, copied.  An end that begins to send
 * goes to INIT; one that ends gives up what is outstanding.  The profile may
 * change at any time; the number and the speed must not while the end sends or
 * receives.  An end in FLUSH that may go to INIT does so. */
void llr_set_port(struct llr *llr, unsigned int end,
                  const struct llr_port *port);

/* Returns what llr_set_port() was given. */
const struct llr_port *llr_port(const struct llr *llr, unsigned int end);

/* The link goes up or down.  Before it goes down, the caller takes the frames
 * in the air with llr_lose(). */
void llr_set_up(struct llr *llr, bool is_up);

/* Loses the ACKs and NACKs of 'end', or no longer: for tests. */
void llr_mute(struct llr *llr, unsigned int end, bool is_muted);

/* Says whether ordered sets of 'end' may be lost, as at first; if not,
 * llr_ops.loses_set is not called for them. */
void llr_set_noisy(struct llr *llr, unsigned int end, bool is_noisy);

/* What llr_send() does with a frame. */
enum llr_accepted {
    LLR_NUMBERED,   /* It is delivered, or given up. */
    LLR_UNNUMBERED, /* It passes as without LLR. */
    LLR_DROPPED,    /* By LLR_DISCARD. */
};

/* The MAC of 'end', which is not held unless the frame 'is_control' and so not
 * numbered, starts 'frame'.  It would take '*end_ps' - now; '*end_ps' is moved
 * by what was inserted, or is being resent.  'damage' is what happens to it.
 * Unless it is dropped, it does not move and arrives: the caller calls
 * llr_arrive() in the order of llr_send() and llr_ops.resend. */
enum llr_accepted llr_send(struct llr *llr, unsigned int end,
                           const struct sim_frame *frame, bool is_control,
                           enum llr_damage damage, int64_t *end_ps);

/* What llr_arrive() says about a frame. */
enum llr_verdict {
    LLR_DELIVER,
    LLR_LOSE,   /* It does not come again. */
    LLR_REPEAT, /* It comes again, or has come before. */
};

/* 'frame', the first in the air from 'end', arrives at the peer.  '*damage' is
 * what has happened to it: a poisoned one may be delivered, and then the MAC
 * drops it for its FCS. */
enum llr_verdict llr_arrive(struct llr *llr, unsigned int end,
                            const struct sim_frame *frame,
                            enum llr_damage *damage);

/* Returns end 'index' of 'llr', for the next two. */
struct llr_end *llr_end(struct llr *llr, unsigned int index);

/* The short ways of llr_send() and llr_arrive() for frames that nothing
 * damages and that are not control frames.  Return false, and do nothing, if
 * there is more to do, so that the caller takes the long way; else the frame is
 * numbered, or delivered. */
bool llr_send_intact(struct llr_end *end, const struct sim_frame *frame,
                     int64_t *end_ps);
bool llr_arrive_intact(struct llr_end *sender);

/* 'frame', the first or last in the air from 'end', will not arrive.  Returns
 * whether it comes again. */
bool llr_lose(struct llr *llr, unsigned int end, const struct sim_frame *frame,
              bool is_last);

/* Stores the counters of 'end' in '*stats'. */
void llr_get_stats(struct llr *llr, unsigned int end, struct llr_stats *stats);

/* Sets the counters of 'end' to 0. */
void llr_clear_stats(struct llr *llr, unsigned int end);

enum llr_tx_state llr_tx_state(const struct llr *llr, unsigned int end);
enum llr_rx_state llr_rx_state(const struct llr *llr, unsigned int end);

/* Frames and bytes of an end at one instant; bytes are without FCS. */
struct llr_amounts {
    uint32_t outstanding; /* Not acknowledged. */
    uint32_t most_bytes;  /* Outstanding at once, with FCS. */
    uint64_t replayed;    /* Transmissions but the first of each frame. */
    uint64_t flushes;     /* Status events: LLR_TX_FLUSH. */
    uint64_t air_frames, air_bytes;   /* Numbered, in the air. */
    uint64_t owed_frames, owed_bytes; /* Neither delivered nor given up. */
};

void llr_get_amounts(struct llr *llr, unsigned int end,
                     struct llr_amounts *amounts);

#endif /* twin/link/llr.h */
