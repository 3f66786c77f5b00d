/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_DYNAMIC_STATE_H
#define ORCHD_DERIVE_DYNAMIC_STATE_H

/* The state of the dynamic buffer model, shared by the modules that work it
 * out: generated_profiles.h (generated profiles), pool_sizing.h (pools),
 * dynamic.h (ports).
 *
 * All facts of the whole switch are here as values.  A change of one says what
 * has to be looked at again: 'refresh' for the generated profiles, 'resize' for
 * the pools, and port_inputs_mark() for ports. */

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

/* The chip, as it was said. */
struct dynamic_state_chip {
    bool known;
    char name[64]; /* Of its row ASIC_TABLE. */
    struct chip_headroom_params asic;
    uint32_t gearbox_ns; /* Of a gearbox on the way of all ports; 0: none. */
    char gearbox[32];    /* Its name; "": none. */
};

/* What is known of ports that are shut; see shut_ports.h. */
struct shut {
    struct zero_profiles zeros;
    struct reclaim_zero *replaces; /* The profiles of 'zeros', by pool. */
    struct reclaim_rules rules[N_ZERO_SIDES];

    bool has_pools; /* There are any of the user's. */
    bool refused;   /* The switch cannot do without bindings, and there are no
                     * zero profiles for all of them. */

    size_t n_ports; /* That are shut. */

    /* One for each of 'zeros'; NULL: none is wanted. */
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

    /* Rows of the whole switch. */
    bool has_alpha;
    int alpha;                /* default_dynamic_th. */
    uint32_t ratio;           /* over_subscribe_ratio. */
    uint64_t configured_xoff; /* Of the lossless pool. */
    bool static_pool;         /* The lossless pool has static thresholds. */
    struct headroom_traffic traffic;

    /* Of all ports. */
    struct pool_sums sums;
    uint32_t n_ports; /* Rows of PORT. */

    /* Ports with a reference to a profile, or of it to a pool, that is not
     * there. */
    size_t n_incomplete;
    struct pool_outcome outcome; /* Of the last computation. */

    bool on;         /* buffer_model is "dynamic". */
    bool wants_rows; /* It was just switched on, and has none. */
    bool refresh;    /* What all generated profiles depend on has changed. */
    bool resize;     /* What the pools depend on has. */

    struct field *completed; /* Behind what dynamic_take() gave out last. */
};

/* Whether there is, or should be, a shared headroom pool. */
bool dynamic_state_shares(const struct dynamic_state *model);

/* The rules of the formula as they are now. */
struct headroom_rules dynamic_state_rules(const struct dynamic_state *model);

/* A profile as sums and limits see it. */
struct profile_summary {
    bool complete; /* It and its pool are there. */
    bool ingress;
    bool lossless;
    struct headroom headroom;
};

/* Returns what is known of the profile 'name' (NULL: none), which is generated
 * if 'generated' is not NULL. */
struct profile_summary
dynamic_state_profile(const struct dynamic_state *model, const char *name,
                      const struct generated_profile *generated);

/* Returns what a profile with these fields reserves. */
struct headroom dynamic_state_headroom_of(const struct content *content);

/* Fills '*headroom' with what 'label' needs on a port of 8 lanes ('eight') or
 * fewer; 'terms' may be NULL. */
void dynamic_state_headroom(const struct dynamic_state *model,
                            const struct profile_label *label, bool eight,
                            struct headroom *headroom, struct terms *terms);

#endif /* orchd/derive/dynamic_state.h */
