/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RESULTS_DATABASE_H
#define ORCHD_RESULTS_DATABASE_H

/* SQLite databases and queries: the only module that knows the library.
 *
 * Its codes become 'enum st' here: ST_IO for files that cannot be read or
 * written, ST_INVALID for files that are no databases.  A query that does not
 * compile is a bug of ours. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct database;
struct query;

/* Opens the existing database 'path', only to read or to read and write.
 * ST_NOT_FOUND, ST_IO, ST_INVALID. */
enum st database_open(const char *path, bool write, struct database **database,
                      struct err *err) ST_WARN_UNUSED;

/* Creates the empty database 'path'.  ST_EXISTS if there is a file, ST_IO. */
enum st database_create(const char *path, struct database **database,
                        struct err *err) ST_WARN_UNUSED;

/* Creates an empty database in memory, for the queries of figures.  ST_IO. */
enum st database_create_temporary(struct database **database,
                                  struct err *err) ST_WARN_UNUSED;

/* Closes 'database', whose queries are finished.  Accepts NULL. */
void database_close(struct database *database);

/* Executes statements that return nothing. */
enum st database_run(struct database *database, const char *sql,
                     struct err *err) ST_WARN_UNUSED;

/* Returns the number that 'sql' selects, 'otherwise' without a row or if it
 * fails. */
int64_t database_number(struct database *database, const char *sql,
                        int64_t otherwise);

/* Fails because 'source', for example "sweep", has no 'what' with the name
 * 'word'.  ST_INVALID: 'err' lists the names that 'sql' selects, and names the
 * nearest.  Another status: they cannot be read. */
enum st database_unknown(struct database *database, const char *sql,
                         const char *source, const char *what, const char *word,
                         struct err *err) ST_WARN_UNUSED;

/* Compiles one statement; ends with query_finish(). */
struct query *query_create(struct database *database, const char *sql);

/* The same for SQL from outside: ST_INVALID if it does not compile. */
enum st query_try(struct database *database, const char *sql,
                  struct query **query, struct err *err) ST_WARN_UNUSED;

/* Frees 'query'.  Accepts NULL. */
void query_finish(struct query *query);

/* Sets parameter 'i', from 1; text is copied, NULL is NULL. */
void query_set_number(struct query *query, int i, int64_t number);
void query_set_real(struct query *query, int i, double number);
void query_set_text(struct query *query, int i, const char *text);
void query_set_null(struct query *query, int i);

/* Steps to the next row and stores whether there is one. */
enum st query_next(struct query *query, bool *row,
                   struct err *err) ST_WARN_UNUSED;

/* Steps a statement that returns no rows, and makes it ready to be used again;
 * its parameters are NULL. */
enum st query_execute(struct query *query, struct err *err) ST_WARN_UNUSED;

/* The kind of a value. */
enum query_type { QUERY_NULL, QUERY_NUMBER, QUERY_REAL, QUERY_TEXT };

/* Columns are counted from 0.  Texts are borrowed until the next step; that of
 * NULL is "". */
int query_columns(const struct query *query);
const char *query_name(const struct query *query, int column);
enum query_type query_type(const struct query *query, int column);
int64_t query_number(const struct query *query, int column);
double query_real(const struct query *query, int column);
const char *query_text(const struct query *query, int column);

#endif /* results/database.h */
