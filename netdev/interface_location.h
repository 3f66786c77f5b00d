/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_INTERFACE_LOCATION_H
#define ORCHD_NETDEV_INTERFACE_LOCATION_H

/* Where an interface is: inside of netdev/.
 *
 * It is opened at home, which is the namespace that was asked for, under the
 * name that it was given there.  From then on it is present, at home or
 * elsewhere (a TAP that was moved), and known by an index; or it is absent:
 * never there yet, or gone.  A TAP is made again as soon as its name is free, a
 * bound interface is opened when one of its name comes.  The listener is told
 * of its link in all of that. */

#include <stdbool.h>

#include "base/status.h"

struct links_news;
struct namespace;
struct netdev;

/* Opens the interface at home; on failure it is absent.  What it was set to is
 * not done. */
enum st interface_location_open(struct netdev *netdev,
                                struct err *err) ST_WARN_UNUSED;

/* Returns whether opening, which ended in 'status', may succeed when links of
 * others come and go. */
bool interface_location_may_wait(const struct netdev *netdev, enum st status);

/* Opens the namespace that 'netdev' is in now, if that is not its home; the
 * caller closes it.  Returns whether there is one. */
bool interface_location_open_elsewhere(struct netdev *netdev,
                                       struct namespace *namespace);

/* There is news of a link where 'netdev' is at home, or has been moved to. */
void interface_location_news(struct netdev *netdev,
                             const struct links_news *news);

/* Returns whether an interface whose descriptor is in trouble is still there,
 * for news that it is not may have been lost. */
bool interface_location_are_known(const struct netdev *netdev);

/* The interface is gone. */
void interface_location_lost(struct netdev *netdev);

/* Counts what the interface has missed so far. */
void interface_location_count_missed(struct netdev *netdev);

#endif /* netdev/interface_location.h */
