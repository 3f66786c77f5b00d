/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LINT_LINT_H
#define ORCHD_LINT_LINT_H

/* Legal but unwise: what a configuration will do to traffic that its author
 * probably did not mean.
 *
 * Rows are judged one by one when they are applied; here they are looked at
 * together, with the chip's memory and its rules of admission.  Judged is what
 * is wanted of the objects on the switch: generated profiles count like those
 * that somebody wrote, rejected rows do not, what only this device refuses
 * does.
 *
 * Each rule has a code that stays, and reports numbers: how much there is, how
 * much is needed, and what to change.  The same finding about many ports is
 * one finding, which names the first row and says how many more there are.
 *
 * Whatever needs the chip's own description (its thresholds, its headroom
 * parameters) is left out if that is not known.
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
    struct agent *agent;     /* Settled; only read. */
    const struct chip *chip; /* NULL: not known. */
    uint64_t memory_bytes;   /* 0: neither. */
};

/* Applies all rules, in their order, and reports what they find. */
void lint_run(const struct lint_switch *sw, lint_report_fn *report,
              void *context);

#endif /* orchd/lint/lint.h */
