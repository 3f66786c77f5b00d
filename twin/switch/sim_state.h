/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_SWITCH_SIM_STATE_H
#define ORCHD_TWIN_SWITCH_SIM_STATE_H

/* The internals of a switch, for its own files only.
 *
 * The path of a frame, and the file that does each step:
 *
 *   known_flow.c      a frame has arrived, and is like others before it: the
 *                     next three steps are known (flow_table.h);
 *   receive.c         a frame has arrived: MAC control is taken out, other
 *                     frames are counted and classified;
 *   access_list.c     it is matched with access lists;
 *   forward.c         the egress ports are chosen, the frame is changed;
 *   decapsulate.c     a packet for the end of a tunnel loses its outer header;
 *   receive.c         the frame is offered to the MMU, the ports are woken;
 *   transmit.c        the frame is chosen, leaves the buffer, gets its tag and
 *                     takes its time on the wire; one that need not wait does
 *                     this and the step before at once;
 *   fifo.h            or it waits once more, outside the buffer;
 *   voq.c             in a chassis it first needs credit, then crosses the
 *                     fabric;
 *   lag.c             members of LAGs;
 *   age.c             a frame has waited too long;
 *   deadlock_watch.c  a queue is in PFC deadlock;
 *   port_pause.c      the MMU's flow control becomes pause frames;
 *   port_credit.c     or the ends of a link count credits;
 *   port.c            ports are added, removed and configured;
 *   sim_lifecycle.c   the switch is created and destroyed, its time advances.
 *
 * Each of these steps is one function, so an addition to a step (another way to
 * forward, another order of transmission) has one place.
 *
 * Two events are posted for a frame: the end of its transmission, and its
 * arrival at the other end of the wire (twin/forwarding/wire.h).  The end is
 * left out while nothing waits for it: the port then notices it when it is used
 * next (sim_catch_up__()).  Since the order of events does not depend on when
 * they were posted, no result depends on this.  At the edges
 * arrivals are not events: sim_send() computes when each frame arrives, runs
 * the engine up to then, and hands the frame in.  The timers are: the time at
 * which a held port asks for a queue again; the time at which it looks for
 * frames that are too old; and the repetition of a pause frame.  sim_settle()
 * waits only for ends of transmissions and held ports ('n_busy'), because pause
 * frames may repeat endlessly.
 *
 * At equal times the end of a transmission comes before an arrival, so the
 * queue is empty for the next frame at the same speed. */

#include "base/check.h"
#include "base/pfc.h"
#include "twin/forwarding/acl.h"
#include "twin/forwarding/ecmp.h"
#include "twin/forwarding/frame_pool.h"
#include "twin/forwarding/tunnel.h"
#include "twin/forwarding/wire.h"
#include "twin/qos/pause.h"
#include "twin/qos/pause_delay.h"
#include "twin/qos/scheduler.h"
#include "twin/switch/fifo.h"
#include "twin/switch/flow_table.h"
#include "twin/switch/sim.h"
#include "twin/switch/size_runs.h"

enum {
    MAX_SPEED_MBPS = 3200000,
};

/* sim_settle() does not wait for a held port whose time is further away than
 * this: rates of a few bytes per second are meant to block. */
#define PATIENCE_PS INT64_C(100000000000)

struct sim_port;
struct sim_credit;

/* The credits of a frame in the buffer. */
struct sim_stored {
    uint16_t port; /* By which it came; UINT16_MAX: without credits. */
    uint8_t vc;
    uint32_t credits;
};

/* The pauses of one priority that a port sends. */
struct pause {
    struct event event; /* The next repetition. */
    struct sim_port *port;
    struct pause_meter meter;
};

struct sim_trim;

/* The way of a frame with one egress port. */
struct sim_way {
    uint32_t interface; /* If it is routed: the egress interface. */
    uint32_t port;
    uint32_t queue; /* Of the MMU, as is 'pg'. */
    uint32_t pg;
    bool stays_whole; /* It is not trimmed if it is refused. */
};

