/* SPDX-License-Identifier: Apache-2.0 */

/* One table row per key: where its value goes, of what kind it is and what
 * range it has.  Keys whose values are lists or mappings name a function. */

#include <config.h>

#include "twin/chip/chip_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libfyaml.h>

#include "base/arena.h"
#include "base/parse.h"
#include "base/text.h"

enum {
    MAX_PORTS = 4096,
    MAX_PER_PORT = 64, /* Queues and PGs. */
    MAX_PARTITIONS = 64,
    MAX_LIST = 4096,
};

#define MAX_MEMORY_BYTES (UINT64_C(1) << 44)

struct field;
typedef enum st read_fn(const struct chip_reader *reader,
                        const struct field *field, struct fy_node *node);

struct field {
    const char *key;
    read_fn *read;
    size_t offset; /* In 'struct chip' (or of the sub-structure). */
    uint64_t min;
    uint64_t max;
    const char *const *texts; /* Of an enumeration, ends with NULL. */
};

/* Errors --------------------------------------------------------------- */

/* Returns the first scalar in 'node': only those have a position. */
static struct fy_node *
first_scalar(struct fy_node *node)
{
    void *iterator = NULL;

    while (node && !fy_node_is_scalar(node)) {
        iterator = NULL;
        if (fy_node_is_sequence(node)) {
            node = fy_node_sequence_iterate(node, &iterator);
        } else {
            struct fy_node_pair *pair =
                fy_node_mapping_iterate(node, &iterator);

            node = pair ? fy_node_pair_key(pair) : NULL;
        }
    }
    return node;
}

/* Reports that what is at 'node' is wrong.  'allowed' may be NULL. */
static enum st
refuse(const struct chip_reader *reader, struct fy_node *node,
       const char *field, enum st status, const char *allowed, const char *what)
{
    struct fy_node *scalar = first_scalar(node);
    struct fy_token *token = scalar ? fy_node_get_scalar_token(scalar) : NULL;
    const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
    const char *value = node && fy_node_is_scalar(node) && mark
                            ? fy_node_get_scalar0(node)
                            : NULL;

    err_set(reader->err, status,
            status == ST_UNSUPPORTED ? "chip-unsupported" : "chip-invalid",
            "%s:%d:%d: %s: %s", reader->origin, mark ? mark->line + 1 : 1,
            mark ? mark->column + 1 : 1, field, what);
    err_set_field(reader->err, field, value, allowed);
    return status;
}

static enum st
wrong_type(const struct chip_reader *reader, struct fy_node *node,
           const char *field, const char *wanted)
{
    char what[64];

    text_format(what, sizeof what, "must be %s", wanted);
    return refuse(reader, node, field, ST_INVALID, wanted, what);
}

/* Returns the text of scalar 'node', NULL if it is none. */
static const char *
scalar_text(struct fy_node *node)
{
    return node && fy_node_is_scalar(node) && !fy_node_is_alias(node)
               ? fy_node_get_scalar0(node)
               : NULL;
}

/* Kinds ---------------------------------------------------------------- */

static void *
member(const struct chip_reader *reader, const struct field *field)
{
    return (char *)reader->chip + field->offset;
}

static enum st
number_of(const struct chip_reader *reader, const struct field *field,
          struct fy_node *node, uint64_t *value)
{
    const char *text = scalar_text(node);
    char allowed[64];

    if (text && parse_u64(text, field->min, field->max, value) == ST_OK) {
        return ST_OK;
    }
    text_format(allowed, sizeof allowed, "a number from %llu to %llu",
                (unsigned long long)field->min, (unsigned long long)field->max);
    return wrong_type(reader, node, field->key, allowed);
}

static enum st
read_u64(const struct chip_reader *reader, const struct field *field,
         struct fy_node *node)
{
    return number_of(reader, field, node, member(reader, field));
}

static enum st
read_u32(const struct chip_reader *reader, const struct field *field,
         struct fy_node *node)
{
    uint64_t value = 0;
    enum st status = number_of(reader, field, node, &value);

    if (status == ST_OK) {
        *(uint32_t *)member(reader, field) = (uint32_t)value;
    }
    return status;
}

static enum st
read_bool(const struct chip_reader *reader, const struct field *field,
          struct fy_node *node)
{
    const char *text = scalar_text(node);

