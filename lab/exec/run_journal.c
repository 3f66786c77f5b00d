/* SPDX-License-Identifier: Apache-2.0 */

/* What the destinations of flows have counted in a window. */

#include <config.h>

#include "lab/exec/run_journal.h"

#include <stdlib.h>

#include "base/check.h"
#include "twin/fabric/fabric.h"

struct journal_entry {
    struct moment when;
    uint32_t flow;
    uint32_t bytes;
    bool is_marked;
};

void
run_journal_fini(struct run_journal *journal)
{
    free(journal->entries);
}

struct moment
moment_of(const struct engine *engine)
{
    return (struct moment){engine_now_ps(engine), engine_order(engine)};
}

static bool
is_after(const struct moment *a, const struct moment *b)
{
    return a->t_ps != b->t_ps ? a->t_ps > b->t_ps : a->order > b->order;
}

void
run_journal_note(struct run_journal *journal, const struct engine *engine,
                 uint32_t flow, uint32_t bytes, bool is_marked)
{
    if (journal->n == journal->room) {
        journal->room = journal->room ? 2 * journal->room : 256;
        journal->entries = check_realloc(
            journal->entries, journal->room * sizeof *journal->entries);
    }
    journal->entries[journal->n++] =
        (struct journal_entry){moment_of(engine), flow, bytes, is_marked};
}

void
run_journal_take_off(const struct run_journal *journal, uint32_t flow,
                     const struct moment *when, uint64_t *bytes,
                     uint64_t *marked)
{
    for (size_t i = 0; i < journal->n; i++) {
        const struct journal_entry *entry = &journal->entries[i];

        if (entry->flow == flow && is_after(&entry->when, when)) {
            *bytes -= entry->bytes;
            *marked -= entry->is_marked;
        }
    }
}
