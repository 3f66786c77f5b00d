/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_WIRE_H
#define ORCHD_SAI_REMOTE_WIRE_H

/* Writes and reads the numbers and bytes of messages.
 *
 * Both ends are on one machine, so numbers are in host byte order.  A reader
 * knows the number of bytes and never reads beyond them: missing bytes read as
 * zero and set 'bad', which stays set.  So a parser can read everything and
 * check once, at the end.  It must bound a number from outside before it
 * allocates memory by it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing buffer.  All zeros is an empty buffer. */
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

/* The unread rest of the input.  The bytes are borrowed. */
struct wire_in {
    const uint8_t *next;
    size_t left;
    bool bad; /* The input was too short or malformed. */
};

uint8_t wire_get_u8(struct wire_in *in);
uint32_t wire_get_u32(struct wire_in *in);
uint64_t wire_get_u64(struct wire_in *in);

/* Copies the next 'n' bytes to 'bytes', or zeroes them. */
void wire_get_bytes(struct wire_in *in, void *bytes, size_t n);

/* Reads a text into 'buffer' of 'size' bytes; truncates it if it is longer. */
void wire_get_text(struct wire_in *in, char *buffer, size_t size);

/* Returns the next number; 0, and sets 'bad', if it exceeds 'most'. */
uint32_t wire_get_count(struct wire_in *in, uint32_t most);

/* Returns whether all input was read and 'bad' is not set. */
bool wire_ended(const struct wire_in *in);

#endif /* sai/remote/wire.h */
