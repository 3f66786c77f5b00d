/* SPDX-License-Identifier: Apache-2.0 */

/* Expands the traffic of a scenario into flows. */

#include <config.h>

#include "lab/builder/flows.h"

#include <string.h>

#include "base/arena.h"
#include "base/digest.h"
#include "base/random.h"
#include "lab/builder/references.h"

/* The dynamic ports (RFC 6335 section 6), which RoCEv2 uses for entropy. */
enum { FIRST_PORT = 49152 };

/* The state of expanding. */
struct expansion {
    const struct scenario *scenario;
    const struct topology *topology;
    const struct host_spec *const *specs;
    struct arena *arena;
    struct err *err;
    struct flow *flows;
    size_t n, room;

    /* Of the present item. */
    const struct traffic_spec *item;
    uint32_t number;
    struct reference_list from, to;
};

/* Returns a random number for 'key' of 'item' that does not depend on other
 * items or flows. */
static uint64_t
draw_of(const struct expansion *expansion, uint32_t item, uint64_t purpose,
        uint64_t key)
{
    const uint64_t words[] = {expansion->scenario->run.seed, purpose, item,
                              key};
    struct random random;

    random_init(&random, digest_bytes(DIGEST_START, words, sizeof words));
    return random_u64(&random);
}

/* Does the same for 'key' of the present item. */
static uint64_t
draw(const struct expansion *expansion, uint64_t purpose, uint64_t key)
{
    return draw_of(expansion, expansion->number, purpose, key);
}

enum { PURPOSE_PERMUTATION = 1, PURPOSE_JITTER, PURPOSE_PORT };

/* Returns the source port of queue pair 'qp' from 'source' to 'destination':
 * one of the host's 'entropy_ports', chosen by chance for each QP, pair of
 * hosts, or host. */
static uint16_t
choose_port(const struct expansion *expansion, uint32_t source,
            uint32_t destination, uint32_t qp)
{
    const struct host_spec *spec =
        expansion->specs[source - expansion->topology->n_switches];
    uint64_t key = (uint64_t)source << 40;
    /* A pair of hosts, or a host, has one port for all items. */
    const uint32_t item = spec->entropy == ENTROPY_QP ? expansion->number : 0;

    if (spec->entropy != ENTROPY_HOST) {
        key |= (uint64_t)destination << 16;
    }
    if (spec->entropy == ENTROPY_QP) {
        key |= qp;
    }
    return (uint16_t)(FIRST_PORT + draw_of(expansion, item, PURPOSE_PORT, key) %
                                       (uint64_t)spec->entropy_ports);
}

static void
add_flow(struct expansion *expansion, uint32_t source, uint32_t destination,
         uint32_t qp)
{
    const struct traffic_spec *item = expansion->item;
    struct flow *flow;

    if (expansion->n == expansion->room) {
        struct flow *old = expansion->flows;

        expansion->room = expansion->room * 2 + 1024;
        expansion->flows = arena_alloc(expansion->arena, expansion->room,
                                       sizeof *expansion->flows);
        if (old) {
            memcpy(expansion->flows, old, expansion->n * sizeof *old);
        }
    }
    flow = &expansion->flows[expansion->n];
    *flow = (struct flow){
        .item = expansion->number,
        .source = source,
        .destination = destination,
        .qp = qp,
        .source_port = choose_port(expansion, source, destination, qp),
        .start_ps = item->start_ps,
    };
    if (item->jitter_ps) {
        uint64_t key =
            (uint64_t)source << 40 | (uint64_t)destination << 16 | qp;

        flow->start_ps += (int64_t)(draw(expansion, PURPOSE_JITTER, key) %
                                    (uint64_t)(item->jitter_ps + 1));
    }
    expansion->n++;
}

/* Adds the flows of a pair of hosts, in both directions if asked for. */
static enum st
add_pair(struct expansion *expansion, uint32_t source, uint32_t destination)
{
    const struct traffic_spec *item = expansion->item;

    if (source == destination && item->pattern != TRAFFIC_PATTERN_LOOPBACK) {
        return scenario_fail(expansion->scenario, &item->place, expansion->err,
                             "'%s' has a flow from %s to itself", item->name,
                             expansion->topology->nodes[source].name);
    }
    if (expansion->n + 2 * (size_t)item->qps > FLOWS_MAX) {
        return scenario_fail(expansion->scenario, &item->place, expansion->err,
                             "'%s' brings the number of flows above %d",
                             item->name, FLOWS_MAX);
    }
    for (uint32_t qp = 0; qp < item->qps; qp++) {
        add_flow(expansion, source, destination, qp);
    }
    for (uint32_t qp = 0; item->both_ways && qp < item->qps; qp++) {
        add_flow(expansion, destination, source, qp);
    }
    return ST_OK;
}

static enum st
add_pairs(struct expansion *expansion)
{
    const struct traffic_spec *item = expansion->item;
    enum st st = ST_OK;

    if (expansion->from.n != expansion->to.n) {
        return scenario_fail(expansion->scenario, &item->place, expansion->err,
                             "'%s' has %zu hosts in 'from' and %zu in 'to'; "
                             "pairs need equal numbers",
                             item->name, expansion->from.n, expansion->to.n);
    }
    for (size_t i = 0; !st && i < expansion->from.n; i++) {
        st = add_pair(expansion, expansion->from.numbers[i],
                      expansion->to.numbers[i]);
    }
    return st;
}

