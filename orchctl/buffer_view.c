/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the columns of "show live" and prints bars. */

#include <config.h>

#include "orchctl/buffer_view.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "command/bars.h"
#include "command/grid.h"
#include "command/terminal.h"
#include "orchctl/live_rows.h"

#define WIDTH_USUAL 80

/* Room for a number below 10 GB. */
#define DIGITS 13

/* --- Reading ------------------------------------------------------------- */

/* Returns an element as a number, 'otherwise' if it is unknown. */
static double
number(const json_t *table, const char *column, size_t row, double otherwise)
{
    const json_t *value = live_rows_cell(table, column, row);

    return json_is_number(value) ? json_number_value(value) : otherwise;
}

static void
add_pool(struct buffer_view *view, const json_t *names, const json_t *values,
         size_t row)
{
    const char *type = json_string_value(live_rows_cell(names, "type", row));
    const double size = number(values, "size", row, -1);

    view->pools[view->n_pools++] = (struct buffer_pool){
        .name = json_string_value(live_rows_cell(names, "name", row)),
        .type = type ? type : "",
        .size = size,
        .room = number(values, "headroom_size", row, 0),
        .guaranteed = number(values, "guaranteed", row, 0),
        .shared = number(values, "shared", row, size < 0 ? -1 : 0),
        .headroom = number(values, "headroom", row, size < 0 ? -1 : 0),
        .peak = number(values, "peak", row, -1)};
}

/* Adds a lossless PG that holds something; 'port' is the name of its port. */
static void
add_pg(struct buffer_view *view, const json_t *names, const json_t *values,
       size_t row, const json_t *port)
{
    const double threshold = number(values, "threshold", row, -1);
    const char *port_name = json_string_value(port);
    struct buffer_pg pg = {.used = number(values, "used", row, 0),
                           .shared = number(values, "shared", row, 0),
                           .headroom = number(values, "headroom", row, -1),
                           .room = json_number_value(live_rows_profile(
                               names, "pgs", row, "headroom_size")),
                           .paused = number(values, "xoff", row, 0) > 0};
    struct text name = {0};

    view->n_lossless += pg.room > 0;
    view->n_unknown += pg.room > 0 && number(values, "used", row, -1) < 0;
    if (pg.room <= 0 || pg.used <= 0) {
        return;
    }
    text_addf(&name, "%s|%d", port_name ? port_name : "?",
              (int)number(json_object_get(names, "pgs"), "index", row, 0));
    pg.name = text_take(&name);
    pg.guaranteed = pg.used - pg.shared - (pg.headroom > 0 ? pg.headroom : 0);
    pg.guaranteed = pg.guaranteed > 0 ? pg.guaranteed : 0;
    pg.xoff = threshold < 0 ? -1 : pg.guaranteed + threshold;
    view->pgs[view->n_pgs++] = pg;
    view->whole = pg.used > view->whole ? pg.used : view->whole;
    view->whole = pg.xoff > view->whole ? pg.xoff : view->whole;
}

static int
compare_pgs(const void *a, const void *b)
{
    const struct buffer_pg *x = a, *y = b;

    return x->used != y->used ? (x->used < y->used) - (x->used > y->used)
                              : strcmp(x->name, y->name);
}

void
buffer_view_make(const json_t *data, struct buffer_view *view)
{
    const json_t *names = json_object_get(data, "names");
    const json_t *values = json_object_get(data, "values");
    const json_t *pools = json_object_get(names, "pools");
    const json_t *pgs = json_object_get(names, "pgs");
    const size_t n_pools = json_array_size(json_object_get(pools, "name"));
    const size_t n_pgs = json_array_size(json_object_get(pgs, "index"));
    struct live_rows rows = {0};

    *view = (struct buffer_view){
        .pools = check_calloc(n_pools + 1, sizeof *view->pools),
        .pgs = check_calloc(n_pgs + 1, sizeof *view->pgs)};
    for (size_t i = 0; i < n_pools; i++) {
        add_pool(view, pools, json_object_get(values, "pools"), i);
    }
    for (size_t i = 0; i < n_pgs; i++) {
        add_pg(view, names, json_object_get(values, "pgs"), i,
               live_rows_port(&rows, names, "pgs", i));
    }
    qsort(view->pgs, view->n_pgs, sizeof *view->pgs, compare_pgs);
}

void
buffer_view_fini(struct buffer_view *view)
{
    for (size_t i = 0; i < view->n_pgs; i++) {
        free(view->pgs[i].name);
    }
    free(view->pgs);
    free(view->pools);
}

/* --- Printing ------------------------------------------------------------ */

/* How bars are printed. */
struct style {
    size_t label, bar; /* Widths. */
    bool blocks;
    bool fits; /* The width is enough for both. */
};

/* Returns bars beside labels of 'label' characters and 'rest' others. */
static struct style
style_for(size_t label, size_t rest)
{
    const size_t limit = terminal_width();
    const size_t width = limit == SIZE_MAX ? WIDTH_USUAL : limit;

    return (struct style){
        label,
        width > label + rest + BARS_WIDTH_MIN ? width - label - rest
                                              : BARS_WIDTH_MIN,
        terminal_has_blocks(), width >= label + rest + BARS_WIDTH_MIN};
}

