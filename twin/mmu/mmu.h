/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_MMU_MMU_H
#define ORCHD_TWIN_MMU_MMU_H

/* The shared packet buffer of a switch ASIC, cell by cell.
 *
 * Problem: at which packet does PFC fire, at which does the first drop fall,
 * what do the watermarks say?  The answer must equal that of hardware to the
 * packet, so all arithmetic is in integers, and every packet is admitted
 * individually instead of by a closed formula.
 *
 * Model.  A packet from port s to port d is charged at once to an ingress
 * priority group (PG) of s and its ingress pool, and to an egress queue of d
 * and its egress pool.  It is admitted only if both sides admit it.
 *   - Ingress, in this order: the PG's guarantee; the shared cells of the
 *     pool's partition up to the PG's threshold (static, or alpha * free);
 *     the PG's headroom (own, or out of the shared headroom pool); else drop.
 *   - Egress: the queue's guarantee; shared cells up to its threshold; drop.
 * Cells are returned in the reverse order: headroom, shared, guarantee.  So the
 * levels depend only on how much is held, not on the order in which packets
 * arrived.
 *   - A PG that reaches its threshold asserts XOFF, and releases it when it
 *     has drained to its resume point (the chip defines which).
 *   - A PG or queue without a profile has no guarantee, and admits against the
 *     memory that no pool of its direction claims.
 * A packet with copies for several queues is charged once at ingress and for
 * every copy at egress.
 *
 * Configuration.  Pools, profiles and their attachments may change at any time,
 * even under load.  Packets stay charged to the pool that admitted them: a PG
 * that moves to another pool leaves an *account* behind, which drains as its
 * packets leave.  Limits are recomputed when the configuration changes, not per
 * packet.
 *
 * Identities.  Ports are slots 0..ports-1; a PG is mmu_pg_id(), a queue
 * mmu_queue_id() of a port and an index.  Those of one port are consecutive,
 * followed by those of the next port.  Pools and profiles are small handles.  A
 * packet is an index below mmu_packet_capacity(), valid from its admission
 * until its last copy is dequeued.  The caller may keep data of its own in an
 * array indexed by it, or, which saves a cache line per packet, let the buffer
 * keep one number: mmu_admit().
 *
 * Cost: enqueue and dequeue are O(1); memory is allocated only while more PGs,
 * queues or packets are in use than ever before.
 * Configuration calls return a status for bad handles; the packet calls trust
 * their arguments.
 *
 * Reference: Choudhury and Hahne, "Dynamic queue length thresholds for
 * shared-memory packet switches" (1998); IEEE 802.1Q-2018 clause 36. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "twin/chip/chip.h"

struct mmu;

/* No pool, no profile, no packet. */
#define MMU_NONE UINT32_MAX

/* Why a packet was not admitted, or left without being transmitted.
 * X(member, slug, whether it counts at the egress port). */
#define MMU_DROPS(X)                                                           \
    X(ADMITTED, "admitted", false)                                             \
    /* Above the PG's threshold; lossy. */                                     \
    X(INGRESS_PG, "ingress-pg", false)                                         \
    X(INGRESS_PORT, "ingress-port", false) /* Above the threshold of its       \
                                            * port. */                         \
    X(INGRESS_POOL, "ingress-pool", false) /* No shared cells are free. */     \
    /* Lossless, and the headroom of its PG or port is used up. */             \
    X(HEADROOM, "headroom", false)                                             \
    X(HEADROOM_POOL, "headroom-pool", false) /* The shared pool is used up. */ \
    X(EGRESS_QUEUE, "egress-queue", true) /* Above the queue's threshold. */   \
    X(EGRESS_PORT, "egress-port", true)                                        \
    X(EGRESS_POOL, "egress-pool", true)                                        \
    X(EGRESS_VOQ, "egress-voq", true) /* Above the limit on any virtual output \
                                       * queue. */                             \
    X(WRED, "wred", true)             /* Random early detection:               \
                                       * mmu_refuse(). */                      \
    X(NO_BUFFER, "no-buffer", false)  /* No memory is free. */                 \
    X(FLUSHED, "flushed", true)       /* Its queue was flushed. */             \
    X(ADMIN_DOWN, "admin-down", true) /* Its port was shut down. */            \
    X(AGED, "aged", true)             /* It waited for too long. */            \
    X(DEADLOCK, "deadlock", true)     /* Its queue recovers from a PFC         \
                                       * deadlock. */

