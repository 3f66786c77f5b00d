/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REMOTE_CONNECTION_H
#define ORCHD_REMOTE_CONNECTION_H

/* The connection of this process to the SAI host with its switch.
 *
 * SAI has no handle, so there is one connection, in the one static variable of
 * connection.c. */

#include <sai.h>

struct client;

/* Connects to the host at 'socket' with the role and the timeout of the profile
 * of 'services'. */
sai_status_t connection_open(const sai_service_method_table_t *services,
                             const char *socket);

/* Returns the connection, NULL if the library is not initialised.  Reports a
 * lost connection on stderr, once. */
struct client *connection_client(void);

/* Disconnects. */
void connection_close(void);

#endif /* vendors/remote/connection.h */
