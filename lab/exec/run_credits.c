/* SPDX-License-Identifier: Apache-2.0 */

/* Credit-based flow control of links between switches.
 *
 * Priority p, which is a queue and a traffic class, is VC p; both ends have the
 * same credits.  A priority without a limit in the scenario gets as many as a
 * full rate takes (base/credits_need.h). */

#include <config.h>

#include "base/check.h"
#include "base/credits_need.h"
#include "base/ethernet.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"
#include "twin/switch/port_credit.h"

enum { MBPS = 1000000, MM_PER_M = 1000, PRIORITIES = 8 };

#define PS_PER_US INT64_C(1000000)

/* Returns the credits that a priority of 'link' has. */
static uint32_t
credits_of(const struct topology_link *link, const struct credit_unit *unit)
{
    const struct credit_spec *spec = link->credits;
    const uint32_t frame_bytes =
        (uint32_t)spec->frame_bytes - ETHERNET_FCS_BYTES;
    struct credits_need need;
    uint64_t credits = (uint64_t)(spec->limit_bytes / spec->size_bytes);

    if (!spec->limit_bytes) {
        credits_need(
            &(struct credits_link){
                .speed_mbps = (uint32_t)(link->rate_bps / MBPS),
                .cable_m =
                    (uint32_t)((link->length_mm + MM_PER_M - 1) / MM_PER_M),
                .frame_bytes = frame_bytes,
                .cell_bytes = unit->size_bytes,
                .spacing_bytes = (uint32_t)spec->cf_min_bytes},
            &need);
        credits = need.credit_frames * credit_cost(unit, frame_bytes);
    }
    return (uint32_t)(credits < CREDIT_MAX ? credits : CREDIT_MAX);
}

/* Returns what a priority of 'link' has, and may use of the only pool. */
static struct credit_profile
profile_of(const struct topology_link *link, const struct credit_unit *unit)
{
    const struct credit_spec *spec = link->credits;
    struct credit_profile profile = {.pool = CREDIT_POOL_NONE,
                                     .reserved = credits_of(link, unit)};

    if (spec->shared_bytes) {
        profile.pool = 0;
    }
    if (spec->share_bytes) {
        profile.mode = CREDIT_THRESHOLD_STATIC;
        profile.static_limit = (uint32_t)(spec->share_bytes / spec->size_bytes);
    } else if (spec->alpha != CREDIT_SPEC_ALPHA_ALL) {
        profile.mode = CREDIT_THRESHOLD_DYNAMIC;
        profile.dynamic_exponent =
            (int8_t)(spec->alpha - CREDIT_SPEC_ALPHA_ONE);
    }
    return profile;
}

/* Returns what both ends of 'link' do; the pool may be too large. */
static struct sim_credit_config
config_of(const struct topology_link *link)
{
    const struct credit_spec *spec = link->credits;
    struct sim_credit_config config = sim_credit_defaults();

    config.unit =
        (struct credit_unit){.size_bytes = (uint32_t)spec->size_bytes,
                             .overhead_bytes = (int32_t)spec->overhead_bytes};
    config.limit = (uint32_t)(spec->total_bytes / spec->size_bytes);
    config.cc_timer_us = (uint32_t)(spec->cc_timer_ps / PS_PER_US);
    config.cf_min_bytes = (uint32_t)spec->cf_min_bytes;
    config.cf_max_bytes = (uint32_t)spec->cf_max_bytes;
    config.pool_size[0] = (uint32_t)(spec->shared_bytes / spec->size_bytes);
    for (unsigned int i = 0; i < PRIORITIES; i++) {
        if (spec->priorities >> i & 1) {
            config.vcs[i].sends = true;
            config.vcs[i].receives = true;
            config.vcs[i].profile = profile_of(link, &config.unit);
            if (config.vcs[i].profile.pool != CREDIT_POOL_NONE) {
                config.pool_size[0] += config.vcs[i].profile.reserved;
            }
        }
    }
    return config;
}

/* Returns the switch at end 'end' of 'link', and its port. */
static struct sim *
sim_of(const struct run *run, const struct topology_link *link,
       unsigned int end, uint32_t *port)
{
    const struct run_switch *sw = &run->switches[link->node[end]];

    *port = sw->slots[link->port[end]];
    return switch_instance_sim(sw->instance);
}

enum st
run_credits_join(struct run *run, uint32_t i, struct err *err)
{
    const struct topology_link *link = &run->topology->links[i];

    for (unsigned int end = 0; link->credits && end < 2; end++) {
        const struct sim_credit_config config = config_of(link);
        uint32_t port;
        struct sim *sim = sim_of(run, link, end, &port);
        enum st st;

        if (config.pool_size[0] > CREDIT_MAX) {
            return scenario_fail(
                run->scenario, &run->scenario->fabric.place, err,
                "'credits' of a link of %s: 'shared', and what the priorities "
                "have besides, are %u credits; allowed are 1,048,575, so "
                "make 'size' greater",
                run->topology->nodes[link->node[end]].name,
                (unsigned int)config.pool_size[0]);
        }
        st = sim_port_set_credits(sim, port, &config);
        if (st == ST_UNSUPPORTED) {
            return scenario_fail(
                run->scenario, &run->scenario->fabric.place, err,
                "'credits' of a link of %s, which is a chassis: its frames "
                "wait at other line cards, not at the port that has the "
                "credits; use a switch with one buffer",
                run->topology->nodes[link->node[end]].name);
        }
        /* The port is there: it is connected; and the reader has checked the
         * values. */
        orch_assert(st == ST_OK);
        run->has_credits = true;
    }
    return ST_OK;
}

void
run_credits_report(const struct run *run, uint32_t i, unsigned int end,
                   struct results *results)
{
    const struct topology_link *link = &run->topology->links[i];
    struct sim_credit_stats stats;
    const struct sim *sim;
    uint32_t port;

    if (!link->credits) {
        return;
    }
    sim = sim_of(run, link, end, &port);
    if (sim_port_get_credits(sim, port, &stats)) {
        return;
    }
    const struct {
        const char *name;
        uint64_t value;
    } counters[] = {
        {"credit_peak_bytes", (uint64_t)stats.sender.used_watermark *
                                  (uint64_t)link->credits->size_bytes},
        {"credit_cf_tx", stats.cf_tx},
        {"credit_cf_rx", stats.cf_rx},
        {"credit_cc_tx", stats.cc_tx},
        {"credit_cc_rx", stats.cc_rx},
    };

    for (size_t k = 0; k < sizeof counters / sizeof counters[0]; k++) {
        if (counters[k].value) {
            results_add_counter(results, link->node[end], link->port[end],
                                SINK_NONE, counters[k].name, counters[k].value);
        }
    }
}
