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

/* Runs lint over what 'agent' holds on the switch behind 'backend'.  'chip'
 * may be NULL.  The caller releases the result. */
json_t *findings_find(struct agent *agent, struct sai_backend *backend,
                      const struct chip *chip);

#endif /* orchd/report/findings.h */
