/* SPDX-License-Identifier: Apache-2.0 */

/* What a probe finds is what configuration and chip imply.
 *
 * Random switches: chip, size of pools, thresholds, guarantees, headroom, size
 * of packets, and what another group holds of the pool meanwhile.  Each is
 * configured as rows of CONFIG_DB on a switch of this process, probed without
 * any knowledge of it, and the answer compared with arithmetic
 * (breakpoint/thresholds.h; what is shared is worked out here).  A failure
 * prints the configuration as a scenario, which "orchctl breakpoint probe"
 * takes. */

#include <config.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/text.h"
#include "breakpoint/bench.h"
#include "breakpoint/parser.h"
#include "breakpoint/probe.h"
#include "breakpoint/scenario.h"
#include "breakpoint/thresholds.h"
#include "offline/offline_bench.h"

#define N_CASES        300
#define SEED           20
#define N_PORTS        4
#define N_LOSSLESS     2 /* Groups of a port. */
#define PRIORITY       3
#define OTHER_PRIORITY 4
#define LOSSY_DSCP     0
#define LIMIT          200000

/* A chip, as far as a pool's arithmetic is concerned. */
struct chip {
    const char *name;
    struct thresholds_chip theory;
    uint64_t fixed_bytes, minus_shp, minus_pg_size, minus_pg_min;
    uint64_t per_port, minus_extra, extra, divided, default_ports;
    uint64_t memory_bytes, lanes, voq_cap_bytes;
    bool shares_egress; /* Queues share what groups share. */
    bool interleaves;   /* Neighbours are not in the same partition. */
};

static const char *const chip_names[] = {"td2", "td3",  "th",   "th5",    "th6",
                                         "jr2", "spc1", "spc3", "tofino2"};

#define N_CHIPS (sizeof chip_names / sizeof chip_names[0])

struct world {
    struct bench *bench;
    struct chip chips[N_CHIPS];
};

/* A switch, and what is asked. */
struct drawn {
    const struct chip *chip;
    enum probe_kind kind;
    struct thresholds_group group;
    uint64_t pool_bytes, egress_bytes;
    uint64_t queue_bytes;
    struct thresholds_limit queue_limit;
    uint32_t packet_bytes;
    uint64_t other_packets; /* That another group holds. */
    char ports[N_PORTS][16];
};

/* --- The chips ----------------------------------------------------------- */

static uint64_t
fact(struct bench *bench, const char *name)
{
    const char *text;
    struct err err;

    assert_int_equal(bench->ops->chip_fact(bench, name, &text, &err), ST_OK);
    return strtoull(text, NULL, 10);
}

static bool
fact_is(struct bench *bench, const char *name, const char *word)
{
    const char *text;
    struct err err;

    assert_int_equal(bench->ops->chip_fact(bench, name, &text, &err), ST_OK);
    return !strcmp(text, word);
}

static void
read_chip(struct bench *bench, const char *name, struct chip *chip)
{
    struct target *target;
    struct err err = {0};

    assert_int_equal(bench->ops->open(bench, name, &target, &err), ST_OK);
    assert_int_equal(thresholds_chip_read(bench, &chip->theory, &err), ST_OK);
    chip->name = name;
    chip->fixed_bytes = fact(bench, "shared_fixed_bytes");
    chip->minus_shp = fact(bench, "shared_minus_shp");
    chip->minus_pg_size = fact(bench, "shared_minus_pg_size");
    chip->minus_pg_min = fact(bench, "shared_minus_pg_min");
    chip->per_port = fact(bench, "shared_per_port_cells");
    chip->minus_extra = fact(bench, "shared_minus_extra");
    chip->extra = fact(bench, "extra_cells");
    chip->divided = fact(bench, "shared_divided");
    chip->default_ports = fact(bench, "default_ports");
    chip->memory_bytes = fact(bench, "memory_bytes");
    chip->lanes = fact(bench, "lanes_per_port");
    chip->voq_cap_bytes = fact(bench, "voq_cap_bytes");
    chip->shares_egress = fact_is(bench, "egress_shared", "ingress_shared");
    chip->interleaves = fact_is(bench, "port_partition", "interleave");
}

