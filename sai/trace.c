/* SPDX-License-Identifier: Apache-2.0 */

/* Writing and reading the lines of a record.
 *
 * The reader walks words.  Each operation has the same skeleton, and one
 * function per form of item; how many items there are is not told, so arrays
 * are sized by the number of words that are left.
 *
 * Only whole lines are read: one that was cut may still look like a call, with
 * a number that has lost its last digits.  The end of a line is its proof. */

#include <config.h>

#include "sai/trace.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/parse.h"
#include "base/text.h"
#include "sai/metadata.h"
#include "sai/serialize.h"
#include "sai/status.h"

static const char arrow[] = "=>";
static const char no_text[] = "?";

/* Writing ------------------------------------------------------------- */

void
trace_escape(const char *string, struct text *text)
{
    for (; *string; string++) {
        const unsigned char c = (unsigned char)*string;

        if (c > ' ' && c < 0x7f && c != '%') {
            text_add_char(text, (char)c);
        } else {
            text_addf(text, "%%%02X", c);
        }
    }
}

/* Appends the name of an attribute, or its number. */
static void
write_name(sai_object_type_t type, sai_attr_id_t id, struct text *text)
{
    const struct metadata_attribute *meta = metadata_attribute(type, id);

    if (meta) {
        text_addf(text, " %s", meta->name);
    } else {
        text_addf(text, " %" PRIu32, id);
    }
}

/* Returns whether the value can be looked at: a caller's list may be a count
 * without a list, which is for others to refuse. */
static bool
is_readable(const struct metadata_attribute *meta,
            const sai_attribute_value_t *value)
{
    uint32_t n;

    if (!kind_has_list(meta->kind)) {
        return true;
    }
    n = kind_list_count(meta->kind, value);
    return !n || (n <= KIND_LIST_MAX && kind_list_elements(meta->kind, value));
}

/* Appends " NAME=VALUE". */
static void
write_value(sai_object_type_t type, const sai_attribute_t *attribute,
            struct text *text)
{
    const struct metadata_attribute *meta =
        metadata_attribute(type, attribute->id);
    struct text value = {0};

    write_name(type, attribute->id, text);
    text_add_char(text, '=');
    if (!meta || !is_readable(meta, &attribute->value) ||
        serialize_value(meta, &attribute->value, &value)) {
        text_add(text, no_text);
    } else {
        trace_escape(text_string(&value), text);
    }
    text_fini(&value);
}

static void
write_oid(sai_object_id_t oid, struct text *text)
{
    text_add_char(text, ' ');
    serialize_oid(oid, text);
}

static void
write_status(sai_status_t status, struct text *text)
{
    char name[STATUS_NAME_SIZE];

    text_addf(text, " %s", status_name(status, name, sizeof name));
}

/* Appends the name of a counter, or its number. */
static void
write_stat(sai_object_type_t type, sai_stat_id_t id, struct text *text)
{
    const struct metadata_stat *meta = metadata_stat(type, id);

    if (meta) {
        text_addf(text, " %s", meta->name);
    } else {
        text_addf(text, " %" PRIu32, id);
    }
}

/* Appends item 'i' of what a call asks or orders. */
static void
write_item(const struct trace_call *call, uint32_t i, struct text *text)
{
    switch (call->op) {
    case OP_GET:
        write_name(call->type, call->attributes[i].id, text);
        if (call->capacities[i] ||
            (metadata_attribute(call->type, call->attributes[i].id) &&
             kind_has_list(
                 metadata_attribute(call->type, call->attributes[i].id)
                     ->kind))) {
            text_addf(text, "[%" PRIu32 "]", call->capacities[i]);
        }
        break;
    case OP_GET_STATS:
        write_stat(call->type, call->stats[i], text);
        break;
    case OP_SET_MANY:
        write_oid(call->oids[i], text);
        write_value(call->type, &call->attributes[i], text);
        break;
    default:
        write_value(call->type, &call->attributes[i], text);
        break;
    }
}

void
trace_write_call(const char *stamp, const struct trace_call *call,
                 struct text *text)
{
    const char *type = metadata_type_name(call->type);

