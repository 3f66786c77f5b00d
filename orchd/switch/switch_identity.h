/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SWITCH_SWITCH_IDENTITY_H
#define ORCHD_SWITCH_SWITCH_IDENTITY_H

/* What the switch behind a libsai is: a simulation or not, which chip, and why
 * that one.
 *
 * The default of --sai is a simulation, and an hwsku without a chip file falls
 * back to another chip.  Both give answers that are right for a switch that is
 * not the user's, so both are reported wherever the user looks. */

#include <stdbool.h>

struct chip;
struct loader;
struct loader_options;

struct switch_identity {
    bool simulated; /* By softasic, here or in another process.  A foreign
                     * libsai does not say whether it simulates. */
    char library[256];
    char chip[64];     /* "" if it is unknown. */
    char chosen[192];  /* By what: "hwsku ACS-MSN2700". */
    char warning[256]; /* Why it is not the chip of the hwsku, or "". */
};

/* Describes the switch behind 'loader', which 'options' and 'hwsku' (NULL or
 * "": none) have created.  'chip' is its description, NULL if unknown. */
void switch_identity_find(const struct loader_options *options,
                          struct loader *loader, const char *hwsku,
                          const struct chip *chip,
                          struct switch_identity *identity);

/* Returns how to correct a warning; static. */
const char *switch_identity_remedy(void);

#endif /* orchd/switch/switch_identity.h */
