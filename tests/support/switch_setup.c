/* SPDX-License-Identifier: Apache-2.0 */

/* Switches as lossless networks have them, and a star of adapters. */

#include <config.h>

#include "tests/support/switch_setup.h"

#include <stdlib.h>

#include "base/check.h"
#include "twin/forwarding/frame.h"

enum {
    LANES = 4,
    ROCE_PORT = 4791,
    TTL = 64,
    UNUSED_SHARE = 16, /* Of the buffer. */
};

#define SWITCH_MAC UINT64_C(0x020000000000)
#define HOST_MAC   UINT64_C(0x024000000000)

static const struct classify_map identity = {
    .entries = {0, 1, 2, 3, 4, 5, 6, 7}};

#define EIGHT(tc) tc, tc, tc, tc, tc, tc, tc, tc
static const struct classify_map by_dscp = {
    .entries = {EIGHT(0), EIGHT(1), EIGHT(2), EIGHT(3), EIGHT(4), EIGHT(5),
                EIGHT(6), EIGHT(7)}};

static void
must(enum st status)
{
    orch_assert(status == ST_OK);
}

/* Divides the buffer. */
static void
divide(const struct switch_setup *setup, struct mmu *mmu)
{
    const uint64_t memory = setup->chip->memory_bytes;
    const uint64_t taken =
        setup->uses_all
            ? 0
            : setup->n_ports * setup->headroom_bytes + memory / UNUSED_SHARE;
    const struct mmu_pool_config in = {.direction = MMU_INGRESS,
                                       .size_bytes = memory - taken};
    const struct mmu_pool_config out = {.direction = MMU_EGRESS,
                                        .size_bytes = memory};
    struct mmu_profile_config pg = {.dynamic_th = setup->dynamic_th,
                                    .reserved_bytes = setup->reserved_bytes,
                                    .xoff_bytes = setup->headroom_bytes,
                                    .xon_bytes = setup->xon_bytes,
                                    .xon_offset_bytes =
                                        setup->xon_offset_bytes};
    struct mmu_profile_config lossy = {.dynamic_th = -1};
    struct mmu_profile_config lossy_queue = {.dynamic_th = 3};
    struct mmu_profile_config queue = {.is_static = true,
                                       .static_bytes = memory};
    uint32_t profiles[4];

    must(mmu_pool_create(mmu, &in, &pg.pool, NULL));
    must(mmu_pool_create(mmu, &out, &queue.pool, NULL));
    lossy.pool = pg.pool;
    must(mmu_profile_create(mmu, &pg, &profiles[0], NULL));
    must(mmu_profile_create(mmu, &lossy, &profiles[1], NULL));
    lossy_queue.pool = queue.pool;
    must(mmu_profile_create(mmu, &queue, &profiles[2], NULL));
    must(mmu_profile_create(mmu, &lossy_queue, &profiles[3], NULL));
    for (uint32_t port = 0; port < setup->n_ports; port++) {
        for (uint32_t i = 0; i < PFC_N_PRIORITIES; i++) {
            const bool is_lossy = i != SWITCH_SETUP_LOSSLESS;

            must(mmu_pg_attach(mmu, mmu_pg_id(mmu, port, i), profiles[is_lossy],
                               NULL));
            must(mmu_queue_attach(mmu, mmu_queue_id(mmu, port, i),
                                  profiles[2 + is_lossy], NULL));
        }
    }
}

void
switch_setup_apply(const struct switch_setup *setup, struct sim *sim,
                   uint64_t mac)
{
    const struct sim_port_config port = {
        .speed_mbps = setup->speed_mbps,
        .admin_up = true,
        .tx_enabled = true,
        .pfc_tx_enabled = 1 << SWITCH_SETUP_LOSSLESS,
        .pfc_rx_enabled = 1 << SWITCH_SETUP_LOSSLESS,
        .mac = mac,
        .time_step_ps = setup->time_step_ps};
    const struct scheduler_config strict = {.type = SCHEDULER_STRICT,
                                            .weight = 1};

    orch_assert(setup->n_ports <= setup->chip->ports);
    sim_rules(sim)->dscp_to_tc = &by_dscp;
    sim_rules(sim)->tc_to_pg = &identity;
    sim_rules(sim)->tc_to_queue = &identity;
    for (uint32_t i = 0; i < setup->n_ports; i++) {
        must(sim_port_add(sim, i, 1 + LANES * i, &port));
        must(sim_queue_set_wred(sim, i, SWITCH_SETUP_LOSSLESS, setup->wred));
        must(scheduler_set(sim_port_scheduler(sim, i), SWITCH_SETUP_STRICT,
                           &strict, 0));
    }
    divide(setup, sim_mmu(sim));
}

