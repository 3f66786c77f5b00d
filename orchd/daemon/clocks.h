/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_CLOCKS_H
#define ORCHD_DAEMON_CLOCKS_H

/* The system's clocks, for those who measure within a turn: the loop's time
 * stands still there. */

#include <stdint.h>
#include <time.h>

#include "sai/stack/chain.h"

#define NS_PER_S (INT64_C(1000) * 1000 * 1000)

/* Reads 'id': CLOCK_MONOTONIC, or CLOCK_REALTIME for the time of day. */
int64_t clocks_read(clockid_t id);

/* What the chain before a libsai needs of the system. */
extern const struct chain_system clocks_chain_system;

#endif /* orchd/daemon/clocks.h */
