/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "lab/storage/integrity.h"

#include <string.h>

#include "base/random.h"

enum { BYTE_VALUES = 256, BYTE_BITS = 8 };

/* x^32 + ... + 1, reflected: the coefficient of x^31 is the lowest bit. */
#define POLYNOMIAL UINT32_C(0x82f63b78)

void
crc32c_init(struct crc32c *result)
{
    uint32_t(*tables)[BYTE_VALUES] = result->tables;

    for (uint32_t byte = 0; byte < BYTE_VALUES; byte++) {
        uint32_t crc = byte;

        for (int i = 0; i < BYTE_BITS; i++) {
            crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
        }
        tables[0][byte] = crc;
    }
    for (uint32_t byte = 0; byte < BYTE_VALUES; byte++) {
        for (int i = 1; i < CRC32C_TABLES; i++) {
            const uint32_t before = tables[i - 1][byte];

            tables[i][byte] = before >> BYTE_BITS ^ tables[0][before & 0xff];
        }
    }
}

uint32_t
crc32c_of(const struct crc32c *by, const void *bytes, size_t n)
{
    const uint32_t(*tables)[BYTE_VALUES] = by->tables;
    const uint8_t *at = bytes;
    uint32_t crc = UINT32_MAX;

    for (; n >= CRC32C_TABLES; n -= CRC32C_TABLES, at += CRC32C_TABLES) {
        const uint32_t low =
            crc ^ ((uint32_t)at[0] | (uint32_t)at[1] << 8 |
                   (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);

        crc = tables[7][low & 0xff] ^ tables[6][low >> 8 & 0xff] ^
              tables[5][low >> 16 & 0xff] ^ tables[4][low >> 24] ^
              tables[3][at[4]] ^ tables[2][at[5]] ^ tables[1][at[6]] ^
              tables[0][at[7]];
    }
    for (; n; n--, at++) {
        crc = crc >> BYTE_BITS ^ tables[0][(crc ^ *at) & 0xff];
    }
    return ~crc;
}

void
integrity_fill(uint8_t *bytes, size_t n, uint64_t seed, uint64_t number)
{
    struct random random;

    random_init(&random, seed ^ number << 20);
    for (size_t i = 0; i < n; i += sizeof(uint64_t)) {
        const uint64_t word = random_u64(&random);

        memcpy(bytes + i, &word, n - i < sizeof word ? n - i : sizeof word);
    }
}

void
integrity_move(const struct crc32c *crc, uint8_t *bytes, size_t n,
               unsigned int place, uint64_t bit, uint32_t crcs[INTEGRITY_CRCS])
{
    crcs[0] = crc32c_of(crc, bytes, n);
    for (unsigned int i = 0; i < INTEGRITY_PLACES; i++) {
        if (i == place) {
            bytes[bit / BYTE_BITS] ^= (uint8_t)(1U << bit % BYTE_BITS);
        }
        crcs[i + 1] = crc32c_of(crc, bytes, n);
    }
}

unsigned int
integrity_locate(const uint32_t crcs[INTEGRITY_CRCS])
{
    unsigned int place = 0;

    while (place < INTEGRITY_PLACES && crcs[place + 1] == crcs[place]) {
        place++;
    }
    return place;
}
