/* SPDX-License-Identifier: Apache-2.0 */

/* Reads what is behind the adapter of a host: PCIe, its caches, and PCIe
 * switches. */

#include <config.h>

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "lab/scenario/sections.h"

enum { MIN_PAGE_BYTES = 4096 };

static const char *const accesses[] = {
#define X(member, name) name,
    ACCESS_LIST(X)
#undef X
        NULL,
};

#define AT(member) offsetof(struct pcie_spec, member)

static const struct field pcie_fields[] = {
    {"generation", FIELD_COUNT, AT(generation), "3..6", "3", NULL},
    {"lanes", FIELD_COUNT, AT(lanes), "1..32", "8", NULL},
    {"max_payload", FIELD_BYTES, AT(max_payload_bytes), "128..4096", "256",
     NULL},
    {"reads", FIELD_COUNT, AT(reads), "1..1024", "32", NULL},
    {"read_latency", FIELD_TIME, AT(read_latency_ps), "0..1ms", "700ns", NULL},
};

#undef AT
#define AT(member) offsetof(struct caches_spec, member)

/* The bits of 'mtt' and 'contexts' in what fields_read() has seen: their places
 * in the table. */
#define SIZES (UINT64_C(1) << 0 | UINT64_C(1) << 4)

static const struct field caches_fields[] = {
    {"mtt", FIELD_COUNT, AT(translations), "0..16777216", "0", NULL},
    {"page", FIELD_BYTES, AT(page_bytes), "4KiB..1GiB", "4KiB", NULL},
    {"region", FIELD_BYTES, AT(region_bytes), "4KiB..1024GiB", "1GiB", NULL},
    {"access", FIELD_WORD, AT(access), NULL, "random", accesses},
    {"contexts", FIELD_COUNT, AT(contexts), "0..16777216", "0", NULL},
    {"overlap", FIELD_COUNT, AT(overlap), "1..64", "1", NULL},
};

#undef AT

struct switch_values {
    struct pcie_switch_spec spec;
    const char *to;
    struct fy_node *link;
};

#define AT(member) offsetof(struct switch_values, member)

static const struct field switch_fields[] = {
    {"of", FIELD_SELECTOR, AT(spec.of), NULL, NULL, NULL},
    {"to", FIELD_NAME, AT(to), NULL, NULL, NULL},
    {"link", FIELD_NODE, AT(link), NULL, NULL, NULL},
    {"latency", FIELD_TIME, AT(spec.latency_ps), "0..1ms", "150ns", NULL},
    {"credits", FIELD_BYTES, AT(spec.credit_bytes), "16KiB..1GiB", "32KiB",
     NULL},
};

#undef AT

/* PCIe -------------------------------------------------------------------- */

enum st
section_pcie(struct reader *reader, struct fy_node *node,
             struct pcie_spec *pcie)
{
    const char *text = NULL;
    enum st st;

    if (fy_node_is_mapping(node)) {
        if (!pcie->enabled) {
            fields_init(reader, pcie_fields, N_FIELDS(pcie_fields), pcie);
        }
        pcie->enabled = true;
        return fields_read(reader, node, "'pcie'", pcie_fields,
                           N_FIELDS(pcie_fields), pcie, NULL);
    }
    st = fields_text(reader, node, "pcie", &text);
    if (st) {
        return st;
    }
    fields_init(reader, pcie_fields, N_FIELDS(pcie_fields), pcie);
    pcie->enabled = strcmp(text, "off") != 0;
    for (int64_t generation = 3; generation <= 6; generation++) {
        for (int64_t lanes = 1; lanes <= 32; lanes *= 2) {
            char name[16];

            text_format(name, sizeof name, "gen%dx%d", (int)generation,
                        (int)lanes);
            if (!strcmp(name, text)) {
                pcie->generation = generation;
                pcie->lanes = lanes;
                return ST_OK;
            }
        }
    }
    return !pcie->enabled
               ? ST_OK
               : document_fail(reader->document, node, reader->err,
                               "'pcie' is '%s'; allowed is off, genGxL with G "
                               "of 3..6 and L of 1, 2, 4, 8, 16 or 32 "
                               "('gen3x8'), or a map",
                               text);
}

/* Caches ------------------------------------------------------------------- */

void
section_caches_init(struct reader *reader, struct caches_spec *caches)
{
    fields_init(reader, caches_fields, N_FIELDS(caches_fields), caches);
}

