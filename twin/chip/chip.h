/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_CHIP_CHIP_H
#define ORCHD_TWIN_CHIP_CHIP_H

/* The properties of a switch ASIC that the twin depends on, as plain data.
 *
 * Motivation: chips of different families share mechanisms (guarantees, dynamic
 * thresholds, headroom) and differ in how they combine and round them. The twin
 * implements the mechanisms; a 'struct chip' selects among them. The twin never
 * asks for a chip by name.
 *
 * Usage: twin/chip/yaml fills one from a file; a test may start with
 * chip_init() and change members. A chip is constant while in use: an MMU keeps
 * a pointer to its chip throughout its lifetime.
 *
 * Units: all counters of the MMU are in *cells*. On a chip that counts bytes a
 * cell is one byte, so 'cell_bytes' is 1 there. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "twin/chip/chip_trimming.h"

struct arena;

/* X(member, text in chip files) for each enumeration below. */
#define CHIP_UNITS(X)                                                          \
    X(CELL, "cell")                                                            \
    X(BYTE, "byte")
#define CHIP_PORT_PARTITIONS(X)                                                \
    X(BLOCK, "block") /* Neighbouring ports share a partition. */              \
    X(INTERLEAVE, "interleave")                                                \
    X(LIST, "list")
#define CHIP_GUARANTEES(X)                                                     \
    X(SIZE, "size") /* The reserved size of the profile. */                    \
    X(SIZE_MINUS_XOFF, "size_minus_xoff")                                      \
    X(NONE, "none")
#define CHIP_THRESHOLDS(X)                                                     \
    X(CHARGE_THEN_CHECK, "charge_then_check")                                  \
    X(CHECK_THEN_CHARGE, "check_then_charge")                                  \
    /* The level with the packet against the threshold without it; XOFF at the \
     * threshold. */                                                           \
    X(CHECK_BEFORE, "check_before")
#define CHIP_XOFFS(X)                                                          \
    X(IN_HEADROOM, "in_headroom") /* With the first packet in headroom. */     \
    X(BEFORE_HEADROOM, "before_headroom") /* With the last one before it. */
#define CHIP_XONS(X)                                                           \
    X(RELATIVE_LATCHED, "relative_latched")                                    \
    X(ABSOLUTE, "absolute")                                                    \
    X(RELATIVE, "relative") /* To the limit at the time of each departure. */
#define CHIP_HEADROOMS(X)                                                      \
    X(PER_PG, "per_pg")                                                        \
    X(PER_PORT_SHARE, "per_port_share") /* Shared by the PGs of a port. */
#define CHIP_PORT_ALPHAS(X)                                                    \
    X(NONE, "none")               /* No dynamic port thresholds. */            \
    X(INDEPENDENT, "independent") /* Beside those of PGs and queues. */        \
    X(NESTED, "nested")
#define CHIP_EGRESS_SHARED(X)                                                  \
    X(OWN_POOL, "own_pool") /* The size of the egress pool. */                 \
    X(INGRESS_SHARED, "ingress_shared")

/* Admission policies (twin/mmu/mmu_policy.h), by their names there. */
#define CHIP_ADMISSIONS(X)                                                     \
    X(BUILT_IN, "built_in")                                                    \
    X(DT, "dt")                                                                \
    X(COMPLETE_SHARING, "complete_sharing")                                    \
    X(STATIC, "static")                                                        \
    X(ABM, "abm")

#define CHIP_ECN_MARKS(X)                                                      \
    X(DEQUEUE, "dequeue") /* By the queue that a frame leaves behind. */       \
    X(ENQUEUE, "enqueue") /* By the queue that a frame finds. */

