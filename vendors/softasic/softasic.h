/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SOFTASIC_H
#define ORCHD_SOFTASIC_SOFTASIC_H

/* The operations of libsai-softasic.so beside SAI: traffic, time, and internal
 * state.
 *
 * Motivation: a breakpoint test blocks a port, sends an exact number of frames
 * and looks at the buffer.  SAI covers the first and part of the last.  For the
 * rest the library exports one more symbol, softasic_ops(), which returns a
 * table of functions.  On a foreign libsai the symbol is missing, and the verbs
 * that need it say so.
 *
 * The switch is the one that was created through SAI in this process.  Objects
 * are identified by their SAI object ids.  There is no separate configuration:
 * maps, profiles, PFC bits and PKT_TX_ENABLE are set through SAI.
 *
 * Time is virtual and stands still between calls.  It advances only in send(),
 * run(), settle() and step(), so equal calls in equal order give equal results.
 * A SAI call that changes a port takes effect after all frames that were
 * delivered to a port before the call.
 *
 * The switch forwards by VLANs and bridging with learning, by routes and by
 * LAGs; traps send frames to the CPU port.
 *
 * QoS follows the SAI objects: maps from DSCP, 802.1p and MPLS EXP, and back;
 * WRED and ECN marking by color; trees of schedulers with strict priority,
 * weights, minimum and maximum rates; PFC and 802.3x in both directions.
 * Choices that SAI leaves open are explained in twin/qos and in
 * vendors/softasic/program/wred_profiles.h and
 * vendors/softasic/program/scheduler_trees.h.  Queues can detect PFC deadlocks
 * and recover by themselves (vendors/softasic/program/deadlocks.h).  WRED by
 * buffer pools and forwarding classes are not modelled.
 *
 * A blocked port keeps all its frames in the buffer, as tests expect that
 * compensate for "leak-out".  With the profile key SOFTASIC_LEAK_OUT=on it
 * moves the first of them to a FIFO of its own, where they count as
 * transmitted, as on hardware (docs/reference/chips.md).
 *
 * The generator behind send() is a tester, not a well-behaved host: it does not
 * stop when it is paused.  So a test can measure the headroom.
 *
 * Outcomes of all functions that return a sai_status_t:
 *
 *   SAI_STATUS_SUCCESS              done, outputs are filled.
 *   SAI_STATUS_UNINITIALIZED        no switch has been created.
 *   SAI_STATUS_INVALID_OBJECT_ID    there is no object with that id.
 *   SAI_STATUS_INVALID_OBJECT_TYPE  the object is of another type.
 *   SAI_STATUS_INVALID_PARAMETER    another argument is out of range.
 *
 * and those that a function's comment adds.  On failure outputs are untouched
 * and nothing is done.  Call the functions from one thread, like those of
 * SAI. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#define SOFTASIC_OPS_VERSION 6

/* The name of the exported symbol, for dlsym(). */
#define SOFTASIC_OPS_SYMBOL "softasic_ops"

/* Shortest and longest frame that the generator sends.  The length of a frame
 * is what counters and the buffer see: without preamble, FCS and gap.  On the
 * wire it takes 24 bytes more. */
#define SOFTASIC_FRAME_BYTES_MIN 60
#define SOFTASIC_FRAME_BYTES_MAX 16379

/* The most events that run_some() and settle_some() handle in a call, and the
 * most frames that a process with the switch sends for another one in a call:
 * some milliseconds of work, during which it serves nobody else.  The functions
 * of this header do what takes longer in parts. */
#define SOFTASIC_EVENTS_MAX 65536
#define SOFTASIC_FRAMES_MAX 8192

/* The largest value of the key SOFTASIC_LINE_DILATION of the profile: ports of
 * 1 Gb/s still have a line of 1 Mb/s. */
#define SOFTASIC_LINE_DILATION_MAX 1000

/* PFC_N_PRIORITIES, which this installed header cannot include. */
#define SOFTASIC_N_PRIORITIES 8

