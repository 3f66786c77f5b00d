/* SPDX-License-Identifier: Apache-2.0 */

/* Hosts, a switch and its buffer, from a 'struct rig_config'. */

#include <config.h>

#include "tests/bench/headroom_rig.h"

#include <stdlib.h>

#include "base/cable.h"
#include "base/check.h"
#include "twin/fabric/fabric.h"

enum {
    LOSSLESS = 3,
    WIRE_PAUSE_BYTES = 84,
    LONGEST_FRAME = 65535,
};

struct testbench;

/* A frame that the switch sends to a host, once. */
struct own_frame {
    struct event event;
    struct testbench *rig;
    uint32_t port;
};

struct testbench {
    const struct rig_config *config;
    struct fabric *fabric;
    struct sim *sim;
    uint32_t sink_port;
    struct host **hosts; /* One per sender. */
    struct own_frame *own_frames;
    struct rig_outcome outcome;
};

static const struct classify_map identity = {
    .entries = {0, 1, 2, 3, 4, 5, 6, 7}};

static void
must(enum st status)
{
    orch_assert(status == ST_OK);
}

static uint64_t
mac_of(uint32_t port)
{
    return UINT64_C(0x020000000001) + port;
}

static void
on_pause(void *context, uint32_t port, unsigned int priority,
         unsigned int quanta, int64_t now_ps)
{
    struct testbench *rig = context;

    (void)port;
    (void)priority;
    (void)quanta;
    if (rig->outcome.pause_ps == EVENT_NEVER) {
        rig->outcome.pause_ps = now_ps;
    }
}

static void
on_drop(void *context, uint32_t port, enum mmu_drop why,
        const struct sim_frame *frame, int64_t now_ps)
{
    struct testbench *rig = context;

    (void)port;
    (void)now_ps;
    orch_assert(why == MMU_HEADROOM || why == MMU_HEADROOM_POOL);
    rig->outcome.lost_packets++;
    rig->outcome.lost_bytes += frame->length_bytes;
}

/* The frame comes in where nothing else does, and goes out at once. */
static void
send_own_frame(struct event *event, int64_t now_ps)
{
    struct own_frame *own = EVENT_OWNER(event, struct own_frame, event);
    struct testbench *rig = own->rig;
    const struct sim_frame frame = {.dst_mac = mac_of(own->port),
                                    .src_mac = mac_of(rig->sink_port),
                                    .length_bytes = rig->config->own_bytes};

    (void)now_ps;
    must(sim_receive(rig->sim, rig->sink_port, &frame));
}

/* Returns the bytes of buffer that a frame takes. */
static uint64_t
buffer_bytes(const struct chip *chip, uint32_t length_bytes)
{
    return chip_cells_to_bytes(chip, chip_packet_cells(chip, length_bytes));
}

/* Gives PG 'index' of 'port' a profile. */
static enum st
attach(struct testbench *rig, uint32_t port, uint32_t index, uint32_t profile,
       struct err *err)
{
    struct mmu *mmu = sim_mmu(rig->sim);

    return mmu_pg_attach(mmu, mmu_pg_id(mmu, port, index), profile, err);
}

/* Lets frames of the switch's own in, of which there is never more than one. */
static enum st
admit_own_frames(struct testbench *rig, uint32_t pool, struct err *err)
{
    const struct mmu_profile_config lossy = {
        .pool = pool,
        .is_static = true,
        .reserved_bytes = rig->config->own_bytes,
        .static_bytes = 2 * (uint64_t)rig->config->own_bytes};
    uint32_t profile;
    enum st status =
        mmu_profile_create(sim_mmu(rig->sim), &lossy, &profile, err);

    return status == ST_OK ? attach(rig, rig->sink_port, 0, profile, err)
                           : status;
}

