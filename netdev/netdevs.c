/* SPDX-License-Identifier: Apache-2.0 */

/* A set of interfaces with one descriptor.
 *
 * An epoll set holds the interfaces and the netlink sockets of all namespaces,
 * so one system call finds what is ready, regardless of the number of ports. */

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
#include "netdev/interface_location.h"
#include "netdev/links.h"
#include "netdev/namespace.h"
#include "netdev/netdev-provider.h"
#include "netdev/privileged.h"
#include "netdev/refused.h"
#include "netdev/set.h"

/* The links of one namespace. */
struct watched {
    struct watched *next;
    struct links *links;
};

static void on_news(void *context, struct links *links,
                    const struct links_news *news);

/* The set ------------------------------------------------------------- */

/* Makes room for the events of 'more' descriptors, which may be negative. */
static void
expect_event(struct netdevs *netdevs, int more)
{
    netdevs->n_events += more;
    netdevs->events = check_realloc(
        netdevs->events, (size_t)netdevs->n_events * sizeof *netdevs->events);
}

enum st
netdevs_create(const struct netdev_listener *listener,
               struct privileged *privileged, struct netdevs **netdevs,
               struct err *err)
{
    struct netdevs *made;
    const int epoll = epoll_create1(EPOLL_CLOEXEC);

