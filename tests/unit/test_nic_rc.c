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

#include "tests/support/switch_setup.h"
#include "twin/transport/dcqcn.h"
#include "twin/transport/rc.h"
#include "twin/transport/region.h"

enum {
    SPEED = 100000,
    METRES = 10,
    PAYLOAD = 1024,
    WIRE = 1106,   /* 1024 + 62 + preamble and gap. */
    ACK_WIRE = 86, /* 62 + AETH + preamble and gap. */
    PS_PER_BYTE = 80,
    N_HOSTS = 3,
    TARGET = N_HOSTS - 1,
};

#define CABLE_PS INT64_C(50000)
#define US       INT64_C(1000000)

/* Marks every packet that finds 20 KB. */
static const struct wred_profile wred = {
    .colors = {{.marks = true, .mark = {20000, 20001, 100}}}};

struct fixture {
    struct chip chip;
    struct star star;
    struct rc_config rc;
    struct dcqcn dcqcn;
    struct connection connections[8];
    uint32_t n_connections;
    struct rc_completion last;
    int64_t last_ps;
    uint32_t n_completions;
};

static void
on_completion(void *context, uint32_t qp,
              const struct rc_completion *completion, int64_t now_ps)
{
    struct fixture *f = context;

    (void)qp;
    f->last = *completion;
    f->last_ps = now_ps;
    f->n_completions++;
}

static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);
    const struct switch_setup setup_of_switch = {.chip = &f->chip,
                                                 .n_ports = N_HOSTS,
                                                 .speed_mbps = SPEED,
                                                 .dynamic_th = -1,
                                                 .headroom_bytes = 50000,
                                                 .xon_offset_bytes = 3000,
                                                 .wred = &wred};
    struct nic_config nic;

    chip_init(&f->chip);
    f->chip.ports = N_HOSTS;
    f->chip.memory_bytes = 1 << 20;
    nic_config_init(&nic, SPEED);
    star_init(&f->star, &setup_of_switch, &nic, METRES, 1);
    for (uint32_t i = 0; i < N_HOSTS; i++) {
        nic_set_listener(f->star.nics[i], on_completion, f);
    }
    f->rc = rc_config_default;
    f->rc.mtu_bytes = PAYLOAD;
    f->rc.ack_every = 1;
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    assert_null(fabric_check(f->star.fabric));
    star_fini(&f->star);
    for (uint32_t i = 0; i < f->n_connections; i++) {
        connection_fini(&f->connections[i]);
    }
    test_free(f);
    return 0;
}

static void
use_dcqcn(struct fixture *f, const char *name)
{
    const struct dcqcn_profile *profile = dcqcn_profile_get(name);

    assert_non_null(profile);
    assert_int_equal(
        dcqcn_init(&f->dcqcn, profile, (int64_t)SPEED * 1000000, NULL), ST_OK);
    f->rc.echo_ce = profile->np_mode == DCQCN_NP_ON_ACK;
}

/* Connects host 'from' to the target.  Returns the QP of 'from'. */
static uint32_t
join(struct fixture *f, uint32_t from)
{
    struct connection *connection = &f->connections[f->n_connections++];
    const struct connection_end ends[2] = {
        {.nic = f->star.nics[from], .mac = star_mac(from)},
        {.nic = f->star.nics[TARGET], .mac = star_mac(TARGET)}};
    const struct nic_qp_config config = {.kind = NIC_RC,
                                         .rc = &f->rc,
                                         .dcqcn = f->dcqcn.line_bps ? &f->dcqcn
                                                                    : NULL};

    connection_init(connection, ends, &config, 1);
    return connection->qps[0];
}

static void
post(struct fixture *f, uint32_t from, uint32_t qp,
     const struct rc_request *request)
{
    assert_int_equal(nic_post(f->star.nics[from], qp, request), ST_OK);
}

static void
run(struct fixture *f, int64_t until_ps)
{
    engine_run_until(fabric_engine(f->star.fabric), until_ps);
}

static struct nic_stats
stats_of(struct fixture *f, uint32_t host)
{
    struct nic_stats stats;

    nic_get_stats(f->star.nics[host], &stats);
    return stats;
}

/* The flow that the target has received of connection 'i'. */
static const struct nic_flow *
arrived(struct fixture *f, uint32_t i)
{
    return nic_received(f->star.nics[TARGET], f->connections[i].qps[1]);
}

/* From the first bit sent to the last bit received, over two cables. */
static int64_t
way_ps(uint32_t wire_bytes)
{
    return 2 * ((int64_t)wire_bytes * PS_PER_BYTE + CABLE_PS);
}

