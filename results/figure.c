/* SPDX-License-Identifier: Apache-2.0 */

/* Reads templates of figures and writes their data and scripts. */

#include <config.h>

#include "results/figure.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "results/database.h"

enum { TEMPLATE_MAX_BYTES = 65536 };

/* Reads the file 'path' into 'text'. */
static enum st
read_file(const char *path, struct text *text, struct err *err)
{
    FILE *file = fopen(path, "re");
    char buffer[4096];
    size_t n;
    int error = errno;

    if (!file) {
        return err_set(err, error == ENOENT ? ST_NOT_FOUND : ST_IO,
                       "unreadable", "cannot read '%s': %s", path,
                       strerror(error));
    }
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0 &&
           text->length < TEMPLATE_MAX_BYTES) {
        text_add_bytes(text, buffer, n);
    }
    error = ferror(file) ? errno : 0;
    fclose(file);
    return error ? err_set(err, ST_IO, "unreadable", "cannot read '%s': %s",
                           path, strerror(error))
                 : ST_OK;
}

/* Starts the data that "name: SQL" describes. */
static enum st
add_data(struct figure *figure, const char *line, struct err *err)
{
    struct figure_data *data = &figure->data[figure->n_data];
    size_t n = 0;

    while (isalnum((unsigned char)line[n]) || line[n] == '_') {
        n++;
    }
    if (!n || line[n] != ':' || figure->n_data == FIGURE_DATA_MAX) {
        return err_set(err, ST_INVALID, "figure",
                       "wrong line of data '%.40s': write 'name: SELECT ...', "
                       "at most %d times",
                       line, FIGURE_DATA_MAX);
    }
    data->name = check_strdup(line);
    data->name[n] = '\0';
    data->sql = check_strdup(line + n + 1);
    figure->n_data++;
    return ST_OK;
}

/* Appends 'line' to the SQL of the last data. */
static void
continue_data(struct figure *figure, const char *line)
{
    struct figure_data *data = &figure->data[figure->n_data - 1];
    struct text sql = {0};

    text_addf(&sql, "%s %s", data->sql, line);
    free(data->sql);
    data->sql = text_take(&sql);
}

/* Takes a comment of the head of the template, without its '#'. */
static enum st
take_comment(struct figure *figure, const char *line, bool *in_data,
             struct err *err)
{
    const struct {
        const char *start;
        char **value;
    } keys[] = {
        {" figure: ", &figure->title},
        {" source: ", &figure->source},
        {" needs: ", &figure->needs},
        {" of: ", &figure->of},
    };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const size_t n = strlen(keys[i].start);

        if (!strncmp(line, keys[i].start, n)) {
            free(*keys[i].value);
            *keys[i].value = check_strdup(line + n);
            *in_data = false;
            return ST_OK;
        }
    }
    if (!strncmp(line, " data ", 6)) {
        *in_data = true;
        return add_data(figure, line + 6, err);
    } else if (*in_data && !strncmp(line, "  ", 2)) {
        continue_data(figure, line);
    } else {
        *in_data = false;
    }
    return ST_OK;
}

enum st
figure_load(const char *path, struct figure *figure, struct err *err)
{
    struct text text = {0};
    enum st st = read_file(path, &text, err);
    bool in_data = false;
    char *copy, *rest;
    const char *line;

    *figure = (struct figure){0};
    if (st) {
        text_fini(&text);
        return st;
    }
    copy = rest = check_strdup(text_string(&text));
    while (!st && (line = strsep(&rest, "\n")) && *line == '#') {
        st = take_comment(figure, line + 1, &in_data, err);
    }
    free(copy);
    if (!st && (!figure->title || !figure->n_data)) {
        st = err_set(err, ST_INVALID, "figure",
                     "%s has no line '# figure: TITLE' or '# data NAME: SQL'",
                     path);
    }
    figure->script = text_take(&text);
    if (st) {
        figure_fini(figure);
    }
    return st;
}

