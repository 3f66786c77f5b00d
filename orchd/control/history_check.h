/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_HISTORY_CHECK_H
#define ORCHD_CONTROL_HISTORY_CHECK_H

/* Checks of commands that use the history. */

#include <stdbool.h>

struct call;

/* Ends 'call' if orchd keeps no history.  Returns whether it does. */
bool history_check_kept(struct call *call);

/* Ends 'call' if it has an argument "comment" that cannot be stored.  Returns
 * whether the call may continue. */
bool history_check_comment(struct call *call);

#endif /* orchd/control/history_check.h */
