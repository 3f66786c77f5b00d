/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_RESOURCES_H
#define ORCHD_RECONCILE_RESOURCES_H

/* How much of the packet buffer is to be promised to somebody, whether or not
 * the device at hand agrees: another one might accept it and not keep it.
 *
 * A reservation is the reserved size of a profile, once for each priority
 * group or queue that it is attached to, plus the shared headroom pools.
 * The size of a pool is none: it is a limit, and pools overlap by design. */

#include <stddef.h>
#include <stdint.h>

struct object;

struct resources {
    uint64_t ingress_reserved_bytes; /* Of priority groups. */
    uint64_t egress_reserved_bytes;  /* Of queues. */
    uint64_t shared_headroom_bytes;  /* Of all pools. */

    /* XOFF of the profiles of all priority groups: what they may need of a
     * shared headroom pool if all pause at once. */
    uint64_t headroom_demand_bytes;
    size_t n_lossless; /* Priority groups with headroom. */
    size_t n_pgs, n_queues, n_pools, n_profiles, n_ports;
};

/* Adds what 'object', which is on the ASIC, is to have a share in; 'resources'
 * was zeroed before the first.  Fit for agent_each_object(). */
void resources_add(void *resources, const struct object *object);

#endif /* orchd/reconcile/resources.h */
