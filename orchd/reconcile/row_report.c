/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/reconcile/row_report.h"

#include "base/digest.h"
#include "base/timeline.h"
#include "orchd/intent/content.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/listener.h"
#include "orchd/reconcile/row_answer.h"
#include "orchd/reconcile/source.h"

/* Returns a digest of everything in a status that a reader would notice. */
static uint64_t
status_digest(const struct row_status *status)
{
    uint64_t digest = DIGEST_START + status->state;

    digest = digest_text(digest, status->err.code);
    digest = digest_text(digest, status->err.field);
    digest = digest_text(digest, status->err.value);
    digest = digest_text(digest, status->err.reason);
    digest = digest_text(digest, status->blocked_by);
    digest = digest_text(digest, status->referenced_by);
    digest = digest_text(digest, status->warnings);
    return digest + status->attempts + (status->accepted != NULL);
}

/* Stops counting what was reported of a row. */
static void
uncount(const struct source *source)
{
    if (source->reported) {
        source->graph->n_reported[source->reported_state]--;
        source->graph->n_unconfirmed -= source->reported_unconfirmed;
    }
}

static void
report_row(struct source *source, const struct listener *listener,
           struct row_answer *answer, uint64_t generation)
{
    uint64_t digest = status_digest(&answer->status);

    if (source->reported && source->reported_digest == digest &&
        !source->rewritten) {
        return; /* Publishing costs more than all of this. */
    }
    if (!source->reported || source->rewritten ||
        source->reported_state != answer->status.state) {
        source->changed_in = generation;
    }
    source->rewritten = false;
    if (source->accepted != answer->accepted) {
        content_unref(source->accepted);
        source->accepted = content_ref(answer->accepted);
    }
    uncount(source);
    source->graph->n_reported[answer->status.state]++;
    source->graph->n_unconfirmed += answer->status.unconfirmed;
    source->reported = true;
    source->reported_digest = digest;
    source->reported_state = answer->status.state;
    source->reported_unconfirmed = answer->status.unconfirmed;
    source->generation = generation;
    answer->status.generation = generation;
    answer->status.changed_in = source->changed_in;
    source->graph->n_answers++;
    if (listener->row_status) {
        listener->row_status(listener->context, &answer->status);
    }
}

static void
report_row_gone(const struct listener *listener, const struct source *source)
{
    if (listener->row_gone) {
        listener->row_gone(listener->context, source->table,
                           source_key(source));
    }
}

/* Takes the list of rows to answer from 'graph': rows that are put back during
 * the iteration go into a new list. */
static struct source *
take_unanswered(struct graph *graph)
{
    struct source *first = graph->unanswered_first;

    graph->unanswered_first = graph->unanswered_last = NULL;
    return first;
}

int64_t
row_report(struct graph *graph, const struct listener *listener,
           struct row_answer *answer, uint64_t generation, int64_t now)
{
    int64_t due = TIMELINE_NEVER;
    struct source *source, *next;

    for (source = take_unanswered(graph); source; source = next) {
        int64_t quiet_at = source->changed_at + INTENT_QUIET_NS;
        bool gone, answered;

        next = source->next_unanswered;
        source->unanswered = false;
        answered = row_answer_make(answer, source, &gone);
        if (gone) {
            uncount(source);
            if (source->reported) {
                report_row_gone(listener, source);
            }
            source_drop(source);
        } else if (answered && answer->status.state == ROW_STATE_WAITING &&
                   now < quiet_at) {
            graph_mark_answer(source);
            due = quiet_at < due ? quiet_at : due;
        } else if (answered) {
            report_row(source, listener, answer, generation);
        }
        /* Its claims are detached, so changes of its objects would not mark it.
         */
        if (!gone && !source->present) {
            graph_mark_answer(source);
        }
    }
    return due;
}
