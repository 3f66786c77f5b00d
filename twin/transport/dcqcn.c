/* SPDX-License-Identifier: Apache-2.0 */

/* The reaction and the notification point of DCQCN. */

#include <config.h>

#include "twin/transport/dcqcn.h"

_Static_assert(sizeof(struct dcqcn_rp) == 64, "one cache line per queue pair");

enum {
    POWER_LEVEL_BITS = 6,
    MAX_AGE = 1 << (POWER_LEVEL_BITS * DCQCN_POWER_LEVELS),
    FACTOR_BITS = 31, /* Of what a cut leaves of the rate. */
    MAX_SHIFT = 62,
    MAX_STAGE = UINT8_MAX,
};

/* For products of two 64-bit numbers; gcc and clang have it on 64-bit
 * targets. */
__extension__ typedef unsigned __int128 u128;

/* Fills in the powers of 1 - g.  The products have 62 fractional bits, so that
 * their errors vanish in the table's rounding. */
static void
fill_powers(struct dcqcn *dcqcn)
{
    const uint32_t numerator = dcqcn->profile.g_numerator;
    const uint32_t denominator = dcqcn->profile.g_denominator;
    u128 factor = ((u128)(denominator - numerator) << MAX_SHIFT) / denominator;

    for (int level = 0; level < DCQCN_POWER_LEVELS; level++) {
        u128 power = (u128)1 << MAX_SHIFT;

        for (int i = 0; i < DCQCN_POWERS; i++) {
            dcqcn->powers[level][i] =
                (uint32_t)(power >> (MAX_SHIFT - DCQCN_POWER_BITS));
            power = power * factor >> MAX_SHIFT;
        }
        factor = power;
    }
}

enum st
dcqcn_init(struct dcqcn *dcqcn, const struct dcqcn_profile *profile,
           int64_t line_bps, struct err *err)
{
    const enum st status = dcqcn_profile_check(profile, err);

    if (status != ST_OK) {
        return status;
    }
    if (line_bps < profile->min_bps || line_bps > DCQCN_MAX_BPS) {
        return err_set(err, ST_INVALID, "range",
                       "the line rate must be between the minimum rate of the "
                       "profile, %lld bit/s, and 2^42 bit/s",
                       (long long)profile->min_bps);
    }
    dcqcn->profile = *profile;
    dcqcn->line_bps = line_bps;
    dcqcn->g = (uint32_t)(((uint64_t)profile->g_numerator << DCQCN_ALPHA_BITS) /
                          profile->g_denominator);
    dcqcn->initial_alpha = (uint32_t)(((uint64_t)profile->initial_alpha_permille
                                       << DCQCN_ALPHA_BITS) /
                                      1000);
    dcqcn->min_factor =
        (uint32_t)(((uint64_t)profile->min_decrease_percent << FACTOR_BITS) /
                   100);
    fill_powers(dcqcn);
    return ST_OK;
}

void
dcqcn_rp_init(struct dcqcn_rp *rp, const struct dcqcn *dcqcn)
{
    *rp = (struct dcqcn_rp){
        .next_ps = INT64_MAX,
        .target_bps = dcqcn->line_bps,
        .timer_at_ps = INT64_MAX,
        .alpha_base = dcqcn->initial_alpha,
    };
}

/* Returns base * (1 - g)^age. */
static uint32_t
alpha_value(const struct dcqcn *dcqcn, uint32_t base, uint32_t age)
{
    const uint32_t mask = DCQCN_POWERS - 1;
    uint64_t power;

    if (age >= MAX_AGE) {
        return 0;
    }
    power = dcqcn->powers[0][age & mask];
    if (age >= DCQCN_POWERS) {
        power = power * dcqcn->powers[1][age >> POWER_LEVEL_BITS & mask] >>
                DCQCN_POWER_BITS;
        power = power * dcqcn->powers[2][age >> (2 * POWER_LEVEL_BITS)] >>
                DCQCN_POWER_BITS;
    }
    return (uint32_t)(base * power >> DCQCN_POWER_BITS);
}

static uint32_t
older(uint32_t age, int64_t periods)
{
    return periods >= MAX_AGE - (int64_t)age ? MAX_AGE
                                             : age + (uint32_t)periods;
}

/* Includes the periods that have ended at 'now_ps'. */
static void
alpha_advance(struct dcqcn_rp *rp, const struct dcqcn *dcqcn, int64_t now_ps)
{
    const int64_t period_ps = dcqcn->profile.alpha_period_ps;
    int64_t periods;

    if (now_ps - rp->alpha_at_ps < period_ps) {
        return;
    }
    periods = (now_ps - rp->alpha_at_ps) / period_ps;
    rp->alpha_at_ps += periods * period_ps;
    if (rp->alpha_seen) {
        rp->alpha_seen = false;
        rp->alpha_base =
            alpha_value(dcqcn, rp->alpha_base, older(rp->alpha_age, 1)) +
            dcqcn->g;
        rp->alpha_age = 0;
        periods--;
    }
    rp->alpha_age = older(rp->alpha_age, periods);
}

