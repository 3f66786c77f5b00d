/* SPDX-License-Identifier: Apache-2.0 */

/* Collects fields of the hashes, and writes many at once. */

#include <config.h>

#include "orchd/publish/asic_maps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "sai/core/backend.h"
#include "sai/core/metadata.h"
#include "sai/stack/adoption.h"

/* The most fields that one command writes. */
enum { BATCH = 64, ID_SIZE = 32 };

static const char *const hashes[] = {"VIDTORID", "RIDTOVID", "HIDDEN",
                                     "COLDVIDS", "LANES"};

enum hash { VID_TO_RID, RID_TO_VID, HIDDEN, COLD_VIDS, LANES, N_HASHES };

_Static_assert(sizeof hashes / sizeof hashes[0] == N_HASHES,
               "each hash has a name");

/* The attributes of the switch that name an object which is always there, and
 * its type, which orchd need not know. */
static const struct {
    sai_attr_id_t id;
    const char *type;
} named[] = {
    {SAI_SWITCH_ATTR_CPU_PORT, "SAI_OBJECT_TYPE_PORT"},
    {SAI_SWITCH_ATTR_DEFAULT_VLAN_ID, "SAI_OBJECT_TYPE_VLAN"},
    {SAI_SWITCH_ATTR_DEFAULT_STP_INST_ID, "SAI_OBJECT_TYPE_STP"},
    {SAI_SWITCH_ATTR_DEFAULT_VIRTUAL_ROUTER_ID,
     "SAI_OBJECT_TYPE_VIRTUAL_ROUTER"},
    {SAI_SWITCH_ATTR_DEFAULT_1Q_BRIDGE_ID, "SAI_OBJECT_TYPE_BRIDGE"},
    {SAI_SWITCH_ATTR_DEFAULT_TRAP_GROUP, "SAI_OBJECT_TYPE_HOSTIF_TRAP_GROUP"},
};

enum { N_NAMED = sizeof named / sizeof named[0] };

/* Which port has a lane. */
struct lane {
    uint32_t number; /* Key. */
    sai_object_id_t port;
    UT_hash_handle hh;
};

struct asic_maps {
    struct redis *redis;
    bool wanted;
    sai_object_id_t named[N_NAMED]; /* SAI_NULL_OBJECT_ID: there is none. */
    struct lane *lanes;

    /* Collected objects. */
    size_t n;
    struct {
        char id[ID_SIZE];
        const char *type; /* NULL: the control plane has created it. */
    } objects[BATCH];
};

struct asic_maps *
asic_maps_create(struct redis *redis)
{
    struct asic_maps *maps = check_calloc(1, sizeof *maps);

    maps->redis = redis;
    return maps;
}

static void
forget_lanes(struct asic_maps *maps)
{
    struct lane *lane, *next;

    HASH_ITER(hh, maps->lanes, lane, next)
    {
        HASH_DEL(maps->lanes, lane);
        free(lane);
    }
}

void
asic_maps_destroy(struct asic_maps *maps)
{
    if (maps) {
        forget_lanes(maps);
        free(maps);
    }
}

void
asic_maps_want(struct asic_maps *maps)
{
    maps->wanted = true;
}

static void
format_id(sai_object_id_t oid, char *text)
{
    text_format(text, ID_SIZE, "oid:0x%" PRIx64, oid);
}

/* Adds an object; 'type' is NULL if the control plane has created it. */
static void
collect(struct asic_maps *maps, sai_object_id_t oid, const char *type)
{
    if (maps->n == BATCH) {
        asic_maps_flush(maps);
    }
    format_id(oid, maps->objects[maps->n].id);
    maps->objects[maps->n].type = type;
    maps->n++;
}

/* Writes the objects that the switch names. */
static void
publish_named(struct asic_maps *maps)
{
    for (size_t i = 0; i < N_NAMED; i++) {
        const struct metadata_attribute *meta =
            metadata_attribute(SAI_OBJECT_TYPE_SWITCH, named[i].id);
        char id[ID_SIZE];

        if (maps->named[i] != SAI_NULL_OBJECT_ID) {
            format_id(maps->named[i], id);
            redis_hset(maps->redis, ASIC_DB, hashes[HIDDEN],
                       &(struct field){meta->name, id}, 1);
            collect(maps, maps->named[i], named[i].type);
        }
    }
}

