/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_BUFFER_ROWS_H
#define ORCHD_DERIVE_BUFFER_ROWS_H

/* Copies of the rows of the buffer tables, and which ports they speak of.
 *
 * What the dynamic model works out of a row depends on other rows that come
 * and go in any order, so it keeps what it was told: the effective content of
 * each row, and a *place* for each port in its key.  The places of a port are
 * in its list, which is what a port is derived from. */

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

/* A row speaks of a port. */
struct binding {
    struct buffer_row *row;
    struct port_input *port;
    struct binding *next; /* On the same port. */

    /* What the row binds on this port, if that is not simply what it says: of
     * BUFFER_PG always; of BUFFER_QUEUE and of profile lists if 'zero', which
     * says that the port is shut.  'name' is owned; NULL: nothing.  'generated'
     * is set if the profile is generated, and referenced once, as by a port of
     * 8 lanes if 'eight'.  'err' (owned, or NULL) says why it is not what the
     * row asks for. */
    char *name;
    struct generated_profile *generated;
    bool eight;
    bool zero;
    struct err *err;
};

struct buffer_row {
    char *id; /* "TABLE|key"; owned, and the memory of 'key'. */
    const char *key;
    enum table table;
    struct content *content;
    unsigned int first, last;
    struct binding *bindings; /* One for each port of the key. */
    size_t n_bindings;

    /* What is in force instead of 'content', and why it is not all that the
     * row asks for.  Of a pool without a size: what it was given, NULL before
     * the first computation.  Of a profile that is 'held': what it was, NULL:
     * not there. */
    struct content *instead;
    struct err *err;
    bool held; /* See profile_growth.h. */

    bool due; /* It is to be handed on, and in the list of these. */
    struct buffer_row *prev, *next;

    /* Of BUFFER_POOL: in the list of pools; and whether somebody may want to
     * know more of it. */
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

/* Copies 'row', which is present and has its key taken apart, and returns the
 * copy.  New places are put on their ports, which are all marked as changed. */
struct buffer_row *buffer_rows_put(struct buffer_rows *rows,
                                   struct port_inputs *inputs,
                                   const struct row *row);

/* Forgets a row; the caller has emptied its places.  Ports that it spoke of
 * are marked as changed. */
void buffer_rows_remove(struct buffer_rows *rows, struct port_inputs *inputs,
                        struct buffer_row *copy);

/* Frees all rows, the places of which were emptied. */
void buffer_rows_fini(struct buffer_rows *rows);

/* Returns a row, NULL if there is none. */
struct buffer_row *buffer_rows_find(const struct buffer_rows *rows,
                                    enum table table, const char *key);

/* Returns a field of 'copy', or NULL. */
const char *buffer_rows_field(const struct buffer_row *copy, const char *name);

/* Returns what a row that is not a pool has in force; NULL: nothing. */
const struct content *buffer_rows_content(const struct buffer_row *copy);

/* Forgets what is in force instead of the content. */
void buffer_rows_reset(struct buffer_row *copy);

/* Puts 'copy' into the list of those to be handed on, or takes the first out
 * of it (NULL: there is none). */
void buffer_rows_mark(struct buffer_rows *rows, struct buffer_row *copy);
struct buffer_row *buffer_rows_take(struct buffer_rows *rows);

/* Returns the place whose row of 'table' governs 'index' on 'port', by the
 * rules of the flow: the fewest indexes, then the fewest ports, then the
 * smallest key; NULL if none does. */
struct binding *buffer_rows_binding(const struct port_input *port,
                                    enum table table, unsigned int index);

#endif /* orchd/derive/buffer_rows.h */
