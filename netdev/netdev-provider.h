/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_NETDEV_PROVIDER_H
#define ORCHD_NETDEV_NETDEV_PROVIDER_H

/* The interface between netdevs.c and the kinds of network interfaces. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "netdev/netdev.h"

struct links;

/* A kind of interface. */
struct netdev_class {
    /* Completes an interface whose 'fd' was opened: sets 'data'. */
    void (*opened)(struct netdev *netdev);

    /* Reads at most NETDEV_BATCH frames and hands each to netdev_deliver().
     * Returns how many it has read. */
    uint32_t (*receive)(struct netdev *netdev);

    /* Returns a number of frames that is not less than those that wait to be
     * read. */
    uint32_t (*waiting)(const struct netdev *netdev);

    /* Sends a frame, or keeps it until flush(), and counts it. */
    void (*send)(struct netdev *netdev, const uint8_t *bytes, uint32_t n);
    void (*flush)(struct netdev *netdev);

    /* Returns how many frames were missed since the last call. */
    uint64_t (*missed)(struct netdev *netdev);

    /* Closes 'fd' and frees 'data'. */
    void (*close)(struct netdev *netdev);

    /* The IFF_* flags that show that the link is up; and whether a port that is
     * down clears the carrier or sets the interface down. */
    unsigned int link_flag;
    bool has_carrier_of_ours;

    /* Opening creates the interface, a TAP, so it can only fail to get its name
     * because another interface has it.  Otherwise opening binds to it. */
    bool is_made;

    /* Updates 'name' to that in the current namespace of the interface.  NULL:
     * the interface cannot be moved. */
    void (*update_name)(struct netdev *netdev);
};

extern const struct netdev_class netdev_tap_class;
extern const struct netdev_class netdev_packet_class;

struct netdev {
    const struct netdev_class *class;
    struct netdevs *set;
    struct netdev *next, **link;     /* In the set. */
    char given[NETDEV_NAME_MAX + 1]; /* Its name at home, and ... */
    char name[NETDEV_NAME_MAX + 1];  /* ... in its current namespace. */
    uint8_t mac[6];                  /* Address of an interface that is
                                      * created. */
    void *owner;
    int fd; /* Negative: the interface is absent. */
    void *data;
    uint64_t dropped;     /* What its missed() has read last; 0 when opened. */
    struct links *links;  /* Of its home namespace. */
    int space;            /* The number of its current namespace. */
    int index;            /* Its index there; 0: not known. */
    uint32_t queue;       /* Length of its transmit queue, in frames, ... */
    uint32_t given_queue; /* ... and that of one that is created. */
    bool link_up;
    bool is_held;
    bool waits; /* Frames wait for flush(). */
    bool is_set;
    struct netdev_config config; /* Valid if 'is_set'. */
    struct netdev_stats stats;
};

/* Hands a frame received by 'netdev' to the listener. */
void netdev_deliver(struct netdev *netdev, const uint8_t *bytes, uint32_t n);

/* Returns the buffers of the set: NETDEV_BATCH of NETDEV_BUFFER bytes, more
 * than the largest frame for segmentation offload, 64 kB. */
enum { NETDEV_BUFFER = 65536 + 128 };
uint8_t *netdev_buffers(struct netdev *netdev);

#endif /* netdev/netdev-provider.h */
