/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_ASIC_TRACE_H
#define ORCHD_TESTS_SUPPORT_ASIC_TRACE_H

/* The calls that change objects of the ASIC of a harness, as a text. */

#include <sai.h>

#include "base/text.h"
#include "tests/support/agent_harness.h"

/* The sets and removals that the store has seen, as "GREEN_MIN_THRESHOLD=5
 * PRIORITY_FLOW_CONTROL=24 remove"; a set of the members that follow fails. */
struct asic_trace {
    struct text text;
    sai_attr_id_t attribute; /* Sets of it are refused ... */
    sai_object_type_t type;  /* ... of objects of this type ... */
    sai_status_t status;     /* ... with that, unless it is 0. */
};

/* Appends an attribute to 'text', "NAME=1", without the prefix of its name,
 * such as "SAI_WRED_ATTR_". */
void asic_trace_add(struct text *text, sai_object_type_t type,
                    const sai_attribute_t *attribute);

/* Notes a call in a 'struct asic_trace'; for store_set_hook(). */
sai_status_t asic_trace_note(void *trace, const struct store_call *call);

/* Writes a row, lets it settle and asserts the SAI calls. */
void asic_trace_assert(struct harness *harness, const struct harness_row *row,
                       const char *expected);

#endif /* tests/support/asic_trace.h */
