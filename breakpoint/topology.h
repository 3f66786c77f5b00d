/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_TOPOLOGY_H
#define ORCHD_BREAKPOINT_TOPOLOGY_H

/* The switch of a scenario: its chip, and ports as rows of CONFIG_DB.
 *
 *   chip          model, as in chips/NAME.yaml
 *   ports         how many, or a list of names
 *   speed         Mb/s; the chip's own speed if it is not given
 *   lanes         of each port; the chip's own number if it is not given
 *   cable         metres
 *   buffer_model  traditional or dynamic
 *   hwsku         for rules that look at it
 *   fcs           all, a port or a list of them: their packets take the FCS in
 *                 the buffer, too
 *   set           {Ethernet0: {speed, lanes, cable}}: ports that differ
 *
 * A number n of ports is Ethernet0, Ethernet<lanes>, ... up to the n-th.  Port
 * EthernetN begins with the lane N after the chip's first one.  The rows are
 * PORT|name, CABLE_LENGTH|AZURE, and DEVICE_METADATA|localhost if there is
 * something for it to say. */

#include "base/status.h"
#include "breakpoint/config_rows.h"
#include "breakpoint/loader.h"

/* The default cable length of ports, in metres. */
#define TOPOLOGY_CABLE_DEFAULT 5

struct topology {
    struct fy_node *node; /* NULL: the scenario has no topology. */
    const char *chip;     /* NULL: not given. */
    const char *fcs;      /* As in struct bench. */
    uint32_t cable_m;
    struct list cables; /* Of ports with their own; private. */
};

/* Reads which chip the scenario needs, and where it holds the FCS. */
enum st topology_chip(struct loader *loader, struct fy_node *node,
                      struct topology *topology) ST_WARN_UNUSED;

/* Adds the rows of the ports.  Reads chip parameters from 'bench', which may be
 * NULL. */
enum st topology_rows(struct loader *loader, struct topology *topology,
                      struct bench *bench,
                      struct config_rows *rows) ST_WARN_UNUSED;

/* Returns the cable length of 'port'. */
uint32_t topology_cable(const struct topology *topology, const char *port);

/* Frees the contents of 'topology'. */
void topology_fini(struct topology *topology);

#endif /* breakpoint/topology.h */
