/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_RUN_JOURNAL_H
#define ORCHD_LAB_EXEC_RUN_JOURNAL_H

/* What the destinations of flows have counted in a window.
 *
 * A flow is reported at a moment of its source.  A destination on another rank
 * or in another lane may be ahead, at most to the end of the window. It
 * keeps each packet that it counts, so that after the window what was counted
 * later than the report can be taken off. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct engine;

/* When something happened, among all that happens: the time, and the order of
 * its event (event_order(), twin/event/event.h). */
struct moment {
    int64_t t_ps;
    uint64_t order;
};

struct journal_entry; /* Private. */

/* Zero-initialised it is empty.  End with run_journal_fini(). */
struct run_journal {
    struct journal_entry *entries;
    size_t n, room;
};

void run_journal_fini(struct run_journal *journal);

/* Returns the present moment of 'engine'. */
struct moment moment_of(const struct engine *engine);

/* Notes that the destination of flow number 'flow' has counted a packet with
 * 'bytes' of payload now. */
void run_journal_note(struct run_journal *journal, const struct engine *engine,
                      uint32_t flow, uint32_t bytes, bool is_marked);

/* Takes off '*bytes' and '*marked', which are those of 'flow' up to the end of
 * the window, what was counted after 'when'. */
void run_journal_take_off(const struct run_journal *journal, uint32_t flow,
                          const struct moment *when, uint64_t *bytes,
                          uint64_t *marked);

/* Begins the next window. */
static inline void
run_journal_clear(struct run_journal *journal)
{
    journal->n = 0;
}

#endif /* lab/exec/run_journal.h */
