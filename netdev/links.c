/* SPDX-License-Identifier: Apache-2.0 */

/* Links by libnl. */

#include <config.h>

#include "netdev/links.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/ethtool.h>
#include <linux/net_namespace.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <netlink/addr.h>
#include <netlink/cache.h>
#include <netlink/msg.h>
#include <netlink/route/link.h>
#include <netlink/socket.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"

enum {
    NEWS_BUFFER = 4 * 1024 * 1024, /* Enough for some thousand links at once. */
    NEWS_BYTES = 64 * 1024,        /* Of one datagram; those of the kernel have
                                    * 8 kB. */
};

struct links {
    struct namespace namespace;
    int self; /* The number by which the namespace knows itself; LINKS_HERE:
               * none. */
    struct nl_sock *news;
    struct nl_sock *requests;
    links_fn *on_news;
    void *context;
};

/* Explains an error of libnl. */
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
news_of(struct rtnl_link *link, int space, bool is_gone)
{
    struct links_news news = {
        .space = space,
        .index = rtnl_link_get_ifindex(link),
        .flags = rtnl_link_get_flags(link),
        .queue = rtnl_link_get_txqlen(link),
        .dropped = rtnl_link_get_stat(link, RTNL_LINK_TX_DROPPED),
        .is_gone = is_gone};
    const char *name = rtnl_link_get_name(link);

    (void)text_copy(news.name, sizeof news.name, name ? name : "");
    return news;
}

/* The subject of a parsed message. */
struct parsed {
    struct links *links;
    int space;
    bool is_gone;
};

static void
on_object(struct nl_object *object, void *parsed_)
{
    struct parsed *parsed = parsed_;
    const struct links_news news =
        news_of((struct rtnl_link *)object, parsed->space, parsed->is_gone);

    parsed->links->on_news(parsed->links->context, parsed->links, &news);
}

/* Reports the event in a message. */
static void
report_link(struct links *links, struct nlmsghdr *header, int space)
{
    const int type = header->nlmsg_type;
    struct parsed parsed = {links, space, type == RTM_DELLINK};
    struct nl_msg *message;

    if (type == RTM_NEWLINK || type == RTM_DELLINK) {
        message = nlmsg_convert(header);
        orch_assert(message);
        nlmsg_set_proto(message, NETLINK_ROUTE);
        (void)nl_msg_parse(message, on_object, &parsed);
        nlmsg_free(message);
    }
}

static int ask_number(struct links *links, int fd, int *number);

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

