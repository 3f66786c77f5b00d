/* SPDX-License-Identifier: Apache-2.0 */

/* Parts of softasicd: its clock, the names of ports, and what is asked
 * for about them. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "saihostd/clock.h"
#include "saihostd/names.h"
#include "saihostd/ports_options.h"

static void
test_time_goes_slower_by_the_dilation(void **state)
{
    static const struct {
        uint32_t dilation;
        int64_t real_ns, switch_ps;
    } cases[] = {
        {1, 1, 1000},
        {1000, 1, 1},
        {1000, 1000000000, INT64_C(1000000000)},
        {3, 1, 333},
        {3, 2, 666},
        {3, 3, 1000},
        {1000000, 999, 0},
        {1000000, 1000, 1},
        {1, INT64_C(4000000000000000), INT64_C(4000000000000000000)},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct clock clock = {cases[i].dilation, 500, 70};

        assert_int_equal(clock_switch_ps(&clock, 500 + cases[i].real_ns),
                         70 + cases[i].switch_ps);
    }
}

static void
test_the_way_back_is_the_first_instant(void **state)
{
    static const uint32_t dilations[] = {1, 3, 7, 1000, 999999, 1000000};

    (void)state;
    for (size_t i = 0; i < sizeof dilations / sizeof *dilations; i++) {
        const struct clock clock = {dilations[i], 1000, 0};

        for (int64_t ps = 1; ps < 20000; ps += 7) {
            const int64_t ns = clock_real_ns(&clock, ps);

            assert_true(clock_switch_ps(&clock, ns) >= ps);
            assert_true(clock_switch_ps(&clock, ns - 1) < ps);
        }
    }
}

static void
test_the_ends_of_time(void **state)
{
    struct clock clock = {1, 0, 0};

    (void)state;
    assert_int_equal(clock_switch_ps(&clock, -5), 0);
    assert_int_equal(clock_real_ns(&clock, -5), 0);
    assert_true(clock_switch_ps(&clock, INT64_MAX) == INT64_MAX);
    assert_true(clock_real_ns(&clock, INT64_MAX) == INT64_MAX);
    clock.dilation = CLOCK_DILATION_MAX;
    assert_true(clock_real_ns(&clock, INT64_MAX - 1) == INT64_MAX);
    clock_set(&clock, 100, 900);
    assert_int_equal(clock_switch_ps(&clock, 100), 900);
    assert_int_equal(clock_real_ns(&clock, 900), 100);
}

/* Writes 'text' to a file and reads the names in it. */
static enum st
read_names(const char *text, struct object_names **names, struct err *err)
{
    char path[] = "/tmp/orchd-names-XXXXXX";
    const int fd = mkstemp(path);
    enum st status;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    (void)close(fd);
    status = names_read(path, names, err);
    (void)unlink(path);
    return status;
}

static void
assert_name(const struct object_names *names, uint32_t lane, uint32_t first,
            const char *prefix, const char *expected)
{
    char name[16];

    names_find(names, lane, first, prefix, name, sizeof name);
    assert_string_equal(name, expected);
}

static void
test_ports_are_called_by_their_lanes(void **state)
{
    struct err err = {0};
    struct object_names *names;

    (void)state;
    assert_int_equal(names_read(NULL, &names, &err), ST_OK);
    assert_name(names, 1, 1, NULL, "Ethernet0");
    assert_name(names, 5, 1, NULL, "Ethernet4");
    assert_name(names, 4, 0, "sw", "sw4");
    object_names_destroy(names);
    assert_int_equal(read_names("{\"PORT\": {\"etp1\": {\"lanes\": \"65,66\"},"
                                "\"etp2\": {\"lanes\": \"9\"}}}",
                                &names, &err),
                     ST_OK);
    assert_name(names, 65, 1, NULL, "etp1");
    assert_name(names, 9, 1, NULL, "etp2");
    /* Others keep the name that they would have without the file. */
    assert_name(names, 66, 1, NULL, "Ethernet65");
    object_names_destroy(names);
}

/* A port_config.ini is told apart by its first character. */
static void
test_ports_are_called_as_in_a_port_config(void **state)
{
    struct err err = {0};
    struct object_names *names;

    (void)state;
    assert_int_equal(read_names("# name lanes alias index\n"
                                "etp1 65,66 one 1\netp2 9 two 2\n",
                                &names, &err),
                     ST_OK);
    assert_name(names, 65, 1, NULL, "etp1");
    assert_name(names, 9, 1, NULL, "etp2");
    assert_true(names_can_be(names, "Ethernet", "etp2"));
    assert_false(names_can_be(names, "Ethernet", "Ethernet0"));
    object_names_destroy(names);
    assert_int_equal(read_names("etp1 x\n", &names, &err), ST_INVALID);
    assert_non_null(strstr(err.reason, ":1: lanes are numbers"));
}

static void
test_interfaces_are_bound_by_name_or_else_by_lane(void **state)
{
    static const struct ports_bound bound[] = {
        {.interface = "eth1", .lane = 29},
        {.port = "Ethernet0", .interface = "veth0"},
        {.interface = "eth2", .lane = 0}};
    const struct ports_options options = {
        .bound = bound, .n_bound = 3, .lanemap = "lanemap.ini"};
    struct object_names *names;
    struct err err = {0};

    (void)state;
    assert_int_equal(names_read(NULL, &names, &err), ST_OK);
    assert_int_equal(ports_options_check(&options, names, &err), ST_OK);
    object_names_destroy(names);
    assert_string_equal(ports_options_interface(&options, "Ethernet4", 29),
                        "eth1");
    assert_string_equal(ports_options_interface(&options, "Ethernet0", 29),
                        "veth0");
    assert_string_equal(ports_options_interface(&options, "Ethernet8", 0),
                        "eth2");
    assert_null(ports_options_interface(&options, "Ethernet4", 30));
    assert_null(ports_options_interface(&options, "Ethernet4", PORTS_NO_LANE));
}

