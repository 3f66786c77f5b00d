/* SPDX-License-Identifier: Apache-2.0 */

/* SRD between two ends: settings, paths, the order of delivery, and queue
 * pairs. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/srd_pair.h"

#define US INT64_C(1000000)
#define MS INT64_C(1000000000)

enum { MTU = 8928, N = 400 };

/* Settings ----------------------------------------------------------------- */

static void
test_settings_have_ranges(void **state)
{
    struct srd_config config = srd_config_default;
    struct err err;

    (void)state;
    assert_int_equal(srd_config_check(&config, NULL), ST_OK);
    config.window_packets = 100;
    assert_int_equal(srd_config_check(&config, &err), ST_INVALID);
    assert_non_null(strstr(err.reason, "power of 2"));
    config = srd_config_default;
    config.n_entropies = config.n_paths - 1;
    assert_int_equal(srd_config_check(&config, &err), ST_INVALID);
    assert_non_null(strstr(err.reason, "n_entropies"));
    config = srd_config_default;
    config.first_rto_ps = config.min_rto_ps - 1;
    assert_int_equal(srd_config_check(&config, &err), ST_INVALID);
    config = srd_config_default;
    config.mtu_bytes = SRD_MAX_MTU + 1;
    assert_int_equal(srd_config_check(&config, &err), ST_INVALID);
}

/* Two ends ----------------------------------------------------------------- */

struct tally {
    uint32_t n_delivered[2], n_completed[2];
    uint32_t by_status[SRD_N_STATUSES];
    uint32_t attempts;
};

static void
completed(void *context, int end, const struct srd_completion *completion)
{
    struct tally *tally = context;

    tally->n_completed[end]++;
    tally->by_status[completion->status]++;
    tally->attempts += completion->attempts;
}

static void
delivered(void *context, int end, const struct srd_request *datagram)
{
    struct tally *tally = context;

    (void)datagram;
    tally->n_delivered[end]++;
}

static void
start(struct srd_pair *pair, struct tally *tally,
      const struct srd_pair_config *link, const struct srd_config *config)
{
    *tally = (struct tally){0};
    srd_pair_init(pair, link, config);
    pair->completed = completed;
    pair->delivered = delivered;
    pair->context = tally;
}

static void
run(struct srd_pair *pair, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(srd_pair_post(pair, 0, i, MTU), SRD_OK);
    }
    while (srd_pair_step(pair, INT64_MAX - 1)) {
        assert_null(srd_check(pair->ends[0]));
    }
}

static void
test_slow_paths_are_avoided(void **state)
{
    struct srd_config config = srd_config_default;
    const struct srd_pair_config link = {
        .rate_bps = 100000000000, .delay_ps = 10 * US, .step_ps = 10 * US};
    struct srd_pair pair;
    struct tally tally;
    uint64_t slowest, fastest;

    (void)state;
    config.n_paths = 8;
    config.queue_ps = 1000 * US;
    start(&pair, &tally, &link, &config);
    run(&pair, 20 * N);
    assert_int_equal(tally.n_delivered[1], 20 * N);
    slowest = srd_path(pair.ends[0], 7).sent;
    fastest = srd_path(pair.ends[0], 0).sent;
    assert_true(slowest < 20 * N / 8 / 8);
    assert_true(fastest > 20 * N / 8);
    assert_int_equal(srd_path(pair.ends[0], 7).state, SRD_PATH_AVOID);
    /* One packet in 64 is followed by a probe. */
    assert_in_range(pair.n_probes[0], 20 * N / 64 / 2, 20 * N / 64 + 1);
    srd_pair_fini(&pair);

    /* A random choice does not mind. */
    config.choice = SRD_RANDOM;
    start(&pair, &tally, &link, &config);
    run(&pair, 20 * N);
    assert_in_range(srd_path(pair.ends[0], 7).sent, 20 * N / 8 * 8 / 10,
                    20 * N / 8 * 12 / 10);
    srd_pair_fini(&pair);
}

static void
test_a_path_that_is_fast_again_is_used(void **state)
{
    struct srd_config config = srd_config_default;
    const struct srd_pair_config link = {
        .rate_bps = 100000000000, .delay_ps = 10 * US, .step_ps = 8 * US};
    struct srd_pair pair;
    struct tally tally;
    uint64_t before;

    (void)state;
    config.n_paths = 4;
    config.queue_ps = 1000 * US;
    start(&pair, &tally, &link, &config);
    run(&pair, 10 * N);
    assert_int_equal(srd_path(pair.ends[0], 3).state, SRD_PATH_AVOID);
    before = srd_path(pair.ends[0], 3).sent;
    pair.config.step_ps = 0;
    run(&pair, 20 * N);
    assert_int_equal(srd_path(pair.ends[0], 3).state, SRD_PATH_OK);
    assert_true(srd_path(pair.ends[0], 3).sent > before + N);
    srd_pair_fini(&pair);
}

