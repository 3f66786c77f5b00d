/* SPDX-License-Identifier: Apache-2.0 */

/* A run on several ranks has the results of a run on one, for every partition
 * of the fabric: random ones, in which neighbors of the same T0 and whole pods
 * are torn apart.
 *
 * RANKS_SEED starts at another partition, RANKS_SEEDS says how many. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/random.h"
#include "lab/exec/run_state.h"
#include "tests/support/hasty_scenario.h"
#include "tests/support/lab_run.h"
#include "tests/support/rank_processes.h"

/* Incast with marks, a permutation, pings, streams. */
#define MIXED                                                                  \
    "name: mixed\n"                                                            \
    "seed: 7\n"                                                                \
    "fabric: {clos: {t0: 4, hosts: 4, t1: 2, rate: 100G},\n"                   \
    "         links: {host: 100m, t0_t1: 300m}}\n"                             \
    "hosts: {default: {dcqcn: paper}}\n"                                       \
    "traffic:\n"                                                               \
    "  - {rc: {pattern: incast, from: 'h-[1..3]-*', to: h-0-0, size: 60KB,\n"  \
    "          repeat: 2}, start: 5us}\n"                                      \
    "  - {rc: {pattern: permutation, size: 40KB, repeat: 2}}\n"                \
    "  - {ping: {pattern: pairs, from: [h-1-0], to: [h-3-2], every: 20us,\n"   \
    "            repeat: 8}}\n"                                                \
    "  - {tcp: {pattern: pairs, from: [h-2-0], to: [h-0-3], size: 30KB,\n"     \
    "           repeat: 6, depth: 2}}\n"                                       \
    "record: {messages: true, histograms: [fct, message, pause],\n"            \
    "         paths: true}\n"                                                  \
    "stop: 4ms\n"                                                              \
    "stop_when_done: true\n"

/* Pauses that spread from the receiver of an incast. */
#define PAUSED                                                                 \
    "name: paused\n"                                                           \
    "fabric:\n"                                                                \
    "  clos: {t0: 4, hosts: 3, t1: 2, rate: 100G}\n"                           \
    "  links: {host: 40m, t0_t1: 40m}\n"                                       \
    "  switch:\n"                                                              \
    "    t0:\n"                                                                \
    "      config: t0-32x100g\n"                                               \
    "      set: {'BUFFER_PROFILE|pg_lossless_100000_40m_profile':\n"           \
    "              {dynamic_th: '-7'}}\n"                                      \
    "hosts: {default: {pcie: gen3x8, rx_fifo: {size: 256KB, xoff: 128KB,\n"    \
    "                                         xon: 64KB}}}\n"                  \
    "traffic:\n"                                                               \
    "  - {rc: {pattern: incast, from: 'h-[1..3]-*', to: h-0-0, size: 1MB}}\n"  \
    "  - {rc: {pattern: permutation, size: 40KB}}\n"                           \
    "record: {histograms: [pause]}\n"                                          \
    "stop: 150us\n"

/* Lossy classes: drops, retransmissions, timeouts, failed queue pairs. */
#define LOSSY                                                                  \
    "name: lossy\n"                                                            \
    "fabric:\n"                                                                \
    "  clos: {t0: 3, hosts: 3, t1: 1, rate: 100G}\n"                           \
    "  links: {host: 40m, t0_t1: 40m}\n"                                       \
    "  switch:\n"                                                              \
    "    t0:\n"                                                                \
    "      config: t0-32x100g\n"                                               \
    "      set: {'BUFFER_PROFILE|egress_lossy_profile': {dynamic_th: '-8'}}\n" \
    "hosts: {default: {rc: {timeout: 3, retries: 2},\n"                        \
    "                  tcp: {min_rto: 50us}}}\n"                               \
    "traffic:\n"                                                               \
    "  - {rc: {pattern: incast, from: 'h-[0..1]-0', to: h-2-0, size: 2MB},\n"  \
    "     priority: 1}\n"                                                      \
    "  - {tcp: {pattern: incast, from: 'h-[0..2]-1', to: h-2-2, size: 1MB},\n" \
    "     priority: 0}\n"                                                      \
    "  - {raw: {pattern: incast, from: 'h-0-*', to: h-2-0, frame: 1000,\n"     \
    "           rate: 80G}, priority: 1, start: 20us}\n"                       \
    "stop: 300us\n"

static const struct {
    const char *name, *text;
} scenarios[] = {{"mixed", MIXED},
                 {"paused", PAUSED},
                 {"lossy", LOSSY},
                 {"hasty", HASTY_SCENARIO}};

enum { N_SCENARIOS = sizeof scenarios / sizeof scenarios[0], SEEDS = 4 };

/* What a run comes to. */
struct outcome {
    uint64_t hash;
    uint64_t n_flows, n_messages, n_drops, n_pauses, n_marks;
};

static struct outcome
outcome_of(struct lab_run *lab)
{
    return (struct outcome){result_hash_get(&lab->hash),
                            lab->n_flows,
                            lab->n_messages,
                            lab->n_drops,
                            lab->n_pauses,
                            lab->n_marks};
}

/* A random partition. */
struct cut {
    uint64_t seed;
    uint32_t n_ranks;
    uint32_t n_lanes; /* At most, of each rank. */
    bool is_divided;  /* This rank has lanes. */
};

