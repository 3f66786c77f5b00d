/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_ADVANCE_H
#define ORCHD_CONTROL_ADVANCE_H

/* Calls that let the time of softasic pass, in slices: a microsecond of a busy
 * switch may be much work.
 *
 * They use 'state' of the call, and end it with an error if that cannot be
 * done.  Else they call 'done' after the last slice; 'data' of the reply is up
 * to it. */

#include <stdint.h>

struct call;

typedef void advance_done_fn(struct call *call);

/* Lets 'ns' (not negative) pass. */
void advance_run(struct call *call, int64_t ns, advance_done_fn *done);

/* Lets time pass until the switch is idle. */
void advance_settle(struct call *call, advance_done_fn *done);

/* Returns how many frames have left since advance_settle(). */
uint64_t advance_n_sent(const struct call *call);

#endif /* orchd/control/advance.h */
