/* SPDX-License-Identifier: Apache-2.0 */

/* Calls the functions that can list the terms of a row. */

#include <config.h>

#include "orchd/derive/explanation.h"

#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/generated_profiles.h"
#include "orchd/derive/headroom_check.h"
#include "orchd/derive/pool_sizing.h"
#include "orchd/derive/port_inputs.h"

/* The headroom as it would be computed now. */
static void
explain_generated(const struct dynamic_state *model,
                  const struct generated_profile *generated,
                  struct explanation *explanation)
{
    struct headroom headroom;

    explanation->profile = generated->name;
    explanation->speed_mbps = generated->label.speed_mbps;
    explanation->cable_m = generated->label.cable_m;
    explanation->mtu = generated->label.mtu;
    explanation->headroom = generated->headroom;
    dynamic_state_headroom(model, &generated->label, generated->n_eight > 0,
                           &headroom, &explanation->terms);
}

static void
explain_binding(const struct dynamic_state *model,
                const struct binding *binding, struct explanation *explanation)
{
    const struct port_input *port = binding->port;

    explanation->port = port->name;
    explanation->headroom_limit =
        model->platform->limits_headroom ? port->max_headroom_bytes : 0;
    if (!binding->generated) {
        return;
    }
    explain_generated(model, binding->generated, explanation);
    (void)headroom_check_used(model, port, &explanation->terms);
    if (explanation->headroom_limit) {
        explanation->has_longest = headroom_check_longest_cable(
            model, binding, &binding->generated->label, binding->eight,
            &explanation->longest_cable_m);
    }
}

/* Returns the binding of the lowest generated group of a port, or NULL. */
static const struct binding *
lowest_generated(const struct dynamic_state *model, const char *name)
{
    const struct port_input *port = port_inputs_find_port(model->inputs, name);
    const struct binding *lowest = NULL;

    for (const struct binding *binding = port ? port->bindings : NULL; binding;
         binding = binding->next) {
        if (binding->generated &&
            (!lowest || binding->row->first < lowest->row->first)) {
            lowest = binding;
        }
    }
    return lowest;
}

bool
explanation_make(const struct dynamic_state *model, enum table table,
                 const char *key, size_t i, struct explanation *explanation)
{
    const struct buffer_row *row = buffer_rows_find(&model->rows, table, key);
    const struct generated_profile *generated = NULL;

    *explanation = (struct explanation){.port = NULL};
    if (!model->on) {
        return false;
    }
    if (table == TABLE_PORT) {
        const struct binding *binding =
            i == 0 ? lowest_generated(model, key) : NULL;

        if (binding) {
            explain_binding(model, binding, explanation);
        }
        return binding != NULL;
    }
    if (table == TABLE_BUFFER_PROFILE && !row && i == 0) {
        generated = generated_profiles_find(model, key);
        if (generated) {
            explain_generated(model, generated, explanation);
        }
        return generated != NULL;
    }
    if (table == TABLE_BUFFER_PG && row && i < row->n_bindings) {
        explain_binding(model, &row->bindings[i], explanation);
        return true;
    }
    if (table == TABLE_BUFFER_POOL && row && row->instead && i == 0) {
        pool_sizing_explain(model, row, &explanation->terms);
        return true;
    }
    return false;
}
