/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_TRIMMING_H
#define ORCHD_SOFTASIC_PROGRAM_TRIMMING_H

/* Packet trimming: SAI_SWITCH_ATTR_PACKET_TRIM_* and the
 * PACKET_ADMISSION_FAIL_ACTION of buffer profiles, as the twin has it
 * (sim_set_trimming()).
 *
 * The action counts where a queue has the profile; at a priority group it has
 * no effect.  A size, traffic class or queue is one that the chip has ('struct
 * chip_trimming').  Where the chip lacks a default of SAI's, what was not set
 * is the least one that it has.  A change of the DSCP mode or of the queue mode
 * leaves the other values as they are. */

#include <sai.h>

#include "vendors/softasic/state.h"

/* Returns whether attribute 'id' of the switch is about trimming. */
bool trimming_concerns(sai_attr_id_t id);

/* Returns whether 'chip' can choose the queue of trimmed packets by 'mode'. */
bool trimming_has_queue_mode(const struct chip *chip, int32_t mode);

/* Programs a change of attribute 'id' of the switch: SAI_STATUS_SUCCESS,
 * _INVALID_ATTR_VALUE_0, or _ATTR_NOT_SUPPORTED_0 if the chip does not trim. */
sai_status_t trimming_set_switch(struct asic *asic,
                                 const struct objects_item *sw,
                                 sai_attr_id_t id, struct err *err);

/* Programs what 'queue' does by its present profile. */
void trimming_set_queue(struct asic *asic, const struct objects_item *queue);

/* Programs a change of the action of 'profile' for all queues that have it. */
void trimming_set_profile(struct asic *asic,
                          const struct objects_item *profile);

#endif /* vendors/softasic/program/trimming.h */