static int
begin(void **state)
{
    static struct world world;
    static const struct offline_bench_options options = {
        .yang_dir = YANG_DIR, .sai = SOFTASIC, .chips = CHIPS_DIR};
    struct err err = {0};

    if (offline_bench_create(&options, &world.bench, &err)) {
        fprintf(stderr, "%s\n", err.reason);
        return 1;
    }
    for (size_t i = 0; i < N_CHIPS; i++) {
        read_chip(world.bench, chip_names[i], &world.chips[i]);
    }
    *state = &world;
    return 0;
}

static int
finish(void **state)
{
    offline_bench_destroy(((struct world *)*state)->bench);
    return 0;
}

/* --- Drawing ------------------------------------------------------------- */

static uint64_t
between(struct random *random, uint64_t low, uint64_t high)
{
    return low + random_below(random, high - low + 1);
}

static uint64_t
round_up(uint64_t value, uint64_t by)
{
    return (value + by - 1) / by;
}

/* Returns what the chip takes off the pool, in units. */
static uint64_t
taken(const struct drawn *drawn, uint64_t guarantee)
{
    const struct chip *chip = drawn->chip;
    const uint64_t unit = chip->theory.unit_bytes;
    const uint64_t n_ports =
        chip->default_ports > N_PORTS ? chip->default_ports : N_PORTS;
    const uint64_t n_groups = (uint64_t)N_PORTS * N_LOSSLESS;

    return chip->minus_shp * round_up(drawn->group.pool_xoff_bytes, unit) +
           chip->minus_pg_size * n_groups *
               round_up(drawn->group.size_bytes, unit) +
           chip->minus_pg_min * n_groups * guarantee +
           chip->per_port * n_ports + chip->minus_extra * chip->extra;
}

/* Returns what groups share of the pool in a partition. */
static uint64_t
shared(const struct drawn *drawn, uint64_t guarantee)
{
    const struct chip *chip = drawn->chip;
    const uint64_t bytes =
        chip->fixed_bytes ? chip->fixed_bytes : drawn->pool_bytes;

    return (bytes / chip->theory.unit_bytes - taken(drawn, guarantee)) /
           (chip->divided ? chip->theory.partitions : 1);
}

static void
draw_limit(struct random *random, uint64_t cell, struct thresholds_limit *limit)
{
    limit->is_static = !random_below(random, 4);
    limit->dynamic_th = (int)between(random, 0, 9) - 7; /* To 2. */
    limit->static_th_bytes =
        between(random, 30, 600) * cell + random_below(random, cell);
}

static void
draw_group(struct random *random, struct drawn *drawn, uint64_t cell)
{
    struct thresholds_group *group = &drawn->group;
    const struct thresholds_chip *chip = &drawn->chip->theory;
    const uint64_t packet =
        thresholds_packet(chip, drawn->packet_bytes) * chip->unit_bytes;

    group->xoff_bytes = packet * between(random, 2, 40) +
                        chip->headroom_overhead * chip->unit_bytes +
                        random_below(random, packet);
    group->size_bytes =
        random_below(random, 20) * cell + random_below(random, cell);
    if (chip->port_share || chip->size_minus_xoff) {
        group->size_bytes += group->xoff_bytes;
    }
    group->xon_bytes = random_below(random, 8) * cell;
    group->xon_offset_bytes = 2 * packet + random_below(random, 12) * cell;
    if (drawn->kind == PROBE_HEADROOM_POOL || random_below(random, 2)) {
        /* For all groups of a partition or for some. */
        group->pool_xoff_bytes =
            chip->partitions *
            (4 * packet + between(random, 4, 22) * group->xoff_bytes / 4);
    }
    group->port_headroom_bytes = N_LOSSLESS * group->xoff_bytes;
    draw_limit(random, cell, &group->limit);
}

