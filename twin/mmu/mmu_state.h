/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_MMU_MMU_STATE_H
#define ORCHD_TWIN_MMU_MMU_STATE_H

/* The inside of the MMU, shared by its own files only.
 *
 * An *account* holds what one PG or queue has charged to one partition of one
 * pool, together with the limits that apply: all that admission needs, in one
 * place.  A PG or queue has one live account, for the pool of its profile (or
 * for the unclaimed memory).  After a change of pool under load older accounts
 * follow it in a list, refuse nothing and admit nothing, and end when their
 * last packet leaves.  At most one account exists per owner and pool: a PG
 * that returns to a pool finds its old account and goes on with it.
 *
 * Invariants (mmu_check() verifies them):
 *   - reserved <= guarantee; if shared + headroom > 0, reserved == guarantee;
 *   - a partition's shared (headroom) is the sum over its accounts, likewise a
 *     pool's over its partitions;
 *   - the cells of all packets are the sum of all ingress accounts;
 *   - only live accounts are XOFF.
 *
 * Everything lies in one block whose parts are sized by the chip; untouched
 * pages of it cost nothing. */

#include <assert.h>

#include "base/check.h"
#include "twin/mmu/mmu.h"

/* Dividing by the cell size d is multiplying by floor(2^40 / d) + 1 and
 * shifting: exact for n as long as n * d < 2^40. */
enum {
    CELL_SHIFT = 40,
    CELL_MAX_BYTES = 1 << 17,
};

/* How an account's threshold follows. */
enum account_rule {
    ACCOUNT_UNCLAIMED, /* No profile: whatever is free of the partition. */
    ACCOUNT_STATIC,    /* 'static_limit'. */
    ACCOUNT_DYNAMIC,   /* 2^exponent * free. */
};

/* All that a packet needs while there is room, in one cache line. */
struct account {
    /* Levels and limits, cells. */
    uint64_t reserved;
    uint64_t shared;
    uint64_t headroom;
    uint64_t guarantee;
    uint64_t static_limit; /* UINT64_MAX: none. */
    uint64_t shared_watermark;
    uint32_t packets; /* Charged here. */
    uint32_t part;
    uint16_t pool;
    int8_t exponent; /* -63..20 */
    uint8_t rule;    /* enum account_rule */
    bool is_live;
    bool is_xoff;
};

static_assert(sizeof(struct account) <= 64, "an account is a cache line");

/* The rest of an account, at the same position of another table: what only
 * XOFF, headroom and configuration need. */
struct account_more {
    uint64_t headroom_max;
    uint64_t headroom_watermark;
    uint64_t resume; /* XOFF ends at this total. */
    uint32_t owner;  /* PG or queue; MMU_NONE once that is gone. */
    uint32_t next;   /* Older account of the owner, or next free one. */
};

/* The accounts of a direction. */
struct account_table {
    struct account *items;
    struct account_more *more;
    uint32_t n; /* Of 'items'. */
    uint32_t n_used;
    uint32_t fresh; /* Those from here on were never used. */
    uint32_t free;  /* Head of the list of those used before. */
};

/* One partition of a pool.  Watermarks are its own, as in hardware; those of a
 * pool are the sums. */
struct part {
    uint64_t held; /* Shared, in headroom and within guarantees. */
    uint64_t shared;
    uint64_t headroom;
    uint64_t limit;          /* On 'shared': S, or Se. */
    uint64_t headroom_limit; /* UINT64_MAX: headroom is private. */
    uint64_t held_watermark;
    uint64_t shared_watermark;
    uint64_t headroom_watermark;
};

static_assert(sizeof(struct part) == 64, "a partition is a cache line");

struct pool {
    struct mmu_pool_config config;
    bool exists;
    uint32_t n_profiles;
    uint32_t n_accounts;
    uint64_t attached_size;      /* Reserved sizes of those attached, cells. */
    uint64_t attached_guarantee; /* Their guarantees, cells. */
    uint64_t dropped_packets;
};

struct profile {
    struct mmu_profile_config config;
    bool exists;
    uint32_t n_users;
    uint64_t size; /* Reserved, cells. */
    uint64_t guarantee;
    uint64_t xoff;
    uint64_t xon;
    uint64_t xon_offset;
};

struct pg {
    uint64_t packets;
    uint64_t bytes;
    uint64_t dropped_packets;
    uint32_t account;
    uint32_t profile;
};

struct queue {
    uint32_t account;
    uint32_t head;
    uint32_t tail;
    uint32_t n;
    uint64_t bit; /* In its port's backlog. */
    uint64_t packets;
    uint64_t bytes;
    uint64_t dropped_packets;
    uint64_t dropped_bytes;
    uint32_t port;
    uint32_t profile;
};

