/* SPDX-License-Identifier: Apache-2.0 */

/* Generated profiles, by name. */

#include <config.h>

#include "orchd/derive/generated_profiles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/derive/derived_rows.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/headroom_check.h"
#include "orchd/derive/port_inputs.h"

enum { NUMBER_SIZE = 24 };

/* Sets the row of 'generated' from its headroom. */
static void
publish(struct dynamic_state *model, struct generated_profile *generated)
{
    const struct headroom *headroom = &generated->headroom;
    char size[NUMBER_SIZE], xon[NUMBER_SIZE], xoff[NUMBER_SIZE];
    char threshold[NUMBER_SIZE];
    const struct field fields[] = {
        {"pool", LOSSLESS_POOL},
        {"size", size},
        {"xon", xon},
        {"xoff", xoff},
        {model->static_pool ? "static_th" : "dynamic_th", threshold},
    };

    text_format(size, sizeof size, "%" PRIu64, headroom->size);
    text_format(xon, sizeof xon, "%" PRIu64, headroom->xon);
    text_format(xoff, sizeof xoff, "%" PRIu64, headroom->xoff);
    text_format(threshold, sizeof threshold, "%d", generated->label.alpha);
    derived_row_set(model->derived_rows, generated->derived, fields,
                    sizeof fields / sizeof fields[0]);
}

static bool
uses(const struct port_input *port, const struct generated_profile *generated)
{
    for (const struct binding *binding = port->bindings; binding;
         binding = binding->next) {
        if (binding->generated == generated) {
            return true;
        }
    }
    return false;
}

/* Returns whether all ports that use 'generated' have room for it with
 * 'headroom'. */
static bool
fits(const struct dynamic_state *model,
     const struct generated_profile *generated, const struct headroom *headroom,
     struct err *err)
{
    const struct trial trial = {.generated = generated, .headroom = *headroom};

    if (headroom->size <= generated->headroom.size &&
        headroom_excess(headroom) <= headroom_excess(&generated->headroom)) {
        return true; /* A smaller profile always fits. */
    }
    for (const struct port_input *port = model->inputs->ports; port;
         port = port->hh.next) {
        if (uses(port, generated) &&
            headroom_check_port(model, port, &trial, err) != ST_OK) {
            return false;
        }
    }
    return true;
}

/* Sets 'generated' to the headroom that the formula gives now, if it fits. */
static void
refresh(struct dynamic_state *model, struct generated_profile *generated)
{
    struct headroom headroom;
    struct err err = {0};

    dynamic_state_headroom(model, &generated->label, generated->n_eight > 0,
                           &headroom, NULL);
    generated->held = !fits(model, generated, &headroom, &err);
    if (generated->held) {
        derived_row_hold(model->derived_rows, generated->derived, &err);
        return;
    }
    if (memcmp(&headroom, &generated->headroom, sizeof headroom) != 0) {
        generated->headroom = headroom;
        for (struct port_input *port = model->inputs->ports; port;
             port = port->hh.next) {
            if (uses(port, generated)) {
                port_inputs_mark(model->inputs, port);
            }
        }
    }
    publish(model, generated);
}

void
generated_profiles_refresh_all(struct dynamic_state *model, bool only_held)
{
    for (struct generated_profile *generated = model->generated; generated;
         generated = generated->hh.next) {
        if (generated->held || !only_held) {
            refresh(model, generated);
        }
    }
}

const struct generated_profile *
generated_profiles_find(const struct dynamic_state *model, const char *name)
{
    struct generated_profile *generated;

    HASH_FIND_STR(model->generated, name, generated);
    return generated;
}

struct generated_profile *
generated_profiles_ref(struct dynamic_state *model,
                       const struct profile_label *label, bool eight)
{
    char name[PROFILE_NAME_SIZE];
    struct generated_profile *generated;
    bool other; /* The default alpha, which no name contains, has changed. */

    profile_label_name(label, name);
    HASH_FIND_STR(model->generated, name, generated);
    if (!generated) {
        generated = check_calloc(1, sizeof *generated);
        generated->name = check_strdup(name);
        generated->derived =
            derived_row_ref(model->derived_rows, TABLE_BUFFER_PROFILE, name);
        HASH_ADD_KEYPTR(hh, model->generated, generated->name,
                        strlen(generated->name), generated);
    }
    other = generated->label.alpha != label->alpha;
    generated->label = *label;
    generated->n_users++;
    generated->n_eight += eight;
    if (generated->n_users == 1 || (eight && generated->n_eight == 1) ||
        other) {
        refresh(model, generated);
    }
    return generated;
}

void
generated_profiles_unref(struct dynamic_state *model,
                         struct generated_profile *generated, bool eight)
{
    orch_assert(generated->n_users > 0 && generated->n_eight >= eight);
    generated->n_users--;
    generated->n_eight -= eight;
    if (generated->n_users == 0) {
        derived_row_unref(model->derived_rows, generated->derived);
        HASH_DEL(model->generated, generated);
        free(generated->name);
        free(generated);
    } else if (eight && generated->n_eight == 0) {
        refresh(model, generated);
    }
}