/* 'n' events of fast recovery. */
static void
recover(struct dcqcn_rp *rp, int64_t n)
{
    rp->deficit_bps >>= n < MAX_SHIFT ? n : MAX_SHIFT;
}

/* 'n' events that raise the target by 'step_bps'. */
static void
raise_target(struct dcqcn_rp *rp, const struct dcqcn *dcqcn, int64_t n,
             int64_t step_bps)
{
    const int64_t room_bps = dcqcn->line_bps - rp->target_bps;

    if (n > 0 && room_bps > 0 && step_bps > 0) {
        const int64_t fit = room_bps / step_bps;
        const int64_t whole = n < fit ? n : fit;

        rp->target_bps += whole * step_bps;
        rp->deficit_bps = step_bps + ((rp->deficit_bps - step_bps) >>
                                      (whole < MAX_SHIFT ? whole : MAX_SHIFT));
        n -= whole;
        if (n > 0) {
            const int64_t rest_bps = dcqcn->line_bps - rp->target_bps;

            rp->target_bps = dcqcn->line_bps;
            rp->deficit_bps = (rp->deficit_bps + rest_bps) >> 1;
            n--;
        }
    }
    recover(rp, n);
}

static int64_t
clamp(int64_t value, int64_t high)
{
    return value < 0 ? 0 : value < high ? value : high;
}

/* 'n' events of the timer or of the byte counter, whose stage is '*stage'. The
 * stage only grows, so the events are first those of fast recovery, then of
 * additive, then of hyper increase. */
static void
increase(struct dcqcn_rp *rp, const struct dcqcn *dcqcn, int64_t n,
         uint8_t *stage, uint8_t other)
{
    const struct dcqcn_profile *profile = &dcqcn->profile;
    const int64_t first = *stage + !profile->stage_before;
    const bool alone = profile->byte_reset_bytes == 0;
    int64_t n_recovery = 0;
    int64_t n_hyper = 0;

    if (alone || other < profile->stages) {
        n_recovery = clamp(profile->stages - first, n);
    }
    if (alone || other > profile->stages) {
        n_hyper = n - clamp(profile->stages + 1 - first, n);
    }
    recover(rp, n_recovery);
    raise_target(rp, dcqcn, n - n_recovery - n_hyper, profile->ai_bps);
    raise_target(rp, dcqcn, n_hyper, profile->hai_bps);
    *stage = (uint8_t)(n < MAX_STAGE - *stage ? *stage + n : MAX_STAGE);
}

static void
run_timer(struct dcqcn_rp *rp, const struct dcqcn *dcqcn, int64_t now_ps)
{
    const int64_t timer_ps = dcqcn->profile.timer_ps;
    int64_t n;

    if (now_ps < rp->timer_at_ps) {
        return;
    }
    n = (now_ps - rp->timer_at_ps) / timer_ps + 1;
    rp->timer_at_ps += n * timer_ps;
    increase(rp, dcqcn, n, &rp->time_stage, rp->byte_stage);
}

/* Cuts the rate at 'now_ps', up to which the state is up to date. */
static void
cut(struct dcqcn_rp *rp, const struct dcqcn *dcqcn, int64_t now_ps)
{
    const struct dcqcn_profile *profile = &dcqcn->profile;
    const int64_t rate_bps = rp->target_bps - rp->deficit_bps;
    uint32_t factor = ((uint32_t)1 << FACTOR_BITS) -
                      alpha_value(dcqcn, rp->alpha_base, rp->alpha_age);
    int64_t lower_bps;

    if (factor < dcqcn->min_factor) {
        factor = dcqcn->min_factor;
    }
    lower_bps = (int64_t)((u128)rate_bps * factor >> FACTOR_BITS);
    if (lower_bps < profile->min_bps) {
        lower_bps = profile->min_bps;
    }
    if (profile->clamp_target || rp->byte_stage > 0 ||
        (profile->clamp_after_time && rp->time_stage > 0)) {
        rp->target_bps = rate_bps;
    }
    rp->deficit_bps = rp->target_bps - lower_bps;
    rp->time_stage = 0;
    rp->byte_stage = 0;
    rp->bytes = 0;
    rp->timer_at_ps = now_ps + profile->timer_ps;
}

static void
set_next(struct dcqcn_rp *rp)
{
    rp->next_ps = rp->timer_at_ps;
    if (rp->cut_pending && rp->cut_at_ps < rp->next_ps) {
        rp->next_ps = rp->cut_at_ps;
    }
}

void
dcqcn_rp_advance(struct dcqcn_rp *rp, const struct dcqcn *dcqcn, int64_t now_ps)
{
    if (rp->cut_pending && rp->cut_at_ps <= now_ps) {
        run_timer(rp, dcqcn, rp->cut_at_ps);
        alpha_advance(rp, dcqcn, rp->cut_at_ps);
        cut(rp, dcqcn, rp->cut_at_ps);
        rp->cut_pending = false;
    }
    run_timer(rp, dcqcn, now_ps);
    set_next(rp);
}

