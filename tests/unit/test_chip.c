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

#include "base/text.h"
#include "tests/support/tempfile.h"
#include "twin/chip/yaml/chip_file.h"
#include "twin/chip/yaml/other_chips.h"

#define CHIPS TOP_SRCDIR "/chips"

static struct chip *
load(const char *name)
{
    struct chip *chip = NULL;
    struct err err = {0};

    if (chip_file_load(CHIPS, name, &chip, &err) != ST_OK) {
        fail_msg("%s", err.reason);
    }
    return chip;
}

static struct chip *
parse(const char *text)
{
    struct chip *chip = NULL;
    struct err err = {0};

    if (chip_file_parse(text, "x.yaml", &chip, &err) != ST_OK) {
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
    assert_int_equal(chip_memory_cells(td2), 61440);
    assert_int_equal(td2->pg_guarantee, CHIP_GUARANTEE_SIZE_MINUS_XOFF);
    assert_true(td2->shared_limit.minus_pg_size);
    assert_int_equal(td2->egress_threshold, CHIP_THRESHOLD_CHARGE_THEN_CHECK);
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
    assert_int_equal(generic->ecn_mark_at, CHIP_ECN_MARK_DEQUEUE);
    assert_true(generic->shared_limit.minus_shp);
    assert_true(generic->shared_limit.minus_pg_min);
    assert_int_equal(generic->headroom_params.mac_phy_delay_milli_kb, 800);
    assert_int_equal(generic->headroom_params.pipeline_latency_milli_kb, 18000);
    chip_file_destroy(td2);
    chip_file_destroy(th);
    chip_file_destroy(generic);
}

/* The file 'generic' and the built-in defaults are the same chip. */
static void
test_generic_is_what_the_defaults_say(void **state)
{
    struct chip *generic = load("generic");
    struct chip defaults;

    (void)state;
    chip_init(&defaults);
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
    chip_file_destroy(generic);
}

static void
test_hwsku_finds_its_chip(void **state)
{
    static const struct {
        const char *hwsku;
        const char *chip; /* NULL: none. */
    } rows[] = {
        {"Force10-S6000", "td2"},
        {"Arista-7050QX-32S", "td2"},
        {"Arista-7060CX-32S-C32", "th"},
        {"Force10-S6100", "th"},
        {"Mellanox-SN5640-C512S2", "spc5"},
        {"ACS-MSN2700", "spc1"},
        {"Mellanox-SN3800-D112C8", "spc2"},
        {"Mellanox-SN4700-O8V48", "spc3"},
        {"Mellanox-SN5600-V256", "spc4"},
        {"Arista-7050CX3-32S-C32", "td3"},
        {"Arista-7260CX3-D108C8", "th2"},
        {"Arista-7060X6-64PE-B-O128", "th5"},
        {"NH-4210-F-P128", "th6"},
        {"Arista-7800R3-48CQ2-C48", "jr2"},
        {"Nokia-IXR7250E-36x400G", "j2c+"},
        {"NH-5010-F-O64", "q3d"},
        {"newport", "tofino2"},
        {"DellEMC-Z9332f-O32", "th3"},
        {"Arista-7060DX4-C32", "th3"},
        /* Names that differ little, of chips that differ much. */
        {"Force10-Z9100-C32", "th"},
        {"DellEMC-Z9264f-Q64", "th2"},
        {"Arista-7060CX2-32S-C32", "th"},
        {"Delta-ag9032v1", "th"},
        {"Delta-ag9032v2a", "td3"},
        {"UFISPACE-S9301-32D", "th3"},
        {"UFISPACE-S9301-32DB", NULL},
        {"Accton-AS9716-32D", "th3"},
        {"Accton-AS9726-32D", NULL},
        {"Arista-7050DX4-32S", NULL},
        {"Arista-7060DX5-64S", NULL},
        {"Arista-7800R3A-36D-C36", "j2c+"},
        {"Nokia-IXR7250E-SUP-10", NULL},
        {"Mellanox-SN5610N-C224O8", "spc4"},
        {"mavericks", NULL},
        {"Unheard-Of", NULL},
        {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct chip *chip = NULL;
        struct err err = {0};
        enum st status = chip_file_find(CHIPS, rows[i].hwsku, &chip, &err);

        assert_int_equal(status, rows[i].chip ? ST_OK : ST_NOT_FOUND);
        if (rows[i].chip) {
            assert_string_equal(chip->name, rows[i].chip);
        } else {
            assert_null(chip);
        }
        chip_file_destroy(chip);
    }
}

static void
test_chips_without_a_file_are_named(void **state)
{
    static const struct {
        const char *hwsku;
        const char *chip; /* NULL: unknown. */
    } rows[] = {
        {"montara", "tofino"},
        {"Arista-7060DX5-32-100Gx48-400Gx8", "th4"},
        {"UFISPACE-S9301-32DB", "td4"},
        {"UFISPACE-S9301-32D", NULL}, /* th3, which has a file. */
        {"#", NULL},
        {"Unheard-Of", NULL},
        {"", NULL},
    };
    char chip[16];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const bool found =
            other_chips_find(CHIPS, rows[i].hwsku, chip, sizeof chip);

        assert_int_equal(found, rows[i].chip != NULL);
        if (found) {
            assert_string_equal(chip, rows[i].chip);
        }
    }
    assert_false(other_chips_find("/nowhere", "montara", chip, sizeof chip));
}

/* Reads the next field of a line of comma-separated values, without quotes. */
static const char *
next_field(char **line)
{
    char *field = *line;
    const size_t length = strcspn(field, ",\n");

    *line = field[length] ? field + length + 1 : field + length;
    field[length] = '\0';
    return field;
}

/* Returns the name of the chip that switches of 'hwsku' are known to have, or
 * "". */
static const char *
known_chip(const char *hwsku, char *name, size_t size)
{
    struct chip *chip = NULL;
    struct err err;

    text_copy(name, size, "");
    if (!chip_file_find(CHIPS, hwsku, &chip, &err)) {
        text_copy(name, size, chip->name);
        chip_file_destroy(chip);
    } else {
        (void)other_chips_find(CHIPS, hwsku, name, size);
    }
    return name;
}

/* All hwskus of the public SONiC tree whose chip is known. */
static void
test_every_public_hwsku_has_its_chip(void **state)
{
    const char *directory = getenv("ORCHD_SHARED");
    char path[512], line[512], name[16];
    size_t n = 0;
    FILE *file;

    (void)state;
    text_format(path, sizeof path, "%s/data/hwsku.csv",
                directory ? directory : DEFAULT_SHARED);
    file = fopen(path, "r");
    if (!file) {
        print_message("skipped: there is no %s\n", path);
        skip();
    }
    assert_non_null(fgets(line, sizeof line, file)); /* The heading. */
    while (fgets(line, sizeof line, file)) {
        char *rest = line;
        const char *fields[5]; /* vendor,platform,hwsku,platform_asic,chip */

        for (size_t i = 0; i < 5; i++) {
            fields[i] = next_field(&rest);
        }
        if (*fields[4] &&
            strcmp(known_chip(fields[2], name, sizeof name), fields[4]) != 0) {
            fail_msg("%s has the chip %s, not '%s'", fields[2], fields[4],
                     name);
        }
        n += *fields[4] != '\0';
    }
    assert_true(n > 0);
    (void)fclose(file);
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

        chip_init(&chip);
        chip.hwskus = &rows[i].pattern;
        chip.n_hwskus = 1;
        assert_int_equal(chip_matches(&chip, rows[i].text), rows[i].matches);
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
    assert_int_equal(chip_partition(th, 0, 1), 0);
    assert_int_equal(chip_partition(th, 7, 29), 0);
    assert_int_equal(chip_partition(th, 8, 33), 1);
    assert_int_equal(chip_partition(th, 31, 125), 3);
    /* Broken out, a port stays where its lanes are. */
    assert_int_equal(chip_partition(th, 100, 128), 3);
    assert_int_equal(chip_partition(th, 0, 9999), 3);
    assert_int_equal(chip_partition(list, 0, 0), 2);
    assert_int_equal(chip_partition(list, 1, 1), 0);
    assert_int_equal(chip_partition(inter, 1, 1), 1);
    assert_int_equal(chip_partition(inter, 2, 2), 0);
    chip_file_destroy(th);
    chip_file_destroy(list);
    chip_file_destroy(inter);
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
    chip_file_destroy(words);
    chip_file_destroy(maps);
    chip_file_destroy(fixed);
}

static void
test_alpha_and_leak(void **state)
{
    struct chip *chip =
        parse("{name: a, alpha_map: {7: 64, -3: 1/8, 5: unlimited, 4: 0}, "
              "alpha_min_is_zero: true, leak_out: {40000: 48, 100000: 36}}");

    (void)state;
    assert_int_equal(chip_alpha_exponent(chip, 7), 6);
    assert_int_equal(chip_alpha_exponent(chip, -3), -3);
    assert_int_equal(chip_alpha_exponent(chip, 5), CHIP_ALPHA_UNLIMITED);
    assert_int_equal(chip_alpha_exponent(chip, 4), CHIP_ALPHA_ZERO);
    assert_int_equal(chip_alpha_exponent(chip, -8), CHIP_ALPHA_ZERO);
    assert_int_equal(chip_alpha_exponent(chip, 0), 0);
    assert_int_equal(chip_leak_out(chip, 40000), 48);
    assert_int_equal(chip_leak_out(chip, 10000), 0);
    chip_file_destroy(chip);
}

/* What other programs write for the same alphas. */
static void
test_forms_of_alpha(void **state)
{
    struct chip *chip = parse("{name: a, alpha_map: {7: 64.0, -1: 1/2.0, 0: "
                              "1.0, 5: inf, 6: .inf, -2: 0.25, 3: 0.0}}");

    (void)state;
    assert_int_equal(chip_alpha_exponent(chip, 7), 6);
    assert_int_equal(chip_alpha_exponent(chip, -1), -1);
    assert_int_equal(chip_alpha_exponent(chip, 0), 0);
    assert_int_equal(chip_alpha_exponent(chip, 5), CHIP_ALPHA_UNLIMITED);
    assert_int_equal(chip_alpha_exponent(chip, 6), CHIP_ALPHA_UNLIMITED);
    assert_int_equal(chip_alpha_exponent(chip, -2), -2);
    assert_int_equal(chip_alpha_exponent(chip, 3), CHIP_ALPHA_ZERO);
    chip_file_destroy(chip);
}

/* Ways to write the same S. */
/* That there is no value is not the same as to forget it. */
static void
test_a_key_without_a_value_has_its_default(void **state)
{
    struct chip *chip =
        parse("{name: a, platform: null, alpha_map: null, leak_out: ~, "
              "voq_cap_bytes: null, headroom_params: null, egress_threshold: "
              "~, egress_lag_cells: 2, static_zero_blocks: 1}");
    struct chip *varied = NULL;
    struct err err = {0};

    (void)state;
    assert_string_equal(chip->platform, "generic");
    assert_int_equal(chip->alpha_exponents[7 + 128], 7);
    assert_int_equal(chip->voq_cap_bytes, 0);
    assert_int_equal(chip->headroom_params.cell_size_bytes, 256);
    /* What follows from others follows as well. */
    assert_int_equal(chip->egress_threshold, CHIP_THRESHOLD_CHARGE_THEN_CHECK);
    assert_true(chip->static_zero_blocks);
    assert_int_equal(
        chip_file_vary(chip, "{egress_lag_cells: null}", "set", &varied, &err),
        ST_OK);
    assert_int_equal(varied->egress_lag_cells, 2);
    chip_file_destroy(varied);
    chip_file_destroy(chip);
    assert_int_equal(chip_file_parse("{name: null}", "text", &chip, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "name: is missing"));
}

static void
test_forms_of_the_shared_limit(void **state)
{
    static const char *const forms[] = {
        "[pool, minus shp, minus pg_min, minus per_port_cells 70, divided by "
        "partitions]",
        "[divided by partitions, minus per_port_cells 70, pool, minus pg_min, "
        "minus shp]",
        "pool minus shp minus pg_min minus per_port_cells 70 divided by "
        "partitions",
        "{pool: true, minus: [shp, pg_min, {per_port_cells: 70}], divided_by: "
        "partitions}",
        "[pool, {minus: [shp, pg_min]}, {minus per_port_cells: 70}, "
        "{divide_by: "
        "partitions}]",
        "[pool, -shp, -pg_min, -per_port_cells 70, divided_by_partitions]",
        "[pool, -shp, -pg_min, -per_port_cells 70, /partitions]",
        "pool - shp - pg_min - per_port_cells 70 / partitions",
        "[pool, '- shp', minus_pg_min, minus_per_port_cells: 70, divided by "
        "partitions]",
    };
    static const struct chip_shared_limit limit = {.minus_shp = true,
                                                   .minus_pg_min = true,
                                                   .per_port_cells = 70,
                                                   .divided = true};

    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char text[512];
        struct chip *chip;

        snprintf(text, sizeof text, "{name: a, shared_limit: %s}", forms[i]);
        chip = parse(text);
        assert_memory_equal(&chip->shared_limit, &limit, sizeof limit);
        chip_file_destroy(chip);
    }
}

