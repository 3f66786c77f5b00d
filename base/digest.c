/* SPDX-License-Identifier: Apache-2.0 */

/* FNV-1a. */

#include <config.h>

#include "base/digest.h"

#include <string.h>

#define DIGEST_PRIME UINT64_C(1099511628211)

uint64_t
digest_bytes(uint64_t digest, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        digest = (digest ^ ((const unsigned char *)bytes)[i]) * DIGEST_PRIME;
    }
    return digest;
}

uint64_t
digest_text(uint64_t digest, const char *text)
{
    return digest_bytes(digest, text, strlen(text) + 1);
}
