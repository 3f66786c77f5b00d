/* SPDX-License-Identifier: Apache-2.0 */

/* Two ends of a TCP connection, and what is between them. */

#include <config.h>

#include "tests/support/tcp_pair.h"

enum { MILLION = 1000000, HEADER_BYTES = 78 };

void
tcp_pair_init(struct tcp_pair *pair, const struct tcp_pair_config *link,
              const struct tcp_config *config)
{
    *pair = (struct tcp_pair){.config = *link};
    random_init(&pair->random, link->seed);
    pair->ends[0] = tcp_create(NULL, config, TCP_PAIR_SEQUENCE, 5);
    pair->ends[1] = tcp_create(NULL, config, 5, TCP_PAIR_SEQUENCE);
}

void
tcp_pair_fini(struct tcp_pair *pair)
{
    tcp_destroy(pair->ends[0]);
    tcp_destroy(pair->ends[1]);
    flights_fini(&pair->flights);
}

static bool
happens(struct tcp_pair *pair, uint32_t ppm)
{
    return ppm && random_below(&pair->random, MILLION) < ppm;
}

/* Returns whether the segment with data that 'end' has just sent is one of
 * those that are chosen to be lost. */
static bool
is_chosen(const struct tcp_pair *pair, int end)
{
    const struct tcp_pair_config *config = &pair->config;

    for (uint32_t i = 0; end == 0 && i < config->n_drops; i++) {
        if (config->drops[i] == pair->n_data[0]) {
            return true;
        }
    }
    return config->drop_every && pair->n_data[end] % config->drop_every == 0;
}

/* Sends 'segment' from 'end'. */
static void
put(struct tcp_pair *pair, int end, const struct tcp_segment *segment)
{
    const struct tcp_pair_config *config = &pair->config;
    const bool is_data = segment->payload_bytes > 0;
    struct flight flight = {.end = !end, .segment = *segment};

    if (pair->free_ps[end] < pair->now_ps) {
        pair->free_ps[end] = pair->now_ps;
    }
    if (config->rate_bps) {
        pair->free_ps[end] += (segment->payload_bytes + HEADER_BYTES) * 8 *
                              INT64_C(1000000) / (config->rate_bps / MILLION);
    }
    pair->n_data[end] += is_data;
    if (is_data && pair->sent) {
        pair->sent(pair->context, end, segment);
    }
    if ((is_data && is_chosen(pair, end)) ||
        ((is_data || !config->keep_acks) && happens(pair, config->loss_ppm))) {
        return;
    }
    flight.segment.ce = segment->ect && happens(pair, config->mark_ppm);
    for (int copies = happens(pair, config->copy_ppm) ? 2 : 1; copies > 0;
         copies--) {
        flight.at_ps = pair->free_ps[end] + config->delay_ps;
        if (config->jitter_ps) {
            flight.at_ps += (int64_t)random_below(&pair->random,
                                                  (uint64_t)config->jitter_ps);
        }
        flights_put(&pair->flights, &flight);
    }
}

/* Sends what end 'end' may send now. */
static void
send(struct tcp_pair *pair, int end)
{
    struct tcp_segment segment;

    while (tcp_next_ack(pair->ends[end], &segment)) {
        put(pair, end, &segment);
    }
    while (pair->free_ps[end] <= pair->now_ps &&
           tcp_next(pair->ends[end], pair->now_ps, &segment)) {
        put(pair, end, &segment);
    }
}

static void
poll(struct tcp_pair *pair, int end)
{
    struct tcp_completion completion;

    while (tcp_poll(pair->ends[end], &completion)) {
        if (pair->completed) {
            pair->completed(pair->context, end, &completion);
        }
    }
}

/* Returns when something happens next. */
static int64_t
next_ps(const struct tcp_pair *pair)
{
    int64_t next = flights_next_ps(&pair->flights);

    for (int end = 0; end < 2; end++) {
        const int64_t deadline_ps = tcp_deadline_ps(pair->ends[end]);

        next = deadline_ps < next ? deadline_ps : next;
        if (tcp_peek(pair->ends[end]) && pair->free_ps[end] < next) {
            next = pair->free_ps[end];
        }
    }
    return next;
}

bool
tcp_pair_step(struct tcp_pair *pair, int64_t until_ps)
{
    struct tcp_actions actions;
    int64_t next;

    send(pair, 0);
    send(pair, 1);
    next = next_ps(pair);
    if (next > until_ps) {
        return false;
    }
    pair->now_ps = next;
    if (flights_next_ps(&pair->flights) == next) {
        const struct flight flight = flights_take(&pair->flights);

        tcp_receive(pair->ends[flight.end], &flight.segment, next, &actions);
        pair->delivered_bytes[flight.end] += actions.delivered_bytes;
        poll(pair, flight.end);
    } else {
        for (int end = 0; end < 2; end++) {
            if (tcp_deadline_ps(pair->ends[end]) <= next) {
                tcp_timeout(pair->ends[end], next, &actions);
            }
        }
    }
    return true;
}