/* What the full path notes about the frame that it forwards. */
struct sim_passage {
    uint32_t interface;    /* If it is routed: the egress and the ingress */
    uint32_t in_interface; /* interface. */
    uint16_t in_vlan; /* The VLAN in which the bridge counts it; 0: none. */
    bool is_bridged;  /* The bridge may have learned its source. */
    bool is_listed;   /* Access lists were searched. */
    bool is_special;  /* It was trapped, copied or flooded: the next frame of
                       * the flow must take the full path, too. */
    bool has_tc;      /* An access list has set its traffic class; a policer */
    bool has_color;   /* or an access list its color. */
    bool stays_whole; /* An access list says that it is not trimmed. */
    uint8_t filter;   /* enum sim_filter: why, if it is forwarded nowhere. */
    const struct classify_map *tc_to_pg; /* Instead of that of the ingress port;
                                          * NULL: that. */
    struct acl_trail trail;              /* The rules that counted it. */
};

/* A frame in the buffer. */
struct sim_held {
    int64_t arrived_ps;
    uint32_t frame;     /* Its index in the pool. */
    uint32_t interface; /* If it is routed: the egress interface. */
};

/* A frame that a port sends.  The copies of its members are for the end of the
 * transmission, when the frame may no longer be in the cache. */
struct sim_out {
    uint32_t frame;     /* Its index in the pool. */
    uint32_t interface; /* If it is routed: the egress interface. */
    uint32_t length_bytes;
    uint8_t queue_index;
    uint8_t color : 2;
    bool is_group : 1;
    bool is_broadcast : 1;
    bool is_routed : 1;
};

/* Where the frame that a port sends comes from. */
enum sim_origin {
    SIM_FROM_BUFFER,
    SIM_FROM_FIFO,      /* It is counted already. */
    SIM_FROM_PROCESSOR, /* By sim_emit(); it was in no queue. */
};

/* The state of a port's transmitter. */
enum transmit_state {
    TRANSMIT_IDLE,
    TRANSMIT_SENDING, /* 'out' is on the wire until EVENT_TX_END. */
    TRANSMIT_CONTROL, /* The same, and 'out' is a MAC control frame. */
    TRANSMIT_HELD,    /* No queue may send before 'transmit_event'. */
    TRANSMIT_BLOCKED, /* The same, and that is more than PATIENCE_PS away. */
};

/* Why a port needs more than sim_transmit__() does for most. */
enum {
    ODD_GUARDED = 1 << 0, /* Deadlock detection is on. */
    ODD_BLOCKED = 1 << 1, /* It is down, or its MAC may not send. */
    ODD_FIFO = 1 << 2,    /* Frames wait outside the buffer. */
    ODD_VOQ = 1 << 3,     /* It is a port of a chassis. */
    ODD_CREDIT = 1 << 4,  /* It sends by credits. */
};

struct sim_port {
    /* The first cache line: what transmission needs. */
    int64_t end_ps;        /* Of a transmission that 'ends_silently'. */
    struct wire *out_wire; /* To the other end; NULL: that is not a place of the
                            * simulation. */
    struct scheduler *scheduler; /* NULL unless the port exists. */
    uint64_t held;               /* Bits of the queues that pauses hold. */
    struct sim_out out;          /* Valid while sending. */
    uint32_t seen;               /* Changes of the switch when 'odd', 'held' and
                                  * 'rewrites' were computed. */
    uint32_t routed_by;          /* The interface by which all frames have left
                                  * since sim_port_report__(); ROUTER_NONE:
                                  * not counted. */
    uint16_t first_queue;        /* Of the MMU, as is 'first_pg'. */
    uint16_t epoch; /* The argument of EVENT_TX_END; changes when the port
                     * aborts a transmission. */
    uint8_t transmit_state : 3; /* enum transmit_state */
    uint8_t odd : 5;            /* ODD_* */