void
asic_maps_attach(struct asic_maps *maps, struct sai_backend *backend)
{
    if (!maps->wanted) {
        return;
    }
    for (size_t i = 0; i < N_NAMED; i++) {
        sai_attribute_t attribute = {.id = named[i].id};

        maps->named[i] = SAI_NULL_OBJECT_ID;
        if (backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH,
                              backend->switch_id, 1,
                              &attribute) == SAI_STATUS_SUCCESS) {
            maps->named[i] = attribute.value.oid;
        }
    }
    publish_named(maps);
}

void
asic_maps_restart(struct asic_maps *maps)
{
    maps->n = 0;
    forget_lanes(maps);
    for (int i = 0; i < N_HASHES; i++) {
        redis_del(maps->redis, ASIC_DB, hashes[i]);
    }
    if (maps->wanted) {
        publish_named(maps);
    }
}

void
asic_maps_appeared(struct asic_maps *maps, sai_object_type_t type,
                   sai_object_id_t oid)
{
    if (maps->wanted) {
        collect(maps, oid,
                adoption_considers(type) ? NULL : metadata_object(type)->name);
    }
}

/* Gives 'lane' to 'port'. */
static void
set_lane(struct asic_maps *maps, uint32_t number, sai_object_id_t port)
{
    struct lane *lane;
    char field[ID_SIZE], id[ID_SIZE];

    HASH_FIND(hh, maps->lanes, &number, sizeof number, lane);
    if (!lane) {
        lane = check_calloc(1, sizeof *lane);
        lane->number = number;
        HASH_ADD(hh, maps->lanes, number, sizeof lane->number, lane);
    }
    lane->port = port;
    text_format(field, sizeof field, "%" PRIu32, number);
    format_id(port, id);
    redis_hset(maps->redis, ASIC_DB, hashes[LANES], &(struct field){field, id},
               1);
}

void
asic_maps_attribute(struct asic_maps *maps, sai_object_type_t type,
                    sai_object_id_t oid, sai_attr_id_t id,
                    const sai_attribute_value_t *value)
{
    if (!maps->wanted || type != SAI_OBJECT_TYPE_PORT ||
        id != SAI_PORT_ATTR_HW_LANE_LIST) {
        return;
    }
    for (uint32_t i = 0; i < value->u32list.count; i++) {
        set_lane(maps, value->u32list.list[i], oid);
    }
}

/* Removes the lanes of 'port', but those that another one has got. */
static void
remove_lanes(struct asic_maps *maps, sai_object_id_t port)
{
    struct lane *lane, *next;
    char field[ID_SIZE];

    HASH_ITER(hh, maps->lanes, lane, next)
    {
        if (lane->port == port) {
            text_format(field, sizeof field, "%" PRIu32, lane->number);
            redis_hdel(maps->redis, ASIC_DB, hashes[LANES], field);
            HASH_DEL(maps->lanes, lane);
            free(lane);
        }
    }
}

void
asic_maps_gone(struct asic_maps *maps, sai_object_type_t type,
               sai_object_id_t oid)
{
    char id[ID_SIZE];

    if (!maps->wanted) {
        return;
    }
    asic_maps_flush(maps);
    format_id(oid, id);
    redis_hdel(maps->redis, ASIC_DB, hashes[VID_TO_RID], id);
    redis_hdel(maps->redis, ASIC_DB, hashes[RID_TO_VID], id);
    redis_hdel(maps->redis, ASIC_DB, hashes[COLD_VIDS], id);
    if (type == SAI_OBJECT_TYPE_PORT) {
        remove_lanes(maps, oid);
    }
}

void
asic_maps_flush(struct asic_maps *maps)
{
    struct field ids[BATCH], cold[BATCH];
    size_t n_cold = 0;

    if (!maps->n) {
        return;
    }
    for (size_t i = 0; i < maps->n; i++) {
        const char *id = maps->objects[i].id;

        ids[i] = (struct field){id, id};
        if (maps->objects[i].type) {
            cold[n_cold++] = (struct field){id, maps->objects[i].type};
        }
    }
    redis_hset(maps->redis, ASIC_DB, hashes[VID_TO_RID], ids, maps->n);
    redis_hset(maps->redis, ASIC_DB, hashes[RID_TO_VID], ids, maps->n);
    if (n_cold) {
        redis_hset(maps->redis, ASIC_DB, hashes[COLD_VIDS], cold, n_cold);
    }
    maps->n = 0;
}
