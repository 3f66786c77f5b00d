/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHAGENT_APPL_TABLES_H
#define ORCHD_ORCHAGENT_APPL_TABLES_H

/* Publishes the six buffer tables for orchagent, in APPL_DB.
 *
 * A producer of a table T writes three things in one step: the key into the set
 * T_KEY_SET, for a removal also into T_DEL_SET; the fields into the hash
 * _T:key; and a message on T_CHANNEL.  orchagent takes keys from the sets, and
 * moves what is pending into T:key.  Fields of several steps merge, so a step
 * that drops a field also names the key in T_DEL_SET, which clears the row
 * first.  There may be only one producer of a table.
 *
 * What the rows say follows the intent in force, whether or not the switch has
 * it.  Only changes are published.  The order within a turn is the one in which
 * a plan would make the changes (orchd/reconcile/plan.h):
 *
 *   bindings are removed, profiles shrink, pools grow or appear, profiles
 *   appear, bindings change, profiles grow, pools shrink, profiles and pools
 *   are removed
 *
 * so that what a row names was published before, and reservations fall before
 * they rise.
 *
 * orchagent leaves an attribute alone if its field disappears.  So xoff, xon
 * and xon_offset of a row that had them become "0", their default, and those
 * that orchagent has kept from before.
 *
 * A row that wants nothing (of a port that is shut, or with a cable of 0 m) is
 * removed.
 *
 * At the start, what others or a previous run have published is read: the rows
 * that orchagent has taken, with what is still pending for them.  Rows that
 * are, or will be, as wanted are left alone, and those that no row of CONFIG_DB
 * wants are removed, once CONFIG_DB is complete. */

#include <stdbool.h>
#include <stddef.h>

#include "orchd/db/redis_types.h"
#include "orchd/intent/table.h"

struct appl_tables;
struct field;
struct redis;

/* The keys that are written, for redis_options.owned: X(database, pattern). */
#define APPL_TABLES_OWNED(X)                                                   \
    X(APPL_DB, "BUFFER_POOL_TABLE_*")                                          \
    X(APPL_DB, "_BUFFER_POOL_TABLE:*")                                         \
    X(APPL_DB, "BUFFER_PROFILE_TABLE_*")                                       \
    X(APPL_DB, "_BUFFER_PROFILE_TABLE:*")                                      \
    X(APPL_DB, "BUFFER_PG_TABLE_*")                                            \
    X(APPL_DB, "_BUFFER_PG_TABLE:*")                                           \
    X(APPL_DB, "BUFFER_QUEUE_TABLE_*")                                         \
    X(APPL_DB, "_BUFFER_QUEUE_TABLE:*")                                        \
    X(APPL_DB, "BUFFER_PORT_INGRESS_PROFILE_LIST_TABLE_*")                     \
    X(APPL_DB, "_BUFFER_PORT_INGRESS_PROFILE_LIST_TABLE:*")                    \
    X(APPL_DB, "BUFFER_PORT_EGRESS_PROFILE_LIST_TABLE_*")                      \
    X(APPL_DB, "_BUFFER_PORT_EGRESS_PROFILE_LIST_TABLE:*")

/* Returns a publisher that writes through 'redis', borrowed; free it with
 * appl_tables_destroy(), which accepts NULL and leaves APPL_DB as it is. */
struct appl_tables *appl_tables_create(struct redis *redis);
void appl_tables_destroy(struct appl_tables *tables);

/* Returns whether 'table' is one of the six. */
bool appl_tables_has(enum table table);

/* Sets what a row is to say; no fields: it is to be removed.  Ignores other
 * tables, and rows that are orchd's own (key_is_internal()). */
void appl_tables_put(struct appl_tables *tables, enum table table,
                     const char *key, const struct field *fields, size_t n);

/* Redis has become reachable, or may have lost data: reads what is published.
 */
void appl_tables_restart(struct appl_tables *tables);

/* Returns whether what is published was read since; then '*n_pending' is the
 * number of rows for which something was pending. */
bool appl_tables_known(const struct appl_tables *tables, size_t *n_pending);

/* Publishes a row again although nothing of it has changed. */
void appl_tables_repeat(struct appl_tables *tables, enum table table,
                        const char *key);

/* From now on publishes "0" for those of the fields above that a row does not
 * want, and for which 'kept' returns true: orchagent has another value. */
typedef bool appl_tables_kept_fn(void *context, enum table table,
                                 const char *key, const char *field);
void appl_tables_reset(struct appl_tables *tables, enum table table,
                       const char *key, appl_tables_kept_fn *kept,
                       void *context);

/* Publishes what has changed, once what was published before is known; call it
 * at the end of each turn.  'complete': all rows of CONFIG_DB are known, so
 * that rows that no row wants are removed.  Returns how many rows it has
 * published. */
size_t appl_tables_turn(struct appl_tables *tables, bool complete);

#endif /* orchd/orchagent/appl_tables.h */
