/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_HEADROOM_LIMIT_H
#define ORCHD_DERIVE_HEADROOM_LIMIT_H

/* How much headroom one port may have.
 *
 * Some chips limit what the priority groups of a port may reserve together
 * (SAI_PORT_ATTR_QOS_MAXIMUM_HEADROOM_SIZE), and what they may take from the
 * shared headroom pool. orchd checks both before it programs anything: a row
 * that does not fit waits, and the ASIC keeps its settings, until something on
 * the port is released.
 *
 * Besides the profiles, the sum includes what the chip needs for itself: 4,096
 * bytes, a management group and a mirror, the latter two twice on a port of 8
 * lanes, which is two pipes wide. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/derive/headroom.h"
#include "orchd/derive/platform.h"

struct terms;

/* Priority groups of the port that have the same profile. */
struct headroom_limit_use {
    unsigned int n_pgs;
    struct headroom headroom; /* xon and xoff are 0 if it is lossy. */
};

struct headroom_limit_port {
    const char *name; /* For messages. */
    uint32_t lanes;
    uint64_t max_headroom_bytes; /* 0: the chip reports none. */
    const struct headroom_limit_use *uses;
    size_t n_uses;
};

/* Returns what the groups of 'port' reserve, in bytes, including what the chip
 * needs for itself. */
uint64_t headroom_limit_used(const struct chip_headroom_params *asic,
                             const struct headroom_limit_port *port,
                             struct terms *terms);

/* Returns ST_OK if 'port' is within its limits; 'shared': there is a shared
 * headroom pool.  Otherwise returns ST_NO_RESOURCE, and 'err' has the code
 * "headroom-exceeded" and the numbers. */
enum st headroom_limit_check(const struct platform *platform,
                             const struct chip_headroom_params *asic,
                             const struct headroom_limit_port *port,
                             bool shared, struct err *err) ST_WARN_UNUSED;

#endif /* orchd/derive/headroom_limit.h */
