/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_SCENARIO_HOST_SPEC_H
#define ORCHD_LAB_SCENARIO_HOST_SPEC_H

/* The 'hosts' of a scenario: the adapters and their transport.
 *
 * 'default' holds for all hosts.  A group names some of them and what differs.
 * 'nic' starts from the file of an adapter (lab/scenario/nic_files.h); each
 * other key replaces one of its values.  Ranges and defaults are in
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
    X(SELECTIVE, "selective")

enum recovery {
#define X(member, name) RECOVERY_##member,
    RECOVERY_LIST(X)
#undef X
};

/* What a receiver does with what is left of a trimmed packet. */
#define TRIMMED_REACTION_LIST(X)                                               \
    X(IGNORE, "ignore")                                                        \
    X(NAK, "nak")

enum trimmed_reaction {
#define X(member, name) TRIMMED_##member,
    TRIMMED_REACTION_LIST(X)
#undef X
};

/* Reliable connected transport (twin/transport/rc.h). */
struct rc_spec {
    int recovery;              /* enum recovery */
    int64_t recovery_delay_ps; /* From a NAK to the first packet again. */
    int64_t chunk_bytes;       /* Of go-back-0; 0: the whole message. */
    int64_t reorder_packets;   /* Kept by a selective receiver. */
    int64_t ack_every;         /* Packets per acknowledgement, at most. */
    int64_t window_bytes;      /* In flight; QUANTITY_INFINITE: no limit. */
    int64_t timeout;           /* 4.096 us * 2^timeout; 0: none. */
    int64_t retries;           /* 0..7 */
    int64_t rnr_retries;       /* 0..7; 7: without end. */
    int64_t rnr_timer;         /* Code of the RNR NAK, 0..31. */
    int64_t reads;             /* Outstanding READ requests. */
    int64_t receives;          /* Receive requests kept posted; 0: SENDs need
                                * none. */
    int trimmed;               /* enum trimmed_reaction */
};

/* Congestion control and detection of losses of TCP, in the order of
 * twin/transport/tcp.h. */
#define TCP_CONTROLS(X)                                                        \
    X(RENO, "reno")                                                            \
    X(CUBIC, "cubic")                                                          \
    X(DCTCP, "dctcp")
#define TCP_DETECTIONS(X)                                                      \
    X(NEWRENO, "newreno")                                                      \
    X(SACK, "sack")                                                            \
    X(RACK, "rack")

enum tcp_control {
#define X(member, name) TCP_CONTROL_##member,
    TCP_CONTROLS(X)
#undef X
};

/* X(member, name): how SRD chooses paths, and what its receivers do with
 * packets out of order; enum srd_choice and enum srd_order of
 * twin/transport/srd.h. */
#define SRD_CHOICES(X)                                                         \
    X(STEERED, "steered")                                                      \
    X(RANDOM, "random")                                                        \
    X(SINGLE, "single")
#define SRD_ORDERS(X)                                                          \
    X(DELIVER, "deliver")                                                      \
    X(HOLD, "hold")                                                            \
    X(DROP, "drop")

enum srd_choice_word {
#define X(member, name) SRD_CHOICE_##member,
    SRD_CHOICES(X)
#undef X
};

enum srd_order_word {
#define X(member, name) SRD_ORDER_##member,
    SRD_ORDERS(X)
#undef X
};

/* SRD (twin/transport/srd.h), and the message layer above it. */
struct srd_spec {
    int choice; /* enum srd_choice_word */
    int order;  /* enum srd_order_word */
    int64_t mtu_bytes;
    int64_t paths, entropies;
    int64_t initial_packets, increase_packets, decrease_shift;
    int64_t queue_ps;
    int64_t avoid_percent, return_percent, probe_packets;
    int64_t dead_ps, min_rto_ps, first_rto_ps;
    int64_t send_depth; /* Datagrams of a queue pair. */
    int64_t copy_bps;   /* 0: no copy. */
};

/* TCP (twin/transport/tcp.h). */
struct tcp_spec {
    int control;   /* enum tcp_control */
    int detection; /* enum tcp_loss_detection of twin/transport/tcp.h. */
    bool ecn;      /* Always with dctcp. */
    int64_t mss_bytes;
    int64_t window_bytes;     /* Receive window. */
    int64_t initial_segments; /* Initial congestion window. */
    int64_t abc_segments;     /* Limit of byte counting; 0: none. */
    int64_t min_rto_ps, max_rto_ps, first_rto_ps;
    int64_t handshake_ps; /* Round trip that it has measured; 0: none. */
    int64_t ack_every;    /* Segments. */
    int64_t ack_delay_ps;
    int64_t quick_acks; /* At the start and after silence, not delayed. */
    int64_t tso_bytes; /* Sent back to back; 0: single segments. */
};