enum st
section_caches(struct reader *reader, struct fy_node *node, bool is_file,
               struct host_spec *host)
{
    struct caches_spec *caches = &host->caches;
    uint64_t seen = 0;
    enum st st = fields_read(reader, node, "'caches'", caches_fields,
                             N_FIELDS(caches_fields), caches, &seen);

    if (!st && caches->page_bytes % MIN_PAGE_BYTES) {
        return document_fail(reader->document, node, reader->err,
                             "'page' has to be a multiple of 4 KiB");
    }
    if (!st && (caches->region_bytes < caches->page_bytes ||
                caches->region_bytes % caches->page_bytes)) {
        return document_fail(reader->document, node, reader->err,
                             "'region' has to be a multiple of 'page', for "
                             "example 1GiB");
    }
    caches->is_of_nic = is_file;
    if (!st && !is_file && !host->pcie.enabled) {
        return document_fail(reader->document, node, reader->err,
                             "'caches' without 'pcie' never miss: set 'pcie', "
                             "for example to gen3x8");
    }
    if (!st && !caches->translations && !caches->contexts && !(seen & SIZES)) {
        return document_fail(reader->document, node, reader->err,
                             "'caches' without 'mtt' or 'contexts' never miss: "
                             "set one, for example 'mtt: 2K'");
    }
    return st;
}

/* PCIe switches ------------------------------------------------------------ */

/* The state of reading them. */
struct switches_reading {
    struct pcie_switch_spec *switches;
    const char **names; /* Ends with NULL. */
    size_t n;
};

/* Stores which of the switches before is called 'name'. */
static enum st
find_switch(struct reader *reader, struct fy_node *node,
            const struct switches_reading *reading, const char *name, int *to)
{
    for (size_t i = 0; i < reading->n; i++) {
        if (!strcmp(reading->names[i], name)) {
            *to = (int)i;
            return ST_OK;
        }
    }
    if (!reading->n) {
        return document_fail(
            reader->document, node, reader->err,
            "'to' names a PCIe switch above, which has to come "
            "before this one");
    }
    return fields_fail_word(reader, node, "to", name, reading->names);
}

/* Implements fields_pair_fn. */
static enum st
read_switch(struct reader *reader, struct fy_node *key, const char *name,
            struct fy_node *value, void *context)
{
    struct switches_reading *reading = context;
    struct switch_values values = {.spec.to = PCIE_TO_MEMORY};
    struct pcie_switch_spec *spec = &reading->switches[reading->n];
    enum st st = fields_name(reader, key, "a PCIe switch", &name);

    fields_init(reader, switch_fields, N_FIELDS(switch_fields), &values);
    if (!st) {
        st = fields_read(reader, value, name, switch_fields,
                         N_FIELDS(switch_fields), &values, NULL);
    }
    if (!st && values.to) {
        st = find_switch(reader, value, reading, values.to, &values.spec.to);
    }
    if (!st && values.link) {
        st = section_pcie(reader, values.link, &values.spec.link);
    }
    if (!st && !values.spec.link.enabled) {
        st = document_fail(reader->document, key, reader->err,
                           "PCIe switch '%s' needs the key 'link', for example "
                           "gen3x16",
                           name);
    }
    *spec = values.spec;
    spec->name = name;
    spec->place = fields_place(reader, key);
    reading->names[reading->n++] = name;
    return st;
}

/* Checks that each switch has hosts or another switch below it. */
static enum st
check_used(struct reader *reader, struct fy_node *node,
           const struct switches_reading *reading)
{
    for (size_t i = 0; i < reading->n; i++) {
        bool is_used = reading->switches[i].of.n > 0;

        for (size_t k = i + 1; k < reading->n; k++) {
            is_used |= reading->switches[k].to == (int)i;
        }
        if (!is_used) {
            return document_fail(reader->document, node, reader->err,
                                 "PCIe switch '%s' has nothing below it: name "
                                 "its hosts with 'of'",
                                 reading->names[i]);
        }
    }
    return ST_OK;
}

enum st
section_pcie_switches(struct reader *reader, struct fy_node *node,
                      struct scenario *scenario)
{
    const size_t n = fields_n_items(node);
    struct switches_reading reading = {
        .switches = arena_alloc(reader->arena, n + 1, sizeof *reading.switches),
        .names = arena_alloc(reader->arena, n + 1, sizeof *reading.names)};
    enum st st = ST_OK;

    if (node) {
        st = fields_each_pair(reader, node, "'pcie_switches'", read_switch,
                              &reading);
        st = st ? st : check_used(reader, node, &reading);
    }
    scenario->pcie_switches = reading.switches;
    scenario->n_pcie_switches = reading.n;
    return st;
}