static void
test_numbers_by_speed(void **state)
{
    struct chip *scalar =
        parse("{name: a, leak_out: 3, headroom_overhead_cells: 47}");
    struct chip *mapping =
        parse("{name: a, leak_out: {100G: 36, 40: 19, 50000: 23},"
              " headroom_overhead_cells: {400000: 123, 100000: 64}}");
    struct chip *fallback =
        parse("{name: a, leak_out: {default: 1, 40g: 48},"
              " headroom_overhead_cells: {default: 64, 400G: 123}}");

    (void)state;
    assert_int_equal(chip_leak_out(scalar, 10000), 3);
    assert_int_equal(chip_at_speed(&scalar->headroom_overhead, 400000), 47);
    assert_int_equal(chip_leak_out(mapping, 40000), 19);
    assert_int_equal(chip_leak_out(mapping, 50000), 23);
    assert_int_equal(chip_leak_out(mapping, 100000), 36);
    assert_int_equal(chip_leak_out(mapping, 200000), 0);
    /* What is taken off headroom holds up to the next speed that is listed. */
    assert_int_equal(chip_at_speed(&mapping->headroom_overhead, 25000), 64);
    assert_int_equal(chip_at_speed(&mapping->headroom_overhead, 100000), 64);
    assert_int_equal(chip_at_speed(&mapping->headroom_overhead, 200000), 64);
    assert_int_equal(chip_at_speed(&mapping->headroom_overhead, 400000), 123);
    assert_int_equal(chip_at_speed(&mapping->headroom_overhead, 800000), 123);
    assert_int_equal(chip_leak_out(fallback, 40000), 48);
    assert_int_equal(chip_leak_out(fallback, 100000), 1);
    assert_int_equal(chip_at_speed(&fallback->headroom_overhead, 800000), 64);
    chip_file_destroy(scalar);
    chip_file_destroy(mapping);
    chip_file_destroy(fallback);
}

