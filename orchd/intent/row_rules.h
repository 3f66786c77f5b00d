/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_ROW_RULES_H
#define ORCHD_INTENT_ROW_RULES_H

/* The rules of the YANG modules among the fields of one row.
 *
 * Internal to intent/.  libyang evaluates a rule on a tree that has only the
 * row and the buffer model.  Whether a rule holds depends on nothing but what
 * it reads there (yang_rule), so rules are not evaluated again for what they
 * were found to hold for: a change of one field needs only the rules that read
 * it, and the ports of a switch repeat the same few values. */

#include "base/status.h"
#include "orchd/intent/table.h"

struct err;
struct row_rules;
struct yang;

/* Returns the rules of 'yang', which is borrowed; free them with
 * row_rules_destroy(), which accepts NULL. */
struct row_rules *row_rules_create(const struct yang *yang);
void row_rules_destroy(struct row_rules *rules);

/* What the rules of a row may depend on.  All borrowed. */
struct rule_row {
    enum table table;
    const char *key; /* The first part of it; of a list of ports one. */
    const char *buffer_model; /* NULL if not configured. */

    /* The canonical value of each leaf of the table, by index; NULL where the
     * row has none. */
    const char *const *present;
};

/* Evaluates the rules of 'row', those of the row before those of its fields.
 * ST_INVALID fills 'err' with the texts of the first broken rule. */
enum st row_rules_check(struct row_rules *rules, const struct rule_row *row,
                        struct err *err) ST_WARN_UNUSED;

#endif /* orchd/intent/row_rules.h */
