/* SPDX-License-Identifier: Apache-2.0 */

/* Reads all objects with the whole list, then those that refuse it with the
 * counters that the first of them has. */

#include <config.h>

#include "orchd/telemetry/polling/live_counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/telemetry/polling/poller_state.h"
#include "orchd/telemetry/polling/supported_counters.h"
#include "sai/core/backend.h"

/* Objects that are read together, and what was read. */
struct batch {
    struct sai_backend *backend;
    struct counter_list whole; /* All counters of the group. */

    /* By kind of object: the counters that are left after a refusal. */
    struct counter_list reduced[N_KINDS];
    bool is_reduced[N_KINDS];

    uint32_t n;
    struct live_reading readings[POLLER_SLICE];
    uint64_t values[POLLER_SLICE][COUNTERS_MAX];
    bool refused[POLLER_SLICE];

    /* The arguments of a call, and which readings it is for. */
    uint32_t members[POLLER_SLICE];
    sai_object_key_t keys[POLLER_SLICE];
    sai_status_t statuses[POLLER_SLICE];
    uint64_t call_values[POLLER_SLICE * COUNTERS_MAX];
};

static const struct counter_list no_counters;

bool
live_counters_value(const struct live_reading *reading, sai_stat_id_t id,
                    uint64_t *value)
{
    for (uint32_t i = 0; i < reading->list->n; i++) {
        if (reading->list->ids[i] == id) {
            *value = reading->values[i];
            return true;
        }
    }
    return false;
}

/* Reads the 'n' members of 'batch' with 'list'. */
static void
read_members(struct batch *batch, uint32_t n, const struct counter_list *list)
{
    struct backend_stats call = {.type = batch->readings[0].object->id.type,
                                 .mode = SAI_STATS_MODE_READ,
                                 .n = n,
                                 .keys = batch->keys,
                                 .n_ids = list->n,
                                 .ids = list->ids,
                                 .values = batch->call_values,
                                 .statuses = batch->statuses};

    for (uint32_t i = 0; i < n; i++) {
        batch->keys[i].key.object_id =
            batch->readings[batch->members[i]].object->id.oid;
    }
    (void)backend_get_stats_many(batch->backend, &call);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t member = batch->members[i];
        struct live_reading *reading = &batch->readings[member];

        batch->refused[member] =
            supported_counters_is_refusal(batch->statuses[i]);
        if (batch->statuses[i] == SAI_STATUS_SUCCESS) {
            memcpy(batch->values[member],
                   batch->call_values + (size_t)i * list->n,
                   list->n * sizeof *batch->call_values);
            reading->list = list;
        }
    }
}

/* Finds out which counters objects like 'object' have. */
static void
reduce(struct batch *batch, const struct polled_object *object)
{
    struct counter_list *list = &batch->reduced[poller_class_of(object)];

    for (uint32_t i = 0; i < batch->whole.n; i++) {
        uint64_t value;

        if (batch->backend->ops->get_stats(
                batch->backend, object->id.type, object->id.oid, 1,
                &batch->whole.ids[i], SAI_STATS_MODE_READ,
                &value) == SAI_STATUS_SUCCESS) {
            list->ids[list->n++] = batch->whole.ids[i];
        }
    }
    batch->is_reduced[poller_class_of(object)] = true;
}

/* Reads the objects of 'kind' again that have refused the whole list. */
static void
read_reduced(struct batch *batch, int kind)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < batch->n; i++) {
        const struct polled_object *object = batch->readings[i].object;

        if (!batch->refused[i] || poller_class_of(object) != kind) {
            continue;
        }
        if (!batch->is_reduced[kind]) {
            reduce(batch, object);
        }
        batch->members[n++] = i;
    }
    if (n && batch->reduced[kind].n) {
        read_members(batch, n, &batch->reduced[kind]);
    }
}

/* Reads the objects of 'batch' whose class has not refused the whole list
 * before. */
static void
read_whole(struct batch *batch)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < batch->n; i++) {
        batch->refused[i] =
            batch->is_reduced[poller_class_of(batch->readings[i].object)];
        if (!batch->refused[i]) {
            batch->members[n++] = i;
        }
    }
    if (n) {
        read_members(batch, n, &batch->whole);
    }
}

static void
read_batch(struct batch *batch,
           void (*visit)(void *context, const struct live_reading *reading),
           void *context)
{
    if (batch->backend && batch->n) {
        read_whole(batch);
        for (int kind = 0; kind < N_KINDS; kind++) {
            read_reduced(batch, kind);
        }
    }
    for (uint32_t i = 0; i < batch->n; i++) {
        visit(context, &batch->readings[i]);
    }
    batch->n = 0;
}

void
live_counters_read(const struct poller *poller, enum counter_group group,
                   const char *name,
                   void (*visit)(void *context,
                                 const struct live_reading *reading),
                   void *context)
{
    const struct counter_group_info *info = counter_group_info(group);
    const struct object_list *objects =
        &poller->objects.all[object_list_of(info->type)];
    struct batch *batch = check_calloc(1, sizeof *batch);

    batch->backend = poller->backend;
    batch->whole.group = group;
    batch->whole.n = info->n_ids;
    memcpy(batch->whole.ids, info->ids, info->n_ids * sizeof *info->ids);
    for (size_t i = 0; i < objects->n; i++) {
        const struct polled_object *object = &objects->entries[i]->object;

        if (name && strcmp(name, object->id.name) != 0) {
            continue;
        }
        batch->readings[batch->n] = (struct live_reading){
            object, &no_counters, batch->values[batch->n]};
        if (++batch->n == POLLER_SLICE) {
            read_batch(batch, visit, context);
        }
    }
    read_batch(batch, visit, context);
    free(batch);
}
