/* SPDX-License-Identifier: Apache-2.0 */

/* The words of traces. */

#include <config.h>

#include "breakpoint/trace.h"

const char *
trace_kind_word(enum trace_kind kind)
{
    static const char *const words[] = {
#define X(member, word) word,
        TRACE_KINDS(X)
#undef X
    };

    return words[kind];
}
