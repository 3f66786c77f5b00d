/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_STOP_SIGNAL_H
#define ORCHD_ORCHCTL_STOP_SIGNAL_H

/* SIGINT and SIGTERM as a request to end early, but in order: what was measured
 * until then is kept.  Processes that are forked in between see the request of
 * any of them.  A second signal ends a process at once. */

#include <stdbool.h>

/* Begins to take the signals as requests. */
void stop_signal_begin(void);

/* Returns whether a request has come since stop_signal_begin(); also after
 * stop_signal_end(). */
bool stop_signal_came(void);

/* The signals mean again what they meant before. */
void stop_signal_end(void);

#endif /* orchctl/stop_signal.h */
