/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'rollout:'. */

#include <config.h>

#include "lab/scenario/sections.h"

struct rollout_values {
    struct rollout_spec rollout;
    struct fy_node *set, *steps, *guard;
};

#define AT(member) offsetof(struct rollout_values, member)

static const struct field rollout_fields[] = {
    {"start", FIELD_TIME, AT(rollout.start_ps), "0..1000s", field_required,
     NULL},
    {"soak", FIELD_TIME, AT(rollout.soak_ps), "1us..1000s", field_required,
     NULL},
    {"set", FIELD_NODE, AT(set), NULL, field_required, NULL},
    {"steps", FIELD_NODE, AT(steps), NULL, field_required, NULL},
    {"guard", FIELD_NODE, AT(guard), NULL, field_required, NULL},
};

#undef AT
#define AT(member) offsetof(struct rollout_step, member)

static const struct field step_fields[] = {
    {"name", FIELD_NAME, AT(name), NULL, field_required, NULL},
    {"switches", FIELD_SELECTOR, AT(switches), NULL, field_required, NULL},
};

#undef AT
#define AT(member) offsetof(struct rollout_guard, member)

static const struct field guard_fields[] = {
    {"traffic", FIELD_NAME, AT(traffic), NULL, field_required, NULL},
    {"within", FIELD_TIME, AT(within_ps), "1ns..1000s", field_required, NULL},
    {"errors", FIELD_RATIO, AT(errors), "0..1", "0", NULL},
    {"p99", FIELD_TIME, AT(p99_ps), "1ns..inf", "inf", NULL},
    {"drops", FIELD_COUNT, AT(drops), "0..inf", "0", NULL},
    {"drift", FIELD_COUNT, AT(drift), "0..inf", "0", NULL},
};

#undef AT

/* Implements fields_item_fn. */
static enum st
read_step(struct reader *reader, struct fy_node *node, void *context)
{
    struct rollout_step *step = context;

    fields_init(reader, step_fields, N_FIELDS(step_fields), step);
    step->place = fields_place(reader, node);
    return fields_read(reader, node, "a step", step_fields,
                       N_FIELDS(step_fields), step, NULL);
}

enum st
section_rollout(struct reader *reader, struct fy_node *node,
                struct scenario *scenario)
{
    struct rollout_values values = {.set = NULL};
    struct rollout_spec *rollout = &values.rollout;
    struct fields_list steps = {NULL, 0};
    enum st st;

    if (!node) {
        return ST_OK;
    }
    fields_init(reader, rollout_fields, N_FIELDS(rollout_fields), &values);
    rollout->place = fields_place(reader, node);
    st = fields_read(reader, node, "'rollout'", rollout_fields,
                     N_FIELDS(rollout_fields), &values, NULL);
    st = st ? st
            : section_set(reader, values.set, &rollout->set, &rollout->n_set);
    if (!st) {
        st = fields_read_list(reader, values.steps, sizeof *rollout->steps,
                              read_step, &steps);
    }
    if (!st && (!rollout->n_set || !steps.n)) {
        st = document_fail(reader->document, node, reader->err,
                           "a rollout changes nothing without an item in '%s'",
                           rollout->n_set ? "steps" : "set");
    }
    rollout->steps = steps.items;
    rollout->n_steps = steps.n;
    if (!st) {
        fields_init(reader, guard_fields, N_FIELDS(guard_fields),
                    &rollout->guard);
        st = fields_read(reader, values.guard, "'guard'", guard_fields,
                         N_FIELDS(guard_fields), &rollout->guard, NULL);
    }
    scenario->rollout = *rollout;
    return st;
}
