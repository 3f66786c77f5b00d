/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_PORT_DETAILS_H
#define ORCHD_RECONCILE_PORT_DETAILS_H

/* What the ASIC says of a port that a row has: its priority groups and queues,
 * its limits and its admin state, in struct port_children of graph.h. */

#include <stdint.h>

#include <sai.h>

#include "sai/core/backend.h"

struct graph;
struct metadata_attribute;
struct object;

/* Reads the priority groups and queues of 'n' different 'ports', which have
 * just appeared on the ASIC, and gives their children their ids.  Fills
 * 'statuses' with the SAI status for each. */
void port_details_read(struct sai_backend *backend, uint32_t n,
                       struct object *const *ports, sai_status_t *statuses);

/* Finds the CPU port and its queues.  Many switches do not list any; the CPU
 * port then does not exist. */
void port_details_read_cpu(struct sai_backend *backend, struct object *cpu);

/* Records that SAI accepted 'value' for an attribute of 'object'; if that is a
 * port's admin state, its children and limits count as changed. */
void port_details_note(struct object *object,
                       const struct metadata_attribute *meta,
                       const sai_attribute_value_t *value);

/* Returns, once, a port whose children, limits or admin state changed; NULL if
 * there is none. */
const struct object *port_details_take_changed(struct graph *graph);

/* Forgets the children of 'port', which was just released. */
void port_details_forget(struct object *port);

#endif /* orchd/reconcile/port_details.h */
