/* SPDX-License-Identifier: Apache-2.0 */

/* Whether the switch has link-level retry is known before any call. */

#include <config.h>

#include "orchd/reconcile/llr_answer.h"

#include "base/status.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/row_status.h"

bool
llr_answer_concerns(const struct source *source)
{
    return source->graph->lacks_llr && (source->table == TABLE_LLR_PROFILE ||
                                        source->table == TABLE_LLR_PORT);
}

void
llr_answer_lacking(struct row_status *status, const struct source *source)
{
    status->state = ROW_STATE_UNSUPPORTED;
    err_set(&status->err, ST_UNSUPPORTED, "no-llr",
            "this switch has no link-level retry");
    err_set_field(&status->err, "key", source_key(source), "");
    err_set_remedy(&status->err, "delete the row; LLR_CAPABLE of "
                                 "SWITCH_CAPABILITY|switch in STATE_DB says "
                                 "which switches have it");
}
