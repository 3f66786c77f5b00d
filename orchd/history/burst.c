/* SPDX-License-Identifier: Apache-2.0 */

/* A timer for the quiet time, and what clients said. */

#include <config.h>

#include "orchd/history/burst.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/timeline.h"
#include "orchd/history/history.h"

struct burst {
    struct timeline *timeline;
    const struct history *history;
    burst_quiet_fn *quiet;
    void *context;
    struct timer timer; /* Pending while CONFIG_DB may become quiet. */
    int64_t last_row;
    int64_t asked;  /* 'last_row' when 'quiet' was called. */
    size_t n_loads; /* In progress. */
    bool cut;       /* A load begins: what was before it may end now. */
    bool complete;  /* What changed so far is a generation. */
    char *comment;  /* On the generation of the last load, or NULL. */
};

/* Implements timer_fn. */
static void
on_timer(struct timer *timer, int64_t when)
{
    struct burst *burst = timer->owner;

    if (burst->n_loads || !history_n_news(burst->history)) {
        return; /* The end of the load, or the next row, goes on. */
    }
    if (when < burst->last_row + BURST_QUIET_NS) {
        timeline_set(burst->timeline, timer, burst->last_row + BURST_QUIET_NS);
        return;
    }
    burst->asked = burst->last_row;
    burst->quiet(burst->context);
}

struct burst *
burst_create(struct timeline *timeline, const struct history *history,
             burst_quiet_fn *quiet, void *context)
{
    struct burst *burst = check_calloc(1, sizeof *burst);

    burst->timeline = timeline;
    burst->history = history;
    burst->quiet = quiet;
    burst->context = context;
    burst->timer.fire = on_timer;
    burst->timer.owner = burst;
    return burst;
}

void
burst_destroy(struct burst *burst)
{
    if (burst) {
        timeline_cancel(burst->timeline, &burst->timer);
        free(burst->comment);
        free(burst);
    }
}

void
burst_row(struct burst *burst, int64_t now)
{
    burst->last_row = now;
    if (!timer_pending(&burst->timer) && history_n_news(burst->history)) {
        timeline_set(burst->timeline, &burst->timer, now + BURST_QUIET_NS);
    }
}

void
burst_read(struct burst *burst)
{
    if (burst->last_row == burst->asked) {
        burst->complete = true;
    }
}

void
burst_complete(struct burst *burst)
{
    if (burst) {
        burst->complete = true;
    }
}

void
burst_begin_load(struct burst *burst)
{
    if (burst) {
        burst->cut = !burst->n_loads && history_n_news(burst->history);
        burst->n_loads++;
    }
}

void
burst_end_load(struct burst *burst, const char *comment)
{
    if (!burst) {
        return;
    }
    burst->n_loads--;
    burst->complete = true;
    if (comment) {
        free(burst->comment);
        burst->comment = check_strdup(comment);
    }
}

bool
burst_is_over(struct burst *burst, bool settled)
{
    const bool news = history_n_news(burst->history) > 0;
    const bool cut = burst->cut;

    burst->cut = false;
    if (!settled || (burst->n_loads && !cut)) {
        return false;
    }
    if (cut || burst->complete) {
        burst->complete = false;
        return news;
    }
    return false;
}

char *
burst_take_comment(struct burst *burst)
{
    char *comment = burst->comment;

    burst->comment = NULL;
    return comment;
}
