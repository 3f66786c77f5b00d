/* SPDX-License-Identifier: Apache-2.0 */

/* Links by libnl. */

#include <config.h>

#include "netdev/links.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <netlink/cache.h>
#include <netlink/msg.h>
#include <netlink/route/link.h>
#include <netlink/socket.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/check.h"
#include "base/text.h"
#include "netdev/netlink.h"
#include "netdev/privileged.h"

/* Of one datagram; those of the kernel have 8 kB. */
enum { NEWS_BYTES = 64 * 1024 };

struct links {
    struct privileged *privileged; /* Borrowed. */
    uint32_t space;                /* The number of the namespace there. */
    int self; /* The number by which the namespace knows itself; LINKS_HERE:
               * none. */
    struct nl_sock *news;
    struct nl_sock *requests;
    links_fn *on_news;
    void *context;
};

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

/* Learns the number by which the namespace knows itself, which others may
 * assign at any time. */
static void
learn_number(struct links *links)
{
    const struct namespace *namespace =
        privileged_namespace(links->privileged, links->space);

    if (namespace_number_get(links->requests, namespace->fd, &links->self)) {
        links->self = LINKS_HERE;
    }
}

enum st
links_open(struct privileged *privileged, uint32_t space, links_fn *on_news,
           void *context, struct links **links, struct err *err)
{
    const struct privileged_request request = {.verb = PRIVILEGED_LINKS,
                                               .space = space};
    struct privileged_answer answer;
    enum st status = privileged_call(privileged, &request, -1, &answer, err);
    struct links *made;

    if (status) {
        return status;
    }
    made = check_calloc(1, sizeof *made);
    made->privileged = privileged;
    made->space = space;
    made->self = LINKS_HERE;
    made->on_news = on_news;
    made->context = context;
    made->news = netlink_socket(answer.fds[0]);
    made->requests = netlink_socket(answer.fds[1]);
    nl_socket_disable_auto_ack(made->news);
    learn_number(made);
    *links = made;
    return ST_OK;
}

void
links_close(struct links *links)
{
    if (links) {
        nl_socket_free(links->news);
        nl_socket_free(links->requests);
        free(links);
    }
}

bool
links_are_of(const struct links *links, const struct namespace *namespace)
{
    return namespace_equals(
        privileged_namespace(links->privileged, links->space), namespace);
}

struct privileged *
links_privileged(const struct links *links, uint32_t *space)
{
    *space = links->space;
    return links->privileged;
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
                learn_number(links);
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

enum st
links_find(struct links *links, int elsewhere, const char *name,
           struct links_news *found, struct err *err)
{
    struct nl_sock *requests =
        elsewhere < 0 ? links->requests : netlink_socket(elsewhere);
    struct rtnl_link *link;
    const int error = rtnl_link_get_kernel(requests, 0, name, &link);

    if (requests != links->requests) {
        nl_socket_free(requests);
    }
    if (error) {
        return netlink_refused(err, error, name);
    }
    *found = news_of(link, LINKS_HERE, false);
    rtnl_link_put(link);
    return ST_OK;
}
