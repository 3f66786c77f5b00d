/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "vendors/softasic/program/trimming.h"

#include "base/text.h"
#include "sai/core/metadata.h"
#include "vendors/softasic/program/system_port_lookup.h"

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

/* Returns whether the chip has what 'sw' says in 'id'; if not, appends what it
 * has to 'allowed'. */
static bool
has(const struct asic *asic, const struct objects_item *sw, sai_attr_id_t id,
    struct text *allowed)
{
    const struct chip *chip = asic->chip;
    const uint32_t n_queues = chip->unicast_queues_per_port;
    const uint32_t value = (uint32_t)objects_number(sw, id);
    bool good = true;

    switch (id) {
    case SAI_SWITCH_ATTR_PACKET_TRIM_SIZE:
        good = chip_trimming_has_size(&chip->trimming, value);
        chip_trimming_add_sizes(&chip->trimming, allowed);
        break;
    case SAI_SWITCH_ATTR_PACKET_TRIM_DSCP_VALUE:
        good = value < CLASSIFY_DSCPS;
        text_addf(allowed, "0..%d", CLASSIFY_DSCPS - 1);
        break;
    case SAI_SWITCH_ATTR_PACKET_TRIM_TC_VALUE:
        good = value < chip->tcs;
        text_addf(allowed, "0..%u", chip->tcs - 1);
        break;
    case SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_INDEX:
        good = chip_trimming_has_queue(&chip->trimming, n_queues, value);
        chip_trimming_add_queues(&chip->trimming, n_queues, allowed);
        break;
    case SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_RESOLUTION_MODE:
        good = trimming_has_queue_mode(chip, (int32_t)value);
        text_add(allowed, "static");
        break;
    default:
        break;
    }
    return good;
}

/* Checks what 'sw' has for 'id'. */
static sai_status_t
check(const struct asic *asic, const struct objects_item *sw, sai_attr_id_t id,
      struct err *err)
{
    struct text allowed = {0};
    sai_status_t status = SAI_STATUS_SUCCESS;

    if (!asic->chip->trimming.max_bytes) {
        err_set(err, ST_UNSUPPORTED, "no-trimming",
                "this switch does not trim packets");
        return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
    }
    if (!has(asic, sw, id, &allowed)) {
        err_set(err, ST_INVALID, "trim-range", "this switch allows %s for %s",
                text_string(&allowed),
                metadata_attribute(SAI_OBJECT_TYPE_SWITCH, id)->name);
        status = SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    text_fini(&allowed);
    return status;
}

bool
trimming_has_queue_mode(const struct chip *chip, int32_t mode)
{
    return mode == SAI_PACKET_TRIM_QUEUE_RESOLUTION_MODE_STATIC ||
           !chip->trimming.queues;
}

/* Returns the queue for trimmed packets: that of 'sw', or, before it has one
 * that the chip allows, the first one. */
static uint8_t
queue_of(const struct asic *asic, const struct objects_item *sw)
{
    uint32_t queue =
        (uint32_t)objects_number(sw, SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_INDEX);

    for (uint32_t i = 0; !chip_trimming_has_queue(
             &asic->chip->trimming, asic->chip->unicast_queues_per_port, queue);
         i++) {
        queue = i;
    }
    return (uint8_t)queue;
}

/* Returns the size of trimmed packets, in the same way. */
static uint32_t
size_of(const struct asic *asic, const struct objects_item *sw)
{
    const uint32_t size =
        (uint32_t)objects_number(sw, SAI_SWITCH_ATTR_PACKET_TRIM_SIZE);

    return chip_trimming_has_size(&asic->chip->trimming, size)
               ? size
               : asic->chip->trimming.min_bytes;
}

sai_status_t
trimming_set_switch(struct asic *asic, const struct objects_item *sw,
                    sai_attr_id_t id, struct err *err)
{
    const struct sim_trim_config config = {
        .size_bytes = size_of(asic, sw),
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
        .queue = queue_of(asic, sw),
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
    const struct objects_item *profile;
    enum st status;
    bool trims;

    queue = system_port_lookup_filled(asic, queue);
    if (!queue) {
        return;
    }
    profile = system_port_lookup_profile(asic, queue,
                                         SAI_QUEUE_ATTR_BUFFER_PROFILE_ID);
    trims =
        profile &&
        objects_number(profile,
                       SAI_BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION) ==
            SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP_AND_TRIM;
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
