/* SPDX-License-Identifier: Apache-2.0 */

/* System ports and their VOQs. */

#include <config.h>

#include "vendors/softasic/program/system_ports.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/attr_value.h"
#include "vendors/softasic/program/counters.h"
#include "vendors/softasic/program/notify.h"
#include "vendors/softasic/program/system_port_lookup.h"

#define TYPE SAI_OBJECT_TYPE_SYSTEM_PORT

bool
system_ports_handle_type(sai_object_type_t type)
{
    return type == TYPE;
}

static sai_status_t
refuse(sai_attr_id_t *blame, sai_status_t status, struct err *err,
       const char *code, const char *why)
{
    *blame = SAI_SYSTEM_PORT_ATTR_CONFIG_INFO;
    err_set(err, ST_INVALID, code, "%s", why);
    return status;
}

/* Returns whether both are the same port of the chassis. */
static bool
is_same_place(const sai_system_port_config_t *a,
              const sai_system_port_config_t *b)
{
    return a->attached_switch_id == b->attached_switch_id &&
           a->attached_core_index == b->attached_core_index &&
           a->attached_core_port_index == b->attached_core_port_index;
}

/* Checks the numbers of 'item' against those of all others. */
static sai_status_t
check_others(const struct asic *asic, const struct objects_item *item,
             sai_attr_id_t *blame, struct err *err)
{
    const sai_system_port_config_t *config = system_port_lookup_config(item);

    for (const struct objects_item *i = objects_first(asic->objects, TYPE); i;
         i = objects_next(asic->objects, i)) {
        if (i == item) {
            continue;
        }
        if (system_port_lookup_config(i)->port_id == config->port_id) {
            return refuse(blame, SAI_STATUS_ITEM_ALREADY_EXISTS, err,
                          "system-port-id",
                          "another system port has this port id");
        }
        if (is_same_place(system_port_lookup_config(i), config)) {
            return refuse(blame, SAI_STATUS_ITEM_ALREADY_EXISTS, err,
                          "system-port-place",
                          "another system port has this port of this core");
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* Returns the family of system ports with 'n' VOQs, which lives as long as the
 * switch.  The types of their queues follow the families in memory. */
static const struct port_family_size *
family_of(struct asic *asic, uint32_t n)
{
    const size_t size = SYSTEM_PORTS_MAX_VOQS * sizeof *asic->voq_families;

    if (!asic->voq_families) {
        asic->voq_families = check_calloc(1, size + SYSTEM_PORTS_MAX_VOQS);
        memset((char *)asic->voq_families + size, SAI_QUEUE_TYPE_UNICAST_VOQ,
               SYSTEM_PORTS_MAX_VOQS);
    }
    asic->voq_families[n - 1] = (struct port_family_size){
        .n_unicast_queues = n,
        .queue_types = (const uint8_t *)asic->voq_families + size};
    return &asic->voq_families[n - 1];
}

sai_status_t
system_ports_create(struct asic *asic, struct objects_item *item,
                    sai_attr_id_t *blame, struct err *err)
{
    const sai_system_port_config_t *config = system_port_lookup_config(item);
    struct objects_item *children;
    sai_status_t status;
    uint32_t n;

    if (objects_number(asic->sw, SAI_SWITCH_ATTR_TYPE) != SAI_SWITCH_TYPE_VOQ) {
        err_set(err, ST_UNSUPPORTED, "no-voq-switch",
                "the switch was not created as a VOQ switch");
        return SAI_STATUS_NOT_SUPPORTED;
    }
    if (objects_count(asic->objects, TYPE) > SYSTEM_PORTS_MAX) {
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    if (config->num_voq < 1 || config->num_voq > SYSTEM_PORTS_MAX_VOQS) {
        return refuse(blame, SAI_STATUS_INVALID_ATTR_VALUE_0, err, "num-voq",
                      "a system port has 1 to 64 VOQs");
    }
    status = check_others(asic, item, blame, err);
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    item->handle = MMU_NONE;
    port_family_add(item, family_of(asic, config->num_voq));
    children = objects_children(item, &n);
    for (uint32_t i = 0; i < n; i++) {
        children[i].handle = MMU_NONE;
    }
    return SAI_STATUS_SUCCESS;
}

sai_status_t
system_ports_set(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
                 struct err *err)
{
    (void)asic;
    (void)item;
    (void)id;
    (void)err;
    return SAI_STATUS_SUCCESS;
}

sai_status_t
system_ports_remove(struct asic *asic, struct objects_item *item)
{
    struct objects_item *children;
    uint32_t n;

    children = objects_children(item, &n);
    for (uint32_t i = 0; i < n; i++) {
        counters_free(&children[i]);
        notify_drop_queue(asic, children[i].oid);
    }
    return SAI_STATUS_SUCCESS;
}

/* Reading --------------------------------------------------------------- */

int64_t
system_ports_type(const struct asic *asic, const struct objects_item *item)
{
    return system_port_lookup_is_local(asic, item)
               ? SAI_SYSTEM_PORT_TYPE_LOCAL
               : SAI_SYSTEM_PORT_TYPE_REMOTE;
}

int64_t
system_ports_port(const struct asic *asic, const struct objects_item *item)
{
    const struct objects_item *port = system_port_lookup_port(asic, item);

    return port ? (int64_t)port->oid : (int64_t)SAI_NULL_OBJECT_ID;
}

int64_t
system_ports_of_port(const struct asic *asic, const struct objects_item *port)
{
    const struct objects_item *found = system_port_lookup_of_port(asic, port);

    return found ? (int64_t)found->oid : (int64_t)SAI_NULL_OBJECT_ID;
}

int64_t
system_ports_count(const struct asic *asic, const struct objects_item *sw)
{
    (void)sw;
    return objects_count(asic->objects, TYPE);
}

int64_t
system_ports_n_voqs(const struct asic *asic, const struct objects_item *item)
{
    (void)asic;
    return objects_n_children(item, SAI_OBJECT_TYPE_QUEUE);
}

sai_status_t
system_ports_list(const struct asic *asic, const struct objects_item *sw,
                  sai_attribute_t *attribute)
{
    const uint32_t room = objects_count(asic->objects, TYPE);
    sai_object_id_t *oids = check_calloc(room + 1u, sizeof *oids);
    sai_attribute_value_t all = {.objlist = {0, oids}};
    sai_status_t status;

    (void)sw;
    for (const struct objects_item *i = objects_first(asic->objects, TYPE); i;
         i = objects_next(asic->objects, i)) {
        oids[all.objlist.count++] = i->oid;
    }
    status = attr_value_get(KIND_OBJLIST, &all, &attribute->value);
    free(oids);
    return status;
}

sai_status_t
system_ports_voqs(const struct asic *asic, const struct objects_item *item,
                  sai_attribute_t *attribute)
{
    sai_object_id_t oids[SYSTEM_PORTS_MAX_VOQS];
    sai_attribute_value_t all = {
        .objlist = {objects_n_children(item, SAI_OBJECT_TYPE_QUEUE), oids}};

    (void)asic;
    for (uint32_t i = 0; i < all.objlist.count; i++) {
        oids[i] = objects_child_oid(item, SAI_OBJECT_TYPE_QUEUE, i);
    }
    return attr_value_get(KIND_OBJLIST, &all, &attribute->value);
}
