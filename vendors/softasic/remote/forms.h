/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_REMOTE_FORMS_H
#define ORCHD_SOFTASIC_REMOTE_FORMS_H

/* The structures of softasic.h as bytes, for a switch in another process.
 *
 * A form says where the members of a structure are, so that padding is never
 * sent and what comes from outside is judged: a byte that is neither false nor
 * true, or an enumerator that does not exist, is bad. */

#include <stddef.h>

#include "sai/remote/wire.h"

enum { FORMS_NAME_BYTES = 24 };

/* Writes the name of these extras, with a digest of the functions and forms
 * below: clients and hosts compare it, so that those of builds with other ones
 * do not misunderstand each other. */
void forms_name(char name[FORMS_NAME_BYTES]);

/* X(member, writes): the functions of struct softasic_ops in the order of their
 * numbers, which are part of the protocol, and whether they change anything. */
#define FORMS_OPS(X)                                                           \
    X(chip, false)                                                             \
    X(send, true)                                                              \
    X(run, true)                                                               \
    X(settle, true)                                                            \
    X(now, false)                                                              \
    X(step, true)                                                              \
    X(pg_state, false)                                                         \
    X(queue_state, false)                                                      \
    X(pool_state, false)                                                       \
    X(port_state, false)                                                       \
    X(classify, false)                                                         \
    X(received, true)                                                          \
    X(l2_set, true)                                                            \
    X(l2_clear, true)                                                          \
    X(inject, true)                                                            \
    X(capture, true)                                                           \
    X(captured, true)                                                          \
    X(send_ip, true)                                                           \
    X(routed, false)                                                           \
    X(pause, true)                                                             \
    X(trace, true)                                                             \
    X(traced, true)                                                            \
    X(queue_deadlock, true)                                                    \
    X(peer, true)                                                              \
    X(peer_state, false)                                                       \
    X(flow, true)                                                              \
    X(flow_stop, true)                                                         \
    X(flow_state, false)                                                       \
    X(storm, true)                                                             \
    X(storm_stop, true)                                                        \
    X(peer_remove, true)

enum forms_op {
#define X(member, writes) FORMS_OP_##member,
    FORMS_OPS(X)
#undef X
        FORMS_N_OPS,
};

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
    X(storm)

struct form;

#define X(name) extern const struct form forms_##name;
FORMS_STRUCTURES(X)
#undef X

/* Longest text that comes along: the name of a chip, a reason. */
#define FORMS_TEXT_BYTES 128

/* Most rows or bytes of a list, so that they fit into a message. */
#define FORMS_ROOM_MAX (UINT32_C(1) << 18)

/* Writes '*from'; reads it back into '*to', of which all other bytes become
 * zero.  Pointers are not among the members. */
void forms_put(struct wire_out *out, const struct form *form, const void *from);
void forms_get(struct wire_in *in, const struct form *form, void *to);

#endif /* vendors/softasic/remote/forms.h */
