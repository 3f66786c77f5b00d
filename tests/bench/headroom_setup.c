/* SPDX-License-Identifier: Apache-2.0 */

/* Hosts, a switch and its buffer, from a 'struct bench_config'. */

#include <config.h>

#include "tests/bench/headroom_setup.h"

#include <stdlib.h>

#include "base/cable.h"
#include "base/check.h"
#include "tests/support/sim_setup.h"
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
    struct testbench *bench;
    uint32_t port;
};

struct testbench {
    const struct bench_config *config;
    struct fabric *fabric;
    struct sim *sim;
    uint32_t sink_port;
    struct host **hosts; /* One per sender. */
    struct own_frame *own_frames;
    struct bench_outcome outcome;
};

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
    struct testbench *bench = context;

    (void)port;
    (void)priority;
    (void)quanta;
    if (bench->outcome.pause_ps == EVENT_NEVER) {
        bench->outcome.pause_ps = now_ps;
    }
}

static void
on_drop(void *context, uint32_t port, enum mmu_drop why,
        const struct sim_frame *frame, int64_t now_ps)
{
    struct testbench *bench = context;

    (void)port;
    (void)now_ps;
    orch_assert(why == MMU_HEADROOM || why == MMU_HEADROOM_POOL);
    bench->outcome.lost_packets++;
    bench->outcome.lost_bytes += frame->length_bytes;
}

/* The frame comes in where nothing else does, and goes out at once. */
static void
send_own_frame(struct event *event, int64_t now_ps)
{
    struct own_frame *own = EVENT_OWNER(event, struct own_frame, event);
    struct testbench *bench = own->bench;
    const struct sim_frame frame = {.dst_mac = mac_of(own->port),
                                    .src_mac = mac_of(bench->sink_port),
                                    .length_bytes = bench->config->own_bytes};

    (void)now_ps;
    must(sim_receive(bench->sim, bench->sink_port, &frame));
}

/* Returns the bytes of buffer that a frame takes. */
static uint64_t
buffer_bytes(const struct chip *chip, uint32_t length_bytes)
{
    return chip_cells_to_bytes(chip, chip_packet_cells(chip, length_bytes));
}

/* Gives PG 'index' of 'port' a profile. */
static enum st
attach(struct testbench *bench, uint32_t port, uint32_t index, uint32_t profile,
       struct err *err)
{
    struct mmu *mmu = sim_mmu(bench->sim);

    return mmu_pg_attach(mmu, mmu_pg_id(mmu, port, index), profile, err);
}

/* Lets frames of the switch's own in, of which there is never more than one. */
static enum st
admit_own_frames(struct testbench *bench, uint32_t pool, struct err *err)
{
    const struct mmu_profile_config lossy = {
        .pool = pool,
        .is_static = true,
        .reserved_bytes = bench->config->own_bytes,
        .static_bytes = 2 * (uint64_t)bench->config->own_bytes};
    uint32_t profile;
    enum st status =
        mmu_profile_create(sim_mmu(bench->sim), &lossy, &profile, err);

    return status == ST_OK ? attach(bench, bench->sink_port, 0, profile, err)
                           : status;
}

/* Gives the PG of every sender its profile. */
static enum st
configure_buffer(struct testbench *bench, struct err *err)
{
    const struct bench_config *config = bench->config;
    struct mmu *mmu = sim_mmu(bench->sim);
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
    status = admit_own_frames(bench, pg.pool, err);
    if (status != ST_OK) {
        return status;
    }
    status = mmu_profile_create(mmu, &pg, &profile, err);
    for (size_t i = 0; status == ST_OK && i < config->n_senders; i++) {
        status = attach(bench, config->senders[i].port, LOSSLESS, profile, err);
    }
    return status;
}

static void
add_port(struct testbench *bench, uint32_t port)
{
    const struct chip *chip = bench->config->chip;
    bool is_sink = port == bench->sink_port;
    uint32_t place = is_sink ? 0 : port;

    must(sim_port_add(
        bench->sim, port, chip->first_lane + place * chip->lanes_per_port,
        &(struct sim_port_config){.speed_mbps = bench->config->speed_mbps,
                                  .admin_up = true,
                                  .tx_enabled = !is_sink,
                                  .pfc_tx_enabled = 1 << LOSSLESS}));
    must(sim_fdb_set(bench->sim, mac_of(port), port));
}

