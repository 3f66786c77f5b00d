/* SPDX-License-Identifier: Apache-2.0 */

/* Files with the parameters of a chip, good ones and wrong ones. */

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

#include "orchd/derive/model.h"
#include "orchd/document/asic_file.h"

#define ROW                                                                    \
    "\"cell_size\": \"144\", \"pipeline_latency\": 19, \"mac_phy_delay\": "    \
    "\"0.8\", \"peer_response_time\": 3.8"

static enum st
read_file(const char *text, struct model_chip *chip, struct err *err)
{
    char path[] = "/tmp/orchd-asic-XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    enum st st;

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    st = asic_file_read(path, chip, err);
    unlink(path);
    return st;
}

static void
test_parameters_are_read(void **state)
{
    struct model_chip chip = {0};
    struct err err = {0};

    (void)state;
    assert_int_equal(
        read_file("[{\"PERIPHERAL_TABLE:OTHER\": {\"gearbox_delay\": \"7\"}},"
                  "{\"PERIPHERAL_TABLE:BOX\": {\"gearbox_delay\": \"400\"},"
                  " \"OP\": \"SET\"},"
                  "{\"PORT_PERIPHERAL_TABLE:global\": "
                  "{\"gearbox_model\": \"BOX\"}, \"OP\": \"SET\"},"
                  "{\"ASIC_TABLE:MELLANOX-SPECTRUM-4\": {" ROW
                  ", \"port_max_shp\": \"8192\"}, \"OP\": \"SET\"}]",
                  &chip, &err),
        ST_OK);
    assert_true(chip.known);
    assert_int_equal(chip.asic.cell_bytes, 144);
    assert_int_equal(chip.asic.pipeline_latency_milli_kb, 19000);
    assert_int_equal(chip.asic.mac_phy_delay_milli_kb, 800);
    assert_int_equal(chip.asic.peer_response_time_milli_kb, 3800);
    assert_int_equal(chip.asic.port_max_shp_cells, 8192);
    assert_int_equal(chip.asic.port_reserved_shp_cells, 0);
    assert_int_equal(chip.asic.tile_ns, 120); /* Of its generation. */
    assert_int_equal(chip.gearbox_ns, 400);
    assert_string_equal(chip.gearbox, "BOX");
}

static void
test_no_gearbox_without_ports_that_have_it(void **state)
{
    struct model_chip chip = {0};
    struct err err = {0};

    (void)state;
    assert_int_equal(
        read_file("[{\"ASIC_TABLE:X\": {" ROW "}},"
                  "{\"PERIPHERAL_TABLE:BOX\": {\"gearbox_delay\": \"400\"}}]",
                  &chip, &err),
        ST_OK);
    assert_int_equal(chip.gearbox_ns, 0);
    assert_string_equal(chip.gearbox, "");
}

static void
test_wrong_files_are_refused(void **state)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", ":1:"},
        {"[", ":1:"},
        {"[]", "0 rows"},
        {"{}", "0 rows"},
        {"7", "expected near '7'"},
        {"[{\"ASIC_TABLE:A\": {" ROW "}}, {\"ASIC_TABLE:B\": {" ROW "}}]",
         "2 rows"},
        {"[{\"ASIC_TABLE:A\": {\"cell_size\": 144}}]", "pipeline_latency"},
        {"[{\"ASIC_TABLE:A\": {\"cell_size\": 0}}]", "cell_size"},
        {"[{\"ASIC_TABLE:A\": {\"cell_size\": true}}]", "cell_size"},
        {"[{\"ASIC_TABLE:A\": []}]", "cell_size"},
        {"[{\"ASIC_TABLE:A\": {\"cell_size\": 1, \"pipeline_latency\": "
         "\"1.2345\"}}]",
         "pipeline_latency"},
        {"[{\"ASIC_TABLE:A\": {\"cell_size\": 1, \"pipeline_latency\": "
         "\"-1\"}}]",
         "pipeline_latency"},
        {"[{\"ASIC_TABLE:A\": {\"cell_size\": 1, \"pipeline_latency\": "
         "\".5\"}}]",
         "pipeline_latency"},
        {"[{\"ASIC_TABLE:A\": {" ROW "}}, {\"PORT_PERIPHERAL_TABLE:global\": "
         "{\"gearbox_model\": \"B\"}}, {\"PERIPHERAL_TABLE:B\": "
         "{\"gearbox_delay\": 100001}}]",
         "gearbox_delay"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct model_chip chip = {.known = false};
        struct err err = {0};

        assert_int_equal(read_file(cases[i].text, &chip, &err), ST_INVALID);
        if (!strstr(err.reason, cases[i].part)) {
            fail_msg("%s", err.reason);
        }
        assert_false(chip.known);
    }
}

static void
test_file_that_is_none_is_refused(void **state)
{
    struct model_chip chip = {0};
    struct err err = {0};

    (void)state;
    assert_int_equal(asic_file_read("/nonexistent/x", &chip, &err),
                     ST_NOT_FOUND);
    assert_non_null(strstr(err.reason, "/nonexistent/x"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters_are_read),
        cmocka_unit_test(test_no_gearbox_without_ports_that_have_it),
        cmocka_unit_test(test_wrong_files_are_refused),
        cmocka_unit_test(test_file_that_is_none_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
