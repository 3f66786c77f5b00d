/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_SWITCH_SIM_STATE_H
#define ORCHD_TWIN_SWITCH_SIM_STATE_H

/* The inside of a switch, shared by its own files only.
 *
 * The way of a frame, and who does what:
 *
 *   receive.c   the frame has arrived: MAC control is taken out, the rest is
 *               counted and classified,
 *   forward.c   ... gets its way: ports, and what the frame becomes,
 *   receive.c   ... is offered to the MMU, and wakes those ports,
 *   transmit.c  ... is chosen, leaves the buffer, is tagged, takes its time,
 *   fifo.h      (or waits once more, outside of the buffer)
 *   lag.c       (who is in which group of links)
 *   age.c       (or waits too long)
 *   deadlock_watch.c  (or is paused for good)
 *   port_pause.c     and what the MMU says meanwhile is told to the senders;
 *   port.c      ports come, go and change,
 *   sim_lifecycle.c      and so does the switch; its time.
 *
 * Each of these steps is one function, so that what is added to a step (other
 * ways to forward, other orders to transmit) has one place.
 *
 * Arrivals are not events: sim_send() works out when each frame has arrived,
 * lets everything up to then happen, and hands it in.  What is left for the
 * engine are the ends of transmissions, at most one per port, the times at
 * which a port is to ask again for a queue or to look for frames that are too
 * old, and the repetition of pause frames.  sim_settle() counts the first two
 * only ('n_busy'), for the last may go on for ever.
 *
 * Two things at the same instant: an end of transmission comes before an
 * arrival, so the queue is empty for the frame that follows at the same speed.
 */

#include "base/check.h"
#include "base/pfc.h"
#include "twin/forwarding/ecmp.h"
#include "twin/qos/pause.h"
#include "twin/qos/scheduler.h"
#include "twin/switch/fifo.h"
#include "twin/switch/sim.h"

enum {
    MAX_SPEED_MBPS = 3200000,
};

/* A held port whose time is this far away is not waited for when the switch is
 * to settle: rates of a few bytes per second are there to block. */
#define PATIENCE_PS INT64_C(100000000000)

/* The pause frames for one priority that a port sends. */
struct pause {
    struct event event; /* The next one. */
    struct sim_port *port;
    struct pause_meter meter;
};

/* What a port is doing with its wire. */
enum transmit_state {
    TRANSMIT_IDLE,
    TRANSMIT_SENDING, /* 'frame' is on the wire; 'transmit_event' is its end. */
    TRANSMIT_CONTROL, /* The same, and 'frame' is one of MAC control. */
    TRANSMIT_HELD,    /* No queue may go before it. */
    TRANSMIT_BLOCKED, /* The same, but that is far away. */
};

struct sim_port {
    struct sim *sim; /* NULL: no port was here yet. */
    uint32_t id;
    bool exists;
    struct sim_port_config config;
    struct classify_rules rules;
    struct sim_port_stats stats;
    uint32_t lag; /* Of which it is a member; 0: of none, as the ids of LAGs
                   * come after those of ports. */
    struct sim_lag_member membership;

    int64_t rx_free_ps; /* When the frame that arrived last has ended. */

    /* Transmission. */
    enum transmit_state transmit_state;
    struct scheduler *scheduler; /* NULL unless the port exists. */
    struct sim_frame frame;      /* Valid while sending. */
    bool is_counted;             /* 'frame' was: it has been in 'fifo'. */
    struct fifo fifo;
    bool is_emitted;     /* 'frame' was: it is the processor's. */
    struct fifo emitted; /* Those that wait. */
    struct event age;    /* When to look for frames that are too old. */
    struct event transmit_event;
    sim_wire_fn *wire; /* The other end; NULL: none. */
    void *wire_context;

    /* A bit per priority: the sender shall pause; it was told to; it is to be
     * told again. */
    uint8_t pausing;
    uint8_t told;
    uint8_t repeats;
    struct pause pauses[PFC_N_PRIORITIES];

    /* Received pauses. */
    struct pause_receiver receiver;
    struct event resume; /* When the next of them ends. */

    /* Queues that find out about deadlocks: their watches (NULL: there was none
     * yet), which are in use, and which pauses do not hold; bits. */
    struct sim_deadlock *deadlocks;
    uint64_t guarded;
    uint64_t recovering;
};

/* What is known of a queue besides what the MMU knows. */
struct sim_queue {
    const struct wred_profile *wred; /* Borrowed; NULL: off. */
    struct wred_queue average;
    struct sim_queue_stats stats;
};

/* A group of links. */
struct lag {
    bool exists;
    struct ecmp members; /* Those that are up and send; targets are ports. */
};

struct sim {
    const struct chip *chip;
    struct mmu *mmu;
    struct engine *engine;
    bool owns_engine;
    struct sim_port *ports;
    struct sim_frame *frames;       /* By packet index of the MMU. */
    struct sim_queue *queue_states; /* By queue of the MMU. */
    uint64_t random;                /* The dice of WRED. */
    struct classify_rules rules;
    struct bridge *bridge;
    struct router *router;
    struct traps traps;
    struct lag lags[SIM_MAX_LAGS];
    uint32_t lag_seed;
    struct sim_listener listener;
    bool has_payloads; /* Some frame has, or had. */
    uint64_t last_id;
    uint64_t n_transmitted;
    uint32_t n_busy;     /* Ports that are neither idle nor blocked. */
    unsigned int events; /* SIM_STOP_*, of the frame that arrived last. */

