/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_REMOTE_MARSHAL_H
#define ORCHD_SOFTASIC_REMOTE_MARSHAL_H

/* Calls of struct softasic_ops as messages, by the table ops.def.
 *
 * A request holds the parameters that go in, in their order.  A reply holds the
 * status, then the length of a list if the operation returns one, then, after a
 * success, the parameters that come out.
 *
 * A generated function packs the parameters of its call in an array of
 * 'union marshal_value', one for each, and the functions below write or read
 * them all by the rows of the table. */

#include <sai.h>

#include "sai/remote/wire.h"
#include "vendors/softasic/remote/forms.h"

/* The numbers of the operations, which are part of the protocol. */
enum marshal_op {
#define OP(member, ...) MARSHAL_OP_##member,
#include "vendors/softasic/remote/ops.def"
#undef OP
    MARSHAL_N_OPS
};

enum marshal_effect {
    MARSHAL_READS,
    MARSHAL_SETS,
    MARSHAL_RUNS,
};

enum { MARSHAL_PARAMETERS_MAX = 4 };

/* A parameter: a number, or a pointer to what goes in or comes out. */
union marshal_value {
    uint64_t number;
    const void *in;
    void *out;
};

enum marshal_effect marshal_effect(enum marshal_op op);

/* Returns whether no pointer is NULL that must not be. */
bool marshal_is_complete(enum marshal_op op,
                         const union marshal_value values[]);

/* Writes a request with 'values', which are complete.  False: a number is too
 * large for a message. */
bool marshal_put_request(struct wire_out *out, enum marshal_op op,
                         const union marshal_value values[]);

/* Reads a request into 'values', with memory for all pointers.  False: it is no
 * request for 'op'.  End with marshal_free() in either case. */
bool marshal_get_request(struct wire_in *in, enum marshal_op op,
                         union marshal_value values[MARSHAL_PARAMETERS_MAX]);

/* Frees the memory behind 'values'. */
void marshal_free(enum marshal_op op,
                  const union marshal_value values[MARSHAL_PARAMETERS_MAX]);

/* Writes the reply to a call that returned 'status' and filled 'values'. */
void marshal_put_reply(struct wire_out *out, enum marshal_op op,
                       sai_status_t status, const union marshal_value values[]);

/* Reads what follows 'status' in a reply, and copies it to where the pointers
 * of 'values' point.  False: the reply makes no sense; nothing was copied. */
bool marshal_get_reply(struct wire_in *in, enum marshal_op op,
                       sai_status_t status, const union marshal_value values[]);

/* Generating functions --------------------------------------------------
 *
 * MARSHAL_EACH(F, (a), (b)) is "F(0, (a)), F(1, (b))": a list with an element
 * for each parameter of a row. */

#define MARSHAL_EACH(F, ...)                                                   \
    MARSHAL_PICK(__VA_ARGS__, MARSHAL_EACH_4, MARSHAL_EACH_3, MARSHAL_EACH_2,  \
                 MARSHAL_EACH_1, )                                             \
    (F, __VA_ARGS__)
#define MARSHAL_PICK(a, b, c, d, EACH, ...) EACH
#define MARSHAL_EACH_1(F, a)                F(0, a)
#define MARSHAL_EACH_2(F, a, b)             F(0, a), F(1, b)
#define MARSHAL_EACH_3(F, a, b, c)          F(0, a), F(1, b), F(2, c)
#define MARSHAL_EACH_4(F, a, b, c, d)       F(0, a), F(1, b), F(2, c), F(3, d)

/* The declaration of a parameter in C: "uint8_t dscp". */
#define MARSHAL_DECLARE(i, parameter)        MARSHAL_DECLARE_ parameter
#define MARSHAL_DECLARE_(kind, ...)          MARSHAL_DECLARE_##kind(__VA_ARGS__)
#define MARSHAL_DECLARE_NONE(none)           void
#define MARSHAL_DECLARE_NUMBER(type, name)   type name
#define MARSHAL_DECLARE_COUNT(name)          uint32_t name
#define MARSHAL_DECLARE_LENGTH(name)         uint32_t name
#define MARSHAL_DECLARE_BYTES(name)          const uint8_t *name
#define MARSHAL_DECLARE_MAC(name)            const sai_mac_t name
#define MARSHAL_DECLARE_IN(name)             const struct softasic_##name *name
#define MARSHAL_DECLARE_OUT(name)            struct softasic_##name *name
#define MARSHAL_DECLARE_RESULT(type, name)   type *name
#define MARSHAL_DECLARE_OPTIONAL(type, name) type *name
#define MARSHAL_DECLARE_TEXT(name)           const char **name
#define MARSHAL_DECLARE_CAPACITY(name)       uint32_t *name
#define MARSHAL_DECLARE_ROWS(name)           struct softasic_##name *name
#define MARSHAL_DECLARE_BUFFER(name)         uint8_t *name

/* The parameter as a union marshal_value. */
#define MARSHAL_VALUE(i, parameter) MARSHAL_VALUE_ parameter
#define MARSHAL_VALUE_(kind, ...)                                              \
    {                                                                          \
        MARSHAL_VALUE_##kind(__VA_ARGS__)                                      \
    }
#define MARSHAL_VALUE_NONE(none)           .number = 0
#define MARSHAL_VALUE_NUMBER(type, name)   .number = (uint64_t)(name)
#define MARSHAL_VALUE_COUNT(name)          .number = (name)
#define MARSHAL_VALUE_LENGTH(name)         .number = (name)
#define MARSHAL_VALUE_BYTES(name)          .in = (name)
#define MARSHAL_VALUE_MAC(name)            .in = (name)
#define MARSHAL_VALUE_IN(name)             .in = (name)
#define MARSHAL_VALUE_OUT(name)            .out = (name)
#define MARSHAL_VALUE_RESULT(type, name)   .out = (name)
#define MARSHAL_VALUE_OPTIONAL(type, name) .out = (name)
#define MARSHAL_VALUE_TEXT(name)           .out = (name)
#define MARSHAL_VALUE_CAPACITY(name)       .out = (name)
#define MARSHAL_VALUE_ROWS(name)           .out = (name)
#define MARSHAL_VALUE_BUFFER(name)         .out = (name)

#endif /* vendors/softasic/remote/marshal.h */
