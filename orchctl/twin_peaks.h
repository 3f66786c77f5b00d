/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_TWIN_PEAKS_H
#define ORCHD_ORCHCTL_TWIN_PEAKS_H

/* Compares watermarks of a switch with the thresholds that were measured on its
 * twin. */

#include <jansson.h>

/* Returns for 'watermarks', the answer of "twin watermarks", and 'classes' of
 * offline/twin_report.h:
 *
 *   {"table", "objects", "reason", "peaks": [{"object": "PG Ethernet0|3",
 *     "of": "its XOFF point", "peak_bytes", "point_bytes", "percent"}, ...]}
 *
 * the highest percentage first; watermarks of 0 are left out.  "reason" says
 * why there is no peak; it is null if there is one.  The caller releases it. */
json_t *twin_peaks_find(const json_t *classes, const json_t *watermarks);

#endif /* orchctl/twin_peaks.h */
