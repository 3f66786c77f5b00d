/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REPORT_FINDINGS_H
#define ORCHD_REPORT_FINDINGS_H

/* The findings of lint, as JSON:
 *
 *   {"chip": "td2", "warnings": 1, "notes": 2,
 *    "findings": [{"code", "level", "row", "n_more", "reason", "remedy",
 *                  "explanation"}, ...]}
 *
 * "chip" is null if it is unknown; rules that need it were skipped. */

#include <jansson.h>

struct agent;
struct chip;
struct sai_backend;

struct lint;

/* Begins to run lint over what 'agent' holds on the switch behind 'backend', of
 * which it takes a copy.  'chip' may be NULL; it is borrowed until the end.
 * Continue with lint_continue() until that returns false, and end with
 * findings_end() or lint_destroy() (orchd/lint/lint.h). */
struct lint *findings_begin(struct agent *agent, struct sai_backend *backend,
                            const struct chip *chip);

/* Returns the findings, which the caller releases, and frees 'lint'. */
json_t *findings_end(struct lint *lint, const struct chip *chip);

/* Does all of that at once.  The caller releases the result. */
json_t *findings_find(struct agent *agent, struct sai_backend *backend,
                      const struct chip *chip);

#endif /* orchd/report/findings.h */
