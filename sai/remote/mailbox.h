/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_MAILBOX_H
#define ORCHD_SAI_REMOTE_MAILBOX_H

/* A queue of notices from the threads of a library to the one that serves
 * clients.
 *
 * SAI's callbacks come from any thread and must not block.  So they leave their
 * message here and go; a descriptor becomes readable, for an event loop.  If
 * nobody takes them out, new ones are dropped from MAILBOX_MAX on. */

#include <stdbool.h>
#include <stdint.h>

#include "sai/remote/wire.h"

enum { MAILBOX_MAX = 4096 };

struct mailbox;

/* Returns an empty one; NULL if the system has no descriptor for it. */
struct mailbox *mailbox_create(void);

/* Frees it with what is in it.  Accepts NULL. */
void mailbox_destroy(struct mailbox *mailbox);

/* The descriptor; readable while there is something. */
int mailbox_fd(const struct mailbox *mailbox);

/* Takes over the bytes of '*out', which is empty then.  From any thread. */
void mailbox_put(struct mailbox *mailbox, struct wire_out *out);

/* Moves the oldest message into '*out'; false if there is none. */
bool mailbox_take(struct mailbox *mailbox, struct wire_out *out);

/* Returns how many were dropped. */
uint64_t mailbox_dropped(struct mailbox *mailbox);

#endif /* sai/remote/mailbox.h */
