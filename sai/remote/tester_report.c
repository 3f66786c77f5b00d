/* SPDX-License-Identifier: Apache-2.0 */

/* Writes and reads the report about testers. */

#include <config.h>

#include "sai/remote/tester_report.h"

void
tester_report_put_entry(struct wire_out *out, const struct tester_entry *entry)
{
    wire_put_text(out, entry->name);
    wire_put_u64(out, entry->since_s);
    wire_put_u8(out, entry->connected);
    wire_put_u32(out, entry->n_changes);
}

void
tester_report_put_change(struct wire_out *out,
                         const struct tester_change *change)
{
    wire_put_u32(out, (uint32_t)change->type);
    wire_put_u64(out, change->oid);
    wire_put_u8(out, change->is_object);
    wire_put_u32(out, change->attribute);
    wire_put_text(out, change->before);
    wire_put_text(out, change->after);
}

static void
read_change(struct wire_in *in, tester_change_fn *on_change, void *context)
{
    struct tester_change change;

    change.type = (sai_object_type_t)wire_get_count(in, INT32_MAX);
    change.oid = wire_get_u64(in);
    change.is_object = wire_get_u8(in) != 0;
    change.attribute = wire_get_u32(in);
    wire_get_text(in, change.before, sizeof change.before);
    wire_get_text(in, change.after, sizeof change.after);
    if (!in->bad) {
        on_change(context, &change);
    }
}

bool
tester_report_read(struct wire_in *in, tester_entry_fn *on_entry,
                   tester_change_fn *on_change, void *context)
{
    while (in->left && !in->bad) {
        struct tester_entry entry;

        wire_get_text(in, entry.name, sizeof entry.name);
        entry.since_s = wire_get_u64(in);
        entry.connected = wire_get_u8(in) != 0;
        entry.n_changes = wire_get_u32(in);
        if (in->bad) {
            break;
        }
        on_entry(context, &entry);
        for (uint32_t i = 0; i < entry.n_changes && !in->bad; i++) {
            read_change(in, on_change, context);
        }
    }
    return !in->bad;
}
