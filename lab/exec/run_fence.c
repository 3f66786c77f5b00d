/* SPDX-License-Identifier: Apache-2.0 */

/* What flows reach in theory whose messages need a fast registration each
 * (twin/transport/rc.h).
 *
 * A message takes its registration, the time until its last packet has arrived,
 * and that of the acknowledgement: the period.  An adapter with the fence has
 * one message outstanding, so X = S / period.  One without it has 'depth' of
 * them: X = min(C, depth * S / period), and one registration at a time.
 *
 * An I/O of sK-RDMA is such a message and what follows it: its data, which the
 * server moves, the disk, and the answer.  With the fence the period is that of
 * the request, whose message is small, and X = S / period of the data.  The
 * READ of a disk write comes with the acknowledgement of its request, and
 * responses go first: the next request leaves behind the data, if they take
 * longer than its registration.  Without the fence, and at most then, X is
 * depth * S / the time of an I/O. */

#include <config.h>

#include <math.h>
#include <stdio.h>

#include "base/picoseconds.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"
#include "lab/oracle/delay.h"
#include "lab/oracle/transport.h"
#include "lab/storage/sk_rdma.h"

enum { OBJECT_SIZE = 32 };

/* Returns the time from the first bit of a message of 'flow' to the arrival of
 * its acknowledgement. */
static double
round_trip_ps(const struct run *run, const struct run_flow *flow,
              const struct delay_hop *hops, uint32_t n, uint32_t bytes)
{
    const struct run_profile *peer = run_host(run, flow->destination)->profile;
    const uint32_t mtu = run_host(run, flow->source)->profile->rc.mtu_bytes;
    const uint32_t n_packets = (flow->message_bytes + mtu - 1) / mtu;

    return (double)delay_train_ps(hops, n, n_packets, bytes) +
           (double)delay_path_ps(hops, n,
                                 run_oracle_wire_bytes(peer, TRANSPORT_ACK, 0));
}

/* Returns how long an I/O of 'flow', which is of sK-RDMA, takes alone behind
 * its registration, in packets of at most 'bytes' on the wire. */
static double
io_ps(const struct run *run, const struct run_flow *flow,
      const struct delay_hop *hops, uint32_t n, uint32_t bytes)
{
    const struct run_profile *profile = run_host(run, flow->source)->profile;
    const struct sk_rdma_spec *spec = &flow->traffic->sk;
    const uint32_t mtu = profile->rc.mtu_bytes;
    const uint32_t n_packets = (flow->message_bytes + mtu - 1) / mtu;
    const int64_t message_ps = delay_path_ps(
        hops, n,
        run_oracle_wire_bytes(profile, TRANSPORT_SEND_ONLY, SK_MESSAGE_BYTES));
    int64_t ps =
        message_ps + delay_train_ps(hops, n, n_packets, bytes) + spec->disk_ps;

    if (!spec->reads.numerator) {
        ps += message_ps +
              delay_path_ps(
                  hops, n,
                  run_oracle_wire_bytes(profile, TRANSPORT_READ_REQUEST, 0));
    }
    return (double)ps;
}

/* Returns the goodput of 'flow', which is of sK-RDMA and has disk reads or
 * writes only. */
static double
sk_bps(const struct run *run, const struct run_flow *flow,
       const struct delay_hop *hops, uint32_t n, uint32_t bytes,
       double line_bps)
{
    const struct run_profile *profile = run_host(run, flow->source)->profile;
    const struct sk_rdma_spec *spec = &flow->traffic->sk;
    const double registration_ps = (double)profile->rc.registration_ps;
    const double message_bytes = (double)flow->message_bytes;
    const double trip_ps =
        (double)delay_path_ps(hops, n,
                              run_oracle_wire_bytes(profile,
                                                    TRANSPORT_SEND_ONLY,
                                                    SK_MESSAGE_BYTES)) +
        (double)delay_path_ps(hops, n,
                              run_oracle_wire_bytes(profile, TRANSPORT_ACK, 0));
    const double many = fmin((double)flow->depth, (double)spec->credits);
    const double all_bps =
        many * transport_serial_bps(message_bytes,
                                    io_ps(run, flow, hops, n, bytes),
                                    registration_ps);

    const double data_ps =
        spec->reads.numerator ? 0
                              : message_bytes * 8 * (double)PS_PER_S / line_bps;

    if (!profile->rc.registration_fence) {
        return fmin(all_bps, message_bytes * 8 * (double)PS_PER_S /
                                 fmax(1, registration_ps));
    }
    return fmin(all_bps, transport_serial_bps(message_bytes, trip_ps,
                                              fmax(registration_ps, data_ps)));
}

/* Returns whether the rules above are about messages of 'traffic'. */
static bool
is_known(const struct traffic_spec *traffic)
{
    const struct ratio *reads = &traffic->sk.reads;

    if (traffic->every_ps) {
        return false;
    }
    return traffic->kind == TRAFFIC_SK_RDMA
               ? !reads->numerator || reads->numerator == reads->denominator
               : traffic->kind == TRAFFIC_RC && traffic->registers &&
                     traffic->verb != TRAFFIC_VERB_READ;
}

void
run_fence_describe(const struct run *run, const struct run_flow *flow,
                   struct results *results)
{
    const struct run_profile *profile = run_host(run, flow->source)->profile;
    const struct traffic_spec *traffic = flow->traffic;
    struct delay_hop hops[RUN_HOPS_MAX + 1];
    uint32_t links[RUN_HOPS_MAX + 1];
    char object[OBJECT_SIZE];
    uint32_t n, bytes;
    double line_bps, message_bytes, alone_bps, trip_ps;
    const bool is_sk = traffic->kind == TRAFFIC_SK_RDMA;

    if (!is_known(traffic) || !flow->n_hops || profile->spec->cpu.enabled) {
        return;
    }
    n = run_oracle_path(run, flow, hops, links);
    bytes = run_oracle_wire_bytes(profile, TRANSPORT_WRITE_MIDDLE,
                                  profile->rc.mtu_bytes);
    line_bps = (double)hops[0].rate_bps * profile->rc.mtu_bytes / bytes;
    message_bytes = (double)flow->message_bytes;
    trip_ps = round_trip_ps(run, flow, hops, n, bytes);
    alone_bps = transport_serial_bps(message_bytes, trip_ps,
                                     (double)profile->rc.registration_ps);
    if (is_sk) {
        alone_bps = fmin(sk_bps(run, flow, hops, n, bytes, line_bps), line_bps);
    } else if (!profile->rc.registration_fence) {
        alone_bps = fmin(alone_bps * (double)flow->depth, line_bps);
        alone_bps =
            fmin(alone_bps, message_bytes * 8 * (double)PS_PER_S /
                                fmax(1, (double)profile->rc.registration_ps));
    }
    (void)snprintf(object, sizeof object, "flow %u",
                   (unsigned int)flow->number);
    results_add_oracle(results, "fence", object, alone_bps);
}
