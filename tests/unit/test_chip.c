/* SPDX-License-Identifier: Apache-2.0 */

/* The shipped chips, and what becomes of wrong files. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "twin/chip/chip.h"

#define CHIPS TOP_SRCDIR "/chips"

static struct chip *
load(const char *name)
{
    struct chip *chip = NULL;
    struct err err = {0};

    if (chip_load(CHIPS, name, &chip, &err) != ST_OK) {
        fail_msg("%s", err.reason);
    }
    return chip;
}

static struct chip *
parse(const char *text)
{
    struct chip *chip = NULL;
    struct err err = {0};

    if (chip_parse(text, "x.yaml", &chip, &err) != ST_OK) {
        fail_msg("%s", err.reason);
    }
    return chip;
}

static void
test_shipped_chips_have_their_numbers(void **state)
{
    struct chip *td2 = load("td2");
    struct chip *th = load("th");
    struct chip *generic = load("generic");

    (void)state;
    assert_string_equal(td2->name, "td2");
    assert_int_equal(td2->cell_bytes, 208);
    assert_int_equal(model_memory_cells(td2), 61440);
    assert_int_equal(td2->pg_guarantee, MODEL_GUARANTEE_SIZE_MINUS_XOFF);
    assert_true(td2->shared_limit.minus_pg_size);
    assert_int_equal(td2->egress_threshold, MODEL_THRESHOLD_CHARGE_THEN_CHECK);
    assert_int_equal(td2->default_ports, 32);
    assert_int_equal(td2->first_lane, 1);
    assert_int_equal(th->partitions, 4);
    assert_true(th->shared_limit.divided);
    assert_false(th->shared_limit.minus_shp);
    assert_int_equal(generic->cell_bytes, 256);
    assert_int_equal(generic->memory_bytes, 160 << 20);
    assert_int_equal(generic->ports, 1024);
    assert_int_equal(generic->default_ports, 0);
    assert_int_equal(generic->queues_per_port, 20);
    assert_int_equal(generic->pgs_per_port, 8);
    assert_int_equal(generic->tcs, 16);
    assert_true(generic->shared_limit.minus_shp);
    assert_true(generic->shared_limit.minus_pg_min);
    assert_int_equal(generic->headroom_params.mac_phy_delay_milli_kb, 800);
    assert_int_equal(generic->headroom_params.pipeline_latency_milli_kb, 18000);
    chip_destroy(td2);
    chip_destroy(th);
    chip_destroy(generic);
}

/* The file 'generic' and the built-in defaults are the same chip. */
static void
test_generic_is_what_the_defaults_say(void **state)
{
    struct chip *generic = load("generic");
    struct chip defaults;

    (void)state;
    model_init(&defaults);
    assert_int_equal(generic->memory_bytes, defaults.memory_bytes);
    assert_int_equal(generic->cell_bytes, defaults.cell_bytes);
    assert_int_equal(generic->ports, defaults.ports);
    assert_int_equal(generic->default_ports, defaults.default_ports);
    assert_int_equal(generic->queues_per_port, defaults.queues_per_port);
    assert_int_equal(generic->pgs_per_port, defaults.pgs_per_port);
    assert_int_equal(generic->tcs, defaults.tcs);
    assert_int_equal(generic->threshold, defaults.threshold);
    assert_int_equal(generic->egress_threshold, defaults.egress_threshold);
    assert_int_equal(generic->shared_limit.minus_shp, true);
    assert_int_equal(generic->shared_limit.minus_pg_min, true);
    chip_destroy(generic);
}