    text_addf(text, "%s %s ", stamp, op_name(call->op));
    if (type) {
        text_add(text, type);
    } else {
        text_addf(text, "%" PRId32, (int32_t)call->type);
    }
    if (call->op != OP_CREATE && call->op != OP_SET_MANY) {
        write_oid(call->oid, text);
    }
    if (call->op == OP_GET_STATS) {
        text_addf(text, " %d", (int)call->stats_mode);
    } else if (call->op == OP_SET_MANY) {
        text_addf(text, " %d", (int)call->bulk_mode);
    }
    for (uint32_t i = 0; i < call->n; i++) {
        write_item(call, i, text);
    }
}

/* Appends answer 'i' to a get.  A list that did not fit has a count only; so
 * has one whose count a vendor got wrong. */
static void
write_answer(const struct trace_call *call, uint32_t i, struct text *text)
{
    const sai_attribute_t *answer = &call->answers[i];
    const struct metadata_attribute *meta =
        metadata_attribute(call->type, answer->id);
    uint32_t n;

    if (meta && kind_has_list(meta->kind)) {
        n = kind_list_count(meta->kind, &answer->value);
        if (n > call->capacities[i] ||
            (n && !kind_list_elements(meta->kind, &answer->value))) {
            write_name(call->type, answer->id, text);
            text_addf(text, "=#%" PRIu32, n);
            return;
        }
    }
    write_value(call->type, answer, text);
}

void
trace_write_result(const struct trace_call *call, struct text *text)
{
    const bool good = call->status == SAI_STATUS_SUCCESS;

    text_addf(text, " %s", arrow);
    write_status(call->status, text);
    if (call->op == OP_CREATE && good) {
        write_oid(call->created, text);
    }
    for (uint32_t i = 0; i < call->n; i++) {
        if (call->op == OP_GET &&
            (good || call->status == SAI_STATUS_BUFFER_OVERFLOW)) {
            write_answer(call, i, text);
        } else if (call->op == OP_GET_STATS && good) {
            write_stat(call->type, call->stats[i], text);
            text_addf(text, "=%" PRIu64, call->counters[i]);
        } else if (call->op == OP_SET_MANY && !good) {
            write_status(call->statuses[i], text);
        }
    }
    text_addf(text, " %" PRId64 ".%03dus\n", call->latency_ns / 1000,
              (int)(call->latency_ns % 1000));
}

/* Reading ------------------------------------------------------------- */

/* The words of a line. */
struct words {
    struct arena *arena;
    const char *next;
    struct err *err;
};

/* Returns the next word, copied; NULL at the end. */
static char *
take(struct words *words)
{
    const size_t length = strcspn(words->next, " ");
    char *word;

    if (!length) {
        return NULL;
    }
    word = arena_strndup(words->arena, words->next, length);
    words->next += length + (words->next[length] == ' ');
    return word;
}

static enum st
fail(const struct words *words, const char *what, const char *word)
{
    return err_set(words->err, ST_INVALID, "record", "expected %s, found '%s'",
                   what, word ? word : "the end of the line");
}

static int
hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

char *
trace_unescape(struct arena *arena, const char *string, size_t length)
{
    char *copy = arena_strndup(arena, string, length);
    char *to = copy;

    for (const char *from = copy; *from; from++) {
        if (*from != '%') {
            *to++ = *from;
            continue;
        }
        if (hex_digit(from[1]) < 0 || hex_digit(from[2]) < 0) {
            break;
        }
        *to++ = (char)(hex_digit(from[1]) * 16 + hex_digit(from[2]));
        from += 2;
    }
    *to = '\0';
    return copy;
}

/* Parses the name of an attribute of 'type', or its number. */
static enum st
parse_name(const struct words *words, sai_object_type_t type, const char *name,
           sai_attr_id_t *id, const struct metadata_attribute **meta)
{
    sai_object_type_t owner = SAI_OBJECT_TYPE_NULL;
    uint64_t number;

    *meta = metadata_attribute_by_name(name, &owner);
    if (*meta && owner == type) {
        *id = (*meta)->id;
        return ST_OK;
    }
    *meta = NULL;
    if (parse_u64(name, 0, UINT32_MAX, &number)) {
        return fail(words, "an attribute of this type", name);
    }
    *id = (sai_attr_id_t)number;
    return ST_OK;
}

