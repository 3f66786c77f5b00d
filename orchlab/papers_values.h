/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_PAPERS_VALUES_H
#define ORCHD_ORCHLAB_PAPERS_VALUES_H

/* Values in the JSON of "orchlab papers", as text. */

#include <jansson.h>
#include <stdbool.h>

#include "lab/measure/metric.h"

enum { PAPERS_VALUE_SIZE = METRIC_TEXT_SIZE };

/* Returns the name of 'unit' in JSON. */
const char *papers_unit(enum metric_unit unit);

/* Returns the number 'key' of 'object', 0 if there is none. */
long long papers_number(const json_t *object, const char *key);

/* Returns whether all verdicts of the expectation 'line' passed; there is at
 * least one. */
bool papers_holds(const json_t *line);

/* Returns the verdict of an expectation, "" without one. */
const char *papers_verdict(const json_t *line);

/* Returns the value 'key' of an expectation with its unit, "" if it is not
 * known; 'text' has PAPERS_VALUE_SIZE bytes of room. */
const char *papers_value(const json_t *line, const char *key, char *text);

#endif /* orchlab/papers_values.h */
