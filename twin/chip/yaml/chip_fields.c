/* SPDX-License-Identifier: Apache-2.0 */

/* One table row per key: where its value is stored, its kind and its range.
 * Then the rules among several values. */

#include <config.h>

#include "twin/chip/yaml/chip_fields.h"

#include <string.h>

#include <libfyaml.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/text.h"
#include "twin/chip/yaml/chip_list.h"

enum {
    MAX_PORTS = 4096,
    MAX_ACL = 1 << 20,
    MAX_PER_PORT = 64,   /* Queues and PGs. */
    MIN_TRIM_BYTES = 60, /* The shortest frame. */
    MAX_TRIM_BYTES = 65535,
    MAX_PARTITIONS = 64,
    MAX_NS = 1000000000,
};

#define MAX_MEMORY_BYTES (UINT64_C(1) << 44)
#define MAX_AGE_US       UINT64_C(1000000000)

static enum st read_mapping(const struct chip_reader *reader,
                            const struct chip_field *fields,
                            struct fy_node *node);

#define AT(name)    offsetof(struct chip, name)
#define PARAM(name) offsetof(struct chip, headroom_params.name)

#define X(member, text) text,
static const char *const unit_texts[] = {CHIP_UNITS(X) NULL};
static const char *const guarantee_texts[] = {CHIP_GUARANTEES(X) NULL};
static const char *const threshold_texts[] = {CHIP_THRESHOLDS(X) NULL};
static const char *const xoff_texts[] = {CHIP_XOFFS(X) NULL};
static const char *const xon_texts[] = {CHIP_XONS(X) NULL};
static const char *const ecn_mark_texts[] = {CHIP_ECN_MARKS(X) NULL};
static const char *const headroom_texts[] = {CHIP_HEADROOMS(X) NULL};
static const char *const port_alpha_texts[] = {CHIP_PORT_ALPHAS(X) NULL};
static const char *const admission_texts[] = {CHIP_ADMISSIONS(X) NULL};
static const char *const egress_shared_texts[] = {CHIP_EGRESS_SHARED(X) NULL};
#undef X

/* Reads the inputs of headroom calculation, a mapping with a table of its own
 * (SONiC's ASIC_TABLE). */
static enum st
read_headroom_params(const struct chip_reader *reader,
                     const struct chip_field *field, struct fy_node *node)
{
    static const struct chip_field fields[] = {
        {"cell_size", chip_value_read_u32, PARAM(cell_size_bytes), 1, 65536,
         NULL},
        {"mac_phy_delay", chip_value_read_milli_kb,
         PARAM(mac_phy_delay_milli_kb), 0, 0, NULL},
        {"max_headroom_size", chip_value_read_u64, PARAM(max_headroom_bytes), 0,
         MAX_MEMORY_BYTES, NULL},
        {"max_headroom", chip_value_read_u64, PARAM(max_headroom_bytes), 0,
         MAX_MEMORY_BYTES, NULL},
        {"peer_response_time", chip_value_read_milli_kb,
         PARAM(peer_response_time_milli_kb), 0, 0, NULL},
        {"pipeline_latency", chip_value_read_milli_kb,
         PARAM(pipeline_latency_milli_kb), 0, 0, NULL},
        {"port_max_shp", chip_value_read_u32, PARAM(port_max_shp_cells), 0,
         UINT32_MAX, NULL},
        {"port_reserved_shp", chip_value_read_u32,
         PARAM(port_reserved_shp_cells), 0, UINT32_MAX, NULL},
        {0},
    };

    if (!fy_node_is_mapping(node)) {
        return chip_value_wrong_type(reader, node, field->key, "a mapping");
    }
    return read_mapping(reader, fields, node);
}

#define VOQ(name) offsetof(struct chip, voq.name)

/* Reads what a chassis has besides its line cards.  Its keys have defaults; the
 * mapping says that the chip is a chassis. */