/* What messages over one kind of transport cost at a host: work of a core, and
 * the delay of its system (twin/host/processor.h). */
struct cpu_costs_spec {
    int64_t op_ps;    /* Of a message or work request, at each end. */
    int64_t batch_ps; /* TCP: of each started 64 KiB of it. */
    int64_t byte_ps;  /* TCP: of each byte. */
    int64_t delay_ps; /* Median, per message that arrives. */
    struct ratio spread;
    struct ratio stall;
    int64_t stall_ps; /* Mean. */
};

/* The processor of a host. */
struct cpu_spec {
    bool enabled; /* Else messages cost nothing. */
    int64_t cores;
    struct ratio background; /* Share of each core for other work. */
    int64_t background_job_ps;
    struct cpu_costs_spec tcp, rdma;
    int64_t io_ps; /* Of each I/O of its disk, besides its messages. */
};

/* Memory of a host that programs register (lab/storage/slab_pool.h). */
struct memory_spec {
    bool enabled; /* Else all of it is registered, and copies cost nothing. */
    int64_t slab_bytes;
    int64_t limit_bytes;
    int64_t kept_slabs;
    int64_t register_ps; /* Work of a core for each registration. */
    int64_t copy_bps;    /* Of a core; 0: copies cost nothing. */
};

/* The disk of a host (lab/storage/ssd.h). */
struct ssd_spec {
    bool enabled; /* Else accesses take no time. */
    int64_t channels;
    int64_t latency_ps[2]; /* Of a read, of a write: median. */
    struct ratio spread;   /* Standard deviation of its logarithm. */
    int64_t rate_bps[2];
};

/* X(name): the profiles of twin/transport/dcqcn.h. */
#define DCQCN_PROFILE_NAMES(X)                                                 \
    X("paper") X("firmware") X("fork-dcqcn") X("fork-dcqcn-paper")

/* X(member, key).  Members of a profile that a scenario can replace;
 * twin/transport/dcqcn.h explains them. */
#define DCQCN_KNOBS(X)                                                         \
    X(G, "g")                                                                  \
    X(ALPHA_MODE, "alpha_mode")                                                \
    X(ALPHA_PERIOD, "alpha_period")                                            \
    X(INITIAL_ALPHA, "initial_alpha")                                          \
    X(CUT, "cut")                                                              \
    X(CUT_WINDOW, "cut_window")                                                \
    X(CUT_OFFSET, "cut_offset")                                                \
    X(MIN_DECREASE, "min_decrease")                                            \
    X(FIRST_RATE, "first_rate")                                                \
    X(CLAMP_TARGET, "clamp_target")                                            \
    X(CLAMP_AFTER_TIME, "clamp_after_time")                                    \
    X(TIMER, "timer")                                                          \
    X(BYTE_RESET, "byte_reset")                                                \
    X(STAGES, "stages")                                                        \
    X(STAGE_BEFORE, "stage_before")                                            \
    X(AI, "ai")                                                                \
    X(HAI, "hai")                                                              \
    X(MIN_RATE, "min_rate")                                                    \
    X(NP_MODE, "np_mode")                                                      \
    X(NP_GAP, "np_gap")

enum dcqcn_knob {
#define X(member, key) DCQCN_KNOB_##member,
    DCQCN_KNOBS(X)
#undef X
        DCQCN_N_KNOBS
};

/* The members of a profile, in the units of a scenario.  Enumerations are the
 * numbers of those of twin/transport/dcqcn.h. */
struct dcqcn_spec {
    const char *profile; /* NULL: congestion control is off. */
    uint32_t replaced;   /* Bit k: knob k replaces that of the profile. */
    struct ratio g;
    int alpha_mode; /* on_cnp, per_period */
    int64_t alpha_period_ps;
    struct ratio initial_alpha;
    int cut; /* at_once, per_window */
    int64_t cut_window_ps;
    int64_t cut_offset_ps;
    struct ratio min_decrease;
    struct ratio first_rate;
    bool clamp_target;
    bool clamp_after_time;
    int64_t timer_ps;
    int64_t byte_reset_bytes; /* 0: no byte counter. */
    int64_t stages;
    bool stage_before;
    int64_t ai_bps, hai_bps;
    int64_t min_rate_bps;
    int np_mode; /* window, per_packet, on_ack */
    int64_t np_gap_ps;
};

struct pcie_spec {
    bool enabled;
    int64_t generation; /* 1..6: 2.5, 5, 8, 16, 32, 64 GT/s per lane. */
    int64_t lanes;
    int64_t max_payload_bytes;
    int64_t reads; /* Outstanding. */
    int64_t read_latency_ps;
};

/* Where messages go in the memory of a host. */
#define ACCESS_LIST(X)                                                         \
    X(RANDOM, "random")                                                        \
    X(SEQUENTIAL, "sequential")