/* An amount of buffer; bytes = cells * cell size.  On a chip that counts bytes
 * a cell is one byte. */
struct softasic_amount {
    uint64_t cells;
    uint64_t bytes;
};

/* Both members of a limit where there is none. */
#define SOFTASIC_NO_LIMIT UINT64_MAX

/* The chip.  Strings are valid until the switch is removed. */
struct softasic_chip {
    const char *name;         /* As in SOFTASIC_MODEL: "td2". */
    uint64_t memory_bytes;    /* Of the whole packet buffer. */
    uint32_t cell_bytes;      /* 1: this chip counts bytes. */
    uint32_t overhead_bytes;  /* Added to each frame before it is stored. */
    uint32_t n_partitions;    /* Of the memory. */
    uint32_t n_ports_max;     /* Ports that can exist at once. */
    uint32_t queues_per_port; /* Indices 0..n-1. */
    uint32_t pgs_per_port;
};

/* When send() stops. */
enum softasic_until {
    /* All frames are sent. */
    SOFTASIC_UNTIL_COUNT,
    /* The port 'from' asks its peer to pause the priority of the frames: their
     * priority group is in XOFF, and PFC is enabled for it. */
    SOFTASIC_UNTIL_XOFF,
    /* A frame of this call was dropped, at ingress or at egress. */
    SOFTASIC_UNTIL_DROP,
};

/* A flow of equal frames to send, back to back at the speed of the port
 * 'from'. */
struct softasic_send {
    /* The port at which the frames enter the switch. */
    sai_object_id_t from;
    /* The port behind which their destination is; SAI_NULL_OBJECT_ID: use
     * 'destination'.  Every port has a static L2 entry for this. */
    sai_object_id_t to;
    /* The destination MAC address if 'to' is null.  Without an L2 entry for it
     * the frames are flooded to all other ports that are up. */
    sai_mac_t destination;
    /* The number of frames to send; the maximum if 'until' is not COUNT. */
    uint64_t n_frames;
    uint32_t frame_bytes;
    uint8_t dscp; /* 0..63. */
    uint8_t ecn;  /* 0 not ECT, 1 ECT(1), 2 ECT(0), 3 CE. */
    enum softasic_until until;
    /* A tag, if 'has_tag' or 'vlan' is not 0: VLAN (0: for its priority only)
     * and PCP, 0..7.  It is part of 'frame_bytes'. */
    bool has_tag;
    uint16_t vlan;
    uint8_t pcp;
    /* No IP header: 'dscp' and 'ecn' are ignored. */
    bool is_not_ip;
    uint16_t ip_id; /* Identification in the IP header. */
};

/* A pause frame as a peer sends it. */
struct softasic_pause {
    bool all;           /* 802.3x; else PFC. */
    uint8_t priorities; /* PFC: the class-enable vector; 0 is legal. */
    uint16_t quanta;    /* For all of these, of 512 bit times; 0: resume. */
    sai_mac_t source;   /* All zeros are legal. */
};

/* A frame that has left a port. */
struct softasic_departure {
    int64_t now_ps; /* When its last bit had left. */
    uint32_t frame_bytes;
    int8_t dscp; /* Negative: not IP. */
    uint8_t ecn;
    uint8_t queue_index;
    uint8_t tc;
    uint16_t vlan; /* Of its tag; 0: without. */
    uint16_t ip_id;
    uint8_t pcp;
};

/* The IP header of frames to send. */
struct softasic_ip {
    sai_ip_address_t source; /* Of the same family. */
    sai_ip_address_t destination;
    uint8_t ttl;
    uint8_t protocol;     /* 6: TCP, 17: UDP; these two ... */
    uint16_t source_port; /* ... have ports. */
    uint16_t destination_port;
};

/* The result of a send.  When the call returns, each frame sent has been
 * received, and admitted or dropped.  It need not have left yet. */
