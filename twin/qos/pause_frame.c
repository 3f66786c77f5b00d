/* SPDX-License-Identifier: Apache-2.0 */

/* Builds and parses pause frames. */

#include <config.h>

#include "twin/qos/pause_frame.h"

#include <string.h>

#include "base/pfc.h"

enum {
    OPCODE_ALL = 0x0001,
    OPCODE_PFC = 0x0101,
    AT_SOURCE = 6,
    AT_TYPE = 12,
    AT_OPCODE = 14,
    AT_VECTOR = 16, /* PFC */
    AT_TIMES = 18,  /* PFC */
    AT_TIME = 16,   /* 802.3x */
    PFC_BYTES = AT_TIMES + 2 * PFC_N_PRIORITIES,
    ALL_BYTES = AT_TIME + 2,
    MAC_BYTES = 6,
};

/* One bit at 1 Mb/s, in picoseconds. */
#define PS_PER_BIT_MBPS 1000000

static void
write_number(uint8_t *bytes, unsigned int n_bytes, uint64_t value)
{
    for (unsigned int i = n_bytes; i-- > 0; value >>= 8) {
        bytes[i] = (uint8_t)value;
    }
}

static uint64_t
read_number(const uint8_t *bytes, unsigned int n_bytes)
{
    uint64_t value = 0;

    for (unsigned int i = 0; i < n_bytes; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

void
pause_frame_build(const struct pause_frame *pause, uint64_t src_mac,
                  uint8_t bytes[PAUSE_FRAME_BYTES])
{
    memset(bytes, 0, PAUSE_FRAME_BYTES);
    write_number(bytes, MAC_BYTES, PAUSE_FRAME_ADDRESS);
    write_number(bytes + AT_SOURCE, MAC_BYTES, src_mac);
    write_number(bytes + AT_TYPE, 2, PAUSE_FRAME_TYPE);
    if (pause->kind == PAUSE_FRAME_ALL) {
        write_number(bytes + AT_OPCODE, 2, OPCODE_ALL);
        write_number(bytes + AT_TIME, 2, pause->quanta[0]);
        return;
    }
    write_number(bytes + AT_OPCODE, 2, OPCODE_PFC);
    write_number(bytes + AT_VECTOR, 2, pause->priorities);
    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        write_number(bytes + AT_TIMES + 2 * i, 2, pause->quanta[i]);
    }
}

bool
pause_frame_parse(const uint8_t *bytes, uint32_t n, struct pause_frame *pause)
{
    struct pause_frame read = {.kind = PAUSE_FRAME_ALL};
    uint64_t opcode;

    if (n < ALL_BYTES || read_number(bytes, MAC_BYTES) != PAUSE_FRAME_ADDRESS ||
        read_number(bytes + AT_TYPE, 2) != PAUSE_FRAME_TYPE) {
        return false;
    }
    opcode = read_number(bytes + AT_OPCODE, 2);
    if (opcode == OPCODE_ALL) {
        read.quanta[0] = (uint16_t)read_number(bytes + AT_TIME, 2);
    } else if (opcode == OPCODE_PFC && n >= PFC_BYTES) {
        read.kind = PAUSE_FRAME_PFC;
        read.priorities = (uint8_t)read_number(bytes + AT_VECTOR, 2);
        for (int i = 0; i < PFC_N_PRIORITIES; i++) {
            read.quanta[i] = (uint16_t)read_number(bytes + AT_TIMES + 2 * i, 2);
        }
    } else {
        return false;
    }
    *pause = read;
    return true;
}

int64_t
pause_frame_quanta_to_ps(uint16_t quanta, uint32_t speed_mbps)
{
    int64_t bits = (int64_t)quanta * PAUSE_FRAME_QUANTUM_BITS;

    return (bits * PS_PER_BIT_MBPS + speed_mbps - 1) / speed_mbps;
}
