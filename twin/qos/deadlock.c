/* SPDX-License-Identifier: Apache-2.0 */

/* PFC deadlock detection and recovery with one timer. */

#include <config.h>

#include "twin/qos/deadlock.h"

/* Returns the duration of the running timer. */
static int64_t
limit_ps(const struct deadlock *deadlock)
{
    return deadlock->dead ? deadlock->config.recovery_ps
                          : deadlock->config.detection_ps;
}

enum deadlock_event
deadlock_configure(struct deadlock *deadlock,
                   const struct deadlock_config *config)
{
    bool ends = deadlock->dead && !config->enabled;

    deadlock->config = *config;
    if (ends) {
        deadlock->dead = deadlock->runs = false;
    }
    return ends ? DEADLOCK_RECOVERED : DEADLOCK_NOTHING;
}

enum deadlock_event
deadlock_follow(struct deadlock *deadlock, bool paused, bool waiting,
                int64_t now_ps)
{
    const struct deadlock_config *config = &deadlock->config;
    const bool runs = deadlock->dead ? !paused
                                     : config->enabled && !config->manual &&
                                           paused && waiting;

    if (runs && !deadlock->runs) {
        deadlock->since_ps = now_ps;
    }
    deadlock->runs = runs;
    if (!runs || now_ps - deadlock->since_ps < limit_ps(deadlock)) {
        return DEADLOCK_NOTHING;
    }
    deadlock->dead = !deadlock->dead;
    /* The queue was paused for the detection time, or not paused for the
     * recovery time. */
    deadlock->runs = false;
    return deadlock->dead ? DEADLOCK_DETECTED : DEADLOCK_RECOVERED;
}

bool
deadlock_recovers(const struct deadlock *deadlock)
{
    return deadlock->dead || deadlock->config.manual;
}

int64_t
deadlock_next_ps(const struct deadlock *deadlock)
{
    return deadlock->runs ? deadlock->since_ps + limit_ps(deadlock) : INT64_MAX;
}
