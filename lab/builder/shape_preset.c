/* SPDX-License-Identifier: Apache-2.0 */

/* Makes the nodes and links of a preset: a Clos network with up to four tiers
 * of switches (lab/scenario/fabric_spec.h). */

#include <config.h>

#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "lab/builder/shape.h"

static const char *const roles[FABRIC_TIERS] = {"t0", "t1", "t2", "rh"};

/* The state of making a fabric. */
struct maker {
    const struct fabric_spec *spec;
    const struct fabric_sizes *sizes;
    struct arena *arena;
    struct topology *topology;
    /* The number of the first node of each tier, and of the hosts. */
    uint32_t first[FABRIC_TIERS];
    uint32_t first_host;
};

/* How many levels of numbers names have in front of the last one. */
static bool
has_dc(const struct maker *maker)
{
    return maker->spec->preset == FABRIC_REGION;
}

static bool
has_podset(const struct maker *maker)
{
    return maker->spec->preset != FABRIC_STAR &&
           maker->spec->preset != FABRIC_CLOS;
}

/* Adds a node; 'n' numbers follow its role in the name. */
static struct topology_node *
add_node(struct maker *maker, const char *role, const int64_t *numbers,
         size_t n)
{
    struct topology_node *node =
        &maker->topology->nodes[maker->topology->n_nodes++];
    char name[64], *end = name;

    text_copy(name, sizeof name, role);
    end += strlen(name);
    for (size_t i = 0; i < n; i++) {
        text_format(end, sizeof name - (size_t)(end - name), "-%d",
                    (int)numbers[i]);
        end += strlen(end);
    }
    node->name = arena_strndup(maker->arena, name, (size_t)(end - name));
    node->role = role;
    node->dc = node->podset = -1;
    node->index = (int16_t)numbers[n - 1];
    return node;
}

/* Adds the switches of 'tier' of one podset (T0, T1), DC (T2) or region
 * (RH). */
static void
add_switches(struct maker *maker, int8_t tier, int64_t dc, int64_t podset,
             int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t numbers[3];
        size_t depth = 0;
        struct topology_node *node;

        if (has_dc(maker) && dc >= 0) {
            numbers[depth++] = dc;
        }
        if (has_podset(maker) && podset >= 0) {
            numbers[depth++] = podset;
        }
        numbers[depth++] = i;
        node = add_node(maker, roles[tier], numbers, depth);
        node->tier = tier;
        node->dc = (int16_t)dc;
        node->podset = (int16_t)podset;
    }
}

/* Adds all switches of 'tier', which exists 'n' times in each podset, DC or
 * region. */
static void
add_tier(struct maker *maker, int8_t tier, int64_t n)
{
    maker->first[tier] = maker->topology->n_nodes;
    if (tier == 3) {
        add_switches(maker, tier, -1, -1, n);
        return;
    }
    for (int64_t dc = 0; dc < maker->sizes->dcs; dc++) {
        if (tier == 2) {
            add_switches(maker, tier, dc, -1, n);
            continue;
        }
        for (int64_t podset = 0; podset < maker->sizes->podsets; podset++) {
            add_switches(maker, tier, dc, podset, n);
        }
    }
}

static void
add_hosts(struct maker *maker)
{
    uint32_t n_t0 = maker->first_host - maker->first[0];

    for (uint32_t t0 = 0; t0 < n_t0; t0++) {
        const struct topology_node *rack =
            &maker->topology->nodes[maker->first[0] + t0];

        for (int64_t i = 0; i < maker->sizes->hosts; i++) {
            int64_t numbers[4];
            size_t depth = 0;
            struct topology_node *node;

            if (has_dc(maker)) {
                numbers[depth++] = rack->dc;
            }
            if (has_podset(maker)) {
                numbers[depth++] = rack->podset;
            }
            numbers[depth++] = rack->index;
            numbers[depth++] = i;
            node = add_node(maker, "h", numbers, depth);
            node->role = "host";
            node->is_host = true;
            node->tier = TOPOLOGY_HOST_TIER;
        }
    }
}

/* Adds the links of 'level' between two nodes, given with the lower one
 * first. */
static void
add_links(struct maker *maker, enum fabric_level level, int64_t dc,
          uint32_t lower, uint32_t upper)
{
    const struct level_spec *spec = &maker->spec->levels[level];

    for (int64_t i = 0; i < spec->parallel; i++) {
        struct topology_link *link =
            &maker->topology->links[maker->topology->n_links++];

        link->node[0] = lower;
        link->node[1] = upper;
        link->rate_bps = (uint64_t)spec->rate_bps;
        link->length_mm =
            (uint64_t)spec->length_mm[spec->n_lengths > 1 ? dc : 0];
        link->macsec = spec->macsec;
        link->credits = spec->credits;
        link->errors = spec->errors;
    }
}

/* Connects the T2 of a DC, from 'first' on, with all RH. */
static void
connect_t2(struct maker *maker, int64_t dc, uint32_t first)
{
    for (uint32_t t2 = 0; t2 < maker->sizes->t2; t2++) {
        for (uint32_t rh = 0; rh < maker->sizes->rh; rh++) {
            add_links(maker, FABRIC_LEVEL_T2_RH, dc, first + t2,
                      maker->first[3] + rh);
        }
    }
}

/* Connects T1 number 'i' of a podset, which is node 'lower', with the T2 of its
 * DC, from 'first' on. */
static void
connect_t1(struct maker *maker, int64_t dc, uint32_t i, uint32_t lower,
           uint32_t first)
{
    uint32_t n = (uint32_t)maker->sizes->t2;

    if (maker->sizes->planes && n) {
        n /= (uint32_t)maker->sizes->t1;
        first += i * n;
    }
    for (uint32_t t2 = 0; t2 < n; t2++) {
        add_links(maker, FABRIC_LEVEL_T1_T2, dc, lower, first + t2);
    }
}

