/* SPDX-License-Identifier: Apache-2.0 */

/* Writes and chooses checkpoints together with all ranks. */

#include <config.h>

#include "orchlab/checkpoint_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "lab/exec/communicator.h"
#include "orchlab/ranks.h"

#define PS_PER_US INT64_C(1000000)
#define NS_PER_S  INT64_C(1000000000)

/* Replaces each of 'n' values by the least of all ranks. */
static void
take_least(const struct checkpoint_set *set, int64_t *values, size_t n)
{
    if (set->comm) {
        set->comm->minimum(set->comm, values, n);
    }
}

/* Returns whether 'value' is true on all ranks, on any rank. */
static bool
on_all(const struct checkpoint_set *set, bool value)
{
    int64_t least = value;

    take_least(set, &least, 1);
    return least != 0;
}

static bool
on_any(const struct checkpoint_set *set, bool value)
{
    return !on_all(set, !value);
}

/* Saving ------------------------------------------------------------------- */

/* Returns a number for a checkpoint, the same on all ranks. */
static int64_t
new_number(const struct checkpoint_set *set)
{
    struct timespec now = {0};
    int64_t number = INT64_MAX;

    if (ranks_leads(set->comm)) {
        (void)clock_gettime(CLOCK_REALTIME, &now);
        number = (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
    }
    take_least(set, &number, 1);
    return number;
}

/* Says that this rank has not written the checkpoint at 'at_ps'. */
static void
report_failure(const struct checkpoint_set *set, int64_t at_ps,
               const struct err *err)
{
    char where[32] = "";

    if (set->comm) {
        text_format(where, sizeof where, " of rank %u",
                    (unsigned int)set->file.rank);
    }
    fprintf(stderr, "orchlab: no checkpoint%s at %" PRId64 " us: %s\n", where,
            at_ps / PS_PER_US, err->reason);
    if (set->saved_ps >= 0) {
        fprintf(stderr, "  the one of %" PRId64 " us stays\n",
                set->saved_ps / PS_PER_US);
    }
}

void
checkpoint_set_save(struct checkpoint_set *set, pid_t child, int64_t at_ps)
{
    const struct checkpoint_id id = {at_ps, new_number(set)};
    struct err err = {0};
    enum st st = checkpoint_file_write(&set->file, child, &id, &err);
    bool have_all = on_all(set, !st);

    if (have_all) {
        /* The file before stays until all have this one. */
        st = checkpoint_file_commit(&set->file, &set->is_current, &err);
        have_all = on_all(set, !st);
    }
    if (have_all) {
        set->saved_ps = at_ps;
        set->is_current = true;
        return;
    }
    checkpoint_file_discard(&set->file);
    if (st) {
        report_failure(set, at_ps, &err);
    }
}

/* Loading ------------------------------------------------------------------ */

/* What this rank has. */
struct stock {
    const struct checkpoint_set *set;
    pid_t child;
    struct {
        bool is_known, is_good;
        struct checkpoint_id id;
    } files[2];   /* The file, and the one before. */
    bool refused; /* One of them. */
    enum st st;   /* 'child' or a file cannot be read. */
    struct err *err;
};

enum { NONE = -1, CURRENT, OLD, N_FILES };

/* Says that a file is refused.  One of another number of ranks is reported by
 * one rank. */
static void
refuse(struct stock *stock, const struct err *err)
{
    stock->refused = true;
    if (strcmp(err->code, CHECKPOINT_RANKS) != 0 ||
        ranks_leads(stock->set->comm)) {
        fprintf(stderr, "orchlab: checkpoint refused: %s\n", err->reason);
    }
}

/* Returns whether this rank has the file 'i', and can use it. */
static bool
has(struct stock *stock, int i)
{
    struct err err = {0};
    enum st st;

    if (!stock->files[i].is_known) {
        stock->files[i].is_known = true;
        st = checkpoint_file_examine(&stock->set->file, i == OLD, stock->child,
                                     &stock->files[i].id, &err);
        stock->files[i].is_good = !st;
        if (st == ST_INVALID) {
            refuse(stock, &err);
        } else if (st && st != ST_NOT_FOUND && !stock->st) {
            stock->st = st;
            *stock->err = err;
        }
    }
    return stock->files[i].is_good;
}

/* Returns the latest file of this rank that is not after 'limit_ps', or NONE.
 */
static int
find_latest(struct stock *stock, int64_t limit_ps)
{
    for (int i = CURRENT; i < N_FILES; i++) {
        if (has(stock, i) && stock->files[i].id.at_ps <= limit_ps) {
            return i;
        }
    }
    return NONE;
}

/* Returns the latest file of this rank that all ranks have, or NONE. */
static int
find_common(struct stock *stock)
{
    int64_t limit_ps = INT64_MAX;

    for (;;) {
        const int i = find_latest(stock, limit_ps);
        const struct checkpoint_id none = {-1, -1};
        const struct checkpoint_id *id =
            i == NONE ? &none : &stock->files[i].id;
        /* The least and the most of all ranks. */
        int64_t values[] = {id->at_ps, id->number, -id->at_ps, -id->number};
        bool is_same_time;

        take_least(stock->set, values, 4);
        is_same_time = values[0] == -values[2];
        if (values[0] < 0 || (is_same_time && values[1] == -values[3])) {
            return values[0] < 0 ? NONE : i;
        }
        limit_ps = is_same_time ? values[0] - 1 : values[0];
    }
}

/* Says why there is no checkpoint, if there was one.  'child' is as before. */
static void
explain_none(struct stock *stock)
{
    const struct checkpoint_set *set = stock->set;
    const bool leads = ranks_leads(set->comm);
    const bool has_one = has(stock, CURRENT) || has(stock, OLD);
    const bool is_any = on_any(set, has_one);

    if (is_any && on_all(set, has_one) && leads) {
        fputs("orchlab: the ranks have no checkpoint of the same time\n",
              stderr);
    } else if (is_any && !has_one && !stock->refused) {
        fprintf(stderr, "orchlab: rank %u has no checkpoint %s\n",
                (unsigned int)set->file.rank, set->file.path);
    }
    if (!is_any && !stock->refused && leads) {
        const struct checkpoint_file other = {.path = set->other,
                                              .n_ranks = set->file.n_ranks,
                                              .rank = set->file.rank};
        struct checkpoint_id id;
        struct err err = {0};

        if (checkpoint_file_examine(&other, false, stock->child, &id, &err) ==
            ST_INVALID) {
            refuse(stock, &err);
        }
    }
    if (on_any(set, stock->refused || has_one) && leads) {
        fputs("The run begins again\n", stderr);
    }
}

/* Loads the file 'i' of this rank. */
static enum st
load(struct stock *stock, struct checkpoint_set *set, int i, struct err *err)
{
    const int64_t at_ps = stock->files[i].id.at_ps;
    const bool is_unusual = on_any(set, stock->refused);
    const enum st st =
        checkpoint_file_load(&set->file, i == OLD, stock->child, err);

    /* One that was refused, or that not all have, is not worth keeping. */
    set->saved_ps = at_ps;
    set->is_current = i == CURRENT;
    if (!st && ranks_leads(set->comm) && (!set->quiet || is_unusual)) {
        fprintf(stderr,
                "The run goes on from its checkpoint at %" PRId64 " us\n",
                at_ps / PS_PER_US);
    }
    return st;
}

enum st
checkpoint_set_load(struct checkpoint_set *set, pid_t child, int64_t *at_ps,
                    struct err *err)
{
    struct stock stock = {.set = set, .child = child, .err = err};
    const int i = find_common(&stock);
    enum st st;

    *at_ps = 0;
    set->saved_ps = -1;
    set->is_current = false;
    st = ranks_agree(set->comm, stock.st, err);
    if (!st && i == NONE) {
        explain_none(&stock);
        st = ranks_agree(set->comm, stock.st, err);
    } else if (!st) {
        st = ranks_agree(set->comm, load(&stock, set, i, err), err);
        *at_ps = set->saved_ps;
    }
    return st;
}
