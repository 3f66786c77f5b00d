/* SPDX-License-Identifier: Apache-2.0 */

/* A frame of any bytes: nothing beyond them is read, writing it unchanged gives
 * the same bytes, a changed one reads as what was written, and a packet inside
 * a tunnel is sound. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "twin/forwarding/packet.h"
#include "twin/forwarding/tunnel.h"

/* Writes 'bytes' with another TTL, class and tag, and reads that again. */
static void
change(const struct packet *packet, const uint8_t *bytes, uint32_t n,
       uint8_t *out)
{
    struct packet_change change = packet_keep(packet);
    struct packet again;
    uint32_t length;

    change.ttl = (uint8_t)(packet->ttl - 1);
    change.class_byte = (uint8_t)(packet->class_byte ^ 3);
    change.tag = (uint16_t)(packet->n_tags ? 0 : 5);
    length = packet_write(packet, bytes, n, &change, out);
    FUZZ_CHECK(packet_parse(out, length, &again));
    if (packet->n_tags == 0 && packet_dscp(packet) >= 0) {
        FUZZ_CHECK(again.tag == 5 && again.fault == packet->fault);
        FUZZ_CHECK(again.ttl == change.ttl);
        FUZZ_CHECK(again.class_byte == change.class_byte);
        FUZZ_CHECK(again.src_port == packet->src_port);
    }
}

/* Decapsulates the frame: what comes out is sound and complete. */
static void
decapsulate(const uint8_t *bytes, uint32_t n)
{
    struct sim_payload *outer = sim_payload_create(n, bytes);
    struct sim_payload *inner = tunnel_open(outer);

    if (inner) {
        const struct packet *packet = &inner->packet;

        FUZZ_CHECK(packet->fault == PACKET_SOUND);
        FUZZ_CHECK(packet->kind == PACKET_IPV4 || packet->kind == PACKET_IPV6);
        FUZZ_CHECK(packet->offset + packet->ip_bytes <= inner->length);
        FUZZ_CHECK(packet->offset == outer->packet.offset);
        FUZZ_CHECK(inner->length < n || inner->length == 60);
    }
    sim_payload_unref(inner);
    sim_payload_unref(outer);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint32_t n = (uint32_t)size;
    uint8_t *bytes = check_malloc(n + 1);
    uint8_t *exact = check_realloc(bytes, n ? n : 1);
    uint8_t *out = check_malloc(n + PACKET_TAG_BYTES);
    struct packet packet;

    memcpy(exact, data, n);
    if (packet_parse(exact, n, &packet)) {
        const struct packet_change keep = packet_keep(&packet);

        FUZZ_CHECK(packet.offset <= n && packet.n_tags <= 2);
        if (packet.tag || packet.n_tags == 0) {
            FUZZ_CHECK(packet_write(&packet, exact, n, &keep, out) == n);
            FUZZ_CHECK(memcmp(out, exact, n) == 0);
        }
        change(&packet, exact, n, out);
        decapsulate(exact, n);
    }
    free(exact);
    free(out);
    return 0;
}