/* Parses "NAME=VALUE", with 'counts' also "NAME=#COUNT". */
static enum st
parse_value(const struct words *words, struct trace_call *call, char *word,
            bool counts, sai_attribute_t *attribute)
{
    const struct metadata_attribute *meta;
    char *equals = word ? strchr(word, '=') : NULL;
    const char *value;
    uint64_t count;
    enum st st;

    if (!equals) {
        return fail(words, "NAME=VALUE", word);
    }
    *equals = '\0';
    value = trace_unescape(words->arena, equals + 1, strlen(equals + 1));
    st = parse_name(words, call->type, word, &attribute->id, &meta);
    if (st) {
        return st;
    }
    if (!meta || !strcmp(value, no_text)) {
        call->opaque = true;
        return ST_OK;
    }
    if (counts && *value == '#' && kind_has_list(meta->kind)) {
        if (parse_u64(value + 1, 0, UINT32_MAX, &count)) {
            return fail(words, "a count", value);
        }
        kind_list_set(meta->kind, &attribute->value, (uint32_t)count, NULL);
        return ST_OK;
    }
    return serialize_parse_value(words->arena, meta, value, &attribute->value,
                                 words->err);
}

/* Parses "NAME" or "NAME[CAPACITY]". */
static enum st
parse_question(const struct words *words, const struct trace_call *call,
               char *word, sai_attribute_t *attribute, uint32_t *capacity)
{
    const struct metadata_attribute *meta;
    char *bracket = strchr(word, '[');
    char *end = bracket ? strchr(bracket, ']') : NULL;
    uint64_t number = 0;

    if (bracket) {
        *bracket = '\0';
        if (!end || end[1]) {
            return fail(words, "NAME[CAPACITY]", word);
        }
        *end = '\0';
        if (parse_u64(bracket + 1, 0, UINT32_MAX, &number)) {
            return fail(words, "a capacity", bracket + 1);
        }
    }
    *capacity = (uint32_t)number;
    return parse_name(words, call->type, word, &attribute->id, &meta);
}

/* Parses the name of a counter of the call's type, or its number. */
static enum st
parse_stat(const struct words *words, const struct trace_call *call,
           const char *name, sai_stat_id_t *id)
{
    sai_object_type_t owner = SAI_OBJECT_TYPE_NULL;
    const struct metadata_stat *meta = metadata_stat_by_name(name, &owner);
    uint64_t number;

    if (meta && owner == call->type) {
        *id = meta->id;
        return ST_OK;
    }
    if (parse_u64(name, 0, UINT32_MAX, &number)) {
        return fail(words, "a counter of this type", name);
    }
    *id = (sai_stat_id_t)number;
    return ST_OK;
}

static enum st
parse_oid(const struct words *words, const char *word, sai_object_id_t *oid)
{
    return word && !serialize_parse_oid(word, oid)
               ? ST_OK
               : fail(words, "an object id", word);
}

/* Parses the operation, the type, the object and the mode. */
static enum st
parse_head(struct words *words, struct trace_call *call)
{
    const char *stamp = take(words);
    const char *op = take(words);
    const char *type = take(words);
    uint64_t number;

    if (!stamp || !op || !op_find(op, strlen(op), &call->op)) {
        return fail(words, "an operation", op);
    }
    call->type = type ? metadata_type_by_name(type) : SAI_OBJECT_TYPE_NULL;
    if (call->type == SAI_OBJECT_TYPE_NULL) {
        if (!type || parse_u64(type, 0, INT32_MAX, &number)) {
            return fail(words, "an object type", type);
        }
        call->type = (sai_object_type_t)number;
    }
    if (call->op != OP_CREATE && call->op != OP_SET_MANY &&
        parse_oid(words, take(words), &call->oid)) {
        return ST_INVALID;
    }
    if (call->op == OP_GET_STATS || call->op == OP_SET_MANY) {
        const char *mode = take(words);

        if (!mode || parse_u64(mode, 0, 255, &number)) {
            return fail(words, "a mode", mode);
        }
        call->stats_mode = (sai_stats_mode_t)number;
        call->bulk_mode = (sai_bulk_op_error_mode_t)number;
    }
    return ST_OK;
}

/* Returns how many words are left. */
static uint32_t
count_words(const char *text)
{
    uint32_t n = *text != '\0';

    for (; *text; text++) {
        n += *text == ' ';
    }
    return n;
}