enum mmu_drop {
#define X(member, slug, is_egress) MMU_##member,
    MMU_DROPS(X)
#undef X
        MMU_N_DROPS
};

enum mmu_direction { MMU_INGRESS, MMU_EGRESS };

struct mmu_pool_config {
    enum mmu_direction direction;
    uint64_t size_bytes;
    uint64_t xoff_bytes; /* Ingress: shared headroom pool; 0: private. */
};

/* Unused members are 0.  The profile decides whether a threshold is static, not
 * the pool (whose mode is only a default for profiles). */
struct mmu_profile_config {
    uint32_t pool;
    uint64_t reserved_bytes;
    bool is_static;
    int dynamic_th;        /* alpha = 2^dynamic_th; some chips differ. */
    uint64_t static_bytes; /* 0: no limit; some chips differ. */
    uint64_t xoff_bytes;   /* Headroom; 0: lossy. */
    uint64_t xon_bytes;
    uint64_t xon_offset_bytes;
};

/* Called when 'pg' asserts ('xoff') or releases XOFF, at the end of the call
 * that caused it.  Must only read the MMU. */
typedef void mmu_xoff_fn(void *context, uint32_t pg, bool xoff);

struct mmu_options {
    mmu_xoff_fn *flow; /* May be NULL. */
    void *context;
    uint32_t packets; /* Descriptors; 0: one per cell, plus some for copies. */
    struct line_pool *memory; /* For what packets need; borrowed.  NULL: one of
                               * its own. */
};

/* Called when a packet from 'pg' to 'queue' was admitted or dropped at its
 * arrival, or has left, at the end of that.  Must only read the MMU. */
typedef void mmu_watch_fn(void *context, uint32_t pg, uint32_t queue);

/* Returns a new MMU for 'chip', which must outlive it, without pools,
 * profiles and ports.  'options' may be NULL.  End with mmu_destroy(). */
struct mmu *mmu_create(const struct chip *chip,
                       const struct mmu_options *options);

/* Frees 'mmu' with all packets in it.  Accepts NULL. */
void mmu_destroy(struct mmu *mmu);

const struct chip *mmu_chip(const struct mmu *mmu);

/* Has 'watch' called for each packet from now on; NULL: nothing.  All packets
 * take the slow path meanwhile, and mmu_pass() takes none: the levels are the
 * same, and without a watch there is no cost. */
void mmu_set_watch(struct mmu *mmu, mmu_watch_fn *watch, void *context);

/* Identity of PG or queue 'index' of 'port'. */
uint32_t mmu_pg_id(const struct mmu *mmu, uint32_t port, uint32_t index);
uint32_t mmu_queue_id(const struct mmu *mmu, uint32_t port, uint32_t index);

/* Ports --------------------------------------------------------------- */

/* Adds 'port' in 'partition', with PGs and queues without profiles and counters
 * at 0.  ST_EXISTS if it exists, ST_INVALID if there is no such slot or
 * partition, ST_BUSY while too many accounts of removed ports have not
 * drained. */
enum st mmu_port_add(struct mmu *mmu, uint32_t port,
                     uint32_t partition) ST_WARN_UNUSED;

/* Removes 'port': discards its queued packets and detaches its profiles.
 * Packets that arrived at it and wait at other ports drain normally.
 * ST_NOT_FOUND. */
