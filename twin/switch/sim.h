/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_SWITCH_SIM_H
#define ORCHD_TWIN_SWITCH_SIM_H

/* One simulated switch: its ports, forwarding and clock.
 *
 * Time is simulated, in picoseconds.  sim_send(), sim_run_until() and
 * sim_settle() advance it; everything else happens at the current time.
 *
 * A frame takes time on the wire (twin/forwarding/frame.h).  It arrives, and is
 * classified, forwarded and admitted, when it has been serialised at the speed
 * of its port.  Frames sent to one port follow each other without a gap. An
 * idle port starts to transmit at the same instant in which a frame is queued.
 * So traffic from one port to another of the same speed never queues.
 *
 * Forwarding is by VLAN and destination MAC (twin/forwarding/bridge.h): to the
 * port of an entry, else to all other members of the VLAN that are up.  A group
 * address is always flooded.  A frame whose entry names its own ingress port,
 * or a port that is down, is filtered.  The VLAN membership of the egress port
 * decides whether a frame leaves with a tag; in the buffer it has the length
 * with which it arrived.  MAC control frames (to 01-80-C2-00-00-01) end at the
 * port.
 *
 * Routing: an IP frame with at most one tag whose destination is the address of
 * a router is routed (twin/forwarding/router.h) and leaves with other
 * addresses, TTL and tag.  A frame for a neighbor in a VLAN is sent to the port
 * where the bridge has learned the address, else to all members.  A packet for
 * the end of a tunnel (twin/forwarding/tunnel.h) is replaced by the packet in
 * it, which is buffered and sent with its own length.
 *
 * Classification (classify.h) uses the headers with which the frame arrives.
 * When it leaves, the rules of the egress port may rewrite them.
 *
 * Transmission: the scheduler of a port (scheduler.h) chooses among the queues
 * that are neither empty nor paused.  By default they take turns, one frame
 * each.  A frame leaves the buffer when its transmission starts.  When
 * 'tx_enabled' is false no further frame starts; admission continues, and a
 * frame on the wire finishes.
 *
 * Leak-out: on a chip that 'leaks', a port that 'tx_enabled' or an 802.3x pause
 * keeps from sending still moves frames from the buffer to a FIFO, as many as
 * chip_leak_out() gives for its speed.  They count as transmitted at once and
 * leave first, in order, when the port may send again.  No frame enters the
 * FIFO until the port is kept from sending again.  Frames that a paused
 * priority or a shaper holds stay in the buffer.
 *
 * Age: a chip with 'packet_age_us' discards a frame as soon as it has waited in
 * the buffer for that time.  The frame counts as dropped at egress (MMU_AGED).
 *
 * WRED (wred.h) judges a frame before the buffer does, by the length of its
 * queue in whole cells.  It applies only to frames with one egress port, not to
 * frames that are copied.  On chips that mark late, ECN-capable frames are
 * judged when they leave, by the length of the queue that they leave behind.
 *
 * PFC: while a PG whose priority is enabled at its port is XOFF, the port sends
 * pause frames of 65,535 quanta for that priority: one at once, then one every
 * half of that time (a quantum is 512 bit times).  On release it sends one with
 * 0 quanta.  A pause frame starts when the frame on the wire has ended, before
 * any data, even if 'tx_enabled' is false.  It takes the time of 84 bytes and
 * counts in 'pfc_tx' when it starts.  One frame carries all changes and
 * repetitions that are due when it starts.  Received pause frames
 * (twin/qos/pause.h) hold the queues of their priorities, from the response
 * time after their arrival on (sim_set_pause_response()); they count when they
 * arrive.
 *
 * Reference: IEEE 802.1Q-2018 clause 36, annex O. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pfc.h"
#include "base/status.h"
#include "twin/event/engine.h"
#include "twin/forwarding/bridge.h"
#include "twin/forwarding/flow_hash.h"
#include "twin/forwarding/frame.h"
#include "twin/forwarding/router.h"
#include "twin/forwarding/traps.h"
#include "twin/mmu/mmu.h"
#include "twin/qos/classify.h"
#include "twin/qos/deadlock.h"
#include "twin/qos/pause.h"
#include "twin/qos/scheduler.h"
#include "twin/qos/wred.h"

struct acl_set;
struct sim;
struct tunnel_table;
struct wire;
struct frame_pool;

/* Called when 'frame' has left 'port' completely, at 'now_ps'. */
typedef void sim_listener_fn(void *context, uint32_t port,
                             const struct sim_frame *frame, int64_t now_ps);