    if (text && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)) {
        *(bool *)member(reader, field) = text[0] == 't';
        return ST_OK;
    }
    return wrong_type(reader, node, field->key, "true or false");
}

static enum st
read_text(const struct chip_reader *reader, const struct field *field,
          struct fy_node *node)
{
    const char *text = scalar_text(node);

    if (text && text[0]) {
        *(const char **)member(reader, field) =
            arena_strdup(reader->chip->arena, text);
        return ST_OK;
    }
    return wrong_type(reader, node, field->key, "a text");
}

/* Enumerations are all of the size of 'enum model_unit', and number their
 * texts from 0. */
static enum st
read_enum(const struct chip_reader *reader, const struct field *field,
          struct fy_node *node)
{
    const char *text = scalar_text(node);
    char allowed[128] = "";

    for (unsigned int i = 0; field->texts[i]; i++) {
        if (text && strcmp(text, field->texts[i]) == 0) {
            memcpy(member(reader, field), &i, sizeof i);
            return ST_OK;
        }
        text_format(allowed + strlen(allowed), sizeof allowed - strlen(allowed),
                    "%s%s", i ? ", " : "", field->texts[i]);
    }
    return refuse(reader, node, field->key, ST_INVALID, allowed,
                  "not one of the known words");
}

/* Accepts the one value that means "this chip does not do that". */
static enum st
read_only_neutral(const struct chip_reader *reader, const struct field *field,
                  struct fy_node *node)
{
    const char *text = scalar_text(node);

    if (text && strcmp(text, field->texts[0]) == 0) {
        return ST_OK;
    }
    return refuse(reader, node, field->key, ST_UNSUPPORTED, field->texts[0],
                  "not supported by this version");
}

/* Lists and mappings --------------------------------------------------- */

static enum st
read_hwskus(const struct chip_reader *reader, const struct field *field,
            struct fy_node *node)
{
    struct arena *arena = reader->chip->arena;
    int n = fy_node_is_sequence(node) ? fy_node_sequence_item_count(node) : -1;
    const char **items;

    if (n < 0 || n > MAX_LIST) {
        return wrong_type(reader, node, field->key, "a list of patterns");
    }
    items = arena_alloc(arena, (size_t)n, sizeof *items);
    for (int i = 0; i < n; i++) {
        struct fy_node *item = fy_node_sequence_get_by_index(node, i);
        const char *text = scalar_text(item);

        if (!text || !text[0]) {
            return wrong_type(reader, item, field->key, "a list of patterns");
        }
        items[i] = arena_strdup(arena, text);
    }
    reader->chip->hwskus = items;
    reader->chip->n_hwskus = (size_t)n;
    return ST_OK;
}

static enum st
read_port_partition(const struct chip_reader *reader, const struct field *field,
                    struct fy_node *node)
{
    static const char *const texts[] = {"block", "interleave", NULL};
    struct field words = *field;
    struct field range = {.key = field->key, .max = MAX_PARTITIONS - 1};
    int n = fy_node_is_sequence(node) ? fy_node_sequence_item_count(node) : 0;
    uint32_t *items;

