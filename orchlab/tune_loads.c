/* SPDX-License-Identifier: Apache-2.0 */

/* The scenarios whose runs "orchlab tune" compares: the fabric and hosts of one
 * file with the traffic of another, and the switches of that fabric. */

#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/picoseconds.h"
#include "command/folder.h"
#include "lab/builder/switch_image.h"
#include "lab/exec/run.h"
#include "lab/measure/sink.h"
#include "orchlab/run_plan.h"
#include "orchlab/tune.h"
#include "orchlab/value_put.h"
#include "orchlab/verb.h"
#include "orchlab/whatif_headroom.h"
#include "orchlab/whatif_room.h"
#include "orchlab/whatif_rows.h"

/* Scenarios ---------------------------------------------------------------- */

/* Reads the one run that the file 'path' has with 'options'. */
static enum st
read_one(const char *path, const struct run_plan_options *options,
         struct arena *arena, struct scenario *scenario, struct err *err)
{
    struct run_plan plan;
    enum st st = run_plan_read(path, options, &plan, err);

    if (!st && plan.n_chosen != 1) {
        st = err_set(err, ST_INVALID, "usage",
                     "tune needs one run of each file, and %s has %zu", path,
                     plan.n_chosen);
        err_set_remedy(err,
                       "choose one with --only and --seed, or write a "
                       "file with one; see orchlab run %s --runs",
                       path);
    }
    st = st ? st : run_plan_parse(&plan, plan.chosen[0], arena, scenario, err);
    if (!st) {
        scenario->name = arena_strdup(arena, scenario->name);
        scenario->text = arena_strdup(arena, scenario->text);
    }
    run_plan_fini(&plan);
    return st;
}

/* Appends the line of key 'key' of a scenario's text, which has one for each
 * key. */
static void
add_key(const char *from, const char *key, struct text *text)
{
    const size_t length = strlen(key);

    while (*from) {
        const size_t line = strcspn(from, "\n") + 1;

        if (!strncmp(from, key, length) && from[length] == ':') {
            text_add_bytes(text, from, line);
            return;
        }
        from += line;
    }
}

/* Appends the traffic of a storage service at 'rate' bit/s and hosts: writes of
 * 64 KB to three replicas, fragments of 64 KB that a degraded read asks of up
 * to eight hosts at once, and 1 MB of background copies. */
static void
add_storage(uint64_t rate, uint32_t n_hosts, struct text *text)
{
    const uint64_t us_of_mb = UINT64_C(8000000) * 1000000 / rate;
    const uint32_t fragments = n_hosts - 1 < 8 ? n_hosts - 1 : 8;

    text_addf(text,
              "traffic: [{name: write, jitter: %" PRIu64 "us, rc: {pattern: "
              "permutation, qps: 3, size: 64KB, repeat: inf, every: %" PRIu64
              "us}}, ",
              us_of_mb, us_of_mb);
    text_addf(text,
              "{name: read, jitter: %" PRIu64
              "us, rc: {pattern: fan_in, n: %u, "
              "size: 64KB, repeat: inf, every: %" PRIu64 "us}}, ",
              us_of_mb, fragments, 4 * us_of_mb);
    text_addf(text,
              "{name: copy, jitter: %" PRIu64 "us, rc: {pattern: permutation, "
              "size: 1MB, repeat: inf, every: %" PRIu64 "us}}]\n"
              "stop: %" PRIu64 "us\n",
              4 * us_of_mb, 4 * us_of_mb, 60 * us_of_mb);
}

/* Writes 'text' into the file 'path'. */
static enum st
write_file(const char *path, const char *text, struct err *err)
{
    FILE *file = fopen(path, "we");
    bool failed = !file;

    if (file) {
        failed = fputs(text, file) < 0;
        failed = fclose(file) || failed;
    }
    return failed ? err_set(err, ST_IO, "unwritable", "cannot write %s: %s",
                            path, strerror(errno))
                  : ST_OK;
}

/* Makes the scenario of 'load' on 'fabric', and reads it back: names of hosts
 * that its traffic has may not be there. */
