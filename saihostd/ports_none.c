/* SPDX-License-Identifier: Apache-2.0 */

/* Ports of a library that is not softasic: it manages those of its hardware
 * itself. */

#include <config.h>

#include "base/check.h"
#include "saihostd/ports.h"

enum st
ports_create(struct event_base *base, struct log *log,
             const struct softasic_front *front,
             const struct ports_options *options, struct privileged *privileged,
             struct ports **ports, struct err *err)
{
    (void)base;
    (void)log;
    (void)front;
    (void)options;
    (void)privileged;
    (void)ports;
    return err_set(err, ST_UNSUPPORTED, "ports",
                   "only softasicd supports interfaces as ports");
}

void
ports_destroy(struct ports *ports)
{
    orch_assert(!ports);
}

void
ports_enter(struct ports *ports)
{
    (void)ports;
}

void
ports_turn(struct ports *ports)
{
    (void)ports;
}