struct softasic_sent {
    /* Frames sent, including the one that caused the event. */
    uint64_t n_frames;
    /* What ended the send: COUNT if all frames were sent and the event did not
     * happen, else the event.  With UNTIL_XOFF 'n_frames' is 0 if the priority
     * group was in XOFF before. */
    enum softasic_until event;
    /* The numbers of these frames that ingress and egress admission dropped.  A
     * flooded frame counts once per copy. */
    uint64_t n_dropped_ingress;
    uint64_t n_dropped_egress;
    /* The priority group at 'from', and the queue at the egress port (null if
     * the frames were flooded). */
    sai_object_id_t pg;
    sai_object_id_t queue;
    /* Whether the priority group is in XOFF after the last frame, whether PFC
     * is enabled or not. */
    bool xoff;
    /* Virtual time when the call returns, in picoseconds since creation. */
    int64_t now_ps;
};

/* The classification of a frame that enters at a port. */
struct softasic_class {
    uint8_t tc;
    uint8_t pg_index;
    uint8_t queue_index;
    sai_object_id_t pg;
    sai_object_id_t queue; /* Null if no egress port was given. */
};

struct softasic_pg_state {
    bool xoff;     /* The MMU wants the sender to pause. */
    bool lossless; /* It has headroom. */
    /* Occupancy now, by what it is charged to. */
    struct softasic_amount reserved;
    struct softasic_amount shared;
    struct softasic_amount headroom;
    /* The current limits of these; that of 'shared' changes with the pool when
     * the threshold is dynamic.  SOFTASIC_NO_LIMIT if there is none. */
    struct softasic_amount guarantee;
    struct softasic_amount limit;
    struct softasic_amount headroom_limit;
    uint64_t n_received; /* Frames since creation, including dropped ones. */
    uint64_t n_dropped;  /* At ingress, since creation; never cleared. */
};

/* Of the VOQ of a local system port that of the port's queue, which it is; of
 * queues in which no frame ever waits all zeros. */
struct softasic_queue_state {
    struct softasic_amount reserved;
    struct softasic_amount shared;
    struct softasic_amount guarantee;
    struct softasic_amount limit; /* On 'shared', now. */
    uint64_t n_frames;            /* In the buffer. */
    uint64_t n_dropped; /* At egress, since creation; never cleared. */
    /* Frames that WRED dropped, which 'n_dropped' includes, and frames that it
     * marked; both since creation. */
    uint64_t n_wred_dropped;
    uint64_t n_marked;
    bool is_paused; /* By a pause frame that was received. */
    /* How long frames waited in the queue, since the port was created or
     * SAI_QUEUE_STAT_DELAY_WATERMARK_NS was cleared: percentiles (at most 3.2 %
     * and 1 ns too high) and the longest.  Not 'has_delays': no frame left. */
    bool has_delays;
    int64_t p50_delay_ps, p99_delay_ps, max_delay_ps;
};

struct softasic_pool_state {
    /* SIZE and XOFF_SIZE as the chip holds them. */
    struct softasic_amount size;
    struct softasic_amount headroom_size;
    /* The part that all priority groups or queues share: S in the dynamic
     * threshold alpha * (S - shared in use).  Per partition on chips that have
     * several. */
    struct softasic_amount shared_size;
    uint32_t n_partitions;
    /* In use now, in all partitions together; 'used' is the sum. */
    struct softasic_amount used;
    struct softasic_amount reserved;
    struct softasic_amount shared;
    struct softasic_amount headroom;
};

/* Why packets are dropped.  X(member, slug, whether the egress port counts
 * it). */
