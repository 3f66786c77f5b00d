/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_OP_H
#define ORCHD_SAI_CORE_OP_H

/* The operations of a backend (sai/core/backend.h), as an enumeration with
 * names for code that counts, records or fails calls of any kind.
 *
 * OP_SNAPSHOT is no call: a recording that begins on a running switch starts
 * with lines that describe the existing objects
 * (sai/stack/record_snapshot.h). */

#include <stdbool.h>
#include <stddef.h>

/* X(member, name). */
#define OP_LIST(X)                                                             \
    X(CREATE, "create")                                                        \
    X(REMOVE, "remove")                                                        \
    X(SET, "set")                                                              \
    X(GET, "get")                                                              \
    X(GET_STATS, "get_stats")                                                  \
    X(CREATE_MANY, "create_many")                                              \
    X(REMOVE_MANY, "remove_many")                                              \
    X(SET_MANY, "set_many")                                                    \
    X(GET_MANY, "get_many")                                                    \
    X(SNAPSHOT, "snapshot")                                                    \
    X(GET_STATS_MANY, "get_stats_many")

enum op {
#define X(member, name) OP_##member,
    OP_LIST(X)
#undef X
        N_OPS
};

/* Returns whether 'op' is a bulk operation. */
bool op_is_many(enum op op);

/* Returns the operation that a bulk operation performs on each object: OP_SET
 * for OP_SET_MANY.  Returns other operations unchanged. */
enum op op_single(enum op op);

/* Returns the name of 'op', which is valid: "get_stats". */
const char *op_name(enum op op);

/* Finds an operation by the first 'length' bytes of 'name'.  Returns false, and
 * stores nothing, if there is none. */
bool op_find(const char *name, size_t length, enum op *op);

#endif /* sai/core/op.h */
