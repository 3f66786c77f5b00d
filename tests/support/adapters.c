/* SPDX-License-Identifier: Apache-2.0 */

/* Adapters around a switch, connected to the last one. */

#include <config.h>

#include "tests/support/adapters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { METRES = 10 };

#define CABLE_PS INT64_C(50000)

static void
on_completion(void *context, uint32_t qp,
              const struct rc_completion *completion, int64_t now_ps)
{
    struct adapters *adapters = context;

    (void)qp;
    adapters->last = *completion;
    adapters->last_ps = now_ps;
    adapters->n_sent += !completion->is_receive;
    adapters->n_received += completion->is_receive;
}

struct adapters *
adapters_create(uint32_t n_hosts, const struct wred_profile *wred)
{
    struct adapters *adapters = test_calloc(1, sizeof *adapters);
    const struct switch_setup setup = {.chip = &adapters->chip,
                                       .n_ports = n_hosts,
                                       .speed_mbps = ADAPTERS_SPEED,
                                       .dynamic_th = -1,
                                       .headroom_bytes = 50000,
                                       .xon_offset_bytes = 3000,
                                       .wred = wred};
    struct nic_config nic;

    chip_init(&adapters->chip);
    adapters->chip.ports = n_hosts;
    adapters->chip.memory_bytes = 1 << 20;
    adapters->target = n_hosts - 1;
    adapters->rc = rc_config_default;
    adapters->tcp = tcp_config_default;
    nic_config_init(&nic, ADAPTERS_SPEED);
    star_init(&adapters->star, &setup, &nic, METRES, 1);
    for (uint32_t i = 0; i < n_hosts; i++) {
        nic_set_listener(adapters->star.nics[i], on_completion, adapters);
    }
    return adapters;
}

void
adapters_destroy(struct adapters *adapters)
{
    assert_null(fabric_check(adapters->star.fabric));
    star_fini(&adapters->star);
    for (uint32_t i = 0; i < adapters->n_connections; i++) {
        connection_fini(&adapters->connections[i]);
    }
    test_free(adapters);
}

uint32_t
adapters_join(struct adapters *adapters, enum nic_kind kind, uint32_t from,
              uint32_t burst)
{
    const uint32_t to = adapters->target;
    const struct connection_end ends[2] = {
        {.nic = adapters->star.nics[from], .mac = star_mac(from)},
        {.nic = adapters->star.nics[to], .mac = star_mac(to)}};
    const struct nic_qp_config config = {
        .kind = kind,
        .rc = &adapters->rc,
        .tcp = &adapters->tcp,
        .dcqcn = adapters->dcqcn.line_bps ? &adapters->dcqcn : NULL,
        .pacer = {.burst = burst}};
    struct connection *connection;

    assert_true(adapters->n_connections < ADAPTERS_MAX_CONNECTIONS);
    connection = &adapters->connections[adapters->n_connections++];
    connection_init(connection, ends, &config,
                    (uint16_t)adapters->n_connections);
    return connection->qps[0];
}

void
adapters_post(struct adapters *adapters, uint32_t from, uint32_t qp,
              const struct rc_request *request)
{
    assert_int_equal(nic_post(adapters->star.nics[from], qp, request), ST_OK);
}

void
adapters_run(struct adapters *adapters, int64_t until_ps)
{
    engine_run_until(fabric_engine(adapters->star.fabric), until_ps);
}

struct nic_stats
adapters_stats(const struct adapters *adapters, uint32_t host)
{
    struct nic_stats stats;

    nic_get_stats(adapters->star.nics[host], &stats);
    return stats;
}

const struct nic_flow *
adapters_sent(const struct adapters *adapters, uint32_t from, uint32_t qp)
{
    return nic_sent(adapters->star.nics[from], qp);
}

const struct nic_flow *
adapters_arrived(const struct adapters *adapters, uint32_t i)
{
    return nic_received(adapters->star.nics[adapters->target],
                        adapters->connections[i].qps[1]);
}

int64_t
adapters_way_ps(uint32_t wire_bytes)
{
    return 2 * ((int64_t)wire_bytes * ADAPTERS_PS_PER_BYTE + CABLE_PS);
}
