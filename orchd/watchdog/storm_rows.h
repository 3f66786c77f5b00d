/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_STORM_ROWS_H
#define ORCHD_WATCHDOG_STORM_ROWS_H

/* The rows of the watchdog in its store (storm_store.h), as SONiC's tools read
 * them.
 *
 *   COUNTERS_DB  COUNTERS:<queue>       PFC_WD_STATUS, PFC_WD_ACTION, times,
 *                                       PFC_WD_QUEUE_STATS_*; BIG_RED_SWITCH_
 *                                       MODE while it is on
 *                COUNTERS:<port>        EST_PORT_STAT_PFC_n_*: pause times, if
 *                                       a history is kept
 *   APPL_DB      PFC_WD_TABLE_INSTORM:<port>   n -> storm: read after a
 *                                       restart; n|by -> switch: and in
 *                                       hardware recovery
 *                PFC_WD_TABLE:<port>    n -> storm: a user requests a storm
 *   PFC_WD_ACTION  channel: ["<queue>","storm"|"restore","origin","orchd"] */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/intent/field.h"

struct storm_account;
struct storm_store;
struct watchdog_queue;

#define STORM_ROWS_CHANNEL  "PFC_WD_ACTION"
#define STORM_ROWS_IN_STORM "PFC_WD_TABLE_INSTORM:"
#define STORM_ROWS_STORM    "storm"
#define STORM_ROWS_BY       "|by"
#define STORM_ROWS_SWITCH   "switch"
#define STORM_ROWS_REQUESTS "PFC_WD_TABLE:"

/* The ids of a queue on the switch. */
struct storm_rows_ids {
    sai_object_id_t port, queue;
};

/* Writes how 'queue' is watched, its state and its account. */
void storm_rows_write(struct storm_store *store,
                      const struct storm_rows_ids *ids,
                      const struct watchdog_queue *queue);

/* Writes its history. */
void storm_rows_write_history(struct storm_store *store,
                              const struct storm_rows_ids *ids,
                              const struct watchdog_queue *queue);

/* Removes what only a watched queue has; its statistics stay. */
void storm_rows_remove(struct storm_store *store,
                       const struct storm_rows_ids *ids,
                       const struct watchdog_queue *queue);

/* Records that queue 'index' of 'port' is in a storm, and whether the switch
 * recovers from it ('dead'); or that it is in none. */
void storm_rows_in_storm(struct storm_store *store, const char *port,
                         unsigned int index, bool stormed, bool dead);

/* Publishes the message on the channel. */
void storm_rows_publish(struct storm_store *store,
                        const struct storm_rows_ids *ids, bool stormed);

/* Parses a message on the channel.  Returns false if it is invalid, or was sent
 * by orchd. */
bool storm_rows_parse(const char *payload, sai_object_id_t *queue,
                      bool *stormed);

/* Fills '*account' with what a previous run wrote. */
void storm_rows_read_account(const struct field *fields, size_t n,
                             struct storm_account *account);

/* Writes "COUNTERS:oid:0x.." to 'text', which has room for STORM_ROWS_KEY_SIZE.
 */
enum { STORM_ROWS_KEY_SIZE = 40 };
const char *storm_rows_key(sai_object_id_t oid, char *text);

/* Returns the id in such a key. */
sai_object_id_t storm_rows_parse_key(const char *key);

#endif /* orchd/watchdog/storm_rows.h */
