/* SPDX-License-Identifier: Apache-2.0 */

/* Finds what the names of a scenario refer to. */

#include <config.h>

#include "lab/builder/references.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "lab/builder/name_pattern.h"

/* How deep groups may consist of groups. */
enum { GROUP_DEPTH_MAX = 4 };

/* What looking names up needs. */
struct finder {
    const struct scenario *scenario;
    const struct topology *topology;
    struct arena *arena;
    struct err *err;
};

/* Lists -------------------------------------------------------------------- */

/* A list that grows, without duplicates. */
struct list {
    uint32_t *numbers;
    size_t n;
    bool *is_in; /* Of each node. */
};

static struct list
list_create(const struct finder *finder)
{
    size_t n = finder->topology->n_nodes + 1U;

    return (struct list){arena_alloc(finder->arena, n, sizeof(uint32_t)), 0,
                         arena_alloc(finder->arena, n, sizeof(bool))};
}

static void
list_add(struct list *list, uint32_t node)
{
    if (!list->is_in[node]) {
        list->is_in[node] = true;
        list->numbers[list->n++] = node;
    }
}

/* Fails because 'name' is none of the nodes from 'first' to before 'end', nor a
 * group. */
static enum st
fail_name(const struct finder *finder, const struct scenario_place *place,
          const char *what, const char *name, uint32_t first, uint32_t end)
{
    struct nearest nearest;
    char hint[NEAREST_HINT_SIZE];

    nearest_init(&nearest, name, strlen(name));
    for (uint32_t i = first; i < end && !name_pattern_is(name); i++) {
        nearest_try(&nearest, finder->topology->nodes[i].name);
    }
    for (size_t i = 1; i < finder->scenario->n_hosts; i++) {
        nearest_try(&nearest, finder->scenario->hosts[i].name);
    }
    return scenario_fail(finder->scenario, place, finder->err,
                         "there is no %s '%s'%s; the fabric has %s to %s", what,
                         name, nearest_hint(&nearest, hint),
                         finder->topology->nodes[first].name,
                         finder->topology->nodes[end - 1].name);
}

/* Adds the nodes from 'first' to before 'end' that 'pattern' matches, and
 * returns how many. */
static size_t
add_matches(const struct finder *finder, const char *pattern, uint32_t first,
            uint32_t end, struct list *list)
{
    size_t n = 0;

    for (uint32_t i = first; i < end; i++) {
        if (name_pattern_match(pattern, finder->topology->nodes[i].name)) {
            list_add(list, i);
            n++;
        }
    }
    return n;
}

static const struct host_spec *
find_group(const struct scenario *scenario, const char *name)
{
    for (size_t i = 1; i < scenario->n_hosts; i++) {
        if (!strcmp(scenario->hosts[i].name, name)) {
            return &scenario->hosts[i];
        }
    }
    return NULL;
}

/* Adds the hosts of one item.  'depth' bounds groups that name groups. */
static enum st
add_hosts(const struct finder *finder, const char *item,
          const struct scenario_place *place, struct list *list, int depth)
{
    const struct topology *topology = finder->topology;
    const struct host_spec *group = find_group(finder->scenario, item);
    uint32_t node;
    enum st st = ST_OK;

    if (!strcmp(item, "all")) {
        add_matches(finder, "*", topology->n_switches, topology->n_nodes, list);
        return ST_OK;
    }
    if (group && depth == GROUP_DEPTH_MAX) {
        return scenario_fail(finder->scenario, place, finder->err,
                             "group '%s' refers to itself, or to groups of "
                             "groups deeper than %d",
                             item, GROUP_DEPTH_MAX);
    }
    for (size_t i = 0; group && !st && i < group->of.n; i++) {
        st = add_hosts(finder, group->of.items[i], &group->of.place, list,
                       depth + 1);
    }
    if (group) {
        return st;
    }
    if (name_pattern_is(item)) {
        return add_matches(finder, item, topology->n_switches,
                           topology->n_nodes, list)
                   ? ST_OK
                   : fail_name(finder, place, "host that matches", item,
                               topology->n_switches, topology->n_nodes);
    }
    node = topology_find(topology, item);
    if (node == TOPOLOGY_NONE || node < topology->n_switches) {
        return fail_name(finder, place, "host", item, topology->n_switches,
                         topology->n_nodes);
    }
    list_add(list, node);
    return ST_OK;
}

enum st
references_hosts(const struct scenario *scenario,
                 const struct topology *topology,
                 const struct selector *selector, struct arena *arena,
                 struct reference_list *hosts, struct err *err)
{
    const struct finder finder = {scenario, topology, arena, err};
    struct list list;
    enum st st = ST_OK;

