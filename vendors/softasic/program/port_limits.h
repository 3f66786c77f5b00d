/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_PORT_LIMITS_H
#define ORCHD_SOFTASIC_PROGRAM_PORT_LIMITS_H

/* Which lanes and speeds a port can have.
 *
 * The default ports of a chip say how fast a lane is.  On a chip without
 * default ports any port can have any speed. */

#include <stdint.h>

#include <sai.h>

#include "base/status.h"

struct asic;
struct objects_item;

enum { PORT_LIMITS_SPEEDS = 10 }; /* At most so many. */

/* Checks that the chip has the lanes of 'port', each once, and that no other
 * port has them. */
sai_status_t port_limits_check_lanes(const struct asic *asic,
                                     const struct objects_item *port,
                                     struct err *err);

/* Records the lanes of 'port', which was just added, for later checks. */
void port_limits_note(struct asic *asic, const struct objects_item *port);

/* Checks the speed of 'port', which has valid lanes. */
sai_status_t port_limits_check_speed(const struct asic *asic,
                                     const struct objects_item *port,
                                     struct err *err);

/* Writes the speeds that 'port' can have to 'mbps', which has room for
 * PORT_LIMITS_SPEEDS, in ascending order.  Returns their number. */
uint32_t port_limits_speeds(const struct asic *asic,
                            const struct objects_item *port, uint32_t *mbps);

#endif /* vendors/softasic/program/port_limits.h */
