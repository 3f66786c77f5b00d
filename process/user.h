/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_USER_H
#define ORCHD_PROCESS_USER_H

/* Changes the user of this process, for daemons that root starts without a
 * supervisor that does it (sysv, containers). */

#include <stdint.h>

#include "base/status.h"

/* Makes this process, of one thread, one of the user that 'text' names, "NAME"
 * or "NAME:GROUP", permanently.  Its primary group is GROUP, or that of the
 * user, and it is in all other groups of the user.  It keeps those of the
 * capabilities 'kept' (process/capabilities.h) that it has; a process of root
 * loses the others.
 *
 * If all its ids are of this user and group already, nothing changes.  Else
 * ST_INVALID: there is no such user or group, or this process is not root's;
 * ST_IO: the system refuses. */
enum st user_become(const char *text, uint64_t kept,
                    struct err *err) ST_WARN_UNUSED;

#endif /* process/user.h */
