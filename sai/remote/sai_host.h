/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_SAI_HOST_H
#define ORCHD_SAI_REMOTE_SAI_HOST_H

/* The side of the protocol that has the library: what each message of a client
 * means, without a socket.
 *
 * A client is a session.  Its messages are handed in one by one; answers are
 * appended to its output.  What is not a message of the protocol ends the
 * session: the caller disconnects it.  One session at a time may write; calls
 * of another that would change something are answered OBJECT_IN_USE.
 *
 * A host may let others write beside that one, if they say that they mean it:
 * to mend by hand what its owner cannot, and to test whether the owner finds
 * out.  The owner is not told.
 *
 * The switch outlives its clients.  Who creates it with INIT_SWITCH false
 * connects to the one that is there, as SAI says; creating a second one is
 * ITEM_ALREADY_EXISTS.  Callbacks are set by clients as attributes and cannot
 * be called here: the library gets functions of the host in their place, which
 * send notices to all sessions that have subscribed, also after the client that
 * set them is gone.  A callback that notice.h does not carry is answered
 * NOT_SUPPORTED. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "sai/remote/library.h"
#include "sai/remote/message.h"
#include "sai/remote/wire.h"

struct sai_host;
struct session;

/* What happens in a host; for its log.  All may be NULL. */
struct sai_host_watcher {
    void *context;

    /* Around each call of the library, so that one that never returns is
     * noticed.  'limited' is false where a call may take as long as it likes;
     * 'writes' says whether it changes something. */
    void (*enter)(void *context, bool limited, bool writes);
    void (*leave)(void *context);

    /* A session that calls itself 'name' writes beside the writer, 'owner', or
     * instead of one, "". */
    void (*rescue)(void *context, const char *name, const char *owner);
};

/* Makes a host of 'library' and 'watcher', which are copied.  There is one at a
 * time in a process, as callbacks of SAI have no context.  NULL if the system
 * lacks what it needs. */
struct sai_host *sai_host_create(const struct host_library *library,
                                 const struct sai_host_watcher *watcher);

/* From now on sessions may write beside the writer. */
void sai_host_allow_rescue(struct sai_host *host);

/* Frees it; sessions have been closed.  Accepts NULL. */
void sai_host_destroy(struct sai_host *host);

/* A descriptor that is readable when there are notices; sai_host_notify() then
 * writes them to the output of all sessions that want them. */
int sai_host_fd(const struct sai_host *host);
void sai_host_notify(struct sai_host *host);

/* Begins a session.  'out' is its output: borrowed, and emptied by the
 * caller. */
struct session *session_open(struct sai_host *host, struct wire_out *out);

/* Ends it.  Accepts NULL. */
void session_close(struct session *session);

/* Handles one message with its body.  False: disconnect, after what is in the
 * output has been sent. */
bool session_message(struct session *session,
                     const struct message_header *header, const uint8_t *body);

/* Returns what the client calls itself, "" before it has said so. */
const char *session_name(const struct session *session);

/* Returns whether it was greeted, and let in. */
bool session_greeted(const struct session *session);

/* Returns why session_message() has said no, for people. */
const char *session_refusal(const struct session *session);

/* Appends to 'out' the answer to a client for which there is no room, whatever
 * it may say; 'n_max' is how many there may be. */
void session_turn_away(struct wire_out *out, unsigned int n_max);

#endif /* sai/remote/sai_host.h */
