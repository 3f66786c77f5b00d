/* SPDX-License-Identifier: Apache-2.0 */

/* What several nodes of a fabric share in one instant.  Parts of a fabric that
 * are at different times, as those of ranks and lanes, cannot have it. */

#include <config.h>

#include "lab/exec/run_state.h"

/* These return the name of what is shared, NULL if nothing is. */

static const char *
find_in_scenario(const struct scenario *scenario)
{
    const struct {
        bool is_there;
        const char *name;
    } features[] = {
        {scenario->n_faults > 0, "faults"},
        {scenario->n_restarts > 0, "restarts"},
        {scenario->n_repairs > 0, "repairs"},
        {scenario->rollout.n_steps > 0, "rollout"},
        {scenario->drift.switches > 0, "drift"},
        {scenario->n_pcie_switches > 0, "pcie_switches"},
        {scenario->record.deadlocks_ps > 0, "record: deadlocks"},
        {scenario->record.gaps_ps > 0, "record: gaps"},
        {scenario->record.estats.every_ps > 0, "record: estats"},
        {scenario->record.pcap.at.n > 0, "record: pcap"},
    };

    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
        if (features[i].is_there) {
            return features[i].name;
        }
    }
    return NULL;
}

static const char *
find_in_link(const struct topology_link *link)
{
    const bool has_errors = link->errors.llr || link->errors.ber.numerator;

    return link->macsec    ? "macsec"
           : link->credits ? "credits"
           : has_errors    ? "ber or llr"
                           : NULL;
}

static const char *
find_in_switch(const struct role_spec *role)
{
    return role->vlan.enabled       ? "vlan"
           : role->watchdog.enabled ? "watchdog"
                                    : NULL;
}

static const char *
find_in_host(const struct host_spec *host)
{
    return host->card.enabled ? "card" : host->cpu.enabled ? "cpu" : NULL;
}

static const char *
find_in_traffic(const struct traffic_spec *traffic)
{
    return traffic->kind == TRAFFIC_RC && traffic->verb == TRAFFIC_VERB_READ
               ? "verb: read"
           : traffic->kind == TRAFFIC_SRD             ? "srd"
           : traffic->disk                            ? "disk"
           : traffic->kind == TRAFFIC_SU_RDMA         ? "su_rdma"
           : traffic->kind == TRAFFIC_SK_RDMA         ? "sk_rdma"
           : traffic->compute_ps != QUANTITY_INFINITE ? "compute"
                                                      : NULL;
}

const char *
run_find_shared(const struct run *run, const struct scenario_place **place)
{
    const struct scenario *scenario = run->scenario;
    const struct topology *topology = run->topology;
    const char *name = find_in_scenario(scenario);

    *place = &scenario->fabric.place;
    for (uint32_t i = 0; !name && i < topology->n_links; i++) {
        name = find_in_link(&topology->links[i]);
    }
    for (uint32_t i = 0; !name && i < topology->n_switches; i++) {
        const struct role_spec *role = run->experiment->switches[i];

        *place = role->place.line ? &role->place : &scenario->fabric.place;
        name = find_in_switch(role);
    }
    for (uint32_t i = 0; !name && i < topology->n_hosts; i++) {
        *place = &run->experiment->hosts[i]->place;
        name = find_in_host(run->experiment->hosts[i]);
    }
    for (size_t i = 0; !name && i < scenario->n_traffic; i++) {
        *place = &scenario->traffic[i].place;
        name = find_in_traffic(&scenario->traffic[i]);
    }
    return name;
}