#define X(member, text) CHIP_UNIT_##member,
enum chip_unit { CHIP_UNITS(X) };
#undef X
#define X(member, text) CHIP_PORT_PARTITION_##member,
enum chip_port_partition { CHIP_PORT_PARTITIONS(X) };
#undef X
#define X(member, text) CHIP_GUARANTEE_##member,
enum chip_guarantee { CHIP_GUARANTEES(X) };
#undef X
#define X(member, text) CHIP_THRESHOLD_##member,
enum chip_threshold { CHIP_THRESHOLDS(X) };
#undef X
#define X(member, text) CHIP_XOFF_##member,
enum chip_xoff { CHIP_XOFFS(X) };
#undef X
#define X(member, text) CHIP_XON_##member,
enum chip_xon { CHIP_XONS(X) };
#undef X
#define X(member, text) CHIP_ECN_MARK_##member,
enum chip_ecn_mark { CHIP_ECN_MARKS(X) };
#undef X
#define X(member, text) CHIP_HEADROOM_##member,
enum chip_headroom { CHIP_HEADROOMS(X) };
#undef X
#define X(member, text) CHIP_PORT_ALPHA_##member,
enum chip_port_alpha { CHIP_PORT_ALPHAS(X) };
#undef X
#define X(member, text) CHIP_ADMISSION_##member,
enum chip_admission { CHIP_ADMISSIONS(X) };
#undef X
#define X(member, text) CHIP_EGRESS_SHARED_##member,
enum chip_egress_shared { CHIP_EGRESS_SHARED(X) };
#undef X

/* Exponents of alpha that are not powers of two. */
enum {
    CHIP_ALPHA_ZERO = -128,     /* Nothing may be shared. */
    CHIP_ALPHA_UNLIMITED = 127, /* The threshold never limits. */
};

/* How S, the cells that the PGs of one partition may share, follows from the
 * configured ingress pool. Terms are subtracted before the division, regardless
 * of their order in the file. */
struct chip_shared_limit {
    uint64_t fixed_bytes;    /* If not 0: start here, not at the pool's size. */
    bool minus_shp;          /* Less the shared headroom pool. */
    bool minus_pg_size;      /* Less the reserved size of attached profiles. */
    bool minus_pg_min;       /* Less the guarantees of attached PGs. */
    uint64_t per_port_cells; /* Less this number per existing port. */
    bool minus_extra;        /* Less 'extra_cells', once. */
    bool divided;            /* By the number of partitions. */
};

/* A number that depends on the speed of a port. */
struct chip_speed_value {
    uint32_t speed_mbps;
    uint32_t value;
};

/* Sorted by speed. 'otherwise' is for a speed that is not listed. With 'steps'
 * each value holds up to the next speed, and 'otherwise' is for a speed below
 * all of them. */
struct chip_by_speed {
    bool steps;
    uint32_t otherwise;
    const struct chip_speed_value *items;
    size_t n;
};

/* The inputs of headroom calculation.  Those of SONiC's ASIC_TABLE come first;
 * it has fractional kilobytes, which are stored in thousandths here. */
struct chip_headroom_params {
    uint32_t cell_size_bytes;
    uint32_t pipeline_latency_milli_kb;
    uint32_t mac_phy_delay_milli_kb;
    uint32_t peer_response_time_milli_kb;
    uint32_t port_reserved_shp_cells;
    uint32_t port_max_shp_cells; /* 0: no limit. */

    /* The control plane infers these from the chip's name
     * (orchd/derive/platform.h); a chip file does not have them. */
    uint32_t tile_ns;          /* A packet waits this long for another tile. */
    uint32_t extra_xoff_bytes; /* On top of what the formula gives. */

    /* SAI_PORT_ATTR_QOS_MAXIMUM_HEADROOM_SIZE, not in ASIC_TABLE. */
    uint64_t max_headroom_bytes; /* Per port; 0: the chip reports none. */
};

/* The memory for access lists of a stage: tables, and entries of all of
 * them. */
struct chip_access {
    uint32_t tables;
    uint32_t entries;
};

/* A chassis of line cards with virtual output queues (twin/switch/voq.h).  Each
 * partition of the buffer is a line card, with the ports of that partition. */
