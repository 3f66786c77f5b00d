/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_REDIS_TYPES_H
#define ORCHD_DB_REDIS_TYPES_H

/* Types shared by the database layer and its users: timeouts, the listener, and
 * results of requests.  The functions are in redis.h. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/db/dbconfig.h"
#include "orchd/db/endpoint.h"
#include "orchd/intent/intent.h"
#include "orchd/intent/table.h"

/* Timeouts: for connecting; for the answer to a command, and the grace period
 * after that.  Intervals: between complete readings if Redis sends no
 * notifications; between attempts to connect, initial and maximum. */
#define REDIS_CONNECT_NS     (INT64_C(2) * 1000 * 1000 * 1000)
#define REDIS_STALL_NS       (INT64_C(5) * 1000 * 1000 * 1000)
#define REDIS_LAST_CHANCE_NS (INT64_C(1) * 1000 * 1000 * 1000)
#define REDIS_POLL_NS        (INT64_C(1) * 1000 * 1000 * 1000)
#define REDIS_BACKOFF_MIN_NS (INT64_C(50) * 1000 * 1000)
#define REDIS_BACKOFF_MAX_NS (INT64_C(2) * 1000 * 1000 * 1000)

/* What a full reading of CONFIG_DB found. */
struct redis_reading {
    size_t n_rows;    /* Rows of tables that orchd reads. */
    size_t n_ports;   /* Rows of table PORT. */
    bool initialized; /* CONFIG_DB_INITIALIZED was 1 before the first row was
                       * read, and after the last, or has become so after rows
                       * that have been read. */
};

/* The listener.  All functions are called from the loop; arguments are borrowed
 * for the call. */
struct redis_listener {
    /* The current fields of a row; with 'n' 0 the row does not exist. */
    void (*row)(void *context, enum table table, const char *key,
                const struct field *fields, size_t n);

    /* The row exists, but has no fields that could be read: 'err' says why. */
    void (*bad_row)(void *context, enum table table, const char *key,
                    const struct err *err);

    /* Begin and end of a full reading.  An aborted reading has no end; the next
     * one begins from the start. */
    void (*reading_begin)(void *context);
    void (*reading_end)(void *context, const struct redis_reading *reading);

    /* CONFIG_DB_INITIALIZED has become 1, or is no longer 1. */
    void (*initialized)(void *context, bool initialized);

    /* A database, not necessarily CONFIG_DB, was flushed (FLUSHDB or FLUSHALL).
     * A full reading follows. */
    void (*flushed)(void *context);

    /* Redis is connected, a database was flushed, Redis had refused a command,
     * or redis_republish() was called: write all output again. */
    void (*resync)(void *context);

    /* An audit: check that Redis still has the output. */
    void (*audit)(void *context);

    /* A message arrived on one of the channels of redis_options. */
    void (*message)(void *context, const char *channel, const char *payload);

    /* A key of STATE_DB that one of the patterns of redis_options matches was
     * written or removed. */
    void (*state_key)(void *context, const char *key);

    /* A key that one of 'watched' of redis_options matches was written or
     * removed.  May be NULL if there are none. */
    void (*watched_key)(void *context, enum database database, const char *key);

    /* The connection was lost because of 'reason'. */
    void (*link_down)(void *context, const char *reason);

    /* Another orchd has the lock of this Redis (owner.h): nothing is read or
     * written any more, and the process has to end because of 'err'. */
    void (*disowned)(void *context, const struct err *err);
};

/* Keys of a database: all that match 'pattern' (as for KEYS). */
struct redis_keys {
    enum database database;
    const char *pattern; /* NULL: the end of a list. */
};

struct redis_options {
    struct endpoint endpoint;
    struct dbconfig dbconfig;
    int64_t audit_ns; /* Between complete readings. */
    bool is_private;  /* orchd starts this Redis: it takes a moment, and no
                       * program of the system fills CONFIG_DB. */

    const char *control; /* Our control socket, for the lock; borrowed. */
    bool force_owner;    /* Take the lock from another orchd. */

    /* The buffer tables are read from APPL_DB, where other programs push them
     * (pending.h), and those of CONFIG_DB are not read. */
    bool buffers_pushed;

    /* Channels to subscribe to, ended by NULL; borrowed.  NULL: none. */
    const char *const *channels;

    /* Patterns of keys of STATE_DB to watch, in the same form. */
    const char *const *state_keys;

    /* Further keys to watch, ended by a NULL pattern; borrowed.  NULL: none. */
    const struct redis_keys *watched;

    /* The keys that the writers may write, in the same form, with patterns that
     * end in "*" or have no wildcard: on a system with other owners of tables,
     * what a writer has for any other key is dropped, as are messages on
     * channels.  NULL: all.  Rows of CONFIG_DB that a client writes through
     * redis_write_rows() are not concerned. */
    const struct redis_keys *owned;
};

/* The result of a request: ST_OK, ST_IO (the connection is or got lost), or
 * ST_INVALID with the message of Redis in 'err'. */
typedef void redis_done_fn(void *context, enum st status,
                           const struct err *err);

/* How written rows combine with existing rows. */
enum redis_write {
    REDIS_WRITE_MERGE, /* Other fields and other rows stay. */
    REDIS_WRITE_ROWS,  /* Each row is replaced; a row with 'fields' NULL is
                        * deleted. */
    REDIS_WRITE_ALL,   /* The same, and all other rows are deleted. */
};

#endif /* orchd/db/redis_types.h */
