/* SPDX-License-Identifier: Apache-2.0 */

/* Lists are copied to the chip's arena; an error in one element is reported
 * with the position of that element. */

#include <config.h>

#include "twin/chip/yaml/chip_list.h"

#include <stdlib.h>
#include <string.h>

#include <libfyaml.h>

#include "base/arena.h"
#include "base/parse.h"
#include "base/text.h"

enum {
    MAX_PARTITIONS = 64,
    MAX_LIST = 4096,
    MAX_ALPHA_BITS = 20,
};

/* Of a term of S, in bytes. */
#define MAX_TERM (UINT64_C(1) << 44)

/* A speed below this is in Gb/s: no port is that slow. */
#define MIN_MBPS 1000
#define MAX_MBPS 3200000

enum st
chip_list_read_hwskus(const struct chip_reader *reader,
                      const struct chip_field *field, struct fy_node *node)
{
    struct arena *arena = reader->chip->arena;
    bool is_list = fy_node_is_sequence(node);
    int n = is_list ? fy_node_sequence_item_count(node) : 1;
    const char **items;

    if (n > MAX_LIST) {
        return chip_value_wrong_type(reader, node, field->key,
                                     "a list of patterns");
    }
    items = arena_alloc(arena, (size_t)n + 1, sizeof *items);
    for (int i = 0; i < n; i++) {
        struct fy_node *item =
            is_list ? fy_node_sequence_get_by_index(node, i) : node;
        const char *text = chip_value_text(item);

        if (!text || !text[0]) {
            return chip_value_wrong_type(reader, item, field->key,
                                         "a list of patterns");
        }
        items[i] = arena_strdup(arena, text);
    }
    reader->chip->hwskus = items;
    reader->chip->n_hwskus = (size_t)n;
    return ST_OK;
}

enum st
chip_list_read_port_partition(const struct chip_reader *reader,
                              const struct chip_field *field,
                              struct fy_node *node)
{
    static const char *const texts[] = {"block", "interleave", NULL};
    struct chip_field words = *field;
    struct chip_field range = {.key = field->key, .max = MAX_PARTITIONS - 1};
    int n = fy_node_is_sequence(node) ? fy_node_sequence_item_count(node) : 0;
    uint32_t *items;

    if (!fy_node_is_sequence(node)) {
        words.texts = texts;
        return chip_value_read_enum(reader, &words, node);
    }
    if (n < 1 || n > MAX_LIST) {
        return chip_value_wrong_type(
            reader, node, field->key,
            "block, interleave or a list of partitions");
    }
    items = arena_alloc(reader->chip->arena, (size_t)n, sizeof *items);
    for (int i = 0; i < n; i++) {
        uint64_t value = 0;
        enum st status = chip_value_number(
            reader, &range, fy_node_sequence_get_by_index(node, i), &value);

        if (status != ST_OK) {
            return status;
        }
        items[i] = (uint32_t)value;
    }
    reader->chip->port_partition = CHIP_PORT_PARTITION_LIST;
    reader->chip->partition_list = items;
    reader->chip->n_partition_list = (size_t)n;
    return ST_OK;
}

enum st
chip_list_read_queues(const struct chip_reader *reader,
                      const struct chip_field *field, struct fy_node *node)
{
    const int n =
        fy_node_is_sequence(node) ? fy_node_sequence_item_count(node) : 0;
    uint64_t queues = 0;

    if (n < 1) {
        return chip_value_wrong_type(reader, node, field->key,
                                     "a list of queues");
    }
    for (int i = 0; i < n; i++) {
        uint64_t value = 0;
        const enum st status = chip_value_number(
            reader, field, fy_node_sequence_get_by_index(node, i), &value);

        if (status != ST_OK) {
            return status;
        }
        queues |= UINT64_C(1) << value;
    }
    reader->chip->trimming.queues = queues;
    return ST_OK;
}

/* Appends the words of 'node' to 'text': a term may be written as "minus
 * per_port_cells 70", as {minus: {per_port_cells: 70}} or, with several, as
 * {pool: true, minus: [shp, pg_min], divided_by: partitions}. */
