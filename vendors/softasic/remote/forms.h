/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_REMOTE_FORMS_H
#define ORCHD_SOFTASIC_REMOTE_FORMS_H

/* The structures of softasic.h as bytes, for a switch in another process.
 *
 * A form lists the members of a structure, so that padding is never sent and a
 * reader can check input from outside: a boolean other than 0 and 1, or an
 * enumerator that does not exist, is bad. */

#include <stddef.h>

#include "sai/remote/wire.h"

enum { FORMS_NAME_BYTES = 24 };

/* Writes the name of these extras with a digest of the operations (ops.def) and
 * of the forms below.  Client and host compare their names, so that two builds
 * with different operations or forms do not misunderstand each other. */
void forms_name(char name[FORMS_NAME_BYTES]);

/* X(name): structures, each 'struct softasic_NAME' with a form 'forms_NAME'. */
#define FORMS_STRUCTURES(X)                                                    \
    X(chip)                                                                    \
    X(send)                                                                    \
    X(sent)                                                                    \
    X(pause)                                                                   \
    X(departure)                                                               \
    X(ip)                                                                      \
    X(class)                                                                   \
    X(pg_state)                                                                \
    X(queue_state)                                                             \
    X(pool_state)                                                              \
    X(port_state)                                                              \
    X(received)                                                                \
    X(peer)                                                                    \
    X(peer_state)                                                              \
    X(flow)                                                                    \
    X(flow_state)                                                              \
    X(storm)                                                                   \
    X(gap)

struct form;

#define X(name) extern const struct form forms_##name;
FORMS_STRUCTURES(X)
#undef X

/* Longest text in a message, with its terminator: the name of a chip, a
 * reason. */
#define FORMS_TEXT_BYTES 128

/* Most rows or bytes of a list, so that it fits into a message. */
#define FORMS_ROWS_MAX (UINT32_C(1) << 18)

/* Returns the size of the structure. */
size_t forms_size(const struct form *form);

/* Writes '*from'; reads it back into '*to', of which all other bytes become
 * zero. */
void forms_put(struct wire_out *out, const struct form *form, const void *from);
void forms_get(struct wire_in *in, const struct form *form, void *to);

/* Reads a text and returns it; static, as softasic.h promises of its texts.
 * There are few different ones, so each is kept once; when there is no room for
 * another, that is "" and 'in' is bad. */
const char *forms_get_text(struct wire_in *in);

#endif /* vendors/softasic/remote/forms.h */
