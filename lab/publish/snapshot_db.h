/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_PUBLISH_SNAPSHOT_DB_H
#define ORCHD_LAB_PUBLISH_SNAPSHOT_DB_H

/* The Redis that shows one switch of a fabric at one moment.
 *
 * orchd writes all tables but CONFIG_DB, which this module fills with the
 * configuration of the switch.  It also writes the hash SNAPSHOT_KEY of
 * STATE_DB, which says what the databases show:
 *
 *   switch      its name in the fabric: "t0-0"
 *   scenario    of the run, and its seed: "incast, seed 1"
 *   virtual_ps  the moment, in picoseconds of virtual time
 *
 * A Redis that has data but not this key belongs to something else, perhaps to
 * a real switch: it is never touched. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#define SNAPSHOT_KEY "ORCHLAB|snapshot"

struct endpoint;
struct snapshot_db;

/* What a snapshot shows.  All borrowed. */
struct snapshot_about {
    const char *name;     /* Of the switch. */
    const char *scenario; /* "incast, seed 1" */
    int64_t t_ps;
    const char *config; /* {TABLE: {KEY: {FIELD: VALUE}}}, as JSON. */
};

/* Connects to the Redis at 'endpoint' (unix: or tcp:) in '*db'.  ST_IO: it does
 * not answer.  End with snapshot_db_close(). */
enum st snapshot_db_open(const struct endpoint *endpoint,
                         struct snapshot_db **db,
                         struct err *err) ST_WARN_UNUSED;

/* Accepts NULL. */
void snapshot_db_close(struct snapshot_db *db);

/* Empties all databases that a snapshot has.  ST_EXISTS, and changes nothing,
 * if there is data of something else; ST_IO: Redis refuses or is gone. */
enum st snapshot_db_clear(struct snapshot_db *db,
                          struct err *err) ST_WARN_UNUSED;

/* Writes CONFIG_DB and SNAPSHOT_KEY.  Every group of counters is enabled, and
 * polled once a minute: time stands still, so the first poll says everything.
 * ST_INVALID: 'config' is no such JSON; ST_IO as above. */
enum st snapshot_db_write(struct snapshot_db *db,
                          const struct snapshot_about *about,
                          struct err *err) ST_WARN_UNUSED;

/* Stores in '*complete' whether orchd has read all counters of all ports,
 * queues, priority groups and pools in CONFIG_DB at least once.  ST_IO as
 * above. */
enum st snapshot_db_look(struct snapshot_db *db, bool *complete,
                         struct err *err) ST_WARN_UNUSED;

#endif /* lab/publish/snapshot_db.h */
