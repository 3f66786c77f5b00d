/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RESULTS_DRAW_H
#define ORCHD_RESULTS_DRAW_H

/* Draws figures: finds their templates, which are files NAME.gp of a folder,
 * and runs gnuplot. */

#include "base/status.h"

struct figure;
struct figure_source;
struct text;

/* The code of the error that there is no gnuplot. */
#define DRAW_NO_GNUPLOT "no-gnuplot"

/* Calls 'function' for each template of 'folder' in the order of names, which
 * have no suffix.  ST_IO: the folder cannot be read. */
typedef void draw_template_fn(void *context, const char *folder,
                              const char *name);
enum st draw_each_template(const char *folder, draw_template_fn *function,
                           void *context, struct err *err) ST_WARN_UNUSED;

/* Returns "FOLDER/NAME.gp"; the caller frees it. */
char *draw_template_path(const char *folder, const char *name);

/* Loads the template called 'name' as figure_load() does.  ST_INVALID: there is
 * none; 'err' lists those that exist and names the nearest. */
enum st draw_load(const char *folder, const char *name, struct figure *figure,
                  struct err *err) ST_WARN_UNUSED;

/* Draws 'figure' into the file 'output' by way of a temporary folder.  Fails as
 * figure_write() and whole_file_write() do; ST_IO: gnuplot cannot be run, or
 * has failed. */
enum st draw_figure(const struct figure *figure,
                    const struct figure_source *source, const char *output,
                    struct err *err) ST_WARN_UNUSED;

/* The same, but appends the picture, of the kind that the suffix of 'output'
 * names, to 'picture'. */
enum st draw_picture(const struct figure *figure,
                     const struct figure_source *source, const char *output,
                     struct text *picture, struct err *err) ST_WARN_UNUSED;

/* Writes data and script into 'folder', which is created if needed, instead. */
enum st draw_keep(const struct figure *figure,
                  const struct figure_source *source, const char *folder,
                  const char *output, struct err *err) ST_WARN_UNUSED;

#endif /* results/draw.h */
