/* SPDX-License-Identifier: Apache-2.0 */

/* What the questions of "orchlab whatif" about a change put into the scenario,
 * and the rows of CONFIG_DB in which switches differ then. */

#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "lab/builder/switch_image.h"
#include "lab/exec/run.h"
#include "lab/measure/sink.h"
#include "lab/scenario/quantity.h"
#include "orchlab/value_put.h"
#include "orchlab/verb.h"
#include "orchlab/whatif_headroom.h"
#include "orchlab/whatif_inquiry.h"
#include "orchlab/whatif_links.h"
#include "orchlab/whatif_room.h"
#include "orchlab/whatif_rows.h"

/* Values of the scenario ----------------------------------------------------
 */

/* Returns how the scenario is read with the values of 'variant'. */
static struct run_plan_options
plan_options(const struct whatif_inquiry *inquiry,
             const struct whatif_variant *variant)
{
    return (struct run_plan_options){
        .sets = variant->sets,
        .seed = verb_option(inquiry->invocation, "seed", NULL),
        .only = verb_option(inquiry->invocation, "only", NULL),
        .nics = inquiry->manner.options.nics_dir};
}

/* Reads the scenario with the values of 'variant'; there has to be one run. */
enum st
whatif_read_plan(const struct whatif_inquiry *inquiry,
                 const struct whatif_variant *variant, struct run_plan *plan,
                 struct err *err)
{
    const char *file = inquiry->invocation->operands[1];
    const struct run_plan_options options = plan_options(inquiry, variant);
    enum st st = run_plan_read(file, &options, plan, err);

    if (!st && plan->n_chosen != 1) {
        st = err_set(err, ST_INVALID, "usage",
                     "whatif is about one run, and %s has %zu", file,
                     plan->n_chosen);
        err_set_remedy(err,
                       "choose one with --only and --seed; see orchlab run %s "
                       "--runs",
                       file);
    }
    return st;
}

/* Puts a value into 'variant'; 'keys' is its path, with NULL at the end. */
static enum st
put(const struct whatif_inquiry *inquiry, struct whatif_variant *variant,
    const char *const *keys, const char *value, struct err *err)
{
    const struct run_plan_options options = plan_options(inquiry, variant);

    return value_put(inquiry->invocation->operands[1], &options, variant->sets,
                     keys, value, err);
}

/* Puts 'value' into field 'field' of row 'name' of 'table' of 'role'. */
static enum st
put_field(const struct whatif_inquiry *inquiry, struct whatif_variant *variant,
          const char *role, const char *table, const char *name,
          const char *field, uint64_t value, struct err *err)
{
    enum { ROW = 3 };
    const char *keys[] = {"switch", role, "set", NULL, field, NULL};
    struct text row = {0}, text = {0};
    enum st st;

    text_addf(&row, "%s|%s", table, name);
    text_addf(&text, "'%" PRIu64 "'", value);
    keys[ROW] = text_string(&row);
    st = put(inquiry, variant, keys, text_string(&text), err);
    json_object_set_new(whatif_rows_open(inquiry->wanted, role, table, name),
                        field, json_sprintf("%" PRIu64, value));
    text_fini(&row);
    text_fini(&text);
    return st;
}

/* Gives the buffer profile 'name' of 'role', which is 'profile' now, 'xoff'
 * bytes of headroom; where its size contains these, that grows as well. */
static enum st
put_xoff(const struct whatif_inquiry *inquiry, struct whatif_variant *variant,
         const char *role, const char *name, const json_t *profile,
         uint64_t xoff, struct err *err)
{
    const uint64_t size = whatif_rows_number(profile, "size");
    const uint64_t former = whatif_rows_number(profile, "xoff");
    enum st st = put_field(inquiry, variant, role, "BUFFER_PROFILE", name,
                           "xoff", xoff, err);

    if (!st && size >= former) {
        st = put_field(inquiry, variant, role, "BUFFER_PROFILE", name, "size",
                       size - former + xoff, err);
    }
    return st;
}

/* Configurations ------------------------------------------------------------
 */

/* Calls 'visit' with a run of 'variant' that does not move: its switches have
 * their configurations. */
