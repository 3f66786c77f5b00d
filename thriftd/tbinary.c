/* SPDX-License-Identifier: Apache-2.0 */

/* A recursive reader with bounds, and a writer. */

#include <config.h>

#include "thriftd/tbinary.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"

/* The version word of the strict form; its lowest byte is the kind. */
#define STRICT_1    UINT32_C(0x80010000)
#define STRICT_MASK UINT32_C(0xffff0000)

/* A message that is being read.  'outcome' stays at the first trouble. */
struct reader {
    const uint8_t *bytes;
    size_t n, at;
    struct arena *arena;
    enum tbinary_outcome outcome;
    const char *why;
};

static void
fail(struct reader *reader, const char *why)
{
    if (reader->outcome == TBINARY_WHOLE) {
        reader->outcome = TBINARY_BAD;
        reader->why = why;
    }
}

/* Takes 'n' bytes.  NULL, and notes why, if they are not there. */
static const uint8_t *
take(struct reader *reader, uint64_t n)
{
    const uint8_t *taken = reader->bytes + reader->at;

    if (reader->outcome != TBINARY_WHOLE) {
        return NULL;
    }
    if (n > TBINARY_BYTES_MAX - reader->at) {
        fail(reader, "the message is longer than 65536 bytes");
        return NULL;
    }
    if (n > reader->n - reader->at) {
        reader->outcome = TBINARY_SHORT;
        return NULL;
    }
    reader->at += (size_t)n;
    return taken;
}

/* Reads a number of 'n' bytes; 0 if there are fewer. */
static uint64_t
take_number(struct reader *reader, unsigned int n)
{
    const uint8_t *bytes = take(reader, n);
    uint64_t number = 0;

    for (unsigned int i = 0; bytes && i < n; i++) {
        number = number << 8 | bytes[i];
    }
    return number;
}

/* Reads a length or a count, which is not negative. */
static uint32_t
take_count(struct reader *reader)
{
    const uint32_t n = (uint32_t)take_number(reader, 4);

    if (n > INT32_MAX) {
        fail(reader, "a length is negative");
    }
    return reader->outcome == TBINARY_WHOLE ? n : 0;
}

/* Returns the bytes that a value of 'type' has at least; 0: no such type. */
static unsigned int
least_bytes(uint64_t type)
{
    static const uint8_t sizes[] = {
        [TBINARY_BOOL] = 1,   [TBINARY_BYTE] = 1,   [TBINARY_DOUBLE] = 8,
        [TBINARY_I16] = 2,    [TBINARY_I32] = 4,    [TBINARY_I64] = 8,
        [TBINARY_STRING] = 4, [TBINARY_STRUCT] = 1, [TBINARY_MAP] = 6,
        [TBINARY_SET] = 5,    [TBINARY_LIST] = 5,
    };

    return type < sizeof sizes ? sizes[type] : 0;
}

/* Reads a type, and fails if there is no such one. */
static enum tbinary_type
take_type(struct reader *reader)
{
    const uint64_t type = take_number(reader, 1);

    if (reader->outcome == TBINARY_WHOLE && !least_bytes(type)) {
        fail(reader, "a value has an unknown type");
    }
    return (enum tbinary_type)type;
}

static void read_value(struct reader *reader, enum tbinary_type type,
                       unsigned int depth, struct tbinary_value *value);

/* Reads 'n' items whose types are 'types' in turn. */
static void
read_items(struct reader *reader, const enum tbinary_type types[2], uint32_t n,
           unsigned int depth, struct tbinary_value *value)
{
    const uint64_t least =
        (uint64_t)n * (least_bytes(types[0]) + least_bytes(types[1])) / 2;
    const size_t before = reader->at;
    struct tbinary_value *items;

    /* Before any memory is allocated for them. */
    if (!take(reader, least)) {
        return;
    }
    reader->at = before;
    items = arena_alloc(reader->arena, n + 1, sizeof *items);
    for (uint32_t i = 0; i < n && reader->outcome == TBINARY_WHOLE; i++) {
        read_value(reader, types[i % 2], depth, &items[i]);
    }
    value->items = items;
    value->n = n;
}

static void
read_list(struct reader *reader, bool is_map, unsigned int depth,
          struct tbinary_value *value)
{
    enum tbinary_type types[2];
    uint32_t n;

    /* An empty map may come without types. */
    if (is_map) {
        types[0] = (enum tbinary_type)take_number(reader, 1);
        types[1] = (enum tbinary_type)take_number(reader, 1);
    } else {
        types[0] = types[1] = take_type(reader);
    }
    n = take_count(reader);
    if (reader->outcome != TBINARY_WHOLE || !n) {
        return;
    }
    if (!least_bytes(types[0]) || !least_bytes(types[1])) {
        fail(reader, "a value has an unknown type");
    } else if (n > TBINARY_BYTES_MAX) {
        fail(reader, "the message is longer than 65536 bytes");
    } else {
        read_items(reader, types, is_map ? 2 * n : n, depth, value);
    }
}

static void
read_struct(struct reader *reader, unsigned int depth,
            struct tbinary_value *value)
{
    const struct tbinary_field **link = &value->fields;

    while (reader->outcome == TBINARY_WHOLE) {
        const uint8_t *type = take(reader, 1);
        struct tbinary_field *field;

        if (!type || *type == TBINARY_STOP) {
            return;
        }
        reader->at--;
        field = arena_alloc(reader->arena, 1, sizeof *field);
        field->next = NULL;
        field->value.type = take_type(reader);
        field->id = (int16_t)take_number(reader, 2);
        read_value(reader, field->value.type, depth, &field->value);
        *link = field;
        link = &field->next;
    }
}

