/* SPDX-License-Identifier: Apache-2.0 */

/* Compares what a row wants with what the switch has. */

#include <config.h>

#include "orchd/reconcile/trimming_limits.h"

#include "base/text.h"
#include "orchd/translate/translate.h"
#include "sai/core/backend.h"
#include "sai/core/metadata.h"

/* Returns attribute 'id' of the switch as a number; 0 if it cannot be read. */
static uint32_t
read_number(struct sai_backend *backend, sai_attr_id_t id)
{
    const struct metadata_attribute *meta =
        metadata_attribute(SAI_OBJECT_TYPE_SWITCH, id);
    sai_attribute_t attribute = {.id = id};

    return backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH,
                             backend->switch_id, 1,
                             &attribute) == SAI_STATUS_SUCCESS
               ? (uint32_t)metadata_number(meta->kind, &attribute.value)
               : 0;
}

void
trimming_limits_read(struct trimming_limits *limits,
                     struct sai_backend *backend)
{
    limits->n_tcs =
        read_number(backend, SAI_SWITCH_ATTR_QOS_MAX_NUMBER_OF_TRAFFIC_CLASSES);
    limits->n_queues =
        read_number(backend, SAI_SWITCH_ATTR_NUMBER_OF_UNICAST_QUEUES);
}

/* Returns how many queues there may be. */
static uint32_t
n_queues(const struct trimming_limits *limits)
{
    return limits->n_queues ? limits->n_queues : 64;
}

/* Appends what 'queue_index' may be to 'text'. */
static void
add_queues(const struct trimming_limits *limits, struct text *text)
{
    chip_trimming_add_queues(&limits->chip, n_queues(limits), text);
    if (!limits->chip.queues) {
        text_add(text, ", or dynamic");
    }
}

bool
trimming_limits_lack(const struct trimming_limits *limits,
                     const struct want *want, struct text *allowed)
{
    const struct chip_trimming *chip = &limits->chip;
    const int64_t value = metadata_number(want->meta->kind, &want->value);
    struct text ignored = {0}, *text = allowed ? allowed : &ignored;
    bool lacking = false;

    switch (want->meta->id) {
    case SAI_SWITCH_ATTR_PACKET_TRIM_SIZE:
        lacking =
            chip->max_bytes && !chip_trimming_has_size(chip, (uint32_t)value);
        chip_trimming_add_sizes(chip, text);
        break;
    case SAI_SWITCH_ATTR_PACKET_TRIM_TC_VALUE:
        lacking = limits->n_tcs && value >= (int64_t)limits->n_tcs;
        text_addf(text, "0..%u", limits->n_tcs - 1);
        break;
    case SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_INDEX:
        lacking =
            (limits->n_queues || chip->queues) &&
            !chip_trimming_has_queue(chip, n_queues(limits), (uint32_t)value);
        add_queues(limits, text);
        break;
    case SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_RESOLUTION_MODE:
        lacking = chip->queues &&
                  value == SAI_PACKET_TRIM_QUEUE_RESOLUTION_MODE_DYNAMIC;
        add_queues(limits, text);
        break;
    default:
        break;
    }
    text_fini(&ignored);
    return lacking;
}
