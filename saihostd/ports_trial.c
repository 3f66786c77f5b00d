/* SPDX-License-Identifier: Apache-2.0 */

/* Opens interfaces once, and closes them again. */

#include <config.h>

#include "saihostd/ports_trial.h"

#include <stddef.h>

#include "base/text.h"
#include "netdev/netdev.h"
#include "saihostd/names.h"
#include "saihostd/ports_options.h"

/* Tries to create the first TAP, unless an interface is bound to that port. */
static enum st
try_tap(const struct ports_options *options, const struct object_names *names,
        struct netdevs *netdevs, struct err *err)
{
    char name[NETDEV_NAME_MAX + 1];
    const struct netdev_request place = {.name = name,
                                         .namespace = options->namespace};
    const char *first = names_at(names, 0);
    struct netdev *netdev;
    enum st status;

    (void)text_format(name, sizeof name, "%s0", options->tap_prefix);
    if (first) {
        (void)text_copy(name, sizeof name, first);
    }
    if (ports_options_interface(options, name, PORTS_NO_LANE)) {
        return ST_OK;
    }
    status = netdev_make_tap(netdevs, &place, &netdev, err);
    if (status == ST_OK) {
        netdev_close(netdev);
    }
    return status;
}

enum st
ports_trial(const struct ports_options *options,
            const struct object_names *names, struct netdevs *netdevs,
            struct err *err)
{
    enum st status =
        options->tap_prefix ? try_tap(options, names, netdevs, err) : ST_OK;

    for (size_t i = 0; i < options->n_bound && status == ST_OK; i++) {
        const struct netdev_request place = {.name =
                                                 options->bound[i].interface,
                                             .namespace = options->namespace};
        struct netdev *netdev;

        status = netdev_bind(netdevs, &place, &netdev, err);
        if (status == ST_OK) {
            netdev_close(netdev);
        }
    }
    return status;
}
