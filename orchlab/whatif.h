/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_WHATIF_H
#define ORCHD_ORCHLAB_WHATIF_H

/* The questions of "orchlab whatif".  Each answers with a table, a sentence
 * and, with --output, a figure, and returns the exit code of the verb. */

#include <stdint.h>

#include "base/status.h"

struct invocation;
struct run_folders;
struct run_manner;
struct text;

/* What failures do: whatif_fail.c. */
int whatif_fail(const struct invocation *invocation);

/* What a change of links, headroom, adapters or chips does: whatif_change.c. */
int whatif_change(const struct invocation *invocation);

/* Fills '*manner' for the runs of a question, from the command line; it borrows
 * the paths of 'folders'. */
void whatif_set_manner(const struct invocation *invocation,
                       struct run_folders *folders, struct run_manner *manner);

/* A value of a figure: in 'group' (a bar each, side by side), of 'name'. */
struct whatif_value {
    const char *group, *name;
    double value;
};

/* Draws 'n' values with the template 'figure' of the folder "whatif" of figures
 * into the file that --output names.  Without that option it does nothing.
 * Fails as draw_figure() does. */
enum st whatif_draw(const struct invocation *invocation, const char *figure,
                    const char *caption, const struct whatif_value *values,
                    size_t n, struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/whatif.h */
