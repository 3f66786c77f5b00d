/* SPDX-License-Identifier: Apache-2.0 */

/* One sender on a whole chip. */

#include <config.h>

#include "tests/bench/headroom_far.h"

#include "base/check.h"
#include "tests/bench/headroom_case.h"
#include "tests/bench/headroom_setup.h"

enum {
    SHARED_BYTES = 4096,
    LEFT_BYTES = 65536, /* Of a partition, if all else is headroom. */
};

void
far_find(const struct plan_question *question, uint32_t frame_bytes,
         struct peer_switch *far)
{
    const struct chip *chip = question->chip;
    const struct headroom_port *port = &question->groups[0].port;
    struct bench_sender sender = {.first_bytes = frame_bytes,
                                  .then_bytes = frame_bytes};
    struct bench_config bench = {.chip = chip,
                                 .speed_mbps = port->speed_mbps,
                                 .cable_m = port->cable_m,
                                 .response_ps =
                                     proof_response_ps(question, port),
                                 .own_bytes = port->mtu + PROOF_ETHERNET_BYTES,
                                 .shared_bytes = SHARED_BYTES,
                                 .senders = &sender,
                                 .n_senders = 1};
    struct plan_answer answer;
    struct bench_outcome outcome = {0};
    enum st status;

    plan_answer(question, &answer);
    bench.guarantee_bytes = answer.groups[0].guarantee_bytes;
    bench.pool_bytes = answer.pool_size_bytes;
    bench.pool_xoff_bytes = answer.pool_xoff_bytes;
    bench.xoff_bytes = answer.groups[0].headroom.xoff;
    if (!answer.fits) {
        uint64_t left = bench.guarantee_bytes + LEFT_BYTES;

        bench.xoff_bytes = chip->memory_bytes / chip->partitions - left;
        bench.pool_bytes =
            chip->memory_bytes - chip->partitions * LEFT_BYTES / 2;
        bench.pool_xoff_bytes = bench.xoff_bytes * chip->partitions;
    } else if (question->ratio == 0) {
        bench.pool_xoff_bytes = 0;
    }
    sender.own_start_ps = bench_xoff_ps(&bench, frame_bytes) - 1;
    status = bench_run(&bench, &outcome, NULL);
    orch_assert(status == ST_OK);
    *far = (struct peer_switch){.fits = answer.fits,
                                .xoff_bytes = answer.groups[0].headroom.xoff,
                                .headroom_bytes = bench.xoff_bytes,
                                .used_bytes = outcome.headroom_bytes,
                                .lost_packets = outcome.lost_packets,
                                .frames = outcome.frames};
}
