/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_REDIS_TYPES_H
#define ORCHD_DB_REDIS_TYPES_H

/* What the users of the database layer and its parts have to agree on: times,
 * what is told to whom, and how requests end.  The functions are in
 * redis.h. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/db/dbconfig.h"
#include "orchd/db/endpoint.h"
#include "orchd/intent/intent.h"
#include "orchd/intent/table.h"

/* Until a connection must be there; until a command must be answered, and how
 * long it is given after that; between complete readings where Redis sends no
 * notifications; between attempts to connect, at first and at most. */
#define REDIS_CONNECT_NS     (INT64_C(2) * 1000 * 1000 * 1000)
#define REDIS_STALL_NS       (INT64_C(5) * 1000 * 1000 * 1000)
#define REDIS_LAST_CHANCE_NS (INT64_C(1) * 1000 * 1000 * 1000)
#define REDIS_POLL_NS        (INT64_C(1) * 1000 * 1000 * 1000)
#define REDIS_BACKOFF_MIN_NS (INT64_C(50) * 1000 * 1000)
#define REDIS_BACKOFF_MAX_NS (INT64_C(2) * 1000 * 1000 * 1000)

/* What a full reading of CONFIG_DB found. */
struct redis_reading {
    size_t n_rows;    /* Of tables that orchd knows. */
    size_t n_ports;   /* Of table PORT. */
    bool initialized; /* CONFIG_DB_INITIALIZED is 1. */
};

/* All are called from the loop; arguments are borrowed for the call. */
struct redis_handlers {
    /* The row is as given; without fields ('n' is 0) it is not there. */
    void (*row)(void *context, enum table table, const char *key,
                const struct field *fields, size_t n);

    /* Bracket a full reading.  A reading that breaks off is not ended; the
     * next one begins anew. */
    void (*reading_begin)(void *context);
    void (*reading_end)(void *context, const struct redis_reading *reading);

    /* CONFIG_DB_INITIALIZED is, or is no longer, 1. */
    void (*initialized)(void *context, bool initialized);

    /* A database was emptied (FLUSHDB or FLUSHALL), possibly another one than
     * CONFIG_DB.  A full reading follows. */
    void (*flushed)(void *context);

    /* The connection is there, a database was flushed, or Redis had refused
     * something: write everything that orchd publishes. */
    void (*resync)(void *context);

    /* A message came over one of the channels of redis_options. */
    void (*message)(void *context, const char *channel, const char *payload);

    /* A key of STATE_DB that one of the patterns of redis_options matches was
     * written or removed. */
    void (*state_key)(void *context, const char *key);

    /* The connection is gone, and why. */
    void (*link_down)(void *context, const char *reason);
};

struct redis_options {
    struct endpoint endpoint;
    struct dbconfig dbconfig;
    int64_t audit_ns; /* Between complete readings. */

    /* The buffer tables are read from APPL_DB, where other programs push them
     * (pending.h), and those of CONFIG_DB are not read. */
    bool buffers_pushed;

    /* Channels to listen to, NULL after the last one; borrowed.  NULL: none. */
    const char *const *channels;

    /* Patterns of keys of STATE_DB to be told of, in the same form. */
    const char *const *state_keys;
};

/* Tells how a request ended: ST_OK, ST_IO (Redis is away, or went away), or
 * ST_INVALID with Redis's own words in 'err'. */
typedef void redis_done_fn(void *context, enum st status,
                           const struct err *err);

/* What rows that are written mean for what is there. */
enum redis_write {
    REDIS_WRITE_MERGE, /* Other fields and other rows stay. */
    REDIS_WRITE_ROWS,  /* Each is exactly that; one with 'fields' NULL goes. */
    REDIS_WRITE_ALL,   /* The same, and there are no other rows. */
};

#endif /* orchd/db/redis_types.h */
