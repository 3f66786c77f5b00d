/* SPDX-License-Identifier: Apache-2.0 */

/* lanemap.ini and port_config.ini of SONiC: what is read, and what is refused
 * with which line. */

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

#include "saihostd/sonic_files.h"

static void
test_lanemap(void **state)
{
    static const char text[] = "eth1:29,30,31,32\r\n\n# comment\n"
                               "  eth2:0 \neth3:25,26";
    struct sonic_ports ports;
    struct err err = {0};

    (void)state;
    assert_int_equal(sonic_lanemap_parse("f", text, strlen(text), &ports, &err),
                     ST_OK);
    assert_int_equal(ports.n, 3);
    assert_string_equal(ports.rows[0].name, "eth1");
    assert_int_equal(ports.rows[0].n_lanes, 4);
    assert_int_equal(ports.rows[0].lanes[0], 29);
    assert_int_equal(ports.rows[0].lanes[3], 32);
    assert_int_equal(ports.rows[0].line, 1);
    assert_string_equal(ports.rows[1].name, "eth2");
    assert_int_equal(ports.rows[1].lanes[0], 0);
    assert_int_equal(ports.rows[1].line, 4);
    assert_int_equal(ports.rows[2].n_lanes, 2);
    sonic_ports_fini(&ports);
    assert_int_equal(ports.n, 0);
}

static void
test_columns_of_a_port_config_are_those_of_its_title(void **state)
{
    static const char *const texts[] = {
        "# name lanes alias index\nEthernet4 9,10 a 1\n",
        "Ethernet4 9,10\n", /* Without a title. */
        "# a name\n#alias\tindex  lanes name speed\na 1\t9,10   Ethernet4 9\n",
        "## name lanes\nEthernet4 9,10 more words than columns\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sonic_ports ports;
        struct err err = {0};

        assert_int_equal(sonic_port_config_parse(
                             "f", texts[i], strlen(texts[i]), &ports, &err),
                         ST_OK);
        assert_int_equal(ports.n, 1);
        assert_string_equal(ports.rows[0].name, "Ethernet4");
        assert_int_equal(ports.rows[0].lanes[0], 9);
        assert_int_equal(ports.rows[0].lanes[1], 10);
        sonic_ports_fini(&ports);
    }
}

static void
test_wrong_lines_are_refused_with_their_place(void **state)
{
    static const char seventeen[] = "e:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,"
                                    "16,17";
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "f has no port"},
        {"# nothing\n", "f has no port"},
        {"eth1:1\neth2\n", "f:2: a line is INTERFACE:LANES"},
        {":1", "f:1: this is not the name of an interface"},
        {"a/b:1", "f:1: this is not the name"},
        {"eth1:1\n\neth1:2", "f:3: eth1 is already in line 1"},
        {"eth1:", "f:1: lanes are numbers such as 29,30,31,32, not ''"},
        {"eth1:1,", "lanes are numbers"},
        {"eth1:1,x", "not 'x'"},
        {"eth1:-1", "not '-1'"},
        {"eth1:65536", "not '65536'"},
        {"eth1:1, 2", "not ' 2'"},
        {"eth1:1,2\neth2:3,2", "f:2: lane 2 belongs to eth1, line 1"},
        {"eth1:7,7", "f:1: lane 7 belongs to eth1, line 1"},
        {seventeen, "f:1: a port has at most 16 lanes"},
        {"eth\x01:1", "no ASCII text"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sonic_ports ports;
        struct err err = {0};

        assert_int_equal(sonic_lanemap_parse("f", cases[i].text,
                                             strlen(cases[i].text), &ports,
                                             &err),
                         ST_INVALID);
        if (!strstr(err.reason, cases[i].reason)) {
            fail_msg("%s: %s", cases[i].text, err.reason);
        }
        assert_null(ports.rows);
    }
}

static void
test_port_config_without_lanes_is_refused(void **state)
{
    static const char text[] = "# alias name index lanes\na Ethernet0 1\n";
    struct sonic_ports ports;
    struct err err = {0};

    (void)state;
    assert_int_equal(
        sonic_port_config_parse("f", text, strlen(text), &ports, &err),
        ST_INVALID);
    assert_non_null(strstr(err.reason, "f:2: a line has the columns"));
}

static void
test_long_line_is_refused(void **state)
{
    char text[2000];
    struct sonic_ports ports;
    struct err err = {0};

    (void)state;
    memset(text, 'x', sizeof text);
    assert_int_equal(sonic_lanemap_parse("f", text, sizeof text, &ports, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "f:1: the line is too long"));
}

static void
test_file_that_is_not_there_is_named(void **state)
{
    struct sonic_ports ports;
    struct err err = {0};

    (void)state;
    assert_int_equal(
        sonic_lanemap_read("/nonexistent/lanemap.ini", &ports, &err), ST_IO);
    assert_string_equal(err.reason,
                        "--lanemap: cannot read /nonexistent/lanemap.ini: "
                        "No such file or directory");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanemap),
        cmocka_unit_test(test_columns_of_a_port_config_are_those_of_its_title),
        cmocka_unit_test(test_wrong_lines_are_refused_with_their_place),
        cmocka_unit_test(test_port_config_without_lanes_is_refused),
        cmocka_unit_test(test_long_line_is_refused),
        cmocka_unit_test(test_file_that_is_not_there_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
