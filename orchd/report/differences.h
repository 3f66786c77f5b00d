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

struct agent;
struct sai_backend;

/* Reads back everything that 'agent' has on the switch behind 'backend'.  The
 * caller releases the result. */
json_t *differences_find(const struct agent *agent,
                         struct sai_backend *backend);

#endif /* orchd/report/differences.h */
