/* SPDX-License-Identifier: Apache-2.0 */

/* Numbers the nodes and links of a fabric in canonical order, and gives them
 * ports, entities and addresses. */

#include <config.h>

#include "lab/builder/topology.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/digest.h"
#include "base/parse.h"
#include "base/text.h"
#include "lab/builder/shape.h"

enum {
    HOST_NETWORK = 10,
    HOST_BITS = 24,
    ROOM_STEP = 64,
    /* Addresses 0 and 1 of a rack: the network and the T0. */
    RACK_RESERVED = 2,
};

#define LINK_NETWORK UINT32_C(0x64400000) /* 100.64.0.0/10 */
#define HOST_MAC     UINT64_C(0x020000000000)
#define SWITCH_MAC   UINT64_C(0x020100000000)

/* Names -------------------------------------------------------------------- */

/* An open hash table; a slot holds a node number plus 1. */
struct name_index {
    uint32_t *slots;
    uint32_t mask;
};

static void
index_names(struct topology *topology, struct arena *arena)
{
    struct name_index *names = arena_alloc(arena, 1, sizeof *names);
    uint32_t size = 16;

    while (size < 2 * topology->n_nodes) {
        size *= 2;
    }
    names->mask = size - 1;
    names->slots = arena_alloc(arena, size, sizeof *names->slots);
    for (uint32_t i = 0; i < topology->n_nodes; i++) {
        uint32_t slot =
            (uint32_t)digest_text(DIGEST_START, topology->nodes[i].name);

        while (names->slots[slot & names->mask]) {
            slot++;
        }
        names->slots[slot & names->mask] = i + 1;
    }
    topology->names = names;
}

uint32_t
topology_find(const struct topology *topology, const char *name)
{
    const struct name_index *names = topology->names;
    uint32_t slot = (uint32_t)digest_text(DIGEST_START, name);

    for (;; slot++) {
        uint32_t found = names->slots[slot & names->mask];

        if (!found) {
            return TOPOLOGY_NONE;
        }
        if (!strcmp(topology->nodes[found - 1].name, name)) {
            return found - 1;
        }
    }
}

/* Returns link number 'parallel' between two nodes. */
static uint32_t
find_between(const struct topology *topology, uint32_t first, uint32_t second,
             uint64_t parallel)
{
    const struct topology_node *node = &topology->nodes[first];

    for (uint32_t i = 0; i < node->n_ports; i++) {
        const struct topology_port *port = topology_port(topology, first, i);

        if (port->peer == second &&
            topology->links[port->link].parallel == parallel) {
            return port->link;
        }
    }
    return TOPOLOGY_NONE;
}

uint32_t
topology_find_link(const struct topology *topology, const char *name,
                   unsigned int *end)
{
    char text[160];
    char *second, *third;
    uint64_t parallel = 0;
    uint32_t nodes[2], link;

    if (!text_copy(text, sizeof text, name)) {
        return TOPOLOGY_NONE;
    }
    second = strchr(text, '.');
    if (!second) {
        return TOPOLOGY_NONE;
    }
    *second++ = '\0';
    third = strchr(second, '.');
    if (third) {
        *third++ = '\0';
        if (parse_u64(third, 0, UINT16_MAX, &parallel)) {
            return TOPOLOGY_NONE;
        }
    }
    nodes[0] = topology_find(topology, text);
    nodes[1] = topology_find(topology, second);
    if (nodes[0] == TOPOLOGY_NONE || nodes[1] == TOPOLOGY_NONE) {
        return TOPOLOGY_NONE;
    }
    link = find_between(topology, nodes[0], nodes[1], parallel);
    if (link != TOPOLOGY_NONE && end) {
        *end = topology->links[link].node[0] != nodes[0];
    }
    return link;
}

const struct topology_port *
topology_port(const struct topology *topology, uint32_t node, uint32_t port)
{
    orch_assert(port < topology->nodes[node].n_ports);
    return &topology->ports[topology->nodes[node].first_port + port];
}

uint32_t
topology_entity(const struct topology *topology, uint32_t node, uint32_t port)
{
    return topology->nodes[node].entity + port;
}

/* Ports -------------------------------------------------------------------- */

/* Returns a number that tells what is different about MACsec of links; 0:
 * none. */