/* Reads a number, with its sign. */
static int64_t
read_signed(struct reader *reader, enum tbinary_type type)
{
    switch (type) {
    case TBINARY_BOOL:
        return take_number(reader, 1) != 0;
    case TBINARY_BYTE:
        return (int8_t)take_number(reader, 1);
    case TBINARY_I16:
        return (int16_t)take_number(reader, 2);
    case TBINARY_I32:
        return (int32_t)take_number(reader, 4);
    default:
        return (int64_t)take_number(reader, 8);
    }
}

static void
read_value(struct reader *reader, enum tbinary_type type, unsigned int depth,
           struct tbinary_value *value)
{
    memset(value, 0, sizeof *value);
    value->type = type;
    if (reader->outcome != TBINARY_WHOLE) {
        return;
    }
    if (depth == TBINARY_DEPTH_MAX) {
        fail(reader, "values are nested deeper than 8 levels");
        return;
    }
    switch (type) {
    case TBINARY_STRING:
        value->n = take_count(reader);
        value->string = take(reader, value->n);
        break;
    case TBINARY_STRUCT:
        read_struct(reader, depth + 1, value);
        break;
    case TBINARY_MAP:
    case TBINARY_SET:
    case TBINARY_LIST:
        read_list(reader, type == TBINARY_MAP, depth + 1, value);
        break;
    default:
        value->number = read_signed(reader, type);
    }
}

/* Reads what comes before the structure. */
static void
read_header(struct reader *reader, struct tbinary_message *message)
{
    const uint32_t first = (uint32_t)take_number(reader, 4);
    const uint8_t *name;
    uint32_t n = first;

    message->strict = first >> 31 != 0;
    if (message->strict) {
        if ((first & STRICT_MASK) != STRICT_1) {
            fail(reader, "it is not version 1 of the binary protocol");
        }
        message->kind = (enum tbinary_kind)(first & 0xff);
        n = take_count(reader);
    }
    if (n > TBINARY_NAME_MAX) {
        fail(reader, "the name of the call is longer than 127 bytes; frames "
                     "and other protocols are not spoken here");
    }
    name = take(reader, n);
    if (name) {
        memcpy(message->name, name, n);
        message->name[n] = '\0';
    }
    if (!message->strict) {
        message->kind = (enum tbinary_kind)take_number(reader, 1);
    }
    message->sequence = (int32_t)take_number(reader, 4);
}

enum tbinary_outcome
tbinary_read(const uint8_t *bytes, size_t n, struct arena *arena,
             struct tbinary_message *message, size_t *length, const char **why)
{
    struct reader reader = {
        .bytes = bytes, .n = n, .arena = arena, .outcome = TBINARY_WHOLE};

    memset(message, 0, sizeof *message);
    read_header(&reader, message);
    read_value(&reader, TBINARY_STRUCT, 0, &message->body);
    *length = reader.at;
    *why = reader.why;
    return reader.outcome;
}

const struct tbinary_value *
tbinary_field(const struct tbinary_value *structure, int16_t id,
              enum tbinary_type type)
{
    if (structure && structure->type == TBINARY_STRUCT) {
        for (const struct tbinary_field *field = structure->fields; field;
             field = field->next) {
            if (field->id == id && field->value.type == type) {
                return &field->value;
            }
        }
    }
    return NULL;
}

/* Writing ------------------------------------------------------------------ */

/* Writes the lowest 'n' bytes of 'number'. */
static void
put_number(struct text *out, uint64_t number, unsigned int n)
{
    for (unsigned int i = n; i-- > 0;) {
        const char byte = (char)(number >> 8 * i & 0xff);

        text_add_bytes(out, &byte, 1);
    }
}

void
tbinary_put_answer(struct text *out, const struct tbinary_message *call,
                   enum tbinary_kind kind)
{
    if (call->strict) {
        put_number(out, STRICT_1 | (uint32_t)kind, 4);
    }
    tbinary_put_string(out, call->name);
    if (!call->strict) {
        put_number(out, (uint64_t)kind, 1);
    }
    tbinary_put_i32(out, call->sequence);
}

void
tbinary_put_field(struct text *out, enum tbinary_type type, int16_t id)
{
    put_number(out, (uint64_t)type, 1);
    put_number(out, (uint16_t)id, 2);
}

void
tbinary_put_list(struct text *out, enum tbinary_type type, uint32_t n)
{
    put_number(out, (uint64_t)type, 1);
    put_number(out, n, 4);
}

void
tbinary_put_bool(struct text *out, bool value)
{
    put_number(out, value, 1);
}

void
tbinary_put_i32(struct text *out, int32_t value)
{
    put_number(out, (uint32_t)value, 4);
}

void
tbinary_put_i64(struct text *out, int64_t value)
{
    put_number(out, (uint64_t)value, 8);
}

void
tbinary_put_string(struct text *out, const char *string)
{
    const size_t n = strlen(string);

    put_number(out, n, 4);
    text_add_bytes(out, string, n);
}

void
tbinary_put_stop(struct text *out)
{
    put_number(out, TBINARY_STOP, 1);
}

void
tbinary_put_exception(struct text *out, const struct tbinary_message *call,
                      enum tbinary_exception type, const char *why)
{
    tbinary_put_answer(out, call, TBINARY_EXCEPTION);
    tbinary_put_field(out, TBINARY_STRING, 1);
    tbinary_put_string(out, why);
    tbinary_put_field(out, TBINARY_I32, 2);
    tbinary_put_i32(out, (int32_t)type);
    tbinary_put_stop(out);
}
