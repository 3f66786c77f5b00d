/* SPDX-License-Identifier: Apache-2.0 */

/* Rows to the functions that know their terms. */

#include <config.h>

#include "orchd/derive/explanation.h"

#include "orchd/derive/made.h"
#include "orchd/derive/model.h"
#include "orchd/derive/port_facts.h"
#include "orchd/derive/room.h"
#include "orchd/derive/sizing.h"

/* The headroom as it would be worked out now. */
static void
explain_made(const struct model *model, const struct made *made,
             struct explanation *explanation)
{
    struct headroom headroom;

    explanation->profile = made->name;
    explanation->speed_mbps = made->label.speed_mbps;
    explanation->cable_m = made->label.cable_m;
    explanation->mtu = made->label.mtu;
    explanation->headroom = made->headroom;
    model_headroom(model, &made->label, made->n_eight > 0, &headroom,
                   &explanation->terms);
}

static void
explain_place(const struct model *model, const struct place *place,
              struct explanation *explanation)
{
    const struct port_facts *port = place->port;

    explanation->port = port->name;
    explanation->headroom_limit =
        model->platform->limits_headroom ? port->max_headroom_bytes : 0;
    if (!place->made) {
        return;
    }
    explain_made(model, place->made, explanation);
    (void)room_used(model, port, &explanation->terms);
    if (explanation->headroom_limit) {
        explanation->has_longest =
            room_longest_cable(model, place, &place->made->label, place->eight,
                               &explanation->longest_cable_m);
    }
}

/* Returns the place of the lowest generated group of a port, or NULL. */
static const struct place *
lowest_made(const struct model *model, const char *name)
{
    const struct port_facts *port = facts_find_port(model->facts, name);
    const struct place *lowest = NULL;

    for (const struct place *place = port ? port->places : NULL; place;
         place = place->next) {
        if (place->made &&
            (!lowest || place->row->first < lowest->row->first)) {
            lowest = place;
        }
    }
    return lowest;
}

bool
explanation_make(const struct model *model, enum table table, const char *key,
                 size_t i, struct explanation *explanation)
{
    const struct known *row = known_find(&model->rows, table, key);
    const struct made *made = NULL;

    *explanation = (struct explanation){.port = NULL};
    if (!model->on) {
        return false;
    }
    if (table == TABLE_PORT) {
        const struct place *place = i == 0 ? lowest_made(model, key) : NULL;

        if (place) {
            explain_place(model, place, explanation);
        }
        return place != NULL;
    }
    if (table == TABLE_BUFFER_PROFILE && !row && i == 0) {
        made = made_find(model, key);
        if (made) {
            explain_made(model, made, explanation);
        }
        return made != NULL;
    }
    if (table == TABLE_BUFFER_PG && row && i < row->n_places) {
        explain_place(model, &row->places[i], explanation);
        return true;
    }
    if (table == TABLE_BUFFER_POOL && row && row->instead && i == 0) {
        sizing_explain(model, row, &explanation->terms);
        return true;
    }
    return false;
}
