/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_SCENARIO_SCENARIO_H
#define ORCHD_LAB_SCENARIO_SCENARIO_H

/* An experiment on a fabric: what is built, what it carries, what goes wrong,
 * what is recorded and what is expected.
 *
 * A scenario is one YAML file (docs/reference/orchlab-scenario.md lists its
 * keys).  Keys are strict: an unknown one is an error that names the nearest.
 * Values have units ("40G", "2 km", "1/16", "30 %"), see
 * lab/scenario/quantity.h.  Errors have the form of compilers,
 *
 *     file:line:column: what is wrong; what is allowed (did you mean ...?)
 *
 * Runs.  A file describes one run, or many: every seed of 'seed', for every
 * combination of the values in 'sweep', for every set in 'variants'.  A run is
 * parsed separately from the others, after the values of the sweep are put in
 * their places, so a wrong value of a sweep is reported at its own position.
 * Runs are numbered from 0: variants change slowest, then the keys of the sweep
 * in the order of the file, seeds fastest.
 *
 * Names.  A scenario refers to switches, hosts and links by name.  The parser
 * cannot know the names that a preset of the fabric makes;
 * lab/builder/references.h checks them once the topology exists.  For that and
 * for later messages, structs keep the position of their text.
 *
 * Ownership.  Everything is allocated from the caller's arena; there is nothing
 * else to free. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "lab/scenario/expect_spec.h"
#include "lab/scenario/fabric_spec.h"
#include "lab/scenario/host_spec.h"
#include "lab/scenario/rollout_spec.h"
#include "lab/scenario/traffic_spec.h"

struct arena;
struct nic_files;

enum {
    SCENARIO_RUNS_MAX = 100000,
    SCENARIO_SWEEP_KEYS_MAX = 16,
    SCENARIO_SETS_MAX = 15,
};

/* Parses the metric expression 'text' (lab/measure/metric.h) and stores what
 * its value counts: TIME, BYTES, RATE, or COUNT for a pure number.  ST_INVALID
 * with the reason in 'err'. */
typedef enum st scenario_metric_fn(const char *text, enum quantity_kind *kind,
                                   struct err *err);

/* One value that a sweep or a variant puts into the scenario. */
struct scenario_parameter {
    const char *path;  /* "links.t2_rh.length" */
    const char *value; /* As written; maps and lists in flow style. */
};

/* A file; all borrowed. */
struct scenario_input {
    const char *file; /* For messages only; nothing is read. */
    const char *text;
    size_t length;
    /* Checks metrics, and the units of what they are compared with; NULL: only
     * their form is checked. */
    scenario_metric_fn *check_metric;
    /* Values from outside, put into the file before its sweep and variants; at
     * most SCENARIO_SETS_MAX.  Their paths are those of a sweep, or "seed".
     * Errors in them have no position of their own. */
    const struct scenario_parameter *sets;
    size_t n_sets;
    const struct nic_files *nics; /* For 'nic'; NULL: there are none. */
};

/* One run of a file. */
struct scenario_run {
    size_t number;
    const char *variant; /* "" without variants. */
    const char *label;   /* "variant, path=value, ..., seed=3"; for lists. */
    uint64_t seed;
    const struct scenario_parameter *parameters; /* Sweep, then variant. */
    size_t n_parameters;
    size_t n_swept; /* The first of them: those of 'sweep'. */
};

/* What a file expands to. */
struct scenario_plan {
    const char *name;
    const struct scenario_run *runs;
    size_t n_runs; /* 1..SCENARIO_RUNS_MAX */
};

struct scenario {
    const char *file; /* For messages. */
    /* The run as a file of its own, in YAML: all values put in their places,
     * its seed, and neither sweep nor variants. */
    const char *text;
    const char *name; /* Letters, digits, '-' and '_'. */
    const char *about;
    const char *row; /* Of the table of papers, "B5"; "" if none. */
    /* What it assumes that no public source states; for reports. */
    const char *const *assumptions;
    size_t n_assumptions;
    struct scenario_run run;

    struct fabric_spec fabric;

    const struct host_spec *hosts; /* [0] is the default. */
    size_t n_hosts;

    const struct pcie_switch_spec *pcie_switches;
    size_t n_pcie_switches;

    const struct traffic_spec *traffic;
    size_t n_traffic;

    const struct fault_spec *faults; /* By time. */
    size_t n_faults;

    const struct restart_spec *restarts;
    size_t n_restarts;

    const struct repair_spec *repairs;
    size_t n_repairs;

    struct rollout_spec rollout;
    struct drift_spec drift;

    int64_t stop_ps;     /* The latest end of the run. */
    bool stop_when_done; /* End it when all finite traffic is complete. */

    struct record_spec record;

    const struct expect_spec *expect;
    size_t n_expect;
};

/* Lists the runs of 'input'.  ST_INVALID fills 'err'; values that only a run
 * uses are not checked here. */
enum st scenario_list_runs(const struct scenario_input *input,
                           struct arena *arena, struct scenario_plan *plan,
                           struct err *err) ST_WARN_UNUSED;

/* Parses run 'number' (below 'n_runs') of 'input' into '*scenario'.  ST_INVALID
 * fills 'err' and leaves '*scenario' undefined. */
enum st scenario_parse(const struct scenario_input *input, size_t number,
                       struct arena *arena, struct scenario *scenario,
                       struct err *err) ST_WARN_UNUSED;

/* Replaces the value of 'key' (HOST_CHANGES, "pfc.response") of '*host' by
 * 'value', which is written as in a scenario.  ST_INVALID: 'err' says what is
 * allowed, without a position, and '*host' is undefined. */
enum st scenario_set_host(struct host_spec *host, const char *key,
                          const char *value, struct arena *arena,
                          struct err *err) ST_WARN_UNUSED;

/* Parses 'text' as the value of 'pfc_response' of a switch, in picoseconds.
 * ST_INVALID: 'err' says what is allowed, and '*ps' is undefined. */
enum st scenario_parse_pfc_response(const char *text, int64_t *ps,
                                    struct err *err) ST_WARN_UNUSED;

/* Fills 'err' with 'place' of 'scenario' and the formatted text, in the form of
 * the parser.  Returns ST_INVALID. */
enum st scenario_fail(const struct scenario *scenario,
                      const struct scenario_place *place, struct err *err,
                      const char *format, ...) ST_PRINTF(4, 5);

#endif /* lab/scenario/scenario.h */
