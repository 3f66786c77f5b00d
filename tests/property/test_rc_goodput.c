/* SPDX-License-Identifier: Apache-2.0 */

/* What loss costs each way of recovery.
 *
 * Go-back-N: a lost packet costs what is sent until the NAK arrives, W packets
 * with the lost one, and the delay D before sending again.  So the goodput is
 * 1 / (1 + p * (W + D * C / L)) of the line rate, with p losses per packet.
 * Go-back-0: a message of n packets needs n packets in a row.  With one of 256
 * lost, one of 4 MB never arrives (Guo et al., SIGCOMM 2016, section 4.1). */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/rc_pair.h"

enum { MTU_BYTES = 1024, FRAME_BYTES = MTU_BYTES + 62 + 20, ACK_BYTES = 86 };

#define US        INT64_C(1000000)
#define RATE_BPS  INT64_C(40000000000)
#define PS(bytes) ((bytes)*8 * INT64_C(1000000) / (RATE_BPS / 1000000))

/* Keeps the send queue of end 0 full. */
struct sender {
    struct rc_pair pair;
    enum rc_operation operation;
    uint32_t length_bytes;
    uint64_t n_completed;
};

static void
refill(struct sender *sender)
{
    const struct rc_request request = {.length_bytes = sender->length_bytes,
                                       .operation = (uint8_t)sender->operation};

    while (rc_post_send(sender->pair.ends[0], &request) == ST_OK) {
    }
}

static void
completed(void *context, int end, const struct rc_completion *completion)
{
    struct sender *sender = context;

    assert_int_equal(end, 0);
    assert_int_equal(completion->status, RC_STATUS_OK);
    sender->n_completed++;
}

static void
run(struct sender *sender, const struct rc_pair_config *link,
    const struct rc_config *config, enum rc_operation operation,
    uint32_t length_bytes, int64_t until_ps)
{
    *sender =
        (struct sender){.operation = operation, .length_bytes = length_bytes};
    rc_pair_init(&sender->pair, link,
                 (const struct rc_config *[]){config, config});
    sender->pair.completed = completed;
    sender->pair.context = sender;
    do {
        refill(sender);
    } while (rc_pair_step(&sender->pair, until_ps));
}

static struct rc_config
make_config(enum rc_recovery recovery, int64_t delay_ps)
{
    struct rc_config config = rc_config_default;

    config.mtu_bytes = MTU_BYTES;
    config.recovery = recovery;
    config.recovery_delay_ps = delay_ps;
    config.reorder_packets = 1024;
    config.retry_limit = RC_UNLIMITED_RETRIES;
    config.timeout_exponent = 5;
    return config;
}

static void
test_go_back_n_formula(void **state)
{
    static const struct {
        uint32_t drop_every;
        int64_t delay_ps;
        int64_t recovery_ps;
    } cases[] = {
        {100, US, 0},         {1000, US, 0},         {10000, US, 0},
        {1000, 10 * US, 0},   {1000, 40 * US, 0},    {1000, US, 2 * US},
        {1000, US, 200 * US}, {10000, US, 500 * US}, {300, 5 * US, 100 * US},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct rc_pair_config link = {.rate_bps = RATE_BPS,
                                            .delay_ps = cases[i].delay_ps,
                                            .drop_every = cases[i].drop_every};
        const struct rc_config config =
            make_config(RC_GO_BACK_N, cases[i].recovery_ps);
        const int64_t time_ps = 50000 * US;
        /* The lost packet, the one that shows the gap, and the NAK. */
        const double lost_ps = (double)(2 * PS(FRAME_BYTES) + PS(ACK_BYTES) +
                                        2 * cases[i].delay_ps);
        const double w = lost_ps / (double)PS(FRAME_BYTES);
        const double stall =
            (double)cases[i].recovery_ps / (double)PS(FRAME_BYTES);
        double expected, actual;
        struct sender sender;

        /* Losses per packet that is not lost or sent again in between: each
         * 'drop_every' sent packets, w of them wasted, contain one. */
        const double p = 1.0 / ((double)cases[i].drop_every - w);

        run(&sender, &link, &config, RC_WRITE, 1 << 20, time_ps);
        actual = (double)sender.pair.delivered_bytes[1] / MTU_BYTES *
                 (double)PS(FRAME_BYTES) / (double)time_ps;
        expected = 1 / (1 + p * (w + stall));
        if (actual < expected * 0.97 || actual > expected * 1.03) {
            fail_msg("case %zu: goodput %.4f, expected %.4f", i, actual,
                     expected);
        }
        rc_pair_fini(&sender.pair);
    }
}

/* With independent losses, a timeout ends the rare case that the packet sent
 * again is lost, too. */