    /* A bit per priority: the sender shall pause; the last pause frame
     * announced it; a repetition is due. */
    uint8_t pausing;
    uint8_t announced;
    uint8_t repeats;

    /* The second: what the end of a transmission and an arrival need. */
    struct wire *in_wire; /* From the other end. */
    struct sim *sim;      /* NULL: the slot has never had a port. */
    struct sim_port_cold *cold;
    struct size_runs rx;  /* Unicast frames that were received ... */
    struct size_runs tx;  /* ... and sent. */
    uint32_t ps_per_byte; /* At its speed; 0: not a whole number. */
    uint16_t id;
    uint8_t origin : 2;  /* Of 'out': enum sim_origin. */
    uint8_t waiting : 6; /* The queue in which a frame had to wait last: a hint
                          * for foresee.c. */
    bool exists : 1;
    bool is_up : 1;     /* It exists, and its administrative state is up. */
    bool is_handed : 1; /* The wire owns 'out'; else the port does. */
    bool has_sink : 1;  /* It has a 'wire'. */
    bool is_in_lag : 1;
    bool rewrites : 1;      /* Some rule rewrites headers. */
    bool ends_silently : 1; /* No EVENT_TX_END is posted for 'out': see
                             * sim_catch_up__(). */
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct sim_port) == 128 &&
                   offsetof(struct sim_port, in_wire) == 64,
               "a port is two cache lines, without what is rare");

/* The rest of a port.  Apart, because the memory for what every frame needs is
 * small then, and in few pages. */
struct sim_port_cold {
    struct sim_port *port;
    struct sim_port_config config;
    /* Of each frame on the wire, besides its own. */
    uint8_t macsec_bytes, macsec_pause_bytes;
    struct classify_rules rules;
    struct policer *policer; /* Of all that arrives; NULL: none.  Borrowed. */
    const struct acl_set *acl[SIM_N_STAGES]; /* The same. */
    struct sim_port_stats stats; /* Without what is counted below. */
    struct size_totals rx_ucast; /* Of the runs of the port, which has the */
    struct size_totals tx_ucast; /* rest. */
    struct size_totals rx_group; /* Frames for groups of addresses. */
    struct size_totals tx_group;
    uint64_t reported_packets; /* Of 'tx_ucast': what was reported to
                                * interfaces. */
    uint64_t reported_octets;
    struct random_stream random; /* For WRED at its queues. */
    sim_wire_fn *wire;           /* To what is outside; NULL: nothing. */
    void *wire_context;
    uint32_t first_pg;         /* Of the MMU. */
    uint32_t card;             /* In a chassis: its line card. */
    struct voq_port *voq;      /* In a chassis, once a frame came; owned. */
    struct sim_credit *credit; /* NULL: it has no credits.  Owned. */
    bool is_held;              /* sim_port_hold() */
    bool ages;                 /* 'age' is pending. */
    uint32_t lag; /* The LAG of the port; 0: none (the ids of LAGs come after
                   * those of ports). */
    struct sim_lag_member membership;

    int64_t rx_free_ps; /* End of the last frame that arrived. */
    struct fifo fifo;
    struct fifo emitted; /* Frames of the processor that wait. */
    struct event age;    /* When to look for frames that are too old. */
    struct event transmit_event;
    struct pause pauses[PFC_N_PRIORITIES];

    /* Received pauses. */
    struct pause_receiver receiver;
    struct event resume;      /* The next of them ends. */
    struct pause_delay delay; /* Frames before their effect. */
    struct event respond;     /* The next of them takes effect. */

    /* Deadlock detection: the watches of all queues (NULL: never enabled); a
     * bit per queue that has detection enabled; a bit per queue that ignores
     * pauses. */
    struct sim_deadlock *deadlocks;
    uint64_t guarded;
    uint64_t recovering;

