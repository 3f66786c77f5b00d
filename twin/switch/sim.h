/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_SWITCH_SIM_H
#define ORCHD_TWIN_SWITCH_SIM_H

/* One switch with its ports, its forwarding and its time.
 *
 * Time is simulated, in picoseconds, and moves only when told: sim_send(),
 * sim_run_until() and sim_settle() advance it, everything else happens at the
 * present instant.
 *
 * A frame takes its time on the wire (twin/forwarding/frame.h).  It arrives,
 * and is classified, forwarded and admitted, at the end of its serialisation at
 * the speed of its port; frames sent to one port follow each other without a
 * gap. An idle port starts to transmit in the instant in which a frame is
 * queued. So traffic from one port to another of the same speed never queues.
 *
 * Forwarding is by VLAN and destination MAC (twin/forwarding/bridge.h): to the
 * port of an entry, else to all other members of the VLAN that are up.  A group
 * address is always flooded.  A frame whose entry names its own ingress port,
 * or a port that is down, is filtered.  A frame gets and loses its tag as the
 * membership of the port says by which it leaves; it occupies the buffer as it
 * came.  MAC control frames (to 01-80-C2-00-00-01) end at the port.
 *
 * Routing: a frame for a router's address goes the way of
 * twin/forwarding/router.h, if it is IP with at most one tag; it leaves with
 * other addresses, TTL and tag.  A frame for the neighbor of a VLAN goes where
 * the bridge knows the address, else to all members.
 *
 * Classification (classify.h) is by what the frame brings; what the rules of
 * the port say by which it leaves is written into it then.
 *
 * Transmission: the scheduler of a port (scheduler.h) chooses among its queues
 * that are not empty and not paused; as long as it is not configured they take
 * turns, one frame each.  A frame leaves the buffer when its transmission
 * starts.  'tx_enabled' false keeps further frames from starting; admission
 * goes on, and a frame on the wire finishes.
 *
 * Leak-out: a port that 'tx_enabled' or a pause of 802.3x keeps from sending
 * still moves frames from the buffer to a FIFO, as many as chip_leak_out()
 * says for its speed, if the chip 'leaks'.  They count as transmitted at once,
 * and leave first, in their order, when the port may send; until it is kept
 * again none follow them.  Paused priorities and shapers hold frames back in
 * the buffer.
 *
 * Age: on a chip with 'packet_age_us' a frame that has waited so long in the
 * buffer is discarded in that very instant, and counts as dropped at egress
 * (MMU_AGED).
 *
 * WRED (wred.h) judges a frame for one port before the buffer does, by the
 * length of its queue in whole cells.  Frames of which several copies are made
 * it lets pass.  On chips that mark late, ECN-capable frames are judged when
 * they leave, by what they leave behind.
 *
 * PFC: while a PG whose priority is enabled at its port is XOFF, the port
 * sends pause frames of 65,535 quanta for that priority: one at once, then
 * one in every half of that time (a quantum is 512 bit times).  On release it
 * sends one with 0 quanta.  A pause frame starts when the frame on the wire has
 * ended, before any data, and also if 'tx_enabled' is false; it takes the time
 * of 84 bytes, and counts in 'pfc_tx' when it starts.  What changed or is to be
 * repeated by then is in one frame.  Received pause frames
 * (orchd/telemetry/polling/pause.h) hold the queues of their priorities.
 *
 * Reference: IEEE 802.1Q-2018 clause 36, annex O. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pfc.h"
#include "base/status.h"
#include "twin/event/engine.h"
#include "twin/forwarding/bridge.h"
#include "twin/forwarding/frame.h"
#include "twin/forwarding/router.h"
#include "twin/forwarding/traps.h"
#include "twin/mmu/mmu.h"
#include "twin/qos/classify.h"
#include "twin/qos/deadlock.h"
#include "twin/qos/pause.h"
#include "twin/qos/scheduler.h"
#include "twin/qos/wred.h"

struct sim;

/* Called when 'frame' has left 'port' completely, at 'now_ps'. */
typedef void sim_listener_fn(void *context, uint32_t port,
                             const struct sim_frame *frame, int64_t now_ps);

/* Called for every priority of every pause frame that starts; 'quanta' is 0 for
 * a release. */
typedef void sim_pfc_fn(void *context, uint32_t port, unsigned int priority,
                        unsigned int quanta, int64_t now_ps);

/* Called for every frame, or copy of one, that is dropped for lack of buffer,
 * or waited too long in it.  'port' is where it counts: the egress port if
 * mmu_drop_is_egress() says so, else the ingress port. */
typedef void sim_drop_fn(void *context, uint32_t port, enum mmu_drop why,
                         const struct sim_frame *frame, int64_t now_ps);

