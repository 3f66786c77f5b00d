/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_STEPS_H
#define ORCHD_BREAKPOINT_STEPS_H

/* Loads the steps of a scenario.  Each verb has a function that turns the value
 * of its key into a step, with a table of the keys that its map may have.
 *
 * steps.c has the table of verbs and those that act on the switch,
 * step_traffic.c those that send, step_expect.c and step_expect_rx.c those that
 * check results. */

#include "base/status.h"
#include "breakpoint/config_rows.h"
#include "breakpoint/loader.h"
#include "breakpoint/topology.h"

/* The loader with the additional state that the verbs need. */
struct step_loader {
    struct loader loader;    /* First: the argument of the functions. */
    struct config_rows rows; /* As configured before the step being loaded. */
    struct topology topology;
    struct list steps; /* struct step */
};

/* Loads the list 'node' into 'steps_loader->steps'. */
enum st steps_load(struct step_loader *steps_loader,
                   struct fy_node *node) ST_WARN_UNUSED;

/* In step_traffic.c. */
step_load_fn step_traffic_load_send;
step_load_fn step_traffic_load_flow;
step_load_fn step_traffic_load_stop;
step_load_fn step_traffic_load_storm;

/* In step_expect.c. */
step_load_fn step_expect_load;
step_load_fn step_expect_load_pfc;
step_load_fn step_expect_load_wait_until;

/* In step_expect_rx.c. */
step_load_fn step_expect_rx_load;

#endif /* breakpoint/steps.h */
