/* SPDX-License-Identifier: Apache-2.0 */

/* The names of row states, and the fields of a row by name. */

#include <config.h>

#include "orchd/reconcile/row_status.h"

#include <string.h>

static const char *const state_names[] = {
#define X(member, name) name,
    ROW_STATE_LIST(X)
#undef X
};

const char *
row_state_name(enum row_state state)
{
    return state_names[state];
}

const char *
row_status_field(const struct row_status *status, const char *name)
{
    for (size_t i = 0; i < status->n_fields; i++) {
        if (!strcmp(status->fields[i].name, name)) {
            return status->fields[i].value;
        }
    }
    return NULL;
}