void
figure_fini(struct figure *figure)
{
    for (size_t i = 0; i < figure->n_data; i++) {
        free(figure->data[i].name);
        free(figure->data[i].sql);
    }
    free(figure->title);
    free(figure->source);
    free(figure->needs);
    free(figure->of);
    free(figure->script);
    *figure = (struct figure){0};
}

/* Writes 'text' as a string in quotes, without what would end it. */
static void
write_quoted(const char *text, FILE *file)
{
    putc('"', file);
    for (; *text; text++) {
        putc(*text == '"' || *text == '\\' || *text == '\n' ? '\'' : *text,
             file);
    }
    putc('"', file);
}

/* The same for a string of the script, which may have several lines. */
static void
write_string(const char *text, FILE *file)
{
    putc('"', file);
    for (; *text; text++) {
        if (*text == '\n') {
            fputs("\\n", file);
        } else {
            putc(*text == '"' || *text == '\\' ? '\'' : *text, file);
        }
    }
    putc('"', file);
}

/* Writes a row without its key; a new key starts a block. */
static void
write_row(const struct query *query, struct text *key, unsigned int *n_blocks,
          FILE *file)
{
    if (!*n_blocks || strcmp(text_string(key), query_text(query, 0)) != 0) {
        fputs(*n_blocks ? "\n\n" : "", file);
        text_clear(key);
        text_add(key, query_text(query, 0));
        write_quoted(text_string(key), file);
        putc('\n', file);
        ++*n_blocks;
    }
    for (int i = 1; i < query_columns(query); i++) {
        putc(i > 1 ? '\t' : ' ', file);
        if (query_type(query, i) == QUERY_TEXT) {
            write_quoted(query_text(query, i), file);
        } else if (query_type(query, i) == QUERY_NULL) {
            fputs("NaN", file);
        } else {
            fprintf(file, "%.12g", query_real(query, i));
        }
    }
    putc('\n', file);
}

/* Closes 'file'; ST_IO if something of it was not written. */
static enum st
close_file(FILE *file, const char *path, struct err *err)
{
    const bool failed = ferror(file) != 0;

    if (fclose(file) || failed) {
        return err_set(err, ST_IO, "unwritable", "cannot write '%s': %s", path,
                       strerror(errno));
    }
    return ST_OK;
}

static FILE *
open_file(const char *path, struct err *err)
{
    FILE *file = fopen(path, "we");

    if (!file) {
        err_set(err, ST_IO, "unwritable", "cannot write '%s': %s", path,
                strerror(errno));
    }
    return file;
}

/* Compiles 'sql' and sets the parameters that it has. */
static enum st
open_query(const char *sql, const struct figure_source *source,
           struct query **query, struct err *err)
{
    const enum st st = query_try(source->database, sql, query, err);

    if (!st && strstr(sql, "?1")) {
        query_set_number(*query, 1, source->run);
    }
    for (size_t i = 0; !st && i < source->n_arguments; i++) {
        char name[16];

        text_format(name, sizeof name, "?%zu", i + 2);
        if (strstr(sql, name)) {
            query_set_text(*query, (int)i + 2, source->arguments[i]);
        }
    }
    return st;
}

/* Writes the rows of 'data' into the file 'path'. */
static enum st
write_data(const struct figure_data *data, const struct figure_source *source,
           const char *path, unsigned int *n_blocks, struct err *err)
{
    struct query *query;
    struct text key = {0};
    FILE *file;
    bool row = false;
    enum st st = open_query(data->sql, source, &query, err);
    enum st closed;

    if (st) {
        return st;
    }
    file = open_file(path, err);
    if (!file) {
        query_finish(query);
        return ST_IO;
    }
    *n_blocks = 0;
    while (!(st = query_next(query, &row, err)) && row) {
        write_row(query, &key, n_blocks, file);
    }
    query_finish(query);
    text_fini(&key);
    closed = close_file(file, path, st ? NULL : err);
    return st ? st : closed;
}

