/* SPDX-License-Identifier: Apache-2.0 */

/* Classes of objects, and their lists. */

#include <config.h>

#include "orchd/telemetry/polling/poller_state.h"

#include "base/check.h"

int
poller_class_of(const struct polled_object *object)
{
    const int32_t kind = object->id.kind;

    return kind >= 0 && kind < N_KINDS ? (int)kind : N_KINDS - 1;
}

struct counter_list *
poller_add_list(struct poller *poller, enum counter_group group)
{
    struct counter_list *list = check_calloc(1, sizeof *list);

    list->group = group;
    poller->lists = check_realloc(poller->lists, (poller->n_lists + 1) *
                                                     sizeof *poller->lists);
    poller->lists[poller->n_lists++] = list;
    return list;
}
