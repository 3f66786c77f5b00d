/* SPDX-License-Identifier: Apache-2.0 */

/* Files with the parameters of a chip, good ones and wrong ones. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/derive/asic_rows.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/files/asic_file.h"
#include "tests/support/tempfile.h"

#define ROW                                                                    \
    "\"cell_size\": \"144\", \"pipeline_latency\": 19, \"mac_phy_delay\": "    \
    "\"0.8\", \"peer_response_time\": 3.8"

static enum st
read_file(const char *text, struct dynamic_state_chip *chip, struct err *err)
{
    char path[TEMPFILE_SIZE];
    enum st st;

    tempfile_make(path, text);
    st = asic_file_read(path, chip, err);
    tempfile_remove(path);
    return st;
}

static void
test_parameters_are_read(void **state)
{
    struct dynamic_state_chip chip = {0};
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
    assert_int_equal(chip.asic.cell_size_bytes, 144);
    assert_int_equal(chip.asic.pipeline_latency_milli_kb, 19000);
    assert_int_equal(chip.asic.mac_phy_delay_milli_kb, 800);
    assert_int_equal(chip.asic.peer_response_time_milli_kb, 3800);
    assert_int_equal(chip.asic.port_max_shp_cells, 8192);
    assert_int_equal(chip.asic.port_reserved_shp_cells, 0);
    assert_int_equal(chip.asic.tile_ns, 120); /* Of its generation. */
    assert_int_equal(chip.gearbox_ns, 400);
    assert_string_equal(chip.gearbox, "BOX");
}

/* Takes rows in as they are written. */
static void
take_row(void *context, const struct asic_row *row)
{
    struct text *text = context;

    text_addf(text, "%s{\"%s:%s\": {", text->length > 1 ? ", " : "", row->table,
              row->name);
    for (size_t i = 0; i < row->n_fields; i++) {
        text_addf(text, "%s\"%s\": \"%s\"", i ? ", " : "", row->fields[i].name,
                  row->fields[i].value);
    }
    text_add(text, "}}");
}

/* What is written reads as what it was made of, and as people write it. */
static void
test_rows_that_are_written_are_equal(void **state)
{
    const struct dynamic_state_chip chip = {
        .known = true,
        .name = "BOX-5",
        .asic = {.cell_size_bytes = 192,
                 .pipeline_latency_milli_kb = 19000,
                 .mac_phy_delay_milli_kb = 812,
                 .peer_response_time_milli_kb = 3800,
                 .port_max_shp_cells = 6144},
        .gearbox = "GEAR",
        .gearbox_ns = 400,
    };
    struct dynamic_state_chip read = {0};
    struct text text = {0};
    struct err err = {0};

    (void)state;
    text_add(&text, "[");
    asic_rows_write(&chip, take_row, &text);
    text_add(&text, "]");
    assert_non_null(strstr(text_string(&text), "\"pipeline_latency\": \"19\""));
    assert_non_null(strstr(text_string(&text), "\"mac_phy_delay\": \"0.812\""));
    assert_non_null(
        strstr(text_string(&text), "\"peer_response_time\": \"3.8\""));
    assert_int_equal(read_file(text_string(&text), &read, &err), ST_OK);
    assert_true(asic_rows_equal(&chip, &read));
    assert_int_equal(read.asic.tile_ns, 120);
    read.gearbox_ns++;
    assert_false(asic_rows_equal(&chip, &read));
    read.gearbox_ns--;
    read.asic.mac_phy_delay_milli_kb++;
    assert_false(asic_rows_equal(&chip, &read));
    text_fini(&text);
}

static void
test_no_gearbox_without_ports_that_have_it(void **state)
{
    struct dynamic_state_chip chip = {0};
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
        {"[]", "found 0"},
        {"{}", "found 0"},
        {"7", "expected near '7'"},
        {"[{\"ASIC_TABLE:A\": {" ROW "}}, {\"ASIC_TABLE:B\": {" ROW "}}]",
         "exactly 1 row, found 2: A, B"},
        {"[{\"ASIC_TABLE:A\": {\"cell_size\": 144}}]",
         "has no pipeline_latency, a number in 0..1000000"},
        {"[{\"ASIC_TABLE:A\": {\"cell_size\": 0}}]",
         "ASIC_TABLE|A: cell_size = '0' is not a number in 1..65536"},
        {"[{\"ASIC_TABLE:\": {" ROW "}}]", "name of a chip"},
        {"[{\"ASIC_TABLE:A\": {" ROW "}}, {\"PORT_PERIPHERAL_TABLE:global\": "
         "{\"gearbox_model\": \"B\"}}]",
         "the row PERIPHERAL_TABLE|B with"},
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
        struct dynamic_state_chip chip = {.known = false};
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
    char nowhere[TEMPFILE_SIZE];
    struct dynamic_state_chip chip = {0};
    struct err err = {0};

    (void)state;
    tempfile_missing(nowhere, "x");
    assert_int_equal(asic_file_read(nowhere, &chip, &err), ST_NOT_FOUND);
    assert_non_null(strstr(err.reason, nowhere));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters_are_read),
        cmocka_unit_test(test_rows_that_are_written_are_equal),
        cmocka_unit_test(test_no_gearbox_without_ports_that_have_it),
        cmocka_unit_test(test_wrong_files_are_refused),
        cmocka_unit_test(test_file_that_is_none_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
