/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_STALE_OBJECTS_H
#define ORCHD_RECONCILE_STALE_OBJECTS_H

/* Bindings that a previous run made on ports and that no row wants any more.
 *
 * If a row is deleted while orchd does not run, nothing remembers it: a
 * priority group without a row would keep its profile.  So once everything that
 * is wanted is on the ASIC, orchd reads what is bound to the switch, to ports,
 * and to their queues, priority groups and scheduler groups, and their PFC
 * settings.  A slot that does not have its default, and that no row wants,
 * becomes uncertain, and the next plan resets it in the usual order.
 *
 * Left alone are attributes of a row that is not in force or that waits: they
 * keep their values.  So are the speed, MTU and admin state of ports. */

#include <stddef.h>

struct graph;
struct ports;
struct sai_backend;

/* Reads the attributes from 'backend' and marks the stale ones.  Call it when
 * nothing is left to plan.  Returns the number of stale attributes. */
size_t stale_objects_find(struct graph *graph, struct sai_backend *backend);

/* Resets at once what is bound to those of 'ports', and to VOQs of those system
 * ports, that no row claims: they have no names, so a plan could not refer to
 * them.  Leaves ports alone if a row PORT is not in force or has no port yet,
 * since that may be one of these; and system ports if a row SYSTEM_PORT is not
 * in force. */
void stale_objects_clear_ports(const struct graph *graph,
                               const struct ports *ports,
                               struct sai_backend *backend);

/* Resets at once what is bound to VOQs of system ports that have left their
 * rows (chassis_ports_take_left()), before a plan for their new rows. */
void stale_objects_clear_left(struct graph *graph, struct sai_backend *backend);

#endif /* orchd/reconcile/stale_objects.h */
