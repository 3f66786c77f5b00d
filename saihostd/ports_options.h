/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_PORTS_OPTIONS_H
#define ORCHD_SAIHOSTD_PORTS_OPTIONS_H

/* What is asked for to be ports, and whether it can be: before there is a
 * switch, so that who starts softasicd is told, and not the log of some port
 * later. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct object_names;

/* A port and the interface that it is to be. */
struct ports_bound {
    const char *port;
    const char *interface;
};

struct ports_options {
    const char *tap_prefix;     /* NULL: no TAPs. */
    const char *namespace;      /* Where interfaces are; NULL: here. */
    const char *names;          /* A config_db.json; may be NULL. */
    const char *host_namespace; /* Of host interfaces; NULL: here. */
    const struct ports_bound *bound;
    size_t n_bound;
    uint32_t dilation; /* Of time, see clock.h. */
};

/* Looks at prefix, names of ports and bound interfaces.  ST_INVALID: 'err' says
 * what is wrong and what may be there. */
enum st ports_options_check(const struct ports_options *options,
                            const struct object_names *names,
                            struct err *err) ST_WARN_UNUSED;

#endif /* saihostd/ports_options.h */
