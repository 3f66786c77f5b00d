/* SPDX-License-Identifier: Apache-2.0 */

/* Further switches with the state of an image.
 *
 * The twin is programmed in the order of dependencies: what others refer to
 * comes first.  Within a type the order is that of the ids, as in the image. */

#include <config.h>

#include "vendors/softasic/sai/asic_share.h"

#include "base/check.h"
#include "sai/core/metadata.h"
#include "vendors/softasic/program/counters.h"
#include "vendors/softasic/program/hashes.h"
#include "vendors/softasic/program/l3.h"
#include "vendors/softasic/program/port_slots.h"
#include "vendors/softasic/program/routes.h"
#include "vendors/softasic/sai/asic.h"
#include "vendors/softasic/sai/program.h"
#include "vendors/softasic/traffic/traffic.h"

/* What an image may have, and how many objects that a client did not create. */
static const struct {
    sai_object_type_t type;
    uint32_t n_initial; /* UINT32_MAX: any number is fine. */
} allowed[] = {
    {SAI_OBJECT_TYPE_SWITCH, 1},
    {SAI_OBJECT_TYPE_PORT, UINT32_MAX},
    {SAI_OBJECT_TYPE_QUEUE, UINT32_MAX},
    {SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, UINT32_MAX},
    {SAI_OBJECT_TYPE_BRIDGE_PORT, UINT32_MAX},
    {SAI_OBJECT_TYPE_VLAN_MEMBER, UINT32_MAX},
    {SAI_OBJECT_TYPE_SCHEDULER_GROUP, UINT32_MAX},
    {SAI_OBJECT_TYPE_QOS_MAP, UINT32_MAX},
    {SAI_OBJECT_TYPE_SCHEDULER, UINT32_MAX},
    {SAI_OBJECT_TYPE_WRED, UINT32_MAX},
    {SAI_OBJECT_TYPE_BUFFER_POOL, UINT32_MAX},
    {SAI_OBJECT_TYPE_BUFFER_PROFILE, UINT32_MAX},
    {SAI_OBJECT_TYPE_VLAN, 1},
    {SAI_OBJECT_TYPE_BRIDGE, 1},
    {SAI_OBJECT_TYPE_STP, 1},
    {SAI_OBJECT_TYPE_HASH, 2},
    {SAI_OBJECT_TYPE_VIRTUAL_ROUTER, 1},
    {SAI_OBJECT_TYPE_HOSTIF_TRAP_GROUP, 1},
};

/* Returns how many objects of 'type' an image may have. */
static uint32_t
allowed_of(sai_object_type_t type)
{
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        if (allowed[i].type == type) {
            return allowed[i].n_initial;
        }
    }
    return 0;
}

/* Types whose objects come with a port; an image has no others, and all. */
static const sai_object_type_t of_ports[] = {
    SAI_OBJECT_TYPE_QUEUE,           SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
    SAI_OBJECT_TYPE_SCHEDULER_GROUP, SAI_OBJECT_TYPE_BRIDGE_PORT,
    SAI_OBJECT_TYPE_VLAN_MEMBER,
};

static enum st
refuse(sai_object_type_t type, struct err *err)
{
    return err_set(err, ST_UNSUPPORTED, "image",
                   "a switch with this set of %s objects cannot be an image",
                   metadata_type_name(type));
}

/* Returns whether a bridge port or VLAN member was removed from its port. */
static bool
misses_child(const struct asic *asic)
{
    const uint32_t n =
        objects_count(asic->objects, SAI_OBJECT_TYPE_PORT) - 1; /* CPU. */

    return objects_count(asic->objects, SAI_OBJECT_TYPE_BRIDGE_PORT) != n ||
           objects_count(asic->objects, SAI_OBJECT_TYPE_VLAN_MEMBER) != n;
}

enum st
asic_freeze(struct asic *asic, struct err *err)
{
    for (int t = 1; t < SAI_OBJECT_TYPE_MAX; t++) {
        const sai_object_type_t type = (sai_object_type_t)t;

        if (metadata_type_name(type) &&
            objects_count(asic->objects, type) > allowed_of(type)) {
            return refuse(type, err);
        }
    }
    if (routes_list(asic, SAI_OBJECT_TYPE_ROUTE_ENTRY, NULL)) {
        return refuse(SAI_OBJECT_TYPE_ROUTE_ENTRY, err);
    }
    if (misses_child(asic)) {
        return refuse(SAI_OBJECT_TYPE_BRIDGE_PORT, err);
    }
    for (size_t i = 0; i < sizeof of_ports / sizeof *of_ports; i++) {
        if (objects_first_own(asic->objects, of_ports[i])) {
            return refuse(of_ports[i], err);
        }
        /* The counters are 0, so their data says nothing. */
        for (struct objects_item *o = objects_first(asic->objects, of_ports[i]);
             o; o = objects_next(asic->objects, o)) {
            counters_free(o);
        }
    }
    return ST_OK;
}

/* Programming ----------------------------------------------------------- */

