/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'fabric:': the preset, and its links. */

#include <config.h>

#include "lab/scenario/sections.h"

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"

/* What the keys of the presets are stored in. */
struct preset_values {
    struct fabric_sizes sizes;
    int64_t k;
    int64_t rate_bps;
};

#define AT(member) offsetof(struct preset_values, member)
#define RATE_FIELD                                                             \
    {                                                                          \
        "rate", FIELD_RATE, AT(rate_bps), "1M..3.2T", "100G", NULL             \
    }

static const struct field star_fields[] = {
    {"hosts", FIELD_COUNT, AT(sizes.hosts), "1..1024", field_required, NULL},
    RATE_FIELD,
};

static const struct field clos_fields[] = {
    {"t0", FIELD_COUNT, AT(sizes.t0), "1..1024", field_required, NULL},
    {"t1", FIELD_COUNT, AT(sizes.t1), "1..1024", field_required, NULL},
    {"hosts", FIELD_COUNT, AT(sizes.hosts), "1..1024", field_required, NULL},
    RATE_FIELD,
};

static const struct field fat_tree_fields[] = {
    {"k", FIELD_COUNT, AT(k), "2..80", field_required, NULL},
    RATE_FIELD,
};

static const struct field podsets_fields[] = {
    {"podsets", FIELD_COUNT, AT(sizes.podsets), "1..1024", field_required,
     NULL},
    {"t0", FIELD_COUNT, AT(sizes.t0), "1..1024", field_required, NULL},
    {"t1", FIELD_COUNT, AT(sizes.t1), "1..1024", field_required, NULL},
    {"t2", FIELD_COUNT, AT(sizes.t2), "1..1024", field_required, NULL},
    {"hosts", FIELD_COUNT, AT(sizes.hosts), "1..1024", field_required, NULL},
    {"planes", FIELD_BOOL, AT(sizes.planes), NULL, "true", NULL},
    RATE_FIELD,
};

static const struct field region_fields[] = {
    {"dcs", FIELD_COUNT, AT(sizes.dcs), "1..64", field_required, NULL},
    {"podsets", FIELD_COUNT, AT(sizes.podsets), "1..1024", field_required,
     NULL},
    {"t0", FIELD_COUNT, AT(sizes.t0), "1..1024", field_required, NULL},
    {"t1", FIELD_COUNT, AT(sizes.t1), "1..1024", field_required, NULL},
    {"t2", FIELD_COUNT, AT(sizes.t2), "1..1024", field_required, NULL},
    {"rh", FIELD_COUNT, AT(sizes.rh), "1..1024", field_required, NULL},
    {"hosts", FIELD_COUNT, AT(sizes.hosts), "1..1024", field_required, NULL},
    {"planes", FIELD_BOOL, AT(sizes.planes), NULL, "false", NULL},
    RATE_FIELD,
};

#undef AT

/* The presets, with the table of their keys; "leaf_spine" is a synonym. */
static const struct preset {
    const char *key;
    enum fabric_preset preset;
    const struct field *fields;
    size_t n;
} presets[] = {
    {"star", FABRIC_STAR, star_fields, N_FIELDS(star_fields)},
    {"clos", FABRIC_CLOS, clos_fields, N_FIELDS(clos_fields)},
    {"leaf_spine", FABRIC_CLOS, clos_fields, N_FIELDS(clos_fields)},
    {"fat_tree", FABRIC_FAT_TREE, fat_tree_fields, N_FIELDS(fat_tree_fields)},
    {"podsets", FABRIC_PODSETS, podsets_fields, N_FIELDS(podsets_fields)},
    {"region", FABRIC_REGION, region_fields, N_FIELDS(region_fields)},
    {"graph", FABRIC_GRAPH, NULL, 0}, /* section_graph.c. */
};

enum { N_PRESETS = sizeof presets / sizeof presets[0] };

/* The keys of 'fabric'. */
struct fabric_values {
    struct fy_node *presets[N_PRESETS];
    struct fy_node *links, *roles, *ecmp;
    int routing;
    int flow_control;
    int64_t convergence_ps;
};

#define AT(member) offsetof(struct fabric_values, member)

