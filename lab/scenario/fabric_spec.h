/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_SCENARIO_FABRIC_SPEC_H
#define ORCHD_LAB_SCENARIO_FABRIC_SPEC_H

/* The 'fabric' of a scenario: shape, links, roles of switches, ECMP.
 *
 * All presets are one shape with different sizes:
 *
 *     RH  regional hubs          join the data centers (DCs) of a region
 *     T2  spines                 join the podsets (clusters) of a DC
 *     T1  leaves                 join the T0 of a podset
 *     T0  top-of-rack switches   connect hosts
 *
 * Each T0 is connected to each T1 of its podset, and each T2 to each RH.  With
 * 'planes', T1 number i of every podset is connected to T2 number
 * i * t2 / t1 and the t2 / t1 - 1 after it; without, to each T2 of its DC.
 *
 *     star      hosts                          1 T0
 *     clos      t0, hosts (of each T0), t1     1 podset; "leaf_spine" is a
 *                                              synonym
 *     fat_tree  k: k podsets of k/2 T0 with k/2 hosts and k/2 T1; (k/2)^2 T2 in
 *               planes (Al-Fares, Loukissas and Vahdat, 2008)
 *     podsets   podsets, t0, hosts, t1, t2     planes
 *     region    dcs, podsets (of each DC), t0, hosts, t1, t2 (of each DC), rh
 *     graph     switches, hosts and links by name
 *
 * lab/builder/topology.h makes nodes and links of it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/scenario/quantity.h"

/* Where something stands in the file; counted from 1. */
struct scenario_place {
    unsigned int line, column;
};

enum {
    FABRIC_SWITCHES_MAX = 8192,
    FABRIC_HOSTS_MAX = 131072,
    FABRIC_PORTS_MAX = 1024, /* Of one switch. */
    FABRIC_LINKS_MAX = 1 << 20,
    FABRIC_TIERS = 4,
};

#define FABRIC_PRESETS(X)                                                      \
    X(STAR, "star")                                                            \
    X(CLOS, "clos")                                                            \
    X(FAT_TREE, "fat_tree")                                                    \
    X(PODSETS, "podsets")                                                      \
    X(REGION, "region")                                                        \
    X(GRAPH, "graph")

enum fabric_preset {
#define X(member, name) FABRIC_##member,
    FABRIC_PRESETS(X)
#undef X
};

/* The number of things at each level; 0 for a tier that does not exist. */
struct fabric_sizes {
    int64_t dcs;
    int64_t podsets; /* Of each DC. */
    int64_t t0, t1;  /* Of each podset. */
    int64_t t2;      /* Of each DC. */
    int64_t rh;
    int64_t hosts; /* Of each T0. */
    bool planes;
};

/* X(member, key).  The levels between which presets have links. */
#define FABRIC_LEVELS(X)                                                       \
    X(HOST, "host")                                                            \
    X(T0_T1, "t0_t1")                                                          \
    X(T1_T2, "t1_t2")                                                          \
    X(T2_RH, "t2_rh")

enum fabric_level {
#define X(member, key) FABRIC_LEVEL_##member,
    FABRIC_LEVELS(X)
#undef X
        FABRIC_N_LEVELS
};

/* X(member, word).  The forms of pause frames, as enum link_pause_form
 * (twin/link/link.h) has them. */
#define MACSEC_FORMS(X)                                                        \
    X(CLEAR, "clear")                                                          \
    X(PROTECTED, "protected")

/* X(word, bits).  The forms of pause frames that an end accepts: a bit per enum
 * link_pause_form (twin/link/link.h). */
#define MACSEC_ACCEPTS(X)                                                      \
    X("clear", 1)                                                              \
    X("protected", 2)                                                          \
    X("both", 3)

/* MACsec of a link.  The first end is the lower one, or of a graph the first of
 * 'ends'. */
struct macsec_spec {
    int sends[2];   /* enum link_pause_form. */
    int accepts[2]; /* The position in MACSEC_ACCEPTS. */
};

/* X(member, word).  What LLR does with frames while it has no peer, or has
 * given up, as enum llr_action (twin/link/llr.h) has it. */
#define LLR_ACTIONS(X)                                                         \
    X(DISCARD, "discard")                                                      \
    X(BLOCK, "block")                                                          \
    X(BEST_EFFORT, "best_effort")

/* Link-level retry at both ends of a link. */
struct llr_spec {
    int64_t window_bytes;  /* 0: what the link needs (run_llr.c). */
    int64_t window_frames; /* 1..524288 */
    int64_t timer_ps;      /* Of the replay; 0: twice what a NACK takes. */
    int64_t replays;       /* Without progress; 255: endless. */
    int64_t spacing_bytes; /* Of ordered sets. */
    int in_init, in_flush; /* The position in LLR_ACTIONS. */
    bool reinit;
};

