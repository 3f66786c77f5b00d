/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_PROBE_H
#define ORCHD_BREAKPOINT_PROBE_H

/* Finds a threshold of a switch by experiment.
 *
 * A scenario states where a threshold is and checks it; a probe searches for
 * it.  In one attempt it blocks the egress port, sends n packets, checks
 * whether they crossed the threshold, unblocks the port and lets the buffer
 * drain.  It doubles n until the threshold is crossed, and then bisects the
 * interval between the largest n that did not cross it and the smallest n that
 * did.
 *
 *   xoff           the packet with which the switch asks its peer for a pause
 *   drop           the first packet that is dropped at ingress
 *   egress-drop    the first packet that is dropped at egress
 *   xon            of the packets of an xoff, which one has to leave so that
 *                  the pause ends.  The first ones wait at 'to', the others at
 *                  'other', and 'to' alone is unblocked
 *   headroom-pool  the packet, of those that come after a pause, that the
 *                  groups of several ports together have no headroom for.  What
 *                  the groups of one port can take is found first; they fill it
 *                  one after another, so the first port that cannot have as
 *                  much as it had alone has met the end of the pool.
 *
 * Monotonicity.  Bisection is right only if more packets never cross less.
 * The probe checks this: it compares each attempt with all earlier ones, tries
 * points far from the threshold besides those that bisection needs, and repeats
 * the two attempts at the threshold.  A contradiction is an error, as is a
 * buffer that does not start each attempt at the same level.
 *
 * A probe leaves the switch as it was, also after an error: ports transmit, the
 * buffer is empty, the configuration is unchanged.  Only counters and
 * watermarks have increased.
 *
 * Cost: some 2 log2(n) + 2 * repeats + 5 attempts of up to 2 n packets. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "breakpoint/probe_types.h"
#include "breakpoint/target.h"

/* Returns the name of 'kind', for example "egress-drop". */
const char *probe_kind_word(enum probe_kind kind);

/* Finds the kind called 'word'.  Returns false and leaves '*kind' alone if
 * there is none. */
bool probe_kind_find(const char *word, enum probe_kind *kind);

/* Runs the probe that 'options' describe.  'result->object.name' is one of
 * their ports.  Errors: ST_INVALID with code "usage", "lossy" (the group never
 * asks for a pause), "no-pfc" (PFC is not enabled for the group),
 * "egress-first", "ingress-first" (packets are dropped elsewhere first),
 * "wred-first" (the same, by WRED, which ECN-capable packets would avoid),
 * "blocked" (the port was blocked already); ST_NOT_FOUND with code "limit" (not
 * crossed within the limit), "not-exhausted" (all groups can use all of their
 * headroom at the same time); ST_DEVICE with code "not-monotonic",
 * "not-repeatable" or "not-at-rest"; and the errors of the target. */
enum st probe_run(struct target *target, const struct probe_options *options,
                  struct probe_result *result, struct err *err) ST_WARN_UNUSED;

#endif /* breakpoint/probe.h */