/* Called when the switch has learned an entry; 'from' is the port where the
 * address was before, FDB_NONE if it is new. */
typedef void sim_learned_fn(void *context, const struct fdb_entry *entry,
                            uint32_t from);

/* Called just before a learned entry goes, because it is too old. */
typedef void sim_aged_fn(void *context, const struct fdb_entry *entry);

/* Called for every frame that goes to the processor of the switch, as it
 * arrived at 'port'; it may be forwarded besides. */
typedef void sim_trap_fn(void *context, uint32_t port,
                         const struct sim_frame *frame);

/* Called when queue 'index' of 'port' was found to be paused for good, or has
 * recovered. */
typedef void sim_deadlock_fn(void *context, uint32_t port, uint32_t index,
                             bool dead);

/* What a listener wants to hear; any may be NULL.  They must not call
 * functions that change the switch. */
struct sim_listener {
    sim_listener_fn *sent;
    sim_pfc_fn *pfc;
    sim_drop_fn *drop;
    sim_learned_fn *learned;
    sim_aged_fn *aged;
    sim_trap_fn *trapped;
    sim_deadlock_fn *deadlock;
    void *context;
};

/* Returns a new switch of model 'chip', which must outlive it, at time 0 and
 * without ports.  End with sim_destroy(). */
struct sim *sim_create(const struct chip *chip);

/* The same on 'engine', which it shares with other switches, links and
 * hosts, and which must outlive it.  Calls that advance the time advance
 * that of all. */
struct sim *sim_create_on(const struct chip *chip, struct engine *engine);

/* Frees 'sim' with all frames in it.  Accepts NULL. */
void sim_destroy(struct sim *sim);

/* The buffer, to be configured and read.  Ports are added and removed through
 * the functions below, and packets are never touched, by others. */
struct mmu *sim_mmu(struct sim *sim);

/* Called when 'frame' has left a port completely, MAC control included.  Must
 * not change the switch; what it leads to happens in later events. */
typedef void sim_wire_fn(void *context, const struct sim_frame *frame);

/* Replaces the listener; NULL: none.  '*listener' is copied. */
void sim_set_listener(struct sim *sim, const struct sim_listener *listener);

/* Time ---------------------------------------------------------------- */

struct engine *sim_engine(struct sim *sim);

int64_t sim_now_ps(const struct sim *sim);

/* Lets everything happen that is due up to 'until_ps', that included, and makes
 * it the present (a time in the past changes nothing). */
void sim_run_until(struct sim *sim, int64_t until_ps);

/* Runs until no frame is on a wire and no port can transmit.  Pause frames
 * that fall due meanwhile are sent.  What is paused is not waited for, nor a
 * rate that lets nothing go for a tenth of a second.  Returns the frames
 * transmitted. */
uint64_t sim_settle(struct sim *sim);

/* Returns when the next thing happens on its own, EVENT_NEVER if nothing
 * will: for an owner that follows a real clock. */
int64_t sim_next_ps(const struct sim *sim);

/* Ports --------------------------------------------------------------- */

struct sim_port_config {
    uint32_t speed_mbps; /* 1..3,200,000 */
    bool admin_up;
    bool tx_enabled;
    uint8_t pfc_tx_enabled; /* A bit per priority. */
    uint8_t pfc_rx_enabled; /* For which received pauses are obeyed. */
    bool pause_rx_enabled;  /* Whether those of 802.3x are. */
    uint64_t mac;           /* From which it sends pause frames; 48 bits. */
};

/* Adds a port at slot 'port', whose first lane is 'lane' (which decides its
 * partition, see chip_partition()).  ST_EXISTS, ST_INVALID (slot, speed). */
enum st sim_port_add(struct sim *sim, uint32_t port, uint32_t lane,
                     const struct sim_port_config *config) ST_WARN_UNUSED;

/* Removes a port: what is queued at it is discarded, what it received and
 * waits elsewhere is still delivered, entries that name it are forgotten.
 * ST_NOT_FOUND. */
enum st sim_port_remove(struct sim *sim, uint32_t port) ST_WARN_UNUSED;

/* Changes a port; takes effect for the next frame in each direction.  A port
 * that goes down discards what is queued.  ST_NOT_FOUND, ST_INVALID. */
enum st sim_port_set(struct sim *sim, uint32_t port,
                     const struct sim_port_config *config) ST_WARN_UNUSED;

/* Returns the present configuration, NULL if there is no such port. */
const struct sim_port_config *sim_port_get(const struct sim *sim,
                                           uint32_t port);

