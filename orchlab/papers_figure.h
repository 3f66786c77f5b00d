/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_PAPERS_FIGURE_H
#define ORCHD_ORCHLAB_PAPERS_FIGURE_H

/* The figures of a scenario on the page of published experiments: those whose
 * templates name it ("# of:", results/figure.h), else 'sweep', else one of its
 * expectations.  All are drawn from its results that count: those of one run
 * from the first of them. */

#include <jansson.h>

#include "base/status.h"

struct board;

/* Appends the pictures of 'board', which has results, to 'pictures' as SVG;
 * 'folder' has the templates.  A figure without data is left out; that of one
 * whose picture is above 100 KiB has its name in 'too_large' instead.  The
 * error is that of the figure of expectations. */
enum st papers_figure_add(json_t *pictures, json_t *too_large,
                          const struct board *board, const char *folder,
                          struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/papers_figure.h */
