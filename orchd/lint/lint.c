/* SPDX-License-Identifier: Apache-2.0 */

/* Runs the rules. */

#include <config.h>

#include "orchd/lint/lint.h"

#include <stdlib.h>

#include "base/check.h"
#include "orchd/lint/lint_buffer.h"
#include "orchd/lint/rules.h"
#include "orchd/reconcile/agent.h"

static void
create_buffer(struct lint_run *run)
{
    if (run->chip) {
        run->buffer = lint_buffer_create(run->chip, run->input);
    }
}

/* What lint_continue() does, one after the other: it collects, */
static void (*const collectors[])(struct lint_input *input,
                                  struct agent *agent) = {
    lint_input_collect,
    lint_input_collect_children,
};

#define N_COLLECTORS (sizeof collectors / sizeof collectors[0])

/* and checks. */
static void (*const parts[])(struct lint_run *run) = {
    create_buffer,  lint_memory_rules, lint_profile_rules, lint_headroom_rules,
    lint_ecn_rules, lint_class_rules,  lint_port_rules,    lint_trimming_rules,
};

#define N_PARTS (sizeof parts / sizeof parts[0])

struct lint {
    struct lint_input input;
    struct lint_run run;
    struct agent *agent; /* Borrowed. */
    size_t collected;    /* Of 'collectors'. */
    size_t done;         /* Of 'parts'. */
};

struct lint *
lint_create(const struct lint_switch *sw)
{
    struct lint *lint = check_calloc(1, sizeof *lint);

    agent_sort_objects(sw->agent);
    lint->agent = sw->agent;
    lint->run.input = &lint->input;
    lint->run.chip = sw->chip;
    lint->run.memory_bytes = sw->memory_bytes;
    lint->run.groups = lint_groups_create();
    return lint;
}

void
lint_destroy(struct lint *lint)
{
    if (lint) {
        lint_groups_destroy(lint->run.groups);
        lint_buffer_destroy(lint->run.buffer);
        lint_input_fini(&lint->input);
        free(lint);
    }
}

bool
lint_continue(struct lint *lint)
{
    if (lint->collected < N_COLLECTORS) {
        collectors[lint->collected++](&lint->input, lint->agent);
        return true;
    }
    parts[lint->done++](&lint->run);
    return lint->done < N_PARTS;
}

struct lint_headroom
lint_headroom(const struct lint *lint)
{
    return lint->run.headroom;
}

void
lint_end(struct lint *lint, lint_report_fn *report, void *context)
{
    lint_report(lint->run.groups, report, context);
    lint->run.groups = NULL;
    lint_destroy(lint);
}
