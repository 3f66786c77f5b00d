/* SPDX-License-Identifier: Apache-2.0 */

/* Puts bars into a database, of which the template selects. */

#include <config.h>

#include "orchctl/buffer_plot.h"

#include <string.h>
#include <time.h>

#include "base/text.h"
#include "orchctl/buffer_view.h"
#include "orchctl/picture.h"
#include "process/places.h"
#include "results/database.h"
#include "results/figure.h"

/* What fits into the margin of the figure. */
enum { NAME_CHARACTERS = 22 };

#define TABLES                                                                 \
    "CREATE TABLE bars (panel, row, part, place, low, high);"                  \
    "CREATE TABLE marks (panel, row, x);"                                      \
    "CREATE TABLE names (panel, row, name);"

/* A bar of parts, one behind the other. */
struct bar {
    const char *panel, *name;
    /* Of guaranteed, shared, headroom, free, free headroom. */
    double ends[5];
    double headroom_begin, free_begin;
    double mark; /* Negative: none. */
};

/* Adds the part between 'low' and 'high'. */
static enum st
add_part(struct database *database, const struct bar *bar, size_t row,
         size_t part, double low, struct err *err)
{
    static const char *const names[] = {"guaranteed", "shared", "headroom",
                                        "free", "free headroom"};
    struct query *query =
        query_create(database, "INSERT INTO bars VALUES (?1, ?2, ?3, ?4, ?5, "
                               "?6)");
    enum st st;

    query_set_text(query, 1, bar->panel);
    query_set_number(query, 2, (int64_t)row);
    query_set_text(query, 3, names[part]);
    query_set_number(query, 4, (int64_t)part);
    query_set_real(query, 5, low);
    query_set_real(query, 6, bar->ends[part]);
    st = query_execute(query, err);
    query_finish(query);
    return st;
}

/* Executes and ends 'query', which takes panel, row, and what is already set.
 */
static enum st
add_other(struct query *query, const struct bar *bar, size_t row,
          struct err *err)
{
    enum st st;

    query_set_text(query, 1, bar->panel);
    query_set_number(query, 2, (int64_t)row);
    st = query_execute(query, err);
    query_finish(query);
    return st;
}

/* Shortens 'name' in the middle to what fits beside the bars: names begin with
 * the direction and end with what is special. */
static void
shorten(const char *name, char text[NAME_CHARACTERS + 1])
{
    static const char gap[] = "...";
    const size_t length = strlen(name);
    const size_t end = (NAME_CHARACTERS - strlen(gap)) / 2;
    const size_t begin = NAME_CHARACTERS - strlen(gap) - end;

    if (length <= NAME_CHARACTERS) {
        text_copy(text, NAME_CHARACTERS + 1, name);
    } else {
        text_format(text, NAME_CHARACTERS + 1, "%.*s%s%s", (int)begin, name,
                    gap, name + length - end);
    }
}

static enum st
add_bar(struct database *database, const struct bar *bar, size_t row,
        size_t n_parts, struct err *err)
{
    const double begins[] = {0, bar->ends[0], bar->headroom_begin,
                             bar->free_begin, bar->ends[2]};
    struct query *query;
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < n_parts; i++) {
        st = add_part(database, bar, row, i, begins[i], err);
    }
    if (!st && bar->mark >= 0) {
        query = query_create(database, "INSERT INTO marks VALUES (?1, ?2, ?3)");
        query_set_real(query, 3, bar->mark);
        st = add_other(query, bar, row, err);
    }
    if (!st) {
        char name[NAME_CHARACTERS + 1];

        shorten(bar->name, name);
        query = query_create(database, "INSERT INTO names VALUES (?1, ?2, ?3)");
        query_set_text(query, 3, name);
        st = add_other(query, bar, row, err);
    }
    return st;
}

/* Adds a pool: its headroom is behind its size, as on the live page. */
static enum st
add_pool(struct database *database, const struct buffer_pool *pool, size_t row,
         struct err *err)
{
    const double used = pool->guaranteed + pool->shared;
    const double headroom = pool->size + pool->headroom;
    const struct bar bar = {
        "pool",
        pool->name,
        {pool->guaranteed, used, headroom,
         used > pool->size ? used : pool->size, pool->size + pool->room},
        pool->size,
        used,
        pool->peak < 0 ? -1 : pool->guaranteed + pool->peak};

    return add_bar(database, &bar, row, pool->room > pool->headroom ? 5 : 4,
                   err);
}

static enum st
add_pg(struct database *database, const struct buffer_pg *pg, size_t row,
       struct err *err)
{
    const double shared = pg->guaranteed + pg->shared;
    const double headroom = pg->headroom > 0 ? pg->headroom : 0;
    const struct bar bar = {
        "pg",   pg->name, {pg->guaranteed, shared, shared + headroom, 0, 0},
        shared, 0,        pg->xoff};

    return add_bar(database, &bar, row, 3, err);
}

/* Fills the tables. */
static enum st
fill(struct database *database, const struct buffer_view *view, struct err *err)
{
    enum st st = database_run(database, TABLES, err);

    for (size_t i = 0; !st && i < view->n_pools; i++) {
        if (view->pools[i].size < 0) {
            continue; /* Unknown. */
        }
        st = add_pool(database, &view->pools[i], i, err);
    }
    for (size_t i = 0; !st && i < view->n_pgs && i < BUFFER_PLOT_PGS_MAX; i++) {
        st = add_pg(database, &view->pgs[i], i, err);
    }
    return st;
}

/* Appends what the lower panel shows. */
static void
add_title(const struct buffer_view *view, struct text *title)
{
    if (view->n_pgs > BUFFER_PLOT_PGS_MAX) {
        text_addf(title, "The %d fullest of %zu lossless PGs in use",
                  BUFFER_PLOT_PGS_MAX, view->n_pgs);
    } else {
        text_addf(title, "Lossless PGs in use: %zu of %zu", view->n_pgs,
                  view->n_lossless);
    }
}

enum st
buffer_plot_draw(const struct invocation *invocation,
                 const struct buffer_view *view, const char *picture,
                 struct err *err)
{
    char path[PLACES_PATH_SIZE], when[32];
    const time_t now = time(NULL);
    struct tm fields;
    struct database *database = NULL;
    struct text folder = {0}, title = {0};
    const char *arguments[1];
    struct figure_source source = {
        .caption = when, .arguments = arguments, .n_arguments = 1};
    enum st st = database_create_temporary(&database, err);

    if (st) {
        return st;
    }
    (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ",
                   gmtime_r(&now, &fields));
    add_title(view, &title);
    arguments[0] = text_string(&title);
    source.database = database;
    text_addf(&folder, "%s%s", picture_figures(invocation, path),
              verb_option(invocation, "figures", NULL) ? "" : "/switch");
    st = fill(database, view, err);
    st = st ? st
            : picture_draw(invocation, text_string(&folder), "buffer", &source,
                           picture, err);
    text_fini(&folder);
    text_fini(&title);
    database_close(database);
    return st;
}
