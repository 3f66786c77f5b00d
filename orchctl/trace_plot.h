/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_TRACE_PLOT_H
#define ORCHD_ORCHCTL_TRACE_PLOT_H

/* Draws figures of traces (orchctl/trace_file.h) from templates whose source is
 * "trace".  They select from the tables of orchctl/trace_data.h; 'arg2' is the
 * label of the axis of time, 'arg3' and 'arg4' are its begin and end, 'arg5' is
 * the number of lanes, 'arg6' and 'arg7' are the positions of the objects that
 * have a threshold and a limit of drops, and 'arg8' is a note. */

#include <stdbool.h>

#include "base/status.h"
#include "orchctl/verb.h"

struct figure;

/* The source of such templates, and the figure that is drawn by default. */
#define TRACE_PLOT_SOURCE "trace"
#define TRACE_PLOT_FIGURE "occupancy"

/* Returns whether 'path' names a trace, by its suffix. */
bool trace_plot_is_trace(const char *path);

/* Checks that the options of 'invocation' are for a figure of a trace. */
enum st trace_plot_check(const struct invocation *invocation,
                         struct err *err) ST_WARN_UNUSED;

/* Draws 'figure' of the trace 'path' into 'picture'.  ST_INVALID: wrong
 * options, or there is nothing to draw. */
enum st trace_plot_draw(const struct invocation *invocation,
                        const struct figure *figure, const char *path,
                        const char *picture, struct err *err) ST_WARN_UNUSED;

#endif /* orchctl/trace_plot.h */
