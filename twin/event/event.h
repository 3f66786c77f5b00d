/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_EVENT_EVENT_H
#define ORCHD_TWIN_EVENT_EVENT_H

/* Events, and the order in which those of equal times happen.
 *
 * Order.  Events are ordered by time, then by class, then by entity, then by
 * argument.  The class says what kind of thing happens; the classes are in the
 * order in which these things happen at one instant.  The entity is the place:
 * a number that is given to every port of every switch and to every host when
 * it is created, and that follows from its place in the fabric.  So the order
 * depends neither on when an event was scheduled nor on addresses in memory,
 * and a fabric that is divided among several processes keeps it.
 *
 * There are two kinds of events.
 *
 * - Posted events are records without a function and without a way to cancel
 *   them: what happens with every packet.  engine_post() makes them, and the
 *   loop of the engine's user handles them (engine.h).  A place posts at most
 *   one event of a class for one time, because a wire carries one frame at a
 *   time.  Where this does not hold, the argument decides, and nothing may
 *   depend on the order: the argument is often the index of a packet, which
 *   depends on what others have allocated.
 *
 * - Timers are embedded in their owners, have a function, and can be cancelled
 *   and moved: what happens rarely.  Timers that are equal in time, class,
 *   entity and argument fire in the order in which they were scheduled.  The
 *   timers of an entity are scheduled only by what happens there, so this
 *   order, too, is a property of the place. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"

/* The time of the next event if none is pending; as a limit: no limit. */
#define EVENT_NEVER INT64_MAX

enum {
    EVENT_CLASS_BITS = 4,
    EVENT_ENTITY_BITS = 28,
    EVENT_ARG_BITS = 32,
    EVENT_MAX_CLASS = (1 << EVENT_CLASS_BITS) - 1,
    EVENT_MAX_ENTITY = (1 << EVENT_ENTITY_BITS) - 1,
};

/* The classes, in their order at one instant.
 *
 * First what an operator or a script changes, then pauses: a pause that takes
 * effect or ends at the end of a frame applies to the next frame.  The ends of
 * transmissions come before arrivals, so the queue is empty for the next frame
 * of the same speed.  What a place does because of its clock follows what it
 * does because of a frame, and what samples the state comes last. */
enum event_class {
    EVENT_TIMER_COMMAND, /* A change from outside, planned for a time. */
    EVENT_TIMER_PAUSE,   /* A pause takes effect, ends, or is repeated. */
    EVENT_TX_END,        /* A port of a switch has sent a frame. */
    EVENT_HOST_TX_END,   /* A host has sent a frame. */
    EVENT_NIC_TX_END,    /* A network adapter has sent a frame. */
    EVENT_ARRIVE,        /* A frame has arrived at a port of a switch. */
    EVENT_HOST_ARRIVE,   /* A frame has arrived at a host. */
    EVENT_NIC_ARRIVE,    /* A frame has arrived at an adapter. */
    EVENT_NIC_DRAIN,   /* An adapter's receive buffer has passed on a frame. */
    EVENT_NIC_WAKE,    /* An adapter may have a packet to send. */
    EVENT_TIMER_SEND,  /* A port or host may have a frame to send. */
    EVENT_TIMER_RETRY, /* A transport has waited long enough. */
    EVENT_TIMER_AGE,   /* Something is too old. */
    EVENT_TIMER_WATCH, /* A watchdog decides. */
    EVENT_TIMER_OBSERVE, /* The state is sampled at the end of an
                          * instant. */
    EVENT_N_CLASSES,
};

_Static_assert((int)EVENT_N_CLASSES <= (int)EVENT_MAX_CLASS + 1,
               "a class fits into its bits");

/* Class, entity and argument in one number, in their order. */
static inline uint64_t
event_order(enum event_class class, uint32_t entity, uint32_t arg)
{
    orch_assert(entity <= EVENT_MAX_ENTITY);
    return (uint64_t) class << (EVENT_ENTITY_BITS + EVENT_ARG_BITS) |
           (uint64_t)entity << EVENT_ARG_BITS | arg;
}

static inline enum event_class
event_class(uint64_t order)
{
    return (enum event_class)(order >> (EVENT_ENTITY_BITS + EVENT_ARG_BITS));
}

static inline uint32_t
event_entity(uint64_t order)
{
    return (uint32_t)(order >> EVENT_ARG_BITS) & EVENT_MAX_ENTITY;
}

static inline uint32_t
event_arg(uint64_t order)
{
    return (uint32_t)order;
}

/* A posted event. */
struct post {
    int64_t when_ps;
    uint64_t order; /* See event_order(). */
};

_Static_assert(sizeof(struct post) == 16, "four per cache line");

static inline bool
post_is_before(const struct post *a, const struct post *b)
{
    return a->when_ps != b->when_ps ? a->when_ps < b->when_ps
                                    : a->order < b->order;
}

struct event;

/* Called at the time of 'event'.  The event is no longer pending, so the
 * function may schedule it again or free it. */
typedef void event_fn(struct event *event, int64_t now_ps);

/* A timer, a member of its owner.  Initialise it with event_make().  A pending
 * event must not move in memory. */
struct event {
    int64_t when_ps;   /* Kept after the event has fired. */
    uint64_t order;    /* See event_order(). */
    uint64_t sequence; /* Private to the engine. */
    event_fn *fire;
    uint32_t position; /* Private to the engine; 0: not pending. */
};

/* Returns an event that is not pending. 'arg' orders the timers of one entity
 * among each other. */
static inline struct event
event_make(enum event_class class, uint32_t entity, uint32_t arg,
           event_fn *fire)
{
    return (struct event){.order = event_order(class, entity, arg),
                          .fire = fire};
}

/* The 'type' whose member 'member' is '*event'. */
#define EVENT_OWNER(event, type, member)                                       \
    ((type *)(void *)((char *)(event)-offsetof(type, member)))

static inline bool
event_is_pending(const struct event *event)
{
    return event->position != 0;
}

#endif /* twin/event/event.h */
