/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LINT_RULES_H
#define ORCHD_LINT_RULES_H

/* The rules, by what they look at.  For lint.c, which runs them. */

#include "orchd/lint/lint_input.h"
#include "orchd/lint/report.h"

struct chip;
struct lint_buffer;

/* What a rule has to look at, and where its findings go. */
struct lint_run {
    const struct lint_input *input;
    const struct chip *chip;    /* NULL: not known, ... */
    struct lint_buffer *buffer; /* ... or cannot hold what is configured. */
    uint64_t memory_bytes;      /* 0: not known. */
    struct lint_groups *groups;
};

void lint_memory_rules(struct lint_run *run);   /* rules_memory.c */
void lint_profile_rules(struct lint_run *run);  /* rules_memory.c */
void lint_headroom_rules(struct lint_run *run); /* rules_headroom.c */
void lint_ecn_rules(struct lint_run *run);      /* rules_headroom.c */
void lint_class_rules(struct lint_run *run);    /* rules_class.c */

#endif /* orchd/lint/rules.h */
