/* SPDX-License-Identifier: Apache-2.0 */

/* The ports that are published, each with its queues and priority groups.
 *
 * When the scope changes, each port is compared with it once, at the end of the
 * turn. */

#include <config.h>

#include "orchd/publish/maps.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "orchd/counters/poller.h"
#include "orchd/db/redis.h"
#include "orchd/intent/key.h"
#include "orchd/publish/counters.h"
#include "orchd/publish/scope.h"
#include "sai/backend.h"
#include "sai/serialize.h"

/* More than any port has: a library that says so is not believed. */
#define MAX_PLACES 1024

/* Attributes of a switch port that list its places, how the maps of these are
 * called, and the attributes that say more about each. */
struct family {
    sai_attr_id_t list;
    sai_object_type_t type;
    sai_attr_id_t index;
    bool typed;
    const char *name_map, *port_map, *index_map, *type_map;
};

enum { QUEUES, PGS, N_FAMILIES };

static const struct family families[N_FAMILIES] = {
    [QUEUES] = {SAI_PORT_ATTR_QOS_QUEUE_LIST, SAI_OBJECT_TYPE_QUEUE,
                SAI_QUEUE_ATTR_INDEX, true, "COUNTERS_QUEUE_NAME_MAP",
                "COUNTERS_QUEUE_PORT_MAP", "COUNTERS_QUEUE_INDEX_MAP",
                "COUNTERS_QUEUE_TYPE_MAP"},
    [PGS] = {SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST,
             SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
             SAI_INGRESS_PRIORITY_GROUP_ATTR_INDEX, false,
             "COUNTERS_PG_NAME_MAP", "COUNTERS_PG_PORT_MAP",
             "COUNTERS_PG_INDEX_MAP", NULL},
};

#define PORT_MAP "COUNTERS_PORT_NAME_MAP"
#define POOL_MAP "COUNTERS_BUFFER_POOL_NAME_MAP"

enum { PLACE_NAME = 144 }; /* Bytes. */

/* What is said of a queue or priority group.  Only while it is said: there are
 * some 30 per port, and all of it but the id can be had again. */
struct place {
    sai_object_id_t id;
    uint32_t position; /* At the port. */
    int32_t kind;      /* Its queue type. */
    char oid[24];      /* The id as text. */
    char index[4];
    const char *type; /* Name of the queue type. */
    char name[PLACE_NAME];
};

struct port {
    char *name; /* Key. */
    sai_object_id_t oid;
    sai_object_id_t *places[N_FAMILIES]; /* Ids, by position. */
    bool *shown[N_FAMILIES];             /* Which of them are in the maps. */
    uint32_t n[N_FAMILIES];
    UT_hash_handle hh;
};

struct pool {
    char *name; /* Key. */
    sai_object_id_t oid;
    UT_hash_handle hh;
};

struct maps {
    struct redis *redis;
    struct counters *counters;
    struct sai_backend *backend; /* NULL before maps_attach(). */
    uint64_t mmu_bytes;
    struct port *ports;
    struct pool *pools;
    struct scope *scope;
    struct field *fields; /* Scratch. */
    size_t fields_size;
};

struct maps *
maps_create(struct redis *redis, struct counters *counters)
{
    struct maps *maps = check_calloc(1, sizeof *maps);

    maps->redis = redis;
    maps->counters = counters;
    maps->scope = scope_create();
    return maps;
}

static void
port_free(struct maps *maps, struct port *port)
{
    HASH_DEL(maps->ports, port);
    for (int i = 0; i < N_FAMILIES; i++) {
        free(port->places[i]);
        free(port->shown[i]);
    }
    free(port->name);
    free(port);
}

static void
pool_free(struct maps *maps, struct pool *pool)
{
    HASH_DEL(maps->pools, pool);
    free(pool->name);
    free(pool);
}

static void
forget(struct maps *maps)
{
    struct port *port, *next_port;
    struct pool *pool, *next_pool;

    HASH_ITER(hh, maps->ports, port, next_port)
    {
        port_free(maps, port);
    }
    HASH_ITER(hh, maps->pools, pool, next_pool)
    {
        pool_free(maps, pool);
    }
}

