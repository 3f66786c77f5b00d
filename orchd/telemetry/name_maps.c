/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps the ports that are published, each with its children: queues and
 * priority groups.
 *
 * New ports are added to the maps at the end of the turn, so that a few SAI
 * calls read the children of all of them.  A change of the scope is applied
 * then too, by comparing each port with it once. */

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

/* The names of the maps of a family. */
struct family {
    sai_object_type_t type;
    const char *name_map, *port_map, *index_map;
    const char *type_map; /* NULL: none. */
};

static const struct family families[N_PORT_CHILDREN_FAMILIES] = {
    [PORT_CHILDREN_QUEUES] = {SAI_OBJECT_TYPE_QUEUE, "COUNTERS_QUEUE_NAME_MAP",
                              "COUNTERS_QUEUE_PORT_MAP",
                              "COUNTERS_QUEUE_INDEX_MAP",
                              "COUNTERS_QUEUE_TYPE_MAP"},
    [PORT_CHILDREN_PGS] = {SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                           "COUNTERS_PG_NAME_MAP", "COUNTERS_PG_PORT_MAP",
                           "COUNTERS_PG_INDEX_MAP", NULL},
};

#define PORT_MAP "COUNTERS_PORT_NAME_MAP"

/* The map of the switch, whose name is always the same. */
#define SWITCH_MAP  "COUNTERS_SWITCH_NAME_MAP"
#define SWITCH_NAME "ASIC"

/* The maps of virtual output queues, and of ports that have them. */
#define VOQ_MAP         "COUNTERS_VOQ_NAME_MAP"
#define SYSTEM_PORT_MAP "COUNTERS_SYSTEM_PORT_NAME_MAP"

enum { CHILD_NAME_SIZE = 144 }; /* Bytes. */

/* The entry of a child in the maps; exists only while it is written. */
struct entry {
    struct port_child *child;
    char oid[24]; /* The id as text. */
    char index[4];
    char name[CHILD_NAME_SIZE];
};

/* The entries of one family of a port: those in its name map, followed by the
 * virtual output queues. */
struct entries {
    struct entry *all;
    uint32_t n, n_listed;
};

struct port {
    char *name; /* Key. */
    sai_object_id_t oid;
    struct port_children children[N_PORT_CHILDREN_FAMILIES];
    bool is_new;    /* Not in the maps yet, and its children are unknown. */
    bool is_system; /* A system port: its children are VOQs. */
    UT_hash_handle hh;
};

struct name_maps {
    struct redis *redis;
    struct counters *counters;
    struct sai_backend *backend; /* NULL before name_maps_attach(). */
    uint64_t mmu_bytes;
    struct port *ports;
    bool any_new; /* Some ports may be new. */
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
    for (int i = 0; i < N_PORT_CHILDREN_FAMILIES; i++) {
        free(port->children[i].list);
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

/* Writes "oid:0x..." into 'buffer'. */
static void
oid_text(sai_object_id_t oid, char *buffer, size_t size)
{
    struct text text = {0};

    serialize_oid(oid, &text);
    text_copy(buffer, size, text_string(&text));
    text_fini(&text);
}

/* Adds the switch to its map, and to the counters. */
static void
add_switch(struct name_maps *maps)
{
    const struct polled_object_id polled = {
        .type = SAI_OBJECT_TYPE_SWITCH,
        .oid = maps->backend->switch_id,
        .name = SWITCH_NAME,
    };
    char oid[24];

    oid_text(polled.oid, oid, sizeof oid);
    redis_hset(maps->redis, COUNTERS_DB, SWITCH_MAP,
               &(struct field){SWITCH_NAME, oid}, 1);
    counters_add(maps->counters, &polled);
}

/* Publishes the size of the packet buffer if it is known. */
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
        /* The attribute is in units of 1024 bytes. */
        maps->mmu_bytes = size.value.u64 * 1024;
    }
    publish_size(maps);
    add_switch(maps);
}

uint64_t
name_maps_mmu_size(const struct name_maps *maps)
{
    return maps->mmu_bytes;
}

static struct port *
find_port(const struct name_maps *maps, const char *name)
{
    struct port *port;

    HASH_FIND_STR(maps->ports, name, port);
    return port;
}

/* Returns whether 'object' is what the maps call 'name'. */
static bool
is_called(const struct polled_object_id *object, const char *name)
{
    char child[CHILD_NAME_SIZE];

    if (object->type == SAI_OBJECT_TYPE_QUEUE ||
        object->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP) {
        text_format(child, sizeof child, "%.128s:%u", object->name,
                    object->index);
        name = strcmp(child, name) ? NULL : object->name;
    }
    return name && !strcmp(object->name, name);
}