    if (!topology->n_hosts) {
        return scenario_fail(scenario, &selector->place, err,
                             "the fabric has no hosts");
    }
    list = list_create(&finder);
    if (!selector->n) {
        add_matches(&finder, "*", topology->n_switches, topology->n_nodes,
                    &list);
    }
    for (size_t i = 0; !st && i < selector->n; i++) {
        st = add_hosts(&finder, selector->items[i], &selector->place, &list, 0);
    }
    *hosts = (struct reference_list){list.numbers, list.n};
    return st;
}

/* Switches ----------------------------------------------------------------- */

enum st
references_switches(const struct scenario *scenario,
                    const struct topology *topology,
                    const struct selector *selector,
                    const struct scenario_place *place, struct arena *arena,
                    struct reference_list *switches, struct err *err)
{
    const struct finder finder = {scenario, topology, arena, err};
    struct list list = list_create(&finder);

    for (size_t i = 0; i < selector->n; i++) {
        const char *item = selector->items[i];
        const uint32_t node = topology_find(topology, item);

        if (node < topology->n_switches) {
            list_add(&list, node);
        } else if (!name_pattern_is(item) ||
                   !add_matches(&finder, item, 0, topology->n_switches,
                                &list)) {
            return fail_name(&finder, place, "switch", item, 0,
                             topology->n_switches);
        }
    }
    *switches = (struct reference_list){list.numbers, list.n};
    return ST_OK;
}

/* Links -------------------------------------------------------------------- */

/* Fails because the two ends of 'link' exist, but no such link. */
static enum st
fail_link(const struct finder *finder, const char *link,
          const struct scenario_place *place, uint32_t node)
{
    const struct topology *topology = finder->topology;
    const struct topology_port *port = topology_port(topology, node, 0);

    return scenario_fail(
        finder->scenario, place, finder->err,
        "there is no link '%s'; %s has %u link%s, such as "
        "%s.%s",
        link, topology->nodes[node].name, topology->nodes[node].n_ports,
        topology->nodes[node].n_ports == 1 ? "" : "s",
        topology->nodes[node].name, topology->nodes[port->peer].name);
}

static enum st
find_link(const struct finder *finder, const char *link,
          const struct scenario_place *place, uint32_t *number,
          unsigned int *end)
{
    const struct topology *topology = finder->topology;
    const char *dot = strchr(link, '.');
    const char *first, *second;
    uint32_t node;

    *number = topology_find_link(topology, link, end);
    if (*number != TOPOLOGY_NONE) {
        return ST_OK;
    }
    if (!dot) {
        return scenario_fail(finder->scenario, place, finder->err,
                             "'%s' is not a link: name its two ends, "
                             "NODE.NODE, such as %s.%s",
                             link, topology->nodes[topology->n_nodes - 1].name,
                             topology->nodes[0].name);
    }
    first = arena_strndup(finder->arena, link, (size_t)(dot - link));
    second = arena_strndup(finder->arena, dot + 1, strcspn(dot + 1, "."));
    node = topology_find(topology, first);
    if (node == TOPOLOGY_NONE) {
        return fail_name(finder, place, "switch or host", first, 0,
                         topology->n_nodes);
    }
    if (topology_find(topology, second) == TOPOLOGY_NONE) {
        return fail_name(finder, place, "switch or host", second, 0,
                         topology->n_nodes);
    }
    return fail_link(finder, link, place, node);
}

enum st
references_link(const struct scenario *scenario,
                const struct topology *topology, const char *link,
                const struct scenario_place *place, struct arena *arena,
                uint32_t *number, unsigned int *end, struct err *err)
{
    const struct finder finder = {scenario, topology, arena, err};

    return find_link(&finder, link, place, number, end);
}

/* Roles -------------------------------------------------------------------- */

enum st
references_host_specs(const struct scenario *scenario,
                      const struct topology *topology, struct arena *arena,
                      const struct host_spec ***specs, struct err *err)
{
    const struct host_spec **list =
        arena_alloc(arena, topology->n_hosts + 1U, sizeof *list);
    enum st st = ST_OK;

    for (uint32_t i = 0; i < topology->n_hosts; i++) {
        list[i] = &scenario->hosts[0];
    }
    for (size_t i = 1; !st && i < scenario->n_hosts; i++) {
        const struct host_spec *group = &scenario->hosts[i];
        struct reference_list hosts = {NULL, 0};

        st = references_hosts(scenario, topology, &group->of, arena, &hosts,
                              err);
        for (size_t k = 0; !st && k < hosts.n; k++) {
            list[hosts.numbers[k] - topology->n_switches] = group;
        }
    }
    *specs = list;
    return st;
}

/* Puts what 'over' says over '*role'. */
static void
merge_role(struct role_spec *role, const struct role_spec *over,
           struct arena *arena)
{
    struct config_field *set =
        arena_alloc(arena, role->n_set + over->n_set + 1, sizeof *set);