/* The star ----------------------------------------------------------------- */

uint64_t
star_mac(uint32_t host)
{
    return HOST_MAC + host;
}

void
star_init(struct star *star, const struct switch_setup *setup,
          const struct nic_config *config, uint32_t length_m, uint64_t seed)
{
    *star =
        (struct star){.fabric = fabric_create(seed), .n_hosts = setup->n_ports};
    star->sim = fabric_add_switch_at(star->fabric, setup->chip, 1);
    switch_setup_apply(setup, star->sim, SWITCH_MAC);
    star->nics = check_calloc(star->n_hosts, sizeof(struct nic *));
    star->links = check_calloc(star->n_hosts, sizeof(struct link *));
    for (uint32_t i = 0; i < star->n_hosts; i++) {
        struct nic_config nic = *config;
        struct fabric_end ends[2] = {{0}, {.sim = star->sim, .port = i}};

        nic.mac = star_mac(i);
        must(fabric_add_nic(star->fabric, &nic, 1 + setup->chip->ports + i,
                            &star->nics[i]));
        ends[0].nic = star->nics[i];
        must(fabric_connect(star->fabric, ends, length_m, SWITCH_SETUP_MTU,
                            &star->links[i]));
        must(sim_fdb_set(star->sim, nic.mac, i));
    }
}

void
star_fini(struct star *star)
{
    fabric_destroy(star->fabric);
    free(star->nics);
    free(star->links);
}

/* Connections -------------------------------------------------------------- */

static struct address
v4(uint32_t number)
{
    const uint8_t bytes[4] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16),
                              (uint8_t)(number >> 8), (uint8_t)number};

    return address_make(ADDRESS_V4, bytes);
}

/* Returns the headers of frames of 'from' to 'to'. */
static struct sim_payload *
make_headers(const struct connection_end *from, const struct connection_end *to,
             uint16_t entropy)
{
    struct packet packet = {.dst_mac = from->gateway ? from->gateway : to->mac,
                            .src_mac = from->mac,
                            .type = 0x0800,
                            .offset = PACKET_MIN_BYTES,
                            .kind = PACKET_IPV4,
                            .src = v4(from->address),
                            .dst = v4(to->address),
                            .ttl = TTL,
                            .protocol = PACKET_UDP,
                            .has_ports = true,
                            .src_port = entropy,
                            .dst_port = ROCE_PORT};

    if (!from->address) {
        packet = (struct packet){.dst_mac = to->mac, .src_mac = from->mac};
    }
    return sim_payload_describe(&packet);
}

void
connection_init(struct connection *connection,
                const struct connection_end ends[2],
                const struct nic_qp_config *config, uint16_t entropy)
{
    const uint32_t numbers[2] = {nic_n_qps(ends[0].nic),
                                 nic_n_qps(ends[1].nic) +
                                     (ends[0].nic == ends[1].nic)};

    for (uint32_t i = 0; i < 2; i++) {
        struct nic_qp_config qp = *config;

        connection->headers[i] = make_headers(&ends[i], &ends[1 - i], entropy);
        qp.headers = connection->headers[i];
        qp.peer_qp = numbers[1 - i];
        qp.priority = config->kind == NIC_TCP ? SWITCH_SETUP_LOSSY
                                              : SWITCH_SETUP_LOSSLESS;
        qp.dscp = (uint8_t)(qp.priority << 3);
        must(nic_add_qp(ends[i].nic, &qp, &connection->qps[i]));
        orch_assert(connection->qps[i] == numbers[i]);
    }
}

void
connection_fini(struct connection *connection)
{
    sim_payload_unref(connection->headers[0]);
    sim_payload_unref(connection->headers[1]);
}
