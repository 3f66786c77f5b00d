/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the maps of a scenario by tables of their keys. */

#include <config.h>

#include "lab/scenario/fields.h"

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "lab/scenario/quantity.h"

const char field_required[] = "required";

enum { NAME_LENGTH_MAX = 63, RANGE_SIZE = 64 };

static const enum quantity_kind quantity_kinds[] = {
    [FIELD_TIME] = QUANTITY_TIME,   [FIELD_BYTES] = QUANTITY_BYTES,
    [FIELD_RATE] = QUANTITY_RATE,   [FIELD_LENGTH] = QUANTITY_LENGTH,
    [FIELD_COUNT] = QUANTITY_COUNT, [FIELD_RATIO] = QUANTITY_RATIO,
};

/* Splits "low..high" at its dots. */
static void
split_range(const char *range, char low[RANGE_SIZE], const char **high)
{
    const char *dots = strstr(range, "..");

    orch_assert(dots && (size_t)(dots - range) < RANGE_SIZE);
    memcpy(low, range, (size_t)(dots - range));
    low[dots - range] = '\0';
    *high = dots + 2;
}

/* Returns whether 'value' is in 'range', a text of our own tables. */
static bool
is_in_range(enum quantity_kind kind, const char *range, int64_t value)
{
    char low_text[RANGE_SIZE];
    const char *high_text;
    int64_t low = 0, high = 0;

    split_range(range, low_text, &high_text);
    orch_assert(!quantity_parse(kind, low_text, &low, NULL));
    orch_assert(!quantity_parse(kind, high_text, &high, NULL));
    return value >= low && value <= high;
}

static bool
is_ratio_in_range(const char *range, const struct ratio *ratio)
{
    char low_text[RANGE_SIZE];
    const char *high_text;
    struct ratio low = {0}, high = {0};

    split_range(range, low_text, &high_text);
    orch_assert(!quantity_parse_ratio(low_text, &low, NULL));
    orch_assert(!quantity_parse_ratio(high_text, &high, NULL));
    return ratio_compare(ratio, &low) >= 0 && ratio_compare(ratio, &high) <= 0;
}

/* Parses 'text' into the member. */
static enum st
parse_number(const struct field *field, const char *text, void *member,
             struct err *err)
{
    const enum quantity_kind kind = quantity_kinds[field->kind];
    struct err why = {0};
    struct ratio ratio;
    int64_t value;
    bool fits;

    if (field->kind == FIELD_RATIO ? quantity_parse_ratio(text, &ratio, &why)
                                   : quantity_parse(kind, text, &value, &why)) {
        return err_set(err, ST_INVALID, "usage", "'%s': %s%s%s", field->key,
                       why.reason, field->range ? "; allowed is " : "",
                       field->range ? field->range : "");
    }
    if (field->kind == FIELD_RATIO) {
        fits = is_ratio_in_range(field->range, &ratio);
        memcpy(member, &ratio, sizeof ratio);
    } else {
        fits = is_in_range(kind, field->range, value);
        memcpy(member, &value, sizeof value);
    }
    return fits ? ST_OK
                : err_set(err, ST_INVALID, "range",
                          "'%s' is '%s'; allowed is %s", field->key, text,
                          field->range);
}

/* The same for a value at 'node', NULL for our own texts. */
static enum st
store_number(struct reader *reader, struct fy_node *node,
             const struct field *field, const char *text, void *member)
{
    struct err err = {0};

    return parse_number(field, text, member, &err)
               ? document_fail(reader->document, node, reader->err, "%s",
                               err.reason)
               : ST_OK;
}

enum st
fields_parse_number(const struct field *fields, size_t n, const char *key,
                    const char *text, void *value, struct err *err)
{
    size_t i = 0;

    while (i < n && strcmp(fields[i].key, key) != 0) {
        i++;
    }
    orch_assert(i < n);
    return parse_number(&fields[i], text, value, err);
}

enum st
fields_fail_word(struct reader *reader, struct fy_node *node, const char *what,
                 const char *found, const char *const *words)
{
    struct nearest nearest;
    struct text list = {0};
    char hint[NEAREST_HINT_SIZE];
    enum st st;

    nearest_init(&nearest, found, strlen(found));
    for (size_t i = 0; words[i]; i++) {
        text_add_item(&list, ", ", words[i]);
        nearest_try(&nearest, words[i]);
    }
    st = document_fail(reader->document, node, reader->err,
                       "'%s' is '%s'%s; allowed is one of: %s", what, found,
                       nearest_hint(&nearest, hint), text_string(&list));
    text_fini(&list);
    return st;
}

