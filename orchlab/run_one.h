/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_RUN_ONE_H
#define ORCHD_ORCHLAB_RUN_ONE_H

/* Carries out one run of a plan: builds, drives, records and judges it.
 *
 * The results are in "NAME-KEY.sqlite" of the folder, with the first digits of
 * the key (run_key.h), which tells what they follow from.  So a run whose
 * complete results exist need not be repeated; what a dead or interrupted one
 * has left is replaced.  They can have been moved into "NAME.sqlite", which has
 * all runs of the scenario (run_gather.h). */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "lab/exec/judge.h"
#include "lab/exec/run.h"
#include "lab/measure/results.h"
#include "orchlab/run_key.h"
#include "orchlab/run_plan.h"

struct executor_end;

/* How runs are carried out; the same for all of a plan. */
struct run_manner {
    const char *folder; /* Of results; it is created. */
    struct run_options options;
    uint64_t models;      /* run_key_models() of 'options'. */
    const json_t *breaks; /* Array of conditions; NULL: none. */
    bool interactive;
    bool stands;         /* Has breaks or is interactive. */
    const char *redis;   /* Where to publish a switch. */
    const char *publish; /* Which one at each break; NULL: none at first. */
    bool again;          /* Also if there are complete results. */
    bool quiet;          /* No progress. */
    bool json;           /* Standard output is for JSON only. */
};

enum { RUN_HASH_SIZE = 17, RUN_KEY_IN_NAME = 8 };

struct run_outcome {
    char key[RUN_KEY_SIZE];
    const char *path;     /* Of the results, from the arena; reader.h. */
    const char *merged;   /* Of the file that can have them instead. */
    const char *captures; /* Captures are "CAPTURES.PORT.pcap", from the
                           * arena; NULL: the scenario has none. */
    uint64_t captured;    /* Packets in the captures, unless 'skipped'. */
    bool skipped;         /* The results existed. */
    enum results_state state;
    struct err failure; /* FAILED: why. */
    char hash[RUN_HASH_SIZE];
    struct run_progress progress;
    int64_t wall_ns;
    struct judgements judgements; /* COMPLETE only. */
};

/* Carries out run 'number' of 'plan'.  '*scenario' and what '*outcome' refers
 * to are allocated from 'arena'.  Signals SIGINT and SIGTERM end the run as
 * interrupted; a second one ends the process.  ST_INVALID: the scenario is
 * wrong; ST_IO, ST_NOT_FOUND: a file cannot be read or written; others: a
 * switch refuses its configuration. */
enum st run_one(const struct run_manner *manner, const struct run_plan *plan,
                size_t number, struct arena *arena, struct run_outcome *outcome,
                struct err *err) ST_WARN_UNUSED;

/* Fills '*outcome' with what another process has left of run 'number', which
 * has ended as 'end' says (executor.h), and judges it.  A run without complete
 * results is FAILED, with the reason that these have, or else 'end'.  Of
 * several ranks only rank 0 does so. */
enum st run_one_collect(const struct run_manner *manner,
                        const struct run_plan *plan, size_t number,
                        const struct executor_end *end, struct arena *arena,
                        struct run_outcome *outcome,
                        struct err *err) ST_WARN_UNUSED;

/* Fills 'key', 'path' and 'captures' of '*outcome' for run 'number'. */
enum st run_one_locate(const struct run_manner *manner,
                       const struct run_plan *plan, size_t number,
                       struct arena *arena, struct run_outcome *outcome,
                       struct err *err) ST_WARN_UNUSED;

/* Returns in '*exists' whether there are complete results of run 'number'. */
enum st run_one_exists(const struct run_manner *manner,
                       const struct run_plan *plan, size_t number, bool *exists,
                       struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/run_one.h */