typedef enum st visit_fn(struct whatif_inquiry *inquiry,
                         struct whatif_variant *variant, struct run *run,
                         const struct experiment *experiment, struct err *err);

static enum st
visit_run(struct whatif_inquiry *inquiry, struct whatif_variant *variant,
          visit_fn *visit, struct err *err)
{
    static const struct sink sink;
    struct arena *arena = arena_create(WHATIF_ARENA);
    struct experiment experiment;
    struct run_plan plan;
    struct run *run = NULL;
    enum st st = whatif_read_plan(inquiry, variant, &plan, err);

    st =
        st ? st : run_plan_load(&plan, plan.chosen[0], arena, &experiment, err);
    st = st ? st
            : run_create(&experiment, &inquiry->manner.options, &sink, &run,
                         err);
    st = st ? st : visit(inquiry, variant, run, &experiment, err);
    run_destroy(run);
    arena_destroy(arena);
    run_plan_fini(&plan);
    return st;
}

/* A visit_fn: keeps configuration and room of the first switch of each role.
 */
static enum st
keep_configs(struct whatif_inquiry *inquiry, struct whatif_variant *variant,
             struct run *run, const struct experiment *experiment,
             struct err *err)
{
    const struct topology *topology = &experiment->topology;
    enum st st = ST_OK;

    for (uint32_t i = 0; !st && i < topology->n_switches; i++) {
        const char *role = topology->nodes[i].role;
        struct switch_instance *sw;
        bool is_known = variant->n_roles == WHATIF_ROLES_MAX;

        for (size_t k = 0; k < variant->n_roles; k++) {
            is_known |= strcmp(variant->roles[k], role) == 0;
        }
        if (is_known) {
            continue;
        }
        st = run_find_switch(run, topology->nodes[i].name, &sw, err);
        if (!st) {
            variant->roles[variant->n_roles] =
                arena_strdup(inquiry->arena, role);
            variant->configs[variant->n_roles] =
                json_loads(switch_instance_config(sw), 0, NULL);
            variant->rooms[variant->n_roles] =
                whatif_room_bytes(sw, variant->configs[variant->n_roles]);
            variant->n_roles++;
        }
    }
    return st;
}

/* Returns the configuration of 'role', NULL if there is none. */
static const json_t *
config_of(const struct whatif_variant *variant, const char *role)
{
    for (size_t i = 0; i < variant->n_roles; i++) {
        if (strcmp(variant->roles[i], role) == 0) {
            return variant->configs[i];
        }
    }
    return NULL;
}

/* Links -------------------------------------------------------------------- */

/* The levels of links by the tier of their lower end. */
static const char *const levels[] = {
#define X(member, key) key,
    FABRIC_LEVELS(X)
#undef X
};

/* Adds what port 'port' of 'node' needs for the new length to the remedy. */
static enum st
provide(struct whatif_inquiry *inquiry, struct run *run,
        const struct experiment *experiment, uint32_t node, uint32_t port,
        int64_t length_mm, struct err *err)
{
    const struct topology *topology = &experiment->topology;
    const char *role = topology->nodes[node].role;
    const uint32_t peer = topology_port(topology, node, port)->peer;
    const struct topology_link *link =
        &topology->links[topology_port(topology, node, port)->link];
    const json_t *config = config_of(&inquiry->before, role);
    const struct switch_image_port *ports;
    const json_t *profile;
    struct switch_instance *sw;
    const char *name;
    uint64_t needed;
    json_t *lengths;
    size_t n;
    enum st st = run_find_switch(run, topology->nodes[node].name, &sw, err);

    if (st) {
        return st;
    }
    ports = switch_image_ports(switch_instance_image(sw), &n);
    lengths = whatif_rows_open(inquiry->rows, role, "CABLE_LENGTH", "AZURE");
    json_object_set_new(lengths, ports[port].name,
                        json_sprintf("%" PRId64 "m", (length_mm + 999) / 1000));
    name = whatif_rows_lossless(config, ports[port].name, &profile);
    needed = whatif_headroom_bytes(
        link, length_mm,
        topology->nodes[peer].is_host
            ? experiment->scenario.hosts[0].pfc.response_ps
            : experiment->switches[peer]->pfc_response_ps,
        whatif_headroom_frame(&experiment->scenario),
        switch_image_cell_bytes(switch_instance_image(sw)));
    if (!name || whatif_rows_number(profile, "xoff") >= needed ||
        json_object_get(json_object_get(json_object_get(inquiry->rows, role),
                                        "BUFFER_PROFILE"),
                        name)) {
        return ST_OK;
    }
    text_addf(&inquiry->note,
              "A lossless priority group of %s needs %" PRIu64
              " bytes of headroom for that, in frames of %u bytes; %s has "
              "%" PRIu64 ".  ",
              role, needed,
              (unsigned int)whatif_headroom_frame(&experiment->scenario), name,
              whatif_rows_number(profile, "xoff"));
    if (!inquiry->remedy.sets) {
        inquiry->remedy.sets = json_copy(inquiry->after.sets);
    }
    (void)whatif_rows_open(inquiry->rows, role, "BUFFER_PROFILE", name);
    return put_xoff(inquiry, &inquiry->remedy, role, name, profile, needed,
                    err);
}

