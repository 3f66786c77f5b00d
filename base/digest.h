/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_DIGEST_H
#define ORCHD_BASE_DIGEST_H

/* A short digest that detects changes.  It is not cryptographic.
 *
 * FNV-1a, 64 bit (RFC 9923).  Two different contents have the same digest with
 * a probability of 1 in 2^64. */

#include <stddef.h>
#include <stdint.h>

#define DIGEST_START UINT64_C(14695981039346656037)

/* Returns 'digest' extended by the 'n' bytes at 'bytes'. */
uint64_t digest_bytes(uint64_t digest, const void *bytes, size_t n);

/* Returns 'digest' extended by 'text' and its terminator, so that "ab", "c" and
 * "a", "bc" differ. */
uint64_t digest_text(uint64_t digest, const char *text);

#endif /* base/digest.h */