static enum st
store_word(struct reader *reader, struct fy_node *node,
           const struct field *field, const char *text, int *position)
{
    for (int i = 0; field->words[i]; i++) {
        if (!strcmp(field->words[i], text)) {
            *position = i;
            return ST_OK;
        }
    }
    return fields_fail_word(reader, node, field->key, text, field->words);
}

static enum st
store_bool(struct reader *reader, struct fy_node *node,
           const struct field *field, const char *text, bool *value)
{
    static const char *const words[] = {"false", "true", NULL};
    const struct field row = {.key = field->key, .words = words};
    int position = 0;
    enum st st = store_word(reader, node, &row, text, &position);

    *value = position;
    return st;
}

/* Sets the bits of "3" or "3..5". */
static enum st
store_bits(struct reader *reader, struct fy_node *node,
           const struct field *field, const char *text, uint32_t *bits)
{
    const char *dots = strstr(text, "..");
    int64_t low = 0, high = 0;
    char first[RANGE_SIZE];

    if (dots && (size_t)(dots - text) < sizeof first) {
        memcpy(first, text, (size_t)(dots - text));
        first[dots - text] = '\0';
    }
    if ((dots && (size_t)(dots - text) >= sizeof first) ||
        quantity_parse(QUANTITY_COUNT, dots ? first : text, &low, NULL) ||
        quantity_parse(QUANTITY_COUNT, dots ? dots + 2 : text, &high, NULL) ||
        low > high || !is_in_range(QUANTITY_COUNT, field->range, low) ||
        !is_in_range(QUANTITY_COUNT, field->range, high)) {
        return document_fail(reader->document, node, reader->err,
                             "'%s' has '%s'; allowed are numbers and ranges "
                             "(3..5) of %s",
                             field->key, text, field->range);
    }
    for (int64_t i = low; i <= high; i++) {
        *bits |= UINT32_C(1) << i;
    }
    return ST_OK;
}

enum st
fields_text(struct reader *reader, struct fy_node *node, const char *what,
            const char **text)
{
    return document_scalar(reader->document, node, what, text, reader->err);
}

