/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_REFUSAL_H
#define ORCHD_RECONCILE_REFUSAL_H

/* What SAI refused, and when it is worth another try.
 *
 * A refusal belongs to an object (its creation, replacement or removal) or to
 * one of its slots (graph.h).  It stands until SAI accepts the request or
 * nothing asks for it any more, and keeps the planner from repeating it.  It
 * becomes due again, depending on the class of the status (st_retry()):
 *
 *   - always if the row changes (source.h does that), if SAI accepts a change
 * of something that the object refers to, or, if the value was invalid, of
 *     another attribute of the object;
 *   - if resources were lacking or something was in the way: when any step has
 *     freed something;
 *   - if it may pass with time: after 1 s, doubling up to 60 s; other refusals
 * of the same object that may pass with time are retried with it. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

struct graph;
struct object;
struct refusal;
struct timeline;

#define REFUSAL_RETRY_MIN_NS (INT64_C(1) * 1000 * 1000 * 1000)
#define REFUSAL_RETRY_MAX_NS (INT64_C(60) * 1000 * 1000 * 1000)

/* Records at 'now' that SAI answered 'status', not success, to what 'refusal'
 * of 'object' stands for.  If time may help, sets its timer in 'timeline'. */
void refusal_note(struct object *object, struct refusal *refusal,
                  sai_status_t status, struct timeline *timeline, int64_t now);

/* Forgets 'refusal': SAI accepted, or nothing asks for it any more. */
void refusal_forget(struct refusal *refusal);

/* Returns whether 'refusal' is set and not due. */
bool refusal_stands(const struct refusal *refusal);

/* Cancels the timer of 'object' in 'timeline' if none of its refusals is left.
 */
void refusal_settle(struct object *object, struct timeline *timeline);

/* Records that SAI accepted a change of 'object': refusals that its former
 * state caused may be retried. */
void refusal_note_change(struct object *object);

/* Makes all refusals of 'graph' due. */
void refusal_make_due(struct graph *graph);

/* Marks the objects with refusals whose cause may be gone: 'freed' says that
 * resources were freed, and what they refer to may have changed.  Cost:
 * proportional to the number of objects with refusals. */
void refusal_reconsider(struct graph *graph, bool freed);

#endif /* orchd/reconcile/refusal.h */
