/* SPDX-License-Identifier: Apache-2.0 */

/* The named profiles of DCQCN. */

#include <config.h>

#include <string.h>

#include "twin/transport/bounds.h"
#include "twin/transport/dcqcn.h"

#define US(n)   ((n)*INT64_C(1000000))
#define MBPS(n) ((n)*INT64_C(1000000))

/* The hyper increase and the minimum rate of "paper" are not published; the
 * register of "firmware" for the byte counter is at its maximum, and its unit
 * is taken as bytes. */
static const struct dcqcn_profile profiles[] = {
    {.name = "paper",
     .source = "Zhu et al., SIGCOMM 2015; hai and minimum rate assumed",
     .g_numerator = 1,
     .g_denominator = 256,
     .alpha_mode = DCQCN_ALPHA_ON_CNP,
     .alpha_period_ps = US(55),
     .initial_alpha_permille = 1000,
     .cut = DCQCN_CUT_AT_ONCE,
     .first_rate_percent = 100,
     .clamp_target = true,
     .timer_ps = US(55),
     .byte_reset_bytes = 10000000,
     .stages = 5,
     .ai_bps = MBPS(40),
     .hai_bps = MBPS(400),
     .min_bps = MBPS(40),
     .np_mode = DCQCN_NP_WINDOW,
     .np_gap_ps = US(50)},
    {.name = "firmware",
     .source =
         "defaults of ConnectX firmware; unit of the byte counter assumed",
     .g_numerator = 5,
     .g_denominator = 1024,
     .alpha_mode = DCQCN_ALPHA_PER_PERIOD,
     .alpha_period_ps = US(1),
     .initial_alpha_permille = 1000,
     .cut = DCQCN_CUT_AT_ONCE,
     .cut_window_ps = US(4),
     .min_decrease_percent = 50,
     .first_rate_percent = 100,
     .clamp_after_time = true,
     .timer_ps = US(300),
     .byte_reset_bytes = 32767,
     .stages = 1,
     .ai_bps = MBPS(5),
     .hai_bps = MBPS(50),
     .min_bps = MBPS(1),
     .np_mode = DCQCN_NP_WINDOW,
     .np_gap_ps = US(4)},
    {.name = "fork-dcqcn",
     .source = "ns-3 RDMA simulator of HPCC, profile dcqcn at 100 Gb/s",
     .g_numerator = 1,
     .g_denominator = 256,
     .alpha_mode = DCQCN_ALPHA_PER_PERIOD,
     .alpha_period_ps = US(1),
     .initial_alpha_permille = 1000,
     .cut = DCQCN_CUT_PER_WINDOW,
     .cut_window_ps = US(4),
     .cut_offset_ps = 1000,
     .first_rate_percent = 100,
     .clamp_after_time = true,
     .timer_ps = US(300),
     .stages = 1,
     .stage_before = true,
     .ai_bps = MBPS(20),
     .hai_bps = MBPS(200),
     .min_bps = MBPS(1000),
     .np_mode = DCQCN_NP_ON_ACK},
    {.name = "fork-dcqcn-paper",
     .source = "ns-3 RDMA simulator of HPCC, profile dcqcn_paper at 100 Gb/s",
     .g_numerator = 1,
     .g_denominator = 256,
     .alpha_mode = DCQCN_ALPHA_PER_PERIOD,
     .alpha_period_ps = US(50),
     .initial_alpha_permille = 1000,
     .cut = DCQCN_CUT_PER_WINDOW,
     .cut_window_ps = US(50),
     .cut_offset_ps = 1000,
     .first_rate_percent = 100,
     .clamp_after_time = true,
     .timer_ps = US(55),
     .stages = 1,
     .stage_before = true,
     .ai_bps = MBPS(20),
     .hai_bps = MBPS(200),
     .min_bps = MBPS(1000),
     .np_mode = DCQCN_NP_ON_ACK},
};

const struct dcqcn_profile *
dcqcn_profile_at(size_t i)
{
    return i < sizeof profiles / sizeof profiles[0] ? &profiles[i] : NULL;
}

const struct dcqcn_profile *
dcqcn_profile_get(const char *name)
{
    const struct dcqcn_profile *profile = profiles;

    for (size_t i = 0; (profile = dcqcn_profile_at(i)); i++) {
        if (!strcmp(profile->name, name)) {
            return profile;
        }
    }
    return NULL;
}

enum st
dcqcn_profile_check(const struct dcqcn_profile *profile, struct err *err)
{
    const bool is_windowed = profile->cut == DCQCN_CUT_PER_WINDOW;
    const struct bound bounds[] = {
        {"g_denominator", profile->g_denominator, 2, UINT32_MAX},
        {"g_numerator", profile->g_numerator, 1,
         (int64_t)profile->g_denominator - 1},
        {"alpha_period_ps", profile->alpha_period_ps, 1, DCQCN_MAX_PS},
        {"initial_alpha_permille", profile->initial_alpha_permille, 1, 1000},
        {"cut_window_ps", profile->cut_window_ps, is_windowed, DCQCN_MAX_PS},
        {"cut_offset_ps", profile->cut_offset_ps, 0, DCQCN_MAX_PS},
        {"min_decrease_percent", profile->min_decrease_percent, 0, 100},
        {"first_rate_percent", profile->first_rate_percent, 1, 100},
        {"timer_ps", profile->timer_ps, 1, DCQCN_MAX_PS},
        {"byte_reset_bytes", profile->byte_reset_bytes, 0, INT64_C(1) << 31},
        {"stages", profile->stages, 1, DCQCN_MAX_STAGES},
        {"ai_bps", profile->ai_bps, 0, DCQCN_MAX_BPS},
        {"hai_bps", profile->hai_bps, 0, DCQCN_MAX_BPS},
        {"min_bps", profile->min_bps, 1, DCQCN_MAX_BPS},
        {"np_gap_ps", profile->np_gap_ps, 0, DCQCN_MAX_PS},
    };
    const enum st st =
        bounds_check(bounds, sizeof bounds / sizeof bounds[0], err);

    if (st) {
        return st;
    }
    if (is_windowed && profile->alpha_mode == DCQCN_ALPHA_ON_CNP) {
        return err_set(err, ST_INVALID, "conflict",
                       "alpha changes with each accepted notification, but "
                       "cuts per window accept none");
    }
    return ST_OK;
}
