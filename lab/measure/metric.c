/* SPDX-License-Identifier: Apache-2.0 */

/* Parses metric expressions and writes their values. */

#include <config.h>

#include "lab/measure/metric.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"

#define N(array) (sizeof(array) / sizeof(array)[0])

static const char *const aggregate_names[] = {
#define X(member, name) name,
    METRIC_AGGREGATES(X)
#undef X
};

static const struct {
    const char *name;
    enum metric_unit unit;
    const char *meaning;
} quantities[] = {
#define X(member, name, unit, meaning) {name, METRIC_##unit, meaning},
    METRIC_QUANTITIES(X)
#undef X
};

static const char *const label_names[] = {
#define X(member, name) name,
    METRIC_LABELS(X)
#undef X
};

/* What a quantity belongs to: the part of its name before the dot. */
#define LABEL(member) (1u << METRIC_LABEL_##member)
static const struct {
    const char *object;
    unsigned int labels;
} objects[] = {
    {"flow", LABEL(GROUP) | LABEL(FLOW) | LABEL(SOURCE) | LABEL(DESTINATION) |
                 LABEL(PRIORITY) | LABEL(STATE)},
    {"message", LABEL(GROUP) | LABEL(FLOW) | LABEL(SOURCE) |
                    LABEL(DESTINATION) | LABEL(STATE)},
    {"io", LABEL(GROUP) | LABEL(NAME) | LABEL(SOURCE) | LABEL(DESTINATION) |
               LABEL(NODE)},
    {"span", LABEL(GROUP) | LABEL(NAME) | LABEL(SOURCE) | LABEL(DESTINATION)},
    {"estats", LABEL(GROUP) | LABEL(FLOW) | LABEL(SOURCE) | LABEL(DESTINATION) |
                   LABEL(STATE) | LABEL(NAME) | LABEL(INTERVAL)},
    {"side", LABEL(GROUP) | LABEL(FLOW) | LABEL(SOURCE) | LABEL(DESTINATION) |
                 LABEL(SIDE) | LABEL(REASON) | LABEL(INTERVAL)},
    {"drop", LABEL(NODE) | LABEL(ROLE) | LABEL(TIER) | LABEL(PORT) |
                 LABEL(PRIORITY) | LABEL(REASON) | LABEL(FLOW) | LABEL(GROUP)},
    {"pause", LABEL(NODE) | LABEL(ROLE) | LABEL(TIER) | LABEL(PORT) |
                  LABEL(PEER) | LABEL(PRIORITY)},
    {"storm", LABEL(NODE) | LABEL(ROLE) | LABEL(TIER) | LABEL(PORT) |
                  LABEL(PEER) | LABEL(PRIORITY) | LABEL(NAME)},
    {"deadlock", LABEL(NODE) | LABEL(ROLE) | LABEL(TIER) | LABEL(PORT) |
                     LABEL(PEER) | LABEL(PRIORITY) | LABEL(STATE)},
    {"queue", LABEL(NODE) | LABEL(ROLE) | LABEL(TIER) | LABEL(PORT) |
                  LABEL(PEER) | LABEL(PRIORITY)},
    {"link",
     LABEL(NODE) | LABEL(ROLE) | LABEL(TIER) | LABEL(PORT) | LABEL(PEER)},
    {"host", LABEL(NODE) | LABEL(ROLE) | LABEL(TIER) | LABEL(PORT)},
    {"path", LABEL(FLOW) | LABEL(GROUP) | LABEL(NODE) | LABEL(ROLE) |
                 LABEL(TIER) | LABEL(PORT) | LABEL(PEER)},
    {"counter", LABEL(NODE) | LABEL(ROLE) | LABEL(TIER) | LABEL(PORT) |
                    LABEL(PRIORITY) | LABEL(NAME)},
    {"series", LABEL(NAME) | LABEL(OBJECT)},
    {"oracle", LABEL(NAME) | LABEL(OBJECT)},
};

const char *
metric_quantity_name(enum metric_quantity quantity)
{
    return quantities[quantity].name;
}

const char *
metric_quantity_meaning(enum metric_quantity quantity)
{
    return quantities[quantity].meaning;
}

enum metric_unit
metric_quantity_unit(enum metric_quantity quantity)
{
    return quantities[quantity].unit;
}

const char *
metric_label_name(enum metric_label label)
{
    return label_names[label];
}

bool
metric_has_label(enum metric_quantity quantity, enum metric_label label)
{
    const char *name = quantities[quantity].name;

    for (size_t i = 0; i < N(objects); i++) {
        const size_t length = strlen(objects[i].object);

        if (!strncmp(name, objects[i].object, length) &&
            (name[length] == '.' || !name[length])) {
            return objects[i].labels >> label & 1;
        }
    }
    return false;
}

