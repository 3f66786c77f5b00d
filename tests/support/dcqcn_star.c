/* SPDX-License-Identifier: Apache-2.0 */

/* N senders with DCQCN and a queue that they share. */

#include <config.h>

#include "tests/support/dcqcn_star.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/random.h"
#include "twin/transport/pacer.h"

/* Notifications on their way; they arrive in order. */
struct pending {
    int64_t *times_ps; /* Owned. */
    size_t first;
    size_t n;
    size_t capacity;
};

struct sender {
    struct dcqcn_rp rp;
    struct dcqcn_np np;
    struct pacer pacer;
    struct pending pending;
};

struct star {
    const struct dcqcn_star_config *config;
    struct dcqcn dcqcn;
    struct sender senders[DCQCN_STAR_MAX];
    struct random random;
    double queue_bytes;
    int64_t drained_ps; /* The queue is up to date. */
    double sum_queue_bytes;
    double sent_bytes[DCQCN_STAR_MAX];
    uint64_t n_packets;
    uint64_t n_marked;
};

static void
push(struct pending *pending, int64_t at_ps)
{
    if (pending->n == pending->capacity) {
        pending->capacity = pending->capacity ? 2 * pending->capacity : 64;
        pending->times_ps = check_realloc(
            pending->times_ps, pending->capacity * sizeof pending->times_ps[0]);
    }
    pending->times_ps[pending->n++] = at_ps;
}

/* Gives a sender the notifications that have arrived at 'now_ps'. */
static void
notify(struct star *star, struct sender *sender, int64_t now_ps)
{
    struct pending *pending = &sender->pending;

    while (pending->first < pending->n &&
           pending->times_ps[pending->first] <= now_ps) {
        dcqcn_rp_cnp(&sender->rp, &star->dcqcn,
                     pending->times_ps[pending->first++]);
    }
    if (pending->first == pending->n) {
        pending->first = 0;
        pending->n = 0;
    }
}

static void
drain(struct star *star, int64_t now_ps)
{
    star->queue_bytes -= (double)(now_ps - star->drained_ps) *
                         (double)star->config->line_bps / 8e12;
    if (star->queue_bytes < 0) {
        star->queue_bytes = 0;
    }
    star->drained_ps = now_ps;
}

static bool
is_marked(struct star *star)
{
    const struct dcqcn_star_config *config = star->config;
    const double q = star->queue_bytes;
    double p = 0;

    if (q >= config->kmax_bytes) {
        return true;
    }
    if (q > config->kmin_bytes) {
        p = config->pmax * (q - config->kmin_bytes) /
            (config->kmax_bytes - config->kmin_bytes);
    }
    return p > 0 &&
           (double)random_below(&star->random, UINT32_MAX) < p * UINT32_MAX;
}

static void
send(struct star *star, int who, int64_t now_ps)
{
    static const struct pacer_config pacing = {0};
    const struct dcqcn_star_config *config = star->config;
    struct sender *sender = &star->senders[who];
    const uint32_t bytes = config->packet_bytes;

    notify(star, sender, now_ps);
    drain(star, now_ps);
    if (now_ps >= config->from_ps) {
        star->n_packets++;
        star->sum_queue_bytes += star->queue_bytes;
        star->sent_bytes[who] += bytes;
    }
    if (is_marked(star)) {
        const int64_t at_ps = now_ps + (int64_t)(star->queue_bytes * 8e12 /
                                                 (double)config->line_bps);

        star->n_marked += now_ps >= config->from_ps;
        if (dcqcn_np_marked(&sender->np, &star->dcqcn, at_ps)) {
            push(&sender->pending, at_ps + config->rtt_ps[who]);
        }
    }
    star->queue_bytes += bytes;
    dcqcn_rp_sent(&sender->rp, &star->dcqcn, bytes, now_ps);
    pacer_sent(&sender->pacer, &pacing, bytes,
               dcqcn_rp_rate(&sender->rp, &star->dcqcn, now_ps), now_ps);
}

static struct dcqcn_star_result
result_of(const struct star *star)
{
    const struct dcqcn_star_config *config = star->config;
    const double seconds = (double)(config->until_ps - config->from_ps) / 1e12;
    const double packets = (double)star->n_packets;
    struct dcqcn_star_result result = {
        .queue_bytes = star->sum_queue_bytes / packets,
        .marked = (double)star->n_marked / packets,
        .n_packets = star->n_packets,
    };

    for (int i = 0; i < config->n; i++) {
        result.rate_bps[i] = star->sent_bytes[i] * 8 / seconds;
        result.utilization += result.rate_bps[i] / (double)config->line_bps;
    }
    return result;
}

struct dcqcn_star_result
dcqcn_star_run(const struct dcqcn_star_config *config)
{
    struct star *star = check_calloc(1, sizeof *star);
    struct dcqcn_star_result result;
    enum st status;

    star->config = config;
    random_init(&star->random, config->seed);
    status = dcqcn_init(&star->dcqcn, config->profile, config->line_bps, NULL);
    orch_assert(status == ST_OK);
    for (int i = 0; i < config->n; i++) {
        dcqcn_rp_init(&star->senders[i].rp, &star->dcqcn);
        star->senders[i].pacer.eligible_ps = config->start_ps[i];
    }
    for (;;) {
        int first = 0;

        for (int i = 1; i < config->n; i++) {
            if (star->senders[i].pacer.eligible_ps <
                star->senders[first].pacer.eligible_ps) {
                first = i;
            }
        }
        if (star->senders[first].pacer.eligible_ps > config->until_ps) {
            break;
        }
        send(star, first, star->senders[first].pacer.eligible_ps);
    }
    result = result_of(star);
    for (int i = 0; i < config->n; i++) {
        free(star->senders[i].pending.times_ps);
    }
    free(star);
    return result;
}