enum st mmu_port_remove(struct mmu *mmu, uint32_t port) ST_WARN_UNUSED;

/* Returns the partition of 'port', which exists. */
uint32_t mmu_port_partition(const struct mmu *mmu, uint32_t port);

/* Sets the speed of 'port', on which the headroom of some chips depends. */
void mmu_port_set_speed(struct mmu *mmu, uint32_t port, uint32_t speed_mbps);

/* Makes each packet that arrives at 'port' take 'bytes' (initially 0) more of
 * the buffer than its length, on both sides.  Counters of bytes stay those of
 * lengths.  Packets in the buffer keep what they have. */
void mmu_port_set_extra(struct mmu *mmu, uint32_t port, uint8_t bytes);

/* Discard the packets of 'queue', or of all queues of 'port', for reason 'why'.
 * Returns the number of packets. */
uint64_t mmu_queue_flush(struct mmu *mmu, uint32_t queue, enum mmu_drop why);
uint64_t mmu_port_flush(struct mmu *mmu, uint32_t port, enum mmu_drop why);

/* Pools --------------------------------------------------------------- */

/* Creates a pool.  ST_INVALID (egress pool with headroom, size beyond 2^48
 * bytes), ST_NO_RESOURCE (no free handle). */
enum st mmu_pool_create(struct mmu *mmu, const struct mmu_pool_config *config,
                        uint32_t *pool, struct err *err) ST_WARN_UNUSED;

/* Changes size or headroom; the direction cannot change (ST_INVALID).
 * ST_NO_RESOURCE if reservations would exceed the memory. */
enum st mmu_pool_set(struct mmu *mmu, uint32_t pool,
                     const struct mmu_pool_config *config,
                     struct err *err) ST_WARN_UNUSED;

/* Removes a pool; ST_BUSY while a profile refers to it.  Cells still charged to
 * it drain; its handle is not reused before that. */
enum st mmu_pool_remove(struct mmu *mmu, uint32_t pool,
                        struct err *err) ST_WARN_UNUSED;

/* Current occupancy, and watermarks since they were last cleared, in cells.
 * Each partition has its own watermarks, as in hardware.  Those of a pool are
 * their sums, so on a chip with several partitions they may exceed any real
 * level. */
struct mmu_pool_stats {
    uint64_t reserved; /* Cells within guarantees. */
    uint64_t shared;
    uint64_t headroom;
    uint64_t shared_watermark;
    uint64_t headroom_watermark;
    uint64_t shared_limit;   /* S of one partition. */
    uint64_t shared_size;    /* SIZE less all reservations, in all
                              * partitions. */
    uint64_t headroom_limit; /* Of one partition; UINT64_MAX: none. */
    uint64_t dropped_packets;
};

enum st mmu_pool_get(const struct mmu *mmu, uint32_t pool,
                     struct mmu_pool_stats *stats) ST_WARN_UNUSED;

/* Profiles ------------------------------------------------------------ */

/* Creates a profile.  ST_INVALID (no such pool, sizes beyond 2^48 bytes,
 * dynamic_th outside -128..127, headroom on an egress pool), ST_NO_RESOURCE. */
enum st mmu_profile_create(struct mmu *mmu,
                           const struct mmu_profile_config *config,
                           uint32_t *profile, struct err *err) ST_WARN_UNUSED;

/* Changes a profile and all PGs, queues and ports that use it.  The pool cannot
 * change (ST_INVALID).  ST_NO_RESOURCE if reservations would exceed the
 * memory. */
enum st mmu_profile_set(struct mmu *mmu, uint32_t profile,
                        const struct mmu_profile_config *config,
                        struct err *err) ST_WARN_UNUSED;

/* Removes a profile; ST_BUSY while it is attached. */
enum st mmu_profile_remove(struct mmu *mmu, uint32_t profile,
                           struct err *err) ST_WARN_UNUSED;

