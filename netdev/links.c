/* SPDX-License-Identifier: Apache-2.0 */

/* Links by way of libnl. */

#include <config.h>

#include "netdev/links.h"

#include <linux/ethtool.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <netlink/addr.h>
#include <netlink/cache.h>
#include <netlink/msg.h>
#include <netlink/route/link.h>
#include <netlink/socket.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"

enum { NEWS_BUFFER = 4 * 1024 * 1024 }; /* Some thousand links at once. */

struct links {
    struct namespace namespace;
    int control; /* Any socket that is there. */
    struct nl_sock *news;
    struct nl_sock *requests;
    links_fn *on_news;
    void *context;
};

/* Explains what libnl says. */
static enum st
refused(struct err *err, int error, const char *what)
{
    enum st status = ST_IO;

    switch (-error) {
    case NLE_NODEV:
    case NLE_OBJ_NOTFOUND:
        status = ST_NOT_FOUND;
        break;
    case NLE_INVAL:
    case NLE_RANGE:
        status = ST_INVALID;
        break;
    default:
        break;
    }
    err_set(err, status, "link", "%s: %s", what, nl_geterror(error));
    if (-error == NLE_PERM) {
        err_set_remedy(err, "run it with CAP_NET_ADMIN");
    }
    return status;
}

/* Describes 'link'. */
static struct links_news
news_of(struct rtnl_link *link, bool is_gone)
{
    struct links_news news = {.index = rtnl_link_get_ifindex(link),
                              .flags = rtnl_link_get_flags(link),
                              .is_gone = is_gone};
    const char *name = rtnl_link_get_name(link);

    (void)text_copy(news.name, sizeof news.name, name ? name : "");
    return news;
}

/* What a message that was parsed is about. */
struct parsed {
    struct links *links;
    bool is_gone;
};

static void
on_object(struct nl_object *object, void *parsed_)
{
    struct parsed *parsed = parsed_;
    const struct links_news news =
        news_of((struct rtnl_link *)object, parsed->is_gone);

    parsed->links->on_news(parsed->links->context, parsed->links, &news);
}

/* A nl_recvmsg_msg_cb_t. */
static int
on_message(struct nl_msg *message, void *links)
{
    const int type = nlmsg_hdr(message)->nlmsg_type;
    struct parsed parsed = {links, type == RTM_DELLINK};

    if (type == RTM_NEWLINK || type == RTM_DELLINK) {
        (void)nl_msg_parse(message, on_object, &parsed);
    }
    return NL_OK;
}

/* Opens the sockets, in the namespace that the process is in now. */
static int
connect_sockets(struct links *links)
{
    int error = nl_connect(links->requests, NETLINK_ROUTE);

    links->control = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (!error) {
        error = nl_connect(links->news, NETLINK_ROUTE);
    }
    if (!error) {
        error = nl_socket_add_memberships(links->news, RTNLGRP_LINK, 0);
    }
    if (!error) {
        error = nl_socket_set_nonblocking(links->news);
    }
    if (!error) { /* What the system does not give is made up for. */
        (void)nl_socket_set_buffer_size(links->news, NEWS_BUFFER, 0);
    }
    return error;
}

enum st
links_open(const struct namespace *namespace, links_fn *on_news, void *context,
           struct links **links, struct err *err)
{
    struct links *made = check_calloc(1, sizeof *made);
    enum st status;
    int error;
    int back;

    made->control = -1;
    made->on_news = on_news;
    made->context = context;
    made->news = nl_socket_alloc();
    made->requests = nl_socket_alloc();
    orch_assert(made->news && made->requests);
    nl_socket_disable_seq_check(made->news);
    nl_socket_modify_cb(made->news, NL_CB_VALID, NL_CB_CUSTOM, on_message,
                        made);
    status = namespace_enter(namespace, &back, err);
    if (status) {
        links_close(made);
        return status;
    }
    error = connect_sockets(made);
    namespace_leave(back);
    if (error) {
        links_close(made);
        return refused(err, error, "netlink");
    }
    made->namespace = *namespace;
    *links = made;
    return ST_OK;
}

void
links_close(struct links *links)
{
    if (links) {
        nl_socket_free(links->news);
        nl_socket_free(links->requests);
        if (links->control >= 0) {
            (void)close(links->control);
        }
        if (links->namespace.fd > 0) {
            namespace_close(&links->namespace);
        }
        free(links);
    }
}

bool
links_are_of(const struct links *links, const struct namespace *namespace)
{
    return namespace_equals(&links->namespace, namespace);
}

const struct namespace *
links_namespace(const struct links *links)
{
    return &links->namespace;
}

int
links_fd(const struct links *links)
{
    return nl_socket_get_fd(links->news);
}

/* Tells of all links. */
static void
tell_all(struct links *links)
{
    struct nl_cache *cache;

    if (rtnl_link_alloc_cache(links->requests, AF_UNSPEC, &cache)) {
        return; /* The next news bring it about again. */
    }
    for (struct nl_object *i = nl_cache_get_first(cache); i;
         i = nl_cache_get_next(i)) {
        on_object(i, &(struct parsed){links, false});
    }
    nl_cache_free(cache);
}

void
links_poll(struct links *links)
{
    int error;

    do {
        error = nl_recvmsgs_default(links->news);
    } while (error == 0);
    if (error == -NLE_NOMEM) { /* ENOBUFS: some were lost. */
        tell_all(links);
    }
}

enum st
links_find(struct links *links, const char *name, struct links_news *found,
           struct err *err)
{
    struct rtnl_link *link;
    const int error = rtnl_link_get_kernel(links->requests, 0, name, &link);

    if (error) {
        return refused(err, error, name);
    }
    *found = news_of(link, false);
    rtnl_link_put(link);
    return ST_OK;
}

/* Makes a request of 'change'. */
static struct rtnl_link *
describe(const struct links_change *change)
{
    struct rtnl_link *link = rtnl_link_alloc();

    orch_assert(link);
    if (change->mac) {
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

enum st
links_change(struct links *links, int index, const struct links_change *change,
             struct err *err)
{
    struct rtnl_link *wanted = describe(change);
    struct rtnl_link *which = rtnl_link_alloc();
    int error;

    orch_assert(which);
    rtnl_link_set_ifindex(which, index);
    error = rtnl_link_change(links->requests, which, wanted, 0);
    rtnl_link_put(which);
    rtnl_link_put(wanted);
    return error ? refused(err, error, "the link cannot be changed") : ST_OK;
}

void
links_set_speed(const struct links *links, const char *name, uint32_t mbps)
{
    struct ethtool_cmd command = {
        .cmd = ETHTOOL_SSET, .duplex = DUPLEX_FULL, .autoneg = AUTONEG_DISABLE};
    struct ifreq request = {.ifr_data = (void *)&command};

    ethtool_cmd_speed_set(&command, mbps);
    (void)text_copy(request.ifr_name, sizeof request.ifr_name, name);
    (void)ioctl(links->control, SIOCETHTOOL, &request);
}
