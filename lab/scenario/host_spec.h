/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_SCENARIO_HOST_SPEC_H
#define ORCHD_LAB_SCENARIO_HOST_SPEC_H

/* The 'hosts' of a scenario: the adapters and their transport.
 *
 * 'default' holds for all hosts.  A group names some of them and what differs.
 * 'nic' starts from a named profile (lab/scenario/nic_profiles.h); each other
 * key replaces one of its values.  Ranges and defaults are in
 * docs/reference/orchlab-scenario.md. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/scenario/fabric_spec.h"
#include "lab/scenario/quantity.h"

/* A set of nodes by name: "all", names, names of groups, or patterns such as
 * "h-0-*-[0..7]", in which '*' is any part between dashes and '[a..b]' a range
 * of numbers.  lab/builder/references.h finds them. */
struct selector {
    const char *const *items;
    size_t n;
    struct scenario_place place;
};

/* What a sender does when packets are lost. */
#define RECOVERY_LIST(X)                                                       \
    X(GO_BACK_N, "go_back_n")                                                  \
    X(GO_BACK_0, "go_back_0")                                                  \
    X(CHUNK, "chunk")                                                          \
    X(SELECTIVE, "selective")

enum recovery {
#define X(member, name) RECOVERY_##member,
    RECOVERY_LIST(X)
#undef X
};

/* Reliable connected transport (twin/transport/rc.h). */
struct rc_spec {
    int recovery;              /* enum recovery */
    int64_t recovery_delay_ps; /* From a NAK to the first packet again. */
    int64_t chunk_bytes;       /* Of recovery 'chunk'. */
    int64_t reorder_packets;   /* Kept by a selective receiver. */
    int64_t ack_every;         /* Packets per acknowledgement. */
    bool ack_at_end;           /* Of each message. */
    int64_t window_bytes;      /* In flight; QUANTITY_INFINITE: no limit. */
    int64_t timeout;           /* 4.096 us * 2^timeout; 0: none. */
    int64_t retries;           /* 0..7 */
    int64_t rnr_retries;       /* 0..7; 7: without end. */
    int64_t rnr_timer_ps;
    int64_t reads; /* Outstanding READ requests. */
};

/* X(member, key).  Members of a DCQCN profile that a scenario can replace;
 * twin/transport/dcqcn.h explains them. */
#define DCQCN_KNOBS(X)                                                         \
    X(G, "g")                                                                  \
    X(ALPHA_PERIOD, "alpha_period")                                            \
    X(ALPHA_MODE, "alpha_mode")                                                \
    X(NP_MODE, "np_mode")                                                      \
    X(NP_GAP, "np_gap")                                                        \
    X(RP_WINDOW, "rp_window")                                                  \
    X(TIMER, "timer")                                                          \
    X(BYTE_RESET, "byte_reset")                                                \
    X(STAGES, "stages")                                                        \
    X(AI, "ai")                                                                \
    X(HAI, "hai")                                                              \
    X(MIN_RATE, "min_rate")                                                    \
    X(MIN_FACTOR, "min_factor")                                                \
    X(FIRST_RATE, "first_rate")                                                \
    X(CLAMP_TARGET, "clamp_target")                                            \
    X(CLAMP_AFTER_TIMER, "clamp_after_timer")

enum dcqcn_knob {
#define X(member, key) DCQCN_KNOB_##member,
    DCQCN_KNOBS(X)
#undef X
        DCQCN_N_KNOBS
};

#define DCQCN_ALPHA_MODES(X)                                                   \
    X(ON_CNP, "on_cnp")                                                        \
    X(PER_PERIOD, "per_period")

enum dcqcn_spec_alpha {
#define X(member, name) DCQCN_SPEC_ALPHA_##member,
    DCQCN_ALPHA_MODES(X)
#undef X
};

#define DCQCN_NP_MODES(X)                                                      \
    X(WINDOW, "window")                                                        \
    X(PER_PACKET, "per_packet")

enum dcqcn_spec_np {
#define X(member, name) DCQCN_SPEC_NP_##member,
    DCQCN_NP_MODES(X)
#undef X
};

struct dcqcn_spec {
    const char *profile; /* "paper", "firmware", "fork", "fork_paper"; NULL:
                          * congestion control is off. */
    /* Bit k: knob k replaces the value of the profile. */
    uint32_t replaced;
    int64_t g_numerator, g_denominator;
    int64_t alpha_period_ps;
    int alpha_mode; /* enum dcqcn_spec_alpha */
    int np_mode;    /* enum dcqcn_spec_np */
    int64_t np_gap_ps;
    int64_t rp_window_ps; /* 0: cut on each CNP. */
    int64_t timer_ps;
    int64_t byte_reset_bytes; /* QUANTITY_INFINITE: none. */
    int64_t stages;           /* F */
    int64_t ai_bps, hai_bps;
    int64_t min_rate_bps;
    struct ratio min_factor;
    int64_t first_rate_bps; /* After the first CNP; 0: not set. */
    bool clamp_target;
    bool clamp_after_timer;
};

struct pcie_spec {
    bool enabled;
    int64_t generation; /* 1..6: 2.5, 5, 8, 16, 32, 64 GT/s per lane. */
    int64_t lanes;
    int64_t max_payload_bytes;
    int64_t reads; /* Outstanding. */
    int64_t read_latency_ps;
};

struct rx_fifo_spec {
    int64_t size_bytes; /* QUANTITY_INFINITE: no limit. */
    int64_t xoff_bytes; /* Of each priority. */
    int64_t xon_bytes;
};

struct host_pfc_spec {
    uint32_t obeys; /* A bit per priority whose pauses the host obeys. */
    uint32_t sends; /* Likewise, that its RX FIFO pauses. */
    int64_t response_ps;
};

/* Which queue pairs share a UDP source port. */
#define ENTROPY_LIST(X)                                                        \
    X(QP, "qp")                                                                \
    X(PAIR, "pair")                                                            \
    X(HOST, "host")

enum entropy {
#define X(member, name) ENTROPY_##member,
    ENTROPY_LIST(X)
#undef X
};

struct host_spec {
    const char *name;   /* Of the group; "default". */
    struct selector of; /* Not of the default. */
    const char *nic;    /* The profile it started from. */

    int64_t mtu_bytes;    /* Payload of a packet. */
    int64_t header_bytes; /* Of a data frame, without payload and FCS. */
    int64_t ack_bytes;    /* Of an acknowledgement, without FCS. */
    int64_t cnp_bytes;
    int64_t gap_bytes; /* Preamble and gap on the wire. */
    int64_t ack_priority, ack_dscp;
    int64_t cnp_priority, cnp_dscp;
    bool ack_carries_cnp;
    uint32_t strict;  /* A bit per priority that is served before others. */
    int64_t burst;    /* Packets sent back to back by the pacer. */
    bool shared_fifo; /* One FIFO before all pacers. */
    int entropy;      /* enum entropy */
    int64_t entropy_ports; /* Number of different source ports. */

    struct rc_spec rc;
    struct dcqcn_spec dcqcn;
    struct pcie_spec pcie;
    struct rx_fifo_spec rx_fifo;
    struct host_pfc_spec pfc;
    struct scenario_place place;
};

#endif /* lab/scenario/host_spec.h */
