/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_IP_H
#define ORCHD_SAI_CORE_IP_H

/* IP addresses and prefixes of SAI as text.
 *
 * "10.0.0.1", "fc00::1" (the short form of RFC 5952), "10.0.0.0/8".  SAI keeps
 * the bits of a mask, not their number; a mask whose bits are not at its start
 * is written out, "10.0.0.0/255.0.255.0", and read back. */

#include <stdbool.h>
#include <stddef.h>

#include <saitypes.h>

#include "base/status.h"

struct text;

/* Appends '*address' to 'text'; for a family that does not exist "family:N". */
void ip_write(const sai_ip_address_t *address, struct text *text);

/* Parses an address into '*address', whose unused bytes become zero.  Returns
 * ST_OK; or ST_INVALID, and '*address' left alone, if 'string' is none. */
enum st ip_parse(const char *string, sai_ip_address_t *address) ST_WARN_UNUSED;

/* The same for prefixes.  A prefix without a length is no prefix; bits beyond
 * the length are kept. */
void ip_write_prefix(const sai_ip_prefix_t *prefix, struct text *text);
enum st ip_parse_prefix(const char *string,
                        sai_ip_prefix_t *prefix) ST_WARN_UNUSED;

/* Stores the length of the mask in '*length'.  Returns false, and stores
 * nothing, if its bits are not at its start or there is no such family. */
bool ip_prefix_length(const sai_ip_prefix_t *prefix, unsigned int *length);

#endif /* sai/core/ip.h */
