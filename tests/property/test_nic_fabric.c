/* SPDX-License-Identifier: Apache-2.0 */

/* Adapters in a fat tree: no frame is ever missing, and the result depends on
 * the seed alone.
 *
 * Hosts of a fat tree of 4-port switches send messages of random size and
 * operation to random others, most of them to a few: there are marks, pauses
 * and queues in every tier; some adapters are behind a slow PCIe and pause
 * their switch; a link goes down for a while.  At many instants the books of
 * the fabric must balance (fabric_check()).  The digest of all completions,
 * times included, and of what every QP has sent and received must be the same
 * for a second run, for any order of building the fabric, and for other limits
 * on the way; and another for another seed.
 *
 * Usage: test_nic_fabric [SEED [SEEDS]].  A failure prints the seed. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/parse.h"
#include "base/random.h"
#include "tests/support/fat_tree.h"
#include "twin/transport/dcqcn.h"
#include "twin/transport/rc.h"

enum {
    K = 4,
    HOSTS = K * K * K / 4,
    FLOWS = 40,
    SPEED_MBPS = 100000,
    METRES = 20,
    SLOW = 5, /* Every fifth host has a slow PCIe. */
    DEFAULT_SEEDS = 3,
};

#define US INT64_C(1000000)

static const struct wred_profile wred = {
    .colors = {{.marks = true, .mark = {20000, 80000, 20}}}};

struct trial {
    uint64_t seed;
    struct chip chip;
    struct fat_tree tree;
    struct rc_config rc;
    struct dcqcn dcqcn;
    struct connection connections[FLOWS];
    uint64_t digest;
    uint32_t n_completions;
};

/* Over all trials: one in which nothing happens says little. */
static uint64_t pauses;
static uint64_t marks;
static uint64_t again;
static uint64_t slow_pauses;

static void
on_completion(void *context, uint32_t qp,
              const struct rc_completion *completion, int64_t now_ps)
{
    struct trial *trial = context;

    trial->digest = digest_bytes(trial->digest, &qp, sizeof qp);
    trial->digest =
        digest_bytes(trial->digest, &completion->id, sizeof completion->id);
    trial->digest = digest_bytes(trial->digest, &completion->status,
                                 sizeof completion->status);
    trial->digest = digest_bytes(trial->digest, &now_ps, sizeof now_ps);
    trial->n_completions++;
}

static void
make_fabric(struct trial *trial, uint64_t order)
{
    struct fat_tree_config config = {.setup = {.chip = &trial->chip,
                                               .n_ports = K,
                                               .speed_mbps = SPEED_MBPS,
                                               .dynamic_th = -2,
                                               .reserved_bytes = 2000,
                                               .headroom_bytes = 30000,
                                               .xon_offset_bytes = 3000,
                                               .wred = &wred},
                                     .length_m = METRES,
                                     .seed = trial->seed,
                                     .order = order};

    chip_init(&trial->chip);
    trial->chip.ports = K;
    trial->chip.memory_bytes = 400000;
    nic_config_init(&config.nic, SPEED_MBPS);
    config.nic.pause_response_ps = 100000;
    config.nic.shared_fifo = trial->seed % 4 == 3;
    config.nic.rx.size_bytes = 100000;
    config.nic.rx.xoff_bytes[SWITCH_SETUP_LOSSLESS] = 50000;
    config.nic.rx.xon_bytes[SWITCH_SETUP_LOSSLESS] = 30000;
    config.slow_every = SLOW;
    config.slow = (struct nic_pcie_config){.lanes = 8,
                                           .mega_transfers_per_s = 8000,
                                           .max_payload_bytes = 256,
                                           .reads_outstanding = 32,
                                           .read_latency_ps = 700000};
    fat_tree_init(&trial->tree, &config);
    for (uint32_t i = 0; i < HOSTS; i++) {
        nic_set_listener(trial->tree.nics[i], on_completion, trial);
    }
}

static void
make_flows(struct trial *trial)
{
    const struct nic_qp_config qp = {
        .kind = NIC_RC, .rc = &trial->rc, .dcqcn = &trial->dcqcn};
    struct random random;

    random_init(&random, trial->seed);
    for (uint32_t i = 0; i < FLOWS; i++) {
        const uint32_t from = (uint32_t)random_below(&random, HOSTS);
        const uint32_t any = (uint32_t)random_below(&random, HOSTS - 1);
        const uint32_t to = i % 3 && from > 2 ? i % 3 : any + (any >= from);
        struct rc_request request = {
            .id = i,
            .operation = (uint8_t)random_below(&random, RC_N_OPERATIONS),
            .remote_address = 4096,
            .rkey = 1};
        struct connection *connection = &trial->connections[i];

        request.length_bytes = (uint32_t)random_below(&random, 300000);
        connection_init(
            connection,
            (struct connection_end[2]){fat_tree_end(&trial->tree, from),
                                       fat_tree_end(&trial->tree, to)},
            &qp, (uint16_t)(50000 + i));
        orch_assert(nic_post(trial->tree.nics[from], connection->qps[0],
                             &request) == ST_OK);
    }
}

