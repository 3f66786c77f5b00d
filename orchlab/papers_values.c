/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the JSON of "orchlab papers". */

#include <config.h>

#include "orchlab/papers_values.h"

#include <string.h>

#include "orchlab/board.h"

/* In the order of units. */
static const char *const units[] = {
    [METRIC_NUMBER] = "",
    [METRIC_SECONDS] = "s",
    [METRIC_BITS_PER_SECOND] = "bit/s",
    [METRIC_BYTES] = "bytes",
};

const char *
papers_unit(enum metric_unit unit)
{
    return units[unit];
}

long long
papers_number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

bool
papers_holds(const json_t *line)
{
    return papers_number(line, "verdicts") &&
           papers_number(line, "verdicts") == papers_number(line, "passed");
}

const char *
papers_verdict(const json_t *line)
{
    return !papers_number(line, "verdicts") ? ""
           : papers_holds(line)             ? board_state_name(BOARD_PASSED)
           : json_is_true(json_object_get(line, "report"))
               ? board_state_name(BOARD_DEVIATING)
               : board_state_name(BOARD_FAILED);
}

const char *
papers_value(const json_t *line, const char *key, char *text)
{
    const json_t *value = json_object_get(line, key);
    const char *name = json_string_value(json_object_get(line, "unit"));
    size_t unit = 0;

    while (strcmp(units[unit], name) != 0) {
        unit++;
    }
    return value ? metric_text(json_real_value(value), (enum metric_unit)unit,
                               text)
                 : "";
}