static const uint32_t *
make_owners(void *context, const struct topology *topology, struct arena *arena)
{
    const struct cut *cut = context;
    uint32_t *owners = arena_alloc(arena, topology->n_nodes, sizeof *owners);
    struct random random;

    random_init(&random, cut->seed);
    for (uint32_t i = 0; i < topology->n_nodes; i++) {
        owners[i] = (uint32_t)random_below(&random, cut->n_ranks);
    }
    return owners;
}

/* Runs 'text' on the ranks of 'cut', and stores what it comes to. */
static void
run_cut(const char *text, struct cut *cut, struct outcome *outcome)
{
    struct communicator *comm = rank_processes_start(cut->n_ranks);
    const struct lab_run_rank rank = {comm, make_owners, cut, cut->n_lanes};
    struct lab_run *lab = lab_run_create_rank(text, &rank);

    cut->is_divided = lab->run->lanes != NULL;
    /* Ranks may ask for pieces of different lengths. */
    lab_run_all(lab, 70000000 + 9000000 * (int64_t)comm->rank);
    *outcome = outcome_of(lab);
    lab_run_destroy(lab);
    rank_processes_end(comm);
}

static uint64_t
number_of(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void
test_partitions(void **state)
{
    static const uint32_t ranks[] = {2, 4, 8, 3};
    const uint64_t first = number_of("RANKS_SEED", 1);
    const uint64_t n = number_of("RANKS_SEEDS", SEEDS);
    uint32_t n_divided = 0;

    (void)state;
    for (size_t s = 0; s < N_SCENARIOS; s++) {
        struct lab_run *lab = lab_run_create(scenarios[s].text);
        struct outcome alone, shared;

        lab_run_all(lab, 0);
        alone = outcome_of(lab);
        lab_run_destroy(lab);
        print_message("%s: %u flows, %u messages, %u drops, %u pauses, %u "
                      "marks\n",
                      scenarios[s].name, (unsigned int)alone.n_flows,
                      (unsigned int)alone.n_messages,
                      (unsigned int)alone.n_drops, (unsigned int)alone.n_pauses,
                      (unsigned int)alone.n_marks);
        for (uint64_t seed = first; seed < first + n; seed++) {
            struct cut cut = {.seed = seed,
                              .n_ranks = ranks[seed % 4],
                              .n_lanes = seed % 4 == 1 ? 1 : 5};

            run_cut(scenarios[s].text, &cut, &shared);
            if (shared.hash != alone.hash) {
                print_error("%s: RANKS_SEED=%u, %u ranks\n", scenarios[s].name,
                            (unsigned int)seed, (unsigned int)cut.n_ranks);
            }
            assert_int_equal(shared.n_flows, alone.n_flows);
            assert_int_equal(shared.n_messages, alone.n_messages);
            assert_int_equal(shared.n_drops, alone.n_drops);
            assert_int_equal(shared.n_pauses, alone.n_pauses);
            assert_int_equal(shared.n_marks, alone.n_marks);
            assert_int_equal(shared.hash, alone.hash);
            n_divided += cut.is_divided;
        }
    }
    assert_true(n_divided > 0);
}

/* Refusals ----------------------------------------------------------------- */

static void
ignore_neighbors(struct communicator *comm, const bool *are)
{
    (void)comm;
    (void)are;
}

/* What several ranks cannot do is refused by its name, whatever the partition
 * is. */
static void
test_refused(void **state)
{
    static const struct {
        const char *name, *text;
    } rows[] = {
        {"'faults'", "faults: [{link: h-0-0.t0-0, loss: 1e-3}]"},
        {"'restarts'",
         "restarts: [{switch: t0-0, at: 1us, for: 1us, kind: warm}]"},
        {"'record: deadlocks'", "record: {deadlocks: 1ms}"},
        {"'record: gaps'", "record: {gaps: 1ms}"},
        {"'record: pcap'", "record: {pcap: {at: [h-0-0.t0-0]}}"},
        {"'watchdog'",
         "fabric: {star: {hosts: 2}, switch: {t0: {watchdog: on}}}"},
        {"'card'", "hosts: {default: {pcie: gen3x8, card: on}}"},
        {"'cpu'", "hosts: {default: {cpu: {cores: 4}}}"},
        {"'ber or llr'",
         "fabric: {star: {hosts: 2}, links: {host: {length: 10m, ber: 1e-9}}}"},
        {"'srd'", "traffic: [{srd: {pattern: pairs, from: h-0-0, to: h-0-1, "
                  "size: 1KB}}]"},
        {"'compute'",
         "traffic: [{tcp: {pattern: pairs, from: h-0-0, to: h-0-1, size: 1KB,"
         " repeat: 2, compute: 10us}}]"},
        {"'verb: read'",
         "traffic: [{rc: {pattern: pairs, from: h-0-0, to: h-0-1, size: 1KB,"
         " verb: read}}]"},
    };
    struct communicator comm = {.n_ranks = 2,
                                .set_neighbors = ignore_neighbors};
    struct cut cut = {.seed = 1, .n_ranks = 2};
    const struct lab_run_rank rank = {&comm, make_owners, &cut, 1};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct err err = {0};
        char text[512];

        (void)snprintf(text, sizeof text, "name: x\n%s%s\nstop: 1s\n",
                       strncmp(rows[i].text, "fabric", 6)
                           ? "fabric: {star: {hosts: 2}}\n"
                           : "",
                       rows[i].text);
        lab_run_refuse_rank(text, &rank, &err);
        if (!strstr(err.reason, rows[i].name)) {
            print_error("%s: %s\n", rows[i].name, err.reason);
        }
        assert_non_null(strstr(err.reason, rows[i].name));
        assert_non_null(strstr(err.remedy, "one rank"));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_partitions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
