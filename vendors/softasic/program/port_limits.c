/* SPDX-License-Identifier: Apache-2.0 */

/* Checks lanes and speeds against the chip and against other ports. */

#include <config.h>

#include "vendors/softasic/program/port_limits.h"

#include "base/lanes.h"
#include "vendors/softasic/state.h"

/* In ascending order. */
static const uint32_t speeds_mbps[] = {1000,   10000,  25000,  40000,  50000,
                                       100000, 200000, 400000, 800000, 1600000};

/* Returns the lanes of 'port'; none if it has no list. */
static struct lanes
lanes_of(const struct objects_item *port)
{
    const sai_attribute_value_t *value =
        objects_value(port, SAI_PORT_ATTR_HW_LANE_LIST);

    return value ? (struct lanes){value->u32list.list, value->u32list.count}
                 : (struct lanes){NULL, 0};
}

static void
find_range(const struct lanes *lanes, uint32_t *least, uint32_t *most)
{
    *least = UINT32_MAX;
    *most = 0;
    for (uint32_t i = 0; i < lanes->n; i++) {
        *least = lanes->list[i] < *least ? lanes->list[i] : *least;
        *most = lanes->list[i] > *most ? lanes->list[i] : *most;
    }
}

sai_status_t
port_limits_check_lanes(const struct asic *asic,
                        const struct objects_item *port, struct err *err)
{
    const struct lanes lanes = lanes_of(port);
    const struct chip *chip = asic->chip;
    uint32_t least, most, twice;

    find_range(&lanes, &least, &most);
    if (lanes.n == 0 || lanes_find_twice(&lanes, &twice)) {
        err_set(err, ST_INVALID, "lanes", "a port needs different lanes");
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    if (chip->last_lane &&
        (least < chip->first_lane || most > chip->last_lane)) {
        err_set(err, ST_INVALID, "lanes", "the chip has the lanes %u to %u",
                chip->first_lane, chip->last_lane);
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    for (uint32_t slot = 0; slot < asic->n_ports; slot++) {
        const struct state_port *other = &asic->ports[slot];
        struct lanes its;

        if (!other->item || other->item == port || other->most_lane < least ||
            other->least_lane > most) {
            continue;
        }
        its = lanes_of(other->item);
        if (lanes_collide(&lanes, &its)) {
            err_set(err, ST_BUSY, "lanes", "another port has these lanes");
            return SAI_STATUS_OBJECT_IN_USE;
        }
    }
    return SAI_STATUS_SUCCESS;
}

void
port_limits_note(struct asic *asic, const struct objects_item *port)
{
    struct state_port *state = &asic->ports[port->handle];
    const struct lanes lanes = lanes_of(port);

    find_range(&lanes, &state->least_lane, &state->most_lane);
}

uint32_t
port_limits_speeds(const struct asic *asic, const struct objects_item *port,
                   uint32_t *mbps)
{
    const struct chip *chip = asic->chip;
    const struct lanes lanes = lanes_of(port);
    const uint64_t most =
        chip->default_ports
            ? (uint64_t)chip->port_speed_mbps * lanes.n / chip->lanes_per_port
            : UINT32_MAX;
    uint32_t n = 0;

    for (size_t i = 0; i < sizeof speeds_mbps / sizeof *speeds_mbps; i++) {
        if (speeds_mbps[i] <= most) {
            mbps[n++] = speeds_mbps[i];
        }
    }
    return n;
}

sai_status_t
port_limits_check_speed(const struct asic *asic,
                        const struct objects_item *port, struct err *err)
{
    const int64_t wanted = objects_number(port, SAI_PORT_ATTR_SPEED);
    uint32_t mbps[PORT_LIMITS_SPEEDS];
    const uint32_t n = port_limits_speeds(asic, port, mbps);

    for (uint32_t i = 0; i < n; i++) {
        if (mbps[i] == wanted) {
            return SAI_STATUS_SUCCESS;
        }
    }
    err_set(err, ST_INVALID, "speed", "the port does not have this speed");
    return SAI_STATUS_INVALID_ATTR_VALUE_0;
}
