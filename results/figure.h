/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RESULTS_FIGURE_H
#define ORCHD_RESULTS_FIGURE_H

/* Figures: templates for gnuplot that say which data they need.
 *
 * A template is a file NAME.gp whose first comments say what it needs:
 *
 *     # figure: Completion times of flows
 *     # source: trace
 *     # needs: 'record: {series: ...}'
 *     # of: d9-incast d10-lasting
 *     # data cdf: SELECT group_name, fct_ps * 1e-6, ... FROM flow_list
 *     #   WHERE run = ?1 ORDER BY 1, 2
 *     plot for [i=0:cdf_blocks-1] cdf index i using 1:2 with lines ...
 *
 * The source says what kind of file the data is from, if a program has several.
 * "needs" says what a run has to have or record, for the error that there is no
 * data.  Both may be missing.  A line with more blanks after '#' continues the
 * one before.  The first column of the data is a key: rows with the same key
 * make a block (gnuplot's "index"), which begins with a line of the key in
 * quotes.  In the script, 'cdf' is the name of the file and 'cdf_blocks' the
 * number of blocks; terminal, output and title are set before it.
 *
 * Parameter ?1 of the SQL is the number of the run; ?2 and up are the arguments
 * of the figure, which the script knows as 'arg2' and up. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct database;

enum { FIGURE_DATA_MAX = 8 };

/* Where the data of a figure is. */
struct figure_source {
    struct database *database;
    int64_t run;         /* ?1. */
    const char *caption; /* Small, in a corner: what was run. */
    /* ?2 and up; a query may use fewer. */
    const char *const *arguments;
    size_t n_arguments;
    bool still; /* An SVG without the script that shows coordinates. */
    bool piped; /* The script writes to standard output instead of the file. */
};

struct figure_data {
    char *name; /* Letters, digits and '_'. */
    char *sql;
};

struct figure {
    char *title;
    char *source; /* NULL: not said. */
    char *needs;  /* What a run has to have, for a remedy; NULL: not said. */
    char *of;     /* Names of scenarios, with spaces; NULL: not said. */
    struct figure_data data[FIGURE_DATA_MAX];
    size_t n_data;
    char *script; /* The whole template. */
};

/* Reads the template 'path'.  ST_NOT_FOUND, ST_IO; ST_INVALID: it has no title,
 * or too much or wrong data.  figure_fini() frees it. */
enum st figure_load(const char *path, struct figure *figure,
                    struct err *err) ST_WARN_UNUSED;
void figure_fini(struct figure *figure);

/* Checks that the suffix of 'output' is that of a picture, .svg, .png or .pdf;
 * without one it is an SVG.  ST_INVALID: another one. */
enum st figure_check_output(const char *output, struct err *err) ST_WARN_UNUSED;

/* Writes the data of 'figure' and the script "plot.gp", which draws 'output'
 * (by its suffix an SVG, a PNG or a PDF), into the existing folder 'folder'.
 * ST_INVALID: its SQL or the suffix is wrong; ST_BUSY: the source has no data
 * for it; ST_IO. */
enum st figure_write(const struct figure *figure,
                     const struct figure_source *source, const char *folder,
                     const char *output, struct err *err) ST_WARN_UNUSED;

#endif /* results/figure.h */
