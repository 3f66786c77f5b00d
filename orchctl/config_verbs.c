/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl config ...". */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "orchctl/dryrun.h"
#include "orchctl/grid.h"
#include "orchctl/lint_verb.h"
#include "orchctl/plan_verb.h"
#include "orchctl/verb.h"
#include "orchd/files/config_file.h"

/* Returns a member as text, "" if it is not there. */
static const char *
member(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

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

/* Prints "3 applied, 1 rejected", leaving out what there is none of. */
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

/* Returns whether it is not the device that cannot do what a row says, but this
 * version of orchd. */
static bool
is_unsupported(const json_t *row)
{
    return !strcmp(member(row, "state"), "unsupported") &&
           !json_object_get(row, "attempts");
}

/* Returns whether a row needs an explanation of its own. */
static bool
is_trouble(const json_t *row)
{
    return !is_unsupported(row) && strcmp(member(row, "state"), "applied");
}

/* Adds 'row' to the group of that label, a new one if need be. */
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

/* Says of which tables this version does nothing with how many rows. */
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
            group_add(groups, member(row, "table"), row);
        }
    }
    json_object_foreach(groups, table, group)
    {
        text_add_item(&text, ", ", table);
        if (json_array_size(group) == 1) {
            text_addf(&text, "|%s", member(json_array_get(group, 0), "key"));
        } else {
            text_addf(&text, " (%zu)", json_array_size(group));
        }
    }
    if (text.length) {
        printf("Not in this version: %s.\n", text.bytes);
    }
    text_fini(&text);
    json_decref(groups);
}

/* Says which applied rows have a warning: by table where several rows have the
 * same, as they do on a switch with many ports. */
static void
print_warnings(const json_t *rows)
{
    json_t *groups = json_object(), *group, *row;
    const char *label;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        struct text text = {0};

        if (strcmp(member(row, "state"), "applied")) {
            continue;
        }
        text_addf(&text, "%s: %s", member(row, "table"),
                  member(row, "warnings"));
        group_add(groups, text_string(&text), row);
        text_fini(&text);
    }
    json_object_foreach(groups, label, group)
    {
        size_t n = json_array_size(group);

        row = json_array_get(group, 0);
        if (n == 1) {
            printf("Warning: %s|%s: %s\n", member(row, "table"),
                   member(row, "key"), member(row, "warnings"));
        } else {
            printf("Warning: %zu rows of %s\n", n, label);
        }
    }
    json_decref(groups);
}

/* Prints why a row is as it is, one thing per line. */
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
        if (*member(row, members[i][0])) {
            printf("%s%-11s %s\n", indent, members[i][1],
                   member(row, members[i][0]));
        }
    }
}

/* Returns what rows of a table have in common that are in trouble for the same
 * reason, which often is one other row. */
static char *
trouble_label(const json_t *row)
{
    static const char *const members[] = {"table",      "state", "code",
                                          "field",      "value", "reason",
                                          "blocked_by", "remedy"};
    struct text text = {0};

    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        text_addf(&text, "%s\n", member(row, members[i]));
    }
    return text_take(&text);
}

/* Prints a group of rows with the same trouble. */
static void
print_trouble(const json_t *group)
{
    const json_t *row = json_array_get(group, 0);
    size_t n = json_array_size(group);

    printf("\n%s|%s", member(row, "table"), member(row, "key"));
    if (n > 1) {
        printf(" and %zu more row%s", n - 1, n == 2 ? "" : "s");
    }
    printf(": %s (%s)\n", member(row, "state"), member(row, "code"));
    print_why(row, "  ");
}

/* Prints the rows that their author has to look at, and why. */
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

/* Returns what the fields are that orchd goes by, in a row of 'state'. */
static const char *
fields_title(const char *state)
{
    if (!strcmp(state, "applied")) {
        return "In force";
    }
    return strcmp(state, "rejected") ? "Wanted" : "Wanted still";
}

