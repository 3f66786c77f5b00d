/* SPDX-License-Identifier: Apache-2.0 */

/* Computes pauses from differences of counters. */

#include <config.h>

#include "orchd/telemetry/polling/pause.h"

/* The longest that one frame can ask for, in bit times. */
#define FRAME_BITS (UINT64_C(65535) * 512)

static uint64_t
passed(uint64_t now, uint64_t old)
{
    return now < old ? now : now - old;
}

/* Estimates from the number of frames how long the interval was paused.  A port
 * of n Mb/s passes n bits per microsecond. */
static uint64_t
estimate_us(uint64_t frames, uint64_t elapsed_us, uint32_t mbps)
{
    const uint64_t frame_us = mbps ? FRAME_BITS / mbps : 0;

    return frame_us && frames > elapsed_us / frame_us ? elapsed_us
                                                      : frames * frame_us;
}

static void
add_pauses(struct pause_history *history, uint64_t n, uint64_t us)
{
    static const uint64_t bounds[PAUSE_BUCKETS - 1] = PAUSE_BOUNDS_US;
    const uint64_t mean = us / n;
    unsigned int i = 0;

    while (i < PAUSE_BUCKETS - 1 && mean > bounds[i]) {
        i++;
    }
    history->buckets[i] += n;
    history->n += n;
    history->sum_us += us;
    history->recent_us = mean;
    if (mean > history->longest_us) {
        history->longest_us = mean;
    }
}

bool
pause_update(struct pause_history *history, const struct pause_reading *now,
             const struct pause_reading *old, int64_t old_ns,
             int64_t elapsed_ns, uint32_t mbps)
{
    const uint64_t elapsed_us =
        elapsed_ns > 0 ? (uint64_t)elapsed_ns / 1000 : 0;
    const uint64_t frames = passed(now->frames, old->frames);
    const uint64_t us = now->us_known ? passed(now->us, old->us)
                                      : estimate_us(frames, elapsed_us, mbps);
    const bool was_open = history->open_us > 0;
    const bool quiet = us == 0 && frames == 0;
    uint64_t ends = now->ends_known ? passed(now->ends, old->ends) : 0;

    if (was_open && quiet && ends == 0) {
        ends =
            1; /* The pause has ended even if the switch does not count it. */
    }
    history->us_estimated = !now->us_known;
    history->ends_estimated = !now->ends_known;
    history->us += us;
    history->open_us += us;
    history->share_ppm = us >= elapsed_us
                             ? (us > 0 ? 1000000 : 0)
                             : (uint32_t)(us * 1000000 / elapsed_us);
    if (ends > 1 || (!was_open && us > 0)) {
        history->recent_ns = old_ns;
    }
    if (ends > 0) {
        add_pauses(history, ends, history->open_us);
        history->open_us = 0;
    } else if (history->open_us > 0) {
        history->recent_us = history->open_us;
        if (history->open_us > history->longest_us) {
            history->longest_us = history->open_us;
        }
    }
    return us > 0 || ends > 0;
}
