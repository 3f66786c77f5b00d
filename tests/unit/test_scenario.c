/* SPDX-License-Identifier: Apache-2.0 */

/* The language of scenarios: what is understood, and the errors for the rest.
 */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"
#include "base/text.h"
#include "breakpoint/parser.h"
#include "breakpoint/scenario.h"
#include "tests/support/tempfile.h"
#include "yaml/document.h"

static struct scenario *
parse(const char *text)
{
    struct scenario *scenario = NULL;
    const struct parser_input input = {
        .file = "dir/file.yaml", .text = text, .length = strlen(text)};
    struct err err = {0};

    if (parser_load(&input, 0, NULL, &scenario, &err)) {
        fail_msg("%s", err.reason);
    }
    return scenario;
}

static void
test_all_verbs(void **state)
{
    struct scenario *scenario = parse(
        "name: all\n"
        "about: everything\n"
        "params: {src: Ethernet0, cell: 208, n: (10 * $cell + 7) / 8, p: 3}\n"
        "steps:\n"
        "  - say: to begin with\n"
        "  - {say: now, block: Ethernet4}\n"
        "  - block: [Ethernet8, Ethernet12]\n"
        "  - unblock: {ports: [Ethernet8]}\n"
        "  - send: {from: $src, to: Ethernet4, n: $n, size: 100, dscp: $p}\n"
        "  - send: {from: $src, to: Ethernet4, until: drop, limit: 9, ecn: 2}\n"
        "  - settle\n"
        "  - settle:\n"
        "  - run: {ms: 2, us: 5}\n"
        "  - clear_wm: [pg $src|$p, port X]\n"
        "  - snap: {name: one, show: [pg $src|$p, pool x.y]}\n"
        "  - expect: {obj: pg $src|3, stat: shared_bytes, ==: 5, margin: 1}\n"
        "  - expect:\n"
        "      - {obj: port Ethernet4, stat: x, vs: one, \">\": 3, <=: 9}\n"
        "      - {obj: queue Ethernet4|12, stat: y, in: [$p, 2 * $p]}\n"
        "  - expect_pfc: {port: $src, prio: $p, state: xoff}\n"
        "  - expect_pfc: {port: $src, prio: 4, frames: stable, vs: one}\n"
        "  - expect_rx: {port: Ethernet4, n: 7, where: {dscp: 3, queue: 4}}\n");
    const struct step *steps = scenario->steps;

    (void)state;
    assert_string_equal(scenario->name, "all");
    assert_string_equal(scenario->about, "everything");
    assert_int_equal(scenario->n_steps, 16);
    assert_int_equal(steps[0].kind, STEP_SAY);
    assert_string_equal(steps[0].say, "to begin with");
    assert_int_equal(steps[1].kind, STEP_BLOCK);
    assert_string_equal(steps[1].say, "now");
    assert_int_equal(steps[1].place.line, 6);
    assert_int_equal(steps[2].block.n, 2);
    assert_string_equal(steps[2].block.blocks[1].port, "Ethernet12");
    assert_int_equal(steps[3].kind, STEP_UNBLOCK);
    assert_string_equal(steps[3].block.blocks[0].port, "Ethernet8");
    assert_string_equal(steps[4].send.from, "Ethernet0");
    assert_int_equal(steps[4].send.count, 260);
    assert_int_equal(steps[4].send.size_bytes, 100);
    assert_int_equal(steps[4].send.dscp, 3);
    assert_int_equal(steps[4].send.until, TARGET_UNTIL_COUNT);
    assert_int_equal(steps[5].send.until, TARGET_UNTIL_DROP);
    assert_int_equal(steps[5].send.count, 9);
    assert_int_equal(steps[5].send.size_bytes, 64);
    assert_int_equal(steps[5].send.ecn, 2);
    assert_int_equal(steps[6].kind, STEP_SETTLE);
    assert_int_equal(steps[7].kind, STEP_SETTLE);
    assert_int_equal(steps[8].run_ns, 2005000);
    assert_int_equal(steps[9].clear.n, 2);
    assert_int_equal(steps[9].clear.objects[1].kind, TARGET_PORT);
    assert_string_equal(steps[10].snap.name, "one");
    assert_int_equal(steps[10].snap.n_objects, 2);
    assert_int_equal(scenario->objects[0].kind, TARGET_PG);
    assert_string_equal(scenario->objects[0].name, "Ethernet0");
    assert_int_equal(scenario->objects[0].index, 3);
    assert_string_equal(scenario->objects[1].name, "x.y");
    assert_int_equal(steps[11].expect.claims[0].object, 0);
    assert_int_equal(steps[11].expect.claims[0].range.low, 4);
    assert_int_equal(steps[11].expect.claims[0].range.high, 6);
    assert_string_equal(steps[11].expect.claims[0].range.text, "== 5 +-1");
    assert_int_equal(steps[12].expect.n, 2);
    assert_int_equal(steps[12].expect.claims[0].range.low, 4);
    assert_int_equal(steps[12].expect.claims[0].range.high, 9);
    assert_string_equal(steps[12].expect.claims[0].since, "one");
    assert_int_equal(steps[12].expect.claims[0].place.line, 18);
    assert_int_equal(steps[12].expect.claims[1].range.high, 6);
    assert_string_equal(steps[13].expect.claims[0].stat, "pfc_3_xoff");
    assert_int_equal(steps[13].expect.claims[0].range.low, 1);
    assert_string_equal(steps[14].expect.claims[0].stat, "pfc_4_tx_pkts");
    assert_int_equal(steps[14].expect.claims[0].range.high, 0);
    assert_int_equal(steps[15].rx.claims[0].where.has,
                     1 << FRAME_DSCP | 1 << FRAME_QUEUE);
    assert_int_equal(steps[15].rx.claims[0].where.values[FRAME_DSCP], 3);
    assert_int_equal(steps[15].rx.claims[0].where.values[FRAME_QUEUE], 4);
    assert_int_equal(scenario->n_objects, 5);
    assert_int_equal(scenario->n_rx_ports, 1);
    scenario_destroy(scenario);
}

