/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_SAI_HOST_H
#define ORCHD_SAI_REMOTE_SAI_HOST_H

/* The host side of the protocol: executes the messages of clients, without a
 * socket.
 *
 * Each client is a session.  The caller passes the messages of a session one by
 * one; the host appends the answers to the output of the session.  When a
 * message violates the protocol, the caller disconnects the client.  One
 * session at a time may write; calls of others that would change state return
 * OBJECT_IN_USE.
 *
 * A tester may change a little beside the writer (tester_rule.h), which is
 * notified and can ask for the changes (QUERY_TESTERS).
 *
 * A host can allow other clients to write beside the writer if they ask for it
 * explicitly: to repair a switch by hand, and to test whether the writer
 * detects changes.  The host does not notify the writer.
 *
 * The switch outlives its clients.  A client that creates it with INIT_SWITCH
 * false connects to the existing switch, as SAI defines; the creation of a
 * second switch is ITEM_ALREADY_EXISTS.  Clients set callbacks as attributes,
 * but the host cannot call functions of another process: it registers functions
 * of its own with the library.  These send notifications to all subscribed
 * sessions, even after the client that set the callbacks has disconnected.  A
 * callback that sai/remote/notification.h does not support is NOT_SUPPORTED. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "sai/remote/library.h"
#include "sai/remote/message.h"
#include "sai/remote/wire.h"

struct sai_host;
struct session;

/* Functions that report events of a host, for its log.  Each may be NULL. */
struct sai_host_watcher {
    void *context;

    /* Called before and after each call of the library, to detect a call that
     * never returns.  'limited' is false if the call may take any time. */
    void (*enter)(void *context, bool limited);
    void (*leave)(void *context);

    /* Session 'name' writes beside the writer 'owner', or without a writer
     * (""). */
    void (*rescue)(void *context, const char *name, const char *owner);

    /* Tester 'name' has connected ('text' is NULL), or it has disconnected:
     * a line for each thing that it has left changed ('warn'), and one at the
     * end. */
    void (*tester)(void *context, bool warn, const char *name,
                   const char *text);
};

/* Creates a host of 'library' with 'watcher', which are copied.  A process has
 * at most one host, because SAI's callbacks have no context.  NULL if the
 * system has no descriptor left. */
struct sai_host *sai_host_create(const struct host_library *library,
                                 const struct sai_host_watcher *watcher);

/* Allows sessions to write beside the writer from now on. */
void sai_host_allow_rescue(struct sai_host *host);

/* Frees 'host', whose sessions are closed.  Accepts NULL. */
void sai_host_destroy(struct sai_host *host);

/* Returns a descriptor that is readable while there are notifications;
 * sai_host_notify() then writes them to the output of all subscribed sessions.
 */
int sai_host_fd(const struct sai_host *host);
void sai_host_notify(struct sai_host *host);

/* Begins a session.  'out' is its output, which is borrowed; the caller sends
 * and removes its bytes. */
struct session *session_open(struct sai_host *host, struct wire_out *out);

/* Lets the session only read; 'reason' (static or as long-lived as the session)
 * says to a client that wants to write what it would need.  NULL: no limit. */
void session_limit(struct session *session, const char *reason);

/* Ends a session.  Accepts NULL. */
void session_close(struct session *session);

/* Executes one message with its body.  If it returns false, the caller sends
 * the output and disconnects. */
bool session_message(struct session *session,
                     const struct message_header *header, const uint8_t *body);

/* Returns the name of the client, "" before its HELLO. */
const char *session_name(const struct session *session);

/* Returns whether the handshake has succeeded. */
bool session_is_established(const struct session *session);

/* Returns how many testers are connected. */
unsigned int sai_host_n_testers(const struct sai_host *host);

/* Returns what the session may do since its HELLO: "writer", "rescuer",
 * "tester" or "reader". */
const char *session_role(const struct session *session);

/* Returns how many calls of the session could change the switch. */
uint64_t session_changes(const struct session *session);

/* What the last message of a session has done. */
enum session_effect {
    SESSION_READ,
    SESSION_CHANGED, /* It was one that can change the switch. */
    SESSION_DENIED,  /* The same, of a session that may not. */
};

struct session_last {
    enum session_effect effect;
    const char *verb; /* Static: "create", "set"; "query" for one that changes
                       * something; "asic" for a function of the library beside
                       * SAI.  NULL: it has only read. */
    sai_status_t status; /* Of a call; that of "asic" is not known: success. */
    const char *why;     /* SESSION_DENIED: why not; static. */
};

/* Returns what the last session_message() has done; borrowed. */
const struct session_last *session_last(const struct session *session);

/* Returns whether the session receives notifications, which a client does on a
 * connection of their own. */
bool session_subscribes(const struct session *session);

/* Returns why session_message() returned false, for people. */
const char *session_refusal(const struct session *session);

/* Appends a refusal for a client beyond the limit of 'n_max' clients to 'out'.
 */
void session_refuse(struct wire_out *out, unsigned int n_max);

#endif /* sai/remote/sai_host.h */
