/* SPDX-License-Identifier: Apache-2.0 */

/* Ports in a hash, sayings in short lists. */

#include <config.h>

#include "orchd/derive/port_inputs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "orchd/derive/headroom.h"
#include "orchd/derive/lookup.h"
#include "orchd/derive/port_state.h"
#include "orchd/intent/content.h"
#include "orchd/intent/key.h"

enum { MTU_MAX = 65535 };

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
port_free(struct port_inputs *facts, struct port_facts *port)
{
    HASH_DEL(facts->ports, port);
    sayings_free(port->cables);
    sayings_free(port->masks);
    free(port->name);
    free(port);
}

void
port_inputs_forget(struct port_inputs *facts, struct port_facts *port)
{
    if (!port->exists && !port->cables && !port->masks && !port->places &&
        !port->changed && !port->unexplained && facts->explained != port) {
        port_free(facts, port);
    }
}

void
port_inputs_fini(struct port_inputs *facts)
{
    struct port_facts *port, *next;

    HASH_ITER(hh, facts->ports, port, next)
    {
        port_free(facts, port);
    }
    *facts = (struct port_inputs){0};
}

struct port_facts *
port_inputs_find_port(const struct port_inputs *facts, const char *name)
{
    struct port_facts *port;

    HASH_FIND_STR(facts->ports, name, port);
    return port;
}

struct port_facts *
port_inputs_get_port(struct port_inputs *facts, const char *name)
{
    struct port_facts *port = port_inputs_find_port(facts, name);

    if (!port) {
        port = check_calloc(1, sizeof *port);
        port->name = check_strdup(name);
        HASH_ADD_KEYPTR(hh, facts->ports, port->name, strlen(port->name), port);
    }
    return port;
}

void
port_inputs_mark(struct port_inputs *facts, struct port_facts *port)
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
port_inputs_unexplain(struct port_inputs *facts, struct port_facts *port)
{
    if (port->unexplained) {
        return;
    }
    port->unexplained = true;
    port->next_unexplained = NULL;
    if (facts->unexplained_last) {
        facts->unexplained_last->next_unexplained = port;
    } else {
        facts->unexplained_first = port;
    }
    facts->unexplained_last = port;
}

struct port_facts *
port_inputs_take_unexplained(struct port_inputs *facts)
{
    struct port_facts *before = facts->explained;
    struct port_facts *port = facts->unexplained_first;

    facts->explained = NULL;
    if (before && before->n_outcomes == 0) {
        port_inputs_forget(facts, before);
    }
    if (port) {
        facts->unexplained_first = port->next_unexplained;
        if (!facts->unexplained_first) {
            facts->unexplained_last = NULL;
        }
        port->unexplained = false;
        facts->explained = port;
    }
    return port;
}

void
port_inputs_mark_all(struct port_inputs *facts)
{
    for (struct port_facts *port = facts->ports; port; port = port->hh.next) {
        port_inputs_mark(facts, port);
    }
}

struct port_facts *
port_inputs_take(struct port_inputs *facts)
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
say(struct port_inputs *facts, struct port_facts *port, struct saying **list,
    const struct row *row, uint32_t value)
{
    struct saying **link = saying_find(list, row->key);

    if (!*link) {
        *link = check_calloc(1, sizeof **link);
        (*link)->row = check_strdup(row->key);
        (*link)->n_ports = row->n_ports;
        port_inputs_mark(facts, port);
    } else if ((*link)->value != value) {
        port_inputs_mark(facts, port);
    }
    (*link)->value = value;
    (*link)->stale = false;
}

static void
unsay(struct port_inputs *facts, struct port_facts *port, struct saying **link)
{
    struct saying *saying = *link;

    *link = saying->next;
    free(saying->row);
    free(saying);
    port_inputs_mark(facts, port);
}

/* Returns a field as a number in 1..'most', 'otherwise' if it is none. */
static uint32_t
number_of(const struct row *row, const char *field, uint64_t most,
          uint32_t otherwise)
{
    const char *text = content_find(row->fields, row->n_fields, field);
    uint64_t number;

    return text && parse_u64(text, 1, most, &number) == ST_OK ? (uint32_t)number
                                                              : otherwise;
}

static bool
field_is(const struct row *row, const char *field, const char *value)
{
    const char *text = content_find(row->fields, row->n_fields, field);

    return text && !strcmp(text, value);
}

static void
read_port(struct port_facts *port, const struct row *row)
{
    const char *lanes = content_find(row->fields, row->n_fields, "lanes");

    port->exists = row->present;
    port->placed &= row->present;
    port->is_up &= row->present;
    port->admin_up = field_is(row, "admin_status", "up");
    port->speed_mbps = number_of(row, "speed", HEADROOM_SPEED_MAX_MBPS, 0);
    port->mtu = number_of(row, "mtu", MTU_MAX, PORT_DEFAULT_MTU);
    port->autoneg = field_is(row, "autoneg", "on");
    port->advertised_mbps = port_effective_speed(
        true, 0, content_find(row->fields, row->n_fields, "adv_speeds"), NULL);
    port->n_lanes = lanes ? 1 : 0;
    for (const char *p = lanes; p && *p; p++) {
        port->n_lanes += *p == ',';
    }
}

void
port_inputs_put_port(struct port_inputs *facts, const struct row *row)
{
    struct port_facts *port;
    struct key key;

    /* Names that cannot stand in the keys of derived rows. */
    if (key_parse(TABLE_PORT_QOS_MAP, row->key, &key, NULL) != ST_OK) {
        return;
    }
    if (key.n_ports == 1) {
        port = port_inputs_get_port(facts, row->key);
        read_port(port, row);
        port_inputs_mark(facts, port);
    }
    key_fini(&key);
}

void
port_inputs_put_cables(struct port_inputs *facts, const struct row *row)
{
    for (struct port_facts *port = facts->ports; port; port = port->hh.next) {
        struct saying **link = saying_find(&port->cables, row->key);

        if (*link) {
            (*link)->stale = true;
        }
    }
    for (size_t i = 0; i < row->n_fields; i++) {
        struct port_facts *port =
            port_inputs_get_port(facts, row->fields[i].name);
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
port_inputs_put_masks(struct port_inputs *facts, const struct row *row)
{
    const char *list = content_find(row->fields, row->n_fields, "pfc_enable");

    for (size_t i = 0; i < row->n_ports; i++) {
        struct port_facts *port = port_inputs_get_port(facts, row->ports[i]);
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

void
port_facts_contradict(const struct port_facts *port, const struct saying *other,
                      struct err *err)
{
    err_set(err, ST_INVALID, "contradiction",
            "CABLE_LENGTH|%s says that the cable of %s has %" PRIu32
            " m, CABLE_LENGTH|%s says %" PRIu32 " m",
            port->cables->row, port->name, port->cables->value, other->row,
            other->value);
    err_set_field(err, port->name, NULL, NULL);
    err_set_remedy(err, "remove %s from one of the rows", port->name);
}

uint32_t
port_facts_speed(const struct port_facts *port)
{
    if (!port->autoneg) {
        return port->speed_mbps;
    }
    return port->advertised_mbps ? port->advertised_mbps : port->supported_mbps;
}

bool
port_facts_is_up(const struct port_facts *port)
{
    return port->admin_up || port->is_up;
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
