/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_WRED_PROFILES_H
#define ORCHD_SOFTASIC_PROGRAM_WRED_PROFILES_H

/* WRED profiles: from SAI's attributes to those of the twin.
 *
 * The data of a WRED object is its 'struct wred_profile', to which queues of
 * the twin point; it is filled anew at every change.
 *
 * Where SAI leaves a choice:
 *   - a threshold of 0 is the whole memory, which no queue exceeds;
 *   - a threshold and its 64-bit twin are one: what is written last holds, and
 *     both read the same (one that needs 64 bits reads as the largest of 32);
 *   - a color drops if it is enabled, and marks if ECN_MARK_MODE names it,
 *     each without the other;
 *   - marking goes by the thresholds and the probability of dropping, unless
 *     the switch has ECN_ECT_THRESHOLD_ENABLE: then by the ECN attributes of
 *     the color, or of all colors (ECN_COLOR_UNAWARE, mode ALL) if these are
 *     given; what is not given is that of dropping. */

#include <sai.h>

#include "vendors/softasic/state.h"

/* Makes or brings up to date the twin's half of 'wred', of which attribute 'id'
 * was written last (0 at creation). */
void wred_profiles_program(struct daemon_switch *asic,
                           struct objects_item *wred, sai_attr_id_t id);

/* Brings all WRED profiles up to date: the switch has changed. */
void wred_profiles_program_all(struct daemon_switch *asic);

/* Gives 'queue' the profile that it names. */
void wred_profiles_attach(struct daemon_switch *asic,
                          const struct objects_item *queue);

/* Frees the twin's half of 'wred', to which nothing points. */
void wred_profiles_forget(struct objects_item *wred);

#endif /* vendors/softasic/program/wred_profiles.h */