    /* Priorities that the port pauses whatever its buffer holds. */
    uint8_t storm;
};

/* State of a queue outside the MMU. */
struct sim_queue {
    const struct wred_profile *wred; /* Borrowed; NULL: off. */
    struct wred_queue average;
    int64_t delay_watermark_ps;

    /* Of green frames: those transmitted, and those marked. */
    uint64_t packets;
    uint64_t bytes;
    uint64_t marked_packets;
    uint64_t marked_bytes;
    struct sim_queue_color *more; /* By color, what else there is to count;
                                   * NULL: nothing yet.  Owned. */
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct sim_queue) == 64, "a queue is a cache line");

/* A link aggregation group. */
struct lag {
    bool exists;
    struct ecmp members; /* Members that are up and may send; targets are
                          * ports. */
    const struct acl_set *acl[SIM_N_STAGES]; /* NULL: none.  Borrowed. */
};

struct sim {
    /* The first two cache lines: what every frame needs. */
    struct engine *engine;
    struct frame_pool *pool; /* That of the engine. */
    struct mmu *mmu;
    struct sim_port *ports;
    struct sim_queue *queue_states; /* By queue of the MMU. */
    struct sim_held *held;          /* By packet index of the MMU; 'n_held'. */

    struct flow_table flows;
    uint32_t changes; /* Counts changes that may make flows unknown. */
    uint32_t entity;  /* Of the first port slot. */
    uint32_t n_busy;  /* Ports that are neither idle nor blocked. */
    bool checks;      /* Compare the full path with what is known, and have all
                       * frames wait. */
    bool marks_late;  /* The chip marks frames when they leave. */
    bool limits_age : 1;  /* 'age_limit_ps' is not 0. */
    bool has_delays : 1;  /* 'delays' is not NULL. */
    bool trims : 1;       /* 'trim' is not NULL. */
    bool has_credits : 1; /* Some port has, or had, credits. */
    bool is_settling;     /* Each transmission has its event. */
    uint64_t n_transmitted;
    sim_listener_fn *sent; /* That of 'listener'. */

    /* The rest. */
    const struct chip *chip;
    struct voq *voq; /* NULL: it is no chassis. */
    struct bridge *bridge;
    struct router *router;
    int64_t age_limit_ps; /* How long a frame may wait; 0: without limit. */
    int64_t pause_response_ps;
    bool owns_engine;
    struct sim_port_cold *cold; /* By port. */
    uint64_t seed;
    struct classify_rules rules;
    struct traps traps;
    struct tunnel_table tunnels;
    struct sim_payload *opened; /* The last frame that was decapsulated: kept
                                 * for those who still look at it.  Owned. */
    const struct acl_set *acl[SIM_N_STAGES]; /* Of all ports; NULL: none.
                                              * Borrowed. */
    const struct acl_set **vlan_acl; /* At egress, by VLAN; NULL: none yet. */
    bool has_egress_acl;             /* Something was bound at egress. */
    struct lag lags[SIM_MAX_LAGS];
    struct flow_hash lag_hash;
    struct sim_listener listener;
    struct delays **delays; /* By queue of the MMU, NULL: no frame yet.  NULL:
                             * they are not measured. */
    struct sim_trim *trim;  /* NULL: no queue has ever trimmed.  Owned. */
    struct sim_stored arriving; /* The frame that arrives, if 'has_credits'. */
    struct sim_stored *stored;  /* By packet of the MMU; owned. */
    uint32_t n_stored;
    uint32_t last_id;
    uint32_t n_held;
    unsigned int events; /* SIM_STOP_* conditions met by the last frame that
                          * arrived. */

    /* Scratch, one element per port of the chip: the egress ports of the frame
     * that arrives. */
    uint32_t *ways;
    uint32_t *queues;
    enum mmu_drop *drops;
    struct sim_passage passage;
    uint64_t n_checked;
} __attribute__((aligned(64)));

