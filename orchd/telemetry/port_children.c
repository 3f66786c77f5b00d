/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of ids, and the types of queues: one question each for all ports. */

#include <config.h>

#include "orchd/telemetry/port_children.h"

#include <stdlib.h>

#include "base/check.h"
#include "sai/core/backend.h"
#include "sai/core/bulk_get.h"

/* More than any port has: a library that says so is not believed. */
#define MAX_PLACES 1024

/* Attributes of a switch port that list its places, and the attribute that says
 * where each is. */
static const struct {
    sai_attr_id_t list;
    sai_object_type_t type;
    sai_attr_id_t index;
} families[N_PLACE_FAMILIES] = {
    [PORT_CHILDREN_QUEUES] = {SAI_PORT_ATTR_QOS_QUEUE_LIST,
                              SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_INDEX},
    [PORT_CHILDREN_PGS] = {SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST,
                           SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                           SAI_INGRESS_PRIORITY_GROUP_ATTR_INDEX},
};

/* Takes the ids of the places of a port; NULL: it does not say. */
static void
take_ids(struct port_children *places, const sai_attribute_value_t *ids)
{
    const uint32_t n = ids ? ids->objlist.count : 0;

    places->n = n <= MAX_PLACES ? n : 0;
    places->list = check_calloc(places->n + 1u, sizeof *places->list);
    for (uint32_t i = 0; i < places->n; i++) {
        places->list[i].oid = ids->objlist.list[i];
        places->list[i].number = (uint16_t)i;
    }
}

/* Collects the ids of all places of 'n' ports; the caller frees them. */
static sai_object_id_t *
collect(const struct port_children *places, uint32_t n, uint32_t *n_oids)
{
    sai_object_id_t *oids;

    *n_oids = 0;
    for (uint32_t i = 0; i < n; i++) {
        *n_oids += places[i].n;
    }
    oids = check_calloc(*n_oids + 1u, sizeof *oids);
    *n_oids = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < places[i].n; k++) {
            oids[(*n_oids)++] = places[i].list[k].oid;
        }
    }
    return oids;
}

/* Reads the types of queues, and numbers the virtual output queues among them.
 */
static void
read_types(struct sai_backend *backend, struct port_children *places,
           uint32_t n)
{
    struct bulk_get types;
    uint32_t n_oids, at = 0;
    sai_object_id_t *oids = collect(places, n, &n_oids);

    bulk_get_read(&types, backend, SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_TYPE,
                  n_oids, oids);
    for (uint32_t i = 0; i < n; i++) {
        uint16_t n_voqs = 0;

        for (uint32_t k = 0; k < places[i].n; k++) {
            const sai_attribute_value_t *type = bulk_get_value(&types, at++);
            struct place *place = &places[i].list[k];

            place->kind = type ? type->s32 : SAI_QUEUE_TYPE_UNICAST;
            if (place_role(PORT_CHILDREN_QUEUES, place->kind) == PLACE_VOQ) {
                place->number = n_voqs++;
            }
        }
    }
    bulk_get_fini(&types);
    free(oids);
}

void
port_children_read(struct sai_backend *backend, uint32_t n,
                   const sai_object_id_t *ports, enum place_family family,
                   struct port_children *places)
{
    struct bulk_get ids;

    bulk_get_read(&ids, backend, SAI_OBJECT_TYPE_PORT, families[family].list, n,
                  ports);
    for (uint32_t i = 0; i < n; i++) {
        take_ids(&places[i], bulk_get_value(&ids, i));
    }
    bulk_get_fini(&ids);
    if (family == PORT_CHILDREN_QUEUES) {
        read_types(backend, places, n);
    }
}

void
port_children_index(struct sai_backend *backend, enum place_family family,
                    uint32_t n, struct place *const *places, uint32_t *indexes)
{
    sai_object_id_t *oids = check_calloc(n + 1u, sizeof *oids);
    struct bulk_get column;

    for (uint32_t i = 0; i < n; i++) {
        oids[i] = places[i]->oid;
    }
    bulk_get_read(&column, backend, families[family].type,
                  families[family].index, n, oids);
    for (uint32_t i = 0; i < n; i++) {
        const sai_attribute_value_t *index = bulk_get_value(&column, i);

        indexes[i] = index ? index->u8 : places[i]->number;
    }
    bulk_get_fini(&column);
    free(oids);
}

enum place_role
place_role(enum place_family family, int32_t kind)
{
    if (family != PORT_CHILDREN_QUEUES) {
        return PLACE_LISTED;
    }
    return kind == SAI_QUEUE_TYPE_UNICAST_VOQ ? PLACE_VOQ
           : place_type_name(kind)            ? PLACE_LISTED
                                              : PLACE_UNLISTED;
}

const char *
place_type_name(int32_t kind)
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
