/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LINT_RULES_H
#define ORCHD_LINT_RULES_H

/* The groups of rules, for lint.c, which runs them. */

#include "orchd/lint/lint_input.h"
#include "orchd/lint/report.h"

struct chip;
struct lint_buffer;

/* The input of the rules, and where their findings go. */
struct lint_run {
    const struct lint_input *input;
    const struct chip *chip;    /* NULL: unknown. */
    struct lint_buffer *buffer; /* NULL: no chip, or it cannot hold the
                                 * configuration. */
    uint64_t memory_bytes;      /* 0: unknown. */
    struct lint_groups *groups;
    struct lint_headroom headroom; /* Counted by lint_headroom_rules(). */
};

void lint_memory_rules(struct lint_run *run);   /* rules_memory.c */
void lint_profile_rules(struct lint_run *run);  /* rules_memory.c */
void lint_headroom_rules(struct lint_run *run); /* rules_headroom.c */
void lint_ecn_rules(struct lint_run *run);      /* rules_headroom.c */
void lint_class_rules(struct lint_run *run);    /* rules_class.c */
void lint_port_rules(struct lint_run *run);     /* rules_ports.c */
void lint_trimming_rules(struct lint_run *run); /* rules_trimming.c */

#endif /* orchd/lint/rules.h */
