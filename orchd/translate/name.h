/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TRANSLATE_NAME_H
#define ORCHD_TRANSLATE_NAME_H

/* How orchd calls the objects of the ASIC, long before they have an id.
 *
 * An object is named after the row that stands for it ("BUFFER_POOL|x") or
 * after its place ("BUFFER_PG|Ethernet0|3"), so that whatever is said about it
 * can be found in CONFIG_DB.  The switch itself is DEVICE_METADATA. */

#include "base/text.h"
#include "orchd/intent/table.h"

struct object_name {
    const char *name; /* Borrowed; says who owns it where it is kept. */
    enum table table;
    int index; /* Of a priority group or queue, else -1. */
};

/* Orders by table, then name, then index: negative, 0 or positive.  Numbers
 * within names count as numbers, so that Ethernet8 is before Ethernet10. */
int object_name_compare(const struct object_name *a,
                        const struct object_name *b);

/* Appends "TABLE|name" or "TABLE|name|index" to 'text'. */
void object_name_add(struct text *text, const struct object_name *name);

#endif /* orchd/translate/name.h */