static void
test_message_completes_with_its_last_acknowledgement(void **state)
{
    struct fixture *f = *state;
    const uint32_t qp = join(f, 0);

    post(f, 0, qp,
         &(struct rc_request){
             .id = 42, .operation = RC_SEND, .length_bytes = 10 * PAYLOAD});
    run(f, EVENT_NEVER);
    assert_int_equal(f->n_completions, 1);
    assert_int_equal(f->last.id, 42);
    assert_int_equal(f->last.status, RC_STATUS_OK);
    assert_int_equal(f->last_ps, (int64_t)9 * WIRE * PS_PER_BYTE +
                                     way_ps(WIRE) + way_ps(ACK_WIRE));
    assert_int_equal(arrived(f, 0)->packets, 10);
    assert_int_equal(arrived(f, 0)->bytes, 10 * PAYLOAD);
    assert_int_equal(arrived(f, 0)->first_ps, way_ps(WIRE));
    assert_int_equal(nic_sent(f->star.nics[0], qp)->packets, 10);
    assert_int_equal(nic_sent(f->star.nics[0], qp)->again, 0);
    assert_int_equal(stats_of(f, TARGET).acks_sent, 10);
}

static void
test_acknowledgements_are_coalesced(void **state)
{
    struct fixture *f = *state;
    uint32_t qp;

    f->rc.ack_every = 4;
    qp = join(f, 0);
    post(f, 0, qp,
         &(struct rc_request){.operation = RC_SEND,
                              .length_bytes = 10 * PAYLOAD});
    run(f, EVENT_NEVER);
    assert_int_equal(f->n_completions, 1);
    assert_int_equal(stats_of(f, TARGET).acks_sent, 3);
}

static void
test_window_limits_what_is_in_flight(void **state)
{
    struct fixture *f = *state;
    uint32_t qp;

    f->rc.window_bytes = 2 * PAYLOAD;
    qp = join(f, 0);
    post(f, 0, qp,
         &(struct rc_request){.operation = RC_SEND,
                              .length_bytes = 6 * PAYLOAD});
    run(f, EVENT_NEVER);
    /* Two packets per round trip, three times; the second follows the first. */
    assert_int_equal(f->last_ps, 3 * (way_ps(WIRE) + way_ps(ACK_WIRE)) +
                                     WIRE * PS_PER_BYTE);
}

/* Two hosts send 400 KB to the third. */
static void
send_incast(struct fixture *f)
{
    for (uint32_t i = 0; i < 2; i++) {
        post(f, i, join(f, i),
             &(struct rc_request){.operation = RC_SEND,
                                  .length_bytes = 400 * PAYLOAD});
    }
}

static void
test_marks_cause_notifications_and_lower_the_rate(void **state)
{
    struct fixture *f = *state;
    struct nic_stats target;

    use_dcqcn(f, "paper");
    send_incast(f);
    assert_int_equal(nic_rate(f->star.nics[0], 0), UINT64_C(100000000000));
    run(f, 30 * US);
    /* One notification of each QP in 50 us, and alpha is 1: the rate halves. */
    target = stats_of(f, TARGET);
    assert_int_equal(target.cnps_sent, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(stats_of(f, i).cnps_received, 1);
        assert_int_equal(nic_rate(f->star.nics[i], 0), UINT64_C(50000000000));
        assert_true(arrived(f, i)->marked > 0);
    }
    run(f, EVENT_NEVER);
    target = stats_of(f, TARGET);
    assert_int_equal(f->n_completions, 2);
    assert_int_equal(target.cnps_sent, stats_of(f, 0).cnps_received +
                                           stats_of(f, 1).cnps_received);
    /* 66 us at least, without coalescing more than 100 marks. */
    assert_in_range(target.cnps_sent, 2, 6);
    assert_true(arrived(f, 0)->marked + arrived(f, 1)->marked > 20);
}

static void
test_acknowledgements_carry_notifications(void **state)
{
    struct fixture *f = *state;
    struct nic_stats target;

    use_dcqcn(f, "fork-dcqcn");
    send_incast(f);
    run(f, EVENT_NEVER);
    target = stats_of(f, TARGET);
    assert_int_equal(f->n_completions, 2);
    assert_int_equal(target.acks_sent, 800);
    assert_int_equal(target.cnps_sent,
                     arrived(f, 0)->marked + arrived(f, 1)->marked);
    assert_true(target.cnps_sent > 20);
    assert_int_equal(target.cnps_sent, stats_of(f, 0).cnps_received +
                                           stats_of(f, 1).cnps_received);
    assert_int_equal(target.sent_packets, 800);
}

static void
test_paced_packets_follow_the_rate(void **state)
{
    struct fixture *f = *state;
    uint64_t before;
    uint64_t rate;

    use_dcqcn(f, "paper");
    send_incast(f);
    run(f, 30 * US);
    rate = nic_rate(f->star.nics[0], 0);
    before = nic_sent(f->star.nics[0], 0)->packets;
    run(f, 50 * US);
    assert_int_equal(nic_rate(f->star.nics[0], 0), rate);
    /* 20 us at 50 Gb/s. */
    assert_in_range(nic_sent(f->star.nics[0], 0)->packets - before,
                    20 * 50000 / (WIRE * 8), 20 * 50000 / (WIRE * 8) + 1);
}

