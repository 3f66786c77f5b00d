/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_CLIENT_H
#define ORCHD_ORCHCTL_CLIENT_H

/* The client side of the control socket: one request, one reply. */

#include <jansson.h>

#include "base/status.h"

struct client;

/* The reply to a request. */
struct reply {
    int exit;      /* The exit code for orchctl. */
    json_t *error; /* NULL if there is none.  Owned, as is 'data'. */
    json_t *data;  /* NULL if there is none. */
};

/* Connects to the daemon that listens on 'path', or, if this user may not, to
 * its socket for viewers beside 'path'.  ST_IO: no daemon does; 'err' says
 * which socket was tried and how to start a daemon.  Requests fail if the reply
 * takes longer than 'timeout_seconds'. */
enum st client_connect(const char *path, unsigned int timeout_seconds,
                       struct client **client, struct err *err) ST_WARN_UNUSED;

/* Closes the connection.  Accepts NULL. */
void client_close(struct client *client);

/* Sends the request 'noun' 'verb' with 'arguments' (may be NULL; takes
 * ownership) and waits for '*reply', which the caller ends with reply_fini().
 * ST_IO: the daemon disconnected or did not reply. */
enum st client_call(struct client *client, const char *noun, const char *verb,
                    json_t *arguments, struct reply *reply,
                    struct err *err) ST_WARN_UNUSED;

/* Frees the contents of 'reply'. */
void reply_fini(struct reply *reply);

/* Fills 'err' from the error of 'reply' and returns its status, or ST_OK if the
 * reply has no error.  An invalid request is ST_INVALID. */
enum st reply_error(const struct reply *reply, struct err *err);

#endif /* orchctl/client.h */
