/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_REFUSALS_H
#define ORCHD_DB_REFUSALS_H

/* Finds out when a Redis that refuses writes accepts them again.
 *
 * Internal to db/.  Problem: Redis refuses writes for a while: it is out of
 * memory, cannot save to its disk, is a replica, loads its data.  What orchd
 * published meanwhile is missing, and to publish everything again and again
 * would load a Redis that is in trouble.  Idea: one small write, with growing
 * intervals; once Redis accepts it, orchd publishes everything again.
 *
 * The write sets the key ORCHD_PROBE of STATE_DB, which expires at once. */

#include <stdbool.h>
#include <stdint.h>

struct link;
struct loop;
struct refusals;

/* Intervals between two attempts, initial and maximum. */
#define REFUSALS_RETRY_MIN_NS (INT64_C(100) * 1000 * 1000)
#define REFUSALS_RETRY_MAX_NS (INT64_C(5) * 1000 * 1000 * 1000)

/* A Redis that refuses again within this time after it had recovered has not
 * recovered: the interval goes on growing. */
#define REFUSALS_RELAPSE_NS (INT64_C(10) * 1000 * 1000 * 1000)

/* Creates the check for STATE_DB, which has the number 'database'.  'recovered'
 * is called when Redis accepts writes again. */
struct refusals *refusals_create(struct loop *loop, int database,
                                 void (*recovered)(void *context),
                                 void *context);

/* Frees 'refusals'.  Accepts NULL. */
void refusals_destroy(struct refusals *refusals);

/* Sets the link to write to; NULL: the connection is lost, and with it all
 * refusals. */
void refusals_attach(struct refusals *refusals, struct link *link);

/* Redis refused a command with 'error', which starts with a code.  Returns
 * whether it will accept commands by itself later: then 'recovered' will be
 * called, unless the connection is lost before. */
bool refusals_note(struct refusals *refusals, const char *error);

/* Returns whether 'error' says that Redis still loads its data. */
bool refusals_is_loading(const char *error);

#endif /* orchd/db/refusals.h */
