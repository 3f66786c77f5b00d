/* SPDX-License-Identifier: Apache-2.0 */

/* A growing buffer, and bounded reads. */

#include <config.h>

#include "sai/remote/wire.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

enum { FIRST_BYTES = 256 };

void
wire_out_fini(struct wire_out *out)
{
    free(out->bytes);
    *out = (struct wire_out){0};
}

void
wire_put_bytes(struct wire_out *out, const void *bytes, size_t n)
{
    if (out->length + n > out->size) {
        out->size = out->size ? out->size : FIRST_BYTES;
        while (out->length + n > out->size) {
            out->size *= 2;
        }
        out->bytes = check_realloc(out->bytes, out->size);
    }
    if (n) {
        memcpy(out->bytes + out->length, bytes, n);
        out->length += n;
    }
}

void
wire_put_u8(struct wire_out *out, uint8_t value)
{
    wire_put_bytes(out, &value, sizeof value);
}

void
wire_put_u32(struct wire_out *out, uint32_t value)
{
    wire_put_bytes(out, &value, sizeof value);
}

void
wire_put_u64(struct wire_out *out, uint64_t value)
{
    wire_put_bytes(out, &value, sizeof value);
}

void
wire_put_text(struct wire_out *out, const char *text)
{
    const size_t n = strlen(text);

    wire_put_u32(out, (uint32_t)n);
    wire_put_bytes(out, text, n);
}

void
wire_patch_u32(struct wire_out *out, size_t offset, uint32_t value)
{
    orch_assert(offset + sizeof value <= out->length);
    memcpy(out->bytes + offset, &value, sizeof value);
}

void
wire_drop(struct wire_out *out, size_t n)
{
    orch_assert(n <= out->length);
    out->length -= n;
    if (out->length) {
        memmove(out->bytes, out->bytes + n, out->length);
    }
}

void
wire_get_bytes(struct wire_in *in, void *bytes, size_t n)
{
    if (in->bad || n > in->left) {
        in->bad = true;
        memset(bytes, 0, n);
        return;
    }
    if (n) {
        memcpy(bytes, in->next, n);
        in->next += n;
        in->left -= n;
    }
}

uint8_t
wire_get_u8(struct wire_in *in)
{
    uint8_t value;

    wire_get_bytes(in, &value, sizeof value);
    return value;
}

uint32_t
wire_get_u32(struct wire_in *in)
{
    uint32_t value;

    wire_get_bytes(in, &value, sizeof value);
    return value;
}

uint64_t
wire_get_u64(struct wire_in *in)
{
    uint64_t value;

    wire_get_bytes(in, &value, sizeof value);
    return value;
}

void
wire_get_text(struct wire_in *in, char *buffer, size_t size)
{
    const uint32_t n = wire_get_count(in, UINT32_MAX);
    const size_t kept = n < size ? n : size - 1;

    if (in->bad || n > in->left) {
        in->bad = true;
        buffer[0] = '\0';
        return;
    }
    memcpy(buffer, in->next, kept);
    buffer[kept] = '\0';
    in->next += n;
    in->left -= n;
}

uint32_t
wire_get_count(struct wire_in *in, uint32_t most)
{
    const uint32_t n = wire_get_u32(in);

    if (n > most) {
        in->bad = true;
    }
    return in->bad ? 0 : n;
}

bool
wire_ended(const struct wire_in *in)
{
    return !in->bad && in->left == 0;
}
