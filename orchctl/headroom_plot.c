/* SPDX-License-Identifier: Apache-2.0 */

/* Varies the cables of a plan. */

#include <config.h>

#include "orchctl/headroom_plot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/text.h"
#include "command/bars.h"
#include "command/grid.h"
#include "command/terminal.h"
#include "orchctl/headroom_need.h"
#include "orchctl/picture.h"
#include "process/places.h"
#include "results/database.h"
#include "results/figure.h"

#define POINTS                                                                 \
    "CREATE TABLE points (run, curve, x, y, state, by_number, measure)"

enum {
    N_POINTS = 30,       /* Of a curve. */
    N_BARS = 12,         /* At most, of a group. */
    SHORTEST_AXIS = 100, /* In metres. */
};

/* Returns the xoff of a PG of group 'i' with a cable of 'cable_m', and stores
 * what packets of any length may need. */
static uint64_t
xoff_at(const struct plan_question *question, size_t i, uint32_t cable_m,
        uint64_t *any)
{
    struct plan_question *one = check_malloc(sizeof *one);
    struct plan_answer *answer = check_malloc(sizeof *answer);
    struct headroom_need need;
    uint64_t xoff;

    *one = *question;
    one->groups[0] = question->groups[i];
    one->groups[0].port.cable_m = cable_m;
    one->n_groups = 1;
    headroom_need(one, 0, &need);
    plan_answer(one, answer);
    xoff = answer->groups[0].xoff_bytes;
    *any = need.any + need.taken;
    free(answer);
    free(one);
    return xoff;
}

/* Returns where the axis of lengths ends: at one and a half of the longest
 * cable. */
static uint32_t
axis_end(const struct plan_question *question)
{
    uint32_t longest = 0;

    for (size_t i = 0; i < question->n_groups; i++) {
        const uint32_t cable_m = question->groups[i].port.cable_m;

        longest = cable_m > longest ? cable_m : longest;
    }
    longest += longest / 2;
    return longest < SHORTEST_AXIS ? SHORTEST_AXIS : longest;
}

/* Returns whether an earlier group has the same curve. */
static bool
is_repeated(const struct plan_question *question, size_t i)
{
    const struct headroom_port *port = &question->groups[i].port;

    for (size_t k = 0; k < i; k++) {
        const struct headroom_port *other = &question->groups[k].port;

        if (other->speed_mbps == port->speed_mbps &&
            other->lanes == port->lanes) {
            return true;
        }
    }
    return false;
}

/* Appends "100G, 4 lanes". */
static void
add_port(const struct headroom_port *port, struct text *text)
{
    text_addf(text, "%" PRIu32 "%s, %" PRIu32 " lane%s",
              port->speed_mbps % 1000 ? port->speed_mbps
                                      : port->speed_mbps / 1000,
              port->speed_mbps % 1000 ? "M" : "G", port->lanes,
              text_plural(port->lanes));
}

/* --- Pictures ------------------------------------------------------------ */

static enum st
add_point(struct database *database, const struct headroom_curve *curve,
          size_t place, uint32_t cable_m, struct err *err)
{
    struct query *query = query_create(
        database, "INSERT INTO points VALUES (1, ?1, ?2, ?3, 'passed', ?4, "
                  "'xoff')");
    enum st st;

    query_set_text(query, 1, curve->name);
    query_set_number(query, 2, cable_m);
    query_set_number(query, 3, (int64_t)curve->bytes(curve->context, cable_m));
    query_set_number(query, 4, (int64_t)place);
    st = query_execute(query, err);
    query_finish(query);
    return st;
}

/* Fills the table of points with curves. */
static enum st
fill(struct database *database, const struct headroom_picture *what,
     struct err *err)
{
    enum st st = database_run(database, POINTS, err);

    for (size_t i = 0; i < what->n_curves; i++) {
        for (uint32_t k = 0; !st && k <= N_POINTS; k++) {
            st = add_point(
                database, &what->curves[i], i,
                (uint32_t)((uint64_t)what->end_m * k / (uint32_t)N_POINTS),
                err);
        }
    }
    return st;
}

enum st
headroom_plot_curves(const struct invocation *invocation,
                     const struct headroom_picture *what, const char *picture,
                     struct err *err)
{
    const char *const labels[] = {"cable, m", what->unit, ""};
    char path[PLACES_PATH_SIZE];
    struct database *database = NULL;
    struct figure_source source = {.arguments = labels, .n_arguments = 3};
    enum st st = database_create_temporary(&database, err);

