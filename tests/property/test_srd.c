/* SPDX-License-Identifier: Apache-2.0 */

/* Whatever the network does, each datagram is delivered once, and its sender
 * knows what became of it.
 *
 * Two ends send datagrams to each other over paths that lose, copy, delay and
 * break, with every choice of paths and every order of delivery, to queue pairs
 * that have receive requests or not.  What was delivered is what completed with
 * success; packets and bytes are conserved; the invariants of both ends hold
 * after each step.  SRD_SEEDS=n runs more seeds, SRD_SEED=n one. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/seeds.h"
#include "tests/support/srd_pair.h"

#define US INT64_C(1000000)
#define MS INT64_C(1000000000)

enum { N_DATAGRAMS = 150, N_SEEDS = 400 };

struct datagram {
    uint32_t length;
    uint32_t n_delivered, n_completed;
    enum srd_status status;
};

struct exchange {
    struct srd_pair pair;
    uint64_t seed;
    enum srd_order order;
    struct datagram datagrams[2][N_DATAGRAMS];
    uint32_t n_posted[2];
    uint64_t last[2]; /* Delivered at this end: its id, and 1. */
    uint64_t n_attempts[2];
};

static void
expect(const struct exchange *exchange, bool holds, const char *text)
{
    if (!holds) {
        fail_msg("seed %llu: %s", (unsigned long long)exchange->seed, text);
    }
}

static void
completed(void *context, int end, const struct srd_completion *completion)
{
    struct exchange *exchange = context;
    struct datagram *one = &exchange->datagrams[end][completion->id];

    one->n_completed++;
    one->status = completion->status;
    exchange->n_attempts[end] += completion->attempts;
    expect(exchange, completion->length_bytes == one->length,
           "a completion has another length");
    expect(exchange, completion->source_qp == (uint32_t)end,
           "a completion has another queue pair");
}

static void
delivered(void *context, int end, const struct srd_request *datagram)
{
    struct exchange *exchange = context;
    const uint32_t id = datagram->header.words[0];
    struct datagram *one = &exchange->datagrams[!end][id];

    one->n_delivered++;
    expect(exchange, datagram->length_bytes == one->length,
           "a datagram has another length");
    expect(exchange, datagram->header.words[3] == 3, "its header differs");
    expect(exchange,
           exchange->order == SRD_DELIVER || id + 1 > exchange->last[end],
           "a receiver that keeps the order delivers out of order");
    exchange->last[end] = id + 1;
}

static void
draw(struct random *random, struct srd_pair_config *link,
     struct srd_config *config)
{
    *config = srd_config_default;
    config->n_paths = 1 + (uint32_t)random_below(random, 16);
    config->n_entropies = config->n_paths + (uint32_t)random_below(random, 8);
    config->choice = (enum srd_choice)random_below(random, 3);
    config->order = (enum srd_order)random_below(random, 3);
    config->window_packets = 16u << random_below(random, 4);
    config->initial_packets = 1 + (uint32_t)random_below(random, 20);
    config->probe_packets = 1 + (uint32_t)random_below(random, 20);
    config->dead_ps = (1 + (int64_t)random_below(random, 2000)) * US;
    config->line_bps = INT64_C(10000000000);
    config->min_bps = 1000000;
    *link = (struct srd_pair_config){
        .rate_bps = INT64_C(10000000000) * (int64_t)random_below(random, 2),
        .delay_ps = (int64_t)random_below(random, 100) * US,
        .step_ps = (int64_t)random_below(random, 2) * US * 5,
        .jitter_ps = (int64_t)random_below(random, 3) * 30 * US,
        .loss_ppm = (uint32_t)random_below(random, 4) * 20000,
        .copy_ppm = (uint32_t)random_below(random, 3) * 20000,
        .receive_depth = random_below(random, 2) ? 64 : 0,
        .seed = random_u64(random)};
    if (config->choice != SRD_SINGLE) {
        link->broken = (uint32_t)random_below(random, config->n_paths / 2 + 1);
    }
}

/* Posts some of what is left, and receive requests. */
static void
post(struct exchange *exchange, struct random *random, int end)
{
    uint32_t *n = &exchange->n_posted[end];

    while (*n < N_DATAGRAMS && random_below(random, 4)) {
        struct datagram *one = &exchange->datagrams[end][*n];

        one->length = (uint32_t)random_below(random, SRD_MAX_MTU + 1);
        assert_int_equal(srd_pair_post(&exchange->pair, end, *n, one->length),
                         SRD_OK);
        ++*n;
    }
    if (exchange->pair.config.receive_depth && random_below(random, 2)) {
        const enum st st =
            srd_qp_post_receive(&exchange->pair.qps[end],
                                random_below(random, 8) ? SRD_MAX_MTU : 1000);

        assert_true(st == ST_OK || st == ST_NO_RESOURCE);
    }
}

/* Checks what has become of the datagrams that 'end' has sent. */
static void
judge(struct exchange *exchange, int end)
{
    const struct srd *sender = exchange->pair.ends[end];
    const struct srd_counters *counters = srd_counters(sender);

    for (uint32_t i = 0; i < N_DATAGRAMS; i++) {
        const struct datagram *one = &exchange->datagrams[end][i];

        expect(exchange, one->n_completed == 1, "no completion, or several");
        expect(exchange, one->n_delivered == (one->status == SRD_OK),
               "what was delivered differs from what was reported");
        expect(exchange,
               one->status == SRD_OK ||
                   (exchange->pair.config.receive_depth &&
                    (one->status == SRD_RNR ||
                     (one->status == SRD_REMOTE_LENGTH && one->length > 1000))),
               "a wrong status");
    }
    expect(exchange, counters->sent == exchange->n_attempts[end],
           "packets that were sent belong to no datagram");
    expect(exchange, counters->sent == exchange->pair.n_data[end],
           "packets that were counted were not sent");
    expect(exchange, counters->sent == N_DATAGRAMS + counters->retransmitted,
           "packets are not conserved");
    expect(exchange, !srd_flight_bytes(sender) && !srd_outstanding(sender),
           "something is left");
    expect(exchange, exchange->pair.qps[end].n_sends == 0,
           "the queue pair has requests outstanding");
}

static void
run(uint64_t seed)
{
    struct exchange exchange = {.seed = seed};
    struct random random;
    struct srd_pair_config link;
    struct srd_config config;

    random_init(&random, seed);
    draw(&random, &link, &config);
    assert_int_equal(srd_config_check(&config, NULL), ST_OK);
    srd_pair_init(&exchange.pair, &link, &config);
    exchange.order = config.order;
    exchange.pair.completed = completed;
    exchange.pair.delivered = delivered;
    exchange.pair.context = &exchange;
    do {
        for (int end = 0; end < 2; end++) {
            const char *wrong;

            post(&exchange, &random, end);
            wrong = srd_check(exchange.pair.ends[end]);
            expect(&exchange, !wrong, wrong ? wrong : "");
        }
    } while (srd_pair_step(&exchange.pair, 1000000 * MS) ||
             exchange.n_posted[0] < N_DATAGRAMS ||
             exchange.n_posted[1] < N_DATAGRAMS);
    judge(&exchange, 0);
    judge(&exchange, 1);
    srd_pair_fini(&exchange.pair);
}

static void
test_each_once(void **state)
{
    (void)state;
    for_seeds("SRD", N_SEEDS, run);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
