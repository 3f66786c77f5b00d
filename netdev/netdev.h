/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_NETDEV_H
#define ORCHD_NETDEV_NETDEV_H

/* Network interfaces of this machine as the ports of a switch.
 *
 * There are two kinds, which differ in what the interface is:
 *
 *                      TAP                          bound
 *   made               by us, gone with us          by others, given by name
 *   it is              the adapter of the host at   the port itself; who is at
 *                      the other end of the wire    the other end is unknown
 *   port may not be    it has no carrier            it is set down, so its peer
 *   up                                              has no carrier
 *   link is up         if the interface is up       if it has carrier
 *   frames             read and written one by one  by the batch (AF_PACKET)
 *   MTU                set                          set
 *   MAC                set: 02:74:61:70 and the     left alone
 *                      number of the port
 *   speed              told to ethtool              set if the driver can
 *
 * An interface may be in another network namespace.  A TAP that is moved to
 * another one is followed there, and does not keep that one alive; if it is
 * deleted, or its namespace is, it is made again where it was at first.  A
 * bound interface that went away is taken again when one of its name comes.
 *
 * What is known of links comes from netlink (libnl).  There is one descriptor
 * to wait for, whatever the number of interfaces.
 *
 * Frames are without FCS.  Checksums that the sender left to its hardware are
 * completed, and tags that the kernel took out are put back.  What the sender
 * at the other end of a veth left to be cut (TSO, GSO), or a network card put
 * together (GRO), is cut into the frames that would be on a wire
 * (netdev/segment.h).
 *
 * Needs CAP_NET_ADMIN for TAPs and changes, CAP_NET_RAW for bound interfaces,
 * CAP_SYS_ADMIN and CAP_NET_BROADCAST for other namespaces. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum {
    NETDEV_NAME_MAX = 15,     /* Characters in the name of an interface. */
    NETDEV_FRAME_MAX = 10240, /* Bytes that are received at most. */
    NETDEV_BATCH = 64,        /* Frames in one go. */
};

struct netdev;
struct netdevs;

/* What happens; all functions are needed.  They may send, hold and set, and
 * must not open or close. */
struct netdev_listener {
    void *context;

    /* A frame came; it is borrowed. */
    void (*frame)(void *context, void *owner, const uint8_t *bytes, uint32_t n);

    /* The link is up, or not, as the table above says; at first it is not. */
    void (*link)(void *context, void *owner, bool up);

    /* For the log: something is 'wrong' with an interface, or is well. */
    void (*note)(void *context, void *owner, bool wrong, const char *text);
};

/* Stores in '*netdevs' an empty set with '*listener', which is copied.  ST_IO:
 * the system lacks what it needs. */
enum st netdevs_create(const struct netdev_listener *listener,
                       struct netdevs **netdevs,
                       struct err *err) ST_WARN_UNUSED;

/* Frees it; all interfaces were closed.  Accepts NULL. */
void netdevs_destroy(struct netdevs *netdevs);

/* Returns the descriptor; readable while there is something to do. */
int netdevs_fd(const struct netdevs *netdevs);

/* Takes what is there: at most NETDEV_BATCH frames of each interface that is
 * not held, and news of links. */
void netdevs_poll(struct netdevs *netdevs);

/* Takes all frames that have been delivered before this call, those of held
 * interfaces too. */
void netdevs_drain(struct netdevs *netdevs);

/* Sends what waits for its batch. */
void netdevs_flush(struct netdevs *netdevs);

/* Where an interface is, and whose. */
struct netdev_place {
    const char *name;
    const char *namespace; /* As of "ip netns", or a path; NULL: this one. */
    bool can_wait;         /* See below. */
    uint32_t number;       /* Of the port, for the MAC address, ... */
    const uint8_t *mac;    /* ... unless a TAP is to have this one. */
    void *owner;           /* For the listener. */
};

/* Looks whether 'name' can be that of an interface.  ST_INVALID. */
enum st netdev_check_name(const char *name, struct err *err) ST_WARN_UNUSED;

/* Make a TAP, bind an interface.  ST_INVALID: the name cannot be one.
 * ST_EXISTS: there is such an interface already.  ST_NOT_FOUND: there is none,
 * or no such namespace.  ST_IO: the system refused; the remedy says which right
 * is missing, where that is it.
 *
 * If it 'can_wait', a TAP whose name another interface has is made as soon as
 * that is free, and a bound interface that is not there is taken when it comes:
 * then it is ST_OK, and 'err' says what is waited for.  Its link is down until
 * then. */
enum st netdev_make_tap(struct netdevs *netdevs,
                        const struct netdev_place *place,
                        struct netdev **netdev, struct err *err) ST_WARN_UNUSED;
enum st netdev_bind(struct netdevs *netdevs, const struct netdev_place *place,
                    struct netdev **netdev, struct err *err) ST_WARN_UNUSED;

/* Closes it; what waits to be sent is lost.  Accepts NULL. */
void netdev_close(struct netdev *netdev);

const char *netdev_name(const struct netdev *netdev);

/* What a port asks of its interface. */
struct netdev_config {
    bool admin_up;
    uint32_t mtu_bytes; /* Of what is in a frame: 1,500; 0: as it is. */
    uint32_t speed_mbps;
};

/* Brings the interface to '*config'; what is so already is not touched.  Of
 * what cannot be done the first is said in 'err', with the status; the rest is
 * done.  That a speed cannot be set is none of that: few drivers can. */
enum st netdev_set(struct netdev *netdev, const struct netdev_config *config,
                   struct err *err) ST_WARN_UNUSED;

/* Sends a frame, at the latest with netdevs_flush(). */
void netdev_send(struct netdev *netdev, const uint8_t *bytes, uint32_t n);

/* Begins or ends to leave frames where they are, so that whoever sends them
 * has to wait. */
void netdev_hold(struct netdev *netdev, bool hold);

struct netdev_stats {
    uint64_t received;
    uint64_t sent;
    uint64_t
        too_long; /* Dropped: beyond NETDEV_FRAME_MAX, and not to be cut. */
    uint64_t not_sent; /* Refused by the kernel: down, or no room. */
    uint64_t missed;   /* The kernel had no room to keep them for us. */
};

struct netdev_stats netdev_get_stats(struct netdev *netdev);

#endif /* netdev/netdev.h */
