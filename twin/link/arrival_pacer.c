/* SPDX-License-Identifier: Apache-2.0 */

/* A ring of frames.  Only the first one has an arrival time. */

#include <config.h>

#include "twin/link/arrival_pacer.h"

#include <stdlib.h>

#include "base/check.h"

enum { FIRST_SIZE = 16 }; /* Of the ring; a power of two. */

struct arrival_pacer {
    struct sim *sim;
    uint32_t port;
    struct sim_payload **ring;
    uint32_t size;
    uint32_t first;    /* Index of the oldest frame. */
    uint32_t n;        /* Frames in the ring. */
    int64_t free_ps;   /* When the first frame has arrived, or if there is
                        * none, the previous one. */
    struct event next; /* The first frame arrives. */
    struct arrival_pacer_stats stats;
};

/* Takes the oldest frame from the wire and delivers it to the port. */
static void
arrive(struct arrival_pacer *pacer)
{
    struct sim_payload *payload = pacer->ring[pacer->first];
    const struct sim_frame frame = frame_of_payload(payload);

    pacer->first = (pacer->first + 1) & (pacer->size - 1);
    pacer->n--;
    if (sim_receive(pacer->sim, pacer->port, &frame) == ST_OK) {
        pacer->stats.arrived++;
    } else {
        pacer->stats.lost++;
    }
    sim_payload_unref(payload);
}

/* Schedules the arrival of the first frame on the wire, if there is one.  A
 * port that does not exist has no speed; then the frame is lost at once. */
static void
plan(struct arrival_pacer *pacer)
{
    const int64_t now_ps = sim_now_ps(pacer->sim);
    const struct sim_port_config *port = sim_port_get(pacer->sim, pacer->port);

    if (pacer->n == 0) {
        return;
    }
    if (pacer->free_ps < now_ps) {
        pacer->free_ps = now_ps;
    }
    if (port) {
        pacer->free_ps +=
            frame_wire_ps(pacer->ring[pacer->first]->length, port->speed_mbps);
    }
    engine_schedule(sim_engine(pacer->sim), &pacer->next, pacer->free_ps);
}

static void
on_next(struct event *event, int64_t now_ps)
{
    struct arrival_pacer *pacer =
        EVENT_OWNER(event, struct arrival_pacer, next);

    (void)now_ps;
    arrive(pacer);
    plan(pacer);
}

struct arrival_pacer *
arrival_pacer_create(struct sim *sim, uint32_t port)
{
    struct arrival_pacer *pacer = check_calloc(1, sizeof *pacer);

    pacer->sim = sim;
    pacer->port = port;
    pacer->size = FIRST_SIZE;
    pacer->ring = check_calloc(pacer->size, sizeof *pacer->ring);
    pacer->next = event_make(EVENT_ARRIVE, sim_entity(sim) + port, 0, on_next);
    return pacer;
}

void
arrival_pacer_destroy(struct arrival_pacer *pacer)
{
    if (!pacer) {
        return;
    }
    engine_cancel(sim_engine(pacer->sim), &pacer->next);
    for (uint32_t i = 0; i < pacer->n; i++) {
        sim_payload_unref(pacer->ring[(pacer->first + i) & (pacer->size - 1)]);
    }
    free(pacer->ring);
    free(pacer);
}

/* Doubles the full ring. */
static void
grow(struct arrival_pacer *pacer)
{
    struct sim_payload **ring =
        check_calloc((size_t)pacer->size * 2, sizeof *ring);

    for (uint32_t i = 0; i < pacer->n; i++) {
        ring[i] = pacer->ring[(pacer->first + i) & (pacer->size - 1)];
    }
    free(pacer->ring);
    pacer->ring = ring;
    pacer->first = 0;
    pacer->size *= 2;
}

void
arrival_pacer_add(struct arrival_pacer *pacer, struct sim_payload *payload)
{
    if (pacer->n == pacer->size) {
        grow(pacer);
    }
    pacer->ring[(pacer->first + pacer->n) & (pacer->size - 1)] = payload;
    pacer->n++;
    pacer->stats.given++;
    if (pacer->n == 1) {
        plan(pacer);
    }
}

int64_t
arrival_pacer_last_ps(const struct arrival_pacer *pacer)
{
    const struct sim_port_config *port = sim_port_get(pacer->sim, pacer->port);
    int64_t last_ps = pacer->n ? pacer->free_ps : sim_now_ps(pacer->sim);

    for (uint32_t i = 1; i < pacer->n && port; i++) {
        const uint32_t at = (pacer->first + i) & (pacer->size - 1);

        last_ps += frame_wire_ps(pacer->ring[at]->length, port->speed_mbps);
    }
    return last_ps;
}

uint32_t
arrival_pacer_waiting(const struct arrival_pacer *pacer)
{
    return pacer->n;
}

struct arrival_pacer_stats
arrival_pacer_get_stats(const struct arrival_pacer *pacer)
{
    return pacer->stats;
}
