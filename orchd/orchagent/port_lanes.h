/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHAGENT_PORT_LANES_H
#define ORCHD_ORCHAGENT_PORT_LANES_H

/* The lanes of ports, as their rows in CONFIG_DB have them and as syncd reports
 * them.
 *
 * Internal to orchagent/.  syncd has the lanes of the ports that a chip has at
 * the start only in LANES, without their order. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

struct asic_rows;
struct port_lanes;

/* Returns an empty collection that looks ports up in 'rows', borrowed; free it
 * with port_lanes_destroy(). */
struct port_lanes *port_lanes_create(const struct asic_rows *rows);
void port_lanes_destroy(struct port_lanes *lanes);

/* Sets the lanes of a port, as the field of its row ("1,2,3,4"); NULL: it has
 * no row.  The second function returns whether it has one. */
void port_lanes_set(struct port_lanes *lanes, const char *name,
                    const char *text);
bool port_lanes_has_row(const struct port_lanes *lanes, const char *name);

/* Returns the lanes of the port 'name', which exists in ASIC_DB: those
 * of its row in ASIC_DB, else of LANES; in the order of its row of CONFIG_DB if
 * that names the same lanes as LANES, or LANES names none.  NULL:
 * unknown.  Borrowed until the next call. */
const sai_u32_list_t *port_lanes_get(struct port_lanes *lanes,
                                     const char *name);

/* Returns the name of a port with a row that has the lanes 'wanted' in ASIC_DB;
 * NULL: none.  Borrowed. */
const char *port_lanes_find(struct port_lanes *lanes,
                            const sai_u32_list_t *wanted);

/* Returns how many ports have rows, how many of these ASIC_DB has, and of how
 * many of those STATE_DB has the limits. */
size_t port_lanes_count(const struct port_lanes *lanes, size_t *n_there,
                        size_t *n_limited);

#endif /* orchd/orchagent/port_lanes.h */
