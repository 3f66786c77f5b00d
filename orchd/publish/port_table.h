/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_PORT_TABLE_H
#define ORCHD_PUBLISH_PORT_TABLE_H

/* APPL_DB PORT_TABLE:name: what tools read about ports, where nobody else
 * writes it.
 *
 * Internal to publish/.  On a SONiC device portsyncd and orchagent own this
 * table.  Without them a row of orchd has
 *
 *   the fields of PORT|name of CONFIG_DB (alias, lanes, speed, mtu, fec, ...)
 *   admin_status   "down" unless the row has it
 *   oper_status    "up" or "down": the link
 *   written_by     "orchd": by this, orchd knows its rows
 *
 * The table belongs to another program if it has a row without 'written_by';
 * PortConfigDone and PortInitDone of portsyncd are such rows.  orchd looks at
 * its start and at each audit.  It then writes nothing, and leaves the rows as
 * they are, without its mark. */

#include <stdbool.h>

struct port_table;
struct redis;
struct row_status;

/* Creates a table that writes through 'redis', which is borrowed. */
struct port_table *port_table_create(struct redis *redis);

/* Frees 'table'; the rows stay.  Accepts NULL. */
void port_table_destroy(struct port_table *table);

/* Forgets all ports, and looks whose the table is. */
void port_table_restart(struct port_table *table);

/* Looks again whose the table is. */
void port_table_audit(struct port_table *table);

/* Handle the new status, and the removal, of a row of any table. */
void port_table_row(struct port_table *table, const struct row_status *status);
void port_table_gone(struct port_table *table, const struct row_status *status);

/* The link of port 'name' is 'up' or down. */
void port_table_link(struct port_table *table, const char *name, bool up);

/* All links are down. */
void port_table_no_links(struct port_table *table);

#endif /* orchd/publish/port_table.h */
