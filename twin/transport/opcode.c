/* SPDX-License-Identifier: Apache-2.0 */

/* Lengths and names of RoCEv2 packets. */

#include <config.h>

#include "twin/transport/opcode.h"

#include <stddef.h>

enum {
    RETH_BYTES = 16,
    AETH_BYTES = 4,
    IMMEDIATE_BYTES = 4,
    IETH_BYTES = 4,
    CNP_BYTES = 16, /* Reserved. */
};

/* Names, NULL without such an opcode, and extended headers. */
static const struct {
    const char *name;
    uint8_t extension_bytes;
} opcodes[] = {
    [TRANSPORT_SEND_FIRST] = {"SEND_FIRST", 0},
    [TRANSPORT_SEND_MIDDLE] = {"SEND_MIDDLE", 0},
    [TRANSPORT_SEND_LAST] = {"SEND_LAST", 0},
    [TRANSPORT_SEND_LAST_IMMEDIATE] = {"SEND_LAST_IMMEDIATE", IMMEDIATE_BYTES},
    [TRANSPORT_SEND_ONLY] = {"SEND_ONLY", 0},
    [TRANSPORT_SEND_ONLY_IMMEDIATE] = {"SEND_ONLY_IMMEDIATE", IMMEDIATE_BYTES},
    [TRANSPORT_WRITE_FIRST] = {"WRITE_FIRST", RETH_BYTES},
    [TRANSPORT_WRITE_MIDDLE] = {"WRITE_MIDDLE", 0},
    [TRANSPORT_WRITE_LAST] = {"WRITE_LAST", 0},
    [TRANSPORT_WRITE_LAST_IMMEDIATE] = {"WRITE_LAST_IMMEDIATE",
                                        IMMEDIATE_BYTES},
    [TRANSPORT_WRITE_ONLY] = {"WRITE_ONLY", RETH_BYTES},
    [TRANSPORT_WRITE_ONLY_IMMEDIATE] = {"WRITE_ONLY_IMMEDIATE",
                                        RETH_BYTES + IMMEDIATE_BYTES},
    [TRANSPORT_READ_REQUEST] = {"READ_REQUEST", RETH_BYTES},
    [TRANSPORT_READ_RESPONSE_FIRST] = {"READ_RESPONSE_FIRST", AETH_BYTES},
    [TRANSPORT_READ_RESPONSE_MIDDLE] = {"READ_RESPONSE_MIDDLE", 0},
    [TRANSPORT_READ_RESPONSE_LAST] = {"READ_RESPONSE_LAST", AETH_BYTES},
    [TRANSPORT_READ_RESPONSE_ONLY] = {"READ_RESPONSE_ONLY", AETH_BYTES},
    [TRANSPORT_ACK] = {"ACK", AETH_BYTES},
    [TRANSPORT_SEND_LAST_INVALIDATE] = {"SEND_LAST_INVALIDATE", IETH_BYTES},
    [TRANSPORT_SEND_ONLY_INVALIDATE] = {"SEND_ONLY_INVALIDATE", IETH_BYTES},
};

enum { N_OPCODES = sizeof opcodes / sizeof opcodes[0] };

const struct transport_framing transport_framing_rocev2 = {
    .base_bytes = 62,
    .minimum_bytes = 64,
    .extended_headers = true,
    .pad_bytes = 4,
};

uint32_t
transport_extension_bytes(uint8_t opcode)
{
    if (opcode == TRANSPORT_CNP) {
        return CNP_BYTES;
    }
    return opcode < N_OPCODES ? opcodes[opcode].extension_bytes : 0;
}

uint32_t
transport_frame_bytes(const struct transport_framing *framing, uint8_t opcode,
                      uint32_t payload_bytes)
{
    const uint32_t pad = framing->pad_bytes;
    uint32_t bytes = payload_bytes;

    if (opcode == TRANSPORT_ACK && framing->ack_bytes) {
        return framing->ack_bytes;
    }
    if (pad > 1) {
        bytes = (bytes + pad - 1) / pad * pad;
    }
    bytes += framing->base_bytes;
    if (framing->extended_headers) {
        bytes += transport_extension_bytes(opcode);
    }
    return bytes < framing->minimum_bytes ? framing->minimum_bytes : bytes;
}

const char *
transport_opcode_name(uint8_t opcode)
{
    if (opcode == TRANSPORT_CNP) {
        return "CNP";
    }
    return opcode < N_OPCODES && opcodes[opcode].name ? opcodes[opcode].name
                                                      : "UNKNOWN";
}

int64_t
transport_rnr_timer_ps(uint8_t code)
{
    /* In units of 10 us, as the specification tabulates them. */
    static const uint16_t durations[32] = {
        0,    1,    2,    3,    4,    6,     8,     12,    16,    24,   32,
        48,   64,   96,   128,  192,  256,   384,   512,   768,   1024, 1536,
        2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};

    if ((code & 31) == 0) {
        return INT64_C(655360000000);
    }
    return durations[code & 31] * INT64_C(10000000);
}

int64_t
transport_ack_timeout_ps(uint8_t exponent)
{
    return exponent ? INT64_C(4096000) << (exponent & 31) : INT64_MAX;
}
