/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "vendors/softasic/program/trimming.h"

bool
trimming_concerns(sai_attr_id_t id)
{
    switch (id) {
    case SAI_SWITCH_ATTR_PACKET_TRIM_SIZE:
    case SAI_SWITCH_ATTR_PACKET_TRIM_DSCP_VALUE:
    case SAI_SWITCH_ATTR_PACKET_TRIM_TC_VALUE:
    case SAI_SWITCH_ATTR_PACKET_TRIM_DSCP_RESOLUTION_MODE:
    case SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_RESOLUTION_MODE:
    case SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_INDEX:
        return true;
    default:
        return false;
    }
}

/* Checks the number that 'sw' has for 'id'. */
static sai_status_t
check(const struct asic *asic, const struct objects_item *sw, sai_attr_id_t id,
      struct err *err)
{
    const struct chip *chip = asic->chip;
    const struct {
        sai_attr_id_t id;
        const char *what;
        int64_t min, max;
    } ranges[] = {
        {SAI_SWITCH_ATTR_PACKET_TRIM_SIZE, "size in bytes", SIM_TRIM_MIN_BYTES,
         SIM_MAX_LENGTH_BYTES},
        {SAI_SWITCH_ATTR_PACKET_TRIM_DSCP_VALUE, "DSCP", 0, CLASSIFY_DSCPS - 1},
        {SAI_SWITCH_ATTR_PACKET_TRIM_TC_VALUE, "traffic class", 0,
         (int64_t)chip->tcs - 1},
        {SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_INDEX, "queue", 0,
         (int64_t)chip->unicast_queues_per_port - 1},
    };
    const int64_t value = objects_number(sw, id);

    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].id == id &&
            (value < ranges[i].min || value > ranges[i].max)) {
            err_set(err, ST_INVALID, "trim-range",
                    "the %s of trimmed packets is %lld..%lld on this switch",
                    ranges[i].what, (long long)ranges[i].min,
                    (long long)ranges[i].max);
            return SAI_STATUS_INVALID_ATTR_VALUE_0;
        }
    }
    return SAI_STATUS_SUCCESS;
}

sai_status_t
trimming_set_switch(struct asic *asic, const struct objects_item *sw,
                    sai_attr_id_t id, struct err *err)
{
    const struct sim_trim_config config = {
        .size_bytes =
            (uint32_t)objects_number(sw, SAI_SWITCH_ATTR_PACKET_TRIM_SIZE),
        .dscp_from_tc =
            objects_number(sw,
                           SAI_SWITCH_ATTR_PACKET_TRIM_DSCP_RESOLUTION_MODE) ==
            SAI_PACKET_TRIM_DSCP_RESOLUTION_MODE_FROM_TC,
        .dscp =
            (uint8_t)objects_number(sw, SAI_SWITCH_ATTR_PACKET_TRIM_DSCP_VALUE),
        .tc = (uint8_t)objects_number(sw, SAI_SWITCH_ATTR_PACKET_TRIM_TC_VALUE),
        .queue_from_dscp =
            objects_number(sw,
                           SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_RESOLUTION_MODE) ==
            SAI_PACKET_TRIM_QUEUE_RESOLUTION_MODE_DYNAMIC,
        .queue = (uint8_t)objects_number(
            sw, SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_INDEX),
    };
    const sai_status_t status = check(asic, sw, id, err);

    return status == SAI_STATUS_SUCCESS &&
                   sim_set_trimming(asic->sim, &config) != ST_OK
               ? SAI_STATUS_INVALID_ATTR_VALUE_0
               : status;
}

void
trimming_set_queue(struct asic *asic, const struct objects_item *queue)
{
    const struct objects_item *profile = objects_referent(
        asic->objects, queue, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID);
    const bool trims =
        profile &&
        objects_number(profile,
                       SAI_BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION) ==
            SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP_AND_TRIM;
    enum st status;

    if (queue->handle == MMU_NONE) {
        return; /* Of the CPU port. */
    }
    status = sim_queue_set_trim(asic->sim, queue->parent->handle, queue->index,
                                trims);
    orch_assert(status == ST_OK); /* Every queue is in the twin. */
}

void
trimming_set_profile(struct asic *asic, const struct objects_item *profile)
{
    for (struct objects_item *i =
             objects_first(asic->objects, SAI_OBJECT_TYPE_QUEUE);
         i; i = objects_next(asic->objects, i)) {
        if (objects_referent(asic->objects, i,
                             SAI_QUEUE_ATTR_BUFFER_PROFILE_ID) == profile) {
            trimming_set_queue(asic, i);
        }
    }
}
