/* SPDX-License-Identifier: Apache-2.0 */

/* Bit errors and link-level retry of links.
 *
 * What the scenario leaves open follows from the link.  A NACK takes the round
 * trip, the distance of ordered sets, the frame that is being sent, and one of
 * the MTU at each end.  The window holds what can be sent in this time, and a
 * frame of the MTU for which there always has to be room; the replay timer is
 * twice this time. */

#include <config.h>

#include <math.h>

#include "base/cable.h"
#include "base/picoseconds.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"
#include "lab/oracle/retry.h"

enum { FCS_BYTES = 4, N_MTU = 3, TIMER_ROUNDS = 2, MBPS = 1000000 };

#define MAX_TIMER_PS INT64_C(65535000)

/* Returns the delay of 'link'. */
static int64_t
delay_ps(const struct topology_link *link)
{
    return (int64_t)(link->length_mm * CABLE_PS_PER_METRE / 1000);
}

/* Returns how long a sender may not know what became of a frame. */
static int64_t
notice_ps(const struct topology_link *link)
{
    const uint32_t speed_mbps = (uint32_t)(link->rate_bps / MBPS);

    return 2 * delay_ps(link) +
           link->errors.llr->spacing_bytes * FRAME_PS_PER_BYTE_MBPS /
               speed_mbps +
           N_MTU * frame_wire_ps(RUN_MTU_BYTES, speed_mbps);
}

/* Returns what both ends of 'link' do. */
static struct llr_port
port_of(const struct topology_link *link)
{
    const struct llr_spec *spec = link->errors.llr;
    const uint32_t speed_mbps = (uint32_t)(link->rate_bps / MBPS);
    const int64_t timer_ps = TIMER_ROUNDS * notice_ps(link);
    struct llr_port port = {
        .sends = true,
        .receives = true,
        .profile = {.max_frames = (uint32_t)spec->window_frames,
                    .max_bytes = (uint32_t)spec->window_bytes,
                    .replay_timer_ps = spec->timer_ps,
                    .max_replays = (uint32_t)spec->replays,
                    .in_init = (enum llr_action)spec->in_init,
                    .in_flush = (enum llr_action)spec->in_flush,
                    .reinit = spec->reinit,
                    .spacing_bytes = (uint32_t)spec->spacing_bytes},
        .speed_mbps = speed_mbps,
        .mtu_bytes = RUN_MTU_BYTES};

    if (!spec->window_bytes) {
        port.profile.max_bytes =
            (uint32_t)(notice_ps(link) * speed_mbps / FRAME_PS_PER_BYTE_MBPS +
                       RUN_MTU_BYTES);
    }
    if (!spec->timer_ps) {
        port.profile.replay_timer_ps =
            timer_ps < MAX_TIMER_PS ? timer_ps : MAX_TIMER_PS;
    }
    return port;
}

void
run_llr_join(struct run *run, uint32_t i)
{
    const struct topology_link *link = &run->topology->links[i];
    const struct error_spec *errors = &link->errors;
    const struct bit_error_rate rate = bit_error_rate_of(
        (uint64_t)errors->ber.numerator, (uint64_t)errors->ber.denominator,
        (uint32_t)errors->burst_bits);
    struct llr_port port;

    for (unsigned int end = 0; errors->ber.numerator && end < 2; end++) {
        link_set_bit_errors(run->links[i], end, &rate, run->seed);
    }
    if (errors->llr) {
        port = port_of(link);
        llr_set_port(link_llr(run->links[i]), 0, &port);
        llr_set_port(link_llr(run->links[i]), 1, &port);
    }
}

void
run_llr_report(const struct run *run, uint32_t i, unsigned int end,
               struct results *results)
{
    const struct topology_link *link = &run->topology->links[i];
    struct llr_amounts amounts;
    struct llr_stats stats;

    if (!link->errors.llr) {
        return;
    }
    llr_get_stats(link_llr(run->links[i]), end, &stats);
    llr_get_amounts(link_llr(run->links[i]), end, &amounts);
#define X(member)                                                              \
    if (stats.member) {                                                        \
        results_add_counter(results, link->node[end], link->port[end],         \
                            SINK_NONE, "llr_" #member, stats.member);          \
    }
    LLR_COUNTERS(X)
#undef X
    if (amounts.most_bytes) {
        results_add_counter(results, link->node[end], link->port[end],
                            SINK_NONE, "llr_peak_bytes", amounts.most_bytes);
    }
    if (amounts.flushes) {
        results_add_counter(results, link->node[end], link->port[end],
                            SINK_NONE, "llr_flushes", amounts.flushes);
    }
}

void
run_llr_describe(const struct run *run, struct results *results)
{
    const struct run_flow *flow = run->flows;
    const struct topology_link *link;
    struct llr_port port;

    if (run->n_flows != 1 || flow->traffic->kind != TRAFFIC_RAW ||
        flow->traffic->rate_bps || flow->traffic->start_ps) {
        return;
    }
    link = &run->topology
                ->links[topology_port(run->topology, flow->source, 0)->link];
    if (link->errors.llr && link->errors.burst_bits == 1) {
        const double frame_bytes =
            (double)(flow->traffic->frame_bytes - FCS_BYTES);
        struct retry_link retry;

        port = port_of(link);
        retry = (struct retry_link){
            .ber = ratio_double(&link->errors.ber),
            .rate_bps = (double)link->rate_bps,
            .delay_ps = (double)delay_ps(link),
            .frame_bytes = frame_bytes,
            .window_frames =
                fmin(port.profile.max_frames,
                     retry_window_frames(port.profile.max_bytes, RUN_MTU_BYTES,
                                         frame_bytes)),
            .timer_ps = (double)port.profile.replay_timer_ps,
            .spacing_bytes = port.profile.spacing_bytes};
        results_add_oracle(results, "llr", "",
                           retry_frames_per_second(&retry) *
                               (double)run->scenario->stop_ps /
                               (double)PS_PER_S);
    }
}
