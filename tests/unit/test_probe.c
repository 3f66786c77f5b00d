/* SPDX-License-Identifier: Apache-2.0 */

/* Probes against a switch of a few lines, which also can misbehave. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "breakpoint/probe.h"

/* It stores packets of one byte: so many per group are shared, then the group
 * pauses and uses headroom, of its own and of what all have. */
#define PAUSE_AT   100
#define RESUME_AT  40 /* It goes on when it holds no more. */
#define HEADROOM   50
#define POOL       120
#define QUEUE_MAX  77 /* What a lossy queue holds. */
#define LOSSY_DSCP 0

#define N_GROUPS 8 /* Two ports of four. */
#define N_SINKS  2

struct fake {
    struct target target;
    unsigned int held[N_GROUPS][N_SINKS];
    bool paused[N_GROUPS];
    bool blocked[N_SINKS];
    uint64_t n_sends;

    /* What it does wrong. */
    uint64_t odd_count; /* A send of so many does not pause; 0: none. */
    bool wavers;        /* Each second send pauses five packets later. */
    bool leaks;         /* A packet stays when all others leave. */
    bool no_pfc;        /* The port does not ask for a pause. */
    bool lossy;         /* So are all groups. */
    bool drops_first;   /* A queue drops before its group pauses. */
    uint64_t fails_at;  /* The send of this number fails; 0: none. */
};

static unsigned int
sink_of(const char *port)
{
    return (unsigned int)(port[0] - 'x'); /* "x", "y" */
}

static unsigned int
group_of(const char *port, unsigned int pg)
{
    return (unsigned int)(port[0] - 'a') * 4 + pg; /* "a", "b" */
}

static unsigned int
held_by(const struct fake *fake, unsigned int group)
{
    return fake->held[group][0] + fake->held[group][1];
}

static unsigned int
headroom_of(const struct fake *fake, unsigned int group)
{
    const unsigned int held = held_by(fake, group);

    return held > PAUSE_AT ? held - PAUSE_AT : 0;
}

static bool
is_full(const struct fake *fake, unsigned int group)
{
    unsigned int pool = 0;

    for (unsigned int i = 0; i < N_GROUPS; i++) {
        pool += headroom_of(fake, i);
    }
    return held_by(fake, group) >= PAUSE_AT &&
           (headroom_of(fake, group) == HEADROOM || pool == POOL);
}

static void
empty(struct fake *fake)
{
    for (unsigned int i = 0; i < N_GROUPS; i++) {
        for (unsigned int k = 0; k < N_SINKS; k++) {
            if (!fake->blocked[k]) {
                fake->held[i][k] = fake->leaks && fake->held[i][k] > 50;
            }
        }
        if (held_by(fake, i) <= RESUME_AT) {
            fake->paused[i] = false;
        }
    }
}

static enum st
fake_block(struct target *target, const struct target_block *block,
           struct err *err)
{
    (void)err;
    ((struct fake *)target)->blocked[sink_of(block->port)] = block->blocked;
    return ST_OK;
}

static enum st
fake_send(struct target *target, const struct target_send *send,
          struct target_sent *sent, struct err *err)
{
    struct fake *fake = (struct fake *)target;
    const unsigned int sink = sink_of(send->to);
    const unsigned int group = group_of(send->from, send->dscp);
    const bool lossy = send->dscp == LOSSY_DSCP || fake->drops_first;
    unsigned int pause_at = PAUSE_AT;

    if (++fake->n_sends == fake->fails_at) {
        return err_set(err, ST_IO, "gone", "the switch is gone");
    }
    if (fake->wavers && fake->n_sends % 2) {
        pause_at += 5;
    }
    *sent = (struct target_sent){.pg = send->dscp, .queue = send->dscp};
    while (sent->sent < send->count &&
           !(send->until == TARGET_UNTIL_XOFF && fake->paused[group])) {
        sent->sent++;
        if (!fake->blocked[sink]) {
            continue;
        }
        if (lossy && fake->held[group][sink] == QUEUE_MAX) {
            sent->dropped_egress++;
        } else if (is_full(fake, group)) {
            sent->dropped_ingress++;
        } else {
            fake->held[group][sink]++;
        }
        if (held_by(fake, group) >= pause_at &&
            send->count != fake->odd_count) {
            fake->paused[group] = true;
        }
    }
    sent->reached = send->until == TARGET_UNTIL_COUNT || fake->paused[group];
    return ST_OK;
}

static enum st
fake_settle(struct target *target, struct err *err)
{
    (void)err;
    empty((struct fake *)target);
    return ST_OK;
}

static enum st
fake_read(struct target *target, const struct target_object *objects, size_t n,
          struct arena *arena, struct target_reading *readings, struct err *err)
{
    const struct fake *fake = (const struct fake *)target;
    const struct target_object *object = &objects[0];
    struct target_stat *stats = arena_alloc(arena, 4, sizeof *stats);