/* Returns where the suffix of 'output' begins; "" if it has none. */
static const char *
suffix_of(const char *output)
{
    const char *slash = strrchr(output, '/');
    const char *dot = strrchr(slash ? slash : output, '.');

    return dot ? dot : "";
}

enum st
figure_check_output(const char *output, struct err *err)
{
    static const char *const suffixes[] = {"", ".svg", ".png", ".pdf"};
    const char *suffix = suffix_of(output);

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (!strcmp(suffixes[i], suffix)) {
            return ST_OK;
        }
    }
    return err_set(err, ST_INVALID, "usage",
                   "cannot draw '%s': a figure is a file .svg, .png or .pdf",
                   output);
}

/* Returns gnuplot's terminal for 'output'. */
static const char *
terminal_of(const char *output, bool still)
{
    const char *suffix = suffix_of(output);

    /* White, so that a dark page does not hide black axes. */
    if (!strcmp(suffix, ".png")) {
        return "pngcairo size 900,560 background rgb \"white\"";
    }
    if (!strcmp(suffix, ".pdf")) {
        return "pdfcairo size 18cm,11.2cm background rgb \"white\"";
    }
    return still ? "svg size 900,560 background rgb \"white\""
                 : "svg size 900,560 mouse standalone background rgb \"white\"";
}

/* Writes what the script needs to know before the template. */
static void
write_head(const struct figure *figure, const struct figure_source *source,
           const char *output, FILE *file)
{
    fprintf(file, "set terminal %s\n", terminal_of(output, source->still));
    if (!source->piped) {
        fputs("set output ", file);
        write_quoted(output, file);
        putc('\n', file);
    }
    /* Both above the graph, as legends can be below it. */
    fputs("set encoding utf8\nset tmargin 3\nset label ", file);
    write_quoted(figure->title, file);
    fputs(" at graph 0, screen 0.96 left noenhanced font \",14\"\nset label ",
          file);
    write_quoted(source->caption, file);
    fputs(" at graph 1, screen 0.96 right noenhanced font \",9\" textcolor rgb"
          " \"#555555\"\nset grid\n",
          file);
    for (size_t i = 0; i < source->n_arguments; i++) {
        fprintf(file, "arg%zu = ", i + 2);
        write_string(source->arguments[i], file);
        putc('\n', file);
    }
}

enum st
figure_write(const struct figure *figure, const struct figure_source *source,
             const char *folder, const char *output, struct err *err)
{
    struct text path = {0};
    FILE *script;
    unsigned int sum = 0;
    enum st st = figure_check_output(output, err);

    if (st) {
        return st;
    }
    text_addf(&path, "%s/plot.gp", folder);
    script = open_file(text_string(&path), err);
    if (!script) {
        text_fini(&path);
        return ST_IO;
    }
    write_head(figure, source, output, script);
    for (size_t i = 0; !st && i < figure->n_data; i++) {
        const struct figure_data *data = &figure->data[i];
        unsigned int n_blocks = 0;

        text_clear(&path);
        text_addf(&path, "%s/%s.dat", folder, data->name);
        st = write_data(data, source, text_string(&path), &n_blocks, err);
        fprintf(script, "%s = ", data->name);
        write_quoted(text_string(&path), script);
        fprintf(script, "\n%s_blocks = %u\n", data->name, n_blocks);
        sum += n_blocks;
    }
    if (!st && !sum) {
        st = err_set(err, ST_BUSY, "empty", "the run has no data for '%s'",
                     figure->title);
        if (figure->needs) {
            err_set_remedy(err, "the scenario needs %s", figure->needs);
        }
    }
    fputs(figure->script, script);
    text_clear(&path);
    text_addf(&path, "%s/plot.gp", folder);
    if (st) {
        fclose(script);
    } else {
        st = close_file(script, text_string(&path), err);
    }
    text_fini(&path);
    return st;
}
