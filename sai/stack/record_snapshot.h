/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_RECORD_SNAPSHOT_H
#define ORCHD_SAI_STACK_RECORD_SNAPSHOT_H

/* Writes a snapshot of the existing objects to a record that begins on a
 * running switch, so that a replay can create the same objects on a new switch.
 *
 * The snapshot has the objects that the guard knows, with the attributes that
 * were given since the switch was created; their values are read from the
 * switch. It has this order, so that no line refers to an object of a later
 * line:
 *
 *   1. the CPU port, as a call that reads it; the other ports with their lanes
 * and the other attributes of a creation; the queues and priority groups of all
 *      ports, as calls that read them
 *   2. the objects that were created since, without references that can be set
 *      later
 *   3. all references, and the attributes that were set on objects that the
 *      switch created itself
 *
 * Each is a line "snapshot TYPE OID NAME=VALUE...".
 * sai/replay/replay_snapshot.h replays it.  The snapshot has no entries (routes
 * and the like), because the guard does not track them. */

struct guard;
struct recorder;

void record_snapshot(struct recorder *recorder, struct guard *guard);

#endif /* sai/stack/record_snapshot.h */
