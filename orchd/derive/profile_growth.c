/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps the previous content while the new one does not fit. */

#include <config.h>

#include "orchd/derive/profile_growth.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/headroom_check.h"
#include "orchd/derive/port_inputs.h"
#include "orchd/intent/content.h"

/* Returns whether 'binding' is a group with the profile 'name'. */
static bool
has_profile(const struct binding *binding, const char *name)
{
    return binding->row->table == TABLE_BUFFER_PG && binding->name &&
           !binding->generated && !binding->zero &&
           !strcmp(binding->name, name);
}

/* Returns the next binding after 'previous' (NULL: the first) on 'port' with
 * the profile 'name'. */
static const struct binding *
next_binding(const struct port_input *port, const struct binding *previous,
             const char *name)
{
    const struct binding *binding = previous ? previous->next : port->bindings;

    while (binding && !has_profile(binding, name)) {
        binding = binding->next;
    }
    return binding;
}

static bool
is_used(const struct dynamic_state *model, const char *name)
{
    for (const struct port_input *port = model->inputs->ports; port;
         port = port->hh.next) {
        if (next_binding(port, NULL, name)) {
            return true;
        }
    }
    return false;
}

static void
release(struct dynamic_state *model, struct buffer_row *copy)
{
    if (copy->held) {
        copy->held = false;
        model->rows.n_held--;
        buffer_rows_reset(copy);
        buffer_rows_mark(&model->rows, copy);
    }
}

/* Returns whether 'copy' reserves more than 'before' (NULL: nothing) did. */
static bool
is_larger(const struct buffer_row *copy, const struct content *before)
{
    const struct headroom is = dynamic_state_headroom_of(copy->content);
    const struct headroom was = before ? dynamic_state_headroom_of(before)
                                       : (struct headroom){.size = 0};

    return is.size > was.size || headroom_excess(&is) > headroom_excess(&was);
}

struct buffer_row *
profile_growth_put(struct dynamic_state *model, const struct row *row)
{
    struct buffer_row *copy =
        buffer_rows_find(&model->rows, row->table, row->key);
    bool used = model->on && is_used(model, row->key);
    const struct content *old = copy ? buffer_rows_content(copy) : NULL;
    struct content *before =
        used && old ? content_create(old->fields, old->n) : NULL;

    if (copy) {
        release(model, copy);
    }
    copy = buffer_rows_put(&model->rows, model->inputs, row);
    if (used && is_larger(copy, before)) {
        copy->held = true;
        copy->instead = before;
        model->rows.n_held++;
    } else {
        free(before);
    }
    return copy;
}

/* Returns whether all ports with the profile 'copy' have room for it as its row
 * says; else 'err' is about one that does not. */
static bool
fits(const struct dynamic_state *model, const struct buffer_row *copy,
     struct err *err)
{
    const struct trial trial = {.name = copy->key,
                                .headroom =
                                    dynamic_state_headroom_of(copy->content)};

    for (const struct port_input *port = model->inputs->ports; port;
         port = port->hh.next) {
        if (next_binding(port, NULL, copy->key) &&
            headroom_check_port(model, port, &trial, err) != ST_OK) {
            err_set_field(err, "size", buffer_rows_field(copy, "size"), NULL);
            err_set_remedy(err,
                           "make the profile smaller, or bind it to fewer "
                           "priority groups of %s",
                           port->name);
            return false;
        }
    }
    return true;
}

/* Tries 'copy' again; returns whether it is in force now. */
static bool
try_held(struct dynamic_state *model, struct buffer_row *copy)
{
    struct err err = {0};

    if (fits(model, copy, &err)) {
        release(model, copy);
        for (struct port_input *port = model->inputs->ports; port;
             port = port->hh.next) {
            if (next_binding(port, NULL, copy->key)) {
                port_inputs_mark(model->inputs, port);
            }
        }
        return true;
    }
    if (!copy->err || strcmp(copy->err->reason, err.reason) != 0) {
        free(copy->err);
        copy->err = check_malloc(sizeof err);
        *copy->err = err;
        buffer_rows_mark(&model->rows, copy);
    }
    return false;
}

bool
profile_growth_settle(struct dynamic_state *model)
{
    bool any = false;

    for (struct buffer_row *row = model->rows.all; row && model->rows.n_held;
         row = row->hh.next) {
        any |= row->held && try_held(model, row);
    }
    return any;
}

void
profile_growth_end(struct dynamic_state *model)
{
    for (struct buffer_row *row = model->rows.all; row && model->rows.n_held;
         row = row->hh.next) {
        release(model, row);
    }
}
