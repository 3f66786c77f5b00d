/* SPDX-License-Identifier: Apache-2.0 */

/* SRD on adapters: times of frames, one endpoint with several peers, messages
 * in order, incast without losses. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/adapters.h"
#include "twin/switch/sim.h"
#include "twin/transport/message.h"
#include "twin/transport/srd.h"

enum {
    N_HOSTS = 4,
    TARGET = N_HOSTS - 1,
    N_ENTROPIES = 8,
    MTU = 4096,
    OVERHEAD = SRD_OVERHEAD_BYTES + 20,
    ACK_WIRE = SRD_OVERHEAD_BYTES + 20,
    MAX_MESSAGES = 64,
};

#define US INT64_C(1000000)

struct delivery {
    uint32_t host, qp;
    uint64_t id;
    uint64_t bytes;
    int64_t at_ps;
    bool is_receive;
};

struct fixture {
    struct adapters *adapters;
    struct srd_config srd;
    struct message_config messages;
    struct sim_payload *headers[N_HOSTS][2][N_ENTROPIES];
    uint32_t contexts[N_HOSTS][2]; /* Of each host and the target. */
    uint32_t endpoints[N_HOSTS];
    struct host {
        struct fixture *f;
        uint32_t number;
    } hosts[N_HOSTS];
    struct delivery all[MAX_MESSAGES];
    uint32_t n;
};

static void
on_completion(void *context, uint32_t qp,
              const struct rc_completion *completion, int64_t now_ps)
{
    const struct host *host = context;

    assert_in_range(host->f->n, 0, MAX_MESSAGES - 1);
    assert_int_equal(completion->status, RC_STATUS_OK);
    host->f->all[host->f->n++] =
        (struct delivery){.host = host->number,
                          .qp = qp,
                          .id = completion->id,
                          .bytes = completion->bytes,
                          .at_ps = now_ps,
                          .is_receive = completion->is_receive};
}

static struct nic *
nic_of(const struct fixture *f, uint32_t host)
{
    return f->adapters->star.nics[host];
}

/* Makes contexts of 'host' and the target. */
static void
connect(struct fixture *f, uint32_t host)
{
    const uint32_t ends[2] = {host, TARGET};

    f->contexts[host][0] = nic_n_qps(nic_of(f, host));
    f->contexts[host][1] = nic_n_qps(nic_of(f, TARGET));
    for (uint32_t end = 0; end < 2; end++) {
        struct nic_qp_config config = {
            .kind = NIC_SRD,
            .srd = &f->srd,
            .peer_qp = f->contexts[host][!end],
            .entropies = f->headers[host][end],
            .seed = host,
        };
        uint32_t qp;

        for (uint32_t i = 0; i < N_ENTROPIES; i++) {
            const struct packet packet = {.dst_mac = star_mac(ends[!end]),
                                          .src_mac = star_mac(ends[end])};

            f->headers[host][end][i] = sim_payload_describe(&packet);
        }
        config.headers = f->headers[host][end][0];
        assert_int_equal(nic_add_qp(nic_of(f, ends[end]), &config, &qp), ST_OK);
        assert_int_equal(qp, f->contexts[host][end]);
    }
}

/* Adds a flow between 'host' and the target; returns its QP at the host. */
static uint32_t
add_flow(struct fixture *f, uint32_t host)
{
    const uint32_t ends[2] = {host, TARGET};
    const uint32_t qps[2] = {nic_n_qps(nic_of(f, host)),
                             nic_n_qps(nic_of(f, TARGET))};

    for (uint32_t end = 0; end < 2; end++) {
        const struct nic_qp_config config = {
            .kind = NIC_MESSAGES,
            .peer_qp = qps[!end],
            .headers = f->headers[host][end][0],
            .context = f->contexts[host][end],
            .endpoint = f->endpoints[ends[end]],
            .peer_endpoint = f->endpoints[ends[!end]]};
        uint32_t qp;

        assert_int_equal(nic_add_qp(nic_of(f, ends[end]), &config, &qp), ST_OK);
        assert_int_equal(qp, qps[end]);
    }
    return qps[0];
}

