/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_SPAWN_H
#define ORCHD_DB_SPAWN_H

/* A private redis-server, for trying things and for tests.
 *
 * It listens on a Unix socket only, keeps nothing on disk, sends keyspace
 * notifications, and ends with orchd however that ends.  If it dies it is
 * started anew; its data is gone then, and orchd holds what the ASIC has. */

#include "base/status.h"

/* Between the death of a server and its successor; doubled, up to the maximum,
 * while they die young. */
#define SPAWN_BACKOFF_MIN_NS (INT64_C(100) * 1000 * 1000)
#define SPAWN_BACKOFF_MAX_NS (INT64_C(5) * 1000 * 1000 * 1000)

struct log;
struct loop;
struct spawn;

/* Starts a redis-server with its socket in 'directory', which is made if it is
 * not there; "" means a fresh one under $XDG_RUNTIME_DIR or /tmp, which goes
 * with the server.  On failure returns ST_NOT_FOUND if redis-server is not
 * installed, ST_EXISTS if one serves there already, else ST_IO, with a reason
 * in 'err', and leaves '*spawn' alone.  'loop' and 'log' are borrowed. */
enum st spawn_create(struct loop *loop, struct log *log, const char *directory,
                     struct spawn **spawn, struct err *err) ST_WARN_UNUSED;

/* Ends the server and removes what it left.  Accepts NULL. */
void spawn_destroy(struct spawn *spawn);

/* Returns the path of the socket.  It may take a moment to appear. */
const char *spawn_socket(const struct spawn *spawn);

#endif /* orchd/db/spawn.h */
