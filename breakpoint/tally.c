/* SPDX-License-Identifier: Apache-2.0 */

/* Counting frames.
 *
 * Without an order the rows of a tally differ from each other, and a difference
 * of two tallies is the difference of their counts.  With one the rows are a
 * history, and the later tally begins with the earlier. */

#include <config.h>

#include "breakpoint/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* Returns whether frames of both look the same. */
static bool
same_look(const struct target_frames *a, const struct target_frames *b)
{
    return a->dscp == b->dscp && a->queue == b->queue && a->ecn == b->ecn &&
           a->pcp == b->pcp && a->vlan == b->vlan && a->ip_id == b->ip_id &&
           a->size_bytes == b->size_bytes;
}

void
tally_add(struct tally *tally, const struct target_frames *row)
{
    size_t first = tally->ordered && tally->n ? tally->n - 1 : 0;

    tally->frames += row->frames;
    for (size_t i = first; i < tally->n; i++) {
        if (same_look(&tally->rows[i], row)) {
            tally->rows[i].frames += row->frames;
            return;
        }
    }
    if (tally->n == tally->room) {
        tally->room = tally->room ? 2 * tally->room : 8;
        tally->rows =
            check_realloc(tally->rows, tally->room * sizeof *tally->rows);
    }
    tally->rows[tally->n++] = *row;
}

void
tally_copy(struct tally *copy, const struct tally *tally)
{
    *copy = *tally;
    copy->room = tally->n;
    copy->rows = NULL;
    if (tally->n) {
        copy->rows = check_malloc(tally->n * sizeof *copy->rows);
        memcpy(copy->rows, tally->rows, tally->n * sizeof *copy->rows);
    }
}

void
tally_fini(struct tally *tally)
{
    free(tally->rows);
    memset(tally, 0, sizeof *tally);
}

/* Counts the frames of 'match' among those from number 'from' to 'to'. */
static int64_t
count_between(const struct tally *tally, const struct frame_match *match,
              uint64_t from, uint64_t to)
{
    uint64_t at = 0;
    int64_t n = 0;

    for (size_t i = 0; i < tally->n; i++) {
        const struct target_frames *row = &tally->rows[i];
        uint64_t low = at > from ? at : from;
        uint64_t high = at + row->frames < to ? at + row->frames : to;

        if (low < high && frame_matches(match, row)) {
            n += (int64_t)(high - low);
        }
        at += row->frames;
    }
    return n;
}

/* Counts the frames of 'match' that a claim speaks of. */
static int64_t
count(const struct tally *tally, const struct tally *before,
      const struct rx_claim *claim, const struct frame_match *match)
{
    uint64_t from = before ? before->frames : 0, to = tally->frames;

    if (!tally->ordered) {
        return count_between(tally, match, 0, to) -
               (before ? count_between(before, match, 0, from) : 0);
    }
    if (claim->first && claim->first < to - from) {
        to = from + claim->first;
    }
    if (claim->last && claim->last < to - from) {
        from = to - claim->last;
    }
    return count_between(tally, match, from, to);
}

/* Counts the frames that left after one that belongs to a later item. */
static int64_t
count_disorder(const struct tally *tally, uint64_t from,
               const struct rx_claim *claim)
{
    size_t reached = 0;
    uint64_t at = 0;
    int64_t n = 0;

    for (size_t i = 0; i < tally->n; i++) {
        const struct target_frames *row = &tally->rows[i];
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
tally_value(const struct tally *tally, const struct tally *before,
            const struct rx_claim *claim)
{
    struct frame_match both = claim->where;
    int64_t part, all;

    if (claim->order) {
        return count_disorder(tally, before ? before->frames : 0, claim);
    }
    if (!claim->is_share) {
        return count(tally, before, claim, &claim->where);
    }
    for (unsigned int i = 0; i < N_FRAME_KEYS; i++) {
        if ((claim->of.has >> i & 1) && !(both.has >> i & 1)) {
            both.has |= UINT32_C(1) << i;
            both.values[i] = claim->of.values[i];
        }
    }
    part = count(tally, before, claim, &both);
    all = count(tally, before, claim, &claim->of);
    return all ? (1000 * part + all / 2) / all : 0;
}
