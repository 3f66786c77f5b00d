/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "tests/support/asic_trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sai/core/metadata.h"

void
asic_trace_add(struct text *text, sai_object_type_t type,
               const sai_attribute_t *attribute)
{
    const struct metadata_attribute *meta =
        metadata_attribute(type, attribute->id);
    const char *name = strstr(meta->name, "_ATTR_") + strlen("_ATTR_");

    text_add_item(text, " ", name);
    if (meta->kind == KIND_OID) {
        text_add(text, attribute->value.oid ? "=some" : "=null");
    } else {
        text_addf(text, "=%lld",
                  (long long)metadata_number(meta->kind, &attribute->value));
    }
}

sai_status_t
asic_trace_note(void *trace_, const struct store_call *call)
{
    struct asic_trace *trace = trace_;

    if (call->op == STORE_REMOVE) {
        text_add_item(&trace->text, " ", "remove");
    } else if (call->op == STORE_SET) {
        asic_trace_add(&trace->text, call->type, call->attributes);
        if (trace->status && call->type == trace->type &&
            call->attributes->id == trace->attribute) {
            return trace->status;
        }
    }
    return SAI_STATUS_SUCCESS;
}

void
asic_trace_assert(struct harness *harness, const struct harness_row *row,
                  const char *expected)
{
    struct asic_trace trace = {.status = SAI_STATUS_SUCCESS};

    store_set_hook(harness->store, asic_trace_note, &trace);
    harness_apply(harness, row->table, row->key, row->fields);
    store_set_hook(harness->store, NULL, NULL);
    assert_string_equal(text_string(&trace.text), expected);
    text_fini(&trace.text);
}
