/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'pingmesh', an item of 'traffic' that stands for several: pings of each
 * transport, scope and phase. */

#include <config.h>

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "lab/scenario/sections.h"

enum { MAX_PHASES = 16, NAME_SIZE = 256, MAX_NAME = 63 };

static const char *const transports[] = {
#define X(member, name) name,
    TRAFFIC_TRANSPORTS(X)
#undef X
        NULL,
};

/* Without the first, which is no scope. */
static const char *const scopes[] = {
#define X(member, name) name,
    TRAFFIC_SCOPES(X)
#undef X
        NULL,
};

static const char *const verbs[] = {"send", "write_imm", NULL};

/* A phase: from 'start_ps' to the start of the next one. */
struct phase {
    const char *name; /* "": the only one. */
    int64_t start_ps;
};

struct pingmesh_values {
    struct traffic_spec item;
    uint32_t scopes;
    uint32_t transports;
    int verb;
    int64_t tcp_priority;
    struct fy_node *phases_node;
    struct phase phases[MAX_PHASES];
    size_t n_phases;
};

#define AT(member) offsetof(struct pingmesh_values, member)

static const struct field pingmesh_fields[] = {
    {"from", FIELD_SELECTOR, AT(item.from), NULL, NULL, NULL},
    {"n", FIELD_COUNT, AT(item.n), "1..inf", "inf", NULL},
    {"scopes", FIELD_WORDS, AT(scopes), NULL, NULL, scopes},
    {"transports", FIELD_WORDS, AT(transports), NULL, "rdma, tcp", transports},
    {"peers", FIELD_COUNT, AT(item.peers), "1..1024", "1", NULL},
    {"tcp_priority", FIELD_COUNT, AT(tcp_priority), "0..7", "0", NULL},
    {"verb", FIELD_WORD, AT(verb), NULL, "send", verbs},
    {"size", FIELD_BYTES, AT(item.size_bytes), "1..1MiB", "512B", NULL},
    {"every", FIELD_TIME, AT(item.every_ps), "1us..1000s", "1ms", NULL},
    {"timeout", FIELD_TIME, AT(item.timeout_ps), "1us..inf", "1s", NULL},
    {"phases", FIELD_NODE, AT(phases_node), NULL, NULL, NULL},
};

#undef AT

/* Bits of keys in what fields_read() has seen: their places in the table. */
#define SEEN_SCOPES       (UINT64_C(1) << 2)
#define SEEN_TCP_PRIORITY (UINT64_C(1) << 5)
#define SEEN_VERB         (UINT64_C(1) << 6)

/* Refuses keys that would do nothing. */
static enum st
check_keys(struct reader *reader, struct fy_node *node,
           const struct pingmesh_values *values, uint64_t seen)
{
    const char *why = NULL;

    if (!values->transports || (seen & SEEN_SCOPES && !values->scopes)) {
        why = "nothing is pinged without a word in 'transports' and 'scopes'";
    } else if (seen & SEEN_TCP_PRIORITY &&
               !(values->transports >> TRAFFIC_TRANSPORT_TCP & 1)) {
        why = "'tcp_priority' is of probes over TCP, and 'transports' has no "
              "'tcp'";
    } else if (seen & SEEN_VERB &&
               !(values->transports >> TRAFFIC_TRANSPORT_RDMA & 1)) {
        why = "'verb' is of probes over RDMA, and 'transports' has no 'rdma'";
    } else if (values->phases_node && values->item.start_ps) {
        why = "'phases' say when they start: remove 'start'";
    }
    return why ? document_fail(reader->document, node, reader->err, "%s", why)
               : ST_OK;
}

/* Implements fields_pair_fn. */
static enum st
read_phase(struct reader *reader, struct fy_node *key, const char *name,
           struct fy_node *value, void *context)
{
    static const struct field start = {"start of a phase", FIELD_TIME, 0,
                                       "0..1000s",         NULL,       NULL};
    struct pingmesh_values *values = context;
    struct phase *phase;
    enum st st = fields_name(reader, key, "a phase", &name);

