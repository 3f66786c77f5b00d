/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_RUN_H
#define ORCHD_LAB_EXEC_RUN_H

/* One run of a scenario: a fabric on its clock, driven in pieces.
 *
 *     run_create(experiment, options, sink, &run, &err)
 *     while run_until(run, run_now(run) + slice) == RUN_RUNNING: progress
 *     run_finish(run, results); run_destroy(run)
 *
 * A run reads no clock: the caller decides how much virtual time a piece has
 * and looks at its own clock between pieces.  Where a run is cut into pieces
 * does not change its result.  A run never ends the process on bad input: what
 * cannot be built is an error of run_create().
 *
 * Ranks.  Several processes can run one scenario together, each with a part of
 * the fabric (run_options.comm).  Each calls run_until() and what follows at
 * the same places; its argument may differ, and that of the rank that wants
 * least counts.  Rank 0 gets all reports and records them, and the results are
 * those of a run on one rank.  Breaks, run_step() and run_set() are not for
 * several ranks. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "lab/exec/run_progress.h"
#include "lab/exec/run_settings.h"

struct dcqcn_loop; /* lab/fluid/dcqcn_fluid.h */
struct dependency; /* lab/builder/dependency.h */
struct experiment; /* lab/builder/experiment.h */
struct results;
struct text;
struct run;
struct sink;
struct switch_instance; /* lab/builder/switch_image.h */

/* Builds everything: switches from their images, routes through SAI, adapters,
 * QPs, faults and series.  The seed is that of the scenario's run.
 * 'experiment', 'sink' and the texts of 'options' are borrowed until
 * run_destroy(); the entities of the topology are numbered again, with room for
 * the ports of each chip.  'sink' is called during run_until() and
 * run_finish(), and here for frames of time 0 that a fault loses.  Fails with
 * the reason in 'err' (a switch configuration that is refused, ports that a
 * configuration does not have). */
enum st run_create(struct experiment *experiment,
                   const struct run_options *options, const struct sink *sink,
                   struct run **run, struct err *err) ST_WARN_UNUSED;

/* Frees 'run'.  Accepts NULL. */
void run_destroy(struct run *run);

/* Runs all events up to and including 'until_ps', or up to the first of: the
 * end of the scenario, a break, an interruption. */
enum run_state run_until(struct run *run, int64_t until_ps);

/* Runs to the next event and all others of its time ('n' times). */
enum run_state run_step(struct run *run, uint64_t n);

int64_t run_now(const struct run *run);
void run_get_progress(const struct run *run, struct run_progress *progress);

/* Makes run_until() return RUN_INTERRUPTED soon.  May be called from a signal
 * handler. */
void run_interrupt(struct run *run);

/* Parses a virtual time, "2ms" or "1.5 us", into '*ps'.  ST_INVALID: 'err' says
 * which units there are. */
enum st run_parse_time(const char *text, int64_t *ps,
                       struct err *err) ST_WARN_UNUSED;

/* Parses "2ms", "drop", "pause", "mark" or "flow 12".  ST_INVALID: 'err' lists
 * what it may be. */
enum st run_break_parse(const char *text, struct run_break *condition,
                        struct err *err) ST_WARN_UNUSED;

/* Adds a break; each fires once. */
void run_break(struct run *run, const struct run_break *condition);

/* Returns one sentence about the break that run_until() stopped at, "" if there
 * was none; borrowed. */
const char *run_break_reason(const struct run *run);

/* Makes the run fail, which ends it, on all its ranks; the first reason stays.
 */
void run_fail(struct run *run, const struct err *err);

/* Returns why the run has failed, NULL if it has not; borrowed. */
const struct err *run_failure(const struct run *run);

