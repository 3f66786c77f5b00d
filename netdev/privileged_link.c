/* SPDX-License-Identifier: Apache-2.0 */

/* Changes by libnl; ethtool by its ioctl. */

#include <config.h>

#include "netdev/privileged_link.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netlink/addr.h>
#include <netlink/errno.h>
#include <netlink/route/link.h>
#include <netlink/socket.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "netdev/netlink.h"
#include "netdev/privileged_open.h"
#include "netdev/privileged_request.h"
#include "netdev/refused.h"

/* Returns a socket for requests in 'namespace'; NULL with the reason in 'err'
 * on failure. */
static struct nl_sock *
reach(const struct namespace *namespace, struct err *err)
{
    int fd;

    return privileged_open_requests(namespace, &fd, err) ? NULL
                                                         : netlink_socket(fd);
}

/* Builds a request from 'change'. */
static struct rtnl_link *
describe(const struct privileged_change *change)
{
    struct rtnl_link *link = rtnl_link_alloc();

    orch_assert(link);
    if (change->has_mac) {
        struct nl_addr *mac = nl_addr_build(AF_LLC, change->mac, 6);

        orch_assert(mac);
        rtnl_link_set_addr(link, mac);
        nl_addr_put(mac);
    }
    if (change->mtu) {
        rtnl_link_set_mtu(link, change->mtu);
    }
    if (change->queue) {
        rtnl_link_set_txqlen(link, change->queue);
    }
    if (change->up > 0) {
        rtnl_link_set_flags(link, IFF_UP);
    } else if (change->up == 0) {
        rtnl_link_unset_flags(link, IFF_UP);
    }
    if (change->carrier >= 0) {
        rtnl_link_set_carrier(link, (uint8_t)change->carrier);
    }
    return link;
}

/* Returns whether 'change' has more than a speed. */
static bool
changes_link(const struct privileged_change *change)
{
    return change->has_mac || change->mtu || change->queue || change->up >= 0 ||
           change->carrier >= 0;
}

/* Sets the speed that the driver of link 'name' reports. */
static void
set_speed(int fd, const char *name, uint32_t mbps)
{
    struct ethtool_cmd command = {
        .cmd = ETHTOOL_SSET, .duplex = DUPLEX_FULL, .autoneg = AUTONEG_DISABLE};
    struct ifreq request = {.ifr_data = (void *)&command};

    ethtool_cmd_speed_set(&command, mbps);
    (void)text_copy(request.ifr_name, sizeof request.ifr_name, name);
    (void)ioctl(fd, SIOCETHTOOL, &request);
}

/* Finds the index of a link by its name, or the reverse; returns whether there
 * is one. */
static bool
identify(int fd, int *index, struct ifreq *link)
{
    if (*index) {
        link->ifr_ifindex = *index;
        return ioctl(fd, SIOCGIFNAME, link) == 0;
    }
    if (ioctl(fd, SIOCGIFINDEX, link)) {
        return false;
    }
    *index = link->ifr_ifindex;
    return true;
}

enum st
privileged_link_change(const struct namespace *namespace, int index,
                       const char *name, const struct privileged_change *change,
                       struct err *err)
{
    struct nl_sock *requests = reach(namespace, err);
    struct ifreq link = {0};
    enum st status = ST_OK;

    if (!requests) {
        return ST_IO;
    }
    (void)text_copy(link.ifr_name, sizeof link.ifr_name, name);
    if (!identify(nl_socket_get_fd(requests), &index, &link)) {
        status = netdev_refused(err, errno, "find", name);
        nl_socket_free(requests);
        return status;
    }
    if (changes_link(change)) {
        struct rtnl_link *wanted = describe(change);
        struct rtnl_link *which = rtnl_link_alloc();
        int error;

        orch_assert(which);
        rtnl_link_set_ifindex(which, index);
        error = rtnl_link_change(requests, which, wanted, 0);
        rtnl_link_put(which);
        rtnl_link_put(wanted);
        if (error) {
            status = netlink_refused(err, error, "the link cannot be changed");
        }
    }
    if (change->speed_mbps) {
        set_speed(nl_socket_get_fd(requests), link.ifr_name,
                  change->speed_mbps);
    }
    nl_socket_free(requests);
    return status;
}

/* Returns whether the process may receive events of other namespaces. */
static bool
may_listen_elsewhere(void)
{
    struct __user_cap_header_struct header = {.version =
                                                  _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

    return syscall(SYS_capget, &header, data) == 0 &&
           data[CAP_TO_INDEX(CAP_NET_BROADCAST)].effective &
               CAP_TO_MASK(CAP_NET_BROADCAST);
}

enum st
privileged_link_number(const struct namespace *namespace,
                       const struct namespace *other, int *number,
                       struct err *err)
{
    struct nl_sock *requests;
    int error;

    if (!may_listen_elsewhere()) {
        err_set(err, ST_IO, "link",
                "watching another network namespace needs "
                "CAP_NET_BROADCAST");
        err_set_remedy(err, "run it with CAP_NET_BROADCAST");
        return ST_IO;
    }
    requests = reach(namespace, err);
    if (!requests) {
        return ST_IO;
    }
    error = namespace_number_assign(requests, other->fd, number);
    nl_socket_free(requests);
    if (error || *number < 0) {
        return netlink_refused(err, error ? error : -NLE_OBJ_NOTFOUND,
                               "the network namespace has no number");
    }
    return ST_OK;
}
