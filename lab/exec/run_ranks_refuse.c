/* SPDX-License-Identifier: Apache-2.0 */

/* Scenarios that several ranks cannot run, because a part of them acts on, or
 * looks at, nodes of different ranks at one instant. */

#include <config.h>

#include "lab/exec/run_ranks_state.h"

const char *
run_ranks_find_refused__(const struct run *run,
                         const struct scenario_place **place)
{
    const struct scenario *scenario = run->scenario;
    const struct {
        bool is_there;
        const char *name;
    } features[] = {
        {scenario->n_faults > 0, "faults"},
        {scenario->n_restarts > 0, "restarts"},
        {scenario->rollout.n_steps > 0, "rollout"},
        {scenario->drift.switches > 0, "drift"},
        {scenario->n_pcie_switches > 0, "pcie_switches"},
        {scenario->record.deadlocks_ps > 0, "record: deadlocks"},
        {scenario->record.gaps_ps > 0, "record: gaps"},
        {scenario->record.pcap.at.n > 0, "record: pcap"},
    };

    *place = &scenario->fabric.place;
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
        if (features[i].is_there) {
            return features[i].name;
        }
    }
    for (uint32_t i = 0; i < run->topology->n_links; i++) {
        if (run->topology->links[i].macsec) {
            return "macsec";
        }
        if (run->topology->links[i].credits) {
            return "credits";
        }
        if (run->topology->links[i].errors.llr ||
            run->topology->links[i].errors.ber.numerator) {
            return "ber or llr";
        }
    }
    for (uint32_t i = 0; i < run->topology->n_switches; i++) {
        const struct role_spec *role = run->experiment->switches[i];

        *place = role->place.line ? &role->place : &scenario->fabric.place;
        if (role->watchdog.enabled || role->vlan.enabled) {
            return role->vlan.enabled ? "vlan" : "watchdog";
        }
    }
    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        *place = &run->experiment->hosts[i]->place;
        if (run->experiment->hosts[i]->card.enabled) {
            return "card";
        }
        if (run->experiment->hosts[i]->cpu.enabled) {
            return "cpu";
        }
    }
    for (size_t i = 0; i < scenario->n_traffic; i++) {
        *place = &scenario->traffic[i].place;
        if (scenario->traffic[i].kind == TRAFFIC_RC &&
            scenario->traffic[i].verb == TRAFFIC_VERB_READ) {
            return "verb: read";
        }
        if (scenario->traffic[i].kind == TRAFFIC_SRD) {
            return "srd";
        }
        if (scenario->traffic[i].compute_ps != QUANTITY_INFINITE) {
            return "compute";
        }
    }
    return NULL;
}

enum st
run_ranks_check__(const struct run *run, struct err *err)
{
    const struct scenario_place *place;
    const char *refused = run_ranks_find_refused__(run, &place);
    enum st st;

    if (!refused) {
        return ST_OK;
    }
    st = scenario_fail(run->scenario, place, err,
                       "a run on several ranks cannot have '%s'", refused);
    err_set_remedy(err, "run it on one rank, without mpirun");
    return st;
}