    if (epoll < 0) {
        return netdev_refused(err, errno, "create", "epoll");
    }
    made = check_calloc(1, sizeof *made);
    made->listener = *listener;
    made->privileged = privileged;
    made->epoll = epoll;
    made->buffers = check_malloc((size_t)NETDEV_BATCH * NETDEV_BUFFER);
    expect_event(made, 1); /* So that there is an array. */
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
    free(netdevs->events);
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

/* The subject of an epoll event: the links of a namespace, or an interface. */
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

/* Handles a ready descriptor. */
static void
handle_ready(struct netdevs *netdevs, const struct epoll_event *event)
{
    struct links *links = links_of_event(netdevs, event->data.ptr);

    if (links) {
        links_poll(links);
    } else {
        struct netdev *netdev = event->data.ptr;

        if (netdev->class->receive(netdev) == 0 && (event->events & EPOLLERR) &&
            !interface_location_are_known(netdev)) {
            interface_location_lost(netdev);
        }
    }
}

void
netdevs_poll(struct netdevs *netdevs)
{
    struct epoll_event events[NETDEV_BATCH];
    const int n = epoll_wait(netdevs->epoll, events, NETDEV_BATCH, 0);

    netdevs->lost = false;
    for (int i = 0; i < n && !netdevs->lost; i++) {
        handle_ready(netdevs, &events[i]);
    }
}

/* Reads the frames that wait at 'netdev' now. */
static void
drain(struct netdev *netdev)
{
    uint32_t due = netdev->class->waiting(netdev);
    uint32_t n = NETDEV_BATCH;

    while (due > 0 && n > 0) {
        n = netdev->class->receive(netdev);
        due -= n < due ? n : due;
    }
}

void
netdevs_drain(struct netdevs *netdevs)
{
    struct epoll_event *events = netdevs->events;
    const int n = epoll_wait(netdevs->epoll, events, netdevs->n_events, 0);

    netdevs->lost = false;
    for (int i = 0; i < n && !netdevs->lost; i++) {
        handle_ready(netdevs, &events[i]);
        if (!netdevs->lost && !links_of_event(netdevs, events[i].data.ptr)) {
            drain(events[i].data.ptr);
        }
    }
    for (struct netdev *i = netdevs->first; i && netdevs->n_held; i = i->next) {
        if (i->is_held && i->fd >= 0) {
            drain(i);
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

/* Returns the links of namespace 'space' of the scope; NULL with the reason in
 * 'err' on failure. */
static struct links *
watch(struct netdevs *netdevs, uint32_t space, struct err *err)
{
    const struct namespace *namespace =
        privileged_namespace(netdevs->privileged, space);
    struct epoll_event event = {.events = EPOLLIN};
    struct watched *watched;
    struct links *links = NULL;

    for (watched = netdevs->watched; watched; watched = watched->next) {
        if (links_are_of(watched->links, namespace)) {
            return watched->links;
        }
    }
    if (links_open(netdevs->privileged, space, on_news, netdevs, &links, err)) {
        return NULL;
    }
    event.data.ptr = links;
    if (epoll_ctl(netdevs->epoll, EPOLL_CTL_ADD, links_fd(links), &event)) {
        links_close(links);
        netdev_refused(err, errno, "watch", "links");
        return NULL;
    }
    watched = check_calloc(1, sizeof *watched);
    expect_event(netdevs, 1);
    watched->links = links;
    watched->next = netdevs->watched;
    netdevs->watched = watched;
    return links;
}

/* A links_fn. */
static void
on_news(void *context, struct links *links, const struct links_news *news)
{
    const struct netdevs *netdevs = context;

    for (struct netdev *i = netdevs->first; i; i = i->next) {
        if (i->links == links) {
            interface_location_news(i, news);
        }
    }
}

/* Interfaces ---------------------------------------------------------- */

/* Sets the address for an interface that is created. */
static void
set_mac(struct netdev *netdev, const struct netdev_request *request)
{
    const uint8_t mac[6] = {0x02,
                            0x74,
                            0x61,
                            0x70,
                            (uint8_t)(request->number >> 8),
                            (uint8_t)request->number};

    memcpy(netdev->mac, request->mac ? request->mac : mac, sizeof netdev->mac);
}

static enum st
add(struct netdevs *netdevs, const struct netdev_class *class,
    const struct netdev_request *request, struct netdev **netdev,
    struct err *err)
{
    struct netdev *made;
    struct links *links;
    uint32_t space;
    enum st status = netdev_check_name(request->name, err);

    if (status == ST_OK) {
        status = privileged_space(netdevs->privileged, request->namespace,
                                  &space, err);
    }
    if (status) {
        return status;
    }
    links = watch(netdevs, space, err);
    if (!links) {
        return ST_IO;
    }
    made = check_calloc(1, sizeof *made);
    made->class = class;
    made->set = netdevs;
    set_mac(made, request);
    made->owner = request->owner;
    made->links = links;
    made->given_queue = request->queue ? request->queue : NETDEV_TAP_QUEUE;
    (void)text_copy(made->given, sizeof made->given, request->name);
    status = interface_location_open(made, err);
    if (status &&
        !(request->can_wait && interface_location_may_wait(made, status))) {
        free(made);
        return status;
    }
    made->next = netdevs->first;
    made->link = &netdevs->first;
    if (made->next) {
        made->next->link = &made->next;
    }
    netdevs->first = made;
    expect_event(netdevs, 1);
    *netdev = made;
    return ST_OK;
}

enum st
netdev_make_tap(struct netdevs *netdevs, const struct netdev_request *request,
                struct netdev **netdev, struct err *err)
{
    return add(netdevs, &netdev_tap_class, request, netdev, err);
}

enum st
netdev_bind(struct netdevs *netdevs, const struct netdev_request *request,
            struct netdev **netdev, struct err *err)
{
    return add(netdevs, &netdev_packet_class, request, netdev, err);
}

void
netdev_close(struct netdev *netdev)
{
    if (!netdev) {
        return;
    }
    netdev->set->lost = true;
    netdev->set->n_held -= netdev->is_held;
    expect_event(netdev->set, -1);
    *netdev->link = netdev->next;
    if (netdev->next) {
        netdev->next->link = netdev->link;
    }
    interface_location_close(netdev);
    free(netdev);
}

const char *
netdev_name(const struct netdev *netdev)
{
    return netdev->name;
}

/* Applies '*config' to the carrier, or the interface state, and the MTU. */
static enum st
set_link(const struct netdev *netdev, const struct netdev_config *config,
         const struct netdev_config *was, struct err *err)
{
    struct privileged_change change = {.up = -1, .carrier = -1};
    enum st status = ST_OK;

    if (!was || was->admin_up != config->admin_up) {
        *(netdev->class->has_carrier_of_ours ? &change.carrier : &change.up) =
            config->admin_up;
        status = interface_location_change(netdev, &change, err);
    }
    if (config->mtu_bytes && (!was || was->mtu_bytes != config->mtu_bytes)) {
        const struct privileged_change size = {
            .mtu = config->mtu_bytes, .up = -1, .carrier = -1};
        struct err other = {0};
        const enum st mtu = interface_location_change(netdev, &size, &other);

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
    enum st status;

    netdev->config = *config;
    netdev->is_set = true;
    if (netdev->index == 0) {
        return ST_OK; /* Applied when the interface is back. */
    }
    status = set_link(netdev, config, old, err);
    if (!old || old->speed_mbps != config->speed_mbps) {
        const struct privileged_change speed = {
            .speed_mbps = config->speed_mbps, .up = -1, .carrier = -1};
        struct err ignored; /* Few drivers support it. */

        (void)!interface_location_change(netdev, &speed, &ignored);
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
        netdev->set->n_held += hold ? 1 : -1;
        if (netdev->fd >= 0) {
            (void)epoll_ctl(netdev->set->epoll, EPOLL_CTL_MOD, netdev->fd,
                            &event);
        }
    }
}

struct netdev_stats
netdev_get_stats(struct netdev *netdev)
{
    interface_location_count_missed(netdev);
    return netdev->stats;
}
