/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_WHATIF_INQUIRY_H
#define ORCHD_ORCHLAB_WHATIF_INQUIRY_H

/* A question of "orchlab whatif" about a change: what differs between the runs
 * (whatif_questions.c), and what comes of it (whatif_change.c). */

#include <jansson.h>

#include "base/arena.h"
#include "base/text.h"
#include "lab/measure/verdict.h"
#include "orchlab/run_folders.h"
#include "orchlab/run_one.h"
#include "orchlab/run_plan.h"

struct invocation;

enum { WHATIF_MEASURES = 9, WHATIF_ROLES_MAX = 16, WHATIF_ARENA = 1 << 16 };

/* One run: what it is made of, and what came out. */
struct whatif_variant {
    json_t *sets;
    struct verdict results[WHATIF_MEASURES];
    /* Of the first switch of each role. */
    const char *roles[WHATIF_ROLES_MAX];
    json_t *configs[WHATIF_ROLES_MAX];
    uint64_t rooms[WHATIF_ROLES_MAX]; /* For bursts, in bytes. */
    size_t n_roles;
};

struct whatif_inquiry {
    const struct invocation *invocation;
    const char *value; /* Of --length, --factor or --ratio; NULL: none. */
    struct run_manner manner;
    struct run_folders folders;
    struct arena *arena;
    struct whatif_variant before, after;
    struct whatif_variant remedy; /* 'sets' NULL: none is needed, ... */
    bool is_refused;              /* ... or its rows do not fit. */
    struct text what;             /* "links of 40 km instead of 10 km". */
    struct text note;             /* More sentences. */
    json_t *rows;                 /* By role: to paste. */
    json_t *wanted;               /* By role: what was put into rows. */
};

/* Reads the scenario with the values of 'variant'; ST_INVALID also if it is not
 * one run.  End with run_plan_fini(), also after a failure. */
enum st whatif_read_plan(const struct whatif_inquiry *inquiry,
                         const struct whatif_variant *variant,
                         struct run_plan *plan, struct err *err) ST_WARN_UNUSED;

/* Decides what the question changes: fills everything in '*inquiry' but the
 * results, from the command line, 'value' and the scenario, whose 'before.sets'
 * and 'after.sets' are those of the command line.  ST_INVALID: 'err' says what
 * is missing or wrong. */
enum st whatif_ask(struct whatif_inquiry *inquiry,
                   struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/whatif_inquiry.h */
