/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_OBJECT_TABLE_H
#define ORCHD_ORCHCTL_OBJECT_TABLE_H

/* The state of objects of the buffer as one compact table: what they hold, the
 * most they held, whether they pause their sender, and what they dropped; of
 * flows what was sent and received. */

#include <stddef.h>

#include "breakpoint/target.h"

/* Prints 'n' objects and their counters, each line after 'indent' blanks.
 * Frames are those since 'since', counters of the same objects, unless that is
 * NULL. */
void object_table_print(const struct target_object *const *objects,
                        const struct target_reading *const *readings,
                        const struct target_reading *const *since, size_t n,
                        unsigned int indent);

#endif /* orchctl/object_table.h */