/* Reads which link, and how long it shall be. */
static enum st
read_longer(const struct whatif_inquiry *inquiry,
            const struct topology *topology, uint32_t *link, int64_t *length_mm,
            struct err *err)
{
    const json_t *given =
        json_object_get(inquiry->invocation->arguments, "link");
    const char *name = json_string_value(json_array_get(given, 0));
    const char *length = inquiry->value;

    if (json_array_size(given) != 1 || !length) {
        return err_set(err, ST_INVALID, "usage",
                       "whatif link needs one --link A.B and a --length");
    }
    if (quantity_parse(QUANTITY_LENGTH, length, length_mm, err)) {
        const struct err why = *err;

        return err_set(err, ST_INVALID, "usage", "--length: %s", why.reason);
    }
    return whatif_find_link(topology, name, false, link, err);
}

/* Puts 'length' into the links of 'level', which may be a map or a length. */
static enum st
put_length(struct whatif_inquiry *inquiry, const char *level,
           const char *length, struct err *err)
{
    const char *const map[] = {"links", level, "length", NULL};
    const char *const whole[] = {"links", level, NULL};

    return put(inquiry, &inquiry->after, map, length, err)
               ? put(inquiry, &inquiry->after, whole, length, err)
               : ST_OK;
}

/* A visit_fn of the scenario as it is: changes the length of a level of
 * links. */
static enum st
ask_link(struct whatif_inquiry *inquiry, struct whatif_variant *variant,
         struct run *run, const struct experiment *experiment, struct err *err)
{
    const struct topology *topology = &experiment->topology;
    const char *value = inquiry->value;
    uint32_t link = 0;
    int64_t length_mm = 0;
    int level;
    enum st st = keep_configs(inquiry, variant, run, experiment, err);

    st = st ? st : read_longer(inquiry, topology, &link, &length_mm, err);
    if (st) {
        return st;
    }
    if (experiment->scenario.fabric.preset == FABRIC_GRAPH) {
        return err_set(err, ST_UNSUPPORTED, "usage",
                       "links of a graph have lengths of their own: set them "
                       "with --set, and compare two runs");
    }
    level = whatif_link_level(topology, link);
    text_addf(&inquiry->what, "%s links of %s instead of %" PRIu64 " m",
              levels[level], value, topology->links[link].length_mm / 1000);
    st = put_length(inquiry, levels[level], value, err);
    for (uint32_t i = 0; !st && i < topology->n_switches; i++) {
        for (uint32_t p = 0; !st && p < topology->nodes[i].n_ports; p++) {
            const uint32_t of = topology_port(topology, i, p)->link;

            if (whatif_link_level(topology, of) == level) {
                st = provide(inquiry, run, experiment, i, p, length_mm, err);
            }
        }
    }
    return st;
}

/* Headroom, adapters, chips -------------------------------------------------
 */

/* Multiplies the headroom of all profiles of role 'i' that have any. */
static enum st
scale_profiles(struct whatif_inquiry *inquiry, size_t i, struct ratio factor,
               struct err *err)
{
    const struct whatif_variant *before = &inquiry->before;
    const double times = (double)factor.numerator / (double)factor.denominator;
    const char *name;
    json_t *profile;
    enum st st = ST_OK;