void
maps_destroy(struct maps *maps)
{
    if (maps) {
        forget(maps);
        scope_destroy(maps->scope);
        free(maps->fields);
        free(maps);
    }
}

/* Publishes the size of the packet buffer, once it is known. */
static void
publish_size(struct maps *maps)
{
    char text[24];
    const struct field field = {"mmu_size", text};

    if (maps->mmu_bytes) {
        text_format(text, sizeof text, "%llu",
                    (unsigned long long)maps->mmu_bytes);
        redis_hset(maps->redis, STATE_DB, "BUFFER_MAX_PARAM_TABLE|global",
                   &field, 1);
    }
}

void
maps_attach(struct maps *maps, struct sai_backend *backend)
{
    sai_attribute_t size = {.id = SAI_SWITCH_ATTR_TOTAL_BUFFER_SIZE};

    maps->backend = backend;
    if (!backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH, backend->switch_id,
                           1, &size)) {
        /* SAI counts it in units of 1024 bytes. */
        maps->mmu_bytes = size.value.u64 * 1024;
    }
    publish_size(maps);
}

uint64_t
maps_mmu_size(const struct maps *maps)
{
    return maps->mmu_bytes;
}

void
maps_restart(struct maps *maps)
{
    forget(maps);
    scope_forget(maps->scope);
    redis_del(maps->redis, COUNTERS_DB, PORT_MAP);
    redis_del(maps->redis, COUNTERS_DB, POOL_MAP);
    for (int i = 0; i < N_FAMILIES; i++) {
        redis_del(maps->redis, COUNTERS_DB, families[i].name_map);
        redis_del(maps->redis, COUNTERS_DB, families[i].port_map);
        redis_del(maps->redis, COUNTERS_DB, families[i].index_map);
        if (families[i].typed) {
            redis_del(maps->redis, COUNTERS_DB, families[i].type_map);
        }
    }
    publish_size(maps);
}

/* Writes "oid:0x..." into 'buffer'. */
static void
oid_text(sai_object_id_t oid, char *buffer, size_t size)
{
    struct text text = {0};

    serialize_oid(oid, &text);
    text_copy(buffer, size, text_string(&text));
    text_fini(&text);
}

/* Reads the ids of the places of 'port_oid' into '*oids', which the caller
 * frees.  Returns how many there are; 0 if the ASIC does not say. */
static uint32_t
read_list(struct maps *maps, sai_object_id_t port_oid, sai_attr_id_t id,
          sai_object_id_t **oids)
{
    struct sai_backend *backend = maps->backend;
    sai_attribute_t list = {.id = id};
    sai_status_t status;

    *oids = NULL;
    status =
        backend->ops->get(backend, SAI_OBJECT_TYPE_PORT, port_oid, 1, &list);
    if (status != SAI_STATUS_BUFFER_OVERFLOW ||
        list.value.objlist.count > MAX_PLACES) {
        return 0;
    }
    *oids = check_calloc(list.value.objlist.count, sizeof **oids);
    list.value.objlist.list = *oids;
    status =
        backend->ops->get(backend, SAI_OBJECT_TYPE_PORT, port_oid, 1, &list);
    return status ? 0 : list.value.objlist.count;
}

/* Writes the name of a place of 'port' into 'buffer'. */
static void
place_name(const struct port *port, uint32_t position, char *buffer,
           size_t size)
{
    text_format(buffer, size, "%.128s:%u", port->name, position);
}

/* Reads what is to be known of the 'position'th place of a family.  An ASIC
 * that does not tell has unicast queues in order. */
