/* SPDX-License-Identifier: Apache-2.0 */

/* Scenarios of fabrics: the shipped ones, wrong ones with their messages, and
 * what the keys are read as. */

#include <config.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "lab/builder/experiment.h"
#include "lab/builder/nic_folder.h"
#include "lab/builder/references.h"
#include "lab/builder/topology.h"
#include "lab/scenario/scenario.h"

#define BAD       TOP_SRCDIR "/tests/lab/bad"
#define SCENARIOS TOP_SRCDIR "/lab/scenarios"

enum { FILE_MAX = 1 << 16 };

/* Reads a whole file into 'buffer' and returns its length. */
static size_t
read_all(const char *path, char buffer[FILE_MAX])
{
    FILE *file = fopen(path, "r");
    size_t length;

    assert_non_null(file);
    length = fread(buffer, 1, FILE_MAX - 1, file);
    fclose(file);
    buffer[length] = '\0';
    return length;
}

/* Returns the files of adapters of the source tree. */
static const struct nic_files *
load_nics(struct arena *arena)
{
    struct nic_files *nics = arena_alloc(arena, 1, sizeof *nics);

    assert_int_equal(nic_folder_load(TOP_SRCDIR "/nics", arena, nics, NULL),
                     ST_OK);
    return nics;
}

/* Reads all runs with everything that checks them. */
static enum st
check_runs(const struct scenario_input *input, struct arena *arena,
           size_t *n_runs, struct err *err)
{
    struct scenario_plan plan = {0};
    enum st st = scenario_list_runs(input, arena, &plan, err);

    for (size_t i = 0; !st && i < plan.n_runs; i++) {
        struct experiment experiment = {0};

        st = experiment_load(input, i, arena, &experiment, err);
        if (!st) {
            topology_check(&experiment.topology);
        }
    }
    *n_runs = plan.n_runs;
    return st;
}

static void
test_wrong_scenarios_are_explained(void **state)
{
    static char text[FILE_MAX];
    DIR *folder = opendir(BAD);
    const struct dirent *entry;
    size_t n = 0;

    (void)state;
    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        char path[512], expected[512];
        struct arena *arena;
        struct err err = {0};
        size_t length, n_runs;

        if (!strstr(entry->d_name, ".yaml")) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", BAD, entry->d_name);
        length = read_all(path, text);
        /* The first line says what the message is. */
        assert_true(text[0] == '#');
        snprintf(expected, sizeof expected, "%s:%.*s", entry->d_name,
                 (int)strcspn(text + 2, "\n"), text + 2);
        arena = arena_create(0);
        assert_int_equal(
            check_runs(&(struct scenario_input){.file = entry->d_name,
                                                .text = text,
                                                .length = length,
                                                .nics = load_nics(arena)},
                       arena, &n_runs, &err),
            ST_INVALID);
        /* The reason is shortened at its capacity. */
        expected[sizeof err.reason - 8] = '\0';
        if (strncmp(err.reason, expected, strlen(expected)) != 0) {
            fail_msg("%s\nexpected %s", err.reason, expected);
        }
        arena_destroy(arena);
        n++;
    }
    closedir(folder);
    assert_true(n >= 80);
}

/* Checks all scenarios of a folder of a row. */
static size_t
check_row(const char *row)
{
    static char text[FILE_MAX];
    char path[1024];
    const struct dirent *entry;
    size_t n = 0, length, n_runs;
    DIR *folder;

    snprintf(path, sizeof path, "%s/%s", SCENARIOS, row);
    folder = opendir(path);
    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        struct arena *arena;
        struct err err = {0};

        if (!strstr(entry->d_name, ".yaml")) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s/%s", SCENARIOS, row, entry->d_name);
        length = read_all(path, text);
        arena = arena_create(0);
        if (check_runs(&(struct scenario_input){.file = path,
                                                .text = text,
                                                .length = length,
                                                .nics = load_nics(arena)},
                       arena, &n_runs, &err)) {
            fail_msg("%s", err.reason);
        }
        arena_destroy(arena);
        n++;
    }
    closedir(folder);
    return n;
}