/* Connects the switches of podset 'number' (over all DCs) upwards, and its
 * hosts. */
static void
connect_podset(struct maker *maker, int64_t dc, uint32_t number,
               uint32_t first_t2)
{
    uint32_t n_t0 = (uint32_t)maker->sizes->t0;
    uint32_t n_t1 = (uint32_t)maker->sizes->t1;
    uint32_t n_hosts = (uint32_t)maker->sizes->hosts;
    uint32_t t0 = maker->first[0] + number * n_t0;
    uint32_t t1 = maker->first[1] + number * n_t1;
    uint32_t host = maker->first_host + number * n_t0 * n_hosts;

    for (uint32_t i = 0; i < n_t1; i++) {
        connect_t1(maker, dc, i, t1 + i, first_t2);
    }
    for (uint32_t i = 0; i < n_t0; i++) {
        for (uint32_t k = 0; k < n_t1; k++) {
            add_links(maker, FABRIC_LEVEL_T0_T1, dc, t0 + i, t1 + k);
        }
        for (uint32_t k = 0; k < n_hosts; k++) {
            add_links(maker, FABRIC_LEVEL_HOST, dc, host++, t0 + i);
        }
    }
}

static void
connect_all(struct maker *maker)
{
    uint32_t podset = 0;

    for (int64_t dc = 0; dc < maker->sizes->dcs; dc++) {
        uint32_t first_t2 = maker->first[2] + (uint32_t)(dc * maker->sizes->t2);

        connect_t2(maker, dc, first_t2);
        for (int64_t i = 0; i < maker->sizes->podsets; i++) {
            connect_podset(maker, dc, podset++, first_t2);
        }
    }
}

/* The sizes of everything, bounded by the ranges of the keys: below 2^60. */
struct totals {
    int64_t switches, hosts, links;
};

static struct totals
count(const struct fabric_spec *spec)
{
    const struct fabric_sizes *sizes = &spec->sizes;
    int64_t podsets = sizes->dcs * sizes->podsets;
    int64_t t0 = podsets * sizes->t0, t1 = podsets * sizes->t1;
    int64_t t2 = sizes->dcs * sizes->t2;
    int64_t t2_of_t1 =
        sizes->planes && sizes->t1 ? sizes->t2 / sizes->t1 : sizes->t2;

    return (struct totals){
        .switches = t0 + t1 + t2 + sizes->rh,
        .hosts = t0 * sizes->hosts,
        .links = t0 * sizes->hosts * spec->levels[FABRIC_LEVEL_HOST].parallel +
                 t0 * sizes->t1 * spec->levels[FABRIC_LEVEL_T0_T1].parallel +
                 t1 * t2_of_t1 * spec->levels[FABRIC_LEVEL_T1_T2].parallel +
                 t2 * sizes->rh * spec->levels[FABRIC_LEVEL_T2_RH].parallel,
    };
}

static enum st
check_totals(const struct fabric_spec *spec, const struct totals *totals,
             const char *file, struct err *err)
{
    const char *what = NULL;
    int64_t n = 0, max = 0;

    if (totals->switches > FABRIC_SWITCHES_MAX) {
        what = "switches";
        n = totals->switches;
        max = FABRIC_SWITCHES_MAX;
    } else if (totals->hosts > FABRIC_HOSTS_MAX) {
        what = "hosts";
        n = totals->hosts;
        max = FABRIC_HOSTS_MAX;
    } else if (totals->links > FABRIC_LINKS_MAX) {
        what = "links";
        n = totals->links;
        max = FABRIC_LINKS_MAX;
    }
    if (what) {
        return err_set(err, ST_INVALID, "topology",
                       "%s:%u:%u: the fabric has %lld %s; at most %lld", file,
                       spec->place.line, spec->place.column, (long long)n, what,
                       (long long)max);
    }
    if (spec->levels[FABRIC_LEVEL_HOST].parallel > 1) {
        return err_set(err, ST_INVALID, "topology",
                       "%s:%u:%u: a host has one link, not %lld", file,
                       spec->place.line, spec->place.column,
                       (long long)spec->levels[FABRIC_LEVEL_HOST].parallel);
    }
    return ST_OK;
}

enum st
shape_preset(const struct fabric_spec *spec, const char *file,
             struct arena *arena, struct topology *topology, struct err *err)
{
    struct totals totals = count(spec);
    struct maker maker = {
        .spec = spec,
        .sizes = &spec->sizes,
        .arena = arena,
        .topology = topology,
    };
    enum st st = check_totals(spec, &totals, file, err);

    if (st) {
        return st;
    }
    topology->nodes =
        arena_alloc(arena, (size_t)(totals.switches + totals.hosts),
                    sizeof *topology->nodes);
    topology->links =
        arena_alloc(arena, (size_t)totals.links, sizeof *topology->links);
    topology->has_tiers = true;
    add_tier(&maker, 3, spec->sizes.rh);
    add_tier(&maker, 2, spec->sizes.t2);
    add_tier(&maker, 1, spec->sizes.t1);
    add_tier(&maker, 0, spec->sizes.t0);
    maker.first_host = topology->n_nodes;
    add_hosts(&maker);
    topology->n_switches = maker.first_host;
    topology->n_hosts = topology->n_nodes - maker.first_host;
    orch_assert(topology->n_switches == totals.switches &&
                topology->n_hosts == totals.hosts);
    connect_all(&maker);
    orch_assert(topology->n_links == totals.links);
    return ST_OK;
}