static void
digest_flow(struct trial *trial, const struct nic_flow *flow)
{
    trial->digest = digest_bytes(trial->digest, flow, sizeof *flow);
}

/* Adds what all adapters have counted. */
static void
digest_nics(struct trial *trial)
{
    for (uint32_t i = 0; i < HOSTS; i++) {
        struct nic *nic = trial->tree.nics[i];
        struct nic_stats stats;

        nic_get_stats(nic, &stats);
        slow_pauses += stats.pauses_sent;
        trial->digest = digest_bytes(trial->digest, &stats, sizeof stats);
        for (uint32_t qp = 0; qp < nic_n_qps(nic); qp++) {
            digest_flow(trial, nic_sent(nic, qp));
            digest_flow(trial, nic_received(nic, qp));
            marks += nic_received(nic, qp)->marked;
            again += nic_sent(nic, qp)->again;
        }
    }
}

static void
check_books(const struct trial *trial)
{
    const char *wrong = fabric_check(trial->tree.fabric);

    if (wrong) {
        fprintf(stderr, "test_nic_fabric: seed %llu, %lld ps: %s\n",
                (unsigned long long)trial->seed,
                (long long)engine_now_ps(fabric_engine(trial->tree.fabric)),
                wrong);
        exit(1);
    }
}

/* Runs to the end.  Checks the books every 'step_ps' of the first 200 us.
 * Returns the digest. */
static uint64_t
run(uint64_t seed, uint64_t order, int64_t step_ps)
{
    struct trial *trial = check_calloc(1, sizeof *trial);
    struct fabric_census census;
    struct engine *engine;
    uint64_t digest;

    trial->seed = seed;
    trial->digest = DIGEST_START;
    trial->rc = rc_config_default;
    trial->rc.timeout_exponent = 6; /* 262 us. */
    trial->rc.retry_limit = RC_UNLIMITED_RETRIES;
    orch_assert(dcqcn_init(&trial->dcqcn, dcqcn_profile_get("paper"),
                           (int64_t)SPEED_MBPS * 1000000, NULL) == ST_OK);
    make_fabric(trial, order);
    make_flows(trial);
    engine = fabric_engine(trial->tree.fabric);
    for (int64_t t = 0; t < 200 * US; t += step_ps) {
        engine_run_until(engine, t);
        check_books(trial);
        if (t >= 20 * US) {
            link_set_up(trial->tree.links[HOSTS], t >= 40 * US);
        }
    }
    engine_run_until(engine, EVENT_NEVER);
    check_books(trial);
    orch_assert(trial->n_completions >= FLOWS);
    fabric_take_census(trial->tree.fabric, &census);
    orch_assert(census.frames == 0);
    pauses += census.pauses;
    digest_nics(trial);
    digest = trial->digest;
    fat_tree_fini(&trial->tree);
    for (uint32_t i = 0; i < FLOWS; i++) {
        connection_fini(&trial->connections[i]);
    }
    free(trial);
    return digest;
}

static void
expect_equal(uint64_t seed, const char *what, uint64_t a, uint64_t b)
{
    if (a != b) {
        fprintf(stderr, "test_nic_fabric: seed %llu: %s: %016llx, %016llx\n",
                (unsigned long long)seed, what, (unsigned long long)a,
                (unsigned long long)b);
        exit(1);
    }
}

int
main(int argc, char **argv)
{
    uint64_t first = 1;
    uint64_t n = DEFAULT_SEEDS;
    uint64_t last_digest = 0;

    orch_assert(argc < 2 || parse_u64(argv[1], 0, UINT32_MAX, &first) == ST_OK);
    orch_assert(argc < 3 || parse_u64(argv[2], 1, UINT32_MAX, &n) == ST_OK);
    for (uint64_t seed = first; seed < first + n; seed++) {
        const uint64_t digest = run(seed, 0, US);

        expect_equal(seed, "a second run differs", digest, run(seed, 0, US));
        expect_equal(seed, "another order of building differs", digest,
                     run(seed, seed + 17, US));
        expect_equal(seed, "other limits differ", digest, run(seed, 0, US / 4));
        orch_assert(digest != last_digest);
        last_digest = digest;
    }
    printf("%llu pauses, %llu of adapters, %llu marks, %llu packets again\n",
           (unsigned long long)pauses, (unsigned long long)slow_pauses,
           (unsigned long long)marks, (unsigned long long)again);
    orch_assert(pauses > slow_pauses && slow_pauses && marks && again);
    return 0;
}
