/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_DYNAMIC_STATE_H
#define ORCHD_DERIVE_DYNAMIC_STATE_H

/* The state of the dynamic buffer model, shared by the modules that compute it:
 * generated_profiles.h (generated profiles), pool_sizing.h (pools), dynamic.h
 * (ports).
 *
 * It holds all inputs that concern the whole switch.  A change of one schedules
 * what depends on it: 'refresh' the generated profiles, 'resize' the pools, and
 * port_inputs_mark() a port. */

#include <stdbool.h>
#include <stdint.h>

#include "orchd/derive/buffer_rows.h"
#include "orchd/derive/headroom.h"
#include "orchd/derive/platform.h"
#include "orchd/derive/pool.h"
#include "orchd/derive/reclaim.h"
#include "orchd/derive/zero_profiles.h"

#define LOSSLESS_POOL "ingress_lossless_pool"

struct port_inputs;
struct content;
struct field;
struct generated_profile;
struct derived_rows;
struct profile_label;
struct terms;

/* The chip, as its ASIC_TABLE rows describe it. */
struct dynamic_state_chip {
    bool known;
    char name[64]; /* Key of its row in ASIC_TABLE. */
    struct chip_headroom_params asic;
    uint32_t gearbox_ns; /* Of a gearbox in front of all ports; 0: none. */
    char gearbox[32];    /* Its name; "": none. */
};

/* The state of ports that are shut; see shut_ports.h. */
struct shut {
    struct zero_profiles zeros;
    struct reclaim_zero *replaces; /* The profiles of 'zeros', by pool. */
    struct reclaim_rules rules[N_ZERO_SIDES];

    bool has_pools; /* The user has configured pools. */
    bool refused;   /* The switch requires a binding everywhere, and some pool
                     * has no zero profile. */

    size_t n_ports; /* Shut ports. */

    /* One for each of 'zeros'; NULL: not in use. */
    struct derived_row **rows;
};

struct dynamic_state {
    struct port_inputs *inputs;        /* Borrowed. */
    struct derived_rows *derived_rows; /* Borrowed. */
    struct buffer_rows rows;
    struct generated_profile *generated; /* By name. */
    struct shut shut;

    const struct platform *platform;
    uint32_t model_number;
    struct dynamic_state_chip chip;
    uint64_t memory_bytes; /* 0: not known yet. */

    /* From rows that concern the whole switch. */
    bool has_alpha;
    int alpha;                /* default_dynamic_th. */
    uint32_t ratio;           /* over_subscribe_ratio. */
    uint64_t configured_xoff; /* Of the lossless pool. */
    bool static_pool;         /* The lossless pool has static thresholds. */
    struct headroom_traffic traffic;

    /* Of all ports. */
    struct pool_sums sums;
    uint32_t n_ports; /* Rows of PORT. */

    /* Ports with a reference to a missing profile, or to one whose pool is
     * missing. */
    size_t n_incomplete;
    struct pool_outcome outcome; /* Of the last computation. */

    bool on;         /* buffer_model is "dynamic". */
    bool wants_rows; /* It was just switched on and needs all rows. */
    bool refresh;    /* What all generated profiles depend on has changed. */
    bool resize;     /* The inputs of the pools have changed. */

    struct field *completed; /* Backs what dynamic_take() returned last. */
};

/* Returns whether there is, or should be, a shared headroom pool. */
bool dynamic_state_shares(const struct dynamic_state *model);

/* Returns the current rules of the headroom formula. */
struct headroom_rules dynamic_state_rules(const struct dynamic_state *model);

/* The properties of a profile that sums and limits depend on. */
struct profile_summary {
    bool complete; /* It and its pool exist. */
    bool ingress;
    bool lossless;
    struct headroom headroom;
};

/* Returns the properties of the profile 'name' (NULL: none), which is a
 * generated one if 'generated' is not NULL. */
struct profile_summary
dynamic_state_profile(const struct dynamic_state *model, const char *name,
                      const struct generated_profile *generated);

/* Returns what a profile with these fields reserves. */
struct headroom dynamic_state_headroom_of(const struct content *content);

/* Computes into '*headroom' what 'label' needs on a port of 8 lanes ('eight')
 * or fewer; 'terms' may be NULL. */
void dynamic_state_headroom(const struct dynamic_state *model,
                            const struct profile_label *label, bool eight,
                            struct headroom *headroom, struct terms *terms);

#endif /* orchd/derive/dynamic_state.h */