/* Gives the PG of every sender its profile. */
static enum st
configure_buffer(struct testbench *rig, struct err *err)
{
    const struct rig_config *config = rig->config;
    struct mmu *mmu = sim_mmu(rig->sim);
    struct mmu_profile_config pg = {.is_static = true,
                                    .reserved_bytes = config->guarantee_bytes,
                                    .static_bytes = config->shared_bytes,
                                    .xoff_bytes = config->xoff_bytes};
    struct mmu_pool_config pool = {MMU_INGRESS, config->pool_bytes,
                                   config->pool_xoff_bytes};
    uint32_t profile;
    enum st status;

    if (chip_size_has_xoff(config->chip, config->pool_xoff_bytes > 0)) {
        pg.reserved_bytes += config->xoff_bytes;
    }
    status = mmu_pool_create(mmu, &pool, &pg.pool, err);
    if (status != ST_OK) {
        return status;
    }
    status = admit_own_frames(rig, pg.pool, err);
    if (status != ST_OK) {
        return status;
    }
    status = mmu_profile_create(mmu, &pg, &profile, err);
    for (size_t i = 0; status == ST_OK && i < config->n_senders; i++) {
        status = attach(rig, config->senders[i].port, LOSSLESS, profile, err);
    }
    return status;
}

static void
add_port(struct testbench *rig, uint32_t port)
{
    const struct chip *chip = rig->config->chip;
    bool is_sink = port == rig->sink_port;
    uint32_t place = is_sink ? 0 : port;

    must(sim_port_add(
        rig->sim, port, chip->first_lane + place * chip->lanes_per_port,
        &(struct sim_port_config){.speed_mbps = rig->config->speed_mbps,
                                  .admin_up = true,
                                  .tx_enabled = !is_sink,
                                  .pfc_tx_enabled = 1 << LOSSLESS}));
    must(sim_fdb_set(rig->sim, mac_of(port), port));
}

static void
add_flow(struct host *host, uint64_t to, const struct rig_sender *sender,
         bool is_first)
{
    /* What is due longest goes first: one after the other. */
    const struct flow_config flow = {
        .flow = is_first ? 0 : 1,
        .priority = LOSSLESS,
        .pace = {.start_ps = sender->start_ps + (is_first ? 0 : 1),
                 .n_frames = is_first ? sender->n_frames : 0,
                 .interval.per = 1},
        .frame = {.dst_mac = to,
                  .length_bytes =
                      is_first ? sender->first_bytes : sender->then_bytes,
                  .dscp = LOSSLESS}};

    must(host_add_flow(host, &flow));
}

static void
add_sender(struct testbench *rig, size_t i)
{
    const struct rig_config *config = rig->config;
    const struct rig_sender *sender = &config->senders[i];
    const struct host_config host = {.mac = mac_of(sender->port),
                                     .speed_mbps = config->speed_mbps,
                                     .obeys_priorities = 1 << LOSSLESS,
                                     .response_ps = config->response_ps};
    struct fabric_end ends[2] = {{.host = NULL},
                                 {.sim = rig->sim, .port = sender->port}};
    struct own_frame *own = &rig->own_frames[i];

    must(fabric_add_host(rig->fabric, &host, &rig->hosts[i]));
    ends[0].host = rig->hosts[i];
    must(fabric_connect(rig->fabric, ends, config->cable_m, LONGEST_FRAME,
                        NULL));
    if (sender->n_frames) {
        add_flow(rig->hosts[i], mac_of(rig->sink_port), sender, true);
    }
    add_flow(rig->hosts[i], mac_of(rig->sink_port), sender, false);
    *own = (struct own_frame){
        .event.fire = send_own_frame, .rig = rig, .port = sender->port};
    if (sender->own_start_ps >= 0) {
        engine_schedule(fabric_engine(rig->fabric), &own->event,
                        sender->own_start_ps);
    }
}

/* Returns when all is over: that a run lasted long enough is checked after it,
 * so this need not be exact. */
