/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_CLOCKS_H
#define ORCHD_DAEMON_CLOCKS_H

/* The clocks of the system.  The time of the loop stands still within a turn;
 * code that measures a part of a turn reads these. */

#include <stdint.h>
#include <time.h>

#include "sai/stack/chain.h"

#define NS_PER_S (INT64_C(1000) * 1000 * 1000)

/* Reads 'id': CLOCK_MONOTONIC, or CLOCK_REALTIME for the time of day. */
int64_t clocks_read(clockid_t id);

/* What the backend chain of a libsai needs of the system. */
extern const struct chain_system clocks_chain_system;

#endif /* orchd/daemon/clocks.h */
