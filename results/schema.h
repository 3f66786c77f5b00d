/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RESULTS_SCHEMA_H
#define ORCHD_RESULTS_SCHEMA_H

/* Results files: SQLite databases with the runs of experiments.
 *
 * orchlab writes one run into a file (lab/measure/results.h), a sweep of
 * orchctl many (results/sweep.h); what reads one of them can read the other.
 * PRAGMA application_id is SCHEMA_APPLICATION_ID and PRAGMA user_version
 * SCHEMA_VERSION.  A change that readers notice raises the version. */

#include "base/status.h"
#include "results/schema_tables.h"

struct database;
struct query;
struct text;

#define SCHEMA_APPLICATION_ID 0x6f72636c /* "orcl" */
#define SCHEMA_VERSION        9

/* What a connection that records says first.  WAL: what is committed survives
 * the process without a wait for the disk. */
#define SCHEMA_RECORDING                                                       \
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"

enum schema_table {
#define X(table, columns) SCHEMA_TABLE_##table,
    SCHEMA_TABLES(X)
#undef X
        SCHEMA_N_TABLES
};

/* Makes tables, views and indexes in an empty database, and begins a
 * transaction. */
enum st schema_make(struct database *database, struct err *err) ST_WARN_UNUSED;

/* Returns a statement that inserts a row into 'table', whose parameters are the
 * columns. */
struct query *schema_insert(struct database *database, enum schema_table table);

/* Appends the columns of 'table' but the number of the run, each after a comma.
 */
void schema_add_columns(struct text *text, enum schema_table table);

/* ST_INVALID: the file 'path' is no results file.  ST_UNSUPPORTED: its version
 * is newer than this program. */
enum st schema_check(struct database *database, const char *path,
                     struct err *err) ST_WARN_UNUSED;

#endif /* results/schema.h */