/* The rules for classification of the switch and of a port, to be filled by
 * the caller (maps are borrowed until replaced).  A port's are NULL if it does
 * not exist, and cleared when it is added. */
struct classify_rules *sim_rules(struct sim *sim);
struct classify_rules *sim_port_rules(struct sim *sim, uint32_t port);

struct sim_port_stats {
    uint64_t rx_ucast_packets; /* Those dropped later included. */
    uint64_t rx_non_ucast_packets;
    uint64_t rx_octets;
    uint64_t rx_dropped;  /* At ingress, for lack of buffer. */
    uint64_t rx_filtered; /* Forwarded nowhere. */
    uint64_t rx_trapped;  /* Went to the processor. */
    uint64_t rx_control;  /* MAC control; in no other counter. */
    uint64_t tx_ucast_packets;
    uint64_t tx_non_ucast_packets;
    uint64_t tx_octets;
    uint64_t tx_dropped; /* At egress: the queue was full, WRED, or age. */
    /* Discarded because the port went down, be they in the buffer or counted
     * as transmitted and in the FIFO. */
    uint64_t tx_flushed;
    uint64_t pfc_tx[PFC_N_PRIORITIES];
};

/* ST_NOT_FOUND. */
enum st sim_port_get_stats(const struct sim *sim, uint32_t port,
                           struct sim_port_stats *stats) ST_WARN_UNUSED;
void sim_port_clear_stats(struct sim *sim, uint32_t port);

/* Pauses since the port was added. */
struct sim_pause_stats {
    uint64_t all_received;               /* Frames of 802.3x. */
    uint64_t received[PFC_N_PRIORITIES]; /* PFC frames, by what they name. */
    uint64_t ended[PFC_N_PRIORITIES];    /* Pauses that were over. */
    struct pause_meter rx[PFC_N_PRIORITIES]; /* How long we were paused. */
    struct pause_meter tx[PFC_N_PRIORITIES]; /* How long our peer was. */
};

/* ST_NOT_FOUND. */
enum st sim_port_get_pauses(const struct sim *sim, uint32_t port,
                            struct sim_pause_stats *stats) ST_WARN_UNUSED;

/* Connects what is at the other end of the wire of 'port', which exists; NULL:
 * nothing.  Lasts until the port is removed. */
void sim_port_connect(struct sim *sim, uint32_t port, sim_wire_fn *wire,
                      void *context);

/* Queues -------------------------------------------------------------- */

/* Returns the scheduler of 'port', NULL if there is no such port.  Whoever has
 * changed it, or the rules of the port, calls sim_port_wake(), so that what may
 * go now goes. */
struct scheduler *sim_port_scheduler(struct sim *sim, uint32_t port);
void sim_port_wake(struct sim *sim, uint32_t port);

/* Gives queue 'index' of 'port' a WRED profile (NULL: none), which is borrowed
 * and may be changed by its owner; the average starts anew.  ST_NOT_FOUND. */
enum st sim_queue_set_wred(struct sim *sim, uint32_t port, uint32_t index,
                           const struct wred_profile *profile) ST_WARN_UNUSED;

/* What was transmitted, and what was not admitted, for lack of buffer or by
 * WRED; marked frames are among those transmitted. */
struct sim_queue_color {
    uint64_t packets;
    uint64_t bytes;
    uint64_t dropped_packets;
    uint64_t dropped_bytes;
    uint64_t wred_dropped_packets;
    uint64_t wred_dropped_bytes;
    uint64_t marked_packets;
    uint64_t marked_bytes;
};

struct sim_queue_stats {
    struct sim_queue_color colors[CLASSIFY_COLORS];
};

/* Since the port was added.  ST_NOT_FOUND. */
enum st sim_queue_get_stats(const struct sim *sim, uint32_t port,
                            uint32_t index,
                            struct sim_queue_stats *stats) ST_WARN_UNUSED;

/* Returns whether a received pause holds the queue. */
bool sim_queue_is_paused(const struct sim *sim, uint32_t port, uint32_t index);

/* Has queue 'index' of 'port' find out that it is paused for good, and recover
 * (deadlock.h), as '*config' says, from now on.  Only pauses of PFC count.
 * What it discards counts as dropped at egress (MMU_DEADLOCK).  Nothing is told
 * of one whose port is removed.  ST_NOT_FOUND. */
enum st
sim_queue_set_deadlock(struct sim *sim, uint32_t port, uint32_t index,
                       const struct deadlock_config *config) ST_WARN_UNUSED;

/* Returns whether it was found to be, and has not recovered. */
bool sim_queue_is_dead(const struct sim *sim, uint32_t port, uint32_t index);

/* Forwarding ---------------------------------------------------------- */

