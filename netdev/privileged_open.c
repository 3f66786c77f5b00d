/* SPDX-License-Identifier: Apache-2.0 */

/* TAPs, packet sockets and netlink sockets.
 *
 * Reference: Linux, Documentation/networking/tuntap.rst; packet(7); netlink(7).
 */

#include <config.h>

#include "netdev/privileged_open.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.h"
#include "netdev/refused.h"

/* Enough for some thousand links at once. */
enum { EVENTS_BUFFER = 4 * 1024 * 1024 };

/* Closes 'fd', if there is one, and keeps errno. */
static int
give_up(int fd)
{
    const int error = errno;

    if (fd >= 0) {
        (void)close(fd);
    }
    return error;
}

/* TAPs ----------------------------------------------------------------- */

/* Opens the device in the current namespace. */
static enum st
make_tap(const char *name, int *made, struct err *err)
{
    struct ifreq request = {.ifr_flags =
                                (short)(IFF_TAP | IFF_NO_PI | IFF_TUN_EXCL)};
    const int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0) {
        return netdev_refused(err, errno, "open /dev/net/tun for", name);
    }
    (void)text_copy(request.ifr_name, sizeof request.ifr_name, name);
    if (ioctl(fd, TUNSETIFF, &request)) {
        return netdev_refused(err, give_up(fd), "make TAP", name);
    }
    *made = fd;
    return ST_OK;
}

enum st
privileged_open_tap(const struct namespace *namespace, const char *name,
                    int *fd, struct err *err)
{
    int back;
    enum st status = namespace_enter(namespace, &back, err);

    if (status == ST_OK) {
        status = make_tap(name, fd, err);
        namespace_leave(back);
    }
    return status;
}

/* Packet sockets ------------------------------------------------------- */

/* Sets an option that every system with packet sockets supports. */
static int
set_option(int fd, int option, const void *value, socklen_t size)
{
    return setsockopt(fd, SOL_PACKET, option, value, size);
}

/* Makes 'fd' the socket of interface 'index'.  Returns 0, or -1 with errno. */
static int
attach(int fd, int index)
{
    const struct sockaddr_ll address = {.sll_family = AF_PACKET,
                                        .sll_protocol = htons(ETH_P_ALL),
                                        .sll_ifindex = index};
    const struct packet_mreq all = {.mr_ifindex = index,
                                    .mr_type = PACKET_MR_PROMISC};
    const int buffer = PRIVILEGED_PACKET_BUFFER;
    const int yes = 1;

    /* More than the limit of the system needs a privilege; less is good
     * enough. */
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer)) {
        (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    }
    if (set_option(fd, PACKET_VNET_HDR, &yes, sizeof yes) ||
        set_option(fd, PACKET_AUXDATA, &yes, sizeof yes) ||
        set_option(fd, PACKET_IGNORE_OUTGOING, &yes, sizeof yes) ||
        bind(fd, (const struct sockaddr *)&address, sizeof address) ||
        set_option(fd, PACKET_ADD_MEMBERSHIP, &all, sizeof all)) {
        return -1;
    }
    return 0;
}

/* Opens the socket in the current namespace. */
static enum st
bind_packet(const char *name, int *made, int *index, struct err *err)
{
    const int found = (int)if_nametoindex(name);
    /* Protocol 0, so that no frame arrives before it is bound. */
    const int fd =
        socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0 || !found || attach(fd, found)) {
        const int error = give_up(fd);

        return netdev_refused(err, found ? error : ENODEV, "bind to", name);
    }
    *made = fd;
    *index = found;
    return ST_OK;
}

enum st
privileged_open_packet(const struct namespace *namespace, const char *name,
                       int *fd, int *index, struct err *err)
{
    int back;
    enum st status = namespace_enter(namespace, &back, err);

    if (status == ST_OK) {
        status = bind_packet(name, fd, index, err);
        namespace_leave(back);
    }
    return status;
}

/* Netlink -------------------------------------------------------------- */

/* Opens a socket in the current namespace; negative with errno on failure. */
static int
open_netlink(int flags)
{
    const struct sockaddr_nl address = {.nl_family = AF_NETLINK};
    const int fd =
        socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | flags, NETLINK_ROUTE);

    if (fd >= 0 &&
        bind(fd, (const struct sockaddr *)&address, sizeof address)) {
        errno = give_up(fd);
        return -1;
    }
    return fd;
}

/* Subscribes 'fd' to link events.  What the system does not give is made up
 * for. */
static int
subscribe(int fd)
{
    const int group = RTNLGRP_LINK;
    const int buffer = EVENTS_BUFFER;
    const int yes = 1;

    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    (void)setsockopt(fd, SOL_NETLINK, NETLINK_LISTEN_ALL_NSID, &yes,
                     sizeof yes);
    return setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group,
                      sizeof group);
}

enum st
privileged_open_events(const struct namespace *namespace, int *fd,
                       struct err *err)
{
    int back;
    enum st status = namespace_enter(namespace, &back, err);

    if (status) {
        return status;
    }
    *fd = open_netlink(SOCK_NONBLOCK);
    namespace_leave(back);
    if (*fd < 0 || subscribe(*fd)) {
        return netdev_refused(err, give_up(*fd), "watch", "links");
    }
    return ST_OK;
}

enum st
privileged_open_requests(const struct namespace *namespace, int *fd,
                         struct err *err)
{
    int back;
    enum st status = namespace_enter(namespace, &back, err);

    if (status) {
        return status;
    }
    *fd = open_netlink(0);
    namespace_leave(back);
    return *fd < 0 ? netdev_refused(err, errno, "ask for", "links") : ST_OK;
}
