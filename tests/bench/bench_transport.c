/* SPDX-License-Identifier: Apache-2.0 */

/* Time per data packet of the RoCEv2 transport: RC at both ends with an ACK per
 * 'ack_every' packets, and beside it DCQCN with the pacer, for several numbers
 * of queue pairs in turn.  Prints one JSON object per line. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "tests/bench/measure.h"
#include "twin/transport/dcqcn.h"
#include "twin/transport/pacer.h"
#include "twin/transport/rc.h"

enum {
    MAX_QPS = 8192,
    N_PACKETS = 4000000,
    TURNS = 9,
    MESSAGE_BYTES = 1 << 20
};

#define PACKET_PS INT64_C(80000)

struct qp {
    struct rc *sender;
    struct rc *receiver;
    struct dcqcn_rp rp;
    struct pacer pacer;
};

static void
post(struct rc *rc)
{
    const struct rc_request request = {.operation = RC_WRITE,
                                       .length_bytes = MESSAGE_BYTES};

    if (rc_post_send(rc, &request) != ST_OK) {
        abort();
    }
}

/* One data packet, and what answers it. */
static void
run_rc(struct qp *qp, int64_t now_ps)
{
    struct transport_packet packet;
    struct rc_completion completion;
    struct rc_actions actions;
    int64_t when_ps;

    if (rc_next_request(qp->sender, now_ps, &packet, &when_ps) != RC_PACKET) {
        abort();
    }
    rc_receive(qp->receiver, &packet, now_ps, &actions);
    while (rc_next_response(qp->receiver, &packet) == RC_PACKET) {
        rc_receive(qp->sender, &packet, now_ps, &actions);
        while (actions.completion && rc_poll(qp->sender, &completion)) {
            post(qp->sender);
        }
    }
}

/* The rate of one data packet; each 'marked_every'th is notified. */
static void
run_dcqcn(struct qp *qp, const struct dcqcn *dcqcn, uint32_t i,
          uint32_t marked_every, int64_t now_ps)
{
    static const struct pacer_config pacing = {.max_lag_ps = INT64_MAX / 4};

    if (i % marked_every == 0) {
        dcqcn_rp_cnp(&qp->rp, dcqcn, now_ps);
    }
    dcqcn_rp_sent(&qp->rp, dcqcn, 1106, now_ps);
    pacer_sent(&qp->pacer, &pacing, 1106, dcqcn_rp_rate(&qp->rp, dcqcn, now_ps),
               now_ps);
}

/* Returns the nanoseconds per packet of one turn. */
static double
turn(struct qp *qps, uint32_t n, const struct dcqcn *dcqcn,
     uint32_t marked_every, int64_t *now_ps)
{
    const double start_ns = measure_cpu_ns();

    for (uint32_t i = 0; i < N_PACKETS / TURNS; i++) {
        *now_ps += PACKET_PS / n + 1;
        if (dcqcn) {
            run_dcqcn(&qps[i % n], dcqcn, i / n, marked_every, *now_ps);
        } else {
            run_rc(&qps[i % n], *now_ps);
        }
    }
    return (measure_cpu_ns() - start_ns) / (N_PACKETS / TURNS);
}

static double
measure(struct qp *qps, uint32_t n, const struct dcqcn *dcqcn,
        uint32_t marked_every)
{
    static int64_t now_ps;
    double ns[TURNS];

    for (int i = 0; i < TURNS; i++) {
        ns[i] = turn(qps, n, dcqcn, marked_every, &now_ps);
    }
    return measure_median(ns, TURNS);
}

static void
bench_rc(struct qp *qps, uint32_t n, uint16_t ack_every)
{
    struct rc_config config = rc_config_default;

    config.ack_every = ack_every;
    config.send_depth = 2;
    config.max_reads = 0;
    for (uint32_t i = 0; i < n; i++) {
        qps[i].sender = rc_create(&config, i, 0, 0);
        qps[i].receiver = rc_create(&config, i, 0, 0);
        post(qps[i].sender);
        post(qps[i].sender);
    }
    (void)printf("{\"bench\":\"transport_rc\",\"params\":{\"qps\":%u,"
                 "\"ack_every\":%u},\"value\":%.1f,\"unit\":\"ns\"}\n",
                 n, ack_every, measure(qps, n, NULL, 0));
    for (uint32_t i = 0; i < n; i++) {
        rc_destroy(qps[i].sender);
        rc_destroy(qps[i].receiver);
    }
}

static void
bench_dcqcn(struct qp *qps, uint32_t n, const char *profile,
            uint32_t marked_every)
{
    struct dcqcn dcqcn;

    if (dcqcn_init(&dcqcn, dcqcn_profile_get(profile), 100000000000, NULL) !=
        ST_OK) {
        abort();
    }
    for (uint32_t i = 0; i < n; i++) {
        dcqcn_rp_init(&qps[i].rp, &dcqcn);
        qps[i].pacer = (struct pacer){0};
    }
    (void)printf("{\"bench\":\"transport_dcqcn\",\"params\":{\"qps\":%u,"
                 "\"profile\":\"%s\",\"marked_every\":%u},\"value\":%.1f,"
                 "\"unit\":\"ns\"}\n",
                 n, profile, marked_every,
                 measure(qps, n, &dcqcn, marked_every));
}

int
main(void)
{
    struct qp *qps = check_calloc(MAX_QPS, sizeof *qps);

    for (uint32_t n = 1; n <= MAX_QPS; n *= n == 1 ? 128 : 8) {
        bench_rc(qps, n, 1);
        bench_rc(qps, n, 16);
        bench_dcqcn(qps, n, "paper", 1000);
        bench_dcqcn(qps, n, "fork-dcqcn", 100);
        bench_dcqcn(qps, n, "fork-dcqcn", 2);
    }
    free(qps);
    return 0;
}