/* Called for every priority of every pause frame that starts; 'quanta' is 0 for
 * a release. */
typedef void sim_pfc_fn(void *context, uint32_t port, unsigned int priority,
                        unsigned int quanta, int64_t now_ps);

/* Called for every frame, or copy of one, that is dropped for lack of buffer,
 * because it waited too long, or because its port went down (MMU_ADMIN_DOWN).
 * 'port' is the port at which the drop counts: the egress port if
 * mmu_drop_is_egress() says so, else the ingress port. */
typedef void sim_drop_fn(void *context, uint32_t port, enum mmu_drop why,
                         const struct sim_frame *frame, int64_t now_ps);

/* X(member, text).  Why a switch forwards a frame nowhere. */
#define SIM_FILTERS(X)                                                         \
    X(BRIDGE, "VLAN, address or port of the bridge")                           \
    X(TRAP, "trapped to the processor only")                                   \
    X(ROUTE, "no route or neighbor")                                           \
    X(TTL, "TTL or hop limit expired")                                         \
    X(MTU, "longer than the MTU of the router interface")                      \
    X(PORT, "the egress port is down")                                         \
    X(ROUTER, "refused by the router for another reason")                      \
    X(POLICER, "dropped by the policer of the port")                           \
    X(ACL, "dropped by an access list")

enum sim_filter {
#define X(member, text) SIM_FILTER_##member,
    SIM_FILTERS(X)
#undef X
};

/* Called for every frame that arrived at 'port' and is forwarded nowhere. */
typedef void sim_filter_fn(void *context, uint32_t port, enum sim_filter why,
                           const struct sim_frame *frame, int64_t now_ps);

/* Called when the switch has learned an entry; 'from' is the previous port of
 * the address, FDB_NONE if the address is new. */
typedef void sim_learned_fn(void *context, const struct fdb_entry *entry,
                            uint32_t from);

/* Called just before an aged entry is removed. */
typedef void sim_aged_fn(void *context, const struct fdb_entry *entry);

/* Called for every frame that is trapped to the processor of the switch, as it
 * arrived at 'port'.  The switch may forward it, too. */
typedef void sim_trap_fn(void *context, uint32_t port,
                         const struct sim_frame *frame);

/* Called when queue 'index' of 'port' is found in deadlock ('dead'), or has
 * recovered. */
typedef void sim_deadlock_fn(void *context, uint32_t port, uint32_t index,
                             bool dead);

/* Called when 'frame' is marked CE in queue 'index' of 'port', which holds
 * 'depth_bytes' then. */
typedef void sim_mark_fn(void *context, uint32_t port, uint32_t index,
                         const struct sim_frame *frame, uint64_t depth_bytes,
                         int64_t now_ps);

/* Called after the pauses of 'port' may have changed: a bit per priority that
 * it asks its peer to pause ('sent'), and in which PFC pauses it ('received'),
 * and whether 802.3x pauses it as a whole. */
typedef void sim_pauses_fn(void *context, uint32_t port, uint8_t sent,
                           uint8_t received, bool all, int64_t now_ps);

/* Called when a MAC control 'frame' of the switch has left 'port' completely,
 * and when one that was 'received' has arrived. */
typedef void sim_control_fn(void *context, uint32_t port,
                            const struct sim_frame *frame, bool received,
                            int64_t now_ps);

/* The listener of a switch.  Any function may be NULL.  None may call functions
 * that change the switch. */
struct sim_listener {
    sim_listener_fn *sent;
    sim_pfc_fn *pfc;
    sim_drop_fn *drop;
    sim_filter_fn *filtered;
    sim_learned_fn *learned;
    sim_aged_fn *aged;
    sim_trap_fn *trapped;
    sim_deadlock_fn *deadlock;
    sim_mark_fn *marked;
    sim_pauses_fn *pauses;
    sim_control_fn *control;
    void *context;
};

/* Returns a new switch with the buffer of 'chip', which must outlive it, at
 * time 0 and without ports.  End with sim_destroy(). */
struct sim *sim_create(const struct chip *chip);