    for (size_t i = 0; i < role->n_set; i++) {
        set[i] = role->set[i];
    }
    for (size_t i = 0; i < over->n_set; i++) {
        set[role->n_set + i] = over->set[i];
    }
    role->set = set;
    role->n_set += over->n_set;
    role->config = over->config ? over->config : role->config;
    role->chip = over->chip ? over->chip : role->chip;
    role->chip_set = over->chip_set ? over->chip_set : role->chip_set;
    role->ports = over->ports ? over->ports : role->ports;
    if (over->pfc_response_ps >= 0) {
        role->pfc_response_ps = over->pfc_response_ps;
    }
    if (over->admission >= 0) {
        role->admission = over->admission;
    }
    if (over->has_watchdog) {
        role->has_watchdog = true;
        role->watchdog = over->watchdog;
    }
    if (over->has_vlan) {
        role->has_vlan = true;
        role->vlan = over->vlan;
    }
    if (over->has_ecmp) {
        role->has_ecmp = true;
        role->ecmp = over->ecmp;
    }
    role->place = over->place;
}

void
references_role(const struct scenario *scenario,
                const struct topology *topology, uint32_t node,
                struct arena *arena, struct role_spec *role)
{
    const struct fabric_spec *fabric = &scenario->fabric;
    const char *names[2] = {topology->nodes[node].role,
                            topology->nodes[node].name};

    *role = (struct role_spec){
        .name = names[0],
        .ecmp = fabric->ecmp,
        .pfc_response_ps = 0,
        .admission = -1,
        .place = fabric->place,
    };
    for (size_t level = 0; level < 2; level++) {
        for (size_t i = 0; i < fabric->n_roles; i++) {
            if (!strcmp(fabric->roles[i].name, names[level])) {
                merge_role(role, &fabric->roles[i], arena);
            }
        }
    }
}

/* Checks ------------------------------------------------------------------- */

/* Checks that each key of 'switch' is a role or a switch. */
static enum st
check_roles(const struct finder *finder)
{
    const struct topology *topology = finder->topology;
    const struct fabric_spec *fabric = &finder->scenario->fabric;

    for (size_t i = 0; i < fabric->n_roles; i++) {
        const struct role_spec *role = &fabric->roles[i];
        uint32_t found = topology_find(topology, role->name);
        struct nearest nearest;
        char hint[NEAREST_HINT_SIZE];
        bool is_role = false;

        nearest_init(&nearest, role->name, strlen(role->name));
        for (uint32_t k = 0; !is_role && k < topology->n_switches; k++) {
            is_role = !strcmp(topology->nodes[k].role, role->name);
            nearest_try(&nearest, topology->nodes[k].role);
            nearest_try(&nearest, topology->nodes[k].name);
        }
        if (!is_role && found >= topology->n_switches) {
            return scenario_fail(finder->scenario, &role->place, finder->err,
                                 "'%s' is neither a role nor a switch of this "
                                 "fabric%s",
                                 role->name, nearest_hint(&nearest, hint));
        }
    }
    return ST_OK;
}

static enum st
check_faults(const struct finder *finder)
{
    const struct scenario *scenario = finder->scenario;
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < scenario->n_faults; i++) {
        const struct fault_spec *fault = &scenario->faults[i];
        uint32_t link;

        st = find_link(finder, fault->link, &fault->place, &link, NULL);
    }
    return st;
}

static enum st
check_restarts(const struct finder *finder)
{
    const struct topology *topology = finder->topology;

    for (size_t i = 0; i < finder->scenario->n_restarts; i++) {
        const struct restart_spec *restart = &finder->scenario->restarts[i];

        if (topology_find(topology, restart->node) >= topology->n_switches) {
            return fail_name(finder, &restart->place, "switch", restart->node,
                             0, topology->n_switches);
        }
    }
    return ST_OK;
}

static enum st
check_repairs(const struct finder *finder)
{
    const struct scenario *scenario = finder->scenario;
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < scenario->n_repairs; i++) {
        struct reference_list hosts;

        st = references_hosts(scenario, finder->topology,
                              &scenario->repairs[i].hosts, finder->arena,
                              &hosts, finder->err);
    }
    return st;
}

/* Checks that an item is a node, a pattern of nodes, or a link. */
static enum st
check_place(const struct finder *finder, const char *item,
            const struct scenario_place *place)
{
    const struct topology *topology = finder->topology;
    struct list list;
    uint32_t link;

    if (strchr(item, '.') && !name_pattern_is(item)) {
        return find_link(finder, item, place, &link, NULL);
    }
    if (!strcmp(item, "all") ||
        topology_find(topology, item) != TOPOLOGY_NONE) {
        return ST_OK;
    }
    list = list_create(finder);
    if (name_pattern_is(item) &&
        add_matches(finder, item, 0, topology->n_nodes, &list)) {
        return ST_OK;
    }
    return fail_name(finder, place, "switch or host", item, 0,
                     topology->n_nodes);
}

