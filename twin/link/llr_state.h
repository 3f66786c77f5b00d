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
 * content is a duplicate.  So a frame costs two records of 24 and 8 bytes, and
 * the members that it needs are in three cache lines.  An acknowledgement costs
 * the same for one frame as for many: records have sums. */

#include <stddef.h>

#include "twin/link/llr.h"

/* A frame that is not acknowledged. */
struct llr_record {
    int64_t sent_ps;               /* For the first time. */
    const struct sim_frame *frame; /* While it is in the air for that. */
    uint32_t end_bytes;  /* Of all frames up to this one, with FCS, modulo
                          * 2^32. */
    uint32_t bytes : 24; /* Without FCS. */
    uint32_t is_poisoned : 1;
    uint32_t is_saved : 1; /* Its content is in 'saved'. */
};

_Static_assert(sizeof(struct llr_record) <= 24, "records are small");

/* A frame in the air. */
struct llr_air {
    uint32_t bytes;
    uint32_t number : 20;
    uint32_t damage : 4; /* enum llr_damage */
    uint32_t is_numbered : 1;
    uint32_t is_first : 1;  /* It is not resent. */
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
    /* The sender, with each frame: two cache lines. */
    int64_t next_ps; /* Until then no ACK is due at either end, and no ordered
                      * set arrives: there is nothing to catch up with. */
    const struct engine *engine;
    struct llr_end *peer;
    struct llr_ring records; /* Struct llr_record. */
    uint32_t bytes;          /* Of them, with FCS. */
    uint32_t end_bytes;      /* Of the last one that there was. */
    struct llr_ring air;     /* Struct llr_air, to the peer. */
    uint32_t most_bytes;
    uint32_t max_frames;
    uint32_t max_bytes; /* At which there is room for the longest frame. */
    uint8_t tx_state;   /* enum llr_tx_state */
    bool is_held;
    uint64_t tx_ok;
    int64_t busy_until_ps; /* The last bit of a frame leaves. */
    int64_t owed_ps;       /* By which the next frame takes longer. */

    /* The receiver, with each frame: a cache line. */
    int64_t ack_ps __attribute__((aligned(64))); /* When an ACK is due;
                                                  * EVENT_NEVER: none is. */
    int64_t acked_ps;    /* When the last one was sent, or a NACK. */
    int64_t spacing_ps;  /* Of ordered sets. */
    uint64_t rx_ok_good; /* Frames that count in rx_ok and in rx_good. */
    uint64_t tx_acks;
    uint32_t set_ps;   /* What an ordered set takes. */
    uint32_t expected; /* The number of the next frame. */
    uint32_t last;     /* The number of the last frame. */
    uint8_t rx_state;  /* enum llr_rx_state */
    bool is_muted;
    bool is_noisy; /* Ordered sets may be lost: llr_ops.loses_set says. */

    /* With each ACK. */
    struct event timer;
    struct llr_ring sets; /* Struct llr_set, that come from the peer. */
    int64_t progress_ps;  /* The replay timer runs from here. */
    uint64_t rx_acks;
    struct llr *llr;
    unsigned int index;

    /* Rare. */
    uint64_t rx_ok, rx_good; /* Without those of rx_ok_good. */
    struct sim_frame *saved; /* As many as there are records, by position; with
                              * references to payloads. */
    uint32_t resend;         /* In REPLAY: the position of the next one. */
    uint32_t replays;        /* Since the last progress. */
    uint64_t replayed;       /* Frames sent again. */
    uint64_t flushes;
    int64_t next_init_ps;
    struct llr_port port;
    struct llr_stats stats; /* Without what is counted above. */
} __attribute__((aligned(64)));

_Static_assert(offsetof(struct llr_end, ack_ps) == 128 &&
                   offsetof(struct llr_end, timer) <= 192,
               "what each frame needs is in three cache lines");

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
llr_peer(const struct llr_end *end)
{
    return end->peer;
}

static inline int64_t
llr_now(const struct llr_end *end)
{
    return engine_now_ps(end->engine);
}

