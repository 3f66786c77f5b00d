/* SPDX-License-Identifier: Apache-2.0 */

/* Scenarios that bring their switch: parameters, loops, parts, variants, rows
 * and topology, on a bench that only remembers. */

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

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "breakpoint/bench.h"
#include "breakpoint/parser.h"
#include "breakpoint/scenario.h"

#define ROWS_MAX 64

/* A bench that has one chip, and answers rows by their key. */
struct fake {
    struct bench bench; /* First. */
    struct target target;
    char chip[32];
    struct text rows[ROWS_MAX]; /* "KEY field=value field=value" */
    size_t n_rows;
    size_t n_opened;
    char fact[64];
};

static struct fake *
fake_of_target(struct target *target)
{
    return (struct fake *)(void *)((char *)target -
                                   offsetof(struct fake, target));
}

static enum st
fake_configure(struct target *target, const struct target_row *rows, size_t n,
               struct arena *arena, struct target_answer *answers,
               struct err *err)
{
    struct fake *fake = fake_of_target(target);

    (void)arena;
    (void)err;
    for (size_t i = 0; i < n && fake->n_rows < ROWS_MAX; i++) {
        struct text *text = &fake->rows[fake->n_rows++];

        text_addf(text, "%s%s", rows[i].key, rows[i].removed ? " gone" : "");
        for (size_t k = 0; k < rows[i].n_fields; k++) {
            text_addf(text, " %s=%s", rows[i].fields[k].name,
                      rows[i].fields[k].value);
        }
        answers[i] =
            strstr(rows[i].key, "bad")
                ? (struct target_answer){"rejected", "range", "42 is too much"}
                : (struct target_answer){"applied", "", ""};
    }
    return ST_OK;
}

static enum st
fake_open(struct bench *bench, const char *chip, struct target **target,
          struct err *err)
{
    static const struct target_ops ops = {.configure = fake_configure};
    struct fake *fake = (struct fake *)(void *)bench;

    fake->n_opened++;
    if (chip && !strcmp(chip, "nix")) {
        (void)err_set(err, ST_INVALID, "chip", "there is no chip nix");
        err_set_field(err, "chip", chip, "td2, th");
        return ST_INVALID;
    }
    text_copy(fake->chip, sizeof fake->chip, chip ? chip : "none");
    fake->target.ops = &ops;
    *target = &fake->target;
    return ST_OK;
}

static enum st
fake_chip_fact(struct bench *bench, const char *name, const char **text,
               struct err *err)
{
    static const char *const facts[][2] = {
        {"cell_bytes", "208"}, {"lanes_per_port", "4"},
        {"first_lane", "1"},   {"port_speed_mbps", "40000"},
        {"unit", "cell"},
    };

    (void)bench;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (!strcmp(facts[i][0], name)) {
            *text = facts[i][1];
            return ST_OK;
        }
    }
    (void)err_set(err, ST_NOT_FOUND, "no-fact", "a chip has no '%s'", name);
    err_set_field(err, "chip", name, "cell_bytes, unit");
    return ST_NOT_FOUND;
}

static enum st
fake_row_field(struct bench *bench, const char *key, const char *field,
               const char **text, struct err *err)
{
    struct fake *fake = (struct fake *)(void *)bench;
    struct text wanted = {0};

    text_addf(&wanted, " %s=", field);
    for (size_t i = 0; i < fake->n_rows; i++) {
        const char *row = fake->rows[i].bytes;
        const char *found = strstr(row, wanted.bytes);

        if (!strncmp(row, key, strlen(key)) && row[strlen(key)] == ' ' &&
            found) {
            text_copy(fake->fact, sizeof fake->fact, found + wanted.length);
            fake->fact[strcspn(fake->fact, " ")] = '\0';
            *text = fake->fact;
            text_fini(&wanted);
            return ST_OK;
        }
    }
    text_fini(&wanted);
    return err_set(err, ST_NOT_FOUND, "no-row", "there is no row %s", key);
}

