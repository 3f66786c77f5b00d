/* SPDX-License-Identifier: Apache-2.0 */

/* Whole frames into and out of the switch.
 *
 * The twin forwards by what the headers say, and carries the bytes along.  What
 * a bridge changes in a frame is its tag, which is put in or taken out when the
 * frame is kept. */

#include <config.h>

#include "vendors/softasic/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "vendors/softasic/wire.h"

enum {
    OFFSET_SOURCE = 6,
    OFFSET_TYPE = 12,
    HEADER_BYTES = 14,
    TYPE_TAG = 0x8100,
    TYPE_IPV4 = 0x0800,
    TYPE_IPV6 = 0x86dd,
    VLAN_BITS = 0xfff,
    IPV4_BYTES = 20,
    IPV6_BYTES = 40,
};

static uint16_t
read_u16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static uint64_t
read_mac(const uint8_t *bytes)
{
    uint64_t mac = 0;

    for (int i = 0; i < 6; i++) {
        mac = mac << 8 | bytes[i];
    }
    return mac;
}

/* Fills in what the header at 'bytes' with 'n' bytes, of type 'type', says. */
static void
read_ip(uint16_t type, uint32_t n, const uint8_t *bytes,
        struct sim_frame *frame)
{
    uint8_t class;

    frame->dscp = -1;
    if (type == TYPE_IPV4 && n >= IPV4_BYTES && bytes[0] >> 4 == 4) {
        class = bytes[1];
        frame->ip_id = read_u16(bytes + 4);
    } else if (type == TYPE_IPV6 && n >= IPV6_BYTES && bytes[0] >> 4 == 6) {
        class = (uint8_t)(bytes[0] << 4 | bytes[1] >> 4);
    } else {
        return;
    }
    frame->dscp = (int8_t)(class >> 2);
    frame->ecn = class & 3;
}

/* Returns where the type of the payload is: behind a tag if there is one. */
static uint32_t
read_ethernet(uint32_t n, const uint8_t *bytes, struct sim_frame *frame)
{
    frame->dst_mac = read_mac(bytes);
    frame->src_mac = read_mac(bytes + OFFSET_SOURCE);
    frame->length_bytes = n;
    if (read_u16(bytes + OFFSET_TYPE) != TYPE_TAG ||
        n < HEADER_BYTES + SIM_TAG_BYTES) {
        return OFFSET_TYPE;
    }
    frame->tag = read_u16(bytes + HEADER_BYTES) & VLAN_BITS;
    return OFFSET_TYPE + SIM_TAG_BYTES;
}

sai_status_t
frames_inject(struct asic *asic, sai_object_id_t port, uint32_t n,
              const uint8_t *bytes)
{
    struct sim_frame frame = {0};
    struct objects_item *item;
    uint32_t type;
    enum st sent;
    const sai_status_t status = wire_locate_port(asic, port, &item);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (n < HEADER_BYTES || n > SOFTASIC_FRAME_BYTES_MAX) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    type = read_ethernet(n, bytes, &frame);
    read_ip(read_u16(bytes + type), n - type - 2, bytes + type + 2, &frame);
    frame.payload = sim_payload_create(n, bytes);
    sent = sim_send(asic->sim, item->handle, &frame, 1, 0, NULL);
    sim_payload_unref(frame.payload);
    return sent == ST_OK ? SAI_STATUS_SUCCESS : SAI_STATUS_INVALID_PARAMETER;
}

/* Copies 'frame' to 'kept' with the tag that it has now.  Returns the length.
 */
static uint32_t
write_frame(const struct sim_frame *frame, uint8_t *kept)
{
    const uint8_t *bytes = frame->payload->bytes;
    const uint32_t n = frame->payload->length;
    const bool was_tagged = read_u16(bytes + OFFSET_TYPE) == TYPE_TAG &&
                            n >= HEADER_BYTES + SIM_TAG_BYTES;
    const uint32_t rest = OFFSET_TYPE + (was_tagged ? SIM_TAG_BYTES : 0);
    uint32_t at = OFFSET_TYPE;

    memcpy(kept, bytes, OFFSET_TYPE);
    if (frame->tag) {
        kept[at++] = TYPE_TAG >> 8;
        kept[at++] = TYPE_TAG & 0xff;
        /* The priority is kept, where there was one. */
        kept[at++] = (uint8_t)((was_tagged ? bytes[HEADER_BYTES] & 0xf0 : 0) |
                               frame->tag >> 8);
        kept[at++] = (uint8_t)frame->tag;
    }
    memcpy(kept + at, bytes + rest, n - rest);
    return at + n - rest;
}

void
frames_left(struct state_port *slot, const struct sim_frame *frame)
{
    struct state_kept *kept;

    if (!slot->captures || !frame->payload || slot->n_kept == STATE_MAX_KEPT) {
        return;
    }
    slot->kept =
        check_realloc(slot->kept, (slot->n_kept + 1) * sizeof *slot->kept);
    kept = &slot->kept[slot->n_kept++];
    kept->bytes = check_malloc(frame->payload->length + SIM_TAG_BYTES);
    kept->n = write_frame(frame, kept->bytes);
}

void
frames_forget(struct state_port *slot)
{
    for (uint32_t i = 0; i < slot->n_kept; i++) {
        free(slot->kept[i].bytes);
    }
    free(slot->kept);
    slot->kept = NULL;
    slot->n_kept = 0;
}

sai_status_t
frames_capture(struct asic *asic, sai_object_id_t port, bool on)
{
    struct objects_item *item;
    const sai_status_t status = wire_locate_port(asic, port, &item);

    if (status == SAI_STATUS_SUCCESS) {
        frames_forget(&asic->ports[item->handle]);
        asic->ports[item->handle].captures = on;
    }
    return status;
}

sai_status_t
frames_take(struct asic *asic, sai_object_id_t port, uint32_t *n,
            uint8_t *bytes)
{
    struct objects_item *item;
    struct state_port *slot;
    const sai_status_t status = wire_locate_port(asic, port, &item);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    slot = &asic->ports[item->handle];
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