static uint16_t
macsec_digest(const struct topology_link *link)
{
    const struct macsec_spec *macsec = link->macsec;
    unsigned int digest = 1;

    for (unsigned int e = 0; macsec && e < 2; e++) {
        const unsigned int of = e ^ link->is_swapped;

        digest = 8 * digest + 4 * (unsigned int)macsec->sends[of] +
                 (unsigned int)macsec->accepts[of];
    }
    return macsec ? (uint16_t)digest : 0;
}

static uint64_t
digest_number(uint64_t digest, uint64_t number)
{
    return digest_bytes(digest, &number, sizeof number);
}

/* Returns a number that tells what is different about errors of links and their
 * retry; 0: there are none. */
static uint64_t
errors_digest(const struct topology_link *link)
{
    const struct error_spec *errors = &link->errors;
    const struct llr_spec *llr = errors->llr;
    uint64_t digest = DIGEST_START;

    if (!errors->ber.numerator && !llr) {
        return 0;
    }
    digest = digest_number(digest, (uint64_t)errors->ber.numerator);
    digest = digest_number(digest, (uint64_t)errors->ber.denominator);
    digest = digest_number(digest, (uint64_t)errors->burst_bits);
    if (llr) {
        digest = digest_number(digest, (uint64_t)llr->window_bytes);
        digest = digest_number(digest, (uint64_t)llr->window_frames);
        digest = digest_number(digest, (uint64_t)llr->timer_ps);
        digest = digest_number(digest, (uint64_t)llr->replays);
        digest = digest_number(digest, (uint64_t)llr->spacing_bytes);
        digest = digest_number(digest, (uint64_t)llr->in_init);
        digest = digest_number(digest, (uint64_t)llr->in_flush);
        digest = digest_number(digest, llr->reinit);
    }
    return digest;
}

/* The same of credits. */
static uint64_t
credits_digest(const struct topology_link *link)
{
    const struct credit_spec *credits = link->credits;
    uint64_t digest = DIGEST_START;

    if (!credits) {
        return 0;
    }
    digest = digest_number(digest, credits->priorities);
    digest = digest_number(digest, (uint64_t)credits->limit_bytes);
    digest = digest_number(digest, (uint64_t)credits->total_bytes);
    digest = digest_number(digest, (uint64_t)credits->frame_bytes);
    digest = digest_number(digest, (uint64_t)credits->size_bytes);
    digest = digest_number(digest, (uint64_t)credits->overhead_bytes);
    digest = digest_number(digest, (uint64_t)credits->cf_min_bytes);
    digest = digest_number(digest, (uint64_t)credits->cf_max_bytes);
    digest = digest_number(digest, (uint64_t)credits->shared_bytes);
    digest = digest_number(digest, (uint64_t)credits->share_bytes);
    digest = digest_number(digest, (uint64_t)credits->alpha);
    return digest_number(digest, (uint64_t)credits->cc_timer_ps);
}

/* By the ends, then by what differs between parallel links. */
static int
compare_links(const void *left, const void *right)
{
    const struct topology_link *a = left, *b = right;

    for (int i = 0; i < 2; i++) {
        if (a->node[i] != b->node[i]) {
            return a->node[i] < b->node[i] ? -1 : 1;
        }
    }
    if (a->rate_bps != b->rate_bps) {
        return a->rate_bps < b->rate_bps ? -1 : 1;
    }
    if (a->length_mm != b->length_mm) {
        return a->length_mm < b->length_mm ? -1 : 1;
    }
    if (macsec_digest(a) != macsec_digest(b)) {
        return (int)macsec_digest(a) - (int)macsec_digest(b);
    }
    if (errors_digest(a) != errors_digest(b)) {
        return errors_digest(a) < errors_digest(b) ? -1 : 1;
    }
    return (credits_digest(a) > credits_digest(b)) -
           (credits_digest(a) < credits_digest(b));
}

static bool
is_sorted(const struct topology *topology)
{
    for (uint32_t i = 1; i < topology->n_links; i++) {
        if (compare_links(&topology->links[i - 1], &topology->links[i]) > 0) {
            return false;
        }
    }
    return true;
}

/* Sorts the links and numbers the parallel ones. */
static void
order_links(struct topology *topology)
{
    if (!is_sorted(topology)) {
        qsort(topology->links, topology->n_links, sizeof *topology->links,
              compare_links);
    }
    for (uint32_t i = 1; i < topology->n_links; i++) {
        const struct topology_link *before = &topology->links[i - 1];
        struct topology_link *link = &topology->links[i];

        if (before->node[0] == link->node[0] &&
            before->node[1] == link->node[1]) {
            link->parallel = (uint16_t)(before->parallel + 1);
        }
    }
}