static const char *const routings[] = {
#define X(member, name) name,
    ROUTING_LIST(X)
#undef X
        NULL,
};

static const char *const flow_controls[] = {
#define X(member, word) word,
    FLOW_CONTROLS(X)
#undef X
        NULL,
};

static const struct field fabric_fields[] = {
    {"star", FIELD_NODE, AT(presets[0]), NULL, NULL, NULL},
    {"clos", FIELD_NODE, AT(presets[1]), NULL, NULL, NULL},
    {"leaf_spine", FIELD_NODE, AT(presets[2]), NULL, NULL, NULL},
    {"fat_tree", FIELD_NODE, AT(presets[3]), NULL, NULL, NULL},
    {"podsets", FIELD_NODE, AT(presets[4]), NULL, NULL, NULL},
    {"region", FIELD_NODE, AT(presets[5]), NULL, NULL, NULL},
    {"graph", FIELD_NODE, AT(presets[6]), NULL, NULL, NULL},
    {"links", FIELD_NODE, AT(links), NULL, NULL, NULL},
    {"switch", FIELD_NODE, AT(roles), NULL, NULL, NULL},
    {"ecmp", FIELD_NODE, AT(ecmp), NULL, NULL, NULL},
    {"routing", FIELD_WORD, AT(routing), NULL, "valley_free", routings},
    {"flow_control", FIELD_WORD, AT(flow_control), NULL, "pfc", flow_controls},
    {"convergence", FIELD_TIME, AT(convergence_ps), "0..inf", "100ms", NULL},
};

#undef AT

/* The keys of one level of 'links'. */
struct level_values {
    struct level_spec level;
    struct fy_node *length, *macsec, *llr, *credits;
};

#define AT(member) offsetof(struct level_values, member)

static const struct field level_fields[] = {
    {"length", FIELD_NODE, AT(length), NULL, NULL, NULL},
    {"rate", FIELD_RATE, AT(level.rate_bps), "1M..3.2T", NULL, NULL},
    {"parallel", FIELD_COUNT, AT(level.parallel), "1..1024", NULL, NULL},
    {"macsec", FIELD_NODE, AT(macsec), NULL, NULL, NULL},
    {"ber", FIELD_RATIO, AT(level.errors.ber), "0..1/100", NULL, NULL},
    {"burst", FIELD_COUNT, AT(level.errors.burst_bits), "1..8192", NULL, NULL},
    {"llr", FIELD_NODE, AT(llr), NULL, NULL, NULL},
    {"credits", FIELD_NODE, AT(credits), NULL, NULL, NULL},
};

#undef AT

/* The keys of 'links', and the lengths that they have without it. */
struct levels_values {
    struct fy_node *levels[FABRIC_N_LEVELS];
};

#define AT(member) offsetof(struct levels_values, member)

static const struct field levels_fields[] = {
    {"host", FIELD_NODE, AT(levels[FABRIC_LEVEL_HOST]), NULL, NULL, NULL},
    {"t0_t1", FIELD_NODE, AT(levels[FABRIC_LEVEL_T0_T1]), NULL, NULL, NULL},
    {"t1_t2", FIELD_NODE, AT(levels[FABRIC_LEVEL_T1_T2]), NULL, NULL, NULL},
    {"t2_rh", FIELD_NODE, AT(levels[FABRIC_LEVEL_T2_RH]), NULL, NULL, NULL},
};

#undef AT

static const int64_t level_lengths_mm[FABRIC_N_LEVELS] = {
    [FABRIC_LEVEL_HOST] = 3000,
    [FABRIC_LEVEL_T0_T1] = 20000,
    [FABRIC_LEVEL_T1_T2] = 300000,
    [FABRIC_LEVEL_T2_RH] = 10000000,
};

static const struct field length_field = {"length",     FIELD_LENGTH, 0,
                                          "0..20000km", NULL,         NULL};

/* The state of reading a list of lengths. */
struct length_reading {
    int64_t *lengths;
    size_t n;
};

/* Implements fields_item_fn. */
static enum st
read_length(struct reader *reader, struct fy_node *node, void *context)
{
    struct length_reading *reading = context;

    return fields_read_value(reader, node, &length_field,
                             &reading->lengths[reading->n++]);
}

