/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LINT_RULES_H
#define ORCHD_LINT_RULES_H

/* The rules, by what they look at, and how they report.
 *
 * For lint.c, which runs them. */

#include "base/attributes.h"
#include "orchd/lint/facts.h"
#include "orchd/lint/lint.h"

struct model_buffer;
struct lint_groups;

/* What a rule has to look at, and where its findings go. */
struct lint_run {
    const struct lint_facts *facts;
    const struct chip *chip;     /* NULL: not known, ... */
    struct model_buffer *buffer; /* ... or cannot hold what is configured. */
    uint64_t memory_bytes;       /* 0: not known. */
    struct lint_groups *groups;
};

/* Report that 'rule' has something to say of the row "TABLE|name" or, with an
 * 'index' that is not negative, "TABLE|name|index".  Findings with the same
 * rule, reason and remedy are one, so neither names the row.  The remedy is
 * static. */
void lint_add(struct lint_run *run, enum lint_rule rule, const char *table,
              const char *name, int index, const char *remedy,
              const char *format, ...) ST_PRINTF(7, 8);

void lint_memory_rules(struct lint_run *run);   /* rules_memory.c */
void lint_profile_rules(struct lint_run *run);  /* rules_memory.c */
void lint_headroom_rules(struct lint_run *run); /* rules_headroom.c */
void lint_ecn_rules(struct lint_run *run);      /* rules_headroom.c */
void lint_class_rules(struct lint_run *run);    /* rules_class.c */

#endif /* orchd/lint/rules.h */
