/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REMOTE_CONNECTION_H
#define ORCHD_REMOTE_CONNECTION_H

/* The connection of this process to the host of its switch.
 *
 * SAI has no handle, so there is one, in the one static variable of
 * connection.c. */

#include <sai.h>

struct client;

/* Connects to the host at 'socket' as the profile of 'services' says. */
sai_status_t connection_open(const sai_service_method_table_t *services,
                             const char *socket);

/* Returns the connection, NULL if the library is not initialised.  One that is
 * lost is said so on stderr, once. */
struct client *connection_client(void);

/* Disconnects. */
void connection_close(void);

#endif /* vendors/remote/connection.h */
