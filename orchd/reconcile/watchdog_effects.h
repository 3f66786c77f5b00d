/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_WATCHDOG_EFFECTS_H
#define ORCHD_RECONCILE_WATCHDOG_EFFECTS_H

/* From storms to what the ASIC holds: the effects of the watchdog, as rows and
 * overlays that the reconciler carries out.
 *
 *   pfc_off      the bit of the priority is cleared in all masks of the port
 *                (orchd/reconcile/overlay.h)
 *   zero_buffer  the queue is bound to a profile that admits nothing, by a row
 *                of our own that wins over the user's; his is answered
 *                "shadowed" and in force again when it is over
 *   recovery     SAI_QUEUE_ATTR_PFC_DLR_INIT
 *
 * The profile has no reserved bytes, in an egress pool of size 0: whatever the
 * chip makes of an alpha of 2^-8, a part of nothing is nothing.  Both are
 * created when a queue is watched whose storms are dropped, not when a storm
 * comes, which is when buffers are short.  All these rows have keys that no
 * user's can have (orchd/intent/key.h), so that SONiC's tools do not meet
 * them. */

#include <stdbool.h>
#include <stdint.h>

struct graph;
struct watchdog;
struct watchdog_queue;

/* Makes 'graph' want what the queues of 'watchdog' need by now. */
void watchdog_effects_apply(struct watchdog *watchdog, struct graph *graph,
                            int64_t now_ns);

/* Tells 'watchdog' which effects were refused.  To be called when a plan is
 * done.  Returns whether there is one, so that others are to be applied. */
bool watchdog_effects_check(struct watchdog *watchdog,
                            const struct graph *graph);

/* Returns whether PFC is disabled on the ASIC for the priority of 'queue'
 * because of its effect. */
bool watchdog_effects_pfc_is_off(const struct graph *graph,
                                 const struct watchdog_queue *queue);

/* Returns whether the switch has undone whatever was done about 'queue'. */
bool watchdog_effects_are_undone(const struct graph *graph,
                                 const struct watchdog_queue *queue);

#endif /* orchd/reconcile/watchdog_effects.h */
