/* SPDX-License-Identifier: Apache-2.0 */

/* Old contents, kept while the new ones do not fit. */

#include <config.h>

#include "orchd/derive/growth.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/derive/model.h"
#include "orchd/derive/port_facts.h"
#include "orchd/derive/room.h"
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
is_used(const struct model *model, const char *name)
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
release(struct model *model, struct known *known)
{
    if (known->held) {
        known->held = false;
        model->rows.n_held--;
        known_reset(known);
        known_mark(&model->rows, known);
    }
}

/* Whether 'known' reserves more than what 'before' (NULL: nothing) did. */
static bool
is_larger(const struct known *known, const struct content *before)
{
    const struct headroom is = model_headroom_of(known->content);
    const struct headroom was =
        before ? model_headroom_of(before) : (struct headroom){.size = 0};

    return is.size > was.size || headroom_excess(&is) > headroom_excess(&was);
}

struct known *
growth_put(struct model *model, const struct row *row)
{
    struct known *known = known_find(&model->rows, row->table, row->key);
    bool used = model->on && is_used(model, row->key);
    const struct content *old = known ? known_content(known) : NULL;
    struct content *before =
        used && old ? content_create(old->fields, old->n) : NULL;

    if (known) {
        release(model, known);
    }
    known = known_put(&model->rows, model->facts, row);
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
fits(const struct model *model, const struct known *known, struct err *err)
{
    const struct trial trial = {.name = known->key,
                                .headroom = model_headroom_of(known->content)};

    for (const struct port_facts *port = model->facts->ports; port;
         port = port->hh.next) {
        if (next_place(port, NULL, known->key) &&
            room_check(model, port, &trial, err) != ST_OK) {
            err_set_field(err, "size", known_field(known, "size"), NULL);
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
try_held(struct model *model, struct known *known)
{
    struct err err = {0};

    if (fits(model, known, &err)) {
        release(model, known);
        for (struct port_facts *port = model->facts->ports; port;
             port = port->hh.next) {
            if (next_place(port, NULL, known->key)) {
                facts_mark(model->facts, port);
            }
        }
        return true;
    }
    if (!known->err || strcmp(known->err->reason, err.reason) != 0) {
        free(known->err);
        known->err = check_malloc(sizeof err);
        *known->err = err;
        known_mark(&model->rows, known);
    }
    return false;
}

bool
growth_settle(struct model *model)
{
    bool any = false;

    for (struct known *row = model->rows.all; row && model->rows.n_held;
         row = row->hh.next) {
        any |= row->held && try_held(model, row);
    }
    return any;
}

void
growth_end(struct model *model)
{
    for (struct known *row = model->rows.all; row && model->rows.n_held;
         row = row->hh.next) {
        release(model, row);
    }
}
