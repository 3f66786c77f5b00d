/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_HEADROOM_PLOT_H
#define ORCHD_ORCHCTL_HEADROOM_PLOT_H

/* Draws the headroom that the groups of a plan need against the length of the
 * cable, all else being equal: as a picture, from the template
 * orchctl/figs/headroom.gp, or as bars of characters. */

#include "base/status.h"
#include "orchctl/headroom_plan.h"
#include "orchctl/verb.h"

/* Returns bytes that 'context' needs with a cable of 'cable_m'. */
typedef uint64_t headroom_curve_fn(const void *context, uint32_t cable_m);

struct headroom_curve {
    const char *name;
    headroom_curve_fn *bytes;
    const void *context;
};

/* Curves over cables from 0 to 'end_m', in the order of the legend. */
struct headroom_picture {
    const struct headroom_curve *curves;
    size_t n_curves;
    uint32_t end_m;
    const char *caption;
    const char *unit; /* Of the bytes. */
};

/* Draws 'what' as 'picture' (picture_check()) and prints its name. */
enum st headroom_plot_curves(const struct invocation *invocation,
                             const struct headroom_picture *what,
                             const char *picture,
                             struct err *err) ST_WARN_UNUSED;

/* Draws 'picture' (picture_check()) and prints its name. */
enum st headroom_plot_draw(const struct invocation *invocation,
                           const struct plan_question *question,
                           const char *picture, struct err *err) ST_WARN_UNUSED;

/* Prints bars, as wide as the terminal, or 80 characters. */
void headroom_plot_print(const struct plan_question *question);

#endif /* orchctl/headroom_plot.h */
