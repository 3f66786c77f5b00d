/* SPDX-License-Identifier: Apache-2.0 */

/* Breakpoint scenarios, their expressions, and their runner.
 *
 * An input is read as a scenario, with values from outside behind it
 * (bytes_file()), and as an expression.  It is loaded without a bench, and on
 * one that knows some facts and answers anything.  A scenario that loads is run
 * against a switch that answers anything. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "breakpoint/bench.h"
#include "breakpoint/expression.h"
#include "breakpoint/parser.h"
#include "breakpoint/runner.h"
#include "tests/fuzz/fuzz.h"

/* A switch without rhyme or reason; equal questions in equal order get equal
 * answers. */
struct whim {
    struct target target;
    uint32_t state;
};

static uint32_t
whim_next(struct target *target, uint32_t n)
{
    struct whim *whim = (struct whim *)target;

    whim->state = whim->state * 1103515245 + 12345;
    return (whim->state >> 16) % n;
}

static enum st
whim_answer(struct target *target, struct err *err)
{
    static const enum st bad[] = {ST_INVALID, ST_NOT_FOUND, ST_DEVICE, ST_IO};

    if (whim_next(target, 50)) {
        return ST_OK;
    }
    return err_set(err, bad[whim_next(target, 4)], "whim", "not today");
}

static enum st
whim_block(struct target *target, const struct target_block *block,
           struct err *err)
{
    FUZZ_CHECK(block->port && block->way < N_TARGET_BLOCKS);
    return whim_answer(target, err);
}

static enum st
whim_send(struct target *target, const struct target_send *send,
          struct target_sent *sent, struct err *err)
{
    FUZZ_CHECK(send->from && send->to && send->dscp < 64 && send->ecn < 4);
    sent->sent = whim_next(target, 1000);
    sent->reached = whim_next(target, 10) > 0;
    sent->xoff = whim_next(target, 2);
    return whim_answer(target, err);
}

static enum st
whim_settle(struct target *target, struct err *err)
{
    return whim_answer(target, err);
}

static enum st
whim_run(struct target *target, uint64_t ns, struct err *err)
{
    (void)ns;
    return whim_answer(target, err);
}

static enum st
whim_read(struct target *target, const struct target_object *objects, size_t n,
          struct arena *arena, struct target_reading *readings, struct err *err)
{
    static const char *const names[] = {"packets", "dropped", "xoff",
                                        "shared_bytes", "pfc_3_xoff"};

    for (size_t i = 0; i < n; i++) {
        struct target_stat *stats = arena_alloc(arena, 5, sizeof *stats);

        FUZZ_CHECK(objects[i].kind < N_TARGET_KINDS && objects[i].name[0]);
        for (size_t k = 0; k < 5; k++) {
            stats[k].name = names[k];
            stats[k].value = whim_next(target, 3)
                                 ? whim_next(target, 10)
                                 : UINT64_MAX - whim_next(target, 10);
        }
        readings[i].n = whim_next(target, 20) ? 5 : 0;
        readings[i].stats = stats;
    }
    return whim_answer(target, err);
}

static enum st
whim_clear(struct target *target, const struct target_object *objects, size_t n,
           struct err *err)
{
    (void)objects;
    (void)n;
    return whim_answer(target, err);
}

static enum st
whim_received(struct target *target, const char *port, struct arena *arena,
              const struct target_frames **rows, size_t *n, struct err *err)
{
    struct target_frames *made = arena_alloc(arena, 3, sizeof *made);

    FUZZ_CHECK(port[0]);
    *n = whim_next(target, 4);
    for (size_t i = 0; i < *n; i++) {
        made[i].dscp = (uint8_t)whim_next(target, 64);
        made[i].queue = (uint8_t)whim_next(target, 8);
        made[i].ecn = (uint8_t)whim_next(target, 4);
        made[i].frames = whim_next(target, 5);
    }
    *rows = made;
    return whim_answer(target, err);
}

