/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_TABLE_H
#define ORCHD_INTENT_TABLE_H

/* The CONFIG_DB tables that orchd reads (tables.def), and the shapes of their
 * keys.
 *
 * Tables that are not listed belong to other programs: orchd neither reads
 * their rows nor writes a status for them. docs/reference/schema.md is the
 * contract. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct text;

/* The form of the key after the table name; '|' separates parts. */
enum key_shape {
    KEY_NAME,        /* One name: "AZURE". */
    KEY_PORTS,       /* A comma list of port names: "Ethernet0,Ethernet4". */
    KEY_PORTS_RANGE, /* Ports, '|', an index or a range: "Ethernet0|3-4". */
    KEY_SYSTEM_PORT, /* A port of a chassis, with the device and the ASIC that
                      * have it: "lc1|asic0|Ethernet0". */
};

enum table {
#define TABLE(member, shape, module) TABLE_##member,
#include "orchd/intent/tables.def"
#undef TABLE
    N_TABLES
};

/* The tables of buffers, which APPL_DB has too (as BUFFER_POOL_TABLE, ...). */
enum { TABLE_N_BUFFERS = 6 };
extern const enum table table_buffers[TABLE_N_BUFFERS];

/* Returns the name of 'table', for example "BUFFER_PG". */
const char *table_name(enum table table);

/* Appends the name of a row, "BUFFER_PG|Ethernet0|3", to 'text'. */
void table_add_row(struct text *text, enum table table, const char *key);

/* Returns the shape of the keys of 'table'. */
enum key_shape table_key_shape(enum table table);

/* Finds the table whose name is the first 'length' bytes of 'name'.  Returns
 * false and leaves '*table' alone if orchd does not read it. */
bool table_find(const char *name, size_t length, enum table *table);

/* Sets '*table' to the table whose name is most similar to the first 'length'
 * bytes of 'name'.  Returns false if none is near. */
bool table_find_near(const char *name, size_t length, enum table *table);

/* Completes 'err', whose reason says that there is no table 'name': appends the
 * most similar name, and sets 'field' and the tables there are.  Returns
 * ST_INVALID. */
enum st table_explain(const char *field, const char *name, struct err *err);

#endif /* orchd/intent/table.h */