static void
test_broken_paths_get_other_entropies(void **state)
{
    struct srd_config config = srd_config_default;
    const struct srd_pair_config link = {
        .rate_bps = 1000000000, .delay_ps = 10 * US, .broken = 3};
    struct srd_pair pair;
    struct tally tally;
    int64_t first_ps;

    (void)state;
    config.n_paths = 8;
    config.n_entropies = 16;
    config.dead_ps = MS;
    start(&pair, &tally, &link, &config);
    run(&pair, 4 * N);
    assert_int_equal(tally.n_delivered[1], 4 * N);
    assert_int_equal(tally.by_status[SRD_OK], 4 * N);
    for (uint32_t i = 0; i < 8; i++) {
        const struct srd_path_info path = srd_path(pair.ends[0], i);

        assert_int_equal(path.state, SRD_PATH_OK);
        assert_true(path.entropy >= 3);
        for (uint32_t j = 0; j < i; j++) {
            assert_true(srd_path(pair.ends[0], j).entropy != path.entropy);
        }
    }
    first_ps = pair.now_ps;
    assert_int_equal(srd_counters(pair.ends[0])->revived, 3);
    /* Since no packet had to wait for more than its first RTO. */
    assert_true(first_ps < 4 * N * 73 * US + 2 * MS);
    srd_pair_fini(&pair);
}

static void
test_receivers_that_keep_the_order(void **state)
{
    struct srd_config config = srd_config_default;
    const struct srd_pair_config link = {
        .rate_bps = 100000000000, .delay_ps = 10 * US, .step_ps = 2 * US};
    struct srd_pair pair;
    struct tally tally;
    uint64_t attempts[3];

    (void)state;
    config.n_paths = 8;
    for (int order = SRD_DELIVER; order <= SRD_DROP; order++) {
        const struct srd_counters *counters;

        config.order = (enum srd_order)order;
        start(&pair, &tally, &link, &config);
        run(&pair, N);
        assert_int_equal(tally.n_delivered[1], N);
        counters = srd_counters(pair.ends[1]);
        assert_true(counters->out_of_order > N / 10);
        assert_int_equal(counters->held_peak_bytes > 0, order == SRD_HOLD);
        assert_int_equal(srd_counters(pair.ends[0])->refused > 0,
                         order == SRD_DROP);
        assert_int_equal(srd_counters(pair.ends[0])->died, 0);
        attempts[order] = tally.attempts;
        srd_pair_fini(&pair);
    }
    assert_int_equal(attempts[SRD_DELIVER], N);
    assert_int_equal(attempts[SRD_HOLD], N);
    assert_true(attempts[SRD_DROP] > N);
}

/* Queue pairs -------------------------------------------------------------- */

static void
test_errors_are_reported_and_not_retried(void **state)
{
    const struct srd_pair_config link = {.delay_ps = 10 * US,
                                         .receive_depth = 4};
    struct srd_pair pair;
    struct tally tally;
    struct srd_request request = {.dest_qp = 7, .length_bytes = 100};
    enum srd_status status;

    (void)state;
    start(&pair, &tally, &link, &srd_config_default);
    assert_int_equal(srd_qp_post_receive(&pair.qps[1], MTU), ST_OK);
    assert_int_equal(srd_qp_post_receive(&pair.qps[1], 50), ST_OK);
    assert_int_equal(srd_pair_post(&pair, 0, 0, MTU + 1), SRD_LOCAL_LENGTH);
    /* The first takes the receive request; the others need a longer one. */
    run(&pair, 3);
    assert_int_equal(tally.by_status[SRD_OK], 1);
    assert_int_equal(tally.by_status[SRD_REMOTE_LENGTH], 2);
    assert_int_equal(srd_pair_post(&pair, 0, 0, 50), SRD_OK);
    run(&pair, 2);
    assert_int_equal(tally.by_status[SRD_OK], 2);
    assert_int_equal(tally.by_status[SRD_RNR], 2);
    assert_int_equal(
        srd_qp_post(&pair.qps[0], pair.ends[0], MTU, &request, &status), ST_OK);
    run(&pair, 0);
    assert_int_equal(tally.by_status[SRD_BAD_DEST_QP], 1);
    assert_int_equal(tally.attempts, 7);
    assert_int_equal(tally.n_delivered[1], 2);
    /* Neither the context nor the queue pairs have changed. */
    assert_int_equal(srd_qp_post_receive(&pair.qps[1], MTU), ST_OK);
    run(&pair, 1);
    assert_int_equal(tally.by_status[SRD_OK], 3);
    srd_pair_fini(&pair);
}