static void
test_verbs_of_one_word(void **state)
{
    struct scenario *scenario =
        parse("steps: [settle, restart, {settle: }, {restart: }]\n");

    (void)state;
    assert_int_equal(scenario->n_steps, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(scenario->steps[i].kind,
                         i % 2 ? STEP_RESTART : STEP_SETTLE);
    }
    scenario_destroy(scenario);
}

static void
test_name_defaults_to_the_file(void **state)
{
    struct scenario *scenario = parse("steps: [settle]\n");

    (void)state;
    assert_string_equal(scenario->name, "file");
    assert_string_equal(scenario->file, "dir/file.yaml");
    scenario_destroy(scenario);
}

/* One bad file each; 'steps' stands for a good list of steps. */
static const struct bad {
    const char *name;
    const char *text;
    const char *place; /* line:column */
    const char *reason;
} bads[] = {
    {"empty", "", "1:1", "YAML"},
    {"no YAML", "a: [1\nb: 2\n", "3:1", "closing bracket"},
    {"no UTF-8", "%\xff\xff~ ,", "1:2", "UTF-8"},
    {"a tab", "? t:\t:", "1:5", "this is a tab"},
    {"a bell", "name: \a\n", "1:7", "control character"},
    {"two documents", "steps: [settle]\n---\nsteps: [settle]\n", "1:1",
     "one YAML document"},
    {"a list", "- 1\n", "1:3", "expected a scenario to be a map"},
    {"a scalar", "x\n", "1:1", "expected a scenario to be a map"},
    {"unknown top", "steps: [settle]\nfoo: 1\n", "2:1",
     "no key 'foo'; expected one of: name, about, include"},
    {"no steps", "name: x\n", "1:1", "needs the key 'steps'"},
    {"steps not a list", "steps: settle\n", "1:8", "to be a list"},
    {"steps empty", "steps: []\n", "1:1", "to be a list"},
    {"duplicate key", "name: a\nname: b\nsteps: [settle]\n", "2:1", ""},
    {"unknown verb", "steps:\n - settle\n - jump: 3\n", "3:4",
     "no key 'jump'; expected one of: say, block"},
    {"two verbs", "steps:\n - {settle: , block: x}\n", "2:5", "one verb"},
    {"not a word", "steps:\n - settled\n", "2:4", "a step to be a map"},
    {"settle with", "steps:\n - settle: 3\n", "2:12", "nothing after settle"},
    {"restart with", "steps:\n - restart: orchd\n", "2:13",
     "nothing after restart"},
    {"a verb alone", "steps:\n - block\n", "2:4", "block needs a value"},
    {"no step", "steps:\n - {for: {i: 3..1}, each: [settle]}\n", "2:5",
     "no steps are left"},
    {"no parts", "steps:\n - use: a\n", "2:4", "has no 'parts'"},
    {"params a list", "params: [a]\nsteps: [settle]\n", "1:10", "a map"},
    {"param name", "params: {a-b: 1}\nsteps: [settle]\n", "1:10", "letters"},
    {"param circle", "params:\n  a: 1 + $b\n  b: 2 * $a\nsteps: [settle]\n",
     "3:10", "parameter 'a' depends on itself"},
    {"param misspelt", "params:\n  cells: 1\n  b: $cell + 1\nsteps: [settle]\n",
     "3:6", "no parameter 'cell' (did you mean 'cells'?)"},
    {"param reserved", "params: {chip: td2}\nsteps: [settle]\n", "1:10",
     "no parameter can have that name"},
    {"param of no switch", "params: {a: $chip.cell_bytes}\nsteps: [settle]\n",
     "1:13", "no switch whose chip"},
    {"verb misspelt", "steps:\n - expct: 3\n", "2:4",
     "no key 'expct' (did you mean 'expect'?)"},
    {"snap misspelt",
     "steps:\n - snap: begin\n"
     " - expect: {obj: port a, stat: x, vs: began, ==: 1}\n",
     "3:13", "takes a snap 'began' (did you mean 'begin'?)"},
    {"for not a map", "steps:\n - for: [a]\n   each: [settle]\n", "2:10",
     "a map of variables"},
    {"for without each", "steps:\n - for: {a: 1..2}\n", "2:4",
     "'for' needs 'each'"},
    {"for and use", "steps:\n - {for: {a: 1}, each: [settle], use: b}\n", "2:5",
     "either each or use"},
    {"part misspelt", "parts: {fill: [settle]}\nsteps:\n - use: fil\n", "3:4",
     "no part 'fil' (did you mean 'fill'?)"},
    {"part of itself", "parts: {a: [{use: a}]}\nsteps:\n - use: a\n", "1:14",
     "blocks in blocks"},
    {"too many items",
     "steps:\n - for: {a: 1..1000, b: 1..1000}\n   each: [settle]\n", "2:25",
     "more than 50000 items"},
    {"variable in a parameter",
     "params: {p: $i}\nsteps:\n - for: {i: 1..2}\n"
     "   each: [{run: {ms: $p}}]\n",
     "1:13", "no parameter 'i'"},
    {"loop value", "steps:\n - for: {i: 1..x}\n   each: [settle]\n", "2:16",
     "expected a number, found 'x'"},
    {"include without a file", "include: a.yaml\nsteps: [settle]\n", "1:10",
     "not read from a file"},
    {"rows", "config: [[1]]\nsteps: [settle]\n", "1:11",
     "expected a map of TABLE"},
    {"row", "config: {BUFFER_POOL|p: 3}\nsteps: [settle]\n", "1:25",
     "a map of its fields"},
    {"topology port", "topology: {ports: [a]}\nsteps: [settle]\n", "1:20",
     "expected a port name with a number"},
    {"matrix", "matrix: {a: 3}\nsteps: [settle]\n", "1:13", "a list of values"},
    {"trend", "steps:\n - expect: {obj: port a, stat: x, trend: stable}\n",
     "2:13", "trend needs vs"},
    {"flow rate",
     "steps:\n - flow: {name: f, from: a, to: b, percent: 3, mbps: 1}\n",
     "2:11", "one of percent"},
    {"storm whom", "steps:\n - storm: {port: a}\n", "2:12",
     "one of prios, cev"},
    {"rx what", "steps:\n - expect_rx: {port: a, n: 1, permille: 3}\n", "2:16",
     "either n, or permille"},
    {"param text", "params: {a: Eth, b: 2 * $a}\nsteps: [settle]\n", "1:24",
     "in b: 'Eth' is text, not a number"},
    {"param zero", "params: {a: 1 / 0}\nsteps: [settle]\n", "1:15",
     "division by zero"},
    {"param empty", "params: {a: }\nsteps: [settle]\n", "1:10",
     "a value for a"},
    {"unknown param", "steps:\n - block: $x\n", "2:11", "no parameter 'x'"},
    {"dollar", "steps:\n - block: a$\n", "2:12", "expected $name, $(expr"},
    {"alias", "steps:\n - block: *x\n", "2:12", "one value"},
    {"block a map", "steps:\n - block: {port: x}\n", "2:12",
     "no key 'port' (did you mean 'ports'?); expected one of: ports"},
    {"block nested", "steps:\n - block: [[x]]\n", "2:13", "one value"},
    {"send no count", "steps:\n - send: {from: a, to: b}\n", "2:11",
     "either n or until"},
    {"send both", "steps:\n - send: {from: a, to: b, n: 1, until: drop}\n",
     "2:11", "both n and until"},
    {"send a point", "steps:\n - send: {from: a, to: b, n: 1.5}\n", "2:31",
     "only whole numbers"},
    {"send a comma", "steps:\n - send: {from: a, to: b, n: ceil(3, 2)}\n",
     "2:36", "that contains a comma"},
    {"send from", "steps:\n - send: {to: b, n: 1}\n", "2:11",
     "needs the key 'from'"},
    {"send until", "steps:\n - send: {from: a, to: b, until: pfc}\n", "2:34",
     "one of: count, xoff, drop, xon; found 'pfc'"},
    {"send dscp", "steps:\n - send: {from: a, to: b, n: 1, dscp: 64}\n", "2:39",
     "dscp to be in 0..63, found 64"},
    {"send size", "steps:\n - send: {from: a, to: b, n: 1, size: 2*x}\n",
     "2:41", "in size: 'x' is text"},
    {"run", "steps:\n - run: {}\n", "2:4", "run needs s, ms, us or ns"},
    {"run unit", "steps:\n - run: {min: 1}\n", "2:10", "s, ms, us, ns"},
    {"object kind", "steps:\n - snap: {show: [pgs a.3]}\n", "2:18",
     "expected 'port NAME'"},
    {"object index", "steps:\n - snap: {show: [pg a]}\n", "2:18",
     "expected 'port NAME'"},
    {"object number", "steps:\n - snap: {show: [pg a.b]}\n", "2:18",
     "found 'pg a.b'"},
    {"snap twice", "steps:\n - snap: {name: a}\n - snap: {name: a}\n", "3:11",
     "already takes a snap 'a'"},
    {"expect what", "steps:\n - expect: {obj: port a, stat: x}\n", "2:13",
     "needs one of: ==, >, >=, <, <=, in, trend"},
    {"expect vs", "steps:\n - expect: {obj: port a, stat: x, vs: q, <: 1}\n",
     "2:13", "no earlier step takes a snap 'q'"},
    {"expect unquoted", "steps:\n - expect: {obj: port a, stat: x, >: 1}\n",
     "2:35", "quote it"},
    {"expect in", "steps:\n - expect: {obj: port a, stat: x, in: [1]}\n",
     "2:40", "[lowest, highest]"},
    {"expect in order",
     "steps:\n - expect: {obj: port a, stat: x, in: [2, 1]}\n", "2:40",
     "found [2, 1]"},
    {"pfc what", "steps:\n - expect_pfc: {port: a, prio: 3}\n", "2:17",
     "needs state, or frames together with vs"},
    {"pfc frames",
     "steps:\n - expect_pfc: {port: a, prio: 3, frames: stable}\n", "2:17",
     "needs state, or frames together with vs"},
    {"pfc prio", "steps:\n - expect_pfc: {port: a, prio: 8, state: xon}\n",
     "2:32", "prio to be in 0..7"},
    {"rx nothing", "steps:\n - expect_rx: {port: a}\n", "2:16",
     "needs n, permille or order"},
    {"rx where", "steps:\n - expect_rx: {port: a, n: 1, where: {ttl: 1}}\n",
     "2:39", "no key 'ttl'; expected one of: dscp, queue, ce"},
};

