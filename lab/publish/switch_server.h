/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_PUBLISH_SWITCH_SERVER_H
#define ORCHD_LAB_PUBLISH_SWITCH_SERVER_H

/* Shows one switch of a fabric to clients in other processes, as it is now.
 *
 * The fabric has one clock, and a client of a switch must neither stop it nor
 * change what happens next.  So a copy of the process (fork) keeps the switch
 * as it was and answers the clients; the memory is shared until the run goes on
 * and changes it.  Clients may read only (vendors/softasic/remote/asic_host.h).
 */

#include "base/status.h"
#include "lab/publish/child.h"

struct asic;

/* Starts a server of 'asic' as it is now, on the Unix socket 'path', in
 * '*server'; clients can connect when it returns.  End it with child_end(),
 * which removes the socket.  ST_INVALID, ST_EXISTS, ST_IO: the socket cannot be
 * used, or the system refuses another process. */
enum st switch_server_start(struct asic *asic, const char *path,
                            struct child *server,
                            struct err *err) ST_WARN_UNUSED;

#endif /* lab/publish/switch_server.h */