    if (!st && values->n_phases == MAX_PHASES) {
        st = document_fail(reader->document, key, reader->err,
                           "there are more than %d phases", MAX_PHASES);
    }
    if (st) {
        return st;
    }
    phase = &values->phases[values->n_phases++];
    phase->name = name;
    st = fields_read_value(reader, value, &start, &phase->start_ps);
    if (!st && values->n_phases > 1 && phase->start_ps <= phase[-1].start_ps) {
        st = document_fail(reader->document, value, reader->err,
                           "phase '%s' does not start after '%s', which comes "
                           "before it",
                           name, phase[-1].name);
    }
    return st;
}

/* Makes one item out of 'values'. */
static enum st
make_item(struct reader *reader, struct fy_node *node,
          const struct pingmesh_values *values, int transport, int scope,
          size_t phase, struct traffic_spec *item)
{
    const struct phase *of = &values->phases[phase];
    const bool is_tcp = transport == TRAFFIC_TRANSPORT_TCP;
    char name[NAME_SIZE];

    text_format(name, sizeof name, "%s-%s-%s%s%s", values->item.name,
                transports[transport], scopes[scope], *of->name ? "-" : "",
                of->name);
    if (strlen(name) > MAX_NAME) {
        return document_fail(reader->document, node, reader->err,
                             "the name '%s' is longer than %d characters", name,
                             MAX_NAME);
    }
    *item = values->item;
    item->name = arena_strdup(reader->arena, name);
    item->kind = TRAFFIC_PING;
    item->transport = transport;
    item->scope = scope;
    item->is_of_any_scope = !values->scopes;
    item->verb = values->verb ? TRAFFIC_VERB_WRITE_IMM : TRAFFIC_VERB_SEND;
    item->qps = item->depth = 1;
    item->repeat = item->frames = QUANTITY_INFINITE;
    if (is_tcp) {
        item->priority = item->dscp = values->tcp_priority;
    }
    if (!item->jitter_ps) {
        item->jitter_ps = item->every_ps; /* Not all at once. */
    }
    if (*of->name) {
        item->start_ps = of->start_ps;
    }
    if (phase + 1 < values->n_phases) {
        item->stop_ps = of[1].start_ps;
    }
    return item->stop_ps > item->start_ps
               ? ST_OK
               : document_fail(reader->document, node, reader->err,
                               "'%s' stops before it starts", item->name);
}

enum st
section_pingmesh(struct reader *reader, struct fy_node *node,
                 const struct traffic_spec *base, section_item_fn *add,
                 void *context)
{
    struct pingmesh_values values = {.item = *base};
    uint64_t seen = 0;
    enum st st;

    fields_init(reader, pingmesh_fields, N_FIELDS(pingmesh_fields), &values);
    st = fields_read(reader, node, "'pingmesh'", pingmesh_fields,
                     N_FIELDS(pingmesh_fields), &values, &seen);
    st = st ? st : check_keys(reader, node, &values, seen);
    if (!st && values.phases_node) {
        st = fields_each_pair(reader, values.phases_node, "'phases'",
                              read_phase, &values);
    }
    if (!values.n_phases) {
        values.phases[values.n_phases++].name = "";
    }
    for (size_t phase = 0; phase < values.n_phases; phase++) {
        for (int transport = 0; !st && transports[transport]; transport++) {
            for (int scope = 0; !st && scopes[scope]; scope++) {
                struct traffic_spec item;

                if (!(values.transports >> transport & 1) ||
                    (values.scopes && !(values.scopes >> scope & 1))) {
                    continue;
                }
                st = make_item(reader, node, &values, transport, scope, phase,
                               &item);
                st = st ? st : add(reader, node, &item, context);
            }
        }
    }
    return st;
}