static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);

    f->adapters = adapters_create(N_HOSTS, NULL);
    f->srd = srd_config_default;
    f->srd.n_paths = 4;
    f->srd.n_entropies = N_ENTROPIES;
    f->messages.segment_bytes = MTU;
    for (uint32_t i = 0; i < N_HOSTS; i++) {
        const struct nic_endpoint_config config = {.send_depth = 8,
                                                   .messages = &f->messages};

        f->hosts[i] = (struct host){f, i};
        nic_set_listener(nic_of(f, i), on_completion, &f->hosts[i]);
        assert_int_equal(
            nic_add_endpoint(nic_of(f, i), &config, &f->endpoints[i]), ST_OK);
    }
    for (uint32_t i = 0; i < TARGET; i++) {
        connect(f, i);
    }
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    for (uint32_t i = 0; i < N_HOSTS; i++) {
        assert_null(nic_check(nic_of(f, i)));
    }
    adapters_destroy(f->adapters);
    for (uint32_t i = 0; i < TARGET; i++) {
        for (uint32_t j = 0; j < N_ENTROPIES; j++) {
            sim_payload_unref(f->headers[i][0][j]);
            sim_payload_unref(f->headers[i][1][j]);
        }
    }
    test_free(f);
    return 0;
}

static void
post(const struct fixture *f, uint32_t host, uint32_t qp, uint64_t id,
     uint32_t bytes)
{
    const struct rc_request request = {
        .id = id, .operation = RC_SEND, .length_bytes = bytes};

    assert_int_equal(nic_post(nic_of(f, host), qp, &request), ST_OK);
}

static void
test_round_trip(void **state)
{
    struct fixture *f = *state;
    const uint32_t qp = add_flow(f, 0);
    const struct rc_request write = {.operation = RC_WRITE, .length_bytes = 1};
    const int64_t there_ps = adapters_way_ps(1000 + OVERHEAD);

    post(f, 0, qp, 7, 1000);
    adapters_run(f->adapters, EVENT_NEVER);
    assert_int_equal(f->n, 2);
    assert_true(f->all[0].is_receive);
    assert_int_equal(f->all[0].host, TARGET);
    assert_int_equal(f->all[0].bytes, 1000);
    assert_int_equal(f->all[0].at_ps, there_ps);
    assert_false(f->all[1].is_receive);
    assert_int_equal(f->all[1].id, 7);
    assert_int_equal(f->all[1].qp, qp);
    assert_int_equal(f->all[1].at_ps, there_ps + adapters_way_ps(ACK_WIRE));
    assert_int_equal(nic_sent(nic_of(f, 0), qp)->bytes, 1000);
    assert_int_equal(nic_sent(nic_of(f, 0), qp)->packets, 1);
    assert_int_equal(nic_rate(nic_of(f, 0), qp), 100000000000);
    assert_int_equal(nic_post(nic_of(f, 0), qp, &write), ST_INVALID);
    assert_int_equal(nic_post(nic_of(f, 0), f->contexts[0][0], &write),
                     ST_INVALID);
}

/* One endpoint at the target, three peers, and messages of each in order. */
static void
test_incast_of_messages(void **state)
{
    struct fixture *f = *state;
    uint32_t qps[TARGET];
    uint64_t next[16] = {0};
    uint64_t bytes = 0;

    for (uint32_t host = 0; host < TARGET; host++) {
        qps[host] = add_flow(f, host);
    }
    for (uint32_t i = 0; i < 8; i++) {
        for (uint32_t host = 0; host < TARGET; host++) {
            post(f, host, qps[host], i, 100000 + 1000 * i);
        }
    }
    adapters_run(f->adapters, EVENT_NEVER);
    assert_int_equal(f->n, 2 * 8 * TARGET);
    for (uint32_t i = 0; i < f->n; i++) {
        const struct delivery *one = &f->all[i];

        if (one->is_receive) {
            assert_int_equal(one->host, TARGET);
            assert_int_equal(one->id, next[one->qp]);
            assert_int_equal(one->bytes, 100000 + 1000 * next[one->qp]++);
            bytes += one->bytes;
        }
    }
    assert_int_equal(bytes, TARGET * (8 * 100000 + 28 * 1000));
    for (uint32_t host = 0; host < TARGET; host++) {
        const struct nic_flow *sent = nic_sent(nic_of(f, host), qps[host]);

        assert_int_equal(sent->bytes, bytes / TARGET);
        assert_int_equal(sent->again, 0);
        assert_int_equal(
            srd_counters(nic_srd(nic_of(f, host), f->contexts[host][0]))
                ->retransmitted,
            0);
    }
    /* 5 % above the time of the wire, and two round trips. */
    assert_true(f->all[f->n - 1].at_ps <
                (int64_t)(bytes + bytes / MTU * OVERHEAD) * 80 * 105 / 100 +
                    10 * US);
}

