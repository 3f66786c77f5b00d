/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_MMU_MMU_STATE_H
#define ORCHD_TWIN_MMU_MMU_STATE_H

/* The internals of the MMU, for its own files only.
 *
 * An *owner* is a PG or a queue.  An *account* holds what one PG or queue has
 * charged to one partition of one pool, and the limits that apply: everything
 * that admission needs.  A PG or queue has one live account, for the pool of
 * its profile (or for the unclaimed memory).  After a change of pool under
 * load, older accounts follow it in a list; they only drain, and end when their
 * last packet leaves. At most one account exists per owner and pool: a PG that
 * returns to a pool resumes its old account.
 *
 * Invariants (mmu_check() verifies them):
 *   - reserved <= guarantee; if shared + headroom > 0, reserved == guarantee;
 *   - a partition's shared (headroom) is the sum over its accounts, likewise a
 *     pool's over its partitions;
 *   - the cells of all packets are the sum of all ingress accounts, except
 *     for cells that the guarantees of queues absorbed;
 *   - a port's share of a pool is the sum over its accounts there;
 *   - only live accounts are XOFF.
 *
 * What packets need comes from a pool of lines (base/line_pool.h), and grows
 * with its use, so that it is dense.  All other tables are in one block, sized
 * by the chip; pages that are never touched cost no memory. */

#include <assert.h>

#include "base/check.h"
#include "twin/mmu/mmu.h"

/* Dividing by the cell size d is multiplying by floor(2^40 / d) + 1 and
 * shifting: exact for n as long as n * d < 2^40. */
enum {
    CELL_SHIFT = 40,
    CELL_MAX_BYTES = 1 << 17,
};

/* The largest values of the bit-fields of 'struct desc'. */
enum {
    DESC_MAX_ABSORBED = (1 << 18) - 1,
    DESC_MAX_COPIES = (1 << 13) - 1,
};

/* For functions that run for every packet: compilers consider them too large to
 * inline in two places, but a call costs as much as the function itself. */
#define MMU_INLINE static inline __attribute__((always_inline))

/* The rule of a threshold. */
enum account_rule {
    ACCOUNT_UNCLAIMED = 0, /* No profile: all that is free of the partition. */
    ACCOUNT_STATIC = 1,    /* A fixed number of cells. */
    ACCOUNT_DYNAMIC = 2,   /* 2^n times the free cells. */
    ACCOUNT_POLICY = 4,    /* The same, but a policy decides.  Of PGs and queues
                            * only. */
    /* A mask: the rules of threshold_cells(). */
    ACCOUNT_COMPUTED = ACCOUNT_STATIC | ACCOUNT_DYNAMIC,
};

/* A threshold of a profile: (free << ALPHA_BITS >> shift) + fixed for every
 * rule, so the packet path does not depend on the rule.  See
 * threshold_cells(). */
struct threshold {
    uint64_t fixed; /* Dynamic: 0.  UINT64_MAX: no limit. */
    uint8_t shift;  /* ALPHA_NOTHING: the free cells contribute 0. */
    uint8_t rule;   /* enum account_rule */
};

enum {
    ALPHA_BITS = 15,    /* The largest exponent: 2^48 cells still fit. */
    ALPHA_NOTHING = 63, /* 2^48 cells become 0. */
};

/* The flags of an account. */
enum {
    ACCOUNT_DRAINS = 1 << 0,   /* It is not live. */
    ACCOUNT_XOFF = 1 << 1,     /* It has asserted XOFF. */
    ACCOUNT_HEADROOM = 1 << 2, /* It has cells in headroom. */
    ACCOUNT_LOSSLESS = 1 << 3, /* It may use headroom. */
    ACCOUNT_ALPHA = 1 << 4,    /* Its threshold is dynamic. */
};

/* All that a packet needs of a PG or a queue while there is room; one cache
 * line.
 *
 * Of the levels only their sum is stored, because the guarantee is used first:
 * account_reserved(), account_shared(), account_headroom().  Of the watermarks
 * only the peak of that sum is stored while there is nothing in headroom:
 * account_fold() turns it into watermarks. */
