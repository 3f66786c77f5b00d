/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_HOST_HOST_STATE_H
#define ORCHD_TWIN_HOST_HOST_STATE_H

/* The internals of a host, for host_run.c only. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/event/engine.h"
#include "twin/forwarding/frame_pool.h"
#include "twin/forwarding/wire.h"
#include "twin/host/capture.h"
#include "twin/host/host.h"
#include "twin/qos/pause_delay.h"
#include "twin/qos/pause_frame.h"

struct flow {
    struct pacing pace;     /* Says when the next frame is due. */
    struct sim_frame frame; /* The frame of which each sent frame is a copy. */
    uint8_t priority;       /* The priority whose pauses stop the flow. */

    struct capture capture; /* If it has frames, these are sent instead of
                             * 'frame'. */
};

struct storm {
    struct storm_config config;
    struct pacing pace;
};

struct host {
    struct engine *engine;
    struct host_config config;
    struct frame_pool *pool;

    /* To the other end, and from there; NULL: it is not connected, or connected
     * to 'sender'. */
    struct wire *out_wire;
    struct wire *in_wire;
    struct link_sender *sender; /* NULL: not connected, or to the wires. */
    struct receiver *receiver;
    struct host_stats stats;

    struct flow *flows;
    uint32_t n_flows;
    struct storm *storms;
    uint32_t n_storms;

    bool is_sending;
    bool is_handed; /* The link owns 'frame'; else the host does. */
    uint16_t epoch; /* The argument of EVENT_HOST_TX_END. */
    uint8_t last_priority;
    uint32_t ps_per_byte;  /* At its speed; 0: not a whole number. */
    uint32_t frame;        /* On the wire, while sending: its index. */
    struct event transmit; /* The next frame is due. */

    struct pause_receiver pause;
    struct event resume;
    struct pause_delay delay; /* Pause frames before their effect. */
    struct event respond;     /* The next of them takes effect. */
};

#endif /* twin/host/host_state.h */
