/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_DIGEST_H
#define ORCHD_BASE_DIGEST_H

/* A short digest of texts: to notice a change, not to keep a secret.
 *
 * FNV-1a, 64 bit (RFC 9923).  Two contents that are not the same have the same
 * digest with a chance of one in 2^64. */

#include <stdint.h>

#define DIGEST_START UINT64_C(14695981039346656037)

/* Returns 'digest' extended by 'text' and the zero that ends it, so that "ab",
 * "c" and "a", "bc" differ. */
uint64_t digest_text(uint64_t digest, const char *text);

#endif /* base/digest.h */
