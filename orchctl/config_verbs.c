/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl config ...": load, check and inspect the configuration. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command/grid.h"
#include "command/terminal.h"
#include "orchctl/history_verbs.h"
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
        verb_let_wait(invocation);
    }
    return st;
}

/* Prints "Rows: 3 applied, 1 rejected.", without the states that no row has; if
 * no row has any, prints "none" or (not 'always') nothing. */
static void
print_states(const char *title, const json_t *counts, bool always)
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
    if (text.length || always) {
        printf("%s: %s.\n", title, text.length ? text.bytes : "none");
    }
    text_fini(&text);
}

static void
print_counts(const json_t *counts)
{
    print_states("Rows", counts, true);
}

/* Prints that lossless classes have no lossless priority group. */
static void
print_gap(const json_t *gap)
{
    json_int_t n = member_number(gap, "ports");

    if (gap) {
        printf("PFC is enabled for %s on %lld port%s, and no lossless priority "
               "group exists: %s.\n  Remedy: %s.\n",
               member_text(gap, "priorities"), (long long)n,
               text_plural((uint64_t)n), member_text(gap, "reason"),
               member_text(gap, "remedy"));
    }
}

/* Returns whether this version of orchd, rather than the device, does not
 * support a row. */
static bool
is_unsupported(const json_t *row)
{
    return !strcmp(member_text(row, "state"), "unsupported") &&
           !json_object_get(row, "attempts") &&
           strcmp(member_text(row, "code"), "no-llr") != 0;
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

/* Returns the colour of a state of a row. */
static enum terminal_colour
state_colour(const char *state)
{
    return !strcmp(state, "applied") ? TERMINAL_GOOD
           : !strcmp(state, "rejected") || !strcmp(state, "failed")
               ? TERMINAL_ALARM
               : TERMINAL_WARNING;
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
    printf(": %s%s%s (%s)\n",
           terminal_begin(state_colour(member_text(row, "state"))),
           member_text(row, "state"), terminal_end(), member_text(row, "code"));
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

/* Prints the state of one row, and why. */
static void
print_state(const json_t *row)
{
    printf("%s|%s: %s%s%s", member_text(row, "table"), member_text(row, "key"),
           terminal_begin(state_colour(member_text(row, "state"))),
           member_text(row, "state"), terminal_end());
    if (*member_text(row, "code")) {
        printf(" (%s)", member_text(row, "code"));
    }
    printf(", generation %lld", member_number(row, "generation"));
    if (strcmp(member_text(row, "origin"), "user")) {
        printf(", origin %s", member_text(row, "origin"));
    }
    putchar('\n');
    print_why(row, "  ");
}

/* Prints one row with all details. */
static void
print_row(const json_t *row)
{
    const json_t *fields = json_object_get(row, "fields");
    const char *name;
    json_t *value;

    print_state(row);
    printf("%s:%s\n", fields_title(member_text(row, "state")),
           json_object_size(fields) ? "" : " nothing");
    json_object_foreach((json_t *)(uintptr_t)fields, name, value)
    {
        printf("  %-20s %s\n", name, json_string_value(value));
    }
}

/* Prints the tables that orchd does not read: those that look misspelt, and
 * the others in one line. */
static void
print_unknown_tables(const json_t *tables)
{
    struct text others = {0};
    json_t *table;
    size_t i;

    json_array_foreach(tables, i, table)
    {
        const long long n = member_number(table, "rows");
        char item[160];

        text_format(item, sizeof item, "%.100s (%lld row%s)",
                    member_text(table, "table"), n, text_plural((uint64_t)n));
        if (*member_text(table, "nearest")) {
            printf("Warning: orchd has no table %s: did you mean %s?\n", item,
                   member_text(table, "nearest"));
        } else {
            text_add_item(&others, ", ", item);
        }
    }
    if (others.length) {
        printf("Tables that orchd does not read: %s.\n", others.bytes);
    }
    text_fini(&others);
}

void
config_print_answers(const json_t *answers)
{
    const json_t *rows = json_object_get(answers, "rows");

    print_counts(json_object_get(answers, "counts"));
    print_states("Derived rows", json_object_get(answers, "derived"), false);
    print_gap(json_object_get(answers, "lossless_gap"));
    print_unsupported(rows);
    print_unknown_tables(json_object_get(answers, "unknown_tables"));
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
    } else {
        print_unknown_tables(json_object_get(data, "unknown_tables"));
    }
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
    if (*member_text(data, "from")) {
        printf("Derived from %s%s.\n", member_text(data, "from"),
               strcmp(member_text(status, "origin"), "user+auto")
                   ? ""
                   : ", except the fields that CONFIG_DB has");
    }
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
    if (member_number(data, "first_generation") !=
        member_number(data, "generation")) {
        printf("The configuration has changed meanwhile, from generation %lld "
               "to %lld: each attribute was compared with what was intended "
               "when it was read.\n",
               member_number(data, "first_generation"),
               member_number(data, "generation"));
    }
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

/* Prints how many rows are in each state, and the rows of this call that need
 * attention. */
static void
print_sync(const struct invocation *invocation, const json_t *data)
{
    const json_int_t n_others = member_number(data, "others_not_applied");

    (void)invocation;
    config_print_answers(data);
    if (json_is_true(json_object_get(data, "still_changing"))) {
        puts("CONFIG_DB is still changing: these are the rows as they were "
             "read last.");
    }
    if (n_others) {
        printf("Not applied, and unchanged since before: %lld row%s (orchctl "
               "config status).\n",
               (long long)n_others, text_plural((uint64_t)n_others));
    }
}

static enum st
prepare_wait(struct invocation *invocation, struct err *err)
{
    verb_let_wait(invocation);
    return verb_operand_row(invocation, err);
}

static enum st
prepare_sync(struct invocation *invocation, struct err *err)
{
    (void)err;
    verb_let_wait(invocation);
    return ST_OK;
}

static void
print_wait(const struct invocation *invocation, const json_t *data)
{
    const json_t *row = json_array_get(json_object_get(data, "rows"), 0);

    (void)invocation;
    if (row) {
        print_state(row);
    }
}

static const struct option sync_options[] = {
    {"all", OPTION_FLAG, NULL, 0, 0, "exit with 1 if any row is not applied"},
    {"since-generation", OPTION_NUMBER, "N", 0, INT64_MAX,
     "the rows of this call are those that changed after N"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option load_options[] = {
    {"replace", OPTION_FLAG, NULL, 0, 0,
     "remove all rows that are not in the file"},
    {"wait", OPTION_FLAG, NULL, 0, 0,
     "wait until each row is applied or has an error"},
    {"comment", OPTION_TEXT, "TEXT", 0, 0,
     "comment on the generation of this load (config history)"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option plan_options[] = {
    {"from", OPTION_TEXT, "FILE", 0, 0,
     "configuration to start from (default: none)"},
    OFFLINE_CONFIG_OPTIONS,
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option rollback_options[] = {
    {"dry-run", OPTION_FLAG, NULL, 0, 0,
     "only show the rows and the SAI calls"},
    {"yes", OPTION_FLAG, NULL, 0, 0, "remove rows without a question"},
    OFFLINE_CONFIG_OPTIONS,
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option save_options[] = {
    {"all", OPTION_FLAG, NULL, 0, 0, "with the rows that orchd derived"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option lint_options[] = {
    OFFLINE_CONFIG_OPTIONS,
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const struct verb config_verbs[] = {
    {"config", "diff", "", 0, 0, NULL,
     "Show where the ASIC differs from CONFIG_DB",
     "Reads the ASIC back, while orchd goes on with rows.  Exits with 1 if "
     "something\ndiffers, or if nothing can be read.\n",
     NULL, print_diff, NULL},
    {"config", "explain", "'TABLE|KEY'", 1, 1, NULL,
     "Show how a row is programmed into the ASIC",
     "Shows each attribute, which row overrides this one, and what it waits "
     "for.\nExample: orchctl config explain 'BUFFER_PG|Ethernet0|3-4'\n",
     verb_operand_row, print_explain, NULL},
    {"config", "history", "[diff N [M]]", 0, 3, NULL,
     "List the generations of CONFIG_DB, or compare two",
     "Each load is a generation, and each burst of other changes: until "
     "CONFIG_DB was\nquiet for 500 ms, or until a config sync.  The newest is "
     "first.\nWith diff N it shows what has changed since generation N, with "
     "diff N M what\nchanged from N to M: + added, - removed, ~ changed.\n",
     NULL, NULL, config_history},
    {"config", "comment", "[GENERATION] TEXT", 1, 2, NULL,
     "Comment on a generation of CONFIG_DB, by default the newest",
     "The comment replaces an earlier one; config history shows it.\nExample: "
     "orchctl config comment 'before the upgrade'\n",
     history_prepare_comment, history_print_comment, NULL},
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
    {"config", "rollback", "GENERATION", 1, 1, rollback_options,
     "Restore CONFIG_DB to a generation, and wait",
     "Removes rows that were added later; asks first if these are more than "
     "10, "
     "and without\na terminal needs --yes.  Does not change tables that orchd "
     "does not use.\nExits with 1 if a row that was written is not applied.\n"
     "--dry-run shows the rows and the SAI calls on a simulated switch with "
     "the "
     "chip and the\nsettings of orchd, unless the options below say "
     "otherwise.\n",
     NULL, NULL, config_rollback},
    {"config", "save", "FILE", 1, 1, save_options,
     "Write the configuration in force to a config_db.json",
     "Has the tables that orchd does not use as they are in CONFIG_DB.  Leaves "
     "out rows\nthat are not in force, and names them; derived rows only with "
     "--all.\n",
     NULL, NULL, config_save},
    {"config", "status", "[TABLE|'TABLE|KEY']", 0, 1, NULL,
     "Show rows that are not applied or have warnings, and why",
     "With 'TABLE|KEY' it shows that row in full.  Exits with 1 if a row is "
     "rejected,\nfailed or waiting.\nExample: orchctl config status "
     "'BUFFER_PROFILE|egress_lossy_profile'\n",
     verb_operand_row, print_status, NULL},
    {"config", "sync", "", 0, 0, sync_options,
     "Wait until all rows written so far are applied or have an error",
     "Exits with 1 if a row of this call is not applied: one that changed "
     "since the last\nsync, load --wait or rollback of any client.  With "
     "--since-generation a client that\nshares CONFIG_DB with others counts "
     "from a generation that it has seen (--json\nprints it).  Rows that orchd "
     "found at its start count only with --all.\nWhile other clients keep "
     "writing it answers after 6 s, and says so.\n",
     prepare_sync, print_sync, NULL},
    {"config", "wait", "'TABLE|KEY'", 1, 1, NULL,
     "Wait until a row exists and is applied",
     "Exits with 1 at once if the row is rejected or failed, and after "
     "--timeout SECONDS\nif it is still missing or waiting.\nExample: orchctl "
     "config wait 'PORT|Ethernet0' --timeout 10\n",
     prepare_wait, print_wait, NULL},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