    /* Scratch, one per port of the chip: the way of the frame that arrives. */
    uint32_t *ways;
    uint32_t *queues;
    enum mmu_drop *drops;
};

/* Returns the port in slot 'id', NULL if there is none. */
static inline struct sim_port *
sim_port_find__(const struct sim *sim, uint32_t id)
{
    return id < sim->chip->ports && sim->ports[id].exists ? &sim->ports[id]
                                                          : NULL;
}

/* forward.c */

/* Decides where 'frame', which came in by 'in', goes: fills 'ways' (room for
 * every port of the chip) with ports that exist and are up, none twice, and
 * returns how many; 0: nowhere.  Makes 'frame' what is to be sent there: all
 * copies are equal but for their tag, which transmission sets by 'vlan'.
 * Learns. */
uint32_t sim_forward__(struct sim *sim, struct sim_port *in,
                       struct sim_frame *frame, uint32_t *ways);

/* age.c */

/* Ties the event of 'port' to it. */
void sim_age_init__(struct sim_port *port);

/* Sees to it that what was just queued at 'port' does not wait too long. */
void sim_age_watch__(struct sim_port *port);

/* Ends that. */
void sim_age_abort__(struct sim_port *port);

/* deadlock_watch.c */

/* Brings the watches of 'port' up to date with its pauses and queues. */
void sim_deadlock_update__(struct sim_port *port);

/* Ends them. */
void sim_deadlock_abort__(struct sim_port *port);

/* lag.c */

/* Returns the port of the bridge and the router that 'port' is part of. */
uint32_t sim_logical__(const struct sim_port *port);

/* Returns the port by which 'frame' leaves that goes to 'logical'; MMU_NONE if
 * none is up. */
uint32_t sim_physical__(const struct sim *sim, uint32_t logical,
                        const struct sim_frame *frame);

/* Follows a change of 'port' in its group, if it is in one. */
void sim_lag_update__(struct sim_port *port);

/* receive.c */

/* Handles 'frame', which has arrived at 'in' completely, now. */
void sim_receive__(struct sim_port *in, struct sim_frame *frame);

/* queue.c */

/* Returns the headers of 'frame' by which it is classified. */
struct classify_headers sim_headers__(const struct sim_frame *frame);

/* Judges 'frame', which is about to be offered to queue 'id'. */
enum wred_verdict sim_queue_arrive__(struct sim *sim, uint32_t id,
                                     const struct sim_frame *frame);

/* Marks 'frame' in queue 'id' as one that met congestion. */
void sim_queue_mark__(struct sim *sim, uint32_t id, struct sim_frame *frame);

/* Judges 'frame', which was just taken out of queue 'id', and marks it if that
 * is the verdict. */
void sim_queue_leave__(struct sim *sim, uint32_t id, struct sim_frame *frame);

/* Count a frame that queue 'id' did not admit, or has sent. */
void sim_queue_note_drop__(struct sim *sim, uint32_t id, bool by_wred,
                           const struct sim_frame *frame);
void sim_queue_note_sent__(struct sim *sim, uint32_t id,
                           const struct sim_frame *frame);

/* Writes into 'frame' what the rules of 'port', by which it leaves, say. */
void sim_rewrite__(const struct sim_port *port, struct sim_frame *frame);

/* transmit.c */

/* Ties the event of 'port' to it. */
void sim_transmit_init__(struct sim_port *port);

/* Starts to transmit if there is something, and nothing forbids it.  To be
 * called after anything that may have changed either. */
void sim_transmit__(struct sim_port *port);

/* Starts a frame of MAC control if one is due and the wire is free.  Leaves the
 * buffer alone, so that the MMU may be in the middle of something. */
void sim_transmit_control__(struct sim_port *port);

/* Ends what 'port' is doing; a frame on the wire is lost. */
void sim_transmit_abort__(struct sim_port *port);

/* port_pause.c */

/* Ties the events of 'port' to it. */
void sim_pause_init__(struct sim_port *port);

/* Makes '*frame' the pause frame that 'port' has to send now, notes that it
 * starts, and returns whether there is one.  Its payload has one reference,
 * the caller's. */
bool sim_pause_take__(struct sim_port *port, struct sim_frame *frame);

/* Ends all pausing of 'port' without telling the sender. */
void sim_pause_abort__(struct sim_port *port);

/* A mmu_flow_fn: hears from the MMU that a PG changed its mind. */
void sim_pause_flow__(void *context, uint32_t pg, bool xoff);

/* Handles 'frame', which 'port' has received. */
void sim_pause_receive__(struct sim_port *port,
                         const struct pause_frame *frame);

/* Gives what the configuration of 'port' says to its pauses, both ways; until
 * now its speed was 'old_mbps'. */
void sim_pause_configure__(struct sim_port *port, uint32_t old_mbps);

/* Brings the pausing of all priorities of 'port' in line with its PGs, its maps
 * and its configuration. */
void sim_pause_update__(struct sim_port *port);

#endif /* twin/switch/sim_state.h */