static void
test_read_is_answered_with_data(void **state)
{
    struct fixture *f = *state;
    const uint32_t qp = join(f, 0);

    post(f, 0, qp,
         &(struct rc_request){.id = 7,
                              .operation = RC_READ,
                              .remote_address = 0x1000,
                              .rkey = 3,
                              .length_bytes = 20 * PAYLOAD});
    /* An acknowledgement waits behind the responses. */
    post(f, 0, qp,
         &(struct rc_request){
             .id = 8, .operation = RC_SEND, .length_bytes = 100});
    run(f, EVENT_NEVER);
    assert_int_equal(f->n_completions, 2);
    assert_int_equal(f->last.id, 8);
    assert_int_equal(f->last.status, RC_STATUS_OK);
    assert_int_equal(nic_received(f->star.nics[0], qp)->bytes, 20 * PAYLOAD);
    assert_int_equal(
        nic_sent(f->star.nics[TARGET], f->connections[0].qps[1])->packets, 20);
}

static void
test_headers_of_writes_reach_the_responder(void **state)
{
    struct fixture *f = *state;
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
    post(f, 0, qp, &request);
    run(f, 1000 * US);
    assert_int_equal(f->last.status, RC_STATUS_OK);
    request.remote_address++; /* One byte too far. */
    request.id = 2;
    post(f, 0, qp, &request);
    run(f, 2000 * US);
    assert_int_equal(f->last.id, 2);
    assert_int_equal(f->last.status, RC_STATUS_REMOTE_ACCESS);
    regions_destroy(regions);
}

static void
test_lost_packets_are_sent_again(void **state)
{
    struct fixture *f = *state;
    const uint32_t qp = join(f, 0);

    post(f, 0, qp,
         &(struct rc_request){.operation = RC_SEND,
                              .length_bytes = 100 * PAYLOAD});
    run(f, 2 * US);
    link_set_up(f->star.links[0], false);
    run(f, 4 * US);
    assert_null(fabric_check(f->star.fabric));
    link_set_up(f->star.links[0], true);
    run(f, EVENT_NEVER);
    assert_int_equal(f->n_completions, 1);
    assert_int_equal(f->last.status, RC_STATUS_OK);
    assert_true(nic_sent(f->star.nics[0], qp)->again > 0);
    /* What comes twice, or out of order, is no payload. */
    assert_true(arrived(f, 0)->again > 0);
    assert_int_equal(arrived(f, 0)->bytes, 100 * PAYLOAD);
    assert_int_equal(arrived(f, 0)->packets, 100 + arrived(f, 0)->again);
}

/* A switch trims what its queue does not hold.  The adapter counts what is left
 * and learns nothing from it: the sender repeats by itself. */
static void
test_trimmed_packets_are_ignored(void **state)
{
    struct fixture *f = *state;
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
            sim, &(struct sim_trim_config){.size_bytes = SIM_TRIM_MIN_BYTES,
                                           .dscp = SWITCH_SETUP_STRICT << 3,
                                           .queue = SWITCH_SETUP_STRICT}),
        ST_OK);
    assert_int_equal(
        sim_queue_set_trim(sim, TARGET, SWITCH_SETUP_LOSSLESS, true), ST_OK);
    send_incast(f);
    run(f, EVENT_NEVER);
    assert_int_equal(f->n_completions, 2);
    assert_int_equal(f->last.status, RC_STATUS_OK);
    assert_true(sim_trims(sim).trimmed > 0);
    assert_int_equal(sim_trims(sim).sent, sim_trims(sim).trimmed);
    assert_int_equal(stats_of(f, TARGET).trimmed_packets, sim_trims(sim).sent);
}

static void
test_silence_ends_in_an_error(void **state)
{
    struct fixture *f = *state;
    uint32_t qp;

    f->rc.timeout_exponent = 8; /* 1.05 ms. */
    f->rc.retry_limit = 2;
    qp = join(f, 0);
    link_set_up(f->star.links[TARGET], false);
    post(f, 0, qp,
         &(struct rc_request){.operation = RC_SEND, .length_bytes = PAYLOAD});
    run(f, EVENT_NEVER);
    assert_int_equal(f->n_completions, 1);
    assert_int_equal(f->last.status, RC_STATUS_RETRY_EXCEEDED);
    assert_int_equal(nic_sent(f->star.nics[0], qp)->packets, 3);
    assert_in_range(f->last_ps, 3 * 1048 * US, 3 * 1050 * US);
}

static void
test_two_queue_pairs_share_the_wire(void **state)
{
    struct fixture *f = *state;
    uint32_t qps[2];

    for (uint32_t i = 0; i < 2; i++) {
        qps[i] = join(f, 0);
        post(f, 0, qps[i],
             &(struct rc_request){.operation = RC_SEND,
                                  .length_bytes = 1000 * PAYLOAD});
    }
    run(f, 50 * US);
    assert_in_range(nic_sent(f->star.nics[0], qps[0])->packets,
                    nic_sent(f->star.nics[0], qps[1])->packets,
                    nic_sent(f->star.nics[0], qps[1])->packets + 1);
    run(f, EVENT_NEVER);
    assert_int_equal(f->n_completions, 2);
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
        TEST(test_silence_ends_in_an_error),
        TEST(test_two_queue_pairs_share_the_wire),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
