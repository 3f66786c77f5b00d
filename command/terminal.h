/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_COMMAND_TERMINAL_H
#define ORCHD_COMMAND_TERMINAL_H

/* What standard output can show. */

#include <stdbool.h>
#include <stddef.h>

/* Returns how many characters fit into a line: COLUMNS of the environment if it
 * is a number, else the width of the terminal (80 if that is unknown), else,
 * for a pipe or a file, SIZE_MAX: scripts get everything. */
size_t terminal_width(void);

/* Returns how many lines the terminal has; 0: unknown, or not a terminal. */
size_t terminal_height(void);

/* What a colour means. */
enum terminal_colour { TERMINAL_GOOD, TERMINAL_WARNING, TERMINAL_ALARM };

/* Return what to print before and after a coloured word: "" unless
 * terminal_has_colours(). */
const char *terminal_begin(enum terminal_colour colour);
const char *terminal_end(void);

/* Returns whether to use colours: on a terminal, unless NO_COLOR is set
 * (https://no-color.org) or TERM is "dumb". */
bool terminal_has_colours(void);

/* Returns whether output may have block elements and other characters of UTF-8:
 * the locale of the environment (LC_ALL, else LC_CTYPE, else LANG) has them,
 * and TERM is not "dumb". */
bool terminal_has_blocks(void);

#endif /* command/terminal.h */
