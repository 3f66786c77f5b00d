/* SPDX-License-Identifier: Apache-2.0 */

/* The PCIe switches of hosts. */

#include <config.h>

#include "base/check.h"
#include "lab/exec/run_state.h"
#include "twin/nic/pcie_tree.h"
#include "twin/nic/rx_fifo.h"

/* A switch that has been made. */
struct made {
    struct pcie_tree *tree;
    uint32_t link; /* There. */
};

/* Puts switch 'spec' above the adapter of 'host'. */
static enum st
attach(struct run_host *host, const struct pcie_switch_spec *spec,
       const struct made *made, struct err *err)
{
    const struct run *run = host->run;
    const char *name = run->topology->nodes[host->node].name;

    if (!host->profile->nic.pcie.lanes) {
        return scenario_fail(run->scenario, &spec->place, err,
                             "%s, which is behind '%s', needs the key 'pcie', "
                             "for example gen3x16",
                             name, spec->name);
    }
    return nic_attach(host->nic, made->tree, made->link, spec->latency_ps,
                      (uint32_t)spec->credit_bytes)
               ? scenario_fail(run->scenario, &spec->place, err,
                               "%s is behind '%s' and another PCIe switch",
                               name, spec->name)
               : ST_OK;
}

/* Makes switch 'spec', whose events have 'entity' if it is the first of its
 * tree. */
static enum st
make(struct run *run, const struct pcie_switch_spec *spec,
     const struct made *above, uint32_t entity, struct made *made,
     struct err *err)
{
    const struct nic_pcie_config pcie = run_pcie_of(&spec->link);
    const struct pcie_link_config link = {
        .above = above ? above->link : PCIE_MEMORY,
        .bits_per_s = rx_fifo_pcie_rate(pcie.lanes, pcie.mega_transfers_per_s,
                                        pcie.max_payload_bytes),
        .latency_ps = spec->latency_ps,
        .credit_bytes = (uint32_t)spec->credit_bytes};
    struct reference_list hosts = {NULL, 0};
    enum st st = ST_OK;

    made->tree = above ? above->tree : fabric_add_pcie(run->fabric, entity);
    orch_assert(pcie_tree_add_switch(made->tree, &link, &made->link) == ST_OK);
    if (spec->of.n) {
        st = references_hosts(run->scenario, run->topology, &spec->of,
                              run->arena, &hosts, err);
    }
    for (size_t i = 0; !st && i < hosts.n; i++) {
        st = attach(run_host(run, hosts.numbers[i]), spec, made, err);
    }
    return st;
}

enum st
run_pcie_create(struct run *run, struct err *err)
{
    const struct topology *topology = run->topology;
    const size_t n = run->scenario->n_pcie_switches;
    struct made *made = arena_alloc(run->arena, n + 1, sizeof *made);
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < n; i++) {
        const struct pcie_switch_spec *spec = &run->scenario->pcie_switches[i];

        /* Behind the entities of all nodes and of their loops. */
        st =
            make(run, spec, spec->to == PCIE_TO_MEMORY ? NULL : &made[spec->to],
                 topology->n_entities + topology->n_nodes + (uint32_t)i,
                 &made[i], err);
    }
    return st;
}
