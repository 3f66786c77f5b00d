/* SPDX-License-Identifier: Apache-2.0 */

/* The conditions that a run stops at: parses them, and keeps those that have
 * not been met. */

#include <config.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/scenario/quantity.h"

static const struct {
    const char *name;
    enum run_break_kind kind;
} events[] = {
    {"drop", RUN_BREAK_DROP},
    {"pause", RUN_BREAK_PAUSE},
    {"mark", RUN_BREAK_MARK},
};

enum { BREAKS_MIN = 8 };

#define N(array) (sizeof(array) / sizeof(array)[0])

enum st
run_parse_time(const char *text, int64_t *ps, struct err *err)
{
    return quantity_parse(QUANTITY_TIME, text, ps, err);
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

/* Meeting them ------------------------------------------------------------- */

void
run_break(struct run *run, const struct run_break *condition)
{
    if (run->n_breaks == run->breaks_size) {
        run->breaks_size = run->breaks_size ? 2 * run->breaks_size : BREAKS_MIN;
        run->breaks =
            check_realloc(run->breaks, run->breaks_size * sizeof *run->breaks);
    }
    run->breaks[run->n_breaks++] = *condition;
}

void
run_meet(struct run *run, enum run_break_kind kind, uint32_t flow,
         const char *format, ...)
{
    for (size_t i = 0; i < run->n_breaks; i++) {
        const struct run_break *condition = &run->breaks[i];
        va_list arguments;

        if (condition->kind != kind || condition->flow != flow ||
            (kind == RUN_BREAK_TIME && condition->when_ps > run_now(run))) {
            continue;
        }
        run->breaks[i] = run->breaks[--run->n_breaks];
        va_start(arguments, format);
        (void)vsnprintf(run->reason, sizeof run->reason, format, arguments);
        va_end(arguments);
        run->is_broken = true;
        return;
    }
}

const char *
run_break_reason(const struct run *run)
{
    return run->reason;
}