static enum st
make_load(struct tune *tune, const struct scenario *fabric, uint64_t rate,
          uint32_t n_hosts, struct tune_load *load, struct err *err)
{
    const struct run_plan_options none = {.nics =
                                              tune->manner.options.nics_dir};
    struct text text = {0}, path = {0};
    struct scenario traffic, scenario;
    enum st st = ST_OK;

    load->name = "storage";
    if (load->file) {
        st = read_one(load->file, &none, tune->arena, &traffic, err);
        load->name = st ? "" : traffic.name;
    }
    text_addf(&text, "name: %s-%s\n", fabric->name, load->name);
    add_key(fabric->text, "seed", &text);
    add_key(fabric->text, "fabric", &text);
    add_key(fabric->text, "hosts", &text);
    if (!st && load->file) {
        add_key(traffic.text, "traffic", &text);
        add_key(traffic.text, "stop", &text);
    } else if (!st) {
        add_storage(rate, n_hosts, &text);
    }
    text_add(&text, "stop_when_done: false\n"
                    "record: {messages: true}\n");
    text_addf(&path, "%s/%s-%s.yaml", tune->manner.folder, fabric->name,
              load->name);
    load->path = arena_strdup(tune->arena, text_string(&path));
    load->text = arena_strdup(tune->arena, text_string(&text));
    st = st ? st : write_file(load->path, load->text, err);
    st = st ? st : read_one(load->path, &none, tune->arena, &scenario, err);
    if (!st) {
        load->stop_s = (double)scenario.stop_ps / (double)PS_PER_S;
    }
    text_fini(&text);
    text_fini(&path);
    return st;
}

/* Switches ----------------------------------------------------------------- */

/* Returns the headroom that a priority group of switch 'node' needs for its
 * longest link. */
