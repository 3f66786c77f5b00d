/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_BENCH_H
#define ORCHD_BREAKPOINT_BENCH_H

/* A bench runs scenarios: it makes a target for each scenario and knows the
 * facts that expectations are derived from.
 *
 * The loader opens a bench with the chip that the scenario names, configures it
 * through the target, and queries it while it loads the rest of the scenario:
 * "$chip.cell_bytes", "$row(BUFFER_POOL|p).size".  So a scenario never contains
 * a number copied from a run.
 *
 * Providers: the whole pipeline with its own switch in this process
 * (offline/offline_bench.h), and a running orchd (orchctl/live_bench.h). */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct bench;
struct target;
struct trace_sink;

#define BENCH_OTHER_CHIP "other-chip"

/* The name of 'chip_keys' in messages, as a file. */
#define BENCH_CHIP_KEYS "chip"

struct bench_ops {
    /* Opens a switch with chip 'chip' (NULL: the scenario names none) and
     * stores its target.  The switch has no configuration if the bench can
     * choose.  The bench owns '*target', which is valid until the next open()
     * or the end of the bench.  ST_INVALID: there is no such chip.
     * ST_UNSUPPORTED with code BENCH_OTHER_CHIP: the bench has a switch with
     * another chip, so the scenario is to be skipped. */
    enum st (*open)(struct bench *bench, const char *chip,
                    struct target **target, struct err *err);

    /* Stores parameter 'name' of the open chip as text, which is valid until
     * the next call.  ST_NOT_FOUND: there is no such parameter; 'err->allowed'
     * lists the existing ones. */
    enum st (*chip_fact)(struct bench *bench, const char *name,
                         const char **text, struct err *err);

    /* Stores a field of row 'key' ("BUFFER_POOL|p") in force, configured or
     * derived, as text, which is valid until the next call.  ST_NOT_FOUND:
     * there is no such row or field. */
    enum st (*row_field)(struct bench *bench, const char *key,
                         const char *field, const char **text, struct err *err);

    /* Checks that rows like 'key' can have 'field'.  ST_INVALID: they cannot,
     * so a value there would have no effect; 'err' names the nearest field and
     * lists the existing ones.  NULL: unknown. */
    enum st (*check_field)(struct bench *bench, const char *key,
                           const char *field, struct err *err);

    /* Returns how many packets the open switch has received, without pause
     * frames: the amount of simulation work.  NULL: unknown. */
    uint64_t (*packets)(struct bench *bench);

    /* Returns the simulated time of the open switch in ps.  NULL: it has
     * none. */
    int64_t (*now_ps)(struct bench *bench);
};

/* A provider embeds this as its first member. */
struct bench {
    const struct bench_ops *ops;
    bool keeps_configuration; /* The switch keeps its own configuration; that of
                               * a scenario is not applied at the start. */
    const char *chip_keys; /* Keys of a chip file, as YAML, that replace those
                            * of the chip in open(); NULL: none.  A bench that
                            * cannot do so fails with ST_INVALID. */

    const char *fcs; /* The ports whose packets take the FCS in the buffer, as
                      * in SOFTASIC_FCS of softasic's profile, in open(); NULL:
                      * none.  Again, ST_INVALID from a bench that cannot. */

    /* Gets what happens on the switches that are opened from now on, as soon as
     * they are configured (breakpoint/trace.h); borrowed.  NULL: nobody; a
     * trace ends when it becomes NULL.  Only offline/offline_bench.h traces;
     * others ignore it. */
    const struct trace_sink *trace;
};

#endif /* breakpoint/bench.h */
