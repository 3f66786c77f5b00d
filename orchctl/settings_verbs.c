/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl show settings" and "orchctl config-file reload". */

#include <config.h>

#include "orchctl/settings_verbs.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "command/grid.h"
#include "orchctl/member.h"
#include "orchctl/verb.h"

/* Returns the text of a value: a text, an array of pairs, or null. */
static const char *
value_text(const json_t *value, struct text *text)
{
    json_t *pair;
    size_t i;

    text_clear(text);
    json_array_foreach(value, i, pair)
    {
        text_add_item(text, " ", json_string_value(pair));
    }
    if (json_is_string(value)) {
        text_add(text, json_string_value(value));
    }
    return text->length ? text_string(text) : "-";
}

/* Prints which settings wait for a restart. */
static void
print_next(const json_t *settings)
{
    struct text value = {0};
    const char *last = "";
    json_t *setting;
    size_t i;

    json_array_foreach(settings, i, setting)
    {
        const json_t *next = json_object_get(setting, "next");
        const char *key = member_text(setting, "key");

        if (next && strcmp(key, last) != 0) {
            printf("%s becomes %s after a restart of orchd.\n", key,
                   value_text(next, &value));
            last = key;
        }
    }
    text_fini(&value);
}

void
settings_verbs_print(const struct invocation *invocation, const json_t *data)
{
    static const struct grid_column columns[] = {{"SETTING", false},
                                                 {"VALUE", false},
                                                 {"FROM", false},
                                                 {"CHANGE", false}};
    static const unsigned int ranks[] = {0, 0, 0, 1};
    const json_t *settings = json_object_get(data, "settings");
    struct grid *grid =
        grid_create(columns, sizeof columns / sizeof columns[0]);
    json_t *setting;
    size_t i;

    (void)invocation;
    printf("Configuration file: %s\n\n",
           *member_text(data, "file") ? member_text(data, "file") : "none");
    grid_fit(grid, ranks);
    json_array_foreach(settings, i, setting)
    {
        grid_line(grid);
        grid_text(grid, member_text(setting, "key"));
        grid_text(grid, member_text(setting, "value"));
        grid_text(grid, member_text(setting, "source"));
        grid_text(grid, member_text(setting, "change"));
    }
    grid_print(grid, 0);
    print_next(settings);
}

/* Prints a list of changes with a sentence about each. */
static void
print_changes(const json_t *changes, const char *verb, const char *end)
{
    struct text from = {0}, to = {0};
    json_t *change;
    size_t i;

    json_array_foreach(changes, i, change)
    {
        printf("%s %s %s%s, by %s (was %s)\n", member_text(change, "key"), verb,
               value_text(json_object_get(change, "to"), &to), end,
               member_text(change, "source"),
               value_text(json_object_get(change, "from"), &from));
    }
    text_fini(&from);
    text_fini(&to);
}

static void
print_reload(const struct invocation *invocation, const json_t *data)
{
    const json_t *applied = json_object_get(data, "applied");
    const json_t *restart = json_object_get(data, "restart");
    const json_t *problems = json_object_get(data, "problems");
    json_t *problem;
    size_t i;

    (void)invocation;
    json_array_foreach(problems, i, problem)
    {
        printf("%s%s\n",
               json_is_true(json_object_get(problem, "warning")) ? "warning: "
                                                                 : "",
               member_text(problem, "reason"));
        if (*member_text(problem, "allowed") &&
            !strstr(member_text(problem, "reason"),
                    member_text(problem, "allowed"))) {
            printf("  allowed: %s\n", member_text(problem, "allowed"));
        }
    }
    print_changes(applied, "is now", "");
    print_changes(restart, "becomes", " after a restart of orchd");
    if (!json_array_size(problems) && !json_array_size(applied) &&
        !json_array_size(restart)) {
        printf("%s: nothing has changed.\n", *member_text(data, "file")
                                                 ? member_text(data, "file")
                                                 : "no configuration file");
    }
}

const struct verb config_file_verbs[] = {
    {"config-file", "reload", "", 0, 0, NULL,
     "Read the configuration file of orchd again",
     "Says which changed settings are in force now and which need a restart of "
     "orchd.\nIf the file has an error, nothing changes.  SIGHUP does the "
     "same.\n",
     NULL, print_reload, NULL},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
