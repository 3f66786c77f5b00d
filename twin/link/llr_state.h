/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_LINK_LLR_STATE_H
#define ORCHD_TWIN_LINK_LLR_STATE_H

/* The state of LLR (llr.h), for its files:
 *
 *   llr_ends.c  ends, timers, and what the link calls;
 *   llr_tx.c    the sender: window, replay, flush;
 *   llr_rx.c    the receiver, and the ordered sets that it sends.
 *
 * Positions in rings are counted modulo 2^32; the size of a ring is a power of
 * two.  The position of a frame that is outstanding is also its number, modulo
 * LLR_NUMBERS.
 *
 * No frame is copied when it is sent: it is in the air.  If the MAC of the peer
 * does not get it, its content is saved before it is given back, and so it is
 * when it is resent while it is in the air.  What is resent without a saved
 * content is a duplicate.  So a frame costs two records, and the members that
 * it needs are in three cache lines. */

#include "twin/link/llr.h"

/* A frame that is not acknowledged. */
struct llr_record {
    int64_t sent_ps; /* For the first time. */
    uint32_t bytes;  /* Without FCS. */
    bool is_poisoned;
    bool is_saved; /* Its content is in 'saved'. */
};

/* A frame in the air. */
struct llr_air {
    const struct sim_frame *frame; /* NULL: it is resent. */
    uint32_t bytes;
    uint32_t number : 20;
    uint32_t damage : 4; /* enum llr_damage */
    uint32_t is_numbered : 1;
    uint32_t is_orphan : 1; /* It was given up, and will yet be delivered. */
};

enum llr_set_kind { LLR_ACK, LLR_NACK, LLR_INIT, LLR_INIT_ECHO };

/* An ordered set on its way to an end. */
struct llr_set {
    int64_t arrives_ps;
    uint32_t number;
    enum llr_set_kind kind;
};

struct llr_ring {
    void *items;
    uint32_t size;
    uint32_t first, next;
};

struct llr_end {
    /* The sender, with each frame. */
    struct llr_ring records; /* Struct llr_record. */
    uint8_t tx_state;        /* enum llr_tx_state */
    bool is_held;
    struct llr_ring air; /* Struct llr_air, to the peer. */
    uint32_t bytes;      /* Of the records, with FCS. */
    uint64_t tx_ok;

    struct llr_ring sets; /* Struct llr_set, that come from the peer. */
    uint32_t most_bytes;
    int64_t busy_until_ps; /* The last bit of a frame leaves. */
    int64_t owed_ps;       /* By which the next frame takes longer. */
    int64_t progress_ps;   /* The replay timer runs from here. */
    uint64_t rx_acks;

    /* The receiver, with each frame. */
    int64_t ack_ps;     /* When an ACK is due; EVENT_NEVER: there is none. */
    int64_t acked_ps;   /* When the last one was sent, or a NACK. */
    int64_t spacing_ps; /* Of ordered sets. */
    uint64_t tx_acks, rx_ok, rx_good;
    uint32_t set_ps;   /* What an ordered set takes. */
    uint32_t expected; /* The number of the next frame. */
    uint32_t last;     /* The number of the last frame. */
    uint8_t rx_state;  /* enum llr_rx_state */
    bool is_muted;

    /* Limits of the sender. */
    uint32_t max_frames;
    uint32_t max_bytes; /* At which there is room for the longest frame. */
    struct llr *llr;
    unsigned int index;
    struct event timer;

    /* Rare. */
    struct sim_frame *saved; /* As many as there are records, by position; with
                              * references to payloads. */
    uint32_t resend;         /* In REPLAY: the position of the next one. */
    uint32_t replays;        /* Since the last progress. */
    uint64_t replayed;       /* Frames sent again. */
    int64_t next_init_ps;
    struct llr_port port;
    struct llr_stats stats; /* Without what is counted above. */
} __attribute__((aligned(64)));

struct llr {
    struct llr_end ends[2];
    struct engine *engine;
    const struct llr_ops *ops;
    void *context;
    int64_t delay_ps;
    bool is_up;
    int64_t down_ps;
};

