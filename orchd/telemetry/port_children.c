/* SPDX-License-Identifier: Apache-2.0 */

/* Reads lists of ids and types of queues, each in one call for all ports. */

#include <config.h>

#include "orchd/telemetry/port_children.h"

#include <stdlib.h>

#include "base/check.h"
#include "sai/core/backend.h"
#include "sai/core/bulk_get.h"

/* More than any port has; a longer list is an error of the library. */
#define MAX_CHILDREN 1024

/* The attribute of a port that lists its children, and the attribute of a child
 * that has its index. */
static const struct {
    sai_attr_id_t list;
    sai_object_type_t type;
    sai_attr_id_t index;
} families[N_PORT_CHILDREN_FAMILIES] = {
    [PORT_CHILDREN_QUEUES] = {SAI_PORT_ATTR_QOS_QUEUE_LIST,
                              SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_INDEX},
    [PORT_CHILDREN_PGS] = {SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST,
                           SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                           SAI_INGRESS_PRIORITY_GROUP_ATTR_INDEX},
};

/* Stores the ids of the children of a port; NULL: they are unknown. */
static void
take_ids(struct port_children *children, const sai_attribute_value_t *ids)
{
    const uint32_t n = ids ? ids->objlist.count : 0;

    children->n = n <= MAX_CHILDREN ? n : 0;
    children->list = check_calloc(children->n + 1u, sizeof *children->list);
    for (uint32_t i = 0; i < children->n; i++) {
        children->list[i].oid = ids->objlist.list[i];
        children->list[i].number = (uint16_t)i;
    }
}

/* Collects the ids of all children of 'n' ports; the caller frees them. */
static sai_object_id_t *
collect(const struct port_children *children, uint32_t n, uint32_t *n_oids)
{
    sai_object_id_t *oids;

    *n_oids = 0;
    for (uint32_t i = 0; i < n; i++) {
        *n_oids += children[i].n;
    }
    oids = check_calloc(*n_oids + 1u, sizeof *oids);
    *n_oids = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < children[i].n; k++) {
            oids[(*n_oids)++] = children[i].list[k].oid;
        }
    }
    return oids;
}

/* Reads the types of queues, and numbers the virtual output queues among them.
 */
static void
read_types(struct sai_backend *backend, struct port_children *children,
           uint32_t n)
{
    struct bulk_get types;
    uint32_t n_oids, at = 0;
    sai_object_id_t *oids = collect(children, n, &n_oids);

    bulk_get_read(&types, backend, SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_TYPE,
                  n_oids, oids);
    for (uint32_t i = 0; i < n; i++) {
        uint16_t n_voqs = 0;

        for (uint32_t k = 0; k < children[i].n; k++) {
            const sai_attribute_value_t *type = bulk_get_value(&types, at++);
            struct port_child *child = &children[i].list[k];

            child->kind = type ? type->s32 : SAI_QUEUE_TYPE_UNICAST;
            if (port_children_role(PORT_CHILDREN_QUEUES, child->kind) ==
                PORT_CHILDREN_VOQ) {
                child->number = n_voqs++;
            }
        }
    }
    bulk_get_fini(&types);
    free(oids);
}

/* Reads the lists in attribute 'list' of 'n' objects of 'type'. */
static void
read_lists(struct sai_backend *backend, sai_object_type_t type,
           sai_attr_id_t list, uint32_t n, const sai_object_id_t *oids,
           struct port_children *children)
{
    struct bulk_get ids;

    bulk_get_read(&ids, backend, type, list, n, oids);
    for (uint32_t i = 0; i < n; i++) {
        take_ids(&children[i], bulk_get_value(&ids, i));
    }
    bulk_get_fini(&ids);
}

void
port_children_read_voqs(struct sai_backend *backend, uint32_t n,
                        const sai_object_id_t *ports,
                        struct port_children *children)
{
    read_lists(backend, SAI_OBJECT_TYPE_SYSTEM_PORT,
               SAI_SYSTEM_PORT_ATTR_QOS_VOQ_LIST, n, ports, children);
    read_types(backend, children, n);
}

void
port_children_read(struct sai_backend *backend, uint32_t n,
                   const sai_object_id_t *ports,
                   enum port_children_family family,
                   struct port_children *children)
{
    read_lists(backend, SAI_OBJECT_TYPE_PORT, families[family].list, n, ports,
               children);
    if (family == PORT_CHILDREN_QUEUES) {
        read_types(backend, children, n);
    }
}

void
port_children_index(struct sai_backend *backend,
                    enum port_children_family family, uint32_t n,
                    struct port_child *const *children, uint32_t *indexes)
{
    sai_object_id_t *oids = check_calloc(n + 1u, sizeof *oids);
    struct bulk_get column;

    for (uint32_t i = 0; i < n; i++) {
        oids[i] = children[i]->oid;
    }
    bulk_get_read(&column, backend, families[family].type,
                  families[family].index, n, oids);
    for (uint32_t i = 0; i < n; i++) {
        const sai_attribute_value_t *index = bulk_get_value(&column, i);

        indexes[i] = index ? index->u8 : children[i]->number;
    }
    bulk_get_fini(&column);
    free(oids);
}

enum port_children_role
port_children_role(enum port_children_family family, int32_t kind)
{
    if (family != PORT_CHILDREN_QUEUES) {
        return PORT_CHILDREN_LISTED;
    }
    return kind == SAI_QUEUE_TYPE_UNICAST_VOQ ? PORT_CHILDREN_VOQ
           : port_children_type_name(kind)    ? PORT_CHILDREN_LISTED
                                              : PORT_CHILDREN_UNLISTED;
}

const char *
port_children_type_name(int32_t kind)
{
    switch (kind) {
    case SAI_QUEUE_TYPE_ALL:
        return "SAI_QUEUE_TYPE_ALL";
    case SAI_QUEUE_TYPE_UNICAST:
        return "SAI_QUEUE_TYPE_UNICAST";
    case SAI_QUEUE_TYPE_MULTICAST:
        return "SAI_QUEUE_TYPE_MULTICAST";
    case SAI_QUEUE_TYPE_UNICAST_VOQ:
        return "SAI_QUEUE_TYPE_UNICAST_VOQ";
    default:
        return NULL;
    }
}
