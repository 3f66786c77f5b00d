/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_WIRE_H
#define ORCHD_TWIN_FORWARDING_WIRE_H

/* One direction of a cable between two places of a simulation.
 *
 * A frame on a wire is one posted event: its arrival, which the sender posts
 * when the transmission starts.  So a wire has no queue; it keeps the order of
 * frames because its sender does.
 *
 * The wire owns a frame from the start of its transmission until it arrives. A
 * wire that goes down loses all frames that it owns: it changes its epoch, and
 * a frame with an old epoch is nobody's when it arrives.  So is a frame whose
 * wire was removed meanwhile.  Frames above the MTU, and those whose
 * transmission starts while the wire is down, are lost at once, unless a guard,
 * if there is one, lets them pass.
 *
 * Places.  The receiver is a port, host or adapter with an entity
 * (twin/event/event.h).  frame_pool_settle() makes it known under this number;
 * it has a pointer to the wire that ends there, which wire_lands() compares. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/event/engine.h"
#include "twin/forwarding/frame_pool.h"

/* Instead of the end of a transmission: the frame is lost; or the guard has
 * taken a copy to another simulation, which has the receiver. */
#define WIRE_LOST  INT64_C(-1)
#define WIRE_TAKEN INT64_C(-2)

/* What a wire asks and reports; not used for frames that pass as usual.
 * 'passes' is asked about 'frame', whose last bit leaves at 'end_ps' and which
 * is above the MTU of the wire or whose wire is down.  It returns WIRE_LOST if
 * the frame is lost, and 'lost' is not called; WIRE_TAKEN if it arrives
 * elsewhere, and nothing is left to do here; else the time when its last bit
 * leaves, not before 'end_ps'.  It may change the frame, but not its length,
 * and the delay of the wire.  'lands' returns whether 'frame', which has
 * arrived, is delivered; it counts and reports one that is not.  'lost' is
 * called for a frame that is lost later: its sender or its receiver is down
 * before it has arrived. */
struct wire_guard {
    int64_t (*passes)(void *context, struct sim_frame *frame, int64_t end_ps);
    bool (*lands)(void *context, const struct sim_frame *frame);
    void (*lost)(void *context, const struct sim_frame *frame);
    void *context;
};

/* One direction.  sent = delivered + lost + in_flight. */
struct wire {
    int64_t delay_ps;
    uint32_t mtu_bytes; /* The longest frame, without FCS; 0: the guard judges
                         * every frame. */
    uint32_t entity;    /* Of the receiver. */
    uint8_t class;      /* enum event_class of its arrivals. */
    bool is_up;
    uint16_t epoch; /* Of the frames that it owns; not 0. */
    uint32_t in_flight;
    uint32_t most_in_flight;
    bool is_judged; /* The guard judges what arrives. */
    uint64_t sent;  /* Transmissions that have started. */
    uint64_t delivered;
    uint64_t lost;
    const struct wire_guard *guard; /* NULL: none. */
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct wire) == 64, "a wire is a cache line");

/* Initialises a wire that is up. */
static inline void
wire_init(struct wire *wire, struct frame_pool *pool, enum event_class class,
          uint32_t entity)
{
    *wire = (struct wire){.entity = entity,
                          .class = (uint8_t) class,
                          .is_up = true,
                          .epoch = frame_pool_epoch(pool)};
}

/* Puts frame 'index', which passes, on 'wire'. */
static inline void
wire_put(struct wire *wire, struct engine *engine, struct frame_pool *pool,
         uint32_t index, int64_t end_ps)
{
    frame_at(pool, index)->wire = wire->epoch;
    wire->in_flight++;
    if (wire->in_flight > wire->most_in_flight) {
        wire->most_in_flight = wire->in_flight;
    }
    engine_post(engine, end_ps + wire->delay_ps, (enum event_class)wire->class,
                wire->entity, index);
}

/* Sends frame 'index', whose last bit leaves at 'end_ps' unless the guard
 * delays it.  Returns when it leaves, if the wire owns the frame now; else it
 * is still the sender's: WIRE_LOST or WIRE_TAKEN, which counts as
 * delivered. */
static inline int64_t
wire_send(struct wire *wire, struct engine *engine, struct frame_pool *pool,
          uint32_t index, int64_t end_ps)
{
    struct sim_frame *frame = frame_at(pool, index);

    wire->sent++;
    if (!wire->is_up || frame->length_bytes > wire->mtu_bytes) {
        end_ps = wire->guard
                     ? wire->guard->passes(wire->guard->context, frame, end_ps)
                     : WIRE_LOST;
        if (end_ps < 0) {
            wire->lost += end_ps == WIRE_LOST;
            wire->delivered += end_ps == WIRE_TAKEN;
            return end_ps;
        }
    }
    wire_put(wire, engine, pool, index, end_ps);
    return end_ps;
}

/* Returns whether 'frame', which has arrived at the receiver of 'wire' (NULL:
 * it has none any more), is on it, and the guard delivers it.  The receiver
 * owns it now in any case, and counts it as delivered or lost if it is. */
static inline bool
wire_lands(struct wire *wire, const struct sim_frame *frame)
{
    if (!wire || frame->wire != wire->epoch) {
        return false;
    }
    wire->in_flight--;
    return !wire->is_judged || wire->guard->lands(wire->guard->context, frame);
}

/* Counts 'frame', which was on the wire and no longer is, as lost. */
static inline void
wire_lose(struct wire *wire, const struct sim_frame *frame)
{
    wire->lost++;
    if (wire->guard) {
        wire->guard->lost(wire->guard->context, frame);
    }
}

/* Loses 'frame', whose sender ends before its last bit has left. */
static inline void
wire_recall(struct wire *wire, struct sim_frame *frame)
{
    if (frame->wire == wire->epoch) {
        frame->wire = 0;
        wire->in_flight--;
        wire_lose(wire, frame);
    }
}

/* Loses the frames that 'wire' owns. */
static inline void
wire_clear(struct wire *wire, struct frame_pool *pool)
{
    wire->epoch = frame_pool_epoch(pool);
    wire->lost += wire->in_flight;
    wire->in_flight = 0;
}

#endif /* twin/forwarding/wire.h */
