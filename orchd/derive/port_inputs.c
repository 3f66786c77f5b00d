/* SPDX-License-Identifier: Apache-2.0 */

/* Ports in a hash, row values in short lists. */

#include <config.h>

#include "orchd/derive/port_inputs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "orchd/derive/headroom.h"
#include "orchd/derive/lookup_lines.h"
#include "orchd/derive/port_state.h"
#include "orchd/intent/content.h"
#include "orchd/intent/key.h"

enum { MTU_MAX = 65535 };

static void
row_values_free(struct row_value *entry)
{
    while (entry) {
        struct row_value *next = entry->next;

        free(entry->row);
        free(entry);
        entry = next;
    }
}

static void
port_free(struct port_inputs *inputs, struct port_input *port)
{
    HASH_DEL(inputs->ports, port);
    row_values_free(port->cables);
    row_values_free(port->masks);
    free(port->name);
    free(port);
}

void
port_inputs_forget(struct port_inputs *inputs, struct port_input *port)
{
    if (!port->exists && !port->cables && !port->masks && !port->bindings &&
        !port->changed && !port->unexplained && inputs->explained != port) {
        port_free(inputs, port);
    }
}

void
port_inputs_fini(struct port_inputs *inputs)
{
    struct port_input *port, *next;

    HASH_ITER(hh, inputs->ports, port, next)
    {
        port_free(inputs, port);
    }
    *inputs = (struct port_inputs){0};
}

struct port_input *
port_inputs_find_port(const struct port_inputs *inputs, const char *name)
{
    struct port_input *port;

    HASH_FIND_STR(inputs->ports, name, port);
    return port;
}

struct port_input *
port_inputs_get_port(struct port_inputs *inputs, const char *name)
{
    struct port_input *port = port_inputs_find_port(inputs, name);

    if (!port) {
        port = check_calloc(1, sizeof *port);
        port->name = check_strdup(name);
        HASH_ADD_KEYPTR(hh, inputs->ports, port->name, strlen(port->name),
                        port);
    }
    return port;
}

void
port_inputs_mark(struct port_inputs *inputs, struct port_input *port)
{
    if (port->changed) {
        return;
    }
    port->changed = true;
    port->next_changed = NULL;
    if (inputs->changed_last) {
        inputs->changed_last->next_changed = port;
    } else {
        inputs->changed_first = port;
    }
    inputs->changed_last = port;
}

void
port_inputs_unexplain(struct port_inputs *inputs, struct port_input *port)
{
    if (port->unexplained) {
        return;
    }
    port->unexplained = true;
    port->next_unexplained = NULL;
    if (inputs->unexplained_last) {
        inputs->unexplained_last->next_unexplained = port;
    } else {
        inputs->unexplained_first = port;
    }
    inputs->unexplained_last = port;
}

struct port_input *
port_inputs_take_unexplained(struct port_inputs *inputs)
{
    struct port_input *before = inputs->explained;
    struct port_input *port = inputs->unexplained_first;

    inputs->explained = NULL;
    if (before && before->n_derived_rows == 0) {
        port_inputs_forget(inputs, before);
    }
    if (port) {
        inputs->unexplained_first = port->next_unexplained;
        if (!inputs->unexplained_first) {
            inputs->unexplained_last = NULL;
        }
        port->unexplained = false;
        inputs->explained = port;
    }
    return port;
}

void
port_inputs_mark_all(struct port_inputs *inputs)
{
    for (struct port_input *port = inputs->ports; port; port = port->hh.next) {
        port_inputs_mark(inputs, port);
    }
}

struct port_input *
port_inputs_take(struct port_inputs *inputs)
{
    struct port_input *port = inputs->changed_first;

    if (port) {
        inputs->changed_first = port->next_changed;
        if (!inputs->changed_first) {
            inputs->changed_last = NULL;
        }
        port->changed = false;
    }
    return port;
}

/* Returns the link to the value of 'row' in a list, or the end of the list. */
static struct row_value **
row_value_find(struct row_value **list, const char *row)
{
    while (*list && strcmp((*list)->row, row)) {
        list = &(*list)->next;
    }
    return list;
}

/* Records that a row gives 'value' to 'port'. */
static void
row_value_set(struct port_inputs *inputs, struct port_input *port,
              struct row_value **list, const struct row *row, uint32_t value)
{
    struct row_value **link = row_value_find(list, row->key);

    if (!*link) {
        *link = check_calloc(1, sizeof **link);
        (*link)->row = check_strdup(row->key);
        (*link)->n_ports = row->n_ports;
        port_inputs_mark(inputs, port);
    } else if ((*link)->value != value) {
        port_inputs_mark(inputs, port);
    }
    (*link)->value = value;
    (*link)->stale = false;
}

static void
row_value_remove(struct port_inputs *inputs, struct port_input *port,
                 struct row_value **link)
{
    struct row_value *entry = *link;

    *link = entry->next;
    free(entry->row);
    free(entry);
    port_inputs_mark(inputs, port);
}

/* Returns a field as a number in 1..'most', or 'otherwise'. */
static uint32_t
number_of(const struct row *row, const char *field, uint64_t most,
          uint32_t otherwise)
{
    const char *text = content_find(row->fields, row->n_fields, field);
    uint64_t number;

    return text && parse_u64(text, 1, most, &number) == ST_OK ? (uint32_t)number
                                                              : otherwise;
}

