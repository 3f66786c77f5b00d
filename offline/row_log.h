/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_ROW_LOG_H
#define ORCHD_OFFLINE_ROW_LOG_H

/* Keeps the latest answer to each row for later queries. */

#include "breakpoint/target.h"
#include "orchd/reconcile/listener.h"

struct row_log_row;
struct arena;

/* Zeroed, it is empty. */
struct row_log {
    struct row_log_row *rows; /* A hash by "TABLE|key". */
};

/* Returns a listener that records answers in 'log', which must not move. */
struct listener row_log_listener(struct row_log *log);

/* Fills '*answer' with the latest answer to row 'key', in texts from 'arena';
 * the texts are empty if there was no answer. */
void row_log_get(const struct row_log *log, const char *key,
                 struct arena *arena, struct target_answer *answer);

/* Frees the contents of 'log'. */
void row_log_fini(struct row_log *log);

#endif /* offline/row_log.h */
