/* SPDX-License-Identifier: Apache-2.0 */

/* A call that waits is one that has asked in this turn or the last one. */

#include <config.h>

#include "orchd/control/moment.h"

#include "base/check.h"

void
moment_turn(struct moment *moment)
{
    moment->turn++;
}

/* Returns whether a call that waited 'in' a turn still does: it asks in each
 * one. */
static bool
waits(const struct moment *moment, uint64_t in)
{
    return in && in >= moment->turn;
}

bool
moment_hold(struct moment *moment)
{
    if (moment->is_exclusive || waits(moment, moment->movers_waited)) {
        moment->readers_waited = moment->turn + 1;
        return false;
    }
    moment->n_readers++;
    moment->was_exclusive = false;
    return true;
}

bool
moment_move(struct moment *moment)
{
    if (moment->n_readers) {
        moment->movers_waited = moment->turn + 1;
        return false;
    }
    moment->movers_waited = 0; /* All others can move in this turn, too. */
    return true;
}

bool
moment_hold_alone(struct moment *moment)
{
    if (moment->was_exclusive && waits(moment, moment->readers_waited)) {
        return false; /* It is their turn. */
    }
    if (moment_move(moment)) {
        moment->n_readers = 1;
        moment->is_exclusive = moment->was_exclusive = true;
        return true;
    }
    return false;
}

void
moment_end(struct moment *moment)
{
    orch_assert(moment->n_readers);
    moment->n_readers--;
    moment->is_exclusive = false;
}