static void
test_a_chassis_has_a_mapping(void **state)
{
    struct chip *chip = parse("{name: a}");

    (void)state;
    assert_int_equal(chip->voq.credit_bytes, 0);
    chip_file_destroy(chip);
    chip = parse("{name: a, voq: {}}");
    assert_int_equal(chip->voq.credit_bytes, 4096);
    assert_int_equal(chip->voq.credit_rate_percent, 102);
    assert_int_equal(chip->voq.dram_mbps, 8000000);
    chip_file_destroy(chip);
    chip = parse("{name: a, voq: {credit_bytes: 8192, fabric_links: 4, "
                 "fabric_link_mbps: 50000, sram_bytes: 0}}");
    assert_int_equal(chip->voq.credit_bytes, 8192);
    assert_int_equal(chip->voq.fabric_links, 4);
    assert_int_equal(chip->voq.sram_bytes, 0);
    chip_file_destroy(chip);
}

static void
test_mechanisms_are_selected(void **state)
{
    struct chip *chip = parse(
        "{name: a, hwskus: One-*, headroom: per_port_share, port_alpha: Nested,"
        " ecn_mark_at: enqueue, packet_age_us: 1000000,"
        " egress_shared: ingress_shared, egress_pg_absorbs_queue_min: yes,"
        " voq_cap_bytes: 268435440, unit: cells, alpha_map: {-3: 0.125, 2: "
        "infinity}}");

    (void)state;
    assert_int_equal(chip->headroom, CHIP_HEADROOM_PER_PORT_SHARE);
    assert_int_equal(chip->port_alpha, CHIP_PORT_ALPHA_NESTED);
    assert_int_equal(chip->ecn_mark_at, CHIP_ECN_MARK_ENQUEUE);
    assert_int_equal(chip->packet_age_us, 1000000);
    assert_int_equal(chip->egress_shared, CHIP_EGRESS_SHARED_INGRESS_SHARED);
    assert_true(chip->egress_pg_absorbs_queue_min);
    assert_int_equal(chip->voq_cap_bytes, 268435440);
    assert_int_equal(chip->unit, CHIP_UNIT_CELL);
    assert_int_equal(chip_alpha_exponent(chip, -3), -3);
    assert_int_equal(chip_alpha_exponent(chip, 2), CHIP_ALPHA_UNLIMITED);
    assert_true(chip_matches(chip, "One-2"));
    chip_file_destroy(chip);
}

