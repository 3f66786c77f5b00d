/* SPDX-License-Identifier: Apache-2.0 */

/* Counts and compares frames.
 *
 * An unordered log has one row per kind of frame, so the difference of two logs
 * is the difference of their counts.  An ordered log is a history, and a later
 * copy of it begins with the earlier one. */

#include <config.h>

#include "breakpoint/frame_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* Returns whether the frames of both rows are of the same kind. */
static bool
same_look(const struct target_frames *a, const struct target_frames *b)
{
    return a->dscp == b->dscp && a->queue == b->queue && a->ecn == b->ecn &&
           a->pcp == b->pcp && a->vlan == b->vlan && a->ip_id == b->ip_id &&
           a->size_bytes == b->size_bytes;
}

void
frame_log_add(struct frame_log *log, const struct target_frames *row)
{
    size_t first = log->ordered && log->n ? log->n - 1 : 0;

    log->frames += row->frames;
    for (size_t i = first; i < log->n; i++) {
        if (same_look(&log->rows[i], row)) {
            log->rows[i].frames += row->frames;
            return;
        }
    }
    if (log->n == log->room) {
        log->room = log->room ? 2 * log->room : 8;
        log->rows = check_realloc(log->rows, log->room * sizeof *log->rows);
    }
    log->rows[log->n++] = *row;
}

void
frame_log_copy(struct frame_log *copy, const struct frame_log *log)
{
    *copy = *log;
    copy->room = log->n;
    copy->rows = NULL;
    if (log->n) {
        copy->rows = check_malloc(log->n * sizeof *copy->rows);
        memcpy(copy->rows, log->rows, log->n * sizeof *copy->rows);
    }
}

void
frame_log_fini(struct frame_log *log)
{
    free(log->rows);
    memset(log, 0, sizeof *log);
}

/* Counts the frames that 'match' selects among those from number 'from' to
 * 'to'. */
static int64_t
count_between(const struct frame_log *log, const struct frame_match *match,
              uint64_t from, uint64_t to)
{
    uint64_t at = 0;
    int64_t n = 0;

    for (size_t i = 0; i < log->n; i++) {
        const struct target_frames *row = &log->rows[i];
        uint64_t low = at > from ? at : from;
        uint64_t high = at + row->frames < to ? at + row->frames : to;

        if (low < high && frame_matches(match, row)) {
            n += (int64_t)(high - low);
        }
        at += row->frames;
    }
    return n;
}

/* Counts the frames that 'match' selects in the range of a claim. */
static int64_t
count(const struct frame_log *log, const struct frame_log *before,
      const struct rx_claim *claim, const struct frame_match *match)
{
    uint64_t from = before ? before->frames : 0, to = log->frames;

    if (!log->ordered) {
        return count_between(log, match, 0, to) -
               (before ? count_between(before, match, 0, from) : 0);
    }
    if (claim->first && claim->first < to - from) {
        to = from + claim->first;
    }
    if (claim->last && claim->last < to - from) {
        from = to - claim->last;
    }
    return count_between(log, match, from, to);
}

/* Counts the frames that left after a frame that a later item selects. */
static int64_t
count_disorder(const struct frame_log *log, uint64_t from,
               const struct rx_claim *claim)
{
    size_t reached = 0;
    uint64_t at = 0;
    int64_t n = 0;

    for (size_t i = 0; i < log->n; i++) {
        const struct target_frames *row = &log->rows[i];
        uint64_t low = at > from ? at : from;
        size_t item = 0;

        at += row->frames;
        while (item < claim->n_order &&
               !frame_matches(&claim->order[item], row)) {
            item++;
        }
        if (low >= at || item == claim->n_order) {
            continue;
        }
        if (item < reached) {
            n += (int64_t)(at - low);
        } else {
            reached = item;
        }
    }
    return n;
}

int64_t
frame_log_value(const struct frame_log *log, const struct frame_log *before,
                const struct rx_claim *claim)
{
    struct frame_match both = claim->where;
    int64_t part, all;

    if (claim->order) {
        return count_disorder(log, before ? before->frames : 0, claim);
    }
    if (!claim->is_share) {
        return count(log, before, claim, &claim->where);
    }
    for (unsigned int i = 0; i < N_FRAME_KEYS; i++) {
        if ((claim->of.has >> i & 1) && !(both.has >> i & 1)) {
            both.has |= UINT32_C(1) << i;
            both.values[i] = claim->of.values[i];
        }
    }
    part = count(log, before, claim, &both);
    all = count(log, before, claim, &claim->of);
    return all ? (1000 * part + all / 2) / all : 0;
}
