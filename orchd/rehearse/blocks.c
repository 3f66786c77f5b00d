/* SPDX-License-Identifier: Apache-2.0 */

/* PKT_TX_ENABLE, and schedulers of next to nothing. */

#include <config.h>

#include "orchd/rehearse/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/facts/facts.h"
#include "sai/backend.h"

/* Returns the scheduler for 'way', which is created at the first call. */
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
        st = facts_status(backend->ops->create(backend,
                                               SAI_OBJECT_TYPE_SCHEDULER, n,
                                               attributes, &blocks->slow[way]),
                          "create a scheduler", err);
    }
    *oid = blocks->slow[way];
    return st;
}

/* Returns the attribute by which an object of 'type' has its scheduler. */
static sai_attr_id_t
scheduler_attribute(sai_object_type_t type)
{
    return type == SAI_OBJECT_TYPE_PORT
               ? (sai_attr_id_t)SAI_PORT_ATTR_QOS_SCHEDULER_PROFILE_ID
               : (sai_attr_id_t)SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID;
}

/* Binds 'scheduler' to an object. */
static enum st
bind_scheduler(struct sai_backend *backend, sai_object_type_t type,
               sai_object_id_t oid, sai_object_id_t scheduler, struct err *err)
{
    sai_attribute_t attribute = {.id = scheduler_attribute(type),
                                 .value.oid = scheduler};

    return facts_status(backend->ops->set(backend, type, oid, &attribute),
                        "bind a scheduler", err);
}

/* Binds the slow scheduler to an object and remembers what was there. */
static enum st
slow_down(struct blocks *blocks, struct sai_backend *backend,
          struct facts *facts, enum target_block_way way,
          sai_object_type_t type, sai_object_id_t oid, struct err *err)
{
    sai_attribute_value_t former = {.oid = SAI_NULL_OBJECT_ID};
    sai_object_id_t slow = SAI_NULL_OBJECT_ID;
    enum st st = slow_scheduler(blocks, backend, way, &slow, err);

    for (size_t i = 0; i < blocks->n_bound; i++) {
        if (blocks->bound[i].oid == oid) {
            return st ? st : bind_scheduler(backend, type, oid, slow, err);
        }
    }
    (void)facts_get(facts, type, oid, scheduler_attribute(type), &former);
    st = st ? st : bind_scheduler(backend, type, oid, slow, err);
    if (!st) {
        blocks->bound = check_realloc(blocks->bound, (blocks->n_bound + 1) *
                                                         sizeof *blocks->bound);
        blocks->bound[blocks->n_bound++] =
            (struct blocks_bound){type, oid, former.oid};
    }
    return st;
}

/* Binds to an object what had been bound, if it was slowed down. */
static enum st
speed_up(struct blocks *blocks, struct sai_backend *backend,
         sai_object_type_t type, sai_object_id_t oid, struct err *err)
{
    for (size_t i = 0; i < blocks->n_bound; i++) {
        if (blocks->bound[i].oid == oid) {
            enum st st = bind_scheduler(backend, type, oid,
                                        blocks->bound[i].former, err);

            if (!st) {
                blocks->bound[i] = blocks->bound[--blocks->n_bound];
            }
            return st;
        }
    }
    return ST_OK;
}

enum st
blocks_set(struct blocks *blocks, struct sai_backend *backend,
           struct facts *facts, const struct target_block *block, bool blocked,
           struct err *err)
{
    sai_attribute_t enable = {.id = SAI_PORT_ATTR_PKT_TX_ENABLE,
                              .value.booldata = !blocked};
    sai_object_id_t queues[FACTS_PLACES_MAX];
    sai_object_id_t port;
    uint32_t n;
    enum st st = facts_port(facts, block->port, &port, err);

    if (st || block->way == TARGET_BLOCK_TX_ENABLE) {
        return st ? st
                  : facts_status(backend->ops->set(backend,
                                                   SAI_OBJECT_TYPE_PORT, port,
                                                   &enable),
                                 "set PKT_TX_ENABLE", err);
    }
    if (block->way == TARGET_BLOCK_PORT_SCHEDULER) {
        return blocked
                   ? slow_down(blocks, backend, facts, block->way,
                               SAI_OBJECT_TYPE_PORT, port, err)
                   : speed_up(blocks, backend, SAI_OBJECT_TYPE_PORT, port, err);
    }
    n = facts_places(facts, port, FACTS_QUEUE, queues);
    for (uint32_t i = 0; !st && i < n && i < 32; i++) {
        if (!(block->queues >> i & 1)) {
            continue;
        }
        st = blocked ? slow_down(blocks, backend, facts, block->way,
                                 SAI_OBJECT_TYPE_QUEUE, queues[i], err)
                     : speed_up(blocks, backend, SAI_OBJECT_TYPE_QUEUE,
                                queues[i], err);
    }
    return st;
}

void
blocks_fini(struct blocks *blocks)
{
    free(blocks->bound);
    memset(blocks, 0, sizeof *blocks);
}
