/* SPDX-License-Identifier: Apache-2.0 */

/* From rows to the rules of reclaim.h, and back. */

#include <config.h>

#include "orchd/derive/shut_ports.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/derive/derived_rows.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/generated_profiles.h"
#include "orchd/derive/port_inputs.h"
#include "orchd/intent/content.h"

enum { INDICES = 64 };

static enum zero_side
side_of(enum table table)
{
    return table == TABLE_BUFFER_PG ||
                   table == TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST
               ? ZERO_INGRESS
               : ZERO_EGRESS;
}

/* Returns whether a zero profile is on 'side', as far as its pool is known. */
static bool
is_on(const struct dynamic_state *model, const struct zero_row *profile,
      enum zero_side side)
{
    const char *name = zero_field(profile, "pool");
    const struct zero_row *own =
        zero_profiles_find(&model->shut.zeros, TABLE_BUFFER_POOL, name);
    const struct buffer_row *pool =
        buffer_rows_find(&model->rows, TABLE_BUFFER_POOL, name);
    const char *type = own    ? zero_field(own, "type")
                       : pool ? buffer_rows_field(pool, "type")
                              : NULL;
    enum zero_side found =
        type && strcmp(type, "egress") == 0 ? ZERO_EGRESS : ZERO_INGRESS;

    return type && found == side;
}

/* Returns the zero profile of a side: the named one, else the first. */
static const char *
profile_of(const struct dynamic_state *model, enum zero_side side)
{
    const struct zero_profiles *zeros = &model->shut.zeros;

    if (zeros->named[side]) {
        return zeros->named[side];
    }
    for (size_t i = 0; i < zeros->n; i++) {
        if (zeros->rows[i].table == TABLE_BUFFER_PROFILE &&
            is_on(model, &zeros->rows[i], side)) {
            return zeros->rows[i].key;
        }
    }
    return NULL;
}

void
shut_ports_set_zeros(struct dynamic_state *model, struct zero_profiles *zeros)
{
    struct shut *shut = &model->shut;
    size_t n = 0;

    shut_ports_fini(model);
    shut->zeros = *zeros;
    *zeros = (struct zero_profiles){.n = 0};
    shut->replaces = check_calloc(shut->zeros.n + 1, sizeof *shut->replaces);
    for (size_t i = 0; i < shut->zeros.n; i++) {
        const struct zero_row *row = &shut->zeros.rows[i];

        if (row->table == TABLE_BUFFER_PROFILE) {
            shut->replaces[n++] =
                (struct reclaim_zero){zero_field(row, "pool"), row->key};
        }
    }
    for (size_t side = 0; side < N_ZERO_SIDES; side++) {
        shut->rules[side] =
            (struct reclaim_rules){.has_ids = shut->zeros.has_ids[side],
                                   .ids = shut->zeros.ids[side],
                                   .zeros = shut->replaces,
                                   .n_zeros = n};
    }
    shut_ports_review(model);
    port_inputs_mark_all(model->inputs);
}

static void
drop_rows(struct dynamic_state *model)
{
    struct shut *shut = &model->shut;

    for (size_t i = 0; shut->rows && i < shut->zeros.n; i++) {
        derived_row_unref(model->derived_rows, shut->rows[i]);
    }
    free(shut->rows);
    shut->rows = NULL;
}

void
shut_ports_fini(struct dynamic_state *model)
{
    drop_rows(model);
    free(model->shut.replaces);
    model->shut.replaces = NULL;
    zero_profiles_fini(&model->shut.zeros);
}

/* Returns whether buffers cannot be reclaimed, because the switch requires a
 * binding everywhere and some pool has no zero profile. */
static bool
is_refused(const struct dynamic_state *model)
{
    const struct shut *shut = &model->shut;

    for (const struct buffer_row *row = model->rows.pools;
         row && shut->zeros.keeps_rows; row = row->next_pool) {
        const char *type = buffer_rows_field(row, "type");
        bool egress = type && !strcmp(type, "egress");

        if (!reclaim_without_removal(
                &shut->rules[egress ? ZERO_EGRESS : ZERO_INGRESS], &row->key,
                1)) {
            return true;
        }
    }
    return false;
}

void
shut_ports_review(struct dynamic_state *model)
{
    struct shut *shut = &model->shut;
    bool refused = is_refused(model);
    bool changed = refused != shut->refused;

    shut->refused = refused;
    shut->has_pools = model->rows.pools != NULL;
    for (size_t side = 0; side < N_ZERO_SIDES; side++) {
        const char *profile =
            shut->has_pools ? profile_of(model, (enum zero_side)side) : NULL;

        changed |= profile != shut->rules[side].profile;
        shut->rules[side].profile = profile;
    }
    if (changed) {
        port_inputs_mark_all(model->inputs);
    }
}

void
shut_ports_settle(struct dynamic_state *model)
{
    struct shut *shut = &model->shut;
    bool wanted = shut->n_ports > 0 && shut->has_pools && model->on;

    if (!wanted) {
        drop_rows(model);
    } else if (!shut->rows && shut->zeros.n) {
        shut->rows = check_calloc(shut->zeros.n, sizeof(struct derived_row *));
        for (size_t i = 0; i < shut->zeros.n; i++) {
            const struct zero_row *row = &shut->zeros.rows[i];

            shut->rows[i] =
                derived_row_ref(model->derived_rows, row->table, row->key);
            derived_row_set(model->derived_rows, shut->rows[i],
                            row->content->fields, row->content->n);
        }
    }
}

