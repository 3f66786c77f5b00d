/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_WIRE_H
#define ORCHD_SAI_REMOTE_WIRE_H

/* Numbers and bytes in a row, written and read back.
 *
 * Both ends are on one machine, so numbers are in its byte order.  A reader is
 * told how many bytes there are and never goes beyond them: what is missing
 * reads as zero, and 'bad' stays set from then on.  So a parser reads all it
 * wants and looks once, at the end.  What it allocates by a number from outside
 * it bounds before. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that grow at the end.  All zeros is an empty one. */
struct wire_out {
    uint8_t *bytes;
    size_t length;
    size_t size; /* Of the memory behind 'bytes'. */
};

void wire_out_fini(struct wire_out *out);
void wire_put_u8(struct wire_out *out, uint8_t value);
void wire_put_u32(struct wire_out *out, uint32_t value);
void wire_put_u64(struct wire_out *out, uint64_t value);
void wire_put_bytes(struct wire_out *out, const void *bytes, size_t n);

/* Writes the length and the bytes of 'text'. */
void wire_put_text(struct wire_out *out, const char *text);

/* Replaces the number that was written at 'offset'. */
void wire_patch_u32(struct wire_out *out, size_t offset, uint32_t value);

/* Removes the first 'n' bytes. */
void wire_drop(struct wire_out *out, size_t n);

/* The rest of what came.  The bytes are borrowed. */
struct wire_in {
    const uint8_t *next;
    size_t left;
    bool bad; /* More was read than there was, or something made no sense. */
};

uint8_t wire_get_u8(struct wire_in *in);
uint32_t wire_get_u32(struct wire_in *in);
uint64_t wire_get_u64(struct wire_in *in);

/* Copies the next 'n' bytes to 'bytes', or zeroes them. */
void wire_get_bytes(struct wire_in *in, void *bytes, size_t n);

/* Reads a text into 'buffer' of 'size' bytes, cutting it if it is longer. */
void wire_get_text(struct wire_in *in, char *buffer, size_t size);

/* Returns the next number, which must not exceed 'most'; else 0 and 'bad'. */
uint32_t wire_get_count(struct wire_in *in, uint32_t most);

/* Returns whether all was read and all of it made sense. */
bool wire_ended(const struct wire_in *in);

#endif /* sai/remote/wire.h */
