/* SPDX-License-Identifier: Apache-2.0 */

/* Evaluates rules, and remembers what they hold for. */

#include <config.h>

#include "orchd/intent/row_rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/text.h"
#include "orchd/intent/yang.h"

/* What a rule was found to hold for. */
struct held {
    const struct yang_rule *rule; /* NULL: unused. */
    char inputs[80];              /* What the rule has read. */
};

enum { N_HELD = 256 }; /* A power of two. */

struct row_rules {
    const struct yang *yang;
    struct held held[N_HELD]; /* By digest; the last one of each stays. */
};

/* The tree of a row, made for the first rule that needs it. */
struct tree {
    struct lyd_node *root, *instance;
    struct lyd_node **leaves; /* By index. */
};

struct row_rules *
row_rules_create(const struct yang *yang)
{
    struct row_rules *rules = check_calloc(1, sizeof *rules);

    rules->yang = yang;
    return rules;
}

void
row_rules_destroy(struct row_rules *rules)
{
    free(rules);
}

/* Fills 'err' for a broken rule from the texts of the module. */
static enum st
broken(const struct yang_rule *rule, const char *const *present,
       struct err *err)
{
    const struct lysc_must *must = rule->must;
    const struct yang_leaf *field = rule->field;

    err_set(err, ST_INVALID, must->eapptag ? must->eapptag : "rule", "%s",
            must->emsg ? must->emsg : lyxp_get_expr(must->cond));
    if (field) {
        const char *value = present[field->index];

        /* A value that is set is in its range; the rule concerns others. */
        err_set_field(err, field->name, value, value ? NULL : field->allowed);
    }
    err_set_remedy(err, "%s", must->dsc ? must->dsc : "");
    return ST_INVALID;
}

/* Adds to 'root' a chain of containers down to 'schema', and returns the last
 * one, whose parent is 'schema'. */
static struct lyd_node *
add_parents(const struct lysc_node *schema, struct lyd_node **root)
{
    struct lyd_node *parent = NULL, *node = NULL;

    if (!schema) {
        return NULL;
    }
    parent = add_parents(schema->parent, root);
    orch_assert(!lyd_new_inner(parent, schema->module, schema->name, 0, &node));
    if (!parent) {
        lyd_insert_sibling(*root, node, root);
    }
    return node;
}

/* Creates the tree with the one row and the buffer model, and fills 'leaves'
 * with the nodes of its fields.  Returns the node of the row. */
static struct lyd_node *
make_tree(const struct yang *yang, const struct rule_row *row,
          struct lyd_node **leaves, struct lyd_node **root)
{
    const struct yang_table *table = &yang->tables[row->table];
    const struct lysc_node *list = table->node;
    const struct lysc_node *model = yang->model;
    struct lyd_node *parent, *instance = NULL;

    if (row->buffer_model && table->needs_model) {
        parent = add_parents(model->parent, root);
        orch_assert(!lyd_new_term(parent, model->module, model->name,
                                  row->buffer_model, 0, NULL));
    }
    parent = add_parents(list->parent, root);
    if (list->nodetype == LYS_CONTAINER) {
        orch_assert(
            !lyd_new_inner(parent, list->module, list->name, 0, &instance));
    } else {
        /* No rule depends on the indices of a row. */
        orch_assert(!lyd_new_list(parent, list->module, list->name, 0,
                                  &instance, row->key, "0"));
    }
    for (size_t i = 0; i < table->n_leaves; i++) {
        if (row->present[i] && !table->leaves[i].list) {
            orch_assert(!lyd_new_term(instance, list->module,
                                      table->leaves[i].name, row->present[i], 0,
                                      &leaves[i]));
        }
    }
    return instance;
}

/* Adds to the text 'inputs' a value, or that there is none, so that no two
 * lists of values have the same text.  Returns false if it is too long. */
static bool
add_input(struct held *inputs, const char *value)
{
    const size_t used = strlen(inputs->inputs);
    char *end = inputs->inputs + used;
    const size_t room = sizeof inputs->inputs - used;

    return value ? text_format(end, room, "%zu:%s", strlen(value), value)
                 : text_copy(end, room, "-");
}

/* Fills 'inputs' with what 'rule' reads of 'row'.  Returns false if that is not
 * to be remembered. */
static bool
read_inputs(const struct yang_rule *rule, const struct rule_row *row,
            struct held *inputs)
{
    bool fits = rule->n_reads > 0;

    inputs->rule = rule;
    inputs->inputs[0] = '\0';
    for (size_t i = 0; i < rule->n_reads && fits; i++) {
        fits = add_input(inputs, row->present[rule->reads[i]->index]);
    }
    if (fits && rule->needs_model) {
        fits = add_input(inputs, row->buffer_model);
    }
    if (fits && rule->reads_key) {
        fits = add_input(inputs, row->key);
    }
    return fits;
}

/* Returns where it is remembered that a rule holds for what it reads. */
static struct held *
find_held(struct row_rules *rules, const struct held *inputs)
{
    const uint64_t digest =
        digest_text(DIGEST_START ^ (uintptr_t)inputs->rule, inputs->inputs);

    /* The low bits of this digest depend on low bits alone. */
    return &rules->held[(digest ^ digest >> 32) % N_HELD];
}

/* Evaluates 'rule' of 'row' by its tree. */
static bool
holds(const struct row_rules *rules, const struct yang_rule *rule,
      const struct rule_row *row, struct tree *tree)
{
    const struct yang_table *table = &rules->yang->tables[row->table];
    ly_bool result = 1;

    if (!tree->instance) {
        tree->leaves = check_calloc(table->n_leaves + 1, sizeof *tree->leaves);
        tree->instance = make_tree(rules->yang, row, tree->leaves, &tree->root);
    }
    return !lyd_eval_xpath3(
               rule->leaf ? tree->leaves[rule->leaf->index] : tree->instance,
               table->node->module, lyxp_get_expr(rule->must->cond),
               LY_VALUE_SCHEMA_RESOLVED, rule->must->prefixes, NULL, &result) &&
           result;
}

/* Returns whether 'rule' of 'row' holds. */
static bool
check_rule(struct row_rules *rules, const struct yang_rule *rule,
           const struct rule_row *row, struct tree *tree)
{
    struct held inputs, *held;

    if (!read_inputs(rule, row, &inputs)) {
        return holds(rules, rule, row, tree);
    }
    held = find_held(rules, &inputs);
    if (held->rule == rule && !strcmp(held->inputs, inputs.inputs)) {
        return true;
    }
    if (!holds(rules, rule, row, tree)) {
        return false;
    }
    *held = inputs;
    return true;
}

enum st
row_rules_check(struct row_rules *rules, const struct rule_row *row,
                struct err *err)
{
    const struct yang_table *table = &rules->yang->tables[row->table];
    struct tree tree = {0};
    enum st status = ST_OK;

    for (size_t i = 0; i < table->n_rules && status == ST_OK; i++) {
        const struct yang_rule *rule = &table->rules[i];
        /* A rule of a field is none of a row without it. */
        const bool concerns = !rule->leaf || (row->present[rule->leaf->index] &&
                                              !rule->leaf->list);

        if (concerns && !check_rule(rules, rule, row, &tree)) {
            status = broken(rule, row->present, err);
        }
    }
    lyd_free_all(tree.root);
    free(tree.leaves);
    return status;
}
