/* SPDX-License-Identifier: Apache-2.0 */

/* Reliable connections on adapters: times of completion to the picosecond,
 * acknowledgements, congestion notifications and the reaction to them, reads,
 * extended headers, losses. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/adapters.h"
#include "twin/transport/dcqcn.h"
#include "twin/transport/rc.h"
#include "twin/transport/region.h"

enum {
    PAYLOAD = 1024,
    WIRE = 1106,   /* 1024 + 62 + preamble and gap. */
    ACK_WIRE = 86, /* 62 + AETH + preamble and gap. */
    N_HOSTS = 3,
    TARGET = N_HOSTS - 1,
};

#define US INT64_C(1000000)

/* Marks every packet that finds 20 KB. */
static const struct wred_profile wred = {
    .colors = {{.marks = true, .mark = {20000, 20001, 100}}}};

static int
setup(void **state)
{
    struct adapters *f = adapters_create(N_HOSTS, &wred);

    f->rc.mtu_bytes = PAYLOAD;
    f->rc.ack_every = 1;
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct adapters *f = *state;

    assert_int_equal(f->n_received, 0); /* Nobody has posted a receive. */
    adapters_destroy(f);
    return 0;
}

static void
use_dcqcn(struct adapters *f, const char *name)
{
    const struct dcqcn_profile *profile = dcqcn_profile_get(name);

    assert_non_null(profile);
    assert_int_equal(
        dcqcn_init(&f->dcqcn, profile, (int64_t)ADAPTERS_SPEED * 1000000, NULL),
        ST_OK);
    f->rc.echo_ce = profile->np_mode == DCQCN_NP_ON_ACK;
}

static uint32_t
join(struct adapters *f, uint32_t from)
{
    return adapters_join(f, NIC_RC, from, 0);
}

static void
test_message_completes_with_its_last_acknowledgement(void **state)
{
    struct adapters *f = *state;
    const uint32_t qp = join(f, 0);

    adapters_post(f, 0, qp,
                  &(struct rc_request){.id = 42,
                                       .operation = RC_SEND,
                                       .length_bytes = 10 * PAYLOAD});
    adapters_run(f, EVENT_NEVER);
    assert_int_equal(f->n_sent, 1);
    assert_int_equal(f->last.id, 42);
    assert_int_equal(f->last.status, RC_STATUS_OK);
    assert_int_equal(f->last_ps, (int64_t)9 * WIRE * ADAPTERS_PS_PER_BYTE +
                                     adapters_way_ps(WIRE) +
                                     adapters_way_ps(ACK_WIRE));
    assert_int_equal(adapters_arrived(f, 0)->packets, 10);
    assert_int_equal(adapters_arrived(f, 0)->bytes, 10 * PAYLOAD);
    assert_int_equal(adapters_arrived(f, 0)->first_ps, adapters_way_ps(WIRE));
    assert_int_equal(adapters_sent(f, 0, qp)->packets, 10);
    assert_int_equal(adapters_sent(f, 0, qp)->again, 0);
    assert_int_equal(adapters_stats(f, TARGET).acks_sent, 10);
}

static void
test_acknowledgements_are_coalesced(void **state)
{
    struct adapters *f = *state;
    uint32_t qp;

    f->rc.ack_every = 4;
    qp = join(f, 0);
    adapters_post(f, 0, qp,
                  &(struct rc_request){.operation = RC_SEND,
                                       .length_bytes = 10 * PAYLOAD});
    adapters_run(f, EVENT_NEVER);
    assert_int_equal(f->n_sent, 1);
    assert_int_equal(adapters_stats(f, TARGET).acks_sent, 3);
}

static void
test_window_limits_what_is_in_flight(void **state)
{
    struct adapters *f = *state;
    uint32_t qp;

    f->rc.window_bytes = 2 * PAYLOAD;
    qp = join(f, 0);
    adapters_post(f, 0, qp,
                  &(struct rc_request){.operation = RC_SEND,
                                       .length_bytes = 6 * PAYLOAD});
    adapters_run(f, EVENT_NEVER);
    /* Two packets per round trip, three times; the second follows the first. */
    assert_int_equal(f->last_ps,
                     3 * (adapters_way_ps(WIRE) + adapters_way_ps(ACK_WIRE)) +
                         WIRE * ADAPTERS_PS_PER_BYTE);
}