/* Reads one length, or a list with one for each DC. */
static enum st
read_lengths(struct reader *reader, struct fy_node *node,
             enum fabric_level level, const struct fabric_spec *fabric,
             struct level_spec *spec)
{
    bool is_list = fy_node_is_sequence(node);
    size_t n = is_list ? fields_n_items(node) : 1;
    struct length_reading reading = {NULL, 0};
    enum st st;

    if (is_list &&
        (fabric->preset != FABRIC_REGION || level != FABRIC_LEVEL_T2_RH ||
         n != (size_t)fabric->sizes.dcs)) {
        return document_fail(reader->document, node, reader->err,
                             "'length' is a list of %zu; only 't2_rh' of a "
                             "region can have one, with a length for each DC",
                             n);
    }
    reading.lengths = arena_alloc(reader->arena, n, sizeof *reading.lengths);
    st = fields_each_item(reader, node, read_length, &reading);
    spec->length_mm = reading.lengths;
    spec->n_lengths = reading.n;
    return st;
}

/* Refuses keys that hosts do not have at 'level' of hosts. */
static enum st
check_switches_only(struct reader *reader, const struct level_values *values,
                    enum fabric_level level)
{
    if (level == FABRIC_LEVEL_HOST && values->macsec) {
        return document_fail(reader->document, values->macsec, reader->err,
                             "'macsec' is for links between switches");
    }
    if (level == FABRIC_LEVEL_HOST && values->credits) {
        return document_fail(reader->document, values->credits, reader->err,
                             "'credits' is for links between switches");
    }
    return ST_OK;
}

/* Reads "host: 3m" or "host: {length: 3m, rate: 40G}". */
static enum st
read_level(struct reader *reader, struct fy_node *node, enum fabric_level level,
           struct fabric_spec *fabric)
{
    struct level_values values = {.level = fabric->levels[level]};
    enum st st = ST_OK;

    if (fy_node_is_mapping(node)) {
        st = fields_read(reader, node, levels_fields[level].key, level_fields,
                         N_FIELDS(level_fields), &values, NULL);
        st = st ? st : section_check_errors(reader, node);
        node = values.length;
    }
    st = st ? st : check_switches_only(reader, &values, level);
    if (!st && values.macsec) {
        st = section_macsec(reader, values.macsec, &values.level.macsec);
    }
    if (!st && values.llr) {
        st = section_llr(reader, values.llr, &values.level.errors.llr);
    }
    if (!st && values.credits) {
        st = section_credits(reader, values.credits, &values.level.credits);
    }
    if (!st && node) {
        st = read_lengths(reader, node, level, fabric, &values.level);
    }
    fabric->levels[level] = values.level;
    return st;
}

/* Returns whether the preset has links of 'level'. */
static bool
has_level(const struct fabric_spec *fabric, enum fabric_level level)
{
    const struct fabric_sizes *sizes = &fabric->sizes;

    return level == FABRIC_LEVEL_HOST ||
           (level == FABRIC_LEVEL_T0_T1 && sizes->t1) ||
           (level == FABRIC_LEVEL_T1_T2 && sizes->t2) ||
           (level == FABRIC_LEVEL_T2_RH && sizes->rh);
}

static enum st
read_levels(struct reader *reader, struct fy_node *node,
            struct fabric_spec *fabric)
{
    struct levels_values values = {{NULL}};
    enum st st;

    if (!node) {
        return ST_OK;
    }
    if (fabric->preset == FABRIC_GRAPH) {
        return document_fail(reader->document, node, reader->err,
                             "'links' of a graph belong in 'graph'");
    }
    st = fields_read(reader, node, "'links'", levels_fields,
                     N_FIELDS(levels_fields), &values, NULL);
    for (int level = 0; !st && level < FABRIC_N_LEVELS; level++) {
        struct fy_node *value = values.levels[level];

        if (value && !has_level(fabric, (enum fabric_level)level)) {
            st = document_fail(reader->document, value, reader->err,
                               "this fabric has no links of level '%s'",
                               levels_fields[level].key);
        } else if (value) {
            st = read_level(reader, value, (enum fabric_level)level, fabric);
        }
    }
    return st;
}