struct account {
    uint64_t held; /* Cells, of all levels. */
    uint64_t guarantee;
    /* The threshold for the fast path: see mmu_fast_limit().  'fixed' of
     * 'struct threshold', bounded so that sums cannot overflow, less 1 where
     * the limit must not be reached. */
    int64_t most;
    /* Counters of the owner, in its live account: of a PG, what arrived; of a
     * queue, what was dequeued. */
    uint64_t count;
    uint64_t bytes;
    uint32_t peak;    /* The highest 'held' that the fast path reached since the
                       * watermarks were updated; higher ones take the slow
                       * path. */
    uint32_t packets; /* Packets charged here. */
    uint16_t part;
    uint16_t port;
    uint8_t shift; /* As in 'struct threshold'. */
    uint8_t flags; /* ACCOUNT_* */
    uint8_t index; /* Of a queue: its bit in the backlog of its port. */
    uint8_t extra; /* Of a PG: as mmu_port_set_extra(). */
    union {
        uint64_t resume; /* Of a PG: XOFF ends at this level. */
        struct {
            uint32_t head; /* Of a queue, in its live account, as is 'tail';
                            * NO_DESC: it is empty. */
            uint32_t tail;
        } queue;
    };
};

static_assert(sizeof(struct account) == 64, "an account is a cache line");

/* The rest of an account, at the same index of another table: what only XOFF,
 * headroom, watermarks and configuration need. */
struct account_more {
    uint64_t headroom; /* Cells there. */
    uint64_t headroom_max;
    uint64_t headroom_watermark;
    uint64_t shared_watermark;
    uint64_t total_watermark; /* Of all levels together. */
    uint32_t owner;           /* PG or queue; MMU_NONE after its removal. */
    uint32_t next;  /* Older account of the owner, or next free one. */
    uint32_t share; /* The share of the owner's port; MMU_NONE after its
                     * removal. */
    struct threshold threshold;
    uint16_t pool;
};

/* The sum of the cells of all PGs, or queues, of one port in one pool, and its
 * limit.  Maintained only while it is needed: see 'counts_shares'. */
struct share {
    uint64_t shared;
    uint64_t headroom;
    uint64_t headroom_max;      /* Sum over its PGs in that pool. */
    struct threshold threshold; /* ACCOUNT_UNCLAIMED: none. */
    uint32_t profile;           /* Valid if attached. */
    bool is_attached;
};

/* What is rarely needed of a PG or a queue. */
struct owner {
    uint32_t profile_1; /* Its profile plus 1, 0: none. */
    uint64_t dropped_packets;
    uint64_t dropped_bytes; /* Of queues. */
};

/* The accounts of a direction.
 *
 * Most PGs and queues of a switch are never used.  They have no account of
 * their own until the first packet or profile, but share number NO_ACCOUNT,
 * which is empty, takes no packet on the fast path, and is never written.  So
 * they take no memory, and the accounts in use are next to each other. */
enum { NO_ACCOUNT = 0 };

struct account_table {
    struct account *items; /* See mmu_account_room__(). */
    struct account_more *more;
    uint32_t *live; /* The live account, by owner. */
    struct owner *owners;
    uint32_t n; /* Of 'items'. */
    uint32_t n_used;
    uint32_t n_drains;   /* Of them, those that drain. */
    uint32_t n_promised; /* For owners that exist and have none yet. */
    uint32_t fresh;      /* Items from here on were never used. */
    uint32_t free; /* Head of the list of free items that were used before. */
};

/* One partition of a pool.  It has its own watermarks, as in hardware; those of
 * a pool are the sums. */
struct part {
    _Alignas(64) uint64_t held; /* Cells shared, in headroom and within
                                 * guarantees. */
    uint64_t size;              /* 'limit', plus what the counter of the chip
                                 * lags behind. */
    uint64_t shared;
    uint64_t shared_watermark;
    uint64_t limit; /* On 'shared': S, or Se. */
    uint64_t quiet; /* With 'xoff_by_others': 'shared' may grow by so many cells
                     * before a PG can reach its limit by that. */
    uint64_t headroom;
    uint64_t headroom_limit; /* UINT64_MAX: headroom is private. */
    uint64_t headroom_watermark;
};

static_assert(offsetof(struct part, headroom_watermark) == 64,
              "all but one member of a partition is in a cache line");

struct pool {
    struct mmu_pool_config config;
    bool exists;
    uint32_t n_profiles;
    uint32_t n_accounts;
    uint64_t attached_size;      /* Reserved sizes of attached profiles,
                                  * cells. */
    uint64_t attached_guarantee; /* Their guarantees, cells. */
    uint64_t port_size;          /* Reserved sizes of profiles attached to
                                  * ports. */
    uint64_t dropped_packets;
};

