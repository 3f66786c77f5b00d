/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_ENTRY_H
#define ORCHD_SOFTASIC_ENTRY_H

/* What a libsai exports, answered by the switch of this process. */

#include "vendors/libsai/libsai.h"

/* Returns the switch of this process as the inside of a libsai. */
const struct libsai *entry_inside(void);

#endif /* vendors/softasic/entry.h */
