/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_WARM_RESTART_H
#define ORCHD_SOFTASIC_SAI_WARM_RESTART_H

/* Warm and fast restarts: a switch that runs on without a client.
 *
 * Two attributes of the switch decide what remove_switch() does:
 *
 *   RESTART_WARM true                    warm: the switch keeps forwarding and
 *                                        keeps all objects; the next
 *                                        create_switch() returns it
 *   UNINIT_DATA_PLANE_ON_REMOVAL false   fast: it keeps forwarding; the next
 *                                        create_switch() creates an empty one
 *   otherwise                            cold: it is destroyed
 *
 * After a warm restart the switch has RESTART_WARM false, and only the
 * callbacks that the creation names; its other attributes are unchanged,
 * whatever the creation says.
 *
 * If the switch is in a process of its own, it survives a client that exits or
 * crashes without any of this (docs/reference/remote.md). */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "vendors/softasic/state.h"

struct library;

/* Handles remove_switch(): keeps the switch running if its attributes say so.
 * Returns whether it did. */
bool warm_restart_switch(struct library *library);

/* Handles create_switch() with 'n' attributes while there is no switch: resumes
 * one that was removed for a warm restart; destroys one that was removed for a
 * fast restart.  Returns whether there is a switch now. */
bool warm_restart_resume(struct library *library, uint32_t n,
                         const sai_attribute_t *attributes);

#endif /* vendors/softasic/sai/warm_restart.h */