_Static_assert(offsetof(struct sim, chip) == 128,
               "the hot members of a switch fill two cache lines");

/* Returns port 'id', NULL if it does not exist. */
static inline struct sim_port *
sim_port_find__(const struct sim *sim, uint32_t id)
{
    return id < sim->chip->ports && sim->ports[id].exists ? &sim->ports[id]
                                                          : NULL;
}

/* Returns frame 'index'. */
static inline struct sim_frame *
sim_frame__(const struct sim *sim, uint32_t index)
{
    return frame_at(sim->pool, index);
}

/* trim.c */

void sim_trim_destroy__(struct sim_trim *trim);

/* Has the queues of 'port' trim nothing, and forgets their counters.  The
 * switch trims. */
void sim_trim_forget__(struct sim *sim, uint32_t port);

/* Handles frame 'index', which the queue of 'way' has not admitted for lack of
 * buffer.  Returns whether something is left of it that is queued as '*packet';
 * the port is the same.  The switch trims. */
bool sim_trim_refused__(struct sim *sim, uint32_t index,
                        const struct sim_way *way, uint32_t *packet);

/* Counts 'packet', which has left the buffer to be sent or to be discarded, if
 * it is what is left of a frame, and returns whether it is.  The switch
 * trims. */
bool sim_trim_left__(struct sim *sim, uint32_t packet, bool is_sent);

void sim_credit_left__(struct sim *sim, uint32_t packet);

/* Gives a frame back that has left the buffer without being sent, if that was
 * its last copy. */
static inline void
sim_give_held__(struct sim *sim, const struct mmu_departure *departure)
{
    if (sim->trims) {
        (void)sim_trim_left__(sim, departure->packet, false);
    }
    if (departure->is_last) {
        if (sim->has_credits) {
            sim_credit_left__(sim, departure->packet);
        }
        frame_give(sim->pool, sim->held[departure->packet].frame);
    }
}

/* sim_lifecycle.c */

/* Makes room in 'held' for 'packet'. */
void sim_extend_held__(struct sim *sim, uint32_t packet);

/* port.c */

/* Discards the frames queued at 'port' for reason 'why', and returns how many
 * there were. */
uint64_t sim_port_empty__(struct sim_port *port, enum mmu_drop why);

/* Notifies the listener that 'frame' is discarded at 'port' for reason 'why',
 * unless 'port' is being removed. */
void sim_note_flushed__(const struct sim_port *port, enum mmu_drop why,
                        uint32_t frame);

/* Returns the place of 'port' in the order of events. */
static inline uint32_t
sim_port_entity__(const struct sim_port *port)
{
    return port->sim->entity + port->id;
}

/* forward.c */

/* Decides where to send 'frame', which arrived at 'in'.  Fills 'ways' (room for
 * every port of the chip) with distinct ports that exist and are up, and
 * returns their number; 0: nowhere.  Changes 'frame' to the one to be sent: all
 * copies are equal except for their tag, which transmission sets by 'vlan'.
 * Fills 'passage' of the switch.  Learns the source address. */
uint32_t sim_forward__(struct sim *sim, struct sim_port *in,
                       struct sim_frame *frame, uint32_t *ways);

/* decapsulate.c */

/* What sim_decapsulate__() has done. */
enum sim_decapsulation {
    SIM_NOT_TUNNELED, /* Nothing. */
    SIM_DECAPSULATED,
    SIM_DECAPSULATION_FAILED, /* The frame must be dropped; it was counted. */
};

/* If 'frame' from 'in', whose headers are '*packet' and which is for router
 * interface '*interface', has reached the end of a tunnel, replaces it by the
 * frame inside, '*packet' by its headers, and '*interface' by that of the
 * tunnel. */
enum sim_decapsulation sim_decapsulate__(struct sim *sim, struct sim_port *in,
                                         uint32_t *interface,
                                         struct packet *packet,
                                         struct sim_frame *frame);

