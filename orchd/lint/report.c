/* SPDX-License-Identifier: Apache-2.0 */

/* Findings, grouped by rule and reason. */

#include <config.h>

#include "orchd/lint/report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "base/text.h"

/* The rows with the same finding. */
struct lint_group {
    char *reason; /* The hash key, after the rule. */
    char *row;    /* The first. */
    const char *remedy;
    enum lint_rule rule;
    size_t n_more;
    UT_hash_handle hh; /* In the order of their first rows. */
};

struct lint_groups {
    struct lint_group *list;
};

struct lint_groups *
lint_groups_create(void)
{
    return check_calloc(1, sizeof(struct lint_groups));
}

void
lint_groups_destroy(struct lint_groups *groups)
{
    struct lint_group *group, *next;

    if (!groups) {
        return;
    }
    HASH_ITER(hh, groups->list, group, next)
    {
        HASH_DEL(groups->list, group);
        free(group->reason);
        free(group->row);
        free(group);
    }
    free(groups);
}

void
lint_add(struct lint_groups *groups, enum lint_rule rule, const char *table,
         const char *name, int index, const char *remedy, const char *format,
         ...)
{
    struct text reason = {0}, row = {0};
    struct lint_group *group;
    char sentence[512];
    va_list args;

    va_start(args, format);
    text_vformat(sentence, sizeof sentence, format, args);
    va_end(args);
    text_addf(&reason, "%02d%s", (int)rule, sentence);
    HASH_FIND_STR(groups->list, text_string(&reason), group);
    if (group) {
        group->n_more++;
        text_fini(&reason);
        return;
    }
    text_addf(&row, "%s|%s", table, name);
    if (index >= 0) {
        text_addf(&row, "|%d", index);
    }
    group = check_calloc(1, sizeof *group);
    group->reason = text_take(&reason);
    group->row = text_take(&row);
    group->remedy = remedy;
    group->rule = rule;
    HASH_ADD_KEYPTR(hh, groups->list, group->reason, strlen(group->reason),
                    group);
}

static int
by_rule(const struct lint_group *a, const struct lint_group *b)
{
    return (int)a->rule - (int)b->rule;
}

void
lint_report(struct lint_groups *groups, lint_report_fn *report, void *context)
{
    struct lint_group *group, *next;

    HASH_SORT(groups->list, by_rule);
    HASH_ITER(hh, groups->list, group, next)
    {
        const struct lint_finding finding = {group->rule, group->row,
                                             group->n_more, group->reason + 2,
                                             group->remedy};

        report(context, &finding);
    }
    lint_groups_destroy(groups);
}
