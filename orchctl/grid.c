/* SPDX-License-Identifier: Apache-2.0 */

/* Prints tables with libsmartcols. */

#include <config.h>

#include "orchctl/grid.h"

#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"

struct grid {
    struct libscols_table *table;
    struct libscols_line *line;
    size_t column; /* The next cell. */
};

struct grid *
grid_create(const struct grid_column *columns, size_t n)
{
    struct grid *grid = check_calloc(1, sizeof *grid);

    grid->table = scols_new_table();
    orch_assert(grid->table);
    /* The same output on a terminal and in a pipe, and never cut. */
    scols_table_set_termforce(grid->table, SCOLS_TERMFORCE_NEVER);
    for (size_t i = 0; i < n; i++) {
        orch_assert(
            scols_table_new_column(grid->table, columns[i].header, 0,
                                   columns[i].number ? SCOLS_FL_RIGHT : 0));
    }
    return grid;
}

void
grid_line(struct grid *grid)
{
    grid->line = scols_table_new_line(grid->table, NULL);
    orch_assert(grid->line);
    grid->column = 0;
}

void
grid_text(struct grid *grid, const char *text)
{
    orch_assert(!scols_line_set_data(grid->line, grid->column++,
                                     text && *text ? text : "-"));
}

const char *
grid_group(int64_t number, char *buffer)
{
    char digits[GRID_NUMBER_SIZE];
    char *out = buffer;
    size_t length;

    text_format(digits, sizeof digits, "%llu",
                number < 0 ? 0 - (unsigned long long)number
                           : (unsigned long long)number);
    length = strlen(digits);
    if (number < 0) {
        *out++ = '-';
    }
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) {
            *out++ = ',';
        }
        *out++ = digits[i];
    }
    *out = '\0';
    return buffer;
}

void
grid_number(struct grid *grid, int64_t number)
{
    char buffer[GRID_NUMBER_SIZE];

    grid_text(grid, grid_group(number, buffer));
}

/* Prints 'text' with 'indent' blanks before each line and no blanks at the
 * end. */
static void
print_indented(const char *text, unsigned int indent)
{
    while (*text) {
        const char *end = strchr(text, '\n');
        size_t length = end ? (size_t)(end - text) : strlen(text);
        size_t shown = length;

        while (shown && text[shown - 1] == ' ') {
            shown--;
        }
        printf("%*s%.*s\n", (int)indent, "", (int)shown, text);
        text += length + (end ? 1 : 0);
    }
}

void
grid_print(struct grid *grid, unsigned int indent)
{
    char *text = NULL;

    orch_assert(!scols_print_table_to_string(grid->table, &text));
    print_indented(text, indent);
    free(text);
    scols_unref_table(grid->table);
    free(grid);
}