static void
read_place(struct maps *maps, const struct family *family,
           const struct port *port, uint32_t position, struct place *place)
{
    const sai_object_id_t oid = port->places[family - families][position];
    struct sai_backend *backend = maps->backend;
    sai_attribute_t index = {.id = family->index};
    sai_attribute_t type = {.id = SAI_QUEUE_ATTR_TYPE};

    if (backend->ops->get(backend, family->type, oid, 1, &index)) {
        index.value.u8 = (uint8_t)position;
    }
    if (!family->typed ||
        backend->ops->get(backend, family->type, oid, 1, &type)) {
        type.value.s32 = SAI_QUEUE_TYPE_UNICAST;
    }
    place->id = oid;
    place->position = position;
    place->kind = family->typed ? type.value.s32 : 0;
    oid_text(oid, place->oid, sizeof place->oid);
    place_name(port, position, place->name, sizeof place->name);
    text_format(place->index, sizeof place->index, "%u", index.value.u8);
    place->type =
        type.value.s32 == SAI_QUEUE_TYPE_MULTICAST ? "SAI_QUEUE_TYPE_MULTICAST"
        : type.value.s32 == SAI_QUEUE_TYPE_ALL     ? "SAI_QUEUE_TYPE_ALL"
                                                   : "SAI_QUEUE_TYPE_UNICAST";
}

/* Reads which places of one family a port has; none if there is no ASIC to ask.
 */
static void
read_family(struct maps *maps, struct port *port, int which)
{
    if (maps->backend) {
        port->n[which] = read_list(maps, port->oid, families[which].list,
                                   &port->places[which]);
    }
    port->shown[which] = check_calloc(port->n[which] + 1u, sizeof(bool));
}

/* Chooses the places of one family that are to come into the maps, and notes
 * that they are there.  Returns what is to be said of them, in 'arena', and how
 * many they are in '*n'. */
static const struct place *
choose_places(struct maps *maps, struct port *port, int which,
              struct arena *arena, uint32_t *n)
{
    struct place *places = arena_alloc(arena, port->n[which], sizeof *places);

    *n = 0;
    for (uint32_t i = 0; i < port->n[which]; i++) {
        if (!port->shown[which][i] &&
            scope_has(maps->scope, port->places[which][i])) {
            port->shown[which][i] = true;
            read_place(maps, &families[which], port, i, &places[(*n)++]);
        }
    }
    return places;
}

/* Which text of a place. */
enum part { PART_OID, PART_NAME, PART_INDEX, PART_TYPE, PART_PORT };

/* Returns one text of a place. */
static const char *
part(const struct place *place, enum part which, const char *port_oid)
{
    switch (which) {
    case PART_OID:
        return place->oid;
    case PART_NAME:
        return place->name;
    case PART_INDEX:
        return place->index;
    case PART_TYPE:
        return place->type;
    case PART_PORT:
        break;
    }
    return port_oid;
}

/* Writes one map of the 'n' places: 'from' -> 'to'. */
static void
write_map(struct maps *maps, const char *map, const struct place *places,
          uint32_t n, const char *port_oid, enum part from, enum part to)
{
    if (n > maps->fields_size) {
        maps->fields_size = n;
        maps->fields = check_realloc(maps->fields, n * sizeof *maps->fields);
    }
    for (uint32_t i = 0; i < n; i++) {
        maps->fields[i].name = part(&places[i], from, port_oid);
        maps->fields[i].value = part(&places[i], to, port_oid);
    }
    redis_hset(maps->redis, COUNTERS_DB, map, maps->fields, n);
}

/* Writes all maps of one family of a port. */
static void
write_places(struct maps *maps, const struct family *family,
             const struct place *places, uint32_t n, const char *port_oid)
{
    write_map(maps, family->name_map, places, n, port_oid, PART_NAME, PART_OID);
    write_map(maps, family->port_map, places, n, port_oid, PART_OID, PART_PORT);
    write_map(maps, family->index_map, places, n, port_oid, PART_OID,
              PART_INDEX);
    if (family->typed) {
        write_map(maps, family->type_map, places, n, port_oid, PART_OID,
                  PART_TYPE);
    }
}

/* Publishes how many places a port has. */
static void
publish_limits(struct maps *maps, const struct port *port)
{
    char key[192], n_pgs[16], n_queues[16];
    const struct field fields[] = {
        {"max_priority_groups", n_pgs},
        {"max_queues", n_queues},
    };

    text_format(key, sizeof key, "BUFFER_MAX_PARAM_TABLE|%.128s", port->name);
    text_format(n_pgs, sizeof n_pgs, "%u", port->n[PGS]);
    text_format(n_queues, sizeof n_queues, "%u", port->n[QUEUES]);
    redis_hset(maps->redis, STATE_DB, key, fields, 2);
}

