/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_FRONT_PANEL_H
#define ORCHD_SOFTASIC_FRONT_PANEL_H

/* The front panel: what a program needs that has real interfaces for the ports
 * of the switch, and a real clock.
 *
 * libsai-softasic.so exports one more function for it, softasic_front(), beside
 * SAI and softasic_ops().  It works in the process of the switch only.
 *
 * As soon as somebody listens, each port has a wire to him: what leaves the
 * port is told, pause frames included, byte for byte; what he lets arrive is
 * received, each frame when its last bit would have arrived at the speed of the
 * port.  Frames without bytes, those of softasic_ops.send(), end at the wire.
 * The link of a port is down until he says that it is up, and the port is up if
 * its ADMIN_STATE says so and its link is.
 *
 * Time is virtual as ever: it moves when run() or a call of softasic_ops says
 * so.
 *
 * One thread. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

/* A port as SAI describes it. */
struct softasic_wire {
    sai_object_id_t port;
    uint32_t slot;         /* Below softasic_chip.n_ports_max; unique. */
    const uint32_t *lanes; /* HW_LANE_LIST. */
    uint32_t n_lanes;      /* Not 0. */
    uint32_t first_lane;   /* The number of the first lane of the chip. */
    uint32_t speed_mbps;   /* SPEED. */
    uint32_t mtu_bytes;    /* MTU: of a frame with tag and FCS. */
    bool admin_up;         /* ADMIN_STATE. */
};

/* The interface that the host behind the switch has for a port: a HOSTIF of
 * type NETDEV. */
struct softasic_host {
    uint32_t slot;    /* Of the port. */
    const char *name; /* NAME. */
    sai_mac_t mac;    /* Of the switch. */
    bool up;          /* OPER_STATUS. */
};

/* Who has the other ends of the wires.  The functions must not call any
 * function of the library. */
struct softasic_listener {
    void *context;

    /* There is a port 'wire->slot', or what is said of it has changed. */
    void (*changed)(void *context, const struct softasic_wire *wire);

    /* The port is gone. */
    void (*removed)(void *context, uint32_t slot);

    /* A frame of 'n' bytes, borrowed, has left the port. */
    void (*left)(void *context, uint32_t slot, const uint8_t *bytes,
                 uint32_t n);

    /* The port 'host->slot' has a host interface, or what is said of it has
     * changed; it has none any more. */
    void (*host)(void *context, const struct softasic_host *host);
    void (*host_removed)(void *context, uint32_t slot);

    /* A frame that came in by the port goes to its host interface. */
    void (*to_host)(void *context, uint32_t slot, const uint8_t *bytes,
                    uint32_t n);
};

/* A chip, or why there is none. */
struct softasic_choice {
    char name[64];
    char reason[320];
    char remedy[256]; /* "": there is nothing to say. */
};

#define SOFTASIC_FRONT_VERSION 2

/* Slots are those of ports that exist; others are ignored. */
struct softasic_front {
    uint32_t version;

    /* Finds out which chip the next switch that is created will be, as the
     * profile of the host says, without creating it: so that what is wrong with
     * a chip is told early.  The status is that of creating it.  Needs
     * sai_api_initialize(). */
    sai_status_t (*choose)(struct softasic_choice *choice);

    /* Makes 'listener' (copied; NULL: nobody) the one who listens, from the
     * next switch that is created on.  The present one loses its wires. */
    void (*listen)(const struct softasic_listener *listener);

    /* Says whether the link of a port is up. */
    void (*link)(uint32_t slot, bool up);

    /* Puts 'n' bytes (14 to 65,535; others are ignored) on the wire to a
     * port. */
    void (*send)(uint32_t slot, const uint8_t *bytes, uint32_t n);

    /* Sends 'n' bytes (the same) from the host interface of a port: they leave
     * by that port, past all that the switch does with frames. */
    void (*from_host)(uint32_t slot, const uint8_t *bytes, uint32_t n);

    /* Returns how many frames are still on the wire to a port. */
    uint32_t (*waiting)(uint32_t slot);

    /* Lets all frames that are on wires arrive now. */
    void (*flush)(void);

    /* Runs the switch up to 'until_ps' of its time, that included, and tells
     * its host what happened meanwhile. */
    void (*run)(int64_t until_ps);

    /* Returns the time of the switch; 0 if there is none. */
    int64_t (*now_ps)(void);

    /* Returns when something happens next by itself, INT64_MAX if nothing
     * will. */
    int64_t (*next_ps)(void);
};

/* Returns the table of 'version', which is static; NULL if this library has not
 * that version. */
const struct softasic_front *softasic_front(uint32_t version);

#define SOFTASIC_FRONT_SYMBOL "softasic_front"

typedef const struct softasic_front *softasic_front_fn(uint32_t version);

#endif /* vendors/softasic/front_panel.h */
