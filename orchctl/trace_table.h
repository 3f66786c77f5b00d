/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_TRACE_TABLE_H
#define ORCHD_ORCHCTL_TRACE_TABLE_H

/* Reads trace files (orchctl/trace_file.h) as a table of SQL. */

#include "base/status.h"

struct database;

/* Reads the file 'path' into the table "trace" of a new database, with a column
 * for each one of the file: t, event, object, priority, reserved, shared,
 * headroom, threshold, headroom_limit, frame, reason.  ST_NOT_FOUND, ST_IO;
 * ST_INVALID: it is no trace, or was cut.  database_close() ends it. */
enum st trace_table_open(const char *path, struct database **database,
                         struct err *err) ST_WARN_UNUSED;

#endif /* orchctl/trace_table.h */
