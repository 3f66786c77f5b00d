/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_ROW_LOG_H
#define ORCHD_OFFLINE_ROW_LOG_H

/* What the flow says of each row, kept so that it can be asked for later. */

#include "breakpoint/target.h"
#include "orchd/reconcile/listener.h"

struct row_log_row;
struct arena;

/* Zeroed, it is empty. */
struct row_log {
    struct row_log_row *rows; /* A hash by "TABLE|key". */
};

/* Returns a listener that notes in 'log', which has to stay where it is. */
struct listener row_log_listener(struct row_log *log);

/* Fills '*answer' with the latest on row 'key', in texts from 'arena'; with
 * texts that are empty if nothing was said. */
void row_log_get(const struct row_log *log, const char *key,
                 struct arena *arena, struct target_answer *answer);

/* Frees what it holds. */
void row_log_fini(struct row_log *log);

#endif /* offline/row_log.h */
