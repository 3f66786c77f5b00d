/* SPDX-License-Identifier: Apache-2.0 */

/* Requests and replies by the rows of ops.def.
 *
 * All numbers travel as 64 bits; a reader refuses one that is too large for its
 * parameter.  Lists have at most as many elements as the caller has room for,
 * so memory is bounded by FORMS_ROWS_MAX before anything is allocated. */

#include <config.h>

#include "vendors/softasic/remote/marshal.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "vendors/softasic/softasic.h"

enum kind {
    KIND_NONE,
    KIND_NUMBER, /* COUNT and LENGTH, too. */
    KIND_BYTES,
    KIND_MAC,
    KIND_IN,
    KIND_CAPACITY,
    KIND_OUT, /* From here on: what a successful call returns. */
    KIND_RESULT,
    KIND_OPTIONAL,
    KIND_TEXT,
    KIND_ROWS,
    KIND_BUFFER,
};

struct parameter {
    enum kind kind;
    uint64_t maximum;        /* Of a number. */
    const struct form *form; /* Of a structure. */
};

struct operation {
    enum marshal_effect effect;
    struct parameter parameters[MARSHAL_PARAMETERS_MAX];
};

/* A parameter as the members of a struct parameter. */
#define ROW(i, parameter) ROW_ parameter
#define ROW_(kind, ...)                                                        \
    {                                                                          \
        ROW_##kind(__VA_ARGS__)                                                \
    }
#define ROW_NONE(none)           KIND_NONE, 0, NULL
#define ROW_NUMBER(type, name)   KIND_NUMBER, (uint64_t)(type)-1, NULL
#define ROW_COUNT(name)          KIND_NUMBER, FORMS_ROWS_MAX, NULL
#define ROW_LENGTH(name)         KIND_NUMBER, SOFTASIC_FRAME_BYTES_MAX, NULL
#define ROW_BYTES(name)          KIND_BYTES, 0, NULL
#define ROW_MAC(name)            KIND_MAC, 0, NULL
#define ROW_IN(name)             KIND_IN, 0, &forms_##name
#define ROW_OUT(name)            KIND_OUT, 0, &forms_##name
#define ROW_RESULT(type, name)   KIND_RESULT, 0, NULL
#define ROW_OPTIONAL(type, name) KIND_OPTIONAL, 0, NULL
#define ROW_TEXT(name)           KIND_TEXT, 0, NULL
#define ROW_CAPACITY(name)       KIND_CAPACITY, 0, NULL
#define ROW_ROWS(name)           KIND_ROWS, 0, &forms_##name
#define ROW_BUFFER(name)         KIND_BUFFER, 0, NULL

