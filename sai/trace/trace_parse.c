/* SPDX-License-Identifier: Apache-2.0 */

/* Parses the lines of a record.
 *
 * The parser walks the words of a line.  All operations have the same skeleton,
 * and each form of item has one function.  A line does not have the number of
 * its items, so arrays have one element per remaining word.
 *
 * Only complete lines have a result: a truncated line may look complete, with a
 * number that has lost its last digits.  The suffix "us" proves that a line is
 * complete. */

#include <config.h>

#include "sai/trace/trace_parse.h"

#include <string.h>

#include "base/arena.h"
#include "base/parse.h"
#include "base/text.h"
#include "sai/core/entry.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"
#include "sai/core/status.h"

static const char arrow[] = "=>";

/* The largest number of counters of a call: 256 each of 4096 objects. */
#define COUNTERS_MAX (UINT64_C(1) << 20)
static const char no_text[] = "?";

/* The words of a line. */
struct words {
    struct arena *arena; /* What is read goes there. */
    const char *next;    /* Of the line; never NULL. */
    struct err *err;
};

/* Returns a copy of the next word; NULL at the end. */
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

/* Fails because 'what' was expected and not 'word', which is NULL at the end.
 */
static enum st
fail(const struct words *words, const char *what, const char *word)
{
    return word && strcmp(word, arrow) != 0
               ? err_set(words->err, ST_INVALID, "record",
                         "expected %s, found '%s'", what, word)
               : err_set(words->err, ST_INVALID, "record", "%s is missing",
                         what);
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

/* Parses the answer to attribute 'i' of those that 'call' asks for. */
static enum st
parse_answer(const struct words *words, struct trace_call *call, char *word,
             uint32_t i, sai_attribute_t *answers)
{
    enum st st = parse_value(words, call, word, true, &answers[i]);

    return st || answers[i].id == call->attributes[i].id
               ? st
               : fail(words, "the attribute that was asked for", word);
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
    if (call->op != OP_CREATE && !op_is_many(call->op) &&
        parse_oid(words, take(words), &call->oid)) {
        return ST_INVALID;
    }
    if (op_single(call->op) == OP_GET_STATS || op_is_many(call->op)) {
        const char *mode = take(words);

        if (!mode || parse_u64(mode, 0, 255, &number)) {
            return fail(words,
                        op_single(call->op) == OP_GET_STATS
                            ? "a mode (1 to read, 2 to read and clear)"
                            : "an error mode",
                        mode);
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

/* The arrays of a call while it is parsed. */
struct arrays {
    sai_attribute_t *attributes; /* Of all objects, one behind the other. */
    uint32_t *capacities;        /* By attribute: what a list had room for. */
    uint32_t *counts;            /* By object: how many attributes it has. */
    sai_stat_id_t *stats;
    uint32_t n_attributes; /* So far. */
};

/* Allocates arrays with one element per remaining word. */
static void
make_arrays(const struct words *words, struct trace_call *call,
            struct arrays *arrays)
{
    const uint32_t max = count_words(words->next) + 1u;

    arrays->n_attributes = 0;
    call->attributes = arrays->attributes =
        arena_alloc(words->arena, max, sizeof *arrays->attributes);
    call->capacities = arrays->capacities =
        arena_alloc(words->arena, max, sizeof *arrays->capacities);
    call->counts = arrays->counts =
        arena_alloc(words->arena, max, sizeof *arrays->counts);
    call->stats = arrays->stats =
        arena_alloc(words->arena, max, sizeof *arrays->stats);
    call->keys = arena_alloc(words->arena, max, sizeof *call->keys);
}

/* Parses one attribute, with or without a value. */
static enum st
parse_attribute(const struct words *words, struct trace_call *call, char *word,
                struct arrays *arrays)
{
    const uint32_t i = arrays->n_attributes++;

    if (op_single(call->op) != OP_GET) {
        return parse_value(words, call, word, false, &arrays->attributes[i]);
    }
    return word ? parse_question(words, call, word, &arrays->attributes[i],
                                 &arrays->capacities[i])
                : fail(words, "an attribute", word);
}

/* Parses a key of the call's type. */
static enum st
parse_key(const struct words *words, const struct trace_call *call,
          const char *word, sai_object_key_t *key)
{
    const char *type = metadata_type_name(call->type);
    struct text whole = {0};
    sai_object_type_t found = SAI_OBJECT_TYPE_NULL;
    enum st st = ST_INVALID;

    if (word && !entry_is_key(call->type)) {
        return parse_oid(words, word, &key->key.object_id);
    }
    if (word && type) {
        text_addf(&whole, "%s:%s", type,
                  trace_unescape(words->arena, word, strlen(word)));
        st = entry_parse(text_string(&whole), &found, key);
        text_fini(&whole);
    }
    return st || found != call->type ? fail(words, "a key", word) : ST_OK;
}

/* Parses object 'i' of several, from 'word' on. */
static enum st
parse_object(struct words *words, struct trace_call *call, char *word,
             struct arrays *arrays)
{
    const uint32_t i = call->n++;
    uint64_t n = call->op == OP_SET_MANY;
    enum st st = ST_OK;

    if (call->op != OP_CREATE_MANY || entry_is_key(call->type)) {
        st = parse_key(words, call, word, &call->keys[i]);
        word = NULL;
    }
    if (!st && (call->op == OP_CREATE_MANY || call->op == OP_GET_MANY)) {
        word = word ? word : take(words);
        if (!word || *word != '#' ||
            parse_u64(word + 1, 0, count_words(words->next), &n)) {
            st = fail(words, "a number of attributes", word);
        }
    }
    arrays->counts[i] = (uint32_t)n;
    for (uint64_t k = 0; !st && k < n; k++) {
        st = parse_attribute(words, call, take(words), arrays);
    }
    return st;
}

/* Parses "#N" and the names of N counters of a bulk call. */
static enum st
parse_stats(struct words *words, struct trace_call *call, struct arrays *arrays)
{
    const char *word = take(words);
    uint64_t n = 0;
    enum st st = ST_OK;

    if (!word || *word != '#' ||
        parse_u64(word + 1, 0, count_words(words->next), &n)) {
        return fail(words, "a number of counters", word);
    }
    for (call->n_stats = 0; !st && call->n_stats < n; call->n_stats++) {
        word = take(words);
        st = word ? parse_stat(words, call, word, &arrays->stats[call->n_stats])
                  : fail(words, "a counter", word);
    }
    return st;
}

/* Parses the items up to the arrow, or the end if there is none. */
static enum st
parse_items(struct words *words, struct trace_call *call)
{
    struct arrays arrays;
    enum st st = ST_OK;

    make_arrays(words, call, &arrays);
    if (call->op == OP_GET_STATS_MANY) {
        st = parse_stats(words, call, &arrays);
    }
    for (char *word = take(words); !st && word && strcmp(word, arrow);
         word = take(words)) {
        if (op_is_many(call->op)) {
            st = parse_object(words, call, word, &arrays);
        } else if (call->op == OP_GET_STATS) {
            st = parse_stat(words, call, word, &arrays.stats[call->n++]);
        } else {
            st = parse_attribute(words, call, word, &arrays);
            call->n++;
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

static bool
has_answers(sai_status_t status)
{
    return status == SAI_STATUS_SUCCESS || status == SAI_STATUS_BUFFER_OVERFLOW;
}

/* Parses the counters of one object of several. */
static enum st
parse_counters(struct words *words, const struct trace_call *call,
               uint64_t *counters)
{
    for (uint32_t k = 0; k < call->n_stats; k++) {
        const char *word = take(words);

        if (!word || parse_u64(word, 0, UINT64_MAX, &counters[k])) {
            return fail(words, "a number", word);
        }
    }
    return ST_OK;
}

/* Parses the results of a bulk call. */
static enum st
parse_outcomes(struct words *words, struct trace_call *call,
               sai_attribute_t *answers, uint64_t *counters)
{
    const bool good = call->status == SAI_STATUS_SUCCESS;
    sai_status_t *statuses =
        arena_alloc(words->arena, call->n + 1u, sizeof *statuses);
    uint32_t first = 0; /* Of the attributes of an object. */
    enum st st = ST_OK;

    for (uint32_t i = 0; !st && !good && i < call->n; i++) {
        const char *word = take(words);

        st = word && status_find(word, &statuses[i])
                 ? ST_OK
                 : fail(words, "a status", word);
    }
    for (uint32_t i = 0; !st && i < call->n; i++) {
        if (call->op == OP_CREATE_MANY && !entry_is_key(call->type) &&
            statuses[i] == SAI_STATUS_SUCCESS) {
            st = parse_oid(words, take(words), &call->keys[i].key.object_id);
        }
        for (uint32_t k = 0; !st && call->op == OP_GET_MANY &&
                             has_answers(statuses[i]) && k < call->counts[i];
             k++) {
            st = parse_answer(words, call, take(words), first + k, answers);
        }
        first += call->counts[i];
        if (!st && call->op == OP_GET_STATS_MANY &&
            statuses[i] == SAI_STATUS_SUCCESS) {
            st = parse_counters(words, call,
                                counters + (size_t)i * call->n_stats);
        }
    }
    call->statuses = good ? NULL : statuses;
    return st;
}

/* Parses the items after the status. */
static enum st
parse_answers(struct words *words, struct trace_call *call)
{
    const uint32_t n = trace_total(call) + call->n + 1u;
    const uint64_t n_counters = n + (uint64_t)call->n * call->n_stats;
    sai_attribute_t *answers = arena_alloc(words->arena, n, sizeof *answers);
    uint64_t *counters =
        n_counters <= COUNTERS_MAX
            ? arena_alloc(words->arena, n_counters, sizeof *counters)
            : NULL;
    const bool good = call->status == SAI_STATUS_SUCCESS;
    const bool opaque = call->opaque;
    enum st st = ST_OK;

    if (!counters) {
        return err_set(words->err, ST_INVALID, "record",
                       "a call has at most %llu counters",
                       (unsigned long long)COUNTERS_MAX);
    }
    call->answers = answers;
    call->counters = counters;
    if (op_is_many(call->op)) {
        st = parse_outcomes(words, call, answers, counters);
    }
    for (uint32_t i = 0; !st && i < call->n; i++) {
        if (call->op == OP_GET && has_answers(call->status)) {
            st = parse_answer(words, call, take(words), i, answers);
        } else if (call->op == OP_GET_STATS && good) {
            st = parse_counter(words, take(words), &counters[i]);
        }
    }
    /* A result without a text form does not prevent a replay of the call. */
    call->opaque = opaque;
    return st;
}

/* Returns whether a line is complete. */
static bool
is_whole(const char *line)
{
    const size_t length = strlen(line);

    return strstr(line, " => ") && length > 2 &&
           !strcmp(line + length - 2, "us");
}

/* Parses the part after the arrow. */
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
