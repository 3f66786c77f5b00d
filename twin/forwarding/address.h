/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_ADDRESS_H
#define ORCHD_TWIN_FORWARDING_ADDRESS_H

/* IP addresses of both families.
 *
 * Bytes are in network order.  Bytes that the family does not have are 0, so
 * two addresses are equal if all bytes are, and a structure of addresses can be
 * the key of a hash table.
 *
 * The classes of addresses are those of RFC 6890 (special purpose), RFC 1112
 * (class D), RFC 4291 (IPv6). */

#include <stdbool.h>
#include <stdint.h>

enum address_family {
    ADDRESS_NONE,
    ADDRESS_V4,
    ADDRESS_V6,
};

enum { ADDRESS_BYTES = 16 };

struct address {
    uint8_t family; /* enum address_family. */
    uint8_t bytes[ADDRESS_BYTES];
};

/* Returns the address of 'family' whose bytes, 4 or 16, are at 'bytes'. */
struct address address_make(enum address_family family, const uint8_t *bytes);

/* Returns the IPv4 address with that number, its first byte the highest. */
struct address address_v4(uint32_t number);

/* Returns the length of an address of 'family' in bits: 32, 128 or 0. */
unsigned int address_bits(enum address_family family);

bool address_equal(const struct address *a, const struct address *b);

/* Returns 'address' with all bits after the first 'length' cleared. */
struct address address_mask(const struct address *address, unsigned int length);

/* Return whether 'address' is a group (multicast) address; whether it is
 * link-local. */
bool address_is_group(const struct address *address);
bool address_is_link_local(const struct address *address);

/* Return whether 'address' must not be the source, or the destination, of a
 * packet on a wire between hosts (RFC 1812 section 5.3.7, RFC 4291 section
 * 2.5): loopback, unspecified, the broadcast address; as a source also groups
 * and 240.0.0.0/4. */
bool address_is_bad_source(const struct address *address);
bool address_is_bad_destination(const struct address *address);

#endif /* twin/forwarding/address.h */
