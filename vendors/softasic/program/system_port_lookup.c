/* SPDX-License-Identifier: Apache-2.0 */

/* Searches the system ports one by one: a chassis has some hundreds. */

#include <config.h>

#include "vendors/softasic/program/system_port_lookup.h"

#define TYPE SAI_OBJECT_TYPE_SYSTEM_PORT

const sai_system_port_config_t *
system_port_lookup_config(const struct objects_item *item)
{
    return &objects_value(item, SAI_SYSTEM_PORT_ATTR_CONFIG_INFO)
                ->sysportconfig;
}

bool
system_port_lookup_is_local(const struct asic *asic,
                            const struct objects_item *item)
{
    return system_port_lookup_config(item)->attached_switch_id ==
           objects_number(asic->sw, SAI_SWITCH_ATTR_SWITCH_ID);
}

/* Returns the core of 'port', a port of the front panel. */
static uint32_t
core_of(const struct asic *asic, const struct objects_item *port)
{
    const sai_u32_list_t *lanes =
        &objects_value(port, SAI_PORT_ATTR_HW_LANE_LIST)->u32list;

    return chip_partition(asic->chip, port->handle, lanes->list[0]);
}

/* Returns the port that 'config', a local one, is about; NULL: none. */
static const struct objects_item *
find_port(const struct asic *asic, const sai_system_port_config_t *config)
{
    uint32_t n = 0;

    for (const struct objects_item *i =
             objects_first(asic->objects, SAI_OBJECT_TYPE_PORT);
         i; i = objects_next(asic->objects, i)) {
        if (i->handle != MMU_NONE &&
            core_of(asic, i) == config->attached_core_index &&
            ++n == config->attached_core_port_index) {
            return i;
        }
    }
    return NULL;
}

const struct objects_item *
system_port_lookup_port(const struct asic *asic,
                        const struct objects_item *item)
{
    return system_port_lookup_is_local(asic, item)
               ? find_port(asic, system_port_lookup_config(item))
               : NULL;
}

const struct objects_item *
system_port_lookup_of_port(const struct asic *asic,
                           const struct objects_item *port)
{
    for (const struct objects_item *i = objects_first(asic->objects, TYPE); i;
         i = objects_next(asic->objects, i)) {
        if (system_port_lookup_port(asic, i) == port) {
            return i;
        }
    }
    return NULL;
}

bool
system_port_lookup_is_voq(const struct objects_item *queue)
{
    return queue->parent->type == TYPE;
}

struct objects_item *
system_port_lookup_counterpart(const struct asic *asic,
                               const struct objects_item *queue)
{
    const struct objects_item *other =
        system_port_lookup_is_voq(queue)
            ? system_port_lookup_port(asic, queue->parent)
            : system_port_lookup_of_port(asic, queue->parent);

    return other && queue->index <
                        objects_n_children(other, SAI_OBJECT_TYPE_QUEUE)
               ? objects_child(other, SAI_OBJECT_TYPE_QUEUE, queue->index)
               : NULL;
}

const struct objects_item *
system_port_lookup_filled(const struct asic *asic,
                          const struct objects_item *queue)
{
    if (system_port_lookup_is_voq(queue)) {
        queue = system_port_lookup_counterpart(asic, queue);
    }
    return queue && queue->handle != MMU_NONE ? queue : NULL;
}

const struct objects_item *
system_port_lookup_profile(const struct asic *asic,
                           const struct objects_item *queue, sai_attr_id_t id)
{
    const struct objects_item *voq =
        system_port_lookup_counterpart(asic, queue);
    const struct objects_item *profile =
        voq ? objects_referent(asic->objects, voq, id) : NULL;

    return profile ? profile : objects_referent(asic->objects, queue, id);
}