static void
read_port(struct port_input *port, const struct row *row)
{
    const char *lanes = content_find(row->fields, row->n_fields, "lanes");

    port->exists = row->present;
    port->placed &= row->present;
    port->is_up &= row->present;
    port->admin_up =
        content_is(row->fields, row->n_fields, "admin_status", "up");
    port->speed_mbps = number_of(row, "speed", HEADROOM_SPEED_MAX_MBPS, 0);
    port->mtu = number_of(row, "mtu", MTU_MAX, PORT_DEFAULT_MTU);
    port->autoneg = content_is(row->fields, row->n_fields, "autoneg", "on");
    port->advertised_mbps = port_effective_speed(
        true, 0, content_find(row->fields, row->n_fields, "adv_speeds"), NULL);
    port->n_lanes = lanes ? 1 : 0;
    for (const char *p = lanes; p && *p; p++) {
        port->n_lanes += *p == ',';
    }
}

void
port_inputs_put_port(struct port_inputs *inputs, const struct row *row)
{
    struct port_input *port;
    struct key key;

    /* Skip names that the keys of derived rows could not contain. */
    if (key_parse(TABLE_PORT_QOS_MAP, row->key, &key, NULL) != ST_OK) {
        return;
    }
    if (key.n_ports == 1) {
        port = port_inputs_get_port(inputs, row->key);
        read_port(port, row);
        port_inputs_mark(inputs, port);
    }
    key_fini(&key);
}

void
port_inputs_put_cables(struct port_inputs *inputs, const struct row *row)
{
    for (struct port_input *port = inputs->ports; port; port = port->hh.next) {
        struct row_value **link = row_value_find(&port->cables, row->key);

        if (*link) {
            (*link)->stale = true;
        }
    }
    for (size_t i = 0; i < row->n_fields; i++) {
        struct port_input *port =
            port_inputs_get_port(inputs, row->fields[i].name);
        uint32_t cable_m;

        if (cable_parse(row->fields[i].value, &cable_m) == ST_OK) {
            row_value_set(inputs, port, &port->cables, row, cable_m);
        }
    }
    for (struct port_input *port = inputs->ports; port; port = port->hh.next) {
        struct row_value **link = row_value_find(&port->cables, row->key);

        if (*link && (*link)->stale) {
            row_value_remove(inputs, port, link);
        }
    }
}

/* Parses a comma list of priorities. */
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
port_inputs_put_masks(struct port_inputs *inputs, const struct row *row)
{
    const char *list = content_find(row->fields, row->n_fields, "pfc_enable");

    for (size_t i = 0; i < row->n_ports; i++) {
        struct port_input *port = port_inputs_get_port(inputs, row->ports[i]);
        struct row_value **link;

        if (row->present && list) {
            row_value_set(inputs, port, &port->masks, row, parse_mask(list));
            continue;
        }
        link = row_value_find(&port->masks, row->key);
        if (*link) {
            row_value_remove(inputs, port, link);
        }
    }
}

bool
port_input_cable(const struct port_input *port, uint32_t *cable_m,
                 const struct row_value **other)
{
    *other = NULL;
    if (!port->cables) {
        return false;
    }
    *cable_m = port->cables->value;
    for (const struct row_value *entry = port->cables->next; entry;
         entry = entry->next) {
        if (entry->value != *cable_m) {
            *other = entry;
        }
    }
    return true;
}

void
port_input_contradict(const struct port_input *port,
                      const struct row_value *other, struct err *err)
{
    err_set(err, ST_INVALID, "contradiction",
            "CABLE_LENGTH|%s says that the cable of %s has %" PRIu32
            " m, CABLE_LENGTH|%s says %" PRIu32 " m",
            port->cables->row, port->name, port->cables->value, other->row,
            other->value);
    err_set_field(err, port->name, NULL, NULL);
    err_set_remedy(err, "remove %s from one of the rows", port->name);
}

enum st
port_input_check(const struct port_input *port, bool has_cable, struct err *err)
{
    if (!port_input_speed(port)) {
        err_set(err, ST_NOT_FOUND, "no-speed", "the speed of %s is unknown",
                port->name);
        err_set_remedy(err,
                       "write speed, or adv_speeds with autoneg, into "
                       "PORT|%s",
                       port->name);
        return ST_NOT_FOUND;
    }
    if (!has_cable) {
        err_set(err, ST_NOT_FOUND, "no-cable",
                "the cable length of %s is unknown", port->name);
        err_set_remedy(err, "write its length into CABLE_LENGTH|AZURE");
        return ST_NOT_FOUND;
    }
    return ST_OK;
}

uint32_t
port_input_speed(const struct port_input *port)
{
    if (!port->autoneg) {
        return port->speed_mbps;
    }
    return port->advertised_mbps ? port->advertised_mbps : port->supported_mbps;
}

bool
port_input_is_up(const struct port_input *port)
{
    return port->admin_up || port->is_up;
}

uint32_t
port_input_mask(const struct port_input *port)
{
    const struct row_value *best = port->masks;

    for (const struct row_value *entry = best; entry; entry = entry->next) {
        if (entry->n_ports < best->n_ports ||
            (entry->n_ports == best->n_ports &&
             strcmp(entry->row, best->row) < 0)) {
            best = entry;
        }
    }
    return best ? best->value : 0;
}
