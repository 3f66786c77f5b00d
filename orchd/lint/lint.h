/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LINT_LINT_H
#define ORCHD_LINT_LINT_H

/* Legal but unwise: what a configuration will do to traffic that its author
 * probably did not intend.
 *
 * Rows are validated one by one when they are applied; lint checks them
 * together, against the chip's memory and its rules of admission.  It checks
 * what orchd intends for the objects on the switch: generated profiles count
 * like user-owned ones, rejected rows do not count, and settings that only this
 * device refuses do.
 *
 * Each rule has a stable code, and reports numbers: how much there is, how much
 * is needed, and what to change.  The same finding about many ports is reported
 * once, with the first row and the number of further ones.
 *
 * Rules that need the chip's description (its thresholds, its headroom
 * parameters) are skipped if that is unknown.
 *
 * Pure: the caller owns files and output. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchd/lint/report.h"

struct agent;
struct chip;

/* The switch to check. */
struct lint_switch {
    struct agent *agent;     /* Converged; only read. */
    const struct chip *chip; /* NULL: unknown. */
    uint64_t memory_bytes;   /* 0: unknown. */
};

/* Runs all rules, in their order, and reports their findings. */
void lint_run(const struct lint_switch *sw, lint_report_fn *report,
              void *context);

#endif /* orchd/lint/lint.h */
