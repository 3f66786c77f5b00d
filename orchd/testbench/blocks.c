/* SPDX-License-Identifier: Apache-2.0 */

/* Blocks transmission by PKT_TX_ENABLE or by very slow schedulers. */

#include <config.h>

#include "orchd/testbench/blocks.h"

#include "orchd/switch/switch_query.h"
#include "orchd/testbench/saved_attributes.h"
#include "sai/core/backend.h"

/* Returns the scheduler for 'way'; creates it at the first call. */
static enum st
slow_scheduler(struct blocks *blocks, struct sai_backend *backend,
               enum target_block_way way, sai_object_id_t *oid, struct err *err)
{
    sai_attribute_t attributes[] = {
        {.id = SAI_SCHEDULER_ATTR_METER_TYPE,
         .value.s32 = SAI_METER_TYPE_BYTES},
        {.id = SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_RATE, .value.u64 = 1},
        {.id = SAI_SCHEDULER_ATTR_MIN_BANDWIDTH_RATE, .value.u64 = 1},
    };
    uint32_t n = way == TARGET_BLOCK_QUEUE_SCHEDULER ? 3 : 2;
    enum st st = ST_OK;

    if (blocks->slow[way] == SAI_NULL_OBJECT_ID) {
        st = switch_query_status(
            backend->ops->create(backend, SAI_OBJECT_TYPE_SCHEDULER, n,
                                 attributes, &blocks->slow[way]),
            "create a scheduler", err);
    }
    *oid = blocks->slow[way];
    return st;
}

/* Returns the attribute that binds a scheduler to an object of 'type'. */
static sai_attr_id_t
scheduler_attribute(sai_object_type_t type)
{
    return type == SAI_OBJECT_TYPE_PORT
               ? (sai_attr_id_t)SAI_PORT_ATTR_QOS_SCHEDULER_PROFILE_ID
               : (sai_attr_id_t)SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID;
}

/* Binds the slow scheduler to an object. */
static enum st
slow_down(struct blocks *blocks, const struct blocks_switch *sw,
          enum target_block_way way, sai_object_type_t type,
          sai_object_id_t oid, struct err *err)
{
    sai_attribute_t attribute = {.id = scheduler_attribute(type)};
    enum st st =
        slow_scheduler(blocks, sw->backend, way, &attribute.value.oid, err);

    return st ? st
              : saved_attributes_set(sw->saved, sw->backend, type, oid,
                                     &attribute, "bind a scheduler", err);
}

/* Blocks or unblocks the port or queue 'oid'. */
static enum st
set_speed(struct blocks *blocks, const struct blocks_switch *sw,
          enum target_block_way way, sai_object_type_t type,
          sai_object_id_t oid, bool blocked, struct err *err)
{
    return blocked ? slow_down(blocks, sw, way, type, oid, err)
                   : saved_attributes_undo(sw->saved, sw->backend, oid,
                                           scheduler_attribute(type), err);
}

enum st
blocks_set(struct blocks *blocks, const struct blocks_switch *sw,
           const struct target_block *block, struct err *err)
{
    sai_attribute_t enable = {.id = SAI_PORT_ATTR_PKT_TX_ENABLE,
                              .value.booldata = !block->blocked};
    sai_object_id_t queues[SWITCH_QUERY_CHILDREN_MAX];
    sai_object_id_t port;
    uint32_t n;
    enum st st = switch_query_port(sw->query, block->port, &port, err);

    if (st || block->way == TARGET_BLOCK_TX_ENABLE) {
        return st ? st
                  : saved_attributes_set(sw->saved, sw->backend,
                                         SAI_OBJECT_TYPE_PORT, port, &enable,
                                         "set PKT_TX_ENABLE", err);
    }
    if (block->way == TARGET_BLOCK_PORT_SCHEDULER) {
        return set_speed(blocks, sw, block->way, SAI_OBJECT_TYPE_PORT, port,
                         block->blocked, err);
    }
    n = switch_query_children(sw->query, port, SWITCH_QUERY_QUEUE, queues);
    for (uint32_t i = 0; !st && i < n && i < 32; i++) {
        if (block->queues >> i & 1) {
            st = set_speed(blocks, sw, block->way, SAI_OBJECT_TYPE_QUEUE,
                           queues[i], block->blocked, err);
        }
    }
    return st;
}

enum st
blocks_remove(struct blocks *blocks, struct sai_backend *backend,
              struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; i < N_TARGET_BLOCKS; i++) {
        const sai_object_id_t oid = blocks->slow[i];

        blocks->slow[i] = SAI_NULL_OBJECT_ID;
        if (oid != SAI_NULL_OBJECT_ID && !st) {
            st = switch_query_status(
                backend->ops->remove(backend, SAI_OBJECT_TYPE_SCHEDULER, oid),
                "remove a scheduler", err);
        }
    }
    return st;
}
