/* SPDX-License-Identifier: Apache-2.0 */

/* Integrates the delay equations of DCQCN with GSL. */

#include <config.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "lab/fluid/dcqcn_fluid.h"

/* The state: queue in packets, alpha, and r, the rate in packets/s that a flow
 * has when a notification comes. */
enum { QUEUE, ALPHA, RATE, N_STATES };

enum { STEPS_MAX = 4000000, QUARTERS = 4, LEAST_STEPS = 1 };

#define STEP_MAX_S 2e-6
/* A shorter delay is taken as this: beside tens of microseconds between
 * notifications it changes nothing, and steps are not longer than it. */
#define DELAY_MIN_S 2e-6
/* Of a mark: at 0 there is no cycle, at 1 no logarithm. */
#define P_LEAST 1e-9
#define P_MOST  (1 - 1e-12)
#define STABLE  0.1 /* Deviation by queue. */

/* What the equations need, in packets and seconds. */
struct model {
    const struct dcqcn_loop *loop;
    double capacity;     /* C */
    double line, least;  /* Bounds of a rate. */
    double increase;     /* AI */
    double byte_counter; /* B; INFINITY: none. */
    double kmin, kmax;
    double limit;
    /* Queue and rate at the ends of the steps of the last delay, a ring. */
    double *queue, *rate;
    size_t size;
    size_t at; /* Its oldest. */
    double step_s, now_s;
};

bool
dcqcn_fluid_is_built(void)
{
    return true;
}