struct chip_voq {
    uint32_t credit_bytes;        /* 0: the chip is no chassis. */
    uint32_t credit_rate_percent; /* Of the speed of a port: at least 100. */
    uint32_t credit_rtt_ns;       /* From a request to the frame's departure. */
    uint32_t egress_bytes; /* On-chip memory behind the fabric, by port: what
                            * was granted and has not been sent. */
    uint32_t cell_payload_bytes;
    uint32_t cell_header_bytes;
    uint32_t fabric_links;     /* Of each line card, in each direction. */
    uint32_t fabric_link_mbps; /* Of one of them. */
    uint32_t fabric_latency_ns;
    uint32_t sram_bytes; /* A queue that has more moves to DRAM. */
    uint32_t dram_mbps;  /* Of a line card: reads and writes together. */
    uint32_t dram_latency_ns;
};

struct chip {
    const char *name;
    const char *platform;      /* Rule set of the control plane. */
    const char *const *hwskus; /* Patterns: '*' is any text, '?' one char. */
    size_t n_hwskus;

    /* Occupancy of a packet: its length plus overhead, rounded up to
     * 'packet_round_bytes', in whole cells.  A chip that counts bytes but
     * stores whole cells has cells of 1 byte and rounds to its cells. */
    enum chip_unit unit;
    uint32_t cell_bytes;
    uint32_t packet_overhead_bytes;
    uint32_t packet_round_bytes; /* 0 and 1: not at all. */

    /* Memory and its units of admission. */
    uint64_t memory_bytes;
    uint32_t partitions; /* At least 1. */
    enum chip_port_partition port_partition;
    const uint32_t *partition_list; /* For LIST: by front-panel position. */
    size_t n_partition_list;

    /* Ingress. */
    struct chip_shared_limit shared_limit;
    uint64_t extra_cells;
    uint64_t pool_round_bytes; /* The size of an ingress pool is rounded up to a
                                * multiple of it; 0 and 1: not. */
    bool pools_reserve; /* Guarantees must fit beside size and xoff of pools. */
    enum chip_guarantee pg_guarantee;
    enum chip_threshold threshold;
    /* When a chip that checks first asserts XOFF.  One that charges first does
     * so when the next packet would go to headroom. */
    enum chip_xoff xoff;
    /* Whether a lossless PG also asserts XOFF when cells of others lower its
     * limit to what it holds, without a packet of its own. */
    bool xoff_by_others;
    enum chip_xon xon;
    enum chip_headroom headroom;
    struct chip_by_speed headroom_overhead; /* Cells, of private headroom. */
    int8_t alpha_exponents[256];            /* By dynamic_th + 128. */
    bool static_zero_blocks; /* Else a static threshold of 0 means none. */

    /* Both directions. */
    enum chip_port_alpha port_alpha;
    enum chip_admission admission;
    /* Whether shared watermarks of PGs and pools include what is within
     * guarantees. */
    bool watermark_with_reserved;
    /* What the headroom watermark of a pool is multiplied by. */
    uint32_t headroom_watermark_factor;

    /* Egress. */
    enum chip_threshold egress_threshold;
    enum chip_ecn_mark ecn_mark_at; /* When ECN marks ECT frames. */
    enum chip_egress_shared egress_shared;
    uint32_t egress_lag_cells; /* The pool counter lags by this much. */
    /* Cells of a lossy packet that the guarantee of its queue covers are not
     * charged to its PG. */
    bool egress_pg_absorbs_queue_min;
    /* A lossy queue stays below this; 0: no limit.  With a limit the queues are
     * in one memory, which partitions do not divide. */
    uint64_t voq_cap_bytes;
    struct chip_voq voq;
    /* The number of packets outside of the buffer that a port holds while it
     * cannot send.  'leaks' tells whether the twin counts them; else those who
     * compare measurements have compensated for them. */
    struct chip_by_speed leak_out;
    bool leaks;

    /* How many times slower the lines of all ports are than their speed says,
     * set by the user of the chip; 0: not at all.  What is sized by speed stays
     * as it is. */
    uint32_t line_dilation;

