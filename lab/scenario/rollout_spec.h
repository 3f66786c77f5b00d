/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_SCENARIO_ROLLOUT_SPEC_H
#define ORCHD_LAB_SCENARIO_ROLLOUT_SPEC_H

/* A change of the configuration that switches get step by step, as long as a
 * guard finds nothing wrong:
 *
 *     rollout:
 *       start: 5ms
 *       soak: 4ms
 *       set: {'PORT_QOS_MAP|*': {pfc_enable: '3,4'}}
 *       steps:
 *         - {name: rack, switches: t0-0-0}
 *         - {name: podset, switches: ['t0-0-*', 't1-0-*']}
 *       guard: {traffic: probe, within: 100us, p99: 50us} */

#include <stddef.h>
#include <stdint.h>

#include "lab/scenario/fabric_spec.h"
#include "lab/scenario/host_spec.h"
#include "lab/scenario/quantity.h"

struct rollout_step {
    const char *name;
    struct selector switches; /* Those of earlier steps are left out. */
    struct scenario_place place;
};

/* What is measured in the time after each step, and may not be exceeded. */
struct rollout_guard {
    const char *traffic; /* The item of 'traffic' whose pings are the probes. */
    struct ratio errors; /* Probes without an answer ... */
    int64_t within_ps;   /* ... in this time. */
    int64_t p99_ps;
    int64_t drops; /* Frames that switches and adapters count as dropped. */
    int64_t drift; /* Values of switches that differ from what is intended. */
};

struct rollout_spec {
    int64_t start_ps;
    int64_t soak_ps;
    const struct config_field *set;
    size_t n_set;
    const struct rollout_step *steps;
    size_t n_steps; /* 0: there is no rollout. */
    struct rollout_guard guard;
    struct scenario_place place;
};

#endif /* lab/scenario/rollout_spec.h */
