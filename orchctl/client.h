/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_CLIENT_H
#define ORCHD_ORCHCTL_CLIENT_H

/* The client's end of the control socket: one request, one reply. */

#include <jansson.h>

#include "base/status.h"

struct client;

/* The answer to a request. */
struct reply {
    int exit;      /* What orchctl exits with. */
    json_t *error; /* NULL if there is none.  Owned, as is 'data'. */
    json_t *data;  /* NULL if there is none. */
};

/* Connects to the daemon that listens on 'path'.  ST_IO: nobody does; 'err'
 * says where it was tried, and how to start one.  An answer that takes longer
 * than 'timeout_seconds' is given up. */
enum st client_connect(const char *path, unsigned int timeout_seconds,
                       struct client **client, struct err *err) ST_WARN_UNUSED;

/* Closes the connection.  Accepts NULL. */
void client_close(struct client *client);

/* Asks for 'verb' of 'noun' with 'arguments', which is taken over and may be
 * NULL, and waits for '*reply', which the caller ends with reply_fini().
 * ST_IO: the daemon went away or did not answer. */
enum st client_call(struct client *client, const char *noun, const char *verb,
                    json_t *arguments, struct reply *reply,
                    struct err *err) ST_WARN_UNUSED;

/* Frees what 'reply' holds. */
void reply_fini(struct reply *reply);

/* Fills 'err' from the error of 'reply'; returns its status, ST_OK if the
 * reply has none.  A request that makes no sense is ST_INVALID. */
enum st reply_error(const struct reply *reply, struct err *err);

#endif /* orchctl/client.h */