struct profile {
    struct mmu_profile_config config;
    bool exists;
    uint32_t n_users; /* PGs or queues. */
    uint32_t n_ports;
    uint64_t size; /* Reserved, cells. */
    uint64_t guarantee;
    uint64_t xoff;
    uint64_t xon;
    uint64_t xon_offset;
};

struct port {
    uint32_t partition;
    uint32_t speed_mbps; /* 0: not set yet. */
    uint8_t extra_bytes;
    bool exists;
    uint64_t drops[MMU_N_DROPS];
};

/* A packet, or an additional copy of one.  Number NO_DESC is none: the queues
 * that are empty have it as their last one, so that an append needs no branch,
 * and as their first one, which no fast path takes out. */
enum { NO_DESC = 0 };

struct desc {
    uint32_t next; /* In its queue, or in the free list. */
    /* Of a copy: the descriptor that stands for the packet (the *master*).  Of
     * a master: the caller's number. */
    uint32_t user;
    uint32_t ingress; /* Its account. */
    uint32_t egress;
    uint32_t cells;
    uint32_t length_bytes;
    uint32_t is_copy : 1;   /* It is not the master of its packet. */
    uint32_t copies : 13;   /* Master only, else 0: copies still queued. */
    uint32_t absorbed : 18; /* Cells not charged at ingress. */
    uint32_t pg;
};

static_assert(sizeof(struct desc) == 32, "two descriptors in a cache line");

/* How packets take the fast path (mmu_fast_path.h), by what their departure
 * needs: the last two are alike in that. */
enum mmu_path {
    MMU_PATH_NONE,
    MMU_PATH_FULL,
    MMU_PATH_OTHERS, /* Plain, but PGs assert XOFF by other PGs. */
    MMU_PATH_PLAIN,
};

struct mmu {
    /* What every packet needs: three cache lines. */
    struct mmu_front front;
    struct account_table accounts[2]; /* By direction. */
    const struct chip *chip;
    struct desc *descs;
    struct part *parts;
    uint64_t free_cells; /* Of the memory. */
    /* A packet takes 'cell_factor' cells for each begun unit of memory; see
     * CELL_SHIFT. */
    uint64_t cell_inverse; /* Of the unit; 0: the chip rounds differently. */
    uint32_t cell_bias;    /* Overhead of a packet plus the unit - 1. */
    uint32_t cell_factor;
    uint32_t free_desc;
    enum mmu_path path;
    bool counts_shares; /* A port has a threshold or headroom. */
    bool tells_lossy;   /* The chip treats lossy traffic differently. */
    bool absorbs;       /* Guarantees of queues keep cells off lossy PGs. */
    bool early_xoff;    /* XOFF with the last packet before headroom. */
    bool by_others;     /* XOFF also by cells of other PGs. */
    /* By direction: 1 if a threshold must not be reached, 0 if it must not be
     * exceeded. */
    uint8_t strict[2];

    /* What some packets need. */
    uint64_t voq_max;     /* Cells that a lossy queue may hold. */
    struct share *shares; /* By port and pool. */
    uint64_t *lossless;   /* A bit per PG whose account is ACCOUNT_LOSSLESS. */
    uint64_t n_slow;      /* Packets that took the slow path, in and out. */
    uint32_t fresh_desc;
    uint32_t desc_room; /* Of 'descs'; grows up to 'n_descs'. */
    uint32_t n_descs;
    struct pool *pools;
    struct port *ports;
    mmu_xoff_fn *flow;
    void *flow_context;
    uint64_t memory;     /* Cells. */
    bool reports;        /* There is a watch or a policy, and so 'path' is
                          * MMU_PATH_NONE. */
    mmu_watch_fn *watch; /* NULL: none. */
    void *watch_context;

    /* Cold. */
    struct line_pool *lines; /* Has what packets need. */
    bool owns_lines;
    size_t hot_bytes; /* Of the block that begins with this structure. */
    void *block;      /* The block with all other tables. */
    size_t block_bytes;
    struct profile *profiles;
    const struct mmu_policy *policy; /* NULL: built-in. */
    struct mmu_load *load;           /* NULL: nobody asks; see mmu_load.h. */
    uint32_t n_pgs;
    uint32_t n_queues;
    uint32_t n_ports_live;
    uint32_t n_port_profiles;
    uint64_t reserved_cells[2]; /* Attached sizes, headroom pools. */
};

