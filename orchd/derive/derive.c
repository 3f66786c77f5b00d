/* SPDX-License-Identifier: Apache-2.0 */

/* From port inputs to rows, port by port.
 *
 * A port that changed is derived again: it takes references to the rows that it
 * needs now before it drops those that it needed before, so a row that it needs
 * in both cases is never removed in between. */

#include <config.h>

#include "orchd/derive/derive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/derive/derived_rows.h"
#include "orchd/derive/dynamic.h"
#include "orchd/derive/explanation.h"
#include "orchd/derive/llr_ports.h"
#include "orchd/derive/pg_profile_lookup.h"
#include "orchd/derive/port_inputs.h"
#include "orchd/derive/port_state.h"
#include "orchd/derive/shipped_lookups.h"
#include "orchd/derive/shut_ports.h"
#include "orchd/intent/content.h"

enum {
    RUNS = 32,
    DERIVED_ROWS_MAX = 2 * RUNS + 1, /* For groups and queues, and a profile. */
    NUMBER_SIZE = 24,
    KEY_SIZE = 256,
};

struct derive {
    struct port_inputs inputs;
    struct derived_rows *derived_rows;
    struct pg_profile_lookup lookup; /* The user's. */
    struct shipped_lookups shipped;
    const struct pg_profile_lookup *table; /* In use, never NULL. */
    char *hwsku;                           /* NULL: none. */
    struct dynamic_state model;            /* The dynamic one. */
    struct llr_ports llr;
    const struct platform *platform; /* That of the device, unless
                                      * configured. */
    const struct platform *said;     /* Configured; NULL: none. */
    const struct platform *device;
};

struct derive *
derive_create(void)
{
    struct derive *derive = check_calloc(1, sizeof *derive);

    derive->derived_rows = derived_rows_create();
    derive->table = &derive->lookup;
    derive->platform = derive->device = platform_find(NULL);
    dynamic_init(&derive->model, &derive->inputs, derive->derived_rows);
    llr_ports_init(&derive->llr, &derive->inputs, derive->derived_rows);
    return derive;
}

static void
port_release(struct derive *derive, struct derived_row **list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        derived_row_unref(derive->derived_rows, list[i]);
    }
    free(list);
}

void
derive_destroy(struct derive *derive)
{
    if (!derive) {
        return;
    }
    for (struct port_input *port = derive->inputs.ports; port;
         port = port->hh.next) {
        port_release(derive, port->derived_rows, port->n_derived_rows);
    }
    dynamic_fini(&derive->model);
    llr_ports_fini(&derive->llr);
    port_inputs_fini(&derive->inputs);
    derived_rows_destroy(derive->derived_rows);
    pg_profile_lookup_fini(&derive->lookup);
    shipped_lookups_fini(&derive->shipped);
    free(derive->hwsku);
    free(derive);
}

/* Chooses the table: the user's, else the shipped one of the hwsku. */
static void
choose_table(struct derive *derive)
{
    const struct pg_profile_lookup *shipped =
        derive->hwsku && !derive->lookup.n
            ? shipped_lookups_find(&derive->shipped, derive->hwsku)
            : NULL;
    const struct pg_profile_lookup *table = shipped ? shipped : &derive->lookup;

    if (derive->table != table) {
        derive->table = table;
        port_inputs_mark_all(&derive->inputs);
    }
}

void
derive_set_lookup(struct derive *derive, struct pg_profile_lookup *lookup)
{
    pg_profile_lookup_fini(&derive->lookup);
    derive->lookup = *lookup;
    *lookup = (struct pg_profile_lookup){0};
    port_inputs_mark_all(&derive->inputs);
    choose_table(derive);
}

void
derive_set_shipped(struct derive *derive, struct shipped_lookups *shipped)
{
    derive->table = &derive->lookup;
    shipped_lookups_fini(&derive->shipped);
    derive->shipped = *shipped;
    *shipped = (struct shipped_lookups){0};
    port_inputs_mark_all(&derive->inputs);
    choose_table(derive);
}

void
derive_set_llr_lookup(struct derive *derive, struct llr_lookup *lookup)
{
    llr_ports_set_lookup(&derive->llr, lookup);
}

void
derive_get_lookup(const struct derive *derive, struct derive_lookup *lookup)
{
    *lookup = (struct derive_lookup){
        .dynamic = derive->model.on,
        .n = derive->table->n,
        .shipped = derive->table != &derive->lookup,
        .hwsku = derive->hwsku ? derive->hwsku : "",
    };
}

