/* SPDX-License-Identifier: Apache-2.0 */

/* Frames between the CPU port of the twin and the host interfaces. */

#include <config.h>

#include "vendors/softasic/traffic/hostif_frames.h"

#include <string.h>

#include "vendors/softasic/front_panel.h"
#include "vendors/softasic/program/addresses.h"
#include "vendors/softasic/traffic/frames.h"

/* Returns the port of host interface 'item', NULL if it is not that of a
 * port. */
static struct state_port *
port_of(const struct asic *asic, const struct objects_item *item)
{
    const struct objects_item *port =
        objects_referent(asic->objects, item, SAI_HOSTIF_ATTR_OBJ_ID);

    return objects_number(item, SAI_HOSTIF_ATTR_TYPE) ==
                       SAI_HOSTIF_TYPE_NETDEV &&
                   port && port->type == SAI_OBJECT_TYPE_PORT &&
                   port != asic->cpu_port
               ? &asic->ports[port->handle]
               : NULL;
}

static void
notify_listener(const struct asic *asic, const struct state_port *port)
{
    const struct softasic_listener *listener = asic->listener;
    const sai_attribute_value_t *value =
        objects_value(port->host, SAI_HOSTIF_ATTR_NAME);
    char name[sizeof value->chardata + 1] =
        ""; /* The terminating null may be missing. */
    struct softasic_hostif host = {
        .slot = port->item->handle,
        .name = name,
        .up = objects_number(port->host, SAI_HOSTIF_ATTR_OPER_STATUS) != 0,
    };

    if (listener) {
        if (value) {
            memcpy(name, value->chardata, sizeof value->chardata);
        }
        addresses_mac(asic, asic->sw, host.mac);
        listener->hostif(listener->context, &host);
    }
}

sai_status_t
hostif_frames_add(struct asic *asic, const struct objects_item *item,
                  sai_attr_id_t *blame, struct err *err)
{
    struct state_port *port = port_of(asic, item);

    if (!port) {
        return SAI_STATUS_SUCCESS;
    }
    if (port->host) {
        *blame = SAI_HOSTIF_ATTR_OBJ_ID;
        err_set(err, ST_EXISTS, "host-interface",
                "the port has a host interface already");
        return SAI_STATUS_ITEM_ALREADY_EXISTS;
    }
    port->host = item;
    notify_listener(asic, port);
    return SAI_STATUS_SUCCESS;
}

void
hostif_frames_changed(struct asic *asic, const struct objects_item *item)
{
    const struct state_port *port = port_of(asic, item);

    if (port && port->host == item) {
        notify_listener(asic, port);
    }
}

/* Notifies the listener that 'port' has lost its host interface. */
static void
notify_listener_removed(const struct asic *asic, const struct state_port *port)
{
    const struct softasic_listener *listener = asic->listener;

    if (listener && port->item) {
        listener->hostif_removed(listener->context, port->item->handle);
    }
}

void
hostif_frames_remove(struct asic *asic, const struct objects_item *item)
{
    struct state_port *port = port_of(asic, item);

    if (port && port->host == item) {
        notify_listener_removed(asic, port);
        port->host = NULL;
    }
}

void
hostif_frames_end(struct asic *asic)
{
    for (uint32_t i = 0; i < asic->n_ports; i++) {
        if (asic->ports[i].host) {
            notify_listener_removed(asic, &asic->ports[i]);
        }
    }
}

bool
hostif_frames_is_device(const struct asic *asic,
                        const struct objects_item *item)
{
    return port_of(asic, item) != NULL;
}

bool
hostif_frames_selects(const struct objects_item *entry)
{
    const int64_t channel =
        objects_number(entry, SAI_HOSTIF_TABLE_ENTRY_ATTR_CHANNEL_TYPE);

    return objects_number(entry, SAI_HOSTIF_TABLE_ENTRY_ATTR_TYPE) ==
               SAI_HOSTIF_TABLE_ENTRY_TYPE_WILDCARD &&
           (channel ==
                SAI_HOSTIF_TABLE_ENTRY_CHANNEL_TYPE_NETDEV_PHYSICAL_PORT ||
            channel == SAI_HOSTIF_TABLE_ENTRY_CHANNEL_TYPE_NETDEV_LOGICAL_PORT);
}

/* Returns whether the host interface table sends trapped frames to network
 * devices. */
static bool
is_led_to_devices(const struct asic *asic)
{
    for (const struct objects_item *i =
             objects_first(asic->objects, SAI_OBJECT_TYPE_HOSTIF_TABLE_ENTRY);
         i; i = objects_next(asic->objects, i)) {
        if (hostif_frames_selects(i)) {
            return true;
        }
    }
    return false;
}

void
hostif_frames_trapped(const struct asic *asic, uint32_t slot,
                      const struct sim_frame *frame)
{
    static uint8_t bytes[SIM_MAX_LENGTH_BYTES + SIM_TAG_BYTES]; /* Scratch. */
    const struct softasic_listener *listener = asic->listener;
    const struct objects_item *host = asic->ports[slot].host;
    struct sim_frame untagged = *frame;

    if (!listener || !host || !frame->payload || !frame->payload->length ||
        !is_led_to_devices(asic)) {
        return;
    }
    if (objects_number(host, SAI_HOSTIF_ATTR_VLAN_TAG) ==
        SAI_HOSTIF_VLAN_TAG_STRIP) {
        untagged.tag = 0;
    }
    listener->to_hostif(listener->context, slot, bytes,
                        frames_write(&untagged, bytes));
}

void
hostif_frames_send(struct asic *asic, uint32_t slot, const uint8_t *bytes,
                   uint32_t n)
{
    struct sim_frame frame;

    if (slot < asic->n_ports && asic->ports[slot].host &&
        n >= PACKET_MIN_BYTES && n <= SIM_MAX_LENGTH_BYTES) {
        frame = frame_of_payload(sim_payload_create(n, bytes));
        /* A frame that cannot be sent is lost, as with any adapter. */
        (void)!sim_emit(asic->sim, slot, &frame);
        sim_payload_unref(frame.payload);
    }
}
