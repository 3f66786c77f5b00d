/* SPDX-License-Identifier: Apache-2.0 */

/* Joins two sinks and names what they report. */

#include <config.h>

#include "lab/measure/sink.h"

/* Defines the function that passes a record of type 'type' to both. */
#define PAIR(callback, type)                                                   \
    static void pair_##callback(void *context, const struct type *record)      \
    {                                                                          \
        const struct sink_pair *pair = context;                                \
                                                                               \
        if (pair->first->callback) {                                           \
            pair->first->callback(pair->first->context, record);               \
        }                                                                      \
        if (pair->second->callback) {                                          \
            pair->second->callback(pair->second->context, record);             \
        }                                                                      \
    }

/* X(callback, record) */
#define CALLBACKS(X)                                                           \
    X(flow_ended, sink_flow)                                                   \
    X(message_ended, sink_message)                                             \
    X(io_ended, sink_io)                                                       \
    X(span_ended, sink_span)                                                   \
    X(pause_started, sink_pause)                                               \
    X(pause_ended, sink_pause)                                                 \
    X(storm_ended, sink_storm)                                                 \
    X(deadlock_ended, sink_deadlock)                                           \
    X(dropped, sink_drop)                                                      \
    X(marked, sink_mark)                                                       \
    X(sampled, sink_sample)                                                    \
    X(operations_ended, sink_operations)                                       \
    X(side_found, sink_side)                                                   \
    X(judged, sink_verdict)                                                    \
    X(changed, sink_change)

CALLBACKS(PAIR)

void
sink_pair_init(struct sink_pair *pair, const struct sink *first,
               const struct sink *second)
{
    *pair = (struct sink_pair){.first = first, .second = second};
    pair->sink.context = pair;
#define X(callback, type)                                                      \
    pair->sink.callback =                                                      \
        first->callback || second->callback ? pair_##callback : NULL;
    CALLBACKS(X)
#undef X
}

const char *
sink_flow_state_name(enum sink_flow_state state)
{
    static const char *const names[] = {
#define X(member, name) name,
        SINK_FLOW_STATES(X)
#undef X
    };

    return (unsigned int)state < sizeof names / sizeof names[0] ? names[state]
                                                                : "unknown";
}

const char *
sink_drop_reason_name(enum sink_drop_reason reason)
{
    static const char *const names[] = {
#define X(member, name) name,
        SINK_DROP_REASONS(X)
#undef X
    };

    return (unsigned int)reason < sizeof names / sizeof names[0] ? names[reason]
                                                                 : "unknown";
}

const char *
sink_watchdog_name(enum sink_watchdog watchdog)
{
    static const char *const names[] = {
#define X(member, name) name,
        SINK_WATCHDOGS(X)
#undef X
    };

    return (unsigned int)watchdog < sizeof names / sizeof names[0]
               ? names[watchdog]
               : "unknown";
}
