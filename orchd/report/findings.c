/* SPDX-License-Identifier: Apache-2.0 */

/* Findings, one object each. */

#include <config.h>

#include "orchd/report/findings.h"

#include <stdlib.h>

#include "base/check.h"
#include "orchd/lint/lint.h"
#include "sai/core/backend.h"
#include "twin/chip/chip.h"

struct findings {
    struct lint *lint;       /* Owned. */
    const struct chip *chip; /* Borrowed; NULL if it is unknown. */
    json_t *list;            /* Owned. */
    json_int_t n[2];         /* By level. */
};

static void
on_finding(void *findings_, const struct lint_finding *finding)
{
    struct findings *findings = findings_;
    enum lint_level level = lint_level(finding->rule);

    findings->n[level]++;
    json_array_append_new(
        findings->list,
        json_pack("{s:s, s:s, s:s, s:I, s:s, s:s, s:s}", "code",
                  lint_code(finding->rule), "level", lint_level_name(level),
                  "row", finding->row, "n_more", (json_int_t)finding->n_more,
                  "reason", finding->reason, "remedy", finding->remedy,
                  "explanation", lint_explanation(finding->rule)));
}

/* Returns the bytes of the whole buffer, 0 if the switch does not report it. */
static uint64_t
total_buffer_bytes(struct sai_backend *backend)
{
    sai_attribute_t size = {.id = SAI_SWITCH_ATTR_TOTAL_BUFFER_SIZE};

    if (backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH, backend->switch_id,
                          1, &size) != SAI_STATUS_SUCCESS) {
        return 0;
    }
    return (uint64_t)size.value.u64 * 1024;
}

struct findings *
findings_begin(struct agent *agent, struct sai_backend *backend,
               const struct chip *chip)
{
    const struct lint_switch sw = {
        .agent = agent,
        .chip = chip,
        .memory_bytes = chip ? chip->memory_bytes : total_buffer_bytes(backend),
    };
    struct findings *findings = check_calloc(1, sizeof *findings);

    findings->lint = lint_create(&sw);
    findings->chip = chip;
    findings->list = json_array();
    return findings;
}

bool
findings_continue(struct findings *findings)
{
    return lint_continue(findings->lint);
}

/* Returns what the rule of headroom has looked at. */
static json_t *
describe_headroom(const struct lint_headroom *headroom)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "groups",
                     (json_int_t)headroom->n_groups, "judged",
                     (json_int_t)headroom->n_judged, "too_small",
                     (json_int_t)headroom->n_small, "no_chip",
                     (json_int_t)headroom->n_no_chip, "no_speed",
                     (json_int_t)headroom->n_no_speed, "no_cable",
                     (json_int_t)headroom->n_no_cable);
}

json_t *
findings_end(struct findings *findings)
{
    const struct lint_headroom headroom = lint_headroom(findings->lint);
    json_t *report;

    lint_end(findings->lint, on_finding, findings);
    findings->lint = NULL;
    report = json_pack("{s:s?, s:I, s:I, s:O, s:o}", "chip",
                       findings->chip ? findings->chip->name : NULL, "warnings",
                       findings->n[LINT_WARNING], "notes",
                       findings->n[LINT_NOTE], "findings", findings->list,
                       "headroom", describe_headroom(&headroom));
    findings_destroy(findings);
    return report;
}

void
findings_destroy(struct findings *findings)
{
    if (findings) {
        lint_destroy(findings->lint);
        json_decref(findings->list);
        free(findings);
    }
}

json_t *
findings_find(struct agent *agent, struct sai_backend *backend,
              const struct chip *chip)
{
    struct findings *findings = findings_begin(agent, backend, chip);

    while (findings_continue(findings)) {
    }
    return findings_end(findings);
}