static uint64_t
needed_bytes(const struct experiment *experiment, uint32_t node,
             const struct switch_instance *sw)
{
    const struct topology *topology = &experiment->topology;
    uint64_t most = 0;

    for (uint32_t p = 0; p < topology->nodes[node].n_ports; p++) {
        const struct topology_port *port = topology_port(topology, node, p);
        const struct topology_link *link = &topology->links[port->link];
        const int64_t response_ps =
            topology->nodes[port->peer].is_host
                ? experiment->scenario.hosts[0].pfc.response_ps
                : experiment->switches[port->peer]->pfc_response_ps;
        const uint64_t bytes = whatif_headroom_bytes(
            link, (int64_t)link->length_mm, response_ps,
            whatif_headroom_frame(&experiment->scenario),
            switch_image_cell_bytes(switch_instance_image(sw)));

        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Keeps what the first switch of each role is like. */
static enum st
keep_roles(struct tune *tune, struct run *run,
           const struct experiment *experiment, struct err *err)
{
    const struct topology *topology = &experiment->topology;
    enum st st = ST_OK;

    for (uint32_t i = 0; !st && i < topology->n_switches; i++) {
        const char *role = topology->nodes[i].role;
        const size_t n = tune->n_roles;
        struct switch_instance *sw;
        bool is_known = n == TUNE_ROLES_MAX;

        for (size_t k = 0; k < n; k++) {
            is_known |= strcmp(tune->roles[k], role) == 0;
        }
        if (is_known) {
            continue;
        }
        st = run_find_switch(run, topology->nodes[i].name, &sw, err);
        if (!st) {
            tune->roles[n] = arena_strdup(tune->arena, role);
            tune->configs[n] = json_loads(switch_instance_config(sw), 0, NULL);
            tune->shared_bytes[n] = whatif_room_bytes(sw, tune->configs[n]);
            tune->headroom_bytes[n] = needed_bytes(experiment, i, sw);
            tune->n_roles++;
        }
    }
    return st;
}

/* Takes what the fluid model needs of 'run', if that has more senders than the
 * loads before, or larger messages. */
static void
keep_loop(struct tune *tune, const struct run *run)
{
    struct dcqcn_loop loop;
    struct err ignored;

    if (run_describe_loop(run, &loop, &ignored)) {
        return;
    }
    if (!tune->has_loop || loop.link.n > tune->loop.link.n) {
        tune->loop = loop;
    } else if (loop.size_bytes > tune->loop.size_bytes) {
        tune->loop.size_bytes = loop.size_bytes;
    }
    tune->has_loop = true;
}

/* Builds the run of 'load', which does not move, and looks at it. */
static enum st
visit(struct tune *tune, const struct tune_load *load, struct err *err)
{
    const struct run_plan_options none = {.nics =
                                              tune->manner.options.nics_dir};
    static const struct sink sink;
    struct arena *arena = arena_create(TUNE_ARENA);
    struct experiment experiment;
    struct run_plan plan;
    struct run *run = NULL;
    enum st st = run_plan_read(load->path, &none, &plan, err);

    st = st ? st : run_plan_load(&plan, 0, arena, &experiment, err);
    if (!st && !experiment.scenario.n_traffic) {
        st = err_set(err, ST_INVALID, "usage",
                     "%s has no traffic, so it is no load", load->file);
        err_set_remedy(err, "name a scenario with traffic by --load and "
                            "--unseen");
    }
    st = st ? st
            : run_create(&experiment, &tune->manner.options, &sink, &run, err);
    st = st ? st : keep_roles(tune, run, &experiment, err);
    if (!st && !load->is_unseen) {
        keep_loop(tune, run);
    }
    run_destroy(run);
    arena_destroy(arena);
    run_plan_fini(&plan);
    return st;
}

/* Puts the rows that the question changes into the scenario of 'load' as they
 * are, so that its variants can replace them. */
static enum st
anchor(struct tune *tune, struct tune_load *load, struct err *err)
{
    static const char *const tables[] = {"WRED_PROFILE", "BUFFER_PROFILE",
                                         "BUFFER_POOL"};
    enum { ROW = 3 };
    json_t *sets = json_array();
    const struct run_plan_options options = {
        .sets = sets, .nics = tune->manner.options.nics_dir};
    struct scenario scenario;
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < tune->n_roles; i++) {
        for (size_t k = 0; !st && k < sizeof tables / sizeof *tables; k++) {
            const char *keys[] = {"switch", tune->roles[i], "set", NULL, NULL};
            const char *key;
            const json_t *row = tune_rows_find(tune, i, tables[k], &key);
            char *value = row ? json_dumps(row, 0) : NULL;
            struct text name = {0};

            if (value) {
                text_addf(&name, "%s|%s", tables[k], key);
                keys[ROW] = text_string(&name);
                st = value_put(load->path, &options, sets, keys, value, err);
            }
            text_fini(&name);
            free(value);
        }
    }
    st = st ? st : read_one(load->path, &options, tune->arena, &scenario, err);
    if (!st) {
        load->text = scenario.text;
    }
    json_decref(sets);
    return st;
}

/* All ---------------------------------------------------------------------- */

/* Adds the files of option 'option' to the loads. */
static enum st
add_files(struct tune *tune, const char *option, bool is_unseen,
          struct err *err)
{
    const json_t *files = json_object_get(tune->invocation->arguments, option);

    if (tune->n_loads + json_array_size(files) > TUNE_LOADS_MAX) {
        return err_set(err, ST_INVALID, "usage",
                       "tune takes at most %d loads, those of --unseen "
                       "included",
                       TUNE_LOADS_MAX);
    }
    for (size_t i = 0; i < json_array_size(files); i++) {
        tune->loads[tune->n_loads++] = (struct tune_load){
            .file = json_string_value(json_array_get(files, i)),
            .is_unseen = is_unseen};
    }
    return ST_OK;
}

/* Returns the speed of the links of hosts, and their number. */
static uint64_t
measure_hosts(const struct topology *topology, uint32_t *n_hosts)
{
    const uint32_t host = topology->n_switches;

    *n_hosts = topology->n_hosts;
    return topology->links[topology_port(topology, host, 0)->link].rate_bps;
}

enum st
tune_loads_read(struct tune *tune, struct err *err)
{
    const struct invocation *invocation = tune->invocation;
    const char *file = verb_option(invocation, "fabric", NULL);
    const struct run_plan_options options = {
        .sets = json_object_get(invocation->arguments, "set"),
        .seed = verb_option(invocation, "seed", NULL),
        .only = verb_option(invocation, "only", NULL),
        .nics = tune->manner.options.nics_dir};
    struct scenario fabric;
    struct topology topology;
    uint64_t rate = 0;
    uint32_t n_hosts = 0;
    enum st st;

    if (!file || !json_object_get(invocation->arguments, "load")) {
        err_set(err, ST_INVALID, "usage",
                "tune %s needs --fabric FILE and --load FILE, scenarios "
                "with the fabric and with the traffic; --%s is missing",
                tune->question->name, file ? "load" : "fabric");
        err_set_remedy(err, "both may be the same file; see orchlab tune "
                            "--help");
        return ST_INVALID;
    }
    st = read_one(file, &options, tune->arena, &fabric, err);
    st = st ? st : add_files(tune, "load", false, err);
    st = st ? st : add_files(tune, "unseen", true, err);
    if (!st && !json_object_get(invocation->arguments, "unseen") &&
        tune->n_loads < TUNE_LOADS_MAX) {
        tune->loads[tune->n_loads++] = (struct tune_load){.is_unseen = true};
    }
    st = st ? st : folder_make(tune->manner.folder, "--results", err);
    st = st ? st
            : topology_build(&fabric.fabric, file, tune->arena, &topology, err);
    if (!st) {
        rate = measure_hosts(&topology, &n_hosts);
    }
    for (size_t i = 0; !st && i < tune->n_loads; i++) {
        st = make_load(tune, &fabric, rate, n_hosts, &tune->loads[i], err);
        st = st ? st : visit(tune, &tune->loads[i], err);
        st = st ? st : anchor(tune, &tune->loads[i], err);
    }
    return st;
}