void
dcqcn_rp_sent(struct dcqcn_rp *rp, const struct dcqcn *dcqcn, uint32_t bytes,
              int64_t now_ps)
{
    const uint32_t reset_bytes = dcqcn->profile.byte_reset_bytes;

    if (now_ps >= rp->next_ps) {
        dcqcn_rp_advance(rp, dcqcn, now_ps);
    }
    if (reset_bytes == 0 || rp->timer_at_ps == INT64_MAX) {
        return;
    }
    rp->bytes += bytes;
    if (rp->bytes >= reset_bytes) {
        const uint32_t n = rp->bytes / reset_bytes;

        rp->bytes -= n * reset_bytes;
        increase(rp, dcqcn, n, &rp->byte_stage, rp->time_stage);
    }
}

/* The first notification, at 'now_ps', starts all periods. */
static void
start(struct dcqcn_rp *rp, const struct dcqcn *dcqcn, int64_t now_ps)
{
    const struct dcqcn_profile *profile = &dcqcn->profile;

    rp->started = true;
    rp->alpha_at_ps = now_ps;
    rp->cut_at_ps = now_ps;
    if (profile->first_rate_percent < 100) {
        const int64_t rate_bps =
            rp->target_bps * profile->first_rate_percent / 100;

        rp->target_bps =
            rate_bps > profile->min_bps ? rate_bps : profile->min_bps;
    }
    if (profile->cut == DCQCN_CUT_PER_WINDOW) {
        rp->cut_at_ps += profile->cut_window_ps + profile->cut_offset_ps;
        rp->cut_pending = true;
    }
}

/* Cuts at once if the window since the last cut is over. */
static void
cut_at_once(struct dcqcn_rp *rp, const struct dcqcn *dcqcn, int64_t now_ps)
{
    if (now_ps < rp->cut_at_ps) {
        return;
    }
    alpha_advance(rp, dcqcn, now_ps);
    cut(rp, dcqcn, now_ps);
    rp->cut_at_ps = now_ps + dcqcn->profile.cut_window_ps;
    if (dcqcn->profile.alpha_mode == DCQCN_ALPHA_ON_CNP) {
        rp->alpha_base =
            alpha_value(dcqcn, rp->alpha_base, older(rp->alpha_age, 1)) +
            dcqcn->g;
        rp->alpha_age = 0;
        rp->alpha_at_ps = now_ps;
    }
}

void
dcqcn_rp_cnp(struct dcqcn_rp *rp, const struct dcqcn *dcqcn, int64_t now_ps)
{
    const struct dcqcn_profile *profile = &dcqcn->profile;
    const bool is_first = !rp->started;

    dcqcn_rp_advance(rp, dcqcn, now_ps);
    if (is_first) {
        start(rp, dcqcn, now_ps);
    }
    if (profile->cut == DCQCN_CUT_AT_ONCE) {
        cut_at_once(rp, dcqcn, now_ps);
    } else if (!rp->cut_pending) {
        const int64_t window_ps = profile->cut_window_ps;

        if (rp->cut_at_ps <= now_ps) {
            rp->cut_at_ps +=
                ((now_ps - rp->cut_at_ps) / window_ps + 1) * window_ps;
        }
        rp->cut_pending = true;
    }
    if (profile->alpha_mode == DCQCN_ALPHA_PER_PERIOD && !is_first) {
        alpha_advance(rp, dcqcn, now_ps);
        rp->alpha_seen = true;
    }
    set_next(rp);
}

void
dcqcn_rp_tune(struct dcqcn_rp *rp, const struct dcqcn *from,
              const struct dcqcn *to, int64_t now_ps)
{
    const uint32_t alpha = dcqcn_rp_alpha(rp, from, now_ps);

    /* The powers of the new gain apply from now on. */
    rp->alpha_base = rp->started ? alpha : to->initial_alpha;
    rp->alpha_age = 0;
    if (rp->target_bps < to->profile.min_bps) {
        rp->target_bps = to->profile.min_bps;
    }
    if (rp->target_bps - rp->deficit_bps < to->profile.min_bps) {
        rp->deficit_bps = rp->target_bps - to->profile.min_bps;
    }
}

uint32_t
dcqcn_rp_alpha(struct dcqcn_rp *rp, const struct dcqcn *dcqcn, int64_t now_ps)
{
    dcqcn_rp_advance(rp, dcqcn, now_ps);
    if (rp->started) {
        alpha_advance(rp, dcqcn, now_ps);
    }
    return alpha_value(dcqcn, rp->alpha_base, rp->alpha_age);
}

bool
dcqcn_np_marked(struct dcqcn_np *np, const struct dcqcn *dcqcn, int64_t now_ps)
{
    if (dcqcn->profile.np_mode == DCQCN_NP_ON_ACK) {
        return true;
    }
    if (now_ps < np->next_ps) {
        return false;
    }
    np->next_ps = now_ps + dcqcn->profile.np_gap_ps;
    return true;
}