/* Does the same on 'engine', which the switch shares with other switches, links
 * and hosts, and which must outlive it.  Calls that advance the time advance it
 * for all of them.  The ports of the switch are the entities 'entity' to
 * 'entity' + chip->ports - 1 in the order of events (twin/event/event.h); no
 * other switch or host on the engine may have the same. */
struct sim *sim_create_on(const struct chip *chip, struct engine *engine,
                          uint32_t entity);

/* Returns the entity of the first port slot; 0 for a switch that has an engine
 * of its own. */
uint32_t sim_entity(const struct sim *sim);

/* Makes the random numbers of 'sim' those of 'seed' (0 until then), from the
 * start of their streams (twin/event/random_stream.h). */
void sim_set_seed(struct sim *sim, uint64_t seed);

/* Makes the time from the arrival of a pause frame until the port obeys it
 * 'response_ps', not negative; initially 0.  A frame whose transmission starts
 * before then is still sent. */
void sim_set_pause_response(struct sim *sim, int64_t response_ps);

/* Makes this policy decide about the shared buffer from now on, in the time of
 * the switch.  Initially it is that of the chip. */
void sim_set_admission(struct sim *sim, enum chip_admission admission);

/* Frees 'sim' with all frames in it.  Accepts NULL. */
void sim_destroy(struct sim *sim);

/* Returns the buffer, to be configured and read.  Callers add and remove ports
 * only through the functions below, and never touch packets. */
struct mmu *sim_mmu(struct sim *sim);

/* Called when 'frame', which may be a MAC control frame, has left a port
 * completely.  Must not change the switch; consequences follow in later
 * events. */
typedef void sim_wire_fn(void *context, const struct sim_frame *frame);

/* Replaces the listener; NULL: none.  '*listener' is copied. */
void sim_set_listener(struct sim *sim, const struct sim_listener *listener);

/* Time ---------------------------------------------------------------- */

struct engine *sim_engine(struct sim *sim);

int64_t sim_now_ps(const struct sim *sim);

/* Lets everything happen that is due up to 'until_ps', that included, and makes
 * it the present (a time in the past changes nothing). */
void sim_run_until(struct sim *sim, int64_t until_ps);

/* Does the same for at most 'n_events' (not 0) events; if it stops for that,
 * the present is the last of them.  Returns how many there were. */
uint64_t sim_run_some(struct sim *sim, int64_t until_ps, uint64_t n_events);

/* Runs until no frame is on a wire and no port can transmit.  Pause frames
 * that fall due meanwhile are sent.  What is paused is not waited for, nor a
 * rate that lets nothing go for a tenth of a second.  Returns the frames
 * transmitted. */
uint64_t sim_settle(struct sim *sim);

/* Does the same for at most '*n_events' events, and takes those that happened
 * from that number.  Adds the frames transmitted to '*n_sent'.  Returns whether
 * nothing is left to wait for. */
bool sim_settle_some(struct sim *sim, uint64_t *n_events, uint64_t *n_sent);

/* Returns when the next thing happens on its own, EVENT_NEVER if nothing will:
 * for an owner that follows a real clock.  It may be the end of a transmission
 * that was aborted, when nothing happens after all. */
int64_t sim_next_ps(const struct sim *sim);

/* Ports --------------------------------------------------------------- */

struct sim_port_config {
    uint32_t speed_mbps; /* Of the line, 1..3,200,000. */
    /* The speed by which the chip sizes buffers of the port; 0: that of the
     * line, which may be slower so that a machine can keep up. */
    uint32_t rated_mbps;
    bool admin_up;
    bool tx_enabled;
    uint8_t extra_bytes;    /* As mmu_port_set_extra(). */
    uint8_t pfc_tx_enabled; /* A bit per priority. */
    uint8_t pfc_rx_enabled; /* Priorities whose received pauses are obeyed. */
    bool pause_rx_enabled;  /* Whether 802.3x pauses are obeyed. */
    bool pause_tx_enabled;  /* The port sends 802.3x pauses, of all priorities,
                             * while any of its PGs is XOFF, and no PFC. */
    uint32_t time_step_ps;  /* As of an adapter (twin/nic/nic.h). */
    uint64_t mac;           /* Source address of pause frames; 48 bits. */
};

/* Adds a port at slot 'port', whose first lane is 'lane' (which decides its
 * partition, see chip_partition()).  ST_EXISTS, ST_INVALID (slot, speed). */
