/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_INTERFACE_LOCATION_H
#define ORCHD_NETDEV_INTERFACE_LOCATION_H

/* Internal to netdev/: opens an interface, and tracks its namespace and link.
 *
 * An interface is opened in its home namespace, the configured one, under its
 * configured name.  From then on it is either present, at home or elsewhere (a
 * TAP that was moved), and known by an index; or absent: not opened yet, or
 * deleted.  A TAP is created again as soon as its name is free; a bound
 * interface is opened when an interface with its name appears.  The listener is
 * notified of every change of its link. */

#include <stdbool.h>

#include "base/status.h"
#include "netdev/privileged.h"

struct links_news;
struct netdev;

/* Opens the interface in its home namespace; on failure it is absent.  Does not
 * apply its configuration. */
enum st interface_location_open(struct netdev *netdev,
                                struct err *err) ST_WARN_UNUSED;

/* Closes the interface, if it is open; then it is absent. */
void interface_location_close(struct netdev *netdev);

/* Returns whether opening, which ended with 'status', may succeed after other
 * links have appeared or disappeared. */
bool interface_location_may_wait(const struct netdev *netdev, enum st status);

/* Requests something with privileges about 'netdev', a TAP that is open or the
 * interface with its configured name in its home namespace.  'change' may be
 * NULL. */
enum st interface_location_ask(const struct netdev *netdev,
                               enum privileged_verb verb,
                               const struct privileged_change *change,
                               struct privileged_answer *answer,
                               struct err *err) ST_WARN_UNUSED;

/* Changes the interface of 'netdev', which is open, wherever it is. */
enum st interface_location_change(const struct netdev *netdev,
                                  const struct privileged_change *change,
                                  struct err *err) ST_WARN_UNUSED;

/* Looks up the link of 'netdev', which is open, where it is now.  Returns
 * whether it was found. */
bool interface_location_find(struct netdev *netdev, struct links_news *found);

/* Handles a link event of the home namespace of 'netdev', or of the namespace
 * to which it was moved. */
void interface_location_news(struct netdev *netdev,
                             const struct links_news *news);

/* Returns whether an interface whose descriptor reports an error still exists;
 * the event that it was deleted may have been lost. */
bool interface_location_are_known(const struct netdev *netdev);

/* Handles the deletion of the interface. */
void interface_location_lost(struct netdev *netdev);

/* Adds the frames that the interface has missed to its counters. */
void interface_location_count_missed(struct netdev *netdev);

#endif /* netdev/interface_location.h */