static void
test_shipped_scenarios_are_good(void **state)
{
    static const char *const rows[] = {"a2", "a9", "a19", "a20", "a28",
                                       "b2", "b3", "b5",  "b7",  "c1",
                                       "c2", "c3", "c4",  "c9"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(check_row(rows[i]) > 0);
    }
}

/* Parses run 'number' of 'text'. */
static struct scenario
parse(const char *text, size_t number, struct arena *arena)
{
    const struct scenario_input input = {.file = "test.yaml",
                                         .text = text,
                                         .length = strlen(text),
                                         .nics = load_nics(arena)};
    struct scenario scenario = {0};
    struct err err = {0};

    if (scenario_parse(&input, number, arena, &scenario, &err)) {
        fail_msg("%s", err.reason);
    }
    return scenario;
}

static void
test_defaults(void **state)
{
    struct arena *arena = arena_create(0);
    struct scenario scenario = parse("name: x\n"
                                     "fabric: {star: {hosts: 2}}\n"
                                     "stop: 1ms\n",
                                     0, arena);
    const struct host_spec *host = &scenario.hosts[0];

    (void)state;
    assert_int_equal(scenario.n_hosts, 1);
    assert_string_equal(host->name, "default");
    assert_string_equal(host->nic, "plain");
    assert_int_equal(host->mtu_bytes, 1024);
    assert_int_equal(host->header_bytes, 62);
    assert_null(host->dcqcn.profile);
    assert_false(host->pcie.enabled);
    assert_true(host->rx_fifo.size_bytes == QUANTITY_INFINITE);
    assert_int_equal(host->pfc.obeys, 1 << 3 | 1 << 4);
    assert_int_equal(host->strict, 1 << 6);
    assert_int_equal(host->rc.timeout, 14);
    assert_true(host->rc.window_bytes == QUANTITY_INFINITE);
    assert_true(scenario.fabric.levels[0].rate_bps == INT64_C(100000000000));
    assert_int_equal(scenario.fabric.levels[0].length_mm[0], 3000);
    assert_true(scenario.fabric.ecmp.seed_per_switch);
    assert_int_equal(scenario.fabric.ecmp.fields, 31);
    assert_int_equal(scenario.run.seed, 1);
    assert_true(scenario.stop_when_done);
    arena_destroy(arena);
}

static void
test_groups_start_from_the_default(void **state)
{
    struct arena *arena = arena_create(0);
    struct scenario scenario = parse(
        "name: x\n"
        "fabric: {star: {hosts: 4}}\n"
        "hosts:\n"
        "  default: {rc: {ack_every: 4, recovery_delay: 5us}, nic: gen1}\n"
        "  groups:\n"
        "    a: {of: h-0-1, dcqcn: {ai: 5Mbps}, mtu: 512}\n"
        "    b: {of: [h-0-2, h-0-3], nic: gen3, pcie: gen4x16,\n"
        "        rx_fifo: {size: 1MiB, xoff: 512KiB, xon: 256KiB}}\n"
        "    c: {of: h-0-2, dcqcn: off}\n"
        "stop: 1ms\n",
        0, arena);
    const struct host_spec *hosts = scenario.hosts;

    (void)state;
    assert_int_equal(scenario.n_hosts, 4);
    /* The profile first, whatever the order of the keys. */
    assert_string_equal(hosts[0].nic, "gen1");
    assert_int_equal(hosts[0].rc.recovery_delay_ps, 5000000);
    assert_int_equal(hosts[0].rc.ack_every, 4);
    assert_int_equal(hosts[0].burst, 16);

    assert_string_equal(hosts[1].name, "a");
    assert_string_equal(hosts[1].dcqcn.profile, "paper");
    assert_int_equal(hosts[1].dcqcn.ai_bps, 5000000);
    assert_int_equal(hosts[1].dcqcn.replaced,
                     hosts[0].dcqcn.replaced | 1 << DCQCN_KNOB_AI);
    assert_int_equal(hosts[1].mtu_bytes, 512);
    assert_int_equal(hosts[1].rc.ack_every, 4);

    /* Another profile starts from the defaults. */
    assert_string_equal(hosts[2].nic, "gen3");
    assert_int_equal(hosts[2].rc.recovery, RECOVERY_SELECTIVE);
    assert_int_equal(hosts[2].rc.ack_every, 16);
    assert_int_equal(hosts[2].pcie.generation, 4);
    assert_int_equal(hosts[2].pcie.lanes, 16);
    assert_int_equal(hosts[2].rx_fifo.xoff_bytes, 524288);

    assert_null(hosts[3].dcqcn.profile);
    assert_int_equal(hosts[3].dcqcn.replaced, 0);
    arena_destroy(arena);
}

