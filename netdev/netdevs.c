/* SPDX-License-Identifier: Apache-2.0 */

/* A set of interfaces behind one descriptor.
 *
 * An epoll set has the interfaces and the netlink sockets of all namespaces in
 * it; what is ready is found in one system call, however many ports there are.
 */

#include <config.h>

#include "netdev/netdev.h"

#include <errno.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "netdev/links.h"
#include "netdev/namespace.h"
#include "netdev/netdev-provider.h"

enum {
    TAP_QUEUE = 10000,  /* Frames that a TAP keeps while we are busy. */
    DRAIN_ROUNDS = 256, /* More than a full queue of any interface. */
};

/* The links of one namespace. */
struct watched {
    struct watched *next;
    struct links *links;
};

struct netdevs {
    struct netdev_listener listener;
    int epoll;
    struct netdev *first;
    struct watched *watched;
    uint8_t *buffers;
    bool waits; /* Some interface has something to be flushed. */
    bool lost;  /* An interface has gone meanwhile: what epoll says is old. */
};

static void give_up(struct netdev *netdev);
static void on_news(void *context, struct links *links,
                    const struct links_news *news);

enum st
netdev_refused(struct err *err, int error, const char *what, const char *name)
{
    enum st status = ST_IO;

    if (error == ENODEV || error == ENXIO) {
        status = ST_NOT_FOUND;
    } else if (error == EBUSY || error == EEXIST) {
        status = ST_EXISTS;
    } else if (error == EINVAL) {
        status = ST_INVALID;
    }
    err_set(err, status, "interface", "cannot %s %s: %s", what, name,
            strerror(error));
    if (error == EPERM || error == EACCES) {
        err_set_remedy(err, "run it with CAP_NET_ADMIN and CAP_NET_RAW, or as "
                            "root");
    } else if (error == ENOENT) {
        err_set_remedy(err, "this system has no TUN/TAP: modprobe tun");
    } else if (error == ENODEV) {
        err_set_remedy(err, "make it first (ip link add), or take one that "
                            "\"ip link\" shows in the same namespace");
    } else if (error == EBUSY || error == EEXIST) {
        err_set_remedy(err, "there is an interface of that name: choose "
                            "another prefix, or a namespace of their own");
    }
    return status;
}

/* The set ------------------------------------------------------------- */

enum st
netdevs_create(const struct netdev_listener *listener, struct netdevs **netdevs,
               struct err *err)
{
    struct netdevs *made;
    const int epoll = epoll_create1(EPOLL_CLOEXEC);

    if (epoll < 0) {
        return netdev_refused(err, errno, "create", "epoll");
    }
    made = check_calloc(1, sizeof *made);
    made->listener = *listener;
    made->epoll = epoll;
    made->buffers = check_malloc((size_t)NETDEV_BATCH * NETDEV_BUFFER);
    *netdevs = made;
    return ST_OK;
}

void
netdevs_destroy(struct netdevs *netdevs)
{
    if (!netdevs) {
        return;
    }
    orch_assert(!netdevs->first);
    while (netdevs->watched) {
        struct watched *watched = netdevs->watched;

        netdevs->watched = watched->next;
        links_close(watched->links);
        free(watched);
    }
    (void)close(netdevs->epoll);
    free(netdevs->buffers);
    free(netdevs);
}

int
netdevs_fd(const struct netdevs *netdevs)
{
    return netdevs->epoll;
}

uint8_t *
netdev_buffers(struct netdev *netdev)
{
    return netdev->set->buffers;
}

void
netdev_deliver(struct netdev *netdev, const uint8_t *bytes, uint32_t n)
{
    const struct netdev_listener *listener = &netdev->set->listener;

    netdev->stats.received++;
    listener->frame(listener->context, netdev->owner, bytes, n);
}

/* What an epoll event is about: the links of a namespace, else an interface. */
static struct links *
links_of_event(const struct netdevs *netdevs, const void *source)
{
    for (const struct watched *i = netdevs->watched; i; i = i->next) {
        if (i->links == source) {
            return i->links;
        }
    }
    return NULL;
}

