/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_CREDIT_H
#define ORCHD_TWIN_QOS_CREDIT_H

/* Credit-based flow control (CBFC) of a link: a sender uses a virtual channel
 * (VC) only while the receiver has room, so no headroom and no pause is needed.
 *
 * The two directions of a link are independent.  Of each, the sender has a
 * struct credit_sender, the receiver a struct credit_receiver.  A frame costs
 * credit_cost() credits.  Both ends count, per VC and modulo 2^20:
 *
 *   consumed  credits of the frames that the sender has sent, that the receiver
 *             has stored;
 *   freed     credits of the frames that have left the input buffer of the
 *             receiver, which tells the sender by updates.
 *
 * So 'consumed - freed' at the sender is an upper bound of what occupies the
 * receiver.  Two kinds of updates keep the ends together:
 *
 *   CF  an ordered set of 8 bytes with what the receiver has freed on a pair of
 *       VCs; the sender copies it, so a lost one is healed by the next;
 *   CC  a frame of 64 bytes with what the sender has consumed on 16 VCs, in
 *       order with the frames of data; what the receiver lacks then was lost on
 *       the wire, and it frees it.
 *
 * Limits.  A VC with a profile has reserved credits, and a share of its pool:
 * without a threshold all that is left, with a static one at most that many,
 * with a dynamic one at most 2^n times what is free.  Besides, the port may
 * have a limit over all its VCs.  A VC without a profile is best effort: it
 * uses no credits, and the receiver may lose its frames.
 *
 * This is the arithmetic only.  When updates travel, what they cost on the
 * wire, and which queue is which VC is up to the port.
 *
 * Reference: SAI proposals for CBFC (API VIRTUAL_CHANNEL), whose names the
 * members have.  Whether the length includes the FCS is left open there: here
 * it does, because the FCS travels and 1,518 bytes are the longest frame of
 * Ethernet with it. */

#include <stdbool.h>
#include <stdint.h>

enum {
    CREDIT_MAX_VCS = 32,
    CREDIT_MAX_POOLS = 8,
    CREDIT_MODULUS = 1 << 20,        /* Of all counters. */
    CREDIT_MAX = CREDIT_MODULUS - 1, /* The highest limit. */

    CREDIT_MIN_SIZE = 1, /* Bytes of a credit. */
    CREDIT_MAX_SIZE = 65535,
    CREDIT_DEFAULT_SIZE = 128,
    CREDIT_MIN_OVERHEAD = -16, /* Bytes that each frame counts for more. */
    CREDIT_MAX_OVERHEAD = 127,

    CREDIT_CF_BYTES = 8, /* An ordered set; it has no gap and no preamble. */
    CREDIT_CF_VCS = 2,
    CREDIT_CC_BYTES = 64, /* A frame with its FCS. */
    CREDIT_CC_VCS = 16,

    CREDIT_POOL_NONE = CREDIT_MAX_POOLS, /* Reserved credits only. */
    CREDIT_MIN_DYNAMIC = -8, /* Exponent of the dynamic threshold. */
    CREDIT_MAX_DYNAMIC = 8,
};

/* What a frame costs. */
struct credit_unit {
    uint32_t size_bytes;
    int32_t overhead_bytes;
};

/* Returns the credits of a frame of 'length_bytes' without FCS:
 * ceil((length + 4 + overhead) / size), at least 1. */
uint32_t credit_cost(const struct credit_unit *unit, uint32_t length_bytes);

/* Returns 'a - b' modulo 2^20. */
static inline uint32_t
credit_minus(uint32_t a, uint32_t b)
{
    return (a - b) & (CREDIT_MODULUS - 1);
}

/* Which share of its pool a VC may have. */
enum credit_threshold {
    CREDIT_THRESHOLD_NONE,
    CREDIT_THRESHOLD_STATIC,
    CREDIT_THRESHOLD_DYNAMIC,
};

/* SAI's CBFC_CREDIT_PROFILE.  In credits. */
struct credit_profile {
    uint8_t pool; /* Or CREDIT_POOL_NONE. */
    uint32_t reserved;
    enum credit_threshold mode;
    int8_t dynamic_exponent; /* n of 2^n. */
    uint32_t static_limit;   /* 0: without limit. */
};

struct credit_vc {
    uint32_t consumed;
    uint32_t freed;
    uint32_t used_watermark;
    bool has_profile; /* Else it is best effort. */
    struct credit_profile profile;
};

/* The sender of a direction.  The members are read-only for users; start with
 * credit_sender_init(). */
