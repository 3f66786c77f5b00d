/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LINT_REPORT_H
#define ORCHD_LINT_REPORT_H

/* Findings on their way out: the same thing about many rows is said once. */

#include "base/attributes.h"
#include "orchd/lint/rule.h"

struct lint_groups;

typedef void lint_report_fn(void *context, const struct lint_finding *finding);

/* Returns an empty collection.  lint_report() ends it. */
struct lint_groups *lint_groups_create(void);

/* Notes that 'rule' has something to say of the row "TABLE|name" or, with an
 * 'index' that is not negative, "TABLE|name|index".  Findings with the same
 * rule and reason are one, so the reason does not name the row.  The remedy is
 * static. */
void lint_add(struct lint_groups *groups, enum lint_rule rule,
              const char *table, const char *name, int index,
              const char *remedy, const char *format, ...) ST_PRINTF(7, 8);

/* Reports all findings, in the order of the rules, and frees 'groups'. */
void lint_report(struct lint_groups *groups, lint_report_fn *report,
                 void *context);

#endif /* orchd/lint/report.h */