#define SOFTASIC_DROP_LIST(X)                                                  \
    X(INGRESS_PG, "ingress-pg", false)     /* Lossy, above its threshold. */   \
    X(INGRESS_PORT, "ingress-port", false) /* Above the port's. */             \
    X(INGRESS_POOL, "ingress-pool", false) /* The shared part is used up. */   \
    X(HEADROOM, "headroom", false) /* Lossless: its headroom is used up, */    \
    X(HEADROOM_POOL, "headroom-pool", false) /* or the headroom pool is. */    \
    X(EGRESS_QUEUE, "egress-queue", true)    /* Above its threshold. */        \
    X(EGRESS_PORT, "egress-port", true)                                        \
    X(EGRESS_POOL, "egress-pool", true)                                        \
    X(EGRESS_VOQ, "egress-voq", true)                                          \
    X(WRED, "wred", true)                                                      \
    X(NO_BUFFER, "no-buffer", false)  /* No memory at all. */                  \
    X(FLUSHED, "flushed", true)       /* Its queue was emptied. */             \
    X(ADMIN_DOWN, "admin-down", true) /* Its port was shut. */                 \
    X(AGED, "aged", true)             /* It waited too long. */                \
    X(DEADLOCK, "deadlock", true)     /* Its queue recovers from one. */

enum softasic_drop {
#define X(member, slug, is_egress) SOFTASIC_DROP_##member,
    SOFTASIC_DROP_LIST(X)
#undef X
    /* By the network interface of the port: its queue was full.  These
     * frames have not reached the switch, and no counter has them. */
    SOFTASIC_DROP_INTERFACE,
    SOFTASIC_N_DROPS
};

struct softasic_port_state {
    bool up;         /* ADMIN_STATE. */
    bool tx_enabled; /* PKT_TX_ENABLE: false while blocked. */
    /* Bit n: this port has asked its peer to pause priority n. */
    uint8_t xoff_mask;
    uint64_t
        n_rx_frames; /* Data frames, since creation, including dropped ones. */
    uint64_t n_tx_frames;
    uint64_t n_rx_dropped;  /* At ingress, since creation. */
    uint64_t n_rx_filtered; /* Received, but not for another port that is up. */
    uint64_t n_tx_dropped;  /* At egress, or discarded with a queue. */
    uint64_t n_queued;      /* Frames in this port's queues now. */
    /* Pause frames sent per priority since creation, including refreshes. */
    uint64_t n_pfc_tx[SOFTASIC_N_PRIORITIES];
    /* Packets dropped since creation, by reason. */
    uint64_t n_drops[SOFTASIC_N_DROPS];
};

/* A number of frames that have left a port and have these properties. */
struct softasic_received {
    uint8_t dscp;
    uint8_t queue_index; /* From which it was sent. */
    bool ce;             /* Marked "congestion experienced". */
    uint64_t n_frames;
    uint64_t n_bytes;
};

enum { SOFTASIC_HOSTS_MAX = 64 };

/* The peer at the other end of a port's link: a host's network adapter, or a
 * switch with hosts behind it (vendors/softasic/traffic/peer_switch.h). */
struct softasic_peer {
    uint32_t cable_m; /* Of fibre or copper, 5 ns each; at most 10^6. */
    uint8_t
        obeys_priorities; /* A bit for each priority whose pauses it obeys. */
    bool obeys_all;       /* It obeys pauses of 802.3x. */
    int64_t response_ps;  /* From a pause to its effect; not negative. */
    uint32_t
        n_hosts; /* 0: an adapter; else a switch with 1..HOSTS_MAX hosts. */
};

/* The counters of a peer since it was connected. */
struct softasic_peer_state {
    uint64_t n_sent; /* Data frames. */
    uint64_t n_received;
    uint64_t n_pauses_sent;
    uint64_t n_pauses_received;
    uint8_t paused; /* A bit per priority, now. */
    bool all_paused;
};

/* When the frames of a flow become due. */
enum softasic_pace {
    SOFTASIC_PACE_CONSTANT,
    SOFTASIC_PACE_BURST,  /* 'n_burst' at once, every 'off_ps'. */
    SOFTASIC_PACE_ON_OFF, /* For 'on_ps', then not for 'off_ps'. */
    SOFTASIC_PACE_POISSON,
};

/* Frames that the peer of 'from' sends to the peer of 'to' while time passes.
 * 'look' describes them as for send(). */
