/* SPDX-License-Identifier: Apache-2.0 */

/* Reads lines "CHIP PATTERN". */

#include <config.h>

#include "twin/chip/yaml/other_chips.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "twin/chip/chip.h"

#define FILE_NAME "other.hwskus"

bool
other_chips_find(const char *directory, const char *hwsku, char *chip,
                 size_t size)
{
    char path[PATH_MAX], line[256];
    bool found = false;
    FILE *file;

    if (!text_format(path, sizeof path, "%s/" FILE_NAME, directory)) {
        return false;
    }
    file = fopen(path, "re");
    while (file && !found && fgets(line, sizeof line, file)) {
        char *rest = NULL;
        const char *name = strtok_r(line, " \t\n", &rest);
        const char *pattern = strtok_r(NULL, " \t\n", &rest);

        found = name && *name != '#' && pattern &&
                chip_pattern_matches(pattern, hwsku) &&
                text_copy(chip, size, name);
    }
    if (file) {
        (void)fclose(file);
    }
    return found;
}

void
other_chips_explain(const char *directory, const char *hwsku, const char *chip,
                    char *text, size_t size)
{
    char other[64];

    if (!hwsku || !*hwsku) {
        text_format(text, size, "no hwsku is given: the simulated chip is %s",
                    chip);
    } else if (other_chips_find(directory, hwsku, other, sizeof other)) {
        text_format(text, size,
                    "no chip file describes the %s of hwsku %.100s: the "
                    "simulated chip is %s",
                    other, hwsku, chip);
    } else {
        text_format(text, size,
                    "no chip file knows hwsku %.100s: the simulated chip is %s",
                    hwsku, chip);
    }
}