/* Only pools have known fields. */
static enum st
fake_check_field(struct bench *bench, const char *key, const char *field,
                 struct err *err)
{
    (void)bench;
    if (strncmp(key, "BUFFER_POOL|", 12) != 0 || !strcmp(field, "size")) {
        return ST_OK;
    }
    (void)err_set(err, ST_INVALID, "unknown-field", "no field %s", field);
    err_set_field(err, field, field, "size");
    return ST_INVALID;
}

static const struct bench_ops fake_ops = {
    fake_open, fake_chip_fact, fake_row_field, fake_check_field, NULL, NULL};

static void
fake_fini(struct fake *fake)
{
    for (size_t i = 0; i < fake->n_rows; i++) {
        text_fini(&fake->rows[i]);
    }
    fake->n_rows = 0;
}

/* Loads variant 'variant' of 'text' on 'fake'. */
static struct scenario *
load(struct fake *fake, const char *text, size_t variant)
{
    const struct parser_input input = {
        .file = "f.yaml", .text = text, .length = strlen(text)};
    struct scenario *scenario = NULL;
    struct err err = {0};

    fake_fini(fake);
    fake->bench.ops = &fake_ops;
    if (parser_load(&input, variant, &fake->bench, &scenario, &err)) {
        fail_msg("%s", err.reason);
    }
    return scenario;
}

static void
assert_row(const struct fake *fake, size_t i, const char *expected)
{
    assert_true(i < fake->n_rows);
    assert_string_equal(fake->rows[i].bytes, expected);
}

#define SETS_TEXT                                                              \
    "params: {n: 2, twice: 2 * $n}\n"                                          \
    "topology: {chip: td2, ports: 2, cable: 5}\n"                              \
    "config: [{BUFFER_POOL|p: {size: 100, mode: static}}]\n"                   \
    "steps: [{run: {ns: $twice}}, {run: {ns: 7}}]\n"

/* Loads SETS_TEXT with one value replaced. */
static enum st
load_set(struct fake *fake, const char *name, const char *value,
         struct scenario **scenario, struct err *err)
{
    const struct parser_set set = {name, value};
    const struct parser_input input = {.file = "f.yaml",
                                       .text = SETS_TEXT,
                                       .length = strlen(SETS_TEXT),
                                       .sets = &set,
                                       .n_sets = 1};

    fake_fini(fake);
    fake->bench.ops = &fake_ops;
    memset(err, 0, sizeof *err);
    return parser_load(&input, 0, &fake->bench, scenario, err);
}

static void
test_values_of_the_caller_replace_those_of_the_file(void **state)
{
    struct scenario *scenario = NULL;
    struct fake fake = {0};
    struct err err;
    bool found = false;

    (void)state;
    assert_int_equal(load_set(&fake, "n", "5", &scenario, &err), ST_OK);
    assert_string_equal(scenario->name, "f[n=5]");
    assert_int_equal(scenario->steps[0].run_ns, 10);
    scenario_destroy(scenario);
    assert_int_equal(
        load_set(&fake, "steps.1.run.ns", "3 * $n", &scenario, &err), ST_OK);
    assert_int_equal(scenario->steps[1].run_ns, 6);
    scenario_destroy(scenario);
    assert_int_equal(load_set(&fake, "topology.ports", "3", &scenario, &err),
                     ST_OK);
    scenario_destroy(scenario);
    assert_int_equal(
        load_set(&fake, "row(BUFFER_POOL|p).size", "200", &scenario, &err),
        ST_OK);
    for (size_t i = 0; i < fake.n_rows; i++) {
        found |=
            !strcmp(fake.rows[i].bytes, "BUFFER_POOL|p size=200 mode=static");
    }
    assert_true(found);
    scenario_destroy(scenario);
    assert_int_equal(load_set(&fake, "chip.cell_bytes", "9", &scenario, &err),
                     ST_OK);
    assert_string_equal(fake.bench.chip_keys, "cell_bytes: 9\n");
    scenario_destroy(scenario);
    fake_fini(&fake);
}