static_assert(offsetof(struct mmu, front) == 0, "see mmu_port_backlog()");
static_assert(offsetof(struct mmu, voq_max) <= 192, "three cache lines");

/* The pools after the configurable ones represent the unclaimed memory. */
static inline uint32_t
mmu_unclaimed_pool(const struct mmu *mmu, enum mmu_direction direction)
{
    return mmu->chip->pools + (uint32_t)direction;
}

/* Reports a packet that took the slow path, of which 'left_bytes' have left. */
void mmu_report__(struct mmu *mmu, uint32_t pg, uint32_t queue,
                  uint32_t left_bytes);

static inline void
mmu_report(struct mmu *mmu, uint32_t pg, uint32_t queue, uint32_t left_bytes)
{
    if (mmu->reports) {
        mmu_report__(mmu, pg, queue, left_bytes);
    }
}

/* Returns the master of descriptor 'n'. */
static inline uint32_t
mmu_master(const struct mmu *mmu, uint32_t n)
{
    return mmu->descs[n].is_copy ? mmu->descs[n].user : n;
}

/* Returns the rest of 'account', which is in 'table'. */
static inline struct account_more *
account_more(const struct account_table *table, const struct account *account)
{
    return &table->more[account - table->items];
}

/* More cells than any buffer has; still fits when shifted by ALPHA_BITS. */
#define ADMIT_MANY_CELLS (UINT64_C(1) << 48)

