/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_BREAKPOINT_ROWS_H
#define ORCHD_CONTROL_BREAKPOINT_ROWS_H

/* The rows of "breakpoint configure"; for breakpoint_commands.c only. */

#include "orchd/control/session.h"

struct call;

/* Writes the argument "rows" of 'call' as 'mode' says, and ends the call with
 * the status of each.  Rows are {"TABLE|key": {"field": "value"}}; null removes
 * a row, and in mode "add" a field. */
void breakpoint_rows_configure(struct call *call, enum session_mode mode);

#endif /* orchd/control/breakpoint_rows.h */
