/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl config ...": load, check and inspect the configuration. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "orchctl/grid.h"
#include "orchctl/lint_verb.h"
#include "orchctl/member.h"
#include "orchctl/offline_config.h"
#include "orchctl/plan_verb.h"
#include "orchctl/verb.h"
#include "orchd/files/config_file.h"

/* Reads the file into the argument "tables". */
static enum st
prepare_load(struct invocation *invocation, struct err *err)
{
    json_t *tables;
    enum st st = config_file_read(invocation->operands[0], &tables, err);

    if (!st) {
        json_object_set_new(invocation->arguments, "tables", tables);
    }
    return st;
}

/* Prints "3 applied, 1 rejected", without the states that no row has. */
static void
print_counts(const json_t *counts)
{
    struct text text = {0};
    const char *state;
    json_t *n;

    json_object_foreach((json_t *)(uintptr_t)counts, state, n)
    {
        char item[96];

        if (json_integer_value(n)) {
            text_format(item, sizeof item, "%lld %s",
                        (long long)json_integer_value(n), state);
            text_add_item(&text, ", ", item);
        }
    }
    printf("Rows: %s.\n", text.length ? text.bytes : "none");
    text_fini(&text);
}

/* Returns whether this version of orchd, rather than the device, does not
 * support a row. */
static bool
is_unsupported(const json_t *row)
{
    return !strcmp(member_text(row, "state"), "unsupported") &&
           !json_object_get(row, "attempts");
}

/* Returns whether a row needs an explanation of its own. */
static bool
is_trouble(const json_t *row)
{
    return !is_unsupported(row) && strcmp(member_text(row, "state"), "applied");
}

/* Adds 'row' to the group 'label', which is created if it does not exist. */
static void
group_add(json_t *groups, const char *label, json_t *row)
{
    json_t *group = json_object_get(groups, label);

    if (!group) {
        group = json_array();
        json_object_set_new(groups, label, group);
    }
    json_array_append(group, row);
}

/* Prints which tables, with how many rows, this version does not support. */
static void
print_unsupported(const json_t *rows)
{
    json_t *groups = json_object(), *group, *row;
    struct text text = {0};
    const char *table;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        if (is_unsupported(row)) {
            group_add(groups, member_text(row, "table"), row);
        }
    }
    json_object_foreach(groups, table, group)
    {
        text_add_item(&text, ", ", table);
        if (json_array_size(group) == 1) {
            text_addf(&text, "|%s",
                      member_text(json_array_get(group, 0), "key"));
        } else {
            text_addf(&text, " (%zu)", json_array_size(group));
        }
    }
    if (text.length) {
        printf("Not supported by this version: %s.\n", text.bytes);
    }
    text_fini(&text);
    json_decref(groups);
}

/* Prints the warnings of applied rows, one line per table for equal warnings:
 * on a switch with many ports there are many of them. */
static void
print_warnings(const json_t *rows)
{
    json_t *groups = json_object(), *group, *row;
    const char *label;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        struct text text = {0};

        if (strcmp(member_text(row, "state"), "applied")) {
            continue;
        }
        text_addf(&text, "%s: %s", member_text(row, "table"),
                  member_text(row, "warnings"));
        group_add(groups, text_string(&text), row);
        text_fini(&text);
    }
    json_object_foreach(groups, label, group)
    {
        size_t n = json_array_size(group);

        row = json_array_get(group, 0);
        if (n == 1) {
            printf("Warning: %s|%s: %s\n", member_text(row, "table"),
                   member_text(row, "key"), member_text(row, "warnings"));
        } else {
            printf("Warning: %zu rows of %s\n", n, label);
        }
    }
    json_decref(groups);
}

/* Prints the details of a row's state, one per line. */
static void
print_why(const json_t *row, const char *indent)
{
    static const char *const members[][2] = {
        {"reason", "why"},
        {"value", "value"},
        {"allowed", "allowed"},
        {"blocked_by", "blocked by"},
        {"referenced_by", "used by"},
        {"remedy", "remedy"},
        {"warnings", "warnings"},
    };

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if (*member_text(row, members[i][0])) {
            printf("%s%-11s %s\n", indent, members[i][1],
                   member_text(row, members[i][0]));
        }
    }
}

/* Returns a label that is equal for rows of a table with the same problem,
 * which often is caused by one other row. */
static char *
trouble_label(const json_t *row)
{
    static const char *const members[] = {"table",      "state", "code",
                                          "field",      "value", "reason",
                                          "blocked_by", "remedy"};
    struct text text = {0};

    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        text_addf(&text, "%s\n", member_text(row, members[i]));
    }
    return text_take(&text);
}