enum st sim_port_add(struct sim *sim, uint32_t port, uint32_t lane,
                     const struct sim_port_config *config) ST_WARN_UNUSED;

/* Removes a port.  Frames queued at it are discarded.  Frames that it received
 * and that wait at other ports are still sent.  Forwarding entries for the port
 * are removed.  ST_NOT_FOUND. */
enum st sim_port_remove(struct sim *sim, uint32_t port) ST_WARN_UNUSED;

/* Changes a port; takes effect for the next frame in each direction.  A port
 * that goes down discards its queued frames.  ST_NOT_FOUND, ST_INVALID. */
enum st sim_port_set(struct sim *sim, uint32_t port,
                     const struct sim_port_config *config) ST_WARN_UNUSED;

/* Makes each frame that leaves by 'port' take 'bytes' (0 when the port is
 * added) more on the wire: what MACsec adds behind the counters.  Pauses do so
 * only if it 'protects_pauses'.  Frames of the peer are up to the peer.
 * ST_NOT_FOUND. */
enum st sim_port_set_macsec_bytes(struct sim *sim, uint32_t port, uint8_t bytes,
                                  bool protects_pauses) ST_WARN_UNUSED;

/* Returns the present configuration, NULL if there is no such port. */
const struct sim_port_config *sim_port_get(const struct sim *sim,
                                           uint32_t port);

/* Return the classification rules of the switch and of a port, for the caller
 * to fill at once (maps are borrowed until replaced).  Those of a port are NULL
 * if it does not exist, and cleared when it is added.  A caller that changes
 * the contents of a map must call sim_port_wake() for a port. */
struct classify_rules *sim_rules(struct sim *sim);
struct classify_rules *sim_port_rules(struct sim *sim, uint32_t port);

/* Makes 'policer' (NULL: none) meter all frames that arrive at 'port', before
 * they are forwarded: it colors, drops or copies them to the processor.
 * Borrowed until it is replaced.  Ignored if the port does not exist. */
void sim_port_set_policer(struct sim *sim, uint32_t port,
                          struct policer *policer);

enum sim_stage {
    SIM_INGRESS,
    SIM_EGRESS,
    SIM_N_STAGES,
};

/* Binds 'set' (NULL: none) to 'place': a port, a LAG, or the switch (MMU_NONE).
 *
 * At ingress the frames that arrive there are matched behind the policer of the
 * port.  At egress those are that have been forwarded there, before a queue and
 * the buffer take them, each copy by itself; 'in_port' and 'in_lag' of the key
 * are the port and the LAG by which it leaves, addresses, TTL and VLAN those
 * with which it leaves, and the other fields those with which it arrived,
 * except for a TC or DSCP that an access list at ingress has set.  Of the
 * actions only ACL_DROP has an effect at egress.
 *
 * Tables of the port have precedence over those of its LAG, these over those of
 * the VLAN (egress only), and these over those of the switch; all sets are
 * searched.  Borrowed until it is replaced; its tables may change at any time.
 * Ignored if the place does not exist. */
void sim_set_acl(struct sim *sim, enum sim_stage stage, uint32_t place,
                 const struct acl_set *set);

/* Binds 'set' (NULL: none) to the frames that leave in VLAN 'vlan' (1 to
 * SIM_MAX_VLAN), at egress. */
void sim_set_vlan_acl(struct sim *sim, uint16_t vlan,
                      const struct acl_set *set);

/* Call it after each change of a set that is bound, of its tables, their rules,
 * or the actions and counters of those, before the next frame: what the switch
 * remembers of flows is void. */
void sim_change_acl(struct sim *sim);

/* Classes of frames by their length with FCS, as in RFC 2819 and SAI. */
enum sim_size {
    SIM_SIZE_SHORT, /* Below 64 bytes. */
    SIM_SIZE_64,    /* 64; the others are named by their shortest. */
    SIM_SIZE_65,
    SIM_SIZE_128,
    SIM_SIZE_256,
    SIM_SIZE_512,
    SIM_SIZE_1024,
    SIM_SIZE_1519,
    SIM_SIZE_2048,
    SIM_SIZE_4096,
    SIM_SIZE_9217,
    SIM_SIZE_16384, /* And longer. */
    SIM_N_SIZES,
};

