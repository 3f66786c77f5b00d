/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_FUZZ_SWITCH_H
#define ORCHD_TESTS_FUZZ_SWITCH_H

/* A small software switch in this process, as a backend: the verbs behind
 * SAI's function tables without a library that is loaded. */

#include "sai/core/backend.h"
#include "vendors/softasic/softasic.h"

struct asic;

/* Initialises the library and creates a switch of the chip "small" (chips/).
 * The backend is static.  End with switch_end(). */
struct sai_backend *switch_begin(void);

/* The switch itself; NULL while it is removed. */
const struct asic *switch_asic(void);

/* Frees the switch and all that is on it. */
void switch_end(void);

#endif /* tests/fuzz/switch.h */