static inline uint64_t
sat_sub(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static inline uint64_t
min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t
max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns what a threshold comes to if 'free' cells are free; both cases of a
 * shift by 2^exponent are one. */
static inline uint64_t
threshold_cells(uint64_t free, const struct threshold *threshold)
{
    return (free << ALPHA_BITS >> threshold->shift) + threshold->fixed;
}

/* Returns the share of the port of an account, NULL if the port was removed. */
static inline struct share *
account_share(const struct mmu *mmu, const struct account_table *table,
              const struct account *account)
{
    uint32_t share = account_more(table, account)->share;

    return share == MMU_NONE ? NULL : &mmu->shares[share];
}

/* mmu_port.c */

/* Makes room for more descriptors, which may move in memory. */
void mmu_extend_descs__(struct mmu *mmu);

/* Recomputes how packets may take the fast path. */
void mmu_judge_path__(struct mmu *mmu);

/* mmu_xoff.c */

/* Asserts XOFF of ingress account 'account' and latches its resume point. */
void mmu_account_assert__(struct mmu *mmu, struct account *account);

/* Releases XOFF of 'account' or recomputes its resume point, after a change of
 * its limits. */
void mmu_account_rejudge__(struct mmu *mmu, struct account *account);

/* Releases XOFF of 'account' if it is asserted. */
void mmu_account_release__(struct mmu *mmu, struct account *account);

/* Releases XOFF of 'account' if its resume point is reached. */
void mmu_account_try_release__(struct mmu *mmu, struct account *account);

/* Asserts XOFF of all PGs whose limit fell to what they hold, after 'cells' of
 * 'account' (0: all went to its guarantee) were charged to the shared part of
 * its partition.  Called only on chips with 'xoff_by_others'. */
void mmu_xoff_others__(struct mmu *mmu, const struct account *account,
                       uint64_t cells);

/* mmu_load.c */

/* Returns the limit of 'account' of 'table', which has ACCOUNT_POLICY, if
 * 'free' cells are free and its port leaves no room for more than 'most'. */
uint64_t mmu_policy_limit__(const struct mmu *mmu,
                            const struct account_table *table,
                            const struct account *account, uint64_t free,
                            uint64_t most);

/* mmu_account.c */

/* Returns for how many items 'table' has memory. */
uint32_t mmu_account_room__(const struct account_table *table);

/* Opens the first account of 'owner', of the unclaimed memory. */
void mmu_account_first__(struct mmu *mmu, enum mmu_direction direction,
                         uint32_t owner);

/* Makes 'account' of 'table' one that drains. */
void mmu_account_retire__(struct account_table *table, struct account *account);

/* Returns the threshold that 'config' sets. */
struct threshold mmu_threshold__(const struct chip *chip,
                                 const struct mmu_profile_config *config);

/* Initialises the table of 'direction', of 'n' accounts. */
void mmu_accounts_init__(struct mmu *mmu, enum mmu_direction direction,
                         uint32_t n);

/* Returns the number of accounts that are neither in use nor promised. */
uint32_t mmu_accounts_left__(const struct account_table *table);

/* Makes the live account of 'owner' one of 'pool'; the previous one drains.
 * Returns false, and changes nothing, if no account is free. */
bool mmu_account_move__(struct mmu *mmu, enum mmu_direction direction,
                        uint32_t owner, uint32_t pool, uint32_t partition);

/* Applies 'profile' (NULL: none) to the live account of 'owner', which is of
 * the same pool, and updates XOFF. */
void mmu_account_apply__(struct mmu *mmu, enum mmu_direction direction,
                         uint32_t owner, const struct profile *profile);

/* Returns 'account' to its table. */
void mmu_account_free__(struct mmu *mmu, enum mmu_direction direction,
                        uint32_t account);

/* mmu_pool.c */

bool mmu_pool_exists__(const struct mmu *mmu, uint32_t pool);
enum st mmu_no_such_pool__(uint32_t pool, struct err *err);

/* Returns ST_OK if the reservations of 'direction' may change by 'plus' -
 * 'minus' cells. */
enum st mmu_reservation_check__(const struct mmu *mmu,
                                enum mmu_direction direction, uint64_t minus,
                                uint64_t plus, struct err *err);

/* The same for guarantees: where pools reserve their size, it counts too. */
enum st mmu_guarantee_check__(const struct mmu *mmu,
                              enum mmu_direction direction, uint64_t minus,
                              uint64_t plus, struct err *err);

/* Recomputes the unclaimed memory of 'direction'. */
void mmu_refresh_unclaimed__(struct mmu *mmu, enum mmu_direction direction);

/* Recomputes the limits of pool 'id' and of the pools that depend on it. */
void mmu_refresh_pool__(struct mmu *mmu, uint32_t id);

/* Recomputes the limits of all pools after a change of the number of ports. */
void mmu_refresh_all__(struct mmu *mmu);

/* mmu_profile.c */

/* Converts the sizes of all profiles of 'pool' again and applies them, after
 * its shared headroom was enabled or disabled. */
void mmu_profiles_rederive__(struct mmu *mmu, uint32_t pool);

/* Applies the profiles of all PGs of 'port' that are in 'pool' (MMU_NONE: any)
 * again. */
void mmu_port_reapply__(struct mmu *mmu, uint32_t port, uint32_t pool);

/* Detaches the profile of PG or queue 'owner' without giving it a new account,
 * because its port is being removed. */
void mmu_profile_forget__(struct mmu *mmu, enum mmu_direction direction,
                          uint32_t owner);

/* Adds 'n' (may be negative) users of 'profile' to the sums of its pool and to
 * the reservations. */
void mmu_profile_count__(struct mmu *mmu, const struct profile *profile,
                         int64_t n);

/* Checks whether 'profile' (MMU_NONE: none) of 'direction' may replace
 * 'old'. */
enum st mmu_attach_check__(const struct mmu *mmu, enum mmu_direction direction,
                           uint32_t old, uint32_t profile, struct err *err);

/* mmu_port_limit.c */

/* Returns the index of the share of 'port' in 'pool'. */
uint32_t mmu_port_limit_id__(const struct mmu *mmu, uint32_t port,
                             uint32_t pool);

/* Recomputes the sum of the headroom of the PGs of 'port' in 'pool'. */
void mmu_port_limit_refresh__(struct mmu *mmu, uint32_t port, uint32_t pool);

/* Applies the threshold of 'profile' to all ports that use it, and updates XOFF
 * of their PGs. */
void mmu_port_limit_spread__(struct mmu *mmu, uint32_t profile);
void mmu_port_limit_rejudge__(struct mmu *mmu, uint32_t profile);

/* Subtracts the cells of 'account' from the share of its port, which is being
 * removed. */
void mmu_port_limit_leave__(struct mmu *mmu, enum mmu_direction direction,
                            struct account *account);

/* Detaches all profiles of 'port' and clears its shares. */
void mmu_port_limit_forget__(struct mmu *mmu, uint32_t port);

#endif /* twin/mmu/mmu_state.h */
