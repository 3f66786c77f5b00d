/* SPDX-License-Identifier: Apache-2.0 */

/* Adapters as files: reading, mistakes, and what a scenario makes of them. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "lab/builder/nic_folder.h"
#include "lab/scenario/scenario.h"

/* What all hosts of the tests have in common. */
#define FABRIC                                                                 \
    "name: x\nfabric: {star: {hosts: 4}}\nstop: 1ms\n"                         \
    "traffic: [{rc: {pattern: permutation, size: 1KB}}]\n"

static int
set_up(void **state)
{
    *state = arena_create(0);
    return 0;
}

static int
tear_down(void **state)
{
    arena_destroy(*state);
    return 0;
}

/* Parses 'text' with the adapters 'nics'. */
static enum st
parse(struct arena *arena, const char *text, const struct nic_files *nics,
      struct scenario *scenario, struct err *err)
{
    const struct scenario_input input = {
        .file = "x.yaml", .text = text, .length = strlen(text), .nics = nics};

    return scenario_parse(&input, 0, arena, scenario, err);
}

static struct nic_files
shipped(struct arena *arena)
{
    struct nic_files nics;

    assert_int_equal(nic_folder_load(TOP_SRCDIR "/nics", arena, &nics, NULL),
                     ST_OK);
    return nics;
}

static void
test_shipped_files_are_good(void **state)
{
    const struct nic_files nics = shipped(*state);

    assert_true(nics.n >= 6);
    for (size_t i = 0; i < nics.n; i++) {
        struct scenario scenario;
        struct err err = {0};
        char text[512];

        (void)snprintf(text, sizeof text,
                       FABRIC "hosts: {default: {nic: %s}}\n",
                       nics.files[i].name);
        if (parse(*state, text, &nics, &scenario, &err)) {
            fail_msg("%s", err.reason);
        }
        assert_string_equal(scenario.hosts[0].nic, nics.files[i].name);
        assert_int_equal(scenario.n_assumptions,
                         scenario.hosts[0].n_nic_assumptions);
    }
}

/* What LAB 2.4 says of the generations, from the files. */
static void
test_generations_differ_in_their_files(void **state)
{
    static const char text[] =
        FABRIC "hosts: {default: {nic: gen1}, groups: {\n"
               "  two: {of: h-0-1, nic: gen2}, three: {of: h-0-2, nic: gen3},\n"
               "  fixed: {of: h-0-3, nic: gen2-fixed}}}\n";
    const struct nic_files nics = shipped(*state);
    struct scenario scenario;
    const struct host_spec *hosts;

    assert_int_equal(parse(*state, text, &nics, &scenario, NULL), ST_OK);
    hosts = scenario.hosts;
    assert_int_equal(hosts[0].burst, 16);
    assert_int_equal(hosts[1].burst, 1);
    assert_int_equal(hosts[3].burst, 16);
    assert_int_equal(hosts[0].dcqcn.np_mode, 0);
    assert_int_equal(hosts[1].dcqcn.np_mode, 1);
    assert_int_equal(hosts[3].dcqcn.np_mode, 0);
    assert_true(hosts[3].dcqcn.np_gap_ps == hosts[0].dcqcn.np_gap_ps);
    assert_true(hosts[0].dcqcn.cut_window_ps == 0);
    assert_true(hosts[1].dcqcn.cut_window_ps > 0);
    assert_true(hosts[3].dcqcn.cut_window_ps == 0);
    assert_true(hosts[0].rc.recovery_delay_ps >= INT64_C(100000000));
    assert_true(hosts[1].rc.recovery_delay_ps < INT64_C(10000000));
    assert_int_equal(hosts[1].rc.recovery, RECOVERY_GO_BACK_N);
    assert_int_equal(hosts[2].rc.recovery, RECOVERY_SELECTIVE);
    assert_int_equal(hosts[0].caches.overlap, 1);
    assert_int_equal(hosts[1].caches.overlap, 8);
    assert_true(hosts[0].caches.contexts < hosts[1].caches.contexts);
    assert_false(hosts[0].shared_fifo || hosts[0].fmr.fence);
    assert_false(hosts[1].shared_fifo || hosts[1].fmr.fence);
    /* What both files assume is listed once. */
    assert_int_equal(scenario.n_assumptions, 12);
}

