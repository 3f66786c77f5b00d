/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REPORT_DIFFERENCES_H
#define ORCHD_REPORT_DIFFERENCES_H

/* Where the ASIC differs from what orchd intends, as JSON:
 *
 *   {"compared": 3125,
 *    "differences": [{"object": "BUFFER_PROFILE|x", "attribute": "XOFF_TH",
 *                     "intended": "4096", "found": "0", "refused": ...}, ...],
 *    "unread": [{"attribute": "XOFF_TH", "status": ..., "objects": 4,
 *                "example": "BUFFER_PROFILE|x", "type": 24}, ...]}
 *
 * "unread" lists the attributes that the switch does not return, with the SAI
 * status and the number of objects of that type; these are not compared.  If an
 * object does not exist, "found" is "missing".  Values are those of ASIC_DB,
 * with object names instead of ids.  "refused" is the SAI status of the last
 * attempt to set the value, if it failed. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct agent;
struct differences;
struct sai_backend;

/* Begins to read back what the agent has on the switch.  End with
 * differences_end() or, without a result, with differences_destroy(), which
 * accepts NULL. */
struct differences *differences_create(void);
void differences_destroy(struct differences *differences);

/* Reads back the next objects of 'agent' on the switch behind 'backend', with
 * about 'n' attributes.  Returns whether some are left.
 *
 * Turns of the agent may come between two calls.  The intended and the found
 * value of an attribute are always of the same time, and whatever exists
 * throughout is compared once (graph_walk.h). */
bool differences_read(struct differences *differences,
                      const struct agent *agent, struct sai_backend *backend,
                      size_t n);

/* Returns what was found, which the caller releases, and frees 'differences'.
 */
json_t *differences_end(struct differences *differences);

#endif /* orchd/report/differences.h */
