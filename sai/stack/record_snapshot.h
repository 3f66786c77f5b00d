/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_RECORD_SNAPSHOT_H
#define ORCHD_SAI_STACK_RECORD_SNAPSHOT_H

/* Writes into a record that begins late what is there already, so that a replay
 * of it can make the same on a fresh switch.
 *
 * What is there is what the guard knows, and of each object the attributes that
 * were given since the switch was created; their values are read.  In this
 * order, so that nothing is named before it was introduced:
 *
 *   1. which port is that of the CPU, as a reading call; the other ports with
 *      their lanes and what else a creation takes; the queues and priority
 *      groups of all, as reading calls
 *   2. what was created since, without references that can be set later
 *   3. all references, and what was set on objects that nobody created
 *
 * Each is a line "introduce TYPE OID NAME=VALUE...";
 * sai/replay/replay_snapshot.h makes it true.  Entries (routes and the like)
 * are not introduced: the guard keeps no account of them. */

struct guard;
struct recorder;

void introduce(struct recorder *recorder, struct guard *guard);

#endif /* sai/stack/record_snapshot.h */