/* Gives each link a port at both ends.  A node has the numbers of its upper
 * peers first, then those of its lower ones: links are sorted by their lower
 * end, so one pass over them, for the upper ends of all, meets the lower peers
 * of a node in order; the links of which it is itself the lower end are
 * consecutive, and sorted by the upper end. */
static void
assign_ports(struct topology *topology, struct arena *arena)
{
    uint32_t *next = arena_alloc(arena, topology->n_nodes + 1, sizeof *next);

    for (uint32_t i = 0; i < topology->n_links; i++) {
        topology->nodes[topology->links[i].node[0]].n_ports++;
        topology->nodes[topology->links[i].node[1]].n_ports++;
    }
    for (uint32_t i = 0; i < topology->n_nodes; i++) {
        topology->nodes[i].first_port = topology->n_ports;
        topology->n_ports += topology->nodes[i].n_ports;
    }
    topology->ports =
        arena_alloc(arena, topology->n_ports + 1, sizeof *topology->ports);
    for (int end = 0; end < 2; end++) {
        for (uint32_t i = 0; i < topology->n_links; i++) {
            struct topology_link *link = &topology->links[i];

            link->port[end] = next[link->node[end]]++;
        }
    }
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct topology_link *link = &topology->links[i];

        for (int end = 0; end < 2; end++) {
            const struct topology_node *node =
                &topology->nodes[link->node[end]];

            topology->ports[node->first_port + link->port[end]] =
                (struct topology_port){i, link->node[!end], link->port[!end]};
        }
    }
}

/* Entities and addresses --------------------------------------------------- */

static enum st fail(const char *file, const struct scenario_place *place,
                    struct err *err, const char *format, ...) ST_PRINTF(4, 5);

static enum st
fail(const char *file, const struct scenario_place *place, struct err *err,
     const char *format, ...)
{
    char reason[sizeof err->reason];
    va_list args;

    va_start(args, format);
    text_vformat(reason, sizeof reason, format, args);
    va_end(args);
    return err_set(err, ST_INVALID, "topology", "%s:%u:%u: %s", file,
                   place->line, place->column, reason);
}

/* Returns how many ports the scenario keeps for 'node', 0 if it does not say.
 */
static const struct role_spec *
find_ports(const struct fabric_spec *spec, const struct topology_node *node)
{
    const struct role_spec *found = NULL;

    for (size_t i = 0; i < spec->n_roles; i++) {
        const struct role_spec *role = &spec->roles[i];

        if (role->ports && !strcmp(role->name, node->name)) {
            return role;
        }
        if (role->ports && !strcmp(role->name, node->role)) {
            found = role;
        }
    }
    return found;
}

static enum st
assign_entities(struct topology *topology, const struct fabric_spec *spec,
                const char *file, struct err *err)
{
    uint32_t next = 1;

    for (uint32_t i = 0; i < topology->n_nodes; i++) {
        struct topology_node *node = &topology->nodes[i];
        const struct role_spec *role =
            node->is_host || !spec->n_roles ? NULL : find_ports(spec, node);

        if (node->n_ports > FABRIC_PORTS_MAX) {
            return fail(file, &spec->place, err,
                        "%s has %u links; a switch has at most %d ports",
                        node->name, node->n_ports, FABRIC_PORTS_MAX);
        }
        if (role && role->ports < node->n_ports) {
            return fail(file, &role->place, err,
                        "'ports' is %d, but %s has %u links", (int)role->ports,
                        node->name, node->n_ports);
        }
        node->room = 1;
        if (!node->is_host) {
            node->room =
                role ? (uint32_t)role->ports
                     : (node->n_ports + ROOM_STEP - 1U) / ROOM_STEP * ROOM_STEP;
        }
        node->entity = next;
        next += node->room;
        node->mac = (node->is_host ? HOST_MAC : SWITCH_MAC) | i;
    }
    topology->n_entities = next;
    return ST_OK;
}

void
topology_set_rooms(struct topology *topology, topology_room_fn *room,
                   void *context)
{
    uint32_t next = 1;

    for (uint32_t i = 0; i < topology->n_nodes; i++) {
        struct topology_node *node = &topology->nodes[i];

        if (!node->is_host) {
            node->room = room(context, i);
            orch_assert(node->room >= node->n_ports);
        }
        node->entity = next;
        next += node->room;
    }
    topology->n_entities = next;
}

