/* SPDX-License-Identifier: Apache-2.0 */

/* Whatever the network does, all messages arrive, in order and once.
 *
 * Two ends send messages to each other over links that lose, copy, reorder and
 * mark segments at random, with every congestion control and every detection of
 * losses.  The invariants of both ends hold after each step.  TCP_SEEDS=n runs
 * more seeds, TCP_SEED=n one. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/seeds.h"
#include "tests/support/tcp_pair.h"

#define US INT64_C(1000000)
#define MS INT64_C(1000000000)

enum { N_MESSAGES = 40, N_SEEDS = 1000 };

struct exchange {
    struct tcp_pair pair;
    uint32_t lengths[2][N_MESSAGES];
    uint32_t n_posted[2], n_sent[2], n_received[2];
};

static void
completed(void *context, int end, const struct tcp_completion *completion)
{
    struct exchange *exchange = context;

    if (completion->is_receive) {
        const uint32_t n = exchange->n_received[end]++;

        assert_int_equal(completion->id, n);
        assert_int_equal(completion->bytes, exchange->lengths[!end][n]);
    } else {
        const uint32_t n = exchange->n_sent[end]++;

        assert_int_equal(completion->id, n);
        assert_int_equal(completion->bytes, exchange->lengths[end][n]);
    }
}

static void
post(struct exchange *exchange, int end)
{
    uint32_t *n = &exchange->n_posted[end];

    while (*n < N_MESSAGES && tcp_post(exchange->pair.ends[end], *n,
                                       exchange->lengths[end][*n]) == ST_OK) {
        ++*n;
    }
}

static void
draw(struct random *random, struct tcp_pair_config *link,
     struct tcp_config *config)
{
    *config = tcp_config_default;
    config->mss_bytes = 64 + (uint32_t)random_below(random, 2000);
    config->window_bytes =
        config->mss_bytes * (2 + (uint32_t)random_below(random, 100));
    config->initial_segments = 1 + (uint32_t)random_below(random, 10);
    config->abc_segments = (uint32_t)random_below(random, 3);
    config->algorithm = (enum tcp_algorithm)random_below(random, 3);
    config->detection = (enum tcp_loss_detection)random_below(random, 3);
    config->ecn = config->algorithm == TCP_DCTCP
                      ? TCP_ECN_DCTCP
                      : (enum tcp_ecn)random_below(random, 2);
    config->min_rto_ps = 1 + (int64_t)random_below(random, 20) * MS;
    config->first_rto_ps = config->min_rto_ps + 10 * MS;
    config->max_rto_ps = 200 * MS;
    config->ack_delay_ps = (int64_t)random_below(random, 3) * MS;
    config->ack_every = (uint16_t)(1 + random_below(random, 4));
    config->send_depth = 4;
    *link = (struct tcp_pair_config){
        .rate_bps = INT64_C(1000000000) * (int64_t)random_below(random, 3),
        .delay_ps = (int64_t)random_below(random, 2000) * US,
        .jitter_ps = (int64_t)random_below(random, 3) * 300 * US,
        .loss_ppm = (uint32_t)random_below(random, 4) * 20000,
        .copy_ppm = (uint32_t)random_below(random, 3) * 10000,
        .mark_ppm = (uint32_t)random_below(random, 3) * 50000,
        .seed = random_u64(random)};
}

static void
run(uint64_t seed)
{
    struct exchange exchange = {.n_posted = {0}};
    struct random random;
    struct tcp_pair_config link;
    struct tcp_config config;
    uint64_t bytes[2] = {0, 0};

    random_init(&random, seed);
    draw(&random, &link, &config);
    tcp_pair_init(&exchange.pair, &link, &config);
    exchange.pair.completed = completed;
    exchange.pair.context = &exchange;
    for (int end = 0; end < 2; end++) {
        for (uint32_t n = 0; n < N_MESSAGES; n++) {
            exchange.lengths[end][n] =
                1 + (uint32_t)random_below(&random, 9000);
            bytes[!end] += exchange.lengths[end][n];
        }
    }
    do {
        for (int end = 0; end < 2; end++) {
            const char *wrong = tcp_check(exchange.pair.ends[end]);

            if (wrong) {
                fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
            }
            post(&exchange, end);
        }
    } while (tcp_pair_step(&exchange.pair, 10000000 * MS));
    for (int end = 0; end < 2; end++) {
        if (exchange.n_sent[end] != N_MESSAGES ||
            exchange.n_received[end] != N_MESSAGES ||
            exchange.pair.delivered_bytes[end] != bytes[end]) {
            fail_msg("seed %llu: %u messages of end %d arrived and %u were "
                     "acknowledged, of %d",
                     (unsigned long long)seed, exchange.n_received[!end], end,
                     exchange.n_sent[end], N_MESSAGES);
        }
        assert_int_equal(tcp_outstanding_bytes(exchange.pair.ends[end]), 0);
        assert_int_equal(tcp_pipe_bytes(exchange.pair.ends[end]), 0);
    }
    tcp_pair_fini(&exchange.pair);
}

static void
test_all_arrives(void **state)
{
    (void)state;
    for_seeds("TCP", N_SEEDS, run);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_arrives),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
