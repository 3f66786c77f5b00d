/* SPDX-License-Identifier: Apache-2.0 */

/* Checks the options about ports. */

#include <config.h>

#include "saihostd/ports_options.h"

#include <string.h>

#include "base/text.h"
#include "netdev/netdev.h"
#include "saihostd/names.h"

enum { DIGITS = 4 }; /* Of the number of a lane, after the prefix. */

/* Checks that the names of ports are valid names of TAPs. */
static enum st
check_taps(const struct ports_options *options,
           const struct object_names *names, struct err *err)
{
    char longest[64];
    enum st status;

    if (!options->tap_prefix) {
        return options->tap_queue
                   ? err_set(err, ST_INVALID, "tap",
                             "--tap-queue is the queue of TAPs: it needs --tap")
                   : ST_OK;
    }
    if (!*options->tap_prefix) {
        return err_set(err, ST_INVALID, "tap",
                       "--tap needs a prefix, for example Ethernet");
    }
    if (!text_format(longest, sizeof longest, "%s0000", options->tap_prefix)) {
        longest[sizeof longest - 1] = '\0';
    }
    if (netdev_check_name(longest, err)) {
        return err_set(err, ST_INVALID, "tap",
                       "--tap \"%.60s\": names of interfaces are the prefix "
                       "and a number; a prefix has 1 to %d characters, without "
                       "blank, slash, colon and percent",
                       options->tap_prefix, NETDEV_NAME_MAX - DIGITS);
    }
    for (size_t i = 0; names_at(names, i); i++) {
        status = netdev_check_name(names_at(names, i), err);
        if (status) {
            err_set_remedy(
                err, "change the name of the port in the file of --names %s",
                options->names);
            return status;
        }
    }
    return ST_OK;
}

/* Checks that 'name' is a valid name of a port. */
static enum st
check_port(const struct ports_options *options,
           const struct object_names *names, const char *name, struct err *err)
{
    const char *prefix = options->tap_prefix ? options->tap_prefix : "Ethernet";

    if (names_can_be(names, prefix, name)) {
        return ST_OK;
    }
    (void)err_set(err, ST_INVALID, "bind",
                  "--bind %.60s=...: there is no port of that name", name);
    if (options->names) {
        err_set_remedy(err, "ports have the names of table PORT of %s",
                       options->names);
    } else {
        err_set_remedy(err,
                       "names of ports are %s and the number of the first "
                       "lane: %s0, %s4, ...; --names FILE sets other names",
                       prefix, prefix, prefix);
    }
    return ST_INVALID;
}

/* Returns how entry 'i' names its port. */
static const char *
port_of(const struct ports_options *options, size_t i)
{
    return options->bound[i].port ? options->bound[i].port : options->lanemap;
}

/* Checks entry 'i' of --bind, and that no previous entry has its port or its
 * interface. */
static enum st
check_bound(const struct ports_options *options,
            const struct object_names *names, size_t i, struct err *err)
{
    const struct ports_bound *bound = &options->bound[i];
    enum st status =
        bound->port ? check_port(options, names, bound->port, err) : ST_OK;

    if (status == ST_OK) {
        status = netdev_check_name(bound->interface, err);
    }
    for (size_t j = 0; j < i && status == ST_OK; j++) {
        if (bound->port && options->bound[j].port &&
            !strcmp(options->bound[j].port, bound->port)) {
            status = err_set(err, ST_INVALID, "bind",
                             "--bind: port %s has two interfaces: %s and %s",
                             bound->port, options->bound[j].interface,
                             bound->interface);
        } else if (!strcmp(options->bound[j].interface, bound->interface)) {
            status = err_set(err, ST_INVALID, "bind",
                             "--bind: interface %s has two ports: %s and %s",
                             bound->interface, port_of(options, j),
                             port_of(options, i));
        }
    }
    return status;
}

enum st
ports_options_check(const struct ports_options *options,
                    const struct object_names *names, struct err *err)
{
    enum st status = ST_OK;

    if (!options->tap_prefix && !options->n_bound &&
        (options->namespace || options->host_namespace || options->names)) {
        return err_set(err, ST_INVALID, "ports", "%s needs --tap or --bind",
                       options->namespace        ? "--netns"
                       : options->host_namespace ? "--host-netns"
                                                 : "--names");
    }
    status = check_taps(options, names, err);
    for (size_t i = 0; i < options->n_bound && status == ST_OK; i++) {
        status = check_bound(options, names, i, err);
    }
    return status;
}

const char *
ports_options_interface(const struct ports_options *options, const char *name,
                        uint32_t lane)
{
    const char *by_lane = NULL;

    for (size_t i = 0; i < options->n_bound; i++) {
        const struct ports_bound *bound = &options->bound[i];

        if (bound->port ? !strcmp(bound->port, name)
                        : lane != PORTS_NO_LANE && bound->lane == lane) {
            if (bound->port) {
                return bound->interface;
            }
            by_lane = bound->interface;
        }
    }
    return by_lane;
}
