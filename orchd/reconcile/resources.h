/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_RESOURCES_H
#define ORCHD_RECONCILE_RESOURCES_H

/* How much of the packet buffer the configuration would reserve, whether or not
 * the device at hand accepts it: another device might accept it and fail to
 * honour it.
 *
 * A reservation is the reserved size of a profile, once for each priority group
 * or queue that it is attached to, plus the shared headroom pools.  The size of
 * a pool is not one: it is a limit, and pools overlap by design. */

#include <stddef.h>
#include <stdint.h>

struct object;

struct resources {
    uint64_t ingress_reserved_bytes; /* Of priority groups. */
    uint64_t egress_reserved_bytes;  /* Of queues. */
    uint64_t shared_headroom_bytes;  /* Of all pools. */

    /* XOFF of the profiles of all priority groups: what they may need of a
     * shared headroom pool if all pause at the same time. */
    uint64_t headroom_demand_bytes;
    size_t n_lossless; /* Priority groups with headroom. */
    size_t n_pgs, n_queues, n_pools, n_profiles, n_ports;
};

/* Adds the share of 'object', which is on the ASIC.  Zero 'resources' before
 * the first call.  Can be passed to agent_each_object(). */
void resources_add(void *resources, const struct object *object);

#endif /* orchd/reconcile/resources.h */