/* Attach 'profile' (MMU_NONE: detach) to a PG or queue of an existing port.
 * ST_INVALID (wrong handle or direction), ST_NO_RESOURCE (reservations would
 * exceed the memory), ST_BUSY (too many accounts of other pools drain). */
enum st mmu_pg_attach(struct mmu *mmu, uint32_t pg, uint32_t profile,
                      struct err *err) ST_WARN_UNUSED;
enum st mmu_queue_attach(struct mmu *mmu, uint32_t queue, uint32_t profile,
                         struct err *err) ST_WARN_UNUSED;

/* Attaches 'profile' (MMU_NONE: detach) to 'port' as a whole in 'pool': it
 * limits what all PGs, or queues, of the port share there.  A port has at most
 * one profile per pool.  Fails as above, and with ST_INVALID for a profile of
 * another pool. */
enum st mmu_port_attach(struct mmu *mmu, uint32_t port, uint32_t pool,
                        uint32_t profile, struct err *err) ST_WARN_UNUSED;
uint32_t mmu_port_profile(const struct mmu *mmu, uint32_t port, uint32_t pool);

/* Returns the attached profile, MMU_NONE if there is none. */
uint32_t mmu_pg_profile(const struct mmu *mmu, uint32_t pg);
uint32_t mmu_queue_profile(const struct mmu *mmu, uint32_t queue);

/* Returns the pool of 'profile', which exists. */
uint32_t mmu_profile_pool(const struct mmu *mmu, uint32_t profile);

/* Packets ------------------------------------------------------------- */

/* Returns what all packet indices are below.  None is 0. */
uint32_t mmu_packet_capacity(const struct mmu *mmu);

/* Offers a packet of 'length_bytes' from 'pg' to 'queue'.  Returns MMU_ADMITTED
 * and stores its index in '*packet', or returns why it was dropped. */
enum mmu_drop mmu_enqueue(struct mmu *mmu, uint32_t pg, uint32_t queue,
                          uint32_t length_bytes, uint32_t *packet);

/* Does what mmu_enqueue() and then mmu_dequeue() do for a packet that leaves at
 * once, in one step that stores nothing.  Returns false, and changes nothing,
 * unless 'queue' is empty and the packet is one of those that the buffer
 * handles fast: the caller then takes the two steps. */
bool mmu_pass(struct mmu *mmu, uint32_t pg, uint32_t queue,
              uint32_t length_bytes);

/* Offers one packet to 'n' different queues.  Ingress admits or drops it as a
 * whole; if it drops it, all 'drops[i]' are the reason.  Otherwise each queue
 * decides on its own copy, and 'drops[i]' is MMU_ADMITTED or a reason of the
 * egress side.  Returns the number of copies admitted; sets '*packet' if that
 * is not 0. */
uint32_t mmu_enqueue_copies(struct mmu *mmu, uint32_t pg,
                            const uint32_t *queues, uint32_t n,
                            uint32_t length_bytes, uint32_t *packet,
                            enum mmu_drop *drops);

/* The same as mmu_enqueue(), for callers that need no index: keeps 'user', any
 * number, which mmu_dequeue() returns with the packet.  With an engine that
 * owns the packets of all buffers, it is the packet's number there.  Admission
 * and departure are one call each, and neither allocates memory. */
enum mmu_drop mmu_admit(struct mmu *mmu, uint32_t pg, uint32_t queue,
                        uint32_t length_bytes, uint32_t user);

/* Changes, and returns, the caller's number of 'packet'; 0 if it was never set.
 * All copies have the same. */
void mmu_set_user(struct mmu *mmu, uint32_t packet, uint32_t user);
uint32_t mmu_user(const struct mmu *mmu, uint32_t packet);

struct mmu_departure {
    uint32_t packet;
    uint32_t pg;
    uint32_t length_bytes;
    uint32_t user; /* See mmu_admit(). */
    bool is_last;  /* It was the last copy; the index may be reused. */
};