static void
test_go_back_n_formula_random(void **state)
{
    static const uint32_t losses_ppm[] = {100, 1000, 5000};

    (void)state;
    for (size_t i = 0; i < sizeof losses_ppm / sizeof losses_ppm[0]; i++) {
        const struct rc_pair_config link = {.rate_bps = RATE_BPS,
                                            .delay_ps = 2 * US,
                                            .loss_ppm = losses_ppm[i],
                                            .keep_acks = true,
                                            .seed = 1 + i};
        struct rc_config config = make_config(RC_GO_BACK_N, 20 * US);
        const int64_t time_ps = 100000 * US;
        const double packet_ps = (double)PS(FRAME_BYTES);
        const double w =
            (2 * packet_ps + (double)(PS(ACK_BYTES) + 4 * US)) / packet_ps;
        const double p = losses_ppm[i] / 1e6;
        double expected, actual;
        struct sender sender;

        config.timeout_exponent = 4;
        run(&sender, &link, &config, RC_WRITE, 1 << 20, time_ps);
        actual = (double)sender.pair.delivered_bytes[1] / MTU_BYTES *
                 packet_ps / (double)time_ps;
        expected = 1 / (1 + p * (w + (double)(20 * US) / packet_ps));
        if (actual < expected * 0.97 || actual > expected * 1.03) {
            fail_msg("p %g: goodput %.4f, expected %.4f", p, actual, expected);
        }
        rc_pair_fini(&sender.pair);
    }
}

/* Messages of 4 MB in 20 ms, of which the line could carry 22. */
static uint64_t
messages_of_4_mb(const struct rc_config *config, enum rc_operation operation)
{
    const struct rc_pair_config link = {
        .rate_bps = RATE_BPS, .delay_ps = US, .drop_every = 256};
    const int64_t time_ps = 20000 * US;
    const int end = operation == RC_READ; /* That sends the payload. */
    struct sender sender;
    uint64_t n;

    run(&sender, &link, config, operation, 4 << 20, time_ps);
    n = sender.n_completed;
    /* The line is busy all the time, whatever arrives. */
    assert_true((int64_t)sender.pair.links[end].n_data * PS(FRAME_BYTES) >
                time_ps * 9 / 10);
    rc_pair_fini(&sender.pair);
    return n;
}

static void
test_go_back_0_livelock(void **state)
{
    static const enum rc_operation operations[] = {RC_SEND, RC_WRITE, RC_READ};

    (void)state;
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        struct rc_config config = make_config(RC_GO_BACK_0, 0);

        assert_int_equal(messages_of_4_mb(&config, operations[i]), 0);
        /* In chunks of 64 KB there is progress. */
        config.go_back_chunk_bytes = 64 << 10;
        assert_true(messages_of_4_mb(&config, operations[i]) > 5);
        config = make_config(RC_GO_BACK_N, 0);
        assert_true(messages_of_4_mb(&config, operations[i]) > 15);
        if (operations[i] != RC_READ) {
            config = make_config(RC_SELECTIVE, 0);
            assert_true(messages_of_4_mb(&config, operations[i]) > 20);
        }
    }
}

/* 1 - 1/256 of the line, less what is on its way at the end. */
static void
test_selective_goodput(void **state)
{
    const struct rc_pair_config link = {
        .rate_bps = RATE_BPS, .delay_ps = US, .drop_every = 256};
    const struct rc_config config = make_config(RC_SELECTIVE, 0);
    const int64_t time_ps = 20000 * US;
    struct sender sender;
    double goodput;

    (void)state;
    run(&sender, &link, &config, RC_WRITE, 4 << 20, time_ps);
    goodput = (double)sender.pair.delivered_bytes[1] / MTU_BYTES *
              (double)PS(FRAME_BYTES) / (double)time_ps;
    assert_true(goodput > 0.994 && goodput < 0.9961);
    rc_pair_fini(&sender.pair);
}

/* Selective repeat sends only the lost packets again. */
static void
test_selective_sends_losses_only(void **state)
{
    const struct rc_pair_config link = {
        .rate_bps = RATE_BPS, .delay_ps = 2 * US, .drop_every = 300};
    const struct rc_config config = make_config(RC_SELECTIVE, 0);
    const struct rc_counters *counters;
    struct sender sender;

    (void)state;
    run(&sender, &link, &config, RC_WRITE, 1 << 20, 10000 * US);
    counters = rc_counters(sender.pair.ends[0]);
    assert_int_equal(counters->timeouts, 0);
    /* The last one may still be on its way. */
    assert_in_range(counters->retransmitted_packets,
                    sender.pair.links[0].n_lost - 1,
                    sender.pair.links[0].n_lost);
    rc_pair_fini(&sender.pair);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_go_back_n_formula),
        cmocka_unit_test(test_go_back_n_formula_random),
        cmocka_unit_test(test_go_back_0_livelock),
        cmocka_unit_test(test_selective_goodput),
        cmocka_unit_test(test_selective_sends_losses_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
