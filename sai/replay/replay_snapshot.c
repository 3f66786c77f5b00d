/* SPDX-License-Identifier: Apache-2.0 */

/* Replays the snapshot in a record. */

#include <config.h>

#include "sai/replay/replay_snapshot.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/bridge_members.h"
#include "sai/core/metadata.h"
#include "sai/replay/replay_map.h"
#include "sai/trace/trace.h"

enum { MAX_PORTS = 8192, MAX_LANES = 64 };

/* Sets the attributes of 'call' on object 'oid', except create-only ones. */
static sai_status_t
set_all(struct sai_backend *backend, const struct trace_call *call,
        sai_object_id_t oid)
{
    sai_status_t status = SAI_STATUS_SUCCESS;

    for (uint32_t i = 0; i < call->n && status == SAI_STATUS_SUCCESS; i++) {
        const struct metadata_attribute *meta =
            metadata_attribute(call->type, call->attributes[i].id);

        if (meta && !(meta->flags & METADATA_FLAG_CREATE_ONLY)) {
            status = backend->ops->set(backend, call->type, oid,
                                       &call->attributes[i]);
        }
    }
    return status;
}

static sai_status_t
create(struct sai_backend *backend, const struct trace_call *call,
       sai_object_id_t *oid)
{
    return backend->ops->create(backend, call->type, call->n, call->attributes,
                                oid);
}

static bool
share_a_lane(const sai_u32_list_t *a, const sai_u32_list_t *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t k = 0; k < b->count; k++) {
            if (a->list[i] == b->list[k]) {
                return true;
            }
        }
    }
    return false;
}

/* Finds the port that has exactly 'lanes', and removes those that have some of
 * them.  '*oid' is SAI_NULL_OBJECT_ID if there is none. */
static sai_status_t
find_port(struct sai_backend *backend, const sai_u32_list_t *lanes,
          const sai_object_list_t *ports, sai_object_id_t *oid)
{
    struct bridge_members *members = bridge_members_create();
    sai_object_type_t refused;
    sai_status_t status = SAI_STATUS_SUCCESS;
    bool was_member = false;

    *oid = SAI_NULL_OBJECT_ID;
    for (uint32_t i = 0; i < ports->count && status == SAI_STATUS_SUCCESS;
         i++) {
        uint32_t memory[MAX_LANES];
        sai_attribute_t found = {SAI_PORT_ATTR_HW_LANE_LIST,
                                 {.u32list = {MAX_LANES, memory}}};
        const sai_u32_list_t *list = &found.value.u32list;

        if (backend->ops->get(backend, SAI_OBJECT_TYPE_PORT, ports->list[i], 1,
                              &found) != SAI_STATUS_SUCCESS) {
            continue;
        }
        if (list->count == lanes->count &&
            !memcmp(memory, lanes->list, list->count * sizeof *memory)) {
            *oid = ports->list[i];
        } else if (share_a_lane(list, lanes)) {
            status = bridge_members_remove_port(
                members, backend, ports->list[i], &refused, &was_member);
        }
    }
    bridge_members_destroy(members);
    return status;
}

/* Finds the port of 'call', or creates it. */
static sai_status_t
replay_snapshot_port(struct sai_backend *backend, const struct trace_call *call,
                     const sai_u32_list_t *lanes, sai_object_id_t *oid)
{
    sai_object_id_t *memory = check_calloc(MAX_PORTS, sizeof *memory);
    sai_attribute_t ports = {SAI_SWITCH_ATTR_PORT_LIST,
                             {.objlist = {MAX_PORTS, memory}}};
    sai_status_t status = backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH,
                                            backend->switch_id, 1, &ports);

    if (status == SAI_STATUS_SUCCESS) {
        status = find_port(backend, lanes, &ports.value.objlist, oid);
    }
    if (status == SAI_STATUS_SUCCESS) {
        status = *oid == SAI_NULL_OBJECT_ID ? create(backend, call, oid)
                                            : set_all(backend, call, *oid);
    }
    free(memory);
    return status;
}

sai_status_t
replay_snapshot(struct sai_backend *backend, struct replay_map *map,
                const struct trace_call *call)
{
    sai_object_id_t oid = call->oid;
    const sai_u32_list_t *lanes = NULL;
    sai_status_t status;

    if (replay_map_id(map, &oid)) {
        return set_all(backend, call, oid);
    }
    for (uint32_t i = 0; i < call->n; i++) {
        if (call->type == SAI_OBJECT_TYPE_PORT &&
            call->attributes[i].id == SAI_PORT_ATTR_HW_LANE_LIST) {
            lanes = &call->attributes[i].value.u32list;
        }
    }
    oid = SAI_NULL_OBJECT_ID;
    status = lanes ? replay_snapshot_port(backend, call, lanes, &oid)
                   : create(backend, call, &oid);
    if (status == SAI_STATUS_SUCCESS) {
        replay_map_bind(map, call->oid, oid);
    }
    return status;
}
