/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LINT_REPORT_H
#define ORCHD_LINT_REPORT_H

/* Collects findings; the same finding about many rows is reported once. */

#include "base/attributes.h"
#include "orchd/lint/rule.h"

struct lint_groups;

typedef void lint_report_fn(void *context, const struct lint_finding *finding);

/* Returns an empty collection.  lint_report() frees it or, without a report,
 * lint_groups_destroy(), which accepts NULL. */
struct lint_groups *lint_groups_create(void);
void lint_groups_destroy(struct lint_groups *groups);

/* Adds a finding of 'rule' about the row "TABLE|name" or, with an 'index' that
 * is not negative, "TABLE|name|index".  Findings with the same rule and reason
 * are merged, so the reason must not name the row.  The remedy is static. */
void lint_add(struct lint_groups *groups, enum lint_rule rule,
              const char *table, const char *name, int index,
              const char *remedy, const char *format, ...) ST_PRINTF(7, 8);

/* Reports all findings, in the order of the rules, and frees 'groups'. */
void lint_report(struct lint_groups *groups, lint_report_fn *report,
                 void *context);

/* What the rule of headroom has looked at. */
struct lint_headroom {
    size_t n_groups; /* Priority groups with headroom. */
    size_t n_judged; /* Those whose speed, cable and chip are known. */
    size_t n_small;  /* Those of these that have too little. */

    /* Those of which something is not known; one may count in several. */
    size_t n_no_chip, n_no_speed, n_no_cable;
};

#endif /* orchd/lint/report.h */