/* Draws a case of which the pool is large enough for all that is in it. */
static void
draw(struct random *random, const struct world *world, struct drawn *drawn)
{
    static const uint32_t packets[] = {60, 64, 208, 300, 1024, 1500, 9100};
    const struct chip *chip = &world->chips[random_below(random, N_CHIPS)];
    const struct thresholds_chip *theory = &chip->theory;
    const uint64_t cell = theory->unit_bytes > 1 ? theory->unit_bytes : 256;
    struct thresholds_result thresholds;

    memset(drawn, 0, sizeof *drawn);
    drawn->chip = chip;
    drawn->kind = (enum probe_kind)random_below(random, N_PROBE_KINDS);
    drawn->packet_bytes = packets[random_below(random, 7)];
    for (size_t i = 0; i < N_PORTS; i++) {
        const uint64_t step = chip->interleaves ? theory->partitions : 1;

        text_format(drawn->ports[i], sizeof drawn->ports[i], "Ethernet%" PRIu64,
                    i * step * chip->lanes);
    }
    draw_group(random, drawn, cell);
    thresholds_of_group(theory, &drawn->group, drawn->packet_bytes,
                        &thresholds);
    drawn->pool_bytes = (between(random, 3000, 9000) * cell /
                             theory->unit_bytes * theory->partitions +
                         taken(drawn, thresholds.guarantee)) *
                            theory->unit_bytes +
                        random_below(random, cell);
    drawn->group.shared = shared(drawn, thresholds.guarantee);
    drawn->egress_bytes =
        between(random, 1000, 9000) * cell * theory->partitions;
    drawn->queue_bytes =
        random_below(random, 20) * cell + random_below(random, cell);
    draw_limit(random, cell, &drawn->queue_limit);
    if (drawn->kind != PROBE_EGRESS_DROP) {
        thresholds_of_group(theory, &drawn->group, drawn->packet_bytes,
                            &thresholds);
        drawn->other_packets =
            random_below(random, thresholds.pause_at / 2 + 1);
    }
}

/* --- The scenario -------------------------------------------------------- */

static void
add_limit(struct text *text, const struct thresholds_limit *limit)
{
    if (limit->is_static) {
        text_addf(text, "static_th: %" PRIu64, limit->static_th_bytes);
    } else {
        text_addf(text, "dynamic_th: %d", limit->dynamic_th);
    }
}

static void
add_profiles(const struct drawn *drawn, struct text *text)
{
    const struct thresholds_group *group = &drawn->group;

    text_addf(
        text,
        "  BUFFER_POOL|in: {type: ingress, mode: dynamic, size: %" PRIu64
        ", xoff: %" PRIu64 "}\n"
        "  BUFFER_POOL|out: {type: egress, mode: static, size: %" PRIu64 "}\n"
        "  BUFFER_POOL|lossy: {type: egress, mode: dynamic, size: %" PRIu64
        "}\n",
        drawn->pool_bytes, group->pool_xoff_bytes, drawn->chip->memory_bytes,
        drawn->egress_bytes);
    text_addf(text,
              "  BUFFER_PROFILE|in_lossless: {pool: in, size: %" PRIu64
              ", xon: %" PRIu64 ", xon_offset: %" PRIu64 ", xoff: %" PRIu64
              ", ",
              group->size_bytes, group->xon_bytes, group->xon_offset_bytes,
              group->xoff_bytes);
    add_limit(text, &group->limit);
    text_addf(text,
              "}\n  BUFFER_PROFILE|in_lossy: {pool: in, size: 0, static_th: "
              "%" PRIu64 "}\n"
              "  BUFFER_PROFILE|out_lossless: {pool: out, size: 0, static_th: "
              "%" PRIu64 "}\n"
              "  BUFFER_PROFILE|out_lossy: {pool: lossy, size: %" PRIu64 ", ",
              drawn->chip->memory_bytes, drawn->chip->memory_bytes,
              drawn->queue_bytes);
    add_limit(text, &drawn->queue_limit);
    text_add(text, "}\n");
}

