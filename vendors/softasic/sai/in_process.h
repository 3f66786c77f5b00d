/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_IN_PROCESS_H
#define ORCHD_SOFTASIC_SAI_IN_PROCESS_H

/* The provider of libsai-softasic for the switch of this process. */

#include "vendors/libsai/libsai.h"

/* Returns the provider whose switch is in this process; static. */
const struct libsai *in_process_provider(void);

#endif /* vendors/softasic/sai/in_process.h */