struct softasic_flow {
    uint32_t number; /* The flow's identity; unique. */
    struct softasic_send look;
    enum softasic_pace pace;
    /* On the wire, with preamble and gap; 0: the speed of the link.  Not for
     * bursts. */
    uint64_t bits_per_s;
    uint64_t n_frames; /* 0: unlimited. */
    int64_t delay_ps;  /* From now to the first. */
    uint64_t n_burst;
    int64_t on_ps;
    int64_t off_ps;
    uint8_t priority; /* That pause frames must name to stop it. */

    /* The hosts behind the peers of 'look.from' and 'look.to', from 1 on; 0:
     * the peer is an adapter. */
    uint32_t from_host, to_host;
};

struct softasic_flow_state {
    uint64_t n_sent;
    uint64_t n_received;
    uint64_t n_received_bytes; /* Without FCS. */
    uint64_t n_marked;         /* Received with "congestion experienced". */
    uint64_t n_late;           /* Overtaken by later frames of the flow. */
    uint64_t n_duplicates;
    /* Delay of received frames, from the first bit on the wire to the last bit
     * at the other end. */
    int64_t min_ps, mean_ps, max_ps, p50_ps, p99_ps;
    int64_t first_ps, last_ps; /* Arrivals. */
};

/* Pause frames that a peer sends repeatedly. */
struct softasic_storm {
    struct softasic_pause pause;
    bool zero_source; /* Else the source is the peer's own address, not that of
                         'pause'. */
    int64_t interval_ps; /* Not 0. */
    uint64_t n_frames;   /* 0: unlimited. */
};

/* Something that the switch accepts and does not simulate: objects of a type
 * that have no effect, or an attribute that nothing reads. */
struct softasic_gap {
    uint32_t type;      /* enum sai_object_type_t */
    uint32_t attribute; /* Its id; SOFTASIC_GAP_OBJECTS: the objects. */
    uint64_t n;         /* Objects that exist, or that have another value of the
                         * attribute than its default. */
};

#define SOFTASIC_GAP_OBJECTS UINT32_MAX

struct softasic_ops {
    /* The version that this table implements; new members are appended. */
    uint32_t version;

    /* Describes the chip of the switch. */
    sai_status_t (*chip)(struct softasic_chip *chip);

    /* Sends the flow 'send' and advances virtual time until the last frame is
     * received.  Egress continues meanwhile.  Further outcomes:
     * SAI_STATUS_INVALID_PARAMETER also if 'from' equals 'to', or the port
     * 'from' is down. */
    sai_status_t (*send)(const struct softasic_send *send,
                         struct softasic_sent *sent);

    /* Runs the chip for 'duration_ps' (not negative) picoseconds. */
    sai_status_t (*run)(int64_t duration_ps);

    /* Runs the chip until it is idle: no frame is on a wire and no port can
     * transmit.  It does not wait for frames that a blocked port or a paused
     * queue holds, nor for frames that a maximum rate delays by a tenth of a
     * second or more: such a rate is meant to block.  Stores in '*n_sent' (may
     * be NULL) the number of frames that left meanwhile. */
    sai_status_t (*settle)(uint64_t *n_sent);

    /* Virtual time since creation. */
    sai_status_t (*now)(int64_t *now_ps);

    /* Advances to the time of the next event, up to 'n_instants' times, fewer
     * if no event is left.  Stores in '*n_done' (may be NULL) how many times it
     * did. */
    sai_status_t (*step)(uint64_t n_instants, uint64_t *n_done);

    /* Store the current state of one object.  They clear no counter. */
    sai_status_t (*pg_state)(sai_object_id_t pg,
                             struct softasic_pg_state *state);
    sai_status_t (*queue_state)(sai_object_id_t queue,
                                struct softasic_queue_state *state);
    sai_status_t (*pool_state)(sai_object_id_t pool,
                               struct softasic_pool_state *state);
    sai_status_t (*port_state)(sai_object_id_t port,
                               struct softasic_port_state *state);