    json_object_foreach(json_object_get(before->configs[i], "BUFFER_PROFILE"),
                        name, profile)
    {
        const uint64_t xoff = whatif_rows_number(profile, "xoff");

        if (xoff && !st) {
            st = put_xoff(inquiry, &inquiry->after, before->roles[i], name,
                          profile, (uint64_t)((double)xoff * times), err);
        }
    }
    return st;
}

/* Gives the pools of role 'i' a shared headroom pool of a part of what all
 * priority groups may have. */
static enum st
share_headroom(struct whatif_inquiry *inquiry, size_t i, int64_t ratio,
               struct err *err)
{
    const struct whatif_variant *before = &inquiry->before;
    const char *name;
    json_t *pool;
    enum st st = ST_OK;

    json_object_foreach(json_object_get(before->configs[i], "BUFFER_POOL"),
                        name, pool)
    {
        const uint64_t bytes = whatif_rows_headroom(before->configs[i], name);

        if (bytes && !st) {
            st = put_field(inquiry, &inquiry->after, before->roles[i],
                           "BUFFER_POOL", name, "xoff", bytes / (uint64_t)ratio,
                           err);
        }
    }
    return st;
}

/* A visit_fn: lets priority groups share their headroom, or multiplies that of
 * all lossless profiles. */
static enum st
ask_headroom(struct whatif_inquiry *inquiry, struct whatif_variant *variant,
             struct run *run, const struct experiment *experiment,
             struct err *err)
{
    const bool is_factor =
        verb_option(inquiry->invocation, "factor", NULL) != NULL;
    const bool is_shared =
        verb_option(inquiry->invocation, "ratio", NULL) != NULL;
    struct ratio factor = {1, 1};
    int64_t shared = 1;
    enum st st = keep_configs(inquiry, variant, run, experiment, err);

    if (!st && is_factor == is_shared) {
        st = err_set(err, ST_INVALID, "usage",
                     "whatif headroom needs a --factor, such as 0.9 or 2, or a "
                     "--ratio, such as 4");
    }
    if (!st) {
        st = is_shared
                 ? quantity_parse(QUANTITY_COUNT, inquiry->value, &shared, err)
                 : quantity_parse_ratio(inquiry->value, &factor, err);
    }
    for (size_t i = 0; !st && i < variant->n_roles; i++) {
        st = is_shared ? share_headroom(inquiry, i, shared, err)
                       : scale_profiles(inquiry, i, factor, err);
    }
    text_addf(&inquiry->what,
              is_shared ? "a shared headroom pool, over-subscribed %s:1"
                        : "%s times the headroom",
              inquiry->value ? inquiry->value : "");
    return st;
}

/* Puts option 'option', if it is given, at 'keys', and says so. */
static enum st
put_option(struct whatif_inquiry *inquiry, const char *option,
           const char *const *keys, struct err *err)
{
    const char *value = verb_option(inquiry->invocation, option, NULL);

    if (!value) {
        return ST_OK;
    }
    text_addf(&inquiry->what, "%s%s %s", inquiry->what.length ? ", " : "",
              option, value);
    return put(inquiry, &inquiry->after, keys, value, err);
}

/* A visit_fn: changes the profile of all adapters. */
static enum st
ask_nic(struct whatif_inquiry *inquiry, struct whatif_variant *variant,
        struct run *run, const struct experiment *experiment, struct err *err)
{
    static const char *const nic[] = {"hosts", "default", "nic", NULL};
    static const char *const dcqcn[] = {"hosts", "default", "dcqcn", NULL};
    enum st st = keep_configs(inquiry, variant, run, experiment, err);

    st = st ? st : put_option(inquiry, "nic", nic, err);
    st = st ? st : put_option(inquiry, "dcqcn", dcqcn, err);
    return !st && !inquiry->what.length
               ? err_set(err, ST_INVALID, "usage",
                         "whatif nic needs --nic or --dcqcn")
               : st;
}

/* Reports that no switch has the role 'role'. */
static enum st
fail_role(const struct whatif_variant *variant, const char *role,
          struct err *err)
{
    struct choices choices;

