/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REHEARSE_NOTES_H
#define ORCHD_REHEARSE_NOTES_H

/* The store of the PFC watchdog (orchd/pfcwd/storm_store.h) in memory: what the
 * daemon would have in Redis, to be looked at by a scenario.  Nobody listens to
 * its channels. */

#include <stddef.h>

#include "orchd/db/dbconfig.h"
#include "orchd/pfcwd/storm_store.h"

struct note;

struct notes {
    struct storm_store store; /* First: what the watchdog holds. */
    struct note *notes;       /* A hash by database and key. */
};

/* Makes '*notes' an empty store; it has to stay where it is. */
void notes_init(struct notes *notes);

/* Frees what it holds.  Zeroed ones are accepted. */
void notes_fini(struct notes *notes);

/* Returns the fields of a hash and stores how many there are; NULL and 0 if
 * there are none.  Valid until the next change. */
const struct field *notes_get(const struct notes *notes, enum database database,
                              const char *key, size_t *n);

#endif /* orchd/rehearse/notes.h */
