/* SPDX-License-Identifier: Apache-2.0 */

/* Two RC queue pairs over a link that loses, copies and (not with go-back-0)
 * reorders packets: every message arrives once and in order, nothing hangs, and
 * bytes are conserved, for random configurations and traffic.  RC_SEEDS=n runs
 * more of them, RC_SEED=n starts elsewhere; failures print the seed. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/rc_pair.h"

enum { N_SEEDS = 300, N_MESSAGES = 40 };

#define US INT64_C(1000000)

/* What one end has posted. */
struct side {
    struct rc_request requests[N_MESSAGES];
    uint32_t n_posted;
    uint32_t n_completed;
    uint32_t n_receives_posted;
    uint32_t n_receives_completed;
    uint32_t n_received; /* The peer's request that the next receive matches. */
};

struct run {
    struct rc_pair pair;
    struct side sides[2];
    struct random random;
};

static uint32_t
below(struct random *random, uint32_t n)
{
    return (uint32_t)random_below(random, n);
}

static bool
needs_receive(const struct rc_request *request)
{
    return request->operation == RC_SEND ||
           request->operation == RC_SEND_IMMEDIATE ||
           request->operation == RC_SEND_INVALIDATE ||
           request->operation == RC_WRITE_IMMEDIATE;
}

static bool
has_immediate(const struct rc_request *request)
{
    return request->operation == RC_SEND_IMMEDIATE ||
           request->operation == RC_WRITE_IMMEDIATE;
}

/* Each completion belongs to the next request, or to the next of the peer's
 * requests that needs a receive. */
static void
completed(void *context, int end, const struct rc_completion *completion)
{
    struct run *run = context;
    struct side *side = &run->sides[end];
    struct side *peer = &run->sides[!end];
    const struct rc_request *request;

    assert_int_equal(completion->status, RC_STATUS_OK);
    if (!completion->is_receive) {
        assert_true(side->n_completed < side->n_posted);
        request = &side->requests[side->n_completed++];
        assert_int_equal(completion->id, request->id);
        assert_int_equal(completion->operation, request->operation);
        return;
    }
    assert_int_equal(completion->id, side->n_receives_completed++);
    while (!needs_receive(&peer->requests[side->n_received])) {
        side->n_received++;
    }
    assert_true(side->n_received < peer->n_posted);
    request = &peer->requests[side->n_received++];
    assert_int_equal(completion->operation, request->operation);
    assert_int_equal(completion->bytes, request->length_bytes);
    if (has_immediate(request)) {
        assert_int_equal(completion->immediate, request->immediate);
    } else if (request->operation == RC_SEND_INVALIDATE) {
        assert_int_equal(completion->immediate, request->rkey);
    }
}

static struct rc_config
random_config(struct random *random, enum rc_recovery recovery)
{
    struct rc_config config = rc_config_default;

    config.recovery = recovery;
    config.mtu_bytes = 64 + below(random, 1000);
    config.go_back_chunk_bytes =
        recovery == RC_GO_BACK_0 ? below(random, 4) * config.mtu_bytes : 0;
    config.reorder_packets = 64U << below(random, 3);
    config.recovery_delay_ps = below(random, 3) * 2 * US;
    config.timeout_exponent = (uint8_t)(3 + below(random, 3));
    config.retry_limit = RC_UNLIMITED_RETRIES;
    config.rnr_retry_limit = RC_UNLIMITED_RETRIES;
    config.rnr_timer = (uint8_t)(1 + below(random, 3));
    config.ack_every = (uint16_t)(1 + below(random, 20));
    config.max_reads = (uint8_t)(1 + below(random, RC_MAX_READS));
    config.window_bytes =
        below(random, 2) ? 0 : config.mtu_bytes * (1 + below(random, 30));
    config.send_depth = 1U << below(random, 5);
    config.receive_depth = below(random, 3) ? 1U << below(random, 5) : 0;
    config.echo_ce = true;
    return config;
}

static void
post(struct run *run, int end, const struct rc_config *config)
{
    struct side *side = &run->sides[end];
    struct random *random = &run->random;
    /* A message of n packets survives go-back-0 with (1 - p)^n. */
    const uint32_t max_bytes = config->recovery == RC_GO_BACK_0
                                   ? 20 * config->mtu_bytes
                               : below(random, 4) ? 20000
                                                  : 200;

    if (side->n_posted < N_MESSAGES) {
        struct rc_request *request = &side->requests[side->n_posted];

        *request = (struct rc_request){
            .id = 1000 + side->n_posted,
            .length_bytes = below(random, max_bytes),
            .rkey = below(random, 1U << 31),
            .immediate = below(random, 1U << 31),
            .operation = (uint8_t)below(random, RC_N_OPERATIONS),
            .fence = (uint8_t)(below(random, 4) ? 0 : below(random, 3)),
        };
        if (rc_post_send(run->pair.ends[end], request) == ST_OK) {
            side->n_posted++;
        }
    }
    if (config->receive_depth > 0 && below(random, 2) &&
        rc_post_receive(run->pair.ends[end], side->n_receives_posted, 30000) ==
            ST_OK) {
        side->n_receives_posted++;
    }
}