/* Hands 'n' places of a port to the counters. */
static void
count_places(struct maps *maps, const struct port *port, int which,
             const struct place *places, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct counted_place counted = {.type = families[which].type,
                                              .oid = places[i].id,
                                              .kind = places[i].kind,
                                              .name = port->name,
                                              .index = places[i].position};

        counters_add(maps->counters, &counted);
    }
}

/* Puts the places of a port that are in scope and not yet there into the maps;
 * 'whole': with the port itself, all in one step. */
static void
show_places(struct maps *maps, struct port *port, bool whole)
{
    struct arena *arena = arena_create(0);
    const struct place *places[N_FAMILIES];
    uint32_t n[N_FAMILIES];
    char oid[24];
    const struct field field = {port->name, oid};

    oid_text(port->oid, oid, sizeof oid);
    for (int i = 0; i < N_FAMILIES; i++) {
        places[i] = choose_places(maps, port, i, arena, &n[i]);
    }
    if (!whole && n[QUEUES] + n[PGS] == 0) {
        arena_destroy(arena);
        return;
    }
    redis_begin(maps->redis, COUNTERS_DB);
    if (whole) {
        redis_hset(maps->redis, COUNTERS_DB, PORT_MAP, &field, 1);
    }
    for (int i = 0; i < N_FAMILIES; i++) {
        write_places(maps, &families[i], places[i], n[i], oid);
    }
    redis_commit(maps->redis);
    for (int i = 0; i < N_FAMILIES; i++) {
        count_places(maps, port, i, places[i], n[i]);
    }
    arena_destroy(arena);
}

/* Adds a port with its places. */
static void
port_appeared(struct maps *maps, const struct object_view *object)
{
    const struct counted_place counted = {
        .type = SAI_OBJECT_TYPE_PORT, .oid = object->oid, .name = object->name};
    struct port *port = check_calloc(1, sizeof *port);

    port->name = check_strdup(object->name);
    port->oid = object->oid;
    HASH_ADD_KEYPTR(hh, maps->ports, port->name, strlen(port->name), port);
    for (int i = 0; i < N_FAMILIES; i++) {
        read_family(maps, port, i);
    }
    show_places(maps, port, true);
    publish_limits(maps, port);
    counters_add(maps->counters, &counted);
}

/* Takes place 'i' of a port out of the maps. */
static void
remove_place(struct maps *maps, const struct port *port, int which, uint32_t i)
{
    const struct family *family = &families[which];
    char name[PLACE_NAME], oid[24];

    place_name(port, i, name, sizeof name);
    oid_text(port->places[which][i], oid, sizeof oid);
    redis_hdel(maps->redis, COUNTERS_DB, family->name_map, name);
    redis_hdel(maps->redis, COUNTERS_DB, family->port_map, oid);
    redis_hdel(maps->redis, COUNTERS_DB, family->index_map, oid);
    if (family->typed) {
        redis_hdel(maps->redis, COUNTERS_DB, family->type_map, oid);
    }
    port->shown[which][i] = false;
}

/* Takes the places of a port out of the maps that are out of scope, and first
 * from the counters; 'whole': all, and the port itself. */
static void
hide_places(struct maps *maps, struct port *port, bool whole)
{
    bool out[N_FAMILIES][MAX_PLACES];
    bool any = whole;

    for (int i = 0; i < N_FAMILIES; i++) {
        for (uint32_t k = 0; k < port->n[i]; k++) {
            out[i][k] = port->shown[i][k] &&
                        (whole || !scope_has(maps->scope, port->places[i][k]));
            if (out[i][k]) {
                counters_remove(maps->counters, port->places[i][k]);
                any = true;
            }
        }
    }
    if (!any) {
        return;
    }
    redis_begin(maps->redis, COUNTERS_DB);
    for (int i = 0; i < N_FAMILIES; i++) {
        for (uint32_t k = 0; k < port->n[i]; k++) {
            if (out[i][k]) {
                remove_place(maps, port, i, k);
            }
        }
    }
    if (whole) {
        redis_hdel(maps->redis, COUNTERS_DB, PORT_MAP, port->name);
    }
    redis_commit(maps->redis);
}

