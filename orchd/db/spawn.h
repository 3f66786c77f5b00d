/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_SPAWN_H
#define ORCHD_DB_SPAWN_H

/* A private redis-server, for experiments and tests.
 *
 * It listens on a Unix socket only, stores nothing on disk, sends keyspace
 * notifications, prints to our log (level debug), and ends whenever orchd
 * ends.  If it dies orchd starts another one; its data is lost then, and orchd
 * keeps the state of the ASIC. */

#include "base/status.h"

/* Delay between the death of a server and the start of the next; doubled up to
 * the maximum while servers die soon after their start. */
#define SPAWN_BACKOFF_MIN_NS (INT64_C(100) * 1000 * 1000)
#define SPAWN_BACKOFF_MAX_NS (INT64_C(5) * 1000 * 1000 * 1000)

struct dbconfig;
struct log;
struct loop;
struct spawn;

/* Starts a redis-server with its socket in 'directory', which is created if it
 * does not exist, and must be one that other users cannot change
 * (process/own_directory.h); "" means a new one under $XDG_RUNTIME_DIR or /tmp,
 * which is removed with the server.  Beside the socket it writes a
 * database_config.json for SONiC's tools, with the numbers of 'config'
 * (orchd/db/dbconfig_file.h).  On failure returns ST_NOT_FOUND if
 * redis-server is not installed, ST_EXISTS if a Redis already serves there,
 * ST_INVALID if the directory is not safe, else ST_IO, with a reason in 'err',
 * and leaves '*spawn' alone.  'loop' and 'log' are
 * borrowed. */
enum st spawn_create(struct loop *loop, struct log *log,
                     const struct dbconfig *config, const char *directory,
                     struct spawn **spawn, struct err *err) ST_WARN_UNUSED;

/* Ends the server and removes its files.  Accepts NULL. */
void spawn_destroy(struct spawn *spawn);

/* Returns the path of the socket.  The server may not have created it yet. */
const char *spawn_socket(const struct spawn *spawn);

#endif /* orchd/db/spawn.h */