enum st
fields_name(struct reader *reader, struct fy_node *node, const char *what,
            const char **name)
{
    const char *text = NULL;
    enum st st = fields_text(reader, node, what, &text);
    size_t length;

    if (st) {
        return st;
    }
    length = strspn(text, "abcdefghijklmnopqrstuvwxyz"
                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    if (text[length] || length > NAME_LENGTH_MAX) {
        return document_fail(reader->document, node, reader->err,
                             "%s: '%s' is not a name; allowed are letters, "
                             "digits, '-' and '_', at most %d",
                             what, text, NAME_LENGTH_MAX);
    }
    *name = text;
    return ST_OK;
}

/* The state of reading a list into a member. */
struct list_reading {
    const struct field *field;
    uint32_t bits;
    const char **items;
    size_t n;
};

/* Implements fields_item_fn. */
static enum st
read_bit(struct reader *reader, struct fy_node *node, void *context)
{
    struct list_reading *reading = context;
    const char *text = NULL;
    int position = 0;
    enum st st = fields_text(reader, node, reading->field->key, &text);

    if (!st && reading->field->kind == FIELD_WORDS) {
        st = store_word(reader, node, reading->field, text, &position);
        reading->bits |= UINT32_C(1) << position;
    } else if (!st) {
        st = store_bits(reader, node, reading->field, text, &reading->bits);
    }
    return st;
}

/* Implements fields_item_fn. */
static enum st
read_item(struct reader *reader, struct fy_node *node, void *context)
{
    struct list_reading *reading = context;

    return fields_text(reader, node, reading->field->key,
                       &reading->items[reading->n++]);
}

static enum st
read_selector(struct reader *reader, struct fy_node *node,
              const struct field *field, struct selector *selector)
{
    size_t n = fields_n_items(node);
    struct list_reading reading = {.field = field};
    enum st st;

    if (!n) {
        return document_fail(
            reader->document, node, reader->err,
            "'%s' is empty; expected a name or a list of names", field->key);
    }
    reading.items = arena_alloc(reader->arena, n, sizeof *reading.items);
    st = fields_each_item(reader, node, read_item, &reading);
    if (!st) {
        selector->items = reading.items;
        selector->n = reading.n;
        selector->place = fields_place(reader, node);
    }
    return st;
}

enum st
fields_read_value(struct reader *reader, struct fy_node *node,
                  const struct field *field, void *base)
{
    void *member = (char *)base + field->offset;
    struct list_reading reading = {.field = field};
    const char *text = NULL;
    enum st st;

    switch (field->kind) {
    case FIELD_NODE:
        memcpy(member, &node, sizeof node);
        return ST_OK;
    case FIELD_SELECTOR:
        return read_selector(reader, node, field, member);
    case FIELD_NAME:
        return fields_name(reader, node, field->key, member);
    case FIELD_TEXT:
        return fields_text(reader, node, field->key, member);
    case FIELD_WORDS:
    case FIELD_BITS:
        st = fields_each_item(reader, node, read_bit, &reading);
        if (!st) {
            memcpy(member, &reading.bits, sizeof reading.bits);
        }
        return st;
    default:
        break;
    }
    st = fields_text(reader, node, field->key, &text);
    if (st) {
        return st;
    }
    if (field->kind == FIELD_BOOL) {
        return store_bool(reader, node, field, text, member);
    }
    return field->kind == FIELD_WORD
               ? store_word(reader, node, field, text, member)
               : store_number(reader, node, field, text, member);
}

/* Stores the default of 'field'; lists are words or numbers separated by
 * commas. */
static enum st
store_default(struct reader *reader, const struct field *field, void *member)
{
    uint32_t *bits = member;
    int position = 0;
    enum st st = ST_OK;

    switch (field->kind) {
    case FIELD_WORDS:
    case FIELD_BITS:
        for (const char *item = field->initial; item && !st;) {
            const char *comma = strchr(item, ',');
            const char *text =
                arena_strndup(reader->arena, item,
                              comma ? (size_t)(comma - item) : strlen(item));

            if (field->kind == FIELD_WORDS) {
                st = store_word(reader, NULL, field, text, &position);
                *bits |= UINT32_C(1) << position;
            } else {
                st = store_bits(reader, NULL, field, text, bits);
            }
            item = comma ? comma + 1 + strspn(comma + 1, " ") : NULL;
        }
        return st;
    case FIELD_BOOL:
        return store_bool(reader, NULL, field, field->initial, member);
    case FIELD_WORD:
        return store_word(reader, NULL, field, field->initial, member);
    case FIELD_NAME:
    case FIELD_TEXT:
        memcpy(member, &field->initial, sizeof field->initial);
        return ST_OK;
    default:
        return store_number(reader, NULL, field, field->initial, member);
    }
}

void
fields_init(struct reader *reader, const struct field *fields, size_t n,
            void *base)
{
    for (size_t i = 0; i < n; i++) {
        if (fields[i].initial && fields[i].initial != field_required) {
            orch_assert(!store_default(reader, &fields[i],
                                       (char *)base + fields[i].offset));
        }
    }
}

/* Reports an unknown key and suggests the most similar one. */
static enum st
fail_unknown(struct reader *reader, struct fy_node *key, const char *name,
             const char *what, const struct field *fields, size_t n)
{
    struct nearest nearest;
    struct text list = {0};
    char hint[NEAREST_HINT_SIZE];
    enum st st;

    nearest_init(&nearest, name, strlen(name));
    for (size_t i = 0; i < n; i++) {
        nearest_try(&nearest, fields[i].key);
        text_add_item(&list, ", ", fields[i].key);
    }
    for (const struct added_key *added = reader->added; added;
         added = added->next) {
        key = added->node == key ? added->source : key;
    }
    st = document_fail(reader->document, key, reader->err,
                       "%s has no key '%s'%s; its keys are: %s", what, name,
                       nearest_hint(&nearest, hint), text_string(&list));
    text_fini(&list);
    return st;
}

/* The state of reading a map. */
struct map_reading {
    const struct field *fields;
    size_t n;
    const char *what;
    void *base;
    uint64_t seen;
};

/* Implements fields_pair_fn. */
static enum st
read_pair(struct reader *reader, struct fy_node *key, const char *name,
          struct fy_node *value, void *context)
{
    struct map_reading *reading = context;

    for (size_t i = 0; i < reading->n; i++) {
        if (!strcmp(reading->fields[i].key, name)) {
            reading->seen |= UINT64_C(1) << i;
            return fields_read_value(reader, value, &reading->fields[i],
                                     reading->base);
        }
    }
    return fail_unknown(reader, key, name, reading->what, reading->fields,
                        reading->n);
}

enum st
fields_read(struct reader *reader, struct fy_node *node, const char *what,
            const struct field *fields, size_t n, void *base, uint64_t *seen)
{
    struct map_reading reading = {fields, n, what, base, 0};
    enum st st;

    orch_assert(n <= FIELDS_MAX);
    st = fields_each_pair(reader, node, what, read_pair, &reading);
    for (size_t i = 0; !st && i < n; i++) {
        if (fields[i].initial == field_required &&
            !(reading.seen & (UINT64_C(1) << i))) {
            st = document_fail(reader->document, node, reader->err,
                               "%s needs the key '%s'", what, fields[i].key);
        }
    }
    if (seen) {
        *seen = reading.seen;
    }
    return st;
}

enum st
fields_on_off(struct reader *reader, struct fy_node *node, const char *what,
              bool *is_on)
{
    const char *text = "on";
    enum st st = ST_OK;

    if (!fy_node_is_mapping(node)) {
        st = fields_text(reader, node, what, &text);
    }
    if (!st && strcmp(text, "on") != 0 && strcmp(text, "off") != 0) {
        st = document_fail(reader->document, node, reader->err,
                           "%s is '%s'; allowed is on, off, or a map", what,
                           text);
    }
    *is_on = !st && !strcmp(text, "on");
    return st;
}

enum st
fields_each_item(struct reader *reader, struct fy_node *node,
                 fields_item_fn *fn, void *context)
{
    struct fy_node *item;
    void *iterator = NULL;
    enum st st = ST_OK;

    if (!node || !fy_node_is_sequence(node)) {
        return fn(reader, node, context);
    }
    while (!st && (item = fy_node_sequence_iterate(node, &iterator))) {
        st = fn(reader, item, context);
    }
    return st;
}

/* The state of reading a list into structs. */
struct structs_reading {
    fields_item_fn *fn;
    size_t size;
    struct fields_list *list;
};

/* Implements fields_item_fn. */
static enum st
read_struct(struct reader *reader, struct fy_node *node, void *context)
{
    const struct structs_reading *reading = context;
    struct fields_list *list = reading->list;
    const enum st st = reading->fn(
        reader, node, (char *)list->items + list->n * reading->size);

    list->n += st == ST_OK;
    return st;
}

enum st
fields_read_list(struct reader *reader, struct fy_node *node, size_t size,
                 fields_item_fn *fn, struct fields_list *list)
{
    struct structs_reading reading = {fn, size, list};

    *list = (struct fields_list){
        arena_alloc(reader->arena, fields_n_items(node) + 1, size), 0};
    return node ? fields_each_item(reader, node, read_struct, &reading) : ST_OK;
}

enum st
fields_each_pair(struct reader *reader, struct fy_node *node, const char *what,
                 fields_pair_fn *fn, void *context)
{
    struct fy_node_pair *pair;
    void *iterator = NULL;
    enum st st = ST_OK;

    if (!node || !fy_node_is_mapping(node)) {
        return document_fail(reader->document, node, reader->err,
                             "expected %s to be a map (key: value)", what);
    }
    while (!st && (pair = fy_node_mapping_iterate(node, &iterator))) {
        struct fy_node *key = fy_node_pair_key(pair);
        const char *name = NULL;

        st = fields_text(reader, key, "a key", &name);
        if (!st) {
            st = fn(reader, key, name, fy_node_pair_value(pair), context);
        }
    }
    return st;
}

size_t
fields_n_items(struct fy_node *node)
{
    int n = 1;

    if (node && fy_node_is_sequence(node)) {
        n = fy_node_sequence_item_count(node);
    } else if (node && fy_node_is_mapping(node)) {
        n = fy_node_mapping_item_count(node);
    }
    return n > 0 ? (size_t)n : 0;
}

struct scenario_place
fields_place(struct reader *reader, struct fy_node *node)
{
    struct scenario_place place;

    document_position(reader->document, node, &place.line, &place.column);
    return place;
}
