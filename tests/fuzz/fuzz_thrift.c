/* SPDX-License-Identifier: Apache-2.0 */

/* What a client writes to softasic-thriftd: messages of Thrift's binary
 * protocol, and the attributes in them. */

#include <config.h>

#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "tests/fuzz/fuzz.h"
#include "thriftd/rpc_values.h"
#include "thriftd/tbinary.h"

/* Checks that 'value' lies in the 'n' bytes at 'bytes', and counts values. */
static size_t
check_value(const struct tbinary_value *value, const uint8_t *bytes, size_t n,
            unsigned int depth)
{
    size_t total = 1;

    FUZZ_CHECK(depth <= TBINARY_DEPTH_MAX);
    if (value->type == TBINARY_STRING && value->n) {
        FUZZ_CHECK(value->string >= bytes &&
                   value->string + value->n <= bytes + n);
    }
    if (value->type == TBINARY_BOOL) {
        FUZZ_CHECK(value->number == 0 || value->number == 1);
    }
    for (uint32_t i = 0; value->items && i < value->n; i++) {
        total += check_value(&value->items[i], bytes, n, depth + 1);
    }
    for (const struct tbinary_field *field = value->fields; field;
         field = field->next) {
        total += check_value(&field->value, bytes, n, depth + 1);
    }
    return total;
}

/* Attributes are taken, or what is wrong is explained. */
static void
check_attributes(const struct tbinary_value *value)
{
    static const sai_object_type_t types[] = {SAI_OBJECT_TYPE_PORT,
                                              SAI_OBJECT_TYPE_SWITCH,
                                              SAI_OBJECT_TYPE_SCHEDULER};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct err err = {0};
        sai_attribute_t attribute;
        const enum st st = rpc_values_get(value, types[i], &attribute, &err);

        FUZZ_CHECK(st == ST_OK ? !*err.reason : *err.reason != '\0');
    }
    for (uint32_t i = 0; value->items && i < value->n; i++) {
        check_attributes(&value->items[i]);
    }
    for (const struct tbinary_field *field = value->fields; field;
         field = field->next) {
        check_attributes(&field->value);
    }
}

/* An answer to 'call' is a message with its name and number. */
static void
check_answer(const struct tbinary_message *call)
{
    struct arena *arena = arena_create(0);
    struct tbinary_message answer;
    struct text out = {0};
    const char *why = NULL;
    size_t length;

    tbinary_put_exception(&out, call, TBINARY_UNKNOWN_METHOD, "no such call");
    FUZZ_CHECK(tbinary_read((const uint8_t *)out.bytes, out.length, arena,
                            &answer, &length, &why) == TBINARY_WHOLE);
    FUZZ_CHECK(length == out.length && answer.kind == TBINARY_EXCEPTION &&
               answer.strict == call->strict &&
               answer.sequence == call->sequence &&
               !strcmp(answer.name, call->name));
    text_fini(&out);
    arena_destroy(arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct arena *arena = arena_create(0);
    struct tbinary_message message;
    enum tbinary_outcome outcome;
    const char *why = NULL;
    size_t length = 0;

    outcome = tbinary_read(bytes, n, arena, &message, &length, &why);
    FUZZ_CHECK((outcome == TBINARY_BAD) == (why != NULL));
    FUZZ_CHECK(length <= n && length <= TBINARY_BYTES_MAX);
    if (outcome == TBINARY_WHOLE) {
        struct tbinary_message part;
        const char *none = NULL;
        size_t unused;

        FUZZ_CHECK(check_value(&message.body, bytes, length, 0) <= length);
        check_attributes(&message.body);
        check_answer(&message);
        /* Without its last byte it goes on. */
        FUZZ_CHECK(tbinary_read(bytes, length - 1, arena, &part, &unused,
                                &none) == TBINARY_SHORT);
    }
    arena_destroy(arena);
    return 0;
}
