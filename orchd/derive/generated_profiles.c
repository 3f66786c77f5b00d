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

/* Says what is in the row of 'made'. */
static void
tell(struct dynamic_state *model, struct generated_profiles *made)
{
    const struct headroom *headroom = &made->headroom;
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
    text_format(threshold, sizeof threshold, "%d", made->label.alpha);
    derived_rows_set(model->outcomes, made->outcome, fields,
                     sizeof fields / sizeof fields[0]);
}

static bool
uses(const struct port_facts *port, const struct generated_profiles *made)
{
    for (const struct place *place = port->places; place; place = place->next) {
        if (place->made == made) {
            return true;
        }
    }
    return false;
}

/* Returns whether all ports that use 'made' have room for it with 'headroom'.
 */
static bool
fits(const struct dynamic_state *model, const struct generated_profiles *made,
     const struct headroom *headroom, struct err *err)
{
    const struct trial trial = {.made = made, .headroom = *headroom};

    if (headroom->size <= made->headroom.size &&
        headroom_excess(headroom) <= headroom_excess(&made->headroom)) {
        return true; /* What is smaller can do no harm. */
    }
    for (const struct port_facts *port = model->facts->ports; port;
         port = port->hh.next) {
        if (uses(port, made) &&
            headroom_check_check(model, port, &trial, err) != ST_OK) {
            return false;
        }
    }
    return true;
}

/* Gives 'made' the headroom that follows now, if there is room for it. */
static void
refresh(struct dynamic_state *model, struct generated_profiles *made)
{
    struct headroom headroom;
    struct err err = {0};

    dynamic_state_headroom(model, &made->label, made->n_eight > 0, &headroom,
                           NULL);
    made->held = !fits(model, made, &headroom, &err);
    if (made->held) {
        derived_rows_hold(model->outcomes, made->outcome, &err);
        return;
    }
    if (memcmp(&headroom, &made->headroom, sizeof headroom) != 0) {
        made->headroom = headroom;
        for (struct port_facts *port = model->facts->ports; port;
             port = port->hh.next) {
            if (uses(port, made)) {
                port_inputs_mark(model->facts, port);
            }
        }
    }
    tell(model, made);
}

void
generated_profiles_refresh_all(struct dynamic_state *model, bool only_held)
{
    for (struct generated_profiles *made = model->made; made;
         made = made->hh.next) {
        if (made->held || !only_held) {
            refresh(model, made);
        }
    }
}

const struct generated_profiles *
generated_profiles_find(const struct dynamic_state *model, const char *name)
{
    struct generated_profiles *made;

    HASH_FIND_STR(model->made, name, made);
    return made;
}

struct generated_profiles *
generated_profiles_ref(struct dynamic_state *model,
                       const struct profile_label *label, bool eight)
{
    char name[PROFILE_NAME_SIZE];
    struct generated_profiles *made;
    bool other; /* The default alpha, which is in no name, has changed. */

    profile_label_name(label, name);
    HASH_FIND_STR(model->made, name, made);
    if (!made) {
        made = check_calloc(1, sizeof *made);
        made->name = check_strdup(name);
        made->outcome =
            derived_rows_ref(model->outcomes, TABLE_BUFFER_PROFILE, name);
        HASH_ADD_KEYPTR(hh, model->made, made->name, strlen(made->name), made);
    }
    other = made->label.alpha != label->alpha;
    made->label = *label;
    made->n_users++;
    made->n_eight += eight;
    if (made->n_users == 1 || (eight && made->n_eight == 1) || other) {
        refresh(model, made);
    }
    return made;
}

void
generated_profiles_unref(struct dynamic_state *model,
                         struct generated_profiles *made, bool eight)
{
    orch_assert(made->n_users > 0 && made->n_eight >= eight);
    made->n_users--;
    made->n_eight -= eight;
    if (made->n_users == 0) {
        derived_rows_unref(model->outcomes, made->outcome);
        HASH_DEL(model->made, made);
        free(made->name);
        free(made);
    } else if (eight && made->n_eight == 0) {
        refresh(model, made);
    }
}