/* access_list.c */

struct acl_actions;

/* Matches 'frame', which arrived at 'in', with the access lists that are bound
 * there, and stores the actions in '*actions' and who counted it in '*trail'.
 * Returns whether there are lists. */
bool sim_access_apply__(const struct sim_port *in,
                        const struct sim_frame *frame,
                        struct acl_actions *actions, struct acl_trail *trail);

/* Keeps of the first 'n' ways of 'frame' those on which the access lists at
 * egress let it leave, and returns how many.  The switch has such lists. */
uint32_t sim_access_leave__(struct sim *sim, const struct sim_frame *frame,
                            uint32_t n);

/* Returns whether the lists that are bound to 'in', or at egress to 'out' and
 * VLAN 'vlan', look at the fields of a frame that differ among the frames of a
 * flow. */
bool sim_access_varies__(const struct sim_port *in, const struct sim_port *out,
                         uint16_t vlan);

/* Returns whether they look at the source address. */
bool sim_access_reads_source__(const struct sim_port *in);

/* age.c */

/* Initialises the event of 'port'. */
void sim_age_init__(struct sim_port *port);

/* Schedules the age check for a frame that was just queued at 'port', unless
 * the port has one. */
void sim_age_start__(struct sim_port *port);

static inline void
sim_age_watch__(struct sim_port *port)
{
    if (port->sim->limits_age && !port->cold->ages) {
        sim_age_start__(port);
    }
}

/* Cancels the age check. */
void sim_age_abort__(struct sim_port *port);

/* deadlock_watch.c */

/* Updates the deadlock watches of 'port' after a change of its pauses or
 * queues. */
void sim_deadlock_update__(struct sim_port *port);

/* Stops all watches of 'port'. */
void sim_deadlock_abort__(struct sim_port *port);

/* lag.c */

/* Returns the logical port of 'port' for bridge and router: its LAG, or
 * itself. */
static inline uint32_t
sim_logical__(const struct sim_port *port)
{
    return port->is_in_lag ? port->cold->lag : port->id;
}

/* Returns the port by which 'frame' leaves 'logical', MMU_NONE if none is
 * up. */
uint32_t sim_physical__(const struct sim *sim, uint32_t logical,
                        const struct sim_frame *frame);

/* Updates the LAG of 'port', if it is in one, after a change of the port. */
void sim_lag_update__(struct sim_port *port);

/* receive.c */

/* Handles frame 'index', which has just arrived completely at 'in'; the switch
 * owns it from now on. */
void sim_receive__(struct sim_port *in, uint32_t index);

/* Sets traffic class and color of 'frame', which arrived at 'in', by its
 * headers. */
void sim_classify__(const struct sim_port *in, struct sim_frame *frame);

/* known_flow.c */

/* Makes the table of flows of 'sim' usable. */
void sim_flow_init__(struct sim *sim);

/* If 'frame', which has just arrived at 'in', is of a known flow, counts it as
 * received, changes it to the one to be sent, stores its way in '*way', and
 * returns true. */
bool sim_flow_take__(struct sim_port *in, struct sim_frame *frame,
                     struct sim_way *way);

/* Remembers that a frame from 'in' that arrived as 'was' leaves as 'frame' on
 * 'way', if the same holds for other frames of its flow.  'changes' is the
 * count of changes when it arrived. */
void sim_flow_note__(struct sim_port *in, const struct sim_frame *was,
                     const struct sim_frame *frame, uint32_t changes,
                     const struct sim_way *way);

/* queue.c */

/* Returns the headers of 'frame' by which it is classified. */
struct classify_headers sim_headers__(const struct sim_frame *frame);

/* Returns what WRED decides on 'frame', which is about to be offered to queue
 * 'id'. */
enum wred_verdict sim_queue_arrive__(struct sim *sim, uint32_t id,
                                     const struct sim_frame *frame);

