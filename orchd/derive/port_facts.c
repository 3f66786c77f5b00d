/* SPDX-License-Identifier: Apache-2.0 */

/* Ports in a hash, sayings in short lists. */

#include <config.h>

#include "orchd/derive/port_facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "orchd/derive/headroom.h"
#include "orchd/derive/lookup.h"
#include "orchd/intent/content.h"
#include "orchd/intent/key.h"

static void
sayings_free(struct saying *saying)
{
    while (saying) {
        struct saying *next = saying->next;

        free(saying->row);
        free(saying);
        saying = next;
    }
}

static void
port_free(struct facts *facts, struct port_facts *port)
{
    HASH_DEL(facts->ports, port);
    sayings_free(port->cables);
    sayings_free(port->masks);
    free(port->name);
    free(port);
}

void
facts_forget(struct facts *facts, struct port_facts *port)
{
    if (!port->exists && !port->cables && !port->masks && !port->changed) {
        port_free(facts, port);
    }
}

void
facts_fini(struct facts *facts)
{
    struct port_facts *port, *next;

    HASH_ITER(hh, facts->ports, port, next)
    {
        port_free(facts, port);
    }
    *facts = (struct facts){0};
}

static struct port_facts *
port_get(struct facts *facts, const char *name)
{
    struct port_facts *port;

    HASH_FIND_STR(facts->ports, name, port);
    if (!port) {
        port = check_calloc(1, sizeof *port);
        port->name = check_strdup(name);
        HASH_ADD_KEYPTR(hh, facts->ports, port->name, strlen(port->name), port);
    }
    return port;
}

static void
mark(struct facts *facts, struct port_facts *port)
{
    if (port->changed) {
        return;
    }
    port->changed = true;
    port->next_changed = NULL;
    if (facts->changed_last) {
        facts->changed_last->next_changed = port;
    } else {
        facts->changed_first = port;
    }
    facts->changed_last = port;
}

void
facts_mark_all(struct facts *facts)
{
    for (struct port_facts *port = facts->ports; port; port = port->hh.next) {
        mark(facts, port);
    }
}

struct port_facts *
facts_take(struct facts *facts)
{
    struct port_facts *port = facts->changed_first;

    if (port) {
        facts->changed_first = port->next_changed;
        if (!facts->changed_first) {
            facts->changed_last = NULL;
        }
        port->changed = false;
    }
    return port;
}

/* Returns where the saying of 'row' is in a list, or the end of the list. */
static struct saying **
saying_find(struct saying **list, const char *row)
{
    while (*list && strcmp((*list)->row, row)) {
        list = &(*list)->next;
    }
    return list;
}

/* Records that a row says 'value' of 'port'. */
static void
say(struct facts *facts, struct port_facts *port, struct saying **list,
    const struct row *row, uint32_t value)
{
    struct saying **link = saying_find(list, row->key);

    if (!*link) {
        *link = check_calloc(1, sizeof **link);
        (*link)->row = check_strdup(row->key);
        (*link)->n_ports = row->n_ports;
        mark(facts, port);
    } else if ((*link)->value != value) {
        mark(facts, port);
    }
    (*link)->value = value;
    (*link)->stale = false;
}

static void
unsay(struct facts *facts, struct port_facts *port, struct saying **link)
{
    struct saying *saying = *link;

    *link = saying->next;
    free(saying->row);
    free(saying);
    mark(facts, port);
}

void
facts_put_port(struct facts *facts, const struct row *row)
{
    const char *speed = content_find(row->fields, row->n_fields, "speed");
    const char *admin =
        content_find(row->fields, row->n_fields, "admin_status");
    struct port_facts *port;
    struct key key;
    uint64_t mbps = 0;

    /* Names that cannot stand in the keys of derived rows. */
    if (key_parse(TABLE_PORT_QOS_MAP, row->key, &key, NULL) != ST_OK) {
        return;
    }
    if (key.n_ports == 1) {
        port = port_get(facts, row->key);
        port->exists = row->present;
        port->admin_up = admin && !strcmp(admin, "up");
        if (!speed || parse_u64(speed, 1, HEADROOM_SPEED_MAX_MBPS, &mbps)) {
            mbps = 0;
        }
        port->speed_mbps = (uint32_t)mbps;
        mark(facts, port);
    }
    key_fini(&key);
}

void
facts_put_cables(struct facts *facts, const struct row *row)
{
    for (struct port_facts *port = facts->ports; port; port = port->hh.next) {
        struct saying **link = saying_find(&port->cables, row->key);

        if (*link) {
            (*link)->stale = true;
        }
    }
    for (size_t i = 0; i < row->n_fields; i++) {
        struct port_facts *port = port_get(facts, row->fields[i].name);
        uint32_t cable_m;

        if (cable_parse(row->fields[i].value, &cable_m) == ST_OK) {
            say(facts, port, &port->cables, row, cable_m);
        }
    }
    for (struct port_facts *port = facts->ports; port; port = port->hh.next) {
        struct saying **link = saying_find(&port->cables, row->key);

        if (*link && (*link)->stale) {
            unsay(facts, port, link);
        }
    }
}

/* Reads a comma list of priorities. */
static uint32_t
parse_mask(const char *text)
{
    uint32_t mask = 0;

    for (; *text; text++) {
        if (*text >= '0' && *text <= '7') {
            mask |= UINT32_C(1) << (*text - '0');
        }
    }
    return mask;
}

void
facts_put_masks(struct facts *facts, const struct row *row)
{
    const char *list = content_find(row->fields, row->n_fields, "pfc_enable");

    for (size_t i = 0; i < row->n_ports; i++) {
        struct port_facts *port = port_get(facts, row->ports[i]);
        struct saying **link;

        if (row->present && list) {
            say(facts, port, &port->masks, row, parse_mask(list));
            continue;
        }
        link = saying_find(&port->masks, row->key);
        if (*link) {
            unsay(facts, port, link);
        }
    }
}

bool
port_facts_cable(const struct port_facts *port, uint32_t *cable_m,
                 const struct saying **other)
{
    *other = NULL;
    if (!port->cables) {
        return false;
    }
    *cable_m = port->cables->value;
    for (const struct saying *saying = port->cables->next; saying;
         saying = saying->next) {
        if (saying->value != *cable_m) {
            *other = saying;
        }
    }
    return true;
}

uint32_t
port_facts_mask(const struct port_facts *port)
{
    const struct saying *best = port->masks;

    for (const struct saying *saying = best; saying; saying = saying->next) {
        if (saying->n_ports < best->n_ports ||
            (saying->n_ports == best->n_ports &&
             strcmp(saying->row, best->row) < 0)) {
            best = saying;
        }
    }
    return best ? best->value : 0;
}
