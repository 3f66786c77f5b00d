/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TRANSLATE_NAME_H
#define ORCHD_TRANSLATE_NAME_H

/* The names of objects on the ASIC, which exist before an object has an id.
 *
 * An object is named after the row that creates it ("BUFFER_POOL|x") or after
 * its position ("BUFFER_PG|Ethernet0|3"), so that every message about it leads
 * to CONFIG_DB.  The switch itself is DEVICE_METADATA. */

#include "base/text.h"
#include "orchd/intent/table.h"

struct object_name {
    const char *name; /* Borrowed; the owner is named where one is stored. */
    enum table table;
    int index; /* Of a priority group or queue, else -1. */
};

/* Orders by table, then name, then index: negative, 0 or positive.  Numbers
 * within names compare as numbers, so Ethernet8 is before Ethernet10. */
int object_name_compare(const struct object_name *a,
                        const struct object_name *b);

/* Appends "TABLE|name" or "TABLE|name|index" to 'text'. */
void object_name_add(struct text *text, const struct object_name *name);

#endif /* orchd/translate/name.h */
