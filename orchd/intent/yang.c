/* SPDX-License-Identifier: Apache-2.0 */

/* Loads the modules and finds the nodes of each table. */

#include <config.h>

#include "orchd/intent/yang.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "orchd/intent/yang_type.h"

/* Imported by several modules; loaded before them. */
static const char yang_types_module[] = "sonic-types";

/* The module that describes each table. */
static const char *const yang_modules[N_TABLES] = {
#define TABLE(member, shape, module) [TABLE_##member] = (module),
#include "orchd/intent/tables.def"
#undef TABLE
};

/* Maps libyang's codes; the only place that knows them. */
static enum st
yang_status(LY_ERR code)
{
    return code == LY_ESYS ? ST_NOT_FOUND : ST_INVALID;
}

/* Fills 'err' with libyang's message about 'what'. */
static enum st
yang_failed(struct err *err, const struct ly_ctx *context, enum st status,
            const char *what)
{
    const char *message = ly_errmsg(context);

    err_set(err, status, "yang", "%s: %s", what,
            message ? message : "cannot be read");
    err_set_remedy(err, "install the YANG modules, or name their directory "
                        "with --yang-dir");
    return status;
}

/* Returns the argument of the extension refers-to on 'node', or NULL. */
static const char *
yang_extension_target(const struct lysc_node *node)
{
    for (size_t i = 0; i < LY_ARRAY_COUNT(node->exts); i++) {
        if (!strcmp(node->exts[i].def->name, "refers-to")) {
            return node->exts[i].argument;
        }
    }
    return NULL;
}

/* Describes one leaf.  Values are checked against the type at the end of the
 * chain of references, but error messages say what the reference means. */
static void
yang_fill_leaf(struct arena *arena, const struct lysc_node *node,
               struct yang_leaf *leaf)
{
    const struct lysc_type *type;
    struct text words = {0};

    leaf->name = node->name;
    leaf->node = node;
    leaf->list = node->nodetype == LYS_LEAFLIST;
    if (leaf->list) {
        const struct lysc_node_leaflist *list = (const void *)node;

        type = list->type;
        leaf->mandatory = list->min > 0;
    } else {
        type = ((const struct lysc_node_leaf *)node)->type;
        leaf->mandatory = node->flags & LYS_MAND_TRUE;
        if (((const struct lysc_node_leaf *)node)->dflt) {
            leaf->default_value = lyd_value_get_canonical(
                node->module->ctx, ((const struct lysc_node_leaf *)node)->dflt);
        }
    }
    type = yang_type_checked(type);
    leaf->refers_to = yang_extension_target(node);
    text_add(&words, leaf->list ? "a comma list, each item " : "");
    if (leaf->refers_to) {
        text_addf(&words, "the name of a %s", leaf->refers_to);
    } else {
        yang_type_describe(type, &words);
    }
    leaf->allowed = arena_strdup(arena, text_string(&words));
    text_clear(&words);
    if (yang_type_target(type, &words)) {
        leaf->refers_to = arena_strdup(arena, text_string(&words));
    }
    text_fini(&words);
    if (type->basetype == LY_TYPE_LEAFREF) {
        type = ((const struct lysc_type_leafref *)type)->realtype;
    }
    leaf->type = type;
    leaf->number = yang_type_is_integer(type);
    leaf->code = yang_type_error_code(type);
}

/* Sorts the children of the table's node into keys and fields. */
static void
yang_fill_leaves(struct arena *arena, struct yang_table *table)
{
    const struct lysc_node *child;
    size_t n = 0;

    for (child = lysc_node_child(table->node); child; child = child->next) {
        n += (child->nodetype & (LYS_LEAF | LYS_LEAFLIST)) != 0;
    }
    table->leaves = arena_alloc(arena, n, sizeof *table->leaves);
    for (child = lysc_node_child(table->node); child; child = child->next) {
        if (child->nodetype == LYS_LIST) {
            const struct lysc_node *key = lysc_node_child(child);

            table->map = true;
            table->map_min = ((const struct lysc_node_list *)child)->min;
            yang_fill_leaf(arena, key, &table->map_key);
            yang_fill_leaf(arena, key->next, &table->map_value);
        } else if (child->flags & LYS_KEY) {
            orch_assert(table->n_keys < YANG_KEYS_MAX);
            yang_fill_leaf(arena, child, &table->keys[table->n_keys++]);
        } else {
            struct yang_leaf *leaf = &table->leaves[table->n_leaves];

            yang_fill_leaf(arena, child, leaf);
            leaf->index = table->n_leaves++;
            HASH_ADD_KEYPTR(hh, table->by_name, leaf->name, strlen(leaf->name),
                            leaf);
        }
    }
}

