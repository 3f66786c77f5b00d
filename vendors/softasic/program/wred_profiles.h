/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_WRED_PROFILES_H
#define ORCHD_SOFTASIC_PROGRAM_WRED_PROFILES_H

/* WRED profiles: converts SAI's attributes to those of the twin.
 *
 * The data of a WRED object is its 'struct wred_profile', to which queues of
 * the twin point; every change fills it again.
 *
 * Where SAI leaves a choice:
 *   - a threshold of 0 is the whole memory, which no queue exceeds;
 *   - a threshold and its 64-bit variant are the same: the value written last
 *     applies, and both read the same (a value beyond 32 bits reads as the
 *     largest of 32);
 *   - a color drops if it is enabled, and marks if ECN_MARK_MODE names it,
 *     independently;
 *   - marking uses the thresholds and the probability of dropping, unless the
 *     switch has ECN_ECT_THRESHOLD_ENABLE: then it uses the ECN attributes of
 *     the color, or of all colors (ECN_COLOR_UNAWARE, mode ALL) if these are
 *     set; for those that are not set it uses the ones of dropping. */

#include <sai.h>

#include "vendors/softasic/state.h"

/* Creates or updates the profile of the twin for 'wred', whose attribute 'id'
 * was written last (0 at creation). */
void wred_profiles_program(struct asic *asic, struct objects_item *wred,
                           sai_attr_id_t id);

/* Updates all WRED profiles after a change of the switch. */
void wred_profiles_program_all(struct asic *asic);

/* Programs the profile that applies to the frames of 'queue'. */
void wred_profiles_attach(struct asic *asic, const struct objects_item *queue);

/* Frees the profile of the twin for 'wred', to which nothing points. */
void wred_profiles_free(struct objects_item *wred);

#endif /* vendors/softasic/program/wred_profiles.h */