    /* Classifies a frame with 'dscp' that enters at 'from'; 'to' may be
     * SAI_NULL_OBJECT_ID. */
    sai_status_t (*classify)(sai_object_id_t from, sai_object_id_t to,
                             uint8_t dscp, struct softasic_class *class);

    /* Returns which frames have left 'port' since the previous such call (the
     * first: since creation), ordered by DSCP, queue, CE.  On entry '*n' is the
     * capacity of 'rows', on return the number of rows.  If that is too small:
     * SAI_STATUS_BUFFER_OVERFLOW, '*n' is the capacity needed, and the next
     * call returns the same frames. */
    sai_status_t (*received)(sai_object_id_t port, uint32_t *n,
                             struct softasic_received *rows);

    /* Sets the static L2 entry of 'mac' to 'port'; removes it if 'port' is
     * SAI_NULL_OBJECT_ID.  SAI_STATUS_INSUFFICIENT_RESOURCES if the table is
     * full, SAI_STATUS_INVALID_PARAMETER for a group address. */
    sai_status_t (*l2_set)(const sai_mac_t mac, sai_object_id_t port);

    /* Removes all entries that l2_set() has added. */
    sai_status_t (*l2_clear)(void);

    /* Delivers to 'port' the frame of 'n_bytes' (14 to
     * SOFTASIC_FRAME_BYTES_MAX), from its destination address to the end of its
     * payload, and runs until it is received.  The switch forwards and
     * classifies it by its Ethernet header, its tag and its IP header, and
     * learns its source.  SAI_STATUS_INVALID_PARAMETER also if the port is
     * down. */
    sai_status_t (*inject)(sai_object_id_t port, uint32_t n_bytes,
                           const uint8_t *bytes);

    /* Starts ('on') or stops capturing injected frames that leave 'port', at
     * most the first 1024; discards those captured before.  Frames that are
     * sent to the CPU port leave it as they arrived. */
    sai_status_t (*capture)(sai_object_id_t port, bool on);

    /* Takes the oldest frame captured at 'port', as it was on the wire.  On
     * entry '*n_bytes' is the capacity of 'bytes', on return the length of the
     * frame, 0 if there is none.  SAI_STATUS_BUFFER_OVERFLOW if the frame is
     * longer; then it is kept. */
    sai_status_t (*captured)(sai_object_id_t port, uint32_t *n_bytes,
                             uint8_t *bytes);

    /* Like 'send', but the frames have an IP header besides DSCP and ECN: they
     * are routed if 'to' is null and 'destination' is an address of a router.
     * SAI_STATUS_INVALID_PARAMETER also if the families differ. */
    sai_status_t (*send_ip)(const struct softasic_send *send,
                            const struct softasic_ip *ip,
                            struct softasic_sent *sent);

    /* Returns how many packets the router handled with outcome number 'reason'
     * (0: forwarded, from 1 on: why not), and the text of that outcome, which
     * is static.  SAI_STATUS_INVALID_PARAMETER if there is no such number; they
     * have no gaps. */
    sai_status_t (*routed)(uint32_t reason, const char **text,
                           uint64_t *n_packets);

    /* Delivers a pause frame to 'port', as inject() does. */
    sai_status_t (*pause)(sai_object_id_t port,
                          const struct softasic_pause *pause);

    /* Starts a trace of the next 'n_frames' (at most 2^20; 0: none) frames that
     * leave 'port', in order; discards the trace before.  At most 2^18 if the
     * switch is in another process. */
    sai_status_t (*trace)(sai_object_id_t port, uint32_t n_frames);

    /* Returns the trace of 'port' since the previous such call, the oldest
     * frame first, and makes room for as many.  On entry '*n' is the capacity
     * of 'departures', on return their number.  SAI_STATUS_BUFFER_OVERFLOW if
     * that is too small; then '*n' is the capacity needed, and the trace stays
     * as it is. */
    sai_status_t (*traced)(sai_object_id_t port, uint32_t *n,
                           struct softasic_departure *departures);