    if (st) {
        return st;
    }
    source.database = database;
    source.caption = what->caption;
    st = fill(database, what, err);
    st = st ? st
            : picture_draw(invocation, picture_figures(invocation, path),
                           "headroom", &source, picture, err);
    database_close(database);
    return st;
}

/* A group of a plan, for its curves. */
struct group_curve {
    const struct plan_question *question;
    size_t i;
};

/* Headroom_curve_fn functions: what the formula grants, and what is needed. */

static uint64_t
granted_at(const void *context, uint32_t cable_m)
{
    const struct group_curve *curve = context;
    uint64_t any = 0;

    return xoff_at(curve->question, curve->i, cable_m, &any);
}

static uint64_t
needed_at(const void *context, uint32_t cable_m)
{
    const struct group_curve *curve = context;
    uint64_t any = 0;

    (void)xoff_at(curve->question, curve->i, cable_m, &any);
    return any;
}

enum st
headroom_plot_draw(const struct invocation *invocation,
                   const struct plan_question *question, const char *picture,
                   struct err *err)
{
    struct group_curve groups[PLAN_GROUPS_MAX];
    struct headroom_curve curves[2 * PLAN_GROUPS_MAX];
    struct text names[2 * PLAN_GROUPS_MAX] = {0}, caption = {0};
    struct headroom_picture what = {.curves = curves,
                                    .unit = "headroom of a PG, bytes",
                                    .end_m = axis_end(question)};
    enum st st;

    for (size_t i = 0; i < question->n_groups; i++) {
        struct text *granted = &names[what.n_curves], *needed = granted + 1;

        if (is_repeated(question, i)) {
            continue;
        }
        groups[i] = (struct group_curve){question, i};
        add_port(&question->groups[i].port, granted);
        add_port(&question->groups[i].port, needed);
        text_add(granted, ": xoff by the formula");
        text_add(needed, ": needed by packets of any length");
        curves[what.n_curves++] = (struct headroom_curve){
            text_string(granted), granted_at, &groups[i]};
        curves[what.n_curves++] =
            (struct headroom_curve){text_string(needed), needed_at, &groups[i]};
    }
    text_addf(&caption, "%s, formula of %s, %" PRIu32 " %% packets of 64 bytes",
              question->chip->name, question->platform->name,
              question->traffic.small_percent);
    what.caption = text_string(&caption);
    st = headroom_plot_curves(invocation, &what, picture, err);
    text_fini(&caption);
    for (size_t i = 0; i < what.n_curves; i++) {
        text_fini(&names[i]);
    }
    return st;
}

/* --- Characters ---------------------------------------------------------- */

/* Returns a round step with which 'end' has at most N_BARS bars. */
static uint32_t
round_step(uint32_t end)
{
    static const uint32_t factors[] = {1, 2, 5};

    for (uint64_t power = 1;; power *= 10) {
        for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
            if (power * factors[i] * (N_BARS - 1) >= end) {
                return (uint32_t)(power * factors[i]);
            }
        }
    }
}

/* Prints the bar of one length. */
static void
print_length(const struct plan_question *question, size_t i, uint32_t cable_m,
             double whole)
{
    enum { REST = 2 + 7 + 3 + 14 };
    const size_t limit = terminal_width();
    const size_t width = limit == SIZE_MAX ? 80 : limit;
    struct text bar = {0};
    char digits[GRID_NUMBER_SIZE];
    uint64_t any = 0;
    const uint64_t xoff = xoff_at(question, i, cable_m, &any);

    bars_add(&bar, (double)xoff, (double)any, whole,
             width > REST + BARS_WIDTH_MIN ? width - REST : BARS_WIDTH_MIN,
             terminal_has_blocks());
    printf("  %7" PRIu32 " m %s%14s\n", cable_m, text_string(&bar),
           grid_group((int64_t)xoff, digits));
    text_fini(&bar);
}

void
headroom_plot_print(const struct plan_question *question)
{
    const uint32_t end = axis_end(question);
    const uint32_t step = round_step(end);

    for (size_t i = 0; i < question->n_groups; i++) {
        struct text port = {0};
        uint64_t any = 0;
        const uint64_t xoff = xoff_at(question, i, end, &any);

        if (is_repeated(question, i)) {
            continue;
        }
        add_port(&question->groups[i].port, &port);
        printf("xoff of a PG by the length of the cable, in bytes: %s\n"
               "The mark is what packets of any length may need.\n",
               text_string(&port));
        for (uint32_t cable_m = 0; cable_m <= end; cable_m += step) {
            print_length(question, i, cable_m,
                         (double)(xoff > any ? xoff : any));
        }
        putchar('\n');
        text_fini(&port);
    }
}