/* Keys of a host replace those of its file, others stay. */
static void
test_a_key_replaces_that_of_the_file(void **state)
{
    static const char text[] =
        FABRIC "hosts: {default: {burst: 4, dcqcn: {np_gap: 10us},\n"
               "  pcie: gen3x8, caches: {page: 2MiB}, nic: gen1}}\n";
    const struct nic_files nics = shipped(*state);
    struct scenario scenario;
    const struct host_spec *host;

    assert_int_equal(parse(*state, text, &nics, &scenario, NULL), ST_OK);
    host = &scenario.hosts[0];
    assert_int_equal(host->burst, 4);
    assert_int_equal(host->dcqcn.np_gap_ps, 10000000);
    assert_string_equal(host->dcqcn.profile, "paper");
    assert_int_equal(host->caches.page_bytes, 2 << 20);
    assert_int_equal(host->caches.contexts, 1024);
    assert_int_equal(host->rc.recovery_delay_ps, 300000000);
}

static void
test_mistakes_are_explained(void **state)
{
    static const struct {
        const char *text, *reason;
    } rows[] = {
        {"name: a\nabout: x\nburts: 3\n",
         "a.yaml:3:1: an adapter has no key 'burts' (did you mean 'burst'?)"},
        {"name: a\nabout: x\nburst: 300\n",
         "a.yaml:3:8: 'burst' is '300'; allowed is 1..256"},
        {"name: b\nabout: x\n", "a.yaml:1:7: the adapter of this file has to "
                                "have its name, 'a'"},
        {"about: x\n", "a.yaml:1:1: an adapter needs the key 'name'"},
        {"name: a\n", "a.yaml:1:1: an adapter needs the key 'about'"},
        {"name: a\nabout: x\nof: h-0-0\n", "a.yaml:3:1: an adapter has no key"},
        {"name: a\nabout: x\nnic: plain\n",
         "a.yaml:3:1: an adapter has no key"},
        {"name: a\nabout: x\ntcp: {mss: 1460}\n",
         "a.yaml:3:1: an adapter has no key"},
        {"name: a\nabout: x\ndcqcn: {profile: papre}\n",
         "a.yaml:3:18: 'profile' is 'papre' (did you mean 'paper'?)"},
        {"name: a\nabout: x\nrx_fifo: {size: 1MiB, xoff: 64KiB, xon: 1}\n",
         "a.yaml:3:11: 'rx_fifo' without 'pcie' is always empty"},
        {"name: a\nabout: x\nrc: {reorder: 100}\n",
         "a.yaml:3:6: 'reorder' has to be a power of 2"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct nic_file file = {"a", "a.yaml", rows[i].text,
                                      strlen(rows[i].text)};
        const struct nic_files nics = {&file, 1};
        struct scenario scenario;
        struct err err = {0};

        assert_int_equal(parse(*state, FABRIC "hosts: {default: {nic: a}}\n",
                               &nics, &scenario, &err),
                         ST_INVALID);
        if (strncmp(err.reason, rows[i].reason, strlen(rows[i].reason)) != 0) {
            fail_msg("%s\nexpected %s", err.reason, rows[i].reason);
        }
    }
}

/* Caches of a file wait for PCIe; those of a scenario without it are refused.
 */
static void
test_caches_of_a_file_need_no_pcie(void **state)
{
    const struct nic_files nics = shipped(*state);
    struct scenario scenario;
    struct err err = {0};

    assert_int_equal(parse(*state,
                           FABRIC "hosts: {default: {nic: gen1, pcie: off}}\n",
                           &nics, &scenario, &err),
                     ST_OK);
    assert_int_equal(parse(*state,
                           FABRIC "hosts: {default: {nic: gen1, caches: "
                                  "{contexts: 7}}}\n",
                           &nics, &scenario, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "'caches' without 'pcie'"));
}

static void
test_files_that_are_missing(void **state)
{
    struct nic_files nics;
    struct nic_file file;
    struct scenario scenario;
    struct err err = {0};

    assert_int_equal(nic_folder_load("/nonexistent", *state, &nics, &err),
                     ST_IO);
    assert_non_null(strstr(err.reason, "cannot read '/nonexistent'"));
    assert_int_equal(
        nic_folder_load_file("/nonexistent/a.yaml", *state, &file, &err),
        ST_IO);
    assert_int_equal(parse(*state, FABRIC "hosts: {default: {nic: gen1}}\n",
                           NULL, &scenario, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "allowed is one of: plain"));
    assert_int_equal(parse(*state, FABRIC "hosts: {default: {nic: plain}}\n",
                           NULL, &scenario, &err),
                     ST_OK);
    assert_int_equal(
        nic_folder_load_file(TOP_SRCDIR "/nics/gen1.yaml", *state, &file, &err),
        ST_OK);
    assert_string_equal(file.name, "gen1");
    assert_int_equal(file.length, strlen(file.text));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_shipped_files_are_good),
        TEST(test_generations_differ_in_their_files),
        TEST(test_a_key_replaces_that_of_the_file),
        TEST(test_mistakes_are_explained),
        TEST(test_caches_of_a_file_need_no_pcie),
        TEST(test_files_that_are_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
