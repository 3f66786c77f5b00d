/* SPDX-License-Identifier: Apache-2.0 */

/* Interfaces that appear, disappear and are moved between namespaces. */

#include <config.h>

#include "netdev/interface_location.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "netdev/links.h"
#include "netdev/namespace.h"
#include "netdev/netdev-provider.h"
#include "netdev/set.h"

/* Opens the current namespace of 'netdev' if that is not the one in which it
 * was opened; the caller closes it.  Returns whether it was opened. */
bool
interface_location_open_elsewhere(struct netdev *netdev,
                                  struct namespace *namespace)
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

bool
interface_location_find(struct netdev *netdev, struct links_news *found)
{
    struct namespace namespace;
    const bool is_elsewhere =
        interface_location_open_elsewhere(netdev, &namespace);
    struct err err;
    const enum st status =
        links_find(netdev->links, is_elsewhere ? &namespace : NULL,
                   netdev->name, found, &err);

    if (is_elsewhere) {
        namespace_close(&namespace);
    }
    return status == ST_OK;
}

/* Opening ------------------------------------------------------------- */

/* Adds the descriptor of 'netdev', which is open, to the epoll set. */
static void
listen_to(struct netdev *netdev)
{
    struct epoll_event event = {.events = netdev->is_held ? 0 : EPOLLIN,
                                .data.ptr = netdev};
    const int added =
        epoll_ctl(netdev->set->epoll, EPOLL_CTL_ADD, netdev->fd, &event);

    orch_assert(added == 0 || errno == ENOSPC || errno == ENOMEM);
}

/* Sets the address of a TAP that was just created, and its carrier off. */
static enum st
prepare(struct netdev *netdev, struct err *err)
{
    const struct links_change change = {.mac = netdev->mac,
                                        .queue = netdev->given_queue,
                                        .up = 1,
                                        .carrier = 0};

    return links_change(netdev->links, NULL, netdev->index, &change, err);
}

/* Opens the interface of 'netdev' in its home namespace. */
enum st
interface_location_open(struct netdev *netdev, struct err *err)
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
        netdev->queue = netdev->given_queue;
        netdev->dropped = 0;
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
    links_ask(netdev->links, netdev->index); /* To learn whether its link is
                                              * up. */
    return ST_OK;
}

/* Returns whether opening, which ended with 'status', may succeed after other
 * links have appeared or disappeared. */
bool
interface_location_may_wait(const struct netdev *netdev, enum st status)
{
    return status == (netdev->class->is_made ? ST_EXISTS : ST_NOT_FOUND);
}

/* Links --------------------------------------------------------------- */

/* Notifies the listener of the link state of 'netdev' if it has changed. */
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

/* Tries to open 'netdev', which is absent.  Reports success, or an error that
 * will not go away. */
static enum st
try_again(struct netdev *netdev)
{
    const struct netdev_config config = netdev->config;
    struct err err = {0};
    enum st status = interface_location_open(netdev, &err);

    if (interface_location_may_wait(netdev, status)) {
        return status;
    }
    if (status == ST_OK && netdev->is_set) {
        netdev->is_set = false;
        status = netdev_set(netdev, &config, &err);
    }
    note(netdev, status != ST_OK,
         status                   ? err.reason
         : netdev->class->is_made ? "the interface was created again"
                                  : "the interface is back");
    return status;
}

/* Adds the frames missed so far to the counters. */
void
interface_location_count_missed(struct netdev *netdev)
{
    if (netdev->fd >= 0) {
        netdev->stats.missed += netdev->class->missed(netdev);
    }
}

/* Handles the deletion of the interface of 'netdev'. */
void
interface_location_lost(struct netdev *netdev)
{
    interface_location_count_missed(netdev);
    netdev->class->close(netdev);
    netdev->fd = -1;
    netdev->index = 0;
    netdev->waits = false;
    netdev->set->lost = true;
    tell_link(netdev, false);
    note(netdev, true, "the interface is gone");
    if (interface_location_may_wait(netdev, try_again(netdev)) &&
        netdev->class->is_made) {
        note(netdev, true,
             "another interface has its name: it is created again when "
             "the name is free");
    }
}

/* Watches 'netdev' in 'namespace', its current one. */
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
        netdev->queue = found.queue;
        tell_link(netdev, found.flags & netdev->class->link_flag);
        note(netdev, false,
             "it was moved to another network namespace and is "
             "watched there");
    } else {
        tell_link(netdev, true);
        note(netdev, true, err.reason);
        note(netdev, true,
             "it was moved to a namespace that cannot be watched; its "
             "link is assumed to be up");
    }
}

/* Handles that the interface of 'netdev' has left its last known namespace. */
static void
look_for(struct netdev *netdev)
{
    struct namespace namespace;
    struct links_news found;
    struct err err;

    if (interface_location_open_elsewhere(netdev, &namespace)) {
        follow(netdev, &namespace);
        namespace_close(&namespace);
    } else if (netdev->class->where &&
               links_find(netdev->links, NULL, netdev->name, &found, &err) ==
                   ST_OK) {
        netdev->space = LINKS_HERE; /* It has returned home. */
        netdev->index = found.index;
        netdev->queue = found.queue;
        tell_link(netdev, found.flags & netdev->class->link_flag);
    } else {
        interface_location_lost(netdev);
    }
}

/* Returns whether 'news' may be what 'netdev', which is absent, waits for: its
 * interface has appeared, or the one that occupies its name may be deleted. */
static bool
is_awaited(const struct netdev *netdev, const struct links_news *news)
{
    const bool is_its_name = !strcmp(netdev->given, news->name);

    return news->space == LINKS_HERE &&
           (netdev->class->is_made ? news->is_gone || !is_its_name
                                   : !news->is_gone && is_its_name);
}

/* Returns whether an interface that reports an error still exists; the event
 * that it was deleted may have been lost.  For a TAP there is no other
 * error. */
bool
interface_location_are_known(const struct netdev *netdev)
{
    struct links_news found;
    struct err err;

    return !netdev->class->is_made &&
           links_find(netdev->links, NULL, netdev->name, &found, &err) ==
               ST_OK &&
           found.index == netdev->index;
}

void
interface_location_news(struct netdev *netdev, const struct links_news *news)
{
    if (netdev->fd < 0) {
        if (is_awaited(netdev, news)) {
            (void)try_again(netdev);
        }
    } else if (netdev->index == news->index && netdev->space == news->space) {
        if (news->is_gone) {
            look_for(netdev);
        } else {
            (void)text_copy(netdev->name, sizeof netdev->name, news->name);
            netdev->queue = news->queue;
            tell_link(netdev, news->flags & netdev->class->link_flag);
        }
    }
}
