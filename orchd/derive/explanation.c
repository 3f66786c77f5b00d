/* SPDX-License-Identifier: Apache-2.0 */

/* Rows to the functions that know their terms. */

#include <config.h>

#include "orchd/derive/explanation.h"

#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/generated_profiles.h"
#include "orchd/derive/headroom_check.h"
#include "orchd/derive/pool_sizing.h"
#include "orchd/derive/port_inputs.h"

/* The headroom as it would be worked out now. */
static void
explain_made(const struct dynamic_state *model,
             const struct generated_profiles *made,
             struct explanation *explanation)
{
    struct headroom headroom;

    explanation->profile = made->name;
    explanation->speed_mbps = made->label.speed_mbps;
    explanation->cable_m = made->label.cable_m;
    explanation->mtu = made->label.mtu;
    explanation->headroom = made->headroom;
    dynamic_state_headroom(model, &made->label, made->n_eight > 0, &headroom,
                           &explanation->terms);
}

static void
explain_place(const struct dynamic_state *model, const struct place *place,
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
    (void)headroom_check_used(model, port, &explanation->terms);
    if (explanation->headroom_limit) {
        explanation->has_longest = headroom_check_longest_cable(
            model, place, &place->made->label, place->eight,
            &explanation->longest_cable_m);
    }
}

/* Returns the place of the lowest generated group of a port, or NULL. */
static const struct place *
lowest_made(const struct dynamic_state *model, const char *name)
{
    const struct port_facts *port = port_inputs_find_port(model->facts, name);
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
explanation_make(const struct dynamic_state *model, enum table table,
                 const char *key, size_t i, struct explanation *explanation)
{
    const struct buffer_rows *row = buffer_rows_find(&model->rows, table, key);
    const struct generated_profiles *made = NULL;

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
        made = generated_profiles_find(model, key);
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
        pool_sizing_explain(model, row, &explanation->terms);
        return true;
    }
    return false;
}