/* Something happens at 'when_ps' that 'end' has to catch up with. */
static inline void
llr_expect__(struct llr_end *end, int64_t when_ps)
{
    if (when_ps < end->next_ps) {
        end->next_ps = when_ps;
    }
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

/* Returns the record at 'position'. */
static inline struct llr_record *
llr_record_at__(struct llr_end *end, uint32_t position)
{
    return LLR_ITEM(struct llr_record, end->records, position);
}

/* Counts a numbered frame that is sent. */
static inline void
llr_tx_count__(struct llr_end *end, bool is_poisoned)
{
    if (is_poisoned) {
        end->stats.tx_poisoned++;
    } else {
        end->tx_ok++;
    }
}

/* A numbered frame is in the air. */
static inline void
llr_tx_launch__(struct llr_end *end, uint32_t position, uint32_t bytes,
                bool is_first, enum llr_damage damage)
{
    *LLR_APPEND(struct llr_air, end->air) =
        (struct llr_air){.bytes = bytes,
                         .number = llr_number(position) & (LLR_NUMBERS - 1),
                         .damage = (unsigned int)damage & 15U,
                         .is_numbered = 1,
                         .is_first = is_first};
}

/* Makes room for one more record. */
void llr_tx_grow__(struct llr_end *end);

/* Numbers 'frame', now. */
static inline void
llr_tx_accept__(struct llr_end *end, const struct sim_frame *frame,
                enum llr_damage damage, int64_t now_ps)
{
    const uint32_t bytes = frame->length_bytes;

    if (llr_ring_n(&end->records) == end->records.size) {
        llr_tx_grow__(end);
    }
    if (!llr_ring_n(&end->records)) {
        end->progress_ps = now_ps;
    }
    end->end_bytes += bytes + LLR_FCS_BYTES;
    *llr_record_at__(end, end->records.next) =
        (struct llr_record){.sent_ps = now_ps,
                            .frame = frame,
                            .end_bytes = end->end_bytes,
                            .bytes = bytes & 0xffffffU,
                            .is_poisoned = damage == LLR_POISONED};
    end->bytes += bytes + LLR_FCS_BYTES;
    if (end->bytes > end->most_bytes) {
        end->most_bytes = end->bytes;
    }
    llr_tx_count__(end, damage == LLR_POISONED);
    llr_tx_launch__(end, end->records.next++, bytes, true, damage);
}

/* Reads the ordered sets that have arrived before 'before_ps'. */
void llr_tx_read__(struct llr_end *end, int64_t before_ps);

/* Frees the first 'n' records. */
static inline void
llr_tx_free__(struct llr_end *end, uint32_t n, int64_t when_ps)
{
    if (n) {
        end->records.first += n;
        end->bytes = end->end_bytes -
                     llr_record_at__(end, end->records.first - 1)->end_bytes;
        end->progress_ps = when_ps;
        end->replays = 0;
        if (end->tx_state == LLR_TX_REPLAY &&
            (int32_t)(end->resend - end->records.first) < 0) {
            end->resend = end->records.first;
        }
    }
}

/* Returns how many frames the answer 'set' is about; more than there are: it is
 * about others. */
static inline uint32_t
llr_tx_span__(const struct llr_end *end, const struct llr_set *set)
{
    return llr_ahead(llr_number(set->number + 1),
                     llr_number(end->records.first));
}

/* llr_tx_read__() for the usual ACK, or none. */
static inline void
llr_tx_catch_up__(struct llr_end *end, int64_t before_ps)
{
    while (end->sets.first != end->sets.next) {
        const struct llr_set *set =
            LLR_ITEM(struct llr_set, end->sets, end->sets.first);
        const uint32_t span = llr_tx_span__(end, set);

        if (set->arrives_ps >= before_ps) {
            return;
        }
        if (set->kind != LLR_ACK || span > llr_ring_n(&end->records)) {
            llr_tx_read__(end, before_ps);
            return;
        }
        end->sets.first++;
        end->rx_acks++;
        llr_tx_free__(end, span, set->arrives_ps);
    }
}

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

/* Sends the ACK of 'end' if it was due before 'now_ps', which is now, or is. */
static inline void
llr_rx_catch_up__(struct llr_end *end, int64_t now_ps)
{
    if (end->ack_ps <= now_ps) {
        llr_rx_ack__(end);
    }
}

/* Takes 'number' of an INIT, and answers. */
void llr_rx_init__(struct llr_end *end, uint32_t number);

/* Numbered frame 'air' arrives at 'end', now.  Returns whether it is
 * delivered. */
bool llr_rx_take__(struct llr_end *end, struct llr_air air, int64_t now_ps);

#endif /* twin/link/llr_state.h */