static void
test_wrong_values_of_the_caller_are_named(void **state)
{
    static const struct {
        const char *name, *value, *reason, *allowed;
    } bads[] = {
        {"m", "1", "--param m=1: the scenario has no parameter 'm'",
         "n, twice"},
        {"n", "1 +", "--param n=1 +: ", ""},
        {"topology.prots", "3",
         "--param topology.prots=3: f.yaml:1:1: topology has no key 'prots' "
         "(did you mean 'ports'?)",
         ""},
        {"topology.set.Ethernet0", "3",
         "--param topology.set.Ethernet0=3: path 'set.Ethernet0': the scenario "
         "has no 'set' there",
         "chip, ports, cable"},
        {"steps.9.run", "3", "there", ""},
        {"stesp.1.run", "3", "no value can be set at 'stesp' (did you mean",
         "topology, config, steps, chip, row(TABLE|key)"},
        {"row(BUFFER_POOL|q).size", "3",
         "the configuration has no row BUFFER_POOL|q (did you mean "
         "'BUFFER_POOL|p'?)",
         ""},
        {"row(BUFFER_POOL|p)", "3", "expected row(TABLE|key).field, found", ""},
        {"row(BUFFER_POOL|p).sise", "3",
         "--param row(BUFFER_POOL|p).sise=3: no field sise", "size"},
    };
    struct scenario *scenario = NULL;
    struct fake fake = {0};
    struct err err;

    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        assert_int_equal(
            load_set(&fake, bads[i].name, bads[i].value, &scenario, &err),
            ST_INVALID);
        assert_null(scenario);
        if (!strstr(err.reason, bads[i].reason) ||
            !strstr(err.allowed, bads[i].allowed)) {
            fail_msg("%s: %s; %s", bads[i].name, err.reason, err.allowed);
        }
    }
    fake_fini(&fake);
}

static void
test_parameters_follow_from_each_other_in_any_order(void **state)
{
    struct fake fake = {0};
    struct scenario *scenario =
        load(&fake,
             "params:\n"
             "  late: 2 * $early + $chip.cell_bytes\n"
             "  early: ceil(7, 2)\n"
             "  size: $row(BUFFER_POOL|$name).size\n"
             "  half: $size / 2\n"
             "  name: 'p$(1 + 1)'\n"
             "  kind: if($chip.unit == cell, $early, 0)\n"
             "config: {BUFFER_POOL|p2: {size: $late}}\n"
             "steps:\n"
             "  - {say: 'a $late b $$ $name $($half + 1)', run: {us: $kind}}\n",
             0);

    (void)state;
    assert_row(&fake, 0, "BUFFER_POOL|p2 size=216");
    assert_string_equal(scenario->steps[0].say, "a 216 b $ p2 109");
    assert_int_equal(scenario->steps[0].run_ns, 4000);
    assert_ptr_equal(scenario->target, &fake.target);
    scenario_destroy(scenario);
    fake_fini(&fake);
}

static void
test_blocks_stand_for_their_items(void **state)
{
    struct fake fake = {0};
    struct scenario *scenario =
        load(&fake,
             "params: {ports: [A, B], last: 4}\n"
             "parts:\n"
             "  fill: [{send: {from: $from, to: C, n: $n}}, settle]\n"
             "steps:\n"
             "  - for: {port: $ports, prio: 3..$last}\n"
             "    when: $port != B || $prio != 4\n"
             "    each:\n"
             "      - expect: {obj: pg $port.$prio, stat: x, ==: 10 * $prio}\n"
             "  - use: fill\n"
             "    with: {from: A, n: 5}\n"
             "  - {when: 2 > 3, settle: }\n"
             "  - block: [{for: {p: [C, D]}, each: $p}]\n"
             "  - expect:\n"
             "      - for: {i: [1, 7]}\n"
             "        each: [{obj: queue A.$i, stat: y, in: 0..$i}]\n",
             0);
    const struct step *steps = scenario->steps;

    (void)state;
    assert_int_equal(scenario->n_steps, 7);
    assert_string_equal(steps[0].expect.claims[0].text, "pg A|3 x");
    assert_string_equal(steps[1].expect.claims[0].text, "pg A|4 x");
    assert_int_equal(steps[1].expect.claims[0].range.low, 40);
    assert_string_equal(steps[2].expect.claims[0].text, "pg B|3 x");
    assert_int_equal(steps[3].kind, STEP_SEND);
    assert_string_equal(steps[3].send.from, "A");
    assert_int_equal(steps[3].send.count, 5);
    assert_int_equal(steps[4].kind, STEP_SETTLE);
    assert_int_equal(steps[5].kind, STEP_BLOCK);
    assert_int_equal(steps[5].block.n, 2);
    assert_string_equal(steps[5].block.blocks[1].port, "D");
    assert_int_equal(steps[6].expect.n, 2);
    assert_string_equal(steps[6].expect.claims[1].text, "queue A|7 y");
    assert_int_equal(steps[6].expect.claims[1].range.high, 7);
    scenario_destroy(scenario);
    fake_fini(&fake);
}