static void
choose_platform(struct derive *derive)
{
    const struct platform *platform =
        derive->said ? derive->said : derive->device;

    if (derive->platform != platform) {
        derive->platform = derive->model.platform = platform;
        derive->model.refresh = true;
        port_inputs_mark_all(&derive->inputs);
    }
}

void
derive_set_platform(struct derive *derive, const struct platform *platform)
{
    derive->said = platform;
    choose_platform(derive);
}

/* Counts the row of a port before reading it. */
static void
pool_users_port(struct derive *derive, const struct row *row)
{
    const struct port_input *port =
        port_inputs_find_port(&derive->inputs, row->key);
    bool exists = port && port->exists;

    derive->model.n_ports += row->present && !exists;
    derive->model.n_ports -= !row->present && exists;
}

static void
put_device(struct derive *derive, const struct row *row)
{
    const char *platform = content_find(row->fields, row->n_fields, "platform");
    bool dynamic =
        content_is(row->fields, row->n_fields, "buffer_model", "dynamic");
    uint32_t number = platform ? platform_model_number(platform) : 0;

    free(derive->hwsku);
    derive->hwsku =
        check_strdup(content_find(row->fields, row->n_fields, "hwsku"));
    choose_table(derive);
    derive->device = platform_of_device(platform);
    choose_platform(derive);
    if (derive->model.model_number != number) {
        derive->model.model_number = number;
        derive->model.refresh = true;
    }
    if (derive->model.on != dynamic) {
        dynamic_switch(&derive->model, dynamic);
        port_inputs_mark_all(&derive->inputs);
    }
}

/* A profile of the user hides the derived one only while it has a content: one
 * that is rejected must not leave the groups of all ports without any. */
static void
put_profile(struct derive *derive, const struct row *row)
{
    derived_rows_set_user(derive->derived_rows, row->table, row->key,
                          row->present && row->effective);
    if (!row->effective) {
        derived_rows_renew(derive->derived_rows, row->table, row->key);
    }
}

bool
derive_put_row(struct derive *derive, const struct row *row)
{
    switch (row->table) {
    case TABLE_DEVICE_METADATA:
        put_device(derive, row);
        break;
    case TABLE_PORT:
        pool_users_port(derive, row);
        port_inputs_put_port(&derive->inputs, row);
        break;
    case TABLE_CABLE_LENGTH:
        port_inputs_put_cables(&derive->inputs, row);
        break;
    case TABLE_PORT_QOS_MAP:
        port_inputs_put_masks(&derive->inputs, row);
        break;
    case TABLE_BUFFER_QUEUE:
        if (!derive->model.shut.zeros.n) {
            return dynamic_put_row(&derive->model, row);
        }
        /* fallthrough */
    case TABLE_BUFFER_PROFILE:
        put_profile(derive, row);
        return dynamic_put_row(&derive->model, row);
    case TABLE_BUFFER_PG:
    case TABLE_BUFFER_POOL:
        derived_rows_set_user(derive->derived_rows, row->table, row->key,
                              row->present);
        return dynamic_put_row(&derive->model, row);
    case TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST:
    case TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST:
    case TABLE_DEFAULT_LOSSLESS_BUFFER_PARAMETER:
    case TABLE_LOSSLESS_TRAFFIC_PATTERN:
        return dynamic_put_row(&derive->model, row);
    case TABLE_LLR_PROFILE:
        put_profile(derive, row);
        llr_ports_put_profile(&derive->llr, row);
        break;
    case TABLE_LLR_PORT:
        return llr_ports_put_port(&derive->llr, row);
    default:
        break;
    }
    return false;
}

bool
derive_wants_rows(struct derive *derive)
{
    return dynamic_wants_rows(&derive->model);
}

void
derive_set_chip(struct derive *derive, const struct dynamic_state_chip *chip)
{
    derive->model.chip = *chip;
    derive->model.refresh = true;
}

void
derive_set_memory(struct derive *derive, uint64_t bytes)
{
    derive->model.memory_bytes = bytes;
    derive->model.resize = true;
}

void
derive_set_port(struct derive *derive, const char *name,
                const struct derive_port *observed)
{
    struct port_input *port = port_inputs_find_port(&derive->inputs, name);

    if (port && (!port->placed || port->is_up != observed->is_up ||
                 port->max_headroom_bytes != observed->max_headroom_bytes ||
                 port->supported_mbps != observed->supported_mbps ||
                 port->n_groups != observed->n_groups ||
                 port->n_queues != observed->n_queues)) {
        port->fresh = !port->placed && observed->max_headroom_bytes > 0;
        port->placed = true;
        port->is_up = observed->is_up;
        port->max_headroom_bytes = observed->max_headroom_bytes;
        port->supported_mbps = observed->supported_mbps;
        port->n_groups = observed->n_groups;
        port->n_queues = observed->n_queues;
        port_inputs_mark(&derive->inputs, port);
    }
}