static void
test_a_chip_varies(void **state)
{
    struct chip *td2 = load("td2");
    struct chip *chip = NULL;
    struct err err = {0};

    (void)state;
    assert_int_equal(
        chip_file_vary(td2, "{ports: 4, default_ports: 2}", "set", &chip, &err),
        ST_OK);
    assert_int_equal(chip->ports, 4);
    assert_int_equal(chip->default_ports, 2);
    assert_int_equal(chip->cell_bytes, td2->cell_bytes);
    assert_string_equal(chip->name, "td2");
    chip_file_destroy(chip);
    chip = NULL;
    /* 32 ports at start are in the file, 4 at a time in the variation. */
    assert_int_equal(chip_file_vary(td2, "ports: 4", "set", &chip, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "td2.yaml:"));
    assert_string_equal(err.field, "default_ports");
    assert_int_equal(chip_file_vary(td2, "\nportz: 4", "set", &chip, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "set:2:1: portz"));
    assert_int_equal(chip_file_vary(td2, "[", "set", &chip, &err), ST_INVALID);
    assert_null(chip);
    chip_file_destroy(td2);
}

static void
test_bytes_in_whole_cells(void **state)
{
    struct chip *chip =
        parse("{name: a, unit: byte, cell_bytes: 96, extra_cells: 2,"
              " shared_limit: [pool, minus per_port_cells 3],"
              " headroom_overhead_cells: {100000: 95}, egress_lag_cells: 1}");

    (void)state;
    assert_int_equal(chip->cell_bytes, 1);
    assert_int_equal(chip_packet_cells(chip, 1), 96);
    assert_int_equal(chip_packet_cells(chip, 97), 192);
    assert_int_equal(chip_bytes_to_cells(chip, 100), 100);
    assert_int_equal(chip->extra_cells, 192);
    assert_int_equal(chip->shared_limit.per_port_cells, 288);
    assert_int_equal(chip->egress_lag_cells, 96);
    assert_int_equal(chip_at_speed(&chip->headroom_overhead, 100000), 95 * 96);
    chip_file_destroy(chip);
}