static uint8_t
bits_for(uint64_t n)
{
    uint8_t bits = 0;

    while (UINT64_C(1) << bits < n) {
        bits++;
    }
    return bits;
}

/* The widths of the fields of a host's address. */
struct address_plan {
    uint8_t dc, podset, t0, host;
    uint32_t n_podsets; /* Of each DC. */
};

/* Counts the hosts of each T0, and the T0 with hosts of a graph. */
static struct address_plan
plan_addresses(const struct topology *topology, const struct fabric_spec *spec)
{
    struct address_plan plan = {.n_podsets = 1};
    uint32_t most = 0, n_racks = 0;

    if (spec->preset != FABRIC_GRAPH) {
        plan.n_podsets = (uint32_t)spec->sizes.podsets;
        plan.dc = bits_for((uint64_t)spec->sizes.dcs);
        plan.podset = bits_for(plan.n_podsets);
        plan.t0 = bits_for((uint64_t)spec->sizes.t0);
        plan.host = bits_for((uint64_t)spec->sizes.hosts + RACK_RESERVED);
        return plan;
    }
    for (uint32_t i = 0; i < topology->n_switches; i++) {
        uint32_t n = 0;

        for (uint32_t k = 0; k < topology->nodes[i].n_ports; k++) {
            n += topology->nodes[topology_port(topology, i, k)->peer].is_host;
        }
        n_racks += n > 0;
        most = n > most ? n : most;
    }
    plan.t0 = bits_for(n_racks);
    plan.host = bits_for((uint64_t)most + RACK_RESERVED);
    return plan;
}

/* Gives switch 'number' and its hosts the addresses of rack 'rack'. */
static void
address_rack(struct topology *topology, uint32_t number, uint32_t rack,
             const struct address_plan *plan)
{
    struct topology_node *node = &topology->nodes[number];
    uint32_t next = RACK_RESERVED;

    node->rack.address =
        (uint32_t)HOST_NETWORK << HOST_BITS | rack << plan->host;
    node->rack.length = (uint8_t)(32 - plan->host);
    node->address = node->rack.address + 1;
    for (uint32_t i = 0; i < node->n_ports; i++) {
        struct topology_node *peer =
            &topology->nodes[topology_port(topology, number, i)->peer];

        if (peer->is_host) {
            peer->address = node->rack.address + next++;
            peer->dc = node->dc;
            peer->podset = node->podset;
        }
    }
}

/* Fills the prefixes of DCs and podsets. */
static void
fill_prefixes(struct topology *topology, const struct address_plan *plan,
              uint32_t n_dcs, struct arena *arena)
{
    uint8_t podset_bits = (uint8_t)(plan->t0 + plan->host);
    uint8_t dc_bits = (uint8_t)(podset_bits + plan->podset);
    const uint32_t network = (uint32_t)HOST_NETWORK << HOST_BITS;

    topology->n_dcs = n_dcs;
    topology->n_podsets = n_dcs * plan->n_podsets;
    topology->dc_prefixes =
        arena_alloc(arena, n_dcs, sizeof *topology->dc_prefixes);
    topology->podset_prefixes = arena_alloc(arena, topology->n_podsets,
                                            sizeof *topology->podset_prefixes);
    for (uint32_t dc = 0; dc < n_dcs; dc++) {
        topology->dc_prefixes[dc] =
            (struct prefix){network | dc << dc_bits, (uint8_t)(32 - dc_bits)};
        for (uint32_t i = 0; i < plan->n_podsets; i++) {
            topology->podset_prefixes[dc * plan->n_podsets + i] =
                (struct prefix){network | dc << dc_bits | i << podset_bits,
                                (uint8_t)(32 - podset_bits)};
        }
    }
}

static enum st
assign_addresses(struct topology *topology, const struct fabric_spec *spec,
                 const char *file, struct arena *arena, struct err *err)
{
    struct address_plan plan = plan_addresses(topology, spec);
    bool is_graph = spec->preset == FABRIC_GRAPH;
    uint32_t next = 0;

    if (plan.dc + plan.podset + plan.t0 + plan.host > HOST_BITS) {
        return fail(file, &spec->place, err,
                    "the hosts need %d bits of address; 10.0.0.0/8 has %d",
                    plan.dc + plan.podset + plan.t0 + plan.host, HOST_BITS);
    }
    fill_prefixes(topology, &plan, is_graph ? 1 : (uint32_t)spec->sizes.dcs,
                  arena);
    for (uint32_t i = 0; i < topology->n_switches; i++) {
        struct topology_node *node = &topology->nodes[i];
        bool has_hosts =
            node->n_ports &&
            topology
                ->nodes[topology_port(topology, i, node->n_ports - 1U)->peer]
                .is_host;

        if (has_hosts && is_graph) {
            node->dc = node->podset = 0;
            address_rack(topology, i, next++, &plan);
        } else if (has_hosts) {
            int rack = (node->dc << plan.podset) + node->podset;

            address_rack(topology, i,
                         (uint32_t)((rack << plan.t0) + node->index), &plan);
        }
    }
    for (uint32_t i = 0; i < topology->n_links; i++) {
        if (!topology->nodes[topology->links[i].node[0]].is_host) {
            topology->links[i].address[0] = LINK_NETWORK + 2 * i;
            topology->links[i].address[1] = LINK_NETWORK + 2 * i + 1;
        }
    }
    return ST_OK;
}