static bool
collect_words(struct fy_node *node, struct text *text)
{
    void *iterator = NULL;
    struct fy_node_pair *pair;
    struct fy_node *item;
    const char *word = chip_value_text(node);
    bool good = true;

    if (word) {
        text_add_item(text, " ", word);
        return true;
    }
    if (node && fy_node_is_sequence(node)) {
        while (good &&
               (item = fy_node_sequence_iterate(node, &iterator)) != NULL) {
            good = collect_words(item, text);
        }
        return good;
    }
    if (!node || !fy_node_is_mapping(node)) {
        return false;
    }
    while (good && (pair = fy_node_mapping_iterate(node, &iterator)) != NULL) {
        good = collect_words(fy_node_pair_key(pair), text) &&
               collect_words(fy_node_pair_value(pair), text);
    }
    return good;
}

/* The cursor of a list of words. */
struct words {
    char *save;
    const char *next; /* NULL: at the end. */
};

static void
words_advance(struct words *words)
{
    words->next = strtok_r(NULL, " ,", &words->save);
}

/* Skips any of the words in 'among', which ends with NULL.  Returns whether
 * there was one. */
static bool
words_skip(struct words *words, const char *const *among)
{
    bool any = false;

    for (size_t i = 0; words->next && among[i]; i++) {
        if (strcmp(words->next, among[i]) == 0) {
            words_advance(words);
            any = true;
            i = SIZE_MAX; /* From the start of 'among' again. */
        }
    }
    return any;
}

/* Parses the next word as a number, if it is one. */
static bool
words_number(struct words *words, uint64_t *value)
{
    if (!words->next || parse_u64(words->next, 0, MAX_TERM, value) != ST_OK) {
        return false;
    }
    words_advance(words);
    return true;
}

/* Returns the term in 'word' if its operator is attached: "-shp",
 * "minus_pg_min", "/partitions". */
static const char *
words_unglue(const char *word)
{
    static const char *const prefixes[] = {"-", "/", "minus_", "divided_by_"};

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t n = strlen(prefixes[i]);

        if (strncmp(word, prefixes[i], n) == 0 && word[n]) {
            return word + n;
        }
    }
    return word;
}

/* Reads one term of S: a start, a deduction or a divisor. */
static bool
limit_term(struct chip *chip, struct chip_shared_limit *limit,
           struct words *words)
{
    const char *word = words_unglue(words->next);
    uint64_t value = 0;
    bool has_number;

    words_advance(words);
    has_number = words_number(words, &value);
    if (strcmp(word, "per_port_cells") == 0) {
        limit->per_port_cells = (uint32_t)value;
        return has_number && value <= UINT32_MAX;
    }
    if (strcmp(word, "fixed_bytes") == 0) {
        limit->fixed_bytes = value;
        return has_number && value > 0;
    }
    if (strcmp(word, "extra") == 0) {
        limit->minus_extra = true;
        chip->extra_cells = has_number ? value : chip->extra_cells;
        return true;
    }
    if (has_number) {
        return false;
    }
    if (strcmp(word, "shp") == 0) {
        limit->minus_shp = true;
    } else if (strcmp(word, "pg_size") == 0) {
        limit->minus_pg_size = true;
    } else if (strcmp(word, "pg_min") == 0) {
        limit->minus_pg_min = true;
    } else if (strcmp(word, "partitions") == 0) {
        limit->divided = true;
    } else {
        return strcmp(word, "pool") == 0;
    }
    return true;
}

/* Reads the terms of one element, whose text is modified.  The terms imply
 * "minus" and "divided by"; these words have no meaning without a term. */
static bool
limit_terms(struct chip *chip, struct chip_shared_limit *limit, char *text)
{
    static const char *const fillers[] = {
        "minus", "divided", "divide", "divided_by", "divide_by",
        "by",    "-",       "/",      "true",       NULL};
    struct words words = {0};
    bool dangling;

    words.next = strtok_r(text, " ,", &words.save);
    if (!words.next) {
        return false;
    }
    do {
        dangling = words_skip(&words, fillers) && !words.next;
        if (words.next && !limit_term(chip, limit, &words)) {
            return false;
        }
    } while (words.next);
    return !dangling;
}

enum st
chip_list_read_shared_limit(const struct chip_reader *reader,
                            const struct chip_field *field,
                            struct fy_node *node)
{
    static const char allowed[] =
        "pool, minus shp, minus pg_size, minus pg_min, minus per_port_cells N, "
        "minus extra, divided by partitions, fixed_bytes N";
    struct chip_shared_limit limit = {0};
    bool is_list = fy_node_is_sequence(node);
    int n = is_list ? fy_node_sequence_item_count(node) : 1;

