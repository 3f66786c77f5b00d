/* SPDX-License-Identifier: Apache-2.0 */

/* Resolves references to ids. */

#include <config.h>

#include "orchd/reconcile/resolved_value.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/source.h"
#include "sai/core/metadata.h"

void
resolved_value_fini(struct resolved_value *resolved)
{
    free(resolved->targets);
    free(resolved->oids);
}

bool
resolved_value_exists(const struct slot *slot)
{
    return slot->want || (slot->frozen && slot->held);
}

bool
resolved_value_init(const struct slot *slot, struct resolved_value *resolved)
{
    const struct edge *edges = slot->frozen || !slot->want->n_refs
                                   ? NULL
                                   : source_edges(slot->source, slot->want);

    memset(resolved, 0, sizeof *resolved);
    if (slot->meta->kind != KIND_OID && slot->meta->kind != KIND_OBJLIST) {
        resolved->value = slot->frozen ? slot->value : slot->want->value;
        return true;
    }
    resolved->n_targets = slot->frozen ? slot->n_targets : slot->want->n_refs;
    resolved->targets =
        check_calloc(resolved->n_targets, sizeof *resolved->targets);
    resolved->oids = check_calloc(resolved->n_targets, sizeof *resolved->oids);
    for (size_t i = 0; i < resolved->n_targets; i++) {
        resolved->targets[i] =
            slot->frozen ? slot_targets(slot)[i] : edges[i].object;
        resolved->oids[i] = resolved->targets[i]->oid;
        /* Its creation was refused earlier in this plan. */
        if (resolved->oids[i] == SAI_NULL_OBJECT_ID) {
            resolved_value_fini(resolved);
            return false;
        }
    }
    if (slot->meta->kind == KIND_OBJLIST) {
        resolved->value.objlist.count = (uint32_t)resolved->n_targets;
        resolved->value.objlist.list = resolved->oids;
    } else {
        resolved->value.oid =
            resolved->n_targets ? resolved->oids[0] : SAI_NULL_OBJECT_ID;
    }
    return true;
}
