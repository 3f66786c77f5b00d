/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SWITCH_SWITCH_VOQ_H
#define ORCHD_SWITCH_SWITCH_VOQ_H

/* The attributes of a VOQ switch: what CONFIG_DB says about the chassis.
 *
 * SAI wants to know when a switch is created that it is one of several ASICs of
 * a chassis, and which ports all of them have.  A switch is created that way if
 * DEVICE_METADATA|localhost has switch_type voq, switch_id and max_cores; the
 * rows of SYSTEM_PORT that are there at that time are its system ports.  A row
 * that repeats the numbers of another one, whose key is less, is left out. */

#include <stdint.h>

#include <sai.h>

struct intent;

enum { SWITCH_VOQ_MAX_ATTRIBUTES = 4 };

/* The attributes to create a switch with.  End with switch_voq_fini(). */
struct switch_voq {
    sai_attribute_t attributes[SWITCH_VOQ_MAX_ATTRIBUTES];
    uint32_t n; /* 0: it is no VOQ switch. */
    sai_system_port_config_t *ports; /* Of the list in them; owned. */
};

/* Fills '*voq' from the rows of 'intent' that are in force. */
void switch_voq_init(struct switch_voq *voq, const struct intent *intent);
void switch_voq_fini(struct switch_voq *voq);

#endif /* orchd/switch/switch_voq.h */