static void
test_rows_add_up(void **state)
{
    struct fake fake = {0};
    struct scenario *scenario = load(
        &fake,
        "params: {size: 5}\n"
        "config:\n"
        "  - BUFFER_POOL|p: {size: $size, mode: dynamic, xoff: 3}\n"
        "    BUFFER_PROFILE|q: {pool: p}\n"
        "  - BUFFER_POOL: {p: {mode: static, xoff: }, r: {type: ingress}}\n"
        "  - BUFFER_PROFILE|q:\n"
        "  - {rows: {QUEUE|bad: {a: 1}}, expect: rejected}\n"
        "  - {rows: {QUEUE|bad2: {a: [x, $size]}}, expect: range}\n"
        "steps:\n"
        "  - cfg: {BUFFER_POOL|p: {size: 6}}\n"
        "  - cfg: [{rows: {BUFFER_POOL|bad: {}}, expect: rejected}]\n",
        0);
    const struct config_row *row = &scenario->steps[0].cfg.rows[0];

    (void)state;
    assert_int_equal(fake.n_rows, 5);
    assert_row(&fake, 0, "BUFFER_POOL|p size=5 mode=static");
    assert_row(&fake, 1, "BUFFER_PROFILE|q gone");
    assert_row(&fake, 2, "BUFFER_POOL|r type=ingress");
    assert_row(&fake, 3, "QUEUE|bad a=1");
    assert_row(&fake, 4, "QUEUE|bad2 a=x,5");
    assert_int_equal(scenario->steps[0].cfg.n, 1);
    assert_string_equal(row->row.key, "BUFFER_POOL|p");
    assert_int_equal(row->row.n_fields, 2);
    assert_string_equal(row->row.fields[0].value, "6");
    assert_string_equal(row->row.fields[1].value, "static");
    assert_null(row->expected);
    assert_string_equal(scenario->steps[1].cfg.rows[0].expected, "rejected");
    scenario_destroy(scenario);
    fake_fini(&fake);
}

static void
test_a_topology_is_rows(void **state)
{
    struct fake fake = {0};
    struct scenario *scenario =
        load(&fake,
             "topology:\n"
             "  chip: td2\n"
             "  ports: 2\n"
             "  cable: 40\n"
             "  buffer_model: dynamic\n"
             "  set: {Ethernet4: {speed: 10000, lanes: 1, cable: 300}}\n"
             "steps:\n"
             "  - peer: {port: Ethernet4, obeys: [3..4], response_ns: 9}\n"
             "  - peer: {port: Ethernet0, cable: 7}\n",
             0);

    (void)state;
    assert_string_equal(fake.chip, "td2");
    assert_row(&fake, 0, "DEVICE_METADATA|localhost buffer_model=dynamic");
    assert_row(&fake, 1,
               "PORT|Ethernet0 lanes=1,2,3,4 speed=40000 admin_status=up");
    assert_row(&fake, 2, "CABLE_LENGTH|AZURE Ethernet0=40m Ethernet4=300m");
    assert_row(&fake, 3, "PORT|Ethernet4 lanes=5 speed=10000 admin_status=up");
    assert_int_equal(scenario->steps[0].peer.obeys, 0x18);
    assert_int_equal(scenario->steps[0].peer.cable_m, 300);
    assert_int_equal(scenario->steps[0].peer.response_ns, 9);
    assert_int_equal(scenario->steps[1].peer.cable_m, 7);
    scenario_destroy(scenario);
    fake_fini(&fake);
}