struct sim_port_stats {
    uint64_t rx_ucast_packets; /* Including those dropped later. */
    uint64_t rx_octets;
    uint64_t tx_ucast_packets;
    uint64_t tx_octets;
    uint64_t rx_non_ucast_packets;
    uint64_t tx_non_ucast_packets;
    uint64_t rx_broadcast_packets; /* Of those. */
    uint64_t tx_broadcast_packets;
    uint64_t rx_sizes[SIM_N_SIZES]; /* All of them, by enum sim_size. */
    uint64_t tx_sizes[SIM_N_SIZES];
    uint64_t rx_dropped;  /* At ingress, for lack of buffer. */
    uint64_t rx_filtered; /* Forwarded nowhere. */
    uint64_t rx_trapped;  /* Trapped to the processor. */
    uint64_t rx_copied;   /* Copies made of what was received, beyond the first
                           * of each, and what trimming has left of what was
                           * dropped; and their bytes. */
    uint64_t rx_copied_octets;
    uint64_t rx_control; /* MAC control; not in any other counter. */
    uint64_t rx_errors;  /* With a wrong FCS; not in any other counter. */
    uint64_t tx_dropped; /* At egress: the queue was full, WRED, or age. */
    /* Discarded because the port went down: from the buffer, or from the FIFO
     * (those are already counted as transmitted). */
    uint64_t tx_flushed;
    uint64_t pfc_tx[PFC_N_PRIORITIES];
    uint64_t pause_tx; /* 802.3x frames. */
};

/* ST_NOT_FOUND. */
enum st sim_port_get_stats(const struct sim *sim, uint32_t port,
                           struct sim_port_stats *stats) ST_WARN_UNUSED;
void sim_port_clear_stats(struct sim *sim, uint32_t port);

/* Counts a frame that has arrived at 'port', which must exist, with a wrong
 * FCS.  Such a frame is not handed to the switch: its link reports it. */
void sim_port_note_error(struct sim *sim, uint32_t port);

/* Stores how many frames, and bytes of them, 'sim' holds for transmission: a
 * copy per egress port, and what waits behind the buffer.  Without pauses, and
 * without what is being sent.  Visits all of them. */
void sim_count_held(const struct sim *sim, uint64_t *frames, uint64_t *bytes);

/* Pause statistics since the port was added. */
struct sim_pause_stats {
    uint64_t all_received;               /* 802.3x frames. */
    uint64_t received[PFC_N_PRIORITIES]; /* PFC frames, by the priorities they
                                          * name. */
    uint64_t ended[PFC_N_PRIORITIES];    /* Pauses that have ended. */
    struct pause_meter rx[PFC_N_PRIORITIES]; /* How long this port was
                                              * paused. */
    struct pause_meter tx[PFC_N_PRIORITIES]; /* How long the peer was paused. */
};

/* ST_NOT_FOUND. */
enum st sim_port_get_pauses(const struct sim *sim, uint32_t port,
                            struct sim_pause_stats *stats) ST_WARN_UNUSED;

/* Makes 'port' ask its peer to pause 'priorities' (a bit each) for which it has
 * PFC, whatever its buffer holds, until a call with 0: a port that is defective
 * in this way is the source of a pause storm.  ST_NOT_FOUND. */
enum st sim_port_set_storm(struct sim *sim, uint32_t port,
                           uint8_t priorities) ST_WARN_UNUSED;

/* Connects the wire of 'port', which must exist, to 'wire'; NULL disconnects
 * it. The connection lasts until the port is removed. */
void sim_port_connect(struct sim *sim, uint32_t port, sim_wire_fn *wire,
                      void *context);

/* Connects 'port', which must exist, to another place of the simulation:
 * 'out' goes there and 'in' comes from there (twin/forwarding/wire.h).  Both
 * outlive the switch. 'out' lasts until the port is removed; frames on 'in' are
 * lost while there is no port. */
void sim_port_join(struct sim *sim, uint32_t port, struct wire *out,
                   struct wire *in);

/* Keeps 'port' from starting frames other than MAC control, or lets it: its
 * link takes none (twin/link/llr.h).  Unlike a port whose MAC may not send, it
 * takes nothing out of the buffer.  Does nothing if there is no such port. */
void sim_port_hold(struct sim *sim, uint32_t port, bool is_held);

/* Handle EVENT_TX_END and EVENT_ARRIVE at 'entity' of 'pool', for loops over
 * events (twin/event/engine.h).  A switch sets a loop of its own if the engine
 * has none, which knows only switches. */
