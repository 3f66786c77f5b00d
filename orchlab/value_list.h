/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_VALUE_LIST_H
#define ORCHD_ORCHLAB_VALUE_LIST_H

/* The values of an option for which a question is asked one after the other.
 *
 *     list = item { "," item }
 *     item = value | first ".." last [ ":" step ]
 *
 * A range has both ends.  Without a step, numbers rise by one and lengths
 * double: "10km..80km" is 10, 20, 40 and 80 km, and "10km..80km:35km" is 10, 45
 * and 80 km.  Ratios have no ranges. */

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"
#include "lab/scenario/quantity.h"

enum { VALUE_LIST_MAX = 256 };

struct value_list {
    const char *texts[VALUE_LIST_MAX]; /* As given, or "20km": of the arena. */
    size_t n;                          /* At least 1 after value_list_read(). */
};

/* What an option takes. */
struct value_list_rule {
    const char *option; /* For messages: "length". */
    enum quantity_kind kind;
    int64_t least, most; /* In the base unit of 'kind'; not for ratios. */
};

/* Reads 'text' into '*list'.  ST_INVALID: 'err' says which item is wrong, and
 * what is allowed. */
enum st value_list_read(const struct value_list_rule *rule, const char *text,
                        struct arena *arena, struct value_list *list,
                        struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/value_list.h */