/* Returns whether an interface that is in trouble is still there: news that it
 * is not may have been lost.  A TAP has no other trouble. */
static bool
is_there(const struct netdev *netdev)
{
    struct links_news found;
    struct err err;

    return !netdev->class->is_made &&
           links_find(netdev->links, NULL, netdev->name, &found, &err) ==
               ST_OK &&
           found.index == netdev->index;
}

/* Handles what is ready; returns whether there was something. */
static bool
handle_ready(struct netdevs *netdevs)
{
    struct epoll_event events[NETDEV_BATCH];
    const int n = epoll_wait(netdevs->epoll, events, NETDEV_BATCH, 0);

    netdevs->lost = false;
    for (int i = 0; i < n && !netdevs->lost; i++) {
        struct links *links = links_of_event(netdevs, events[i].data.ptr);

        if (links) {
            links_poll(links);
        } else {
            struct netdev *netdev = events[i].data.ptr;

            if (netdev->class->receive(netdev) == 0 &&
                (events[i].events & EPOLLERR) && !is_there(netdev)) {
                give_up(netdev);
            }
        }
    }
    return n > 0;
}

void
netdevs_poll(struct netdevs *netdevs)
{
    (void)handle_ready(netdevs);
}

void
netdevs_drain(struct netdevs *netdevs)
{
    for (int i = 0; i < DRAIN_ROUNDS && handle_ready(netdevs); i++) {
    }
    for (struct netdev *i = netdevs->first; i; i = i->next) {
        for (int round = 0; i->is_held && i->fd >= 0 && round < DRAIN_ROUNDS &&
                            i->class->receive(i);
             round++) {
        }
    }
}

void
netdevs_flush(struct netdevs *netdevs)
{
    for (struct netdev *i = netdevs->first; i && netdevs->waits; i = i->next) {
        if (i->waits) {
            i->waits = false;
            i->class->flush(i);
        }
    }
    netdevs->waits = false;
}

/* Namespaces ---------------------------------------------------------- */

/* Returns the links of 'namespace', which is taken over; NULL: 'err' says
 * why. */
static struct links *
watch(struct netdevs *netdevs, struct namespace *namespace, struct err *err)
{
    struct epoll_event event = {.events = EPOLLIN};
    struct watched *watched;
    struct links *links = NULL;

    for (watched = netdevs->watched; watched; watched = watched->next) {
        if (links_are_of(watched->links, namespace)) {
            namespace_close(namespace);
            return watched->links;
        }
    }
    if (links_open(namespace, on_news, netdevs, &links, err)) {
        namespace_close(namespace);
        return NULL;
    }
    event.data.ptr = links;
    if (epoll_ctl(netdevs->epoll, EPOLL_CTL_ADD, links_fd(links), &event)) {
        links_close(links);
        netdev_refused(err, errno, "watch", "links");
        return NULL;
    }
    watched = check_calloc(1, sizeof *watched);
    watched->links = links;
    watched->next = netdevs->watched;
    netdevs->watched = watched;
    return links;
}

/* Opens the namespace that 'netdev' is in now, if that is not the one in which
 * it was opened; the caller closes it.  Returns whether there is one. */
static bool
open_elsewhere(struct netdev *netdev, struct namespace *namespace)
{
    struct err err;
    const int fd = netdev->class->where ? netdev->class->where(netdev) : -1;

    if (fd < 0 || namespace_of(fd, namespace, &err)) {
        return false;
    }
    if (links_are_of(netdev->links, namespace)) {
        namespace_close(namespace);
        return false;
    }
    return true;
}

/* Opening ------------------------------------------------------------- */

/* Waits for frames of 'netdev', whose descriptor is open. */
static void
listen_to(struct netdev *netdev)
{
    struct epoll_event event = {.events = netdev->is_held ? 0 : EPOLLIN,
                                .data.ptr = netdev};
    const int added =
        epoll_ctl(netdev->set->epoll, EPOLL_CTL_ADD, netdev->fd, &event);

    orch_assert(added == 0 || errno == ENOSPC || errno == ENOMEM);
}