/* Two hosts send 400 KB to the third. */
static void
send_incast(struct adapters *f)
{
    for (uint32_t i = 0; i < 2; i++) {
        adapters_post(f, i, join(f, i),
                      &(struct rc_request){.operation = RC_SEND,
                                           .length_bytes = 400 * PAYLOAD});
    }
}

static void
test_marks_cause_notifications_and_lower_the_rate(void **state)
{
    struct adapters *f = *state;
    struct nic_stats target;

    use_dcqcn(f, "paper");
    send_incast(f);
    assert_int_equal(nic_rate(f->star.nics[0], 0), UINT64_C(100000000000));
    adapters_run(f, 30 * US);
    /* One notification of each QP in 50 us, and alpha is 1: the rate halves. */
    target = adapters_stats(f, TARGET);
    assert_int_equal(target.cnps_sent, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(adapters_stats(f, i).cnps_received, 1);
        assert_int_equal(nic_rate(f->star.nics[i], 0), UINT64_C(50000000000));
        assert_true(adapters_arrived(f, i)->marked > 0);
    }
    adapters_run(f, EVENT_NEVER);
    target = adapters_stats(f, TARGET);
    assert_int_equal(f->n_sent, 2);
    assert_int_equal(target.cnps_sent, adapters_stats(f, 0).cnps_received +
                                           adapters_stats(f, 1).cnps_received);
    /* 66 us at least, without coalescing more than 100 marks. */
    assert_in_range(target.cnps_sent, 2, 6);
    assert_true(
        adapters_arrived(f, 0)->marked + adapters_arrived(f, 1)->marked > 20);
}

static void
test_acknowledgements_carry_notifications(void **state)
{
    struct adapters *f = *state;
    struct nic_stats target;

    use_dcqcn(f, "fork-dcqcn");
    send_incast(f);
    adapters_run(f, EVENT_NEVER);
    target = adapters_stats(f, TARGET);
    assert_int_equal(f->n_sent, 2);
    assert_int_equal(target.acks_sent, 800);
    assert_int_equal(target.cnps_sent, adapters_arrived(f, 0)->marked +
                                           adapters_arrived(f, 1)->marked);
    assert_true(target.cnps_sent > 20);
    assert_int_equal(target.cnps_sent, adapters_stats(f, 0).cnps_received +
                                           adapters_stats(f, 1).cnps_received);
    assert_int_equal(target.sent_packets, 800);
}

static void
test_paced_packets_follow_the_rate(void **state)
{
    struct adapters *f = *state;
    uint64_t before;
    uint64_t rate;

    use_dcqcn(f, "paper");
    send_incast(f);
    adapters_run(f, 30 * US);
    rate = nic_rate(f->star.nics[0], 0);
    before = adapters_sent(f, 0, 0)->packets;
    adapters_run(f, 50 * US);
    assert_int_equal(nic_rate(f->star.nics[0], 0), rate);
    /* 20 us at 50 Gb/s. */
    assert_in_range(adapters_sent(f, 0, 0)->packets - before,
                    20 * 50000 / (WIRE * 8), 20 * 50000 / (WIRE * 8) + 1);
}

static void
test_read_is_answered_with_data(void **state)
{
    struct adapters *f = *state;
    const uint32_t qp = join(f, 0);

    adapters_post(f, 0, qp,
                  &(struct rc_request){.id = 7,
                                       .operation = RC_READ,
                                       .remote_address = 0x1000,
                                       .rkey = 3,
                                       .length_bytes = 20 * PAYLOAD});
    /* An acknowledgement waits behind the responses. */
    adapters_post(f, 0, qp,
                  &(struct rc_request){
                      .id = 8, .operation = RC_SEND, .length_bytes = 100});
    adapters_run(f, EVENT_NEVER);
    assert_int_equal(f->n_sent, 2);
    assert_int_equal(f->last.id, 8);
    assert_int_equal(f->last.status, RC_STATUS_OK);
    assert_int_equal(nic_received(f->star.nics[0], qp)->bytes, 20 * PAYLOAD);
    assert_int_equal(
        adapters_sent(f, TARGET, f->connections[0].qps[1])->packets, 20);
}

