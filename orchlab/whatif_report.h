/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_WHATIF_REPORT_H
#define ORCHD_ORCHLAB_WHATIF_REPORT_H

/* What is measured in the runs of "orchlab whatif" about changes, and how it is
 * said. */

#include <stddef.h>

#include "base/status.h"
#include "orchlab/whatif_inquiry.h"

/* Measures the results file 'path' into 'variant'.  Fails as reader_open() and
 * verdict_measure() do. */
enum st whatif_report_measure(struct whatif_variant *variant, const char *path,
                              struct err *err) ST_WARN_UNUSED;

/* Prints the answers to 'n' >= 1 changes, whose runs are over, as a table of
 * the only one or of all, a sentence, and rows; as JSON if the command line
 * asks for it.  Draws the figure that --output names; fails as whatif_draw()
 * does. */
enum st whatif_report(const struct whatif_inquiry *inquiries, size_t n,
                      struct err *err) ST_WARN_UNUSED;

/* Returns with how many of the changes more packets are dropped than without;
 * stores the first of them in '*first', which may be NULL, if there is one. */
size_t whatif_report_worse(const struct whatif_inquiry *inquiries, size_t n,
                           const struct whatif_inquiry **first);

#endif /* orchlab/whatif_report.h */
