/* SPDX-License-Identifier: Apache-2.0 */

/* The ports that are published, each with its queues and priority groups.
 *
 * Ports that have appeared come into the maps at the end of the turn, so that
 * the ASIC is asked for all of their places in a few calls.  When the scope
 * changes, each port is compared with it once, then too. */

#include <config.h>

#include "orchd/telemetry/name_maps.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/intent/key.h"
#include "orchd/telemetry/counters.h"
#include "orchd/telemetry/polled_scope.h"
#include "orchd/telemetry/polling/poller.h"
#include "orchd/telemetry/pool_map.h"
#include "orchd/telemetry/port_children.h"
#include "sai/core/backend.h"
#include "sai/core/serialize.h"

/* How the maps of a family are called. */
struct family {
    sai_object_type_t type;
    const char *name_map, *port_map, *index_map;
    const char *type_map; /* NULL: none. */
};

static const struct family families[N_PLACE_FAMILIES] = {
    [PORT_CHILDREN_QUEUES] = {SAI_OBJECT_TYPE_QUEUE, "COUNTERS_QUEUE_NAME_MAP",
                              "COUNTERS_QUEUE_PORT_MAP",
                              "COUNTERS_QUEUE_INDEX_MAP",
                              "COUNTERS_QUEUE_TYPE_MAP"},
    [PORT_CHILDREN_PGS] = {SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                           "COUNTERS_PG_NAME_MAP", "COUNTERS_PG_PORT_MAP",
                           "COUNTERS_PG_INDEX_MAP", NULL},
};

#define PORT_MAP "COUNTERS_PORT_NAME_MAP"

/* Of virtual output queues, and of ports that have such. */
#define VOQ_MAP         "COUNTERS_VOQ_NAME_MAP"
#define SYSTEM_PORT_MAP "COUNTERS_SYSTEM_PORT_NAME_MAP"

enum { PLACE_NAME = 144 }; /* Bytes. */

/* What is said of a place.  Only while it is said: it can be had again. */
struct saying {
    struct place *place;
    char oid[24]; /* The id as text. */
    char index[4];
    char name[PLACE_NAME];
};

/* What is said of one family of a port: those in its name map, and behind them
 * the virtual output queues. */
struct sayings {
    struct saying *all;
    uint32_t n, n_listed;
};

struct port {
    char *name; /* Key. */
    sai_object_id_t oid;
    struct port_children places[N_PLACE_FAMILIES];
    bool fresh; /* It is not in the maps yet, nor are its places known. */
    UT_hash_handle hh;
};

struct name_maps {
    struct redis *redis;
    struct counters *counters;
    struct sai_backend *backend; /* NULL before name_maps_attach(). */
    uint64_t mmu_bytes;
    struct port *ports;
    bool any_fresh; /* Some of them may be. */
    struct pool_map *pools;
    struct polled_scope *scope;
    struct field *fields; /* Scratch. */
    size_t fields_size;
};

struct name_maps *
name_maps_create(struct redis *redis, struct counters *counters)
{
    struct name_maps *maps = check_calloc(1, sizeof *maps);

    maps->redis = redis;
    maps->counters = counters;
    maps->pools = pool_map_create(redis, counters);
    maps->scope = polled_scope_create();
    return maps;
}

static void
port_free(struct name_maps *maps, struct port *port)
{
    HASH_DEL(maps->ports, port);
    for (int i = 0; i < N_PLACE_FAMILIES; i++) {
        free(port->places[i].list);
    }
    free(port->name);
    free(port);
}

static void
forget(struct name_maps *maps)
{
    struct port *port, *next;

    HASH_ITER(hh, maps->ports, port, next)
    {
        port_free(maps, port);
    }
}

void
name_maps_destroy(struct name_maps *maps)
{
    if (maps) {
        forget(maps);
        pool_map_destroy(maps->pools);
        polled_scope_destroy(maps->scope);
        free(maps->fields);
        free(maps);
    }
}

/* Publishes the size of the packet buffer, once it is known. */
static void
publish_size(struct name_maps *maps)
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
name_maps_attach(struct name_maps *maps, struct sai_backend *backend)
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
name_maps_mmu_size(const struct name_maps *maps)
{
    return maps->mmu_bytes;
}

