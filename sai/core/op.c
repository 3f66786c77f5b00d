/* SPDX-License-Identifier: Apache-2.0 */

/* Names of operations. */

#include <config.h>

#include "sai/core/op.h"

#include <string.h>

static const char *const names[N_OPS] = {
#define X(member, name) name,
    OP_LIST(X)
#undef X
};

bool
op_is_many(enum op op)
{
    return op_single(op) != op;
}

enum op
op_single(enum op op)
{
    switch (op) {
    case OP_CREATE_MANY:
        return OP_CREATE;
    case OP_REMOVE_MANY:
        return OP_REMOVE;
    case OP_SET_MANY:
        return OP_SET;
    case OP_GET_MANY:
        return OP_GET;
    case OP_GET_STATS_MANY:
        return OP_GET_STATS;
    case OP_CREATE:
    case OP_REMOVE:
    case OP_SET:
    case OP_GET:
    case OP_GET_STATS:
    case OP_SNAPSHOT:
    case N_OPS:
    default:
        return op;
    }
}

const char *
op_name(enum op op)
{
    return names[op];
}

bool
op_find(const char *name, size_t length, enum op *op)
{
    for (int i = 0; i < N_OPS; i++) {
        if (strlen(names[i]) == length && !memcmp(names[i], name, length)) {
            *op = (enum op)i;
            return true;
        }
    }
    return false;
}