static void
test_a_repeated_packet_gets_the_same_answer(void **state)
{
    const struct srd_pair_config link = {.receive_depth = 4};
    struct srd_pair pair;
    struct tally tally;
    struct srd_packet packet;
    struct srd_actions actions;

    (void)state;
    start(&pair, &tally, &link, &srd_config_default);
    assert_int_equal(srd_pair_post(&pair, 0, 0, 10), SRD_OK);
    assert_true(srd_next(pair.ends[0], 0, &packet));
    assert_true(srd_is_new(pair.ends[1], &packet));
    srd_receive(pair.ends[1], &packet, SRD_RNR, 0, &actions);
    assert_int_equal(actions.reply.status, SRD_RNR);
    assert_false(actions.delivery);
    packet.attempt = 2;
    packet.path = 5;
    assert_false(srd_is_new(pair.ends[1], &packet));
    srd_receive(pair.ends[1], &packet, SRD_OK, 0, &actions);
    assert_true(actions.has_reply);
    assert_false(actions.delivery);
    assert_int_equal(actions.reply.status, SRD_RNR);
    assert_int_equal(actions.reply.attempt, 2);
    assert_int_equal(actions.reply.path, 5);
    assert_int_equal(srd_counters(pair.ends[1])->duplicates, 1);
    srd_pair_fini(&pair);
}

static void
test_a_queue_pair_in_error_flushes_its_own(void **state)
{
    const struct srd_pair_config link = {.delay_ps = 10 * US};
    struct srd_pair pair;
    struct tally tally;
    const struct srd_request other = {.id = 9, .source_qp = 5, .dest_qp = 1};
    struct srd_packet packet;

    (void)state;
    start(&pair, &tally, &link, &srd_config_default);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(srd_pair_post(&pair, 0, i, MTU), SRD_OK);
    }
    srd_post(pair.ends[0], &other);
    assert_true(srd_next(pair.ends[0], 0, &packet));
    pair.qps[0].n_sends++; /* For the one of another queue pair. */
    srd_qp_set_error(&pair.qps[0], true);
    srd_flush(pair.ends[0], 0);
    assert_int_equal(srd_pair_post(&pair, 0, 4, MTU), SRD_FLUSHED);
    /* The one that was sent may still arrive; no other was. */
    run(&pair, 0);
    assert_int_equal(tally.by_status[SRD_FLUSHED], 3);
    assert_int_equal(tally.by_status[SRD_OK], 1);
    assert_int_equal(tally.n_completed[0], 4);
    assert_int_equal(srd_outstanding(pair.ends[0]), 0);
    srd_pair_fini(&pair);
}

static void
test_queues_have_depths(void **state)
{
    struct srd_qp qp;
    struct srd_request request = {.length_bytes = 1};
    enum srd_status status;
    struct srd *srd = srd_create(NULL, &srd_config_default, 1, 0);

    (void)state;
    assert_int_equal(srd_qp_init(&qp, 3, 0, 0), ST_INVALID);
    assert_int_equal(srd_qp_init(&qp, 3, 2, SRD_QP_MAX_DEPTH + 1), ST_INVALID);
    assert_int_equal(srd_qp_init(&qp, 3, 2, 1), ST_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(srd_qp_post(&qp, srd, MTU, &request, &status), ST_OK);
        assert_int_equal(request.source_qp, 3);
    }
    assert_int_equal(srd_qp_post(&qp, srd, MTU, &request, &status),
                     ST_NO_RESOURCE);
    srd_qp_completed(&qp);
    assert_int_equal(srd_qp_post(&qp, srd, MTU, &request, &status), ST_OK);
    assert_int_equal(srd_qp_post_receive(&qp, 5), ST_OK);
    assert_int_equal(srd_qp_post_receive(&qp, 5), ST_NO_RESOURCE);
    assert_int_equal(srd_qp_admit(&qp, 6), SRD_REMOTE_LENGTH);
    assert_int_equal(srd_qp_admit(&qp, 5), SRD_OK);
    assert_int_equal(srd_qp_admit(&qp, 5), SRD_RNR);
    assert_int_equal(srd_qp_admit(NULL, 5), SRD_BAD_DEST_QP);
    assert_int_equal(srd_qp_post_receive(&qp, 5), ST_OK);
    srd_qp_set_error(&qp, true);
    assert_int_equal(srd_qp_admit(&qp, 5), SRD_BAD_DEST_QP);
    assert_int_equal(srd_qp_post_receive(&qp, 5), ST_INVALID);
    /* The receive requests are gone, also when it works again. */
    srd_qp_set_error(&qp, false);
    assert_int_equal(srd_qp_admit(&qp, 5), SRD_RNR);
    assert_int_equal(srd_qp_post_receive(&qp, 7), ST_OK);
    assert_int_equal(srd_qp_admit(&qp, 7), SRD_OK);
    assert_int_equal(srd_qp_admit(&qp, 7), SRD_RNR);
    srd_qp_fini(&qp);
    srd_destroy(srd);
    assert_string_equal(srd_status_name(SRD_RNR), "receiver not ready");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings_have_ranges),
        cmocka_unit_test(test_slow_paths_are_avoided),
        cmocka_unit_test(test_a_path_that_is_fast_again_is_used),
        cmocka_unit_test(test_broken_paths_get_other_entropies),
        cmocka_unit_test(test_receivers_that_keep_the_order),
        cmocka_unit_test(test_errors_are_reported_and_not_retried),
        cmocka_unit_test(test_a_repeated_packet_gets_the_same_answer),
        cmocka_unit_test(test_a_queue_pair_in_error_flushes_its_own),
        cmocka_unit_test(test_queues_have_depths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