/* Changes something of a fabric that stands still, as 'text' says:
 *
 *   SWITCH TABLE|KEY FIELD VALUE   a field of the configuration of a switch, by
 *                                  the pipeline of a box; VALUE 'null' removes
 *                                  the field, 'null' in place of FIELD the row
 *   link NODE NODE up|down         with routes that follow after the
 *                                  convergence time; also NODE.NODE
 *
 *   link NODE NODE loss RATIO      each frame, both directions; 0 ends it
 *
 *   link NODE NODE drop_every N    each n-th frame
 *
 *   host HOSTS KEY VALUE           of one or, by a pattern, several hosts; the
 *                                  keys are HOST_CHANGES of
 *                                  lab/scenario/host_spec.h
 *
 * The change is recorded and becomes part of the result hash.  If it is
 * refused, 'err' says why, and nothing has changed: ST_INVALID, ST_NOT_FOUND,
 * ST_EXISTS (it is so already), ST_BUSY (the switch restarts), or what the
 * switch says. */
enum st run_set(struct run *run, const char *text,
                struct err *err) ST_WARN_UNUSED;

/* Returns how many changes there were. */
uint32_t run_changes(const struct run *run);

/* Stores the switch called 'name' in '*instance'; borrowed, to be read only.
 * ST_NOT_FOUND: 'err' names the nearest one. */
enum st run_find_switch(struct run *run, const char *name,
                        struct switch_instance **instance,
                        struct err *err) ST_WARN_UNUSED;

/* X(member, text): what may have happened to a fabric, one after the other. */
#define RUN_CONDITIONS(X)                                                      \
    X(START, "at the start")                                                   \
    X(FAILED, "when the links that fail between switches are down")            \
    X(SILENT, "when switches have forgotten the ports of silent hosts")

enum run_condition {
#define X(member, text) RUN_CONDITION_##member,
    RUN_CONDITIONS(X)
#undef X
        RUN_N_CONDITIONS
};

const char *run_condition_text(enum run_condition condition);

/* Makes a fabric whose time has not begun so, after the conditions before it;
 * '*changes' is whether that is something else.  It cannot run then. */
enum st run_imagine(struct run *run, enum run_condition condition,
                    bool *changes, struct err *err) ST_WARN_UNUSED;

/* Makes the links between switches of such a fabric, before any condition but
 * RUN_CONDITION_START, those of state 'number', from 0: the states in which
 * faults of the scenario leave them, in the order of time.  Routes have
 * followed all changes.  Appends which links are down ("a.b, c.d") to 'down';
 * none: as at the start.  '*exists' is whether there is such a state; if not,
 * nothing changes. */
enum st run_imagine_links(struct run *run, size_t number, bool *exists,
                          struct text *down, struct err *err) ST_WARN_UNUSED;

/* Returns the channel dependency graph of what the switches do with packets at
 * present, in all priorities that are lossless anywhere.  'run' is borrowed.
 * End with dependency_destroy(). */
struct dependency *run_dependency(struct run *run);

/* Fills '*loop' with what the fluid model of DCQCN (lab/fluid/dcqcn_fluid.h)
 * takes from the fabric: the link to the host to which most flows with DCQCN
 * lead, how many these are, the profile of their senders, the round trip to the
 * farthest of them through empty queues, and the largest message that ends (0:
 * none does).  What depends on the configuration of the switch is not filled:
 * Kmin, Kmax, Pmax, and the limit.  ST_NOT_FOUND: no two flows with DCQCN lead
 * to one host. */
enum st run_describe_loop(const struct run *run, struct dcqcn_loop *loop,
                          struct err *err) ST_WARN_UNUSED;

/* Records nodes, ports, groups, series, paths and oracles into 'results'
 * (before the run), and flows still running, queues, counters and histograms
 * (after it).  run_finish() also checks that every frame is accounted for; if
 * not, the run has failed (run_failure()). */
void run_describe(const struct run *run, struct results *results);
void run_finish(struct run *run, struct results *results);

/* Returns how many packets are in all captures, after run_finish(). */
uint64_t run_captured(const struct run *run);

/* Closes the captures, after run_finish().  ST_IO: one of them is incomplete,
 * because it could not be written. */
enum st run_close_captures(struct run *run, struct err *err) ST_WARN_UNUSED;

#endif /* lab/exec/run.h */