static void
test_hwsku_finds_its_chip(void **state)
{
    static const struct {
        const char *hwsku;
        const char *chip; /* NULL: none. */
    } rows[] = {
        {"Force10-S6000", "td2"},           {"Arista-7050QX-32S", "td2"},
        {"Arista-7060CX-32S-C32", "th"},    {"Force10-S6100", "th"},
        {"Mellanox-SN5640-C512S2", "spc5"}, {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct chip *chip = NULL;
        struct err err = {0};
        enum st status = chip_find(CHIPS, rows[i].hwsku, &chip, &err);

        assert_int_equal(status, rows[i].chip ? ST_OK : ST_NOT_FOUND);
        if (rows[i].chip) {
            assert_string_equal(chip->name, rows[i].chip);
        } else {
            assert_null(chip);
        }
        chip_destroy(chip);
    }
}

static void
test_patterns(void **state)
{
    static const struct {
        const char *pattern;
        const char *text;
        bool matches;
    } rows[] = {
        {"a*", "a", true},      {"a*", "abc", true},     {"a*", "b", false},
        {"*c", "abc", true},    {"a*c", "abcc", true},   {"a?c", "abc", true},
        {"a?c", "ac", false},   {"", "", true},          {"*", "", true},
        {"a**b", "axxb", true}, {"a*b", "axxbx", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct chip chip;

        model_init(&chip);
        chip.hwskus = &rows[i].pattern;
        chip.n_hwskus = 1;
        assert_int_equal(model_matches(&chip, rows[i].text), rows[i].matches);
    }
}

static void
test_ports_map_to_partitions(void **state)
{
    struct chip *th = load("th");
    struct chip *list = parse("{name: a, partitions: 3, ports: 3, "
                              "port_partition: [2, 0, 2]}");
    struct chip *inter =
        parse("{name: a, partitions: 2, ports: 4, port_partition: interleave}");

    (void)state;
    assert_int_equal(model_partition(th, 0, 1), 0);
    assert_int_equal(model_partition(th, 7, 29), 0);
    assert_int_equal(model_partition(th, 8, 33), 1);
    assert_int_equal(model_partition(th, 31, 125), 3);
    /* Broken out, a port stays where its lanes are. */
    assert_int_equal(model_partition(th, 100, 128), 3);
    assert_int_equal(model_partition(th, 0, 9999), 3);
    assert_int_equal(model_partition(list, 0, 0), 2);
    assert_int_equal(model_partition(list, 1, 1), 0);
    assert_int_equal(model_partition(inter, 1, 1), 1);
    assert_int_equal(model_partition(inter, 2, 2), 0);
    chip_destroy(th);
    chip_destroy(list);
    chip_destroy(inter);
}

static void
test_shared_limit_terms(void **state)
{
    struct chip *words =
        parse("{name: a, shared_limit: [pool, minus shp, minus "
              "per_port_cells 70, divided by partitions]}");
    struct chip *maps = parse("name: a\n"
                              "shared_limit:\n"
                              "  - pool\n"
                              "  - minus: shp\n"
                              "  - minus: {per_port_cells: 70}\n"
                              "  - divided_by: partitions\n");
    struct chip *fixed = parse("{name: a, shared_limit: {fixed_bytes: 4096}}");

    (void)state;
    assert_int_equal(words->shared_limit.per_port_cells, 70);
    assert_true(words->shared_limit.minus_shp && words->shared_limit.divided);
    assert_false(words->shared_limit.minus_pg_min);
    assert_memory_equal(&words->shared_limit, &maps->shared_limit,
                        sizeof words->shared_limit);
    assert_int_equal(fixed->shared_limit.fixed_bytes, 4096);
    assert_false(fixed->shared_limit.divided);
    chip_destroy(words);
    chip_destroy(maps);
    chip_destroy(fixed);
}

static void
test_alpha_and_leak(void **state)
{
    struct chip *chip =
        parse("{name: a, alpha_map: {7: 64, -3: 1/8, 5: unlimited, 4: 0}, "
              "alpha_min_is_zero: true, leak_out: {40000: 48, 100000: 36}}");

    (void)state;
    assert_int_equal(model_alpha_exponent(chip, 7), 6);
    assert_int_equal(model_alpha_exponent(chip, -3), -3);
    assert_int_equal(model_alpha_exponent(chip, 5), MODEL_ALPHA_UNLIMITED);
    assert_int_equal(model_alpha_exponent(chip, 4), MODEL_ALPHA_ZERO);
    assert_int_equal(model_alpha_exponent(chip, -8), MODEL_ALPHA_ZERO);
    assert_int_equal(model_alpha_exponent(chip, 0), 0);
    assert_int_equal(model_leak_out(chip, 40000), 48);
    assert_int_equal(model_leak_out(chip, 10000), 0);
    chip_destroy(chip);
}

static void
test_bytes_instead_of_cells(void **state)
{
    struct chip *chip = parse("{name: a, unit: byte, packet_overhead_bytes: "
                              "48, packet_round_bytes: 16}");

    (void)state;
    assert_int_equal(chip->cell_bytes, 1);
    assert_int_equal(model_packet_cells(chip, 64), 112);
    assert_int_equal(model_packet_cells(chip, 65), 128);
    chip_destroy(chip);
}

static void
test_wrong_files_are_explained(void **state)
{
    static const struct {
        const char *text;
        enum st status;
        const char *where; /* Start of the reason. */
        const char *field;
    } rows[] = {
        {"%\xff\xff~ ,", ST_INVALID, "x.yaml:1:2: ", ""},
        {"? t:\t:", ST_INVALID, "x.yaml:1:5: ", ""},
        {"name: a\ncell_bites: 3\n", ST_INVALID, "x.yaml:2:1: cell_bites",
         "cell_bites"},
        {"name: a\ncell_bytes: big\n", ST_INVALID, "x.yaml:2:13: cell_bytes",
         "cell_bytes"},
        {"name: a\ncell_bytes: 0\n", ST_INVALID, "x.yaml:2:13: cell_bytes",
         "cell_bytes"},
        {"name: a\ncell_bytes: [1]\n", ST_INVALID, "x.yaml:2:14: cell_bytes",
         "cell_bytes"},
        {"name: a\ncell_bytes:\n", ST_INVALID, "x.yaml:2:", "cell_bytes"},
        {"cell_bytes: 208\n", ST_INVALID, "x.yaml:1:1: name", "name"},
        {"name: a\nthreshold: never\n", ST_INVALID, "x.yaml:2:12: threshold",
         "threshold"},
        {"name: a\nport_alpha: deep\n", ST_INVALID,
         "x.yaml:2:13: port_alpha: not one of the known words", "port_alpha"},
        {"name: a\nheadroom: per_switch\n", ST_INVALID, "x.yaml:2:11: headroom",
         "headroom"},
        {"name: a\nheadroom_overhead_cells: {fast: 95}\n", ST_INVALID,
         "x.yaml:2:27: headroom_overhead_cells", "headroom_overhead_cells"},
        {"name: a\nshared_limit: [pool, minus luck]\n", ST_INVALID,
         "x.yaml:2:22: shared_limit", "shared_limit"},
        {"name: a\nshared_limit: [per_port_cells]\n", ST_INVALID,
         "x.yaml:2:16: shared_limit", "shared_limit"},
        {"name: a\nshared_limit: [[pool]]\n", ST_INVALID,
         "x.yaml:2:17: ", "shared_limit"},
        {"name: a\nalpha_map: {7: 3}\n", ST_INVALID, "x.yaml:2:13: alpha_map",
         "alpha_map"},
        {"name: a\nports: 2\ndefault_ports: 3\n", ST_INVALID,
         "x.yaml:3:1: default_ports", "default_ports"},
        {"name: a\nport_partition: [0, 1]\n", ST_INVALID,
         "x.yaml:2:1: port_partition", "port_partition"},
        {"name: a\nunit: byte\ncell_bytes: 6\npacket_round_bytes: 4\n",
         ST_INVALID, "x.yaml:4:1: packet_round_bytes", "packet_round_bytes"},
        {"name: a\nheadroom_params: {cell_size: 208, speed: 3}\n", ST_INVALID,
         "x.yaml:2:35: speed", "speed"},
        {"name: a\nheadroom_params: {mac_phy_delay: 0.8123}\n", ST_INVALID,
         "x.yaml:2:34: mac_phy_delay", "mac_phy_delay"},
        {"name: a\nhwskus: Force10\n", ST_INVALID, "x.yaml:2:9: hwskus",
         "hwskus"},
        {"name: [a\n", ST_INVALID, "x.yaml:", ""},
        {"name: a\nname: b\n", ST_INVALID, "x.yaml:2:1: ", ""},
        {"- name\n", ST_INVALID, "x.yaml:1:3: chip", "chip"},
        {"name\n", ST_INVALID, "x.yaml:1:1: chip", "chip"},
        {"", ST_INVALID, "x.yaml:1:1: ", ""},
        {"name: &a x\nplatform: *a\n", ST_INVALID, "x.yaml:2:", "platform"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct chip *chip = NULL;
        struct err err = {0};
        enum st status = chip_parse(rows[i].text, "x.yaml", &chip, &err);

        if (status != rows[i].status || chip != NULL ||
            strncmp(err.reason, rows[i].where, strlen(rows[i].where)) != 0 ||
            strcmp(err.field, rows[i].field) != 0) {
            fail_msg("row %zu: %s: status %s, field '%s', reason '%s'", i,
                     rows[i].text, st_name(status), err.field, err.reason);
        }
    }
}

static void
test_missing_files_and_odd_names(void **state)
{
    struct chip *chip = NULL;
    struct err err = {0};

    (void)state;
    assert_int_equal(chip_load(CHIPS, "none", &chip, &err), ST_NOT_FOUND);
    assert_int_equal(chip_load(CHIPS, "../chips/th", &chip, &err), ST_INVALID);
    assert_int_equal(chip_load(CHIPS, "", &chip, &err), ST_INVALID);
    assert_int_equal(chip_find("/nonexistent", "x", &chip, &err), ST_NOT_FOUND);
    assert_int_equal(chip_load_file(CHIPS, &chip, NULL), ST_IO);
    assert_null(chip);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shipped_chips_have_their_numbers),
        cmocka_unit_test(test_generic_is_what_the_defaults_say),
        cmocka_unit_test(test_hwsku_finds_its_chip),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_ports_map_to_partitions),
        cmocka_unit_test(test_shared_limit_terms),
        cmocka_unit_test(test_alpha_and_leak),
        cmocka_unit_test(test_bytes_instead_of_cells),
        cmocka_unit_test(test_wrong_files_are_explained),
        cmocka_unit_test(test_missing_files_and_odd_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
