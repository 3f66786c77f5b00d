/* SPDX-License-Identifier: Apache-2.0 */

/* Finds templates of figures and draws with gnuplot. */

#include <config.h>

#include "results/draw.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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
#include "results/figure.h"
#include "results/whole_file.h"

#define SUFFIX ".gp"

/* Keeps the entries that end in SUFFIX. */
static int
is_template(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);

    return length > strlen(SUFFIX) &&
           !strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX);
}

enum st
draw_each_template(const char *folder, draw_template_fn *function,
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

char *
draw_template_path(const char *folder, const char *name)
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

enum st
draw_load(const char *folder, const char *name, struct figure *figure,
          struct err *err)
{
    char *path = draw_template_path(folder, name);
    struct choices choices;
    enum st st = figure_load(path, figure, err);

    free(path);
    if (st != ST_NOT_FOUND) {
        return st;
    }
    choices_init(&choices, name);
    st = draw_each_template(folder, add_choice, &choices, err);
    if (!st) {
        err_set(err, ST_INVALID, "figure", "there is no figure '%s'", name);
    }
    (void)choices_explain(&choices, "figure", st ? NULL : err);
    return st ? st : ST_INVALID;
}

/* Starts gnuplot on the script in 'folder', with 'output' as its standard
 * output.  Returns an error number. */
static int
start_gnuplot(const char *folder, int output, pid_t *child)
{
    struct text path = {0};
    char *argv[] = {(char *)"gnuplot", NULL, NULL};
    char *variables[] = {(char *)"PATH=/usr/local/bin:/usr/bin:/bin",
                         (char *)"LC_ALL=C.UTF-8", NULL};
    const char *search = getenv("PATH");
    struct text variable = {0};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);

    if (error) {
        return error;
    }
    if (search) {
        text_addf(&variable, "PATH=%s", search);
        variables[0] = variable.bytes;
    }
    text_addf(&path, "%s/plot.gp", folder);
    argv[1] = path.bytes;
    error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    error =
        error ? error
              : posix_spawnp(child, "gnuplot", &actions, NULL, argv, variables);
    (void)posix_spawn_file_actions_destroy(&actions);
    text_fini(&path);
    text_fini(&variable);
    return error;
}

/* Reads all that comes from 'fd' into 'picture'. */
static void
read_picture(int fd, struct text *picture)
{
    char buffer[4096];
    ssize_t n;

    while ((n = read(fd, buffer, sizeof buffer)) > 0 ||
           (n < 0 && errno == EINTR)) {
        if (n > 0) {
            text_add_bytes(picture, buffer, (size_t)n);
        }
    }
}

/* Runs gnuplot on the script in 'folder' and appends what it draws to
 * 'picture'.  It does not write the file itself, as it does not notice that a
 * disk is full. */
static enum st
run_gnuplot(const char *folder, struct text *picture, struct err *err)
{
    int fds[2], error, status = 0;
    pid_t child = -1;

    if (pipe2(fds, O_CLOEXEC)) {
        return err_set(err, ST_IO, "gnuplot", "cannot create a pipe: %s",
                       strerror(errno));
    }
    error = start_gnuplot(folder, fds[1], &child);
    close(fds[1]);
    if (!error) {
        read_picture(fds[0], picture);
    }
    close(fds[0]);
    while (!error && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (error) {
        err_set(err, ST_IO, error == ENOENT ? DRAW_NO_GNUPLOT : "gnuplot",
                "cannot run gnuplot: %s", strerror(error));
        err_set_remedy(err, "install gnuplot-nox, or use --data FOLDER and "
                            "draw the script there elsewhere");
        return ST_IO;
    }
    return WIFEXITED(status) && !WEXITSTATUS(status) && picture->length
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

enum st
draw_picture(const struct figure *figure, const struct figure_source *source,
             const char *output, struct text *picture, struct err *err)
{
    const char *parent = getenv("TMPDIR");
    struct figure_source piped = *source;
    struct text folder = {0};
    enum st st;

    piped.piped = true;
    text_addf(&folder, "%s/figure.XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder.bytes)) {
        st = err_set(err, ST_IO, "unwritable", "cannot create '%s': %s",
                     folder.bytes, strerror(errno));
    } else {
        st = figure_write(figure, &piped, folder.bytes, output, err);
        st = st ? st : run_gnuplot(folder.bytes, picture, err);
        remove_data(figure, folder.bytes);
    }
    text_fini(&folder);
    return st;
}

enum st
draw_figure(const struct figure *figure, const struct figure_source *source,
            const char *output, struct err *err)
{
    struct text picture = {0};
    enum st st = draw_picture(figure, source, output, &picture, err);

    st = st ? st : whole_file_write(output, picture.bytes, picture.length, err);
    text_fini(&picture);
    return st;
}

enum st
draw_keep(const struct figure *figure, const struct figure_source *source,
          const char *folder, const char *output, struct err *err)
{
    if (mkdir(folder, 0777) && errno != EEXIST) {
        return err_set(err, ST_IO, "unwritable", "cannot create '%s': %s",
                       folder, strerror(errno));
    }
    return figure_write(figure, source, folder, output, err);
}
