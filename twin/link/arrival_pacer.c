/* SPDX-License-Identifier: Apache-2.0 */

/* A ring of frames, the first of which has a time. */

#include <config.h>

#include "twin/link/arrival_pacer.h"

#include <stdlib.h>

#include "base/check.h"

enum { FIRST_SIZE = 16 }; /* Of the ring; always a power of two. */

struct arrival_pacer {
    struct sim *sim;
    uint32_t port;
    struct sim_payload **ring;
    uint32_t size;
    uint32_t first;    /* Where the oldest is. */
    uint32_t n;        /* Frames in the ring. */
    int64_t free_ps;   /* When the frame before has arrived. */
    struct event next; /* The first arrives. */
    struct arrival_pacer_stats stats;
};

/* Takes the oldest frame from the wire and lets it arrive. */
static void
arrive(struct arrival_pacer *intake)
{
    struct sim_payload *payload = intake->ring[intake->first];
    const struct sim_frame frame = frame_of_payload(payload);

    intake->first = (intake->first + 1) & (intake->size - 1);
    intake->n--;
    if (sim_receive(intake->sim, intake->port, &frame) == ST_OK) {
        intake->stats.arrived++;
    } else {
        intake->stats.lost++;
    }
    sim_payload_unref(payload);
}

/* Says when the first frame on the wire arrives, if there is one.  A port that
 * is not there has no speed; then it is lost at once. */
static void
plan(struct arrival_pacer *intake)
{
    const int64_t now_ps = sim_now_ps(intake->sim);
    const struct sim_port_config *port =
        sim_port_get(intake->sim, intake->port);

    if (intake->n == 0) {
        return;
    }
    if (intake->free_ps < now_ps) {
        intake->free_ps = now_ps;
    }
    if (port) {
        intake->free_ps += frame_wire_ps(intake->ring[intake->first]->length,
                                         port->speed_mbps);
    }
    engine_schedule(sim_engine(intake->sim), &intake->next, intake->free_ps);
}

static void
on_next(struct event *event, int64_t now_ps)
{
    struct arrival_pacer *intake =
        EVENT_OWNER(event, struct arrival_pacer, next);

    (void)now_ps;
    arrive(intake);
    plan(intake);
}

struct arrival_pacer *
arrival_pacer_create(struct sim *sim, uint32_t port)
{
    struct arrival_pacer *intake = check_calloc(1, sizeof *intake);

    intake->sim = sim;
    intake->port = port;
    intake->size = FIRST_SIZE;
    intake->ring = check_calloc(intake->size, sizeof *intake->ring);
    intake->next.fire = on_next;
    return intake;
}

void
arrival_pacer_destroy(struct arrival_pacer *intake)
{
    if (!intake) {
        return;
    }
    engine_cancel(sim_engine(intake->sim), &intake->next);
    for (uint32_t i = 0; i < intake->n; i++) {
        sim_payload_unref(
            intake->ring[(intake->first + i) & (intake->size - 1)]);
    }
    free(intake->ring);
    free(intake);
}

/* Doubles the ring, which is full. */
static void
grow(struct arrival_pacer *intake)
{
    struct sim_payload **ring =
        check_calloc((size_t)intake->size * 2, sizeof *ring);

    for (uint32_t i = 0; i < intake->n; i++) {
        ring[i] = intake->ring[(intake->first + i) & (intake->size - 1)];
    }
    free(intake->ring);
    intake->ring = ring;
    intake->first = 0;
    intake->size *= 2;
}

void
arrival_pacer_add(struct arrival_pacer *intake, struct sim_payload *payload)
{
    if (intake->n == intake->size) {
        grow(intake);
    }
    intake->ring[(intake->first + intake->n) & (intake->size - 1)] = payload;
    intake->n++;
    intake->stats.given++;
    if (intake->n == 1) {
        plan(intake);
    }
}

void
arrival_pacer_flush(struct arrival_pacer *intake)
{
    engine_cancel(sim_engine(intake->sim), &intake->next);
    while (intake->n) {
        arrive(intake);
    }
    intake->free_ps = sim_now_ps(intake->sim);
}

uint32_t
arrival_pacer_waiting(const struct arrival_pacer *intake)
{
    return intake->n;
}

struct arrival_pacer_stats
arrival_pacer_get_stats(const struct arrival_pacer *intake)
{
    return intake->stats;
}