enum metric_unit
metric_unit(const struct metric *metric)
{
    switch (metric->aggregate) {
    case METRIC_COUNT:
    case METRIC_CV:
    case METRIC_JAIN:
    case METRIC_SPREAD:
        return METRIC_NUMBER;
    default:
        return quantities[metric->quantity].unit;
    }
}

/* The text that is left. */
struct cursor {
    const char *at;
    struct err *err;
};

static void
skip_blanks(struct cursor *cursor)
{
    cursor->at += strspn(cursor->at, " \t");
}

/* Copies the next name of letters, digits, '_' and '.' into 'word'. */
static void
take_word(struct cursor *cursor, char word[METRIC_VALUE_SIZE])
{
    size_t n = 0;

    skip_blanks(cursor);
    while (isalnum((unsigned char)cursor->at[n]) || cursor->at[n] == '.' ||
           cursor->at[n] == '_') {
        n++;
    }
    text_format(word, METRIC_VALUE_SIZE, "%.*s", (int)n, cursor->at);
    cursor->at += n;
}

/* Takes 'c' if it is next. */
static bool
take(struct cursor *cursor, char c)
{
    skip_blanks(cursor);
    if (*cursor->at != c) {
        return false;
    }
    cursor->at++;
    return true;
}

static enum st
fail_syntax(struct cursor *cursor, const char *wanted)
{
    skip_blanks(cursor);
    err_set(cursor->err, ST_INVALID, "metric", "%s is missing %s%.24s%s",
            wanted, *cursor->at ? "before '" : "at the end", cursor->at,
            *cursor->at ? "'" : "");
    err_set_remedy(cursor->err,
                   "write a metric as in p99(flow.fct{group=read})");
    return ST_INVALID;
}

/* Returns the place of 'word' among 'n' names, or 'n'. */
static size_t
find(const char *const *names, size_t n, const char *word)
{
    size_t i = 0;

    while (i < n && strcmp(names[i], word) != 0) {
        i++;
    }
    return i;
}

static enum st
fail_word(struct cursor *cursor, const char *kind, const char *word,
          struct choices *choices)
{
    err_set(cursor->err, ST_INVALID, "metric", "unknown %s '%s'", kind, word);
    return choices_explain(choices, kind, cursor->err);
}

/* Adds to the error that 'word' is no aggregate what it may be instead: a
 * quantity without one. */
static enum st
explain_aggregate(struct cursor *cursor, const char *word,
                  struct choices *choices)
{
    const enum st st = fail_word(cursor, "aggregate", word, choices);
    struct nearest nearest;

    nearest_init(&nearest, word, strlen(word));
    for (size_t i = 0; i < N(quantities); i++) {
        nearest_try(&nearest, quantities[i].name);
    }
    if (nearest_get(&nearest) && strchr(word, '.')) {
        err_set_remedy(cursor->err, "aggregate the quantity: mean(%s)",
                       nearest_get(&nearest));
    }
    return st;
}

static enum st
take_aggregate(struct cursor *cursor, struct metric *metric)
{
    char word[METRIC_VALUE_SIZE];
    struct choices choices;
    size_t i;

    take_word(cursor, word);
    i = find(aggregate_names, METRIC_QUANTILE, word);
    metric->aggregate = (enum metric_aggregate)i;
    if (i < METRIC_QUANTILE) {
        return ST_OK;
    }
    /* strtod() would also take hexadecimal and exponents. */
    if (word[0] == 'p' && isdigit((unsigned char)word[1]) &&
        !word[1 + strspn(word + 1, "0123456789.")]) {
        char *end;
        const double percent = strtod(word + 1, &end);

        if (!*end && percent > 0 && percent < 100) {
            metric->quantile = percent / 100;
            return ST_OK;
        }
    }
    if (!*word) {
        return fail_syntax(cursor, "an aggregate");
    }
    choices_init(&choices, word);
    for (i = 0; i < METRIC_QUANTILE; i++) {
        choices_add(&choices, aggregate_names[i]);
    }
    choices_add(&choices, "p50");
    choices_add(&choices, "p99");
    choices_add(&choices, "p99.9");
    return explain_aggregate(cursor, word, &choices);
}

static enum st
take_quantity(struct cursor *cursor, struct metric *metric)
{
    char word[METRIC_VALUE_SIZE];
    struct choices choices;

    take_word(cursor, word);
    for (size_t i = 0; i < N(quantities); i++) {
        if (!strcmp(quantities[i].name, word)) {
            metric->quantity = (enum metric_quantity)i;
            return ST_OK;
        }
    }
    if (!*word) {
        return fail_syntax(cursor, "a quantity");
    }
    choices_init(&choices, word);
    for (size_t i = 0; i < N(quantities); i++) {
        choices_add(&choices, quantities[i].name);
    }
    return fail_word(cursor, "quantity", word, &choices);
}