void sim_handle_tx_end(struct frame_pool *pool, uint32_t entity, uint32_t arg);
void sim_handle_arrive(struct frame_pool *pool, uint32_t entity,
                       uint32_t frame);

/* Fetch into the cache what the port at 'entity', if there still is one, will
 * need: for loops that know the next events.  Each step needs what the steps
 * before it have fetched.  They change nothing.
 *
 * The steps before an arrival of 'frame', which is in the cache. */
void sim_foresee_ingress(const struct frame_pool *pool, uint32_t entity);
void sim_foresee_arrival(const struct frame_pool *pool, uint32_t entity,
                         uint32_t frame);
void sim_foresee_flow(const struct frame_pool *pool, uint32_t entity,
                      uint32_t frame);
void sim_foresee_way(const struct frame_pool *pool, uint32_t entity,
                     uint32_t frame);
void sim_foresee_accounts(const struct frame_pool *pool, uint32_t entity,
                          uint32_t frame);
void sim_foresee_admission(const struct frame_pool *pool, uint32_t entity,
                           uint32_t frame);

/* The steps before the end of a transmission: the port, where the queue is, the
 * queue, its first packet, and the frame of that. */
void sim_foresee_port(const struct frame_pool *pool, uint32_t entity);
void sim_foresee_tx_end(const struct frame_pool *pool, uint32_t entity);
void sim_foresee_buffer(const struct frame_pool *pool, uint32_t entity);
void sim_foresee_place(const struct frame_pool *pool, uint32_t entity);
void sim_foresee_queue(const struct frame_pool *pool, uint32_t entity);
void sim_foresee_head(const struct frame_pool *pool, uint32_t entity);
void sim_foresee_departure(const struct frame_pool *pool, uint32_t entity);

/* Queues -------------------------------------------------------------- */

/* Returns the scheduler of 'port', NULL if there is no such port.  A caller
 * that changes the scheduler or the rules of the port must call sim_port_wake()
 * afterwards, which starts frames that may be sent now. */
struct scheduler *sim_port_scheduler(struct sim *sim, uint32_t port);
void sim_port_wake(struct sim *sim, uint32_t port);

/* Sets the WRED profile of queue 'index' of 'port' (NULL: none), and resets the
 * average.  The profile is borrowed; its owner may change it.  ST_NOT_FOUND. */
enum st sim_queue_set_wred(struct sim *sim, uint32_t port, uint32_t index,
                           const struct wred_profile *profile) ST_WARN_UNUSED;

/* Returns that profile, NULL if there is none or no such queue. */
const struct wred_profile *sim_queue_get_wred(const struct sim *sim,
                                              uint32_t port, uint32_t index);

/* Trimming.  What is left of an IP unicast frame that a queue does not admit
 * for lack of buffer goes to another queue of the same port, so that its
 * receiver learns at once what was lost.  The frame counts as dropped all the
 * same. Frames that WRED drops, copies for several ports, and what is left of a
 * frame are not trimmed.
 *
 * What is left is the first 'size_bytes' of the frame, with a DSCP of its own;
 * tag, addresses, TTL and ECN are those with which the frame would have left,
 * and the length of the IP header says what is left (bytes of frames that have
 * some).  The buffer decides about it as about any frame of that queue.
 * Reference: SAI, SAI_SWITCH_ATTR_PACKET_TRIM_SIZE and the following. */
enum { SIM_TRIM_DEFAULT_BYTES = 128 };

struct sim_trim_config {
    uint32_t size_bytes; /* One that the chip has (chip_trimming_has_size()). */

    /* The DSCP: 'dscp', or what the port, or the switch, has for 'tc' and
     * green in its map from TC to DSCP; without a map it stays. */
    bool dscp_from_tc;
    uint8_t dscp;
    uint8_t tc;

    /* The queue: 'queue', or that of the new DSCP by the maps of the port from
     * which it leaves. */
    bool queue_from_dscp;
    uint8_t queue;
};

/* Of the frames that a queue has refused.  'trimmed' is 'sent' plus 'dropped'
 * plus those that still wait. */
struct sim_trim_stats {
    uint64_t trimmed;
    uint64_t sent;    /* Have left the buffer for transmission. */
    uint64_t dropped; /* Not admitted, or discarded later. */
};

/* Replaces how 'sim' trims; initially to SIM_TRIM_DEFAULT_BYTES or, if the chip
 * lacks that, its least size, DSCP 0 and queue 0.  ST_INVALID. */