static enum st
whim_trace(struct target *target, const char *port, struct err *err)
{
    FUZZ_CHECK(port);
    return whim_answer(target, err);
}

static enum st
whim_configure(struct target *target, const struct target_row *rows, size_t n,
               struct arena *arena, struct target_answer *answers,
               struct err *err)
{
    static const char *const states[] = {"", "applied", "rejected"};

    (void)arena;
    for (size_t i = 0; i < n; i++) {
        FUZZ_CHECK(rows[i].key && (!rows[i].n_fields || rows[i].fields));
        answers[i] = (struct target_answer){states[whim_next(target, 3)],
                                            "range", "too large"};
    }
    return whim_answer(target, err);
}

static enum st
whim_set(struct target *target, const struct target_set *set, struct err *err)
{
    FUZZ_CHECK(set->object.name && set->attribute && set->value);
    return whim_answer(target, err);
}

static enum st
whim_peer(struct target *target, const struct target_peer *peer,
          struct err *err)
{
    FUZZ_CHECK(peer->port);
    return whim_answer(target, err);
}

static enum st
whim_flow_start(struct target *target, const struct target_flow *flow,
                struct err *err)
{
    FUZZ_CHECK(flow->name && flow->from && flow->to);
    FUZZ_CHECK(flow->priority < 8 && flow->pattern < N_TARGET_PATTERNS);
    return whim_answer(target, err);
}

static enum st
whim_storm_start(struct target *target, const struct target_storm *storm,
                 struct err *err)
{
    FUZZ_CHECK(storm->port && storm->interval_ns);
    return whim_answer(target, err);
}

static const struct target_ops whim_ops = {
    .block = whim_block,
    .send = whim_send,
    .settle = whim_settle,
    .run = whim_run,
    .read = whim_read,
    .clear = whim_clear,
    .trace = whim_trace,
    .received = whim_received,
    .configure = whim_configure,
    .set = whim_set,
    .peer = whim_peer,
    .flow_start = whim_flow_start,
    .flow_stop = whim_trace,
    .storm_start = whim_storm_start,
    .storm_stop = whim_trace,
};

/* A bench with such a switch. */
struct whim_bench {
    struct bench bench;
    struct whim whim;
};

static enum st
bench_open(struct bench *bench_, const char *chip, struct target **target,
           struct err *err)
{
    struct whim_bench *bench = (struct whim_bench *)bench_;

    *target = &bench->whim.target;
    if (chip && strcmp(chip, "none") == 0) {
        err_set(err, ST_INVALID, "no-chip", "there is no chip '%s'", chip);
        err_set_field(err, "chip", chip, "any but none");
        return ST_INVALID;
    }
    return chip && strcmp(chip, "other") == 0
               ? err_set(err, ST_UNSUPPORTED, BENCH_OTHER_CHIP,
                         "the bench has another chip")
               : ST_OK;
}

static enum st
bench_fact(struct bench *bench, const char *name, const char **text,
           struct err *err)
{
    (void)bench;
    *text = "4";
    return strcmp(name, "lanes_per_port") == 0 ||
                   strcmp(name, "cell_bytes") == 0
               ? ST_OK
               : err_set(err, ST_NOT_FOUND, "no-fact", "there is no %s", name);
}

static enum st
bench_field(struct bench *bench, const char *key, const char *field,
            const char **text, struct err *err)
{
    (void)bench;
    *text = "1000";
    return strcmp(field, "size") == 0 ? ST_OK
                                      : err_set(err, ST_NOT_FOUND, "no-field",
                                                "%s has no %s", key, field);
}

static const struct bench_ops bench_ops = {
    .open = bench_open, .chip_fact = bench_fact, .row_field = bench_field};

