/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_KNOWN_H
#define ORCHD_DERIVE_KNOWN_H

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

struct facts;
struct made;
struct known;
struct port_facts;

/* A row speaks of a port. */
struct place {
    struct known *row;
    struct port_facts *port;
    struct place *next; /* On the same port. */

    /* What the row binds on this port, if that is not simply what it says: of
     * BUFFER_PG always; of BUFFER_QUEUE and of profile lists if 'zero', which
     * says that the port is shut.  'name' is owned; NULL: nothing.  'made' is
     * set if the profile is generated, and referenced once, as by a port of 8
     * lanes if 'eight'.  'err' (owned, or NULL) says why it is not what the row
     * asks for. */
    char *name;
    struct made *made;
    bool eight;
    bool zero;
    struct err *err;
};

struct known {
    char *id; /* "TABLE|key"; owned, and the memory of 'key'. */
    const char *key;
    enum table table;
    struct content *content;
    unsigned int first, last;
    struct place *places; /* One for each port of the key. */
    size_t n_places;

    /* What is in force instead of 'content', and why it is not all that the
     * row asks for.  Of a pool without a size: what it was given, NULL before
     * the first computation.  Of a profile that is 'held': what it was, NULL:
     * not there. */
    struct content *instead;
    struct err *err;
    bool held; /* See growth.h. */

    bool due; /* It is to be handed on, and in the list of these. */
    struct known *prev, *next;

    /* Of BUFFER_POOL: in the list of pools; and whether somebody may want to
     * know more of it. */
    struct known *prev_pool, *next_pool;
    bool unexplained;
    UT_hash_handle hh;
};

/* Zero-initialise. */
struct known_rows {
    struct known *all;
    struct known *due;
    struct known *pools;
    size_t n_held;
};

/* Copies 'row', which is present and has its key taken apart, and returns the
 * copy.  New places are put on their ports, which are all marked as changed. */
struct known *known_put(struct known_rows *rows, struct facts *facts,
                        const struct row *row);

/* Forgets a row; the caller has emptied its places.  Ports that it spoke of
 * are marked as changed. */
void known_remove(struct known_rows *rows, struct facts *facts,
                  struct known *known);

/* Frees all rows, the places of which were emptied. */
void known_fini(struct known_rows *rows);

/* Returns a row, NULL if there is none. */
struct known *known_find(const struct known_rows *rows, enum table table,
                         const char *key);

/* Returns a field of 'known', or NULL. */
const char *known_field(const struct known *known, const char *name);

/* Returns what a row that is not a pool has in force; NULL: nothing. */
const struct content *known_content(const struct known *known);

/* Forgets what is in force instead of the content. */
void known_reset(struct known *known);

/* Puts 'known' into the list of those to be handed on, or takes the first out
 * of it (NULL: there is none). */
void known_mark(struct known_rows *rows, struct known *known);
struct known *known_take(struct known_rows *rows);

/* Returns the place whose row of 'table' governs 'index' on 'port', by the
 * rules of the flow: the fewest indexes, then the fewest ports, then the
 * smallest key; NULL if none does. */
struct place *place_of(const struct port_facts *port, enum table table,
                       unsigned int index);

#endif /* orchd/derive/known.h */
