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
 * Lint takes a copy of what the rules need when it begins, and then applies one
 * group of rules at a time.  So a caller that has other work may do that in
 * between, and all findings are about the configuration at the beginning.
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

struct lint;

/* Begins to check 'sw', whose agent and chip are borrowed.  It works in slices
 * of some milliseconds; what is changed in between may be left out.  End with
 * lint_end() or, without a report, lint_destroy(), which accepts NULL. */
struct lint *lint_create(const struct lint_switch *sw);
void lint_destroy(struct lint *lint);

/* Collects a part of the configuration, or applies the next group of rules.
 * Returns whether some are left. */
bool lint_continue(struct lint *lint);

/* Returns what the rule of headroom has looked at, once lint_continue() has
 * returned false. */
struct lint_headroom lint_headroom(const struct lint *lint);

/* Reports what was found, in the order of the rules, and frees 'lint'. */
void lint_end(struct lint *lint, lint_report_fn *report, void *context);

#endif /* orchd/lint/lint.h */