/* What the runner tells is consistent. */
static void
on_step(void *context, const struct run_step *step)
{
    size_t *n = context;

    FUZZ_CHECK(step->number == ++*n);
    FUZZ_CHECK(step->number <= step->scenario->n_steps);
    FUZZ_CHECK(step->outcome == RUN_PASSED || step->n_seen ||
               step->err.reason[0]);
    for (size_t i = 0; i < step->n_seen; i++) {
        FUZZ_CHECK(step->outcome != RUN_PASSED || step->seen[i].passed);
    }
}

/* Reads the variants of a scenario and loads the last one.  Another variant
 * than the first may be bad although that is good.  There is none behind the
 * last. */
static void
try_variants(const struct parser_input *input)
{
    struct arena *arena = arena_create(0);
    const char *const *names = NULL;
    struct scenario *scenario = NULL;
    struct err err = {0};
    size_t n = 0;
    enum st st = parser_variants(input, arena, &names, &n, &err);

    if (!st) {
        FUZZ_CHECK(n >= 1 && names);
        FUZZ_CHECK(parser_load(input, n, NULL, &scenario, &err) ==
                   ST_NOT_FOUND);
        st = parser_load(input, n - 1, NULL, &scenario, &err);
    }
    if (st) {
        FUZZ_CHECK(st == ST_INVALID && err.status == st && err.reason[0]);
    } else {
        scenario_destroy(scenario);
    }
    arena_destroy(arena);
}

/* Loads a scenario on a bench, which may fail. */
static void
try_bench(const struct parser_input *input, bool keeps)
{
    struct whim_bench bench = {
        .bench = {.ops = &bench_ops, .keeps_configuration = keeps},
        .whim = {{&whim_ops}, (uint32_t)input->length}};
    struct scenario *scenario = NULL;
    struct err err = {0};

    if (parser_load(input, 0, &bench.bench, &scenario, &err)) {
        FUZZ_CHECK(err.status && err.reason[0]);
    } else {
        scenario_destroy(scenario);
    }
}

static void
try_scenario(const struct bytes_file *file)
{
    struct parser_set sets[BYTES_MAX_SETS];
    const struct parser_input input = {.file = "input.yaml",
                                       .text = file->text,
                                       .length = file->length,
                                       .sets = sets,
                                       .n_sets = file->n_sets};
    struct scenario *scenario = NULL;
    struct err err = {0};
    enum st st;

    for (size_t i = 0; i < file->n_sets; i++) {
        sets[i] = (struct parser_set){file->sets[i].name, file->sets[i].value};
    }
    st = parser_load(&input, 0, NULL, &scenario, &err);
    try_variants(&input);
    try_bench(&input, false);
    try_bench(&input, true);
    if (st != ST_OK) {
        FUZZ_CHECK(st == ST_INVALID);
        FUZZ_CHECK(err.status == st && err.reason[0]);
        return;
    }
    for (uint32_t seed = 0; seed < 4; seed++) {
        struct whim whim = {{&whim_ops}, seed};
        size_t n = 0;
        const struct run_listener listener = {.step = on_step, .context = &n};

        (void)runner_run(scenario, &whim.target, &listener);
    }
    scenario_destroy(scenario);
}

/* Implements expression_lookup_fn. */
static enum st
lookup(void *context, const char *name, size_t length,
       struct expression_value *value, struct err *err)
{
    (void)context;
    if (length == 1 && *name == 'a') {
        *value = (struct expression_value){7, NULL, 0};
    } else if (length == 1 && *name == 'm') {
        *value = (struct expression_value){INT64_MIN, NULL, 0};
    } else {
        return err_set(err, ST_INVALID, "no-parameter", "there is no $%.*s",
                       (int)length, name);
    }
    return ST_OK;
}

static void
try_expression(const char *text)
{
    struct err err = {0};
    struct expression_value value;
    size_t offset = 0;

    if (expression_evaluate(text, lookup, NULL, &value, &offset, &err)) {
        FUZZ_CHECK(err.reason[0]);
        FUZZ_CHECK(offset <= strlen(text));
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes_file file = bytes_file(data, size);

    try_scenario(&file);
    try_expression(file.text);
    free(file.text);
    return 0;
}
