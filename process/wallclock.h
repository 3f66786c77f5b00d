/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_WALLCLOCK_H
#define ORCHD_PROCESS_WALLCLOCK_H

/* Formats times of day for people (RFC 3339).  The caller reads the clock. */

#include <stdint.h>

/* Room for "2026-01-02T03:04:05.678Z" and its terminator. */
#define WALLCLOCK_SIZE 32

/* Writes 'wall_ns', nanoseconds since 1970, as UTC with milliseconds (rounded
 * down) into 'buffer' of WALLCLOCK_SIZE bytes. */
void wallclock_format(int64_t wall_ns, char *buffer);

#endif /* process/wallclock.h */