/* Prints a label, a bar and a number. */
static void
print_bar(const struct style *style, const char *label, double value,
          double mark, double whole)
{
    struct text bar = {0};
    char digits[GRID_NUMBER_SIZE];

    bars_add(&bar, value, mark, whole, style->bar, style->blocks);
    printf("  %-*s %s %*s", (int)style->label, label, text_string(&bar), DIGITS,
           grid_group((int64_t)value, digits));
    text_fini(&bar);
}

/* Prints what a pool of unknown size holds, as far as that is known. */
static void
print_contents(const struct buffer_pool *pool)
{
    char text[GRID_NUMBER_SIZE];

    printf("%s, %s: ", pool->name, pool->type);
    if (pool->shared < 0) {
        printf("unknown, the switch does not report what it holds\n\n");
        return;
    }
    printf("%s bytes", grid_group((int64_t)pool->shared, text));
    if (pool->headroom >= 0) {
        printf(" + %s in headroom", grid_group((int64_t)pool->headroom, text));
    }
    if (pool->peak >= 0) {
        printf(", peak %s", grid_group((int64_t)pool->peak, text));
    }
    printf("\n\n");
}

static void
print_pool(const struct buffer_pool *pool)
{
    enum { LABEL = 10, REST = 2 + 1 + 1 + DIGITS + 8 };
    const struct style style = style_for(LABEL, REST);
    const double left = pool->size - pool->guaranteed - pool->shared;
    const struct {
        const char *label;
        double value, whole, mark;
    } parts[] = {{"guaranteed", pool->guaranteed, pool->size, -1},
                 {"shared", pool->shared, pool->size, pool->peak},
                 {"free", left > 0 ? left : 0, pool->size, -1},
                 {"headroom", pool->headroom, pool->room, -1}};
    char size[GRID_NUMBER_SIZE], room[GRID_NUMBER_SIZE];

    if (pool->size < 0) {
        print_contents(pool);
        return;
    }
    printf("%s, %s: %s bytes", pool->name, pool->type,
           grid_group((int64_t)pool->size, size));
    if (pool->room > 0) {
        printf(" + %s headroom", grid_group((int64_t)pool->room, room));
    }
    putchar('\n');
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].whole > 0) {
            print_bar(&style, parts[i].label, parts[i].value, parts[i].mark,
                      parts[i].whole);
            printf(" %5.1f %%\n", 100 * parts[i].value / parts[i].whole);
        }
    }
    if (pool->peak >= 0) {
        printf("  peak of shared, marked: %s\n",
               grid_group((int64_t)pool->peak, size));
    }
    putchar('\n');
}

static void
print_pgs(const struct buffer_view *view)
{
    enum { REST = 2 + 1 + 1 + 3 * DIGITS + 2 + 5 };
    struct style style;
    size_t label = 0;

    for (size_t i = 0; i < view->n_pgs; i++) {
        const size_t length = strlen(view->pgs[i].name);

        label = length > label ? length : label;
    }
    style = style_for(label, REST);
    if (!style.fits) { /* Without the last column. */
        style = style_for(label, REST - DIGITS - 1);
        style.fits = false;
    }
    printf("Lossless PGs in use, in bytes; XOFF is asserted at the mark\n");
    printf("  %-*s %*s %*s %*s%*s\n", (int)label, "PG", (int)style.bar, "",
           DIGITS, "USED", DIGITS, "XOFF AT", style.fits ? DIGITS + 1 : 0,
           style.fits ? "IN HEADROOM" : "");
    for (size_t i = 0; i < view->n_pgs; i++) {
        const struct buffer_pg *pg = &view->pgs[i];
        char xoff[GRID_NUMBER_SIZE] = "-", headroom[GRID_NUMBER_SIZE] = "-";

        print_bar(&style, pg->name, pg->used, pg->xoff, view->whole);
        if (pg->xoff >= 0) {
            (void)grid_group((int64_t)pg->xoff, xoff);
        }
        if (pg->headroom >= 0) {
            (void)grid_group((int64_t)pg->headroom, headroom);
        }
        printf(" %*s%*s", DIGITS, xoff, style.fits ? DIGITS + 1 : 0,
               style.fits ? headroom : "");
        printf("%s%s%s%s\n", pg->paused ? " " : "",
               pg->paused ? terminal_begin(TERMINAL_WARNING) : "",
               pg->paused ? "XOFF" : "", pg->paused ? terminal_end() : "");
    }
}

void
buffer_view_print(const struct buffer_view *view)
{
    for (size_t i = 0; i < view->n_pools; i++) {
        print_pool(&view->pools[i]);
    }
    if (!view->n_pools) {
        printf("There are no pools on the ASIC.\n");
    }
    if (view->n_pgs) {
        print_pgs(view);
    } else if (view->n_unknown) {
        printf("What %zu of %zu lossless PGs hold is unknown.\n",
               view->n_unknown, view->n_lossless);
    } else if (view->n_lossless) {
        printf("All %zu lossless PGs are empty.\n", view->n_lossless);
    } else {
        printf("There are no lossless PGs.\n");
    }
}
