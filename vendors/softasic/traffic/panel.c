/* SPDX-License-Identifier: Apache-2.0 */

/* Wires between the twin and a listener that has real interfaces. */

#include <config.h>

#include "vendors/softasic/traffic/panel.h"

#include <stdlib.h>

#include "base/check.h"
#include "twin/link/arrival_pacer.h"
#include "vendors/softasic/front_panel.h"
#include "vendors/softasic/traffic/frames.h"
#include "vendors/softasic/traffic/hostif_frames.h"

/* The wire of a port. */
struct wire {
    struct asic *asic;
    uint32_t slot;
    struct arrival_pacer *pacer;
    bool link_up;
    uint64_t n_missed;
};

void
panel_end(struct asic *asic)
{
    hostif_frames_end(asic);
    for (uint32_t slot = 0; slot < asic->n_ports; slot++) {
        panel_removed(asic, slot);
    }
    asic->listener = NULL;
}

bool
panel_link_is_up(const struct asic *asic, uint32_t slot)
{
    return !asic->listener || slot >= asic->n_ports ||
           (asic->ports[slot].wire && asic->ports[slot].wire->link_up);
}

/* A sim_wire_fn: a frame has left the port. */
static void
to_listener(void *context, const struct sim_frame *frame)
{
    static uint8_t bytes[SIM_MAX_LENGTH_BYTES + SIM_TAG_BYTES]; /* Scratch. */
    const struct wire *wire = context;
    const struct softasic_listener *listener = wire->asic->listener;

    if (frame->payload && frame->payload->length) {
        listener->left(listener->context, wire->slot, bytes,
                       frames_write(frame, bytes));
    }
}

void
panel_changed(struct asic *asic, const struct objects_item *port)
{
    const sai_attribute_value_t *lanes =
        objects_value(port, SAI_PORT_ATTR_HW_LANE_LIST);

    if (!asic->listener) {
        return;
    }
    asic->listener->changed(
        asic->listener->context,
        &(struct softasic_front_port){
            .port = port->oid,
            .slot = port->handle,
            .lanes = lanes->u32list.list,
            .n_lanes = lanes->u32list.count,
            .first_lane = asic->chip->first_lane,
            .speed_mbps = (uint32_t)objects_number(port, SAI_PORT_ATTR_SPEED),
            .mtu_bytes = (uint32_t)objects_number(port, SAI_PORT_ATTR_MTU),
            .admin_up = objects_number(port, SAI_PORT_ATTR_ADMIN_STATE) != 0,
        });
}

void
panel_added(struct asic *asic, const struct objects_item *port)
{
    struct wire *wire;

    if (!asic->listener) {
        return;
    }
    wire = check_calloc(1, sizeof *wire);
    wire->asic = asic;
    wire->slot = port->handle;
    wire->pacer = arrival_pacer_create(asic->sim, wire->slot);
    asic->ports[wire->slot].wire = wire;
    sim_port_connect(asic->sim, wire->slot, to_listener, wire);
    panel_changed(asic, port);
}

void
panel_removed(struct asic *asic, uint32_t slot)
{
    struct wire *wire = asic->ports[slot].wire;

    if (wire) {
        if (sim_port_get(asic->sim, slot)) {
            sim_port_connect(asic->sim, slot, NULL, NULL);
        }
        arrival_pacer_destroy(wire->pacer);
        free(wire);
        asic->ports[slot].wire = NULL;
        asic->listener->removed(asic->listener->context, slot);
    }
}

/* Returns the wire of 'slot', NULL if there is none. */
static struct wire *
find(const struct asic *asic, uint32_t slot)
{
    return slot < asic->n_ports ? asic->ports[slot].wire : NULL;
}

bool
panel_set_link(struct asic *asic, uint32_t slot, bool up)
{
    struct wire *wire = find(asic, slot);

    if (!wire || wire->link_up == up) {
        return false;
    }
    wire->link_up = up;
    return true;
}

void
panel_send(struct asic *asic, uint32_t slot, const uint8_t *bytes, uint32_t n)
{
    struct wire *wire = find(asic, slot);

    if (wire && n >= PACKET_MIN_BYTES && n <= SIM_MAX_LENGTH_BYTES) {
        arrival_pacer_add(wire->pacer, sim_payload_create(n, bytes));
    }
}

void
panel_count_missed(struct asic *asic, uint32_t slot, uint64_t n)
{
    struct wire *wire = find(asic, slot);

    if (wire) {
        wire->n_missed += n;
    }
}

uint64_t
panel_missed(const struct asic *asic, uint32_t slot)
{
    const struct wire *wire = find(asic, slot);

    return wire ? wire->n_missed : 0;
}

uint32_t
panel_waiting(const struct asic *asic, uint32_t slot)
{
    const struct wire *wire = find(asic, slot);

    return wire ? arrival_pacer_waiting(wire->pacer) : 0;
}

int64_t
panel_arrived_ps(const struct asic *asic)
{
    int64_t last_ps = sim_now_ps(asic->sim);

    for (uint32_t slot = 0; slot < asic->n_ports; slot++) {
        if (panel_waiting(asic, slot)) {
            const int64_t ps =
                arrival_pacer_last_ps(asic->ports[slot].wire->pacer);

            last_ps = ps > last_ps ? ps : last_ps;
        }
    }
    return last_ps;
}