static void
test_variants_replace_parameters(void **state)
{
    static const char text[] =
        "name: v\n"
        "params: {a: 1, twice: 2 * $a, b: 0}\n"
        "matrix: {a: [5, 6], c: [x, y]}\n"
        "variants: {one: {b: 1}, two: {b: 2, a: 9}, three: }\n"
        "when: $b != 2 || $c == x\n"
        "steps: [{run: {ns: $twice + 100 * $b}}]\n";
    static const struct {
        const char *name;
        uint64_t ns; /* 0: skipped. */
    } expected[] = {
        {"v[one,5,x]", 110},  {"v[one,5,y]", 110},  {"v[one,6,x]", 112},
        {"v[one,6,y]", 112},  {"v[two,5,x]", 218},  {"v[two,5,y]", 0},
        {"v[two,6,x]", 218},  {"v[two,6,y]", 0},    {"v[three,5,x]", 10},
        {"v[three,5,y]", 10}, {"v[three,6,x]", 12}, {"v[three,6,y]", 12},
    };
    const struct parser_input input = {
        .file = "f.yaml", .text = text, .length = sizeof text - 1};
    struct arena *arena = arena_create(0);
    const char *const *names;
    struct fake fake = {0};
    struct scenario *none;
    struct err err;
    size_t n = 0;

    (void)state;
    assert_int_equal(parser_variants(&input, arena, &names, &n, &err), ST_OK);
    assert_int_equal(n, 12);
    assert_string_equal(names[1], "one,5,y");
    for (size_t i = 0; i < n; i++) {
        struct scenario *scenario = load(&fake, text, i);

        assert_string_equal(scenario->name, expected[i].name);
        assert_int_equal(scenario->skipped != NULL, expected[i].ns == 0);
        if (expected[i].ns) {
            assert_int_equal(scenario->steps[0].run_ns, expected[i].ns);
        }
        scenario_destroy(scenario);
    }
    assert_int_equal(parser_load(&input, n, NULL, &none, &err), ST_NOT_FOUND);
    arena_destroy(arena);
    fake_fini(&fake);
}

