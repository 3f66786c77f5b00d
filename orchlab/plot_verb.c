/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab plot": draws a figure of a run with gnuplot. */

#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "command/grid.h"
#include "orchlab/figure.h"
#include "orchlab/run_files.h"
#include "orchlab/verb.h"
#include "process/places.h"

#define SUFFIX ".gp"

const struct option plot_options[] = {
    {"output", OPTION_TEXT, "FILE", 0, 0,
     "the picture, .svg or .png (FIGURE.svg)"},
    {"data", OPTION_TEXT, "FOLDER", 0, 0,
     "write data and script there and draw nothing"},
    {"figures", OPTION_TEXT, "FOLDER", 0, 0, "folder of templates"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct verb_folder figures = {"figures", "ORCHLAB_FIGURES",
                                           "lab/figs", PKGDATADIR "/lab/figs"};

/* Keeps the entries that end in SUFFIX. */
static int
is_template(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);

    return length > strlen(SUFFIX) &&
           !strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX);
}

/* Calls 'function' for each template of 'folder' by name, without suffix. */
static enum st
each_template(const char *folder,
              void (*function)(void *context, const char *folder,
                               const char *name),
              void *context, struct err *err)
{
    struct dirent **entries;
    const int n = scandir(folder, &entries, is_template, alphasort);

    if (n < 0) {
        err_set(err, ST_IO, "unreadable", "cannot read folder %s: %s", folder,
                strerror(errno));
        err_set_remedy(err, "give the templates by --figures FOLDER");
        return ST_IO;
    }
    for (int i = 0; i < n; i++) {
        entries[i]->d_name[strlen(entries[i]->d_name) - strlen(SUFFIX)] = '\0';
        function(context, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return ST_OK;
}

/* Returns "FOLDER/NAME.gp"; the caller frees it. */
static char *
template_path(const char *folder, const char *name)
{
    struct text path = {0};

    text_addf(&path, "%s/%s%s", folder, name, SUFFIX);
    return text_take(&path);
}

static void
add_choice(void *context, const char *folder, const char *name)
{
    (void)folder;
    choices_add(context, name);
}

/* Figures as a table and as JSON. */
struct figure_list {
    struct grid *grid;
    json_t *data;
};

static void
add_line(void *context, const char *folder, const char *name)
{
    struct figure_list *list = context;
    char *path = template_path(folder, name);
    struct figure figure = {0};
    struct err err = {0};
    const bool broken = figure_load(path, &figure, &err) != ST_OK;
    const char *title = broken ? err.reason : figure.title;

    grid_line(list->grid);
    grid_text(list->grid, name);
    grid_text(list->grid, title);
    json_array_append_new(
        list->data, json_pack("{s:s, s:s}", "figure", name, "title", title));
    if (!broken) {
        figure_fini(&figure);
    }
    free(path);
}

/* Lists the figures. */
static int
list_figures(const struct invocation *invocation)
{
    static const struct grid_column columns[] = {{"figure", false},
                                                 {"title", false}};
    struct figure_list list = {grid_create(columns, 2), json_array()};
    char path[PLACES_PATH_SIZE];
    struct err err = {0};
    const enum st st = each_template(verb_folder(invocation, &figures, path),
                                     add_line, &list, &err);

    if (st || invocation->json) {
        grid_free(list.grid);
    } else {
        grid_print(list.grid, 0);
    }
    if (!st && invocation->json) {
        verb_print_json(json_incref(list.data));
    }
    json_decref(list.data);
    return st ? verb_fail(&err) : LAB_DONE;
}

/* Loads the template called 'name'. */
static enum st
load(const char *folder, const char *name, struct figure *figure,
     struct err *err)
{
    char *path = template_path(folder, name);
    struct choices choices;
    enum st st = figure_load(path, figure, err);

    free(path);
    if (st != ST_NOT_FOUND) {
        return st;
    }
    choices_init(&choices, name);
    st = each_template(folder, add_choice, &choices, err);
    if (!st) {
        err_set(err, ST_INVALID, "figure", "there is no figure '%s'", name);
    }
    (void)choices_explain(&choices, "figure", st ? NULL : err);
    return st ? st : ST_INVALID;
}

/* Runs gnuplot on the script in 'folder'. */
static enum st
run_gnuplot(const char *folder, struct err *err)
{
    struct text path = {0};
    char *argv[] = {(char *)"gnuplot", NULL, NULL};
    char *variables[] = {(char *)"PATH=/usr/local/bin:/usr/bin:/bin",
                         (char *)"LC_ALL=C.UTF-8", NULL};
    const char *search = getenv("PATH");
    struct text variable = {0};
    pid_t child;
    int error, status = 0;

    if (search) {
        text_addf(&variable, "PATH=%s", search);
        variables[0] = variable.bytes;
    }
    text_addf(&path, "%s/plot.gp", folder);
    argv[1] = path.bytes;
    error = posix_spawnp(&child, "gnuplot", NULL, NULL, argv, variables);
    while (!error && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    text_fini(&path);
    text_fini(&variable);
    if (error) {
        err_set(err, ST_IO, "gnuplot", "cannot run gnuplot: %s",
                strerror(error));
        err_set_remedy(err, "install gnuplot-nox, or use --data FOLDER and "
                            "draw the script there elsewhere");
        return ST_IO;
    }
    return WIFEXITED(status) && !WEXITSTATUS(status)
               ? ST_OK
               : err_set(err, ST_IO, "gnuplot", "gnuplot failed");
}

/* Removes the temporary 'folder' with the data of 'figure'. */
static void
remove_data(const struct figure *figure, const char *folder)
{
    struct text path = {0};

    for (size_t i = 0; i <= figure->n_data; i++) {
        text_clear(&path);
        text_addf(&path, "%s/%s", folder,
                  i < figure->n_data ? figure->data[i].name : "plot.gp");
        text_add(&path, i < figure->n_data ? ".dat" : "");
        (void)unlink(text_string(&path));
    }
    (void)rmdir(folder);
    text_fini(&path);
}

/* Draws 'figure' into 'output' by way of a temporary folder. */
static enum st
draw(const struct figure *figure, struct reader *reader, const char *output,
     struct err *err)
{
    const char *parent = getenv("TMPDIR");
    struct text folder = {0};
    enum st st;

    text_addf(&folder, "%s/orchlab-plot.XXXXXX",
              parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder.bytes)) {
        st = err_set(err, ST_IO, "unwritable", "cannot create %s: %s",
                     folder.bytes, strerror(errno));
    } else {
        st = figure_write(figure, reader, folder.bytes, output, err);
        st = st ? st : run_gnuplot(folder.bytes, err);
        remove_data(figure, folder.bytes);
    }
    text_fini(&folder);
    if (!st) {
        printf("%s\n", output);
    }
    return st;
}

/* Writes data and script into 'folder', which is created if needed. */
static enum st
keep(const struct figure *figure, struct reader *reader, const char *folder,
     const char *output, struct err *err)
{
    if (mkdir(folder, 0777) && errno != EEXIST) {
        return err_set(err, ST_IO, "unwritable", "cannot create %s: %s", folder,
                       strerror(errno));
    }
    return figure_write(figure, reader, folder, output, err);
}

int
plot_verb(const struct invocation *invocation)
{
    const char *data = verb_option(invocation, "data", NULL);
    const char *name;
    struct text usual = {0};
    char path[PLACES_PATH_SIZE];
    const char *output;
    struct figure figure;
    struct reader *reader;
    struct err err = {0};
    enum st st;

    if (invocation->n_operands < 2) {
        return list_figures(invocation);
    }
    name = invocation->operands[1];
    st = load(verb_folder(invocation, &figures, path), name, &figure, &err);
    if (st) {
        return verb_fail(&err);
    }
    text_addf(&usual, "%s.svg", name);
    output = verb_option(invocation, "output", text_string(&usual));
    st = run_files_open(invocation->folder, invocation->operands[0], &reader,
                        &err);
    if (!st) {
        st = data ? keep(&figure, reader, data, output, &err)
                  : draw(&figure, reader, output, &err);
        reader_close(reader);
    }
    figure_fini(&figure);
    text_fini(&usual);
    return st ? verb_fail(&err) : LAB_DONE;
}
