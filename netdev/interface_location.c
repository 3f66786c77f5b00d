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
#include "netdev/netdev-provider.h"
#include "netdev/privileged.h"
#include "netdev/set.h"

enum st
interface_location_ask(const struct netdev *netdev, enum privileged_verb verb,
                       const struct privileged_change *change,
                       struct privileged_answer *answer, struct err *err)
{
    struct privileged_request request = {.verb = verb};
    struct privileged *privileged =
        links_privileged(netdev->links, &request.space);
    const bool is_about_tap = netdev->class->is_made && netdev->fd >= 0;

    if (change) {
        request.change = *change;
    }
    if (!is_about_tap) {
        (void)text_copy(request.name, sizeof request.name, netdev->given);
    }
    return privileged_call(privileged, &request, is_about_tap ? netdev->fd : -1,
                           answer, err);
}

enum st
interface_location_change(const struct netdev *netdev,
                          const struct privileged_change *change,
                          struct err *err)
{
    struct privileged_answer answer;

    return interface_location_ask(
        netdev,
        netdev->class->is_made ? PRIVILEGED_CHANGE : PRIVILEGED_CHANGE_BOUND,
        change, &answer, err);
}

/* Returns whether 'netdev' is in another namespace than its home.  Then '*fd'
 * is a netlink socket there, negative if it cannot be entered. */
static bool
reach_elsewhere(struct netdev *netdev, int *fd)
{
    struct privileged_answer answer;
    struct err err;

    *fd = -1;
    if (!netdev->class->update_name) {
        return false;
    }
    netdev->class->update_name(netdev);
    if (interface_location_ask(netdev, PRIVILEGED_FIND, NULL, &answer, &err) ||
        answer.number == 0) {
        return false;
    }
    *fd = answer.n_fds ? answer.fds[0] : -1;
    return true;
}

bool
interface_location_find(struct netdev *netdev, struct links_news *found)
{
    struct err err;
    int fd;

    if (reach_elsewhere(netdev, &fd) && fd < 0) {
        return false;
    }
    return links_find(netdev->links, fd, netdev->name, found, &err) == ST_OK;
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

void
interface_location_close(struct netdev *netdev)
{
    if (netdev->fd >= 0) {
        /* The end of a descriptor is not enough: the helper that has opened the
         * interface may have another one for a moment. */
        (void)epoll_ctl(netdev->set->epoll, EPOLL_CTL_DEL, netdev->fd, NULL);
        netdev->class->close(netdev);
        netdev->fd = -1;
        netdev->index = 0;
    }
}

/* Sets the address of a TAP that was just created, and its carrier off. */
static enum st
prepare(struct netdev *netdev, struct err *err)
{
    struct privileged_change change = {
        .queue = netdev->given_queue, .up = 1, .carrier = 0, .has_mac = 1};

    memcpy(change.mac, netdev->mac, sizeof change.mac);
    return interface_location_change(netdev, &change, err);
}

/* Opens the interface of 'netdev' in its home namespace. */
enum st
interface_location_open(struct netdev *netdev, struct err *err)
{
    struct privileged_answer opened;
    struct links_news found;
    enum st status;

    (void)text_copy(netdev->name, sizeof netdev->name, netdev->given);
    netdev->fd = -1;
    status = interface_location_ask(
        netdev, netdev->class->is_made ? PRIVILEGED_TAP : PRIVILEGED_PACKET,
        NULL, &opened, err);
    if (status) {
        return status;
    }
    netdev->fd = opened.fds[0];
    netdev->class->opened(netdev);
    status = links_find(netdev->links, -1, netdev->name, &found, err);
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
        interface_location_close(netdev);
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
    interface_location_close(netdev);
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

/* Watches 'netdev' in its current namespace, which netlink socket 'fd', closed
 * here, reaches, if it is not negative. */
static void
follow(struct netdev *netdev, int fd)
{
    struct privileged_answer answer;
    struct links_news found;
    struct err err = {0};
    enum st status =
        interface_location_ask(netdev, PRIVILEGED_NUMBER, NULL, &answer, &err);

    if (fd < 0) {
        status = status ? status
                        : err_set(&err, ST_IO, "namespace",
                                  "cannot enter the network namespace");
    } else if (status) {
        (void)close(fd);
    } else {
        status = links_find(netdev->links, fd, netdev->name, &found, &err);
    }
    netdev->index = status == ST_OK ? found.index : 0;
    if (status == ST_OK) {
        netdev->space = answer.number;
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
    struct links_news found;
    struct err err;
    int fd;

    if (reach_elsewhere(netdev, &fd)) {
        follow(netdev, fd);
    } else if (netdev->class->update_name &&
               links_find(netdev->links, -1, netdev->name, &found, &err) ==
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
           links_find(netdev->links, -1, netdev->name, &found, &err) == ST_OK &&
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
