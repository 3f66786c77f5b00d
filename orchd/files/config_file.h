/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_FILES_CONFIG_FILE_H
#define ORCHD_FILES_CONFIG_FILE_H

/* Reads a config_db.json as rows of CONFIG_DB, and the reverse.
 *
 * The file is {TABLE: {KEY: {FIELD: VALUE}}}.  Values are converted as SONiC's
 * ConfigDBConnector does: a string is unchanged, a number becomes its decimal
 * text, and an array becomes the comma-separated list of its items in field
 * "FIELD@". */

#include <jansson.h>
#include <stddef.h>

#include "base/status.h"
#include "orchd/intent/field.h"

struct arena;

/* Reads the file 'path', one JSON object, into '*tables', which the caller
 * releases.  ST_INVALID: the file cannot be read or parsed; the reason in 'err'
 * has line and column. */
enum st config_file_read(const char *path, json_t **tables,
                         struct err *err) ST_WARN_UNUSED;

/* Converts 'tables' to '*n' rows in '*rows', with memory from 'arena'; names of
 * tables and fields stay borrowed from 'tables'.  ST_INVALID: a value has
 * another type; 'err' says where ("PORT|Ethernet0 lanes"). */
enum st config_file_rows(const json_t *tables, struct arena *arena,
                         struct field_row **rows, size_t *n,
                         struct err *err) ST_WARN_UNUSED;

/* Does the reverse: returns the tables of 'rows', {"TABLE|KEY": {FIELD:
 * STRING}}.  "FIELD@" becomes an array, and the placeholder NULL is left out.
 * The caller releases the result. */
json_t *config_file_tables(const json_t *rows);

/* Adds one row of that form to 'tables', as config_file_tables() does. */
void config_file_add_row(json_t *tables, const char *name,
                         const json_t *fields);

#endif /* orchd/files/config_file.h */
