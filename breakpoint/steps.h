/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_STEPS_H
#define ORCHD_BREAKPOINT_STEPS_H

/* Loads the steps of a scenario: each verb has a function that turns the value
 * of its key into a step, with a table of the keys that its map may have.
 *
 * steps.c has the list and the verbs that do something to the switch, traffic.c
 * those that send, claims.c and frames.c those that expect something. */

#include "base/status.h"
#include "breakpoint/config_rows.h"
#include "breakpoint/loader.h"
#include "breakpoint/topology.h"

/* What the verbs need besides the loader. */
struct step_loader {
    struct loader loader;    /* First: what the functions get. */
    struct config_rows rows; /* As configured up to the step being loaded. */
    struct topology topology;
    struct list steps; /* struct step */
};

/* Loads list 'node' into 'steps_loader->steps'. */
enum st steps_load(struct step_loader *steps_loader,
                   struct fy_node *node) ST_WARN_UNUSED;

/* In traffic.c. */
step_load_fn step_traffic_load_send;
step_load_fn step_traffic_load_flow;
step_load_fn step_traffic_load_stop;
step_load_fn step_traffic_load_storm;

/* In claims.c. */
step_load_fn step_expect_load;
step_load_fn step_expect_load_pfc;
step_load_fn step_expect_load_wait_until;

/* In frames.c. */
step_load_fn step_expect_rx_load;

#endif /* breakpoint/steps.h */