static void
test_errors_name_their_place(void **state)
{
    size_t n_wrong = 0;

    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        const struct bad *bad = &bads[i];
        const struct parser_input input = {
            .file = "f.yaml", .text = bad->text, .length = strlen(bad->text)};
        struct scenario *scenario = NULL;
        struct err err = {0};
        char place[64] = "f.yaml:";

        strcat(place, bad->place);
        strcat(place, ": ");
        assert_int_equal(parser_load(&input, 0, NULL, &scenario, &err),
                         ST_INVALID);
        assert_null(scenario);
        if (strncmp(err.reason, place, strlen(place)) ||
            !strstr(err.reason, bad->reason)) {
            print_error("%s: expected %s...%s, got %s\n", bad->name, place,
                        bad->reason, err.reason);
            n_wrong++;
        }
    }
    assert_int_equal(n_wrong, 0);
}

static void
test_any_cut_or_flipped_file_is_answered(void **state)
{
    static const char good[] =
        "params: {a: 3, b: $a * 2}\n"
        "steps:\n"
        "  - send: {from: Ethernet0, to: Ethernet4, n: $a, dscp: 3}\n"
        "  - snap: {name: s, show: [pg Ethernet0|3, pool p]}\n"
        "  - expect: [{obj: pg Ethernet0|3, stat: x, in: [$a, $b], vs: s}]\n"
        "  - expect_rx: {port: Ethernet4, n: $b - 1, where: {ce: 0}}\n";
    unsigned int seed = 1;

    (void)state;
    for (size_t i = 0; i < 4 * sizeof good; i++) {
        /* On the heap and exactly as long, so that a sanitizer sees reading
         * beyond it. */
        size_t n = i < sizeof good ? i : sizeof good - 1;
        char *text = malloc(n + 1);
        const struct parser_input input = {
            .file = "f", .text = text, .length = n};
        struct scenario *scenario = NULL;
        struct err err;

        memcpy(text, good, n);
        if (i >= sizeof good) {
            seed = seed * 1103515245 + 12345;
            text[(seed >> 8) % n] = (char)(seed >> 20);
        }
        if (!parser_load(&input, 0, NULL, &scenario, &err)) {
            scenario_destroy(scenario);
        }
        free(text);
    }
}