/* Prints one row with all that is known of it. */
static void
print_row(const json_t *row)
{
    const json_t *fields = json_object_get(row, "fields");
    const char *name;
    json_t *value;

    printf("%s|%s: %s", member(row, "table"), member(row, "key"),
           member(row, "state"));
    if (*member(row, "code")) {
        printf(" (%s)", member(row, "code"));
    }
    printf(", generation %lld\n",
           (long long)json_integer_value(json_object_get(row, "generation")));
    print_why(row, "  ");
    printf("%s:%s\n", fields_title(member(row, "state")),
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

/* Prints one row in full, or what is wrong in all: first what explains
 * everything (no database), then numbers, then rows. */
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
        printf("CONFIG_DB at %s is not there: %s\n", member(redis, "endpoint"),
               member(redis, "reason"));
    } else if (redis && !json_is_true(json_object_get(redis, "notified"))) {
        printf("CONFIG_DB at %s sends no notifications: %s\n",
               member(redis, "endpoint"), member(redis, "reason"));
    }
    if (json_is_true(json_object_get(removals, "held"))) {
        printf("Removals are held back: %s.\n", member(removals, "reason"));
    }
    config_print_answers(data);
}

/* Says what was written; with --wait also what came of it. */
static void
print_load(const struct invocation *invocation, const json_t *data)
{
    printf("Wrote %lld rows of %lld tables from %s.\n",
           (long long)json_integer_value(json_object_get(data, "rows_written")),
           (long long)json_integer_value(json_object_get(data, "tables")),
           invocation->operands[0]);
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
                       "'%s' is not the number of a generation",
                       invocation->operands[0]);
    }
    json_object_set_new(invocation->arguments, "generation",
                        json_integer((json_int_t)generation));
    return ST_OK;
}

static json_int_t
number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static void
print_rollback(const struct invocation *invocation, const json_t *data)
{
    printf("Back to generation %s: %lld rows written, %lld removed.\n",
           invocation->operands[0], (long long)number(data, "rows_written"),
           (long long)number(data, "rows_removed"));
    config_print_answers(data);
}

/* Returns a member as text; null is "none". */
static const char *
value_text(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);

    return json_is_null(value) ? "none" : member(object, name);
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

    printf("\n%s (%s)\n", member(object, "object"),
           json_is_null(json_object_get(object, "oid"))
               ? "not on the ASIC"
               : member(object, "oid"));
    if (*member(object, "shadowed_by")) {
        printf("  %s has its place: it is more specific\n",
               member(object, "shadowed_by"));
    }
    if (*member(object, "waits_for")) {
        printf("  waits for %s\n", member(object, "waits_for"));
    }
    json_array_foreach(json_object_get(object, "attributes"), i, row)
    {
        grid_line(grid);
        grid_text(grid, member(row, "attribute"));
        grid_text(grid, member(row, "field"));
        grid_text(grid, value_text(row, "intended"));
        grid_text(grid, value_text(row, "found"));
        grid_text(grid, member(row, "refused"));
    }
    grid_print(grid, 2);
}