/* Prints a group of rows with the same problem. */
static void
print_trouble(const json_t *group)
{
    const json_t *row = json_array_get(group, 0);
    size_t n = json_array_size(group);

    printf("\n%s|%s", member_text(row, "table"), member_text(row, "key"));
    if (n > 1) {
        printf(" and %zu more row%s", n - 1, text_plural(n - 1));
    }
    printf(": %s (%s)\n", member_text(row, "state"), member_text(row, "code"));
    print_why(row, "  ");
}

/* Prints the rows that need attention, and why. */
static void
print_troubles(const json_t *rows)
{
    json_t *groups = json_object(), *group, *row;
    const char *label;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        if (is_trouble(row)) {
            char *key = trouble_label(row);

            group_add(groups, key, row);
            free(key);
        }
    }
    json_object_foreach(groups, label, group)
    {
        print_trouble(group);
    }
    json_decref(groups);
}

/* Returns the title for the fields of a row in 'state'. */
static const char *
fields_title(const char *state)
{
    if (!strcmp(state, "applied")) {
        return "In force";
    }
    return strcmp(state, "rejected") ? "Wanted" : "Still wanted";
}

/* Prints one row with all details. */
static void
print_row(const json_t *row)
{
    const json_t *fields = json_object_get(row, "fields");
    const char *name;
    json_t *value;

    printf("%s|%s: %s", member_text(row, "table"), member_text(row, "key"),
           member_text(row, "state"));
    if (*member_text(row, "code")) {
        printf(" (%s)", member_text(row, "code"));
    }
    printf(", generation %lld\n", member_number(row, "generation"));
    print_why(row, "  ");
    printf("%s:%s\n", fields_title(member_text(row, "state")),
           json_object_size(fields) ? "" : " nothing");
    json_object_foreach((json_t *)(uintptr_t)fields, name, value)
    {
        printf("  %-20s %s\n", name, json_string_value(value));
    }
}

void
config_print_answers(const json_t *answers)
{
    const json_t *rows = json_object_get(answers, "rows");

    print_counts(json_object_get(answers, "counts"));
    print_unsupported(rows);
    print_warnings(rows);
    print_troubles(rows);
}

/* Prints one row in full, or all problems: first those that explain everything
 * (no database), then counts, then rows. */
static void
print_status(const struct invocation *invocation, const json_t *data)
{
    const json_t *rows = json_object_get(data, "rows");
    const json_t *redis = json_object_get(data, "redis");
    const json_t *removals = json_object_get(data, "removals");

    if (invocation->n_operands && strchr(invocation->operands[0], '|')) {
        print_row(json_array_get(rows, 0));
        return;
    }
    if (redis && !json_is_true(json_object_get(redis, "up"))) {
        printf("CONFIG_DB at %s cannot be reached: %s\n",
               member_text(redis, "endpoint"), member_text(redis, "reason"));
    } else if (redis && !json_is_true(json_object_get(redis, "notified"))) {
        printf("CONFIG_DB at %s sends no notifications: %s\n",
               member_text(redis, "endpoint"), member_text(redis, "reason"));
    }
    if (json_is_true(json_object_get(removals, "held"))) {
        printf("Removals are postponed: %s.\n",
               member_text(removals, "reason"));
    }
    config_print_answers(data);
}

/* Prints how many rows were written; with --wait also their states. */
static void
print_load(const struct invocation *invocation, const json_t *data)
{
    const json_int_t n_rows = member_number(data, "rows_written");
    const json_int_t n_tables = member_number(data, "tables");

    printf("Wrote %lld row%s of %lld table%s from %s.\n", (long long)n_rows,
           text_plural((uint64_t)n_rows), (long long)n_tables,
           text_plural((uint64_t)n_tables), invocation->operands[0]);
    if (json_object_get(data, "counts")) {
        config_print_answers(data);
    }
}

/* The operand is the argument "generation". */
static enum st
prepare_rollback(struct invocation *invocation, struct err *err)
{
    uint64_t generation;

    if (parse_u64(invocation->operands[0], 0, INT64_MAX, &generation)) {
        return err_set(err, ST_INVALID, "usage",
                       "'%s' is not a generation number",
                       invocation->operands[0]);
    }
    json_object_set_new(invocation->arguments, "generation",
                        json_integer((json_int_t)generation));
    return ST_OK;
}

