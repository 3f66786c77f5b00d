/* SPDX-License-Identifier: Apache-2.0 */

/* Finds templates and draws pictures. */

#include <config.h>

#include "orchctl/picture.h"

#include <stdio.h>
#include <string.h>

#include "process/places.h"
#include "results/draw.h"
#include "results/figure.h"

const char *
picture_figures(const struct invocation *invocation, char *path)
{
    const char *given = verb_option(invocation, "figures", NULL);
    struct places places;

    if (given) {
        return given;
    }
    places_find(&places);
    return places_data(&places, "orchctl/figs", PKGDATADIR "/orchctl/figs",
                       path);
}

enum st
picture_check(const char *picture, struct err *err)
{
    const char *dot = strrchr(picture, '.');

    if (dot && (!strcmp(dot, ".svg") || !strcmp(dot, ".png") ||
                !strcmp(dot, ".pdf"))) {
        return ST_OK;
    }
    (void)err_set(err, ST_INVALID, "usage",
                  "the suffix of '%s' is no format of pictures", picture);
    err_set_field(err, "PICTURE", picture, ".svg, .png, .pdf");
    return ST_INVALID;
}

enum st
picture_draw(const struct invocation *invocation, const char *folder,
             const char *name, const struct figure_source *source,
             const char *picture, struct err *err)
{
    struct figure figure = {0};
    enum st st = draw_load(folder, name, &figure, err);

    if (st) {
        return st;
    }
    st = draw_figure(&figure, source, picture, err);
    figure_fini(&figure);
    if (!st && !invocation->json) {
        printf("%s\n", picture);
    }
    return st;
}
