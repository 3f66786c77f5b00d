/* SPDX-License-Identifier: Apache-2.0 */

/* Runs the rules. */

#include <config.h>

#include "orchd/lint/lint.h"

#include "orchd/lint/lint_buffer.h"
#include "orchd/lint/rules.h"

void
lint_run(const struct lint_switch *sw, lint_report_fn *report, void *context)
{
    struct lint_input input;
    struct lint_run run = {
        .input = &input,
        .chip = sw->chip,
        .memory_bytes = sw->memory_bytes,
        .groups = lint_groups_create(),
    };

    lint_input_collect(&input, sw->agent);
    if (sw->chip) {
        run.buffer = lint_buffer_create(sw->chip, &input);
    }
    lint_memory_rules(&run);
    lint_profile_rules(&run);
    lint_headroom_rules(&run);
    lint_ecn_rules(&run);
    lint_class_rules(&run);
    lint_port_rules(&run);
    lint_report(run.groups, report, context);
    lint_buffer_destroy(run.buffer);
    lint_input_fini(&input);
}
