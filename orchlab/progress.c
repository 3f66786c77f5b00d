/* SPDX-License-Identifier: Apache-2.0 */

/* Writes lines of progress. */

#include <config.h>

#include "orchlab/progress.h"

#include <inttypes.h>

#include "base/text.h"
#include "lab/measure/metric.h"

#define NS_PER_S 1e9

/* Returns the hops per second since 'before', negative if unknown. */
static double
hop_rate(const struct progress *before, const struct progress *now)
{
    const int64_t ns = now->wall_ns - before->wall_ns;

    return ns > 0 ? (double)(now->run.hops - before->run.hops) /
                        ((double)ns / NS_PER_S)
                  : -1;
}

/* Returns the seconds that are left, negative if unknown. */
static double
time_left_s(const struct progress *now)
{
    const int64_t left_ps = now->run.stop_ps - now->run.now_ps;

    return now->run.now_ps > 0 && left_ps >= 0
               ? (double)now->wall_ns / NS_PER_S * (double)left_ps /
                     (double)now->run.now_ps
               : -1;
}

const char *
progress_text(const struct progress *before, const struct progress *now,
              char buffer[PROGRESS_SIZE])
{
    const struct run_progress *run = &now->run;
    const double rate = hop_rate(before, now);
    const double left_s = time_left_s(now);
    char time[METRIC_TEXT_SIZE];
    struct text text = {0};

    text_add(&text,
             metric_text((double)run->now_ps * 1e-12, METRIC_SECONDS, time));
    text_addf(&text, " of %s",
              metric_text((double)run->stop_ps * 1e-12, METRIC_SECONDS, time));
    if (run->stop_ps > 0) {
        text_addf(&text, ", %.0f %%",
                  100.0 * (double)run->now_ps / (double)run->stop_ps);
    }
    if (rate >= 0) {
        text_addf(&text, ", %.2f Mhops/s", rate / 1e6);
    }
    if (left_s >= 0) {
        const uint64_t s = (uint64_t)(left_s + 0.5);

        text_addf(&text, ", ETA %" PRIu64 ":%02" PRIu64, s / 60, s % 60);
    }
    text_addf(&text, ", %" PRIu64 " drop%s, %" PRIu64 " pause%s", run->drops,
              text_plural(run->drops), run->pauses, text_plural(run->pauses));
    (void)text_copy(buffer, PROGRESS_SIZE, text_string(&text));
    text_fini(&text);
    return buffer;
}

const char *
progress_json(const struct progress *before, const struct progress *now,
              char buffer[PROGRESS_SIZE])
{
    const struct run_progress *run = &now->run;
    const double rate = hop_rate(before, now);
    const double left_s = time_left_s(now);
    char rate_text[32] = "null", left_text[32] = "null";

    if (rate >= 0) {
        text_format(rate_text, sizeof rate_text, "%.0f", rate);
    }
    if (left_s >= 0) {
        text_format(left_text, sizeof left_text, "%.1f", left_s);
    }
    text_format(buffer, PROGRESS_SIZE,
                "{\"wall_ns\":%" PRId64 ",\"virtual_ps\":%" PRId64
                ",\"stop_ps\":%" PRId64 ",\"hops\":%" PRIu64
                ",\"hops_per_s\":%s,\"eta_s\":%s,\"drops\":%" PRIu64
                ",\"pauses\":%" PRIu64 ",\"marks\":%" PRIu64
                ",\"flows\":%u,\"flows_done\":%u}",
                now->wall_ns, run->now_ps, run->stop_ps, run->hops, rate_text,
                left_text, run->drops, run->pauses, run->marks, run->flows,
                run->flows_done);
    return buffer;
}
