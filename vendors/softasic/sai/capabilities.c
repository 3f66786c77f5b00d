/* SPDX-License-Identifier: Apache-2.0 */

/* Each answer comes from the module that does the work: computed.c lists the
 * attributes that can be read without having been set;
 * vendors/softasic/program/l2.c and
 * vendors/softasic/program/supported_attributes.c list the values they support.
 * This module adds the types that the library implements. */

#include <config.h>

#include "vendors/softasic/sai/capabilities.h"

#include <string.h>

#include "sai/core/metadata.h"
#include "vendors/softasic/program/access_fields.h"
#include "vendors/softasic/program/l2.h"
#include "vendors/softasic/program/supported_attributes.h"
#include "vendors/softasic/program/trimming.h"
#include "vendors/softasic/sai/computed.h"

/* Returns whether objects of 'type' can be created; else all of them exist from
 * the start. */
static bool
can_create(sai_object_type_t type)
{
    return type != SAI_OBJECT_TYPE_QUEUE &&
           type != SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP &&
           type != SAI_OBJECT_TYPE_BRIDGE;
}

bool
capabilities_type(sai_object_type_t type)
{
    switch (type) {
    case SAI_OBJECT_TYPE_SWITCH:
    case SAI_OBJECT_TYPE_PORT:
    case SAI_OBJECT_TYPE_BUFFER_POOL:
    case SAI_OBJECT_TYPE_BUFFER_PROFILE:
    case SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:
    case SAI_OBJECT_TYPE_QUEUE:
    case SAI_OBJECT_TYPE_QOS_MAP:
    case SAI_OBJECT_TYPE_SCHEDULER:
    case SAI_OBJECT_TYPE_SCHEDULER_GROUP:
    case SAI_OBJECT_TYPE_WRED:
    case SAI_OBJECT_TYPE_FDB_ENTRY:
        return true;
    default:
        return l2_handles_type(type) || supported_attributes_type(type);
    }
}

/* Returns whether an attribute of an implemented type is stored without effect,
 * or not supported at all. */
static bool
is_undone(sai_object_type_t type, sai_attr_id_t id)
{
    if ((l2_handles_type(type) || type == SAI_OBJECT_TYPE_FDB_ENTRY) &&
        !l2_takes(type, id)) {
        return true;
    }
    return (supported_attributes_type(type) &&
            !supported_attributes_attribute(type, id)) ||
           supported_attributes_is_unsupported(type, id);
}

void
capabilities_attribute(const struct asic *asic,
                       const struct metadata_attribute *meta,
                       sai_object_type_t type, sai_attr_capability_t *able)
{
    const bool is_read_only = (meta->flags & METADATA_FLAG_READ_ONLY) != 0;
    const bool is_done = !is_undone(type, meta->id);

    memset(able, 0, sizeof *able);
    if (!capabilities_type(type)) {
        return;
    }
    if (trimming_concerns(meta->id) && type == SAI_OBJECT_TYPE_SWITCH &&
        !asic->chip->trimming.max_bytes) {
        return;
    }
    able->create_implemented = is_done && !is_read_only && can_create(type);
    able->set_implemented = is_done &&
                            (meta->flags & METADATA_FLAG_CREATE_AND_SET) != 0 &&
                            !(type == SAI_OBJECT_TYPE_SWITCH &&
                              meta->id == SAI_SWITCH_ATTR_SWITCH_SHELL_ENABLE);
    able->get_implemented =
        computed_supports(asic, type, meta->id) ||
        (meta->default_kind != METADATA_DEFAULT_INTERNAL &&
         meta->default_kind != METADATA_DEFAULT_VENDOR && !is_read_only);
}

bool
capabilities_value(const struct asic *asic, sai_object_type_t type,
                   sai_attr_id_t id, int32_t value)
{
    if (type == SAI_OBJECT_TYPE_SWITCH &&
        id == SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_RESOLUTION_MODE) {
        return trimming_has_queue_mode(asic->chip, value);
    }
    if (type == SAI_OBJECT_TYPE_BUFFER_POOL &&
        id == SAI_BUFFER_POOL_ATTR_TYPE) {
        return value != (int32_t)SAI_BUFFER_POOL_TYPE_BOTH;
    }
    if (type == SAI_OBJECT_TYPE_VLAN_MEMBER &&
        id == SAI_VLAN_MEMBER_ATTR_VLAN_TAGGING_MODE) {
        return value != (int32_t)SAI_VLAN_TAGGING_MODE_PRIORITY_TAGGED;
    }
    if (type == SAI_OBJECT_TYPE_BRIDGE_PORT &&
        id == SAI_BRIDGE_PORT_ATTR_TYPE) {
        return value == (int32_t)SAI_BRIDGE_PORT_TYPE_PORT;
    }
    if (type == SAI_OBJECT_TYPE_BRIDGE_PORT &&
        id == SAI_BRIDGE_PORT_ATTR_FDB_LEARNING_MODE) {
        return value == (int32_t)SAI_BRIDGE_PORT_FDB_LEARNING_MODE_HW ||
               value == (int32_t)SAI_BRIDGE_PORT_FDB_LEARNING_MODE_DISABLE;
    }
    if (type == SAI_OBJECT_TYPE_FDB_ENTRY &&
        id == SAI_FDB_ENTRY_ATTR_PACKET_ACTION) {
        return value == (int32_t)SAI_PACKET_ACTION_FORWARD ||
               value == (int32_t)SAI_PACKET_ACTION_DROP;
    }
    return access_fields_value(type, id, value) &&
           supported_attributes_value(type, id, value);
}