static const struct operation operations[MARSHAL_N_OPS] = {
#define OP(member, effect, function, ...)                                      \
    {MARSHAL_##effect, {MARSHAL_EACH(ROW, __VA_ARGS__)}},
#include "vendors/softasic/remote/ops.def"
#undef OP
};

_Static_assert(sizeof(struct softasic_ops) ==
                   offsetof(struct softasic_ops, chip) +
                       MARSHAL_N_OPS * sizeof(void (*)(void)),
               "every member of struct softasic_ops has a row in ops.def");

/* A walk over the parameters of an operation. */
struct cursor {
    const struct parameter *parameter;
    const union marshal_value *value;
    uint32_t length; /* Of the list whose length or capacity came before. */
};

#define FOR_EACH_PARAMETER(cursor, op, values)                                 \
    for (struct cursor cursor = {operations[op].parameters, values, 0};        \
         has_parameter(&(cursor), op); advance(&(cursor)))

static bool
has_parameter(const struct cursor *cursor, enum marshal_op op)
{
    return cursor->parameter <
               operations[op].parameters + MARSHAL_PARAMETERS_MAX &&
           cursor->parameter->kind != KIND_NONE;
}

static void
advance(struct cursor *cursor)
{
    if (cursor->parameter->kind == KIND_NUMBER) {
        cursor->length = (uint32_t)cursor->value->number;
    } else if (cursor->parameter->kind == KIND_CAPACITY) {
        cursor->length = *(uint32_t *)cursor->value->out;
    }
    cursor->parameter++;
    cursor->value++;
}

enum marshal_effect
marshal_effect(enum marshal_op op)
{
    return operations[op].effect;
}

bool
marshal_is_complete(enum marshal_op op, const union marshal_value values[])
{
    FOR_EACH_PARAMETER(cursor, op, values)
    {
        switch (cursor.parameter->kind) {
        case KIND_NUMBER:
        case KIND_OPTIONAL:
            break;
        case KIND_ROWS:
        case KIND_BUFFER:
            if (cursor.length && !cursor.value->out) {
                return false;
            }
            break;
        default:
            if (!cursor.value->in) {
                return false;
            }
        }
    }
    return true;
}

/* Requests --------------------------------------------------------------- */

/* Returns how much of the room in a list of the caller a reply may fill. */
static uint32_t
capacity_of(const union marshal_value *value)
{
    const uint32_t capacity = *(const uint32_t *)value->in;

    return capacity < FORMS_ROWS_MAX ? capacity : FORMS_ROWS_MAX;
}

bool
marshal_put_request(struct wire_out *out, enum marshal_op op,
                    const union marshal_value values[])
{
    FOR_EACH_PARAMETER(cursor, op, values)
    {
        switch (cursor.parameter->kind) {
        case KIND_NUMBER:
            if (cursor.value->number > cursor.parameter->maximum) {
                return false;
            }
            wire_put_u64(out, cursor.value->number);
            break;
        case KIND_BYTES:
            wire_put_bytes(out, cursor.value->in, cursor.length);
            break;
        case KIND_MAC:
            wire_put_bytes(out, cursor.value->in, sizeof(sai_mac_t));
            break;
        case KIND_IN:
            forms_put(out, cursor.parameter->form, cursor.value->in);
            break;
        case KIND_CAPACITY:
            wire_put_u32(out, capacity_of(cursor.value));
            break;
        default:
            break;
        }
    }
    return true;
}

/* Returns the size of what 'parameter', a pointer, points to; 'length' is that
 * of a list. */
static size_t
size_of(const struct parameter *parameter, uint32_t length)
{
    switch (parameter->kind) {
    case KIND_BYTES:
    case KIND_BUFFER:
        return length;
    case KIND_MAC:
        return sizeof(sai_mac_t);
    case KIND_CAPACITY:
        return sizeof(uint32_t);
    case KIND_IN:
    case KIND_OUT:
        return forms_size(parameter->form);
    case KIND_TEXT:
        return sizeof(const char *);
    case KIND_ROWS:
        return length * forms_size(parameter->form);
    default:
        return sizeof(uint64_t);
    }
}

/* Returns zeroed memory of that size, or a byte more: a list may be empty. */
static void *
allocate(const struct parameter *parameter, uint32_t length)
{
    return check_calloc(size_of(parameter, length) + 1, 1);
}

/* Reads one parameter of a request into '*value'. */
static void
get_parameter(struct wire_in *in, const struct cursor *cursor,
              union marshal_value *value)
{
    const struct parameter *parameter = cursor->parameter;

    if (parameter->kind == KIND_NUMBER) {
        value->number = wire_get_u64(in);
        if (value->number > parameter->maximum) {
            value->number = 0;
            in->bad = true;
        }
        return;
    }
    value->out = allocate(parameter, cursor->length);
    switch (parameter->kind) {
    case KIND_BYTES:
        wire_get_bytes(in, value->out, cursor->length);
        break;
    case KIND_MAC:
        wire_get_bytes(in, value->out, sizeof(sai_mac_t));
        break;
    case KIND_IN:
        forms_get(in, parameter->form, value->out);
        break;
    case KIND_CAPACITY:
        *(uint32_t *)value->out = wire_get_count(in, FORMS_ROWS_MAX);
        break;
    default:
        break;
    }
}

bool
marshal_get_request(struct wire_in *in, enum marshal_op op,
                    union marshal_value values[MARSHAL_PARAMETERS_MAX])
{
    memset(values, 0, MARSHAL_PARAMETERS_MAX * sizeof *values);
    FOR_EACH_PARAMETER(cursor, op, values)
    {
        get_parameter(in, &cursor, &values[cursor.value - values]);
    }
    return wire_ended(in);
}

void
marshal_free(enum marshal_op op,
             const union marshal_value values[MARSHAL_PARAMETERS_MAX])
{
    for (size_t i = 0; i < MARSHAL_PARAMETERS_MAX; i++) {
        const enum kind kind = operations[op].parameters[i].kind;

        if (kind != KIND_NONE && kind != KIND_NUMBER) {
            free(values[i].out);
        }
    }
}

/* Replies ---------------------------------------------------------------- */

/* Writes one parameter of a reply. */
static void
put_result(struct wire_out *out, const struct cursor *cursor)
{
    const void *result = cursor->value->in;
    const struct form *form = cursor->parameter->form;

    switch (cursor->parameter->kind) {
    case KIND_OUT:
        forms_put(out, form, result);
        break;
    case KIND_RESULT:
    case KIND_OPTIONAL:
        wire_put_bytes(out, result, sizeof(uint64_t));
        break;
    case KIND_TEXT:
        wire_put_text(out, *(const char *const *)result);
        break;
    case KIND_ROWS:
        for (uint32_t i = 0; i < cursor->length; i++) {
            forms_put(out, form, (const char *)result + i * forms_size(form));
        }
        break;
    case KIND_BUFFER:
        wire_put_bytes(out, result, cursor->length);
        break;
    default:
        break;
    }
}

void
marshal_put_reply(struct wire_out *out, enum marshal_op op, sai_status_t status,
                  const union marshal_value values[])
{
    wire_put_u32(out, (uint32_t)status);
    FOR_EACH_PARAMETER(cursor, op, values)
    {
        if (cursor.parameter->kind == KIND_CAPACITY) {
            wire_put_u32(out, *(const uint32_t *)cursor.value->in);
        } else if (status == SAI_STATUS_SUCCESS) {
            put_result(out, &cursor);
        }
    }
}

/* Reads one parameter of a reply into memory of its own. */
static void
get_result(struct wire_in *in, const struct cursor *cursor, void *result)
{
    const struct form *form = cursor->parameter->form;

    switch (cursor->parameter->kind) {
    case KIND_OUT:
        forms_get(in, form, result);
        break;
    case KIND_RESULT:
    case KIND_OPTIONAL:
        wire_get_bytes(in, result, sizeof(uint64_t));
        break;
    case KIND_TEXT:
        *(const char **)result = forms_get_text(in);
        break;
    case KIND_ROWS:
        for (uint32_t i = 0; i < cursor->length && !in->bad; i++) {
            forms_get(in, form, (char *)result + i * forms_size(form));
        }
        break;
    case KIND_BUFFER:
        wire_get_bytes(in, result, cursor->length);
        break;
    default:
        break;
    }
}

bool
marshal_get_reply(struct wire_in *in, enum marshal_op op, sai_status_t status,
                  const union marshal_value values[])
{
    const bool succeeded = status == SAI_STATUS_SUCCESS;
    union marshal_value results[MARSHAL_PARAMETERS_MAX] = {{0}};
    uint32_t length = 0; /* Of the list. */
    bool good;

    FOR_EACH_PARAMETER(cursor, op, values)
    {
        union marshal_value *result = &results[cursor.value - values];

        if (cursor.parameter->kind == KIND_CAPACITY) {
            length = wire_get_u32(in);
            if (succeeded && length > capacity_of(cursor.value)) {
                length = 0;
                in->bad = true;
            }
        } else if (succeeded && cursor.parameter->kind >= KIND_OUT) {
            cursor.length = length;
            result->out = allocate(cursor.parameter, length);
            get_result(in, &cursor, result->out);
        }
    }
    good = wire_ended(in);
    FOR_EACH_PARAMETER(cursor, op, values)
    {
        const void *result = results[cursor.value - values].in;

        if (good && result && cursor.value->out) {
            memcpy(cursor.value->out, result,
                   size_of(cursor.parameter, length));
        } else if (good && cursor.parameter->kind == KIND_CAPACITY &&
                   (succeeded || status == SAI_STATUS_BUFFER_OVERFLOW)) {
            *(uint32_t *)cursor.value->out = length;
        }
        free(results[cursor.value - values].out);
    }
    return good;
}
