/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'repairs:'. */

#include <config.h>

#include "lab/scenario/sections.h"

static const char *const unloads[] = {
#define X(member, name) name,
    REPAIR_UNLOADS(X)
#undef X
        NULL,
};

static const char *const ports[] = {
#define X(member, name) name,
    REPAIR_PORTS(X)
#undef X
        NULL,
};

#define AT(member) offsetof(struct repair_spec, member)

static const struct field repair_fields[] = {
    {"hosts", FIELD_SELECTOR, AT(hosts), NULL, field_required, NULL},
    {"share", FIELD_RATIO, AT(share), "1/1000000..1", "1", NULL},
    {"unload", FIELD_WORD, AT(unload), NULL, "closed", unloads},
    {"at", FIELD_TIME, AT(at_ps), "0..1000s", field_required, NULL},
    {"jitter", FIELD_TIME, AT(jitter_ps), "0..10s", "0", NULL},
    {"every", FIELD_TIME, AT(every_ps), "0..10s", "0", NULL},
    {"reload", FIELD_TIME, AT(reload_ps), "1us..1000s", field_required, NULL},
    {"port", FIELD_WORD, AT(port), NULL, "down", ports},
};

#undef AT

/* Implements fields_item_fn. */
static enum st
read_repair(struct reader *reader, struct fy_node *node, void *context)
{
    struct repair_spec *repair = context;
    enum st st;

    fields_init(reader, repair_fields, N_FIELDS(repair_fields), repair);
    repair->place = fields_place(reader, node);
    st = fields_read(reader, node, "a repair", repair_fields,
                     N_FIELDS(repair_fields), repair, NULL);
    if (!st && repair->unload == REPAIR_UNLOAD_FORCED && repair->every_ps) {
        st = document_fail(reader->document, node, reader->err,
                           "'every' is about connections that are asked to "
                           "close: a forced repair asks none");
    }
    return st;
}

enum st
section_repairs(struct reader *reader, struct fy_node *node,
                struct scenario *scenario)
{
    struct fields_list list;
    const enum st st = fields_read_list(reader, node, sizeof *scenario->repairs,
                                        read_repair, &list);

    scenario->repairs = list.items;
    scenario->n_repairs = list.n;
    return st;
}
