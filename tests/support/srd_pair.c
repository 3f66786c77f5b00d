/* SPDX-License-Identifier: Apache-2.0 */

/* Two ends of an SRD context, and what is between them. */

#include <config.h>

#include "tests/support/srd_pair.h"

#include "base/check.h"

enum { MILLION = 1000000, SEQUENCE = 0xfffffff0, SEND_DEPTH = 32768 };

void
srd_pair_init(struct srd_pair *pair, const struct srd_pair_config *link,
              const struct srd_config *config)
{
    *pair = (struct srd_pair){.config = *link};
    random_init(&pair->random, link->seed);
    for (int end = 0; end < 2; end++) {
        pair->ends[end] =
            srd_create(NULL, config, link->seed + (uint64_t)end, SEQUENCE);
        orch_assert(srd_qp_init(&pair->qps[end], (uint32_t)end, SEND_DEPTH,
                                link->receive_depth) == ST_OK);
    }
}

void
srd_pair_fini(struct srd_pair *pair)
{
    for (int end = 0; end < 2; end++) {
        srd_destroy(pair->ends[end]);
        srd_qp_fini(&pair->qps[end]);
    }
    flights_fini(&pair->flights);
}

enum srd_status
srd_pair_post(struct srd_pair *pair, int end, uint64_t id,
              uint32_t length_bytes)
{
    struct srd_request request = {.id = id,
                                  .dest_qp = (uint32_t)!end,
                                  .length_bytes = length_bytes,
                                  .header = {{(uint32_t)id, 1, 2, 3}}};
    enum srd_status status;

    orch_assert(srd_qp_post(&pair->qps[end], pair->ends[end], SRD_MAX_MTU,
                            &request, &status) == ST_OK);
    return status;
}

static bool
happens(struct srd_pair *pair, uint32_t ppm)
{
    return ppm && random_below(&pair->random, MILLION) < ppm;
}

/* Sends 'packet' from 'end'. */
static void
put(struct srd_pair *pair, int end, const struct srd_packet *packet)
{
    const struct srd_pair_config *config = &pair->config;
    struct flight flight = {.end = !end, .datagram = *packet};

    pair->n_data[end] += packet->kind == SRD_DATA;
    pair->n_probes[end] += packet->kind == SRD_PROBE;
    if (pair->free_ps[end] < pair->now_ps) {
        pair->free_ps[end] = pair->now_ps;
    }
    if (config->rate_bps) {
        pair->free_ps[end] +=
            (packet->request.length_bytes + SRD_OVERHEAD_BYTES) * 8 *
            INT64_C(1000000) / (config->rate_bps / MILLION);
    }
    if (pair->is_cut || packet->entropy < config->broken ||
        happens(pair, config->loss_ppm)) {
        return;
    }
    for (int copies = happens(pair, config->copy_ppm) ? 2 : 1; copies > 0;
         copies--) {
        flight.at_ps = pair->free_ps[end] + config->delay_ps +
                       packet->path * config->step_ps;
        if (config->jitter_ps) {
            flight.at_ps += (int64_t)random_below(&pair->random,
                                                  (uint64_t)config->jitter_ps);
        }
        flights_put(&pair->flights, &flight);
    }
}

static void
send(struct srd_pair *pair, int end)
{
    struct srd_packet packet;

    while (pair->free_ps[end] <= pair->now_ps &&
           srd_next(pair->ends[end], pair->now_ps, &packet)) {
        put(pair, end, &packet);
    }
}

/* Does what 'end' wants after 'actions'. */
static void
follow(struct srd_pair *pair, int end, const struct srd_actions *actions)
{
    struct srd_completion completion;
    struct srd_request datagram;

    if (actions->has_reply) {
        put(pair, end, &actions->reply);
    }
    while (srd_take(pair->ends[end], &datagram)) {
        if (pair->delivered) {
            pair->delivered(pair->context, end, &datagram);
        }
    }
    while (srd_poll(pair->ends[end], &completion)) {
        srd_qp_completed(&pair->qps[end]);
        if (pair->completed) {
            pair->completed(pair->context, end, &completion);
        }
    }
}

/* Returns when something happens next. */
static int64_t
next_ps(const struct srd_pair *pair)
{
    int64_t next = flights_next_ps(&pair->flights);

    for (int end = 0; end < 2; end++) {
        const int64_t deadline_ps = srd_deadline_ps(pair->ends[end]);

        next = deadline_ps < next ? deadline_ps : next;
        if (srd_peek(pair->ends[end], pair->now_ps) &&
            pair->free_ps[end] < next) {
            next = pair->free_ps[end];
        }
    }
    return next < pair->now_ps ? pair->now_ps : next;
}

static void
arrive(struct srd_pair *pair)
{
    const struct flight flight = flights_take(&pair->flights);
    struct srd_qp *qp = flight.datagram.request.dest_qp == (uint32_t)flight.end
                            ? &pair->qps[flight.end]
                            : NULL;
    struct srd *srd = pair->ends[flight.end];
    struct srd_actions actions;
    enum srd_status status = SRD_OK;

    if (srd_is_new(srd, &flight.datagram)) {
        status = srd_qp_admit(qp, flight.datagram.request.length_bytes);
    }
    srd_receive(srd, &flight.datagram, status, pair->now_ps, &actions);
    follow(pair, flight.end, &actions);
}

bool
srd_pair_step(struct srd_pair *pair, int64_t until_ps)
{
    struct srd_actions actions;
    int64_t next;

    send(pair, 0);
    send(pair, 1);
    next = next_ps(pair);
    if (next > until_ps) {
        return false;
    }
    pair->now_ps = next;
    if (flights_next_ps(&pair->flights) == next) {
        arrive(pair);
        return true;
    }
    for (int end = 0; end < 2; end++) {
        if (srd_deadline_ps(pair->ends[end]) <= next) {
            srd_timeout(pair->ends[end], next, &actions);
            follow(pair, end, &actions);
        }
    }
    return true;
}