static void
test_a_file_that_is_not_there(void **state)
{
    char nowhere[TEMPFILE_SIZE];
    const struct parser_input input = {.file = nowhere};
    struct scenario *scenario;
    struct err err;

    (void)state;
    tempfile_missing(nowhere, "x.yaml");
    assert_int_equal(parser_load(&input, 0, NULL, &scenario, &err),
                     ST_NOT_FOUND);
    assert_non_null(strstr(err.reason, nowhere));
}

/* Returns the size that step 0 of 'text' sends, loaded with 'value' at 'name'
 * (NULL: without). */
static uint32_t
cached_size(struct document_cache *cache, const char *text, const char *name,
            const char *value)
{
    const struct parser_set set = {name, value};
    const struct parser_input input = {.file = "dir/file.yaml",
                                       .text = text,
                                       .length = strlen(text),
                                       .sets = &set,
                                       .n_sets = name ? 1 : 0,
                                       .cache = cache};
    struct scenario *scenario = NULL;
    struct err err = {0};
    uint32_t size;

    if (parser_load(&input, 0, NULL, &scenario, &err)) {
        fail_msg("%s", err.reason);
    }
    assert_string_equal(scenario->steps[0].place.file, "dir/file.yaml");
    assert_int_equal(scenario->steps[0].place.line, 3);
    size = scenario->steps[0].send.size_bytes;
    scenario_destroy(scenario);
    return size;
}

