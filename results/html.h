/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RESULTS_HTML_H
#define ORCHD_RESULTS_HTML_H

/* Pages of results: one file that needs no other one and no script.  Classes of
 * its style: 'n' for numbers, 'good' and 'bad'; a 'wide' block scrolls. */

struct text;

/* Appends the beginning of a page, up to its heading, and the end of one. */
void html_start(struct text *page, const char *title, const char *heading);
void html_end(struct text *page);

/* Appends 'string' with the characters that HTML reserves escaped. */
void html_add(struct text *page, const char *string);

/* Appends the picture 'svg', a file of gnuplot, as a figure; nothing if there
 * is no picture in it. */
void html_add_svg(struct text *page, const struct text *svg);

#endif /* results/html.h */
