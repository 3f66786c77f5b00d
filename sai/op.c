/* SPDX-License-Identifier: Apache-2.0 */

/* Names of operations. */

#include <config.h>

#include "sai/op.h"

#include <string.h>

static const char *const names[N_OPS] = {
#define X(member, name) name,
    OP_LIST(X)
#undef X
};

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
