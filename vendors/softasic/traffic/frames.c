/* SPDX-License-Identifier: Apache-2.0 */

/* Whole frames into and out of the switch.
 *
 * The twin forwards by the parsed headers and carries the bytes along.  The
 * changes of bridge and router are written into the bytes when a frame is
 * captured. */

#include <config.h>

#include "vendors/softasic/traffic/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "vendors/softasic/program/port_lookup.h"

sai_status_t
frames_inject(struct asic *asic, sai_object_id_t port, uint32_t n,
              const uint8_t *bytes)
{
    struct sim_frame frame;
    struct objects_item *item;
    enum st sent;
    const sai_status_t status = port_lookup_locate_port(asic, port, &item);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (n < PACKET_MIN_BYTES || n > SOFTASIC_FRAME_BYTES_MAX) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    frame = frame_of_payload(sim_payload_create(n, bytes));
    sent = sim_send(asic->sim, item->handle, &frame, 1, 0, NULL);
    sim_payload_unref(frame.payload);
    return sent == ST_OK ? SAI_STATUS_SUCCESS : SAI_STATUS_INVALID_PARAMETER;
}

uint32_t
frames_write(const struct sim_frame *frame, uint8_t *kept)
{
    const struct packet *packet = &frame->payload->packet;
    struct packet_change change = packet_keep(packet);

    change.dst_mac = frame->dst_mac;
    change.src_mac = frame->src_mac;
    change.tag = frame->tag;
    change.ttl = frame->ttl;
    change.pcp = frame->dot1p;
    change.exp = frame->exp;
    if (frame->dscp >= 0) {
        change.class_byte = (uint8_t)(frame->dscp << 2 | frame->ecn);
    }
    return packet_write(packet, frame->payload->bytes, frame->payload->length,
                        &change, kept);
}

void
frames_left(struct state_port *slot, const struct sim_frame *frame)
{
    struct state_kept *kept;

    if (!slot->captures || !frame->payload || frame->payload->length == 0 ||
        slot->n_kept == STATE_MAX_KEPT) {
        return;
    }
    slot->kept =
        check_realloc(slot->kept, (slot->n_kept + 1) * sizeof *slot->kept);
    kept = &slot->kept[slot->n_kept++];
    kept->bytes = check_malloc(frame->payload->length + SIM_TAG_BYTES);
    kept->n = frames_write(frame, kept->bytes);
}

void
frames_free(struct state_port *slot)
{
    for (uint32_t i = 0; i < slot->n_kept; i++) {
        free(slot->kept[i].bytes);
    }
    free(slot->kept);
    slot->kept = NULL;
    slot->n_kept = 0;
}

/* Finds the slot of 'port', which may be the CPU port, for captured frames. */
static sai_status_t
find_slot(struct asic *asic, sai_object_id_t port, struct state_port **slot)
{
    struct objects_item *item;
    const sai_status_t status =
        objects_locate(asic->objects, SAI_OBJECT_TYPE_PORT, port, &item);

    if (status == SAI_STATUS_SUCCESS) {
        *slot =
            item == asic->cpu_port ? &asic->cpu : &asic->ports[item->handle];
    }
    return status;
}

sai_status_t
frames_capture(struct asic *asic, sai_object_id_t port, bool on)
{
    struct state_port *slot;
    const sai_status_t status = find_slot(asic, port, &slot);

    if (status == SAI_STATUS_SUCCESS) {
        frames_free(slot);
        slot->captures = on;
    }
    return status;
}

sai_status_t
frames_take(struct asic *asic, sai_object_id_t port, uint32_t *n,
            uint8_t *bytes)
{
    struct state_port *slot;
    const sai_status_t status = find_slot(asic, port, &slot);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (slot->n_kept == 0) {
        *n = 0;
        return SAI_STATUS_SUCCESS;
    }
    if (*n < slot->kept[0].n) {
        *n = slot->kept[0].n;
        return SAI_STATUS_BUFFER_OVERFLOW;
    }
    *n = slot->kept[0].n;
    memcpy(bytes, slot->kept[0].bytes, *n);
    free(slot->kept[0].bytes);
    slot->n_kept--;
    memmove(&slot->kept[0], &slot->kept[1], slot->n_kept * sizeof *slot->kept);
    return SAI_STATUS_SUCCESS;
}
