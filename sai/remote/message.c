/* SPDX-License-Identifier: Apache-2.0 */

/* Headers, and the two messages of the handshake. */

#include <config.h>

#include "sai/remote/message.h"

size_t
message_begin(struct wire_out *out, enum message_kind kind, uint32_t sequence)
{
    const size_t start = out->length;

    wire_put_u32(out, 0);
    wire_put_u32(out, (uint32_t)kind);
    wire_put_u32(out, sequence);
    return start;
}

bool
message_end(struct wire_out *out, size_t start)
{
    const size_t n = out->length - start - MESSAGE_HEADER_BYTES;

    if (n > MESSAGE_BODY_MAX) {
        out->length = start;
        return false;
    }
    wire_patch_u32(out, start, (uint32_t)n);
    return true;
}

bool
message_header(const uint8_t *bytes, struct message_header *header)
{
    struct wire_in in = {bytes, MESSAGE_HEADER_BYTES, false};
    uint32_t kind;

    header->n_bytes = wire_get_count(&in, MESSAGE_BODY_MAX);
    kind = wire_get_u32(&in);
    header->sequence = wire_get_u32(&in);
    if (!wire_ended(&in) || kind < MESSAGE_HELLO || kind >= MESSAGE_END) {
        return false;
    }
    header->kind = (enum message_kind)kind;
    return true;
}

void
message_put_hello(struct wire_out *out, const struct message_hello *hello)
{
    wire_put_u32(out, MESSAGE_MAGIC);
    wire_put_u32(out, hello->version);
    wire_put_u32(out, (uint32_t)hello->role);
    wire_put_u8(out, hello->subscribe);
    wire_put_text(out, hello->name);
}

bool
message_get_hello(struct wire_in *in, struct message_hello *hello)
{
    in->bad |= wire_get_u32(in) != MESSAGE_MAGIC;
    hello->version = wire_get_u32(in);
    if (hello->version != MESSAGE_VERSION) {
        /* The rest has the form of another version. */
        return !in->bad;
    }
    hello->role = (enum message_role)wire_get_count(in, MESSAGE_N_ROLES - 1);
    hello->subscribe = wire_get_u8(in);
    wire_get_text(in, hello->name, sizeof hello->name);
    return wire_ended(in);
}

void
message_put_welcome(struct wire_out *out, const struct message_welcome *welcome)
{
    wire_put_u32(out, MESSAGE_MAGIC);
    wire_put_u32(out, welcome->version);
    wire_put_u32(out, (uint32_t)welcome->outcome);
    wire_put_u64(out, welcome->release);
    wire_put_text(out, welcome->extras);
    wire_put_text(out, welcome->reason);
}

bool
message_get_welcome(struct wire_in *in, struct message_welcome *welcome)
{
    in->bad |= wire_get_u32(in) != MESSAGE_MAGIC;
    welcome->version = wire_get_u32(in);
    if (welcome->version != MESSAGE_VERSION) {
        welcome->outcome = MESSAGE_OTHER_VERSION;
        welcome->reason[0] = '\0';
        return !in->bad;
    }
    welcome->outcome =
        (enum message_outcome)wire_get_count(in, MESSAGE_N_OUTCOMES - 1);
    welcome->release = wire_get_u64(in);
    wire_get_text(in, welcome->extras, sizeof welcome->extras);
    wire_get_text(in, welcome->reason, sizeof welcome->reason);
    return wire_ended(in);
}
