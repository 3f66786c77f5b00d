/* SPDX-License-Identifier: Apache-2.0 */

/* STATE_DB PORT_TABLE. */

#include <config.h>

#include "orchd/publish/port_states.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "base/ethernet.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/publish/port_table.h"
#include "sai/core/backend.h"
#include "sai/core/bulk_get.h"
#include "sai/core/metadata.h"

/* SAI counts addresses, type, a tag and FCS to the MTU, SONiC does not. */
enum { KEY_SIZE = 128 };

#define PREFIX "PORT_TABLE|"

/* A port by its id. */
struct port {
    sai_object_id_t oid;
    char *name;
    bool up;
    bool is_new; /* Its link was not read yet. */
    UT_hash_handle hh;
};

struct port_states {
    struct redis *redis;
    struct port_table *table;
    struct sai_backend *backend; /* NULL: none yet. */
    struct port *ports;
    bool sweep_due; /* STATE_DB may have rows of removed ports, ... */
    bool links_due; /* ... and of ports whose links are no longer up. */
    bool any_new;   /* Some ports may be new. */
};

struct port_states *
port_states_create(struct redis *redis, struct port_table *table)
{
    struct port_states *states = check_calloc(1, sizeof *states);

    states->redis = redis;
    states->table = table;
    return states;
}

void
port_states_destroy(struct port_states *states)
{
    if (states) {
        port_states_restart(states);
        free(states);
    }
}

void
port_states_attach(struct port_states *states, struct sai_backend *backend)
{
    states->backend = backend;
}

static void
forget(struct port_states *states, struct port *port)
{
    HASH_DEL(states->ports, port);
    free(port->name);
    free(port);
}

void
port_states_restart(struct port_states *states)
{
    struct port *port, *next;

    HASH_ITER(hh, states->ports, port, next)
    {
        forget(states, port);
    }
    states->sweep_due = true;
    states->links_due = true;
}

static struct port *
find(struct port_states *states, sai_object_id_t oid)
{
    struct port *port;

    HASH_FIND(hh, states->ports, &oid, sizeof oid, port);
    return port;
}

static void
write_fields(struct port_states *states, const char *name,
             const struct field *fields, size_t n)
{
    char key[KEY_SIZE];

    if (text_format(key, sizeof key, PREFIX "%s", name)) {
        redis_hset(states->redis, STATE_DB, key, fields, n);
    }
}

static const char *
word(bool up)
{
    return up ? "up" : "down";
}

/* Returns the name of a mode of FEC as CONFIG_DB has it. */
static const char *
fec_word(int32_t mode)
{
    return mode == SAI_PORT_FEC_MODE_RS   ? "rs"
           : mode == SAI_PORT_FEC_MODE_FC ? "fc"
                                          : "none";
}

/* A redis_keep_fn: keeps the rows of existing ports. */
static bool
keep(void *states_, const char *key)
{
    const struct port_states *states = states_;

    for (const struct port *i = states->ports; i; i = i->hh.next) {
        if (!strcmp(i->name, key + strlen(PREFIX))) {
            return true;
        }
    }
    return false;
}

/* A redis_keep_fn that keeps all rows and sets their links to down. */
static bool
keep_without_link(void *states_, const char *key)
{
    struct port_states *states = states_;

    redis_hset(states->redis, STATE_DB, key,
               &(struct field){"netdev_oper_status", word(false)}, 1);
    return true;
}

static void
on_swept(void *states)
{
    (void)states;
}

/* Writes the state of a port that has appeared. */
static void
settle(struct port_states *states, struct port *port,
       const sai_attribute_value_t *link)
{
    port->is_new = false;
    port->up = link && link->s32 == SAI_PORT_OPER_STATUS_UP;
    port_table_link(states->table, port->name, port->up);
    write_fields(states, port->name,
                 (const struct field[]){{"state", "ok"},
                                        {"netdev_oper_status", word(port->up)}},
                 2);
}

