/* SPDX-License-Identifier: Apache-2.0 */

/* Runs the rules, and says the same thing once. */

#include <config.h>

#include "orchd/lint/lint.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/lint/model_buffer.h"
#include "orchd/lint/rules.h"

static const struct {
    const char *code;
    enum lint_level level;
    const char *explanation;
} rules[N_LINT_RULES] = {
#define X(member, code, level, text) {code, LINT_##level, text},
    LINT_RULES(X)
#undef X
};

static const char *const level_names[] = {
#define X(member, text) text,
    LINT_LEVELS(X)
#undef X
};

const char *
lint_code(enum lint_rule rule)
{
    return rules[rule].code;
}

enum lint_level
lint_level(enum lint_rule rule)
{
    return rules[rule].level;
}

const char *
lint_level_name(enum lint_level level)
{
    return level_names[level];
}

const char *
lint_explanation(enum lint_rule rule)
{
    return rules[rule].explanation;
}

/* Rows of which the same is said. */
struct lint_group {
    char *reason; /* With the rule before it: what makes them the same. */
    char *row;    /* The first. */
    const char *remedy;
    enum lint_rule rule;
    size_t n_more;
    UT_hash_handle hh; /* In the order of the first of each. */
};

struct lint_groups {
    struct lint_group *list;
};

void
lint_add(struct lint_run *run, enum lint_rule rule, const char *table,
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
    HASH_FIND_STR(run->groups->list, text_string(&reason), group);
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
    HASH_ADD_KEYPTR(hh, run->groups->list, group->reason, strlen(group->reason),
                    group);
}

static int
by_rule(const struct lint_group *a, const struct lint_group *b)
{
    return (int)a->rule - (int)b->rule;
}

/* Reports all findings by rule, and forgets them. */
static void
report_all(struct lint_groups *groups, lint_report_fn *report, void *context)
{
    struct lint_group *group, *next;

    HASH_SORT(groups->list, by_rule);
    HASH_ITER(hh, groups->list, group, next)
    {
        const struct lint_finding finding = {group->rule, group->row,
                                             group->n_more, group->reason + 2,
                                             group->remedy};

        report(context, &finding);
        HASH_DEL(groups->list, group);
        free(group->reason);
        free(group->row);
        free(group);
    }
}

void
lint_run(const struct lint_input *input, lint_report_fn *report, void *context)
{
    struct lint_groups groups = {NULL};
    struct lint_facts facts;
    struct lint_run run = {
        .facts = &facts,
        .chip = input->chip,
        .memory_bytes = input->memory_bytes,
        .groups = &groups,
    };

    lint_facts_collect(&facts, input->agent);
    if (input->chip) {
        run.buffer = model_buffer_create(input->chip, &facts);
    }
    lint_memory_rules(&run);
    lint_profile_rules(&run);
    lint_headroom_rules(&run);
    lint_ecn_rules(&run);
    lint_class_rules(&run);
    report_all(&groups, report, context);
    model_buffer_destroy(run.buffer);
    lint_facts_fini(&facts);
}
