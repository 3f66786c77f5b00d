/* SPDX-License-Identifier: Apache-2.0 */

/* QoS objects: calls the module for each type. */

#include <config.h>

#include "vendors/softasic/program/qos.h"

#include "vendors/softasic/program/qos_maps.h"
#include "vendors/softasic/program/scheduler_trees.h"
#include "vendors/softasic/program/scheduling.h"
#include "vendors/softasic/program/wred_profiles.h"

sai_status_t
qos_create(struct asic *asic, struct objects_item *item, sai_attr_id_t *blame,
           struct err *err)
{
    sai_status_t status = scheduling_check_all(asic, item, blame, err);

    if (item->type == SAI_OBJECT_TYPE_QOS_MAP) {
        *blame = SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST;
        status = qos_maps_check(asic, item);
    }
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    switch (item->type) {
    case SAI_OBJECT_TYPE_QOS_MAP:
        qos_maps_program(item);
        return status;
    case SAI_OBJECT_TYPE_WRED:
        wred_profiles_program(asic, item, 0);
        return status;
    case SAI_OBJECT_TYPE_SCHEDULER_GROUP:
        return scheduler_trees_create(asic, item, err);
    default:
        return status;
    }
}

/* Wakes all ports: a map that they may use has changed. */
static void
wake_all(struct asic *asic)
{
    for (uint32_t i = 0; i < asic->n_ports; i++) {
        if (asic->ports[i].item) {
            sim_port_wake(asic->sim, i);
        }
    }
}

sai_status_t
qos_set(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
        struct err *err)
{
    const sai_status_t status = item->type == SAI_OBJECT_TYPE_QOS_MAP
                                    ? qos_maps_check(asic, item)
                                    : scheduling_check(asic, item, id, err);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    switch (item->type) {
    case SAI_OBJECT_TYPE_QOS_MAP:
        qos_maps_program(item);
        wake_all(asic);
        return status;
    case SAI_OBJECT_TYPE_WRED:
        wred_profiles_program(asic, item, id);
        return status;
    case SAI_OBJECT_TYPE_QUEUE:
        if (id == SAI_QUEUE_ATTR_WRED_PROFILE_ID) {
            wred_profiles_attach(asic, item);
            return status;
        }
        return scheduler_trees_set(asic, item, id, err);
    case SAI_OBJECT_TYPE_SCHEDULER:
    case SAI_OBJECT_TYPE_SCHEDULER_GROUP:
        return scheduler_trees_set(asic, item, id, err);
    default:
        return status;
    }
}

sai_status_t
qos_remove(struct asic *asic, struct objects_item *item)
{
    switch (item->type) {
    case SAI_OBJECT_TYPE_QOS_MAP:
        qos_maps_free(item);
        return SAI_STATUS_SUCCESS;
    case SAI_OBJECT_TYPE_WRED:
        wred_profiles_free(item);
        return SAI_STATUS_SUCCESS;
    case SAI_OBJECT_TYPE_SCHEDULER_GROUP:
        return scheduler_trees_remove(asic, item);
    default:
        return SAI_STATUS_SUCCESS;
    }
}
