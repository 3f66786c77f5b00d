/* SPDX-License-Identifier: Apache-2.0 */

/* Sizes are in bytes and have names that say so, as in all JSON of orchctl.
 * What does not exist is null, not 0. */

#include <config.h>

#include "orchctl/headroom_json.h"

#include "orchctl/headroom_need.h"
#include "orchd/derive/terms.h"
#include "twin/chip/yaml/chip_file.h"

/* Returns a number as JSON. */
static json_t *
bytes_json(uint64_t bytes)
{
    return json_integer((json_int_t)bytes);
}

/* Returns the derivation of the headroom of one PG of group 'i'. */
static json_t *
terms_json(const struct plan_question *question, size_t i)
{
    struct headroom_rules rules = plan_rules(question);
    json_t *list = json_array();
    struct terms terms = {.n = 0};
    struct headroom headroom;

    headroom_compute(&rules, &question->groups[i].port, false, &headroom,
                     &terms);
    for (size_t j = 0; j < terms.n; j++) {
        const struct term *term = &terms.items[j];
        char text[TERM_TEXT_SIZE];

        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", term->name,
                            "value", term_text(term, text), "unit", term->unit,
                            "formula", term->formula, "source", term->source));
    }
    return list;
}

/* Returns what group 'i' needs and gets. */
static json_t *
group_json(const struct plan_question *question, const struct plan_answer *all,
           size_t i)
{
    const struct plan_group *group = &question->groups[i];
    const struct plan_group_answer *answer = &all->groups[i];
    json_t *object = json_object();
    struct headroom_need need;

    json_object_set_new(object, "ports", json_integer(group->n_ports));
    json_object_set_new(object, "speed_mbps",
                        json_integer(group->port.speed_mbps));
    json_object_set_new(object, "cable_m", json_integer(group->port.cable_m));
    json_object_set_new(object, "round_trip_ns",
                        json_integer(plan_round_trip_ns(group->port.cable_m)));
    json_object_set_new(object, "lanes", json_integer(group->port.lanes));
    json_object_set_new(object, "pgs", bytes_json(answer->n_pgs));
    json_object_set_new(object, "xon_bytes",
                        bytes_json(answer->guarantee_bytes));
    json_object_set_new(object, "xoff_bytes", bytes_json(answer->xoff_bytes));
    json_object_set_new(object, "private_bytes",
                        bytes_json(answer->private_bytes));
    json_object_set_new(object, "paused_at_once",
                        all->fits ? bytes_json(answer->n_at_once)
                                  : json_null());
    json_object_set_new(object, "longest_cable_m",
                        answer->some_cable_fits
                            ? json_integer(answer->longest_cable_m)
                            : json_null());
    headroom_need(question, i, &need);
    json_object_set_new(object, "usable_xoff_bytes", bytes_json(need.has));
    json_object_set_new(object, "needed_large_bytes", bytes_json(need.large));
    json_object_set_new(object, "needed_any_bytes", bytes_json(need.any));
    json_object_set_new(object, "worst_packet_bytes",
                        json_integer(need.any_size));
    json_object_set_new(object, "terms", terms_json(question, i));
    return object;
}

/* Returns whether headroom of one kind fits. */
static json_t *
room_json(const struct plan_room *room)
{
    return json_pack("{s:I, s:I, s:I, s:b}", "headroom_bytes",
                     (json_int_t)room->headroom_bytes, "needed_bytes",
                     (json_int_t)room->needed_bytes, "left_bytes",
                     (json_int_t)room->left_bytes, "fits", room->fits);
}

json_t *
headroom_json(const struct plan_question *question,
              const struct plan_answer *answer)
{
    json_t *object = json_object(), *groups = json_array();

    for (size_t i = 0; i < question->n_groups; i++) {
        json_array_append_new(groups, group_json(question, answer, i));
    }
    json_object_set_new(object, "model", json_string(question->chip->name));
    json_object_set_new(object, "memory_bytes",
                        bytes_json(answer->memory_bytes));
    json_object_set_new(object, "cell_bytes", json_integer(answer->cell_bytes));
    json_object_set_new(object, "partitions",
                        json_integer(answer->n_partitions));
    json_object_set_new(object, "groups", groups);
    json_object_set_new(object, "private", room_json(&answer->private_room));
    if (question->ratio) {
        json_object_set_new(object, "shared", room_json(&answer->shared_room));
    }
    json_object_set_new(object, "min_ratio",
                        answer->min_ratio ? json_integer(answer->min_ratio)
                                          : json_null());
    json_object_set_new(object, "enough_bytes",
                        bytes_json(answer->enough_bytes));
    json_object_set_new(object, "fits", json_boolean(answer->fits));
    if (answer->fits) {
        json_object_set_new(object, "shared_limit_bytes",
                            bytes_json(answer->shared_limit_bytes));
        json_object_set_new(object, "pfc_bytes", bytes_json(answer->pfc_bytes));
        json_object_set_new(object, "kmin_bytes",
                            bytes_json(answer->kmin_bytes));
        json_object_set_new(object, "pool_size_bytes",
                            bytes_json(answer->pool_size_bytes));
        json_object_set_new(object, "pool_xoff_bytes",
                            bytes_json(answer->pool_xoff_bytes));
    }
    return object;
}