/* Finds the label called 'word' of the quantity. */
static enum st
find_label(struct cursor *cursor, const struct metric *metric, const char *word,
           size_t *label)
{
    struct choices choices;

    *label = find(label_names, N(label_names), word);
    if (*label < N(label_names) &&
        metric_has_label(metric->quantity, (enum metric_label) * label)) {
        return ST_OK;
    }
    if (!*word) {
        return fail_syntax(cursor, "a label");
    }
    choices_init(&choices, word);
    for (size_t i = 0; i < N(label_names); i++) {
        if (metric_has_label(metric->quantity, (enum metric_label)i)) {
            choices_add(&choices, label_names[i]);
        }
    }
    err_set(cursor->err, ST_INVALID, "metric", "%s has no label '%s'",
            quantities[metric->quantity].name, word);
    return choices_explain(&choices, "label", cursor->err);
}

/* Takes "label=value" up to a comma or the closing brace. */
static enum st
take_label(struct cursor *cursor, struct metric *metric)
{
    char word[METRIC_VALUE_SIZE];
    char *value;
    size_t label, length;
    enum st st;

    take_word(cursor, word);
    st = find_label(cursor, metric, word, &label);
    if (st || !take(cursor, '=')) {
        return st ? st : fail_syntax(cursor, "'='");
    }
    skip_blanks(cursor);
    value = metric->labels[label];
    length = strcspn(cursor->at, ",}");
    if (*value) {
        return err_set(cursor->err, ST_INVALID, "metric",
                       "label %s is given twice", word);
    }
    if (length >= METRIC_VALUE_SIZE) {
        return err_set(cursor->err, ST_INVALID, "metric",
                       "the value of label %s is longer than %d characters",
                       word, METRIC_VALUE_SIZE - 1);
    }
    memcpy(value, cursor->at, length);
    value[length] = '\0';
    cursor->at += length;
    while (length && (value[length - 1] == ' ' || value[length - 1] == '\t')) {
        value[--length] = '\0';
    }
    return *value ? ST_OK : fail_syntax(cursor, "the value of a label");
}

enum st
metric_parse_labels(const char *text, struct metric *metric, struct err *err)
{
    struct cursor cursor = {text, err};
    enum st st;

    do {
        st = take_label(&cursor, metric);
    } while (!st && take(&cursor, ','));
    return st || !*cursor.at ? st : fail_syntax(&cursor, "','");
}

enum st
metric_parse(const char *text, struct metric *result, struct err *err)
{
    struct cursor cursor = {text, err};
    struct metric metric = {.aggregate = METRIC_COUNT};
    enum st st = take_aggregate(&cursor, &metric);

    if (!st && !take(&cursor, '(')) {
        st = fail_syntax(&cursor, "'('");
    }
    st = st ? st : take_quantity(&cursor, &metric);
    if (!st && take(&cursor, '{')) {
        do {
            st = take_label(&cursor, &metric);
        } while (!st && take(&cursor, ','));
        if (!st && !take(&cursor, '}')) {
            st = fail_syntax(&cursor, "'}'");
        }
    }
    if (!st && !take(&cursor, ')')) {
        st = fail_syntax(&cursor, "')'");
    }
    skip_blanks(&cursor);
    if (!st && *cursor.at) {
        st = err_set(err, ST_INVALID, "metric", "'%.24s' follows the metric",
                     cursor.at);
    }
    if (!st) {
        *result = metric;
    }
    return st;
}

/* A unit with its factor, the largest first. */
struct scale {
    double factor;
    const char *unit;
};

static const struct scale scales[][5] = {
    [METRIC_NUMBER] = {{1, ""}},
    [METRIC_SECONDS] = {{1, " s"},
                        {1e-3, " ms"},
                        {1e-6, " us"},
                        {1e-9, " ns"},
                        {1e-12, " ps"}},
    [METRIC_BITS_PER_SECOND] = {{1e12, " Tb/s"},
                                {1e9, " Gb/s"},
                                {1e6, " Mb/s"},
                                {1e3, " kb/s"},
                                {1, " b/s"}},
    [METRIC_BYTES] = {{1e9, " GB"}, {1e6, " MB"}, {1e3, " KB"}, {1, " B"}},
};

const char *
metric_text(double value, enum metric_unit unit, char buffer[METRIC_TEXT_SIZE])
{
    const struct scale *scale = scales[unit];

    if (value == 0) {
        /* The plain unit: that with factor 1. */
        while (scale->factor != 1) {
            scale++;
        }
    } else {
        while (fabs(value) < scale->factor * 0.9999995 &&
               scale < &scales[unit][4] && scale[1].unit) {
            scale++;
        }
    }
    if (unit == METRIC_NUMBER && fabs(value) < 1e15 && value == floor(value)) {
        text_format(buffer, METRIC_TEXT_SIZE, "%.0f", value);
    } else {
        text_format(buffer, METRIC_TEXT_SIZE, "%.6g%s", value / scale->factor,
                    scale->unit);
    }
    return buffer;
}
