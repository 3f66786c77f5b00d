/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_CHASSIS_PORTS_H
#define ORCHD_RECONCILE_CHASSIS_PORTS_H

/* The system ports of a VOQ switch, and which of them a row names.
 *
 * The ASIC has them from the start (orchd/switch/switch_voq.h), without names.
 * A row of SYSTEM_PORT is about the one that has all of its numbers.  Its VOQs
 * are then children of the object of the row, as queues are of a port. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

struct field;
struct graph;
struct listener;
struct row;
struct sai_backend;
struct source;

/* Stores the numbers in 'fields', those of a row of SYSTEM_PORT that is in
 * force, in '*config'. */
void chassis_ports_config(const struct field *fields, size_t n,
                          sai_system_port_config_t *config);

/* Returns whether a chassis cannot have both 'a' and 'b': their port ids, or
 * their places, are the same. */
bool chassis_ports_conflict(const sai_system_port_config_t *a,
                            const sai_system_port_config_t *b);

/* Returns the least key of the rows of SYSTEM_PORT that cannot be beside
 * 'source', NULL if there is none. */
const char *chassis_ports_rival(const struct source *source);

/* Reads the system ports of the switch behind 'backend', and gives them to the
 * rows that are there.  Most switches have none. */
void chassis_ports_read(struct graph *graph, struct sai_backend *backend);

/* Finds the system port of 'row', of SYSTEM_PORT, which has been taken in; if
 * another one becomes free, that of a row that has none.  A row that is removed
 * has none, so that what other rows bind to its VOQs waits for it. */
void chassis_ports_name(struct graph *graph, const struct row *row);

/* Notifies 'listener' of the system ports that rows name no more, with their
 * VOQs, and of those that rows have named: they were on the ASIC before, and
 * stay there. */
void chassis_ports_notify(struct graph *graph, const struct listener *listener);

/* Returns the VOQs of the system ports that no row names; the caller frees
 * them. */
sai_object_id_t *chassis_ports_unnamed(const struct graph *graph, uint32_t *n);

/* Returns, once, the VOQs of the system ports that have left a row, on which
 * values may be that it wanted; the caller frees them. */
sai_object_id_t *chassis_ports_take_left(struct graph *graph, uint32_t *n);

/* Returns how many the switch has. */
uint32_t chassis_ports_count(const struct graph *graph);

/* Frees what was read. */
void chassis_ports_forget(struct graph *graph);

#endif /* orchd/reconcile/chassis_ports.h */
