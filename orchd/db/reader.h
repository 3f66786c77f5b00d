/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_READER_H
#define ORCHD_DB_READER_H

/* Reads CONFIG_DB: all of it, or the rows that were said to be dirty.
 *
 * Internal to db/.  A complete reading walks the keys (SCAN) and reads the rows
 * of tables that orchd knows, all in one pipeline; its last command asks for
 * CONFIG_DB_INITIALIZED, so the answer to that ends the reading.  Rows that
 * become dirty meanwhile are read as always, and later than whatever the
 * complete reading had of them.
 *
 * A key of another type than hash is not a row.  Any other refusal makes the
 * reading worthless, because what was not read would seem to be missing: the
 * owner is told and starts over with a new connection. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct link;
struct log;
struct reader;
struct redis_handlers;
struct redis_options;

/* What the owner of a reader is told besides the rows. */
struct reader_events {
    /* A reading has ended; the handler has been told. */
    void (*ended)(void *context);

    /* Redis refuses to be read. */
    void (*refused)(void *context, const char *error);

    void *context;
};

/* Creates a reader that hands rows to 'handlers'.  All but 'events' is
 * borrowed. */
struct reader *reader_create(struct log *log,
                             const struct redis_options *options,
                             const struct redis_handlers *handlers,
                             void *handlers_context,
                             const struct reader_events *events);

/* Frees 'reader'; its link must be closed before.  Accepts NULL. */
void reader_destroy(struct reader *reader);

/* Gives the reader a new link, or with NULL says that there is none, which
 * breaks off a reading and forgets what is dirty. */
void reader_attach(struct reader *reader, struct link *link);

/* Starts a complete reading, or another one after that which is under way.
 * Returns its number; numbers ascend. */
uint64_t reader_start(struct reader *reader);

/* Returns the number of the last reading that ended. */
uint64_t reader_ended(const struct reader *reader);

/* Says that 'key' of CONFIG_DB, or of APPL_DB, has changed.  The latter matters
 * if the buffer tables are pushed there. */
void reader_dirty(struct reader *reader, const char *key);
void reader_dirty_pushed(struct reader *reader, const char *key);

/* Sends for what is dirty. */
void reader_flush(struct reader *reader);

/* Figures since creation. */
uint64_t reader_n_readings(const struct reader *reader);
uint64_t reader_n_rows(const struct reader *reader);

#endif /* orchd/db/reader.h */
