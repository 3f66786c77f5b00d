/* SPDX-License-Identifier: Apache-2.0 */

/* Policers: the twin's are data of their objects. */

#include <config.h>

#include "vendors/softasic/program/policers.h"

#include <stdlib.h>

#include "base/check.h"
#include "twin/qos/policer.h"
#include "vendors/softasic/program/supported_attributes.h"

/* The data of a policer.  What was cleared comes first, where counters.h looks
 * for it. */
struct policer_data {
    uint64_t cleared[POLICERS_N_STATS];
    struct policer policer;
};

bool
policers_handles_type(sai_object_type_t type)
{
    return type == SAI_OBJECT_TYPE_POLICER;
}

/* Returns number 'id' of 'item', which is not negative. */
static uint64_t
number(const struct objects_item *item, sai_attr_id_t id)
{
    return (uint64_t)objects_number(item, id);
}

static uint8_t
action(const struct objects_item *item, sai_attr_id_t id)
{
    switch (objects_number(item, id)) {
    case SAI_PACKET_ACTION_DROP:
    case SAI_PACKET_ACTION_DENY:
        return POLICER_DROP;
    case SAI_PACKET_ACTION_TRAP:
        return POLICER_COPY;
    case SAI_PACKET_ACTION_COPY:
    case SAI_PACKET_ACTION_LOG:
        return POLICER_FORWARD | POLICER_COPY;
    default: /* FORWARD, and the actions that only cancel a copy. */
        return POLICER_FORWARD;
    }
}

/* Returns how 'item' meters. */
static struct policer_config
config_of(const struct objects_item *item)
{
    return (struct policer_config){
        .has_two_rates = objects_number(item, SAI_POLICER_ATTR_MODE) ==
                         SAI_POLICER_MODE_TR_TCM,
        .by_packets = objects_number(item, SAI_POLICER_ATTR_METER_TYPE) ==
                      SAI_METER_TYPE_PACKETS,
        .is_color_aware = objects_number(item, SAI_POLICER_ATTR_COLOR_SOURCE) ==
                          SAI_POLICER_COLOR_SOURCE_AWARE,
        .cir = number(item, SAI_POLICER_ATTR_CIR),
        .cbs = number(item, SAI_POLICER_ATTR_CBS),
        .pir = number(item, SAI_POLICER_ATTR_PIR),
        .pbs = number(item, SAI_POLICER_ATTR_PBS),
        .actions = {action(item, SAI_POLICER_ATTR_GREEN_PACKET_ACTION),
                    action(item, SAI_POLICER_ATTR_YELLOW_PACKET_ACTION),
                    action(item, SAI_POLICER_ATTR_RED_PACKET_ACTION)},
    };
}

sai_status_t
policers_create(struct asic *asic, struct objects_item *item,
                sai_attr_id_t *blame, struct err *err)
{
    const struct policer_config config = config_of(item);
    const sai_status_t status =
        supported_attributes_check_all(item, blame, err);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (objects_count(asic->objects, SAI_OBJECT_TYPE_POLICER) > POLICERS_MAX) {
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    item->data = check_calloc(1, sizeof(struct policer_data));
    policer_init(policers_get(item), &config, sim_now_ps(asic->sim));
    return SAI_STATUS_SUCCESS;
}

sai_status_t
policers_set(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
             struct err *err)
{
    const struct policer_config config = config_of(item);
    const sai_status_t status = supported_attributes_check(item, id, err);

    if (status == SAI_STATUS_SUCCESS) {
        policer_set(policers_get(item), &config, sim_now_ps(asic->sim));
    }
    return status;
}

void
policers_remove(struct objects_item *item)
{
    free(item->data);
    item->data = NULL;
}

struct policer *
policers_get(const struct objects_item *item)
{
    struct policer_data *data = item->data;

    return &data->policer;
}

struct policer *
policers_of(const struct asic *asic, const struct objects_item *user,
            sai_attr_id_t id)
{
    const struct objects_item *item = objects_referent(asic->objects, user, id);

    return item ? policers_get(item) : NULL;
}

void
policers_program_port(struct asic *asic, const struct objects_item *port)
{
    sim_port_set_policer(asic->sim, port->handle,
                         policers_of(asic, port, SAI_PORT_ATTR_POLICER_ID));
}
