/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_HOST_HOST_H
#define ORCHD_TWIN_HOST_HOST_H

/* A host behind a port of a switch: a network adapter, and an end system that
 * sends and counts.
 *
 * Sending.  A host has flows.  A flow has a pace (pacing.h), a priority and a
 * frame to send.  Due frames wait in the queue of their priority, which has no
 * limit.  When the wire is free, the priorities that have frames and are not
 * paused take turns.  Within a priority the frame that has been due longest is
 * sent first; at equal times, that of the flow with the lower number.  Each
 * frame takes its time at the host's speed.  The host hands it to the link when
 * its last bit has left.
 *
 * Obeying.  A host obeys pauses of the priorities and kinds that its
 * configuration names (see twin/qos/pause.h).  A received pause frame takes
 * effect 'response_ps' after its last bit has arrived.  Until then frames start
 * as before, and a frame on the wire always finishes.  IEEE 802.3-2018 annexes
 * 31B.3.7 and 31D.3.7 limit that time; adapters differ, so it is a parameter.
 *
 * Storms.  A host can send pause frames of any kind and content at exact times,
 * independently of what it receives.  It sends them before all data.
 *
 * Receiving.  A receiver (receiver.h) counts all other frames that arrive. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "twin/host/pacing.h"
#include "twin/host/receiver.h"
#include "twin/link/link.h"
#include "twin/qos/pause.h"

struct host_config {
    uint64_t mac;    /* 48 bits. */
    uint32_t entity; /* Its place in the order of events (twin/event/event.h);
                      * unique on the engine. */
    uint32_t speed_mbps;
    uint8_t obeys_priorities; /* PFC; a bit per priority. */
    bool obeys_all;           /* 802.3x. */
    int64_t response_ps;
};

struct flow_config {
    uint32_t flow; /* For the receiver; unique among all flows that it
                    * receives. */
    uint8_t priority;
    struct pacing_config pace;
    /* The frame to send.  The host fills in the members that a host sets, and
     * its own address if the source address is 0. */
    struct sim_frame frame;
};

/* Pause frames at the times of 'pace', frame k with quanta[k mod n_quanta] for
 * all priorities. */
struct storm_config {
    struct pacing_config pace;
    enum pause_frame_kind kind;
    uint8_t priorities; /* The class-enable vector; may be 0. */
    uint16_t quanta[PFC_N_PRIORITIES];
    uint32_t n_quanta; /* 1..PFC_N_PRIORITIES */
    bool zero_source;  /* Send from address 0 instead of the host's own. */
};

/* The frames of a capture (capture.h), sent with its intervals from 'start_ps'
 * on. */
struct replay_config {
    uint32_t flow;
    uint8_t priority;
    int64_t start_ps;
    const uint8_t *bytes; /* A pcap file. */
    size_t n;
};

struct host;

/* Stores a new host, not connected yet, in '*host'.  ST_INVALID: the address,
 * speed or response time is not allowed.  End with host_destroy(). */
enum st host_create(struct engine *engine, const struct host_config *config,
                    struct host **host) ST_WARN_UNUSED;

/* Frees 'host'.  Accepts NULL. */
void host_destroy(struct host *host);

const struct host_config *host_get_config(const struct host *host);

/* A link_deliver_fn: takes a frame from the link. */
bool host_receive(void *host, uint32_t port, const struct sim_frame *frame);

/* Connect 'host' to 'sender', whose other end is a function; or to another
 * place of the simulation, to which 'out' goes and from which 'in' comes. Must
 * not be called while the host is sending. */
void host_connect(struct host *host, struct link_sender *sender);
void host_join(struct host *host, struct wire *out, struct wire *in);

/* Handle EVENT_HOST_TX_END and EVENT_HOST_ARRIVE at 'entity' of 'pool', for
 * loops over events (twin/event/engine.h). */
void host_handle_tx_end(struct frame_pool *pool, uint32_t entity, uint32_t arg);
void host_handle_arrive(struct frame_pool *pool, uint32_t entity,
                        uint32_t frame);

/* Add a flow or a storm, which lasts until it is stopped.  ST_INVALID: the
 * start is in the past, or the frame, priority or pace is not allowed. */
enum st host_add_flow(struct host *host,
                      const struct flow_config *config) ST_WARN_UNUSED;
enum st host_add_storm(struct host *host,
                       const struct storm_config *config) ST_WARN_UNUSED;

/* Adds a capture as a flow.  Fails as capture_read(), and with ST_INVALID as
 * host_add_flow(); then nothing is sent. */
enum st host_add_replay(struct host *host, const struct replay_config *config,
                        struct err *err) ST_WARN_UNUSED;

/* Stop flow 'flow', or all storms.  A frame on the wire still arrives.
 * host_stop_flow() returns whether there was such a flow. */
bool host_stop_flow(struct host *host, uint32_t flow);
void host_stop_storms(struct host *host);

/* Returns how many frames of flow 'flow' the host has started to send, 0 if
 * there is no such flow. */
uint64_t host_flow_sent(const struct host *host, uint32_t flow);

/* Returns whether 'host' will send data without an event from outside: a frame
 * is on its wire, or a flow that has an end has frames left and is not paused.
 * Storms do not count. */
bool host_is_busy(const struct host *host);

/* Returns whether the host has a flow without end. */
bool host_is_endless(const struct host *host);

/* Returns the receiver of 'host', which counts what arrives.  Borrowed. */
struct receiver *host_receiver(struct host *host);

struct host_stats {
    uint64_t sent;       /* Data frames sent completely. */
    uint64_t sent_bytes; /* Of these, without FCS. */
    uint64_t pauses_sent;
    uint64_t pauses_received;
    uint8_t paused; /* A bit per priority that is paused now. */
    bool all_paused;
};

void host_get_stats(const struct host *host, struct host_stats *stats);

#endif /* twin/host/host.h */