/* Each host sends to the next of one random cycle through all of them (Sattolo,
 * 1986), so that nobody sends to itself. */
static enum st
add_permutation(struct expansion *expansion)
{
    const struct traffic_spec *item = expansion->item;
    size_t n = expansion->from.n;
    uint32_t *to = arena_alloc(expansion->arena, n + 1, sizeof *to);
    struct random random;
    enum st st = ST_OK;

    if (n < 2) {
        return scenario_fail(expansion->scenario, &item->place, expansion->err,
                             "'%s' is a permutation of one host; it needs two",
                             item->name);
    }
    random_init(&random, draw(expansion, PURPOSE_PERMUTATION, 0));
    memcpy(to, expansion->from.numbers, n * sizeof *to);
    for (size_t i = n - 1; i > 0; i--) {
        size_t other = (size_t)random_below(&random, i);
        uint32_t kept = to[i];

        to[i] = to[other];
        to[other] = kept;
    }
    for (size_t i = 0; !st && i < n; i++) {
        st = add_pair(expansion, expansion->from.numbers[i], to[i]);
    }
    return st;
}

static enum st
add_incast(struct expansion *expansion)
{
    const struct traffic_spec *item = expansion->item;
    enum st st = ST_OK;

    if (expansion->to.n != 1) {
        return scenario_fail(expansion->scenario, &item->place, expansion->err,
                             "'%s' has %zu hosts in 'to'; an incast needs one",
                             item->name, expansion->to.n);
    }
    for (size_t i = 0; !st && i < expansion->from.n; i++) {
        st = add_pair(expansion, expansion->from.numbers[i],
                      expansion->to.numbers[0]);
    }
    return st;
}

static enum st
add_all_to_all(struct expansion *expansion)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < expansion->from.n; i++) {
        for (size_t k = 0; !st && k < expansion->to.n; k++) {
            if (expansion->from.numbers[i] != expansion->to.numbers[k]) {
                st = add_pair(expansion, expansion->from.numbers[i],
                              expansion->to.numbers[k]);
            }
        }
    }
    return st;
}

static enum st
add_loopback(struct expansion *expansion)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < expansion->from.n; i++) {
        st = add_pair(expansion, expansion->from.numbers[i],
                      expansion->from.numbers[i]);
    }
    return st;
}

/* Limits a list to its first 'n'. */
static enum st
take_first(struct expansion *expansion, struct reference_list *list, int64_t n)
{
    if (n == QUANTITY_INFINITE) {
        return ST_OK;
    }
    if ((size_t)n > list->n) {
        return scenario_fail(expansion->scenario, &expansion->item->place,
                             expansion->err,
                             "'n' of '%s' is %lld, but there are %zu hosts",
                             expansion->item->name, (long long)n, list->n);
    }
    list->n = (size_t)n;
    return ST_OK;
}

static enum st
add_item(struct expansion *expansion)
{
    const struct traffic_spec *item = expansion->item;
    const struct selector *to = item->to.n ? &item->to : &item->from;
    enum st st =
        references_hosts(expansion->scenario, expansion->topology, &item->from,
                         expansion->arena, &expansion->from, expansion->err);

    if (!st) {
        st = references_hosts(expansion->scenario, expansion->topology, to,
                              expansion->arena, &expansion->to, expansion->err);
    }
    if (!st && item->pattern == TRAFFIC_PATTERN_INCAST &&
        expansion->to.n == 1) {
        /* "from: all" means all others. */
        size_t n = 0;

        for (size_t i = 0; i < expansion->from.n; i++) {
            if (expansion->from.numbers[i] != expansion->to.numbers[0]) {
                expansion->from.numbers[n++] = expansion->from.numbers[i];
            }
        }
        expansion->from.n = n;
    }
    if (!st) {
        st = take_first(expansion, &expansion->from, item->n);
    }
    if (!st && item->pattern == TRAFFIC_PATTERN_PAIRS) {
        st = take_first(expansion, &expansion->to, item->n);
    }
    if (st) {
        return st;
    }
    switch ((enum traffic_pattern)item->pattern) {
    case TRAFFIC_PATTERN_PAIRS:
        return add_pairs(expansion);
    case TRAFFIC_PATTERN_PERMUTATION:
        return add_permutation(expansion);
    case TRAFFIC_PATTERN_INCAST:
        return add_incast(expansion);
    case TRAFFIC_PATTERN_LOOPBACK:
        return add_loopback(expansion);
    case TRAFFIC_PATTERN_ALL_TO_ALL:
    default:
        return add_all_to_all(expansion);
    }
}

enum st
flows_create(const struct scenario *scenario, const struct topology *topology,
             struct arena *arena, struct flow_list *list, struct err *err)
{
    struct expansion expansion = {
        .scenario = scenario,
        .topology = topology,
        .arena = arena,
        .err = err,
    };
    const struct host_spec **specs = NULL;
    enum st st = references_host_specs(scenario, topology, arena, &specs, err);

    expansion.specs = specs;
    for (size_t i = 0; !st && i < scenario->n_traffic; i++) {
        expansion.item = &scenario->traffic[i];
        expansion.number = (uint32_t)i;
        st = add_item(&expansion);
    }
    *list = (struct flow_list){expansion.flows, expansion.n};
    return st;
}
