/* SPDX-License-Identifier: Apache-2.0 */

/* The counters of each type, which of them the switch has, and one call that
 * reads them of many objects. */

#include <config.h>

#include "orchd/control/live_stats.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/backend.h"

#define N(array) (sizeof(array) / sizeof *(array))

#define ROOM 256 /* Of the first call, in objects. */

/* The counters of a type, in the order of enum live_port_counter, or of the
 * columns. */
static const sai_stat_id_t port_ids[] = {
    SAI_PORT_STAT_IF_IN_OCTETS,   SAI_PORT_STAT_IF_OUT_OCTETS,
    SAI_PORT_STAT_IF_IN_DISCARDS, SAI_PORT_STAT_IF_OUT_DISCARDS,
    SAI_PORT_STAT_IF_OUT_QLEN,    SAI_PORT_STAT_PFC_0_RX_PKTS,
    SAI_PORT_STAT_PFC_1_RX_PKTS,  SAI_PORT_STAT_PFC_2_RX_PKTS,
    SAI_PORT_STAT_PFC_3_RX_PKTS,  SAI_PORT_STAT_PFC_4_RX_PKTS,
    SAI_PORT_STAT_PFC_5_RX_PKTS,  SAI_PORT_STAT_PFC_6_RX_PKTS,
    SAI_PORT_STAT_PFC_7_RX_PKTS,
};
static const sai_stat_id_t pool_ids[] = {
    SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY_BYTES,
    SAI_BUFFER_POOL_STAT_XOFF_ROOM_CURR_OCCUPANCY_BYTES,
    SAI_BUFFER_POOL_STAT_WATERMARK_BYTES,
};
static const sai_stat_id_t pg_ids[] = {
    SAI_INGRESS_PRIORITY_GROUP_STAT_CURR_OCCUPANCY_BYTES,
    SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_CURR_OCCUPANCY_BYTES,
    SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_CURR_OCCUPANCY_BYTES,
    SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS,
};
static const sai_stat_id_t queue_ids[] = {
    SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES,
    SAI_QUEUE_STAT_PACKETS,
    SAI_QUEUE_STAT_DROPPED_PACKETS,
    SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS,
};

void
live_stats_init(struct live_stats *counters)
{
    static const struct live_type types[LIVE_N_TYPES] = {
        [LIVE_OF_PORT] = {.type = SAI_OBJECT_TYPE_PORT,
                          .wanted = port_ids,
                          .n_wanted = N(port_ids)},
        [LIVE_OF_POOL] = {.type = SAI_OBJECT_TYPE_BUFFER_POOL,
                          .wanted = pool_ids,
                          .n_wanted = N(pool_ids)},
        [LIVE_OF_PG] = {.type = SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                        .wanted = pg_ids,
                        .n_wanted = N(pg_ids)},
        [LIVE_OF_QUEUE] = {.type = SAI_OBJECT_TYPE_QUEUE,
                           .wanted = queue_ids,
                           .n_wanted = N(queue_ids)},
    };

    memset(counters, 0, sizeof *counters);
    memcpy(counters->types, types, sizeof types);
}

void
live_stats_fini(struct live_stats *counters)
{
    free(counters->keys);
    free(counters->rows);
    free(counters->read);
    free(counters->statuses);
}

void
live_stats_forget(struct live_stats *counters)
{
    for (size_t i = 0; i < LIVE_N_TYPES; i++) {
        counters->types[i].known = false;
    }
}

/* Finds out which counters a type has, by trying them on 'oid'. */
static void
probe(struct live_type *type, struct sai_backend *backend, sai_object_id_t oid)
{
    uint64_t value;

    type->known = true;
    type->n = 0;
    for (size_t i = 0; i < type->n_wanted; i++) {
        if (backend->ops->get_stats(backend, type->type, oid, 1,
                                    &type->wanted[i], SAI_STATS_MODE_READ,
                                    &value) == SAI_STATUS_SUCCESS) {
            type->ids[type->n] = type->wanted[i];
            type->position[type->n++] = i;
        }
    }
}

void
live_stats_add(struct live_stats *counters, size_t n, sai_object_id_t oid,
               size_t row)
{
    if (n == counters->room) {
        const size_t room = counters->room ? 2 * counters->room : ROOM;

        counters->keys =
            check_realloc(counters->keys, room * sizeof *counters->keys);
        counters->rows =
            check_realloc(counters->rows, room * sizeof *counters->rows);
        counters->read = check_realloc(
            counters->read, room * LIVE_COUNTERS_MAX * sizeof *counters->read);
        counters->statuses = check_realloc(counters->statuses,
                                           room * sizeof *counters->statuses);
        counters->room = room;
    }
    counters->keys[n].key.object_id = oid;
    counters->rows[n] = row;
}

const struct live_type *
live_stats_read(struct live_stats *counters, struct sai_backend *backend,
                size_t n, enum live_type_index which)
{
    struct live_type *type = &counters->types[which];

    if (n && !type->known) {
        probe(type, backend, counters->keys[0].key.object_id);
    }
    if (n && type->n) {
        const struct backend_stats call = {
            .type = type->type,
            .mode = SAI_STATS_MODE_READ,
            .n = (uint32_t)n,
            .keys = counters->keys,
            .n_ids = type->n,
            .ids = type->ids,
            .values = counters->read,
            .statuses = counters->statuses,
        };

        (void)backend_get_stats_many(backend, &call);
    }
    return type;
}

int64_t
live_stats_value(uint64_t counter)
{
    return counter > INT64_MAX ? INT64_MAX : (int64_t)counter;
}

bool
live_stats_take(const struct live_stats *counters, const struct live_type *type,
                size_t i, size_t position, uint64_t *value)
{
    for (uint32_t k = 0; k < type->n; k++) {
        if (type->position[k] == position) {
            *value = counters->read[i * type->n + k];
            return counters->statuses[i] == SAI_STATUS_SUCCESS;
        }
    }
    return false;
}