/* Marks 'frame' in queue 'id' as CE (congestion experienced), and counts it. */
void sim_queue_mark__(struct sim *sim, uint32_t id, struct sim_frame *frame);

/* Applies late marking to 'frame', which was just taken out of queue 'id'; the
 * queue has a WRED profile. */
void sim_queue_mark_late__(struct sim *sim, uint32_t id,
                           struct sim_frame *frame);

/* Counts the delay of a frame that leaves queue 'id' (only if 'has_delays'),
 * and forgets all of them. */
void sim_queue_note_delay__(struct sim *sim, uint32_t id, int64_t delay_ps);
void sim_queue_forget_delays__(struct sim *sim, uint32_t id);

/* Counts a frame that queue 'id' did not admit. */
void sim_queue_note_drop__(struct sim *sim, uint32_t id, bool by_wred,
                           const struct sim_frame *frame);

/* Rewrites the headers of 'frame' by the rules of 'port', by which it
 * leaves. */
void sim_rewrite__(const struct sim_port *port, struct sim_frame *frame);

/* Returns whether some rule rewrites headers of frames that leave by 'port'. */
bool sim_rewrites__(const struct sim_port *port);

/* Returns what else was counted of 'color' in 'queue'. */
struct sim_queue_color *sim_queue_more__(struct sim_queue *queue,
                                         unsigned int color);

/* transmit.c */

/* Computes 'odd', 'held' and 'rewrites' of 'port', after a change. */
void sim_port_review__(struct sim_port *port);

/* Initialises the event of 'port'. */
void sim_transmit_init__(struct sim_port *port);

/* If the transmission of 'port' has ended without an event, completes it; if it
 * has not ended yet, posts the event.  Must precede whatever depends on the
 * state of the transmitter, or on counters of what was sent. */
void sim_catch_up_slow__(struct sim_port *port);

static inline void
sim_catch_up__(struct sim_port *port)
{
    if (port->ends_silently) {
        sim_catch_up_slow__(port);
    }
}

/* Does the same for all ports of 'sim', and moves what flows and ports have
 * counted to the counters of bridge and router.  Must precede all that reads
 * these, or changes ports, interfaces, VLANs or LAGs. */
void sim_catch_up_all__(struct sim *sim);

/* Moves what 'port' has counted to the counters of its interface. */
void sim_port_report__(struct sim_port *port);

/* Starts to transmit if a frame waits and nothing holds it.  Must be called
 * after any change that may affect either. */
void sim_transmit__(struct sim_port *port);

/* Returns the tag (0: none) with which 'frame' would leave by 'port' now. */
uint16_t sim_tag_out__(const struct sim_port *port,
                       const struct sim_frame *frame);

/* Starts frame 'frame', for which WRED has no objection, on its only way, if it
 * need not wait: what the buffer, sim_transmit__() and the scheduler do for it
 * comes down to less then.  Returns false, and changes nothing, if it may have
 * to wait or to be dropped. */
bool sim_transmit_through__(struct sim_port *port, uint32_t frame,
                            const struct sim_way *way);

/* Takes the oldest frame out of queue 'index' of 'port', which has one, and
 * returns it as it is to be sent. */
struct sim_out sim_take__(struct sim_port *port, uint32_t index,
                          struct mmu_departure *departure);

/* Starts a MAC control frame if one is due and the wire is free.  Does not
 * touch the buffer, so the MMU may call it in the middle of an operation. */
void sim_transmit_control__(struct sim_port *port);

/* Aborts the transmission of 'port'; a frame on the wire is lost. */
void sim_transmit_abort__(struct sim_port *port);

/* port_pause.c */

/* Initialises the events of 'port'. */
void sim_pause_init__(struct sim_port *port);

