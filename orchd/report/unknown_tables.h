/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REPORT_UNKNOWN_TABLES_H
#define ORCHD_REPORT_UNKNOWN_TABLES_H

/* The tables of a configuration that orchd does not read: those of other
 * programs, and those whose name is misspelt.
 *
 *   [{"table": "BUFFER_POL", "rows": 1, "nearest": "BUFFER_POOL"},
 *    {"table": "NTP", "rows": 2}, ...]
 *
 * "nearest" is the table of orchd with a similar name, if there is one. */

#include <jansson.h>

/* Notes 'row', "TABLE|KEY", in 'seen', an object that is empty at first.  A row
 * may be noted twice. */
void unknown_tables_note(json_t *seen, const char *row);

/* Returns the list of what was noted. */
json_t *unknown_tables_list(const json_t *seen);

/* Returns the list for 'tables', the content of a config_db.json. */
json_t *unknown_tables_of(const json_t *tables);

#endif /* orchd/report/unknown_tables.h */