/* Credit-based flow control at both ends of a link, in both directions: SAI's
 * attributes of a port (twin/switch/port_credit.h).  Priority p is VC p. */
enum { CREDIT_SPEC_ALPHA_ALL = 0, CREDIT_SPEC_ALPHA_ONE = 9 };

struct credit_spec {
    uint32_t priorities;  /* That are sent by credits; a bit each. */
    int64_t limit_bytes;  /* Of each of them; 0: what a full rate takes. */
    int64_t total_bytes;  /* Of all of them; 0: no limit. */
    int64_t shared_bytes; /* That they share besides 'limit_bytes'. */
    int64_t share_bytes;  /* The most of it that one may use; 0: all. */
    int alpha; /* CREDIT_SPEC_ALPHA_ALL, or CREDIT_SPEC_ALPHA_ONE + n: the most
                * that one may use is 2^n of what is free. */
    int64_t frame_bytes;    /* With FCS; for a 'limit_bytes' of 0. */
    int64_t size_bytes;     /* Of a credit. */
    int64_t overhead_bytes; /* That each frame counts for more. */
    int64_t cf_min_bytes, cf_max_bytes; /* Between CF updates. */
    int64_t cc_timer_ps; /* Whole microseconds; 0: no CC updates. */
};

/* What damages frames on a link, and what resends them. */
struct error_spec {
    struct ratio ber;
    int64_t burst_bits;         /* On average. */
    const struct llr_spec *llr; /* NULL: none. */
};

/* The links of one level. */
struct level_spec {
    int64_t rate_bps;
    int64_t parallel; /* Links between the same two nodes; 1.. */
    /* One length for all, or one for each DC (T2_RH only). */
    const int64_t *length_mm;
    size_t n_lengths;
    const struct macsec_spec *macsec;  /* NULL: none. */
    const struct credit_spec *credits; /* NULL: none. */
    struct error_spec errors;
};

/* Nodes and links of a graph. */
struct graph_switch {
    const char *name;
    const char *role;
    int64_t tier; /* 0..3; -1: none has one. */
    struct scenario_place place;
};

struct graph_host {
    const char *name;
    struct scenario_place place;
};

struct graph_link {
    const char *ends[2]; /* Names of nodes. */
    int64_t rate_bps;
    int64_t length_mm;
    int64_t parallel;
    const struct macsec_spec *macsec;  /* NULL: none. */
    const struct credit_spec *credits; /* NULL: none. */
    struct error_spec errors;
    struct scenario_place place;
};

/* X(member, name): hash algorithms of SAI. */
#define ECMP_ALGORITHMS(X)                                                     \
    X(CRC, "crc")                                                              \
    X(XOR, "xor")                                                              \
    X(CRC_32LO, "crc_32lo")                                                    \
    X(CRC_32HI, "crc_32hi")                                                    \
    X(CRC_CCITT, "crc_ccitt")

enum ecmp_algorithm {
#define X(member, name) ECMP_ALGORITHM_##member,
    ECMP_ALGORITHMS(X)
#undef X
};

/* X(member, name): native hash fields of SAI, as bits. */
#define ECMP_FIELDS(X)                                                         \
    X(SRC_IP, "src_ip")                                                        \
    X(DST_IP, "dst_ip")                                                        \
    X(IP_PROTOCOL, "ip_protocol")                                              \
    X(L4_SRC_PORT, "l4_src_port")                                              \
    X(L4_DST_PORT, "l4_dst_port")                                              \
    X(SRC_MAC, "src_mac")                                                      \
    X(DST_MAC, "dst_mac")                                                      \
    X(ETHERTYPE, "ethertype")                                                  \
    X(IN_PORT, "in_port")

enum ecmp_field {
#define X(member, name) ECMP_FIELD_##member,
    ECMP_FIELDS(X)
#undef X
        ECMP_N_FIELDS
};

struct ecmp_spec {
    bool seed_per_switch; /* The seed is made of the switch's number. */
    int64_t seed;         /* Otherwise; 0..2^32-1. */
    int64_t offset;       /* 0..31 */
    enum ecmp_algorithm algorithm;
    uint32_t fields; /* A bit per enum ecmp_field. */
};

/* One field of a CONFIG_DB row that a scenario replaces or adds. */
struct config_field {
    const char *table; /* "WRED_PROFILE" */
    const char *key;   /* "AZURE_LOSSLESS"; "*": each row of the table that the
                        * configuration has. */
    const char *field;
    const char *value; /* NULL: the field is removed. */
    struct scenario_place place;
};

