/* SPDX-License-Identifier: Apache-2.0 */

/* A walk over a JSON value with an explicit stack. */

#include <config.h>

#include "orchd/control/json_writer.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/text.h"

/* As many bytes of a string count as one value. */
#define BYTES_PER_VALUE 64

/* An array or object that was entered. */
struct frame {
    json_t *container; /* Borrowed from the frame below, or from the writer. */
    size_t index;      /* The next item of an array. */
    void *iterator;    /* The next member of an object; NULL: none. */
    bool begun;        /* An item or member was written. */
    bool owned;        /* It and those below have no other reference. */
};

struct json_writer {
    json_t *value;     /* Owned. */
    struct text *text; /* NULL: nothing is written. */
    bool begun;
    size_t depth;
    struct frame frames[JSON_WRITER_DEPTH];
};

struct json_writer *
json_writer_create(json_t *value, struct text *text)
{
    struct json_writer *writer = check_calloc(1, sizeof *writer);

    writer->value = value;
    writer->text = text;
    return writer;
}

void
json_writer_destroy(struct json_writer *writer)
{
    if (writer) {
        json_decref(writer->value);
        free(writer);
    }
}

/* Returns the number of values in 'value', or a number above JSON_WRITER_PART
 * if there are more than that. */
static size_t
weigh(const json_t *value, size_t so_far)
{
    const char *name;
    json_t *item;
    size_t n = so_far + 1, i;

    if (json_is_string(value)) {
        n += json_string_length(value) / BYTES_PER_VALUE;
    } else if (json_is_array(value)) {
        for (i = 0; n <= JSON_WRITER_PART && i < json_array_size(value); i++) {
            n = weigh(json_array_get(value, i), n);
        }
    } else if (json_is_object(value)) {
        json_object_foreach((json_t *)(uintptr_t)value, name, item)
        {
            if (n > JSON_WRITER_PART) {
                break;
            }
            n = weigh(item, n);
        }
    }
    return n;
}

/* Implements json_dump_callback_t. */
static int
add_bytes(const char *bytes, size_t n, void *text)
{
    text_add_bytes(text, bytes, n);
    return 0;
}

/* Writes 'value' in one piece. */
static void
write_part(const struct json_writer *writer, const json_t *value)
{
    if (writer->text) {
        orch_assert(!json_dump_callback(value, add_bytes, writer->text,
                                        JSON_COMPACT | JSON_ENCODE_ANY));
    }
}

static void
write_char(const struct json_writer *writer, char c)
{
    if (writer->text) {
        text_add_char(writer->text, c);
    }
}

/* Writes 'value', or enters it if it is large.  Returns how much of the budget
 * that takes. */
static size_t
write_value(struct json_writer *writer, json_t *value, bool owned)
{
    const size_t n = weigh(value, 0);
    struct frame *frame;

    if (n <= JSON_WRITER_PART || writer->depth == JSON_WRITER_DEPTH ||
        !(json_is_array(value) || json_is_object(value))) {
        write_part(writer, value);
        return n;
    }
    frame = &writer->frames[writer->depth++];
    *frame = (struct frame){
        .container = value,
        .iterator = json_is_object(value) ? json_object_iter(value) : NULL,
        .owned = owned && value->refcount == 1,
    };
    write_char(writer, json_is_object(value) ? '{' : '[');
    return 1;
}

/* Frees what the last step of 'frame' wrote.  It is replaced rather than
 * removed, which would move the items behind it. */
static void
free_last(struct frame *frame)
{
    if (!frame->begun || !frame->owned) {
        return;
    }
    if (json_is_array(frame->container)) {
        json_array_set_new(frame->container, frame->index - 1, json_null());
    } else {
        json_object_iter_set_new(frame->container, frame->iterator,
                                 json_null());
    }
}

/* Writes the name of a member and ':'. */
static void
write_name(const struct json_writer *writer, const char *name)
{
    json_t *string;

    if (writer->text) {
        string = json_string(name);
        orch_assert(string);
        write_part(writer, string);
        json_decref(string);
        write_char(writer, ':');
    }
}

/* Returns the next item or member of 'frame', NULL after the last one. */
static json_t *
next_value(const struct json_writer *writer, struct frame *frame)
{
    const bool object = json_is_object(frame->container);
    json_t *value;

    if (object && frame->begun) {
        frame->iterator =
            json_object_iter_next(frame->container, frame->iterator);
    }
    value = object ? json_object_iter_value(frame->iterator)
                   : json_array_get(frame->container, frame->index++);
    if (value && frame->begun) {
        write_char(writer, ',');
    }
    if (value && object) {
        write_name(writer, json_object_iter_key(frame->iterator));
    }
    return value;
}

/* Takes one step; returns how much of the budget it takes. */
static size_t
step(struct json_writer *writer)
{
    struct frame *frame = &writer->frames[writer->depth - 1];
    json_t *value;

    free_last(frame);
    value = next_value(writer, frame);
    frame->begun = true;
    if (value) {
        return write_value(writer, value, frame->owned);
    }
    write_char(writer, json_is_object(frame->container) ? '}' : ']');
    writer->depth--;
    return 1;
}

bool
json_writer_write(struct json_writer *writer, size_t budget)
{
    size_t n = 0;

    if (!writer->begun) {
        writer->begun = true;
        n = write_value(writer, writer->value, true);
    }
    while (writer->depth && n < budget) {
        n += step(writer);
    }
    return writer->depth > 0;
}