/* A redis_keep_field_fn: keeps the entries of objects that there are.  All of
 * these are polled, but for ports that have virtual output queues. */
static bool
is_current(void *maps_, const char *map, const struct field *field)
{
    const struct name_maps *maps = maps_;
    const struct polled_object *object;
    const struct port *port;
    sai_object_id_t oid;

    if (!strcmp(map, SYSTEM_PORT_MAP)) {
        port = find_port(maps, field->name);
        return port && !serialize_parse_oid(field->value, &oid) &&
               port->oid == oid;
    }
    if (!serialize_parse_oid(field->name, &oid)) {
        return poller_find(counters_poller(maps->counters), oid) != NULL;
    }
    if (serialize_parse_oid(field->value, &oid)) {
        return false;
    }
    object = poller_find(counters_poller(maps->counters), oid);
    return object && is_called(&object->id, field->name);
}

/* Removes from 'map' what this run has not written.  Who reads meanwhile finds
 * all objects that there are. */
static void
clean(struct name_maps *maps, const char *map)
{
    if (maps->backend) {
        redis_sweep_hash(maps->redis, COUNTERS_DB, map, is_current, maps);
    } else {
        redis_del(maps->redis, COUNTERS_DB, map);
    }
}

void
name_maps_restart(struct name_maps *maps)
{
    static const char *const others[] = {PORT_MAP, VOQ_MAP, SYSTEM_PORT_MAP,
                                         SWITCH_MAP, POOL_MAP};

    forget(maps);
    pool_map_forget(maps->pools);
    polled_scope_forget(maps->scope);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        clean(maps, others[i]);
    }
    for (int i = 0; i < N_PORT_CHILDREN_FAMILIES; i++) {
        clean(maps, families[i].name_map);
        clean(maps, families[i].port_map);
        clean(maps, families[i].index_map);
        if (families[i].type_map) {
            clean(maps, families[i].type_map);
        }
    }
    if (maps->backend) {
        add_switch(maps);
    }
    publish_size(maps);
}

/* Writes the name of a child of 'port' into 'buffer'. */
static void
child_name(const struct port *port, const struct port_child *child,
           char *buffer, size_t size)
{
    text_format(buffer, size, "%.128s:%u", port->name, child->number);
}

/* Returns whether a child belongs in the maps.  Virtual output queues always
 * do. */
static bool
is_wanted(const struct name_maps *maps, int family,
          const struct port_child *child)
{
    switch (
        port_children_role((enum port_children_family)family, child->kind)) {
    case PORT_CHILDREN_LISTED:
        return polled_scope_has(maps->scope, child->oid);
    case PORT_CHILDREN_VOQ:
        return true;
    case PORT_CHILDREN_UNLISTED:
        break;
    }
    return false;
}

/* Adds the children of 'role' that belong in the maps and are not there yet to
 * 'entries', and marks them. */
static void
choose_role(struct name_maps *maps, struct port *port, int family,
            enum port_children_role role, struct entries *entries)
{
    for (uint32_t i = 0; i < port->children[family].n; i++) {
        struct port_child *child = &port->children[family].list[i];
        struct entry *entry = &entries->all[entries->n];

        if (child->in_maps || !is_wanted(maps, family, child) ||
            port_children_role((enum port_children_family)family,
                               child->kind) != role) {
            continue;
        }
        child->in_maps = true;
        entry->child = child;
        oid_text(child->oid, entry->oid, sizeof entry->oid);
        child_name(port, child, entry->name, sizeof entry->name);
        entries->n++;
    }
}

/* Chooses the children of one family; allocates from 'arena'. */
static struct entries
choose_children(struct name_maps *maps, struct port *port, int family,
                struct arena *arena)
{
    struct entries entries = {.all = arena_alloc(arena,
                                                 port->children[family].n + 1u,
                                                 sizeof *entries.all)};

    choose_role(maps, port, family, PORT_CHILDREN_LISTED, &entries);
    entries.n_listed = entries.n;
    choose_role(maps, port, family, PORT_CHILDREN_VOQ, &entries);
    return entries;
}

/* The parts of an entry. */
enum part { PART_OID, PART_NAME, PART_INDEX, PART_TYPE, PART_PORT };