struct port {
    uint64_t backlog;
    uint32_t partition;
    bool exists;
};

/* A packet, or the further copy of one. */
struct desc {
    uint32_t next;    /* In its queue, or in the free list. */
    uint32_t master;  /* The descriptor that stands for the packet. */
    uint32_t ingress; /* Account, as are egress'. */
    uint32_t egress;
    uint32_t cells;
    uint32_t length_bytes;
    uint32_t copies; /* Master only: those still queued. */
    uint32_t pg;
};

struct mmu {
    /* Hot. */
    const struct chip *chip;
    struct pg *pgs;
    struct queue *queues;
    struct account_table accounts[2]; /* By direction. */
    struct part *parts;
    struct pool *pools;
    struct port *ports;
    struct desc *descs;
    uint64_t used;   /* Cells. */
    uint64_t memory; /* Cells. */
    uint32_t free_desc;
    uint32_t fresh_desc;
    uint32_t n_descs;
    uint64_t cell_bias;    /* Overhead of a packet, and cell size - 1. */
    uint64_t cell_inverse; /* See CELL_SHIFT; 0: the chip rounds otherwise. */
    mmu_flow_fn *flow;
    void *flow_context;

    /* Cold. */
    void *block; /* What all this lies in. */
    struct profile *profiles;
    uint32_t n_pgs;
    uint32_t n_queues;
    uint32_t n_ports_live;
    uint64_t reserved_cells[2]; /* Attached sizes, headroom pools. */
};

/* Pools beyond the configurable ones stand for the unclaimed memory. */
static inline uint32_t
mmu_unclaimed_pool(const struct mmu *mmu, enum mmu_direction direction)
{
    return mmu->chip->pools + (uint32_t)direction;
}

/* Returns the rest of 'account', which is one of 'table'. */
static inline struct account_more *
account_more(const struct account_table *table, const struct account *account)
{
    return &table->more[account - table->items];
}

static inline uint64_t
sat_sub(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* Returns the threshold on the shared cells of 'account' if 'free' cells of
 * its partition are free: floor(alpha * free), or the static limit. */
static inline uint64_t
account_limit(const struct account *account, uint64_t free)
{
    if (account->rule == ACCOUNT_DYNAMIC) {
        return account->exponent >= 0 ? free << account->exponent
                                      : free >> -account->exponent;
    }
    return account->rule == ACCOUNT_STATIC ? account->static_limit
                                           : account->shared + free;
}

/* mmu.c: used by the configuration. */

/* Ends XOFF of 'account', or recomputes its resume point, after its limits
 * changed. */
void mmu_account_rejudge__(struct mmu *mmu, struct account *account);

/* Ends XOFF of 'account' if it is. */
void mmu_account_release__(struct mmu *mmu, struct account *account);

/* mmu_account.c */

/* Returns the head of the list of accounts of PG or queue 'owner'. */
uint32_t *mmu_owner_account__(struct mmu *mmu, enum mmu_direction direction,
                              uint32_t owner);

/* Puts a new account for partition 'partition' of 'pool' in front of those of
 * 'owner'.  Returns false if there is none left. */
bool mmu_account_open__(struct mmu *mmu, enum mmu_direction direction,
                        uint32_t owner, uint32_t pool, uint32_t partition);

/* Makes the live account of 'owner' one of 'pool'.  What the former one holds
 * drains.  Returns false, and changes nothing, if there is none left. */
bool mmu_account_move__(struct mmu *mmu, enum mmu_direction direction,
                        uint32_t owner, uint32_t pool, uint32_t partition);

/* Applies 'profile' (NULL: none) to the live account of 'owner', which is of
 * its pool, and judges XOFF anew. */
void mmu_account_apply__(struct mmu *mmu, enum mmu_direction direction,
                         uint32_t owner, const struct profile *profile);

/* Gives 'account' back to its table. */
void mmu_account_free__(struct mmu *mmu, enum mmu_direction direction,
                        uint32_t account);

/* mmu_config.c */

/* Recomputes the unclaimed memory of 'direction'. */
void mmu_refresh_unclaimed__(struct mmu *mmu, enum mmu_direction direction);

/* Recomputes the limits of all ingress pools. */
void mmu_refresh_ingress__(struct mmu *mmu);

/* Takes the profile of PG or queue 'owner' away, without an account for the
 * time after it: the port ends. */
void mmu_profile_forget__(struct mmu *mmu, enum mmu_direction direction,
                          uint32_t owner);

#endif /* twin/mmu/mmu_state.h */
