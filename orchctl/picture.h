/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_PICTURE_H
#define ORCHD_ORCHCTL_PICTURE_H

/* What all verbs that draw have in common: where their templates are, and the
 * names of their pictures. */

#include "base/status.h"
#include "orchctl/verb.h"

struct database;
struct figure_source;

/* Returns the folder of templates: that of --figures, else the one in the
 * source tree or the installed one, in 'path' of PLACES_PATH_SIZE bytes. */
const char *picture_figures(const struct invocation *invocation, char *path);

/* Checks the suffix of a picture's name.  ST_INVALID. */
enum st picture_check(const char *picture, struct err *err) ST_WARN_UNUSED;

/* Draws 'picture' from the template 'name' of 'folder', whose data 'source'
 * has, and prints its name, except beside JSON. */
enum st picture_draw(const struct invocation *invocation, const char *folder,
                     const char *name, const struct figure_source *source,
                     const char *picture, struct err *err) ST_WARN_UNUSED;

#endif /* orchctl/picture.h */