static enum st
read_voq(const struct chip_reader *reader, const struct chip_field *field,
         struct fy_node *node)
{
    static const struct chip_field fields[] = {
        {"cell_header_bytes", chip_value_read_u32, VOQ(cell_header_bytes), 0,
         1024, NULL},
        {"cell_payload_bytes", chip_value_read_u32, VOQ(cell_payload_bytes), 16,
         16384, NULL},
        {"credit_bytes", chip_value_read_u32, VOQ(credit_bytes), 64, 1 << 20,
         NULL},
        {"credit_rate_percent", chip_value_read_u32, VOQ(credit_rate_percent),
         100, 400, NULL},
        {"credit_rtt_ns", chip_value_read_u32, VOQ(credit_rtt_ns), 0, MAX_NS,
         NULL},
        {"dram_latency_ns", chip_value_read_u32, VOQ(dram_latency_ns), 0,
         MAX_NS, NULL},
        {"dram_mbps", chip_value_read_u32, VOQ(dram_mbps), 1, UINT32_MAX, NULL},
        {"egress_bytes", chip_value_read_u32, VOQ(egress_bytes), 1024, 1 << 30,
         NULL},
        {"fabric_latency_ns", chip_value_read_u32, VOQ(fabric_latency_ns), 0,
         MAX_NS, NULL},
        {"fabric_link_mbps", chip_value_read_u32, VOQ(fabric_link_mbps), 1,
         3200000, NULL},
        {"fabric_links", chip_value_read_u32, VOQ(fabric_links), 1, 1024, NULL},
        {"sram_bytes", chip_value_read_u32, VOQ(sram_bytes), 0, UINT32_MAX,
         NULL},
        {0},
    };

    if (!fy_node_is_mapping(node)) {
        return chip_value_wrong_type(reader, node, field->key, "a mapping");
    }
    reader->chip->voq = (struct chip_voq){
        .credit_bytes = 4096,
        .credit_rate_percent = 102,
        .credit_rtt_ns = 2000,
        .egress_bytes = 131072,
        .cell_payload_bytes = 256,
        .cell_header_bytes = 16,
        .fabric_links = 36,
        .fabric_link_mbps = 100000,
        .fabric_latency_ns = 1000,
        .sram_bytes = 1 << 20,
        .dram_mbps = 8000000,
        .dram_latency_ns = 500,
    };
    return read_mapping(reader, fields, node);
}

