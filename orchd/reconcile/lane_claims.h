/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_LANE_CLAIMS_H
#define ORCHD_RECONCILE_LANE_CLAIMS_H

/* Decides which PORT rows get the lanes that they name.
 *
 * Problem: rows may name the same lanes (base/lanes.h says which ports cannot
 * exist together), and the lanes of a working port may change to some that are
 * in use.  The port must not be released before it can have its new lanes.
 *
 * Idea: a port on the ASIC keeps its lanes until its row is deleted, or names
 * others that are free.  Lanes that several rows want go to the row whose port
 * is on the ASIC already, then to the smallest name; rows that the device has
 * refused come last.  Ports that exchange their
 * lanes move together, but only if no other move is possible.
 *
 * A port that moves to lanes of which the ASIC has no port yet is prepared: the
 * plan creates the port with the new lanes before it releases the old one, so
 * lanes that the device refuses do no harm.
 *
 * That is impossible if the new port has some of the former lanes.  If the
 * device then refuses it permanently, orchd creates the former port again, and
 * tries the new lanes only when the row changes.
 *
 * The results are in struct port_children. */

struct graph;
struct object;
struct want;

/* Updates the results if lanes have changed, and marks the ports concerned. */
void lane_claims_arbitrate(struct graph *graph);

/* Returns the want for the lanes of 'port'; NULL if no row defines it. */
const struct want *lane_claims_wanted(const struct object *port);

#endif /* orchd/reconcile/lane_claims.h */
