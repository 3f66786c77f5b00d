/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_WATCHDOG_EFFECTS_H
#define ORCHD_RECONCILE_WATCHDOG_EFFECTS_H

/* Applies the effects of the watchdog to the ASIC, as rows and overlays that
 * the reconciler carries out.
 *
 *   pfc_off      the bit of the priority is cleared in all PFC masks of the
 *                port (orchd/reconcile/overlay.h)
 *   zero_buffer  the queue is bound to a profile that admits nothing, by an
 *                internal row that wins over the user-owned one; that one is
 *                answered "shadowed", and is in force again after the storm
 *   recovery     SAI_QUEUE_ATTR_PFC_DLR_INIT
 *
 * The profile has no reserved bytes and is in an egress pool of size 0:
 * whatever the chip makes of an alpha of 2^-8, a fraction of nothing is
 * nothing.  Both are created when a queue is watched whose storms are dropped,
 * not when a storm begins, because buffers are short then.  The keys of these
 * rows cannot occur in user-owned rows (orchd/intent/key.h), so SONiC's tools
 * do not see them. */

#include <stdbool.h>
#include <stdint.h>

struct graph;
struct watchdog;
struct watchdog_queue;

/* Makes 'graph' want what the queues of 'watchdog' currently need. */
void watchdog_effects_apply(struct watchdog *watchdog, struct graph *graph,
                            int64_t now_ns);

/* Reports to 'watchdog' which effects SAI refused.  Call it when a plan is
 * done. Returns whether there are any, so that others have to be applied. */
bool watchdog_effects_check(struct watchdog *watchdog,
                            const struct graph *graph);

/* Returns whether PFC is disabled on the ASIC for the priority of 'queue'
 * because of its effect. */
bool watchdog_effects_pfc_is_off(const struct graph *graph,
                                 const struct watchdog_queue *queue);

/* Returns whether the ASIC no longer has any effect for 'queue'. */
bool watchdog_effects_are_undone(const struct graph *graph,
                                 const struct watchdog_queue *queue);

#endif /* orchd/reconcile/watchdog_effects.h */
