/* SPDX-License-Identifier: Apache-2.0 */

/* FNV-1a. */

#include <config.h>

#include "base/digest.h"

#define DIGEST_PRIME UINT64_C(1099511628211)

uint64_t
digest_text(uint64_t digest, const char *text)
{
    do {
        digest = (digest ^ (unsigned char)*text) * DIGEST_PRIME;
    } while (*text++);
    return digest;
}
