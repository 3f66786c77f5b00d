/* SPDX-License-Identifier: Apache-2.0 */

/* What is wrong with a row of SWITCH_TRIMMING, in words. */

#include <config.h>

#include "orchd/reconcile/trimming_answer.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "orchd/intent/content.h"
#include "orchd/reconcile/condition.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/trimming.h"
#include "orchd/reconcile/trimming_limits.h"

/* The field of each attribute. */
static const struct {
    sai_attr_id_t id;
    const char *field;
} attributes[] = {
    {SAI_SWITCH_ATTR_PACKET_TRIM_SIZE, "size"},
    {SAI_SWITCH_ATTR_PACKET_TRIM_DSCP_RESOLUTION_MODE, "dscp_value"},
    {SAI_SWITCH_ATTR_PACKET_TRIM_DSCP_VALUE, "dscp_value"},
    {SAI_SWITCH_ATTR_PACKET_TRIM_TC_VALUE, "tc_value"},
    {SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_RESOLUTION_MODE, "queue_index"},
    {SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_INDEX, "queue_index"},
};

void
trimming_answer_limit(struct row_status *status, const struct claim *claim)
{
    const struct want *want = trimming_lacking(claim);
    const struct source *source = claim->source;
    const char *value =
        content_find(source->content->fields, source->content->n, want->field);
    struct err *err = &status->err;
    struct text allowed = {0};

    (void)trimming_limits_lack(&source->graph->trimming, want, &allowed);
    status->state = ROW_STATE_REJECTED;
    err_set(err, ST_INVALID, "range",
            "this switch has no %s %s for trimmed packets",
            !strcmp(want->field, "size")       ? "size"
            : !strcmp(want->field, "tc_value") ? "traffic class"
                                               : "queue",
            value ? value : "");
    err_set_field(err, want->field, value, text_string(&allowed));
    err_set_remedy(err, "set %s to %s", want->field, text_string(&allowed));
    text_fini(&allowed);
}

void
trimming_answer_deleted(struct row_status *status)
{
    status->state = ROW_STATE_PENDING_DELETE;
    err_set(
        &status->err, ST_UNSUPPORTED, "kept",
        "the row was deleted, but trimming cannot be undone: the ASIC keeps "
        "what the row said");
    err_set_remedy(&status->err,
                   "write the row again with the values that you want; to stop "
                   "trimming, set packet_discard_action of the profiles to "
                   "drop");
}

bool
trimming_answer_removed(struct row_status *status, const struct source *source)
{
    const struct object *sw = graph_switch(source->graph);

    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        const char *field = attributes[i].field;
        const struct slot *slot = object_slot(sw, attributes[i].id);
        struct err *err = &status->err;

        if (source->table != TABLE_SWITCH_TRIMMING || !slot ||
            !trimming_keeps(slot) || !condition_holds(sw, slot) ||
            content_find(source->content->fields, source->content->n, field)) {
            continue;
        }
        status->state = ROW_STATE_REJECTED;
        err_set(err, ST_UNSUPPORTED, "kept",
                "%s was removed, but trimming cannot be undone: the ASIC keeps "
                "the value; the other fields are applied",
                field);
        err_set_field(err, field, "", "");
        err_set_remedy(err, "write %s with the value that you want", field);
        return true;
    }
    return false;
}
