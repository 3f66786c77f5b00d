/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_POOL_H
#define ORCHD_DERIVE_POOL_H

/* The sizes of pools without a configured size: what the reservations leave of
 * the memory.
 *
 *     available = memory - occupied
 *     occupied  = what attached profiles reserve
 *               + for each port that is up: management group, mirror
 *               + management pool (and descriptors on large models)
 *               + shared headroom pool, with a private part per lossless port
 *
 * If exactly one ingress pool has no size, each pool without one gets all that
 * is available (the same cells are counted at ingress and at egress);
 * otherwise, half.  A pool with a percentage gets that instead.
 *
 * The shared headroom pool is as large as configured; or the excess of all
 * lossless profiles (xon + xoff - size, less the private part) divided by the
 * over-subscription ratio; or 655,360 bytes when profiles need one and none is
 * configured.
 *
 * The sums are updated incrementally: pool_sums_add() adds or subtracts what
 * one port or row contributes, so a change of one cable costs the same on 514
 * ports as on one. pool_compute() reads nothing but the sums. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/derive/headroom.h"
#include "orchd/derive/platform.h"

struct terms;

/* What the whole switch contributes. */
struct pool_sums {
    int64_t n_up;             /* Ports that are up, ... */
    int64_t n_up_8;           /* Of these, those of 8 lanes. */
    int64_t n_lossless_ports; /* Ports with a lossless group. */
    int64_t reserved_bytes;   /* References times size. */
    int64_t excess_bytes;     /* References times xon + xoff - size. */
    int64_t n_lossy;          /* References to lossy ingress profiles. */
    int64_t n_lossy_8;        /* Of these, those from ports of 8 lanes. */
};

/* Adds 'times' times 'more' to 'sums'; -1 subtracts it. */
void pool_sums_add(struct pool_sums *sums, const struct pool_sums *more,
                   int64_t times);

/* Adds what 'n' references to a profile contribute: from the groups or queues
 * of a row, or from a profile list ('n' is 1 then).  Lists do not consume lossy
 * ingress profiles: with 'from_list' these count nothing. */
struct pool_reference {
    struct headroom headroom; /* xon and xoff 0: not lossless. */
    bool lossy_ingress;
    bool from_list;
    bool eight_lanes;
};
void pool_sums_refer(struct pool_sums *sums,
                     const struct pool_reference *reference, uint64_t n);

/* What determines the shared headroom pool. */
#define SHP_MODES(X)                                                           \
    X(OFF, "off")                                                              \
    X(RATIO, "ratio")                                                          \
    X(SIZE, "size") /* Wins if both are configured. */

#define X(member, text) SHP_##member,
enum shp_mode { SHP_MODES(X) };
#undef X

/* Of the switch. */
struct pool_switch {
    const struct platform *platform;
    struct chip_headroom_params asic;
    uint64_t memory_bytes;
    uint32_t model_number;    /* platform_model_number(). */
    uint32_t ratio;           /* over_subscribe_ratio; 0: none. */
    uint64_t configured_xoff; /* Of ingress_lossless_pool; 0: none. */
    uint32_t n_ports;         /* Rows of PORT, up or not. */
};

/* A pool without a size. */
struct unsized_pool {
    bool ingress; /* Or of both directions. */
    bool has_percentage;
    uint32_t percentage;
};

struct pool_outcome {
    enum shp_mode shp;
    bool shp_forced; /* Profiles need one and none is configured. */
    uint64_t shp_bytes;
    uint64_t occupied_bytes;
};

/* Returns the mode that the configuration asks for. */
enum shp_mode shp_mode(uint64_t configured_xoff, uint32_t ratio);
const char *shp_mode_name(enum shp_mode mode);

/* Computes the size of the shared headroom pool and all that is occupied into
 * 'outcome'.  Adds its terms to 'terms', which may be NULL. */
void pool_occupied(const struct pool_switch *sw, const struct pool_sums *sums,
                   struct pool_outcome *outcome, struct terms *terms);

/* Stores the sizes in bytes of the 'n' pools of 'unsized' in 'sizes'.  Returns
 * ST_OK; ST_INVALID, code "range", if the configured shared headroom pool is
 * larger than the memory; ST_NO_RESOURCE, code "pool-exhausted", if the
 * occupied part is, and then leaves 'sizes' untouched, so that the pools keep
 * their sizes; or ST_INVALID, code "mandatory", for a pool without a size on a
 * platform that computes none.  Fills '*outcome' in any case. */
enum st pool_compute(const struct pool_switch *sw, const struct pool_sums *sums,
                     const struct unsized_pool *unsized, size_t n,
                     uint64_t *sizes, struct pool_outcome *outcome,
                     struct err *err) ST_WARN_UNUSED;

#endif /* orchd/derive/pool.h */
