/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REHEARSE_ANSWERS_H
#define ORCHD_REHEARSE_ANSWERS_H

/* What the flow says of each row, kept so that it can be asked for later. */

#include "breakpoint/target.h"
#include "orchd/reconcile/observer.h"

struct answers_row;
struct arena;

/* Zeroed, it is empty. */
struct answers_book {
    struct answers_row *rows; /* A hash by "TABLE|key". */
};

/* Returns an observer that notes in 'book', which has to stay where it is. */
struct observer answers_observer(struct answers_book *book);

/* Fills '*answer' with the latest on row 'key', in texts from 'arena'; with
 * texts that are empty if nothing was said. */
void answers_get(const struct answers_book *book, const char *key,
                 struct arena *arena, struct target_answer *answer);

/* Frees what it holds. */
void answers_fini(struct answers_book *book);

#endif /* orchd/rehearse/answers.h */
