/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SWITCH_TRIMMING_CAPABILITY_H
#define ORCHD_SWITCH_TRIMMING_CAPABILITY_H

/* Whether a switch can trim packets, as SAI's capability queries say. */

#include <stdbool.h>

struct loader;

/* The modes are comma lists of DSCP_VALUE and FROM_TC, or STATIC and DYNAMIC;
 * "N/A" if none can be set. */
struct trimming_capability {
    bool capable; /* The size, both modes, and each value that belongs to a mode
                   * on offer can be set. */
    char dscp_modes[24];
    char queue_modes[24];
};

/* Asks the library of 'loader', which has a switch. */
void trimming_capability_read(struct loader *loader,
                              struct trimming_capability *capability);

#endif /* orchd/switch/trimming_capability.h */
