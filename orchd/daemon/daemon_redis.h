/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DAEMON_REDIS_H
#define ORCHD_DAEMON_DAEMON_REDIS_H

/* What the daemon does when Redis reports rows, readings, messages, and the
 * state of the connection. */

#include <stddef.h>

#include "orchd/intent/table.h"

struct daemon;
struct field;
struct redis_listener;

/* Its context is a 'struct daemon'. */
extern const struct redis_listener daemon_redis_listener;

/* Notes a row as it is now in the history, for a rollback; no fields: it was
 * removed. */
void daemon_remember_row(struct daemon *daemon, enum table table,
                         const char *key, const struct field *fields, size_t n);

#endif /* orchd/daemon/daemon_redis.h */