static void
write_scenario(const struct drawn *drawn, struct text *text)
{
    text_addf(text, "topology: {chip: %s, ports: [%s, %s, %s, %s]}\n",
              drawn->chip->name, drawn->ports[0], drawn->ports[1],
              drawn->ports[2], drawn->ports[3]);
    text_add(text, "steps: [settle]\nconfig:\n"
                   "  DSCP_TO_TC_MAP|A: {\"0\": 0, \"3\": 3, \"4\": 4}\n"
                   "  TC_TO_QUEUE_MAP|A: {\"0\": 0, \"3\": 3, \"4\": 4}\n"
                   "  TC_TO_PRIORITY_GROUP_MAP|A: {\"0\": 0, \"3\": 3, "
                   "\"4\": 4}\n");
    add_profiles(drawn, text);
    for (size_t i = 0; i < N_PORTS; i++) {
        const char *port = drawn->ports[i];

        text_addf(text,
                  "  PORT_QOS_MAP|%s: {dscp_to_tc_map: A, tc_to_queue_map: A, "
                  "tc_to_pg_map: A, pfc_enable: \"3,4\"}\n"
                  "  BUFFER_PG|%s|0: {profile: in_lossy}\n"
                  "  BUFFER_PG|%s|3-4: {profile: in_lossless}\n",
                  port, port, port);
        text_addf(text,
                  "  BUFFER_QUEUE|%s|0: {profile: out_lossy}\n"
                  "  BUFFER_QUEUE|%s|3-4: {profile: out_lossless}\n",
                  port, port);
    }
}

/* --- Asking -------------------------------------------------------------- */

/* Lets the other group hold its part, at a port that stays blocked. */
static void
hold(struct target *target, const struct drawn *drawn)
{
    const struct target_block block = {drawn->ports[3], TARGET_BLOCK_TX_ENABLE,
                                       0, true};
    const struct target_send send = {
        .from = drawn->ports[0],
        .to = drawn->ports[3],
        .count = drawn->other_packets,
        .size_bytes = drawn->packet_bytes,
        .dscp = OTHER_PRIORITY,
        .header.ttl = 64,
        .flows = 1,
    };
    struct target_sent sent;
    struct err err = {0};

    assert_int_equal(target->ops->block(target, &block, &err), ST_OK);
    assert_int_equal(target->ops->send(target, &send, &sent, &err), ST_OK);
    assert_false(sent.xoff);
    assert_int_equal(sent.dropped_ingress + sent.dropped_egress, 0);
}

static enum st
ask(struct target *target, const struct drawn *drawn,
    struct probe_result *result, struct err *err)
{
    const bool pool = drawn->kind == PROBE_HEADROOM_POOL;
    const char *from[] = {drawn->ports[0], drawn->ports[1]};
    const uint8_t dscps[] = {drawn->kind == PROBE_EGRESS_DROP ? LOSSY_DSCP
                                                              : PRIORITY,
                             OTHER_PRIORITY};
    const struct probe_options options = {
        .kind = drawn->kind,
        .from = from,
        .n_from = pool ? 2 : 1,
        .dscps = dscps,
        .n_dscps = pool ? 2 : 1,
        .to = drawn->ports[2],
        .other = drawn->kind == PROBE_XON ? drawn->ports[1] : NULL,
        .size_bytes = drawn->packet_bytes,
        .limit = LIMIT,
        .repeats = 1,
    };

    return probe_run(target, &options, result, err);
}

/* Returns the packet that configuration implies; 0: the headroom pool has
 * enough for all. */
