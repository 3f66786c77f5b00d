/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_WARM_RESTART_H
#define ORCHD_SOFTASIC_SAI_WARM_RESTART_H

/* A switch that goes on without its host: orderly restarts.
 *
 * What remove_switch() does is up to two attributes of the switch:
 *
 *   RESTART_WARM true                      warm: the switch forwards on, with
 *                                          all that it holds; the next
 *                                          create_switch() finds all of it
 *   UNINIT_DATA_PLANE_ON_REMOVAL false     fast: it forwards on; the next
 *                                          create_switch() begins from nothing
 *   otherwise                              it ends
 *
 * What is created again after a warm restart has RESTART_WARM false, and the
 * callbacks that the creation names and no others; its other attributes are as
 * they were, whatever the creation says.
 *
 * A host that just goes away, or dies, needs none of this where the switch is
 * in a process of its own (docs/reference/remote.md). */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "vendors/softasic/state.h"

struct library;

/* The switch is to be removed: makes it one that goes on, if that is what its
 * attributes say.  Returns whether it does. */
bool warm_restart_switch(struct library *library);

/* A switch is to be created, with 'n' attributes, and there is none.  Makes the
 * one that was left warm the switch again; ends one that was left otherwise.
 * Returns whether there is a switch now. */
bool warm_restart_resume(struct library *library, uint32_t n,
                         const sai_attribute_t *attributes);

#endif /* vendors/softasic/sai/warm_restart.h */