/* Takes the oldest packet out of 'queue'.  Returns false if the queue is
 * empty. */
bool mmu_dequeue(struct mmu *mmu, uint32_t queue,
                 struct mmu_departure *departure);

/* Returns the cells that the packets of 'queue' occupy. */
uint64_t mmu_queue_cells(const struct mmu *mmu, uint32_t queue);

/* Counts a packet from 'pg' to 'queue' that the caller drops instead of
 * offering it, for reason 'why' of the egress side (MMU_WRED). */
void mmu_refuse(struct mmu *mmu, uint32_t pg, uint32_t queue,
                uint32_t length_bytes, enum mmu_drop why);

/* Admits what is left of a packet from 'pg' that another queue has refused, and
 * stores its index in '*packet'.  Returns false if the PG or 'queue' does not
 * admit it.  The arrival and the refusal are those of the whole packet, so
 * neither counts here. */
bool mmu_requeue(struct mmu *mmu, uint32_t pg, uint32_t queue,
                 uint32_t length_bytes, uint32_t *packet);

/* Takes the oldest packet out of 'queue' to discard it for reason 'why'
 * (MMU_AGED, MMU_DEADLOCK).  Returns false if the queue is empty. */
bool mmu_discard(struct mmu *mmu, uint32_t queue, enum mmu_drop why,
                 struct mmu_departure *departure);

/* Returns the oldest packet of 'queue' without taking it out, MMU_NONE if the
 * queue is empty. */
uint32_t mmu_queue_head(const struct mmu *mmu, uint32_t queue);

/* Fetch into the cache what an admission from 'pg' (MMU_NONE: none) to 'queue'
 * or a departure will need: the buffer; where the PG and the queue are; the PG
 * and the queue; what both charge.  Of a departure: 'packet', and then the PG
 * of 'packet'.  Each needs what those before it have fetched. */
void mmu_foresee_buffer(const struct mmu *mmu);
void mmu_foresee_places(const struct mmu *mmu, uint32_t pg, uint32_t queue);
void mmu_foresee(const struct mmu *mmu, uint32_t pg, uint32_t queue);
void mmu_foresee_charges(const struct mmu *mmu, uint32_t pg, uint32_t queue);
void mmu_foresee_packet(const struct mmu *mmu, uint32_t packet);
void mmu_foresee_departure(const struct mmu *mmu, uint32_t packet);

/* Returns the packet number that the next admission will use, MMU_NONE if none
 * is known. */
uint32_t mmu_next_packet(const struct mmu *mmu);

/* The first member of every buffer, for mmu_port_backlog() only. */
struct mmu_front {
    uint64_t *backlogs; /* By port: a bit per queue that is not empty. */
};

/* Returns a bit per non-empty queue of 'port'. */
static inline uint64_t
mmu_port_backlog(const struct mmu *mmu, uint32_t port)
{
    const struct mmu_front *front = (const struct mmu_front *)(const void *)mmu;

    return front->backlogs[port];
}

/* Fetches into the cache what mmu_port_backlog() will need. */
static inline __attribute__((always_inline)) void
mmu_foresee_backlog(const struct mmu *mmu, uint32_t port)
{
    const struct mmu_front *front = (const struct mmu_front *)(const void *)mmu;

    __builtin_prefetch(&front->backlogs[port]);
}

/* State --------------------------------------------------------------- */

/* In cells, except for the packet and byte counters. */
struct mmu_pg_stats {
    uint64_t packets; /* Received, including dropped ones. */
    uint64_t bytes;
    uint64_t dropped_packets; /* At ingress. */
    uint64_t reserved;
    uint64_t shared;
    uint64_t headroom;
    uint64_t shared_watermark;
    uint64_t headroom_watermark;
    uint64_t total_watermark; /* Of reserved, shared and headroom together. */
    uint64_t guarantee;
    uint64_t limit; /* Current limit on 'shared'; UINT64_MAX: none. */
    uint64_t headroom_limit;
    bool is_xoff;
};