/* Returns whether 'node' is 'ancestor' or inside it. */
static bool
yang_is_within(const struct lysc_node *node, const struct lysc_node *ancestor)
{
    while (node && node != ancestor) {
        node = node->parent;
    }
    return node == ancestor;
}

/* Notes that the rule uses 'node' of its row. */
static void
yang_rule_read(const struct yang_table *table, const struct lysc_node *node,
               struct yang_rule *rule)
{
    const struct yang_leaf *leaf = yang_leaf(table, node->name);

    if (leaf && leaf->node == node) {
        rule->reads[rule->n_reads++] = leaf;
    }
    rule->reads_key |= (node->flags & LYS_KEY) != 0;
}

/* Finds out which nodes the rule uses.  Returns false if it uses other rows, so
 * that one row is not enough to evaluate it. */
static bool
yang_rule_reach(const struct yang *yang, const struct yang_table *table,
                const struct lysc_node *node, struct yang_rule *rule)
{
    struct ly_set *atoms = NULL;
    bool own = true;

    if (lys_find_expr_atoms(node, node->module, rule->must->cond,
                            rule->must->prefixes, 0, &atoms)) {
        return false;
    }
    rule->reads =
        arena_alloc(yang->arena, atoms->count + 1, sizeof *rule->reads);
    if (rule->leaf) {
        yang_rule_read(table, rule->leaf->node, rule);
    }
    for (uint32_t i = 0; i < atoms->count; i++) {
        const struct lysc_node *atom = atoms->snodes[i];

        if (atom != node) {
            yang_rule_read(table, atom, rule);
        }
        if (atom == yang->model) {
            rule->needs_model = true;
        } else if (!yang_is_within(atom, table->node) &&
                   !yang_is_within(yang->model, atom)) {
            own = false;
        }
    }
    ly_set_free(atoms, NULL);
    return own;
}

/* Returns the first field that the rule's expression names, or NULL. */
static const struct yang_leaf *
yang_rule_field(const struct yang_table *table, const char *expression)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    while (*expression) {
        size_t length = strspn(expression, letters);
        const struct yang_leaf *leaf = NULL;

        HASH_FIND(hh, table->by_name, expression, length, leaf);
        if (leaf) {
            return leaf;
        }
        expression += length ? length : 1;
    }
    return NULL;
}

/* Adds the rules of 'node', the table's own or that of 'leaf'. */
static void
yang_fill_rules_of(const struct yang *yang, struct yang_table *table,
                   const struct lysc_node *node, const struct yang_leaf *leaf)
{
    const struct lysc_must *musts = lysc_node_musts(node);

    for (size_t i = 0; i < LY_ARRAY_COUNT(musts); i++) {
        struct yang_rule rule = {
            .must = &musts[i], .leaf = leaf, .field = leaf};

        if (!yang_rule_reach(yang, table, node, &rule)) {
            continue;
        }
        if (!leaf) {
            rule.field = yang_rule_field(table, lyxp_get_expr(musts[i].cond));
        }
        table->needs_model = table->needs_model || rule.needs_model;
        table->rules[table->n_rules++] = rule;
    }
}

/* Rules of keys are left out: they concern the form of the key alone, which
 * key.c checks. */
static void
yang_fill_rules(struct yang *yang, struct yang_table *table)
{
    size_t n = LY_ARRAY_COUNT(lysc_node_musts(table->node));

    for (size_t i = 0; i < table->n_leaves; i++) {
        n += LY_ARRAY_COUNT(lysc_node_musts(table->leaves[i].node));
    }
    table->rules = arena_alloc(yang->arena, n, sizeof *table->rules);
    yang_fill_rules_of(yang, table, table->node, NULL);
    for (size_t i = 0; i < table->n_leaves; i++) {
        yang_fill_rules_of(yang, table, table->leaves[i].node,
                           &table->leaves[i]);
    }
}