static void
test_files_without_names_are_refused(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"{", "1:1"},
        {"{}", "no table PORT"},
        {"{\"PORT\": 3}", "no table PORT"},
        {"{\"PORT\": {\"a\": {}}}", "PORT|a has no lanes"},
        {"{\"PORT\": {\"a\": {\"lanes\": \"\"}}}", "PORT|a has no lanes"},
        {"{\"PORT\": {\"a\": {\"lanes\": \"x,2\"}}}", "PORT|a has no lanes"},
    };
    struct object_names *names = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};

        assert_int_equal(read_names(cases[i].text, &names, &err), ST_INVALID);
        assert_non_null(strstr(err.reason, cases[i].reason));
        assert_null(names);
    }
}

static void
test_what_cannot_be_ports_is_refused(void **state)
{
    static const struct ports_bound unknown = {"Foo", "veth0", 0};
    static const struct ports_bound word = {"Ethernetx", "veth0", 0};
    static const struct ports_bound no_name = {"Ethernet0", "a/b", 0};
    static const struct ports_bound twice[] = {{"Ethernet0", "veth0", 0},
                                               {"Ethernet0", "veth1", 0}};
    static const struct ports_bound same[] = {{"Ethernet0", "veth0", 0},
                                              {"Ethernet4", "veth0", 0}};
    static const struct ports_bound mapped[] = {{"Ethernet0", "eth1", 0},
                                                {NULL, "eth1", 29}};
    static const struct {
        struct ports_options options;
        const char *reason;
    } cases[] = {
        {{.namespace = "x"}, "--netns needs --tap or --bind"},
        {{.names = "x"}, "--names needs --tap or --bind"},
        {{.tap_prefix = ""}, "--tap needs a prefix"},
        {{.tap_prefix = "twelve-chars"}, "1 to 11 characters"},
        {{.tap_prefix = "a b"}, "without blank"},
        {{.bound = &unknown, .n_bound = 1}, "there is no port of that name"},
        {{.bound = &word, .n_bound = 1}, "there is no port of that name"},
        {{.bound = &no_name, .n_bound = 1}, "is not an interface name"},
        {{.bound = twice, .n_bound = 2}, "port Ethernet0 has two interfaces"},
        {{.bound = same, .n_bound = 2}, "veth0 has two ports: Ethernet0 and"},
        {{.bound = mapped, .n_bound = 2, .lanemap = "lanemap.ini"},
         "eth1 has two ports: Ethernet0 and lanemap.ini"},
    };
    struct object_names *names;
    struct err err;

    (void)state;
    assert_int_equal(names_read(NULL, &names, &err), ST_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memset(&err, 0, sizeof err);
        assert_int_equal(ports_options_check(&cases[i].options, names, &err),
                         ST_INVALID);
        assert_non_null(strstr(err.reason, cases[i].reason));
    }
    assert_int_equal(
        ports_options_check(&(struct ports_options){0}, names, &err), ST_OK);
    assert_int_equal(
        ports_options_check(&(struct ports_options){.tap_prefix = "eleven-chrs",
                                                    .namespace = "x"},
                            names, &err),
        ST_OK);
    object_names_destroy(names);
}

static void
test_names_of_the_file_are_those_of_ports(void **state)
{
    static const struct ports_bound by_name = {"etp1", "veth0", 0};
    static const struct ports_bound by_number = {"Ethernet0", "veth0", 0};
    struct ports_options options = {
        .names = "x", .bound = &by_name, .n_bound = 1};
    struct err err = {0};
    struct object_names *names;

    (void)state;
    assert_int_equal(read_names("{\"PORT\": {\"etp1\": {\"lanes\": \"1\"},"
                                "\"sixteen-letters-\": {\"lanes\": \"9\"}}}",
                                &names, &err),
                     ST_OK);
    assert_int_equal(ports_options_check(&options, names, &err), ST_OK);
    options.bound = &by_number;
    assert_int_equal(ports_options_check(&options, names, &err), ST_INVALID);
    assert_non_null(strstr(err.remedy, "table PORT of x"));
    /* Only where it is to be the name of a TAP. */
    options.bound = &by_name;
    options.tap_prefix = "Ethernet";
    assert_int_equal(ports_options_check(&options, names, &err), ST_INVALID);
    assert_non_null(strstr(err.reason, "sixteen-letters-"));
    object_names_destroy(names);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_goes_slower_by_the_dilation),
        cmocka_unit_test(test_the_way_back_is_the_first_instant),
        cmocka_unit_test(test_the_ends_of_time),
        cmocka_unit_test(test_ports_are_called_by_their_lanes),
        cmocka_unit_test(test_ports_are_called_as_in_a_port_config),
        cmocka_unit_test(test_interfaces_are_bound_by_name_or_else_by_lane),
        cmocka_unit_test(test_files_without_names_are_refused),
        cmocka_unit_test(test_what_cannot_be_ports_is_refused),
        cmocka_unit_test(test_names_of_the_file_are_those_of_ports),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
