/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'record:'. */

#include <config.h>

#include <libfyaml.h>

#include "lab/scenario/sections.h"

static const char *const series_names[] = {
#define X(member, name, object) name,
    RECORD_SERIES(X)
#undef X
        NULL,
};

static const char *const histogram_names[] = {
#define X(member, name) name,
    RECORD_HISTOGRAMS(X)
#undef X
        NULL,
};

#define AT(member) offsetof(struct series_spec, member)

static const struct field series_fields[] = {
    {"every", FIELD_TIME, AT(every_ps), "1ns..1000s", field_required, NULL},
    {"start", FIELD_TIME, AT(start_ps), "0..1000s", "0", NULL},
    {"of", FIELD_WORDS, AT(metrics), NULL, field_required, series_names},
    {"at", FIELD_SELECTOR, AT(at), NULL, NULL, NULL},
    {"traffic", FIELD_SELECTOR, AT(of), NULL, NULL, NULL},
    {"priorities", FIELD_BITS, AT(priorities), "0..7", NULL, NULL},
};

#undef AT

#define AT(member) offsetof(struct pcap_spec, member)

static const struct field pcap_fields[] = {
    {"at", FIELD_SELECTOR, AT(at), NULL, field_required, NULL},
    {"traffic", FIELD_SELECTOR, AT(traffic), NULL, NULL, NULL},
    {"flow", FIELD_COUNT, AT(flow), "0..4294967294", NULL, NULL},
    {"limit", FIELD_COUNT, AT(limit), "1..1000000000", "1000000", NULL},
    {"pauses", FIELD_BOOL, AT(pauses), NULL, "true", NULL},
};

#undef AT

#define AT(member) offsetof(struct estats_spec, member)

static const struct field estats_fields[] = {
    {"interval", FIELD_TIME, AT(every_ps), "100us..1000s", "60s", NULL},
    {"sync", FIELD_TIME, AT(sync_ps), "100us..1000s", "1s", NULL},
    {"read", FIELD_TIME, AT(read_ps), "0..50us", "1us", NULL},
    {"tick", FIELD_TIME, AT(tick_ps), "1ps..1us", "1ns", NULL},
    {"drift", FIELD_COUNT, AT(drift_ppm), "0..1000", "50", NULL},
};

#undef AT

struct record_values {
    struct record_spec record;
    struct fy_node *estats;
    struct fy_node *series;
    struct fy_node *pcap;
};

#define AT(member) offsetof(struct record_values, member)

static const struct field record_fields[] = {
    {"series", FIELD_NODE, AT(series), NULL, NULL, NULL},
    {"pcap", FIELD_NODE, AT(pcap), NULL, NULL, NULL},
    {"histograms", FIELD_WORDS, AT(record.histograms), NULL, NULL,
     histogram_names},
    {"paths", FIELD_BOOL, AT(record.paths), NULL, "false", NULL},
    {"deadlocks", FIELD_TIME, AT(record.deadlocks_ps), "1ms..1s", NULL, NULL},
    {"gaps", FIELD_TIME, AT(record.gaps_ps), "1us..1s", NULL, NULL},
    {"messages", FIELD_BOOL, AT(record.messages), NULL, "false", NULL},
    {"spans", FIELD_BOOL, AT(record.spans), NULL, "false", NULL},
    {"estats", FIELD_NODE, AT(estats), NULL, NULL, NULL},
};

#undef AT

/* Implements fields_item_fn. */
static enum st
read_series(struct reader *reader, struct fy_node *node, void *context)
{
    struct series_spec *series = context;

    fields_init(reader, series_fields, N_FIELDS(series_fields), series);
    series->place = fields_place(reader, node);
    return fields_read(reader, node, "'series'", series_fields,
                       N_FIELDS(series_fields), series, NULL);
}

/* Reads 'pcap': a map, or only the ports. */
static enum st
read_pcap(struct reader *reader, struct fy_node *node, struct pcap_spec *pcap)
{
    static const struct field whole = {
        "pcap", FIELD_SELECTOR, offsetof(struct pcap_spec, at),
        NULL,   NULL,           NULL};

    pcap->place = fields_place(reader, node);
    return fy_node_is_mapping(node)
               ? fields_read(reader, node, "'pcap'", pcap_fields,
                             N_FIELDS(pcap_fields), pcap, NULL)
               : fields_read_value(reader, node, &whole, pcap);
}

/* Reads 'estats': on, off, or a map. */
static enum st
read_estats(struct reader *reader, struct fy_node *node,
            struct estats_spec *estats)
{
    bool is_on = true;
    enum st st = fields_on_off(reader, node, "'estats'", &is_on);

    if (st || !is_on) {
        return st;
    }
    fields_init(reader, estats_fields, N_FIELDS(estats_fields), estats);
    return fy_node_is_mapping(node)
               ? fields_read(reader, node, "'estats'", estats_fields,
                             N_FIELDS(estats_fields), estats, NULL)
               : ST_OK;
}

enum st
section_record(struct reader *reader, struct fy_node *node,
               struct scenario *scenario)
{
    struct record_values values = {.record = {.pcap = {.flow = -1}}};
    struct fields_list series = {NULL, 0};
    enum st st = ST_OK;

    fields_init(reader, record_fields, N_FIELDS(record_fields), &values);
    fields_init(reader, pcap_fields, N_FIELDS(pcap_fields),
                &values.record.pcap);
    if (node) {
        st = fields_read(reader, node, "'record'", record_fields,
                         N_FIELDS(record_fields), &values, NULL);
        values.record.place = fields_place(reader, node);
    }
    if (!st) {
        st = fields_read_list(reader, values.series, sizeof(struct series_spec),
                              read_series, &series);
    }
    if (!st && values.pcap) {
        st = read_pcap(reader, values.pcap, &values.record.pcap);
    }
    if (!st && values.estats) {
        st = read_estats(reader, values.estats, &values.record.estats);
    }
    scenario->record = values.record;
    scenario->record.series = series.items;
    scenario->record.n_series = series.n;
    return st;
}
