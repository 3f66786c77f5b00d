/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_SWEEP_PLOT_H
#define ORCHD_ORCHCTL_SWEEP_PLOT_H

/* Draws figures of sweeps and of traces (orchctl/trace_plot.h).
 *
 * Those of sweeps are drawn from templates (results/figure.h), which select
 * from the table "points" (results/sweep_data.h); 'arg2' and up are the labels
 * of the x axis, the y axis and the curves. */

#include <stdbool.h>

#include "base/status.h"
#include "orchctl/verb.h"

/* X(name, type, value, help).  The options of a plot. */
#define SWEEP_PLOT_OPTIONS(X)                                                  \
    X("figure", OPTION_TEXT, "FIGURE",                                         \
      "the kind of figure (points); sweep plot lists them")                    \
    X("x", OPTION_TEXT, "NAME",                                                \
      "the parameter of the x axis, or time (the first parameter)")            \
    X("by", OPTION_TEXT, "NAME",                                               \
      "a parameter with a curve for each of its values")                       \
    X("measure", OPTION_TEXTS, "MEASUREMENT",                                  \
      "what to draw, SNAPSHOT:OBJECT:COUNTER; repeatable")                     \
    X("object", OPTION_TEXTS, "OBJECT",                                        \
      "of a trace: what to draw, such as 'pg Ethernet0|3'; repeatable (the "   \
      "PG with the first XOFF; watchdog: all)")                                \
    X("window", OPTION_TEXT, "FROM..TO",                                       \
      "of a trace: the time to draw, such as 10us..2.5ms (all of it)")         \
    X("figures", OPTION_TEXT, "FOLDER", "folder of templates")

/* Returns whether the figure that the options name is one of traces. */
bool sweep_plot_needs_trace(const struct invocation *invocation);

/* Checks, before a long run, the options that do not depend on results; the
 * figure is to be 'of_trace' or of a sweep. */
enum st sweep_plot_check(const struct invocation *invocation, bool of_trace,
                         const char *picture, struct err *err) ST_WARN_UNUSED;

/* Draws 'picture' from the results file or trace 'path' as the options of
 * 'invocation' say, and prints its name.  sweep_plot_still() does not print it,
 * and an SVG has no script.  ST_INVALID: wrong options. */
enum st sweep_plot_draw(const struct invocation *invocation, const char *path,
                        const char *picture, struct err *err) ST_WARN_UNUSED;

enum st sweep_plot_still(const struct invocation *invocation, const char *path,
                         const char *picture, struct err *err) ST_WARN_UNUSED;

/* Prints the templates. */
enum st sweep_plot_list(const struct invocation *invocation,
                        struct err *err) ST_WARN_UNUSED;

#endif /* orchctl/sweep_plot.h */