    choices_init(&choices, role);
    for (size_t i = 0; i < variant->n_roles; i++) {
        choices_add(&choices, variant->roles[i]);
    }
    (void)err_set(err, ST_INVALID, "usage",
                  "the scenario has no switch with the role '%.60s'", role);
    return choices_explain(&choices, "role", err);
}

/* A visit_fn: changes the chip or the configuration of switches. */
static enum st
ask_model(struct whatif_inquiry *inquiry, struct whatif_variant *variant,
          struct run *run, const struct experiment *experiment, struct err *err)
{
    const char *role = verb_option(inquiry->invocation, "role", NULL);
    const char *const chip[] = {"switch", role, "chip", NULL};
    const char *const config[] = {"switch", role, "config", NULL};
    enum st st = keep_configs(inquiry, variant, run, experiment, err);

    if (!st && !role) {
        return err_set(err, ST_INVALID, "usage",
                       "whatif model needs the --role of switches, such as %s",
                       variant->roles[0]);
    }
    if (!st && !config_of(variant, role)) {
        return fail_role(variant, role, err);
    }
    st = st ? st : put_option(inquiry, "chip", chip, err);
    st = st ? st : put_option(inquiry, "config", config, err);
    if (!st && !inquiry->what.length) {
        st = err_set(err, ST_INVALID, "usage",
                     "whatif model needs --chip or --config");
    }
    text_addf(&inquiry->what, " for %s", role ? role : "");
    return st;
}

static const struct {
    const char *name;
    visit_fn *ask;
} questions[] = {
    {"link", ask_link},
    {"headroom", ask_headroom},
    {"nic", ask_nic},
    {"model", ask_model},
};

/* Gives up the remedy, whose rows are refused because of 'why': what the change
 * does without them is an answer, too. */
static void
give_remedy_up(struct whatif_inquiry *inquiry, const struct err *why)
{
    json_decref(inquiry->remedy.sets);
    inquiry->remedy.sets = NULL;
    inquiry->is_refused = true;
    json_object_clear(inquiry->rows);
    text_addf(&inquiry->note, "Rows with that much are refused: %s.  ",
              why->reason);
}

/* Refuses a question whose rows 'variant' does not have, because the run sets
 * them itself: values of a variant or sweep come after those of --set. */
static enum st
check_rows(const struct whatif_inquiry *inquiry,
           const struct whatif_variant *variant, struct err *err)
{
    const char *role, *table, *key;
    json_t *rows;

    json_object_foreach(inquiry->wanted, role, rows)
    {
        if (!whatif_rows_hold(config_of(variant, role), rows, &table, &key)) {
            (void)err_set(err, ST_INVALID, "usage",
                          "the run sets %s|%s of %s itself, so that it cannot "
                          "be changed",
                          table, key, role);
            err_set_remedy(err, "ask about a scenario that has these values "
                                "in 'fabric', not in 'variants' or 'sweep'");
            return ST_INVALID;
        }
    }
    return ST_OK;
}

enum st
whatif_ask(struct whatif_inquiry *inquiry, struct err *err)
{
    const char *name = inquiry->invocation->operands[0];
    struct whatif_variant *changed;
    visit_fn *ask = NULL;
    enum st st;

    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        if (strcmp(questions[i].name, name) == 0) {
            ask = questions[i].ask;
        }
    }
    st = visit_run(inquiry, &inquiry->before, ask, err);
    changed = inquiry->remedy.sets ? &inquiry->remedy : &inquiry->after;
    st = st ? st : visit_run(inquiry, changed, keep_configs, err);
    if (st && changed == &inquiry->remedy) {
        give_remedy_up(inquiry, err);
        changed = &inquiry->after;
        json_object_clear(inquiry->wanted);
        st = visit_run(inquiry, changed, keep_configs, err);
    }
    st = st ? st : check_rows(inquiry, changed, err);
    if (!st) {
        for (size_t i = 0; i < changed->n_roles; i++) {
            whatif_rows_collect(inquiry->rows, changed->roles[i],
                                config_of(&inquiry->before, changed->roles[i]),
                                changed->configs[i]);
        }
    }
    return st;
}
