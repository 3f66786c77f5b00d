/* SPDX-License-Identifier: Apache-2.0 */

/* Cores that work off jobs, and delays of the system around them. */

#include <config.h>

#include "twin/host/processor.h"

#include "base/check.h"

enum {
    PERMILLE = 1000,
    NORMAL_TERMS = 12, /* Variance 1. */
    EXP_SQUARINGS = 16,
    FRACTION_BITS = 32,
};

#define ONE        (INT64_C(1) << FRACTION_BITS)
#define MIN_JOB_PS INT64_C(1000)

__extension__ typedef unsigned __int128 u128;

/* Cores -------------------------------------------------------------------- */

/* Returns the time until the next job of the background. */
static int64_t
draw_interval(const struct processor_config *config,
              struct processor_core *core)
{
    const uint64_t mean =
        (uint64_t)config->background_job_ps * PERMILLE / config->background;

    return (int64_t)random_stream_exponential(&core->jobs, mean);
}

enum st
processor_init(struct processor *processor,
               const struct processor_config *config,
               struct processor_core *cores)
{
    if (!config->n_cores || config->n_cores > PROCESSOR_MAX_CORES ||
        config->background > PROCESSOR_MAX_BACKGROUND ||
        config->background_job_ps < MIN_JOB_PS ||
        config->background_job_ps > PROCESSOR_MAX_TIME_PS) {
        return ST_INVALID;
    }
    *processor = (struct processor){.config = *config, .cores = cores};
    for (uint32_t i = 0; i < config->n_cores; i++) {
        cores[i] = (struct processor_core){.free_ps = 0};
        if (config->background) {
            /* Mixed, so that no core has the stream of another seed. */
            random_stream_init(&cores[i].jobs,
                               config->seed ^ i * UINT64_C(0x9e3779b97f4a7c15),
                               config->entity, RANDOM_BACKGROUND);
            cores[i].background_ps = draw_interval(config, &cores[i]);
        }
    }
    return ST_OK;
}

/* Appends a job to 'core', and returns how long it waits. */
static int64_t
append(struct processor_core *core, int64_t now_ps, int64_t cost_ps)
{
    const int64_t wait_ps = core->free_ps > now_ps ? core->free_ps - now_ps : 0;

    core->free_ps = now_ps + wait_ps + cost_ps;
    core->given_ps += cost_ps;
    return wait_ps;
}

/* Gives 'core' the background up to 'now_ps'. */
static void
catch_up(const struct processor_config *config, struct processor_core *core,
         int64_t now_ps)
{
    while (config->background && core->background_ps <= now_ps) {
        (void)append(core, core->background_ps,
                     (int64_t)random_stream_exponential(
                         &core->jobs, (uint64_t)config->background_job_ps));
        core->background_ps += draw_interval(config, core);
    }
}

int64_t
processor_run(struct processor *processor, uint32_t number, int64_t now_ps,
              int64_t cost_ps)
{
    struct processor_core *core = &processor->cores[number];
    int64_t wait_ps;

    orch_assert(number < processor->config.n_cores && cost_ps >= 0 &&
                cost_ps <= PROCESSOR_MAX_TIME_PS);
    catch_up(&processor->config, core, now_ps);
    wait_ps = append(core, now_ps, cost_ps);
    processor->n_jobs++;
    processor->work_ps += cost_ps;
    processor->wait_ps += wait_ps;
    if (wait_ps > processor->longest_wait_ps) {
        processor->longest_wait_ps = wait_ps;
    }
    return core->free_ps;
}

void
processor_get_stats(struct processor *processor, int64_t now_ps,
                    struct processor_stats *stats)
{
    *stats =
        (struct processor_stats){.n_jobs = processor->n_jobs,
                                 .work_ps = processor->work_ps,
                                 .wait_ps = processor->wait_ps,
                                 .longest_wait_ps = processor->longest_wait_ps};
    for (uint32_t i = 0; i < processor->config.n_cores; i++) {
        struct processor_core *core = &processor->cores[i];

        catch_up(&processor->config, core, now_ps);
        /* A core with work never rests: what it has not done yet is what it
         * will do from now on without a break. */
        stats->busy_ps += core->given_ps -
                          (core->free_ps > now_ps ? core->free_ps - now_ps : 0);
    }
}

/* Delays ------------------------------------------------------------------- */

bool
host_delay_is_valid(const struct host_delay *delay)
{
    return delay->median_ps >= 0 && delay->median_ps <= PROCESSOR_MAX_TIME_PS &&
           delay->spread <= HOST_DELAY_MAX_SPREAD &&
           delay->stall <= HOST_DELAY_MAX_STALL && delay->stall_ps >= 0 &&
           delay->stall_ps <= PROCESSOR_MAX_TIME_PS;
}

/* Returns a normal variable of mean 0 and variance 1, times ONE. */
static int64_t
draw_normal(struct random_stream *stream)
{
    int64_t sum = -ONE * NORMAL_TERMS / 2;

    for (int i = 0; i < NORMAL_TERMS; i++) {
        sum += random_stream_u32(stream);
    }
    return sum;
}

/* Returns exp('x' / ONE) times ONE, for at most 6 in size: (1 + x / n)^n with
 * n = 2^16, whose error is x^2 / 2n. */
static uint64_t
exponential(int64_t x)
{
    uint64_t power = (uint64_t)(ONE + x / (1 << EXP_SQUARINGS));

    for (int i = 0; i < EXP_SQUARINGS; i++) {
        power = (uint64_t)((u128)power * power >> FRACTION_BITS);
    }
    return power;
}

int64_t
host_delay_draw(const struct host_delay *delay, struct random_stream *stream)
{
    const int64_t x = draw_normal(stream) / PERMILLE * delay->spread;
    uint64_t time_ps =
        (uint64_t)((u128)(uint64_t)delay->median_ps * exponential(x) >>
                   FRACTION_BITS);

    if (delay->stall &&
        (delay->stall == HOST_DELAY_MAX_STALL ||
         random_stream_below(stream, HOST_DELAY_MAX_STALL) < delay->stall)) {
        time_ps += random_stream_exponential(stream, (uint64_t)delay->stall_ps);
    }
    return (int64_t)time_ps;
}
