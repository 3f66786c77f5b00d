/* SPDX-License-Identifier: Apache-2.0 */

/* Stage 1 of "orchlab tune": the values of each question, and what theory
 * forecasts of them.
 *
 *   ecn       Kmin, Kmax and Pmax of WRED, by the fluid model of DCQCN
 *   alpha     dynamic_th of lossless priority groups: the same model, whose
 *             queue PFC stops at n alpha S / (1 + n alpha)
 *   headroom  the headroom of a priority group, as it is or what its longest
 *             link needs, shared among r of them: the room for bursts */

#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/measure/metric.h"
#include "orchlab/tune.h"
#include "orchlab/verb.h"
#include "orchlab/whatif_rows.h"

enum { NS_MAX = 3 };

/* How long the fluid model is followed, and the message whose completion
 * counts if the loads have none that ends. */
#define FLUID_S       20e-3
#define FLUID_BYTES   1e6
#define THRESHOLD_MIN 5000.0
#define ROUND_BYTES   1000.0

/* Forecasts ---------------------------------------------------------------- */

/* Stores the numbers of senders for which a forecast is made: two, half of the
 * most, and the most that send to one host. */
static size_t
choose_ns(uint32_t most, uint32_t ns[NS_MAX])
{
    size_t n = 0;

    ns[n++] = 2;
    if (most / 2 > 2) {
        ns[n++] = most / 2;
    }
    if (most > 2) {
        ns[n++] = most;
    }
    return n;
}

/* Adds what 'loop' comes to, with 'n' senders, to 'candidate'. */
static enum st
forecast_with(const struct dcqcn_loop *loop, struct tune_candidate *candidate,
              struct err *err)
{
    const double ideal_s =
        loop->link.n * loop->size_bytes * 8 / loop->link.rate_bps +
        loop->delay_s;
    const double time_s = fmax(FLUID_S, 4 * ideal_s);
    struct dcqcn_course course;
    const enum st st = dcqcn_fluid_run(loop, time_s, &course, err);

    if (!st) {
        /* New flows end after 'done_s'; those that stay have what the link
         * carries. */
        candidate->done *=
            sqrt((isinf(course.done_s) ? time_s : course.done_s) / ideal_s /
                 course.utilization);
        candidate->queue_bytes =
            fmax(candidate->queue_bytes, course.mean_bytes);
        candidate->paused_s += course.paused_s;
        candidate->is_stable &= course.is_stable;
    }
    return st;
}

/* Forecasts 'candidate' with these thresholds, and alpha 'alpha' (0: that of
 * the configuration). */
static enum st
forecast(const struct tune *tune, double kmin, double kmax, double percent,
         double alpha, struct tune_candidate *candidate, struct err *err)
{
    uint32_t ns[NS_MAX];
    const size_t n = choose_ns((uint32_t)tune->loop.link.n, ns);
    enum st st = ST_OK;

    candidate->is_forecast = candidate->is_stable = true;
    candidate->done = 1;
    candidate->queue_bytes = candidate->paused_s = 0;
    for (size_t i = 0; !st && i < n; i++) {
        struct dcqcn_loop loop = tune->loop;

        loop.link.n = ns[i];
        loop.link.kmin_bytes = kmin;
        loop.link.kmax_bytes = kmax;
        loop.link.pmax = percent / 100;
        loop.limit_bytes = tune_rows_pfc_bytes(tune, ns[i]);
        if (alpha > 0) {
            /* n a S / (1 + n a) of S, which the present alpha cancels in. */
            loop.limit_bytes = tune_rows_pfc_bytes(tune, UINT32_MAX) * ns[i] *
                               alpha / (1 + ns[i] * alpha);
        }
        if (loop.size_bytes <= 0) {
            loop.size_bytes = FLUID_BYTES;
        }
        st = forecast_with(&loop, candidate, err);
    }
    candidate->done = pow(candidate->done, 1 / (double)n);
    return st;
}

/* Returns whether the fluid model can forecast; says why not. */
static bool
can_forecast(struct tune *tune)
{
    if (!dcqcn_fluid_is_built()) {
        text_add(&tune->note,
                 "Stage 1 was left out, because this orchlab was built without "
                 "GSL: stage 2 tried a coarse grid.  ");
    } else if (!tune->has_loop) {
        text_add(&tune->note, "Stage 1 was left out, because no two flows with "
                              "DCQCN lead to one host.  ");
    }
    return dcqcn_fluid_is_built() && tune->has_loop;
}

