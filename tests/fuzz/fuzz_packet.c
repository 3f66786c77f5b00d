/* SPDX-License-Identifier: Apache-2.0 */

/* A frame of any bytes: nothing beyond them is read, writing it unchanged gives
 * the same bytes, and a changed one reads as what was written. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "twin/forwarding/packet.h"

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
    }
    free(exact);
    free(out);
    return 0;
}