enum st sim_set_trimming(struct sim *sim,
                         const struct sim_trim_config *config) ST_WARN_UNUSED;

/* Makes queue 'index' of 'port' trim what it does not admit, or not; initially
 * not.  ST_NOT_FOUND. */
enum st sim_queue_set_trim(struct sim *sim, uint32_t port, uint32_t index,
                           bool trims) ST_WARN_UNUSED;

/* Since the port was added.  ST_NOT_FOUND. */
enum st sim_queue_get_trims(const struct sim *sim, uint32_t port,
                            uint32_t index,
                            struct sim_trim_stats *stats) ST_WARN_UNUSED;

/* Returns those of all queues, also of ports that were removed. */
struct sim_trim_stats sim_trims(const struct sim *sim);

/* Frames of one color: transmitted, of those marked, and not admitted, for lack
 * of buffer or by WRED. */
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

    /* The longest time from the arrival of a frame until its transmission
     * began, since sim_queue_clear_delay(). */
    int64_t delay_watermark_ps;
};

/* Since the port was added.  ST_NOT_FOUND. */
enum st sim_queue_get_stats(const struct sim *sim, uint32_t port,
                            uint32_t index,
                            struct sim_queue_stats *stats) ST_WARN_UNUSED;

/* Makes 'sim' keep the distribution of the delays of each queue from now on
 * (twin/switch/delays.h), for sim_queue_get_delays().  Takes 9.2 kB per queue
 * that sends frames, and a few nanoseconds per frame. */
void sim_measure_delays(struct sim *sim);

/* The delays of the frames that a queue has sent since the port was added or
 * sim_queue_clear_delay(): percentiles (at most 3.2 % and 1 ns too high) and
 * the longest. */
struct sim_queue_delays {
    bool is_known; /* Delays are measured, and the queue has sent a frame. */
    int64_t p50_ps, p99_ps, max_ps;
};

/* ST_NOT_FOUND. */
enum st sim_queue_get_delays(const struct sim *sim, uint32_t port,
                             uint32_t index,
                             struct sim_queue_delays *delays) ST_WARN_UNUSED;

/* Restarts 'delay_watermark_ps' and the distribution of the delays of a queue.
 * ST_NOT_FOUND. */
enum st sim_queue_clear_delay(struct sim *sim, uint32_t port,
                              uint32_t index) ST_WARN_UNUSED;

/* Returns whether a received pause holds the queue. */
bool sim_queue_is_paused(const struct sim *sim, uint32_t port, uint32_t index);

/* Enables deadlock detection and recovery (twin/qos/deadlock.h) for queue
 * 'index' of 'port', as '*config' says.  Only PFC pauses count.  Frames that it
 * discards count as dropped at egress (MMU_DEADLOCK).  When the port is removed
 * the listener is not called.  ST_NOT_FOUND. */
enum st
sim_queue_set_deadlock(struct sim *sim, uint32_t port, uint32_t index,
                       const struct deadlock_config *config) ST_WARN_UNUSED;

/* Forwarding ---------------------------------------------------------- */

/* Returns the bridge: VLANs, memberships and forwarding entries.  Adding and
 * removing a port adds and removes it there. */
struct bridge *sim_bridge(struct sim *sim);

/* Sets or replaces the static entry for 'mac' in all VLANs.  ST_NOT_FOUND (no
 * such port), ST_INVALID (group address, more than 48 bits). */
enum st sim_fdb_set(struct sim *sim, uint64_t mac,
                    uint32_t port) ST_WARN_UNUSED;

/* ST_NOT_FOUND. */
enum st sim_fdb_remove(struct sim *sim, uint64_t mac) ST_WARN_UNUSED;

/* Returns the port of the entry for 'mac', MMU_NONE if there is none. */
uint32_t sim_fdb_get(const struct sim *sim, uint64_t mac);

/* Returns the virtual routers with their interfaces and routes.  Interfaces are
 * on ports and LAGs of this switch, and must be removed before these. */
struct router *sim_router(struct sim *sim);

/* Returns the traps: actions for frames of certain protocols and for packets
 * that end in the router.  Initially none; the caller may change them at
 * once, but not later. */
struct traps *sim_traps(struct sim *sim);

struct tunnel_end;

