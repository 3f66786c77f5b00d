/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_COMMAND_BARS_H
#define ORCHD_COMMAND_BARS_H

/* Bars and sparklines of characters: block elements of Unicode (U+2581 to
 * U+258F), which divide a cell into eighths, or ASCII where
 * the terminal cannot show them (terminal_has_blocks()). */

#include <stdbool.h>
#include <stddef.h>

struct text;

/* The shortest bar that says something. */
#define BARS_WIDTH_MIN 10

/* Appends a horizontal bar of 'width' cells, of which 'value' / 'whole' are
 * filled, with a line at 'mark' / 'whole' (negative: none).  A value above 0
 * shows at least an eighth, or in ASCII one character; one above 'whole' fills
 * the bar.  'blocks': use block elements. */
void bars_add(struct text *text, double value, double mark, double whole,
              size_t width, bool blocks);

/* Appends 'n' values as a line of at most 'width' characters, each as high as
 * its value between the lowest and the highest; equal values are lines at the
 * bottom.  If there are more values than characters, a character is the mean of
 * its values. */
void bars_add_sparkline(struct text *text, const double *values, size_t n,
                        size_t width, bool blocks);

#endif /* command/bars.h */
