/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'graph' of a fabric: its switches, hosts and links. */

#include <config.h>

#include "lab/scenario/sections.h"

#include <libfyaml.h>

#include "base/arena.h"

/* What a graph is stored in before its lists are read. */
struct graph_values {
    int64_t rate_bps;
    struct fy_node *switches, *hosts, *links;
};

#define AT(member) offsetof(struct graph_values, member)

static const struct field graph_fields[] = {
    {"switches", FIELD_NODE, AT(switches), NULL, field_required, NULL},
    {"hosts", FIELD_NODE, AT(hosts), NULL, field_required, NULL},
    {"links", FIELD_NODE, AT(links), NULL, field_required, NULL},
    {"rate", FIELD_RATE, AT(rate_bps), "1M..3.2T", "100G", NULL},
};

#undef AT
#define AT(member) offsetof(struct graph_switch, member)

static const struct field graph_switch_fields[] = {
    {"role", FIELD_NAME, AT(role), NULL, "t0", NULL},
    {"tier", FIELD_COUNT, AT(tier), "0..3", NULL, NULL},
};

#undef AT

struct graph_link_values {
    struct graph_link link;
    struct selector ends;
    struct fy_node *macsec, *llr, *credits;
};

#define AT(member) offsetof(struct graph_link_values, member)

static const struct field graph_link_fields[] = {
    {"ends", FIELD_SELECTOR, AT(ends), NULL, field_required, NULL},
    {"rate", FIELD_RATE, AT(link.rate_bps), "1M..3.2T", NULL, NULL},
    {"length", FIELD_LENGTH, AT(link.length_mm), "0..20000km", "3m", NULL},
    {"parallel", FIELD_COUNT, AT(link.parallel), "1..1024", "1", NULL},
    {"macsec", FIELD_NODE, AT(macsec), NULL, NULL, NULL},
    {"ber", FIELD_RATIO, AT(link.errors.ber), "0..1/100", "0", NULL},
    {"burst", FIELD_COUNT, AT(link.errors.burst_bits), "1..8192", "1", NULL},
    {"llr", FIELD_NODE, AT(llr), NULL, NULL, NULL},
    {"credits", FIELD_NODE, AT(credits), NULL, NULL, NULL},
};

#undef AT

/* The state of reading a list of a graph. */
struct graph_reading {
    struct graph_switch *switches;
    struct graph_host *hosts;
    struct graph_link *links;
    size_t n;
    int64_t rate_bps;
    size_t n_tiers; /* Switches with a tier. */
};

/* Reads the name of a node; positions are those of the name. */
static enum st
read_switch_name(struct reader *reader, struct fy_node *node,
                 struct graph_reading *reading, struct graph_switch **item)
{
    *item = &reading->switches[reading->n++];
    (*item)->place = fields_place(reader, node);
    (*item)->tier = -1;
    fields_init(reader, graph_switch_fields, N_FIELDS(graph_switch_fields),
                *item);
    return fields_name(reader, node, "a switch", &(*item)->name);
}

/* Implements fields_item_fn. */
static enum st
read_switch_item(struct reader *reader, struct fy_node *node, void *context)
{
    struct graph_switch *item;

    return read_switch_name(reader, node, context, &item);
}

/* Implements fields_pair_fn. */
static enum st
read_switch_pair(struct reader *reader, struct fy_node *key, const char *name,
                 struct fy_node *value, void *context)
{
    struct graph_reading *reading = context;
    struct graph_switch *item;
    enum st st = read_switch_name(reader, key, reading, &item);

    (void)name;
    if (!st) {
        st = fields_read(reader, value, "a switch", graph_switch_fields,
                         N_FIELDS(graph_switch_fields), item, NULL);
        reading->n_tiers += item->tier >= 0;
    }
    return st;
}

/* Implements fields_item_fn. */
static enum st
read_host_item(struct reader *reader, struct fy_node *node, void *context)
{
    struct graph_reading *reading = context;
    struct graph_host *item = &reading->hosts[reading->n++];

    item->place = fields_place(reader, node);
    return fields_name(reader, node, "a host", &item->name);
}

/* Implements fields_item_fn. */
static enum st
read_link_item(struct reader *reader, struct fy_node *node, void *context)
{
    struct graph_reading *reading = context;
    struct graph_link_values values = {0};
    enum st st;

    values.link.rate_bps = reading->rate_bps;
    fields_init(reader, graph_link_fields, N_FIELDS(graph_link_fields),
                &values);
    st = fields_read(reader, node, "a link", graph_link_fields,
                     N_FIELDS(graph_link_fields), &values, NULL);
    if (!st && values.ends.n != 2) {
        st = document_fail(reader->document, node, reader->err,
                           "'ends' of a link are the names of two nodes, "
                           "not %zu",
                           values.ends.n);
    }
    if (!st && values.macsec) {
        st = section_macsec(reader, values.macsec, &values.link.macsec);
    }
    st = st ? st : section_check_errors(reader, node);
    if (!st && values.llr) {
        st = section_llr(reader, values.llr, &values.link.errors.llr);
    }
    if (!st && values.credits) {
        st = section_credits(reader, values.credits, &values.link.credits);
    }
    if (!st) {
        values.link.ends[0] = values.ends.items[0];
        values.link.ends[1] = values.ends.items[1];
        values.link.place = values.ends.place;
        reading->links[reading->n++] = values.link;
    }
    return st;
}

static enum st
read_graph_switches(struct reader *reader, struct fy_node *node,
                    struct fabric_spec *fabric)
{
    struct graph_reading reading = {0};
    enum st st;

    reading.switches = arena_alloc(reader->arena, fields_n_items(node) + 1,
                                   sizeof *reading.switches);
    if (node && fy_node_is_mapping(node)) {
        st = fields_each_pair(reader, node, "'switches'", read_switch_pair,
                              &reading);
    } else {
        st = fields_each_item(reader, node, read_switch_item, &reading);
    }
    if (!st && reading.n_tiers && reading.n_tiers != reading.n) {
        st = document_fail(reader->document, node, reader->err,
                           "%zu of %zu switches have a 'tier': give it to all "
                           "or to none",
                           reading.n_tiers, reading.n);
    }
    fabric->switches = reading.switches;
    fabric->n_switches = reading.n;
    return st;
}

enum st
section_graph(struct reader *reader, struct fy_node *node,
              struct fabric_spec *fabric)
{
    struct graph_values values = {0};
    struct graph_reading hosts = {0}, links = {0};
    enum st st;

    fields_init(reader, graph_fields, N_FIELDS(graph_fields), &values);
    st = fields_read(reader, node, "'graph'", graph_fields,
                     N_FIELDS(graph_fields), &values, NULL);
    if (!st) {
        st = read_graph_switches(reader, values.switches, fabric);
    }
    if (!st) {
        hosts.hosts =
            arena_alloc(reader->arena, fields_n_items(values.hosts) + 1,
                        sizeof *hosts.hosts);
        st = fields_each_item(reader, values.hosts, read_host_item, &hosts);
        fabric->hosts = hosts.hosts;
        fabric->n_hosts = hosts.n;
    }
    if (!st) {
        links.links =
            arena_alloc(reader->arena, fields_n_items(values.links) + 1,
                        sizeof *links.links);
        links.rate_bps = values.rate_bps;
        st = fields_each_item(reader, values.links, read_link_item, &links);
        fabric->links = links.links;
        fabric->n_links = links.n;
    }
    return st;
}
