/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl log level": the levels of orchd's log. */

#include <config.h>

#include "command/grid.h"
#include "orchctl/verb.h"

/* "MODULE LEVEL" or nothing. */
static enum st
prepare_level(struct invocation *invocation, struct err *err)
{
    if (!invocation->n_operands) {
        return ST_OK;
    }
    if (invocation->n_operands != 2) {
        return err_set(err, ST_INVALID, "usage",
                       "log level takes MODULE LEVEL, or nothing");
    }
    json_object_set_new(invocation->arguments, "module",
                        json_string(invocation->operands[0]));
    json_object_set_new(invocation->arguments, "level",
                        json_string(invocation->operands[1]));
    return ST_OK;
}

static void
print_levels(const struct invocation *invocation, const json_t *data)
{
    static const struct grid_column columns[] = {{"MODULE", false},
                                                 {"LEVEL", false}};
    struct grid *grid =
        grid_create(columns, sizeof columns / sizeof columns[0]);
    json_t *level;
    size_t i;

    (void)invocation;
    json_array_foreach(json_object_get(data, "levels"), i, level)
    {
        grid_line(grid);
        grid_text(grid, json_string_value(json_object_get(level, "module")));
        grid_text(grid, json_string_value(json_object_get(level, "level")));
    }
    grid_print(grid, 0);
}

const struct verb log_verbs[] = {
    {"log", "level", "[MODULE LEVEL]", 0, 2, NULL,
     "Show the log levels of orchd's modules, or set one",
     "LEVEL is error, warn, info or debug.  It holds until orchd restarts.\n",
     prepare_level, print_levels, NULL},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
