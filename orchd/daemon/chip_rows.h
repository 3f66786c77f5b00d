/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_CHIP_ROWS_H
#define ORCHD_DAEMON_CHIP_ROWS_H

/* The chip parameters in STATE_DB: ASIC_TABLE, PERIPHERAL_TABLE and
 * PORT_PERIPHERAL_TABLE (asic_rows.h).
 *
 * They have a *base*: the file of the setting asic_table, else the description
 * of the chip.  If STATE_DB has no ASIC_TABLE row, orchd publishes the base
 * there.  A row that a user writes or changes takes effect at once, instead of
 * the base; deleting it brings the base back.  orchd refuses an invalid row and
 * keeps the parameters in force.  It also keeps them when STATE_DB is emptied
 * or Redis restarts without it, because no user has asked for that.
 *
 *   STATE_DB  ORCHD_ASIC|global
 *     source   where the parameters in force come from: "chip", "file", "row"
 *     row      the name of their ASIC_TABLE row
 *     cell_size ... gearbox_delay   the parameters themselves
 *     state    "applied"; or "rejected" if orchd refuses the rows, with
 *     code, field, value, allowed, reason, remedy
 *
 * From this row a later run learns which rows orchd itself has written; it
 * replaces those if its base differs.  Tools write rows one after the other, so
 * orchd reads them once they have been quiet for CHIP_ROWS_QUIET_NS. */

#include <stdbool.h>
#include <stdint.h>

#include "orchd/derive/dynamic_state.h"

#define CHIP_ROWS_QUIET_NS (INT64_C(50) * 1000 * 1000)

struct agent;
struct chip_rows;
struct log;
struct loop;
struct redis;

/* The key patterns to listen to, for redis_options.state_keys. */
extern const char *const chip_rows_keys[];

/* Creates the handler of these rows, which passes the parameters in force to
 * 'agent'.  All arguments are borrowed. */
struct chip_rows *chip_rows_create(struct loop *loop, struct log *log,
                                   struct redis *redis, struct agent *agent);

/* Frees 'rows'.  Accepts NULL. */
void chip_rows_destroy(struct chip_rows *rows);

/* Sets the base, which is in force unless a row overrides it, and the file that
 * it comes from (NULL: the description of the chip). */
void chip_rows_set_base(struct chip_rows *rows,
                        const struct dynamic_state_chip *base,
                        const char *file);

/* Returns whether there is a base. */
bool chip_rows_have_base(const struct chip_rows *rows);

/* Handlers of Redis events; see struct redis_listener.  What was known of
 * deletions means nothing after chip_rows_link_down() and chip_rows_flushed():
 * rows that are missing then are restored.  chip_rows_audit() reads the rows
 * again, to find changes that sent no notification; the daemon calls it after
 * each periodic reading of CONFIG_DB. */
void chip_rows_link_down(struct chip_rows *rows);
void chip_rows_flushed(struct chip_rows *rows);
void chip_rows_resync(struct chip_rows *rows);
void chip_rows_key(struct chip_rows *rows, const char *key);
void chip_rows_audit(struct chip_rows *rows);

/* Returns whether STATE_DB was read at least once.  Before that, nothing should
 * be programmed, because the rows may change it. */
bool chip_rows_known(const struct chip_rows *rows);

/* Returns why the rows in STATE_DB are refused, NULL if they are not. */
const struct err *chip_rows_trouble(const struct chip_rows *rows);

#endif /* orchd/daemon/chip_rows.h */