void
name_maps_restart(struct name_maps *maps)
{
    forget(maps);
    pool_map_restart(maps->pools);
    polled_scope_forget(maps->scope);
    redis_del(maps->redis, COUNTERS_DB, PORT_MAP);
    redis_del(maps->redis, COUNTERS_DB, VOQ_MAP);
    redis_del(maps->redis, COUNTERS_DB, SYSTEM_PORT_MAP);
    for (int i = 0; i < N_PLACE_FAMILIES; i++) {
        redis_del(maps->redis, COUNTERS_DB, families[i].name_map);
        redis_del(maps->redis, COUNTERS_DB, families[i].port_map);
        redis_del(maps->redis, COUNTERS_DB, families[i].index_map);
        if (families[i].type_map) {
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

/* Writes the name of a place of 'port' into 'buffer'. */
static void
place_name(const struct port *port, const struct place *place, char *buffer,
           size_t size)
{
    text_format(buffer, size, "%.128s:%u", port->name, place->number);
}

/* Returns whether a place is to be in the maps.  Virtual output queues are,
 * whatever has buffers. */
static bool
is_wanted(const struct name_maps *maps, int family, const struct place *place)
{
    switch (place_role((enum place_family)family, place->kind)) {
    case PLACE_LISTED:
        return polled_scope_has(maps->scope, place->oid);
    case PLACE_VOQ:
        return true;
    case PLACE_UNLISTED:
        break;
    }
    return false;
}

/* Chooses the places of 'role' that are to come into the maps, notes that they
 * are there, and adds what is to be said of them. */
static void
choose_role(struct name_maps *maps, struct port *port, int family,
            enum place_role role, struct sayings *sayings)
{
    for (uint32_t i = 0; i < port->places[family].n; i++) {
        struct place *place = &port->places[family].list[i];
        struct saying *saying = &sayings->all[sayings->n];

        if (place->shown || !is_wanted(maps, family, place) ||
            place_role((enum place_family)family, place->kind) != role) {
            continue;
        }
        place->shown = true;
        saying->place = place;
        oid_text(place->oid, saying->oid, sizeof saying->oid);
        place_name(port, place, saying->name, sizeof saying->name);
        sayings->n++;
    }
}

/* Chooses the places of one family, in 'arena'. */
static struct sayings
choose_places(struct name_maps *maps, struct port *port, int family,
              struct arena *arena)
{
    struct sayings sayings = {.all = arena_alloc(arena,
                                                 port->places[family].n + 1u,
                                                 sizeof *sayings.all)};

    choose_role(maps, port, family, PLACE_LISTED, &sayings);
    sayings.n_listed = sayings.n;
    choose_role(maps, port, family, PLACE_VOQ, &sayings);
    return sayings;
}

/* Which text of a place. */
enum part { PART_OID, PART_NAME, PART_INDEX, PART_TYPE, PART_PORT };

/* Returns one text of a place. */
static const char *
part(const struct saying *saying, enum part which, const char *port_oid)
{
    switch (which) {
    case PART_OID:
        return saying->oid;
    case PART_NAME:
        return saying->name;
    case PART_INDEX:
        return saying->index;
    case PART_TYPE:
        return place_type_name(saying->place->kind);
    case PART_PORT:
        break;
    }
    return port_oid;
}

/* Writes one map of 'n' places: 'from' -> 'to'. */
static void
write_map(struct name_maps *maps, const char *map, const struct saying *sayings,
          uint32_t n, const char *port_oid, enum part from, enum part to)
{
    if (n > maps->fields_size) {
        maps->fields_size = n;
        maps->fields = check_realloc(maps->fields, n * sizeof *maps->fields);
    }
    for (uint32_t i = 0; i < n; i++) {
        maps->fields[i].name = part(&sayings[i], from, port_oid);
        maps->fields[i].value = part(&sayings[i], to, port_oid);
    }
    redis_hset(maps->redis, COUNTERS_DB, map, maps->fields, n);
}

/* Writes all maps of one family of a port. */
static void
write_places(struct name_maps *maps, const struct family *family,
             const struct sayings *sayings, const struct field *port)
{
    const struct saying *all = sayings->all;

    write_map(maps, family->name_map, all, sayings->n_listed, port->value,
              PART_NAME, PART_OID);
    write_map(maps, family->port_map, all, sayings->n, port->value, PART_OID,
              PART_PORT);
    write_map(maps, family->index_map, all, sayings->n, port->value, PART_OID,
              PART_INDEX);
    if (family->type_map) {
        write_map(maps, family->type_map, all, sayings->n, port->value,
                  PART_OID, PART_TYPE);
    }
    if (sayings->n > sayings->n_listed) {
        redis_hset(maps->redis, COUNTERS_DB, SYSTEM_PORT_MAP, port, 1);
        write_map(maps, VOQ_MAP, all + sayings->n_listed,
                  sayings->n - sayings->n_listed, port->value, PART_NAME,
                  PART_OID);
    }
}

/* Publishes how many places a port has. */
static void
publish_limits(struct name_maps *maps, const struct port *port)
{
    char key[192], n_pgs[16], n_queues[16];
    const struct field fields[] = {
        {"max_priority_groups", n_pgs},
        {"max_queues", n_queues},
    };

    text_format(key, sizeof key, "BUFFER_MAX_PARAM_TABLE|%.128s", port->name);
    text_format(n_pgs, sizeof n_pgs, "%u", port->places[PORT_CHILDREN_PGS].n);
    text_format(n_queues, sizeof n_queues, "%u",
                port->places[PORT_CHILDREN_QUEUES].n);
    redis_hset(maps->redis, STATE_DB, key, fields, 2);
}

/* Hands places of a port to the counters. */
static void
count_places(struct name_maps *maps, const struct port *port, int family,
             const struct sayings *sayings)
{
    for (uint32_t i = 0; i < sayings->n; i++) {
        const struct place *place = sayings->all[i].place;
        const struct polled_object_place counted = {.type =
                                                        families[family].type,
                                                    .oid = place->oid,
                                                    .kind = place->kind,
                                                    .name = port->name,
                                                    .index = place->number};

        counters_add(maps->counters, &counted);
    }
}

/* What is about to come into the maps: places of a port, all of them with the
 * port itself if that is fresh. */
struct showing {
    struct port *port;
    struct sayings sayings[N_PLACE_FAMILIES];
};

/* Fills in the indexes of all places of one family in 'n' showings. */
static void
read_indexes(struct name_maps *maps, int family, struct showing *showings,
             uint32_t n, struct arena *arena)
{
    uint32_t n_places = 0, *indexes;
    struct place **places;

    for (uint32_t i = 0; i < n; i++) {
        n_places += showings[i].sayings[family].n;
    }
    if (!n_places) {
        return;
    }
    places = arena_alloc(arena, n_places, sizeof(struct place *));
    indexes = arena_alloc(arena, n_places, sizeof *indexes);
    n_places = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < showings[i].sayings[family].n; k++) {
            places[n_places++] = showings[i].sayings[family].all[k].place;
        }
    }
    port_children_index(maps->backend, (enum place_family)family, n_places,
                        places, indexes);
    n_places = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < showings[i].sayings[family].n; k++) {
            struct saying *saying = &showings[i].sayings[family].all[k];

            text_format(saying->index, sizeof saying->index, "%u",
                        indexes[n_places++]);
        }
    }
}