/* Adds a candidate of these values. */
static struct tune_candidate *
add(struct tune *tune, double a, double b, double c)
{
    struct tune_candidate *candidate = &tune->candidates[tune->n_candidates];

    *candidate = (struct tune_candidate){.values = {a, b, c}};
    if (tune->n_candidates) {
        (void)text_format(candidate->name, sizeof candidate->name, "c%zu",
                          tune->n_candidates);
    } else {
        (void)text_format(candidate->name, sizeof candidate->name, "present");
    }
    tune->n_candidates++;
    return candidate;
}

/* Returns the number in a field of the row that role 'role' has in 'table'. */
static double
number_of(const struct tune *tune, size_t role, const char *table,
          const char *field)
{
    const char *key;
    const json_t *row = tune_rows_find(tune, role, table, &key);
    const char *text = json_string_value(json_object_get(row, field));

    return text ? atof(text) : 0;
}

/* Returns the first role that has such a row; 'n_roles': none. */
static size_t
role_with(const struct tune *tune, const char *table)
{
    const char *key;
    size_t i = 0;

    while (i < tune->n_roles && !tune_rows_find(tune, i, table, &key)) {
        i++;
    }
    return i;
}

static enum st
fail_rows(const struct tune *tune, const char *what, struct err *err)
{
    return err_set(err, ST_INVALID, "usage",
                   "tune %s: no switch has a row of %s to change",
                   tune->question->name, what);
}

/* Sets 'field' of a copy of the row of role 'role' in 'table' for 'candidate'.
 */
static void
put(const struct tune *tune, size_t role, struct tune_candidate *candidate,
    const char *table, const char *field, double value)
{
    const char *key;
    const json_t *row = tune_rows_find(tune, role, table, &key);
    json_t *changed;

    if (!row) {
        return;
    }
    changed = whatif_rows_open(candidate->rows, tune->roles[role], table, key);
    if (!json_object_size(changed)) {
        json_object_update(changed, (json_t *)row);
    }
    json_object_set_new(changed, field, json_sprintf("%.0f", value));
}

/* ECN ---------------------------------------------------------------------- */

/* Adds all combinations with a Kmax below 'limit', at which PFC would be first.
 */
static void
add_thresholds(struct tune *tune, double limit, bool is_fine)
{
    static const double ratios[] = {2, 8, 1.25, 4};
    static const double percents[] = {5, 50, 1, 20, 100};
    const size_t n_ratios = is_fine ? 4 : 2, n_percents = is_fine ? 5 : 2;
    const double least =
        fmax(THRESHOLD_MIN, tune->has_loop ? tune->loop.link.rate_bps / 8 *
                                                 tune->loop.delay_s / 8
                                           : 0);
    const double step = is_fine ? 2 : 6;

    for (double kmin = least; kmin < limit; kmin *= step) {
        for (size_t i = 0; i < n_ratios; i++) {
            const double low = round(kmin / ROUND_BYTES) * ROUND_BYTES;
            const double high =
                round(kmin * ratios[i] / ROUND_BYTES) * ROUND_BYTES;

            for (size_t k = 0; k < n_percents && high < limit &&
                               tune->n_candidates < TUNE_GRID_MAX;
                 k++) {
                (void)add(tune, low, high, percents[k]);
            }
        }
    }
}

static enum st
make_ecn(struct tune *tune, struct err *err)
{
    const size_t role = role_with(tune, "WRED_PROFILE");
    const bool is_fine = can_forecast(tune);
    enum st st = ST_OK;

    if (role == tune->n_roles) {
        return fail_rows(tune, "WRED_PROFILE with wred_green_enable", err);
    }
    (void)add(tune,
              number_of(tune, role, "WRED_PROFILE", "green_min_threshold"),
              number_of(tune, role, "WRED_PROFILE", "green_max_threshold"),
              number_of(tune, role, "WRED_PROFILE", "green_drop_probability"));
    add_thresholds(tune, fmin(tune_rows_pfc_bytes(tune, 2), 1e9), is_fine);
    for (size_t i = 0; is_fine && !st && i < tune->n_candidates; i++) {
        struct tune_candidate *candidate = &tune->candidates[i];

        st = forecast(tune, candidate->values[0], candidate->values[1],
                      candidate->values[2], 0, candidate, err);
    }
    return st;
}

static void
add_ecn_rows(const struct tune *tune, size_t role,
             struct tune_candidate *candidate)
{
    static const char *const fields[] = {
        "green_min_threshold", "green_max_threshold", "green_drop_probability"};

    for (size_t i = 0; i < 3; i++) {
        put(tune, role, candidate, "WRED_PROFILE", fields[i],
            candidate->values[i]);
    }
}

static void
say_ecn(const double values[], struct text *text)
{
    char a[METRIC_TEXT_SIZE], b[METRIC_TEXT_SIZE];

    text_addf(text, "Kmin %s, Kmax %s, Pmax %.0f %%",
              metric_text(values[0], METRIC_BYTES, a),
              metric_text(values[1], METRIC_BYTES, b), values[2]);
}

