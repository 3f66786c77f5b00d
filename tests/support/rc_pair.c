/* SPDX-License-Identifier: Apache-2.0 */

/* Two queue pairs and an unreliable link. */

#include <config.h>

#include "tests/support/rc_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MILLION = 1000000, WIRE_BYTES = 20 };

void
rc_pair_init(struct rc_pair *pair, const struct rc_pair_config *config,
             const struct rc_config *configs[2])
{
    struct err err = {0};

    *pair = (struct rc_pair){.config = *config};
    random_init(&pair->random, config->seed);
    for (int end = 0; end < 2; end++) {
        if (rc_config_check(configs[end], &err) != ST_OK) {
            fail_msg("%s", err.reason);
        }
    }
    pair->ends[0] = rc_create(NULL, configs[0], 1, 0xffff00, 0x10);
    pair->ends[1] = rc_create(NULL, configs[1], 0, 0x10, 0xffff00);
}

void
rc_pair_fini(struct rc_pair *pair)
{
    rc_destroy(pair->ends[0]);
    rc_destroy(pair->ends[1]);
    flights_fini(&pair->flights);
}

static bool
chance(struct rc_pair *pair, uint32_t ppm)
{
    return ppm > 0 && random_below(&pair->random, MILLION) < ppm;
}

static void
check(struct rc_pair *pair, int end)
{
    const char *problem = rc_check(pair->ends[end]);

    if (problem) {
        fail_msg("end %d at %lld ps: %s", end, (long long)pair->now_ps,
                 problem);
    }
}

static bool
is_lost(struct rc_pair *pair, int end, const struct transport_packet *packet)
{
    struct rc_pair_link *link = &pair->links[end];
    const bool is_ack = packet->opcode == TRANSPORT_ACK;

    if (is_ack) {
        link->n_acks++;
    } else {
        link->n_data++;
        if (pair->config.drop_every &&
            link->n_data % pair->config.drop_every == 0) {
            return true;
        }
    }
    return !(is_ack && pair->config.keep_acks) &&
           chance(pair, pair->config.loss_ppm);
}

/* Puts 'packet' of 'end' on the wire. */
static void
transmit(struct rc_pair *pair, int end, const struct transport_packet *packet)
{
    const struct rc_pair_config *config = &pair->config;
    const int64_t bytes =
        WIRE_BYTES + transport_frame_bytes(&transport_framing_rocev2,
                                           packet->opcode,
                                           packet->payload_bytes);
    int n = 1 + chance(pair, config->copy_ppm);

    pair->links[end].free_ps =
        pair->now_ps + bytes * 8 * MILLION / (config->rate_bps / MILLION);
    if (is_lost(pair, end, packet)) {
        pair->links[end].n_lost++;
        return;
    }
    while (n-- > 0) {
        struct flight flight = {
            .at_ps = pair->links[end].free_ps + config->delay_ps,
            .end = !end,
            .packet = *packet,
        };

        if (config->jitter_ps) {
            flight.at_ps += (int64_t)random_below(&pair->random,
                                                  (uint64_t)config->jitter_ps);
        }
        flight.packet.ce = chance(pair, config->mark_ppm);
        flights_put(&pair->flights, &flight);
    }
}

static void
take_completions(struct rc_pair *pair, int end)
{
    struct rc_completion completion;

    while (rc_poll(pair->ends[end], &completion)) {
        if (pair->completed) {
            pair->completed(pair->context, end, &completion);
        }
    }
}

static void
perform(struct rc_pair *pair, int end, const struct rc_actions *actions)
{
    pair->delivered_bytes[end] += actions->delivered_bytes;
    pair->delivered_messages[end] += actions->delivered_messages;
    pair->notifications[end] += actions->notify;
    pair->errors[end] |= actions->error;
    if (actions->completion) {
        take_completions(pair, end);
    }
}

/* Returns when 'end' can send, INT64_MAX if it has nothing to send. */
static int64_t
send_at(struct rc_pair *pair, int end)
{
    const int64_t free_ps = pair->links[end].free_ps;
    int64_t at_ps = pair->now_ps > free_ps ? pair->now_ps : free_ps;
    int64_t when_ps = 0;

    if (rc_peek_response(pair->ends[end]) != RC_NO_RESPONSE) {
        return at_ps;
    }
    switch (rc_peek_request(pair->ends[end], at_ps, &when_ps)) {
    case RC_PACKET:
        return at_ps;
    case RC_WAIT:
        return when_ps > at_ps ? when_ps : at_ps;
    default:
        return INT64_MAX;
    }
}

static void
send(struct rc_pair *pair, int end)
{
    struct transport_packet packet;
    int64_t when_ps;

    /* After a wait there may be nothing left to send. */
    if (rc_next(pair->ends[end], pair->now_ps, &packet, &when_ps) ==
        RC_PACKET) {
        transmit(pair, end, &packet);
    }
    check(pair, end);
}

static void
arrive(struct rc_pair *pair)
{
    const struct flight flight = flights_take(&pair->flights);
    struct rc_actions actions;

    rc_receive(pair->ends[flight.end], &flight.packet, pair->now_ps, &actions);
    check(pair, flight.end);
    perform(pair, flight.end, &actions);
}

static void
expire(struct rc_pair *pair, int end)
{
    struct rc_actions actions;

    rc_timeout(pair->ends[end], pair->now_ps, &actions);
    check(pair, end);
    perform(pair, end, &actions);
}

bool
rc_pair_step(struct rc_pair *pair, int64_t until_ps)
{
    enum { ARRIVE, SEND, EXPIRE } what = ARRIVE;
    int64_t at_ps = flights_next_ps(&pair->flights);
    int who = 0;

    for (int end = 0; end < 2; end++) {
        if (send_at(pair, end) < at_ps) {
            at_ps = send_at(pair, end);
            what = SEND;
            who = end;
        }
        if (rc_deadline_ps(pair->ends[end]) < at_ps) {
            at_ps = rc_deadline_ps(pair->ends[end]);
            what = EXPIRE;
            who = end;
        }
    }
    if (at_ps == INT64_MAX || at_ps > until_ps) {
        return false;
    }
    pair->now_ps = at_ps > pair->now_ps ? at_ps : pair->now_ps;
    if (what == ARRIVE) {
        arrive(pair);
    } else if (what == SEND) {
        send(pair, who);
    } else {
        expire(pair, who);
    }
    return true;
}

void
rc_pair_run(struct rc_pair *pair, int64_t until_ps)
{
    while (rc_pair_step(pair, until_ps)) {
    }
}