static const char sweep_text[] =
    "name: x\n"
    "seed: [3, 7..8]\n"
    "fabric:\n"
    "  podsets: {podsets: 2, t0: 2, t1: 2, t2: 2, hosts: 2}\n"
    "  links: {t1_t2: {length: 300m}}\n"
    "hosts: {default: {nic: gen1}}\n"
    "traffic:\n"
    "  - {name: load, rc: {pattern: permutation, size: 1MB}}\n"
    "stop: 1ms\n"
    "sweep:\n"
    "  links.t1_t2.length: [1km, 2km]\n"
    "  traffic.load.rc.qps: [1, 4]\n"
    "variants:\n"
    "  slow: {hosts.default.dcqcn: {profile: paper, timer: 300us}}\n"
    "  fast: {hosts.default.dcqcn: off, ecmp: {offset: 4}}\n"
    "expect:\n"
    "  - {metric: sum(drop.packets), is: 0}\n"
    "  - {name: far, metric: p99(flow.fct), max: 1ms, min: 2us,\n"
    "     when: {links.t1_t2.length: 2km, variant: slow}}\n"
    "  - {metric: mean(flow.goodput), across: variant, order: [slow, fast],\n"
    "     rank: 90%}\n"
    "  - {metric: mean(flow.goodput), below: max(flow.goodput), factor: 1/2}\n";

static void
test_runs_are_listed(void **state)
{
    const struct scenario_input input = {
        "test.yaml", sweep_text, sizeof sweep_text - 1, NULL, NULL, 0, NULL};
    struct arena *arena = arena_create(0);
    struct scenario_plan plan = {0};
    struct err err = {0};

    (void)state;
    assert_int_equal(scenario_list_runs(&input, arena, &plan, &err), ST_OK);
    assert_int_equal(plan.n_runs, 3 * 2 * 2 * 2);
    assert_string_equal(plan.name, "x");
    assert_string_equal(
        plan.runs[0].label,
        "slow, links.t1_t2.length=1km, traffic.load.rc.qps=1, seed=3");
    assert_string_equal(
        plan.runs[4].label,
        "slow, links.t1_t2.length=1km, traffic.load.rc.qps=4, seed=7");
    assert_string_equal(
        plan.runs[23].label,
        "fast, links.t1_t2.length=2km, traffic.load.rc.qps=4, seed=8");
    assert_int_equal(plan.runs[23].n_parameters, 4);
    assert_string_equal(plan.runs[0].parameters[2].path, "hosts.default.dcqcn");
    assert_non_null(strstr(plan.runs[0].parameters[2].value, "300us"));
    arena_destroy(arena);
}

static void
test_values_of_a_run_are_put_in_place(void **state)
{
    struct arena *arena = arena_create(0);
    struct scenario first = parse(sweep_text, 0, arena);
    struct scenario last = parse(sweep_text, 23, arena);

    (void)state;
    assert_int_equal(first.fabric.levels[FABRIC_LEVEL_T1_T2].length_mm[0],
                     1000000);
    assert_int_equal(first.traffic[0].qps, 1);
    assert_string_equal(first.hosts[0].dcqcn.profile, "paper");
    assert_int_equal(first.hosts[0].dcqcn.timer_ps, 300000000);
    assert_int_equal(first.fabric.ecmp.offset, 0);
    assert_int_equal(first.run.seed, 3);

    assert_int_equal(last.fabric.levels[FABRIC_LEVEL_T1_T2].length_mm[0],
                     2000000);
    assert_int_equal(last.traffic[0].qps, 4);
    assert_null(last.hosts[0].dcqcn.profile);
    assert_int_equal(last.fabric.ecmp.offset, 4);
    assert_int_equal(last.run.seed, 8);
    arena_destroy(arena);
}

