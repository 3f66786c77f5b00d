/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_STORAGE_INTEGRITY_H
#define ORCHD_LAB_STORAGE_INTEGRITY_H

/* Bits that flip between the program that sends data and the one that gets
 * them, and the CRC32C that finds them.
 *
 * Data pass five places, and a CRC is calculated before the first, behind the
 * last, and between them:
 *
 *     program | memory | adapter in | adapter out | ... | adapter in |
 *             0        1            2             3                  4
 *
 * Place 0 is the memory of the sender, 1 its adapter, 2 the switches, 3 the
 * adapter of the receiver, 4 its memory.  The CRCs of the two programs say that
 * a bit has flipped; those of the adapters, where they read memory, send,
 * receive and write memory, say in which place.
 *
 * The paper of sK-RDMA (section 4.2) has the CRCs of the programs.  Those of
 * adapters are ours: some adapters can calculate CRCs of data as they move them
 * ("signatures"). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INTEGRITY_PLACES = 5,
    INTEGRITY_CRCS = INTEGRITY_PLACES + 1,
    CRC32C_TABLES = 8,
};

/* For each byte its CRC, and that with 1 to 7 zeros behind it. */
struct crc32c {
    uint32_t tables[CRC32C_TABLES][256];
};

void crc32c_init(struct crc32c *crc);

/* Returns the CRC32C (Castagnoli; RFC 3720, appendix B.4) of 'bytes'. */
uint32_t crc32c_of(const struct crc32c *crc, const void *bytes, size_t n);

/* Fills 'bytes' with the data of I/O 'number', by 'seed'. */
void integrity_fill(uint8_t *bytes, size_t n, uint64_t seed, uint64_t number);

/* Moves 'bytes' through all places.  Bit 'bit' of them flips in 'place', none
 * if that is INTEGRITY_PLACES.  Stores the CRC before each place, and behind
 * the last. */
void integrity_move(const struct crc32c *crc, uint8_t *bytes, size_t n,
                    unsigned int place, uint64_t bit,
                    uint32_t crcs[INTEGRITY_CRCS]);

/* Returns the first place behind which the CRC is another one than before;
 * INTEGRITY_PLACES if there is none. */
unsigned int integrity_locate(const uint32_t crcs[INTEGRITY_CRCS]);

#endif /* lab/storage/integrity.h */
