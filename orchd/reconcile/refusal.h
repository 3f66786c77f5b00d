/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_REFUSAL_H
#define ORCHD_RECONCILE_REFUSAL_H

/* What SAI refused, and when it is worth another try.
 *
 * A refusal belongs to an object (its creation, replacement or removal) or to
 * one of its slots (graph.h), stands until the wish that it denied is granted
 * or dropped, and keeps the planner from repeating it.  It becomes due again
 * (st_retry() of its class says what it may hope for):
 *
 *   - always when the row changes, which is graph.h's doing, or when SAI
 *     accepts a change of something that the object refers to, or, if the value
 *     was found bad, of something else of the object;
 *   - if resources were lacking or something was in the way, when any step has
 *     freed something;
 *   - if it may pass with time, after 1 s, doubling up to 60 s; what else of
 *     the same object may pass with time is tried along with it. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

struct graph;
struct object;
struct refusal;
struct timeline;

#define REFUSAL_RETRY_MIN_NS (INT64_C(1) * 1000 * 1000 * 1000)
#define REFUSAL_RETRY_MAX_NS (INT64_C(60) * 1000 * 1000 * 1000)

/* Notes at 'now' that SAI answered 'status', not success, to what 'refusal' of
 * 'object' stands for.  If time may help, its timer is set in 'timeline'. */
void refusal_note(struct object *object, struct refusal *refusal,
                  sai_status_t status, struct timeline *timeline, int64_t now);

/* Forgets 'refusal': SAI accepted, or nobody asks any more. */
void refusal_forget(struct refusal *refusal);

/* Returns whether 'refusal' is one, and is not to be tried again now. */
bool refusal_stands(const struct refusal *refusal);

/* Takes the timer of 'object' out of 'timeline' if nothing of it is refused any
 * more. */
void refusal_settle(struct object *object, struct timeline *timeline);

/* Notes that SAI accepted a change of 'object': whoever was refused because of
 * how it was before may try again. */
void refusal_note_change(struct object *object);

/* Marks the objects of which something was refused for a reason that may have
 * gone since: 'freed' says that resources were given back, and what they refer
 * to may have changed.  Cost: proportional to the number of objects of which
 * something is refused. */
void refusal_reconsider(struct graph *graph, bool freed);

#endif /* orchd/reconcile/refusal.h */