/* Returns one part of an entry. */
static const char *
part(const struct entry *entry, enum part which, const char *port_oid)
{
    switch (which) {
    case PART_OID:
        return entry->oid;
    case PART_NAME:
        return entry->name;
    case PART_INDEX:
        return entry->index;
    case PART_TYPE:
        return port_children_type_name(entry->child->kind);
    case PART_PORT:
        break;
    }
    return port_oid;
}

/* Writes one map of 'n' entries: 'from' -> 'to'. */
static void
write_map(struct name_maps *maps, const char *map, const struct entry *entries,
          uint32_t n, const char *port_oid, enum part from, enum part to)
{
    if (n > maps->fields_size) {
        maps->fields_size = n;
        maps->fields = check_realloc(maps->fields, n * sizeof *maps->fields);
    }
    for (uint32_t i = 0; i < n; i++) {
        maps->fields[i].name = part(&entries[i], from, port_oid);
        maps->fields[i].value = part(&entries[i], to, port_oid);
    }
    redis_hset(maps->redis, COUNTERS_DB, map, maps->fields, n);
}

/* Writes all maps of one family of a port. */
static void
write_children(struct name_maps *maps, const struct family *family,
               const struct entries *entries, const struct field *port)
{
    const struct entry *all = entries->all;

    write_map(maps, family->name_map, all, entries->n_listed, port->value,
              PART_NAME, PART_OID);
    write_map(maps, family->port_map, all, entries->n, port->value, PART_OID,
              PART_PORT);
    write_map(maps, family->index_map, all, entries->n, port->value, PART_OID,
              PART_INDEX);
    if (family->type_map) {
        write_map(maps, family->type_map, all, entries->n, port->value,
                  PART_OID, PART_TYPE);
    }
    if (entries->n > entries->n_listed) {
        redis_hset(maps->redis, COUNTERS_DB, SYSTEM_PORT_MAP, port, 1);
        write_map(maps, VOQ_MAP, all + entries->n_listed,
                  entries->n - entries->n_listed, port->value, PART_NAME,
                  PART_OID);
    }
}

/* Publishes how many children a port has. */
static void
publish_limits(struct name_maps *maps, const struct port *port)
{
    char key[192], n_pgs[16], n_queues[16];
    const struct field fields[] = {
        {"max_priority_groups", n_pgs},
        {"max_queues", n_queues},
    };

    text_format(key, sizeof key, "BUFFER_MAX_PARAM_TABLE|%.128s", port->name);
    text_format(n_pgs, sizeof n_pgs, "%u", port->children[PORT_CHILDREN_PGS].n);
    text_format(n_queues, sizeof n_queues, "%u",
                port->children[PORT_CHILDREN_QUEUES].n);
    redis_hset(maps->redis, STATE_DB, key, fields, 2);
}

/* Adds children of a port to the counters. */
static void
poll_children(struct name_maps *maps, const struct port *port, int family,
              const struct entries *entries)
{
    for (uint32_t i = 0; i < entries->n; i++) {
        const struct port_child *child = entries->all[i].child;
        const struct polled_object_id polled = {.type = families[family].type,
                                                .oid = child->oid,
                                                .kind = child->kind,
                                                .name = port->name,
                                                .index = child->number};

        counters_add(maps->counters, &polled);
    }
}

/* What is about to be added to the maps: children of a port, and the port
 * itself if it is new. */
struct update {
    struct port *port;
    struct entries entries[N_PORT_CHILDREN_FAMILIES];
};

/* Fills in the indexes of all children of one family in 'n' updates. */
static void
read_indexes(struct name_maps *maps, int family, struct update *updates,
             uint32_t n, struct arena *arena)
{
    uint32_t n_children = 0, *indexes;
    struct port_child **children;

    for (uint32_t i = 0; i < n; i++) {
        n_children += updates[i].entries[family].n;
    }
    if (!n_children) {
        return;
    }
    children = arena_alloc(arena, n_children, sizeof(struct port_child *));
    indexes = arena_alloc(arena, n_children, sizeof *indexes);
    n_children = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < updates[i].entries[family].n; k++) {
            children[n_children++] = updates[i].entries[family].all[k].child;
        }
    }
    port_children_index(maps->backend, (enum port_children_family)family,
                        n_children, children, indexes);
    n_children = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < updates[i].entries[family].n; k++) {
            struct entry *entry = &updates[i].entries[family].all[k];

            text_format(entry->index, sizeof entry->index, "%u",
                        indexes[n_children++]);
        }
    }
}

/* Returns the map of names that has 'port'. */
static const char *
map_of(const struct port *port)
{
    return port->is_system ? SYSTEM_PORT_MAP : PORT_MAP;
}

/* Writes the entries of a port in one atomic step, and adds them to the
 * counters. */
