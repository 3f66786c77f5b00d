/* SPDX-License-Identifier: Apache-2.0 */

/* Interfaces that come, go and are moved. */

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

enum { TAP_QUEUE = 10000 }; /* Frames that a TAP keeps while we are busy. */

/* Opens the namespace that 'netdev' is in now, if that is not the one in which
 * it was opened; the caller closes it.  Returns whether there is one. */
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
bool
interface_location_may_wait(const struct netdev *netdev, enum st status)
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
         : netdev->class->is_made ? "the interface was made again"
                                  : "the interface is back");
    return status;
}

/* Counts what was missed so far. */
void
interface_location_count_missed(struct netdev *netdev)
{
    if (netdev->fd >= 0 && netdev->class->missed) {
        netdev->stats.missed += netdev->class->missed(netdev);
    }
}

/* The interface of 'netdev' is gone. */
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

    if (interface_location_open_elsewhere(netdev, &namespace)) {
        follow(netdev, &namespace);
        namespace_close(&namespace);
    } else if (netdev->class->where &&
               links_find(netdev->links, NULL, netdev->name, &found, &err) ==
                   ST_OK) {
        netdev->space = LINKS_HERE; /* It has come home. */
        netdev->index = found.index;
        tell_link(netdev, found.flags & netdev->class->link_flag);
    } else {
        interface_location_lost(netdev);
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

/* Returns whether an interface that is in trouble is still there: news that it
 * is not may have been lost.  A TAP has no other trouble. */
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
            tell_link(netdev, news->flags & netdev->class->link_flag);
        }
    }
}