static uint64_t
implied(const struct drawn *drawn)
{
    const struct thresholds_chip *chip = &drawn->chip->theory;
    struct thresholds_group group = drawn->group;
    struct thresholds_result thresholds;
    uint64_t held, room, port, own;

    thresholds_of_group(chip, &group, drawn->packet_bytes, &thresholds);
    held = drawn->other_packets * thresholds.packet;
    group.shared -=
        held > thresholds.guarantee ? held - thresholds.guarantee : 0;
    thresholds_of_group(chip, &group, drawn->packet_bytes, &thresholds);
    switch (drawn->kind) {
    case PROBE_XOFF:
        return thresholds.pause_at;
    case PROBE_DROP:
        return thresholds.drop_at;
    case PROBE_XON:
        return thresholds.leave;
    case PROBE_EGRESS_DROP:
        return thresholds_queue_drop(
            chip, drawn->queue_bytes, &drawn->queue_limit,
            drawn->chip->shares_egress
                ? drawn->group.shared
                : drawn->egress_bytes / chip->unit_bytes /
                      (drawn->chip->voq_cap_bytes ? 1 : chip->partitions),
            drawn->packet_bytes);
    case PROBE_HEADROOM_POOL:
    case N_PROBE_KINDS:
    default:
        break;
    }
    /* Four groups at two ports are in headroom; what their pauses have taken of
     * it is gone. */
    room = group.pool_xoff_bytes / chip->unit_bytes / chip->partitions;
    own = round_up(group.xoff_bytes, chip->unit_bytes);
    port = chip->port_share
               ? 2 * own / thresholds.packet
               : 2 * ((own - thresholds.in_headroom) / thresholds.packet);
    if (port > (room - 2 * thresholds.in_headroom) / thresholds.packet) {
        port = (room - 2 * thresholds.in_headroom) / thresholds.packet;
    }
    room = (room - 4 * thresholds.in_headroom) / thresholds.packet;
    return room < 2 * port ? room + 1 : 0;
}

static void
check_case(struct world *world, const struct drawn *drawn, unsigned int number)
{
    struct parser_input input = {.file = "drawn"};
    struct scenario *scenario = NULL;
    struct probe_result *result = test_calloc(1, sizeof *result);
    const uint64_t expected = implied(drawn);
    struct text text = {0};
    struct err err = {0};
    enum st st;
    bool right;

    write_scenario(drawn, &text);
    input.text = text_string(&text);
    input.length = text.length;
    st = parser_load(&input, 0, world->bench, &scenario, &err);
    if (!st && drawn->other_packets && drawn->kind != PROBE_HEADROOM_POOL) {
        hold(scenario->target, drawn);
    }
    st = st ? st : ask(scenario->target, drawn, result, &err);
    right = expected ? !st && result->packets == expected
                     : st && !strcmp(err.code, "not-exhausted");
    if (!right) {
        fprintf(stderr,
                "case %u: probe %s with packets of %u bytes while "
                "%" PRIu64 " others wait: %" PRIu64 ", expected %" PRIu64
                "; %s %s\n%s",
                number, probe_kind_word(drawn->kind), drawn->packet_bytes,
                drawn->other_packets, result->packets, expected, err.code,
                err.reason, text_string(&text));
    }
    scenario_destroy(scenario);
    text_fini(&text);
    test_free(result);
    assert_true(right);
}

static void
test_probe_finds_what_configuration_implies(void **state)
{
    const char *seed = getenv("PROBE_SEED");
    unsigned int n[N_PROBE_KINDS] = {0};
    unsigned int n_without = 0;
    struct random random;

    random_init(&random, seed ? strtoull(seed, NULL, 10) : SEED);
    for (unsigned int i = 0; i < N_CASES; i++) {
        struct drawn drawn;

        draw(&random, *state, &drawn);
        check_case(*state, &drawn, i);
        n[drawn.kind]++;
        n_without += !implied(&drawn);
    }
    for (size_t i = 0; i < N_PROBE_KINDS; i++) {
        assert_true(n[i] > N_CASES / 10);
    }
    assert_in_range(n_without, 1, n[PROBE_HEADROOM_POOL] - 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe_finds_what_configuration_implies),
    };

    return cmocka_run_group_tests_name("probe", tests, begin, finish);
}