    for (int i = 0; i < n; i++) {
        struct fy_node *item =
            is_list ? fy_node_sequence_get_by_index(node, i) : node;
        struct text words = {0};
        bool good = (!is_list || !fy_node_is_sequence(item)) &&
                    collect_words(item, &words) && words.bytes &&
                    limit_terms(reader->chip, &limit, words.bytes);

        text_fini(&words);
        if (!good) {
            return chip_value_refuse(reader, item, field->key, ST_INVALID,
                                     allowed, "not a known term");
        }
    }
    reader->chip->shared_limit = limit;
    return ST_OK;
}

/* Parses "0.125" as 1/8.  Returns false unless it is exactly a power of two
 * below 1. */
static bool
alpha_decimal(const char *text, int8_t *exponent)
{
    uint64_t scale = 1;
    uint64_t value = 0;

    if (strncmp(text, "0.", 2) != 0 || strlen(text) > 2 + 15 ||
        parse_u64(text + 2, 1, UINT64_MAX, &value) != ST_OK) {
        return false;
    }
    for (size_t i = strlen(text + 2); i > 0; i--) {
        scale *= 10;
    }
    *exponent = 0;
    while (value < scale && value != 0) {
        value *= 2;
        --*exponent;
    }
    return value == scale;
}

/* Returns whether 'text' is one of 'words', which end with NULL. */
static bool
is_word_of(const char *const *words, const char *text)
{
    while (*words && strcmp(*words, text) != 0) {
        words++;
    }
    return *words != NULL;
}

/* Parses "64", "64.0", "1/8", "0.125", "0" or "unlimited" as an exponent of
 * two. */
static bool
alpha_exponent(const char *text, int8_t *exponent)
{
    static const char *const unlimited[] = {"unlimited", "infinity", "inf",
                                            ".inf", NULL};
    static const char *const zero[] = {"0", "0.0", NULL};
    bool is_fraction = strncmp(text, "1/", 2) == 0;
    size_t length = strlen(text);
    char whole[16];
    uint64_t value = 0;
    int n = 0;

    if (is_word_of(unlimited, text)) {
        *exponent = CHIP_ALPHA_UNLIMITED;
        return true;
    }
    if (is_word_of(zero, text)) {
        *exponent = CHIP_ALPHA_ZERO;
        return true;
    }
    if (alpha_decimal(text, exponent)) {
        return true;
    }
    if (length > 2 && length < sizeof whole &&
        strcmp(text + length - 2, ".0") == 0) {
        memcpy(whole, text, length - 2);
        whole[length - 2] = '\0';
        text = whole;
    }
    if (parse_u64(is_fraction ? text + 2 : text, 1, 1 << MAX_ALPHA_BITS,
                  &value) != ST_OK ||
        (value & (value - 1))) {
        return false;
    }
    while (value > 1) {
        value /= 2;
        n++;
    }
    *exponent = (int8_t)(is_fraction ? -n : n);
    return true;
}

enum st
chip_list_read_alpha_map(const struct chip_reader *reader,
                         const struct chip_field *field, struct fy_node *node)
{
    void *iterator = NULL;
    struct fy_node_pair *pair;

    if (!fy_node_is_mapping(node)) {
        return chip_value_wrong_type(reader, node, field->key,
                                     "a mapping from dynamic_th to alpha");
    }
    while ((pair = fy_node_mapping_iterate(node, &iterator)) != NULL) {
        const char *key = chip_value_text(fy_node_pair_key(pair));
        const char *value = chip_value_text(fy_node_pair_value(pair));
        int64_t th = 0;
        int8_t exponent = 0;

        if (!key || parse_s64(key, -128, 127, &th) != ST_OK) {
            return chip_value_refuse(reader, fy_node_pair_key(pair), field->key,
                                     ST_INVALID, "-128..127",
                                     "not a dynamic_th");
        }
        if (!value || !alpha_exponent(value, &exponent)) {
            return chip_value_refuse(
                reader, fy_node_pair_value(pair), field->key, ST_INVALID,
                "a power of two, its inverse, 0 or unlimited", "not an alpha");
        }
        reader->chip->alpha_exponents[th + 128] = exponent;
    }
    return ST_OK;
}