static void
test_headers_of_writes_reach_the_responder(void **state)
{
    struct adapters *f = *state;
    struct regions *regions = regions_create();
    const struct region region = {.rkey = 77,
                                  .access = REGION_REMOTE_WRITE,
                                  .address = 0x10000,
                                  .length = 5000};
    struct rc_request request = {.id = 1,
                                 .operation = RC_WRITE,
                                 .remote_address = 0x10000,
                                 .rkey = 77,
                                 .length_bytes = 5000};
    uint32_t qp;

    assert_int_equal(regions_add(regions, &region), ST_OK);
    f->rc.regions = regions;
    qp = join(f, 0);
    adapters_post(f, 0, qp, &request);
    adapters_run(f, 1000 * US);
    assert_int_equal(f->last.status, RC_STATUS_OK);
    request.remote_address++; /* One byte too far. */
    request.id = 2;
    adapters_post(f, 0, qp, &request);
    adapters_run(f, 2000 * US);
    assert_int_equal(f->last.id, 2);
    assert_int_equal(f->last.status, RC_STATUS_REMOTE_ACCESS);
    regions_destroy(regions);
}

static void
test_lost_packets_are_sent_again(void **state)
{
    struct adapters *f = *state;
    const uint32_t qp = join(f, 0);

    adapters_post(f, 0, qp,
                  &(struct rc_request){.operation = RC_SEND,
                                       .length_bytes = 100 * PAYLOAD});
    adapters_run(f, 2 * US);
    link_set_up(f->star.links[0], false);
    adapters_run(f, 4 * US);
    assert_null(fabric_check(f->star.fabric));
    link_set_up(f->star.links[0], true);
    adapters_run(f, EVENT_NEVER);
    assert_int_equal(f->n_sent, 1);
    assert_int_equal(f->last.status, RC_STATUS_OK);
    assert_true(adapters_sent(f, 0, qp)->again > 0);
    /* What comes twice, or out of order, is no payload. */
    assert_true(adapters_arrived(f, 0)->again > 0);
    assert_int_equal(adapters_arrived(f, 0)->bytes, 100 * PAYLOAD);
    assert_int_equal(adapters_arrived(f, 0)->packets,
                     100 + adapters_arrived(f, 0)->again);
}

/* Has the switch trim what its queue to TARGET does not hold: 20 packets. */
static void
use_trimming(struct adapters *f)
{
    struct sim *sim = f->star.sim;
    struct mmu *mmu = sim_mmu(sim);
    const uint32_t queue = mmu_queue_id(mmu, TARGET, SWITCH_SETUP_LOSSLESS);
    const struct mmu_pool_config of_pool = {.direction = MMU_EGRESS,
                                            .size_bytes = 100 * PAYLOAD};
    struct mmu_profile_config config = {.is_static = true,
                                        .static_bytes = 20 * PAYLOAD};
    uint32_t profile;

    assert_int_equal(mmu_pool_create(mmu, &of_pool, &config.pool, NULL), ST_OK);
    assert_int_equal(mmu_profile_create(mmu, &config, &profile, NULL), ST_OK);
    assert_int_equal(mmu_queue_attach(mmu, queue, profile, NULL), ST_OK);
    assert_int_equal(
        sim_set_trimming(
            sim, &(struct sim_trim_config){.size_bytes = 60,
                                           .dscp = SWITCH_SETUP_STRICT << 3,
                                           .queue = SWITCH_SETUP_STRICT}),
        ST_OK);
    assert_int_equal(
        sim_queue_set_trim(sim, TARGET, SWITCH_SETUP_LOSSLESS, true), ST_OK);
}

/* A switch trims what its queue does not hold.  The adapter counts what is left
 * and learns nothing from it: the sender repeats by itself. */
static void
test_trimmed_packets_are_ignored(void **state)
{
    struct adapters *f = *state;
    const struct sim *sim = f->star.sim;

    use_trimming(f);
    send_incast(f);
    adapters_run(f, EVENT_NEVER);
    assert_int_equal(f->n_sent, 2);
    assert_int_equal(f->last.status, RC_STATUS_OK);
    assert_true(sim_trims(sim).trimmed > 0);
    assert_int_equal(sim_trims(sim).sent, sim_trims(sim).trimmed);
    assert_int_equal(adapters_stats(f, TARGET).trimmed_packets,
                     sim_trims(sim).sent);
}

/* The same where the receiver asks for what was trimmed: all arrives without a
 * timeout, even if the last packets are trimmed again and again. */
