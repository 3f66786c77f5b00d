/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_READER_H
#define ORCHD_DB_READER_H

/* Reads CONFIG_DB: all of it, or the rows that are dirty.
 *
 * Internal to db/.  A complete reading walks the keys (SCAN) and reads the rows
 * of tables that orchd knows, all in one pipeline.  Rows that become dirty
 * meanwhile are read as always, after the complete reading has read them.
 *
 * Who fills CONFIG_DB sets CONFIG_DB_INITIALIZED last.  So a complete reading
 * asks for it first: only if it is set before the keys are walked are all rows
 * among them.  It asks again at the end, and that answer ends the reading; it
 * found CONFIG_DB initialized if both answers say so.  If it is set in between,
 * its notification comes after those of the rows and says so.
 *
 * A key that is not a hash, or that contains a NUL, is a bad row.  Any other
 * error of Redis invalidates the reading, because rows that were not read would
 * seem to be missing: the reader notifies its owner, which starts over with a
 * new connection. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct link;
struct log;
struct reader;
struct redis_listener;
struct redis_options;

/* The listener of the owner, for events other than rows. */
struct reader_listener {
    /* A complete reading has ended; called after the redis listener. */
    void (*ended)(void *context);

    /* Redis refuses a read command. */
    void (*refused)(void *context, const char *error);

    void *context;
};

/* Creates a reader that hands rows to 'rows'.  All but 'listener' is
 * borrowed. */
struct reader *reader_create(struct log *log,
                             const struct redis_options *options,
                             const struct redis_listener *rows,
                             void *rows_context,
                             const struct reader_listener *listener);

/* Frees 'reader'; its link must be closed before.  Accepts NULL. */
void reader_destroy(struct reader *reader);

/* Sets the link.  NULL means that there is none: it aborts a reading and clears
 * the dirty rows. */
void reader_attach(struct reader *reader, struct link *link);

/* Starts a complete reading, after the current one if there is one. Returns its
 * number; numbers ascend. */
uint64_t reader_start(struct reader *reader);

/* Returns the number of the last reading that ended. */
uint64_t reader_ended(const struct reader *reader);

/* Marks 'key' of CONFIG_DB, or of APPL_DB, as dirty.  APPL_DB is used only if
 * other programs push the buffer tables there. */
void reader_dirty(struct reader *reader, const char *key);
void reader_dirty_pushed(struct reader *reader, const char *key);

/* Requests dirty rows, the oldest first, as long as fewer than READER_IN_FLIGHT
 * are requested and not answered yet; call it after each answer.  A row that is
 * written again and again, faster than orchd or Redis can follow, is then read
 * once for many writes; only the names of rows wait. */
#define READER_IN_FLIGHT 512
void reader_flush(struct reader *reader);

/* Requests all dirty rows now. */
void reader_flush_all(struct reader *reader);

/* Counters since creation. */
uint64_t reader_n_readings(const struct reader *reader);
uint64_t reader_n_rows(const struct reader *reader);

#endif /* orchd/db/reader.h */