/* Gives a TAP that was just made its address, and no carrier yet. */
static enum st
prepare(struct netdev *netdev, struct err *err)
{
    const struct links_change change = {
        .mac = netdev->mac, .queue = TAP_QUEUE, .up = 1, .carrier = 0};

    return links_change(netdev->links, NULL, netdev->index, &change, err);
}

/* Opens the interface of 'netdev' where it is at home. */
static enum st
open_at_home(struct netdev *netdev, struct err *err)
{
    struct links_news found;
    enum st status;
    int back;

    (void)text_copy(netdev->name, sizeof netdev->name, netdev->given);
    status = namespace_enter(links_namespace(netdev->links), &back, err);
    if (status) {
        return status;
    }
    status = netdev->class->open(netdev, err);
    namespace_leave(back);
    if (status) {
        netdev->fd = -1;
        return status;
    }
    status = links_find(netdev->links, NULL, netdev->name, &found, err);
    if (status == ST_OK) {
        netdev->index = found.index;
        netdev->space = LINKS_HERE;
        if (netdev->class->is_made) {
            status = prepare(netdev, err);
        }
    }
    if (status) {
        netdev->class->close(netdev);
        netdev->fd = -1;
        netdev->index = 0;
        return status;
    }
    listen_to(netdev);
    links_ask(netdev->links, netdev->index); /* Is its link up? */
    return ST_OK;
}

/* Returns whether opening, which ended in 'status', may succeed when links of
 * others come and go. */
static bool
is_worth_waiting(const struct netdev *netdev, enum st status)
{
    return status == (netdev->class->is_made ? ST_EXISTS : ST_NOT_FOUND);
}

/* Links --------------------------------------------------------------- */

/* Says how the link of 'netdev' is now, if that is new. */
static void
tell_link(struct netdev *netdev, bool up)
{
    const struct netdev_listener *listener = &netdev->set->listener;

    if (netdev->link_up != up) {
        netdev->link_up = up;
        listener->link(listener->context, netdev->owner, up);
    }
}

static void
note(struct netdev *netdev, bool wrong, const char *text)
{
    const struct netdev_listener *listener = &netdev->set->listener;

    listener->note(listener->context, netdev->owner, wrong, text);
}

/* Tries to open 'netdev', which is not there; says so if it worked, or why it
 * never will. */
static enum st
try_again(struct netdev *netdev)
{
    const struct netdev_config config = netdev->config;
    struct err err = {0};
    enum st status = open_at_home(netdev, &err);

    if (is_worth_waiting(netdev, status)) {
        return status;
    }
    if (status == ST_OK && netdev->is_set) {
        netdev->is_set = false;
        status = netdev_set(netdev, &config, &err);
    }
    note(netdev, status != ST_OK,
         status                   ? err.reason
         : netdev->class->is_made ? "the interface was made again"
                                  : "the interface is back");
    return status;
}

/* Counts what was missed so far. */
static void
count_missed(struct netdev *netdev)
{
    if (netdev->fd >= 0 && netdev->class->missed) {
        netdev->stats.missed += netdev->class->missed(netdev);
    }
}

/* The interface of 'netdev' is gone. */
static void
give_up(struct netdev *netdev)
{
    count_missed(netdev);
    netdev->class->close(netdev);
    netdev->fd = -1;
    netdev->index = 0;
    netdev->waits = false;
    netdev->set->lost = true;
    tell_link(netdev, false);
    note(netdev, true, "the interface is gone");
    if (is_worth_waiting(netdev, try_again(netdev)) && netdev->class->is_made) {
        note(netdev, true,
             "another interface has its name: it is made again when that is "
             "gone");
    }
}

