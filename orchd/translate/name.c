/* SPDX-License-Identifier: Apache-2.0 */

/* Names of objects. */

#include <config.h>

#include "orchd/translate/name.h"

#include <string.h>

int
object_name_compare(const struct object_name *a, const struct object_name *b)
{
    int order = (a->table > b->table) - (a->table < b->table);

    if (order == 0) {
        order = strcmp(a->name, b->name);
    }
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

void
object_name_add(struct text *text, const struct object_name *name)
{
    text_addf(text, "%s|%s", table_name(name->table), name->name);
    if (name->index >= 0) {
        text_addf(text, "|%d", name->index);
    }
}