static const struct chip_field chip_fields[] = {
    {"acl_counters", chip_value_read_u32, AT(acl_counters), 0, MAX_ACL, NULL},
    {"acl_egress_entries", chip_value_read_u32, AT(egress_acl.entries), 0,
     MAX_ACL, NULL},
    {"acl_egress_tables", chip_value_read_u32, AT(egress_acl.tables), 0,
     MAX_ACL, NULL},
    {"acl_entries", chip_value_read_u32, AT(ingress_acl.entries), 0, MAX_ACL,
     NULL},
    {"acl_tables", chip_value_read_u32, AT(ingress_acl.tables), 0, MAX_ACL,
     NULL},
    {"admission", chip_value_read_enum, AT(admission), 0, 0, admission_texts},
    {"alpha_map", chip_list_read_alpha_map, 0, 0, 0, NULL},
    {"alpha_min_is_zero", chip_list_read_alpha_min, 0, 0, 0, NULL},
    {"cell_bytes", chip_value_read_u32, AT(cell_bytes), 1, 65536, NULL},
    {"cpu_queues", chip_value_read_u32, AT(cpu_queues), 0, MAX_PER_PORT, NULL},
    {"default_ports", chip_value_read_u32, AT(default_ports), 0, MAX_PORTS,
     NULL},
    {"ecn_mark_at", chip_value_read_enum, AT(ecn_mark_at), 0, 0,
     ecn_mark_texts},
    {"egress_lag_cells", chip_value_read_u32, AT(egress_lag_cells), 0, 65535,
     NULL},
    {"egress_pg_absorbs_queue_min", chip_value_read_bool,
     AT(egress_pg_absorbs_queue_min), 0, 0, NULL},
    {"egress_shared", chip_value_read_enum, AT(egress_shared), 0, 0,
     egress_shared_texts},
    {"egress_threshold", chip_value_read_enum, AT(egress_threshold), 0, 0,
     threshold_texts},
    {"extra_cells", chip_value_read_u64, AT(extra_cells), 0, UINT32_MAX, NULL},
    {"first_lane", chip_value_read_u32, AT(first_lane), 0, 65535, NULL},
    {"headroom", chip_value_read_enum, AT(headroom), 0, 0, headroom_texts},
    {"headroom_overhead_cells", chip_list_read_by_speed, AT(headroom_overhead),
     0, 65535, NULL},
    {"headroom_params", read_headroom_params, 0, 0, 0, NULL},
    {"headroom_watermark_factor", chip_value_read_u32,
     AT(headroom_watermark_factor), 1, MAX_PARTITIONS, NULL},
    {"hwskus", chip_list_read_hwskus, 0, 0, 0, NULL},
    {"lanes_per_port", chip_value_read_u32, AT(lanes_per_port), 1, 64, NULL},
    {"last_lane", chip_value_read_u32, AT(last_lane), 0, 65535, NULL},
    {"leak_out", chip_list_read_by_speed, AT(leak_out), 0, 65535, NULL},
    {"memory_bytes", chip_value_read_u64, AT(memory_bytes), 65536,
     MAX_MEMORY_BYTES, NULL},
    {"name", chip_value_read_text, AT(name), 0, 0, NULL},
    {"packet_age_us", chip_value_read_u64, AT(packet_age_us), 0, MAX_AGE_US,
     NULL},
    {"packet_overhead_bytes", chip_value_read_u32, AT(packet_overhead_bytes), 0,
     65535, NULL},
    {"packet_round_bytes", chip_value_read_u32, AT(packet_round_bytes), 0,
     65536, NULL},
    {"partitions", chip_value_read_u32, AT(partitions), 1, MAX_PARTITIONS,
     NULL},
    {"pg_guarantee", chip_value_read_enum, AT(pg_guarantee), 0, 0,
     guarantee_texts},
    {"pgs_per_port", chip_value_read_u32, AT(pgs_per_port), 1, MAX_PER_PORT,
     NULL},
    {"platform", chip_value_read_text, AT(platform), 0, 0, NULL},
    {"pool_round_bytes", chip_value_read_u64, AT(pool_round_bytes), 0,
     UINT64_C(1) << 30, NULL},
    {"pools", chip_value_read_u32, AT(pools), 1, 1000, NULL},
    {"pools_reserve", chip_value_read_bool, AT(pools_reserve), 0, 0, NULL},
    {"port_alpha", chip_value_read_enum, AT(port_alpha), 0, 0,
     port_alpha_texts},
    {"port_partition", chip_list_read_port_partition, AT(port_partition), 0, 0,
     NULL},
    {"port_speed_mbps", chip_value_read_u32, AT(port_speed_mbps), 1, 3200000,
     NULL},
    {"ports", chip_value_read_u32, AT(ports), 1, MAX_PORTS, NULL},
    {"profiles", chip_value_read_u32, AT(profiles), 1, 65536, NULL},
    {"queues_per_port", chip_value_read_u32, AT(queues_per_port), 1,
     MAX_PER_PORT, NULL},
    {"shared_limit", chip_list_read_shared_limit, 0, 0, 0, NULL},
    {"static_zero_blocks", chip_value_read_bool, AT(static_zero_blocks), 0, 0,
     NULL},
    {"tcs", chip_value_read_u32, AT(tcs), 1, 256, NULL},
    {"threshold", chip_value_read_enum, AT(threshold), 0, 0, threshold_texts},
    {"trim_max_bytes", chip_value_read_u32, AT(trimming.max_bytes), 0,
     MAX_TRIM_BYTES, NULL},
    {"trim_min_bytes", chip_value_read_u32, AT(trimming.min_bytes),
     MIN_TRIM_BYTES, MAX_TRIM_BYTES, NULL},
    {"trim_queues", chip_list_read_queues, AT(trimming.queues), 0,
     MAX_PER_PORT - 1, NULL},
    {"trim_step_bytes", chip_value_read_u32, AT(trimming.step_bytes), 1,
     MAX_TRIM_BYTES, NULL},
    {"unicast_queues_per_port", chip_value_read_u32,
     AT(unicast_queues_per_port), 1, MAX_PER_PORT, NULL},
    {"unit", chip_value_read_enum, AT(unit), 0, 0, unit_texts},
    {"voq", read_voq, 0, 0, 0, NULL},
    {"voq_cap_bytes", chip_value_read_u64, AT(voq_cap_bytes), 0,
     MAX_MEMORY_BYTES, NULL},
    {"watermark_with_reserved", chip_value_read_bool,
     AT(watermark_with_reserved), 0, 0, NULL},
    {"xoff", chip_value_read_enum, AT(xoff), 0, 0, xoff_texts},
    {"xoff_by_others", chip_value_read_bool, AT(xoff_by_others), 0, 0, NULL},
    {"xon", chip_value_read_enum, AT(xon), 0, 0, xon_texts},
    {0},
};

/* Rejects a key that is not in 'fields', and suggests a similar one. */
static enum st
refuse_key(const struct chip_reader *reader, const struct chip_field *fields,
           struct fy_node *node)
{
    const char *text = chip_value_text(node);
    const char *key = text ? text : "?";
    struct choices choices;