/* Stores the sizes that the preset does not have as keys. */
static enum st
complete_sizes(struct reader *reader, struct fy_node *node,
               struct fabric_spec *fabric, const struct preset_values *values)
{
    struct fabric_sizes *sizes = &fabric->sizes;
    int64_t half = values->k / 2;

    *sizes = values->sizes;
    if (fabric->preset == FABRIC_FAT_TREE) {
        if (values->k % 2) {
            return document_fail(reader->document, node, reader->err,
                                 "'k' of a fat tree has to be even, not %lld",
                                 (long long)values->k);
        }
        *sizes = (struct fabric_sizes){.podsets = values->k,
                                       .t0 = half,
                                       .t1 = half,
                                       .t2 = half * half,
                                       .hosts = half,
                                       .planes = true};
    }
    sizes->dcs = sizes->dcs ? sizes->dcs : 1;
    sizes->podsets = sizes->podsets ? sizes->podsets : 1;
    sizes->t0 = sizes->t0 ? sizes->t0 : 1;
    if (sizes->planes && sizes->t2 % sizes->t1) {
        return document_fail(reader->document, node, reader->err,
                             "'t2' (%lld) of a fabric with planes has to be a "
                             "multiple of 't1' (%lld)",
                             (long long)sizes->t2, (long long)sizes->t1);
    }
    return ST_OK;
}

static enum st
read_preset(struct reader *reader, struct fy_node *node,
            const struct preset *preset, struct fabric_spec *fabric)
{
    struct preset_values values = {{0}, 0, 0};
    enum st st;

    fabric->preset = preset->preset;
    if (preset->preset == FABRIC_GRAPH) {
        return section_graph(reader, node, fabric);
    }
    fields_init(reader, preset->fields, preset->n, &values);
    st = fields_read(reader, node, preset->key, preset->fields, preset->n,
                     &values, NULL);
    if (!st) {
        st = complete_sizes(reader, node, fabric, &values);
    }
    for (int level = 0; level < FABRIC_N_LEVELS; level++) {
        fabric->levels[level] = (struct level_spec){
            .rate_bps = values.rate_bps,
            .parallel = 1,
            .length_mm = &level_lengths_mm[level],
            .n_lengths = 1,
            .errors = {.ber = {0, 1}, .burst_bits = 1},
        };
    }
    return st;
}

/* Finds the preset of the map; there has to be exactly one. */
static enum st
find_preset(struct reader *reader, struct fy_node *node,
            const struct fabric_values *values, size_t *found)
{
    size_t n = 0;

    for (size_t i = 0; i < N_PRESETS; i++) {
        if (values->presets[i]) {
            *found = i;
            n++;
        }
    }
    if (n == 1) {
        return ST_OK;
    }
    return document_fail(reader->document, node, reader->err,
                         "'fabric' has %zu shapes; expected one of: star, "
                         "clos, leaf_spine, fat_tree, podsets, region, graph",
                         n);
}

enum st
section_fabric(struct reader *reader, struct fy_node *node,
               struct fabric_spec *fabric)
{
    struct fabric_values values = {0};
    size_t found = 0;
    enum st st;

    *fabric = (struct fabric_spec){.place = fields_place(reader, node)};
    fields_init(reader, fabric_fields, N_FIELDS(fabric_fields), &values);
    st = fields_read(reader, node, "'fabric'", fabric_fields,
                     N_FIELDS(fabric_fields), &values, NULL);
    if (!st) {
        st = find_preset(reader, node, &values, &found);
    }
    if (!st) {
        st =
            read_preset(reader, values.presets[found], &presets[found], fabric);
    }
    if (!st) {
        st = read_levels(reader, values.links, fabric);
    }
    if (!st) {
        fabric->routing = (enum routing)values.routing;
        fabric->flow_control = (enum flow_control)values.flow_control;
        fabric->convergence_ps = values.convergence_ps;
        st = section_ecmp(reader, values.ecmp, &fabric->ecmp);
    }
    if (!st) {
        st = section_roles(reader, values.roles, fabric);
    }
    return st;
}