    /* Notifies the client that a deadlock of 'queue' was detected ('dead'), or
     * that it has recovered, by SAI_SWITCH_ATTR_QUEUE_PFC_DEADLOCK_NOTIFY,
     * whatever the switch has detected: for tests of clients.  A repeated call
     * notifies of nothing.  SAI_STATUS_INVALID_PARAMETER if the queue is not
     * watched (SAI_QUEUE_ATTR_ENABLE_PFC_DLDR). */
    sai_status_t (*queue_deadlock)(sai_object_id_t queue, bool dead);

    /* Connects 'port' to a peer, which replaces the previous one with its flows
     * and storms.  A port need not have a peer; send() works without.
     * SAI_STATUS_INVALID_PARAMETER also for what softasic_peer does not allow;
     * SAI_STATUS_OBJECT_IN_USE if the port has a real interface. */
    sai_status_t (*peer)(sai_object_id_t port,
                         const struct softasic_peer *peer);
    sai_status_t (*peer_state)(sai_object_id_t port,
                               struct softasic_peer_state *state);

    /* Starts a flow; 'look.from' and 'look.to' need peers.  settle() waits for
     * the end of flows; while an unlimited flow exists it returns
     * SAI_STATUS_OBJECT_IN_USE.  SAI_STATUS_INVALID_PARAMETER also for a number
     * in use, and for what softasic_flow does not allow. */
    sai_status_t (*flow)(const struct softasic_flow *flow);

    /* Stop flow 'number'; return its state.  SAI_STATUS_ITEM_NOT_FOUND. */
    sai_status_t (*flow_stop)(uint32_t number);
    sai_status_t (*flow_state)(uint32_t number,
                               struct softasic_flow_state *state);

    /* Make the peer of 'port' send pause frames from now on; stop all of these.
     * A port with a real interface needs no peer: the frames arrive there as if
     * the other end of the interface had sent them. */
    sai_status_t (*storm)(sai_object_id_t port,
                          const struct softasic_storm *storm);
    sai_status_t (*storm_stop)(sai_object_id_t port);

    /* Removes the peer of 'port' with its storms and with the flows from it and
     * to it.  Does nothing if there is none. */
    sai_status_t (*peer_remove)(sai_object_id_t port);

    /* Do a part of run(), up to the time 'until_ps' since creation, and of
     * settle(): at most 'n_events' (1 to SOFTASIC_EVENTS_MAX), so that the
     * caller can do other work between the parts.  Store in '*is_done' 1 if
     * nothing is left to do, else 0, and in '*n_sent' what left meanwhile.  All
     * parts together do what the whole does. */
    sai_status_t (*run_some)(int64_t until_ps, uint64_t n_events,
                             uint64_t *is_done);
    sai_status_t (*settle_some)(uint64_t n_events, uint64_t *n_sent,
                                uint64_t *is_done);

    /* Makes 'port' send pause frames for 'priorities' (a bit each) without end,
     * as far as it has PFC for them, whatever its buffer holds; 0: no more.
     * They reach the real interface of the port, if it has one. */
    sai_status_t (*storm_sent)(sai_object_id_t port, uint8_t priorities);

    /* Returns all that this switch accepts and does not simulate, types of
     * objects first, also where nothing of it was created or set.  On entry
     * '*n' is the capacity of 'rows', on return their number.
     * SAI_STATUS_BUFFER_OVERFLOW if that is too small; then '*n' is the
     * capacity needed. */
    sai_status_t (*gaps)(uint32_t *n, struct softasic_gap *rows);
};

/* Returns the table of 'version', or NULL if this library does not have that
 * version.  The table is static. */
const struct softasic_ops *softasic_ops(uint32_t version);

typedef const struct softasic_ops *softasic_ops_fn(uint32_t version);

#endif /* vendors/softasic/softasic.h */