static void
test_bytes_instead_of_cells(void **state)
{
    struct chip *chip = parse("{name: a, unit: byte, packet_overhead_bytes: "
                              "48, packet_round_bytes: 16}");

    (void)state;
    assert_int_equal(chip->cell_bytes, 1);
    assert_int_equal(chip_packet_cells(chip, 64), 112);
    assert_int_equal(chip_packet_cells(chip, 65), 128);
    chip_file_destroy(chip);
    chip = parse("{name: a, unit: byte, packet_overhead_bytes: 48, "
                 "packet_round_bytes: 0}");
    assert_int_equal(chip_packet_cells(chip, 65), 113);
    chip_file_destroy(chip);
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
        {"name: a\nadmission: fifo\n", ST_INVALID,
         "x.yaml:2:12: admission: not one of the known words", "admission"},
        {"name: a\nport_alpha: deep\n", ST_INVALID,
         "x.yaml:2:13: port_alpha: not one of the known words", "port_alpha"},
        {"name: a\nheadroom: per_switch\n", ST_INVALID, "x.yaml:2:11: headroom",
         "headroom"},
        {"name: a\nheadroom_overhead_cells: {fast: 95}\n", ST_INVALID,
         "x.yaml:2:27: headroom_overhead_cells", "headroom_overhead_cells"},
        {"name: a\nshared_limit: [pool, minus luck]\n", ST_INVALID,
         "x.yaml:2:22: shared_limit", "shared_limit"},
        {"name: a\nshared_limit: [pool, minus]\n", ST_INVALID,
         "x.yaml:2:22: shared_limit", "shared_limit"},
        {"name: a\nshared_limit: [minus shp 3]\n", ST_INVALID,
         "x.yaml:2:16: shared_limit", "shared_limit"},
        {"name: a\nshared_limit: [fixed_bytes 0]\n", ST_INVALID,
         "x.yaml:2:16: shared_limit", "shared_limit"},
        {"name: a\nleak_out: {100T: 3}\n", ST_INVALID, "x.yaml:2:12: leak_out",
         "leak_out"},
        {"name: a\nleak_out: {100G: many}\n", ST_INVALID,
         "x.yaml:2:18: leak_out: must be a number from 0 to 65535", "leak_out"},
        {"name: a\nleak_out: {100G: 3, 100000: 4}\n", ST_INVALID,
         "x.yaml:2:21: leak_out: that speed occurs twice", "leak_out"},
        {"name: a\nleak_out: [1]\n", ST_INVALID, "x.yaml:2:12: leak_out",
         "leak_out"},
        {"name: a\nleak_out: 70000\n", ST_INVALID, "x.yaml:2:11: leak_out",
         "leak_out"},
        {"name: a\negress_shared: mine\n", ST_INVALID,
         "x.yaml:2:16: egress_shared", "egress_shared"},
        {"name: a\nvoq_cap_bytes: -1\n", ST_INVALID,
         "x.yaml:2:16: voq_cap_bytes", "voq_cap_bytes"},
        {"name: a\negress_pg_absorbs_queue_min: 2\n", ST_INVALID,
         "x.yaml:2:30: egress_pg_absorbs_queue_min",
         "egress_pg_absorbs_queue_min"},
        {"name: a\nalpha_map: {7: 0.3}\n", ST_INVALID,
         "x.yaml:2:16: alpha_map: not an alpha", "alpha_map"},
        {"name: a\nalpha_map: {7: 3.0}\n", ST_INVALID, "x.yaml:2:16: alpha_map",
         "alpha_map"},
        {"name: a\nalpha_map: {300: 8}\n", ST_INVALID,
         "x.yaml:2:13: alpha_map: not a dynamic_th", "alpha_map"},
        {"name: a\nshared_limit: [pool, -luck]\n", ST_INVALID,
         "x.yaml:2:22: shared_limit", "shared_limit"},
        {"name: a\nshared_limit: [per_port_cells]\n", ST_INVALID,
         "x.yaml:2:16: shared_limit", "shared_limit"},
        {"name: a\nshared_limit: [[pool]]\n", ST_INVALID,
         "x.yaml:2:17: ", "shared_limit"},
        {"name: a\nalpha_map: {7: 3}\n", ST_INVALID, "x.yaml:2:16: alpha_map",
         "alpha_map"},
        {"name: a\nthreshold: check_then_charge\nxoff_by_others: true\n",
         ST_INVALID,
         "x.yaml:3:17: xoff_by_others: needs 'threshold: charge_then_check'",
         "xoff_by_others"},
        {"name: a\nports: 2\ndefault_ports: 3\n", ST_INVALID,
         "x.yaml:3:16: default_ports: more than 'ports', which is 2",
         "default_ports"},
        {"name: a\nqueues_per_port: 8\nunicast_queues_per_port: 10\n",
         ST_INVALID,
         "x.yaml:3:26: unicast_queues_per_port: more than 'queues_per_port', "
         "which is 8",
         "unicast_queues_per_port"},
        {"name: a\nport_partition: [0, 1]\n", ST_INVALID,
         "x.yaml:2:18: port_partition: partition 1 is beyond 'partitions', "
         "which is 1",
         "port_partition"},
        {"name: a\nunit: byte\ncell_bytes: 6\npacket_round_bytes: 4\n",
         ST_INVALID, "x.yaml:4:21: packet_round_bytes", "packet_round_bytes"},
        {"name: a\nheadroom_params: {cell_size: 208, speed: 3}\n", ST_INVALID,
         "x.yaml:2:35: speed: no such key in this mapping", "speed"},
        {"name: a\nvoq: {credits: 1}\n", ST_INVALID,
         "x.yaml:2:7: credits: no such key in this mapping", "credits"},
        {"name: a\nvoq: 1\n", ST_INVALID, "x.yaml:2:6: voq", "voq"},
        {"name: a\nvoq: {credit_rate_percent: 99}\n", ST_INVALID,
         "x.yaml:2:28: credit_rate_percent", "credit_rate_percent"},
        {"name: a\nvoq: {egress_bytes: 2048}\n", ST_INVALID,
         "x.yaml:2:7: voq: 'egress_bytes' is less than 'credit_bytes'", "voq"},
        {"name: a\nheadroom_params: {mac_phy_delay: 0.8123}\n", ST_INVALID,
         "x.yaml:2:34: mac_phy_delay", "mac_phy_delay"},
        {"name: a\nhwskus: {a: b}\n", ST_INVALID, "x.yaml:2:10: hwskus",
         "hwskus"},
        {"name: [a\n", ST_INVALID, "x.yaml:", ""},
        {"name: a\nname: b\n", ST_INVALID, "x.yaml:2:1: ", ""},
        {"- name\n", ST_INVALID, "x.yaml:1:3: chip", "chip"},
        {"name\n", ST_INVALID, "x.yaml:1:1: chip", "chip"},
        {"", ST_INVALID, "x.yaml:1:1: the file is empty", ""},
        {"name: a\n\tcell_bytes: 2\n", ST_INVALID, "x.yaml:2:1: a tab", ""},
        {"# one\n---\nname: a\n--- # two\nname: b\n", ST_INVALID,
         "x.yaml:4:1: a second document", ""},
        {"name: &a x\nplatform: *a\n", ST_INVALID, "x.yaml:2:", "platform"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct chip *chip = NULL;
        struct err err = {0};
        enum st status = chip_file_parse(rows[i].text, "x.yaml", &chip, &err);

        if (status != rows[i].status || chip != NULL ||
            strncmp(err.reason, rows[i].where, strlen(rows[i].where)) != 0 ||
            strcmp(err.field, rows[i].field) != 0) {
            fail_msg("row %zu: %s: status %s, field '%s', reason '%s'", i,
                     rows[i].text, st_name(status), err.field, err.reason);
        }
    }
}

