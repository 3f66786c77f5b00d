/* SPDX-License-Identifier: Apache-2.0 */

/* From bindings to their use of headroom. */

#include <config.h>

#include "orchd/derive/headroom_check.h"

#include <string.h>

#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/generated_profile.h"
#include "orchd/derive/headroom_limit.h"
#include "orchd/derive/port_inputs.h"

enum { GROUPS = 8 };

/* Returns whether 'trial' concerns the profile of 'binding'. */
static bool
is_tried(const struct trial *trial, const struct binding *binding)
{
    if (binding == trial->binding) {
        return true;
    }
    return binding->generated
               ? binding->generated == trial->generated
               : trial->name && binding->name && !binding->zero &&
                     !strcmp(binding->name, trial->name);
}

/* Fills 'uses' with the profile of each priority group; returns their
 * number. */
static size_t
uses_of(const struct dynamic_state *model, const struct port_input *port,
        const struct trial *trial, struct headroom_limit_use uses[GROUPS])
{
    size_t n = 0;

    for (unsigned int i = 0; i < GROUPS; i++) {
        const struct binding *binding =
            buffer_rows_binding(port, TABLE_BUFFER_PG, i);

        if (binding && trial && is_tried(trial, binding)) {
            uses[n++] = (struct headroom_limit_use){1, trial->headroom};
        } else if (binding && binding->name && !binding->zero) {
            const struct profile_summary summary =
                dynamic_state_profile(model, binding->name, binding->generated);

            uses[n++] = (struct headroom_limit_use){1, summary.headroom};
        }
    }
    return n;
}

enum st
headroom_check_port(const struct dynamic_state *model,
                    const struct port_input *port, const struct trial *trial,
                    struct err *err)
{
    struct headroom_limit_use uses[GROUPS];
    const struct headroom_limit_port limited = {
        .name = port->name,
        .lanes = port->n_lanes,
        .max_headroom_bytes = port->max_headroom_bytes,
        .uses = uses,
        .n_uses = uses_of(model, port, trial, uses)};

    return headroom_limit_check(model->platform, &model->chip.asic, &limited,
                                dynamic_state_shares(model), err);
}

uint64_t
headroom_check_used(const struct dynamic_state *model,
                    const struct port_input *port, struct terms *terms)
{
    struct headroom_limit_use uses[GROUPS];
    const struct headroom_limit_port limited = {
        .name = port->name,
        .lanes = port->n_lanes,
        .uses = uses,
        .n_uses = uses_of(model, port, NULL, uses)};

    return headroom_limit_used(&model->chip.asic, &limited, terms);
}

/* A binding with another cable. */
struct other_cable {
    const struct dynamic_state *model;
    const struct binding *binding;
    struct profile_label label;
    bool eight;
};

static bool
cable_fits(void *other_, uint32_t cable_m)
{
    struct other_cable *other = other_;
    struct trial trial = {.binding = other->binding};
    struct err err;

    other->label.cable_m = cable_m;
    dynamic_state_headroom(other->model, &other->label, other->eight,
                           &trial.headroom, NULL);
    return headroom_check_port(other->model, other->binding->port, &trial,
                               &err) == ST_OK;
}

bool
headroom_check_longest_cable(const struct dynamic_state *model,
                             const struct binding *binding,
                             const struct profile_label *label, bool eight,
                             uint32_t *cable_m)
{
    struct other_cable other = {model, binding, *label, eight};

    return headroom_longest_cable(cable_fits, &other, HEADROOM_CABLE_MAX_M,
                                  cable_m);
}