static int64_t
end_ps(const struct rig_config *config)
{
    uint32_t mbps = config->speed_mbps;
    int64_t last_ps = 0;

    for (size_t i = 0; i < config->n_senders; i++) {
        const struct rig_sender *sender = &config->senders[i];
        uint32_t shortest = sender->first_bytes < sender->then_bytes
                                ? sender->first_bytes
                                : sender->then_bytes;
        uint64_t fill = (config->guarantee_bytes + config->shared_bytes) /
                            buffer_bytes(config->chip, shortest) +
                        4;
        int64_t end =
            sender->start_ps +
            (int64_t)fill * (frame_wire_ps(sender->first_bytes, mbps) +
                             frame_wire_ps(sender->then_bytes, mbps));

        last_ps = end > last_ps ? end : last_ps;
    }
    return last_ps + config->response_ps +
           frame_wire_ps(config->own_bytes + WIRE_PAUSE_BYTES, mbps) +
           INT64_C(3) * CABLE_PS_PER_METRE * config->cable_m;
}

/* Counts what came of each sender, all of which have stopped. */
static void
collect(struct testbench *rig)
{
    struct mmu *mmu = sim_mmu(rig->sim);
    struct mmu_pool_stats pool;

    for (size_t i = 0; i < rig->config->n_senders; i++) {
        struct host_stats host;
        struct mmu_pg_stats pg;

        host_get_stats(rig->hosts[i], &host);
        mmu_pg_get(mmu, mmu_pg_id(mmu, rig->config->senders[i].port, LOSSLESS),
                   &pg);
        orch_assert(host.paused == 1 << LOSSLESS);
        orch_assert(host.sent == pg.packets);
        rig->outcome.frames += pg.packets;
    }
    orch_assert(!mmu_check(mmu));
    must(mmu_pool_get(mmu, 0, &pool));
    rig->outcome.headroom_bytes =
        chip_cells_to_bytes(rig->config->chip, pool.headroom_watermark);
}

enum st
rig_run(const struct rig_config *config, struct rig_outcome *outcome,
        struct err *err)
{
    struct testbench rig = {.config = config,
                            .fabric = fabric_create(1),
                            .sink_port = config->chip->default_ports,
                            .outcome.pause_ps = EVENT_NEVER};
    enum st status;

    rig.sim = fabric_add_switch(rig.fabric, config->chip);
    rig.hosts = check_calloc(config->n_senders, sizeof *rig.hosts);
    rig.own_frames = check_calloc(config->n_senders, sizeof *rig.own_frames);
    sim_rules(rig.sim)->dscp_to_tc = &identity;
    sim_rules(rig.sim)->tc_to_pg = &identity;
    sim_rules(rig.sim)->tc_to_queue = &identity;
    sim_set_listener(rig.sim, &(struct sim_listener){.pfc = on_pause,
                                                     .drop = on_drop,
                                                     .context = &rig});
    add_port(&rig, rig.sink_port);
    for (size_t i = 0; i < config->n_senders; i++) {
        add_port(&rig, config->senders[i].port);
    }
    status = configure_buffer(&rig, err);
    if (status == ST_OK) {
        for (size_t i = 0; i < config->n_senders; i++) {
            add_sender(&rig, i);
        }
        engine_run_until(fabric_engine(rig.fabric), end_ps(config));
        collect(&rig);
        *outcome = rig.outcome;
    }
    fabric_destroy(rig.fabric);
    free(rig.hosts);
    free(rig.own_frames);
    return status;
}

int64_t
rig_xoff_ps(const struct rig_config *config, uint32_t frame_bytes)
{
    const struct rig_sender sender = {.first_bytes = frame_bytes,
                                      .then_bytes = frame_bytes,
                                      .own_start_ps = -1};
    struct rig_config near = *config;
    struct rig_outcome outcome;

    near.cable_m = 0;
    near.response_ps = 0;
    near.senders = &sender;
    near.n_senders = 1;
    must(rig_run(&near, &outcome, NULL));
    /* The port's own wire is idle, so it pauses when the PG is XOFF. */
    return outcome.pause_ps + (int64_t)config->cable_m * CABLE_PS_PER_METRE;
}