/* X(member, name).  What a watchdog of PFC does in a storm. */
#define WATCHDOG_ACTIONS(X)                                                    \
    X(DROP, "drop")                                                            \
    X(FORWARD, "forward")                                                      \
    X(ALERT, "alert")

/* X(member, name).  Which ports of a switch it watches. */
#define WATCHDOG_PORTS(X)                                                      \
    X(HOSTS, "hosts") /* Those with a host at the other end. */                \
    X(ALL, "all")

enum watchdog_ports {
#define X(member, name) WATCHDOG_PORTS_##member,
    WATCHDOG_PORTS(X)
#undef X
};

/* A watchdog of PFC: orchd's on a switch, or that of the card in front of a
 * host, which has neither ports nor action. */
struct watchdog_spec {
    bool enabled;
    int64_t detection_ps;
    int64_t restoration_ps;
    int64_t poll_ps;
    uint32_t priorities; /* A bit each. */
    int action;          /* WATCHDOG_ACTIONS. */
    int ports;           /* enum watchdog_ports */
};

/* X(member, name).  What a T0 does with a packet to a host whose port it does
 * not know. */
#define VLAN_UNKNOWN(X)                                                        \
    X(FLOOD, "flood")                                                          \
    X(DROP_LOSSLESS, "drop_lossless")

enum vlan_unknown {
#define X(member, name) VLAN_UNKNOWN_##member,
    VLAN_UNKNOWN(X)
#undef X
};

/* The VLAN of the hosts of a T0 (lab/builder/switch_vlan.h). */
struct vlan_spec {
    bool enabled;
    int64_t mac_ageing_ps; /* Whole seconds; 0: never. */
    int64_t arp_ageing_ps;
    bool uplinks;        /* The ports to other switches are members, too. */
    int unknown;         /* enum vlan_unknown */
    uint32_t priorities; /* The lossless ones; a bit each. */
};

/* X(name).  Admission policies of the buffer, in the order of enum
 * chip_admission (twin/chip/chip.h). */
#define ADMISSION_WORDS(X)                                                     \
    X("built_in")                                                              \
    X("dt")                                                                    \
    X("complete_sharing")                                                      \
    X("static")                                                                \
    X("abm")

/* The switches of a role, or one switch. */
struct role_spec {
    const char *name;     /* Of a role ("t0"), or of a switch ("t0-3-1"). */
    const char *config;   /* Its config_db.json: a path, or the name of one in
                           * lab/configs; NULL: that of the role, or one for the
                           * tier, the number of ports and their speed. */
    const char *chip;     /* Name of a chip file; NULL: likewise. */
    const char *chip_set; /* Keys of a chip file over those of the chip; NULL:
                           * none. */
    int64_t ports;        /* Entity numbers to keep for each switch; 0: as many
                           * as it has links, rounded up to 64. */
    bool has_ecmp;        /* 'ecmp' replaces that of the fabric. */
    struct ecmp_spec ecmp;
    int64_t pfc_response_ps; /* -1: that of the role; 0 without one. */
    int admission;           /* The position in ADMISSION_WORDS; -1: that of the
                              * role, or of the chip without one. */
    bool has_watchdog;       /* 'watchdog' replaces that of the role. */
    struct watchdog_spec watchdog;
    bool has_vlan; /* 'vlan' replaces that of the role. */
    struct vlan_spec vlan;
    const struct config_field *set;
    size_t n_set;
    struct scenario_place place;
};

#define ROUTING_LIST(X)                                                        \
    X(VALLEY_FREE, "valley_free")                                              \
    X(SHORTEST, "shortest")

enum routing {
#define X(member, name) ROUTING_##member,
    ROUTING_LIST(X)
#undef X
};

/* X(member, word).  What switches and hosts pause. */
#define FLOW_CONTROLS(X)                                                       \
    X(PFC, "pfc")     /* Priorities. */                                        \
    X(LINK, "802.3x") /* Whole links. */

enum flow_control {
#define X(member, word) FLOW_CONTROL_##member,
    FLOW_CONTROLS(X)
#undef X
};

struct fabric_spec {
    enum fabric_preset preset;
    struct fabric_sizes sizes; /* Not for a graph. */
    struct level_spec levels[FABRIC_N_LEVELS];

    const struct graph_switch *switches; /* Of a graph, likewise. */
    size_t n_switches;
    const struct graph_host *hosts;
    size_t n_hosts;
    const struct graph_link *links;
    size_t n_links;

    const struct role_spec *roles;
    size_t n_roles;
    struct ecmp_spec ecmp;
    enum routing routing;
    enum flow_control flow_control;
    /* From a change of a link until routes follow. */
    int64_t convergence_ps;
    struct scenario_place place;
};

#endif /* lab/scenario/fabric_spec.h */
