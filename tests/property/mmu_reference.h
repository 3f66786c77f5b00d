/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_PROPERTY_MMU_REFERENCE_H
#define ORCHD_TESTS_PROPERTY_MMU_REFERENCE_H

/* A slow, obvious buffer, to compare the real one with.
 *
 * It keeps a list of packets and, per PG or queue and pool, the sum of what is
 * charged; everything else it recomputes by adding up, whenever it is asked.
 * There is one, and mmu_steps.h keeps it up to date. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/mmu/mmu.h"

enum {
    PORTS = 4,
    PER_PORT = 3, /* PGs, and queues. */
    OWNERS = PORTS * PER_PORT,
    POOLS = 6,
    PROFILES = 12,
    MAX_PACKETS = 4000,
    MAX_CHARGES = 2000,
    STEPS = 2500,
    SETUP = 160,
    COPIES = PORTS,
};

/* What one PG or queue has charged to one pool (NO_POOL: to none). */
struct charge {
    int owner; /* -1: of a port that is gone. */
    int pool;
    int part;
    uint64_t total;
    uint64_t headroom;
    uint64_t guarantee;
    uint32_t packets;
};

enum { NO_POOL = -1 };

struct packet {
    uint32_t id; /* Of the MMU. */
    int in;      /* Charges. */
    int out[COPIES];
    int queue[COPIES]; /* -1: left. */
    uint64_t order[COPIES];
    uint32_t length;
    uint64_t cells;
    uint64_t absorbed; /* Of these, not charged at ingress. */
};

struct dynamic_state {
    struct chip chip;
    struct mmu *mmu;
    uint64_t random;

    bool live[PORTS];
    struct {
        bool exists;
        struct mmu_pool_config config;
        uint32_t handle;
    } pools[POOLS];
    struct {
        bool exists;
        int pool;
        struct mmu_profile_config config;
        uint32_t handle;
    } profiles[PROFILES];
    int profile[2][OWNERS];         /* -1: none. */
    int port_profile[PORTS][POOLS]; /* -1: none. */
    uint32_t speed[PORTS];
    uint8_t extra[PORTS];

    struct charge charges[2][MAX_CHARGES];
    int n_charges[2];
    struct packet packets[MAX_PACKETS];
    int n_packets;
    uint64_t next_order;

    bool xoff[OWNERS];
    uint64_t resume[OWNERS];
    bool reported[OWNERS]; /* What the MMU said. */
};

/* The reference, and the buffer under test. */
extern struct dynamic_state m;

/* Returns a number below 'n'. */
uint64_t reference_random(uint64_t n);

/* Cells of a promise, and of a limit; a - b, at least 0. */
uint64_t reference_up(uint64_t bytes);
uint64_t reference_down(uint64_t bytes);
uint64_t reference_less(uint64_t a, uint64_t b);

/* What 'c' holds within its guarantee, and of what all share. */
uint64_t reference_reserved(const struct charge *c);
uint64_t reference_shared(const struct charge *c);

uint64_t reference_guarantee_of(int direction, int profile);

/* What PG 'pg' may have in headroom on its own; 0: it is lossy. */
uint64_t reference_own_headroom(int pg);

uint64_t reference_memory_used(void);
uint64_t reference_unclaimed(int direction);

/* What a partition of 'pool' shares. */
uint64_t reference_pool_limit(int direction, int pool);

/* The charge that what 'owner' gets next belongs to; -1: none yet. */
int reference_live_charge(int direction, int owner);

/* Decides for one side.  Returns the verdict; '*headroom' whether the cells
 * beyond the guarantee go there. */
enum mmu_drop reference_judge(int direction, int owner, uint64_t cells,
                              bool *headroom);

/* Whether 'cells' of a lossy packet are too many for 'queue'. */
bool reference_beyond_voq(int queue, uint64_t cells);

void reference_charge_add(int direction, int index, uint64_t cells,
                          bool headroom);
void reference_charge_remove(int direction, int index, uint64_t cells);

/* Begin and end XOFF, as after a packet came ('overflowed': it was refused, or
 * went to headroom) or left. */
void reference_try_assert(int pg, uint64_t cells, bool overflowed);
void reference_assert_others(int pg);
void reference_try_release(int pg);

/* Bring the charge of 'owner', and the flow state of 'pg', in line with a
 * changed configuration. */
void reference_reapply(int direction, int owner);
void reference_rejudge(int pg);

#endif /* tests/property/mmu_reference.h */