/* A tree that was parsed before is as good as a new one, also after a
 * path has changed it. */
static void
test_trees_are_used_again(void **state)
{
    static const char text[] = "params: {n: 100}\n"
                               "steps:\n"
                               "  - send: {from: A, to: B, n: 1, size: $n}\n";
    static const char other[] = "params: {n: 101}\n"
                                "steps:\n"
                                "  - send: {from: A, to: B, n: 1, size: $n}\n";
    struct document_cache *cache = document_cache_create();
    char filler[sizeof other + 16];

    (void)state;
    for (unsigned int i = 0; i < 3; i++) {
        assert_int_equal(cached_size(cache, text, NULL, NULL), 100);
        assert_int_equal(cached_size(cache, other, NULL, NULL), 101);
        assert_int_equal(cached_size(cache, text, "n", "200"), 200);
        assert_int_equal(cached_size(cache, text, "steps.0.send.size", "300"),
                         300);
    }
    /* More texts than a cache keeps. */
    for (unsigned int i = 0; i < 2 * DOCUMENT_CACHE_TREES; i++) {
        text_format(filler, sizeof filler, "%s# %u\n", other, i);
        assert_int_equal(cached_size(cache, filler, NULL, NULL), 101);
    }
    assert_int_equal(cached_size(cache, text, NULL, NULL), 100);
    document_cache_destroy(cache);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verbs_of_one_word),
        cmocka_unit_test(test_all_verbs),
        cmocka_unit_test(test_name_defaults_to_the_file),
        cmocka_unit_test(test_errors_name_their_place),
        cmocka_unit_test(test_any_cut_or_flipped_file_is_answered),
        cmocka_unit_test(test_a_file_that_is_not_there),
        cmocka_unit_test(test_trees_are_used_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
