/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_VALUE_PUT_H
#define ORCHD_ORCHLAB_VALUE_PUT_H

/* Puts a value into a scenario at a path of which parts may be missing. */

#include <jansson.h>

#include "base/status.h"

struct run_plan_options;

/* Appends "PATH=VALUE" to the array 'sets', which are those of 'options', by
 * the first of these forms that the scenario 'file' takes: the deeper the map,
 * the more of it need not be there.  'keys' is the path, with NULL at the end.
 * Fails as run_plan_read() does for the last form, and then appends nothing. */
enum st value_put(const char *file, const struct run_plan_options *options,
                  json_t *sets, const char *const *keys, const char *value,
                  struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/value_put.h */
