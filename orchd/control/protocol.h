/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_PROTOCOL_H
#define ORCHD_CONTROL_PROTOCOL_H

/* What the daemon and its clients agree on.
 *
 * A client connects to a Unix stream socket and writes requests, each one line
 * with one JSON object:
 *
 *     {"noun": "asic", "verb": "block", "args": {"ports": ["Ethernet4"]}}
 *
 * "args" may be left out.  Each request is answered by one line, in the order
 * of the requests of that connection:
 *
 *     {"exit": 0, "data": ...}
 *     {"exit": 1, "error": {"code": "...", "reason": "...", "remedy": "..."}}
 *
 * "exit" is what orchctl exits with: see 'enum control_exit'.  An error has the
 * members of a 'struct err' that are not empty.  An answer of "no" may carry
 * data as well: the rows that are not applied, for example.
 *
 * A line longer than CONTROL_REQUEST_MAX is answered with an error and ends the
 * connection. */

#include <stddef.h>

#include "base/status.h"

/* The longest request, with room for the largest configuration. */
#define CONTROL_REQUEST_MAX ((size_t)16 * 1024 * 1024)

/* How an invocation of orchctl can end. */
enum control_exit {
    CONTROL_DONE = 0,
    CONTROL_NO = 1,          /* Differs, failed, rejected, not possible. */
    CONTROL_USAGE = 2,       /* The request makes no sense as it stands. */
    CONTROL_UNREACHABLE = 3, /* Never sent: there is nobody to send it. */
};

/* Writes the socket path of a daemon that was not told another into 'buffer':
 * "$XDG_RUNTIME_DIR/orchd.sock" if 'runtime_dir', the value of that variable,
 * is set and the user ('uid') is not root, else "/run/orchd/control.sock".
 * Returns ST_OK, or ST_INVALID if it does not fit. */
enum st control_default_path(const char *runtime_dir, unsigned int uid,
                             char *buffer, size_t size) ST_WARN_UNUSED;

#endif /* orchd/control/protocol.h */
