/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_FILES_CONFIG_FILE_H
#define ORCHD_FILES_CONFIG_FILE_H

/* A config_db.json as rows of CONFIG_DB.
 *
 * The file is {TABLE: {KEY: {FIELD: VALUE}}}.  Values become what SONiC's
 * ConfigDBConnector would have stored: a string is itself, a number its
 * decimal text, and an array the comma list of its items under the name
 * "FIELD@". */

#include <jansson.h>
#include <stddef.h>

#include "base/status.h"
#include "orchd/intent/field.h"

struct arena;

/* Reads the file 'path', which is one JSON object, into '*tables', which the
 * caller releases.  ST_INVALID: it cannot be read, or is something else; the
 * reason in 'err' names line and column. */
enum st config_file_read(const char *path, json_t **tables,
                         struct err *err) ST_WARN_UNUSED;

/* Turns 'tables' into '*rows', '*n' of them, in 'arena'; names of tables and
 * fields stay borrowed from 'tables'.  ST_INVALID: something is neither; 'err'
 * says where ("PORT|Ethernet0 lanes"). */
enum st config_file_rows(const json_t *tables, struct arena *arena,
                         struct field_row **rows, size_t *n,
                         struct err *err) ST_WARN_UNUSED;

#endif /* orchd/files/config_file.h */
