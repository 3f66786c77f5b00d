/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_FRONT_PANEL_H
#define ORCHD_SOFTASIC_FRONT_PANEL_H

/* The front panel: an interface for a program that connects the ports of the
 * switch to real network interfaces and drives it by a real clock.
 *
 * For this libsai-softasic.so exports softasic_front(), beside SAI and
 * softasic_ops().  It works only in the process of the switch.
 *
 * Once there is a listener, each port has a wire to it.  The listener gets
 * every frame that leaves the port, including pause frames, byte for byte.  The
 * port receives each frame that the listener sends when its last bit would have
 * arrived at the speed of the port.  Frames without bytes, those of
 * softasic_ops.send(), end at the wire.  The link of a port is down until the
 * listener says that it is up; the port is up if its ADMIN_STATE is up and its
 * link is.
 *
 * Time is virtual here, too: only run() and calls of softasic_ops advance it.
 *
 * One thread. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

/* A port as SAI describes it. */
struct softasic_front_port {
    sai_object_id_t port;
    uint32_t slot;         /* Below softasic_chip.n_ports_max; unique. */
    const uint32_t *lanes; /* HW_LANE_LIST. */
    uint32_t n_lanes;      /* Not 0. */
    uint32_t first_lane;   /* The number of the first lane of the chip. */
    uint32_t speed_mbps;   /* SPEED. */
    uint32_t mtu_bytes;    /* MTU: of a frame with tag and FCS. */
    bool admin_up;         /* ADMIN_STATE. */
};

/* The host interface of a port: a HOSTIF of type NETDEV, by which the control
 * plane sends and receives. */
struct softasic_hostif {
    uint32_t slot;    /* Of the port. */
    const char *name; /* NAME. */
    sai_mac_t mac;    /* Of the switch. */
    bool up;          /* OPER_STATUS. */
};

/* The other ends of the wires.  The functions must not call any function of the
 * library. */
struct softasic_listener {
    void *context;

    /* The port 'port->slot' was created, or a member has changed. */
    void (*changed)(void *context, const struct softasic_front_port *port);

    /* The port was removed. */
    void (*removed)(void *context, uint32_t slot);

    /* A frame of 'n' bytes, borrowed, has left the port. */
    void (*left)(void *context, uint32_t slot, const uint8_t *bytes,
                 uint32_t n);

    /* The port 'hostif->slot' got a host interface, or a member has changed;
     * the host interface was removed. */
    void (*hostif)(void *context, const struct softasic_hostif *hostif);
    void (*hostif_removed)(void *context, uint32_t slot);

    /* The host interface of the port receives a frame that came in by the
     * port. */
    void (*to_hostif)(void *context, uint32_t slot, const uint8_t *bytes,
                      uint32_t n);
};

/* A chip, with the reason why it is not that of the hwsku ("": it is), or the
 * reason why there is none. */
struct softasic_choice {
    char name[64];
    char reason[320];
    char remedy[256]; /* "": none. */
};

#define SOFTASIC_FRONT_VERSION 3

/* Slots are those of existing ports; others are ignored. */
struct softasic_front {
    uint32_t version;

    /* Finds out which chip the next switch will be, by the client's profile,
     * without creating it, so that an error in a chip is reported early.  The
     * status is that of the creation.  Call sai_api_initialize() first. */
    sai_status_t (*choose)(struct softasic_choice *choice);

    /* Sets the listener (copied; NULL: none) of the switches created from now
     * on.  The current switch loses its wires. */
    void (*listen)(const struct softasic_listener *listener);

    /* Sets whether the link of a port is up. */
    void (*link)(uint32_t slot, bool up);

    /* Puts a frame of 'n' bytes (14 to 65,535; others are ignored) on the wire
     * to a port. */
    void (*send)(uint32_t slot, const uint8_t *bytes, uint32_t n);

    /* Sends a frame of 'n' bytes (the same range) from the host interface of a
     * port.  It leaves by that port and bypasses all processing of the
     * switch. */
    void (*from_hostif)(uint32_t slot, const uint8_t *bytes, uint32_t n);

    /* Counts 'n' frames that the interface of a port has lost before they were
     * on the wire: SOFTASIC_DROP_INTERFACE of softasic.h. */
    void (*missed)(uint32_t slot, uint64_t n);

    /* Returns how many frames are still on the wire to a port. */
    uint32_t (*waiting)(uint32_t slot);

    /* Returns the time when all frames that are on wires now will have
     * arrived; the present if there are none. */
    int64_t (*arrived_ps)(void);

    /* Runs the switch up to and including time 'until_ps', and notifies its
     * client of what happened meanwhile. */
    void (*run)(int64_t until_ps);

    /* Returns the time of the switch; 0 if there is none. */
    int64_t (*now_ps)(void);

    /* Returns the time of the next event, INT64_MAX if there is none. */
    int64_t (*next_ps)(void);
};

/* Returns the table of 'version', which is static; NULL if this library does
 * not have that version. */
const struct softasic_front *softasic_front(uint32_t version);

#define SOFTASIC_FRONT_SYMBOL "softasic_front"

typedef const struct softasic_front *softasic_front_fn(uint32_t version);

#endif /* vendors/softasic/front_panel.h */