/* Checks that an item is the name of an item of 'traffic'. */
static enum st
check_traffic_name(const struct finder *finder, const char *item,
                   const struct scenario_place *place)
{
    const struct scenario *scenario = finder->scenario;
    struct nearest nearest;
    char hint[NEAREST_HINT_SIZE];

    nearest_init(&nearest, item, strlen(item));
    for (size_t i = 0; i < scenario->n_traffic; i++) {
        if (!strcmp(scenario->traffic[i].name, item)) {
            return ST_OK;
        }
        nearest_try(&nearest, scenario->traffic[i].name);
    }
    return scenario_fail(scenario, place, finder->err,
                         "no item of 'traffic' is called '%s'%s", item,
                         nearest_hint(&nearest, hint));
}

static enum st
check_drift(const struct finder *finder)
{
    const struct drift_spec *drift = &finder->scenario->drift;
    const uint32_t n_switches = finder->topology->n_switches;

    return drift->switches <= n_switches
               ? ST_OK
               : scenario_fail(finder->scenario, &drift->place, finder->err,
                               "'drift' is of %u switches, and the fabric has "
                               "%u",
                               (unsigned int)drift->switches, n_switches);
}

static enum st
check_rollout(const struct finder *finder)
{
    const struct rollout_spec *rollout = &finder->scenario->rollout;
    bool *is_set = arena_alloc(finder->arena, finder->topology->n_switches + 1,
                               sizeof *is_set);
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < rollout->n_steps; i++) {
        const struct rollout_step *step = &rollout->steps[i];
        struct reference_list switches;
        bool adds = false;

        st = references_switches(finder->scenario, finder->topology,
                                 &step->switches, &step->place, finder->arena,
                                 &switches, finder->err);
        for (size_t k = 0; !st && k < switches.n; k++) {
            adds |= !is_set[switches.numbers[k]];
            is_set[switches.numbers[k]] = true;
        }
        if (!st && !adds) {
            st = scenario_fail(finder->scenario, &step->place, finder->err,
                               "step '%s' changes nothing: earlier steps have "
                               "all of its switches",
                               step->name);
        }
    }
    return st || !rollout->n_steps
               ? st
               : check_traffic_name(finder, rollout->guard.traffic,
                                    &rollout->place);
}

static enum st
check_record(const struct finder *finder)
{
    const struct record_spec *record = &finder->scenario->record;
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < record->pcap.at.n; i++) {
        uint32_t link;

        st = find_link(finder, record->pcap.at.items[i], &record->pcap.at.place,
                       &link, NULL);
    }
    for (size_t i = 0; !st && i < record->pcap.traffic.n; i++) {
        st = check_traffic_name(finder, record->pcap.traffic.items[i],
                                &record->pcap.traffic.place);
    }
    for (size_t i = 0; !st && i < record->n_series; i++) {
        const struct series_spec *series = &record->series[i];

        for (size_t k = 0; !st && k < series->at.n; k++) {
            st = check_place(finder, series->at.items[k], &series->at.place);
        }
        for (size_t k = 0; !st && k < series->of.n; k++) {
            st = check_traffic_name(finder, series->of.items[k],
                                    &series->of.place);
        }
    }
    return st;
}

static enum st
check_traffic(const struct finder *finder)
{
    const struct scenario *scenario = finder->scenario;
    struct reference_list hosts;
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < scenario->n_traffic; i++) {
        const struct traffic_spec *item = &scenario->traffic[i];

        st = references_hosts(scenario, finder->topology, &item->from,
                              finder->arena, &hosts, finder->err);
        if (!st) {
            st = references_hosts(scenario, finder->topology, &item->to,
                                  finder->arena, &hosts, finder->err);
        }
    }
    return st;
}

enum st
references_check(const struct scenario *scenario,
                 const struct topology *topology, struct arena *arena,
                 struct err *err)
{
    const struct finder finder = {scenario, topology, arena, err};
    const struct host_spec **specs;
    enum st st = check_roles(&finder);

    if (!st) {
        st = references_host_specs(scenario, topology, arena, &specs, err);
    }
    if (!st) {
        st = check_traffic(&finder);
    }
    if (!st) {
        st = check_faults(&finder);
    }
    st = st ? st : check_restarts(&finder);
    st = st ? st : check_repairs(&finder);
    st = st ? st : check_rollout(&finder);
    st = st ? st : check_drift(&finder);
    return st ? st : check_record(&finder);
}
