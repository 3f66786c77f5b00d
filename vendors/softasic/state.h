/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_STATE_H
#define ORCHD_SOFTASIC_STATE_H

/* The parts of one software switch.
 *
 * There are three layers: the SAI objects that a client sees
 * (vendors/objects/objects.h), the twin that forwards and buffers (twin/switch,
 * twin/mmu), and between them the state in this header.  The objects are the
 * master: vendors/softasic/sai/program.h programs the twin from them.
 *
 * Each object has a counterpart in the twin, which depends on its type:
 *
 *   type           handle                     data
 *   port           slot of the twin           counters (program/counters.h)
 *   PG, queue      identity in the MMU        counters
 *   buffer pool    handle in the MMU          counters
 *   profile        handle in the MMU          -
 *   group          node of its port's tree    -
 *   QoS map        -                          see program/qos_maps.h
 *   WRED profile   -                          struct wred_profile
 *   policer        -                          see program/policers.h
 *   tunnel         -                          see program/tunnels.c
 *   access list    -                          see program/access_lists.c
 *   LAG            slot, behind the ports     -
 *   bridge (port)  -                          counters
 *   VLAN           -                          counters
 *   interface      handle in the router       counters
 *   other routing  handle in the router       -
 *
 * A handle is MMU_NONE where there is no counterpart: the CPU port, a profile
 * without a pool. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "twin/mmu/mmu.h"
#include "twin/switch/sim.h"
#include "vendors/objects/objects.h"
#include "vendors/objects/port_family.h"
#include "vendors/softasic/softasic.h"

struct peer;
struct port_credits;
struct softasic_listener;
struct host;
struct watch;
struct wire;

/* An event of the forwarding database. */
struct notify_fdb {
    sai_fdb_event_t event;
    sai_fdb_entry_t key;
    bool is_static;
    sai_object_id_t bridge_port;
};

/* Notifications to deliver; owned by the switch. */
struct notify {
    struct notify_fdb *entries;
    uint32_t n_entries;
    sai_port_oper_status_notification_t *ports;
    uint32_t n_ports;
    sai_queue_deadlock_notification_data_t *queues;
    uint32_t n_queues;
};

enum { STATE_MAX_KEPT = 1024 };

/* A captured frame, as it left. */
struct state_kept {
    uint8_t *bytes;
    uint32_t n;
};

/* A slot of the twin: a port, or a LAG, which uses only the items. */
struct state_port {
    struct objects_item *item;      /* NULL: the slot is free. */
    uint32_t least_lane, most_lane; /* The range of HW_LANE_LIST. */
    sai_object_id_t bridge_port;    /* Null: it is not in a bridge. */

    /* Frames that have left since the last received(); sorted. */
    struct softasic_received *received;
    uint32_t n_received;
    uint32_t received_size;

    /* Captured frames, the oldest first. */
    bool captures;
    uint32_t n_kept; /* At most STATE_MAX_KEPT. */
    struct state_kept *kept;

    /* The trace of frames that have left, the oldest first, up to
     * 'trace_size'. */
    struct softasic_departure *traced;
    uint32_t n_traced;
    uint32_t trace_size;

    /* The peer at the other end of the link (see
     * vendors/softasic/traffic/peers.h); NULL: none. */
    struct peer *peer;

    /* The wire to a real interface (see vendors/softasic/traffic/panel.h);
     * NULL: none. */
    struct wire *wire;

    /* What the extension for credits has set (see
     * vendors/softasic/program/credits.h); NULL: nothing. */
    struct port_credits *credits;

    /* The host interface of the port (see
     * vendors/softasic/traffic/hostif_frames.h); NULL: none. */
    const struct objects_item *host;
};

/* A flow between two peers. */
struct state_flow {
    uint32_t number;
    uint32_t from, to; /* Slots; the flow ends with either of their peers. */
    struct host *source, *receiver;
};

/* One switch.  Owns everything in it. */
struct asic {
    struct chip *chip;
    bool borrows_chip; /* It is that of an image (sai/asic_share.h). */
    struct sim *sim;
    struct mmu *mmu; /* Belongs to 'sim'. */
    struct objects *objects;
    struct port_family_size family;
    struct port_family_size cpu_family; /* Of the CPU port. */
    struct port_family_size *voq_families; /* Of system ports, by how many VOQs
                                            * they have, from 1; NULL: none
                                            * yet. */
    bool had_voq_profiles; /* A VOQ may have a profile: a client has set the
                            * attributes of one. */
    struct state_port *ports;
    uint32_t n_ports; /* Slots of ports in memory, used or not, ... */
    uint32_t n_slots; /* ... and those of LAGs behind them, if any; see
                       * program/port_slots.h. */
    struct objects_item *sw;
    struct objects_item *cpu_port;
    struct state_port cpu;           /* Frames sent to the CPU port. */
    struct objects_item *domain;     /* The default virtual router. */
    struct objects_item *trap_group; /* The default one. */
    struct objects_item *ecmp_hash;  /* The default ones. */
    struct objects_item *lag_hash;

    /* Has the wires of the ports; NULL: none.  Borrowed. */
    const struct softasic_listener *listener;

    struct notify notify;

    /* Queues with a deadlock that have not recovered. */
    sai_object_id_t *dead;
    uint32_t n_dead;

    /* Entries that l2_set() has added. */
    uint64_t *macs;
    size_t n_macs;

    /* Flows between peers, by their numbers; the slots they go between. */
    struct state_flow *flows;
    size_t n_flows;

    /* Who is called for each change of the buffer (traffic/watch.h); NULL:
     * nobody.  Owned. */
    struct watch *watch;

    /* Drops during the current send(). */
    uint64_t n_dropped_ingress;
    uint64_t n_dropped_egress;
};

/* The address of the host behind a port: 02:73:61:00 and the slot.  send() uses
 * it for frames to a port 'to'. */
#define STATE_HOST_MAC 0x027361000000u

#endif /* vendors/softasic/state.h */
