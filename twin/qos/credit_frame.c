/* SPDX-License-Identifier: Apache-2.0 */

/* CC updates as frames. */

#include <config.h>

#include "twin/qos/credit_frame.h"

#include <string.h>

#include "base/pfc.h"

enum {
    MAC_BYTES = 6,
    AT_SOURCE = 6,
    AT_FIRST_VC = 19,
    AT_COUNTERS = 20,
    COUNTER_BITS = 20,
};

/* Octets 0 to 5 and 12 to 18. */
static const uint8_t address[MAC_BYTES] = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
static const uint8_t kind[] = {0x88, 0x08, 0xff, 0xfe, 0, 0, 0};

enum { AT_KIND = 12 };

/* Two counters share five octets. */
static void
write_pair(uint8_t *bytes, uint32_t a, uint32_t b)
{
    const uint64_t both = (uint64_t)a << COUNTER_BITS | b;

    for (int i = 0; i < 2 * COUNTER_BITS / 8; i++) {
        bytes[i] = (uint8_t)(both >> (2 * COUNTER_BITS - 8 * (i + 1)));
    }
}

static void
read_pair(const uint8_t *bytes, uint32_t *a, uint32_t *b)
{
    uint64_t both = 0;

    for (int i = 0; i < 2 * COUNTER_BITS / 8; i++) {
        both = both << 8 | bytes[i];
    }
    *a = (uint32_t)(both >> COUNTER_BITS);
    *b = (uint32_t)both & (CREDIT_MODULUS - 1);
}

void
credit_frame_build(const struct credit_cc *cc, uint64_t src_mac,
                   uint8_t bytes[CREDIT_FRAME_BYTES])
{
    memcpy(bytes, address, sizeof address);
    for (int i = 0; i < MAC_BYTES; i++) {
        bytes[AT_SOURCE + i] = (uint8_t)(src_mac >> (8 * (MAC_BYTES - 1 - i)));
    }
    memcpy(bytes + AT_KIND, kind, sizeof kind);
    bytes[AT_FIRST_VC] = cc->first_vc;
    for (int i = 0; i < CREDIT_CC_VCS; i += 2) {
        write_pair(bytes + AT_COUNTERS + i / 2 * 5, cc->consumed[i],
                   cc->consumed[i + 1]);
    }
}

bool
credit_frame_parse(const uint8_t *bytes, uint32_t n, struct credit_cc *cc)
{
    if (n < CREDIT_FRAME_BYTES || memcmp(bytes, address, sizeof address) != 0 ||
        memcmp(bytes + AT_KIND, kind, sizeof kind) != 0 ||
        (bytes[AT_FIRST_VC] != 0 && bytes[AT_FIRST_VC] != CREDIT_CC_VCS)) {
        return false;
    }
    cc->first_vc = bytes[AT_FIRST_VC];
    for (int i = 0; i < CREDIT_CC_VCS; i += 2) {
        read_pair(bytes + AT_COUNTERS + i / 2 * 5, &cc->consumed[i],
                  &cc->consumed[i + 1]);
    }
    return true;
}
