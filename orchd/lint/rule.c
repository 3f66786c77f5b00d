/* SPDX-License-Identifier: Apache-2.0 */

/* The table. */

#include <config.h>

#include "orchd/lint/rule.h"

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