/* Writes what is shown of a port, all in one step, and hands it to the
 * counters.
 */
static void
write_showing(struct name_maps *maps, const struct showing *showing)
{
    struct port *port = showing->port;
    const struct polled_object_place counted = {
        .type = SAI_OBJECT_TYPE_PORT, .oid = port->oid, .name = port->name};
    bool any = port->fresh;
    char oid[24];
    const struct field field = {port->name, oid};

    oid_text(port->oid, oid, sizeof oid);
    for (int i = 0; i < N_PLACE_FAMILIES; i++) {
        any |= showing->sayings[i].n > 0;
    }
    if (!any) {
        return;
    }
    redis_begin(maps->redis, COUNTERS_DB);
    if (port->fresh) {
        redis_hset(maps->redis, COUNTERS_DB, PORT_MAP, &field, 1);
    }
    for (int i = 0; i < N_PLACE_FAMILIES; i++) {
        write_places(maps, &families[i], &showing->sayings[i], &field);
    }
    redis_commit(maps->redis);
    for (int i = 0; i < N_PLACE_FAMILIES; i++) {
        count_places(maps, port, i, &showing->sayings[i]);
    }
    if (port->fresh) {
        publish_limits(maps, port);
        counters_add(maps->counters, &counted);
        port->fresh = false;
    }
}

