/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REPORT_LOSSLESS_GAP_H
#define ORCHD_REPORT_LOSSLESS_GAP_H

/* Whether PFC is enabled although no priority group is lossless, and why.
 *
 * Such a configuration is applied row by row, so no status says that the switch
 * drops where it should pause.  It happens to a configuration from a switch
 * whose own software derives the priority groups.
 *
 * Internal to report/: row_answers.h passes it the status of each row. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "orchd/reconcile/row_status.h"

struct agent;

/* Zero-initialise. */
struct lossless_gap {
    unsigned int priorities; /* A bit for each with PFC on some port. */
    size_t n_ports;          /* With PFC. */
    size_t n_cables;         /* Rows of CABLE_LENGTH. */
    bool has_group;          /* There is a lossless priority group. */
    bool has_err;
    struct err err; /* Why a derived priority group waits. */
};

/* Takes in the status of a row. */
void lossless_gap_add(struct lossless_gap *gap, struct agent *agent,
                      const struct row_status *status);

/* Returns the finding after the last row; NULL if there is no gap:
 *
 *   {"priorities": "3,4", "ports": 32, "reason": "...", "remedy": "..."} */
json_t *lossless_gap_json(const struct lossless_gap *gap,
                          const struct agent *agent);

#endif /* orchd/report/lossless_gap.h */