/* Programs all objects of 'type' that are not children. */
static sai_status_t
program_type(struct asic *asic, sai_object_type_t type, struct err *err)
{
    sai_status_t status = SAI_STATUS_SUCCESS;
    sai_attr_id_t blame;

    for (struct objects_item *i = objects_first_own(asic->objects, type);
         i && status == SAI_STATUS_SUCCESS;
         i = objects_next(asic->objects, i)) {
        status = program_create(asic, i, &blame, err);
    }
    return status;
}

/* Programs what was set of the children of 'port'. */
static sai_status_t
program_children(struct asic *asic, const struct objects_item *port,
                 struct err *err)
{
    uint32_t n;
    struct objects_item *children = objects_children(port, &n);

    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t v = 0; v < children[i].n_values; v++) {
            const sai_status_t status =
                program_set(asic, &children[i], children[i].values[v].id, err);

            if (status != SAI_STATUS_SUCCESS) {
                return status;
            }
        }
    }
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
program_ports(struct asic *asic, const struct asic *image, struct err *err)
{
    sai_status_t status = SAI_STATUS_SUCCESS;

    port_slots_reserve(asic, image->n_ports);
    for (uint32_t slot = 0; slot < image->n_ports; slot++) {
        const struct objects_item *of_image = image->ports[slot].item;
        struct objects_item *port;

        if (!of_image) {
            continue;
        }
        port = objects_find(asic->objects, of_image->oid);
        status = program_shared_port(asic, port, err);
        if (status == SAI_STATUS_SUCCESS) {
            status = program_children(asic, port, err);
        }
        if (status != SAI_STATUS_SUCCESS) {
            return status;
        }
    }
    return program_children(asic, asic->cpu_port, err);
}

/* Programs the twin from the objects. */
static sai_status_t
program_twin(struct asic *asic, const struct asic *image, struct err *err)
{
    static const sai_object_type_t before_switch[] = {
        SAI_OBJECT_TYPE_QOS_MAP,        SAI_OBJECT_TYPE_WRED,
        SAI_OBJECT_TYPE_SCHEDULER,      SAI_OBJECT_TYPE_BUFFER_POOL,
        SAI_OBJECT_TYPE_BUFFER_PROFILE,
    };
    const size_t n = sizeof before_switch / sizeof *before_switch;
    sai_status_t status = SAI_STATUS_SUCCESS;

    for (size_t i = 0; i < n && status == SAI_STATUS_SUCCESS; i++) {
        status = program_type(asic, before_switch[i], err);
    }
    if (status == SAI_STATUS_SUCCESS) {
        status = program_type(asic, SAI_OBJECT_TYPE_SWITCH, err);
    }
    if (status == SAI_STATUS_SUCCESS) {
        l3_start_shared(asic, objects_find(asic->objects, image->domain->oid));
        hashes_start_shared(asic, image);
        status = program_ports(asic, image, err);
    }
    return status;
}

/* Sets what is particular to this switch, before it is programmed. */
static void
set_own(struct asic *asic, const struct asic_share_options *options)
{
    sai_attribute_t mac = {.id = SAI_SWITCH_ATTR_SRC_MAC_ADDRESS};
    const sai_attribute_t seed = {.id = SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_SEED,
                                  .value = {.u32 = options->ecmp_seed}};

    for (int i = 0; i < 6; i++) {
        mac.value.mac[i] = (uint8_t)(options->mac >> (40 - 8 * i));
    }
    if (options->mac) {
        objects_put(asic->objects, asic->sw, &mac);
    }
    if (options->has_ecmp_seed) {
        objects_put(asic->objects, asic->sw, &seed);
    }
}

enum st
asic_share(const struct asic *image, const struct asic_share_options *options,
           struct asic **asic, struct err *err)
{
    struct err why = {.reason = ""};
    struct asic *made;
    sai_status_t status;

    if (options->mac >> 48 || options->mac >> 40 & 1) {
        return err_set(err, ST_INVALID, "mac",
                       "%012llx is not the address of a station",
                       (unsigned long long)options->mac);
    }
    made = asic_create_empty(
        image->chip,
        sim_create_on(image->chip, options->engine, options->entity));
    made->borrows_chip = true;
    made->family = image->family;
    made->cpu_family = image->cpu_family;
    traffic_listen(made, false);
    made->objects = objects_share(image->objects);
    made->sw = objects_find(made->objects, image->sw->oid);
    made->cpu_port = objects_find(made->objects, image->cpu_port->oid);
    made->trap_group = objects_find(made->objects, image->trap_group->oid);
    set_own(made, options);
    status = program_twin(made, image, &why);
    if (status != SAI_STATUS_SUCCESS) {
        asic_destroy(made);
        return err_set(
            err, ST_DEVICE, "image",
            "the switch refuses the state of its image (status %d): %s", status,
            why.reason);
    }
    *asic = made;
    return ST_OK;
}

size_t
asic_bytes(const struct asic *asic)
{
    return sizeof *asic + objects_bytes(asic->objects) + routes_bytes(asic) +
           asic->n_slots * sizeof *asic->ports +
           objects_count(asic->objects, SAI_OBJECT_TYPE_QOS_MAP) *
               sizeof(struct classify_remark) + /* The larger kind. */
           objects_count(asic->objects, SAI_OBJECT_TYPE_WRED) *
               sizeof(struct wred_profile);
}