    choices_init(&choices, key);
    for (const struct chip_field *field = fields; field->key; field++) {
        choices_add(&choices, field->key);
    }
    (void)chip_value_refuse(reader, node, key, ST_INVALID, NULL,
                            fields == chip_fields
                                ? "no such key in a chip file"
                                : "no such key in this mapping");
    err_set_remedy(reader->err, DOCDIR "/reference/chips.md explains the keys");
    return choices_explain(&choices, key, reader->err);
}

/* Reads all pairs of 'node' by the table 'fields'.  A key that is not in it is
 * an error: a misspelt key would silently describe a different chip. */
static enum st
read_mapping(const struct chip_reader *reader, const struct chip_field *fields,
             struct fy_node *node)
{
    void *iterator = NULL;
    struct fy_node_pair *pair;

    while ((pair = fy_node_mapping_iterate(node, &iterator)) != NULL) {
        struct fy_node *value = fy_node_pair_value(pair);
        const char *key = chip_value_text(fy_node_pair_key(pair));
        const struct chip_field *field = fields;
        enum st status;

        while (field->key && (!key || strcmp(field->key, key) != 0)) {
            field++;
        }
        if (!field->key) {
            return refuse_key(reader, fields, fy_node_pair_key(pair));
        }
        if (chip_value_is_none(value)) {
            continue;
        }
        status = value && !fy_node_is_null(value)
                     ? field->read(reader, field, value)
                     : chip_value_refuse(reader, fy_node_pair_key(pair), key,
                                         ST_INVALID, NULL, "has no value");
        if (status != ST_OK) {
            return status;
        }
    }
    return ST_OK;
}

/* Rules among values --------------------------------------------------- */

/* All layers of a chip. */
struct layers {
    const struct chip_layer *items;
    size_t n;
};

/* Returns the last layer that has 'key', or NULL. */
static const struct chip_layer *
layer_of(const struct layers *layers, const char *key)
{
    for (size_t i = layers->n; i > 0; i--) {
        const struct chip_layer *layer = &layers->items[i - 1];
        struct fy_node *value =
            fy_node_mapping_lookup_value_by_string(layer->root, key, FY_NT);

        if (value && !chip_value_is_none(value)) {
            return layer;
        }
    }
    return NULL;
}

static bool
has(const struct layers *layers, const char *key)
{
    return layer_of(layers, key) != NULL;
}

/* Reports that 'key' conflicts with other values. */
static enum st
clash(struct chip_reader *reader, const struct layers *layers, const char *key,
      const char *what)
{
    const struct chip_layer *layer = layer_of(layers, key);

    layer = layer ? layer : &layers->items[0];
    reader->origin = layer->origin;
    return chip_value_refuse(
        reader,
        has(layers, key)
            ? fy_node_mapping_lookup_value_by_string(layer->root, key, FY_NT)
            : layer->root,
        key, ST_INVALID, NULL, what);
}

/* The same for a number that exceeds that of 'other', which is 'most'. */
static enum st
clash_above(struct chip_reader *reader, const struct layers *layers,
            const char *key, const char *other, uint32_t most)
{
    char what[80];

    text_format(what, sizeof what, "more than '%s', which is %u", other,
                (unsigned int)most);
    return clash(reader, layers, key, what);
}

/* Turns a chip that counts bytes in steps of whole cells into one with cells of
 * one byte: amounts in cells become bytes. */
static void
cells_to_bytes(struct chip *chip)
{
    uint32_t cell = chip->cell_bytes;
    struct chip_speed_value *items =
        arena_alloc(chip->arena, chip->headroom_overhead.n + 1, sizeof *items);

    chip->cell_bytes = 1;
    chip->packet_round_bytes =
        chip->packet_round_bytes > cell ? chip->packet_round_bytes : cell;
    chip->extra_cells *= cell;
    chip->shared_limit.per_port_cells *= cell;
    chip->egress_lag_cells *= cell;
    chip->headroom_overhead.otherwise *= cell;
    for (size_t i = 0; i < chip->headroom_overhead.n; i++) {
        items[i] = chip->headroom_overhead.items[i];
        items[i].value *= cell;
    }
    chip->headroom_overhead.items = items;
}

