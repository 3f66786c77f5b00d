/* SPDX-License-Identifier: Apache-2.0 */

/* A cable: full duplex, keeps the order of frames, has a delay. */

#include <config.h>

#include "twin/link/link.h"

#include <stdlib.h>
#include <string.h>

#include "base/cable.h"
#include "base/check.h"
#include "twin/event/random_stream.h"

struct flight {
    struct sim_frame frame;
    int64_t arrives_ps;
};

struct link_sender {
    struct link *link;
    struct link_end to;
    struct event arrival; /* The first frame in flight arrives. */
    struct wire wire;     /* Used if 'to' is a place of the simulation. */
    struct wire_filter filter;
    struct link_fault fault;
    bool has_fault;
    struct link_tap tap;         /* 'sent' NULL: none. */
    struct random_stream random; /* Of 'fault'. */
    uint32_t n_passed;           /* IP packets since the last loss by count. */

    /* A ring; its size is a power of two. */
    struct flight *flights;
    uint32_t size;
    uint32_t first;
    struct link_stats stats;
};

struct link {
    struct engine *engine;
    struct frame_pool *pool;
    int64_t delay_ps;
    uint32_t mtu_bytes;
    bool is_up;
    struct link_sender senders[2];
};

/* Returns flight 'i', counted from the first. */
static struct flight *
flight_at(const struct link_sender *sender, uint32_t i)
{
    return &sender->flights[(sender->first + i) & (sender->size - 1)];
}

/* Doubles the ring. */
static void
grow(struct link_sender *sender)
{
    uint32_t size = sender->size ? 2 * sender->size : 8;
    struct flight *flights = check_calloc(size, sizeof *flights);

    for (uint32_t i = 0; i < sender->stats.in_flight; i++) {
        flights[i] = *flight_at(sender, i);
    }
    free(sender->flights);
    sender->flights = flights;
    sender->size = size;
    sender->first = 0;
}

/* Removes the first flight from the ring.  Its slot keeps the reference to the
 * payload until it is reused. */
static struct flight *
land(struct link_sender *sender)
{
    struct flight *flight = flight_at(sender, 0);

    sender->first = (sender->first + 1) & (sender->size - 1);
    sender->stats.in_flight--;
    if (sender->stats.in_flight) {
        engine_schedule(sender->link->engine, &sender->arrival,
                        flight_at(sender, 0)->arrives_ps);
    }
    return flight;
}

static void
on_arrival(struct event *event, int64_t now_ps)
{
    struct link_sender *sender =
        EVENT_OWNER(event, struct link_sender, arrival);
    struct sim_frame frame = {0};

    (void)now_ps;
    /* A copy, because 'deliver' may use the ring. */
    frame_keep(&frame, &land(sender)->frame);
    if (sender->to.deliver(sender->to.context, sender->to.port, &frame)) {
        sender->stats.delivered++;
    } else {
        sender->stats.lost++;
    }
    sim_payload_unref(frame.payload);
}

struct link *
link_create(struct engine *engine, const struct link_config *config)
{
    struct link *link = aligned_alloc(_Alignof(struct link), sizeof *link);

    orch_assert(link);
    memset(link, 0, sizeof *link);
    link->engine = engine;
    link->pool = frame_pool_of(engine);
    link->delay_ps = (int64_t)config->length_m * CABLE_PS_PER_METRE +
                     (int64_t)config->length_mm * CABLE_PS_PER_METRE / 1000;
    link->mtu_bytes = config->mtu_bytes;
    link->is_up = true;
    for (int i = 0; i < 2; i++) {
        link->senders[i].link = link;
        link->senders[i].to = config->ends[1 - i];
        wire_init(&link->senders[i].wire, link->pool, config->ends[1 - i].class,
                  config->ends[1 - i].entity);
        link->senders[i].wire.delay_ps = link->delay_ps;
        link->senders[i].wire.mtu_bytes = config->mtu_bytes;
        link->senders[i].arrival =
            event_make(config->ends[1 - i].class, config->ends[1 - i].entity, 0,
                       on_arrival);
    }
    return link;
}

void
link_destroy(struct link *link)
{
    if (!link) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        struct link_sender *sender = &link->senders[i];

        engine_cancel(link->engine, &sender->arrival);
        for (uint32_t k = 0; k < sender->size; k++) {
            sim_payload_unref(sender->flights[k].frame.payload);
        }
        free(sender->flights);
    }
    free(link);
}