static void
print_rollback(const struct invocation *invocation, const json_t *data)
{
    const json_int_t n_written = member_number(data, "rows_written");

    printf("Restored generation %s: %lld row%s written, %lld removed.\n",
           invocation->operands[0], (long long)n_written,
           text_plural((uint64_t)n_written),
           member_number(data, "rows_removed"));
    config_print_answers(data);
}

/* Returns a member as text, or "none" if it is null. */
static const char *
value_text(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);

    return json_is_null(value) ? "none" : member_text(object, name);
}

static void
print_explained_object(const json_t *object)
{
    static const struct grid_column columns[] = {{"ATTRIBUTE", false},
                                                 {"FIELD", false},
                                                 {"INTENDED", false},
                                                 {"FOUND", false},
                                                 {"REFUSED", false}};
    struct grid *grid = grid_create(columns, 5);
    size_t i;
    json_t *row;

    printf("\n%s (%s)\n", member_text(object, "object"),
           json_is_null(json_object_get(object, "oid"))
               ? "not on the ASIC"
               : member_text(object, "oid"));
    if (*member_text(object, "shadowed_by")) {
        printf("  overridden by %s, which is more specific\n",
               member_text(object, "shadowed_by"));
    }
    if (*member_text(object, "waits_for")) {
        printf("  waits for %s\n", member_text(object, "waits_for"));
    }
    json_array_foreach(json_object_get(object, "attributes"), i, row)
    {
        grid_line(grid);
        grid_text(grid, member_text(row, "attribute"));
        grid_text(grid, member_text(row, "field"));
        grid_text(grid, value_text(row, "intended"));
        grid_text(grid, value_text(row, "found"));
        grid_text(grid, member_text(row, "refused"));
    }
    grid_print(grid, 2);
}

/* Prints how the numbers of a row are derived. */
static void
print_derived(const json_t *part)
{
    static const struct grid_column columns[] = {{"TERM", false},
                                                 {"VALUE", true},
                                                 {"UNIT", false},
                                                 {"FORMULA", false},
                                                 {"SOURCE", false}};
    static const char *const names[] = {"name", "value", "unit", "formula",
                                        "source"};
    const json_t *longest = json_object_get(part, "longest_cable_m");
    struct grid *grid = grid_create(columns, 5);
    size_t i;
    json_t *term;

    printf("\n%s%s%s\n", member_text(part, "port"),
           *member_text(part, "port") ? " " : "", member_text(part, "profile"));
    if (longest) {
        printf("  longest cable: %lld m (headroom limit %lld bytes)\n",
               (long long)json_integer_value(longest),
               member_number(part, "headroom_limit"));
    }
    json_array_foreach(json_object_get(part, "terms"), i, term)
    {
        grid_line(grid);
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            grid_text(grid, member_text(term, names[j]));
        }
    }
    grid_print(grid, 2);
}

static void
print_explain(const struct invocation *invocation, const json_t *data)
{
    json_t *status = json_object_get(data, "status"), *object;
    size_t i;

    (void)invocation;
    json_object_set(status, "fields", json_object_get(data, "fields"));
    print_row(status);
    json_array_foreach(json_object_get(data, "objects"), i, object)
    {
        print_explained_object(object);
    }
    json_array_foreach(json_object_get(data, "derived"), i, object)
    {
        print_derived(object);
    }
}

static void
print_diff(const struct invocation *invocation, const json_t *data)
{
    static const struct grid_column columns[] = {{"OBJECT", false},
                                                 {"ATTRIBUTE", false},
                                                 {"INTENDED", false},
                                                 {"FOUND", false},
                                                 {"REFUSED", false}};
    static const char *const members[] = {"object", "attribute", "intended",
                                          "found", "refused"};
    const json_t *list = json_object_get(data, "differences");
    struct grid *grid;
    size_t i;
    json_t *row;

    (void)invocation;
    printf("Attributes compared: %lld, different: %zu.\n",
           member_number(data, "compared"), json_array_size(list));
    json_array_foreach(json_object_get(data, "unread"), i, row)
    {
        printf("Not compared, because the switch cannot read it (%s): %s of "
               "%lld object%s, for example %s.\n",
               member_text(row, "status"), member_text(row, "attribute"),
               member_number(row, "objects"),
               text_plural((uint64_t)member_number(row, "objects")),
               member_text(row, "example"));
    }
    if (!json_array_size(list)) {
        return;
    }
    grid = grid_create(columns, 5);
    json_array_foreach(list, i, row)
    {
        grid_line(grid);
        for (size_t j = 0; j < 5; j++) {
            grid_text(grid, member_text(row, members[j]));
        }
    }
    grid_print(grid, 0);
}

