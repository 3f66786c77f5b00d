/* SPDX-License-Identifier: Apache-2.0 */

/* Where a frame goes.
 *
 * One answer per frame: a set of ports, and what the frame is when it leaves.
 * The bridge decides by VLAN and address and changes nothing but the tag; what
 * else may decide (the addresses of a router, say) comes before it. */

#include <config.h>

#include "twin/sim/sim_state.h"

/* Fills 'ways' with the members of the frame's VLAN that are up, but the one
 * it came from. */
static uint32_t
flood(const struct sim *sim, const struct sim_port *in,
      const struct sim_frame *frame, uint32_t *ways)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < sim->chip->ports; i++) {
        const struct sim_port *out = &sim->ports[i];

        if (out->exists && out->config.admin_up && out != in &&
            bridge_floods(sim->bridge, frame->vlan, i)) {
            ways[n++] = i;
        }
    }
    return n;
}

uint32_t
sim_forward__(struct sim *sim, const struct sim_port *in,
              struct sim_frame *frame, uint32_t *ways)
{
    uint32_t to = bridge_decide(sim->bridge, in->id, frame->src_mac,
                                frame->dst_mac, frame->tag, &frame->vlan);

    if (to == BRIDGE_FLOOD) {
        return flood(sim, in, frame, ways);
    }
    if (to == BRIDGE_DISCARD || to == in->id ||
        !sim->ports[to].config.admin_up) {
        return 0;
    }
    ways[0] = to;
    return 1;
}
