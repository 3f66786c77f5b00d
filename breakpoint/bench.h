/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_BENCH_H
#define ORCHD_BREAKPOINT_BENCH_H

/* Where scenarios are run: what makes a target for each of them, and knows the
 * facts that expectations are derived from.
 *
 * A bench is opened with the model of the chip that the scenario wants, told
 * its configuration through the target, and asked while the rest of the
 * scenario is loaded: "$chip.cell_bytes", "$row(BUFFER_POOL|p).size".  So no
 * number needs to be copied from a run into a scenario.
 *
 * Providers: a whole flow with a switch of its own in this process (hermetic),
 * and a running orchd (live). */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct bench;
struct target;

#define BENCH_OTHER_CHIP "other-chip"

struct bench_ops {
    /* Makes a switch of model 'chip' (NULL: the scenario does not say), without
     * any configuration where the bench has that choice, and stores how it is
     * reached.  '*target' belongs to the bench, until the next open() or the
     * end.  ST_INVALID: the model does not exist.  ST_UNSUPPORTED with code
     * BENCH_OTHER_CHIP: there is one, of another model, so the scenario is to
     * be skipped. */
    enum st (*open)(struct bench *bench, const char *chip,
                    struct target **target, struct err *err);

    /* Stores what is known of the open chip by 'name', as text, valid until the
     * next call.  ST_NOT_FOUND: there is no such fact; 'err->allowed' lists
     * those that there are. */
    enum st (*chip_fact)(struct bench *bench, const char *name,
                         const char **text, struct err *err);

    /* Stores a field of the row 'key' ("BUFFER_POOL|p") in force, be it
     * configured or derived, as text, valid until the next call.
     * ST_NOT_FOUND: no such row, or no such field. */
    enum st (*row_field)(struct bench *bench, const char *key,
                         const char *field, const char **text, struct err *err);

    /* Returns how many packets the switch that is open has received, pauses not
     * counted: what there was to simulate.  NULL: that is not told. */
    uint64_t (*packets)(struct bench *bench);
};

/* A provider embeds this as its first member. */
struct bench {
    const struct bench_ops *ops;
    bool keeps_configuration; /* What a scenario configures is not applied at
                               * its start: the switch has its own. */
};

#endif /* breakpoint/bench.h */