/* Alpha -------------------------------------------------------------------- */

static enum st
make_alpha(struct tune *tune, struct err *err)
{
    enum { LEAST = -6, MOST = 3 };
    const size_t role = role_with(tune, "BUFFER_PROFILE");
    const size_t marks = role_with(tune, "WRED_PROFILE");
    const bool is_forecast = can_forecast(tune) && marks < tune->n_roles;
    enum st st = ST_OK;

    if (role == tune->n_roles) {
        return fail_rows(tune, "BUFFER_PROFILE with xoff", err);
    }
    (void)add(tune, number_of(tune, role, "BUFFER_PROFILE", "dynamic_th"), 0,
              0);
    for (int i = LEAST; i <= MOST; i++) {
        if (i != (int)tune->candidates[0].values[0]) {
            (void)add(tune, i, 0, 0);
        }
    }
    for (size_t i = 0; is_forecast && !st && i < tune->n_candidates; i++) {
        struct tune_candidate *candidate = &tune->candidates[i];

        st = forecast(
            tune, number_of(tune, marks, "WRED_PROFILE", "green_min_threshold"),
            number_of(tune, marks, "WRED_PROFILE", "green_max_threshold"),
            number_of(tune, marks, "WRED_PROFILE", "green_drop_probability"),
            exp2(candidate->values[0]), candidate, err);
    }
    return st;
}

static void
add_alpha_rows(const struct tune *tune, size_t role,
               struct tune_candidate *candidate)
{
    put(tune, role, candidate, "BUFFER_PROFILE", "dynamic_th",
        candidate->values[0]);
}

static void
say_alpha(const double values[], struct text *text)
{
    text_addf(text, "dynamic_th %.0f", values[0]);
}

/* Headroom ----------------------------------------------------------------- */

/* Values: 1 if each priority group has what its link needs, 0 if what it has at
 * present; and N, if the headroom pool has one Nth of what all have, 0: as at
 * present. */
static enum st
make_headroom(struct tune *tune, struct err *err)
{
    static const double shares[] = {1, 2, 4, 8, 16};

    if (role_with(tune, "BUFFER_PROFILE") == tune->n_roles) {
        return fail_rows(tune, "BUFFER_PROFILE with xoff", err);
    }
    (void)add(tune, 0, 0, 0);
    for (int exact = 1; exact >= 0; exact--) {
        for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
            (void)add(tune, exact, shares[i], 0);
        }
    }
    return ST_OK;
}

static void
add_headroom_rows(const struct tune *tune, size_t role,
                  struct tune_candidate *candidate)
{
    const double xoff = number_of(tune, role, "BUFFER_PROFILE", "xoff");
    const double size = number_of(tune, role, "BUFFER_PROFILE", "size");
    const double needed =
        candidate->values[0] > 0 ? (double)tune->headroom_bytes[role] : xoff;
    const char *pool;
    double sum, shared;

    if (!tune_rows_find(tune, role, "BUFFER_POOL", &pool) ||
        candidate->values[1] <= 0) {
        return;
    }
    put(tune, role, candidate, "BUFFER_PROFILE", "xoff", needed);
    if (size >= xoff) {
        put(tune, role, candidate, "BUFFER_PROFILE", "size",
            size - xoff + needed);
    }
    sum =
        (double)whatif_rows_headroom(tune->configs[role], pool) / xoff * needed;
    shared = floor(sum / candidate->values[1]);
    /* What the headroom pool no longer takes is for bursts. */
    put(tune, role, candidate, "BUFFER_POOL", "size",
        number_of(tune, role, "BUFFER_POOL", "size") +
            number_of(tune, role, "BUFFER_POOL", "xoff") - shared);
    put(tune, role, candidate, "BUFFER_POOL", "xoff", shared);
}

static void
say_headroom(const double values[], struct text *text)
{
    text_add(text, values[0] > 0 ? "headroom that links need"
                                 : "headroom as at present");
    if (values[1] > 0) {
        text_addf(text, ", shared %.0f:1", values[1]);
    }
}

/* Questions ---------------------------------------------------------------- */

static const struct tune_question questions[] = {
    {"ecn",
     3,
     {"kmin_bytes", "kmax_bytes", "pmax_percent"},
     make_ecn,
     add_ecn_rows,
     say_ecn},
    {"headroom",
     2,
     {"as_needed", "shared_by"},
     make_headroom,
     add_headroom_rows,
     say_headroom},
    {"alpha", 1, {"dynamic_th"}, make_alpha, add_alpha_rows, say_alpha},
};

const struct tune_question *
tune_question_at(size_t i)
{
    return i < sizeof questions / sizeof *questions ? &questions[i] : NULL;
}
