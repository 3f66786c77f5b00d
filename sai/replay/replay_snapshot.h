/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REPLAY_REPLAY_SNAPSHOT_H
#define ORCHD_SAI_REPLAY_REPLAY_SNAPSHOT_H

/* Replays the snapshot in a record (sai/stack/record_snapshot.h).
 *
 * If the object is known, its attributes are set.  A port is found by its
 * lanes; if there is none, the ports that use some of these lanes are removed
 * and the port is created.  Other objects are created. */

#include <sai.h>

#include "sai/core/backend.h"

struct replay_map;
struct trace_call;

/* Replays 'call', an OP_SNAPSHOT.  The ids in its attributes are those of
 * 'backend'; its own id is that of the record, which the function adds to
 * 'map'. Returns the status of the first call that failed. */
sai_status_t replay_snapshot(struct sai_backend *backend,
                             struct replay_map *map,
                             const struct trace_call *call);

#endif /* sai/replay/replay_snapshot.h */
