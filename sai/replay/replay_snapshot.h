/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REPLAY_REPLAY_SNAPSHOT_H
#define ORCHD_SAI_REPLAY_REPLAY_SNAPSHOT_H

/* Makes true on a switch what a record says to be there
 * (sai/stack/record_snapshot.h).
 *
 * An object that is known already gets the attributes set.  A port is looked
 * for by its lanes; if there is none, ports that use one of these are removed
 * and it is created.  Anything else is created. */

#include <sai.h>

#include "sai/core/backend.h"

struct replay_map;
struct trace_call;

/* Does so for 'call', an OP_INTRODUCE in whose attributes ids are those of
 * 'backend' already; its own id is the one of the record, and known to 'map'
 * afterwards.  Returns what the first call that was refused returned. */
sai_status_t reintroduce(struct sai_backend *backend, struct replay_map *map,
                         const struct trace_call *call);

#endif /* sai/replay/replay_snapshot.h */
