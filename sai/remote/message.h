/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_MESSAGE_H
#define ORCHD_SAI_REMOTE_MESSAGE_H

/* The protocol between a client of SAI and the process that has the library.
 *
 * Motivation: a vendor's library that crashes or hangs must not take its client
 * along, and a switch must keep forwarding while its control plane restarts.
 * So the library lives in another process (saihostd, softasicd), and what goes
 * over a Unix stream socket is (operation, object type, key, attributes).  How
 * values are laid out is known from the metadata (values.h), so no attribute is
 * mentioned here.
 *
 * A message is a header of three numbers of 32 bits (bytes that follow,
 * kind, sequence) and those bytes.  A client says HELLO first and is told
 * WELCOME, or why not; then it sends requests, each of which is answered by one
 * message with its sequence, in order.  It may send several before it reads the
 * first answer: that, and that a request has many objects, is how a large plan
 * costs little more than on a library in the process.  A client that has
 * subscribed gets NOTICEs besides, with sequence 0.
 *
 *   HELLO    magic, version, role, whether to subscribe, name
 *   WELCOME  magic, version, outcome, release of SAI, name of the extras,
 *            reason in words
 *   CALL     see call.h
 *   QUERY    see query.h
 *   EXTRA    number, then bytes of whoever defines the extras
 *   NOTICE   see notice.h
 *
 * Whoever sends something else is disconnected.  One client at a time writes;
 * the others may read, unless the host lets a second one write for a rescue.
 * The version changes when a message does: both sides must have the same. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sai/remote/wire.h"

#define MESSAGE_MAGIC   UINT32_C(0x52494153) /* "SAIR" */
#define MESSAGE_VERSION UINT32_C(1)

/* Longest body, and most objects of a call. */
#define MESSAGE_BODY_MAX    ((uint32_t)8 * 1024 * 1024)
#define MESSAGE_OBJECTS_MAX UINT32_C(4096)

enum { MESSAGE_HEADER_BYTES = 12, MESSAGE_TEXT_BYTES = 256 };

enum message_kind {
    MESSAGE_HELLO = 1,
    MESSAGE_WELCOME,
    MESSAGE_CALL,
    MESSAGE_QUERY,
    MESSAGE_EXTRA,
    MESSAGE_NOTICE,
    MESSAGE_END, /* None: one more than the last. */
};

/* What a client wants to do. */
enum message_role {
    MESSAGE_READER,
    MESSAGE_WRITER,
    MESSAGE_RESCUE, /* Write beside the writer, where the host allows it. */
    MESSAGE_N_ROLES,
};

/* What becomes of it. */
enum message_outcome {
    MESSAGE_GRANTED,
    MESSAGE_BUSY,          /* Another client writes. */
    MESSAGE_OTHER_VERSION, /* Of the protocol. */
    MESSAGE_N_OUTCOMES,
};

struct message_hello {
    uint32_t version;
    enum message_role role;
    bool subscribe;
    char name[MESSAGE_TEXT_BYTES]; /* For people. */
};

struct message_welcome {
    uint32_t version;
    enum message_outcome outcome;
    uint64_t release;                /* SAI_API_VERSION of the library. */
    char extras[MESSAGE_TEXT_BYTES]; /* "" if it has none. */
    char reason[MESSAGE_TEXT_BYTES]; /* Unless granted. */
};

struct message_header {
    uint32_t n_bytes; /* Of the body. */
    enum message_kind kind;
    uint32_t sequence;
};

/* Begins a message in 'out'; returns where, for message_end(). */
size_t message_begin(struct wire_out *out, enum message_kind kind,
                     uint32_t sequence);

/* Ends the message that began at 'start'.  Returns false, and takes it back, if
 * it has become too long. */
bool message_end(struct wire_out *out, size_t start);

/* Reads a header from at least MESSAGE_HEADER_BYTES.  Returns false if it is
 * none. */
bool message_header(const uint8_t *bytes, struct message_header *header);

void message_put_hello(struct wire_out *out, const struct message_hello *hello);
void message_put_welcome(struct wire_out *out,
                         const struct message_welcome *welcome);

/* Read a body; false if it is none. */
bool message_get_hello(struct wire_in *in, struct message_hello *hello);
bool message_get_welcome(struct wire_in *in, struct message_welcome *welcome);

#endif /* sai/remote/message.h */
