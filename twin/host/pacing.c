/* SPDX-License-Identifier: Apache-2.0 */

/* When the frames of a flow become due. */

#include <config.h>

#include "twin/host/pacing.h"

#include "base/check.h"
#include "base/ethernet.h"
#include "base/picoseconds.h"
#include "twin/forwarding/frame.h"

#define LAST_PS      (EVENT_NEVER - (INT64_C(1) << 56))
#define MAX_START_PS (INT64_C(1) << 62)
#define MAX_TERM     (UINT64_C(1) << 62)
#define MAX_MEAN     (UINT64_C(1) << 57)

struct pacing_interval
pacing_of_bits(uint64_t bits_per_s, uint32_t length_bytes, bool on_wire)
{
    uint64_t bytes =
        (uint64_t)length_bytes + (on_wire ? ETHERNET_WIRE_OVERHEAD_BYTES : 0);

    return (struct pacing_interval){bytes * 8 * (uint64_t)PS_PER_S, bits_per_s};
}

struct pacing_interval
pacing_of_frames(uint64_t frames_per_s)
{
    return (struct pacing_interval){(uint64_t)PS_PER_S, frames_per_s};
}

static bool
is_valid(const struct pacing_config *config)
{
    if (config->start_ps < 0 || config->start_ps > MAX_START_PS) {
        return false;
    }
    if (config->kind == PACING_BURST) {
        return config->n > 0 && config->period_ps > 0;
    }
    if (config->kind == PACING_LIST) {
        return config->n_frames > 0 && config->times_ps;
    }
    return config->interval.per > 0 && config->interval.per <= MAX_TERM &&
           config->interval.ps <= MAX_TERM &&
           (config->kind != PACING_ON_OFF ||
            (config->on_ps > 0 && config->off_ps >= 0)) &&
           (config->kind != PACING_POISSON ||
            config->interval.ps / config->interval.per <= MAX_MEAN);
}

/* Moves the due time by 'ps'; beyond the end of time no frame is due.  The last
 * hours are reserved for the events that the last frames cause. */
static void
move(struct pacing *pace, int64_t ps)
{
    pace->due_ps =
        ps < LAST_PS - pace->due_ps ? pace->due_ps + ps : EVENT_NEVER;
}

enum st
pacing_init(struct pacing *pace, const struct pacing_config *config)
{
    if (!is_valid(config)) {
        return ST_INVALID;
    }
    *pace = (struct pacing){.config = *config, .due_ps = config->start_ps};
    pace->left = config->n;
    pace->on_until_ps = config->on_ps < EVENT_NEVER - config->start_ps
                            ? config->start_ps + config->on_ps
                            : EVENT_NEVER;
    random_init(&pace->random, config->seed);
    if (config->kind == PACING_LIST) {
        move(pace, config->times_ps[0]);
    }
    return ST_OK;
}

int64_t
pacing_due_ps(const struct pacing *pace)
{
    return pace->due_ps;
}

/* Returns one interval, and carries the fraction of a picosecond over. */
static int64_t
one_interval(struct pacing *pace)
{
    const struct pacing_interval *interval = &pace->config.interval;
    uint64_t whole = interval->ps / interval->per;

    pace->rest += interval->ps % interval->per;
    if (pace->rest >= interval->per) {
        pace->rest -= interval->per;
        whole++;
    }
    return (int64_t)whole;
}

/* Moves a frame that would be due in an off period to the next on period. */
static void
skip_off(struct pacing *pace)
{
    const struct pacing_config *config = &pace->config;

    if (pace->due_ps >= pace->on_until_ps) {
        pace->due_ps = pace->on_until_ps;
        move(pace, config->off_ps);
        pace->on_until_ps = config->on_ps < EVENT_NEVER - pace->due_ps
                                ? pace->due_ps + config->on_ps
                                : EVENT_NEVER;
        pace->rest = 0;
    }
}

void
pacing_advance(struct pacing *pace)
{
    const struct pacing_config *config = &pace->config;

    orch_assert(pace->due_ps != EVENT_NEVER);
    pace->given++;
    if (pace->given == config->n_frames) {
        pace->due_ps = EVENT_NEVER;
        return;
    }
    switch (config->kind) {
    case PACING_CONSTANT:
        move(pace, one_interval(pace));
        break;
    case PACING_BURST:
        if (--pace->left == 0) {
            pace->left = config->n;
            move(pace, config->period_ps);
        }
        break;
    case PACING_ON_OFF:
        move(pace, one_interval(pace));
        skip_off(pace);
        break;
    case PACING_POISSON:
        move(pace,
             (int64_t)random_exponential(
                 &pace->random, config->interval.ps / config->interval.per));
        break;
    case PACING_LIST:
        move(pace,
             config->times_ps[pace->given] - config->times_ps[pace->given - 1]);
        break;
    }
}

void
pacing_end(struct pacing *pace)
{
    pace->due_ps = EVENT_NEVER;
}
