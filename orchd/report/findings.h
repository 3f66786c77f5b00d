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
#include <stdbool.h>

struct agent;
struct chip;
struct findings;
struct sai_backend;

/* Begins to run lint over what 'agent' holds on the switch behind 'backend', of
 * which it takes a copy.  'chip' may be NULL; it is borrowed until the end.
 * Continue with findings_continue() until that returns false, and end with
 * findings_end() or findings_destroy(). */
struct findings *findings_begin(struct agent *agent,
                                struct sai_backend *backend,
                                const struct chip *chip);

/* Takes one step, as lint_continue() does.  Returns whether there are more. */
bool findings_continue(struct findings *findings);

/* Returns the findings, which the caller releases, and frees 'findings'. */
json_t *findings_end(struct findings *findings);

/* Frees 'findings' before its end.  Accepts NULL. */
void findings_destroy(struct findings *findings);

/* Does all of that at once.  The caller releases the result. */
json_t *findings_find(struct agent *agent, struct sai_backend *backend,
                      const struct chip *chip);

#endif /* orchd/report/findings.h */
