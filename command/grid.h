/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_COMMAND_GRID_H
#define ORCHD_COMMAND_GRID_H

/* Aligned tables on standard output.
 *
 * Units belong in the headers, numbers are exact and grouped by thousands, and
 * an empty cell is "-". */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command/terminal.h"

struct grid;

/* A column; numbers are right-aligned. */
struct grid_column {
    const char *header;
    bool number;
};

/* Creates a table of 'n' columns.  End with grid_print(). */
struct grid *grid_create(const struct grid_column *columns, size_t n);

/* Allows the table to leave out columns where lines are limited
 * (terminal_width()): those with the highest rank first, and never those with
 * rank 0, and to wrap the last column if it is text.  grid_print() names the
 * columns that it leaves out below the table.  'ranks' has a number for
 * each column. */
void grid_fit(struct grid *grid, const unsigned int *ranks);

/* Starts a new line. */
void grid_line(struct grid *grid);

/* Fill the next cell of the line with text, which is copied ("" and NULL are
 * shown as "-"), or with a number. */
void grid_text(struct grid *grid, const char *text);
void grid_number(struct grid *grid, int64_t number);

/* Colours the cell that was filled last, if standard output has colours. */
void grid_colour(struct grid *grid, enum terminal_colour colour);

/* Prints the table with 'indent' blanks before each line, and frees it. */
void grid_print(struct grid *grid, unsigned int indent);

/* Frees 'grid' without printing it. */
void grid_free(struct grid *grid);

/* Room for the text of any number. */
#define GRID_NUMBER_SIZE 32

/* Writes 'number' grouped by thousands ("-12,345") into 'buffer' of
 * GRID_NUMBER_SIZE bytes and returns it. */
const char *grid_group(int64_t number, char *buffer);

#endif /* command/grid.h */
