/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_BUFFER_ROWS_H
#define ORCHD_DERIVE_BUFFER_ROWS_H

/* Copies of the rows of the buffer tables, and their bindings to ports.
 *
 * What the dynamic model computes for a row depends on other rows, which change
 * in any order.  So it keeps a copy of the effective content of each row and a
 * *binding* for each port in its key.  Each port has a list of its bindings,
 * from which it is derived. */

#include <stdbool.h>
#include <stddef.h>

#include <uthash.h>

#include "base/status.h"
#include "orchd/intent/content.h"
#include "orchd/intent/intent.h"

struct port_inputs;
struct generated_profile;
struct buffer_row;
struct port_input;

/* A row that applies to a port. */
struct binding {
    struct buffer_row *row;
    struct port_input *port;
    struct binding *next; /* On the same port. */

    /* What the row binds on this port where that differs from its content:
     * always for BUFFER_PG; for BUFFER_QUEUE and profile lists only if 'zero',
     * which means that the port is shut.  'name' is owned; NULL: nothing.
     * 'generated' is set if the profile is generated; the binding holds one
     * reference to it, as a port of 8 lanes if 'eight'.  'err' (owned, or NULL)
     * says why the row does not get what it asks for. */
    char *name;
    struct generated_profile *generated;
    bool eight;
    bool zero;
    struct err *err;
};

struct buffer_row {
    char *id; /* "TABLE|key"; owned; 'key' points into it. */
    const char *key;
    enum table table;
    struct content *content;
    unsigned int first, last;
    struct binding *bindings; /* One for each port of the key. */
    size_t n_bindings;

    /* What is in force instead of 'content', and why the row does not get all
     * that it asks for.  For a pool without a size: the computed content, NULL
     * before the first computation.  For a profile that is 'held': the previous
     * content, NULL if there was none. */
    struct content *instead;
    struct err *err;
    bool held; /* See profile_growth.h. */

    bool due; /* In the list of rows to hand on. */
    struct buffer_row *prev, *next;

    /* For BUFFER_POOL: the list of pools, and whether its explanation may have
     * changed. */
    struct buffer_row *prev_pool, *next_pool;
    bool unexplained;
    UT_hash_handle hh;
};

/* Zero-initialise. */
struct buffer_rows {
    struct buffer_row *all;
    struct buffer_row *due;
    struct buffer_row *pools;
    size_t n_held;
};

/* Copies 'row', which is present and has a parsed key, and returns the copy.
 * Creates its bindings and marks their ports as changed. */
struct buffer_row *buffer_rows_put(struct buffer_rows *rows,
                                   struct port_inputs *inputs,
                                   const struct row *row);

/* Removes a row whose bindings the caller has cleared.  Marks its ports as
 * changed. */
void buffer_rows_remove(struct buffer_rows *rows, struct port_inputs *inputs,
                        struct buffer_row *copy);

/* Frees all rows; the caller has cleared their bindings. */
void buffer_rows_fini(struct buffer_rows *rows);

/* Returns a row, or NULL. */
struct buffer_row *buffer_rows_find(const struct buffer_rows *rows,
                                    enum table table, const char *key);

/* Returns a field of 'copy', or NULL. */
const char *buffer_rows_field(const struct buffer_row *copy, const char *name);

/* Returns the content in force of a row that is not a pool; NULL: none. */
const struct content *buffer_rows_content(const struct buffer_row *copy);

/* Drops what is in force instead of the content. */
void buffer_rows_reset(struct buffer_row *copy);

/* Appends 'copy' to the list of rows to hand on, or takes the first row from it
 * (NULL: the list is empty). */
void buffer_rows_mark(struct buffer_rows *rows, struct buffer_row *copy);
struct buffer_row *buffer_rows_take(struct buffer_rows *rows);

/* Returns the binding whose row of 'table' governs 'index' on 'port', by the
 * usual precedence: the fewest indexes, then the fewest ports, then the
 * smallest key; NULL if none does. */
struct binding *buffer_rows_binding(const struct port_input *port,
                                    enum table table, unsigned int index);

#endif /* orchd/derive/buffer_rows.h */