/* Watches 'netdev' in 'namespace', where it is now. */
static void
follow(struct netdev *netdev, const struct namespace *namespace)
{
    struct links_news found;
    struct err err = {0};
    enum st status =
        links_number(netdev->links, namespace->fd, &netdev->space, &err);

    if (status == ST_OK) {
        status =
            links_find(netdev->links, namespace, netdev->name, &found, &err);
    }
    netdev->index = status == ST_OK ? found.index : 0;
    if (status == ST_OK) {
        tell_link(netdev, found.flags & netdev->class->link_flag);
        note(netdev, false,
             "it was moved to another network namespace, and is "
             "watched there");
    } else {
        tell_link(netdev, true);
        note(netdev, true, err.reason);
        note(netdev, true,
             "it was moved to where it cannot be watched; its link is "
             "taken to be up");
    }
}

/* The interface of 'netdev' is not where it was any more. */
static void
look_for(struct netdev *netdev)
{
    struct namespace namespace;
    struct links_news found;
    struct err err;

    if (open_elsewhere(netdev, &namespace)) {
        follow(netdev, &namespace);
        namespace_close(&namespace);
    } else if (netdev->class->where &&
               links_find(netdev->links, NULL, netdev->name, &found, &err) ==
                   ST_OK) {
        netdev->space = LINKS_HERE; /* It has come home. */
        netdev->index = found.index;
        tell_link(netdev, found.flags & netdev->class->link_flag);
    } else {
        give_up(netdev);
    }
}

/* Returns whether 'news' may be what 'netdev', which is not there, waits for:
 * its interface has come, or the one that has its name may have gone. */
static bool
is_awaited(const struct netdev *netdev, const struct links_news *news)
{
    const bool is_its_name = !strcmp(netdev->given, news->name);

    return news->space == LINKS_HERE &&
           (netdev->class->is_made ? news->is_gone || !is_its_name
                                   : !news->is_gone && is_its_name);
}

/* A links_fn. */
static void
on_news(void *context, struct links *links, const struct links_news *news)
{
    struct netdevs *netdevs = context;

    for (struct netdev *i = netdevs->first; i; i = i->next) {
        if (i->links != links) {
            continue;
        }
        if (i->fd < 0) {
            if (is_awaited(i, news)) {
                (void)try_again(i);
            }
        } else if (i->index == news->index && i->space == news->space) {
            if (news->is_gone) {
                look_for(i);
            } else {
                (void)text_copy(i->name, sizeof i->name, news->name);
                tell_link(i, news->flags & i->class->link_flag);
            }
        }
    }
}

/* Interfaces ---------------------------------------------------------- */

enum st
netdev_check_name(const char *name, struct err *err)
{
    if (*name && strlen(name) <= NETDEV_NAME_MAX && !strpbrk(name, "/: %")) {
        return ST_OK;
    }
    return err_set(err, ST_INVALID, "interface",
                   "\"%.40s\" cannot be the name of an interface: 1 to %d "
                   "characters, without blank, slash, colon and percent",
                   name, NETDEV_NAME_MAX);
}

/* Decides which address the interface has, if it is made. */
static void
set_mac(struct netdev *netdev, const struct netdev_place *place)
{
    const uint8_t mac[6] = {0x02,
                            0x74,
                            0x61,
                            0x70,
                            (uint8_t)(place->number >> 8),
                            (uint8_t)place->number};

    memcpy(netdev->mac, place->mac ? place->mac : mac, sizeof netdev->mac);
}

static enum st
add(struct netdevs *netdevs, const struct netdev_class *class,
    const struct netdev_place *place, struct netdev **netdev, struct err *err)
{
    struct netdev *made;
    struct namespace namespace;
    struct links *links;
    enum st status = netdev_check_name(place->name, err);

    if (status == ST_OK) {
        status = namespace_open(place->namespace, &namespace, err);
    }
    if (status) {
        return status;
    }
    links = watch(netdevs, &namespace, err);
    if (!links) {
        return ST_IO;
    }
    made = check_calloc(1, sizeof *made);
    made->class = class;
    made->set = netdevs;
    set_mac(made, place);
    made->owner = place->owner;
    made->links = links;
    (void)text_copy(made->given, sizeof made->given, place->name);
    status = open_at_home(made, err);
    if (status && !(place->can_wait && is_worth_waiting(made, status))) {
        free(made);
        return status;
    }
    made->next = netdevs->first;
    made->link = &netdevs->first;
    if (made->next) {
        made->next->link = &made->next;
    }
    netdevs->first = made;
    *netdev = made;
    return ST_OK;
}

