/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LINT_LINT_INPUT_H
#define ORCHD_LINT_LINT_INPUT_H

/* A configuration as the rules see it: ports with their groups, queues and
 * maps, pools and profiles, with references as pointers.
 *
 * It comes from the objects on the switch and, for what SAI cannot express
 * (cables, watchdog), from the rows. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/pfc.h"

struct agent;

enum {
    LINT_QUEUES = 64,
    LINT_TCS = 256, /* As many as a map can name. */
    LINT_UNMAPPED = 255,
};

struct lint_pool {
    const char *name;
    bool ingress; /* Or of both directions. */
    bool dynamic;
    uint64_t size_bytes;
    uint64_t xoff_bytes; /* Of the shared headroom pool; 0: none. */
};

struct lint_profile {
    const char *name;
    const struct lint_pool *pool; /* Never NULL. */
    uint64_t size_bytes;
    uint64_t xon_bytes;
    uint64_t xoff_bytes; /* 0: lossy. */
    bool dynamic;
    int dynamic_th;
    uint64_t static_bytes;
    size_t n_users; /* Priority groups and queues. */
    bool trims;     /* What does not fit is trimmed. */
};

struct lint_wred {
    const char *name;
    bool drops; /* At least one colour is enabled. */
    bool marks; /* ECN is not off. */
    uint64_t green_min_bytes;
    size_t n_users;
    uint64_t voqs; /* A bit per number of virtual output queues that use it. */
};

struct lint_port {
    const char *name;
    uint32_t speed_mbps;
    uint32_t mtu; /* Of packets, as in CONFIG_DB; 0: not set. */
    uint32_t lanes;
    uint32_t first_lane;
    bool shares_lane;     /* Another port has one of its lanes ... */
    uint32_t shared_lane; /* ... namely this. */
    bool cable_known;
    uint32_t cable_m;
    uint8_t pfc_mask;

    /* Of the profile by which it sends with link-level retry; NULL and 0: it
     * does not. */
    const char *llr_profile;
    uint64_t llr_window_bytes;  /* That may be outstanding. */
    uint64_t llr_spacing_bytes; /* Between acknowledgements. */
    /* What its peer may have outstanding, if it receives with link-level retry:
     * taken to be as much as its own profile allows.  Else 0. */
    uint64_t llr_peer_bytes;

    bool watched;       /* It has a row in PFC_WD. */
    uint8_t watch_mask; /* pfcwd_sw_enable. */
    const struct lint_profile *pgs[PFC_N_PRIORITIES];
    const struct lint_profile *queues[LINT_QUEUES];
    const struct lint_wred *wreds[LINT_QUEUES];

    /* The maps by traffic class; LINT_UNMAPPED where no map has an entry. */
    bool classifies;             /* It has a map to traffic classes. */
    uint64_t tcs[LINT_TCS / 64]; /* The classes that occur. */
    uint8_t tc_to_pg[LINT_TCS];
    uint8_t tc_to_queue[LINT_TCS];

    /* A bit per group or queue that should be lossless, because a traffic class
     * with PFC maps to it.  (By convention a traffic class below 8 is the PFC
     * priority of the same number.) */
    uint64_t lossless_pgs;
    uint64_t lossless_queues;
};

/* All in 'arena', which lint_input_fini() destroys. */
struct lint_input {
    struct arena *arena;
    struct lint_pool *pools;
    size_t n_pools;
    struct lint_profile *profiles;
    size_t n_profiles;
    struct lint_wred *wreds;
    size_t n_wreds;
    struct lint_port *ports; /* Sorted by name. */
    size_t n_ports;
    /* Behind them in 'ports' are the system ports of a chassis, of which only
     * the name and the queues are set: the VOQs of this ASIC for them.  Frames
     * of all ports wait there, so those are lossless that are it at any. */
    size_t n_system_ports;
    bool trimming;       /* There is a row of SWITCH_TRIMMING. */
    bool trims_to;       /* It has a number ... */
    uint64_t trim_queue; /* ... of the queue of trimmed packets. */
};

/* Collect the input from 'agent', which is only read: first ports, pools and
 * profiles, then what the ports use, and the rows.  What has been removed in
 * between, or is new, is left out.  End with lint_input_fini(). */
void lint_input_collect(struct lint_input *input, struct agent *agent);
void lint_input_collect_children(struct lint_input *input, struct agent *agent);
void lint_input_fini(struct lint_input *input);

/* Returns whether PFC is enabled for traffic class 'tc' at 'port'. */
bool lint_tc_is_lossless(const struct lint_port *port, unsigned int tc);

/* Returns whether traffic class 'tc' occurs at 'port'. */
bool lint_port_has_tc(const struct lint_port *port, unsigned int tc);

#endif /* orchd/lint/lint_input.h */
