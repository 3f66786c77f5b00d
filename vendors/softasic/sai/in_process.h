/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_IN_PROCESS_H
#define ORCHD_SOFTASIC_SAI_IN_PROCESS_H

/* What a libsai exports, answered by the switch of this process. */

#include "vendors/libsai/libsai.h"

/* Returns the switch of this process as the inside of a libsai. */
const struct libsai *in_process_provider(void);

#endif /* vendors/softasic/sai/in_process.h */
