/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_BUFFER_PLOT_H
#define ORCHD_ORCHCTL_BUFFER_PLOT_H

/* Draws what the buffer holds as a picture, from the template
 * orchctl/figs/switch/buffer.gp. */

#include "base/status.h"
#include "orchctl/verb.h"

struct buffer_view;

/* How many PGs fit into a picture: the fullest. */
#define BUFFER_PLOT_PGS_MAX 12

/* Draws 'view' into 'picture' (picture_check()), and prints its name. */
enum st buffer_plot_draw(const struct invocation *invocation,
                         const struct buffer_view *view, const char *picture,
                         struct err *err) ST_WARN_UNUSED;

#endif /* orchctl/buffer_plot.h */