struct link_sender *
link_sender(struct link *link, unsigned int end)
{
    return &link->senders[end];
}

struct wire *
link_wire(struct link_sender *sender)
{
    return sender->to.deliver ? NULL : &sender->wire;
}

void
link_transmit(void *context, const struct sim_frame *frame)
{
    struct link_sender *sender = context;
    struct link *link = sender->link;
    struct flight *flight;

    sender->stats.sent++;
    if (!link->is_up || frame->length_bytes > link->mtu_bytes) {
        sender->stats.lost++;
        return;
    }
    if (sender->stats.in_flight == sender->size) {
        grow(sender);
    }
    flight = flight_at(sender, sender->stats.in_flight++);
    frame_keep(&flight->frame, frame);
    flight->arrives_ps = engine_now_ps(link->engine) + link->delay_ps;
    if (sender->stats.in_flight == 1) {
        engine_schedule(link->engine, &sender->arrival, flight->arrives_ps);
    }
    if (sender->stats.in_flight > sender->stats.most_in_flight) {
        sender->stats.most_in_flight = sender->stats.in_flight;
    }
}

void
link_set_up(struct link *link, bool up)
{
    link->is_up = link->senders[0].wire.is_up = link->senders[1].wire.is_up =
        up;
    for (int i = 0; i < 2 && !up; i++) {
        struct link_sender *sender = &link->senders[i];

        wire_clear(&sender->wire, link->pool);
        engine_cancel(link->engine, &sender->arrival);
        sender->stats.lost += sender->stats.in_flight;
        sender->stats.in_flight = 0;
    }
}

/* Returns whether the fault of the direction loses 'frame'. */
static bool
is_unlucky(struct link_sender *sender, const struct sim_frame *frame)
{
    const struct link_fault *fault = &sender->fault;
    bool is_lost = false;

    if (fault->loss && random_stream_rare(&sender->random, fault->loss)) {
        is_lost = true;
    }
    if (fault->every && frame->dscp >= 0 &&
        ++sender->n_passed == fault->every) {
        sender->n_passed = 0;
        is_lost = true;
    }
    return is_lost;
}

/* Of a struct wire_filter: loses frames as the fault of the direction says, and
 * shows all of them to its tap. */
static bool
passes(void *context, const struct sim_frame *frame, int64_t end_ps)
{
    struct link_sender *sender = context;
    bool is_lost = frame->length_bytes > sender->link->mtu_bytes;

    if (sender->has_fault) {
        is_lost |= is_unlucky(sender, frame);
        if (is_lost && sender->fault.lost) {
            sender->fault.lost(sender->fault.context, frame);
        }
    }
    if (sender->tap.sent) {
        sender->tap.sent(sender->tap.context, frame, end_ps,
                         sender->link->delay_ps, is_lost);
    }
    return !is_lost;
}

/* Puts the filter on the wire of 'sender' if it has something to do. */
static void
set_filter(struct link_sender *sender)
{
    const bool is_needed = sender->has_fault || sender->tap.sent;

    orch_assert(!sender->to.deliver);
    sender->filter = (struct wire_filter){passes, sender};
    sender->wire.filter = is_needed ? &sender->filter : NULL;
    sender->wire.mtu_bytes = is_needed ? 0 : sender->link->mtu_bytes;
}

void
link_set_fault(struct link *link, unsigned int end,
               const struct link_fault *fault)
{
    struct link_sender *sender = &link->senders[end];

    sender->has_fault = fault != NULL;
    set_filter(sender);
    if (fault) {
        sender->fault = *fault;
        sender->n_passed = 0;
        random_stream_init(&sender->random, fault->seed, sender->wire.entity,
                           RANDOM_LOSS);
    }
}

void
link_set_tap(struct link *link, unsigned int end, const struct link_tap *tap)
{
    struct link_sender *sender = &link->senders[end];

    sender->tap = tap ? *tap : (struct link_tap){NULL, NULL};
    set_filter(sender);
}

void
link_get_stats(const struct link *link, unsigned int end,
               struct link_stats *stats)
{
    const struct wire *wire = &link->senders[end].wire;

    *stats = link->senders[end].stats;
    if (!link->senders[end].to.deliver) {
        *stats = (struct link_stats){.sent = wire->sent,
                                     .delivered = wire->delivered,
                                     .lost = wire->lost,
                                     .in_flight = wire->in_flight,
                                     .most_in_flight = wire->most_in_flight};
    }
}