/* A fuzzer found that a key with white space, given twice, stopped orchlab. */
static void
test_a_value_for_a_key_with_white_space_is_refused(void **state)
{
    static const struct scenario_parameter sets[] = {{" about", "1"},
                                                     {" about", "2"}};
    struct scenario_input input = {
        "test.yaml", sweep_text, sizeof sweep_text - 1, NULL, sets, 2, NULL};
    struct arena *arena = arena_create(0);
    struct scenario_plan plan = {0};
    struct err err = {0};

    (void)state;
    assert_int_equal(scenario_list_runs(&input, arena, &plan, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "path ' about'"));
    arena_destroy(arena);
}

static void
test_expectations_of_a_run(void **state)
{
    struct arena *arena = arena_create(0);
    struct scenario near = parse(sweep_text, 0, arena);
    struct scenario far = parse(sweep_text, 6, arena);
    const struct expect_spec *expect;

    (void)state;
    /* The second holds for far links with the slow variant only. */
    assert_int_equal(near.n_expect, 3);
    assert_int_equal(near.expect[1].number, 2);
    assert_int_equal(far.n_expect, 4);
    assert_int_equal(parse(sweep_text, 18, arena).n_expect, 3);

    expect = &far.expect[0];
    assert_string_equal(expect->metric, "sum(drop.packets)");
    assert_int_equal(expect->condition, EXPECT_VALUE);
    assert_true(expect->is.present && !expect->tolerance.present);

    expect = &far.expect[1];
    assert_string_equal(expect->text, "far");
    assert_int_equal(expect->condition, EXPECT_LIMITS);
    assert_int_equal(expect->max.kind, QUANTITY_TIME);
    assert_true(expect->max.value > 0.00099 && expect->max.value < 0.00101);

    expect = &far.expect[2];
    assert_int_equal(expect->condition, EXPECT_ACROSS);
    assert_string_equal(expect->across, "variant");
    assert_int_equal(expect->n_order, 2);
    assert_string_equal(expect->order[1], "fast");
    assert_true(expect->rank > 0.89 && expect->rank < 0.91);

    expect = &far.expect[3];
    assert_int_equal(expect->condition, EXPECT_BELOW);
    assert_string_equal(expect->below, "max(flow.goodput)");
    assert_true(expect->factor > 0.49 && expect->factor < 0.51);
    arena_destroy(arena);
}

/* Implements scenario_metric_fn. */
static enum st
check_metric(const char *text, enum quantity_kind *kind, struct err *err)
{
    if (strstr(text, "fct")) {
        *kind = QUANTITY_TIME;
    } else if (strstr(text, "goodput")) {
        *kind = QUANTITY_RATE;
    } else if (strstr(text, "packets")) {
        *kind = QUANTITY_COUNT;
    } else {
        return err_set(err, ST_INVALID, "metric", "there is no such metric");
    }
    return ST_OK;
}

