/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_NETDEV_H
#define ORCHD_NETDEV_NETDEV_H

/* Network interfaces of this machine as the ports of a switch.
 *
 * There are two kinds:
 *
 *                      TAP                          bound
 *   created            by this process, which also  by others, named by the
 *                      deletes it                   user
 *   it is              the adapter of the host at   the port itself; the other
 *                      the other end of the wire    end is unknown
 *   port is down       it has no carrier            it is set down, so its peer
 *                                                   has no carrier
 *   link is up         if the interface is up       if it has carrier
 *   frames             read and written one by one  by the batch (AF_PACKET)
 *   MTU                set                          set
 *   MAC                set: 02:74:61:70 and the     left alone
 *                      number of the port
 *   speed              reported to ethtool          set if the driver can
 *
 * An interface may be in another network namespace.  A TAP that is moved to
 * another namespace stays connected, and does not keep that namespace alive; if
 * it or its namespace is deleted, it is created again in its home namespace.  A
 * bound interface that was deleted is bound again when an interface with its
 * name appears.
 *
 * The state of links comes from netlink (libnl).  There is one descriptor to
 * wait for, regardless of the number of interfaces.
 *
 * Frames have no FCS.  Checksums that the sender left to its hardware are
 * completed, and tags that the kernel removed are inserted again.  Large frames
 * from segmentation offload at the other end of a veth (TSO, GSO), or from a
 * network card that merges frames (GRO), are split into the frames that would
 * be on a wire (netdev/segment.h).
 *
 * CAP_NET_ADMIN is needed for TAPs and changes, CAP_NET_RAW for bound
 * interfaces, CAP_SYS_ADMIN and CAP_NET_BROADCAST for other namespaces: by this
 * process, or by a helper (netdev/privileged.h).  Frames need none. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum {
    NETDEV_NAME_MAX = 15,     /* Characters in the name of an interface. */
    NETDEV_FRAME_MAX = 10240, /* The longest frame received. */
    NETDEV_BATCH = 64,        /* Frames read at once. */
    NETDEV_TAP_QUEUE = 10000, /* Frames that wait at a TAP, by default. */
};

struct netdev;
struct netdevs;
struct privileged;

/* The listener; all functions are mandatory.  They may send, hold and set, but
 * must not open or close interfaces. */
struct netdev_listener {
    void *context;

    /* A frame was received; it is borrowed. */
    void (*frame)(void *context, void *owner, const uint8_t *bytes, uint32_t n);

    /* The link went up or down, as defined in the table above; initially it is
     * down. */
    void (*link)(void *context, void *owner, bool up);

    /* For the log: something is 'wrong' with an interface, or has recovered. */
    void (*note)(void *context, void *owner, bool wrong, const char *text);
};

/* Stores an empty set with '*listener', which is copied, in '*netdevs'.
 * 'privileged', borrowed, opens and changes its interfaces; the interfaces and
 * namespaces of requests must be in its scope.  ST_IO: the system lacks a
 * needed facility. */
enum st netdevs_create(const struct netdev_listener *listener,
                       struct privileged *privileged, struct netdevs **netdevs,
                       struct err *err) ST_WARN_UNUSED;

/* Frees the set, whose interfaces must all be closed.  Accepts NULL. */
void netdevs_destroy(struct netdevs *netdevs);

/* Returns the descriptor; readable while there is something to do. */
int netdevs_fd(const struct netdevs *netdevs);

/* Processes what is ready: at most NETDEV_BATCH frames of each interface that
 * is not held, and link events. */
void netdevs_poll(struct netdevs *netdevs);

/* Reads all frames that the kernel has delivered before this call, including
 * those of held interfaces, and few that come during it: a sender that never
 * stops cannot prolong the call.  Also processes link events.  Costs one system
 * call if there is nothing to read. */
void netdevs_drain(struct netdevs *netdevs);

/* Sends the frames that wait for their batch. */
void netdevs_flush(struct netdevs *netdevs);

/* Names an interface and its owner. */
struct netdev_request {
    const char *name;
    const char *namespace; /* A name of "ip netns", or a path; NULL: this
                            * one. */
    bool can_wait;         /* See below. */
    uint32_t number;       /* Of the port, for the default MAC address. */
    const uint8_t *mac;    /* Of a TAP; NULL: the default. */
    uint32_t queue;        /* Of a TAP: how many frames may wait until they
                            * are read; 0: NETDEV_TAP_QUEUE. */
    void *owner;           /* For the listener. */
};

/* Checks whether 'name' is allowed for an interface.  ST_INVALID. */
enum st netdev_check_name(const char *name, struct err *err) ST_WARN_UNUSED;

/* Create a TAP; bind an interface.  ST_INVALID: the name is not allowed.
 * ST_EXISTS: the interface exists already.  ST_NOT_FOUND: there is no such
 * interface or namespace.  ST_IO: the system refused; if a capability is
 * missing, the remedy names it.
 *
 * If 'can_wait', a TAP whose name is taken is created as soon as the name is
 * free, and an interface to bind that does not exist is bound when it appears:
 * then the result is ST_OK, and 'err' says what is missing.  The link is down
 * until then. */
enum st netdev_make_tap(struct netdevs *netdevs,
                        const struct netdev_request *request,
                        struct netdev **netdev, struct err *err) ST_WARN_UNUSED;
enum st netdev_bind(struct netdevs *netdevs,
                    const struct netdev_request *request,
                    struct netdev **netdev, struct err *err) ST_WARN_UNUSED;

/* Closes the interface; frames that wait to be sent are lost.  Accepts NULL. */
void netdev_close(struct netdev *netdev);

const char *netdev_name(const struct netdev *netdev);

/* The configuration that a port sets on its interface. */
struct netdev_config {
    bool admin_up;
    uint32_t mtu_bytes; /* Of the payload of a frame, such as 1,500; 0: no
                         * change. */
    uint32_t speed_mbps;
};

/* Applies '*config' to the interface, without touching values that are the same
 * already.  If some values cannot be set, returns the status and the reason of
 * the first in 'err', and sets the others.  A speed that cannot be set is not
 * an error, because few drivers support it. */
enum st netdev_set(struct netdev *netdev, const struct netdev_config *config,
                   struct err *err) ST_WARN_UNUSED;

/* Sends a frame, at the latest at the next netdevs_flush(). */
void netdev_send(struct netdev *netdev, const uint8_t *bytes, uint32_t n);

/* Starts or stops holding: while held, received frames stay in the kernel, so
 * the sender has to wait. */
void netdev_hold(struct netdev *netdev, bool hold);

struct netdev_stats {
    uint64_t received;
    uint64_t sent;
    uint64_t too_long; /* Dropped: longer than NETDEV_FRAME_MAX, and cannot be
                        * split. */
    uint64_t not_sent; /* Refused by the kernel: the interface is down, or its
                        * queue is full. */
    uint64_t missed;   /* Dropped by the kernel because the receive queue was
                        * full. */
};

struct netdev_stats netdev_get_stats(struct netdev *netdev);

#endif /* netdev/netdev.h */
