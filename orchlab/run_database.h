/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_RUN_DATABASE_H
#define ORCHD_ORCHLAB_RUN_DATABASE_H

/* Puts what all runs of a scenario have in common into one database, for
 * figures that compare them ("orchlab run --merge" is run_gather.h): the tables
 * 'runs', 'params' and 'verdicts', the 'ports' of switches, and of 'counters'
 * those of whole nodes.  They have the columns of results files after the
 * column 'number', which tells the runs apart. */

#include <stddef.h>

#include "base/status.h"

struct database;

/* Stores a new database in '*database', with the complete runs in 'folder'
 * whose name is 'name'; of runs with equal values and seeds the newest one. The
 * caller closes it.  ST_NOT_FOUND: there is none; ST_IO. */
enum st run_database_of_name(const char *folder, const char *name,
                             struct database **database,
                             struct err *err) ST_WARN_UNUSED;

/* The same with the 'n' files 'paths' (at least one), the oldest first. */
enum st run_database_of_paths(const char *const *paths, size_t n,
                              struct database **database,
                              struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/run_database.h */