static void
print_history(const struct invocation *invocation, const json_t *data)
{
    static const struct grid_column columns[] = {
        {"GENERATION", true}, {"TIME", false}, {"ROWS CHANGED", true}};
    struct grid *grid = grid_create(columns, 3);
    size_t i;
    json_t *entry;

    (void)invocation;
    json_array_foreach(json_object_get(data, "generations"), i, entry)
    {
        grid_line(grid);
        grid_number(grid, member_number(entry, "generation"));
        grid_text(grid, member_text(entry, "time"));
        grid_number(grid, member_number(entry, "rows_changed"));
    }
    grid_print(grid, 0);
}

/* Prints how many rows are in each state. */
static void
print_sync(const struct invocation *invocation, const json_t *data)
{
    (void)invocation;
    print_counts(json_object_get(data, "counts"));
}

static const struct option load_options[] = {
    {"replace", OPTION_FLAG, NULL, 0, 0,
     "remove all rows that are not in the file"},
    {"wait", OPTION_FLAG, NULL, 0, 0,
     "wait until each row is applied or has an error"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option plan_options[] = {
    {"from", OPTION_TEXT, "FILE", 0, 0,
     "configuration to start from (default: none)"},
    OFFLINE_CONFIG_OPTIONS,
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option lint_options[] = {
    OFFLINE_CONFIG_OPTIONS,
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const struct verb config_verbs[] = {
    {"config", "diff", "", 0, 0, NULL,
     "Show where the ASIC differs from CONFIG_DB",
     "Reads the ASIC back.  Exits with 1 if something differs.\n", NULL,
     print_diff, NULL},
    {"config", "explain", "'TABLE|KEY'", 1, 1, NULL,
     "Show how a row is programmed into the ASIC",
     "Shows each attribute, which row overrides this one, and what it waits "
     "for.\nExample: orchctl config explain 'BUFFER_PG|Ethernet0|3-4'\n",
     verb_operand_row, print_explain, NULL},
    {"config", "history", "", 0, 0, NULL,
     "List the generations of CONFIG_DB for config rollback",
     "Each plan that changes the switch is a generation.  The newest is "
     "first.\n",
     NULL, print_history, NULL},
    {"config", "lint", "[FILE]", 0, 1, lint_options,
     "Find valid but risky settings in a file or in the running configuration",
     "With a FILE (config_db.json) it needs neither orchd nor Redis.  Exits "
     "with 1 if\nthere is a warning; notes do not count.  " DOCDIR
     "/reference/lint.md "
     "explains each code.\n",
     NULL, NULL, config_lint},
    {"config", "load", "FILE", 1, 1, load_options,
     "Write a config_db.json into CONFIG_DB",
     "Other rows of CONFIG_DB stay unchanged, unless --replace is given.\nWith "
     "--wait it exits with 1 if a row of the file is not applied.\n",
     prepare_load, print_load, NULL},
    {"config", "plan", "FILE", 1, 1, plan_options,
     "Show what orchd would do with a config_db.json (dry run)",
     "Needs neither orchd nor Redis.  Exits with 1 if a row of the file would "
     "be\nrejected or refused, or would wait for a row that is not in the "
     "file.\nExample: orchctl config plan new.json --from running.json\n",
     NULL, NULL, config_plan},
    {"config", "resume", "", 0, 0, NULL,
     "Declare CONFIG_DB complete and allow removals",
     "orchd removes nothing from the ASIC until CONFIG_DB looks complete.  "
     "This tells\norchd that the missing rows are missing on purpose.\n",
     NULL, NULL, NULL},
    {"config", "rollback", "GENERATION", 1, 1, NULL,
     "Restore CONFIG_DB to a generation, and wait",
     "Removes rows that were added later.  Does not change tables that orchd "
     "does not use.\nExits with 1 if a row that was written is not applied.\n",
     prepare_rollback, print_rollback, NULL},
    {"config", "status", "[TABLE|'TABLE|KEY']", 0, 1, NULL,
     "Show rows that are not applied or have warnings, and why",
     "With 'TABLE|KEY' it shows that row in full.  Exits with 1 if a row is "
     "rejected,\nfailed or waiting.\nExample: orchctl config status "
     "'BUFFER_PROFILE|egress_lossy_profile'\n",
     verb_operand_row, print_status, NULL},
    {"config", "sync", "", 0, 0, NULL,
     "Wait until all rows written so far are applied or have an error", NULL,
     NULL, print_sync, NULL},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