enum access {
#define X(member, name) ACCESS_##member,
    ACCESS_LIST(X)
#undef X
};

/* The caches of the adapter (twin/nic/lookups.h). */
struct caches_spec {
    int64_t translations; /* Entries; 0: all fit. */
    int64_t page_bytes;
    int64_t region_bytes; /* Registered by the host. */
    int access;           /* enum access */
    int64_t contexts;     /* Entries; 0: all fit. */
    int64_t overlap;      /* Packets whose misses overlap. */
    bool is_of_nic;       /* All of it is from the file of the adapter. */
};

enum { PCIE_TO_MEMORY = -1 };

/* A PCIe switch between adapters and memory (twin/nic/pcie_tree.h).  The hosts
 * of a scenario have one adapter each; those behind one switch, or behind
 * switches that meet above, are adapters of one server. */
struct pcie_switch_spec {
    const char *name;
    struct selector of;    /* Adapters right below; empty: none. */
    int to;                /* The number of the switch above, an earlier one, or
                            * PCIE_TO_MEMORY. */
    struct pcie_spec link; /* To what is above: its rate. */
    int64_t latency_ps;    /* Of this link and of those from the adapters. */
    int64_t credit_bytes;  /* Likewise. */
    struct scenario_place place;
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
    int64_t watchdog_ps; /* Of the adapter's own watchdog; 0: none. */
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

/* X(key).  The keys of a host that can be changed during a run. */
#define HOST_CHANGES(X)                                                        \
    X("burst")                                                                 \
    X("shared_fifo")                                                           \
    X("strict")                                                                \
    X("pfc.obeys")                                                             \
    X("pfc.sends")                                                             \
    X("pfc.response")                                                          \
    X("rx_fifo.size")                                                          \
    X("rx_fifo.xoff")                                                          \
    X("rx_fifo.xon")                                                           \
    X("pcie.generation")                                                       \
    X("pcie.lanes")                                                            \
    X("pcie.max_payload")                                                      \
    X("pcie.read_latency")                                                     \
    X("rc.recovery_delay")                                                     \
    X("rc.ack_every")                                                          \
    X("rc.window")                                                             \
    X("rc.timeout")                                                            \
    X("rc.retries")                                                            \
    X("rc.rnr_retries")                                                        \
    X("rc.rnr_timer")                                                          \
    X("dcqcn.g")                                                               \
    X("dcqcn.alpha_period")                                                    \
    X("dcqcn.cut_window")                                                      \
    X("dcqcn.min_decrease")                                                    \
    X("dcqcn.timer")                                                           \
    X("dcqcn.byte_reset")                                                      \
    X("dcqcn.stages")                                                          \
    X("dcqcn.ai")                                                              \
    X("dcqcn.hai")                                                             \
    X("dcqcn.min_rate")                                                        \
    X("dcqcn.np_gap")

/* Fast registration of memory (twin/transport/rc.h). */
struct fmr_spec {
    int64_t time_ps;
    bool fence; /* It waits for everything earlier. */
};

struct host_spec {
    const char *name;                   /* Of the group; "default". */
    struct selector of;                 /* Not of the default. */
    const char *nic;                    /* The adapter it started from. */
    const char *const *nic_assumptions; /* Of the file of that. */
    size_t n_nic_assumptions;

    int64_t mtu_bytes; /* Payload of a full packet. */

    /* Lengths of frames (transport_framing of twin/transport/opcode.h). */
    int64_t header_bytes;    /* Added to the payload; with FCS. */
    int64_t ack_bytes;       /* Of an acknowledgement; 0: computed. */
    int64_t min_frame_bytes; /* Shorter frames are padded. */
    int64_t pad_bytes;       /* Payloads are padded to a multiple. */
    bool extended_headers;   /* Whether RETH, AETH and so on are counted. */

    int64_t ack_priority, ack_dscp;
    int64_t cnp_priority, cnp_dscp;
    uint32_t strict;  /* A bit per priority that is served before others. */
    int64_t burst;    /* Packets sent back to back by the pacer. */
    int64_t pacer_credit_ps; /* Of lateness that a pacer makes up for. */
    bool shared_fifo;        /* One FIFO before all pacers. */
    int entropy;      /* enum entropy */
    int64_t entropy_ports; /* Number of different source ports. */

    struct rc_spec rc;
    struct fmr_spec fmr;
    struct tcp_spec tcp;
    struct srd_spec srd;
    struct cpu_spec cpu;
    struct memory_spec memory;
    struct ssd_spec ssd;
    struct dcqcn_spec dcqcn;
    struct pcie_spec pcie;
    struct caches_spec caches;
    struct rx_fifo_spec rx_fifo;
    struct host_pfc_spec pfc;
    struct watchdog_spec card; /* Between the adapter and its switch. */
    struct scenario_place place;
};

#endif /* lab/scenario/host_spec.h */
