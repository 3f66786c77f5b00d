/* SPDX-License-Identifier: Apache-2.0 */

/* Runs of many senders, drawn by seed. */

#include <config.h>

#include "tests/bench/headroom_crowd.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/random.h"
#include "tests/bench/headroom_case.h"
#include "tests/bench/headroom_setup.h"
#include "twin/forwarding/frame.h"

enum { SHARED_BYTES = 4096 };

/* Draws the senders of one run; 'ports' is shuffled. */
static void
draw(const struct crowd_config *config, const struct bench_config *bench,
     const int64_t *xoff_ps, struct random *random, uint32_t *ports,
     struct bench_sender *senders)
{
    const int64_t own_ps = frame_wire_ps(bench->own_bytes, bench->speed_mbps);
    uint32_t n_ports = bench->chip->default_ports;

    for (size_t i = 0; i < bench->n_senders; i++) {
        size_t other = i + random_below(random, n_ports - i);
        size_t length = random_below(random, config->n_lengths);
        int64_t start_ps =
            own_ps + (int64_t)random_below(random, (uint64_t)own_ps);
        uint32_t port = ports[other];

        ports[other] = ports[i];
        ports[i] = port;
        senders[i] = (struct bench_sender){
            .port = port,
            .start_ps = start_ps,
            .first_bytes = config->lengths[length],
            .then_bytes = config->lengths[length],
            .own_start_ps = start_ps + xoff_ps[length] -
                            (int64_t)random_below(random, (uint64_t)own_ps)};
    }
}

static void
add(struct crowd *crowd, const struct bench_outcome *outcome)
{
    crowd->n_lossy += outcome->lost_packets > 0;
    crowd->lost_packets += outcome->lost_packets;
    crowd->lost_bytes += outcome->lost_bytes;
    crowd->frames += outcome->frames;
    if (outcome->lost_packets > crowd->most_packets) {
        crowd->most_packets = outcome->lost_packets;
    }
    if (outcome->lost_bytes > crowd->most_bytes) {
        crowd->most_bytes = outcome->lost_bytes;
    }
}

void
crowd_find(const struct crowd_config *config, uint32_t k, struct crowd *crowd)
{
    const struct chip *chip = config->question.chip;
    const struct headroom_port *port = &config->question.groups[0].port;
    struct bench_sender *senders = check_calloc(k, sizeof *senders);
    uint32_t *ports = check_calloc(chip->default_ports, sizeof *ports);
    int64_t xoff_ps[CROWD_LENGTHS_MAX];
    struct plan_answer answer;
    struct bench_config bench;

    plan_answer(&config->question, &answer);
    orch_assert(answer.fits && k <= chip->default_ports);
    bench = (struct bench_config){
        .chip = chip,
        .speed_mbps = port->speed_mbps,
        .cable_m = port->cable_m,
        .response_ps = proof_response_ps(&config->question, port),
        .own_bytes = port->mtu + PROOF_ETHERNET_BYTES,
        .pool_bytes = answer.pool_size_bytes,
        .pool_xoff_bytes = answer.pool_xoff_bytes,
        .guarantee_bytes = answer.groups[0].headroom.xon,
        .shared_bytes = SHARED_BYTES,
        .xoff_bytes = answer.groups[0].headroom.xoff};
    for (size_t i = 0; i < config->n_lengths; i++) {
        xoff_ps[i] = bench_xoff_ps(&bench, config->lengths[i]);
    }
    bench.senders = senders;
    bench.n_senders = k;
    for (uint32_t i = 0; i < chip->default_ports; i++) {
        ports[i] = i;
    }
    *crowd = (struct crowd){.n_at_once = (uint32_t)answer.groups[0].n_at_once};
    for (uint32_t i = 0; i < config->n_runs; i++) {
        struct bench_outcome outcome = {0};
        struct random random;
        enum st status;

        random_init(&random, (uint64_t)k << 32 | i);
        draw(config, &bench, xoff_ps, &random, ports, senders);
        status = bench_run(&bench, &outcome, NULL);
        orch_assert(status == ST_OK);
        add(crowd, &outcome);
    }
    free(senders);
    free(ports);
}
