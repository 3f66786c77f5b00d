/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_OBJECT_TABLE_H
#define ORCHD_ORCHCTL_OBJECT_TABLE_H

/* Prints the state of buffer objects as a compact table: usage, watermarks, PFC
 * state and drops; for flows the frames sent and received. */

#include <stddef.h>

#include "breakpoint/target.h"

/* Prints 'n' objects and their counters, each line after 'indent' blanks.  If
 * 'since' is not NULL, it has former counters of the same objects, and the
 * table shows the frames since then. */
void object_table_print(const struct target_object *const *objects,
                        const struct target_reading *const *readings,
                        const struct target_reading *const *since, size_t n,
                        unsigned int indent);

#endif /* orchctl/object_table.h */
