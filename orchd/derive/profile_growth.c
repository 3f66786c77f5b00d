/* SPDX-License-Identifier: Apache-2.0 */

/* Old contents, kept while the new ones do not fit. */

#include <config.h>

#include "orchd/derive/profile_growth.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/headroom_check.h"
#include "orchd/derive/port_inputs.h"
#include "orchd/intent/content.h"

/* Returns whether 'place' is one of the groups that have the profile 'name'. */
static bool
has_profile(const struct place *place, const char *name)
{
    return place->row->table == TABLE_BUFFER_PG && place->name &&
           !place->made && !place->zero && !strcmp(place->name, name);
}

/* Returns the next place after 'previous' (NULL: the first) on 'port' that has
 * the profile 'name'. */
static const struct place *
next_place(const struct port_facts *port, const struct place *previous,
           const char *name)
{
    const struct place *place = previous ? previous->next : port->places;

    while (place && !has_profile(place, name)) {
        place = place->next;
    }
    return place;
}

static bool
is_used(const struct dynamic_state *model, const char *name)
{
    for (const struct port_facts *port = model->facts->ports; port;
         port = port->hh.next) {
        if (next_place(port, NULL, name)) {
            return true;
        }
    }
    return false;
}

static void
release(struct dynamic_state *model, struct buffer_rows *known)
{
    if (known->held) {
        known->held = false;
        model->rows.n_held--;
        buffer_rows_reset(known);
        buffer_rows_mark(&model->rows, known);
    }
}

/* Whether 'known' reserves more than what 'before' (NULL: nothing) did. */
static bool
is_larger(const struct buffer_rows *known, const struct content *before)
{
    const struct headroom is = dynamic_state_headroom_of(known->content);
    const struct headroom was = before ? dynamic_state_headroom_of(before)
                                       : (struct headroom){.size = 0};

    return is.size > was.size || headroom_excess(&is) > headroom_excess(&was);
}

struct buffer_rows *
profile_growth_put(struct dynamic_state *model, const struct row *row)
{
    struct buffer_rows *known =
        buffer_rows_find(&model->rows, row->table, row->key);
    bool used = model->on && is_used(model, row->key);
    const struct content *old = known ? buffer_rows_content(known) : NULL;
    struct content *before =
        used && old ? content_create(old->fields, old->n) : NULL;

    if (known) {
        release(model, known);
    }
    known = buffer_rows_put(&model->rows, model->facts, row);
    if (used && is_larger(known, before)) {
        known->held = true;
        known->instead = before;
        model->rows.n_held++;
    } else {
        free(before);
    }
    return known;
}

/* Whether all ports that have the profile 'known' have room for it as its row
 * says; else 'err' is about one that has not. */
static bool
fits(const struct dynamic_state *model, const struct buffer_rows *known,
     struct err *err)
{
    const struct trial trial = {.name = known->key,
                                .headroom =
                                    dynamic_state_headroom_of(known->content)};

    for (const struct port_facts *port = model->facts->ports; port;
         port = port->hh.next) {
        if (next_place(port, NULL, known->key) &&
            headroom_check_check(model, port, &trial, err) != ST_OK) {
            err_set_field(err, "size", buffer_rows_field(known, "size"), NULL);
            err_set_remedy(err,
                           "make the profile smaller, or bind it to fewer "
                           "priority groups of %s",
                           port->name);
            return false;
        }
    }
    return true;
}

/* Tries 'known'; returns whether it is in force now. */
static bool
try_held(struct dynamic_state *model, struct buffer_rows *known)
{
    struct err err = {0};

    if (fits(model, known, &err)) {
        release(model, known);
        for (struct port_facts *port = model->facts->ports; port;
             port = port->hh.next) {
            if (next_place(port, NULL, known->key)) {
                port_inputs_mark(model->facts, port);
            }
        }
        return true;
    }
    if (!known->err || strcmp(known->err->reason, err.reason) != 0) {
        free(known->err);
        known->err = check_malloc(sizeof err);
        *known->err = err;
        buffer_rows_mark(&model->rows, known);
    }
    return false;
}

bool
profile_growth_settle(struct dynamic_state *model)
{
    bool any = false;

    for (struct buffer_rows *row = model->rows.all; row && model->rows.n_held;
         row = row->hh.next) {
        any |= row->held && try_held(model, row);
    }
    return any;
}

void
profile_growth_end(struct dynamic_state *model)
{
    for (struct buffer_rows *row = model->rows.all; row && model->rows.n_held;
         row = row->hh.next) {
        release(model, row);
    }
}
