/* SPDX-License-Identifier: Apache-2.0 */

/* Parses the conditions that a run stops at. */

#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "lab/exec/run.h"

static const struct {
    const char *name;
    double ps;
} time_units[] = {
    {"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12},
};

static const struct {
    const char *name;
    enum run_break_kind kind;
} events[] = {
    {"drop", RUN_BREAK_DROP},
    {"pause", RUN_BREAK_PAUSE},
    {"mark", RUN_BREAK_MARK},
};

#define N(array) (sizeof(array) / sizeof(array)[0])

enum st
run_parse_time(const char *text, int64_t *ps, struct err *err)
{
    char *unit;
    const double number = strtod(text, &unit);

    unit += strspn(unit, " ");
    for (size_t i = 0; i < N(time_units); i++) {
        const double value = number * time_units[i].ps;

        /* 106 days fit. */
        if (unit != text && !strcmp(unit, time_units[i].name) && value >= 0 &&
            value < 9.2e18) {
            *ps = llrint(value);
            return ST_OK;
        }
    }
    err_set(err, ST_INVALID, "time", "'%.40s' is not a time", text);
    err_set_field(err, "time", text, "a number with ps, ns, us, ms or s");
    return ST_INVALID;
}

/* Parses "flow N". */
static enum st
parse_flow(const char *text, struct run_break *condition, struct err *err)
{
    uint64_t flow;

    text += strspn(text, " ");
    if (parse_u64(text, 0, UINT32_MAX - 1, &flow)) {
        return err_set(err, ST_INVALID, "flow",
                       "'%.40s' is not the number of a flow", text);
    }
    *condition =
        (struct run_break){.kind = RUN_BREAK_FLOW, .flow = (uint32_t)flow};
    return ST_OK;
}

enum st
run_break_parse(const char *text, struct run_break *condition, struct err *err)
{
    struct choices choices;
    int64_t when_ps;

    for (size_t i = 0; i < N(events); i++) {
        if (!strcmp(events[i].name, text)) {
            *condition = (struct run_break){.kind = events[i].kind};
            return ST_OK;
        }
    }
    if (!strncmp(text, "flow ", 5)) {
        return parse_flow(text + 5, condition, err);
    }
    if (!run_parse_time(text, &when_ps, NULL)) {
        *condition =
            (struct run_break){.kind = RUN_BREAK_TIME, .when_ps = when_ps};
        return ST_OK;
    }
    choices_init(&choices, text);
    for (size_t i = 0; i < N(events); i++) {
        choices_add(&choices, events[i].name);
    }
    choices_add(&choices, "flow N");
    choices_add(&choices, "a time (2ms)");
    err_set(err, ST_INVALID, "break", "a run cannot stop at '%.40s'", text);
    return choices_explain(&choices, "break", err);
}