/* Writes 'text' into file 'name' of 'directory'. */
static void
write_file(const char *directory, const char *name, const char *text)
{
    char path[256];
    FILE *file;

    text_format(path, sizeof path, "%s/%s", directory, name);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void
test_files_include_files_beside_them(void **state)
{
    static const char *const names[] = {"a.yaml", "b.yaml", "c.json"};
    char directory[] = "/tmp/orchd-scenario-XXXXXX";
    char path[256];
    struct parser_input input = {.file = path};
    struct fake fake = {
        .bench = {.ops = &fake_ops, .keeps_configuration = false}};
    struct scenario *scenario = NULL;
    struct err err = {0};

    (void)state;
    assert_non_null(mkdtemp(directory));
    write_file(directory, "a.yaml",
               "include: b.yaml\nparams: {n: 2}\n"
               "steps: [{use: p}, {run: {ns: $m}}]\n");
    write_file(directory, "b.yaml",
               "params: {n: 1, m: 10 * $n}\nparts: {p: [settle]}\n"
               "config: c.json\n");
    write_file(directory, "c.json",
               "{\"T\": {\"k\": {\"f\": \"$n\", \"l\": [\"a\", \"b\"]}}}\n");
    text_format(path, sizeof path, "%s/a.yaml", directory);
    if (parser_load(&input, 0, &fake.bench, &scenario, &err)) {
        fail_msg("%s", err.reason);
    }
    assert_int_equal(scenario->n_steps, 2);
    assert_int_equal(scenario->steps[1].run_ns, 20);
    assert_string_equal(strrchr(scenario->steps[0].place.file, '/'), "/b.yaml");
    assert_row(&fake, 0, "T|k f=$n l@=a,b");
    scenario_destroy(scenario);
    fake_fini(&fake);

    write_file(directory, "b.yaml", "parms: {n: 1}\n");
    assert_int_equal(parser_load(&input, 0, &fake.bench, &scenario, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "b.yaml:1:1: an included file has no "
                                       "key 'parms' (did you mean 'params'?)"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        text_format(path, sizeof path, "%s/%s", directory, names[i]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(directory), 0);
}

static void
test_what_the_switch_does_not_take_is_placed(void **state)
{
    static const struct {
        const char *text;
        const char *reason;
    } cases[] = {
        {"topology: {chip: nix}\nsteps: [settle]\n",
         "f.yaml:1:12: there is no chip nix; there are td2, th"},
        {"config:\n  - QUEUE|bad: {a: 1}\nsteps: [settle]\n",
         "f.yaml:2:5: QUEUE|bad: expected applied, but it is rejected (range): "
         "42 "
         "is too much"},
        {"config: [{rows: {QUEUE|q: {a: 1}}, expect: rejected}]\n"
         "steps: [settle]\n",
         "f.yaml:1:18: QUEUE|q: expected rejected, but it is applied"},
        {"params: {a: $chip.cells}\nsteps: [settle]\n",
         "f.yaml:1:13: in a: a chip has no 'cells'; there are cell_bytes"},
        {"params: {a: $row(T|k).f}\nsteps: [settle]\n",
         "f.yaml:1:13: in a: there is no row T|k"},
        {"topology: {ports: $chip.unit}\nsteps: [settle]\n",
         "f.yaml:1:19: in ports: expected a number, found 'cell'"},
        {"params: {a: $row(T|k).f}\ntopology: {chip: td2, ports: $a}\n"
         "steps: [settle]\n",
         "in a: the configuration is not known yet"},
        {"params: {p: $i}\n"
         "config: [{for: {i: 1..2}, each: [{T|k: {f: $p}}]}]\n"
         "steps: [settle]\n",
         "f.yaml:1:13: in p: there is no parameter 'i'"},
        {"topology: {chip: '$chip.name'}\nsteps: [settle]\n",
         "f.yaml:1:19: in chip: the chip is not known yet"},
        {"topology: {ports: 2, set: {Ethernet9: {lanes: 1}}}\n"
         "steps: [settle]\n",
         "f.yaml:1:28: there is no port 'Ethernet9' (did you mean 'Ethernet"},
        {"topology: {ports: 2, fcs: [Ethernet0, Ethernet1]}\n"
         "steps: [settle]\n",
         "f.yaml:1:28: there is no port 'Ethernet1' (did you mean 'Ethernet"},
    };
    size_t n_wrong = 0;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct parser_input input = {.file = "f.yaml",
                                           .text = cases[i].text,
                                           .length = strlen(cases[i].text)};
        struct fake fake = {
            .bench = {.ops = &fake_ops, .keeps_configuration = false}};
        struct scenario *scenario = NULL;
        struct err err = {0};

        assert_int_equal(parser_load(&input, 0, &fake.bench, &scenario, &err),
                         ST_INVALID);
        if (!strstr(err.reason, cases[i].reason)) {
            print_error("expected %s, got %s\n", cases[i].reason, err.reason);
            n_wrong++;
        }
        fake_fini(&fake);
    }
    assert_int_equal(n_wrong, 0);
}

static void
test_a_switch_that_keeps_its_configuration_is_not_configured(void **state)
{
    static const char text[] = "config: {T|k: {f: 1}}\nsteps: [settle]\n";
    const struct parser_input input = {
        .file = "f.yaml", .text = text, .length = sizeof text - 1};
    struct fake fake = {
        .bench = {.ops = &fake_ops, .keeps_configuration = true}};
    struct scenario *scenario = NULL;
    struct err err;

    (void)state;
    assert_int_equal(parser_load(&input, 0, &fake.bench, &scenario, &err),
                     ST_OK);
    assert_int_equal(fake.n_opened, 1);
    assert_int_equal(fake.n_rows, 0);
    scenario_destroy(scenario);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_of_the_caller_replace_those_of_the_file),
        cmocka_unit_test(test_wrong_values_of_the_caller_are_named),
        cmocka_unit_test(test_parameters_follow_from_each_other_in_any_order),
        cmocka_unit_test(test_blocks_stand_for_their_items),
        cmocka_unit_test(test_rows_add_up),
        cmocka_unit_test(test_a_topology_is_rows),
        cmocka_unit_test(test_variants_replace_parameters),
        cmocka_unit_test(test_files_include_files_beside_them),
        cmocka_unit_test(test_what_the_switch_does_not_take_is_placed),
        cmocka_unit_test(
            test_a_switch_that_keeps_its_configuration_is_not_configured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
