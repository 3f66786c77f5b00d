/* SPDX-License-Identifier: Apache-2.0 */

/* Text forms of addresses.  SAI stores addresses in network byte order, which
 * is what inet_ntop() takes. */

#include <config.h>

#include "sai/core/ip.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"

/* Returns the number of bytes in an address of 'family', 0 if it is unknown. */
static size_t
address_size(sai_ip_addr_family_t family)
{
    switch ((int)family) {
    case SAI_IP_ADDR_FAMILY_IPV4:
        return 4;
    case SAI_IP_ADDR_FAMILY_IPV6:
        return 16;
    default:
        return 0;
    }
}

void
ip_write(const sai_ip_address_t *address, struct text *text)
{
    char string[INET6_ADDRSTRLEN];
    int family =
        address->addr_family == SAI_IP_ADDR_FAMILY_IPV4 ? AF_INET : AF_INET6;

    if (!address_size(address->addr_family) ||
        !inet_ntop(family, &address->addr, string, sizeof string)) {
        text_addf(text, "family:%d", (int)address->addr_family);
        return;
    }
    text_add(text, string);
}

enum st
ip_parse(const char *string, sai_ip_address_t *address)
{
    bool is_ip6 = strchr(string, ':') != NULL;
    sai_ip_address_t parsed;

    memset(&parsed, 0, sizeof parsed);
    parsed.addr_family =
        is_ip6 ? SAI_IP_ADDR_FAMILY_IPV6 : SAI_IP_ADDR_FAMILY_IPV4;
    if (inet_pton(is_ip6 ? AF_INET6 : AF_INET, string, &parsed.addr) != 1) {
        return ST_INVALID;
    }
    *address = parsed;
    return ST_OK;
}

bool
ip_prefix_length(const sai_ip_prefix_t *prefix, unsigned int *length)
{
    size_t n_bits = 8 * address_size(prefix->addr_family);
    unsigned int n = 0;
    bool ended = false;

    for (size_t i = 0; i < n_bits; i++) {
        bool is_set = prefix->mask.ip6[i / 8] >> (7 - i % 8) & 1;

        if (is_set && ended) {
            return false;
        }
        ended = !is_set;
        n += is_set;
    }
    if (n_bits == 0) {
        return false;
    }
    *length = n;
    return true;
}

void
ip_write_prefix(const sai_ip_prefix_t *prefix, struct text *text)
{
    const sai_ip_address_t address = {prefix->addr_family, prefix->addr};
    const sai_ip_address_t mask = {prefix->addr_family, prefix->mask};
    unsigned int length;

    ip_write(&address, text);
    text_add_char(text, '/');
    if (ip_prefix_length(prefix, &length)) {
        text_addf(text, "%u", length);
    } else {
        ip_write(&mask, text);
    }
}

/* Parses the text after the slash: a length, or a mask of the same family. */
static enum st
parse_mask(const char *string, sai_ip_addr_family_t family, sai_ip_addr_t *mask)
{
    sai_ip_address_t parsed;
    uint64_t length;

    if (strpbrk(string, ".:")) {
        if (ip_parse(string, &parsed) || parsed.addr_family != family) {
            return ST_INVALID;
        }
        *mask = parsed.addr;
        return ST_OK;
    }
    if (parse_u64(string, 0, 8 * address_size(family), &length)) {
        return ST_INVALID;
    }
    memset(mask, 0, sizeof *mask);
    for (size_t i = 0; i < length; i++) {
        mask->ip6[i / 8] |= (uint8_t)(0x80 >> i % 8);
    }
    return ST_OK;
}

enum st
ip_parse_prefix(const char *string, sai_ip_prefix_t *prefix)
{
    const char *slash = strchr(string, '/');
    char buffer[INET6_ADDRSTRLEN];
    sai_ip_address_t address;
    sai_ip_prefix_t parsed;

    if (!slash || (size_t)(slash - string) >= sizeof buffer) {
        return ST_INVALID;
    }
    memcpy(buffer, string, (size_t)(slash - string));
    buffer[slash - string] = '\0';
    memset(&parsed, 0, sizeof parsed);
    if (ip_parse(buffer, &address) ||
        parse_mask(slash + 1, address.addr_family, &parsed.mask)) {
        return ST_INVALID;
    }
    parsed.addr_family = address.addr_family;
    parsed.addr = address.addr;
    *prefix = parsed;
    return ST_OK;
}