/* Returns the priorities that the next pause frame of 'port' has to carry. */
static inline uint8_t
sim_pause_due__(const struct sim_port *port)
{
    return (uint8_t)((port->pausing ^ port->announced) |
                     (port->pausing & port->repeats));
}

/* If 'port' has to send a pause frame now, counts it as started and returns its
 * index, which the caller owns; else FRAME_NONE. */
uint32_t sim_pause_take__(struct sim_port *port);

/* Ends all pauses of 'port' without sending a release. */
void sim_pause_abort__(struct sim_port *port);

/* A mmu_xoff_fn: PG 'pg' has become XOFF or XON. */
void sim_pause_flow__(void *context, uint32_t pg, bool xoff);

/* Handles 'frame', which 'port' has received. */
void sim_pause_receive__(struct sim_port *port,
                         const struct pause_frame *frame);

/* Applies the configuration of 'port' to its pauses in both directions.  Its
 * previous speed was 'old_mbps'. */
void sim_pause_configure__(struct sim_port *port, uint32_t old_mbps);

/* Recomputes the sent pauses of all priorities of 'port' from its PGs, maps and
 * configuration. */
void sim_pause_update__(struct sim_port *port);

/* port_credit.c; of ports with credits, except where it says otherwise */

/* Returns a bit per queue of 'port' that waits for credits. */
uint64_t sim_credit_held__(const struct sim_port *port);

/* Charges the frame that 'port' starts. */
void sim_credit_charge__(struct sim_port *port);

/* Returns the bytes of ordered sets that make the frame longer that 'port'
 * starts. */
uint32_t sim_credit_inserted__(struct sim_port *port);

/* If 'port' has to send a CC update now, counts it as started and returns its
 * index, which the caller owns; else FRAME_NONE. */
uint32_t sim_credit_take__(struct sim_port *port);

/* Handles 'frame', MAC control that 'port' has received; returns whether it is
 * for credits. */
bool sim_credit_receive__(struct sim_port *port, const struct sim_frame *frame);

/* Counts the frame of 'length_bytes' and traffic class 'tc' that has arrived at
 * 'in'; when the switch has done with it, call sim_credit_settle__(), for any
 * port of a switch that 'has_credits'. */
void sim_credit_arrive__(struct sim_port *in, uint8_t tc,
                         uint32_t length_bytes);
void sim_credit_settle__(struct sim *sim);

/* The buffer holds what arrives as 'packet', for which 'held' has room; the
 * last copy of 'packet' has left it.  For switches that 'has_credits'. */
void sim_credit_hold__(struct sim *sim, uint32_t packet);
void sim_credit_left__(struct sim *sim, uint32_t packet);

/* Ends the credits of 'port', which may have none. */
void sim_credit_abort__(struct sim_port *port);

/* voq.c; of chassis only, except where it says otherwise */

/* Returns the state of a chassis with 'chip', NULL if it is none.  End with
 * voq_destroy__(), which accepts NULL. */
struct voq *voq_create__(const struct chip *chip);
void voq_destroy__(struct voq *voq);

/* Looks after the credits of 'port', for which a frame may have come or which
 * may have become free. */
void voq_wake__(struct sim_port *port);

/* Takes out the frame that 'port' sends next, from behind the fabric, and
 * stores it in '*out'.  Returns false if there is none. */
bool voq_next__(struct sim_port *port, struct sim_out *out);

/* Discards what is in the fabric and behind it for 'port', which was shut and
 * whose VOQs are empty, and returns how many frames there were.  The listener
 * learns of each.  For any switch. */
uint64_t voq_empty__(struct sim_port *port);

/* Does the same without telling the listener, and frees the state of 'port'.
 * For any switch. */
void voq_abort__(struct sim_port *port);

/* Adds how many frames there are, and their bytes, to '*frames' and '*bytes'.
 * For any switch. */
void voq_count__(const struct sim_port *port, uint64_t *frames,
                 uint64_t *bytes);

#endif /* twin/switch/sim_state.h */