void
derive_set_zeros(struct derive *derive, struct zero_profiles *zeros)
{
    shut_ports_set_zeros(&derive->model, zeros);
}

/* The rows that a port needs, while it is derived. */
struct port_rows {
    struct derive *derive;
    struct derived_row *list[DERIVED_ROWS_MAX];
    size_t n;
};

static struct derived_row *
port_rows_add(struct port_rows *rows, enum table table, const char *key)
{
    struct derived_row *outcome =
        derived_row_ref(rows->derive->derived_rows, table, key);

    orch_assert(rows->n < DERIVED_ROWS_MAX);
    rows->list[rows->n++] = outcome;
    return outcome;
}

/* Sets the profile of an entry of the lookup table. */
static void
port_rows_add_profile(struct port_rows *rows,
                      const struct pg_profile_lookup_entry *entry,
                      const char *name)
{
    struct derived_row *outcome =
        port_rows_add(rows, TABLE_BUFFER_PROFILE, name);
    char size[NUMBER_SIZE], xon[NUMBER_SIZE], xoff[NUMBER_SIZE];
    char threshold[NUMBER_SIZE], offset[NUMBER_SIZE];
    const struct field fields[] = {
        {"pool", LOSSLESS_POOL},
        {"size", size},
        {"xon", xon},
        {"xoff", xoff},
        {rows->derive->model.static_pool ? "static_th" : "dynamic_th",
         threshold},
        {"xon_offset", entry->has_xon_offset ? offset : NULL},
    };

    text_format(size, sizeof size, "%" PRIu64, entry->size);
    text_format(xon, sizeof xon, "%" PRIu64, entry->xon);
    text_format(xoff, sizeof xoff, "%" PRIu64, entry->xoff);
    text_format(threshold, sizeof threshold, "%" PRId64, entry->threshold);
    text_format(offset, sizeof offset, "%" PRIu64, entry->xon_offset);
    derived_row_set(rows->derive->derived_rows, outcome, fields,
                    sizeof fields / sizeof fields[0]);
}

/* Binds 'n' runs of groups or queues to a profile; without one (NULL) reports
 * why. */
static void
port_rows_bind_runs(struct port_rows *rows, const struct port_input *port,
                    enum table table, const struct run *runs, size_t n,
                    const char *profile, const struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct field field = {"profile", profile};
        struct derived_row *outcome;
        struct text key = {0};

        text_addf(&key, "%s|%u", port->name, runs[i].first);
        if (runs[i].last > runs[i].first) {
            text_addf(&key, "-%u", runs[i].last);
        }
        outcome = port_rows_add(rows, table, key.bytes);
        if (profile) {
            derived_row_set(rows->derive->derived_rows, outcome, &field, 1);
        } else {
            derived_row_refuse(rows->derive->derived_rows, outcome, err);
        }
        text_fini(&key);
    }
}

/* Binds the lossless priorities to a profile; without one (NULL) reports
 * why. */
static void
port_rows_bind_groups(struct port_rows *rows, const struct port_input *port,
                      const char *profile, const struct err *err)
{
    struct run runs[RUNS];
    size_t n = runs_of_mask(port_input_mask(port), runs);

    port_rows_bind_runs(rows, port, TABLE_BUFFER_PG, runs, n, profile, err);
}

/* Binds zero profiles where a shut port has no rows. */
static void
port_rows_bind_zeros(struct port_rows *rows, const struct port_input *port)
{
    static const enum table tables[] = {TABLE_BUFFER_PG, TABLE_BUFFER_QUEUE};

    for (size_t i = 0; i < 2; i++) {
        struct run runs[RUNS];
        const char *profile;
        size_t n = shut_ports_rest(&rows->derive->model, port, tables[i], runs,
                                   &profile);

        port_rows_bind_runs(rows, port, tables[i], runs, n, profile, NULL);
    }
}