/* Opens the sockets, in the namespace that the process is in now. */
static int
connect_sockets(struct links *links)
{
    const int yes = 1;
    int error = nl_connect(links->requests, NETLINK_ROUTE);

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
        (void)setsockopt(nl_socket_get_fd(links->news), SOL_NETLINK,
                         NETLINK_LISTEN_ALL_NSID, &yes, sizeof yes);
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

    made->self = LINKS_HERE;
    made->on_news = on_news;
    made->context = context;
    made->news = nl_socket_alloc();
    made->requests = nl_socket_alloc();
    orch_assert(made->news && made->requests);
    nl_socket_disable_auto_ack(made->news);
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
    if (ask_number(made, namespace->fd, &made->self)) {
        made->self = LINKS_HERE;
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

/* Reports all links. */
static void
tell_all(struct links *links)
{
    struct nl_cache *cache;

    if (rtnl_link_alloc_cache(links->requests, AF_UNSPEC, &cache)) {
        return; /* The next news bring it about again. */
    }
    for (struct nl_object *i = nl_cache_get_first(cache); i;
         i = nl_cache_get_next(i)) {
        on_object(i, &(struct parsed){links, LINKS_HERE, false});
    }
    nl_cache_free(cache);
}

/* Returns the number of the namespace that 'message' came from.  '*is_sure' is
 * whether the own number of this one, which others may give it at any time, was
 * asked for just now. */
static int
space_of(struct links *links, struct msghdr *message, bool *is_sure)
{
    for (struct cmsghdr *i = CMSG_FIRSTHDR(message); i;
         i = CMSG_NXTHDR(message, i)) {
        if (i->cmsg_level == SOL_NETLINK &&
            i->cmsg_type == NETLINK_LISTEN_ALL_NSID) {
            int space;

            memcpy(&space, CMSG_DATA(i), sizeof space);
            if (space != links->self && !*is_sure) {
                *is_sure = true;
                (void)ask_number(links, links->namespace.fd, &links->self);
            }
            return space == links->self ? LINKS_HERE : space;
        }
    }
    return LINKS_HERE;
}

void
links_poll(struct links *links)
{
    static uint8_t bytes[NEWS_BYTES]
        __attribute__((aligned(NLMSG_ALIGNTO))); /* Scratch. */
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } control;
    bool is_sure = false;
    ssize_t n;

    do {
        struct iovec part = {bytes, sizeof bytes};
        struct msghdr message = {.msg_iov = &part,
                                 .msg_iovlen = 1,
                                 .msg_control = &control,
                                 .msg_controllen = sizeof control};
        struct nlmsghdr *header = (void *)bytes;
        int left;

        n = recvmsg(links_fd(links), &message, MSG_DONTWAIT);
        for (left = (int)n; nlmsg_ok(header, left);
             header = nlmsg_next(header, &left)) {
            report_link(links, header, space_of(links, &message, &is_sure));
        }
    } while (n > 0);
    if (n < 0 && errno == ENOBUFS) { /* Some were lost. */
        tell_all(links);
    }
}

void
links_ask(struct links *links, int index)
{
    struct nl_msg *message;
    const int error = rtnl_link_build_get_request(index, NULL, &message);

    orch_assert(error == 0);
    (void)nl_send_auto(links->news, message);
    nlmsg_free(message);
}

/* Numbers of namespaces ----------------------------------------------- */

/* Sends 'message', which is freed, and hands the answer to 'take'. */
static int
ask(struct links *links, struct nl_msg *message, nl_recvmsg_msg_cb_t take,
    void *context)
{
    struct nl_cb *callbacks = nl_cb_alloc(NL_CB_DEFAULT);
    int error = nl_send_auto(links->requests, message);

    orch_assert(callbacks);
    nlmsg_free(message);
    nl_cb_set(callbacks, NL_CB_VALID, NL_CB_CUSTOM, take, context);
    if (error >= 0) {
        error = nl_recvmsgs(links->requests, callbacks);
    }
    if (error >= 0) {
        error = nl_wait_for_ack(links->requests);
    }
    nl_cb_put(callbacks);
    return error < 0 ? error : 0;
}

/* Reads the number of a namespace.  A nl_recvmsg_msg_cb_t. */
static int
take_number(struct nl_msg *message, void *number)
{
    const struct nlattr *found = nlmsg_find_attr(
        nlmsg_hdr(message), sizeof(struct rtgenmsg), NETNSA_NSID);

    if (found) {
        *(int *)number = nla_get_s32(found);
    }
    return NL_OK;
}

/* Builds a message of 'type' about the namespace of 'fd'. */
static struct nl_msg *
about_namespace(int type, int fd)
{
    const struct rtgenmsg family = {AF_UNSPEC};
    struct nl_msg *message = nlmsg_alloc_simple(type, 0);

    orch_assert(message && nlmsg_append(message, (void *)(uintptr_t)&family,
                                        sizeof family, NLMSG_ALIGNTO) == 0);
    orch_assert(nla_put_u32(message, NETNSA_FD, (uint32_t)fd) == 0);
    return message;
}

static int
ask_number(struct links *links, int fd, int *number)
{
    *number = LINKS_HERE;
    return ask(links, about_namespace(RTM_GETNSID, fd), take_number, number);
}

enum st
links_number(struct links *links, int fd, int *space, struct err *err)
{
    int number;
    int error;

    if (!may_listen_elsewhere()) {
        err_set(err, ST_IO, "link",
                "watching another network namespace needs "
                "CAP_NET_BROADCAST");
        err_set_remedy(err, "run it with CAP_NET_BROADCAST");
        return ST_IO;
    }
    error = ask_number(links, fd, &number);
    if (!error && number < 0) {
        struct nl_msg *message = about_namespace(RTM_NEWNSID, fd);

        orch_assert(nla_put_s32(message, NETNSA_NSID, -1) == 0);
        error = nl_send_sync(links->requests, message); /* Frees the message. */
        if (!error) {
            error = ask_number(links, fd, &number);
        }
    }
    if (error || number < 0) {
        return refused(err, error ? error : -NLE_OBJ_NOTFOUND,
                       "the network namespace has no number");
    }
    *space = number;
    return ST_OK;
}

/* Links, wherever they are -------------------------------------------- */

/* Returns a socket for requests about 'elsewhere' (NULL: this namespace), to be
 * returned by release(); NULL with the reason in 'err' on failure. */
static struct nl_sock *
reach(struct links *links, const struct namespace *elsewhere, struct err *err)
{
    struct nl_sock *opened;
    int error, back;

    if (!elsewhere) {
        return links->requests;
    }
    if (namespace_enter(elsewhere, &back, err)) {
        return NULL;
    }
    opened = nl_socket_alloc();
    orch_assert(opened);
    error = nl_connect(opened, NETLINK_ROUTE);
    namespace_leave(back);
    if (error) {
        refused(err, error, "netlink");
        nl_socket_free(opened);
        return NULL;
    }
    return opened;
}

static void
release(const struct links *links, struct nl_sock *reached)
{
    if (reached != links->requests) {
        nl_socket_free(reached);
    }
}

enum st
links_find(struct links *links, const struct namespace *elsewhere,
           const char *name, struct links_news *found, struct err *err)
{
    struct nl_sock *requests = reach(links, elsewhere, err);
    struct rtnl_link *link;
    int error;

    if (!requests) {
        return ST_IO;
    }
    error = rtnl_link_get_kernel(requests, 0, name, &link);
    release(links, requests);
    if (error) {
        return refused(err, error, name);
    }
    *found = news_of(link, LINKS_HERE, false);
    rtnl_link_put(link);
    return ST_OK;
}

/* Builds a request from 'change'. */
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
links_change(struct links *links, const struct namespace *elsewhere, int index,
             const struct links_change *change, struct err *err)
{
    struct nl_sock *requests = reach(links, elsewhere, err);
    struct rtnl_link *wanted, *which;
    int error;

    if (!requests) {
        return ST_IO;
    }
    wanted = describe(change);
    which = rtnl_link_alloc();
    orch_assert(which);
    rtnl_link_set_ifindex(which, index);
    error = rtnl_link_change(requests, which, wanted, 0);
    rtnl_link_put(which);
    rtnl_link_put(wanted);
    release(links, requests);
    return error ? refused(err, error, "the link cannot be changed") : ST_OK;
}

void
links_set_speed(const struct links *links, const struct namespace *elsewhere,
                const char *name, uint32_t mbps)
{
    struct ethtool_cmd command = {
        .cmd = ETHTOOL_SSET, .duplex = DUPLEX_FULL, .autoneg = AUTONEG_DISABLE};
    struct ifreq request = {.ifr_data = (void *)&command};
    struct err err;
    int back, fd;

    if (namespace_enter(elsewhere ? elsewhere : &links->namespace, &back,
                        &err)) {
        return;
    }
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    namespace_leave(back);
    if (fd >= 0) {
        ethtool_cmd_speed_set(&command, mbps);
        (void)text_copy(request.ifr_name, sizeof request.ifr_name, name);
        (void)ioctl(fd, SIOCETHTOOL, &request);
        (void)close(fd);
    }
}
