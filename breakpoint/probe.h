/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_PROBE_H
#define ORCHD_BREAKPOINT_PROBE_H

/* Finds a threshold of a switch without knowing it.
 *
 * A scenario states where a threshold is and checks that; a probe asks.  It
 * blocks the egress port, sends n packets, looks whether the threshold was
 * crossed, unblocks the port and lets the buffer run empty: one attempt.  It
 * doubles n until the threshold is crossed, and halves the interval between the
 * most that did not cross it and the least that did.
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
 * That is not assumed: each attempt is compared with all before, points far
 * from the threshold are tried besides those that bisection needs, and the two
 * attempts at the threshold are repeated.  A contradiction is an error, as is a
 * buffer that does not start from the same level each time.
 *
 * A probe leaves the switch as it was: ports transmit, nothing is in the
 * buffer, no configuration has changed; also after an error.  What counts up
 * has counted, and watermarks have risen.
 *
 * Cost: some 2 log2(n) + 2 * repeats + 5 attempts of up to 2 n packets. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "breakpoint/probe_types.h"
#include "breakpoint/target.h"

/* Returns the word for 'kind', for example "egress-drop". */
const char *probe_kind_word(enum probe_kind kind);

/* Finds the kind of 'word'; false and '*kind' unchanged if there is none. */
bool probe_kind_find(const char *word, enum probe_kind *kind);

/* Does what 'options' say.  'result->object.name' is one of their ports.
 * Errors: ST_INVALID with code "usage", "lossy" (the group never asks for a
 * pause), "no-pfc" (it would, but its port may not), "egress-first",
 * "ingress-first" (packets are dropped elsewhere before), "blocked" (the port
 * was, before); ST_NOT_FOUND "limit" (not within so many), "not-exhausted" (the
 * groups can use all of their headroom at a time); ST_DEVICE "not-monotonic",
 * "not-repeatable", "not-at-rest"; those of the target. */
enum st probe_run(struct target *target, const struct probe_options *options,
                  struct probe_result *result, struct err *err) ST_WARN_UNUSED;

#endif /* breakpoint/probe.h */
