/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_NETDEV_PROVIDER_H
#define ORCHD_NETDEV_NETDEV_PROVIDER_H

/* What a kind of interface has to be able to do, for those that implement one.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "netdev/netdev.h"

struct links;

/* A kind of interface. */
struct netdev_class {
    /* Opens it in the present namespace: fills in 'fd', which does not block,
     * and 'data'.  'err' explains. */
    enum st (*open)(struct netdev *netdev, struct err *err);

    /* Reads at most NETDEV_BATCH frames and hands each to netdev_deliver().
     * Returns how many were there. */
    uint32_t (*receive)(struct netdev *netdev);

    /* Sends a frame, or keeps it until flush(); counts it. */
    void (*send)(struct netdev *netdev, const uint8_t *bytes, uint32_t n);
    void (*flush)(struct netdev *netdev);

    /* Returns how many frames have been missed since it was asked last.  NULL:
     * none ever is, as whoever sends has to wait. */
    uint64_t (*missed)(const struct netdev *netdev);

    /* Closes 'fd' and frees 'data'. */
    void (*close)(struct netdev *netdev);

    /* What shows whether the link is up, of IFF_*; and whether a port that may
     * not be up takes the carrier or sets the interface down. */
    unsigned int link_flag;
    bool has_carrier_of_ours;

    /* The interface is made when it is opened: only its name may be missing,
     * as another has it. */
    bool is_made;

    /* Returns a descriptor of the namespace that the interface is in now, which
     * the caller closes, and brings 'name' to its present one; negative if that
     * is not known.  NULL: never. */
    int (*where)(struct netdev *netdev);
};

extern const struct netdev_class netdev_tap_class;
extern const struct netdev_class netdev_packet_class;

struct netdev {
    const struct netdev_class *class;
    struct netdevs *set;
    struct netdev *next, **link;     /* In the set. */
    char given[NETDEV_NAME_MAX + 1]; /* Its name at home, and ... */
    char name[NETDEV_NAME_MAX + 1];  /* ... where it is now. */
    uint8_t mac[6];                  /* Of what is made. */
    void *owner;
    int fd; /* Negative: the interface is not there. */
    void *data;
    struct links *links; /* Of the namespace that it was opened in. */
    int space;           /* The number of that in which it is. */
    int index;           /* There; 0: not known. */
    bool link_up;
    bool is_held;
    bool waits; /* Something is to be flushed. */
    bool is_set;
    struct netdev_config config; /* If 'is_set'. */
    struct netdev_stats stats;
};

/* A frame came by 'netdev'. */
void netdev_deliver(struct netdev *netdev, const uint8_t *bytes, uint32_t n);

/* The buffers of the set: NETDEV_BATCH of NETDEV_BUFFER bytes, which is more
 * than the largest frame that senders leave to be cut, 64 kB. */
enum { NETDEV_BUFFER = 65536 + 128 };
uint8_t *netdev_buffers(struct netdev *netdev);

/* Explains errno 'error' of what was tried ("bind to veth0"). */
enum st netdev_refused(struct err *err, int error, const char *what,
                       const char *name);

#endif /* netdev/netdev-provider.h */
