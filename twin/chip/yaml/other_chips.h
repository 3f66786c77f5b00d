/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_CHIP_YAML_OTHER_CHIPS_H
#define ORCHD_TWIN_CHIP_YAML_OTHER_CHIPS_H

/* Names the chip of an hwsku that has no chip file: chips/other.hwskus.
 *
 * A switch of such an hwsku falls back to another chip, with other thresholds.
 * A message that names the right chip says that this is no spelling mistake. */

#include <stdbool.h>
#include <stddef.h>

/* Finds the chip of 'hwsku' in the list in 'directory' and stores its name.
 * Returns false if the list does not have it, or cannot be read. */
bool other_chips_find(const char *directory, const char *hwsku, char *chip,
                      size_t size);

/* Stores why a simulated switch is 'chip' although no chip file in 'directory'
 * matches 'hwsku'; NULL or "": there is none. */
void other_chips_explain(const char *directory, const char *hwsku,
                         const char *chip, char *text, size_t size);

#endif /* twin/chip/yaml/other_chips.h */