/* A datagram for an endpoint that does not exist is refused and reported. */
static void
test_unknown_flow_is_counted(void **state)
{
    struct fixture *f = *state;
    const struct nic_qp_config config = {.kind = NIC_MESSAGES,
                                         .peer_qp = 99,
                                         .headers = f->headers[0][0][0],
                                         .context = f->contexts[0][0],
                                         .endpoint = f->endpoints[0],
                                         .peer_endpoint = f->endpoints[TARGET]};
    struct nic_stats stats;
    uint32_t qp;

    assert_int_equal(nic_add_qp(nic_of(f, 0), &config, &qp), ST_OK);
    post(f, 0, qp, 1, 10);
    adapters_run(f->adapters, EVENT_NEVER);
    nic_get_stats(nic_of(f, TARGET), &stats);
    assert_int_equal(stats.unknown_packets, 1);
    assert_int_equal(f->n, 1);
}

static void
test_copies_delay_messages(void **state)
{
    struct fixture *f = *state;
    const uint32_t qp = add_flow(f, 0);

    f->messages.copy_bps = 8000000000; /* 1,000 bytes in 1 us. */
    post(f, 0, qp, 7, 1000);
    adapters_run(f->adapters, EVENT_NEVER);
    assert_int_equal(f->n, 2);
    assert_true(f->all[1].is_receive);
    assert_int_equal(f->all[1].at_ps, adapters_way_ps(1000 + OVERHEAD) + US);
}

/* Messages one after the other, far apart: neither the timer of the first
 * packet nor the time of the first copy is left for the next. */
static void
test_messages_after_a_pause(void **state)
{
    struct fixture *f = *state;
    const uint32_t qp = add_flow(f, 0);

    f->messages.copy_bps = 8000000000; /* 1,000 bytes in 1 us. */
    for (uint32_t i = 0; i < 3; i++) {
        const int64_t begin_ps = i * 5000 * US;

        adapters_run(f->adapters, begin_ps);
        post(f, 0, qp, i, 1000);
        adapters_run(f->adapters, begin_ps + 100 * US);
        assert_int_equal(f->n, 2 * (i + 1));
        assert_true(f->all[2 * i + 1].is_receive);
        assert_int_equal(f->all[2 * i + 1].id, i);
        assert_int_equal(f->all[2 * i + 1].at_ps,
                         begin_ps + adapters_way_ps(1000 + OVERHEAD) + US);
    }
    adapters_run(f->adapters, EVENT_NEVER);
    assert_int_equal(nic_sent(nic_of(f, 0), qp)->again, 0);
}

static void
test_messages_are_copied_one_after_the_other(void **state)
{
    struct fixture *f = *state;
    const uint32_t qp = add_flow(f, 0);
    const int64_t first_ps = adapters_way_ps(1000 + OVERHEAD);
    uint32_t n = 0;

    /* 1,000 bytes in 10 us: all have arrived before the first is copied. */
    f->messages.copy_bps = 800000000;
    for (uint32_t i = 0; i < 4; i++) {
        post(f, 0, qp, i, 1000);
    }
    adapters_run(f->adapters, EVENT_NEVER);
    assert_int_equal(f->n, 8);
    for (uint32_t i = 0; i < f->n; i++) {
        if (f->all[i].is_receive) {
            assert_int_equal(f->all[i].id, n);
            assert_int_equal(f->all[i].at_ps, first_ps + ++n * 10 * US);
        }
    }
    assert_int_equal(n, 4);
}

static void
test_settings_are_checked(void **state)
{
    struct fixture *f = *state;
    struct nic_qp_config config = {
        .kind = NIC_MESSAGES, .headers = f->headers[0][0][0], .endpoint = 9};
    uint32_t qp;

    assert_int_equal(nic_add_qp(nic_of(f, 0), &config, &qp), ST_INVALID);
    config.endpoint = 0;
    config.context = nic_n_qps(nic_of(f, 0));
    assert_int_equal(nic_add_qp(nic_of(f, 0), &config, &qp), ST_INVALID);
    config = (struct nic_qp_config){.kind = NIC_SRD,
                                    .headers = f->headers[0][0][0],
                                    .entropies = f->headers[0][0],
                                    .srd = &f->srd};
    f->srd.line_bps /= 2; /* Not that of the adapter. */
    assert_int_equal(nic_add_qp(nic_of(f, 0), &config, &qp), ST_INVALID);
    f->srd.line_bps *= 2;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, setup, teardown),
        cmocka_unit_test_setup_teardown(test_incast_of_messages, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_unknown_flow_is_counted, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_copies_delay_messages, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_messages_after_a_pause, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(
            test_messages_are_copied_one_after_the_other, setup, teardown),
        cmocka_unit_test_setup_teardown(test_settings_are_checked, setup,
                                        teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