    if (!fy_node_is_sequence(node)) {
        words.texts = texts;
        return read_enum(reader, &words, node);
    }
    if (n < 1 || n > MAX_LIST) {
        return wrong_type(reader, node, field->key,
                          "block, interleave or a list of partitions");
    }
    items = arena_alloc(reader->chip->arena, (size_t)n, sizeof *items);
    for (int i = 0; i < n; i++) {
        uint64_t value = 0;
        enum st status = number_of(
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
    const char *word = scalar_text(node);

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

static enum st
read_shared_limit(const struct chip_reader *reader, const struct field *field,
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
            return refuse(reader, item, field->key, ST_INVALID, allowed,
                          "not a term that is known");
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

static enum st
read_alpha_map(const struct chip_reader *reader, const struct field *field,
               struct fy_node *node)
{
    void *iterator = NULL;
    struct fy_node_pair *pair;

    if (!fy_node_is_mapping(node)) {
        return wrong_type(reader, node, field->key,
                          "a mapping from dynamic_th to alpha");
    }
    while ((pair = fy_node_mapping_iterate(node, &iterator)) != NULL) {
        const char *key = scalar_text(fy_node_pair_key(pair));
        const char *value = scalar_text(fy_node_pair_value(pair));
        int64_t th = 0;
        int8_t exponent = 0;

        if (!key || !value || parse_s64(key, -128, 127, &th) != ST_OK ||
            !alpha_exponent(value, &exponent)) {
            return refuse(reader, fy_node_pair_key(pair), field->key,
                          ST_INVALID,
                          "-128..127: a power of two, 1/such, 0 or unlimited",
                          "not a threshold and its alpha");
        }
        reader->chip->alpha_exponents[th + 128] = exponent;
    }
    return ST_OK;
}

static enum st
read_alpha_min_is_zero(const struct chip_reader *reader,
                       const struct field *field, struct fy_node *node)
{
    const char *text = scalar_text(node);

    if (!text || (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)) {
        return wrong_type(reader, node, field->key, "true or false");
    }
    if (text[0] == 't') {
        reader->chip->alpha_exponents[-8 + 128] = MODEL_ALPHA_ZERO;
    }
    return ST_OK;
}

static enum st
read_leak_out(const struct chip_reader *reader, const struct field *field,
              struct fy_node *node)
{
    int n = fy_node_is_mapping(node) ? fy_node_mapping_item_count(node) : -1;
    struct model_leak *items;
    size_t i = 0;
    void *iterator = NULL;
    struct fy_node_pair *pair;

    if (n < 0 || n > MAX_LIST) {
        return wrong_type(reader, node, field->key,
                          "a mapping from speed in Mb/s to packets");
    }
    items = arena_alloc(reader->chip->arena, (size_t)n, sizeof *items);
    while ((pair = fy_node_mapping_iterate(node, &iterator)) != NULL) {
        const char *speed = scalar_text(fy_node_pair_key(pair));
        const char *packets = scalar_text(fy_node_pair_value(pair));
        uint64_t mbps = 0;
        uint64_t count = 0;

        if (!speed || !packets ||
            parse_u64(speed, 1, UINT32_MAX, &mbps) != ST_OK ||
            parse_u64(packets, 0, 65535, &count) != ST_OK) {
            return refuse(reader, fy_node_pair_key(pair), field->key,
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

/* Reads kilobytes with up to three decimals as thousandths. */
static enum st
read_milli_kb(const struct chip_reader *reader, const struct field *field,
              struct fy_node *node)
{
    const char *text = scalar_text(node);
    const char *dot = text ? strchr(text, '.') : NULL;
    char whole[16];
    char decimals[] = "000";
    uint64_t kb = 0;
    uint64_t milli = 0;

    if (text && strlen(text) < sizeof whole) {
        text_copy(whole, sizeof whole, text);
        if (dot) {
            size_t n = strlen(dot + 1);

            whole[dot - text] = '\0';
            memcpy(decimals, dot + 1, n < 3 ? n : 3);
            text = n >= 1 && n <= 3 ? text : NULL;
        }
        if (text && parse_u64(whole, 0, 1000000, &kb) == ST_OK &&
            parse_u64(decimals, 0, 999, &milli) == ST_OK) {
            *(uint32_t *)member(reader, field) = (uint32_t)(kb * 1000 + milli);
            return ST_OK;
        }
    }
    return wrong_type(reader, node, field->key, "kB with up to three decimals");
}

/* The tables ----------------------------------------------------------- */

static enum st read_mapping(const struct chip_reader *reader,
                            const struct field *fields, struct fy_node *node);

#define AT(name)      offsetof(struct chip, name)
#define PARAM(name)   offsetof(struct chip, headroom_params.name)
#define NEUTRAL(text) ((const char *const[]){text, NULL})

#define X(member, text) text,
static const char *const unit_texts[] = {MODEL_UNITS(X) NULL};
static const char *const guarantee_texts[] = {MODEL_GUARANTEES(X) NULL};
static const char *const threshold_texts[] = {MODEL_THRESHOLDS(X) NULL};
static const char *const xon_texts[] = {MODEL_XONS(X) NULL};
#undef X

static enum st
read_headroom_params(const struct chip_reader *reader,
                     const struct field *field, struct fy_node *node)
{
    static const struct field fields[] = {
        {"cell_size", read_u32, PARAM(cell_size_bytes), 1, 65536, NULL},
        {"mac_phy_delay", read_milli_kb, PARAM(mac_phy_delay_milli_kb), 0, 0,
         NULL},
        {"max_headroom", read_u64, PARAM(max_headroom_bytes), 0,
         MAX_MEMORY_BYTES, NULL},
        {"peer_response_time", read_milli_kb,
         PARAM(peer_response_time_milli_kb), 0, 0, NULL},
        {"pipeline_latency", read_milli_kb, PARAM(pipeline_latency_milli_kb), 0,
         0, NULL},
        {"port_max_shp", read_u32, PARAM(port_max_shp_cells), 0, UINT32_MAX,
         NULL},
        {"port_reserved_shp", read_u32, PARAM(port_reserved_shp_cells), 0,
         UINT32_MAX, NULL},
        {0},
    };

    if (!fy_node_is_mapping(node)) {
        return wrong_type(reader, node, field->key, "a mapping");
    }
    return read_mapping(reader, fields, node);
}

static const struct field chip_fields[] = {
    {"alpha_map", read_alpha_map, 0, 0, 0, NULL},
    {"alpha_min_is_zero", read_alpha_min_is_zero, 0, 0, 0, NULL},
    {"cell_bytes", read_u32, AT(cell_bytes), 1, 65536, NULL},
    {"default_ports", read_u32, AT(default_ports), 0, MAX_PORTS, NULL},
    {"egress_lag_cells", read_u32, AT(egress_lag_cells), 0, 65535, NULL},
    {"egress_pg_absorbs_queue_min", read_only_neutral, 0, 0, 0,
     NEUTRAL("false")},
    {"egress_shared", read_only_neutral, 0, 0, 0, NEUTRAL("own_pool")},
    {"egress_threshold", read_enum, AT(egress_threshold), 0, 0,
     threshold_texts},
    {"extra_cells", read_u64, AT(extra_cells), 0, UINT32_MAX, NULL},
    {"first_lane", read_u32, AT(first_lane), 0, 65535, NULL},
    {"headroom", read_only_neutral, 0, 0, 0, NEUTRAL("per_pg")},
    {"headroom_overhead_cells", read_only_neutral, 0, 0, 0, NEUTRAL("0")},
    {"headroom_params", read_headroom_params, 0, 0, 0, NULL},
    {"hwskus", read_hwskus, 0, 0, 0, NULL},
    {"lanes_per_port", read_u32, AT(lanes_per_port), 1, 64, NULL},
    {"leak_out", read_leak_out, 0, 0, 0, NULL},
    {"memory_bytes", read_u64, AT(memory_bytes), 65536, MAX_MEMORY_BYTES, NULL},
    {"name", read_text, AT(name), 0, 0, NULL},
    {"packet_overhead_bytes", read_u32, AT(packet_overhead_bytes), 0, 65535,
     NULL},
    {"packet_round_bytes", read_u32, AT(packet_round_bytes), 1, 65536, NULL},
    {"partitions", read_u32, AT(partitions), 1, MAX_PARTITIONS, NULL},
    {"pg_guarantee", read_enum, AT(pg_guarantee), 0, 0, guarantee_texts},
    {"pgs_per_port", read_u32, AT(pgs_per_port), 1, MAX_PER_PORT, NULL},
    {"platform", read_text, AT(platform), 0, 0, NULL},
    {"pools", read_u32, AT(pools), 1, 1024, NULL},
    {"port_alpha", read_only_neutral, 0, 0, 0, NEUTRAL("none")},
    {"port_partition", read_port_partition, AT(port_partition), 0, 0, NULL},
    {"port_speed_mbps", read_u32, AT(port_speed_mbps), 1, 3200000, NULL},
    {"ports", read_u32, AT(ports), 1, MAX_PORTS, NULL},
    {"profiles", read_u32, AT(profiles), 1, 65536, NULL},
    {"queues_per_port", read_u32, AT(queues_per_port), 1, MAX_PER_PORT, NULL},
    {"shared_limit", read_shared_limit, 0, 0, 0, NULL},
    {"static_zero_blocks", read_bool, AT(static_zero_blocks), 0, 0, NULL},
    {"tcs", read_u32, AT(tcs), 1, 256, NULL},
    {"threshold", read_enum, AT(threshold), 0, 0, threshold_texts},
    {"unicast_queues_per_port", read_u32, AT(unicast_queues_per_port), 1,
     MAX_PER_PORT, NULL},
    {"unit", read_enum, AT(unit), 0, 0, unit_texts},
    {"voq_cap_bytes", read_only_neutral, 0, 0, 0, NEUTRAL("0")},
    {"xon", read_enum, AT(xon), 0, 0, xon_texts},
    {0},
};

static enum st
read_mapping(const struct chip_reader *reader, const struct field *fields,
             struct fy_node *node)
{
    void *iterator = NULL;
    struct fy_node_pair *pair;

    while ((pair = fy_node_mapping_iterate(node, &iterator)) != NULL) {
        struct fy_node *value = fy_node_pair_value(pair);
        const char *key = scalar_text(fy_node_pair_key(pair));
        const struct field *field = fields;
        enum st status;

        while (field->key && (!key || strcmp(field->key, key) != 0)) {
            field++;
        }
        if (!field->key) {
            return refuse(reader, fy_node_pair_key(pair), key ? key : "?",
                          ST_INVALID, NULL, "no such key in a chip file");
        }
        status = value && !fy_node_is_null(value)
                     ? field->read(reader, field, value)
                     : refuse(reader, fy_node_pair_key(pair), key, ST_INVALID,
                              NULL, "has no value");
        if (status != ST_OK) {
            return status;
        }
    }
    return ST_OK;
}

/* What holds between values ------------------------------------------- */

static bool
has(struct fy_node *root, const char *key)
{
    return fy_node_mapping_lookup_value_by_string(root, key, FY_NT) != NULL;
}

static enum st
clash(const struct chip_reader *reader, struct fy_node *root, const char *key,
      const char *what)
{
    struct fy_node *node =
        fy_node_mapping_lookup_key_by_string(root, key, FY_NT);

    return refuse(reader, node ? node : root, key, ST_INVALID, NULL, what);
}

/* Sets the defaults that depend on other values. */
static void
complete(struct chip *chip, struct fy_node *root)
{
    if (chip->unit == MODEL_UNIT_BYTE && !has(root, "cell_bytes")) {
        chip->cell_bytes = 1;
    }
    if (!has(root, "default_ports") && has(root, "ports")) {
        chip->default_ports = chip->ports;
    }
    if (!has(root, "unicast_queues_per_port") &&
        chip->unicast_queues_per_port > chip->queues_per_port) {
        chip->unicast_queues_per_port = chip->queues_per_port;
    }
    if (!has(root, "egress_threshold") && chip->egress_lag_cells) {
        chip->egress_threshold = MODEL_THRESHOLD_CHARGE_THEN_CHECK;
    }
    if (!has(root, "headroom_params")) {
        chip->headroom_params.cell_size_bytes = chip->cell_bytes;
    }
}

static enum st
verify(const struct chip_reader *reader, struct fy_node *root)
{
    const struct chip *chip = reader->chip;

    if (!has(root, "name")) {
        return refuse(reader, NULL, "name", ST_INVALID, NULL, "is missing");
    }
    if (chip->unit == MODEL_UNIT_BYTE && chip->cell_bytes != 1) {
        return clash(reader, root, "cell_bytes",
                     "a chip that counts bytes has cells of 1");
    }
    if (chip->default_ports > chip->ports) {
        return clash(reader, root, "default_ports", "more than 'ports'");
    }
    if (chip->unicast_queues_per_port > chip->queues_per_port) {
        return clash(reader, root, "unicast_queues_per_port",
                     "more than 'queues_per_port'");
    }
    for (size_t i = 0; i < chip->n_partition_list; i++) {
        if (chip->partition_list[i] >= chip->partitions) {
            return clash(reader, root, "port_partition",
                         "names a partition beyond 'partitions'");
        }
    }
    if (model_memory_cells(chip) == 0) {
        return clash(reader, root, "memory_bytes", "less than one cell");
    }
    return ST_OK;
}

enum st
chip_fields_read(const struct chip_reader *reader, struct fy_node *root)
{
    enum st status;

    if (!root || !fy_node_is_mapping(root)) {
        return refuse(reader, root, "chip", ST_INVALID, "a mapping",
                      "a chip file is a mapping");
    }
    status = read_mapping(reader, chip_fields, root);
    if (status != ST_OK) {
        return status;
    }
    complete(reader->chip, root);
    return verify(reader, root);
}