static double
clamp(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* Returns the probability with which a queue of this length marks. */
static double
mark(const struct model *model, double queue)
{
    if (queue >= model->kmax) {
        return 1;
    }
    return queue <= model->kmin
               ? 0
               : model->loop->link.pmax * (queue - model->kmin) /
                     (model->kmax - model->kmin);
}

/* What happens between two notifications, X = tau + an exponential time. */
struct cycle {
    double per_s;  /* Notifications per second: 1 / E[X]. */
    double left;   /* E[2^-j]: of the cut that j events have not undone. */
    double low;    /* The same, as a mean over the time of the cycle. */
    double added;  /* Increases that have reached the rate at the end. */
    double decays; /* Periods of alpha without a notification. */
};

/* Returns P(X >= t), with 'marks' per second. */
static double
lasts(double marks, double tau, double t)
{
    return t <= tau ? 1 : exp(-marks * (t - tau));
}

/* Describes a cycle at 'marks' > 0 per second and 'rate' packets/s.  Events of
 * timer and byte counter together are taken as those of one timer; the sums
 * over their numbers are geometric. */
static void
describe(const struct model *model, double marks, double rate,
         struct cycle *cycle)
{
    const struct dcqcn_loop *loop = model->loop;
    const double tau = loop->cnp_gap_s;
    const double timer = loop->link.timer_s;
    const double period = 1 / (1 / timer + rate / model->byte_counter);
    const double x = exp(-marks * period);
    const double first = lasts(marks, tau, period);
    const double later = lasts(marks, tau, 2 * period) / 4 / (1 - x / 2);
    const double until = fmax(tau, period);

    cycle->per_s = 1 / (tau + 1 / marks);
    cycle->left = 1 - first / 2 - later;
    /* Before the first event the rate is low by all of the cut, then by half
     * of it, and so on. */
    cycle->low = (fmin(tau, period) + (1 - lasts(marks, tau, period)) / marks +
                  (until - period) / 2 +
                  (lasts(marks, tau, until) - x * first) / marks / 2 +
                  (1 - x) * later / marks) *
                 cycle->per_s;
    cycle->added = lasts(marks, tau, loop->fast_stages * timer) *
                   (1 / (1 - x) - 0.5 / (1 - x / 2));
    cycle->decays = lasts(marks, tau, loop->link.alpha_period_s) /
                    -expm1(-marks * loop->link.alpha_period_s);
}

/* Returns the mean rate of a flow. */
static double
mean_rate(const struct cycle *cycle, const double state[])
{
    return state[RATE] * (1 - state[ALPHA] / 2 * cycle->low);
}

/* Describes the cycle at 't', of which the state is that of a delay before:
 * within a step it is between two entries of the ring. */
static void
look_back(const struct model *model, double t, struct cycle *cycle)
{
    const size_t next = (model->at + 1) % model->size;
    const double part = (t - model->now_s) / model->step_s;
    const double queue =
        model->queue[model->at] * (1 - part) + model->queue[next] * part;
    const double rate =
        model->rate[model->at] * (1 - part) + model->rate[next] * part;
    const double p = clamp(mark(model, queue), P_LEAST, P_MOST);

    describe(model, -log1p(-p) * rate, rate, cycle);
}

/* The right side. */
static int
derive(double t, const double state[], double change[], void *context)
{
    const struct model *model = context;
    const struct dcqcn_loop *loop = model->loop;
    struct cycle cycle;

    look_back(model, t, &cycle);
    change[QUEUE] = loop->link.n * mean_rate(&cycle, state) - model->capacity;
    change[ALPHA] = loop->g * cycle.per_s *
                    (1 - state[ALPHA] - state[ALPHA] * cycle.decays);
    change[RATE] = cycle.per_s * (model->increase * cycle.added -
                                  state[RATE] * state[ALPHA] / 2 * cycle.left);
    return GSL_SUCCESS;
}

/* What has been seen so far. */
struct sums {
    double queue, sent, offered; /* Integrals over the time; of a flow. */
    double late, square, late_s; /* Of the last quarter. */
    double peak, paused_s, done_s;
};

/* Adds a step in which the queue went from 'before' to 'after' while each flow
 * sent at 'rate'. */
static void
observe(const struct model *model, double before, double after, double rate,
        bool is_late, struct sums *sums)
{
    const double step_s = model->step_s;
    const double share = model->capacity / model->loop->link.n;
    const double size =
        model->loop->size_bytes / model->loop->link.packet_bytes;
    const double queue = (before + after) / 2;
    const bool is_full = after >= model->limit;

    sums->queue += queue * step_s;
    sums->sent += (queue > 0 || rate > share ? share : rate) * step_s;
    sums->offered += (is_full ? share : rate) * step_s;
    sums->peak = fmax(sums->peak, after);
    sums->paused_s += is_full ? step_s : 0;
    if (isinf(sums->done_s) && sums->offered >= size) {
        sums->done_s = model->now_s + after / model->capacity;
    }
    if (is_late) {
        sums->late += queue * step_s;
        sums->square += queue * queue * step_s;
        sums->late_s += step_s;
    }
}

/* Fills '*model' for 'loop': senders at full speed have filled no queue yet. */
static void
model_init(struct model *model, const struct dcqcn_loop *loop)
{
    const double packet = loop->link.packet_bytes;
    const double delay_s = fmax(loop->delay_s, DELAY_MIN_S);
    const double steps = fmax(LEAST_STEPS, ceil(delay_s / STEP_MAX_S));

    *model = (struct model){
        .loop = loop,
        .capacity = loop->link.rate_bps / (packet * 8),
        .line = loop->line_bps / (packet * 8),
        .least = loop->min_bps / (packet * 8),
        .increase = loop->link.additive_bps / (packet * 8),
        .byte_counter = loop->link.byte_counter / packet,
        .kmin = loop->link.kmin_bytes / packet,
        .kmax = loop->link.kmax_bytes / packet,
        .limit = loop->limit_bytes / packet,
        .size = (size_t)steps + 1,
        .step_s = delay_s / steps,
    };
    model->queue = check_calloc(model->size, sizeof *model->queue);
    model->rate = check_calloc(model->size, sizeof *model->rate);
    for (size_t i = 0; i < model->size; i++) {
        model->rate[i] = model->line;
    }
}

static void
model_fini(struct model *model)
{
    free(model->queue);
    free(model->rate);
}

/* Makes the step that 'state' has taken real, and puts it into the ring in
 * place of the oldest entry. */
static void
take(struct model *model, double state[], double rate)
{
    state[QUEUE] = clamp(state[QUEUE], 0, model->limit);
    state[ALPHA] = clamp(state[ALPHA], 0, 1);
    state[RATE] = clamp(state[RATE], model->least, model->line);
    model->queue[model->at] = state[QUEUE];
    model->rate[model->at] = rate;
    model->at = (model->at + 1) % model->size;
}

/* Says in '*course' what 'sums' are for 'time_s'. */
static void
conclude(const struct model *model, const struct sums *sums, double time_s,
         struct dcqcn_course *course)
{
    const double packet = model->loop->link.packet_bytes;
    const double late = sums->late / sums->late_s;
    const double variance = sums->square / sums->late_s - late * late;

    *course = (struct dcqcn_course){
        .mean_bytes = sums->queue / time_s * packet,
        .peak_bytes = sums->peak * packet,
        .utilization =
            sums->sent / time_s * model->loop->link.n / model->capacity,
        .paused_s = sums->paused_s,
        .done_s = sums->done_s,
        .settled_bytes = late * packet,
        .deviation_bytes = sqrt(fmax(variance, 0)) * packet,
    };
    course->is_stable =
        course->deviation_bytes < STABLE * course->settled_bytes;
}

enum st
dcqcn_fluid_run(const struct dcqcn_loop *loop, double time_s,
                struct dcqcn_course *course, struct err *err)
{
    struct model model;
    const gsl_odeiv2_system system = {derive, NULL, N_STATES, &model};
    gsl_odeiv2_step *stepper =
        gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk2, N_STATES);
    struct sums sums = {.done_s = INFINITY};
    double state[N_STATES], error[N_STATES];
    size_t n;
    int code = GSL_SUCCESS;

    orch_assert(stepper);
    model_init(&model, loop);
    n = (size_t)clamp(time_s / model.step_s, QUARTERS, STEPS_MAX);
    state[QUEUE] = 0;
    state[ALPHA] = 1;
    state[RATE] = model.line;
    for (size_t i = 0; !code && i < n; i++) {
        const double queue = state[QUEUE];
        struct cycle cycle;
        double rate;

        model.now_s = (double)i * model.step_s;
        look_back(&model, model.now_s, &cycle);
        rate = mean_rate(&cycle, state);
        code = gsl_odeiv2_step_apply(stepper, model.now_s, model.step_s, state,
                                     error, NULL, NULL, &system);
        take(&model, state, rate);
        observe(&model, queue, state[QUEUE], rate, i >= n - n / QUARTERS,
                &sums);
    }
    if (!code) {
        conclude(&model, &sums, (double)n * model.step_s, course);
    }
    model_fini(&model);
    gsl_odeiv2_step_free(stepper);
    return code ? err_set(err, ST_DEVICE, "fluid",
                          "the fluid model cannot be integrated: %s",
                          gsl_strerror(code))
                : ST_OK;
}
