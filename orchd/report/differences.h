/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REPORT_DIFFERENCES_H
#define ORCHD_REPORT_DIFFERENCES_H

/* Where the ASIC is not what is meant, as JSON:
 *
 *   {"compared": 3125,
 *    "differences": [{"object": "BUFFER_PROFILE|x", "attribute": "XOFF_TH",
 *                     "intended": "4096", "found": "0", "refused": ...}, ...],
 *    "unread": [{"attribute": "XOFF_TH", "status": ..., "objects": 4,
 *                "example": "BUFFER_PROFILE|x", "type": 24}, ...]}
 *
 * "unread" are the attributes that the switch does not tell, with what SAI said
 * and of how many objects of that type; these are not compared.
 * "missing" is found of an object that is gone.
 * Values are those of ASIC_DB, with the names of objects in the place of ids.
 * "refused" is what SAI said when the value was last set, if it refused. */

#include <jansson.h>

struct agent;
struct sai_backend;

/* Reads back all that 'agent' has on the switch behind 'backend'.  The caller
 * releases the result. */
json_t *differences_find(const struct agent *agent,
                         struct sai_backend *backend);

#endif /* orchd/report/differences.h */
