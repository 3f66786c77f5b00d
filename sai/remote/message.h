/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_MESSAGE_H
#define ORCHD_SAI_REMOTE_MESSAGE_H

/* The protocol between a SAI client and the host process that has the library.
 *
 * Motivation: a vendor library that crashes or hangs must not bring down its
 * client, and a switch must keep forwarding while its control plane restarts.
 * So the library runs in another process, the host (saihostd, softasicd).
 * Messages on a Unix stream socket carry operation, object type, key and
 * attributes.  The metadata determine the layout of values (values.h), so the
 * protocol depends on no particular attribute.
 *
 * A message is a header of three 32-bit numbers (length of the body, kind,
 * sequence number) and the body.  The client first sends HELLO, and the host
 * answers WELCOME with its acceptance or the reason of its refusal.  Then the
 * client sends requests; the host answers each with one message with the same
 * sequence number, in order.  The client may send several requests before it
 * reads the first answer.  Because of this, and because a request can have many
 * objects, a large plan takes little longer than with a library in the process.
 * A client that has subscribed also gets NOTICE messages (notifications), with
 * sequence number 0.
 *
 *   HELLO:   magic, version, role, what to subscribe to, name
 *
 *   WELCOME: magic, version, result, SAI release, name of the extensions,
 *            reason as text
 *
 *   CALL:    see call.h
 *
 *   QUERY:   see query.h
 *
 *   EXTRA:   number of an extension function, then its arguments, which the
 *            extensions define
 *
 *   NOTICE:  see notification.h
 *
 * The host disconnects a client that sends anything else.  Only one client at a
 * time writes; the others may read, unless they are testers or the host allows
 * a second client to write for a rescue.  Both sides must have the same version
 * of the protocol.  It changes with the layout or the meaning of a message, not
 * with a role, a subscription or a kind of query that is new: a host of an
 * earlier release ignores the subscription, and disconnects clients that use
 * the others. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sai/remote/wire.h"

#define MESSAGE_MAGIC   UINT32_C(0x52494153) /* "SAIR" */
#define MESSAGE_VERSION UINT32_C(1)

/* The longest body, and the largest number of objects of a call. */
#define MESSAGE_BODY_MAX    ((uint32_t)8 * 1024 * 1024)
#define MESSAGE_OBJECTS_MAX UINT32_C(4096)

enum { MESSAGE_HEADER_BYTES = 12, MESSAGE_TEXT_BYTES = 256 };

enum message_kind {
    MESSAGE_HELLO = 1,
    MESSAGE_WELCOME,
    MESSAGE_CALL,
    MESSAGE_QUERY,
    MESSAGE_EXTRA,
    MESSAGE_NOTIFICATION,
    MESSAGE_END, /* One more than the last kind. */
};

/* The access that a client requests. */
enum message_role {
    MESSAGE_READER,
    MESSAGE_WRITER,
    MESSAGE_RESCUE, /* Write beside the writer, if the host allows it. */
    MESSAGE_TESTER, /* Change beside the writer what tests of switches change
                     * (tester_rule.h). */
    MESSAGE_N_ROLES,
};

/* The answer of the host. */
enum message_outcome {
    MESSAGE_GRANTED,
    MESSAGE_BUSY,          /* Another client writes. */
    MESSAGE_OTHER_VERSION, /* Of the protocol. */
    MESSAGE_DENIED,        /* The user of the client may only read. */
    MESSAGE_N_OUTCOMES,
};

struct message_hello {
    uint32_t version;
    enum message_role role;
    uint8_t subscribe;             /* Bits: MESSAGE_SUBSCRIBE_...; 0: none. */
    char name[MESSAGE_TEXT_BYTES]; /* For people. */
};

/* What to subscribe to: notifications of SAI; and TESTERS, which says that
 * testers have connected, disconnected or changed something, so that the client
 * can ask which (QUERY_TESTERS).  A host that knows testers sends one TESTERS
 * at once.  A client must not ask a host that has not: one of an earlier
 * release takes any number as a subscription, and disconnects clients whose
 * queries it does not know. */
#define MESSAGE_SUBSCRIBE_SAI     UINT8_C(1)
#define MESSAGE_SUBSCRIBE_TESTERS UINT8_C(2)

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

/* Begins a message in 'out'; returns its offset for message_end(). */
size_t message_begin(struct wire_out *out, enum message_kind kind,
                     uint32_t sequence);

/* Ends the message that began at 'start'.  Returns false, and removes it, if it
 * is too long. */
bool message_end(struct wire_out *out, size_t start);

/* Parses a header from at least MESSAGE_HEADER_BYTES.  Returns false if it is
 * malformed. */
bool message_header(const uint8_t *bytes, struct message_header *header);

void message_put_hello(struct wire_out *out, const struct message_hello *hello);
void message_put_welcome(struct wire_out *out,
                         const struct message_welcome *welcome);

/* Parse a body.  Return false if it is malformed. */
bool message_get_hello(struct wire_in *in, struct message_hello *hello);
bool message_get_welcome(struct wire_in *in, struct message_welcome *welcome);

#endif /* sai/remote/message.h */