static bool
is_done(const struct run *run)
{
    return run->sides[0].n_completed == N_MESSAGES &&
           run->sides[1].n_completed == N_MESSAGES;
}

/* All payload of SENDs and WRITEs reached the peer, that of READs came back,
 * and each once. */
static void
check_conservation(const struct run *run)
{
    for (int end = 0; end < 2; end++) {
        uint64_t bytes = 0;
        uint32_t messages = 0;

        for (int i = 0; i < N_MESSAGES; i++) {
            const struct rc_request *in = &run->sides[!end].requests[i];
            const struct rc_request *own = &run->sides[end].requests[i];

            bytes += in->operation != RC_READ ? in->length_bytes : 0;
            bytes += own->operation == RC_READ ? own->length_bytes : 0;
            messages += in->operation != RC_READ;
        }
        assert_int_equal(run->pair.delivered_bytes[end], bytes);
        assert_int_equal(run->pair.delivered_messages[end], messages);
        assert_int_equal(rc_in_flight_bytes(run->pair.ends[end]), 0);
    }
}

static void
run_seed(uint64_t seed, enum rc_recovery recovery)
{
    struct run run = {0};
    struct rc_config configs[2];
    struct rc_pair_config link;

    random_init(&run.random, seed);
    configs[0] = random_config(&run.random, recovery);
    configs[1] = random_config(&run.random, recovery);
    configs[1].mtu_bytes = configs[0].mtu_bytes;
    configs[1].window_bytes = configs[0].window_bytes;
    configs[1].max_reads = configs[0].max_reads;
    configs[1].go_back_chunk_bytes = configs[0].go_back_chunk_bytes;
    configs[1].reorder_packets = configs[0].reorder_packets;
    link = (struct rc_pair_config){
        .rate_bps = 40000000000,
        .delay_ps = US,
        .jitter_ps = recovery == RC_GO_BACK_0 ? 0 : below(&run.random, 2) * US,
        .loss_ppm = below(&run.random, 3) * 10000,
        .copy_ppm = below(&run.random, 3) * 10000,
        .mark_ppm = 1000,
        .seed = seed,
    };
    rc_pair_init(&run.pair, &link,
                 (const struct rc_config *[]){&configs[0], &configs[1]});
    run.pair.completed = completed;
    run.pair.context = &run;
    while (!is_done(&run)) {
        for (int end = 0; end < 2; end++) {
            post(&run, end, &configs[end]);
        }
        /* Some progress between posts; a queue pair that hangs is seen by the
         * time. */
        for (uint32_t n = below(&run.random, 50); n > 0; n--) {
            rc_pair_step(&run.pair, INT64_MAX - 1);
        }
        if (run.pair.now_ps > 10000000 * US) {
            fail_msg("seed %llu: no end: %u and %u of %d",
                     (unsigned long long)seed, run.sides[0].n_completed,
                     run.sides[1].n_completed, N_MESSAGES);
        }
        if (!rc_pair_step(&run.pair, INT64_MAX - 1) &&
            run.sides[0].n_posted == N_MESSAGES &&
            run.sides[1].n_posted == N_MESSAGES && !is_done(&run) &&
            run.sides[0].n_receives_posted > 2 * N_MESSAGES) {
            fail_msg("nothing more to do, but not done");
        }
    }
    rc_pair_run(&run.pair, INT64_MAX - 1);
    check_conservation(&run);
    assert_false(run.pair.errors[0] || run.pair.errors[1]);
    rc_pair_fini(&run.pair);
}

/* The seed that runs; 0: none. */
static uint64_t running;

static uint64_t
setting(const char *name, uint64_t value)
{
    const char *text = getenv(name);

    return text ? strtoull(text, NULL, 10) : value;
}

static void
run_seeds(enum rc_recovery recovery)
{
    const uint64_t n = setting("RC_SEEDS", N_SEEDS);
    const uint64_t first = setting("RC_SEED", 1);

    for (uint64_t seed = first; seed < first + n; seed++) {
        running = seed;
        run_seed(seed, recovery);
    }
    running = 0;
}

static void
test_go_back_n(void **state)
{
    (void)state;
    run_seeds(RC_GO_BACK_N);
}

static void
test_go_back_0(void **state)
{
    (void)state;
    run_seeds(RC_GO_BACK_0);
}

static void
test_selective(void **state)
{
    (void)state;
    run_seeds(RC_SELECTIVE);
}

/* Prints the seed that has failed. */
static int
print_seed(void **state)
{
    (void)state;
    if (running) {
        print_message("RC_SEED=%llu\n", (unsigned long long)running);
    }
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_go_back_n, print_seed),
        cmocka_unit_test_teardown(test_go_back_0, print_seed),
        cmocka_unit_test_teardown(test_selective, print_seed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