bool
shut_ports_applies(const struct dynamic_state *model,
                   const struct port_input *port)
{
    return model->on && port->exists && !port_input_is_up(port) &&
           !model->shut.refused;
}

/* Returns the pool of the profile 'name', or NULL. */
static const char *
pool_of(const struct dynamic_state *model, const char *name)
{
    const struct buffer_row *profile;

    if (!name || !strcmp(name, "NULL")) {
        return LOSSLESS_POOL; /* Of a generated profile. */
    }
    profile = buffer_rows_find(&model->rows, TABLE_BUFFER_PROFILE, name);
    return profile ? buffer_rows_field(profile, "pool") : NULL;
}

/* Replaces each profile of 'list' by the zero profile of its pool. */
static char *
zero_list(const struct dynamic_state *model, const char *list)
{
    const struct reclaim_rules *rules = &model->shut.rules[ZERO_INGRESS];
    const char *cursor = list && *list ? list : NULL;
    const char *item;
    struct text zeros = {0};
    size_t length;

    while (parse_list_next(&cursor, &item, &length)) {
        struct text name = {0};
        const char *zero;

        text_add_bytes(&name, item, length);
        zero = reclaim_zero_of(rules, pool_of(model, text_string(&name)));
        if (zero) {
            text_add_item(&zeros, ",", zero);
        }
        text_fini(&name);
    }
    return zeros.length ? text_take(&zeros) : NULL;
}

char *
shut_ports_binding(const struct dynamic_state *model,
                   const struct binding *binding)
{
    const struct buffer_row *row = binding->row;
    const char *zero;

    if (row->table != TABLE_BUFFER_PG && row->table != TABLE_BUFFER_QUEUE) {
        return zero_list(model, buffer_rows_field(row, "profile_list"));
    }
    zero = reclaim_row(&model->shut.rules[side_of(row->table)],
                       (struct run){row->first, row->last},
                       pool_of(model, buffer_rows_field(row, "profile")));
    return zero ? check_strdup(zero) : NULL;
}

/* The same for one profile. */
static bool
check_profile(const struct dynamic_state *model, const struct binding *binding,
              const char *name, struct err *err)
{
    const struct buffer_row *profile =
        buffer_rows_find(&model->rows, TABLE_BUFFER_PROFILE, name);
    const char *pool = profile ? buffer_rows_field(profile, "pool") : NULL;
    const struct buffer_row *row =
        pool ? buffer_rows_find(&model->rows, TABLE_BUFFER_POOL, pool) : NULL;
    const char *type = row ? buffer_rows_field(row, "type") : NULL;
    const char *wanted =
        side_of(binding->row->table) == ZERO_INGRESS ? "ingress" : "egress";

    if (!profile && !generated_profiles_find(model, name)) {
        err_set(err, ST_NOT_FOUND, "missing-ref",
                "BUFFER_PROFILE|%s does not exist; %s is shut, so it is not "
                "needed yet",
                name, binding->port->name);
        err_set_remedy(err, "write BUFFER_PROFILE|%s, or correct its name",
                       name);
    } else if (type && strcmp(type, wanted) && strcmp(type, "both")) {
        err_set(err, ST_INVALID, "wrong-direction",
                "BUFFER_PROFILE|%s is of %s, an %s pool; %s is shut, so it is "
                "not needed yet",
                name, pool, type, binding->port->name);
        err_set_remedy(err, "use a profile of an %s pool", wanted);
    } else {
        return false;
    }
    err_set_field(err,
                  buffer_rows_field(binding->row, "profile") ? "profile"
                                                             : "profile_list",
                  name, NULL);
    return true;
}

bool
shut_ports_check_binding(const struct dynamic_state *model,
                         const struct binding *binding, struct err *err)
{
    const char *cursor = buffer_rows_field(binding->row, "profile");
    const char *item;
    size_t length;
    bool found = false;

    cursor = cursor ? cursor : buffer_rows_field(binding->row, "profile_list");
    if (!cursor || !strcmp(cursor, "NULL")) {
        return false;
    }
    while (!found && parse_list_next(&cursor, &item, &length)) {
        struct text name = {0};

        text_add_bytes(&name, item, length);
        found = check_profile(model, binding, text_string(&name), err);
        text_fini(&name);
    }
    return found;
}

size_t
shut_ports_rest(const struct dynamic_state *model,
                const struct port_input *port, enum table table,
                struct run *runs, const char **profile)
{
    const struct reclaim_rules *rules = &model->shut.rules[side_of(table)];
    unsigned int n_indices =
        table == TABLE_BUFFER_PG ? port->n_groups : port->n_queues;
    uint64_t configured = 0;

    for (const struct binding *binding = port->bindings; binding;
         binding = binding->next) {
        if (binding->row->table == table) {
            configured |= reclaim_mask(
                (struct run){binding->row->first, binding->row->last});
        }
    }
    *profile = rules->profile;
    return reclaim_rest(rules, configured,
                        n_indices < INDICES ? n_indices : INDICES, runs);
}