/* Prints where the numbers of a row come from. */
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

    printf("\n%s%s%s\n", member(part, "port"), *member(part, "port") ? " " : "",
           member(part, "profile"));
    if (longest) {
        printf("  longest cable: %lld m, by the limit of %lld bytes\n",
               (long long)json_integer_value(longest),
               (long long)json_integer_value(
                   json_object_get(part, "headroom_limit")));
    }
    json_array_foreach(json_object_get(part, "terms"), i, term)
    {
        grid_line(grid);
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            grid_text(grid, member(term, names[j]));
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
    printf("%lld attributes compared, %zu differ.\n",
           (long long)number(data, "compared"), json_array_size(list));
    json_array_foreach(json_object_get(data, "unread"), i, row)
    {
        printf("Not compared, since the switch does not tell it (%s): %s of "
               "%lld object%s, for example %s.\n",
               member(row, "status"), member(row, "attribute"),
               (long long)number(row, "objects"),
               number(row, "objects") == 1 ? "" : "s", member(row, "example"));
    }
    if (!json_array_size(list)) {
        return;
    }
    grid = grid_create(columns, 5);
    json_array_foreach(list, i, row)
    {
        grid_line(grid);
        for (size_t j = 0; j < 5; j++) {
            grid_text(grid, member(row, members[j]));
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
        grid_number(grid, number(entry, "generation"));
        grid_text(grid, member(entry, "time"));
        grid_number(grid, number(entry, "rows_changed"));
    }
    grid_print(grid, 0);
}

/* The state of everything, in numbers. */
static void
print_sync(const struct invocation *invocation, const json_t *data)
{
    (void)invocation;
    print_counts(json_object_get(data, "counts"));
}

static const struct option load_options[] = {
    {"replace", OPTION_FLAG, NULL, 0, 0,
     "remove all rows that the file does not have"},
    {"wait", OPTION_FLAG, NULL, 0, 0,
     "until the ASIC has what was loaded, or it is known why not"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option plan_options[] = {
    {"from", OPTION_TEXT, "FILE", 0, 0,
     "what the switch has before (default: nothing)"},
    DRYRUN_OPTIONS,
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option lint_options[] = {
    DRYRUN_OPTIONS,
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const struct verb config_verbs[] = {
    {"config", "diff", "", 0, 0, NULL,
     "Read the ASIC back and show where it is not what CONFIG_DB means",
     "The answer is 1 if something differs.\n", NULL, print_diff, NULL},
    {"config", "explain", "'TABLE|KEY'", 1, 1, NULL,
     "Show what one row comes to on the ASIC, attribute by attribute",
     "Also which other row has its place, and what it waits for.\n",
     verb_operand_row, print_explain, NULL},
    {"config", "history", "", 0, 0, NULL,
     "List the generations of CONFIG_DB that can be gone back to",
     "A generation is a plan that changed the switch; the newest is first.\n",
     NULL, print_history, NULL},
    {"config", "lint", "[FILE]", 0, 1, lint_options,
     "Find what is legal but unwise in a config_db.json, or in what is in "
     "force",
     "With a file it needs no orchd and no Redis.  The answer is 1 if there is "
     "a warning;\nnotes do not count.  " DOCDIR
     "/reference/lint.md explains each code.\n",
     NULL, NULL, config_lint},
    {"config", "load", "FILE", 1, 1, load_options,
     "Write a config_db.json into CONFIG_DB",
     "Rows that CONFIG_DB has besides stay as they are, unless --replace is "
     "given.\nWith --wait the answer is 1 if a row of the file was not "
     "applied.\n",
     prepare_load, print_load, NULL},
    {"config", "plan", "FILE", 1, 1, plan_options,
     "Show what orchd would do with a config_db.json, without doing it",
     "Needs no orchd and no Redis.  The answer is 1 if a row of the file would "
     "be\nrejected, refused or wait for something that the file does not "
     "have.\n",
     NULL, NULL, config_plan},
    {"config", "resume", "", 0, 0, NULL,
     "Say that CONFIG_DB is complete as it is",
     "Until CONFIG_DB looks complete nothing is removed from the ASIC; this "
     "says that\nwhat is missing is meant to be missing.\n",
     NULL, NULL, NULL},
    {"config", "rollback", "GENERATION", 1, 1, NULL,
     "Make CONFIG_DB what it was at a generation, and wait",
     "Rows that have been added since are removed.  Tables that orchd has "
     "nothing to do\nwith are left alone.  The answer is 1 if a row that was "
     "written is not applied.\n",
     prepare_rollback, print_rollback, NULL},
    {"config", "status", "[TABLE|'TABLE|KEY']", 0, 1, NULL,
     "Show all rows that are not applied or have warnings, and why",
     "With 'TABLE|KEY' that row in full.  The answer is 1 if a row is "
     "rejected, failed\nor waiting.\n",
     verb_operand_row, print_status, NULL},
    {"config", "sync", "", 0, 0, NULL,
     "Wait until everything written so far is applied or judged", NULL, NULL,
     print_sync, NULL},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
