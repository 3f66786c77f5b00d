/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_IP_H
#define ORCHD_SAI_CORE_IP_H

/* Text forms of SAI's IP addresses and prefixes.
 *
 * "10.0.0.1", "fc00::1" (the short form of RFC 5952), "10.0.0.0/8".  SAI stores
 * a mask, not a prefix length; a mask with gaps is written in full,
 * "10.0.0.0/255.0.255.0", and can be parsed again. */

#include <stdbool.h>
#include <stddef.h>

#include <saitypes.h>

#include "base/status.h"

struct text;

/* Appends '*address' to 'text', or "family:N" if its family is unknown. */
void ip_write(const sai_ip_address_t *address, struct text *text);

/* Parses an address into '*address' and zeroes its unused bytes.  Returns
 * ST_OK, or ST_INVALID and leaves '*address' unchanged. */
enum st ip_parse(const char *string, sai_ip_address_t *address) ST_WARN_UNUSED;

/* The same for prefixes.  A prefix must have a length; bits beyond the length
 * are kept. */
void ip_write_prefix(const sai_ip_prefix_t *prefix, struct text *text);
enum st ip_parse_prefix(const char *string,
                        sai_ip_prefix_t *prefix) ST_WARN_UNUSED;

/* Stores the length of the prefix in '*length'.  Returns false, and stores
 * nothing, if the mask has gaps or the family is unknown. */
bool ip_prefix_length(const sai_ip_prefix_t *prefix, unsigned int *length);

#endif /* sai/core/ip.h */
