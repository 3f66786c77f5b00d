/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_SWEEP_REPORT_H
#define ORCHD_ORCHCTL_SWEEP_REPORT_H

/* "orchctl report": one HTML page about results files of sweeps, without
 * scripts and without references to other files. */

#include "orchctl/verb.h"

extern const struct option sweep_report_options[];
extern const char sweep_report_details[];

/* Implements 'run' of a verb. */
int sweep_report_run(struct invocation *invocation);

#endif /* orchctl/sweep_report.h */