/* Removes a port with all its places. */
static void
port_gone(struct maps *maps, struct port *port)
{
    char key[192];

    counters_remove(maps->counters, port->oid);
    hide_places(maps, port, true);
    text_format(key, sizeof key, "BUFFER_MAX_PARAM_TABLE|%.128s", port->name);
    redis_del(maps->redis, STATE_DB, key);
    port_free(maps, port);
}

void
maps_turn(struct maps *maps)
{
    if (!scope_changed(maps->scope)) {
        return;
    }
    for (struct port *port = maps->ports; port; port = port->hh.next) {
        hide_places(maps, port, false);
        show_places(maps, port, false);
    }
}

void
maps_row(struct maps *maps, const struct row_status *status)
{
    if (status->table == TABLE_DEVICE_METADATA) {
        const char *narrow =
            row_status_field(status, "create_only_config_db_buffers");

        scope_narrow(maps->scope, narrow && !strcmp(narrow, "true"));
    }
}

void
maps_attribute(struct maps *maps, const struct object_view *object,
               const struct metadata_attribute *attribute,
               const sai_attribute_value_t *value)
{
    if ((object->type == SAI_OBJECT_TYPE_QUEUE &&
         attribute->id == SAI_QUEUE_ATTR_BUFFER_PROFILE_ID) ||
        (object->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP &&
         attribute->id == SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE)) {
        scope_bind(maps->scope, object->oid, value->oid);
    }
}

static struct port *
find_port(const struct maps *maps, const char *name)
{
    struct port *port;

    HASH_FIND_STR(maps->ports, name, port);
    return port;
}

static struct pool *
find_pool(const struct maps *maps, const char *name)
{
    struct pool *pool;

    HASH_FIND_STR(maps->pools, name, pool);
    return pool;
}

/* Adds a pool, or gives it the id of its successor. */
static void
pool_appeared(struct maps *maps, const struct object_view *object)
{
    const struct counted_place counted = {.type = SAI_OBJECT_TYPE_BUFFER_POOL,
                                          .oid = object->oid,
                                          .name = object->name};
    struct pool *pool = find_pool(maps, object->name);
    char oid[24];
    const struct field field = {object->name, oid};

    if (!pool) {
        pool = check_calloc(1, sizeof *pool);
        pool->name = check_strdup(object->name);
        HASH_ADD_KEYPTR(hh, maps->pools, pool->name, strlen(pool->name), pool);
    } else if (pool->oid != object->oid) {
        counters_remove(maps->counters, pool->oid);
    }
    pool->oid = object->oid;
    oid_text(object->oid, oid, sizeof oid);
    redis_hset(maps->redis, COUNTERS_DB, POOL_MAP, &field, 1);
    counters_add(maps->counters, &counted);
}

void
maps_appeared(struct maps *maps, const struct object_view *object)
{
    if (object->table == TABLE_PORT) {
        struct port *port = find_port(maps, object->name);

        if (port) {
            port_gone(maps, port);
        }
        port_appeared(maps, object);
    } else if (object->table == TABLE_BUFFER_POOL &&
               !key_is_internal(object->name)) {
        pool_appeared(maps, object);
    } else if (object->table == TABLE_BUFFER_PROFILE) {
        scope_profile(maps->scope, object->oid, object->name);
    }
}

/* An object that is replaced goes after its successor appeared, so only the one
 * that the maps name takes its entry along. */
void
maps_gone(struct maps *maps, const struct object_view *object)
{
    if (object->table == TABLE_PORT) {
        struct port *port = find_port(maps, object->name);

        if (port && port->oid == object->oid) {
            port_gone(maps, port);
        }
    } else if (object->table == TABLE_BUFFER_POOL) {
        struct pool *pool = find_pool(maps, object->name);

        if (pool && pool->oid == object->oid) {
            counters_remove(maps->counters, object->oid);
            redis_hdel(maps->redis, COUNTERS_DB, POOL_MAP, object->name);
            pool_free(maps, pool);
        }
    } else {
        scope_gone(maps->scope, object->oid);
    }
}