/* Sets the defaults that depend on other values. */
static void
complete(struct chip *chip, const struct layers *layers)
{
    if (!has(layers, "headroom_params")) {
        chip->headroom_params.cell_size_bytes = chip->cell_bytes;
    }
    if (chip->unit == CHIP_UNIT_BYTE && !has(layers, "cell_bytes")) {
        chip->headroom_params.cell_size_bytes =
            has(layers, "headroom_params")
                ? chip->headroom_params.cell_size_bytes
                : 1;
        chip->cell_bytes = 1;
    }
    if (!has(layers, "default_ports") && has(layers, "ports")) {
        chip->default_ports = chip->ports;
    }
    if (!has(layers, "unicast_queues_per_port") &&
        chip->unicast_queues_per_port > chip->queues_per_port) {
        chip->unicast_queues_per_port = chip->queues_per_port;
    }
    if (!has(layers, "egress_threshold") && chip->egress_lag_cells) {
        chip->egress_threshold = CHIP_THRESHOLD_CHARGE_THEN_CHECK;
    }
}

/* Checks the rules among values. */
static enum st
verify(struct chip_reader *reader, const struct layers *layers)
{
    const struct chip *chip = reader->chip;

    if (!has(layers, "name")) {
        reader->origin = layers->items[0].origin;
        return chip_value_refuse(reader, NULL, "name", ST_INVALID, NULL,
                                 "is missing");
    }
    if (chip->unit == CHIP_UNIT_BYTE && chip->packet_round_bytes > 1 &&
        chip->packet_round_bytes % chip->cell_bytes &&
        chip->cell_bytes % chip->packet_round_bytes) {
        return clash(reader, layers, "packet_round_bytes",
                     "conflicts with 'cell_bytes': one must be a multiple "
                     "of the other");
    }
    if (chip->xoff_by_others &&
        chip->threshold != CHIP_THRESHOLD_CHARGE_THEN_CHECK) {
        return clash(reader, layers, "xoff_by_others",
                     "needs 'threshold: charge_then_check'");
    }
    if (chip->voq.egress_bytes < chip->voq.credit_bytes) {
        return clash(reader, layers, "voq",
                     "'egress_bytes' is less than 'credit_bytes': no credit "
                     "would ever be granted");
    }
    if (chip->default_ports > chip->ports) {
        return clash_above(reader, layers, "default_ports", "ports",
                           chip->ports);
    }
    if (chip->unicast_queues_per_port > chip->queues_per_port) {
        return clash_above(reader, layers, "unicast_queues_per_port",
                           "queues_per_port", chip->queues_per_port);
    }
    if (chip->trimming.max_bytes &&
        chip->trimming.min_bytes > chip->trimming.max_bytes) {
        return clash_above(reader, layers, "trim_min_bytes", "trim_max_bytes",
                           chip->trimming.max_bytes);
    }
    if (chip->unicast_queues_per_port < MAX_PER_PORT &&
        chip->trimming.queues >> chip->unicast_queues_per_port) {
        return clash(reader, layers, "trim_queues",
                     "a queue is not below 'unicast_queues_per_port'");
    }
    for (size_t i = 0; i < chip->n_partition_list; i++) {
        if (chip->partition_list[i] >= chip->partitions) {
            char what[80];

            text_format(what, sizeof what,
                        "partition %u is beyond 'partitions', which is %u",
                        (unsigned int)chip->partition_list[i],
                        (unsigned int)chip->partitions);
            return clash(reader, layers, "port_partition", what);
        }
    }
    if (chip_memory_cells(chip) == 0) {
        return clash(reader, layers, "memory_bytes", "less than one cell");
    }
    return ST_OK;
}

enum st
chip_fields_read(struct chip_reader *reader, const struct chip_layer *layers,
                 size_t n)
{
    const struct layers all = {.items = layers, .n = n};
    enum st status;

    for (size_t i = 0; i < n; i++) {
        struct fy_node *root = layers[i].root;

        reader->origin = layers[i].origin;
        status =
            root && fy_node_is_mapping(root)
                ? read_mapping(reader, chip_fields, root)
                : chip_value_refuse(reader, root, "chip", ST_INVALID,
                                    "a mapping", "a chip file is a mapping");
        if (status != ST_OK) {
            return status;
        }
    }
    complete(reader->chip, &all);
    status = verify(reader, &all);
    if (status == ST_OK && reader->chip->unit == CHIP_UNIT_BYTE &&
        reader->chip->cell_bytes > 1) {
        cells_to_bytes(reader->chip);
    }
    return status;
}
