/* SPDX-License-Identifier: Apache-2.0 */

/* Expands the traffic of a scenario into flows. */

#include <config.h>

#include "lab/builder/flows.h"

#include <string.h>

#include "base/arena.h"
#include "base/digest.h"
#include "base/random.h"
#include "lab/builder/nearness.h"
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

    struct nearness *nearness; /* NULL: not needed yet. */
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

enum { PURPOSE_PERMUTATION = 1, PURPOSE_JITTER, PURPOSE_PORT, PURPOSE_PEER };

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
        /* Those of a fan-in start together. */
        const uint64_t key =
            item->pattern == TRAFFIC_PATTERN_FAN_IN
                ? destination
                : (uint64_t)source << 40 | (uint64_t)destination << 16 | qp;

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

/* Takes one of the '*n' numbers of 'list' out of it, which is not empty. */
static uint32_t
take_random(uint32_t *list, size_t *n, struct random *random)
{
    const size_t at = (size_t)random_below(random, *n);
    const uint32_t taken = list[at];

    list[at] = list[--*n];
    return taken;
}

/* To each host of 'to' 'n' random others of 'from' send. */
static enum st
add_fan_in(struct expansion *expansion)
{
    const struct traffic_spec *item = expansion->item;
    const size_t n_from = expansion->from.n;
    uint32_t *sources =
        arena_alloc(expansion->arena, n_from + 1, sizeof *sources);
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < expansion->to.n; i++) {
        const uint32_t destination = expansion->to.numbers[i];
        struct random random;
        size_t n = 0;

        for (size_t k = 0; k < n_from; k++) {
            if (expansion->from.numbers[k] != destination) {
                sources[n++] = expansion->from.numbers[k];
            }
        }
        if (item->n != QUANTITY_INFINITE && (size_t)item->n > n) {
            return scenario_fail(
                expansion->scenario, &item->place, expansion->err,
                "'n' of '%s' is %lld, but %s has %zu others", item->name,
                (long long)item->n,
                expansion->topology->nodes[destination].name, n);
        }
        random_init(&random, draw(expansion, PURPOSE_PEER, destination));
        for (int64_t k = 0; !st && n && k < item->n; k++) {
            st = add_pair(expansion, take_random(sources, &n, &random),
                          destination);
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

/* Collects the hosts that are as near to 'source' as the scope of the item
 * says. */
static size_t
find_near(const struct expansion *expansion, uint32_t source, uint32_t *found)
{
    const struct topology *topology = expansion->topology;
    size_t n = 0;

    for (uint32_t i = 0; i < topology->n_hosts; i++) {
        const uint32_t node = topology->n_switches + i;

        if (node != source && nearness_of(expansion->nearness, source, node) ==
                                  expansion->item->scope) {
            found[n++] = node;
        }
    }
    return n;
}

/* Each host sends to 'peers' random ones of the scope. */
static enum st
add_scope(struct expansion *expansion)
{
    static const char *const where[] = {"rack", "podset", "data center",
                                        "region"};
    const struct traffic_spec *item = expansion->item;
    const struct topology *topology = expansion->topology;
    uint32_t *near =
        arena_alloc(expansion->arena, topology->n_hosts + 1, sizeof *near);
    size_t n_pairs = 0;
    enum st st = ST_OK;

    if (!expansion->nearness) {
        expansion->nearness = nearness_create(topology, expansion->arena);
    }
    for (size_t i = 0; !st && i < expansion->from.n; i++) {
        const uint32_t source = expansion->from.numbers[i];
        size_t n = find_near(expansion, source, near);
        struct random random;

        random_init(&random, draw_of(expansion, (uint32_t)item->scope,
                                     PURPOSE_PEER, source));
        for (int64_t k = 0; !st && n && k < item->peers; k++) {
            st = add_pair(expansion, source, take_random(near, &n, &random));
            n_pairs++;
        }
    }
    if (!st && !n_pairs && !item->is_of_any_scope) {
        st = scenario_fail(expansion->scenario, &item->place, expansion->err,
                           "no host of '%s' has another one in its %s that is "
                           "not nearer",
                           item->name, where[item->scope]);
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

/* Leaves the one receiver of an incast out of its senders: "from: all" means
 * all others. */
static void
leave_out_receiver(struct expansion *expansion)
{
    struct reference_list *from = &expansion->from;
    size_t n = 0;

    if (expansion->item->pattern != TRAFFIC_PATTERN_INCAST ||
        expansion->to.n != 1) {
        return;
    }
    for (size_t i = 0; i < from->n; i++) {
        if (from->numbers[i] != expansion->to.numbers[0]) {
            from->numbers[n++] = from->numbers[i];
        }
    }
    from->n = n;
}

/* Finds the hosts that an item names. */
static enum st
find_hosts(struct expansion *expansion)
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
    if (!st) {
        leave_out_receiver(expansion);
    }
    return st;
}

static enum st
add_item(struct expansion *expansion)
{
    const struct traffic_spec *item = expansion->item;
    enum st st = find_hosts(expansion);

    if (!st && item->pattern == TRAFFIC_PATTERN_FAN_IN) {
        return add_fan_in(expansion);
    }
    if (!st) {
        st = take_first(expansion, &expansion->from, item->n);
    }
    if (!st && item->peers) {
        return add_scope(expansion);
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
