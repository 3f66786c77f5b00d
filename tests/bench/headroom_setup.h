/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_BENCH_HEADROOM_SETUP_H
#define ORCHD_TESTS_BENCH_HEADROOM_SETUP_H

/* A switch in the twin whose lossless PGs are driven into their headroom.
 *
 * Each sender is a host on a cable of its own, which sends frames of
 * priority 3 at line rate to a port that never transmits.  Its PG fills up,
 * becomes XOFF, and the port sends a pause frame; that waits for a frame of the
 * switch's own that is on the wire, travels down the cable, and takes effect
 * after the response time of the host.  What arrives until the cable is
 * empty is what headroom is for.
 *
 * The PG has the guarantee that its profile says and a small static threshold,
 * so that all of a run is about headroom.  Queues have no limit:
 * what is lost is lost for lack of headroom, and a run asserts that. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "twin/chip/chip.h"

struct bench_sender {
    uint32_t port; /* Slot on the chip, below 'default_ports'. */
    int64_t start_ps;

    /* 'n_frames' of the first length, then those of the second until it is
     * paused; lengths are without FCS. */
    uint32_t first_bytes;
    uint64_t n_frames;
    uint32_t then_bytes;

    /* When the switch begins to send a frame of its own to it; negative:
     * never. */
    int64_t own_start_ps;
};

struct bench_config {
    const struct chip *chip; /* With 'default_ports', and one slot more. */
    uint32_t speed_mbps;
    uint32_t cable_m;
    int64_t response_ps;
    uint32_t own_bytes; /* Of a frame of the switch's own, without FCS. */

    uint64_t pool_bytes;
    uint64_t pool_xoff_bytes; /* 0: headroom is private. */
    uint64_t guarantee_bytes;
    uint64_t shared_bytes; /* Beyond the guarantee, until a PG is XOFF. */
    uint64_t xoff_bytes;

    const struct bench_sender *senders; /* On different ports. */
    size_t n_senders;
};

struct bench_outcome {
    uint64_t frames; /* That have arrived, dropped ones included. */
    uint64_t lost_packets;
    uint64_t lost_bytes;
    uint64_t headroom_bytes; /* The most that was held, of all together. */
    int64_t pause_ps;        /* When the first pause frame began. */
};

/* Runs until all senders have stopped and their cables are empty.
 * ST_NO_RESOURCE if the chip has no room for the profiles: then nothing ran. */
enum st bench_run(const struct bench_config *config,
                  struct bench_outcome *outcome,
                  struct err *err) ST_WARN_UNUSED;

/* Returns when the PG of a sender that begins at 0, and sends frames of
 * 'frame_bytes', becomes XOFF; senders of 'config' do not count.  Tried without
 * cable and response, which is soon over. */
int64_t bench_xoff_ps(const struct bench_config *config, uint32_t frame_bytes);

#endif /* tests/bench/headroom_setup.h */