struct credit_sender {
    struct credit_unit unit;
    uint32_t limit; /* Over all VCs; 0: none. */
    uint32_t used;  /* By all VCs. */
    uint32_t used_watermark;
    uint32_t pool_size[CREDIT_MAX_POOLS];
    uint32_t reserved[CREDIT_MAX_POOLS]; /* Of the profiles on each pool. */
    uint32_t shared[CREDIT_MAX_POOLS];   /* Used above what is reserved. */
    struct credit_vc vcs[CREDIT_MAX_VCS];
};

/* Makes '*sender' one without profiles, pools and limit. */
void credit_sender_init(struct credit_sender *sender);

/* Sets what frames cost from now on.  Nothing may be used: what is in flight
 * was charged by the old unit.  Returns false, and changes nothing, if it is,
 * or if a member is out of range. */
bool credit_sender_set_unit(struct credit_sender *sender,
                            const struct credit_unit *unit);

/* Sets the limit over all VCs (0: none; at most CREDIT_MAX), and the size of
 * pool 'pool'.  Returns false, and changes nothing, if that is too large; of a
 * pool, also if it is less than what profiles have reserved in it. */
bool credit_sender_set_limit(struct credit_sender *sender, uint32_t limit);
bool credit_sender_set_pool(struct credit_sender *sender, unsigned int pool,
                            uint32_t size);

/* Gives VC 'vc' a copy of 'profile'; NULL: it becomes best effort.  Returns
 * false, and changes nothing, if the VC uses credits, if a member is out of
 * range, or if the pool has not the credits to reserve. */
bool credit_sender_set_profile(struct credit_sender *sender, unsigned int vc,
                               const struct credit_profile *profile);

/* Returns what 'vc' uses: consumed - freed. */
static inline uint32_t
credit_sender_used(const struct credit_sender *sender, unsigned int vc)
{
    return credit_minus(sender->vcs[vc].consumed, sender->vcs[vc].freed);
}

/* Returns how many credits 'vc', which has a profile, could use more now. */
uint32_t credit_sender_room(const struct credit_sender *sender,
                            unsigned int vc);

/* Returns whether a frame of 'length_bytes' may be sent on 'vc' now. */
bool credit_sender_may_send(const struct credit_sender *sender, unsigned int vc,
                            uint32_t length_bytes);

/* Charges a frame that is sent on 'vc'. */
void credit_sender_charge(struct credit_sender *sender, unsigned int vc,
                          uint32_t length_bytes);

/* Takes what a CF update says about 'vc'.  Returns false, and changes nothing,
 * if that is more than the VC has consumed: the update is damaged, or older
 * than a reset. */
bool credit_sender_update(struct credit_sender *sender, unsigned int vc,
                          uint32_t freed);

/* Sets the counters of 'vc' to 0, when it starts again. */
void credit_sender_reset(struct credit_sender *sender, unsigned int vc);

/* The receiver of a direction.  The members are read-only for users.
 * Zero-initialised. */
struct credit_receiver {
    struct {
        uint32_t consumed;
        uint32_t freed;
        bool is_enabled;
    } vcs[CREDIT_MAX_VCS];
    uint32_t untold;        /* A bit per pair of VCs that has freed something
                             * since its last update. */
    unsigned int next_pair; /* To look at first. */
};

/* Enables 'vc' or not, with counters of 0. */
void credit_receiver_enable(struct credit_receiver *receiver, unsigned int vc,
                            bool is_enabled);

/* A frame of 'credits' of 'vc' has arrived whole, and later has left the input
 * buffer, or was not stored.  Nothing happens on a VC that is not enabled. */
void credit_receiver_store(struct credit_receiver *receiver, unsigned int vc,
                           uint32_t credits);
void credit_receiver_free(struct credit_receiver *receiver, unsigned int vc,
                          uint32_t credits);

/* Takes what a CC update says that the sender has consumed on 'vc'.  Returns
 * the credits that were lost on the wire, which are free now.  A receiver that
 * is ahead of the sender, as after a restart of that, follows it and frees
 * nothing. */
uint32_t credit_receiver_correct(struct credit_receiver *receiver,
                                 unsigned int vc, uint32_t consumed);

/* Returns whether an update is worth sending before its time: some VC has freed
 * something since its last. */
static inline bool
credit_receiver_has_news(const struct credit_receiver *receiver)
{
    return receiver->untold != 0;
}

/* A CF update: VCs 2 'pair' and 2 'pair' + 1. */
struct credit_cf {
    uint8_t pair;
    uint32_t freed[CREDIT_CF_VCS];
};

/* Makes the next CF update: of the pairs with news in turn, without news of the
 * pairs with an enabled VC in turn.  Returns false if no VC is enabled. */
bool credit_receiver_next(struct credit_receiver *receiver,
                          struct credit_cf *cf);

#endif /* twin/qos/credit.h */
