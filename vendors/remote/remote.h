/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REMOTE_REMOTE_H
#define ORCHD_REMOTE_REMOTE_H

/* A libsai whose switch is in another process (sai/remote).
 *
 * By itself it is libsai-remote.so, for the host of any library:
 *
 *   SAI_REMOTE_SOCKET      path of the host's socket; needed
 *   SAI_REMOTE_ROLE        "writer" (default), or "reader": whatever would
 *                          change something is refused, OBJECT_IN_USE; or
 *                          "rescue": to write beside the writer, if the host
 *                          allows it
 *   SAI_REMOTE_TIMEOUT_MS  how long any answer may take; by default 10000,
 *                          60000 to make or end the switch, 5000 to greet
 *
 * and libsai-softasic.so becomes it with SOFTASIC_SOCKET in place of the first.
 *
 * sai_api_initialize() connects: it is SAI_STATUS_OBJECT_IN_USE if another
 * client writes, SAI_STATUS_INVALID_PARAMETER for a value that makes no sense,
 * SAI_STATUS_FAILURE if nobody is there; what is wrong goes to stderr.
 * sai_api_uninitialize() disconnects and leaves the switch alone.  A host that
 * is lost in between makes every call fail; the client then starts over.
 *
 * As in every libsai there is one instance per process, hence the one static
 * variable in connection.c. */

#include <stdbool.h>

#include <sai.h>

#include "vendors/libsai/libsai.h"

/* The key of the profile of libsai-remote.so; see above. */
#define REMOTE_KEY_SOCKET "SAI_REMOTE_SOCKET"

/* The inside of a libsai that asks the host.  Whoever has the socket in another
 * key initialises by connection_open(). */
const struct libsai *remote_provider(void);

#endif /* vendors/remote/remote.h */
