/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_PORTS_TRIAL_H
#define ORCHD_SAIHOSTD_PORTS_TRIAL_H

/* Whether the interfaces of ports can be had, before there are ports. */

#include "base/status.h"

struct netdevs;
struct object_names;
struct ports_options;

/* Tries the interfaces that the options ask for, so that a failure is reported
 * at once: the first TAP, unless an interface is bound to that port, and all
 * that are bound.  Outcomes as of netdev_make_tap() and netdev_bind(). */
enum st ports_trial(const struct ports_options *options,
                    const struct object_names *names, struct netdevs *netdevs,
                    struct err *err) ST_WARN_UNUSED;

#endif /* saihostd/ports_trial.h */