static void
write_update(struct name_maps *maps, const struct update *update)
{
    struct port *port = update->port;
    const struct polled_object_id polled = {
        .type = SAI_OBJECT_TYPE_PORT, .oid = port->oid, .name = port->name};
    bool any = port->is_new;
    char oid[24];
    const struct field field = {port->name, oid};

    oid_text(port->oid, oid, sizeof oid);
    for (int i = 0; i < N_PORT_CHILDREN_FAMILIES; i++) {
        any |= update->entries[i].n > 0;
    }
    if (!any) {
        return;
    }
    redis_begin(maps->redis, COUNTERS_DB);
    if (port->is_new) {
        redis_hset(maps->redis, COUNTERS_DB, map_of(port), &field, 1);
    }
    for (int i = 0; i < N_PORT_CHILDREN_FAMILIES; i++) {
        write_children(maps, &families[i], &update->entries[i], &field);
    }
    redis_commit(maps->redis);
    for (int i = 0; i < N_PORT_CHILDREN_FAMILIES; i++) {
        poll_children(maps, port, i, &update->entries[i]);
    }
    if (port->is_new && !port->is_system) {
        publish_limits(maps, port);
        counters_add(maps->counters, &polled);
    }
    port->is_new = false;
}

/* Adds the children of 'n' ports that are in scope to the maps. */
static void
add_children(struct name_maps *maps, struct port *const *ports, uint32_t n)
{
    struct arena *arena = arena_create(0);
    struct update *updates = arena_alloc(arena, n, sizeof *updates);

    for (uint32_t i = 0; i < n; i++) {
        updates[i].port = ports[i];
        for (int k = 0; k < N_PORT_CHILDREN_FAMILIES; k++) {
            updates[i].entries[k] = choose_children(maps, ports[i], k, arena);
        }
    }
    for (int i = 0; i < N_PORT_CHILDREN_FAMILIES; i++) {
        read_indexes(maps, i, updates, n, arena);
    }
    for (uint32_t i = 0; i < n; i++) {
        write_update(maps, &updates[i]);
    }
    arena_destroy(arena);
}

/* Collects all ports, or the new ones that are system ports or not; the caller
 * frees the array. */
static struct port **
collect(struct name_maps *maps, bool is_new, bool is_system, uint32_t *n)
{
    struct port **ports =
        check_calloc(HASH_COUNT(maps->ports) + 1u, sizeof(struct port *));

    *n = 0;
    for (struct port *port = maps->ports; port; port = port->hh.next) {
        if (!is_new || (port->is_new && port->is_system == is_system)) {
            ports[(*n)++] = port;
        }
    }
    return ports;
}

/* Reads the children of 'n' ports, all of them system ports or none. */
static void
read_children(struct name_maps *maps, struct port *const *ports, uint32_t n,
              bool is_system)
{
    sai_object_id_t *oids = check_calloc(n + 1u, sizeof *oids);
    struct port_children *children = check_calloc(n + 1u, sizeof *children);

    for (uint32_t i = 0; i < n; i++) {
        oids[i] = ports[i]->oid;
    }
    for (int k = 0; k < N_PORT_CHILDREN_FAMILIES; k++) {
        if (!is_system) {
            port_children_read(maps->backend, n, oids,
                               (enum port_children_family)k, children);
        } else if (k == PORT_CHILDREN_QUEUES) {
            port_children_read_voqs(maps->backend, n, oids, children);
        } else {
            break; /* They have no priority groups. */
        }
        for (uint32_t i = 0; i < n; i++) {
            ports[i]->children[k] = children[i];
        }
    }
    free(children);
    free(oids);
}

/* Adds new ports to the maps; without children if there is no ASIC to read. */
static void
add_new_ports(struct name_maps *maps)
{
    for (int is_system = 0; is_system < 2; is_system++) {
        uint32_t n;
        struct port **is_new = collect(maps, true, is_system, &n);

        if (maps->backend && n) {
            read_children(maps, is_new, n, is_system);
        }
        add_children(maps, is_new, n);
        free(is_new);
    }
    maps->any_new = false;
}

/* Adds a port, for add_new_ports(). */
static void
port_appeared(struct name_maps *maps, const struct object_view *object)
{
    struct port *port = check_calloc(1, sizeof *port);

    port->name = check_strdup(object->name);
    port->oid = object->oid;
    port->is_new = maps->any_new = true;
    port->is_system = object->table == TABLE_SYSTEM_PORT;
    HASH_ADD_KEYPTR(hh, maps->ports, port->name, strlen(port->name), port);
}