/* Parses the items up to the arrow, or the end if there is none. */
static enum st
parse_items(struct words *words, struct trace_call *call)
{
    const uint32_t max = count_words(words->next);
    sai_attribute_t *attributes =
        arena_alloc(words->arena, max + 1u, sizeof *attributes);
    uint32_t *capacities =
        arena_alloc(words->arena, max + 1u, sizeof *capacities);
    sai_object_id_t *oids = arena_alloc(words->arena, max + 1u, sizeof *oids);
    sai_stat_id_t *stats = arena_alloc(words->arena, max + 1u, sizeof *stats);
    enum st st = ST_OK;

    call->attributes = attributes;
    call->capacities = capacities;
    call->oids = oids;
    call->stats = stats;
    for (char *word = take(words); !st && word && strcmp(word, arrow);
         word = take(words)) {
        const uint32_t i = call->n++;

        if (call->op == OP_GET) {
            st = parse_question(words, call, word, &attributes[i],
                                &capacities[i]);
        } else if (call->op == OP_GET_STATS) {
            st = parse_stat(words, call, word, &stats[i]);
        } else if (call->op == OP_SET_MANY) {
            st = parse_oid(words, word, &oids[i]);
            st = st ? st
                    : parse_value(words, call, take(words), false,
                                  &attributes[i]);
        } else {
            st = parse_value(words, call, word, false, &attributes[i]);
        }
    }
    return st;
}

/* Parses "NAME=VALUE" of a counter. */
static enum st
parse_counter(const struct words *words, char *word, uint64_t *value)
{
    const char *equals = word ? strchr(word, '=') : NULL;

    return equals && !parse_u64(equals + 1, 0, UINT64_MAX, value)
               ? ST_OK
               : fail(words, "NAME=NUMBER", word);
}

/* Parses what an operation has given back for each of its items. */
static enum st
parse_answers(struct words *words, struct trace_call *call)
{
    sai_attribute_t *answers =
        arena_alloc(words->arena, call->n + 1u, sizeof *answers);
    uint64_t *counters =
        arena_alloc(words->arena, call->n + 1u, sizeof *counters);
    sai_status_t *statuses =
        arena_alloc(words->arena, call->n + 1u, sizeof *statuses);
    const bool good = call->status == SAI_STATUS_SUCCESS;
    const bool opaque = call->opaque;
    enum st st = ST_OK;

    call->answers = answers;
    call->counters = counters;
    call->statuses = call->op == OP_SET_MANY && !good ? statuses : NULL;
    for (uint32_t i = 0; !st && i < call->n; i++) {
        if (call->op == OP_GET &&
            (good || call->status == SAI_STATUS_BUFFER_OVERFLOW)) {
            st = parse_value(words, call, take(words), true, &answers[i]);
        } else if (call->op == OP_GET_STATS && good) {
            st = parse_counter(words, take(words), &counters[i]);
        } else if (call->statuses) {
            const char *word = take(words);

            st = word && status_find(word, &statuses[i])
                     ? ST_OK
                     : fail(words, "a status", word);
        }
    }
    /* An answer without a text does not keep a call from being made again. */
    call->opaque = opaque;
    return st;
}

/* Returns whether a line was written to its end. */
static bool
is_whole(const char *line)
{
    const size_t length = strlen(line);

    return strstr(line, " => ") && length > 2 &&
           !strcmp(line + length - 2, "us");
}

/* Parses all behind the arrow. */
static enum st
parse_result(struct words *words, struct trace_call *call)
{
    const char *word = take(words);
    enum st st;

    if (!word || !status_find(word, &call->status)) {
        return fail(words, "a status", word);
    }
    if (call->op == OP_CREATE && call->status == SAI_STATUS_SUCCESS &&
        parse_oid(words, take(words), &call->created)) {
        return ST_INVALID;
    }
    st = parse_answers(words, call);
    if (!st) {
        word = take(words);
        st = word && !take(words) ? ST_OK : fail(words, "a latency", word);
    }
    call->finished = !st;
    return st;
}

enum st
trace_parse(struct arena *arena, const char *line, struct trace_call *call,
            struct err *err)
{
    struct words words = {.arena = arena, .next = line, .err = err};
    enum st st;

    memset(call, 0, sizeof *call);
    if (!is_whole(line)) {
        /* Wherever it was cut: nothing in it is to be relied on. */
        return ST_OK;
    }
    st = parse_head(&words, call);
    st = st ? st : parse_items(&words, call);
    return st ? st : parse_result(&words, call);
}
