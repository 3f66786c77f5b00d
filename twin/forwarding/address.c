/* SPDX-License-Identifier: Apache-2.0 */

/* IP addresses of both families. */

#include <config.h>

#include "twin/forwarding/address.h"

#include <string.h>

enum { V4_BYTES = 4, V6_BYTES = 16, BYTE_BITS = 8 };

struct address
address_make(enum address_family family, const uint8_t *bytes)
{
    struct address address = {.family = (uint8_t)family};

    memcpy(address.bytes, bytes, address_bits(family) / BYTE_BITS);
    return address;
}

struct address
address_v4(uint32_t number)
{
    const uint8_t bytes[V4_BYTES] = {(uint8_t)(number >> 24),
                                     (uint8_t)(number >> 16),
                                     (uint8_t)(number >> 8), (uint8_t)number};

    return address_make(ADDRESS_V4, bytes);
}

unsigned int
address_bits(enum address_family family)
{
    switch (family) {
    case ADDRESS_V4:
        return V4_BYTES * BYTE_BITS;
    case ADDRESS_V6:
        return V6_BYTES * BYTE_BITS;
    default:
        return 0;
    }
}

bool
address_equal(const struct address *a, const struct address *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

struct address
address_mask(const struct address *address, unsigned int length)
{
    struct address masked = *address;

    for (unsigned int i = 0; i < ADDRESS_BYTES; i++) {
        const unsigned int before = i * BYTE_BITS;

        if (before >= length) {
            masked.bytes[i] = 0;
        } else if (length - before < BYTE_BITS) {
            masked.bytes[i] &=
                (uint8_t)(0xff << (BYTE_BITS - (length - before)));
        }
    }
    return masked;
}

bool
address_is_group(const struct address *address)
{
    return address->family == ADDRESS_V4 ? address->bytes[0] >> 4 == 0xe
                                         : address->bytes[0] == 0xff;
}

bool
address_is_link_local(const struct address *address)
{
    if (address->family == ADDRESS_V4) {
        return address->bytes[0] == 169 && address->bytes[1] == 254;
    }
    return address->bytes[0] == 0xfe && (address->bytes[1] & 0xc0) == 0x80;
}

/* Returns whether all bytes but the last are 0, and that is at most 'last'. */
static bool
is_up_to(const struct address *address, uint8_t last)
{
    for (int i = 0; i < ADDRESS_BYTES - 1; i++) {
        if (address->bytes[i]) {
            return false;
        }
    }
    return address->bytes[ADDRESS_BYTES - 1] <= last;
}

static bool
is_broadcast(const struct address *address)
{
    static const uint8_t ones[V4_BYTES] = {0xff, 0xff, 0xff, 0xff};

    return memcmp(address->bytes, ones, sizeof ones) == 0;
}

bool
address_is_bad_source(const struct address *address)
{
    if (address->family == ADDRESS_V4) {
        return address->bytes[0] == 0 || address->bytes[0] == 127 ||
               address->bytes[0] >= 224;
    }
    return is_up_to(address, 1) || address_is_group(address);
}

bool
address_is_bad_destination(const struct address *address)
{
    if (address->family == ADDRESS_V4) {
        return address->bytes[0] == 0 || address->bytes[0] == 127 ||
               is_broadcast(address);
    }
    return is_up_to(address, 1);
}
