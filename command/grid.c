/* SPDX-License-Identifier: Apache-2.0 */

/* Prints tables with libsmartcols. */

#include <config.h>

#include "command/grid.h"

#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"

#define WRAP_MIN 20 /* Narrower columns are unreadable. */

/* What grid_fit() has to know about a column. */
struct grid_width {
    size_t width;
    unsigned int rank; /* 0: always shown. */
    bool hidden;
};

struct grid {
    struct libscols_table *table;
    struct libscols_line *line;
    size_t column; /* The next cell. */
    size_t n;      /* Columns. */
    struct grid_width *widths;
    bool fits; /* By grid_fit(). */
};

struct grid *
grid_create(const struct grid_column *columns, size_t n)
{
    struct grid *grid = check_calloc(1, sizeof *grid);

    grid->table = scols_new_table();
    orch_assert(grid->table);
    grid->n = n;
    grid->widths = check_calloc(n + 1, sizeof *grid->widths);
    /* libsmartcols does not cut cells; grid_fit() leaves out whole columns. */
    scols_table_set_termforce(grid->table, SCOLS_TERMFORCE_NEVER);
    scols_table_enable_colors(grid->table, terminal_has_colours());
    for (size_t i = 0; i < n; i++) {
        grid->widths[i].width = strlen(columns[i].header);
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

/* Returns how many characters 'text' has in the locale, or its bytes if it is
 * no text of that. */
static size_t
count_characters(const char *text)
{
    const size_t n = mbstowcs(NULL, text, 0);

    return n == (size_t)-1 ? strlen(text) : n;
}

void
grid_text(struct grid *grid, const char *text)
{
    struct grid_width *column = &grid->widths[grid->column];
    const size_t width = text ? count_characters(text) : 0;

    orch_assert(grid->column < grid->n);
    column->width = width > column->width ? width : column->width;
    orch_assert(!scols_line_set_data(grid->line, grid->column++,
                                     text && *text ? text : "-"));
}

void
grid_colour(struct grid *grid, enum terminal_colour colour)
{
    static const char *const names[] = {[TERMINAL_GOOD] = "green",
                                        [TERMINAL_WARNING] = "yellow",
                                        [TERMINAL_ALARM] = "red"};
    struct libscols_cell *cell =
        scols_line_get_cell(grid->line, grid->column - 1);

    orch_assert(cell && !scols_cell_set_color(cell, names[colour]));
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

void
grid_fit(struct grid *grid, const unsigned int *ranks)
{
    grid->fits = true;
    for (size_t i = 0; i < grid->n; i++) {
        grid->widths[i].rank = ranks[i];
    }
}

/* Returns the column to leave out next, NULL if all others have to stay. */
static struct grid_width *
least_important(const struct grid *grid)
{
    struct grid_width *found = NULL;

    for (size_t i = 0; i < grid->n; i++) {
        struct grid_width *column = &grid->widths[i];

        if (!column->hidden && column->rank &&
            (!found || column->rank >= found->rank)) {
            found = column;
        }
    }
    return found;
}

/* Returns the header of column 'i'. */
static const char *
header_of(const struct grid *grid, size_t i)
{
    return scols_cell_get_data(
        scols_column_get_header(scols_table_get_column(grid->table, i)));
}

/* Replaces blanks of 'text' by line ends, so that lines have at most 'room'
 * characters if their words allow. */
static void
wrap_words(char *text, size_t room)
{
    char *line = text;
    char *blank = NULL;

    for (char *c = text; *c; c++) {
        if (*c == ' ') {
            blank = c;
        }
        if ((size_t)(c - line) >= room && blank) {
            *blank = '\n';
            line = blank + 1;
            blank = NULL;
        }
    }
}

/* Wraps the last column, if it is text, to 'room' characters. */
static void
wrap_last(struct grid *grid, size_t room)
{
    struct libscols_column *column =
        scols_table_get_column(grid->table, grid->n - 1);
    struct libscols_iter *lines = scols_new_iter(SCOLS_ITER_FORWARD);
    struct libscols_line *line;

    orch_assert(lines);
    while (!scols_column_get_flags(column) &&
           !scols_table_next_line(grid->table, lines, &line)) {
        struct libscols_cell *cell = scols_line_get_cell(line, grid->n - 1);
        char *text = check_strdup(scols_cell_get_data(cell));

        wrap_words(text, room);
        orch_assert(!scols_cell_set_data(cell, text));
        free(text);
    }
    if (!scols_column_get_flags(column)) {
        orch_assert(!scols_column_set_flags(column, SCOLS_FL_WRAP));
        orch_assert(!scols_column_set_safechars(column, "\n"));
        orch_assert(!scols_column_set_wrapfunc(column, scols_wrapnl_chunksize,
                                               scols_wrapnl_nextchunk, NULL));
    }
    scols_free_iter(lines);
}

/* Hides columns until lines have at most 'limit' characters, as far as ranks
 * allow; then wraps the last.  Appends the hidden headers to 'hidden'. */
static void
hide_columns(struct grid *grid, size_t limit, struct text *hidden)
{
    struct grid_width *column;
    size_t width = 0;

    for (size_t i = 0; i < grid->n; i++) {
        width += grid->widths[i].width + (i ? 1 : 0);
    }
    while (width > limit && (column = least_important(grid))) {
        column->hidden = true;
        width -= column->width + 1;
    }
    for (size_t i = 0; i < grid->n; i++) {
        if (grid->widths[i].hidden) {
            orch_assert(!scols_column_set_flags(
                scols_table_get_column(grid->table, i), SCOLS_FL_HIDDEN));
            text_add_item(hidden, ", ", header_of(grid, i));
        }
    }
    if (width > limit && grid->fits) {
        width -= grid->widths[grid->n - 1].width;
        wrap_last(grid, limit > width + WRAP_MIN ? limit - width : WRAP_MIN);
    }
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
    const size_t limit = terminal_width();
    struct text hidden = {0};
    char *text = NULL;

    hide_columns(grid, limit > indent ? limit - indent : 0, &hidden);
    orch_assert(!scols_print_table_to_string(grid->table, &text));
    print_indented(text, indent);
    if (hidden.length) {
        printf("%*sLeft out of %zu columns: %s\n", (int)indent, "", limit,
               text_string(&hidden));
    }
    text_fini(&hidden);
    free(text);
    grid_free(grid);
}

void
grid_free(struct grid *grid)
{
    free(grid->widths);
    scols_unref_table(grid->table);
    free(grid);
}