/* VLANs, memberships and entries.  Ports join and leave it as they are added
 * and removed. */
struct bridge *sim_bridge(struct sim *sim);

/* Sets or replaces the static entry for 'mac' in all VLANs.  ST_NOT_FOUND (no
 * such port), ST_INVALID (group address, more than 48 bits). */
enum st sim_fdb_set(struct sim *sim, uint64_t mac,
                    uint32_t port) ST_WARN_UNUSED;

/* ST_NOT_FOUND. */
enum st sim_fdb_remove(struct sim *sim, uint64_t mac) ST_WARN_UNUSED;

/* Returns the port of the entry for 'mac', MMU_NONE if there is none. */
uint32_t sim_fdb_get(const struct sim *sim, uint64_t mac);

/* Virtual routers, their interfaces and routes.  The ports of interfaces are
 * ports and groups of this switch; an interface goes before its port. */
struct router *sim_router(struct sim *sim);

/* What is done with frames of certain protocols, and with packets that end in
 * the router; none at first.  To be changed by the caller. */
struct traps *sim_traps(struct sim *sim);

/* Groups of links ------------------------------------------------------ */

/* A group (LAG) is a port to the bridge and to the router, numbered from the
 * number of ports of the chip on.  What goes to it leaves by one of its
 * members, chosen by flow and weight among those that are up and may send; what
 * a member receives came by the group.
 *
 * Reference: IEEE 802.1AX-2020 clause 6.2. */

enum { SIM_MAX_LAGS = 128 };

/* Adds a group, a member of no VLAN, without members of its own; stores its
 * number in '*lag'.  ST_NO_RESOURCE. */
enum st sim_lag_add(struct sim *sim, uint32_t *lag) ST_WARN_UNUSED;

/* Removes a group; what it has as members are ports again. */
void sim_lag_remove(struct sim *sim, uint32_t lag);

struct sim_lag_member {
    bool sends;
    bool receives;
    uint32_t weight;
};

/* Makes 'port' a member of 'lag', or changes it; takes it out.  ST_NOT_FOUND,
 * ST_EXISTS (in another group). */
enum st sim_lag_set(struct sim *sim, uint32_t lag, uint32_t port,
                    const struct sim_lag_member *member) ST_WARN_UNUSED;
void sim_lag_unset(struct sim *sim, uint32_t port);

/* Returns the group that 'port' is in, MMU_NONE if it is in none. */
uint32_t sim_lag_of(const struct sim *sim, uint32_t port);

/* Sets where the choice among members begins (twin/forwarding/ecmp.h). */
void sim_lag_set_seed(struct sim *sim, uint32_t seed);

/* Traffic ------------------------------------------------------------- */

/* When to stop before all frames are sent. */
enum {
    SIM_STOP_XOFF = 1 << 0, /* Any port wants its sender to pause. */
    SIM_STOP_DROP = 1 << 1, /* A frame was dropped for lack of buffer. */
};

struct sim_send_result {
    uint64_t sent;      /* Frames that arrived, the last one included. */
    unsigned int stops; /* The conditions met by the last of them. */
};

/* Sends up to 'n' copies of 'frame' into 'port', back to back, and advances
 * the time to the arrival of the last.  Stops right after the frame that meets
 * one of the conditions 'stops' (a refreshed pause does not count).
 * ST_NOT_FOUND (no such port), ST_INVALID (length, address, tag), ST_BUSY (port
 * is down). 'result' may be NULL. */
enum st sim_send(struct sim *sim, uint32_t port, const struct sim_frame *frame,
                 uint64_t n, unsigned int stops,
                 struct sim_send_result *result) ST_WARN_UNUSED;

/* Handles 'frame', which has arrived at 'port' completely in this instant, over
 * a wire that its owner looks after.  ST_NOT_FOUND (no such port), ST_INVALID
 * (length, address, tag), ST_BUSY (port is down: the frame is lost). */
enum st sim_receive(struct sim *sim, uint32_t port,
                    const struct sim_frame *frame) ST_WARN_UNUSED;

/* Frames of the processor that may wait for a port. */
enum { SIM_EMIT_MAX = 64 };

/* Sends 'frame' out of 'port' as the processor of the switch does: past bridge,
 * buffer and scheduler, before what is queued there.  No pause of a priority
 * holds it.  It counts at the port, not at a queue.  ST_NOT_FOUND (no such
 * port), ST_INVALID (length, address, tag), ST_BUSY (the port is down, or
 * SIM_EMIT_MAX frames wait: it is lost). */
enum st sim_emit(struct sim *sim, uint32_t port,
                 const struct sim_frame *frame) ST_WARN_UNUSED;

#endif /* twin/switch/sim.h */