    (void)err;
    assert_int_equal(n, 1);
    readings[0] = (struct target_reading){4, stats};
    memset(stats, 0, 4 * sizeof *stats);
    for (size_t i = 0; i < 4; i++) {
        stats[i].name = "-";
    }
    if (object->kind == TARGET_PG) {
        const unsigned int group = group_of(object->name, object->index);
        const unsigned int headroom = headroom_of(fake, group);

        stats[0] = (struct target_stat){"lossless", !fake->lossy};
        stats[1] = (struct target_stat){"xoff", fake->paused[group]};
        stats[2] = (struct target_stat){"shared_bytes",
                                        held_by(fake, group) - headroom};
        stats[3] = (struct target_stat){"headroom_bytes", headroom};
    } else if (object->kind == TARGET_PORT && object->name[0] < 'x') {
        stats[0] = (struct target_stat){
            "pfc_3_xoff",
            fake->paused[group_of(object->name, 3)] && !fake->no_pfc};
        stats[1] = (struct target_stat){
            "pfc_2_xoff",
            fake->paused[group_of(object->name, 2)] && !fake->no_pfc};
    } else if (object->kind == TARGET_PORT) {
        stats[0] = (struct target_stat){"tx_enabled",
                                        !fake->blocked[sink_of(object->name)]};
    }
    return ST_OK;
}

static const struct target_ops fake_ops = {
    .block = fake_block,
    .send = fake_send,
    .settle = fake_settle,
    .read = fake_read,
};

static const char *const from[] = {"a", "b"};
static const uint8_t dscps[] = {3, 2};
static const uint8_t lossy_dscps[] = {LOSSY_DSCP};

static struct fake
fake_make(void)
{
    return (struct fake){.target = {.ops = &fake_ops}};
}

static struct probe_options
options_for(enum probe_kind kind)
{
    const bool pool = kind == PROBE_HEADROOM_POOL;

    return (struct probe_options){
        .kind = kind,
        .from = from,
        .n_from = pool ? 2 : 1,
        .dscps = kind == PROBE_EGRESS_DROP ? lossy_dscps : dscps,
        .n_dscps = pool ? 2 : 1,
        .to = "x",
        .other = kind == PROBE_XON ? "y" : NULL,
        .size_bytes = 64,
        .limit = 1000,
        .repeats = 2,
    };
}

/* Checks that 'fake' is as it was at first. */
static void
check_left(const struct fake *fake)
{
    for (unsigned int i = 0; i < N_GROUPS; i++) {
        assert_int_equal(held_by(fake, i), 0);
        assert_false(fake->paused[i]);
    }
    assert_false(fake->blocked[0]);
    assert_false(fake->blocked[1]);
}

static void
test_probe_finds(void **state)
{
    static const uint64_t expected[N_PROBE_KINDS] = {
        [PROBE_XOFF] = PAUSE_AT,
        [PROBE_DROP] = PAUSE_AT + HEADROOM + 1,
        [PROBE_XON] = PAUSE_AT - RESUME_AT,
        [PROBE_EGRESS_DROP] = QUEUE_MAX + 1,
        [PROBE_HEADROOM_POOL] = POOL + 1,
    };

    (void)state;
    for (unsigned int kind = 0; kind < N_PROBE_KINDS; kind++) {
        const struct probe_options options = options_for((enum probe_kind)kind);
        struct fake fake = fake_make();
        struct probe_result result;
        struct err err = {0};

        assert_int_equal(probe_run(&fake.target, &options, &result, &err),
                         ST_OK);
        assert_int_equal(result.packets, expected[kind]);
        assert_true(result.n_attempts >= result.n_trials);
        assert_true(result.n_packets > expected[kind]);
        check_left(&fake);
    }
}

static void
test_probe_tells_what_is_held(void **state)
{
    const struct probe_options options = options_for(PROBE_HEADROOM_POOL);
    struct fake fake = fake_make();
    struct probe_result result;
    struct err err = {0};

    (void)state;
    assert_int_equal(probe_run(&fake.target, &options, &result, &err), ST_OK);
    assert_int_equal(result.n_groups, 4);
    assert_int_equal(result.alone, 4 * HEADROOM);
    assert_int_equal(result.below.headroom_bytes, POOL);
    assert_int_equal(result.below.shared_bytes, 4 * PAUSE_AT);
    /* The third of four groups has met the end. */
    assert_int_equal(result.object.kind, TARGET_PG);
    assert_string_equal(result.object.name, "b");
    assert_int_equal(result.object.index, 3);
}

/* Runs a probe that has to fail with 'code'. */
static void
check_fails(struct fake *fake, const struct probe_options *options,
            enum st status, const char *code)
{
    struct probe_result result;
    struct err err = {0};

    assert_int_equal(probe_run(&fake->target, options, &result, &err), status);
    assert_string_equal(err.code, code);
    assert_true(*err.reason);
    assert_false(fake->blocked[0] && strcmp(code, "blocked"));
    assert_false(fake->blocked[1]);
}