/* Puts the places of the 'n' ports that are in scope and not yet there into the
 * maps. */
static void
show_places(struct name_maps *maps, struct port *const *ports, uint32_t n)
{
    struct arena *arena = arena_create(0);
    struct showing *showings = arena_alloc(arena, n, sizeof *showings);

    for (uint32_t i = 0; i < n; i++) {
        showings[i].port = ports[i];
        for (int k = 0; k < N_PLACE_FAMILIES; k++) {
            showings[i].sayings[k] = choose_places(maps, ports[i], k, arena);
        }
    }
    for (int i = 0; i < N_PLACE_FAMILIES; i++) {
        read_indexes(maps, i, showings, n, arena);
    }
    for (uint32_t i = 0; i < n; i++) {
        write_showing(maps, &showings[i]);
    }
    arena_destroy(arena);
}

/* Collects all ports, or those that are fresh; the caller frees them. */
static struct port **
collect(struct name_maps *maps, bool fresh, uint32_t *n)
{
    struct port **ports =
        check_calloc(HASH_COUNT(maps->ports) + 1u, sizeof(struct port *));

    *n = 0;
    for (struct port *port = maps->ports; port; port = port->hh.next) {
        if (!fresh || port->fresh) {
            ports[(*n)++] = port;
        }
    }
    return ports;
}

/* Asks for the places of 'n' ports. */
static void
read_places(struct name_maps *maps, struct port *const *ports, uint32_t n)
{
    sai_object_id_t *oids = check_calloc(n + 1u, sizeof *oids);
    struct port_children *places = check_calloc(n + 1u, sizeof *places);

    for (uint32_t i = 0; i < n; i++) {
        oids[i] = ports[i]->oid;
    }
    for (int k = 0; k < N_PLACE_FAMILIES; k++) {
        port_children_read(maps->backend, n, oids, (enum place_family)k,
                           places);
        for (uint32_t i = 0; i < n; i++) {
            ports[i]->places[k] = places[i];
        }
    }
    free(places);
    free(oids);
}

/* Puts the ports that have appeared into the maps; without places, if there is
 * nobody to ask. */
static void
show_fresh(struct name_maps *maps)
{
    uint32_t n;
    struct port **fresh = collect(maps, true, &n);

    if (maps->backend) {
        read_places(maps, fresh, n);
    }
    show_places(maps, fresh, n);
    maps->any_fresh = false;
    free(fresh);
}

/* Adds a port, for show_fresh(). */
static void
port_appeared(struct name_maps *maps, const struct object_view *object)
{
    struct port *port = check_calloc(1, sizeof *port);

    port->name = check_strdup(object->name);
    port->oid = object->oid;
    port->fresh = maps->any_fresh = true;
    HASH_ADD_KEYPTR(hh, maps->ports, port->name, strlen(port->name), port);
}

/* Takes a place of a port out of the maps. */
static void
remove_place(struct name_maps *maps, const struct port *port, int which,
             struct place *place)
{
    const struct family *family = &families[which];
    const bool voq =
        place_role((enum place_family)which, place->kind) == PLACE_VOQ;
    char name[PLACE_NAME], oid[24];

    place_name(port, place, name, sizeof name);
    oid_text(place->oid, oid, sizeof oid);
    redis_hdel(maps->redis, COUNTERS_DB, voq ? VOQ_MAP : family->name_map,
               name);
    redis_hdel(maps->redis, COUNTERS_DB, family->port_map, oid);
    redis_hdel(maps->redis, COUNTERS_DB, family->index_map, oid);
    if (family->type_map) {
        redis_hdel(maps->redis, COUNTERS_DB, family->type_map, oid);
    }
    if (voq && place->number == 0) {
        /* They only go with the port. */
        redis_hdel(maps->redis, COUNTERS_DB, SYSTEM_PORT_MAP, port->name);
    }
    place->shown = false;
}

/* Takes the places of a port out of the maps that are out of scope, and first
 * from the counters; 'whole': all, and the port itself. */
