/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_TRAFFIC_INSPECT_H
#define ORCHD_SOFTASIC_TRAFFIC_INSPECT_H

/* The state of single objects for softasic_ops. */

#include <sai.h>

#include "vendors/softasic/softasic.h"
#include "vendors/softasic/state.h"

/* Always SAI_STATUS_SUCCESS. */
sai_status_t inspect_chip(const struct asic *asic, struct softasic_chip *chip);

sai_status_t inspect_pg(const struct asic *asic, sai_object_id_t oid,
                        struct softasic_pg_state *state);
sai_status_t inspect_queue(const struct asic *asic, sai_object_id_t oid,
                           struct softasic_queue_state *state);
sai_status_t inspect_pool(const struct asic *asic, sai_object_id_t oid,
                          struct softasic_pool_state *state);
sai_status_t inspect_port(const struct asic *asic, sai_object_id_t oid,
                          struct softasic_port_state *state);

#endif /* vendors/softasic/traffic/inspect.h */