    /* The ports whose packets take the FCS (4 bytes) in the buffer, too, set by
     * the user of the chip: all, or those whose first lane, counted
     * from 0, is in 'fcs_lanes'. */
    bool fcs_everywhere;
    const uint32_t *fcs_lanes;
    size_t n_fcs_lanes;
    uint64_t packet_age_us; /* Longest time in a queue; 0: no limit. */

    /* Ports.  'ports' can exist at a time; 'default_ports' exist at start, with
     * 'lanes_per_port' consecutive lanes each from 'first_lane'. */
    uint32_t ports;
    uint32_t default_ports;
    uint32_t lanes_per_port;
    uint32_t first_lane;
    uint32_t last_lane; /* Of any port; 0: not limited. */
    uint32_t port_speed_mbps;
    uint32_t queues_per_port; /* At most 64. */
    uint32_t unicast_queues_per_port;
    uint32_t pgs_per_port; /* At most 64. */
    uint32_t cpu_queues;   /* Of the CPU port; 0: none. */
    uint32_t tcs;          /* Traffic classes. */

    /* Maximum number of objects. */
    uint32_t pools;
    uint32_t profiles;
    struct chip_access ingress_acl;
    struct chip_access egress_acl;
    uint32_t acl_counters; /* Of both stages. */

    struct chip_trimming trimming;

    struct chip_headroom_params headroom_params;

    /* For a loaded chip, else NULL. */
    struct arena *arena; /* Owns all of the above. */
    const char *source;  /* The text of its file, to parse again. */
    const char *origin;  /* The file's name in messages. */
};

/* Initializes '*chip' as an unnamed chip with the defaults of chip files: cells
 * of 256 bytes, one partition, 160 MiB, 8 PGs and 20 queues per port, up to
 * 1,024 ports of which none exists at start, S = pool - shared headroom pool -
 * guarantees. */
void chip_init(struct chip *chip);

/* Returns the cells that a packet of 'length_bytes' occupies, at least 1. */
uint32_t chip_packet_cells(const struct chip *chip, uint32_t length_bytes);

/* Convert, rounding down or up.  Pool sizes are rounded down, guarantees of one
 * PG or queue up. */
uint64_t chip_bytes_to_cells(const struct chip *chip, uint64_t bytes);
uint64_t chip_bytes_to_cells_up(const struct chip *chip, uint64_t bytes);
uint64_t chip_cells_to_bytes(const struct chip *chip, uint64_t cells);

/* Returns the cells of the whole memory. */
uint64_t chip_memory_cells(const struct chip *chip);

/* Returns the exponent n of alpha = 2^n that 'dynamic_th' selects, or one of
 * the special exponents above. */
int chip_alpha_exponent(const struct chip *chip, int dynamic_th);

/* Returns the partition of a port in slot 'port' whose first lane is 'lane'. On
 * a chip with ports at start the front-panel position (from the lane) decides,
 * so breaking out a port keeps its partition; else the slot. */
uint32_t chip_partition(const struct chip *chip, uint32_t port, uint32_t lane);

/* Returns the value for 'speed_mbps'. */
uint32_t chip_at_speed(const struct chip_by_speed *values, uint32_t speed_mbps);

/* Returns the number of packets that hardware holds outside the buffer for a
 * port of 'speed_mbps'. */
uint32_t chip_leak_out(const struct chip *chip, uint32_t speed_mbps);

/* Returns whether the reserved size of a profile contains its headroom;
 * 'has_shp': its pool has a shared headroom pool.  Where PGs of a port share
 * headroom the pool decides: private headroom is part of the reservation.
 * Otherwise 'pg_guarantee' decides. */
bool chip_size_has_xoff(const struct chip *chip, bool has_shp);

/* Returns whether 'text' matches 'pattern', in which '*' is any text and '?'
 * one character. */
bool chip_pattern_matches(const char *pattern, const char *text);

/* Returns whether 'hwsku' matches one of the chip's patterns. */
bool chip_matches(const struct chip *chip, const char *hwsku);

#endif /* twin/chip/chip.h */