static void
test_metrics_are_checked(void **state)
{
    static const struct {
        const char *expect, *reason;
    } rows[] = {
        {"{metric: p99(flow.fct), is: 3us}", ""},
        {"{metric: sum(drop.packets), is: 0}", ""},
        {"{metric: sum(drop.packets), is: 10%}", ""},
        {"{metric: p99(flow.fct), below: max(flow.fct)}", ""},
        {"{metric: p99(flow.fact), is: 3us}",
         "x.yaml:4:20: 'metric': there is no such metric"},
        {"{metric: p99(flow.fct), is: 3KB}",
         "x.yaml:4:39: 'is' has another unit than the metric, which is time"},
        {"{metric: p99(flow.fct), max: 3}",
         "x.yaml:4:40: 'max' has another unit than the metric, which is time"},
        {"{metric: mean(flow.goodput), min: 40G}",
         "x.yaml:4:45: 'min' has another unit than the metric, which is rate"},
        {"{metric: p99(flow.fct), below: max(flow.goodput)}",
         "x.yaml:4:42: 'metric' and 'below' have different units"},
        {"{metric: p99(flow.fct), below: max(flow.god)}",
         "x.yaml:4:42: 'below': there is no such metric"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_create(0);
        struct scenario scenario;
        struct err err = {0};
        char text[512];
        int length = snprintf(text, sizeof text,
                              "name: x\n"
                              "fabric: {star: {hosts: 2}}\n"
                              "stop: 1ms\n"
                              "expect: [ %s]\n",
                              rows[i].expect);
        const struct scenario_input input = {
            "x.yaml", text, (size_t)length, check_metric, NULL, 0, NULL};
        enum st st = scenario_parse(&input, 0, arena, &scenario, &err);

        assert_string_equal(err.reason, rows[i].reason);
        assert_int_equal(st, *rows[i].reason ? ST_INVALID : ST_OK);
        arena_destroy(arena);
    }
}

static void
test_roles_are_merged(void **state)
{
    struct arena *arena = arena_create(0);
    struct scenario scenario = parse(
        "name: x\n"
        "fabric:\n"
        "  clos: {t0: 2, t1: 1, hosts: 2}\n"
        "  ecmp: {seed: 7}\n"
        "  switch:\n"
        "    t0-1: {chip: td3, set: {WRED_PROFILE|A: {ecn: ~, green: 5}}}\n"
        "    t0: {chip: td2, config: a.json, ecmp: {offset: 3},\n"
        "         set: {'PORT_QOS_MAP|*': {pfc_enable: '3,4'}}}\n"
        "stop: 1ms\n",
        0, arena);
    struct topology topology;
    struct role_spec role;
    struct err err = {0};

    (void)state;
    assert_int_equal(
        topology_build(&scenario.fabric, "x", arena, &topology, &err), ST_OK);
    references_role(&scenario, &topology, topology_find(&topology, "t0-1"),
                    arena, &role);
    assert_string_equal(role.chip, "td3");
    assert_string_equal(role.config, "a.json");
    assert_true(role.has_ecmp && !role.ecmp.seed_per_switch);
    assert_int_equal(role.ecmp.seed, 7);
    assert_int_equal(role.ecmp.offset, 3);
    assert_int_equal(role.n_set, 3);
    assert_string_equal(role.set[0].key, "*");
    assert_string_equal(role.set[1].field, "ecn");
    assert_null(role.set[1].value);
    assert_string_equal(role.set[2].value, "5");

    references_role(&scenario, &topology, topology_find(&topology, "t1-0"),
                    arena, &role);
    assert_null(role.chip);
    assert_false(role.has_ecmp);
    assert_int_equal(role.ecmp.seed, 7);
    arena_destroy(arena);
}

static void
test_levels_of_links(void **state)
{
    struct arena *arena = arena_create(0);
    struct scenario scenario = parse(
        "name: x\n"
        "fabric:\n"
        "  region: {dcs: 2, podsets: 1, t0: 1, t1: 1, t2: 1, rh: 1, hosts: 1,\n"
        "           rate: 25G}\n"
        "  links: {t1_t2: {rate: 400G, parallel: 2}}\n"
        "  convergence: inf\n"
        "stop: 1ms\n",
        0, arena);
    const struct level_spec *levels = scenario.fabric.levels;

    (void)state;
    assert_int_equal(levels[FABRIC_LEVEL_HOST].length_mm[0], 3000);
    assert_int_equal(levels[FABRIC_LEVEL_T0_T1].length_mm[0], 20000);
    assert_int_equal(levels[FABRIC_LEVEL_T1_T2].length_mm[0], 300000);
    assert_int_equal(levels[FABRIC_LEVEL_T2_RH].length_mm[0], 10000000);
    assert_int_equal(levels[FABRIC_LEVEL_T2_RH].n_lengths, 1);
    assert_true(levels[FABRIC_LEVEL_T0_T1].rate_bps == INT64_C(25000000000));
    assert_true(levels[FABRIC_LEVEL_T1_T2].rate_bps == INT64_C(400000000000));
    assert_int_equal(levels[FABRIC_LEVEL_T0_T1].parallel, 1);
    assert_int_equal(levels[FABRIC_LEVEL_T1_T2].parallel, 2);
    assert_true(scenario.fabric.convergence_ps == QUANTITY_INFINITE);
    assert_int_equal(scenario.fabric.routing, ROUTING_VALLEY_FREE);
    arena_destroy(arena);
}

static void
test_traffic_and_faults(void **state)
{
    struct arena *arena = arena_create(0);
    struct scenario scenario = parse(
        "name: x\n"
        "fabric: {star: {hosts: 4}}\n"
        "traffic:\n"
        "  - {start: 1us, stop: 2us, priority: 4,\n"
        "     rc: {pattern: permutation, size: 2MB, verb: read, repeat: inf,\n"
        "          depth: 4, qps: 2}}\n"
        "  - {name: b, dscp: 26,\n"
        "     raw: {pattern: pairs, from: h-0-0, to: h-0-1, rate: 10G,\n"
        "           frame: 9216B, frames: 7}}\n"
        "  - ping: {pattern: all_to_all, timeout: 5ms}\n"
        "faults:\n"
        "  - {link: h-0-1.t0-0, drop_every: 256, at: 7us}\n"
        "  - {link: h-0-0.t0-0, loss: 1/3, at: 5us, for: 1us,\n"
        "     direction: backward}\n"
        "  - {link: h-0-2.t0-0, down: true, at: 5us}\n"
        "  - {link: h-0-2.t0-0, corrupt: 1/7, at: 8us}\n"
        "  - {link: h-0-2.t0-0, delay: 3us, at: 9us}\n"
        "  - {link: h-0-3.t0-0, flap: 4us, at: 10us}\n"
        "stop: 1ms\n"
        "stop_when_done: false\n",
        0, arena);
    const struct traffic_spec *rc = &scenario.traffic[0];
    const struct traffic_spec *raw = &scenario.traffic[1];
    const struct traffic_spec *ping = &scenario.traffic[2];
    const struct fault_spec *faults = scenario.faults;

    (void)state;
    assert_int_equal(scenario.n_traffic, 3);
    assert_string_equal(rc->name, "rc-0");
    assert_int_equal(rc->kind, TRAFFIC_RC);
    assert_int_equal(rc->pattern, TRAFFIC_PATTERN_PERMUTATION);
    assert_int_equal(rc->start_ps, 1000000);
    assert_int_equal(rc->stop_ps, 2000000);
    assert_int_equal(rc->priority, 4);
    assert_int_equal(rc->dscp, 4);
    assert_int_equal(rc->verb, TRAFFIC_VERB_READ);
    assert_true(rc->repeat == QUANTITY_INFINITE);
    assert_int_equal(rc->depth, 4);
    assert_int_equal(rc->place.line, 4);
    assert_string_equal(raw->name, "b");
    assert_int_equal(raw->priority, 3);
    assert_int_equal(raw->dscp, 26);
    assert_true(raw->rate_bps == INT64_C(10000000000));
    assert_int_equal(raw->frames, 7);
    assert_true(raw->stop_ps == QUANTITY_INFINITE);
    assert_string_equal(ping->name, "ping-2");
    assert_int_equal(ping->size_bytes, 512);
    assert_int_equal(ping->verb, TRAFFIC_VERB_SEND);
    assert_int_equal(ping->timeout_ps, INT64_C(5000000000));

    /* By time, and then in the order of the file. */
    assert_int_equal(scenario.n_faults, 6);
    assert_int_equal(faults[0].kind, FAULT_LOSS);
    assert_int_equal(faults[0].loss.denominator, 3);
    assert_int_equal(faults[0].direction, FAULT_BACKWARD);
    assert_int_equal(faults[0].for_ps, 1000000);
    assert_int_equal(faults[1].kind, FAULT_DOWN);
    assert_true(faults[1].for_ps == QUANTITY_INFINITE);
    assert_int_equal(faults[2].kind, FAULT_DROP_EVERY);
    assert_int_equal(faults[2].every, 256);
    assert_int_equal(faults[3].kind, FAULT_CORRUPT);
    assert_int_equal(faults[3].loss.denominator, 7);
    assert_int_equal(faults[4].kind, FAULT_DELAY);
    assert_int_equal(faults[4].time_ps, 3000000);
    assert_int_equal(faults[5].kind, FAULT_FLAP);
    assert_int_equal(faults[5].time_ps, 4000000);
    assert_false(scenario.stop_when_done);
    arena_destroy(arena);
}

static void
test_recordings(void **state)
{
    struct arena *arena = arena_create(0);
    struct scenario scenario =
        parse("name: x\n"
              "fabric: {star: {hosts: 4}}\n"
              "record:\n"
              "  series:\n"
              "    - {every: 1us, of: [queue.depth, flow.rate], at: t0-0,\n"
              "       priorities: [0, 3..4]}\n"
              "    - {every: 2ms, of: port.tx}\n"
              "  pcap: [t0-0.h-0-3]\n"
              "  histograms: [fct, pause]\n"
              "  paths: true\n"
              "stop: 2ms\n",
              0, arena);
    const struct record_spec *record = &scenario.record;

    (void)state;
    assert_int_equal(record->n_series, 2);
    assert_int_equal(record->series[0].every_ps, 1000000);
    assert_int_equal(record->series[0].metrics,
                     1 << RECORD_QUEUE_DEPTH | 1 << RECORD_FLOW_RATE);
    assert_int_equal(record->series[0].priorities, 1 | 1 << 3 | 1 << 4);
    assert_string_equal(record->series[0].at.items[0], "t0-0");
    assert_int_equal(record->series[1].metrics, 1 << RECORD_PORT_TX);
    assert_int_equal(record->series[1].at.n, 0);
    assert_string_equal(record->pcap.at.items[0], "t0-0.h-0-3");
    assert_int_equal(record->histograms,
                     1 << RECORD_HISTOGRAM_FCT | 1 << RECORD_HISTOGRAM_PAUSE);
    assert_true(record->paths);
    assert_false(record->messages);
    arena_destroy(arena);
}

static void
test_another_dcqcn_profile_replaces_nothing(void **state)
{
    struct arena *arena = arena_create(0);
    struct scenario scenario =
        parse("name: x\n"
              "fabric: {star: {hosts: 4}}\n"
              "hosts:\n"
              "  default: {dcqcn: {profile: paper, timer: 300us, g: 1/16}}\n"
              "  groups:\n"
              "    a: {of: h-0-0, dcqcn: {profile: firmware, hai: 50Mbps}}\n"
              "    b: {of: h-0-1, dcqcn: {cut: per_window, first_rate: 50%}}\n"
              "    c: {of: h-0-2, dcqcn: fork-dcqcn}\n"
              "stop: 1ms\n",
              0, arena);
    const struct host_spec *hosts = scenario.hosts;
    const uint32_t paper = 1 << DCQCN_KNOB_TIMER | 1 << DCQCN_KNOB_G;

    (void)state;
    assert_int_equal(hosts[0].dcqcn.replaced, paper);
    assert_int_equal(hosts[0].dcqcn.g.denominator, 16);
    assert_string_equal(hosts[1].dcqcn.profile, "firmware");
    assert_int_equal(hosts[1].dcqcn.replaced, 1 << DCQCN_KNOB_HAI);
    assert_string_equal(hosts[2].dcqcn.profile, "paper");
    assert_int_equal(hosts[2].dcqcn.replaced,
                     paper | 1 << DCQCN_KNOB_CUT | 1 << DCQCN_KNOB_FIRST_RATE);
    assert_int_equal(hosts[2].dcqcn.cut, 1);
    assert_int_equal(hosts[2].dcqcn.first_rate.denominator, 2);
    assert_string_equal(hosts[3].dcqcn.profile, "fork-dcqcn");
    assert_int_equal(hosts[3].dcqcn.replaced, 0);
    arena_destroy(arena);
}

static void
test_experiments_share_configurations(void **state)
{
    static const char text[] =
        "name: x\n"
        "fabric:\n"
        "  clos: {t0: 3, t1: 2, hosts: 2}\n"
        "  switch: {t0: {chip: td2}, t0-1: {chip: th}}\n"
        "hosts: {groups: {a: {of: 'h-1-*'}, b: {of: [a, h-0-0], mtu: 512}}}\n"
        "traffic: [{raw: {pattern: permutation, from: b}}]\n"
        "stop: 1ms\n";
    const struct scenario_input input = {
        .file = "x.yaml", .text = text, .length = sizeof text - 1};
    struct arena *arena = arena_create(0);
    struct experiment experiment = {0};
    struct err err = {0};

    (void)state;
    assert_int_equal(experiment_load(&input, 0, arena, &experiment, &err),
                     ST_OK);
    assert_ptr_equal(experiment.switches[0], experiment.switches[1]);
    assert_ptr_equal(experiment.switches[2], experiment.switches[4]);
    assert_string_equal(experiment.switches[2]->chip, "td2");
    assert_string_equal(experiment.switches[3]->chip, "th");
    assert_string_equal(experiment.hosts[0]->name, "b");
    assert_string_equal(experiment.hosts[1]->name, "default");
    /* The later group replaces the earlier one. */
    assert_string_equal(experiment.hosts[2]->name, "b");
    assert_int_equal(experiment.flows.n, 3);
    arena_destroy(arena);
}

static void
test_values_from_outside(void **state)
{
    static const struct scenario_parameter good[] = {{"stop", "7ms"},
                                                     {"seed", "5..6"}};
    static const struct {
        struct scenario_parameter set;
        const char *reason;
    } bad[] = {
        {{"links.t2_rh", "1km"}, "this is a key of 'sweep'"},
        {{"name", "y"}, "this is the same for all runs"},
        {{"halt", "1 ms"}, "a scenario has no key 'halt'"},
        {{"stop", "{"}, "stop:"},
        {{"stop", ""}, "the value of 'stop' is missing"},
    };
    static const char text[] =
        "name: x\nseed: 1\nfabric: {region: {dcs: 2, podsets: 1, t0: 1, t1: 1,"
        " t2: 1, rh: 1, hosts: 1, rate: 100G},"
        " links: {}}\nstop: 1ms\nsweep: {links.t2_rh: [1km, 2km]}\n";
    struct scenario_input input = {"x.yaml", text, sizeof text - 1, NULL, good,
                                   2,        NULL};
    struct arena *arena = arena_create(0);
    struct scenario scenario, again;
    struct scenario_plan plan;
    struct err err = {0};

    (void)state;
    if (scenario_list_runs(&input, arena, &plan, &err) ||
        scenario_parse(&input, 3, arena, &scenario, &err)) {
        fail_msg("%s", err.reason);
    }
    assert_int_equal(plan.n_runs, 4);
    assert_int_equal(scenario.stop_ps, INT64_C(7000000000));
    assert_int_equal(scenario.run.seed, 6);
    assert_int_equal(scenario.run.n_swept, 1);
    /* The text is a file of this run alone. */
    input = (struct scenario_input){
        "y.yaml", scenario.text, strlen(scenario.text), NULL, NULL, 0, NULL};
    if (scenario_parse(&input, 0, arena, &again, &err)) {
        fail_msg("%s\n%s", err.reason, scenario.text);
    }
    assert_string_equal(again.text, scenario.text);
    assert_int_equal(again.run.seed, 6);
    assert_non_null(strstr(again.text, "2km"));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        input = (struct scenario_input){
            "x.yaml", text, sizeof text - 1, NULL, &bad[i].set, 1, NULL};
        assert_int_equal(scenario_parse(&input, 0, arena, &scenario, &err),
                         ST_INVALID);
        if (!strstr(err.reason, bad[i].reason)) {
            fail_msg("%s: %s", bad[i].set.path, err.reason);
        }
    }
    arena_destroy(arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_from_outside),
        cmocka_unit_test(test_wrong_scenarios_are_explained),
        cmocka_unit_test(test_shipped_scenarios_are_good),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_groups_start_from_the_default),
        cmocka_unit_test(test_runs_are_listed),
        cmocka_unit_test(test_values_of_a_run_are_put_in_place),
        cmocka_unit_test(test_a_value_for_a_key_with_white_space_is_refused),
        cmocka_unit_test(test_expectations_of_a_run),
        cmocka_unit_test(test_metrics_are_checked),
        cmocka_unit_test(test_levels_of_links),
        cmocka_unit_test(test_traffic_and_faults),
        cmocka_unit_test(test_recordings),
        cmocka_unit_test(test_another_dcqcn_profile_replaces_nothing),
        cmocka_unit_test(test_experiments_share_configurations),
        cmocka_unit_test(test_roles_are_merged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
