/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_HOST_HOST_H
#define ORCHD_TWIN_HOST_HOST_H

/* A network adapter with a host that sends and counts.
 *
 * Sending.  A host has flows; a flow has a pace (pacing.h), a priority and a
 * frame to send.  What is due waits in the queue of its priority, without
 * limit.  When the wire is free, priorities that have something and are not
 * paused take turns; within one the frame that is due longest goes first, the
 * lower flow at equal times.  Each frame takes its time at the host's speed,
 * and is given to the link when its last bit has left.
 *
 * Obeying.  A host obeys pauses of the priorities and kinds that its
 * configuration names, like twin/qos/pause.h.  A received pause frame takes
 * effect 'response_ps' after its last bit has arrived: until then frames start
 * as before, and a frame on the wire always finishes.  IEEE 802.3-2018 annexes
 * 31B.3.7 and 31D.3.7 bound that time; adapters differ, so it is a parameter.
 *
 * Storms.  A host can send pause frames of its own at exact times, of any
 * kind and content, whatever it receives: they go before all data.
 *
 * Receiving.  All else that arrives is counted in a receiver (receiver.h). */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "twin/host/pacing.h"
#include "twin/host/receiver.h"
#include "twin/link/link.h"
#include "twin/qos/pause.h"

struct host_config {
    uint64_t mac; /* 48 bits. */
    uint32_t speed_mbps;
    uint8_t obeys_priorities; /* PFC; a bit per priority. */
    bool obeys_all;           /* 802.3x. */
    int64_t response_ps;
};

struct flow_config {
    uint32_t flow; /* For the receiver; unique among those who send to it. */
    uint8_t priority;
    struct pacing_config pace;
    /* What is sent.  The host fills in the members that are a host's,
     * and its own address if there is none. */
    struct sim_frame frame;
};

/* Pause frames at the times of 'pace', the k-th with the quanta number
 * k mod n_quanta for all priorities. */
struct storm_config {
    struct pacing_config pace;
    enum pause_frame_kind kind;
    uint8_t priorities; /* The class-enable vector; 0 is allowed. */
    uint16_t quanta[PFC_N_PRIORITIES];
    uint32_t n_quanta; /* 1..PFC_N_PRIORITIES */
    bool zero_source;  /* From address 0, not the host's own. */
};

/* The frames of a capture (pcap.h), at its times from 'start_ps' on.  What was
 * cut off when it was taken is zero. */
struct replay_config {
    uint32_t flow;
    uint8_t priority;
    int64_t start_ps;
    const uint8_t *bytes; /* A pcap file. */
    size_t n;
};

struct host;

/* Returns a new host that is connected to nothing.  ST_INVALID (address,
 * speed, response).  End with host_destroy(). */
enum st host_create(struct engine *engine, const struct host_config *config,
                    struct host **host) ST_WARN_UNUSED;

/* Frees 'host'.  Accepts NULL. */
void host_destroy(struct host *host);

const struct host_config *host_get_config(const struct host *host);

/* A link_deliver_fn: what the link brings. */
bool host_receive(void *host, uint32_t port, const struct sim_frame *frame);

/* Sets where it sends; not while it is sending. */
void host_connect(struct host *host, struct link_sender *sender);

/* Adds a flow, or a storm, from now on; both last until they are stopped.  A
 * start in the past is ST_INVALID, as is a frame, priority, or pace that is
 * not allowed. */
enum st host_add_flow(struct host *host,
                      const struct flow_config *config) ST_WARN_UNUSED;
enum st host_add_storm(struct host *host,
                       const struct storm_config *config) ST_WARN_UNUSED;

/* Adds a capture as a flow.  ST_INVALID if it is empty or one of its frames is
 * not allowed (then nothing is sent), and as pcap_open(), pcap_next(). */
enum st host_add_replay(struct host *host, const struct replay_config *config,
                        struct err *err) ST_WARN_UNUSED;

/* Ends flow 'flow', all storms: what is on the wire still arrives.  Returns
 * whether there was such a flow. */
bool host_stop_flow(struct host *host, uint32_t flow);
void host_stop_storms(struct host *host);

/* Returns how many frames of flow 'flow' have been started, 0 if there is no
 * such flow. */
uint64_t host_flow_sent(const struct host *host, uint32_t flow);

/* Returns whether it will send without being woken by others: a frame is on its
 * wire, or one of a flow that has an end is still to come and not paused.
 * Storms do not count. */
bool host_is_busy(const struct host *host);

/* Returns whether a flow without end is under way. */
bool host_is_endless(const struct host *host);

/* Returns what arrived. */
struct receiver *host_receiver(struct host *host);

struct host_stats {
    uint64_t sent;       /* Data frames that have left. */
    uint64_t sent_bytes; /* Of these, without FCS. */
    uint64_t pauses_sent;
    uint64_t pauses_received;
    uint8_t paused; /* A bit per priority, now. */
    bool all_paused;
};

void host_get_stats(const struct host *host, struct host_stats *stats);

#endif /* twin/host/host.h */
