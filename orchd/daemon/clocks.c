/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/daemon/clocks.h"

#include "base/check.h"
#include "process/wallclock.h"

int64_t
clocks_read(clockid_t id)
{
    struct timespec time;

    orch_assert(!clock_gettime(id, &time));
    return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
}

static int64_t
chain_now(void *context)
{
    (void)context;
    return clocks_read(CLOCK_MONOTONIC);
}

static void
chain_stamp(void *context, char *buffer)
{
    (void)context;
    wallclock_format(clocks_read(CLOCK_REALTIME), buffer);
}

static void
chain_sleep(void *context, int64_t ns)
{
    const struct timespec time = {.tv_sec = (time_t)(ns / NS_PER_S),
                                  .tv_nsec = (long)(ns % NS_PER_S)};

    (void)context;
    (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

const struct chain_system clocks_chain_system = {
    .clock = {.now_ns = chain_now, .stamp = chain_stamp},
    .sleep = chain_sleep,
};
