/* SPDX-License-Identifier: Apache-2.0 */

/* A test bench for an adapter. */

#include <config.h>

#include "lab/probe/probe_bench.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/scenario/nic_files.h"

enum { FIRST_ROOM = 1024, RECEIVER = 1, OTHER = 3 };

/* Returns 'list' of 'n' items of 'size' bytes with room for one more. */
static void *
grow(void *list, size_t n, size_t *room, size_t size)
{
    if (n < *room) {
        return list;
    }
    *room = *room ? 2 * *room : FIRST_ROOM;
    return check_realloc(list, *room * size);
}

/* A host whose arrivals are noted. */
struct tap {
    const struct run_host *host;
    struct probe_record *record;
};

/* Whether 'qp' receives messages, not frames that only fill queues. */
static bool
is_observed(const struct tap *tap, uint32_t qp)
{
    const struct run *run = tap->host->run;

    return run->flows[tap->host->qps[qp].flow].traffic->kind == TRAFFIC_RC;
}

/* A nic_counted_fn, of host 1. */
static void
on_arrival(void *context, uint32_t qp, uint32_t bytes, bool is_marked,
           int64_t now_ps)
{
    const struct tap *tap = context;
    struct probe_record *record = tap->record;

    if (!is_observed(tap, qp)) {
        return;
    }
    record->arrivals = grow(record->arrivals, record->n_arrivals,
                            &record->n_arrivals_room, sizeof *record->arrivals);
    record->arrivals[record->n_arrivals++] =
        (struct probe_arrival){now_ps, bytes, is_marked};
}

/* The same of host 3. */
static void
on_other(void *context, uint32_t qp, uint32_t bytes, bool is_marked,
         int64_t now_ps)
{
    const struct tap *tap = context;
    struct probe_record *record = tap->record;

    if (!is_observed(tap, qp)) {
        return;
    }
    record->others = grow(record->others, record->n_others,
                          &record->n_others_room, sizeof *record->others);
    record->others[record->n_others++] =
        (struct probe_arrival){now_ps, bytes, is_marked};
}

static void
on_message(void *context, const struct sink_message *message)
{
    struct probe_record *record = context;

    record->messages = grow(record->messages, record->n_messages,
                            &record->n_messages_room, sizeof *record->messages);
    record->messages[record->n_messages++] = (struct probe_message){
        message->flow, message->start_ps, message->end_ps};
}

static void
on_flow(void *context, const struct sink_flow *flow)
{
    struct probe_record *record = context;

    record->cnps += flow->cnps;
}

/* Writes the scenario of 'setup' into 'text'.  Any packet that finds one before
 * it in its queue is marked; a sender is paused before its window is full. */
static void
write_scenario(const struct nic_file *file, const struct probe_setup *setup,
               struct text *text)
{
    text_addf(text,
              "name: probe\n"
              "fabric:\n"
              "  star: {hosts: 4, rate: 400G}\n"
              "  links: {host: %um}\n"
              "  switch:\n"
              "    t0:\n"
              "      config: t1-64x400g\n"
              "      set: {'BUFFER_PROFILE|pg_lossless_400000_300m_profile': "
              "{dynamic_th: '-8'}, 'WRED_PROFILE|AZURE_LOSSLESS': "
              "{green_min_threshold: "
              "'1', green_max_threshold: '2', green_drop_probability: '100', "
              "ecn: ecn_all}}\n"
              "hosts:\n"
              "  default: {nic: plain, mtu: %uB, %s}\n"
              "  groups: {tested: {of: %s, nic: %s%s%s}}\n"
              "traffic:\n%s"
              "record: {messages: true}\n"
              "stop: %lldps\n",
              setup->length_m, setup->mtu_bytes, setup->peers, setup->tested,
              file->name, *setup->keys ? ", " : "", setup->keys, setup->traffic,
              (long long)setup->stop_ps);
    if (setup->faults) {
        text_addf(text, "faults: %s\n", setup->faults);
    }
}

/* Runs 'experiment' to its end. */
static enum st
carry_out(struct experiment *experiment, const struct run_options *options,
          struct probe_record *record, struct err *err)
{
    const struct sink sink = {
        .flow_ended = on_flow, .message_ended = on_message, .context = record};
    struct run *run = NULL;
    enum run_state state = RUN_RUNNING;
    struct tap taps[2];
    enum st st = run_create(experiment, options, &sink, &run, err);

    if (st) {
        return st;
    }
    taps[0] = (struct tap){&run->hosts[RECEIVER], record};
    taps[1] = (struct tap){&run->hosts[OTHER], record};
    nic_set_counted(run->hosts[RECEIVER].nic, on_arrival, &taps[0]);
    nic_set_counted(run->hosts[OTHER].nic, on_other, &taps[1]);
    while (state == RUN_RUNNING) {
        state = run_until(run, INT64_MAX);
    }
    if (state == RUN_STOPPED) {
        run_traffic_finish(run);
    } else {
        const struct err *failure = run_failure(run);

        st = err_set(err, ST_DEVICE, "probe", "an experiment failed: %s",
                     failure ? failure->reason : run_break_reason(run));
    }
    run_destroy(run);
    return st;
}

enum st
probe_bench_run(const struct nic_file *file, const struct run_options *options,
                const struct probe_setup *setup, struct probe_record *record,
                struct err *err)
{
    const struct nic_files nics = {file, 1};
    struct arena *arena = arena_create(0);
    struct experiment experiment = {0};
    struct text text = {0};
    struct scenario_input input = {.file = "probe", .nics = &nics};
    enum st st;

    *record = (struct probe_record){0};
    write_scenario(file, setup, &text);
    input.text = text_string(&text);
    input.length = text.length;
    st = experiment_load(&input, 0, arena, &experiment, err);
    st = st ? st : carry_out(&experiment, options, record, err);
    text_fini(&text);
    arena_destroy(arena);
    return st;
}

enum st
probe_bench_mtu(const struct nic_file *file, uint32_t *mtu_bytes,
                struct err *err)
{
    const struct nic_files nics = {file, 1};
    struct arena *arena = arena_create(0);
    struct scenario scenario;
    struct text text = {0};
    struct scenario_input input = {.file = "probe", .nics = &nics};
    enum st st;

    text_addf(&text,
              "name: probe\nfabric: {star: {hosts: 1}}\nstop: 1ms\n"
              "hosts: {default: {nic: %s}}\n",
              file->name);
    input.text = text_string(&text);
    input.length = text.length;
    st = scenario_parse(&input, 0, arena, &scenario, err);
    if (!st) {
        *mtu_bytes = (uint32_t)scenario.hosts[0].mtu_bytes;
    }
    text_fini(&text);
    arena_destroy(arena);
    return st;
}

void
probe_record_fini(struct probe_record *record)
{
    free(record->arrivals);
    free(record->others);
    free(record->messages);
    *record = (struct probe_record){0};
}