static void
ask_for_trimmed(struct adapters *f, enum rc_recovery recovery)
{
    f->rc.recovery = recovery;
    f->rc.reorder_packets = 1024;
    f->rc.naks_trimmed = true;
    f->rc.timeout_exponent = 0; /* None. */
    f->rc.window_bytes = 64 * PAYLOAD;
    use_trimming(f);
    send_incast(f);
    adapters_run(f, EVENT_NEVER);
    assert_int_equal(f->n_sent, 2);
    assert_int_equal(f->last.status, RC_STATUS_OK);
    assert_true(sim_trims(f->star.sim).sent > 0);
    assert_int_equal(adapters_arrived(f, 0)->bytes, 400 * PAYLOAD);
    assert_int_equal(adapters_arrived(f, 1)->bytes, 400 * PAYLOAD);
}

static void
test_trimmed_packets_are_asked_for(void **state)
{
    ask_for_trimmed(*state, RC_GO_BACK_N);
}

static void
test_trimmed_packets_are_asked_for_selectively(void **state)
{
    ask_for_trimmed(*state, RC_SELECTIVE);
}

static void
test_silence_ends_in_an_error(void **state)
{
    struct adapters *f = *state;
    uint32_t qp;

    f->rc.timeout_exponent = 8; /* 1.05 ms. */
    f->rc.retry_limit = 2;
    qp = join(f, 0);
    link_set_up(f->star.links[TARGET], false);
    adapters_post(
        f, 0, qp,
        &(struct rc_request){.operation = RC_SEND, .length_bytes = PAYLOAD});
    adapters_run(f, EVENT_NEVER);
    assert_int_equal(f->n_sent, 1);
    assert_int_equal(f->last.status, RC_STATUS_RETRY_EXCEEDED);
    assert_int_equal(adapters_sent(f, 0, qp)->packets, 3);
    assert_in_range(f->last_ps, 3 * 1048 * US, 3 * 1050 * US);
}

/* It stops at once, in the middle of a message, and others go on. */
static void
test_a_queue_pair_that_is_put_into_error(void **state)
{
    struct adapters *f = *state;
    uint32_t qps[2];
    uint64_t n;

    for (uint32_t i = 0; i < 2; i++) {
        qps[i] = join(f, 0);
        adapters_post(f, 0, qps[i],
                      &(struct rc_request){.operation = RC_SEND,
                                           .length_bytes = 100 * PAYLOAD});
    }
    adapters_run(f, 5 * US);
    n = adapters_sent(f, 0, qps[0])->packets;
    assert_in_range(n, 10, 50);
    nic_fail_qp(f->star.nics[0], qps[0]);
    assert_int_equal(f->n_sent, 1);
    assert_int_equal(f->last.status, RC_STATUS_FLUSHED);
    assert_null(nic_check(f->star.nics[0]));
    adapters_run(f, EVENT_NEVER);
    assert_int_equal(adapters_sent(f, 0, qps[0])->packets, n);
    assert_int_equal(f->n_sent, 2);
    assert_int_equal(f->last.status, RC_STATUS_OK);
    assert_int_equal(adapters_sent(f, 0, qps[1])->packets, 100);
}

static void
test_two_queue_pairs_share_the_wire(void **state)
{
    struct adapters *f = *state;
    uint32_t qps[2];

    for (uint32_t i = 0; i < 2; i++) {
        qps[i] = join(f, 0);
        adapters_post(f, 0, qps[i],
                      &(struct rc_request){.operation = RC_SEND,
                                           .length_bytes = 1000 * PAYLOAD});
    }
    adapters_run(f, 50 * US);
    assert_in_range(adapters_sent(f, 0, qps[0])->packets,
                    adapters_sent(f, 0, qps[1])->packets,
                    adapters_sent(f, 0, qps[1])->packets + 1);
    adapters_run(f, EVENT_NEVER);
    assert_int_equal(f->n_sent, 2);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_message_completes_with_its_last_acknowledgement),
        TEST(test_acknowledgements_are_coalesced),
        TEST(test_window_limits_what_is_in_flight),
        TEST(test_marks_cause_notifications_and_lower_the_rate),
        TEST(test_acknowledgements_carry_notifications),
        TEST(test_paced_packets_follow_the_rate),
        TEST(test_read_is_answered_with_data),
        TEST(test_headers_of_writes_reach_the_responder),
        TEST(test_lost_packets_are_sent_again),
        TEST(test_trimmed_packets_are_ignored),
        TEST(test_trimmed_packets_are_asked_for),
        TEST(test_trimmed_packets_are_asked_for_selectively),
        TEST(test_silence_ends_in_an_error),
        TEST(test_a_queue_pair_that_is_put_into_error),
        TEST(test_two_queue_pairs_share_the_wire),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