enum st
netdev_make_tap(struct netdevs *netdevs, const struct netdev_place *place,
                struct netdev **netdev, struct err *err)
{
    return add(netdevs, &netdev_tap_class, place, netdev, err);
}

enum st
netdev_bind(struct netdevs *netdevs, const struct netdev_place *place,
            struct netdev **netdev, struct err *err)
{
    return add(netdevs, &netdev_packet_class, place, netdev, err);
}

void
netdev_close(struct netdev *netdev)
{
    if (!netdev) {
        return;
    }
    netdev->set->lost = true;
    *netdev->link = netdev->next;
    if (netdev->next) {
        netdev->next->link = netdev->link;
    }
    if (netdev->fd >= 0) {
        netdev->class->close(netdev);
    }
    free(netdev);
}

const char *
netdev_name(const struct netdev *netdev)
{
    return netdev->name;
}

/* Brings the carrier, or the interface itself, and its MTU to '*config'. */
static enum st
set_link(struct netdev *netdev, const struct namespace *elsewhere,
         const struct netdev_config *config, const struct netdev_config *was,
         struct err *err)
{
    struct links_change change = {.up = -1, .carrier = -1};
    enum st status = ST_OK;

    if (!was || was->admin_up != config->admin_up) {
        *(netdev->class->has_carrier_of_ours ? &change.carrier : &change.up) =
            config->admin_up;
        status =
            links_change(netdev->links, elsewhere, netdev->index, &change, err);
    }
    if (config->mtu_bytes && (!was || was->mtu_bytes != config->mtu_bytes)) {
        struct err other = {0};
        const enum st mtu =
            links_change(netdev->links, elsewhere, netdev->index,
                         &(struct links_change){
                             .mtu = config->mtu_bytes, .up = -1, .carrier = -1},
                         &other);

        if (mtu && !status) {
            *err = other;
            status = mtu;
        }
    }
    return status;
}

enum st
netdev_set(struct netdev *netdev, const struct netdev_config *config,
           struct err *err)
{
    const struct netdev_config was = netdev->config;
    const struct netdev_config *old = netdev->is_set ? &was : NULL;
    struct namespace namespace;
    const struct namespace *elsewhere = NULL;
    enum st status;

    netdev->config = *config;
    netdev->is_set = true;
    if (netdev->index == 0) {
        return ST_OK; /* That is for when it is back. */
    }
    if (netdev->space != LINKS_HERE && open_elsewhere(netdev, &namespace)) {
        elsewhere = &namespace;
    }
    status = set_link(netdev, elsewhere, config, old, err);
    if (!old || old->speed_mbps != config->speed_mbps) {
        links_set_speed(netdev->links, elsewhere, netdev->name,
                        config->speed_mbps);
    }
    if (elsewhere) {
        namespace_close(&namespace);
    }
    return status;
}

void
netdev_send(struct netdev *netdev, const uint8_t *bytes, uint32_t n)
{
    if (netdev->fd < 0) {
        netdev->stats.not_sent++;
        return;
    }
    netdev->waits = true;
    netdev->set->waits = true;
    netdev->class->send(netdev, bytes, n);
}

void
netdev_hold(struct netdev *netdev, bool hold)
{
    struct epoll_event event = {.events = hold ? 0 : EPOLLIN,
                                .data.ptr = netdev};

    if (netdev->is_held != hold) {
        netdev->is_held = hold;
        if (netdev->fd >= 0) {
            (void)epoll_ctl(netdev->set->epoll, EPOLL_CTL_MOD, netdev->fd,
                            &event);
        }
    }
}

struct netdev_stats
netdev_get_stats(struct netdev *netdev)
{
    count_missed(netdev);
    return netdev->stats;
}