/* Reads the links of the ports that have appeared, and writes their state. */
static void
read_links(struct port_states *states)
{
    const unsigned int size = HASH_COUNT(states->ports) + 1;
    struct port **is_new;
    sai_object_id_t *oids;
    struct bulk_get links = {0};
    uint32_t n = 0;

    if (!states->any_new) {
        return;
    }
    is_new = check_calloc(size, sizeof(struct port *));
    oids = check_calloc(size, sizeof *oids);
    for (struct port *port = states->ports; port; port = port->hh.next) {
        if (port->is_new) {
            oids[n] = port->oid;
            is_new[n++] = port;
        }
    }
    if (states->backend) {
        bulk_get_read(&links, states->backend, SAI_OBJECT_TYPE_PORT,
                      SAI_PORT_ATTR_OPER_STATUS, n, oids);
    }
    for (uint32_t i = 0; i < n; i++) {
        settle(states, is_new[i],
               states->backend ? bulk_get_value(&links, i) : NULL);
    }
    states->any_new = false;
    bulk_get_fini(&links);
    free(oids);
    free(is_new);
}

void
port_states_turn(struct port_states *states,
                 enum port_states_knowledge knowledge)
{
    read_links(states);
    if (knowledge == PORT_STATES_COMPLETE && states->sweep_due) {
        states->sweep_due = false;
        redis_sweep(states->redis, STATE_DB, PREFIX "*", keep, on_swept,
                    states);
    } else if (knowledge == PORT_STATES_NO_SWITCH && states->links_due) {
        states->links_due = false;
        port_table_no_links(states->table);
        redis_sweep(states->redis, STATE_DB, PREFIX "*", keep_without_link,
                    on_swept, states);
    }
}

void
port_states_appeared(struct port_states *states,
                     const struct object_view *object)
{
    struct port *port;

    if (object->type != SAI_OBJECT_TYPE_PORT || find(states, object->oid)) {
        return;
    }
    port = check_calloc(1, sizeof *port);
    port->oid = object->oid;
    port->name = check_strdup(object->name);
    port->is_new = states->any_new = true;
    HASH_ADD(hh, states->ports, oid, sizeof port->oid, port);
}

void
port_states_attribute(struct port_states *states,
                      const struct object_view *object,
                      const struct metadata_attribute *attribute,
                      const sai_attribute_value_t *value)
{
    char number[24];
    struct field field = {.value = number};

    if (object->type != SAI_OBJECT_TYPE_PORT || !find(states, object->oid)) {
        return;
    }
    switch (attribute->id) {
    case SAI_PORT_ATTR_ADMIN_STATE:
        field = (struct field){"admin_status", word(value->booldata)};
        break;
    case SAI_PORT_ATTR_MTU:
        field.name = "mtu";
        (void)text_format(number, sizeof number, "%u",
                          value->u32 > ETHERNET_FRAME_OVERHEAD_BYTES
                              ? value->u32 - ETHERNET_FRAME_OVERHEAD_BYTES
                              : 0);
        break;
    case SAI_PORT_ATTR_FEC_MODE:
        field = (struct field){"fec", fec_word(value->s32)};
        break;
    case SAI_PORT_ATTR_SPEED:
        field.name = "speed";
        (void)text_format(number, sizeof number, "%u", value->u32);
        break;
    default:
        return;
    }
    write_fields(states, object->name, &field, 1);
}

void
port_states_gone(struct port_states *states, const struct object_view *object)
{
    struct port *port = find(states, object->oid);
    char key[KEY_SIZE];

    if (port) {
        if (text_format(key, sizeof key, PREFIX "%s", port->name)) {
            redis_del(states->redis, STATE_DB, key);
        }
        port_table_link(states->table, port->name, false);
        forget(states, port);
    }
}

const char *
port_states_link(struct port_states *states, sai_object_id_t oid, bool up)
{
    struct port *port = find(states, oid);

    if (!port || port->up == up) {
        return NULL;
    }
    port->up = up;
    port_table_link(states->table, port->name, up);
    write_fields(states, port->name,
                 &(struct field){"netdev_oper_status", word(up)}, 1);
    return port->name;
}
