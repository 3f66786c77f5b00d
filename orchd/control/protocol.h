/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_PROTOCOL_H
#define ORCHD_CONTROL_PROTOCOL_H

/* The protocol between the daemon and its clients.
 *
 * A client connects to a Unix stream socket and writes requests, each one line
 * with one JSON object:
 *
 *     {"noun": "asic", "verb": "block", "args": {"ports": ["Ethernet4"]}}
 *
 * "args" is optional.  The daemon answers each request with one line, in the
 * order of the requests of that connection:
 *
 *     {"exit": 0, "data": ...}
 *     {"exit": 1, "error": {"code": "...", "reason": "...", "remedy": "..."}}
 *
 * "exit" is the exit status of orchctl: see 'enum control_exit'.  An error has
 * the members of a 'struct err' that are not empty.  An answer with CONTROL_NO
 * may carry data as well, for example the rows that are not applied.
 *
 * The daemon answers a line longer than CONTROL_REQUEST_MAX with an error and
 * closes the connection. */

#include <stddef.h>

#include "base/status.h"

/* The longest request, with room for the largest configuration. */
#define CONTROL_REQUEST_MAX ((size_t)16 * 1024 * 1024)

/* The exit status of orchctl. */
enum control_exit {
    CONTROL_DONE = 0,
    CONTROL_NO = 1,          /* Differs, failed, rejected, not possible. */
    CONTROL_USAGE = 2,       /* The request is invalid. */
    CONTROL_UNREACHABLE = 3, /* Only orchctl itself: no daemon answers. */
};

/* Writes the default socket path to 'buffer': "$XDG_RUNTIME_DIR/orchd.sock" if
 * 'runtime_dir', the value of that variable, is set and the user ('uid') is not
 * root, else "/run/orchd/control.sock".  Returns ST_OK, or ST_INVALID if it
 * does not fit. */
enum st control_default_path(const char *runtime_dir, unsigned int uid,
                             char *buffer, size_t size) ST_WARN_UNUSED;

/* Where orchd as a service listens. */
#define CONTROL_SERVICE_PATH "/run/orchd/control.sock"

/* The same for a client: the default path, or 'service' if nothing is at the
 * default and something at 'service', so that a user reaches the orchd that
 * systemd has started. */
enum st control_client_path(const char *runtime_dir, unsigned int uid,
                            const char *service, char *buffer,
                            size_t size) ST_WARN_UNUSED;

#endif /* orchd/control/protocol.h */
