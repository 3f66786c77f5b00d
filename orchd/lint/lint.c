/* SPDX-License-Identifier: Apache-2.0 */

/* Runs the rules. */

#include <config.h>

#include "orchd/lint/lint.h"

#include "orchd/lint/lint_buffer.h"
#include "orchd/lint/rules.h"

void
lint_run(const struct lint_input *input, lint_report_fn *report, void *context)
{
    struct lint_facts facts;
    struct lint_run run = {
        .facts = &facts,
        .chip = input->chip,
        .memory_bytes = input->memory_bytes,
        .groups = lint_groups_create(),
    };

    lint_facts_collect(&facts, input->agent);
    if (input->chip) {
        run.buffer = lint_buffer_create(input->chip, &facts);
    }
    lint_memory_rules(&run);
    lint_profile_rules(&run);
    lint_headroom_rules(&run);
    lint_ecn_rules(&run);
    lint_class_rules(&run);
    lint_report(run.groups, report, context);
    lint_buffer_destroy(run.buffer);
    lint_facts_fini(&facts);
}
