/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REMOTE_REMOTE_H
#define ORCHD_REMOTE_REMOTE_H

/* A libsai whose switch is in another process, a SAI host (sai/remote).
 *
 * By itself it is libsai-remote.so, which works with the host of any library:
 *
 *   SAI_REMOTE_SOCKET      path of the host's socket; needed
 *   SAI_REMOTE_ROLE        "writer" (default); or "reader": calls that change
 *                          something return OBJECT_IN_USE; or "tester": may
 *                          change beside the writer what tests change, see
 *                          sai/remote/tester_rule.h; or "rescue": may
 *                          write beside the writer, if the host allows it
 *   SAI_REMOTE_TIMEOUT_MS  how long any answer may take; by default 10000,
 *                          60000 to create or remove the switch, 5000 for the
 *                          handshake
 *
 * libsai-softasic.so does the same with SOFTASIC_SOCKET instead of
 * SAI_REMOTE_SOCKET.
 *
 * sai_api_initialize() connects.  It returns SAI_STATUS_OBJECT_IN_USE if
 * another client writes, SAI_STATUS_INVALID_PARAMETER for an invalid value,
 * SAI_STATUS_FAILURE if there is no host, and explains the failure on stderr.
 * sai_api_uninitialize() disconnects and does not change the switch.  If the
 * connection is lost, every call fails until the client uninitialises and
 * initialises the library again.
 *
 * As in every libsai there is one instance per process, so there is one static
 * variable in connection.c. */

#include <stdbool.h>

#include <sai.h>

#include "vendors/libsai/libsai.h"

/* The key of the profile of libsai-remote.so; see above. */
#define REMOTE_KEY_SOCKET "SAI_REMOTE_SOCKET"

/* Returns the provider that calls the host; static.  A library with another key
 * for the socket calls connection_open() to initialise it. */
const struct libsai *remote_provider(void);

#endif /* vendors/remote/remote.h */