/* Derives what 'port' needs in the traditional model. */
static void
derive_traditional(struct port_rows *rows, const struct port_input *port)
{
    const struct derive *derive = rows->derive;
    const struct pg_profile_lookup_entry *entry;
    const struct row_value *other;
    struct err err = {0};
    uint32_t cable_m;

    if (!port->exists || !port->speed_mbps ||
        !port_input_cable(port, &cable_m, &other) ||
        (!port_input_is_up(port) && derive->platform->down_unbinds)) {
        return;
    }
    if (other) {
        port_input_contradict(port, other, &err);
        port_rows_bind_groups(rows, port, NULL, &err);
        return;
    }
    if (cable_m == 0 || !port_input_mask(port)) {
        return;
    }
    entry = pg_profile_lookup_find(derive->table, port->speed_mbps, cable_m);
    if (entry) {
        const struct profile_label label = {.speed_mbps = port->speed_mbps,
                                            .cable_m = cable_m,
                                            .mtu = PORT_DEFAULT_MTU};
        char name[PROFILE_NAME_SIZE];

        port_rows_add_profile(rows, entry, profile_label_name(&label, name));
        port_rows_bind_groups(rows, port, name, NULL);
    } else {
        pg_profile_lookup_explain_missing(derive->table, port->speed_mbps,
                                          cable_m, &err);
        port_rows_bind_groups(rows, port, NULL, &err);
    }
}

static void
derive_port(struct derive *derive, struct port_input *port)
{
    struct port_rows rows = {.derive = derive};
    struct derived_row **old = port->derived_rows;
    size_t n_old = port->n_derived_rows;

    dynamic_port(&derive->model, port);
    llr_ports_note(&derive->llr, port->name);
    if (port->shut) {
        port_rows_bind_zeros(&rows, port);
    } else if (derive->table->n && !derive->model.on) {
        derive_traditional(&rows, port);
    }
    port->n_derived_rows = rows.n;
    port->derived_rows = NULL;
    if (rows.n) {
        port->derived_rows = check_calloc(rows.n, sizeof(struct derived_row *));
        memcpy(port->derived_rows, rows.list,
               rows.n * sizeof(struct derived_row *));
    }
    port_release(derive, old, n_old);
    if (!rows.n) {
        port_inputs_forget(&derive->inputs, port);
    }
}

/* Derives everything that has changed. */
static void
derive_all(struct derive *derive)
{
    struct port_input *port;

    do {
        while ((port = port_inputs_take(&derive->inputs))) {
            derive_port(derive, port);
        }
    } while (dynamic_settle(&derive->model));
    llr_ports_settle(&derive->llr);
}

const struct row *
derive_take(struct derive *derive)
{
    derive_all(derive);
    return derived_rows_take(derive->derived_rows);
}

bool
derive_take_completion(struct derive *derive, struct completion *completion)
{
    derive_all(derive);
    return dynamic_take(&derive->model, completion) ||
           llr_ports_take(&derive->llr, completion);
}

const struct row *
derive_get(struct derive *derive, enum table table, const char *key)
{
    return derived_rows_get(derive->derived_rows, table, key);
}

const struct pool_outcome *
derive_outcome(const struct derive *derive)
{
    const struct dynamic_state *model = &derive->model;

    return model->on && model->outcome.occupied_bytes ? &model->outcome : NULL;
}

const struct row *
derive_wanted(struct derive *derive, enum table table, const char *key)
{
    return derived_rows_wanted(derive->derived_rows, table, key);
}

const struct row *
derive_base(struct derive *derive, enum table table, const char *key)
{
    return derived_rows_base(derive->derived_rows, table, key);
}

const char *
derive_take_overridden(struct derive *derive)
{
    return derived_rows_take_overridden(derive->derived_rows);
}

bool
derive_explain(const struct derive *derive, enum table table, const char *key,
               size_t i, struct explanation *explanation)
{
    return explanation_make(&derive->model, table, key, i, explanation);
}

bool
derive_take_unexplained(struct derive *derive, enum table *table,
                        const char **key)
{
    const struct port_input *port;

    for (struct buffer_row *pool = derive->model.rows.pools; pool;
         pool = pool->next_pool) {
        if (pool->unexplained) {
            pool->unexplained = false;
            *table = TABLE_BUFFER_POOL;
            *key = pool->key;
            return true;
        }
    }
    port = port_inputs_take_unexplained(&derive->inputs);
    if (port) {
        *table = TABLE_PORT;
        *key = port->name;
    }
    return port != NULL;
}

void
derive_unexplain(struct derive *derive)
{
    for (struct buffer_row *pool = derive->model.rows.pools; pool;
         pool = pool->next_pool) {
        pool->unexplained = true;
    }
    for (struct port_input *port = derive->inputs.ports; port;
         port = port->hh.next) {
        port_inputs_unexplain(&derive->inputs, port);
    }
}
