/* SPDX-License-Identifier: Apache-2.0 */

/* Lists are copied to the chip's arena; whatever is wrong with one element is
 * reported with the place of that element. */

#include <config.h>

#include "twin/chip/chip_list.h"

#include <string.h>

#include <libfyaml.h>

#include "base/arena.h"
#include "base/parse.h"
#include "base/text.h"

enum {
    MAX_PARTITIONS = 64,
    MAX_LIST = 4096,
};

enum st
chip_list_read_hwskus(const struct chip_reader *reader,
                      const struct chip_field *field, struct fy_node *node)
{
    struct arena *arena = reader->chip->arena;
    int n = fy_node_is_sequence(node) ? fy_node_sequence_item_count(node) : -1;
    const char **items;

    if (n < 0 || n > MAX_LIST) {
        return chip_value_wrong_type(reader, node, field->key,
                                     "a list of patterns");
    }
    items = arena_alloc(arena, (size_t)n, sizeof *items);
    for (int i = 0; i < n; i++) {
        struct fy_node *item = fy_node_sequence_get_by_index(node, i);
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
    reader->chip->port_partition = MODEL_PORT_PARTITION_LIST;
    reader->chip->partition_list = items;
    reader->chip->n_partition_list = (size_t)n;
    return ST_OK;
}

/* Appends the words of 'node' to 'text': a term is as good written as "minus
 * per_port_cells 70" as {minus: {per_port_cells: 70}}. */
static bool
collect_words(struct fy_node *node, struct text *text)
{
    void *iterator = NULL;
    struct fy_node_pair *pair;
    const char *word = chip_value_text(node);

    if (word) {
        text_add_item(text, " ", word);
        return true;
    }
    if (!node || !fy_node_is_mapping(node) ||
        fy_node_mapping_item_count(node) != 1) {
        return false;
    }
    pair = fy_node_mapping_iterate(node, &iterator);
    return collect_words(fy_node_pair_key(pair), text) &&
           collect_words(fy_node_pair_value(pair), text);
}

/* Reads one term, whose 'words' are cut apart in the process. */
static bool
limit_term(struct model_shared_limit *limit, char *words)
{
    char *save = NULL;
    char *word = strtok_r(words, " ", &save);
    const char *number;
    uint64_t value = 0;
    bool has_number;

    while (word &&
           (strcmp(word, "minus") == 0 || strcmp(word, "by") == 0 ||
            strcmp(word, "divided") == 0 || strcmp(word, "divided_by") == 0)) {
        word = strtok_r(NULL, " ", &save);
    }
    /* What is left is a term, and a number if that takes one. */
    number = strtok_r(NULL, " ", &save);
    has_number = number && parse_u64(number, 1, UINT32_MAX * UINT64_C(1024),
                                     &value) == ST_OK;
    if (!word || strtok_r(NULL, " ", &save) || (number && !has_number)) {
        return false;
    }
    if (strcmp(word, "per_port_cells") == 0) {
        limit->per_port_cells = (uint32_t)value;
        return has_number && value <= UINT32_MAX;
    }
    if (strcmp(word, "fixed_bytes") == 0) {
        limit->fixed_bytes = value;
        return has_number;
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
    } else if (strcmp(word, "extra") == 0) {
        limit->minus_extra = true;
    } else if (strcmp(word, "partitions") == 0) {
        limit->divided = true;
    } else {
        return strcmp(word, "pool") == 0;
    }
    return true;
}

enum st
chip_list_read_shared_limit(const struct chip_reader *reader,
                            const struct chip_field *field,
                            struct fy_node *node)
{
    static const char allowed[] =
        "pool, minus shp, minus pg_size, minus pg_min, minus per_port_cells N, "
        "minus extra, divided by partitions, fixed_bytes N";
    struct model_shared_limit limit = {0};
    bool is_list = fy_node_is_sequence(node);
    int n = is_list ? fy_node_sequence_item_count(node) : 1;

    for (int i = 0; i < n; i++) {
        struct fy_node *item =
            is_list ? fy_node_sequence_get_by_index(node, i) : node;
        struct text words = {0};
        bool good =
            collect_words(item, &words) && limit_term(&limit, words.bytes);

        text_fini(&words);
        if (!good) {
            return chip_value_refuse(reader, item, field->key, ST_INVALID,
                                     allowed, "not a term that is known");
        }
    }
    reader->chip->shared_limit = limit;
    return ST_OK;
}

/* Reads "64", "1/8", "0" or "unlimited" as an exponent of two. */
static bool
alpha_exponent(const char *text, int8_t *exponent)
{
    bool is_fraction = strncmp(text, "1/", 2) == 0;
    uint64_t value = 0;
    int n = 0;

    if (strcmp(text, "0") == 0 || strcmp(text, "unlimited") == 0) {
        *exponent = text[0] == '0' ? MODEL_ALPHA_ZERO : MODEL_ALPHA_UNLIMITED;
        return true;
    }
    if (parse_u64(is_fraction ? text + 2 : text, 1, 1 << 20, &value) != ST_OK ||
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

        if (!key || !value || parse_s64(key, -128, 127, &th) != ST_OK ||
            !alpha_exponent(value, &exponent)) {
            return chip_value_refuse(
                reader, fy_node_pair_key(pair), field->key, ST_INVALID,
                "-128..127: a power of two, 1/such, 0 or unlimited",
                "not a threshold and its alpha");
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

    if (!text || (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)) {
        return chip_value_wrong_type(reader, node, field->key, "true or false");
    }
    if (text[0] == 't') {
        reader->chip->alpha_exponents[-8 + 128] = MODEL_ALPHA_ZERO;
    }
    return ST_OK;
}

enum st
chip_list_read_leak_out(const struct chip_reader *reader,
                        const struct chip_field *field, struct fy_node *node)
{
    int n = fy_node_is_mapping(node) ? fy_node_mapping_item_count(node) : -1;
    struct model_leak *items;
    size_t i = 0;
    void *iterator = NULL;
    struct fy_node_pair *pair;

    if (n < 0 || n > MAX_LIST) {
        return chip_value_wrong_type(reader, node, field->key,
                                     "a mapping from speed in Mb/s to packets");
    }
    items = arena_alloc(reader->chip->arena, (size_t)n, sizeof *items);
    while ((pair = fy_node_mapping_iterate(node, &iterator)) != NULL) {
        const char *speed = chip_value_text(fy_node_pair_key(pair));
        const char *packets = chip_value_text(fy_node_pair_value(pair));
        uint64_t mbps = 0;
        uint64_t count = 0;

        if (!speed || !packets ||
            parse_u64(speed, 1, UINT32_MAX, &mbps) != ST_OK ||
            parse_u64(packets, 0, 65535, &count) != ST_OK) {
            return chip_value_refuse(reader, fy_node_pair_key(pair), field->key,
                                     ST_INVALID, "speed in Mb/s: packets",
                                     "not a speed and a number of packets");
        }
        items[i++] = (struct model_leak){.speed_mbps = (uint32_t)mbps,
                                         .packets = (uint32_t)count};
    }
    reader->chip->leak_out = items;
    reader->chip->n_leak_out = (size_t)n;
    return ST_OK;
}
