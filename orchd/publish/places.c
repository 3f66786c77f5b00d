/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of ids, and one question for the type of each queue. */

#include <config.h>

#include "orchd/publish/places.h"

#include <stdlib.h>

#include "base/check.h"
#include "sai/backend.h"

/* More than any port has: a library that says so is not believed. */
#define MAX_PLACES 1024

/* Attributes of a switch port that list its places, and the attribute that says
 * where each is. */
static const struct {
    sai_attr_id_t list;
    sai_object_type_t type;
    sai_attr_id_t index;
} families[N_PLACE_FAMILIES] = {
    [PLACES_QUEUES] = {SAI_PORT_ATTR_QOS_QUEUE_LIST, SAI_OBJECT_TYPE_QUEUE,
                       SAI_QUEUE_ATTR_INDEX},
    [PLACES_PGS] = {SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST,
                    SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                    SAI_INGRESS_PRIORITY_GROUP_ATTR_INDEX},
};

/* Reads the ids of the places of 'port' into '*oids', which the caller frees.
 * Returns how many there are. */
static uint32_t
read_ids(struct sai_backend *backend, sai_object_id_t port, sai_attr_id_t id,
         sai_object_id_t **oids)
{
    sai_attribute_t list = {.id = id};
    sai_status_t status;

    *oids = NULL;
    status = backend->ops->get(backend, SAI_OBJECT_TYPE_PORT, port, 1, &list);
    if (status != SAI_STATUS_BUFFER_OVERFLOW ||
        list.value.objlist.count > MAX_PLACES) {
        return 0;
    }
    *oids = check_calloc(list.value.objlist.count, sizeof **oids);
    list.value.objlist.list = *oids;
    status = backend->ops->get(backend, SAI_OBJECT_TYPE_PORT, port, 1, &list);
    return status ? 0 : list.value.objlist.count;
}

static int32_t
read_kind(struct sai_backend *backend, enum place_family family,
          sai_object_id_t oid)
{
    sai_attribute_t type = {.id = SAI_QUEUE_ATTR_TYPE};

    if (family != PLACES_QUEUES) {
        return 0;
    }
    return backend->ops->get(backend, SAI_OBJECT_TYPE_QUEUE, oid, 1, &type)
               ? SAI_QUEUE_TYPE_UNICAST
               : type.value.s32;
}

uint32_t
places_read(struct sai_backend *backend, sai_object_id_t port,
            enum place_family family, struct place **places)
{
    sai_object_id_t *oids;
    const uint32_t n = read_ids(backend, port, families[family].list, &oids);
    uint16_t n_voqs = 0;

    *places = check_calloc(n + 1u, sizeof **places);
    for (uint32_t i = 0; i < n; i++) {
        const int32_t kind = read_kind(backend, family, oids[i]);

        (*places)[i] = (struct place){
            .oid = oids[i],
            .kind = kind,
            .number =
                place_role(family, kind) == PLACE_VOQ ? n_voqs++ : (uint16_t)i};
    }
    free(oids);
    return n;
}

uint32_t
place_index(struct sai_backend *backend, enum place_family family,
            const struct place *place)
{
    sai_attribute_t index = {.id = families[family].index};

    return backend->ops->get(backend, families[family].type, place->oid, 1,
                             &index)
               ? place->number
               : index.value.u8;
}

enum place_role
place_role(enum place_family family, int32_t kind)
{
    if (family != PLACES_QUEUES) {
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