static inline uint32_t
llr_number(uint32_t position)
{
    return position & (LLR_NUMBERS - 1);
}

/* Returns how far number 'a' is ahead of 'b', which is behind if the result is
 * LLR_MAX_FRAMES or more. */
static inline uint32_t
llr_ahead(uint32_t a, uint32_t b)
{
    return (a - b) & (LLR_NUMBERS - 1);
}

static inline struct llr_end *
llr_peer(struct llr_end *end)
{
    return &end->llr->ends[1 - end->index];
}

static inline int64_t
llr_now(const struct llr_end *end)
{
    return engine_now_ps(end->llr->engine);
}

static inline uint32_t
llr_ring_n(const struct llr_ring *ring)
{
    return ring->next - ring->first;
}

/* Doubles 'ring', whose items have 'item_size' bytes. */
void llr_ring_grow__(struct llr_ring *ring, size_t item_size);

/* Returns item 'position' of 'ring', whose items are of 'type'. */
#define LLR_ITEM(type, ring, position)                                         \
    (&((type *)(ring).items)[(position) & ((ring).size - 1)])

/* Appends an item to 'ring', and returns it; its old content is that of an
 * earlier one, or zero. */
#define LLR_APPEND(type, ring)                                                 \
    (llr_ring_n(&(ring)) == (ring).size                                        \
         ? llr_ring_grow__(&(ring), sizeof(type))                              \
         : (void)0,                                                            \
     LLR_ITEM(type, ring, (ring).next++))

/* --- llr_ends.c --- */

/* Schedules the timer of 'end' for what comes next. */
void llr_arm__(struct llr_end *end);

/* Holds the MAC of 'end', or lets it, as the state says.  The last thing that a
 * caller does: the MAC may send at once. */
void llr_review__(struct llr_end *end);

/* --- llr_tx.c --- */

/* Returns whether 'end', in ADVANCE, has no room for the longest frame. */
static inline bool
llr_is_full__(const struct llr_end *end)
{
    return llr_ring_n(&end->records) >= end->max_frames ||
           end->bytes > end->max_bytes;
}

/* Saves the content of 'frame', which has 'number' and is lost. */
void llr_tx_save__(struct llr_end *end, uint32_t number,
                   const struct sim_frame *frame);

/* Numbers 'frame'. */
void llr_tx_accept__(struct llr_end *end, const struct sim_frame *frame,
                     enum llr_damage damage);

/* Reads the ordered sets that have arrived before 'before_ps'. */
void llr_tx_read__(struct llr_end *end, int64_t before_ps);

/* Sends an INIT, which repeats itself. */
void llr_tx_init__(struct llr_end *end);

/* Begins to resend what is outstanding, or goes to FLUSH. */
void llr_tx_replay__(struct llr_end *end);

/* Resends the next frame, or ends the replay. */
void llr_tx_resend__(struct llr_end *end);

/* Gives up what is outstanding; goes to FLUSH, and perhaps to INIT. */
void llr_tx_flush__(struct llr_end *end);

/* Gives up what is outstanding, and goes to 'state'. */
void llr_tx_stop__(struct llr_end *end, enum llr_tx_state state);

/* --- llr_rx.c --- */

/* Sends an ordered set of 'end' at 'when_ps'. */
void llr_rx_send_set__(struct llr_end *end, enum llr_set_kind kind,
                       uint32_t number, int64_t when_ps);

/* Sends the ACK of 'end' that is due. */
void llr_rx_ack__(struct llr_end *end);

/* Sends the ACK of 'end' if it was due before now, or is. */
static inline void
llr_rx_catch_up__(struct llr_end *end)
{
    if (end->ack_ps <= llr_now(end)) {
        llr_rx_ack__(end);
    }
}

/* Takes 'number' of an INIT, and answers. */
void llr_rx_init__(struct llr_end *end, uint32_t number);

/* Numbered frame 'air' arrives at 'end'.  Returns whether it is delivered. */
bool llr_rx_take__(struct llr_end *end, const struct llr_air *air);

#endif /* twin/link/llr_state.h */