enum st
chip_list_read_alpha_min(const struct chip_reader *reader,
                         const struct chip_field *field, struct fy_node *node)
{
    const char *text = chip_value_text(node);
    bool is_zero = false;

    if (!text || !chip_value_bool(text, &is_zero)) {
        return chip_value_wrong_type(reader, node, field->key, "true or false");
    }
    if (is_zero) {
        reader->chip->alpha_exponents[-8 + 128] = CHIP_ALPHA_ZERO;
    }
    return ST_OK;
}

/* Parses a speed: Mb/s, or Gb/s with a "G" or if the number is too small for
 * Mb/s.  Returns 0 if it is invalid. */
static uint32_t
speed_mbps(const char *text)
{
    char digits[16];
    uint64_t value = 0;
    size_t n = strspn(text, "0123456789");

    if (n == 0 || n >= sizeof digits ||
        (text[n] && strcmp(text + n, "G") != 0 && strcmp(text + n, "g") != 0)) {
        return 0;
    }
    memcpy(digits, text, n);
    digits[n] = '\0';
    if (parse_u64(digits, 1, MAX_MBPS, &value) != ST_OK ||
        (text[n] && value > MAX_MBPS / 1000)) {
        return 0;
    }
    return (uint32_t)(text[n] || value < MIN_MBPS ? value * 1000 : value);
}

static int
compare_speeds(const void *a, const void *b)
{
    const struct chip_speed_value *x = a;
    const struct chip_speed_value *y = b;

    return (x->speed_mbps > y->speed_mbps) - (x->speed_mbps < y->speed_mbps);
}

/* Reads a pair of a speed, or "default" (speed 0), and a number. */
static enum st
speed_pair(const struct chip_reader *reader, const struct chip_field *field,
           struct fy_node_pair *pair, struct chip_speed_value *item)
{
    const char *speed = chip_value_text(fy_node_pair_key(pair));
    const bool is_default = speed && strcmp(speed, "default") == 0;
    uint64_t value = 0;
    enum st status;

    item->speed_mbps = speed && !is_default ? speed_mbps(speed) : 0;
    if (!item->speed_mbps && !is_default) {
        return chip_value_refuse(
            reader, fy_node_pair_key(pair), field->key, ST_INVALID,
            "a speed in Mb/s or, as 100G, in Gb/s; default", "not a speed");
    }
    status = chip_value_number(reader, field, fy_node_pair_value(pair), &value);
    item->value = (uint32_t)value;
    return status;
}

/* Returns whether one of the first 'n' items has the speed of 'item'. */
static bool
has_speed(const struct chip_speed_value *items, size_t n,
          const struct chip_speed_value *item)
{
    for (size_t i = 0; i < n; i++) {
        if (items[i].speed_mbps == item->speed_mbps) {
            return true;
        }
    }
    return false;
}

enum st
chip_list_read_by_speed(const struct chip_reader *reader,
                        const struct chip_field *field, struct fy_node *node)
{
    int n = fy_node_is_mapping(node) ? fy_node_mapping_item_count(node) : -1;
    struct chip_by_speed *values =
        (void *)((char *)reader->chip + field->offset);
    struct chip_by_speed read = {
        .steps = field->offset == offsetof(struct chip, headroom_overhead)};
    struct chip_speed_value *items;
    void *iterator = NULL;
    struct fy_node_pair *pair;
    bool has_default = false;
    uint64_t value = 0;

    if (n < 0) {
        enum st status = chip_value_number(reader, field, node, &value);

        if (status == ST_OK) {
            values->n = 0;
            values->otherwise = (uint32_t)value;
        }
        return status;
    }
    items = arena_alloc(reader->chip->arena, (size_t)n + 1, sizeof *items);
    while ((pair = fy_node_mapping_iterate(node, &iterator)) != NULL) {
        struct chip_speed_value item = {0};
        enum st status = speed_pair(reader, field, pair, &item);

        if (status != ST_OK) {
            return status;
        }
        if (has_speed(items, read.n, &item)) {
            return chip_value_refuse(reader, fy_node_pair_key(pair), field->key,
                                     ST_INVALID, NULL,
                                     "that speed occurs twice");
        }
        if (item.speed_mbps) {
            items[read.n++] = item;
        } else {
            has_default = true;
            read.otherwise = item.value;
        }
    }
    qsort(items, read.n, sizeof *items, compare_speeds);
    /* A deduction from all headroom applies at every speed. */
    read.steps = read.steps && !has_default && read.n;
    if (read.steps) {
        read.otherwise = items[0].value;
    }
    read.items = items;
    *values = read;
    return ST_OK;
}