/* The error suggests the closest name, lists them, and says where to look. */
static void
test_misspelt_keys_are_recognised(void **state)
{
    static const char *const rows[][2] = {
        {"name: a\ncell_byte: 208\n", " (did you mean 'cell_bytes'?)"},
        {"name: a\npartition: 4\n", " (did you mean 'partitions'?)"},
        {"name: a\nheadroom_params: {pipeline_latancy: 3}\n",
         " (did you mean 'pipeline_latency'?)"},
        {"name: a\ncolour: blue\n", "no such key in a chip file"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t length = strlen(rows[i][1]);
        struct chip *chip = NULL;
        struct err err = {0};

        assert_int_equal(chip_file_parse(rows[i][0], "x.yaml", &chip, &err),
                         ST_INVALID);
        assert_true(strlen(err.reason) > length);
        assert_string_equal(err.reason + strlen(err.reason) - length,
                            rows[i][1]);
        assert_non_null(strstr(err.allowed, i == 2 ? "mac_phy_delay" : "name"));
        assert_string_equal(err.remedy,
                            DOCDIR "/reference/chips.md explains the keys");
    }
}

static void
test_missing_files_and_odd_names(void **state)
{
    char nowhere[TEMPFILE_SIZE];
    struct chip *chip = NULL;
    struct err err = {0};

    (void)state;
    tempfile_missing(nowhere, "chips");
    assert_int_equal(chip_file_load(CHIPS, "none", &chip, &err), ST_NOT_FOUND);
    assert_int_equal(chip_file_load(CHIPS, "../chips/th", &chip, &err),
                     ST_INVALID);
    assert_int_equal(chip_file_load(CHIPS, "", &chip, &err), ST_INVALID);
    assert_int_equal(chip_file_find(nowhere, "x", &chip, &err), ST_NOT_FOUND);
    assert_int_equal(chip_file_load_file(CHIPS, &chip, NULL), ST_IO);
    assert_null(chip);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shipped_chips_have_their_numbers),
        cmocka_unit_test(test_generic_is_what_the_defaults_say),
        cmocka_unit_test(test_hwsku_finds_its_chip),
        cmocka_unit_test(test_chips_without_a_file_are_named),
        cmocka_unit_test(test_every_public_hwsku_has_its_chip),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_ports_map_to_partitions),
        cmocka_unit_test(test_shared_limit_terms),
        cmocka_unit_test(test_forms_of_alpha),
        cmocka_unit_test(test_a_key_without_a_value_has_its_default),
        cmocka_unit_test(test_forms_of_the_shared_limit),
        cmocka_unit_test(test_numbers_by_speed),
        cmocka_unit_test(test_a_chassis_has_a_mapping),
        cmocka_unit_test(test_mechanisms_are_selected),
        cmocka_unit_test(test_a_chip_varies),
        cmocka_unit_test(test_bytes_in_whole_cells),
        cmocka_unit_test(test_alpha_and_leak),
        cmocka_unit_test(test_bytes_instead_of_cells),
        cmocka_unit_test(test_wrong_files_are_explained),
        cmocka_unit_test(test_misspelt_keys_are_recognised),
        cmocka_unit_test(test_missing_files_and_odd_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