/* Returns the node of the rows of 'table', or NULL if the module does not have
 * the form described in yang.h. */
static const struct lysc_node *
yang_find_row_node(const struct ly_ctx *context, const char *module,
                   enum table table)
{
    const char *name = table_name(table);
    const struct lysc_node *node;
    char path[256];

    text_format(path, sizeof path, "/%s:%s/%s", module, module, name);
    node = lys_find_path(context, NULL, path, 0);
    node = node ? lysc_node_child(node) : NULL;
    return node && (node->nodetype == LYS_LIST ||
                    node->nodetype == LYS_CONTAINER)
               ? node
               : NULL;
}

/* Finds the nodes of one table in its module. */
static enum st
yang_find_table(struct yang *yang, enum table table, const char *module,
                struct err *err)
{
    struct yang_table *entry = &yang->tables[table];

    entry->node = yang_find_row_node(yang->context, module, table);
    if (!entry->node) {
        return err_set(err, ST_INVALID, "yang",
                       "%s: has no node for the rows of %s", module,
                       table_name(table));
    }
    yang_fill_leaves(yang->arena, entry);
    return ST_OK;
}

/* Reads modules by path: libyang's own search would descend into all folders
 * below 'directory'. */
static enum st
yang_load_modules(struct yang *yang, const char *directory, struct err *err)
{
    struct text path = {0};
    LY_ERR code;

    /* Keep messages for ly_errmsg() instead of writing them to stderr. */
    ly_log_options(LY_LOSTORE_LAST);
    code = ly_ctx_new(NULL,
                      LY_CTX_NO_YANGLIBRARY | LY_CTX_DISABLE_SEARCHDIRS |
                          LY_CTX_ALL_IMPLEMENTED,
                      &yang->context);
    orch_assert(!code);
    for (size_t i = 0; i < N_TABLES + 1 && !code; i++) {
        text_clear(&path);
        text_addf(&path, "%s/%s.yang", directory,
                  i ? yang_modules[i - 1] : yang_types_module);
        code = lys_parse_path(yang->context, text_string(&path), LYS_IN_YANG,
                              NULL);
    }
    if (code) {
        yang_failed(err, yang->context, yang_status(code), text_string(&path));
    }
    text_fini(&path);
    return code ? yang_status(code) : ST_OK;
}

/* Adding a module makes libyang recompile others, so nodes are looked up only
 * when all modules are loaded, and rules only when all nodes are known. */
static enum st
yang_fill(struct yang *yang, struct err *err)
{
    enum st status = ST_OK;
    const struct yang_leaf *model;

    for (size_t i = 0; i < N_TABLES && status == ST_OK; i++) {
        status = yang_find_table(yang, (enum table)i, yang_modules[i], err);
    }
    if (status) {
        return status;
    }
    model = yang_leaf(&yang->tables[TABLE_DEVICE_METADATA], "buffer_model");
    yang->model = model ? model->node : NULL;
    for (size_t i = 0; i < N_TABLES; i++) {
        if (yang->tables[i].node) {
            yang_fill_rules(yang, &yang->tables[i]);
        }
    }
    return ST_OK;
}

enum st
yang_create(const char *directory, struct yang **yang, struct err *err)
{
    struct yang *made = check_calloc(1, sizeof *made);
    enum st status;

    made->arena = arena_create(0);
    status = yang_load_modules(made, directory, err);
    if (status == ST_OK) {
        status = yang_fill(made, err);
    }
    if (status) {
        yang_destroy(made);
        return status;
    }
    *yang = made;
    return ST_OK;
}

void
yang_destroy(struct yang *yang)
{
    if (!yang) {
        return;
    }
    for (size_t i = 0; i < N_TABLES; i++) {
        HASH_CLEAR(hh, yang->tables[i].by_name);
    }
    ly_ctx_destroy(yang->context);
    arena_destroy(yang->arena);
    free(yang);
}

const struct yang_leaf *
yang_leaf(const struct yang_table *table, const char *name)
{
    const struct yang_leaf *leaf = NULL;

    HASH_FIND(hh, table->by_name, name, strlen(name), leaf);
    return leaf;
}