static void
test_probe_doubts_the_switch(void **state)
{
    const struct probe_options options = options_for(PROBE_XOFF);
    struct fake fake = fake_make();

    (void)state;
    /* Bisection alone would not send 150: a point far away does. */
    fake.odd_count = PAUSE_AT + PAUSE_AT / 2;
    check_fails(&fake, &options, ST_DEVICE, "not-monotonic");
    check_left(&fake);

    fake = fake_make();
    fake.wavers = true;
    check_fails(&fake, &options, ST_DEVICE, "not-repeatable");
    check_left(&fake);

    fake = fake_make();
    fake.leaks = true;
    check_fails(&fake, &options, ST_DEVICE, "not-at-rest");
}

static void
test_probe_says_why_there_is_none(void **state)
{
    struct probe_options options = options_for(PROBE_XOFF);
    struct fake fake = fake_make();

    (void)state;
    fake.lossy = true;
    check_fails(&fake, &options, ST_INVALID, "lossy");
    fake = fake_make();
    fake.no_pfc = true;
    check_fails(&fake, &options, ST_INVALID, "no-pfc");
    check_left(&fake);
    fake = fake_make();
    fake.drops_first = true;
    check_fails(&fake, &options, ST_INVALID, "egress-first");
    check_left(&fake);
    fake = fake_make();
    fake.blocked[0] = true;
    check_fails(&fake, &options, ST_INVALID, "blocked");
    assert_true(fake.blocked[0]); /* Another user's. */

    fake = fake_make();
    options.limit = PAUSE_AT - 1;
    check_fails(&fake, &options, ST_NOT_FOUND, "limit");
    check_left(&fake);
    options.limit = PAUSE_AT; /* It is within. */
    fake = fake_make();
    options.repeats = 0;
    {
        struct probe_result result;
        struct err err = {0};

        assert_int_equal(probe_run(&fake.target, &options, &result, &err),
                         ST_OK);
        assert_int_equal(result.packets, PAUSE_AT);
    }

    options = options_for(PROBE_HEADROOM_POOL);
    options.n_dscps = 1; /* Two groups of 50 leave something of 120. */
    fake = fake_make();
    check_fails(&fake, &options, ST_NOT_FOUND, "not-exhausted");
    check_left(&fake);
}

static void
test_probe_refuses_what_makes_no_sense(void **state)
{
    struct probe_options options;
    struct fake fake = fake_make();

    (void)state;
    options = options_for(PROBE_XON);
    options.other = NULL;
    check_fails(&fake, &options, ST_INVALID, "usage");
    options.other = options.to;
    check_fails(&fake, &options, ST_INVALID, "usage");
    options = options_for(PROBE_XOFF);
    options.other = "y";
    check_fails(&fake, &options, ST_INVALID, "usage");
    options = options_for(PROBE_XOFF);
    options.n_from = 2;
    check_fails(&fake, &options, ST_INVALID, "usage");
    options = options_for(PROBE_HEADROOM_POOL);
    options.n_from = 1;
    check_fails(&fake, &options, ST_INVALID, "usage");
    options = options_for(PROBE_DROP);
    options.limit = 1;
    check_fails(&fake, &options, ST_INVALID, "usage");
    options = options_for(PROBE_DROP);
    options.repeats = PROBE_REPEATS_MAX + 1;
    check_fails(&fake, &options, ST_INVALID, "usage");
    assert_int_equal(fake.n_sends, 0);
}

/* Whichever request fails, the error is reported and no port stays blocked. */
static void
test_probe_puts_in_order(void **state)
{
    (void)state;
    for (unsigned int kind = 0; kind < N_PROBE_KINDS; kind++) {
        const struct probe_options options = options_for((enum probe_kind)kind);

        for (uint64_t i = 1; i < 40; i++) {
            struct fake fake = fake_make();

            fake.fails_at = i;
            /* An xoff or a drop takes fewer. */
            if (kind == PROBE_XON || kind == PROBE_HEADROOM_POOL || i < 15) {
                check_fails(&fake, &options, ST_IO, "gone");
                check_left(&fake);
            }
        }
    }
}

static void
test_probe_kinds_have_words(void **state)
{
    enum probe_kind kind = PROBE_XON;

    (void)state;
    for (unsigned int i = 0; i < N_PROBE_KINDS; i++) {
        assert_true(
            probe_kind_find(probe_kind_word((enum probe_kind)i), &kind));
        assert_int_equal(kind, i);
    }
    assert_false(probe_kind_find("xof", &kind));
    assert_int_equal(kind, N_PROBE_KINDS - 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe_finds),
        cmocka_unit_test(test_probe_tells_what_is_held),
        cmocka_unit_test(test_probe_doubts_the_switch),
        cmocka_unit_test(test_probe_says_why_there_is_none),
        cmocka_unit_test(test_probe_refuses_what_makes_no_sense),
        cmocka_unit_test(test_probe_puts_in_order),
        cmocka_unit_test(test_probe_kinds_have_words),
    };

    return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