void mmu_pg_get(const struct mmu *mmu, uint32_t pg, struct mmu_pg_stats *stats);

struct mmu_queue_stats {
    uint64_t packets; /* Dequeued, for transmission. */
    uint64_t bytes;
    uint64_t dropped_packets;
    uint64_t dropped_bytes;
    uint64_t queued_packets;
    uint64_t reserved;
    uint64_t shared;
    uint64_t shared_watermark;
    uint64_t total_watermark; /* Of reserved and shared together. */
    uint64_t guarantee;
    uint64_t limit;
};

void mmu_queue_get(const struct mmu *mmu, uint32_t queue,
                   struct mmu_queue_stats *stats);

/* Adds how many packets of 'pg' (MMU_NONE: of all) 'queue' holds, and their
 * bytes, to '*packets' and '*bytes'.  Visits all that it holds. */
void mmu_queue_count(const struct mmu *mmu, uint32_t queue, uint32_t pg,
                     uint64_t *packets, uint64_t *bytes);

/* Returns whether 'pg' has asserted XOFF. */
bool mmu_pg_is_xoff(const struct mmu *mmu, uint32_t pg);

/* Watermarks that can be cleared individually.  A cleared watermark restarts at
 * the current occupancy. */
enum {
    MMU_WATERMARK_SHARED = 1 << 0,
    MMU_WATERMARK_HEADROOM = 1 << 1,
    MMU_WATERMARK_TOTAL = 1 << 2, /* Of PGs and queues only. */
    MMU_WATERMARK_ALL = 7,
};

void mmu_pg_clear_watermarks(struct mmu *mmu, uint32_t pg, unsigned int which);
void mmu_queue_clear_watermarks(struct mmu *mmu, uint32_t queue,
                                unsigned int which);
void mmu_pool_clear_watermarks(struct mmu *mmu, uint32_t pool,
                               unsigned int which);

/* Return the cells in use, and the unclaimed memory of 'direction', which
 * serves PGs or queues without a profile: at ingress the memory less all pools
 * with their headroom; at egress, where pools overlap by design, the memory
 * less the largest pool. */
uint64_t mmu_used_cells(const struct mmu *mmu);
uint64_t mmu_unclaimed_cells(const struct mmu *mmu,
                             enum mmu_direction direction);

/* What a buffer takes, in bytes.  PGs and queues count once they have had a
 * packet or a profile; tables beyond that are reserved, but never touched. */
struct mmu_memory {
    uint64_t hot;      /* What packets touch, without the packets. */
    uint64_t cold;     /* What only configuration, statistics, drops and XOFF
                        * touch. */
    uint64_t packets;  /* As many as ever were in the buffer at a time. */
    uint64_t reserved; /* Address space of all of it. */
};

/* Returns how many arrivals and departures of packets took the slow path, which
 * is a matter of time only: for benchmarks. */
uint64_t mmu_slow_count(const struct mmu *mmu);

void mmu_memory(const struct mmu *mmu, struct mmu_memory *memory);

/* Return the stable lower-case name of 'drop', and whether it counts at the
 * egress port of the packet instead of its ingress port. */
const char *mmu_drop_name(enum mmu_drop drop);
bool mmu_drop_is_egress(enum mmu_drop drop);

/* Returns the number of packets dropped at 'port' for reason 'why' since it was
 * added. */
uint64_t mmu_port_drops(const struct mmu *mmu, uint32_t port,
                        enum mmu_drop why);

/* Recomputes all sums from the packets and compares: accounts with packets,
 * pools with accounts, levels with guarantees and each other, memory.  Returns
 * NULL if all invariants hold, else a sentence that describes the violation.
 * Slow; for tests. */
const char *mmu_check(const struct mmu *mmu);

#endif /* twin/mmu/mmu.h */
