/* SPDX-License-Identifier: Apache-2.0 */

/* Puts a value into a scenario at a path of which parts may be missing. */

#include <config.h>

#include "orchlab/value_put.h"

#include "base/text.h"
#include "orchlab/run_plan.h"

/* Writes the form in which the first 'depth' of 'n' keys are the path and the
 * others are maps around the value. */
static void
write_form(const char *const *keys, size_t n, size_t depth, const char *value,
           struct text *set)
{
    for (size_t i = 0; i < depth; i++) {
        text_addf(set, i ? ".%s" : "%s", keys[i]);
    }
    text_add(set, "=");
    for (size_t i = depth; i < n; i++) {
        text_addf(set, "{'%s': ", keys[i]);
    }
    text_add(set, value);
    for (size_t i = depth; i < n; i++) {
        text_add(set, "}");
    }
}

enum st
value_put(const char *file, const struct run_plan_options *options,
          json_t *sets, const char *const *keys, const char *value,
          struct err *err)
{
    size_t n = 0;
    enum st st = ST_INVALID;

    while (keys[n]) {
        n++;
    }
    for (size_t depth = n; st && depth > 0; depth--) {
        struct text set = {0};
        struct run_plan plan;

        write_form(keys, n, depth, value, &set);
        json_array_append_new(sets, json_string(text_string(&set)));
        st = run_plan_read(file, options, &plan, err);
        run_plan_fini(&plan);
        if (st) {
            json_array_remove(sets, json_array_size(sets) - 1);
        }
        text_fini(&set);
    }
    return st;
}
