/* SPDX-License-Identifier: Apache-2.0 */

/* DCQCN with one event per period. */

#include <config.h>

#include "tests/property/dcqcn_eager.h"

__extension__ typedef unsigned __int128 u128;

void
dcqcn_eager_init(struct dcqcn_eager *eager, const struct dcqcn *dcqcn)
{
    *eager = (struct dcqcn_eager){.dcqcn = dcqcn,
                                  .rate_bps = dcqcn->line_bps,
                                  .target_bps = dcqcn->line_bps,
                                  .alpha_base = dcqcn->initial_alpha};
}

/* The definition of alpha. */
static uint32_t
value(const struct dcqcn *dcqcn, uint32_t base, uint32_t age)
{
    uint64_t power = UINT64_C(1) << DCQCN_POWER_BITS;

    for (int level = 0; level < DCQCN_POWER_LEVELS; level++) {
        power = power * dcqcn->powers[level][age % DCQCN_POWERS] >>
                DCQCN_POWER_BITS;
        age /= DCQCN_POWERS;
    }
    return age ? 0 : (uint32_t)(base * power >> DCQCN_POWER_BITS);
}

uint32_t
dcqcn_eager_alpha(const struct dcqcn_eager *eager)
{
    return value(eager->dcqcn, eager->alpha_base, eager->alpha_age);
}

static void
add_g(struct dcqcn_eager *eager)
{
    eager->alpha_base =
        value(eager->dcqcn, eager->alpha_base, eager->alpha_age + 1) +
        eager->dcqcn->g;
    eager->alpha_age = 0;
}

static void
end_alpha_period(struct dcqcn_eager *eager)
{
    if (eager->alpha_seen) {
        add_g(eager);
    } else {
        eager->alpha_age++;
    }
    eager->alpha_seen = false;
    eager->alpha_at_ps += eager->dcqcn->profile.alpha_period_ps;
}

static void
increase(struct dcqcn_eager *eager, uint64_t *stage)
{
    const struct dcqcn_profile *profile = &eager->dcqcn->profile;
    const bool alone = profile->byte_reset_bytes == 0;
    uint64_t t, b, max, min;

    *stage += !profile->stage_before;
    t = eager->time_stage;
    b = alone ? t : eager->byte_stage;
    max = t > b ? t : b;
    min = t < b ? t : b;
    if (max >= profile->stages) {
        eager->target_bps +=
            min > profile->stages ? profile->hai_bps : profile->ai_bps;
        if (eager->target_bps > eager->dcqcn->line_bps) {
            eager->target_bps = eager->dcqcn->line_bps;
        }
    }
    /* The mean, rounded up. */
    eager->rate_bps = (eager->rate_bps + eager->target_bps + 1) / 2;
    *stage += profile->stage_before;
}

static void
cut(struct dcqcn_eager *eager, int64_t now_ps)
{
    const struct dcqcn_profile *profile = &eager->dcqcn->profile;
    const u128 one = (u128)1 << 31;
    u128 factor = one - dcqcn_eager_alpha(eager);

    if (factor < one * profile->min_decrease_percent / 100) {
        factor = one * profile->min_decrease_percent / 100;
    }
    if (profile->clamp_target || eager->byte_stage > 0 ||
        (eager->time_stage > 0 && profile->clamp_after_time)) {
        eager->target_bps = eager->rate_bps;
    }
    eager->rate_bps = (int64_t)((u128)eager->rate_bps * factor / one);
    if (eager->rate_bps < profile->min_bps) {
        eager->rate_bps = profile->min_bps;
    }
    eager->time_stage = 0;
    eager->byte_stage = 0;
    eager->bytes = 0;
    eager->timer_runs = true;
    eager->timer_at_ps = now_ps + profile->timer_ps;
}

static void
end_window(struct dcqcn_eager *eager)
{
    if (eager->cut_seen) {
        cut(eager, eager->cut_at_ps);
    }
    eager->cut_seen = false;
    eager->cut_at_ps += eager->dcqcn->profile.cut_window_ps;
}

void
dcqcn_eager_advance(struct dcqcn_eager *eager, int64_t now_ps)
{
    const struct dcqcn_profile *profile = &eager->dcqcn->profile;
    const bool windows = profile->cut == DCQCN_CUT_PER_WINDOW;

    while (eager->started) {
        int64_t at_ps = eager->alpha_at_ps;

        if (eager->timer_runs && eager->timer_at_ps < at_ps) {
            at_ps = eager->timer_at_ps;
        }
        if (windows && eager->cut_at_ps < at_ps) {
            at_ps = eager->cut_at_ps;
        }
        if (at_ps > now_ps) {
            return;
        }
        if (eager->alpha_at_ps == at_ps) {
            end_alpha_period(eager);
        } else if (eager->timer_runs && eager->timer_at_ps == at_ps) {
            eager->timer_at_ps += profile->timer_ps;
            increase(eager, &eager->time_stage);
        } else {
            end_window(eager);
        }
    }
}

void
dcqcn_eager_sent(struct dcqcn_eager *eager, uint32_t bytes, int64_t now_ps)
{
    const uint32_t reset_bytes = eager->dcqcn->profile.byte_reset_bytes;

    dcqcn_eager_advance(eager, now_ps);
    if (!eager->timer_runs || reset_bytes == 0) {
        return;
    }
    for (eager->bytes += bytes; eager->bytes >= reset_bytes;
         eager->bytes -= reset_bytes) {
        increase(eager, &eager->byte_stage);
    }
}

static void
start(struct dcqcn_eager *eager, int64_t now_ps)
{
    const struct dcqcn_profile *profile = &eager->dcqcn->profile;

    eager->started = true;
    eager->alpha_at_ps = now_ps + profile->alpha_period_ps;
    eager->cut_at_ps = now_ps + profile->cut_window_ps + profile->cut_offset_ps;
    if (profile->first_rate_percent < 100) {
        eager->rate_bps = eager->rate_bps * profile->first_rate_percent / 100;
        if (eager->rate_bps < profile->min_bps) {
            eager->rate_bps = profile->min_bps;
        }
        eager->target_bps = eager->rate_bps;
    }
}

void
dcqcn_eager_cnp(struct dcqcn_eager *eager, int64_t now_ps)
{
    const struct dcqcn_profile *profile = &eager->dcqcn->profile;
    const bool is_first = !eager->started;

    dcqcn_eager_advance(eager, now_ps);
    if (is_first) {
        start(eager, now_ps);
    }
    if (profile->cut == DCQCN_CUT_PER_WINDOW) {
        eager->cut_seen = true;
    } else if (!eager->has_cut ||
               now_ps - eager->last_cut_ps >= profile->cut_window_ps) {
        cut(eager, now_ps);
        eager->has_cut = true;
        eager->last_cut_ps = now_ps;
        if (profile->alpha_mode == DCQCN_ALPHA_ON_CNP) {
            add_g(eager);
            eager->alpha_at_ps = now_ps + profile->alpha_period_ps;
        }
    }
    if (!is_first && profile->alpha_mode == DCQCN_ALPHA_PER_PERIOD) {
        eager->alpha_seen = true;
    }
}