/* Removes a child of a port from the maps. */
static void
remove_child(struct name_maps *maps, const struct port *port, int which,
             struct port_child *child)
{
    const struct family *family = &families[which];
    const bool voq = port_children_role((enum port_children_family)which,
                                        child->kind) == PORT_CHILDREN_VOQ;
    char name[CHILD_NAME_SIZE], oid[24];

    child_name(port, child, name, sizeof name);
    oid_text(child->oid, oid, sizeof oid);
    redis_hdel(maps->redis, COUNTERS_DB, voq ? VOQ_MAP : family->name_map,
               name);
    redis_hdel(maps->redis, COUNTERS_DB, family->port_map, oid);
    redis_hdel(maps->redis, COUNTERS_DB, family->index_map, oid);
    if (family->type_map) {
        redis_hdel(maps->redis, COUNTERS_DB, family->type_map, oid);
    }
    if (voq && child->number == 0) {
        /* Virtual output queues are only removed with their port. */
        redis_hdel(maps->redis, COUNTERS_DB, SYSTEM_PORT_MAP, port->name);
    }
    child->in_maps = false;
}

/* Removes the children of a port that are out of scope, first from the
 * counters, then from the maps; 'whole': all of them, and the port itself. */
static void
remove_children(struct name_maps *maps, struct port *port, bool whole)
{
    struct arena *arena = arena_create(0);
    struct port_child **out[N_PORT_CHILDREN_FAMILIES];
    uint32_t n[N_PORT_CHILDREN_FAMILIES] = {0};

    for (int i = 0; i < N_PORT_CHILDREN_FAMILIES; i++) {
        out[i] = arena_alloc(arena, port->children[i].n + 1u, sizeof *out[i]);
        for (uint32_t k = 0; k < port->children[i].n; k++) {
            struct port_child *child = &port->children[i].list[k];

            if (child->in_maps && (whole || !is_wanted(maps, i, child))) {
                counters_remove(maps->counters, child->oid);
                out[i][n[i]++] = child;
            }
        }
    }
    if (whole || n[PORT_CHILDREN_QUEUES] + n[PORT_CHILDREN_PGS]) {
        redis_begin(maps->redis, COUNTERS_DB);
        for (int i = 0; i < N_PORT_CHILDREN_FAMILIES; i++) {
            for (uint32_t k = 0; k < n[i]; k++) {
                remove_child(maps, port, i, out[i][k]);
            }
        }
        if (whole) {
            redis_hdel(maps->redis, COUNTERS_DB, map_of(port), port->name);
        }
        redis_commit(maps->redis);
    }
    arena_destroy(arena);
}

/* Removes a port with all its children. */
static void
port_gone(struct name_maps *maps, struct port *port)
{
    char key[192];

    if (port->is_new) {
        port_free(maps, port);
        return;
    }
    if (!port->is_system) {
        counters_remove(maps->counters, port->oid);
        text_format(key, sizeof key, "BUFFER_MAX_PARAM_TABLE|%.128s",
                    port->name);
        redis_del(maps->redis, STATE_DB, key);
    }
    remove_children(maps, port, true);
    port_free(maps, port);
}

/* Adds and removes children of all ports as the scope requires. */
static void
follow_scope(struct name_maps *maps)
{
    uint32_t n;
    struct port **ports = collect(maps, false, false, &n);

    for (uint32_t i = 0; i < n; i++) {
        remove_children(maps, ports[i], false);
    }
    add_children(maps, ports, n);
    free(ports);
}

void
name_maps_turn(struct name_maps *maps)
{
    if (maps->any_new) {
        add_new_ports(maps);
    }
    if (polled_scope_changed(maps->scope)) {
        follow_scope(maps);
    }
}

void
name_maps_row(struct name_maps *maps, const struct row_status *status)
{
    if (status->table == TABLE_DEVICE_METADATA) {
        const char *restricted =
            row_status_field(status, "create_only_config_db_buffers");

        polled_scope_restrict(maps->scope,
                              restricted && !strcmp(restricted, "true"));
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

void
name_maps_appeared(struct name_maps *maps, const struct object_view *object)
{
    if (object->table == TABLE_PORT || object->table == TABLE_SYSTEM_PORT) {
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

/* An object that is replaced is removed after the new one has appeared, so the
 * entry is removed only if it still has the id of 'object'. */
void
name_maps_gone(struct name_maps *maps, const struct object_view *object)
{
    if (object->table == TABLE_PORT || object->table == TABLE_SYSTEM_PORT) {
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