/* Add or replace, by its key, the end of a tunnel; remove it. */
void sim_tunnel_set(struct sim *sim, const struct tunnel_end *end);
void sim_tunnel_remove(struct sim *sim, uint64_t key);

/* Returns the ends of all tunnels. */
const struct tunnel_table *sim_tunnels(const struct sim *sim);

/* Makes the switch take the full path for every frame, put every frame into the
 * buffer, and abort if the result is not what it remembers of the flow
 * (flow_table.h): for tests.  Returns how many frames were compared. */
void sim_set_check(struct sim *sim, bool on);
uint64_t sim_n_checked(const struct sim *sim);

/* Groups of links ------------------------------------------------------ */

/* To the bridge and the router a LAG is a port; LAGs are numbered from the
 * number of ports of the chip upwards.  A frame for a LAG leaves by one of its
 * members, chosen by flow and weight among those that are up and may send. A
 * frame that a member receives arrives at the LAG.
 *
 * Reference: IEEE 802.1AX-2020 clause 6.2. */

enum { SIM_MAX_LAGS = 128 };

/* Adds a LAG without members, which is in no VLAN, and stores its number in
 * '*lag'.  ST_NO_RESOURCE. */
enum st sim_lag_add(struct sim *sim, uint32_t *lag) ST_WARN_UNUSED;

/* Removes a LAG; its members become ordinary ports again. */
void sim_lag_remove(struct sim *sim, uint32_t lag);

struct sim_lag_member {
    bool sends;
    bool receives;
    uint32_t weight;
};

/* Add 'port' to 'lag' or change its membership; remove it.  ST_NOT_FOUND,
 * ST_EXISTS (in another LAG). */
enum st sim_lag_set(struct sim *sim, uint32_t lag, uint32_t port,
                    const struct sim_lag_member *member) ST_WARN_UNUSED;
void sim_lag_unset(struct sim *sim, uint32_t port);

/* Returns the LAG of 'port', MMU_NONE if it is in none. */
uint32_t sim_lag_of(const struct sim *sim, uint32_t port);

/* Sets the hash that chooses members; before, it is flow_hash_default(). */
void sim_lag_set_hash(struct sim *sim, const struct flow_hash_config *config);

/* Traffic ------------------------------------------------------------- */

/* When to stop before all frames are sent. */
enum {
    SIM_STOP_XOFF = 1 << 0, /* A port asks its sender to pause. */
    SIM_STOP_DROP = 1 << 1, /* A frame was dropped for lack of buffer. */
};

struct sim_send_result {
    uint64_t sent;      /* Frames that arrived, including the last one. */
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

/* Called for each port by which a frame may leave, with the frame as it leaves,
 * borrowed. */
typedef void sim_way_fn(void *context, uint32_t port,
                        const struct sim_frame *frame);

/* Calls 'visit' for each port by which 'frame' would leave if it arrived at
 * 'port' now: once for each member that its hash could choose in the group of
 * its route, so a port may be visited several times.  Forwarding counts, meters
 * and learns as usual, but nothing enters the buffer.  ST_NOT_FOUND (no such
 * port), ST_INVALID (length, address, tag), ST_BUSY (port is down). */
enum st sim_explore(struct sim *sim, uint32_t port,
                    const struct sim_frame *frame, sim_way_fn *visit,
                    void *context) ST_WARN_UNUSED;

/* Handles 'frame', which has just arrived completely at 'port', over a wire
 * whose timing is up to the caller.  ST_NOT_FOUND (no such port), ST_INVALID
 * (length, address, tag), ST_BUSY (port is down: the frame is lost). */
enum st sim_receive(struct sim *sim, uint32_t port,
                    const struct sim_frame *frame) ST_WARN_UNUSED;

/* The most frames of the processor that may wait at a port. */
enum { SIM_EMIT_MAX = 64 };

/* Sends 'frame' out of 'port' as the processor of the switch does: bypassing
 * bridge, buffer and scheduler, before the queued frames.  PFC does not hold
 * it. It counts at the port, not at a queue.  ST_NOT_FOUND (no such port),
 * ST_INVALID (length, address, tag), ST_BUSY (the port is down, or SIM_EMIT_MAX
 * frames wait: the frame is lost). */
enum st sim_emit(struct sim *sim, uint32_t port,
                 const struct sim_frame *frame) ST_WARN_UNUSED;

#endif /* twin/switch/sim.h */