static void
hide_places(struct name_maps *maps, struct port *port, bool whole)
{
    struct arena *arena = arena_create(0);
    struct place **out[N_PLACE_FAMILIES];
    uint32_t n[N_PLACE_FAMILIES] = {0};

    for (int i = 0; i < N_PLACE_FAMILIES; i++) {
        out[i] = arena_alloc(arena, port->places[i].n + 1u, sizeof *out[i]);
        for (uint32_t k = 0; k < port->places[i].n; k++) {
            struct place *place = &port->places[i].list[k];

            if (place->shown && (whole || !is_wanted(maps, i, place))) {
                counters_remove(maps->counters, place->oid);
                out[i][n[i]++] = place;
            }
        }
    }
    if (whole || n[PORT_CHILDREN_QUEUES] + n[PORT_CHILDREN_PGS]) {
        redis_begin(maps->redis, COUNTERS_DB);
        for (int i = 0; i < N_PLACE_FAMILIES; i++) {
            for (uint32_t k = 0; k < n[i]; k++) {
                remove_place(maps, port, i, out[i][k]);
            }
        }
        if (whole) {
            redis_hdel(maps->redis, COUNTERS_DB, PORT_MAP, port->name);
        }
        redis_commit(maps->redis);
    }
    arena_destroy(arena);
}

/* Removes a port with all its places. */
static void
port_gone(struct name_maps *maps, struct port *port)
{
    char key[192];

    if (port->fresh) {
        port_free(maps, port);
        return;
    }
    counters_remove(maps->counters, port->oid);
    hide_places(maps, port, true);
    text_format(key, sizeof key, "BUFFER_MAX_PARAM_TABLE|%.128s", port->name);
    redis_del(maps->redis, STATE_DB, key);
    port_free(maps, port);
}

/* Brings the places of all ports in line with the scope. */
static void
follow_scope(struct name_maps *maps)
{
    uint32_t n;
    struct port **ports = collect(maps, false, &n);

    for (uint32_t i = 0; i < n; i++) {
        hide_places(maps, ports[i], false);
    }
    show_places(maps, ports, n);
    free(ports);
}

void
name_maps_turn(struct name_maps *maps)
{
    if (maps->any_fresh) {
        show_fresh(maps);
    }
    if (polled_scope_changed(maps->scope)) {
        follow_scope(maps);
    }
}

void
name_maps_row(struct name_maps *maps, const struct row_status *status)
{
    if (status->table == TABLE_DEVICE_METADATA) {
        const char *narrow =
            row_status_field(status, "create_only_config_db_buffers");

        polled_scope_narrow(maps->scope, narrow && !strcmp(narrow, "true"));
    }
}

void
name_maps_attribute(struct name_maps *maps, const struct object_view *object,
                    const struct metadata_attribute *attribute,
                    const sai_attribute_value_t *value)
{
    if ((object->type == SAI_OBJECT_TYPE_QUEUE &&
         attribute->id == SAI_QUEUE_ATTR_BUFFER_PROFILE_ID) ||
        (object->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP &&
         attribute->id == SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE)) {
        polled_scope_bind(maps->scope, object->oid, value->oid);
    }
}

static struct port *
find_port(const struct name_maps *maps, const char *name)
{
    struct port *port;

    HASH_FIND_STR(maps->ports, name, port);
    return port;
}

void
name_maps_appeared(struct name_maps *maps, const struct object_view *object)
{
    if (object->table == TABLE_PORT) {
        struct port *port = find_port(maps, object->name);

        if (port) {
            port_gone(maps, port);
        }
        port_appeared(maps, object);
    } else if (object->table == TABLE_BUFFER_POOL &&
               !key_is_internal(object->name)) {
        pool_map_appeared(maps->pools, object->name, object->oid);
    } else if (object->table == TABLE_BUFFER_PROFILE) {
        polled_scope_profile(maps->scope, object->oid, object->name);
    }
}

/* An object that is replaced goes after its successor appeared, so only the one
 * that the maps name takes its entry along. */
void
name_maps_gone(struct name_maps *maps, const struct object_view *object)
{
    if (object->table == TABLE_PORT) {
        struct port *port = find_port(maps, object->name);

        if (port && port->oid == object->oid) {
            port_gone(maps, port);
        }
    } else if (object->table == TABLE_BUFFER_POOL) {
        pool_map_gone(maps->pools, object->name, object->oid);
    } else {
        polled_scope_gone(maps->scope, object->oid);
    }
}