enum st
topology_build(const struct fabric_spec *spec, const char *file,
               struct arena *arena, struct topology *topology, struct err *err)
{
    enum st st;

    *topology = (struct topology){0};
    st = spec->preset == FABRIC_GRAPH
             ? shape_graph(spec, file, arena, topology, err)
             : shape_preset(spec, file, arena, topology, err);
    if (!st) {
        index_names(topology, arena);
        order_links(topology);
        assign_ports(topology, arena);
        st = assign_entities(topology, spec, file, err);
    }
    return st ? st : assign_addresses(topology, spec, file, arena, err);
}

/* Checks ------------------------------------------------------------------- */

uint64_t
topology_digest(const struct topology *topology)
{
    uint64_t digest = DIGEST_START;

    for (uint32_t i = 0; i < topology->n_nodes; i++) {
        const struct topology_node *node = &topology->nodes[i];

        digest = digest_text(digest, node->name);
        digest = digest_text(digest, node->role);
        digest = digest_number(digest, (uint64_t)(node->tier + 1));
        digest = digest_number(digest, node->n_ports);
        digest = digest_number(digest, node->entity);
        digest = digest_number(digest, node->address);
        digest = digest_number(digest, node->rack.length);
        digest = digest_number(digest, node->mac);
    }
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct topology_link *link = &topology->links[i];

        for (int end = 0; end < 2; end++) {
            digest = digest_number(digest, link->node[end]);
            digest = digest_number(digest, link->port[end]);
            digest = digest_number(digest, link->address[end]);
        }
        digest = digest_number(digest, link->rate_bps);
        digest = digest_number(digest, link->length_mm);
        digest = digest_number(digest, macsec_digest(link));
        if (errors_digest(link)) {
            digest = digest_number(digest, errors_digest(link));
        }
        if (link->credits) {
            digest = digest_number(digest, credits_digest(link));
        }
    }
    return digest;
}

/* Asserts that the ports of 'node' lead to its peers and back, in order. */
static void
check_ports(const struct topology *topology, uint32_t number)
{
    const struct topology_node *node = &topology->nodes[number];

    for (uint32_t i = 0; i < node->n_ports; i++) {
        const struct topology_port *port = topology_port(topology, number, i);
        const struct topology_link *link = &topology->links[port->link];
        const struct topology_port *back =
            topology_port(topology, port->peer, port->peer_port);
        int end = link->node[1] == number;

        orch_assert(link->node[end] == number && link->port[end] == i);
        orch_assert(back->peer == number && back->peer_port == i);
        orch_assert(link->node[0] > link->node[1]);
        if (i) {
            const struct topology_port *before =
                topology_port(topology, number, i - 1);

            orch_assert(before->peer <= port->peer);
        }
    }
}

void
topology_check(const struct topology *topology)
{
    uint32_t entity = 1;

    orch_assert(topology->n_nodes == topology->n_switches + topology->n_hosts);
    for (uint32_t i = 0; i < topology->n_nodes; i++) {
        const struct topology_node *node = &topology->nodes[i];

        orch_assert(node->is_host == (i >= topology->n_switches));
        orch_assert(node->entity == entity && node->room >= node->n_ports);
        orch_assert(topology_find(topology, node->name) == i);
        orch_assert(!node->is_host || (node->n_ports == 1 && node->address));
        if (i && topology->nodes[i - 1].tier == node->tier) {
            orch_assert(shape_compare_names(topology->nodes[i - 1].name,
                                            node->name) < 0);
        }
        entity += node->room;
        check_ports(topology, i);
    }
    orch_assert(entity == topology->n_entities && entity < 1U << 28);
}
