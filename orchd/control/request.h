/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_REQUEST_H
#define ORCHD_CONTROL_REQUEST_H

/* A request for a command, wherever it came from: a line on a control socket
 * (server.h), an HTTP request, or a topic of the live page.
 *
 * Who makes a request embeds this, and frees it at the earliest when it is
 * answered. */

#include <stdbool.h>

struct columns;
struct json_t;
struct peer;
struct request;

/* How a request ended, beside what its answer says. */
enum request_outcome {
    REQUEST_ANSWERED,
    REQUEST_INVALID, /* The request, or an argument. */
    REQUEST_UNKNOWN, /* There is no such noun or verb. */
    REQUEST_DENIED,  /* Its client may not. */
};

/* How to answer.  One of 'reply', 'value' and 'columns' is called, once. */
struct request_ops {
    /* 'text' is the answer, one line of JSON without its end; borrowed. */
    void (*reply)(struct request *request, const char *text);

    /* The same with the answer as a value, which the callee owns.  NULL: call
     * 'reply'. */
    void (*value)(struct request *request, struct json_t *answer);

    /* The same for an answer that is a success whose data are columns, which
     * the callee owns.  NULL: call one of the others. */
    void (*columns)(struct request *request, struct columns *columns);

    /* Returns whether nobody waits for the answer. */
    bool (*is_gone)(const struct request *request);

    /* Exempts the connection from ending because it is idle, or ends that.
     * NULL: nothing to do. */
    void (*keep)(struct request *request, bool keep);
};

struct request {
    const struct request_ops *ops;
    const struct peer *peer;      /* Who makes it; borrowed. */
    enum request_outcome outcome; /* Valid when it is answered. */
};

/* Answers 'request' with 'text', which has no line end, and ends it.  Only ends
 * it if the client has disconnected. */
void request_reply(struct request *request, const char *text);

/* Returns whether the client has closed the connection of 'request', so that
 * nobody waits for the answer.  (One that has only ended its sending side does
 * wait.) */
bool request_is_gone(const struct request *request);

/* Returns the process that made 'request'; borrowed. */
const struct peer *request_peer(const struct request *request);

/* Exempts the connection of 'request' from ending because it is idle, or ends
 * the exemption. */
void request_keep(struct request *request, bool keep);

#endif /* orchd/control/request.h */
