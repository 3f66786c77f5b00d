/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_PORTS_OPTIONS_H
#define ORCHD_SAIHOSTD_PORTS_OPTIONS_H

/* The options about ports, and their checks.  They run before there is a
 * switch, so that softasicd reports an error at startup rather than in the log
 * later. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct object_names;

/* A port, by its name or by its first lane, and the interface that is bound to
 * it. */
struct ports_bound {
    const char *port; /* NULL: by 'lane'. */
    const char *interface;
    uint32_t lane;
};

struct ports_options {
    const char *tap_prefix; /* NULL: no TAPs. */
    const char *namespace;  /* The namespace of interfaces; NULL: that of the
                               process. */
    const char *names;      /* A config_db.json or port_config.ini; may be
                               NULL. */
    const char *lanemap;    /* Where bindings by lanes come from; NULL: there
                               are none. */
    const char *host_namespace; /* The namespace of host interfaces; NULL: that
                                   of the process. */
    const struct ports_bound *bound;
    size_t n_bound;
    uint32_t tap_queue; /* Frames that may wait at a TAP; 0: the default. */
    uint32_t dilation;  /* Of time, see clock.h. */
    bool line_dilation; /* The library slows lines down instead of time. */
};

enum { PORTS_TAP_QUEUE_MAX = 100000 };

#define PORTS_NO_LANE UINT32_MAX

/* Checks prefix, names of ports and bound interfaces.  ST_INVALID: 'err' says
 * what is wrong and what is valid. */
enum st ports_options_check(const struct ports_options *options,
                            const struct object_names *names,
                            struct err *err) ST_WARN_UNUSED;

/* Returns the interface that is bound to the port 'name', whose first lane is
 * 'lane' (PORTS_NO_LANE: not known), NULL if there is none.  A binding by name
 * overrides one by lane. */
const char *ports_options_interface(const struct ports_options *options,
                                    const char *name, uint32_t lane);

#endif /* saihostd/ports_options.h */
