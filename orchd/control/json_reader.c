/* SPDX-License-Identifier: Apache-2.0 */

/* A stack of the containers that have been entered. */

#include <config.h>

#include "orchd/control/json_reader.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* What may come next in the innermost container. */
enum expected {
    FIRST,     /* An item, or the end. */
    SEPARATOR, /* A comma, or the end. */
    ITEM,      /* An item. */
};

struct json_reader {
    char *text;
    size_t length;
    size_t at; /* The first byte that has not been parsed. */
    json_t *stack[JSON_READER_DEPTH]; /* The first one is owned. */
    size_t depth;
    enum expected expected;
    json_t *value; /* Owned; the result. */
    bool ended;
    struct err err;
};

struct json_reader *
json_reader_create(const char *text, size_t length)
{
    struct json_reader *reader = check_calloc(1, sizeof *reader);

    reader->text = check_malloc(length + 1);
    memcpy(reader->text, text, length);
    reader->text[length] = '\0';
    reader->length = length;
    return reader;
}

void
json_reader_destroy(struct json_reader *reader)
{
    if (reader) {
        json_decref(reader->value);
        free(reader->text);
        free(reader);
    }
}

/* Ends with an error at the present place. */
static void
fail(struct json_reader *reader, const char *what)
{
    if (!reader->ended) {
        err_set(&reader->err, ST_INVALID, "json", "%s at byte %zu", what,
                reader->at + 1);
        reader->ended = true;
    }
}

static bool
is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Returns the next byte that is no white space, '\0' at the end. */
static char
look(struct json_reader *reader)
{
    while (reader->at < reader->length && is_space(reader->text[reader->at])) {
        reader->at++;
    }
    return reader->at < reader->length ? reader->text[reader->at] : '\0';
}

/* Returns where the string that begins at 'at' ends: after its quote, or at the
 * end of the text. */
static size_t
string_end(const struct json_reader *reader, size_t at)
{
    for (at++; at < reader->length && reader->text[at] != '"'; at++) {
        at += reader->text[at] == '\\';
    }
    return at < reader->length ? at + 1 : reader->length;
}

/* Returns the length of the value at the present place, as far as its brackets
 * say; 0 if it has more than 'most' bytes. */
static size_t
value_length(const struct json_reader *reader, size_t most)
{
    const size_t end =
        reader->length - reader->at < most ? reader->length : reader->at + most;
    size_t at = reader->at, depth = 0;

    while (at < end) {
        const char c = reader->text[at];

        if (c == '"') {
            at = string_end(reader, at);
        } else if (c == '[' || c == '{') {
            depth++;
            at++;
        } else if (depth && (c == ']' || c == '}')) {
            depth--;
            at++;
        } else if (!depth && (c == ']' || c == '}' || c == ',')) {
            break; /* The end of a number or a word. */
        } else {
            at++;
            continue;
        }
        if (!depth) {
            break;
        }
    }
    return depth || at == end ? 0 : at - reader->at;
}

/* Parses the value of 'length' bytes at the present place. */
static json_t *
parse_part(struct json_reader *reader, size_t length)
{
    json_error_t cause;
    json_t *value =
        json_loadb(reader->text + reader->at, length,
                   JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &cause);

    if (!value) {
        fail(reader, cause.text);
    }
    reader->at += length;
    return value;
}

/* Parses the value at the present place, or enters it: then '*entered'. */
static json_t *
parse_value(struct json_reader *reader, bool *entered)
{
    const char c = look(reader);
    const bool is_container = c == '[' || c == '{';
    size_t length = value_length(reader, JSON_READER_PART);

    *entered = !length && is_container && reader->depth < JSON_READER_DEPTH;
    if (*entered) {
        reader->at++;
        return c == '[' ? json_array() : json_object();
    }
    if (!length) {
        length = value_length(reader, SIZE_MAX);
    }
    return parse_part(reader, length ? length : reader->length - reader->at);
}

/* Parses a name with its colon; NULL if there is none. */
static json_t *
parse_name(struct json_reader *reader)
{
    json_t *name;

    if (look(reader) != '"') {
        fail(reader, "string or '}' expected");
        return NULL;
    }
    name = parse_part(reader, string_end(reader, reader->at) - reader->at);
    if (name && look(reader) != ':') {
        fail(reader, "':' expected");
        json_decref(name);
        return NULL;
    }
    reader->at++;
    return name;
}

/* Parses the next item of the innermost container, or enters it. */
static void
parse_item(struct json_reader *reader)
{
    json_t *container = reader->stack[reader->depth - 1], *name = NULL, *value;
    const bool is_object = json_is_object(container);
    bool entered = false;

    if (is_object) {
        name = parse_name(reader);
        if (!name) {
            return;
        }
        if (json_object_get(container, json_string_value(name))) {
            fail(reader, "duplicate object key");
        }
    }
    value = reader->ended ? NULL : parse_value(reader, &entered);
    if (value && is_object) {
        json_object_set_new(container, json_string_value(name), value);
    } else if (value) {
        json_array_append_new(container, value);
    }
    json_decref(name);
    reader->expected = entered ? FIRST : SEPARATOR;
    if (value && entered) {
        reader->stack[reader->depth++] = value;
    }
}

/* Parses the whole text, or enters it. */
static void
parse_root(struct json_reader *reader)
{
    const char c = look(reader);
    bool entered;

    if (c != '[' && c != '{') {
        fail(reader, "'[' or '{' expected");
        return;
    }
    reader->value = parse_value(reader, &entered);
    if (entered) {
        reader->stack[reader->depth++] = reader->value;
        reader->expected = FIRST;
    }
}

/* Handles what comes next. */
static void
parse_next(struct json_reader *reader)
{
    const char c = look(reader);

    if (!reader->value) {
        parse_root(reader);
    } else if (!reader->depth) {
        if (reader->at < reader->length) {
            fail(reader, "end of file expected");
        }
        reader->ended = true;
    } else if (reader->expected != ITEM &&
               c == (json_is_object(reader->stack[reader->depth - 1]) ? '}'
                                                                      : ']')) {
        reader->at++;
        reader->depth--;
        reader->expected = SEPARATOR;
    } else if (reader->expected != SEPARATOR) {
        parse_item(reader);
    } else if (c == ',') {
        reader->at++;
        reader->expected = ITEM;
    } else {
        fail(reader, "',' or the end of an array or object expected");
    }
}

bool
json_reader_read(struct json_reader *reader, size_t budget)
{
    const size_t begin = reader->at;

    while (!reader->ended && reader->at - begin < budget) {
        parse_next(reader);
    }
    return !reader->ended;
}

json_t *
json_reader_give_up(struct json_reader *reader)
{
    json_t *value = reader->value;

    reader->value = NULL;
    reader->ended = true;
    return value;
}

json_t *
json_reader_take(struct json_reader *reader, struct err *err)
{
    if (reader->err.status) {
        *err = reader->err;
        return NULL;
    }
    return json_reader_give_up(reader);
}
