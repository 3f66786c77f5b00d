/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_CHIP_ROWS_H
#define ORCHD_DAEMON_CHIP_ROWS_H

/* The parameters of the chip in STATE_DB: ASIC_TABLE, PERIPHERAL_TABLE and
 * PORT_PERIPHERAL_TABLE (asic_rows.h).
 *
 * They have a *base*: the file of the setting asic_table, else the description
 * of the chip.  Where STATE_DB has no row ASIC_TABLE, the base is published
 * there.  A row that somebody else has written, or has changed, is in force
 * instead, at once; who removes it gets the base back.  A row that is wrong is
 * refused, and what was in force stays; so it does when STATE_DB is emptied or
 * Redis comes back without it, for that is nobody's word.
 *
 *   STATE_DB  ORCHD_ASIC|global
 *     source   whose parameters are in force: "chip", "file", or "row"
 *     row      the name of the row ASIC_TABLE that says so
 *     cell_size ... gearbox_delay   what they are
 *     state    "applied"; or "rejected", if what STATE_DB has is refused, with
 *     code, field, value, allowed, reason, remedy
 *
 * The same row tells a later run which rows are orchd's own, to be replaced if
 * the base is another one by then.  Changes are looked at once they were quiet
 * for CHIP_ROWS_QUIET_NS, since tools write rows one after the other. */

#include <stdbool.h>
#include <stdint.h>

#include "orchd/derive/dynamic_state.h"

#define CHIP_ROWS_QUIET_NS (INT64_C(50) * 1000 * 1000)

struct agent;
struct chip_rows;
struct log;
struct loop;
struct redis;

/* For redis_options. */
extern const char *const chip_rows_keys[];

/* Creates the keeper of these rows, who tells 'agent' what is in force.  All is
 * borrowed. */
struct chip_rows *chip_rows_create(struct loop *loop, struct log *log,
                                   struct redis *redis, struct agent *agent);

/* Frees 'rows'.  Accepts NULL. */
void chip_rows_destroy(struct chip_rows *rows);

/* Says what holds unless a row says otherwise, and the file that says so; NULL:
 * the description of the chip. */
void chip_rows_set_base(struct chip_rows *rows,
                        const struct dynamic_state_chip *base,
                        const char *file);

/* Returns whether there is a base. */
bool chip_rows_have_base(const struct chip_rows *rows);

/* What Redis tells; see struct redis_listener.  The periodic reading of
 * CONFIG_DB is as good a time as any to see what notifications missed. */
void chip_rows_resync(struct chip_rows *rows);
void chip_rows_key(struct chip_rows *rows, const char *key);
void chip_rows_audit(struct chip_rows *rows);

/* Returns whether STATE_DB was asked once.  Before that, nothing should be
 * programmed: it could be undone in the next moment. */
bool chip_rows_known(const struct chip_rows *rows);

/* Returns why what STATE_DB has is refused, NULL if it is not. */
const struct err *chip_rows_trouble(const struct chip_rows *rows);

#endif /* orchd/daemon/chip_rows.h */