static void
add_flow(struct host *host, uint64_t to, const struct bench_sender *sender,
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
add_sender(struct testbench *bench, size_t i)
{
    const struct bench_config *config = bench->config;
    const struct bench_sender *sender = &config->senders[i];
    const struct host_config host = {.mac = mac_of(sender->port),
                                     .speed_mbps = config->speed_mbps,
                                     .obeys_priorities = 1 << LOSSLESS,
                                     .response_ps = config->response_ps};
    struct fabric_end ends[2] = {{.host = NULL},
                                 {.sim = bench->sim, .port = sender->port}};
    struct own_frame *own = &bench->own_frames[i];

    must(fabric_add_host(bench->fabric, &host, &bench->hosts[i]));
    ends[0].host = bench->hosts[i];
    must(fabric_connect(bench->fabric, ends, config->cable_m, LONGEST_FRAME,
                        NULL));
    if (sender->n_frames) {
        add_flow(bench->hosts[i], mac_of(bench->sink_port), sender, true);
    }
    add_flow(bench->hosts[i], mac_of(bench->sink_port), sender, false);
    *own = (struct own_frame){.event = event_make(EVENT_TIMER_COMMAND, 0,
                                                  sender->port, send_own_frame),
                              .bench = bench,
                              .port = sender->port};
    if (sender->own_start_ps >= 0) {
        engine_schedule(fabric_engine(bench->fabric), &own->event,
                        sender->own_start_ps);
    }
}

/* Returns when all is over: that a run lasted long enough is checked after it,
 * so this need not be exact. */
static int64_t
end_ps(const struct bench_config *config)
{
    uint32_t mbps = config->speed_mbps;
    int64_t last_ps = 0;

    for (size_t i = 0; i < config->n_senders; i++) {
        const struct bench_sender *sender = &config->senders[i];
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
collect(struct testbench *bench)
{
    struct mmu *mmu = sim_mmu(bench->sim);
    struct mmu_pool_stats pool;

    for (size_t i = 0; i < bench->config->n_senders; i++) {
        struct host_stats host;
        struct mmu_pg_stats pg;

        host_get_stats(bench->hosts[i], &host);
        mmu_pg_get(
            mmu, mmu_pg_id(mmu, bench->config->senders[i].port, LOSSLESS), &pg);
        orch_assert(host.paused == 1 << LOSSLESS);
        orch_assert(host.sent == pg.packets);
        bench->outcome.frames += pg.packets;
    }
    orch_assert(!mmu_check(mmu));
    must(mmu_pool_get(mmu, 0, &pool));
    bench->outcome.headroom_bytes =
        chip_cells_to_bytes(bench->config->chip, pool.headroom_watermark) /
        bench->config->chip->headroom_watermark_factor;
}

enum st
bench_run(const struct bench_config *config, struct bench_outcome *outcome,
          struct err *err)
{
    struct testbench bench = {.config = config,
                              .fabric = fabric_create(1),
                              .sink_port = config->chip->default_ports,
                              .outcome.pause_ps = EVENT_NEVER};
    enum st status;

    bench.sim = fabric_add_switch(bench.fabric, config->chip);
    bench.hosts = check_calloc(config->n_senders, sizeof *bench.hosts);
    bench.own_frames =
        check_calloc(config->n_senders, sizeof *bench.own_frames);
    sim_setup_classes(bench.sim);
    sim_set_listener(bench.sim, &(struct sim_listener){.pfc = on_pause,
                                                       .drop = on_drop,
                                                       .context = &bench});
    add_port(&bench, bench.sink_port);
    for (size_t i = 0; i < config->n_senders; i++) {
        add_port(&bench, config->senders[i].port);
    }
    status = configure_buffer(&bench, err);
    if (status == ST_OK) {
        for (size_t i = 0; i < config->n_senders; i++) {
            add_sender(&bench, i);
        }
        engine_run_until(fabric_engine(bench.fabric), end_ps(config));
        collect(&bench);
        *outcome = bench.outcome;
    }
    fabric_destroy(bench.fabric);
    free(bench.hosts);
    free(bench.own_frames);
    return status;
}

int64_t
bench_xoff_ps(const struct bench_config *config, uint32_t frame_bytes)
{
    const struct bench_sender sender = {.first_bytes = frame_bytes,
                                        .then_bytes = frame_bytes,
                                        .own_start_ps = -1};
    struct bench_config near = *config;
    struct bench_outcome outcome;

    near.cable_m = 0;
    near.response_ps = 0;
    near.senders = &sender;
    near.n_senders = 1;
    must(bench_run(&near, &outcome, NULL));
    /* The port's own wire is idle, so it pauses when the PG is XOFF. */
    return outcome.pause_ps + (int64_t)config->cable_m * CABLE_PS_PER_METRE;
}
